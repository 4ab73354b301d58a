import { setImmediate as turn } from "node:timers/promises";
import { type CallOptions, type Client, createClient, type Transport } from "@connectrpc/connect";
import type { PodsErrorCode } from "../errors/error-code.js";
import { amend, closedError, PodsError } from "../errors/pods-error.js";
import { type EventType, Pods } from "../gen/v1alpha1/pods_pb.js";
import { checkOptions } from "../option-checks.js";
import { type ClientOptions, listsOf } from "../options.js";
import { MAX_PODS, tooManyPods } from "../pod/limits.js";
import type { PodMask } from "../pod/mask.js";
import { API_VERSIONS, type ApiVersion, EVENT_TYPES, INITIAL_SYNC_COMPLETE } from "../sources/api-versions.js";
import { checkTransport, transportName } from "../sources/lazy-source.js";
import { Negotiation, type Peer } from "../sources/negotiation.js";
import type { AttemptOptions, ListBesideOptions, ListTrust, PodSource, SourceEvent } from "../sources/pod-source.js";
import { follow, orAborted, untilAborted } from "../timing/abort.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { Deadline } from "../timing/deadline.js";

/**
 * Makes a source from a Connect transport, for the `sources` of a client. The transport can use gRPC, gRPC-web or the Connect protocol, to
 * another node or to an in-memory router, and can have interceptors.
 *
 * A transport does not report which kubelet process answers, so the client compares the pods' annotation `kubernetes.io/config.seen`
 * instead. The transport limits the size of answers with `readMaxBytes`, 4 GiB by default. The client's `close()` ends its calls, but does
 * not close the transport. `kubeletVersion` has the same effect as the option of the client.
 *
 * @throws PodsError `invalid-argument` if `transport` is not a Connect transport, or `kubeletVersion` is not a version with the Pods API.
 * @example
 * ```ts
 * import { createGrpcTransport } from "@connectrpc/connect-node";
 *
 * const transport = createGrpcTransport({ baseUrl: "https://node-7.example:8443" });
 * await using pods = new PodsClient({ sources: [connectSource(transport)] });
 * console.log((await pods.listPods()).length);
 * ```
 */
export function connectSource(
  transport: Transport,
  options: { kubeletVersion?: ClientOptions["kubeletVersion"] } = {},
): PodSource {
  checkTransport(transport, "connectSource");
  checkOptions(options, { kubeletVersion: "string" }, "connectSource");
  return new ConnectSource(transport, transportName(), listsOf(options.kubeletVersion));
}

/** API versions that differ from the generated service only in the name of the service. */
const VERSIONS = API_VERSIONS.filter(({ relistMs }) => relistMs === undefined) as [ApiVersion, ...ApiVersion[]];

/** Hints for errors of a transport, in place of those about the kubelet's socket. */
const TRANSPORT_HINTS: Readonly<Partial<Record<PodsErrorCode, string>>> = {
  "connection-refused": "nothing listens at the address of the transport",
  "too-large": "raise readMaxBytes of the transport, which is maxMessageBytes of kubeletTransport()",
  "not-permitted": "the server refuses the credentials of the transport",
  "not-served": "check the address of the transport, and the feature gate PodsAPI of the kubelet (1.36 or later)",
};

/** Number of events after which the event loop gets a turn. */
const EVENTS_PER_TURN = 100;

/** A source over a transport. `socketPath` is a name for the transport. */
export class ConnectSource implements PodSource {
  readonly socketPath: string;
  readonly lists: ListTrust | undefined;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #clients = new Map<ApiVersion, Client<typeof Pods>>();
  readonly #peer: Peer = { version: undefined, masksRefused: false };
  /** Controllers of the running calls and streams. */
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor(transport: Transport, socketPath: string, lists: ListTrust | undefined, clock: Clock = systemClock) {
    this.#transport = transport;
    this.#clock = clock;
    this.lists = lists;
    this.socketPath = socketPath;
  }

  get version(): string | undefined {
    return this.#peer.version?.name;
  }

  /** Resolves at once: transports connect when they are used. */
  async connect(): Promise<void> {}

  /** Resolves only when `signal` aborts: a transport does not report that its server was replaced. */
  changed(signal: AbortSignal): Promise<void> {
    return untilAborted(signal);
  }

  server(): string {
    return this.socketPath;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const controller of this.#running) controller.abort(closedError("client"));
  }

  list(options: AttemptOptions): Promise<Uint8Array[]> {
    return this.#negotiated("ListPods", options, async (client, options) => {
      const { pods } = await client.listPods({}, options);
      if (pods.length > MAX_PODS) throw tooManyPods("ListPods", this.socketPath);
      return pods;
    });
  }

  get(podUID: string, options: AttemptOptions): Promise<Uint8Array> {
    return this.#negotiated(
      "GetPod",
      options,
      async (client, options) => (await client.getPod({ podUID }, options)).pod,
    );
  }

  async *open(signal: AbortSignal, mask?: PodMask): AsyncGenerator<SourceEvent, void, undefined> {
    const { ended, release } = this.#until(signal);
    try {
      yield* this.#eventsOf(ended, mask);
    } finally {
      release();
    }
  }

  async *#eventsOf(signal: AbortSignal, mask: PodMask | undefined): AsyncGenerator<SourceEvent, void, undefined> {
    const negotiation = new Negotiation(this.#peer, mask, VERSIONS);
    for (;;) {
      const { version, headers } = negotiation.ask();
      let answered = false;
      try {
        // Another process may answer than that of the stream. The stamps of the pods show that.
        const list = (options: ListBesideOptions) => this.#listBeside(version, headers, options);
        yield { type: "CONNECTED", server: this.socketPath, lists: this.lists, list };
        const events = this.#clientOf(version).watchPods({}, { signal, headers })[Symbol.asyncIterator]();
        for (let count = 1; ; count++) {
          // A transport or an interceptor may ignore the signal and hang.
          const { done, value } = await orAborted(events.next(), signal);
          if (done === true) break;
          if (!answered) negotiation.answered();
          answered = true;
          yield eventOf(value);
          // A transport in this process may always have another event ready, but timers and other connections need a turn.
          if (count % EVENTS_PER_TURN === 0) await turn();
        }
      } catch (cause) {
        if (signal.aborted) throw signal.reason;
        const error = this.#errorOf(cause, "WatchPods");
        const failure = answered ? error : negotiation.failed(error);
        if (failure !== undefined) throw failure;
        continue;
      }
      const message = "the server ended the stream";
      throw new PodsError({ code: "connection-lost", message, method: "WatchPods", socketPath: this.socketPath });
    }
  }

  async #listBeside(
    version: ApiVersion,
    headers: Record<string, string>,
    { signal }: ListBesideOptions,
  ): Promise<Uint8Array[]> {
    try {
      const { pods } = await orAborted(this.#clientOf(version).listPods({}, { signal, headers }), signal);
      if (pods.length > MAX_PODS) throw tooManyPods("ListPods", this.socketPath);
      return pods;
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw this.#errorOf(cause, "ListPods");
    }
  }

  async #negotiated<T>(
    method: string,
    { signal, timeoutMs, mask }: AttemptOptions,
    attempt: (client: Client<typeof Pods>, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const negotiation = new Negotiation(this.#peer, mask, VERSIONS);
    const deadline = new Deadline({ clock: this.#clock, signal, timeoutMs });
    const { ended, release } = this.#until(deadline.signal);
    try {
      for (;;) {
        const { version, headers } = negotiation.ask();
        try {
          const { leftMs } = deadline;
          const timeout = leftMs === undefined ? {} : { timeoutMs: leftMs };
          // A transport or an interceptor may ignore the signal and the deadline, and hang.
          const call = attempt(this.#clientOf(version), { signal: ended, headers, ...timeout });
          const result = await orAborted(call, ended);
          negotiation.answered();
          return result;
        } catch (cause) {
          if (ended.aborted) throw ended.reason;
          const failure = negotiation.failed(this.#errorOf(cause, method));
          if (failure !== undefined) throw failure;
        }
      }
    } finally {
      release();
      deadline.release();
    }
  }

  /** Classifies an error. Most default hints are about the kubelet's socket, so errors of other transports get their own. */
  #errorOf(cause: unknown, method: string): PodsError {
    const error = PodsError.from(cause, { method, socketPath: this.socketPath });
    if (error.cause !== cause) return error; // kubeletTransport() created it
    const isTls = error.code === "connection-lost" && /\b(?:SSL|TLS|certificate)\b/.test(error.rawMessage);
    const hint = isTls ? "check the certificates of client and server" : TRANSPORT_HINTS[error.code];
    return hint === undefined ? error : amend(error, { hint });
  }

  /** Returns a signal that aborts when the given one does, and when this source is closed. The caller must call `release`. */
  #until(signal: AbortSignal): { ended: AbortSignal; release: () => void } {
    const { controller, release } = follow(signal);
    if (this.#isClosed) controller.abort(closedError("client"));
    this.#running.add(controller);
    return {
      ended: controller.signal,
      release: () => {
        this.#running.delete(controller);
        release();
        controller.abort(); // otherwise an abandoned iterator of Connect would keep running
      },
    };
  }

  /** Returns the Connect client for a version: the same methods under another service name. */
  #clientOf(version: ApiVersion): Client<typeof Pods> {
    let client = this.#clients.get(version);
    if (client === undefined) {
      client = createClient(Pods, inService(this.#transport, version.service));
      this.#clients.set(version, client);
    }
    return client;
  }
}

/** Returns a transport that calls the methods under another service name. */
function inService(transport: Transport, typeName: string): Transport {
  const named = <M extends { readonly parent: object }>(method: M): M => ({
    ...method,
    parent: { ...method.parent, typeName },
  });
  return {
    unary: (method, ...rest) => transport.unary(named(method), ...rest),
    stream: (method, ...rest) => transport.stream(named(method), ...rest),
  };
}

function eventOf({ type, pod }: { readonly type: EventType; readonly pod: Uint8Array }): SourceEvent {
  const known = EVENT_TYPES[type];
  if (known !== undefined) return { type: known, pod };
  return type === INITIAL_SYNC_COMPLETE ? { type: "SYNCED" } : { type: "UNKNOWN", code: type };
}
