import { follow } from "./calls/abort.js";
import { invalidArgument, PodsError } from "./errors/pods-error.js";
import type { Pod } from "./gen/k8s/io/api/core/v1/pod_pb.js";
import {
  type CallOptions,
  type ClientOptions,
  type ResolvedOptions,
  resolveOptions,
  resolveTimeoutMs,
} from "./options.js";
import { decodePod } from "./pod/decode.js";
import { PodsApi } from "./wire/pods-api.js";

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

/**
 * The pods of this node, from its kubelet. Connects when it is first used; one connection serves all calls. Nothing is
 * held open while nothing is asked: an idle client does not keep the process alive.
 */
export class PodsClient implements AsyncDisposable {
  readonly #options: ResolvedOptions;
  readonly #api: PodsApi;
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
  }

  /**
   * All pods of the node, sorted by UID, as the kubelet answers: static pods included, mirror pods not, finished pods
   * as long as their objects exist.
   *
   * @throws PodsError; `corrupt` where a pod cannot be decoded: never a partial list.
   */
  listPods(options: CallOptions = {}): Promise<Pod[]> {
    return this.#call(options, async (attempt) => {
      const pods = await this.#api.list(attempt);
      return pods.map((bytes, i) => this.#decode(bytes, "ListPods", `pod ${i} of ${pods.length}`));
    });
  }

  /**
   * The pod with this UID. For a static pod that is the UID the kubelet gave it, which its mirror pod carries in the
   * annotation `kubernetes.io/config.hash`; the mirror pod's own UID is not known to the kubelet.
   *
   * @throws PodsError; `not-found` where the kubelet has no such pod.
   */
  getPod(uid: string, options: CallOptions = {}): Promise<Pod> {
    return this.#call(options, async (attempt) => {
      if (typeof uid !== "string" || uid === "") throw invalidArgument("getPod: the UID is no text, or empty");
      return this.#decode(await this.#api.get(uid, attempt), "GetPod", "the pod");
    });
  }

  /**
   * One stream of the kubelet's events, as they come. It starts when it is first read, and ends by `break`, by `signal`,
   * by `close()`, or with an error when the stream is lost.
   */
  async *watchPods(options: WatchOptions = {}): AsyncGenerator<PodEvent, void, undefined> {
    const { controller, release } = this.#begin(options.signal);
    try {
      for await (const { type, pod } of this.#api.watch(controller.signal)) {
        controller.signal.throwIfAborted();
        if (type === "SYNCED") yield { type };
        else if (type !== "UNKNOWN") yield { type, pod: this.#decode(pod, "WatchPods", `the pod of ${type}`) };
      }
    } catch (error) {
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

  /** Runs a unary call: the caller's signal, close() and the deadline end it. */
  async #call<T>(
    options: CallOptions,
    run: (attempt: { signal: AbortSignal; timeoutMs?: number | undefined }) => Promise<T>,
  ): Promise<T> {
    const timeoutMs = options.timeoutMs === undefined ? this.#options.timeoutMs : resolveTimeoutMs(options.timeoutMs);
    const { controller, release } = this.#begin(options.signal);
    try {
      return await run({ signal: controller.signal, timeoutMs });
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      release();
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

  #decode(bytes: Uint8Array, method: string, what: string): Pod {
    try {
      return decodePod(bytes);
    } catch (cause) {
      throw new PodsError({
        code: "corrupt",
        message: `${what} cannot be decoded`,
        method,
        socketPath: this.#api.socketPath,
        cause,
      });
    }
  }
}

function closed(): PodsError {
  return new PodsError({ code: "closed", message: "the client was closed" });
}
