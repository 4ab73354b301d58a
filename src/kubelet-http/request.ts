import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { orAborted } from "../abort.js";
import type { PodsErrorCode } from "../errors/error-code.js";
import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import { type ResolvedHttpOptions, shownUrl } from "./options.js";

/** What goes wrong with certificates, by Node's names for it. */
const TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA)/;

const BY_ERRNO: Readonly<Record<string, PodsErrorCode>> = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "absent",
  EAI_AGAIN: "absent",
  EHOSTUNREACH: "absent",
  ENETUNREACH: "absent",
  ECONNRESET: "connection-lost",
  EPIPE: "connection-lost",
  ETIMEDOUT: "connect-timeout",
};

const BY_STATUS: Readonly<Record<number, readonly [code: PodsErrorCode, hint?: string]>> = {
  401: ["not-permitted", "the token, or the client's certificate, is not one that the kubelet knows"],
  403: [
    "not-permitted",
    "allow it `get` on nodes/proxy, or on nodes/pods where kubelets have fine-grained authorization (1.33 and later)",
  ],
  404: ["not-served", "is this the URL of a kubelet, or of its proxy in the API server?"],
  429: ["rate-limited", "it asks its clients to wait"],
};

const REDIRECT: readonly [code: PodsErrorCode, hint?: string] = ["not-served", "redirects are not followed"];

/** GET of one path below a URL, whole. Nothing of the token, and nothing of the answer, is in errors. */
export class HttpGet {
  readonly #options: ResolvedHttpOptions;
  readonly #controller = new AbortController();
  #agent: { agent: http.Agent; key: string } | undefined;
  /** The server wants to be left alone until then. */
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(options: ResolvedHttpOptions) {
    this.#options = options;
  }

  /** The body of the answer. @throws PodsError */
  async get(path: string, signal: AbortSignal, timeoutMs: number | undefined): Promise<Buffer> {
    const { url, tokenFile } = this.#options;
    const waitMs = this.#notBeforeMs - performance.now();
    if (waitMs > 0) {
      const what = `it asked to be left alone for ${Math.ceil(waitMs / 1000)} s more`;
      throw this.#error("rate-limited", what, "nothing is sent until then");
    }
    const all = [signal, this.#controller.signal];
    if (timeoutMs !== undefined) all.push(AbortSignal.timeout(timeoutMs));
    const any = AbortSignal.any(all);
    try {
      const token = tokenFile === undefined ? undefined : await this.#token(tokenFile);
      const agent = await this.#agentOf();
      any.throwIfAborted();
      const target = new URL(url);
      target.pathname = url.pathname.replace(/\/$/, "") + path;
      // What waits for a free connection would not hear of an abort.
      return await orAborted(this.#request(target, agent, token, any), any);
    } catch (error) {
      signal.throwIfAborted();
      if (this.#controller.signal.aborted) throw new PodsError({ code: "closed", message: "the source was closed" });
      if (any.aborted) throw this.#error("deadline", `no answer within ${timeoutMs} ms`);
      throw this.#describe(error);
    }
  }

  /** Ends what is under way, and connections. */
  close(): void {
    this.#controller.abort();
    this.#agent?.agent.destroy();
  }

  async #read(file: string): Promise<string> {
    try {
      return await readFile(file, "utf8");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw this.#error("not-permitted", `${printable(file, 200)} cannot be read (${code})`, "is it mounted here?");
    }
  }

  async #token(file: string): Promise<string> {
    const token = (await this.#read(file)).trim();
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw this.#error("not-permitted", `${printable(file, 200)} holds no token`, "one line of printable characters");
  }

  /** One agent for as long as the files are what they were. */
  async #agentOf(): Promise<http.Agent> {
    const { url, caFile, certFile, keyFile, insecureSkipTlsVerify } = this.#options;
    const files = [caFile, certFile, keyFile];
    const [ca, cert, key] = await Promise.all(files.map((file) => (file === undefined ? undefined : this.#read(file))));
    const identity = JSON.stringify([ca, cert, key]);
    if (this.#agent?.key !== identity) {
      this.#agent?.agent.destroy();
      const common = { keepAlive: true, maxSockets: 2 };
      const agent =
        url.protocol === "http:"
          ? new http.Agent(common)
          : new https.Agent({ ...common, ca, cert, key, rejectUnauthorized: !insecureSkipTlsVerify });
      this.#agent = { agent, key: identity };
    }
    return this.#agent.agent;
  }

  #request(url: URL, agent: http.Agent, token: string | undefined, signal: AbortSignal): Promise<Buffer> {
    const { maxResponseBytes } = this.#options;
    const headers = {
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    return new Promise((resolve, reject) => {
      let isHandled = false;
      const request = (url.protocol === "http:" ? http : https).get(url, { agent, headers, signal }, (response) => {
        isHandled = true;
        const { statusCode = 0 } = response;
        if (statusCode !== 200) {
          response.destroy(); // its body is of no interest, and may have no end
          if (statusCode === 429 || statusCode === 503) this.#leaveAlone(response.headers["retry-after"]);
          const isElsewhere = statusCode >= 300 && statusCode < 400;
          const [code, hint] = BY_STATUS[statusCode] ?? (isElsewhere ? REDIRECT : ["server-error"]);
          reject(this.#error(code, `HTTP ${statusCode}`, hint));
          return;
        }
        const chunks: Buffer[] = [];
        let length = 0;
        response.on("data", (chunk: Buffer) => {
          length += chunk.length;
          chunks.push(chunk);
          if (length <= maxResponseBytes) return;
          reject(this.#error("too-large", `more than ${maxResponseBytes} bytes`, "raise maxResponseBytes"));
          request.destroy();
        });
        response.on("error", reject);
        response.on("close", () => {
          if (response.complete) resolve(Buffer.concat(chunks));
          else reject(this.#error("connection-lost", "the answer ends too early"));
        });
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // A connection that was kept may be gone by then: that says nothing about the kubelet.
        const isStale = request.reusedSocket && error.code === "ECONNRESET" && !signal.aborted;
        isHandled = true;
        if (isStale) this.#request(url, agent, token, signal).then(resolve, reject);
        else reject(error);
      });
      // As after an answer that changes the protocol.
      request.on("close", () => {
        if (!isHandled) reject(this.#error("connection-lost", "the request ended without an answer"));
      });
    });
  }

  /** By its header Retry-After: seconds, or a date. */
  #leaveAlone(retryAfter: string | undefined): void {
    if (retryAfter === undefined) return;
    const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
    if (ms > 0) this.#notBeforeMs = performance.now() + Math.min(ms, LONGEST_WAIT_MS);
  }

  #describe(error: unknown): PodsError {
    if (PodsError.is(error)) return error;
    const { code: errno = "" } = error as NodeJS.ErrnoException;
    if (TLS.test(errno)) {
      const hint = "caFile has to have what signed the kubelet's certificate, and the URL a name that it is for";
      return this.#error("wrong-peer", `its certificate is not trusted (${errno})`, hint, error);
    }
    const code = BY_ERRNO[errno] ?? (errno.startsWith("HPE_") ? "wrong-peer" : "connection-lost");
    // The parser's own error has what it could not parse.
    const cause = errno.startsWith("HPE_") ? undefined : error;
    return this.#error(code, errno === "" ? "the request failed" : errno, HINTS[code], cause);
  }

  #error(code: PodsErrorCode, what: string, hint = "", cause?: unknown): PodsError {
    return new PodsError({ code, message: `${shownUrl(this.#options.url)}/pods: ${what}`, hint, cause });
  }
}

/** The longest time that a server is left alone because it asks for it. */
const LONGEST_WAIT_MS = 60_000;

const HINTS: Partial<Record<PodsErrorCode, string>> = {
  refused: "nobody listens there: is the port open (10255 often is not)?",
  absent: "is the host right?",
};
