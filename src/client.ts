import { follow, orAborted } from "./calls/abort.js";
import { systemClock } from "./calls/clock.js";
import { Pacer } from "./calls/pacer.js";
import { SharedRequest } from "./calls/shared-request.js";
import { type Attempt, callUnary, type UnaryEnvironment } from "./calls/unary.js";
import { connectionChannel } from "./diagnostics.js";
import type { PodsErrorCode } from "./errors/error-code.js";
import { invalidArgument, PodsError } from "./errors/pods-error.js";
import type { Pod } from "./gen/k8s/io/api/core/v1/pod_pb.js";
import {
  CALL_OPTIONS,
  type CallOptions,
  type ClientOptions,
  checkOptions,
  type ResolvedOptions,
  resolveOptions,
  resolveTimeoutMs,
} from "./options.js";
import { decodePod } from "./pod/decode.js";
import type { ApiVersionName } from "./wire/api-versions.js";
import { PodsApi } from "./wire/pods-api.js";
import { SocketWatch } from "./wire/socket-watch.js";

/** Options of a watch. */
export interface WatchOptions {
  /** Ends the watch: the pending `next()` rejects with the signal's reason, untouched. */
  signal?: AbortSignal | undefined;
}

/**
 * What the kubelet says on a watch, as it says it.
 *
 * - `ADDED`, `MODIFIED`: the pod as it is now. Before the first `SYNCED`, `ADDED` is a pod that was there already.
 * - `DELETED`: the kubelet has finished the pod; only namespace, name and UID are set.
 * - `SYNCED`: every pod of the node has been told.
 */
export type PodEvent = { type: "ADDED" | "MODIFIED" | "DELETED"; pod: Pod } | { type: "SYNCED" };

/** What {@link PodsClient.probe} finds: a kubelet that answers, or what is in the way of one. */
export type ProbeResult = {
  /** The socket that was asked. */
  socketPath: string;
  /** The version of the Pods API that the kubelet speaks; undefined where it did not come to that. */
  apiVersion: ApiVersionName | undefined;
  /** How long the answer took, connecting included. */
  latencyMs: number;
} & ({ ready: true } | { ready: false; code: PodsErrorCode; message: string; hint: string; retryable: boolean });

/** A UID that no pod has, and that explains itself in the kubelet's log. */
const PROBE_UID = "kubelet-pods-probe";

/**
 * The pods of this node, from its kubelet. Connects when it is first used; one connection serves all calls. Nothing is
 * held open while nothing is asked: an idle client does not keep the process alive.
 */
export class PodsClient implements AsyncDisposable {
  readonly #options: ResolvedOptions;
  readonly #api: PodsApi;
  readonly #environment: UnaryEnvironment;
  readonly #pacer = new Pacer(systemClock);
  readonly #sharedList: SharedRequest<Uint8Array[]>;
  /** What close() has to end. */
  readonly #calls = new Set<AbortController>();
  #closing: Promise<void> | undefined;

  /** @throws PodsError `invalid-argument`, `invalid-path` or `unsupported-platform`; nothing is dialled yet. */
  constructor(options: ClientOptions = {}) {
    if (process.platform === "win32") {
      throw new PodsError({ code: "unsupported-platform", message: "there is no Pods API on Windows" });
    }
    this.#options = resolveOptions(options);
    this.#api = new PodsApi(this.#options);
    const { socketPaths } = this.#options;
    const watch = new SocketWatch(socketPaths, () => {
      connectionChannel.publish({ type: "polling", socketPath: this.#api.socketPath });
    });
    this.#environment = {
      clock: systemClock,
      random: Math.random,
      describe: () => ({ socketPath: this.#api.socketPath, apiVersion: this.#api.version }),
      socketChanged: (signal) => watch.changed(signal),
    };
    this.#sharedList = new SharedRequest(
      (signal) => this.#turn(signal),
      (options) => this.#sent(() => this.#api.list(options)),
    );
  }

  /**
   * All pods of the node, sorted by UID, as the kubelet answers: static pods included, mirror pods not, finished pods
   * as long as their objects exist.
   *
   * @throws PodsError; `corrupt` where a pod cannot be decoded: never a partial list.
   */
  listPods(options: CallOptions = {}): Promise<Pod[]> {
    return this.#call("ListPods", options, async (attempt) => {
      const pods = await this.#sharedList.attempt(attempt);
      return pods.map((bytes, i) => this.#decode(bytes, `pod ${i} of ${pods.length}`));
    });
  }

  /**
   * The pod with this UID. For a static pod that is the UID the kubelet gave it, which its mirror pod carries in the
   * annotation `kubernetes.io/config.hash`; the mirror pod's own UID is not known to the kubelet.
   *
   * @throws PodsError; `not-found` where the kubelet has no such pod.
   */
  async getPod(uid: string, options: CallOptions = {}): Promise<Pod> {
    if (typeof uid !== "string" || uid === "") throw invalidArgument("getPod: the UID must be a non-empty string");
    return this.#call("GetPod", options, async (attempt) => {
      await this.#turn(attempt.signal);
      return this.#decode(await this.#sent(() => this.#api.get(uid, attempt)), "the pod");
    });
  }

  /**
   * Asks whether a kubelet answers, with one GetPod that no pod matches: ready, or one of the error codes. Tries once,
   * waits for nobody, and never rejects. `timeoutMs` defaults to the client's.
   */
  async probe(options: Pick<CallOptions, "timeoutMs"> = {}): Promise<ProbeResult> {
    const startMs = systemClock.now();
    const result = () => {
      const { socketPath, version: apiVersion } = this.#api;
      return { socketPath, apiVersion, latencyMs: systemClock.now() - startMs };
    };
    try {
      await this.#call("GetPod", { ...options, retry: false }, (attempt) => this.#api.get(PROBE_UID, attempt));
      return { ready: true, ...result() };
    } catch (error) {
      const { code, message, hint, retryable } = PodsError.from(error);
      if (code === "not-found") return { ready: true, ...result() };
      return { ready: false, code, message, hint, retryable, ...result() };
    }
  }

  /**
   * One stream of the kubelet's events, as they come. It starts when it is first read, and ends by `break`, by `signal`,
   * by `close()`, or with an error when the stream is lost, as it is at every restart of the kubelet.
   *
   * A server that serves the documented contract (no released kubelet does) tells MODIFIED for pods that change, and
   * nothing else: neither the pods there are, nor SYNCED, nor deletions.
   */
  watchPods(options: WatchOptions = {}): AsyncIterableIterator<PodEvent, void, undefined> {
    const left = new AbortController();
    const events = this.#events(options, left);
    const leave = async () => {
      left.abort(); // first, since a generator's own return() waits for the next event
      return events.return();
    };
    return {
      next: () => events.next(),
      return: leave,
      async throw(error) {
        await leave();
        throw error;
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async *#events(options: WatchOptions, left: AbortController): AsyncGenerator<PodEvent, void, undefined> {
    checkOptions(options, { signal: "signal" }, "WatchPods");
    if (left.signal.aborted) return;
    const { controller, release } = this.#begin(options.signal);
    const leave = () => controller.abort(left.signal.reason);
    left.signal.addEventListener("abort", leave);
    try {
      for await (const { type, pod } of this.#api.watch(controller.signal)) {
        controller.signal.throwIfAborted();
        if (type === "SYNCED") yield { type };
        else if (type !== "UNKNOWN") yield { type, pod: this.#decode(pod, `the pod of ${type}`) };
      }
    } catch (error) {
      if (left.signal.aborted) return;
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      release();
    }
  }

  /**
   * Ends everything: pending calls and watches reject with `closed`, connections are gone when the promise resolves.
   * Calling it again gives the same promise.
   */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      for (const call of [...this.#calls]) call.abort(closed());
      await this.#api.close();
    })();
    return this.#closing;
  }

  /** As {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Makes a unary call: the caller's signal, close() and the deadline end it. */
  async #call<T>(method: string, options: CallOptions, attempt: Attempt<T>): Promise<T> {
    checkOptions(options, CALL_OPTIONS, method);
    const timeoutMs = options.timeoutMs === undefined ? this.#options.timeoutMs : resolveTimeoutMs(options.timeoutMs);
    const retry = options.retry ?? this.#options.retry;
    const { controller, release } = this.#begin(options.signal);
    try {
      return await callUnary(this.#environment, { method, signal: controller.signal, timeoutMs, retry }, attempt);
    } finally {
      release();
    }
  }

  /** Resolves when a request may be sent. Tokens are for requests: who has no connection takes none. */
  async #turn(signal: AbortSignal): Promise<void> {
    await orAborted(this.#api.connect(), signal);
    await this.#pacer.take(signal);
  }

  /** Sends a request that the kubelet's limit is about, and tells the pacer where it was rejected. */
  async #sent<T>(send: () => Promise<T>): Promise<T> {
    const sentMs = systemClock.now();
    try {
      return await send();
    } catch (error) {
      if (PodsError.is(error) && error.code === "rate-limited") this.#pacer.rejected(sentMs);
      throw error;
    }
  }

  #begin(signal: AbortSignal | undefined): { controller: AbortController; release: () => void } {
    if (this.#closing !== undefined) throw closed();
    signal?.throwIfAborted();
    const { controller, release } = follow(signal);
    this.#calls.add(controller);
    return {
      controller,
      release: () => {
        this.#calls.delete(controller);
        release();
      },
    };
  }

  #decode(bytes: Uint8Array, what: string): Pod {
    try {
      return decodePod(bytes);
    } catch (cause) {
      const { socketPath } = this.#api;
      throw new PodsError({ code: "corrupt", message: `${what} cannot be decoded`, socketPath, cause });
    }
  }
}

function closed(): PodsError {
  return new PodsError({ code: "closed", message: "the client was closed" });
}
