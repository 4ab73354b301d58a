import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type net from "node:net";
import { GrpcError } from "../errors/grpc-error.js";
import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import type { Clock } from "../timing/clock.js";
import type { DoorView, Refusal } from "./door-view.js";
import { HTTP_ROUTES, type HttpCall } from "./http-routes.js";

/** How long a connection may take until its next request is complete. */
const REQUEST_MS = 10_000;

const MAX_HEADER_BYTES = 8 * 1024;

/** The most requests on one connection. */
const MAX_REQUESTS = 10_000;

const STATUSES: Readonly<Record<Refusal["why"], number>> = { closing: 503, rate: 429, initializing: 503, stale: 503 };

/** The HTTP status of each error code; others are 500. */
const BY_CODE: Readonly<Record<string, number>> = {
  "invalid-argument": 400,
  "unsupported-platform": 501,
  "not-found": 404,
  "not-permitted": 403,
  deadline: 504,
  overloaded: 429,
  closed: 503,
};

/** Speaks HTTP/1.1 with JSON on connections that the door accepts. Only GET without a body is answered. */
export class HttpServer {
  readonly #view: DoorView;
  readonly #clock: Clock;
  readonly #http: http.Server;
  readonly #under = new Set<ServerResponse>();
  #onIdle: () => void = () => {};
  #isClosing = false;

  constructor(view: DoorView, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
    this.#http = http.createServer({ maxHeaderSize: MAX_HEADER_BYTES, insecureHTTPParser: false });
    this.#http.maxRequestsPerSocket = MAX_REQUESTS;
    Object.assign(this.#http, { httpAllowHalfOpen: true }); // a client may half-close the connection after its request
    this.#http.on("request", (request, response) => void this.#answer(request, response));
  }

  /** Serves a connection. */
  serve(socket: net.Socket): void {
    socket.allowHalfOpen = true;
    let cancel = () => {};
    const expect = () => {
      cancel();
      cancel = this.#clock.after(REQUEST_MS, () => void socket.destroy());
    };
    const come = () => {
      const isFirst = !busy.has(socket);
      busy.add(socket);
      cancel();
      return isFirst;
    };
    const over = () => {
      busy.delete(socket);
      expect();
    };
    expectations.set(socket, { come, over });
    socket.once("close", () => cancel());
    expect();
    this.#http.emit("connection", socket);
  }

  /** Resolves when all requests have been answered. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#http.closeIdleConnections();
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      if (this.#under.size === 0) resolve();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const expected = expectations.get(request.socket);
    // The answer to a pipelined request would not be told if its reader leaves, so pipelining is refused.
    if (expected?.come() === false) return void request.socket.destroy();
    this.#under.add(response);
    const release = this.#expel(request.socket);
    response.on("error", () => {});
    response.once("close", () => {
      this.#under.delete(response);
      release();
      if (!request.socket.destroyed) expected?.over();
      if (this.#under.size === 0) this.#onIdle();
    });
    try {
      await this.#route(request, response);
    } catch (error) {
      this.#fail(response, error);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number, code: string, message: string) =>
      send(response, status, { error: { code, message } });
    if (this.#isClosing) response.setHeader("connection", "close");
    if (hasBody(request)) {
      response.setHeader("connection", "close"); // further bytes are not read as a request
      return refuse(413, "invalid-argument", "requests have no body");
    }
    if (request.method !== "GET") return refuse(405, "invalid-argument", "GET alone is answered");
    const [path = "", query = ""] = split(request.url ?? "");
    const [route, name] = routeOf(path);
    if (route === undefined)
      return refuse(404, "not-found", `no such path; there are ${Object.keys(HTTP_ROUTES).join(", ")}`);
    if (!route.isOpen) {
      const refusal = this.#view.refusal();
      if (refusal !== undefined) {
        if (refusal.why === "rate" || refusal.why === "initializing") response.setHeader("retry-after", "1");
        return refuse(STATUSES[refusal.why], refusal.why, refusal.message);
      }
    }
    for (const [header, value] of Object.entries(this.#view.headers())) response.setHeader(header, value);
    const parameters = parametersOf(query, route.parameters);
    if (typeof parameters === "string") return refuse(400, "invalid-argument", parameters);
    const left = new AbortController();
    response.once("close", () => left.abort(new Error("the reader has left")));
    const call: HttpCall = {
      view: this.#view,
      name,
      parameters,
      signal: left.signal,
      send: (status, body) => send(response, status, body),
      text: (status, body) => {
        response.setHeader("content-type", "text/plain; charset=utf-8");
        response.writeHead(status).end(body);
      },
      line: (text) => this.#line(response, text, left.signal),
      end: () => void response.end(),
    };
    await route.answer(call);
  }

  /** Ends a connection whose client leaves waiting data unread for too long. Returns a callback that stops this. */
  #expel(socket: net.Socket): () => void {
    let sent = socket.bytesWritten - socket.writableLength;
    let cancel = () => {};
    const look = () => {
      const now = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength > 0 && now === sent) return void socket.destroy();
      sent = now;
      cancel = this.#clock.after(this.#view.door.stallMs, look);
    };
    cancel = this.#clock.after(this.#view.door.stallMs, look);
    return () => cancel();
  }

  /** Sends a line; resolves when there is room for the next. */
  async #line(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
    if (!response.headersSent) {
      response.setHeader("content-type", "application/x-ndjson");
      response.writeHead(200);
    }
    if (response.write(`${text}\n`)) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        response.off("drain", end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      response.on("drain", end);
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
    });
    signal.throwIfAborted();
  }

  #fail(response: ServerResponse, error: unknown): void {
    if (response.destroyed) return;
    const said = wordsOf(error);
    if (response.headersSent) return void response.end(`${JSON.stringify({ type: "ENDED", error: said })}\n`);
    send(response, BY_CODE[said.code] ?? 500, { error: said });
  }
}

/** Returns an error's code, message and hint. Messages of foreign errors are not used, since they may contain anything. */
function wordsOf(error: unknown): { code: string; message: string; hint?: string } {
  if (error instanceof GrpcError) return { code: "closing", message: error.message }; // made by the door when it closes
  if (!PodsError.is(error)) return { code: "unknown", message: "the relay could not answer" };
  const { code, rawMessage, hint } = error;
  return { code, message: printable(rawMessage, 500), ...(hint !== "" && { hint: printable(hint, 500) }) };
}

/** The callbacks of each connection: a request has come (returns false if one is under way), and it is answered. */
const expectations = new WeakMap<net.Socket, { come(): boolean; over(): void }>();

/** Connections with a request under way. */
const busy = new WeakSet<net.Socket>();

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.setHeader("content-type", "application/json");
  response.writeHead(status).end(`${typeof body === "string" ? body : JSON.stringify(body)}\n`);
}

/** Splits at the first question mark. Parsers of URLs throw at `//`. */
function split(url: string): [string, string] {
  const at = url.indexOf("?");
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}

function routeOf(path: string): [(typeof HTTP_ROUTES)[string] | undefined, string | undefined] {
  if (Object.hasOwn(HTTP_ROUTES, path)) return [HTTP_ROUTES[path], undefined];
  const [, uid] = /^\/v1alpha1\/pods\/([\w.-]{1,100})$/.exec(path) ?? [];
  return uid === undefined ? [undefined, undefined] : [HTTP_ROUTES["/v1alpha1/pods/{uid}"], uid];
}

/** Returns the parameters, or a text that says what is wrong: an unknown or repeated parameter is refused. */
function parametersOf(query: string, known: readonly string[]): ReadonlyMap<string, string> | string {
  const given = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const shown = printable(name, 50);
    if (!known.includes(name)) return `no such parameter: ${shown}; there are ${known.join(", ") || "none"}`;
    if (given.has(name)) return `the parameter ${shown} is given twice`;
    given.set(name, value);
  }
  return given;
}
