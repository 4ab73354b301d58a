import { Counters } from "../counters.js";
import { closedError, PodsError } from "../errors/pods-error.js";
import { resolveTimeoutMs } from "../option-checks.js";
import type { Environment } from "../timing/clock.js";
import { Deadline } from "../timing/deadline.js";
import { Pacer } from "./pacer.js";
import { type Attempt, callUnary, type Progress, type UnaryEnvironment } from "./unary.js";

/** Options of one call. */
export interface CallOptions {
  /** Ends the call. It then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Time limit of this call, over all its attempts, in milliseconds.
   *
   * @default the client's `timeoutMs`
   */
  timeoutMs?: number | undefined;
  /**
   * Whether the client retries this call.
   *
   * @default the client's `retry`
   */
  retry?: boolean | undefined;
}

/** The server that a client calls. */
export interface Endpoint {
  /** Path of the socket dialled last (before the first dial, the preferred path), or the name of another source. */
  readonly socketPath: string;
  /** Version of the API in use. Undefined before the first answer, and for an API with only one version. */
  readonly version?: string | undefined;
  /** Resolves when there is a connection, so that the next request is sent at once. */
  connect(signal: AbortSignal): Promise<unknown>;
  /** Resolves when the socket's directory changes, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void>;
  /** Ends all connections; resolves when no handle is left. */
  close(): Promise<void>;
}

/** Makes the calls of one client, with their time limits, retries and request rate, and ends them on `close`. */
export class Caller {
  readonly #endpoint: Endpoint;
  readonly #defaults: { timeoutMs: number | undefined; retry: boolean };
  readonly #environment: UnaryEnvironment;
  /** Paces calls and watches. */
  readonly pacer: Pacer;
  /** Controllers of pending calls and streams, each with the work that {@link close} waits for. */
  readonly #calls = new Map<AbortController, (() => Promise<void>) | undefined>();
  #closing: Promise<void> | undefined;

  constructor(
    endpoint: Endpoint,
    defaults: { timeoutMs: number | undefined; retry: boolean },
    { clock, random }: Environment,
    counters: Counters = new Counters(),
  ) {
    this.#endpoint = endpoint;
    this.#defaults = defaults;
    const pacer = new Pacer(clock);
    this.pacer = pacer;
    this.#environment = {
      clock,
      random,
      counters,
      get callsPerSecond() {
        return pacer.ratePerSecond;
      },
      describe: () => ({ socketPath: endpoint.socketPath, apiVersion: endpoint.version }),
      socketChanged: (signal) => endpoint.changed(signal),
    };
  }

  /** Makes a unary call. The caller's signal, {@link close} and the deadline end it. */
  async call<T>(method: string, options: CallOptions, attempt: Attempt<T>): Promise<T> {
    const timeoutMs = options.timeoutMs === undefined ? this.#defaults.timeoutMs : resolveTimeoutMs(options.timeoutMs);
    const retry = options.retry ?? this.#defaults.retry;
    options.signal?.throwIfAborted();
    const deadline = new Deadline({ clock: this.#environment.clock, signal: options.signal, timeoutMs });
    try {
      const exit = this.enter(deadline.controller);
      return await callUnary(this.#environment, { method, deadline, retry }, attempt).finally(exit);
    } finally {
      deadline.release();
    }
  }

  /** Resolves when a request may be sent: once there is a connection, and then a token. Takes no token without a connection. */
  async turn(signal: AbortSignal, progress: Progress): Promise<void> {
    await this.#endpoint.connect(signal);
    progress.isQueued = true;
    await this.pacer.take(signal);
    progress.isQueued = false;
  }

  /** Sends a request that counts towards the kubelet's rate limit. Slows the pacer down if the kubelet rejects the request. */
  async sent<T>(send: () => Promise<T>, progress: Progress): Promise<T> {
    progress.sent++;
    const sentMs = this.#environment.clock.now();
    try {
      return await send();
    } catch (error) {
      if (PodsError.is(error) && error.code === "rate-limited") this.pacer.rejected(sentMs);
      throw error;
    }
  }

  /**
   * Registers a controller that {@link close} aborts, and work that it waits for. Returns a function that unregisters both.
   *
   * @throws PodsError `closed`.
   */
  enter(controller: AbortController, finish?: () => Promise<void>): () => void {
    if (this.#closing !== undefined) throw closedError("client");
    this.#calls.set(controller, finish);
    return () => this.#calls.delete(controller);
  }

  /** Aborts all pending calls. Resolves when their cleanup is done and all connections are closed. Closing again returns the same promise. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      const finished = [...this.#calls].map(([call, finish]) => {
        call.abort(closedError("client"));
        return finish?.();
      });
      await Promise.all([this.#endpoint.close(), ...finished]);
    })();
    return this.#closing;
  }
}
