import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { ACCESS_DENIED_HINT, type PodsErrorCode } from "../../errors/error-code.js";
import { GRPC } from "../../errors/grpc-error.js";
import { PodsError } from "../../errors/pods-error.js";
import { printable } from "../../printable.js";
import { onAbort, orAborted } from "../../timing/abort.js";
import { afterReads, type Clock } from "../../timing/clock.js";
import { Deadline } from "../../timing/deadline.js";
import { BodyStream } from "./body-stream.js";
import { type ResolvedHttpOptions, shownUrl } from "./http-options.js";
import { SecretFiles } from "./secret-files.js";

/** Codes of Node.js' errors about certificates. */
const TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA)/;

const DIAL_CODES: Readonly<Record<string, PodsErrorCode>> = {
  ECONNREFUSED: "connection-refused",
  ENOTFOUND: "connection-refused",
  EAI_AGAIN: "connection-refused",
  EHOSTUNREACH: "connection-refused",
  ENETUNREACH: "connection-refused",
  ECONNRESET: "connection-lost",
  EPIPE: "connection-lost",
  ETIMEDOUT: "connection-timeout",
};

const STATUS_CODES: Readonly<Record<number, readonly [code: PodsErrorCode, hint?: string]>> = {
  401: ["not-permitted", "the kubelet rejects the token or the client certificate"],
  404: ["not-served", "is this the URL of a kubelet, or of its proxy in the API server?"],
  429: ["rate-limited", "the server asks its clients to wait"],
};

/** Number of connections for calls. Further calls wait. */
const MAX_CONNECTIONS = 2;

/** Number of bytes of an error's body that are read. An API server explains the error there. */
const MAX_STATUS_BYTES = 8_192;

/** Time limit for reading an error's body. */
const STATUS_TIMEOUT_MS = 1_000;

const REDIRECT: readonly [code: PodsErrorCode, hint?: string] = ["not-served", "redirects are not followed"];

/** A path to request, and the permission that it needs. */
export interface HttpTarget {
  /** Path below the URL, with its query. */
  readonly path: string;
  /** Permission that the path needs, for the hint of a 403, such as `nodes/stats`. It may add what other kubelets need instead. */
  readonly right: string;
  /** Error code of a 404; `not-served` by default. */
  readonly missing?: PodsErrorCode;
  /** Status besides 200 whose body is also an answer. */
  readonly alsoStatus?: number;
}

/**
 * Sends GET requests for paths below a URL, and returns answers whole or as a stream. Errors contain neither the token nor the content of
 * answers, except the message of a Status object.
 */
export class HttpGet {
  readonly #options: ResolvedHttpOptions;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #files = new SecretFiles();
  #agents: Agents | undefined;
  /** Replaced agents with requests. */
  readonly #replaced = new Set<Agents>();
  /** Time before which no request may be sent (Retry-After). */
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(options: ResolvedHttpOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Sends a GET request; resolves with the body of the answer.
   *
   * @param isWatch true to send it even if all connections for calls are in use.
   * @throws PodsError
   */
  async get(
    target: HttpTarget,
    signal: AbortSignal,
    timeoutMs: number | undefined,
    isWatch: boolean = false,
  ): Promise<Buffer> {
    const { maxResponseBytes: maxBytes } = this.#options;
    const chunks: Buffer[] = [];
    for await (const chunk of this.#answer(target, { signal, timeoutMs, maxBytes, isWatch })) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /**
   * Sends a GET request, and yields the body of the answer as it arrives. The timeout applies only until the answer begins.
   *
   * @throws PodsError
   */
  stream(
    target: HttpTarget,
    signal: AbortSignal,
    timeoutMs: number | undefined,
    maxBytes: number,
  ): AsyncIterableIterator<Buffer, undefined> {
    return new BodyStream(signal, (own) => this.#answer(target, { signal: own, timeoutMs, maxBytes, isStream: true }));
  }

  async *#answer(target: HttpTarget, request: BodyRequest): AsyncGenerator<Buffer, void, undefined> {
    const { signal, timeoutMs, maxBytes, isStream = false, isWatch = isStream } = request;
    const { url } = this.#options;
    const closing = this.#controller.signal;
    if (closing.aborted) throw closed();
    const waitMs = this.#notBeforeMs - this.#clock.now();
    if (waitMs > 0) {
      const what = `the server asks clients to wait ${Math.ceil(waitMs / 1000)} s more`;
      throw this.#error(target, "rate-limited", what, "the client sends no request until then");
    }
    const reason = (deadline: Deadline) =>
      deadline.orBusy(this.#error(target, "deadline", `no answer within ${timeoutMs} ms`));
    const deadline = new Deadline({ clock: this.#clock, signal, timeoutMs, reason });
    const any = deadline.signal;
    const release = onAbort(closing, () => deadline.controller.abort());
    try {
      // A read from an unreachable network mount never ends.
      const token = await orAborted(this.#token(target), any);
      const agents = await orAborted(this.#agentsFor(target), any);
      any.throwIfAborted();
      const at = new URL(url.href.replace(/\/$/, "") + target.path);
      const agent = isWatch ? agents.streams : agents.calls;
      agents.requests++;
      try {
        // A request that waits for a free connection does not react to an abort.
        const response = await orAborted(this.#request(target, at, agent, token, any), any);
        if (isStream) deadline.lift();
        yield* this.#body(target, response, maxBytes, any);
      } finally {
        agents.requests--;
        this.#retire(agents);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (closing.aborted) throw closed();
      throw deadline.isUp ? deadline.signal.reason : this.#describe(target, error);
    } finally {
      release();
      deadline.release();
    }
  }

  /** Ends running requests, and closes connections. Resolves once they are closed. */
  async close(): Promise<void> {
    const all = [...this.#replaced, this.#agents].flatMap((agents) => (agents ? [agents.calls, agents.streams] : []));
    const sockets = all.flatMap(({ sockets: used, freeSockets }) => [used, freeSockets].map(Object.values).flat(2));
    const ended = sockets.map((socket: Socket) => new Promise((resolve) => socket.once("close", resolve)));
    this.#controller.abort();
    for (const agent of all) agent.destroy();
    await Promise.all(ended);
  }

  async #read(target: HttpTarget, file: string): Promise<string> {
    try {
      return await this.#files.read(file);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      const [what, hint] = FILE_PROBLEMS[code] ?? [`cannot be read (${code})`, ""];
      throw this.#error(target, "not-permitted", `${printable(file, 200)} ${what}`, hint);
    }
  }

  async #token(target: HttpTarget): Promise<string | undefined> {
    const { tokenFile: file } = this.#options;
    if (file === undefined) return undefined;
    const token = (await this.#read(target, file)).trim();
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw this.#error(
      target,
      "not-permitted",
      `${printable(file, 200)} contains no token`,
      "the file must contain one line of printable characters",
    );
  }

  /** Reads certificates or a key. Node.js takes an empty file for a missing option: it would trust all of its own CAs instead. */
  async #pem(target: HttpTarget, file: string): Promise<string> {
    const text = await this.#read(target, file);
    if (text.includes("-----BEGIN ")) return text;
    const what = `${printable(file, 200)} contains no certificate or key`;
    throw this.#error(target, "not-permitted", what, "the file must be in PEM format");
  }

  /** Returns the agents for the current content of the files. Replaced ones continue until their requests are answered. */
  async #agentsFor(target: HttpTarget): Promise<Agents> {
    const { url, caFile, certFile, keyFile, insecureSkipTlsVerify } = this.#options;
    const files = [caFile, certFile, keyFile];
    const [ca, cert, key] = await Promise.all(
      files.map((file) => (file === undefined ? undefined : this.#pem(target, file))),
    );
    const identity = JSON.stringify([ca, cert, key]);
    if (this.#agents?.identity !== identity) {
      const agentOf = (options: http.AgentOptions) =>
        url.protocol === "http:"
          ? new http.Agent(options)
          : new https.Agent({ ...options, ca, cert, key, rejectUnauthorized: !insecureSkipTlsVerify });
      const before = this.#agents;
      const calls = agentOf({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
      const streams = agentOf({ keepAlive: true, maxFreeSockets: MAX_CONNECTIONS });
      this.#agents = { calls, streams, identity, requests: 0 };
      if (before !== undefined) {
        this.#replaced.add(before);
        this.#retire(before);
      }
    }
    return this.#agents;
  }

  /** Closes the connections of replaced agents once they are idle. */
  #retire(agents: Agents): void {
    if (agents === this.#agents || agents.requests > 0) return;
    this.#replaced.delete(agents);
    agents.calls.destroy();
    agents.streams.destroy();
  }

  #request(
    target: HttpTarget,
    url: URL,
    agent: http.Agent,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<http.IncomingMessage> {
    const headers = { accept: "*/*", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    return new Promise((resolve, reject) => {
      let isHandled = false;
      const request = (url.protocol === "http:" ? http : https).get(url, { agent, headers, signal }, (response) => {
        isHandled = true;
        const { statusCode = 0 } = response;
        if (statusCode === 200 || statusCode === target.alsoStatus) {
          resolve(response);
          return;
        }
        if (statusCode === 429 || statusCode === 503) this.#noteRetryAfter(response.headers["retry-after"]);
        const refuse = (words: string) => {
          const isSecret = token !== undefined && words.includes(token);
          reject(this.#refusal(target, statusCode, isSecret ? "" : printable(words, 300)));
        };
        statusMessageOf(response, this.#clock).then(refuse, reject);
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server may have closed the kept-alive connection meanwhile. This shows nothing about the kubelet, so the request is repeated.
        const isStale = request.reusedSocket && error.code === "ECONNRESET" && !signal.aborted;
        const isAgain = isStale && !isHandled;
        isHandled = true;
        if (isAgain) this.#request(target, url, agent, token, signal).then(resolve, reject);
        else reject(error);
      });
      // This happens after an answer that switches the protocol.
      request.on("close", () => {
        if (!isHandled) reject(this.#error(target, "connection-lost", "the request ended without an answer"));
      });
    });
  }

  /** Yields the parts of a body. If the reader stops early, the connection is closed. */
  async *#body(
    target: HttpTarget,
    response: http.IncomingMessage,
    maxBytes: number,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, void, undefined> {
    let length = 0;
    try {
      for await (const chunk of response) {
        length += (chunk as Buffer).length;
        if (length > maxBytes)
          throw this.#error(target, "too-large", `more than ${maxBytes} bytes`, "raise maxResponseBytes");
        yield chunk as Buffer;
      }
      if (response.complete) return;
    } catch (error) {
      if (response.complete || PodsError.is(error)) throw error;
      signal.throwIfAborted();
    } finally {
      response.destroy();
    }
    throw this.#error(target, "connection-lost", "the answer is truncated");
  }

  #refusal(target: HttpTarget, statusCode: number, words: string): PodsError {
    const isElsewhere = statusCode >= 300 && statusCode < 400;
    const ownHint = `allow it \`get\` on ${target.right}`;
    const [code, hint] =
      statusCode === 403
        ? (["not-permitted", ownHint] as const)
        : statusCode === 404 && target.missing !== undefined
          ? [target.missing]
          : (STATUS_CODES[statusCode] ?? (isElsewhere ? REDIRECT : ["server-error"]));
    const what = words === "" ? `HTTP ${statusCode}` : `HTTP ${statusCode}: ${words}`;
    // The same request would be refused again, except after a timeout (408), at another server (421), or later (425).
    const isPassing = [408, 421, 425].includes(statusCode);
    const isFinal = code === "server-error" && statusCode >= 400 && statusCode < 500 && !isPassing;
    return this.#error(target, code, what, hint, undefined, isFinal ? GRPC.invalidArgument : undefined);
  }

  /** Stores the time from a Retry-After header, which is a number of seconds or a date. No request is sent before that time. */
  #noteRetryAfter(retryAfter: string | undefined): void {
    if (retryAfter === undefined) return;
    const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - this.#clock.wallMs();
    if (ms > 0) this.#notBeforeMs = this.#clock.now() + Math.min(ms, LONGEST_WAIT_MS);
  }

  #describe(target: HttpTarget, error: unknown): PodsError {
    if (PodsError.is(error)) return error;
    const { code: errno = "" } = error as NodeJS.ErrnoException;
    if (TLS.test(errno)) {
      const hint =
        "caFile must contain the CA of the kubelet's certificate, and the certificate must be valid for the host of the URL";
      return this.#error(target, "wrong-peer", `its certificate is not trusted (${errno})`, hint, error);
    }
    if (errno.startsWith("ERR_OSSL_")) {
      const isMismatch = errno === "ERR_OSSL_X509_KEY_VALUES_MISMATCH";
      const what = isMismatch ? "keyFile is not the key of certFile" : `a certificate or key is malformed (${errno})`;
      const hint = isMismatch ? "if the files are rotated, replace both; the client tries again" : FILES_HINT;
      return this.#error(target, "connection-lost", what, hint, error);
    }
    if (errno === "ERR_ACCESS_DENIED") return this.#error(target, "not-permitted", errno, ACCESS_DENIED_HINT, error);
    const code = DIAL_CODES[errno] ?? (errno.startsWith("HPE_") ? "wrong-peer" : "connection-lost");
    // The parser's own error contains the text that it could not parse.
    const cause = errno.startsWith("HPE_") ? undefined : error;
    return this.#error(target, code, errno === "" ? "the request failed" : errno, API_HINTS[errno], cause);
  }

  #error(
    { path }: HttpTarget,
    code: PodsErrorCode,
    what: string,
    hint = "",
    cause?: unknown,
    grpcCode?: number,
  ): PodsError {
    const where = shownUrl(this.#options.url) + printable(path.replace(/\?.*$/s, ""), 200);
    return new PodsError({ code, message: `${where}: ${what}`, hint, cause, grpcCode });
  }
}

/** Options for reading an answer. */
interface BodyRequest {
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
  readonly maxBytes: number;
  /** True if the timeout applies only until the answer begins. */
  readonly isStream?: boolean;
  /** True to use a connection that is not for calls; by default streams do. */
  readonly isWatch?: boolean;
}

/** The agents for one content of the files. Streams and watches have connections of their own, so that they and calls do not block each other. */
interface Agents {
  readonly calls: http.Agent;
  readonly streams: http.Agent;
  /** Content of the files. */
  readonly identity: string;
  /** Number of requests that use the agents. */
  requests: number;
}

function closed(): PodsError {
  return new PodsError({ code: "closed", message: "the source was closed" });
}

const FILES_HINT = "check caFile, certFile and keyFile; the client reads them again for each request";

const FILE_PROBLEMS: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOTFILE: ["is not a regular file", "the client reads it again whenever it changes"],
  ETOOLARGE: ["is larger than 1 MiB", "a token or certificates are expected"],
  EACCES: ["cannot be read by this user", "check its owner and its mode"],
  ENOENT: ["does not exist", "check the path, and that its volume is mounted in this container"],
  ERR_ACCESS_DENIED: ["cannot be read by this process", ACCESS_DENIED_HINT],
};

/** Returns the whole message of the Status object that an API server sends with an error; empty for other bodies. */
async function statusMessageOf(response: http.IncomingMessage, clock: Clock): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on("error", () => {}); // only its message is lost
  const cancelTimer = afterReads(clock, STATUS_TIMEOUT_MS, () => response.destroy());
  const isJson = (response.headers["content-type"] ?? "").startsWith("application/json");
  try {
    for await (const chunk of isJson ? response : []) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > MAX_STATUS_BYTES) break;
    }
    const { kind, message } = JSON.parse(Buffer.concat(chunks).toString()) as { kind?: unknown; message?: unknown };
    return kind === "Status" && typeof message === "string" ? message : "";
  } catch {
    return "";
  } finally {
    cancelTimer();
    response.destroy(); // it may be endless
  }
}

/** Maximum Retry-After that is obeyed. */
const LONGEST_WAIT_MS = 60_000;

const HOST_HINT = "is the host right?";

/** Hints for failed connections, by Node.js' error codes. */
const API_HINTS: Readonly<Record<string, string>> = {
  EPROTO: "the server does not speak TLS: is it an http URL, such as port 10255?",
  HPE_INVALID_CONSTANT: "the server does not speak HTTP: is it an https URL, such as port 10250?",
  ECONNREFUSED: "nothing listens there: is the port open? 10255 is off by default",
  ENOTFOUND: HOST_HINT,
  EAI_AGAIN: HOST_HINT,
  EHOSTUNREACH: HOST_HINT,
  ENETUNREACH: HOST_HINT,
};
