import { createAsyncIterable } from "@connectrpc/connect/protocol";
import { follow } from "../abort.js";
import type { PodsErrorCode } from "../errors/error-code.js";
import { PodsError } from "../errors/pods-error.js";
import type { PodMask } from "../pod/mask.js";
import type { AttemptOptions, PodSource, SourceEvent } from "../source.js";
import { API_VERSIONS, type ApiVersion, type ApiVersionName } from "./api-versions.js";
import { HEADERS, KubeletSocket, type KubeletSocketOptions } from "./kubelet-socket.js";

/**
 * The kubelet's three calls over its socket, pods as bytes. Which version of the API the kubelet serves is found out
 * by asking: the next one is tried where the answer is UNIMPLEMENTED, and the choice is kept for the connection.
 */
export class PodsApi implements PodSource {
  readonly #socket: KubeletSocket;
  #version: ApiVersion | undefined;
  /** The server behind the current connection takes no masks. */
  #masksRefused = false;

  constructor(options: KubeletSocketOptions) {
    this.#socket = new KubeletSocket(options, () => {
      this.#version = undefined;
      this.#masksRefused = false;
    });
  }

  /** The socket dialled last, or the one that would be dialled first. */
  get socketPath(): string {
    return this.#socket.path;
  }

  /** The version that the kubelet behind the current connection serves; undefined before the first answer. */
  get version(): ApiVersionName | undefined {
    return this.#version?.name;
  }

  /** Resolves when there is a connection, so that what is asked next is sent at once. */
  connect(signal: AbortSignal): Promise<string> {
    return this.#socket.connect(signal);
  }

  /** Resolves when something changes where the socket is, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#socket.changed(signal);
  }

  /** What stands for the socket that would be dialled now; undefined where there is none. */
  server(): string | undefined {
    return this.#socket.server();
  }

  /** All pods of the node, each a view of one buffer. */
  list({ signal, timeoutMs, mask }: AttemptOptions): Promise<Uint8Array[]> {
    return this.#negotiated("ListPods", timeoutMs, mask, async ({ listPods: call }, timeoutMs, headers) => {
      const answer = await this.#socket.transport.unary(call.method, signal, timeoutMs, headers, {});
      return call.read(answer.message);
    });
  }

  /** One pod by its UID. */
  get(uid: string, { signal, timeoutMs, mask }: AttemptOptions): Promise<Uint8Array> {
    return this.#negotiated("GetPod", timeoutMs, mask, async ({ getPod: call }, timeoutMs, headers) => {
      const answer = await this.#socket.transport.unary(call.method, signal, timeoutMs, headers, { podUID: uid });
      return call.read(answer.message);
    });
  }

  /** One stream, as {@link PodSource} has it: until it is lost, or `signal` aborts. Nothing is sent before it is read. */
  async *open(signal: AbortSignal, mask?: PodMask): AsyncGenerator<SourceEvent, void, undefined> {
    // A stream's own iterator cannot be cancelled: leaving it would leave the call open.
    const { controller, release } = follow(signal);
    try {
      const server = await this.#socket.connect(controller.signal);
      const versions = this.#versionsToTry();
      for (let i = 0; i < versions.length; i++) {
        const version = versions[i] as ApiVersion;
        const headers = this.#headers(mask);
        const interval = version.relistMs === undefined ? {} : { resyncIntervalMs: version.relistMs };
        let told = false;
        try {
          yield { type: "CONNECTED", server, ...interval };
          const events = version.relistMs === undefined ? this.#stream : this.#listed;
          for await (const event of events.call(this, version, controller.signal, headers)) {
            this.#version = version;
            told = true;
            yield event;
          }
        } catch (error) {
          const described = this.#describe(error, "WatchPods");
          if (!told && this.#isMaskRefused(described, headers))
            i--; // the same version again, without
          else if (told || described.code !== "not-served" || version === versions.at(-1)) throw described;
          continue;
        }
        // A kubelet never ends a watch well: something between us and it did, and what came after is lost.
        const message = `the stream from ${this.socketPath} was ended`;
        throw new PodsError({ code: "connection-lost", message, method: "WatchPods", socketPath: this.socketPath });
      }
    } finally {
      release();
      controller.abort();
    }
  }

  /** Ends all connections; resolves when no handle is left. */
  close(): Promise<void> {
    return this.#socket.close();
  }

  /** What a watch of a version tells. No generator: it would cost each event several turns of the microtask queue. */
  #stream({ watchPods }: ApiVersion, signal: AbortSignal, headers: Headers): AsyncIterableIterator<SourceEvent> {
    const opened = this.#socket.transport
      .stream(watchPods.method, signal, undefined, headers, createAsyncIterable([{}]))
      .then(({ message }) => message[Symbol.asyncIterator]());
    let messages: Awaited<typeof opened> | undefined;
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        messages ??= await opened;
        const { done, value } = await messages.next();
        return done ? { done, value: undefined } : { done: false, value: watchPods.read(value) };
      },
    };
  }

  /**
   * A stream of a version whose watch tells neither what is there nor what goes: it is opened first, then the pods are
   * listed, so that what changes meanwhile is not missed; the list stands for the burst.
   */
  async *#listed(
    version: ApiVersion,
    signal: AbortSignal,
    headers: Headers,
  ): AsyncGenerator<SourceEvent, void, undefined> {
    const { listPods } = version;
    const changes = this.#stream(version, signal, headers);
    const first = changes.next();
    first.catch(() => {}); // looked at below, or not at all if the list fails
    const answer = await this.#socket.transport.unary(listPods.method, signal, LIST_TIMEOUT_MS, headers, {});
    for (const pod of listPods.read(answer.message)) yield { type: "ADDED", pod };
    yield { type: "SYNCED" };
    for (let next = await first; next.done !== true; next = await changes.next()) yield next.value;
  }

  async #negotiated<T>(
    method: string,
    timeoutMs: number | undefined,
    mask: PodMask | undefined,
    attempt: (version: ApiVersion, timeoutMs: number | undefined, headers: Headers) => Promise<T>,
  ): Promise<T> {
    const startMs = performance.now();
    let refusal: unknown;
    const versions = this.#versionsToTry();
    for (let i = 0; i < versions.length; i++) {
      const version = versions[i] as ApiVersion;
      const headers = this.#headers(mask);
      const spentMs = performance.now() - startMs;
      try {
        const left = timeoutMs === undefined ? undefined : Math.max(1, Math.ceil(timeoutMs - spentMs));
        const result = await attempt(version, left, headers);
        this.#version = version;
        return result;
      } catch (error) {
        const described = this.#describe(error, method);
        if (this.#isMaskRefused(described, headers)) {
          i--; // the same version again, without
          continue;
        }
        if (KNOWS_THE_METHOD.has(described.code)) this.#version = version;
        if (described.code !== "not-served") throw described;
        refusal = described;
      }
    }
    throw refusal;
  }

  #headers(mask: PodMask | undefined): Headers {
    return mask === undefined || this.#masksRefused ? HEADERS : { ...HEADERS, [MASK]: mask.toString() };
  }

  /** Whether the server would not have the mask that was sent; it is then asked without from now on. */
  #isMaskRefused({ grpcCode }: PodsError, headers: Headers): boolean {
    const refused = grpcCode === INVALID_ARGUMENT && MASK in headers;
    this.#masksRefused ||= refused;
    return refused;
  }

  /** What is known to be served first, then the others: a kubelet may have been replaced since. */
  #versionsToTry(): ApiVersion[] {
    const known = API_VERSIONS.filter((version) => version === this.#version);
    return [...known, ...API_VERSIONS.filter((version) => version !== this.#version)];
  }

  #describe(error: unknown, method: string): PodsError {
    return PodsError.from(error, { method, socketPath: this.socketPath });
  }
}

/** How long the list may take that stands for a burst: as long as a burst may take to its first message. */
const LIST_TIMEOUT_MS = 10_000;

/** Errors that only a server can give that has the method. */
const KNOWS_THE_METHOD: ReadonlySet<PodsErrorCode> = new Set(["not-found", "initializing"]);

type Headers = Readonly<Record<string, string>>;

/** The metadata that carries a field mask, as revisions of the kubelet before 1.36 read it. Those that ship ignore it. */
const MASK = "x-kubernetes-fieldmask";

const INVALID_ARGUMENT = 3;
