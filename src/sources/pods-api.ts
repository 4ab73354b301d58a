import { PodsError } from "../errors/pods-error.js";
import type { PodMask } from "../pod/mask.js";
import { follow } from "../timing/abort.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { Budget, Deadline } from "../timing/deadline.js";
import type { Connection } from "../wire/connection.js";
import { HEADERS, KubeletSocket, type KubeletSocketOptions } from "../wire/kubelet-socket.js";
import { ServerStream } from "../wire/server-stream.js";
import { type ApiVersion, type ApiVersionName, checkGuess } from "./api-versions.js";
import { EventBatches } from "./event-batches.js";
import { Negotiation, type Peer } from "./negotiation.js";
import type {
  AttemptOptions,
  ListBesideOptions,
  ListTrust,
  PodSource,
  SourceBatch,
  SourceEvent,
} from "./pod-source.js";
import { getPod, listPods, type PodsCallOptions } from "./pods-call.js";

/**
 * The three calls of the Pods API over the kubelet's socket, with pods as bytes. Finds out by trial which version of the API the kubelet
 * serves: after UNIMPLEMENTED it tries the next version, and it keeps the result for this kubelet process. Each call, and each stream with
 * its list, uses one connection from start to end.
 */
export class PodsApi implements PodSource {
  readonly #socket: KubeletSocket;
  readonly #clock: Clock;
  readonly #peers = new WeakMap<Connection, Peer>();
  /** Peer of the last request. */
  #peer: Peer | undefined;
  /** Identity of the socket file of that peer. */
  #identity: string | undefined;

  /** Completeness of this kubelet's lists. */
  readonly lists: ListTrust | undefined;

  constructor(options: KubeletSocketOptions & { lists?: ListTrust | undefined }, clock: Clock = systemClock) {
    this.#socket = new KubeletSocket(options, clock);
    this.lists = options.lists;
    this.#clock = clock;
  }

  /** Path of the socket dialled last; before the first dial, the preferred path. */
  get socketPath(): string {
    return this.#socket.path;
  }

  /** Version that the kubelet behind the current connection serves; undefined before the first answer. */
  get version(): ApiVersionName | undefined {
    return this.#peer?.version?.name;
  }

  /** Resolves when there is a connection, so that the next request is sent at once. */
  async connect(signal: AbortSignal): Promise<void> {
    if (this.#ready() === undefined) await this.#connect(signal);
  }

  /** Resolves when the socket's directory changes, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#socket.changed(signal);
  }

  /** Returns the identity of the socket that the next dial would use; undefined if there is no socket. */
  server(): string | undefined {
    return this.#socket.server();
  }

  /** Returns all pods of the node, as views of one buffer. */
  list(options: AttemptOptions): Promise<Uint8Array[]> {
    return this.#negotiated("ListPods", options, async (connection, version, options) => {
      const pods = await listPods(connection, version, options);
      const isMasked = options.headers !== HEADERS; // masked pods may lack their UIDs
      if (!isMasked && this.#peerOf(connection).version !== version) checkGuess(version, pods);
      return pods;
    });
  }

  /** Returns the pod with this UID. */
  get(uid: string, options: AttemptOptions): Promise<Uint8Array> {
    return this.#negotiated("GetPod", options, (connection, version, options) =>
      getPod(connection, version, uid, options),
    );
  }

  /**
   * Opens one stream as {@link PodSource} describes it, which lasts until it is lost or `signal` aborts. Nothing is sent before the first
   * read.
   */
  async *open(signal: AbortSignal, mask?: PodMask): AsyncGenerator<SourceEvent | SourceBatch, void, undefined> {
    // Leaving the iterator of the stream does not cancel its call, so this controller cancels it.
    const { controller, release } = follow(signal);
    try {
      const connection = await this.#connect(controller.signal);
      const peer = this.#peerOf(connection);
      const server = connection.identity ?? connection.socketPath;
      const negotiation = new Negotiation(peer, mask);
      for (;;) {
        const { version, headers } = negotiation.ask();
        const { relistMs } = version;
        const limits = relistMs === undefined ? {} : { resyncIntervalMs: relistMs, reportsDeletions: false };
        let answered = false;
        try {
          const list = (options: ListBesideOptions) => this.#listBeside(connection, version, headers, options);
          yield { type: "CONNECTED", server, connection: connection.id, lists: this.lists, list, ...limits };
          const request = [connection, version, controller.signal, headers] as const;
          const batches: AsyncIterable<SourceBatch> =
            relistMs === undefined ? this.#stream(...request) : this.#listed(...request);
          for await (const batch of batches) {
            if (!answered) {
              if (peer.version !== version) checkGuess(version, podsOf(batch));
              negotiation.answered();
            }
            answered = true;
            yield batch;
          }
        } catch (error) {
          const described = this.#describe(error, "WatchPods");
          const failure = answered ? described : negotiation.failed(described);
          if (failure !== undefined) throw failure;
          continue;
        }
        // A kubelet never ends a watch without an error. Something in between did, and later events are lost.
        const message = `${this.socketPath} ended the stream`;
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

  async #connect(signal: AbortSignal): Promise<Connection> {
    const connection = await this.#socket.connect(signal);
    this.#peer = this.#peerOf(connection);
    return connection;
  }

  #peerOf(connection: Connection): Peer {
    let peer = this.#peers.get(connection);
    if (peer === undefined) {
      // The same socket file almost certainly means the same process, so the version that it served before is tried first.
      const isSame = connection.identity !== undefined && connection.identity === this.#identity;
      peer = { version: isSame ? this.#peer?.version : undefined, masksRefused: false };
      this.#identity = connection.identity;
      this.#peers.set(connection, peer);
    }
    return peer;
  }

  /** Lists the pods beside a stream, over its connection. Returns undefined if the connection accepts no further requests. */
  async #listBeside(
    connection: Connection,
    version: ApiVersion,
    headers: RequestHeaders,
    { signal, onBytes }: ListBesideOptions,
  ): Promise<Uint8Array[] | undefined> {
    if (connection.isDraining) return undefined;
    try {
      return await listPods(connection, version, { headers, signal, onBytes, maxBytes: this.#socket.maxMessageBytes });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (connection.isDraining) return undefined;
      throw this.#describe(error, "ListPods");
    }
  }

  #stream(
    connection: Connection,
    { service, readEvent }: ApiVersion,
    signal: AbortSignal,
    headers: RequestHeaders,
  ): EventBatches {
    const { maxMessageBytes: maxBytes } = this.#socket;
    const request = { path: `/${service}/WatchPods`, message: new Uint8Array(), headers, signal, maxBytes };
    return new EventBatches(new ServerStream(connection, request), readEvent, connection.socketPath);
  }

  /**
   * Opens a stream for a version whose watch sends neither existing pods nor deletions. It opens the watch before it lists the pods, so
   * that no change in between is missed. The list replaces the burst.
   */
  async *#listed(
    connection: Connection,
    version: ApiVersion,
    signal: AbortSignal,
    headers: RequestHeaders,
  ): AsyncGenerator<SourceBatch, void, undefined> {
    const changes = this.#stream(connection, version, signal, headers);
    const first = changes.next();
    first.catch(() => {}); // awaited below, unless the list fails
    const maxBytes = this.#socket.maxMessageBytes;
    const timeoutMs = LIST_TIMEOUT_MS;
    const pods = await this.#inTime({ signal, timeoutMs }, "WatchPods", (signal) =>
      listPods(connection, version, { headers, signal, timeoutMs, maxBytes }),
    );
    for (const pod of pods) yield [{ type: "ADDED", pod }];
    yield [{ type: "SYNCED" }];
    for (let next = await first; next.done !== true; next = await changes.next()) yield next.value;
  }

  async #negotiated<T>(
    method: string,
    { signal, timeoutMs, mask }: AttemptOptions,
    attempt: (connection: Connection, version: ApiVersion, options: PodsCallOptions) => Promise<T>,
  ): Promise<T> {
    const budget = new Budget(this.#clock, timeoutMs);
    const connection =
      this.#ready() ?? (await this.#inTime({ signal, timeoutMs }, method, (signal) => this.#connect(signal)));
    const negotiation = new Negotiation(this.#peerOf(connection), mask);
    for (;;) {
      const { version, headers } = negotiation.ask();
      const options = { signal, timeoutMs: budget.leftMs, headers, maxBytes: this.#socket.maxMessageBytes };
      try {
        const result = await attempt(connection, version, options);
        negotiation.answered();
        return result;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const failure = negotiation.failed(this.#describe(error, method));
        if (failure !== undefined) throw failure;
      }
    }
  }

  #ready(): Connection | undefined {
    const connection = this.#socket.ready();
    if (connection !== undefined) this.#peer = this.#peerOf(connection);
    return connection;
  }

  async #inTime<T>(
    { signal, timeoutMs }: Pick<AttemptOptions, "signal" | "timeoutMs">,
    method: string,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const reason = (deadline: Deadline) => deadline.exceeded({ method, socketPath: this.socketPath });
    const deadline = new Deadline({ clock: this.#clock, signal, timeoutMs, reason });
    try {
      return await task(deadline.signal);
    } finally {
      deadline.release();
    }
  }

  #describe(error: unknown, method: string): PodsError {
    return PodsError.from(error, { method, socketPath: this.socketPath });
  }
}

/** Time limit of the list that replaces a burst: the same as for the first message of a burst. */
const LIST_TIMEOUT_MS = 10_000;

type RequestHeaders = Readonly<Record<string, string>>;

function podsOf(batch: SourceBatch): Uint8Array[] {
  return batch.flatMap((event) => ("pod" in event ? [event.pod] : []));
}
