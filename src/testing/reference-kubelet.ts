import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clone } from "@bufbuild/protobuf";
import { closedError, invalidArgument } from "../errors/pods-error.js";
import { type Pod, PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { socketCandidates } from "../wire/socket-path.js";
import { Faults } from "./faults.js";
import { type FinishedPhase, type PodChange, type PodInput, PodStore } from "./pod-store.js";
import { RateLimiter } from "./rate-limiter.js";
import { type KubeletProfile, type KubeletState, routes } from "./services.js";
import { SocketServer } from "./socket-server.js";
import { Watchers } from "./watchers.js";

/** Options of {@link ReferenceKubelet.start}. */
export interface ReferenceKubeletOptions {
  /** Which kubelet to play. Defaults to `"1.37"`; `"documented"` serves what the documentation prints. */
  profile?: KubeletProfile | undefined;
  /** The pods there are at first. Defaults to none. Mirror pods are served as the static pods behind them. */
  pods?: Iterable<PodInput> | undefined;
  /**
   * Where to listen. Defaults to a socket in a new directory below the system's temporary one. A directory that is missing
   * is made, with mode 0700, and stays; a socket that nobody listens to is replaced, anything else is refused.
   */
  socketPath?: string | undefined;
  /** Start as a kubelet that has not read its pod sources. Defaults to false. */
  initializing?: boolean | undefined;
  /**
   * Leave out keys of `pods`, {@link ReferenceKubelet.addPod} and {@link ReferenceKubelet.updatePod} that the schema does
   * not have, as in JSON of a newer cluster. Defaults to false.
   */
  allowUnknownKeys?: boolean | undefined;
}

const PROFILES: ReadonlySet<string> = new Set<KubeletProfile>(["1.37", "1.36", "documented"]);

/**
 * A kubelet without a node: serves the Pods API on a Unix socket from pods that a test gives it. Needs no root and no
 * cluster. It keeps the process alive until {@link ReferenceKubelet.close}.
 */
export class ReferenceKubelet implements AsyncDisposable {
  /** The socket, for `new PodsClient({ socketPath })`. */
  readonly socketPath: string;
  /** What goes wrong on purpose. */
  readonly faults: Faults = new Faults();
  readonly #state: KubeletState;
  readonly #server: SocketServer;
  /** A directory of our own, removed at the end. */
  readonly #directory: string | undefined;
  /** The last restart; what comes next waits for it. */
  #restarting: Promise<void> = Promise.resolve();
  readonly #ended = new AbortController();
  #closing: Promise<void> | undefined;

  private constructor(options: ReferenceKubeletOptions) {
    const { profile = "1.37", pods = [], initializing = false, allowUnknownKeys = false } = options;
    if (!PROFILES.has(profile)) throw invalidArgument(`profile: not one of ${[...PROFILES].join(", ")}`);
    const store = new PodStore({ allowUnknownKeys });
    this.#state = { profile, initializing, store, watchers: new Watchers(), limiter: newLimiter() };
    for (const pod of pods) this.#state.store.add(pod);
    if (options.socketPath === undefined) {
      this.#directory = mkdtempSync(join(tmpdir(), "kubelet-"));
      process.once("exit", this.#removeDirectory);
    }
    [this.socketPath] = socketCandidates({
      socketPath: options.socketPath ?? join(this.#directory ?? "", "pods-api.sock"),
    });
    this.#server = new SocketServer(this.socketPath, (router) => routes(router, this.#state));
  }

  /**
   * A kubelet that listens.
   *
   * @throws PodsError `invalid-argument` or `invalid-path` for options that cannot be used, `not-a-socket` where something
   *   else lies at the path; nothing is left behind then.
   */
  static async start(options: ReferenceKubeletOptions = {}): Promise<ReferenceKubelet> {
    const kubelet = new ReferenceKubelet(options);
    try {
      await kubelet.#server.listen();
    } catch (error) {
      await kubelet.close();
      throw error;
    }
    return kubelet;
  }

  /** The pods as ListPods answers them now, sorted by UID; copies, so that changing one changes nothing here. */
  get pods(): Pod[] {
    return this.#state.store.list().map((pod) => clone(PodSchema, pod));
  }

  /** How many watches are open. */
  get watchers(): number {
    return this.#state.watchers.size;
  }

  /** Adds a pod and tells the watchers ADDED. Its UID must be new. */
  addPod(pod: PodInput): void {
    this.#open();
    this.#tell(this.#state.store.add(pod));
  }

  /** Puts a pod in the place of the one with its UID and tells the watchers MODIFIED. */
  updatePod(pod: PodInput): void {
    this.#open();
    this.#tell(this.#state.store.update(pod));
  }

  /**
   * Ends a pod's containers and tells the watchers DELETED, with its identity only. The pod stays listed, as Succeeded
   * (the default) or Failed, until {@link removePod}.
   */
  finishPod(uid: string, phase: FinishedPhase = "Succeeded"): void {
    this.#open();
    this.#tell(this.#state.store.finish(uid, phase, new Date()));
  }

  /** Changes a pod's labels. Of that alone kubelets tell nobody: lists and new watches show it. */
  setLabels(uid: string, labels: Readonly<Record<string, string>>): void {
    this.#open();
    this.#state.store.label(uid, labels);
  }

  /** Removes a pod's object. Kubelets tell nobody. */
  removePod(uid: string): void {
    this.#open();
    this.#state.store.remove(uid);
  }

  /** Whether the kubelet has yet to read its pod sources: 1.37 then refuses every call, 1.36 answers with what it has. */
  setInitializing(initializing: boolean): void {
    this.#state.initializing = initializing;
  }

  /**
   * Ends all connections as a killed kubelet does, and serves again after `downtimeMs` (0 by default) on a new socket.
   * Restarts follow one another; {@link close} ends a downtime.
   */
  async restart({ downtimeMs = 0 }: { downtimeMs?: number } = {}): Promise<void> {
    this.#open();
    if (!(downtimeMs >= 0)) throw invalidArgument("downtimeMs: not a number of milliseconds");
    const restarted = this.#restarting.then(async () => {
      await this.#server.kill();
      const { signal } = this.#ended;
      await sleep(downtimeMs, undefined, { signal }).catch(() => {});
      this.#state.limiter = newLimiter();
      if (!signal.aborted) await this.#server.listen();
    });
    this.#restarting = restarted.catch(() => {});
    return restarted;
  }

  /** Ends the server and leaves nothing behind. Calling it again gives the same promise. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#ended.abort();
      await this.#restarting;
      await this.#server.kill();
      this.#server.removeFile();
      this.#removeDirectory();
      process.off("exit", this.#removeDirectory);
    })();
    return this.#closing;
  }

  /** As {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #removeDirectory = (): void => {
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true });
  };

  #tell(change: PodChange): void {
    const told = this.faults.apply(change);
    if (told !== undefined) this.#state.watchers.tell(told);
  }

  #open(): void {
    if (this.#closing !== undefined) throw closedError("reference kubelet");
  }
}

function newLimiter(): RateLimiter {
  return new RateLimiter(performance.now());
}
