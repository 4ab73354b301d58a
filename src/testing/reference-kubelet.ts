import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { clone, create } from "@bufbuild/protobuf";
import { closedError, invalidArgument } from "../errors/pods-error.js";
import { type Pod, PodSchema, PodStatusSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { socketCandidates } from "../wire/socket-path.js";
import { Broadcaster } from "./broadcaster.js";
import { Faults } from "./faults.js";
import { copyOf, isStatic, type PodInput } from "./pod-input.js";
import type { FinishedPhase } from "./pod-status.js";
import { type Entry, type PodChange, PodStore, type ResourcesJson } from "./pod-store.js";
import { type KubeletProfile, PROFILES } from "./profile.js";
import { RateLimiter } from "./rate-limiter.js";
import { type KubeletState, routes } from "./services.js";
import { SocketServer } from "./socket-server.js";

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
  /** Take the place of a socket that somebody listens on. Defaults to false: it is refused. */
  force?: boolean | undefined;
  /** Start as a kubelet that has not read its pod sources, see {@link ReferenceKubelet.setInitializing}. Defaults to false. */
  initializing?: boolean | undefined;
  /**
   * The feature gate `PodsAPI`. Without it kubelets make no directory and nobody listens. Defaults to true, also for 1.36,
   * where kubelets have it off unless told otherwise.
   */
  gate?: boolean | undefined;
  /**
   * Leave out keys of pods that the schema does not have, as in JSON of a newer cluster. Defaults to false: they are
   * refused.
   */
  allowUnknownKeys?: boolean | undefined;
}

/** Why a kubelet ends a pod, or does not begin it; as in its status. */
export interface Reason {
  reason?: string | undefined;
  message?: string | undefined;
}

/** Options of {@link ReferenceKubelet.restart}. */
export interface RestartOptions {
  /** How long nobody listens. The file of the socket stays meanwhile. Defaults to 0. */
  downtimeMs?: number | undefined;
  /**
   * How long the new process takes to read its pod sources. 1.37 refuses all calls meanwhile; 1.36 answers with no pods,
   * after half of the time with the static ones. Defaults to 0.
   */
  initializingMs?: number | undefined;
  /**
   * How long the workers take to look at their pods once the sources are read. Until then Ready=True is served as False
   * (1.37), and then each pod is told as ADDED again. Defaults to 100; with 0 they have looked before anybody asks.
   */
  firstStatusMs?: number | undefined;
  /** End as after SIGKILL, connections cut, and not in order. Defaults to false. */
  kill?: boolean | undefined;
  /** Another version afterwards. Defaults to the one that is played. */
  profile?: KubeletProfile | undefined;
  /** The feature gate afterwards. Without it the dead socket's file stays. Defaults to what it is. */
  gate?: boolean | undefined;
}

/** How long a kubelet's process outlives its orderly end where watches keep it. */
const GRACE_MS = 100;

/**
 * A kubelet without a node: serves the Pods API on a Unix socket from pods that a test gives it. Needs no root and no
 * cluster. It keeps the process alive until {@link ReferenceKubelet.close}.
 *
 * Events go the way they go in a kubelet: 1,000 wait at most to be handed out, what comes on top is lost for everybody, and
 * a watcher that falls 100 behind is dropped. So change pods in turns where more than that happens at once.
 */
export class ReferenceKubelet implements AsyncDisposable {
  /** The socket, for `new PodsClient({ socketPath })`. */
  readonly socketPath: string;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  readonly #state: KubeletState;
  readonly #server: SocketServer;
  /** A directory of our own, removed at the end. */
  readonly #directory: string | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  #gate: boolean;
  #initializing: boolean;
  /** The last restart; what comes next waits for it. */
  #restarting: Promise<void> = Promise.resolve();
  readonly #ended = new AbortController();
  #closing: Promise<void> | undefined;

  private constructor(options: ReferenceKubeletOptions) {
    const { profile = "1.37", pods = [], initializing = false, gate = true, allowUnknownKeys = false } = options;
    const store = new PodStore(factsOf(profile), { allowUnknownKeys });
    for (const pod of pods) store.add(pod, { reported: !initializing, before: true });
    store.sources = { file: !initializing, api: !initializing };
    this.#initializing = initializing;
    this.#gate = gate;
    if (options.socketPath === undefined) {
      this.#directory = mkdtempSync(join(tmpdir(), "kubelet-"));
      process.once("exit", this.#removeDirectory);
    }
    [this.socketPath] = socketCandidates({
      socketPath: options.socketPath ?? join(this.#directory ?? "", "pods-api.sock"),
    });
    const broadcaster = new Broadcaster();
    this.#server = new SocketServer(
      this.socketPath,
      (router) => routes(router, this.#state),
      (socket) => this.faults.takes(socket),
    );
    this.faults = new Faults({
      server: this.#server,
      tell: (change) => broadcaster.offer(change),
      expelWatchers: () => broadcaster.expelAll(),
    });
    this.#state = { store, broadcaster, faults: this.faults, limiter: newLimiter() };
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
      if (kubelet.#gate) await kubelet.#server.listen({ force: options.force });
    } catch (error) {
      await kubelet.close();
      throw error;
    }
    return kubelet;
  }

  /** The pods as ListPods answers them now, sorted by UID; copies, so that changing one changes nothing here. */
  get pods(): Pod[] {
    const { store } = this.#state;
    return store.entries().map((entry) => clone(PodSchema, store.served(entry)));
  }

  /** @internal The pods that are listed now, themselves. */
  entries(): Entry[] {
    return this.#state.store.entries();
  }

  /** How many watches are open. */
  get watchers(): number {
    return this.#state.broadcaster.watchers;
  }

  /** How many times an event was lost for everybody, or a watcher dropped (kubelet_pod_watch_events_dropped_total). */
  get dropped(): number {
    return this.#state.broadcaster.dropped;
  }

  /**
   * Adds a pod and tells the watchers ADDED; MODIFIED, where it has a deletion timestamp already. Its UID must be new.
   * With `status: false` its worker has not looked at it yet: nobody is told, 1.37 serves Ready=True as False, and
   * {@link updatePod} gives the first status, which is ADDED.
   */
  addPod(pod: PodInput, { status = true }: { status?: boolean } = {}): void {
    this.#tell(() => this.#state.store.add(pod, { reported: status }));
  }

  /**
   * Adds a pod of a manifest on the node and returns its UID, which is made of the manifest: after {@link removePod} and
   * {@link finishPod} the same manifest can be added again, with the same UID.
   */
  addStaticPod(manifest: PodInput): string {
    let uid = "";
    this.#tell(() => {
      const changes = this.#state.store.add(manifest, { fromFile: true });
      uid = changes[0]?.pod.metadata?.uid ?? "";
      return changes;
    });
    return uid;
  }

  /** Adds a pod that the kubelet does not admit: ADDED, Failed already, and it never runs. */
  rejectPod(pod: PodInput, { reason = "OutOfcpu", message = "Node didn't have enough cpu" }: Reason = {}): void {
    this.#tell(() => {
      const rejected = copyOf(pod, this.#state.store.json);
      const status = { phase: "Failed", reason, message: `Pod was rejected: ${message}` };
      rejected.status = create(PodStatusSchema, { ...status, qosClass: rejected.status.qosClass });
      return this.#state.store.add(rejected);
    });
  }

  /**
   * Puts a pod in the place of the one with its UID. Watchers are told MODIFIED where its status is another, or where it
   * has a deletion timestamp; else nobody is told, as of labels. A finished pod is told as DELETED again.
   */
  updatePod(pod: PodInput): void {
    this.#tell(() => this.#state.store.update(pod));
  }

  /** Sets a deletion timestamp, as `kubectl delete` does, and tells MODIFIED. What ends the pod is {@link finishPod}. */
  deletePod(uid: string, { gracePeriodSeconds = 30 }: { gracePeriodSeconds?: number } = {}): void {
    if (!(gracePeriodSeconds >= 0)) throw invalidArgument("gracePeriodSeconds: not a number of seconds");
    this.#tell(() => this.#state.store.delete(uid, gracePeriodSeconds, new Date()));
  }

  /** The kubelet evicts it: MODIFIED with phase Failed, while its containers run. They end with {@link finishPod}. */
  evictPod(uid: string, { reason = "Evicted", message = "The node was low on memory." }: Reason = {}): void {
    this.#tell(() => this.#state.store.evict(uid, { reason, message }, new Date()));
  }

  /**
   * Ends a pod's containers and tells the watchers MODIFIED, and then DELETED, with its identity only. The pod stays listed,
   * as Succeeded (the default) or Failed, until {@link removePod}.
   */
  finishPod(uid: string, phase: FinishedPhase = "Succeeded"): void {
    this.#tell(() => this.#state.store.finish(uid, phase, new Date()));
  }

  /** Changes a pod's labels. Of that alone kubelets tell nobody: lists and new watches show it. */
  setLabels(uid: string, labels: Readonly<Record<string, string>>): void {
    this.#open();
    this.#state.store.label(uid, labels);
  }

  /** Asks for other resources of a container: lists show them, events those that it has until {@link allocateResize}. */
  resizePod(uid: string, containerName: string, resources: ResourcesJson): void {
    this.#open();
    this.#state.store.resize(uid, containerName, resources);
  }

  /** Gives a pod's containers the resources that were asked for, and tells MODIFIED. */
  allocateResize(uid: string): void {
    this.#tell(() => this.#state.store.allocate(uid));
  }

  /**
   * Removes a pod's object. Kubelets tell nobody. One that has not been finished leaves the lists first (a manifest that is
   * gone, a forced delete): {@link finishPod} tells DELETED then.
   */
  removePod(uid: string): void {
    this.#open();
    this.#state.store.remove(uid);
  }

  /**
   * Deletes, finishes and removes one pod after the other, as `kubectl drain` makes the kubelet do: all but static pods and
   * those of DaemonSets. Returns their UIDs.
   */
  async drain(): Promise<string[]> {
    const drained: string[] = [];
    for (const { pod, finished } of this.#state.store.entries()) {
      const { uid, ownerReferences } = pod.metadata;
      if (isStatic(pod) || ownerReferences.some(({ kind }) => kind === "DaemonSet")) continue;
      if (!finished) {
        this.deletePod(uid);
        this.finishPod(uid, "Failed");
      }
      this.removePod(uid);
      drained.push(uid);
      await turn();
    }
    return drained;
  }

  /**
   * Whether the kubelet has yet to read its pod sources: 1.37 refuses every call while it has, 1.36 answers as if there were
   * no pods. When it has read them, the pods that its workers had not looked at are told.
   */
  setInitializing(initializing: boolean): void {
    this.#open();
    this.#initializing = initializing;
    this.#read({ file: !initializing, api: !initializing });
    this.#firstReports();
  }

  /**
   * Stands still until {@link resume}, as a process after SIGSTOP: connections are accepted, and nothing is answered. (HTTP/2
   * itself goes on where a connection was open before.)
   */
  pause(): void {
    this.#open();
    this.faults.pause();
    this.#state.broadcaster.paused = true;
  }

  /** Goes on where {@link pause} stopped it. */
  resume(): void {
    this.faults.resume();
    this.#state.broadcaster.paused = false;
  }

  /**
   * A new process on a new socket, which listens when the promise resolves. Its pods are those that are listed now, seen anew
   * (`kubernetes.io/config.seen`). Restarts follow one another; {@link close} ends a downtime.
   */
  async restart(options: RestartOptions = {}): Promise<void> {
    this.#open();
    const { downtimeMs = 0, initializingMs = 0, firstStatusMs = 100, kill = false, profile, gate } = options;
    for (const [name, ms] of Object.entries({ downtimeMs, initializingMs, firstStatusMs })) {
      if (!(ms >= 0)) throw invalidArgument(`${name}: not a number of milliseconds`);
    }
    const facts = profile === undefined ? undefined : factsOf(profile);
    const restarted = this.#restarting.then(async () => {
      await this.#stop(kill);
      const { signal } = this.#ended;
      await sleep(downtimeMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const { store } = this.#state;
      store.facts = facts ?? store.facts;
      this.#gate = gate ?? this.#gate;
      this.#state.limiter = newLimiter();
      store.restart(new Date(), initializingMs === 0 && !this.#initializing);
      if (firstStatusMs === 0) this.#firstReports();
      if (this.#gate) await this.#server.listen();
      this.#later(initializingMs / 2, () => this.#read({ file: !this.#initializing, api: store.sources.api }));
      this.#later(initializingMs, () => this.#read({ file: !this.#initializing, api: !this.#initializing }));
      this.#later(initializingMs + firstStatusMs, () => this.#firstReports());
    });
    this.#restarting = restarted.catch(() => {});
    return restarted;
  }

  /** Ends the server and leaves nothing behind. Calling it again gives the same promise. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#ended.abort();
      await this.#restarting;
      await this.#stop(true);
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

  async #stop(kill: boolean): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    const { broadcaster, store } = this.#state;
    broadcaster.clear();
    if (kill) return this.#server.kill();
    if (store.facts.endsWatchesAtShutdown) broadcaster.expelAll();
    await this.#server.stop(GRACE_MS);
  }

  #read(sources: PodStore["sources"]): void {
    this.#state.store.sources = sources;
  }

  #firstReports(): void {
    this.#broadcast(this.#state.store.firstReports());
  }

  #later(delayMs: number, what: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      what();
    }, delayMs);
    this.#timers.add(timer);
  }

  #tell(change: () => PodChange[]): void {
    this.#open();
    this.#broadcast(change());
  }

  #broadcast(changes: PodChange[]): void {
    for (const change of changes) this.faults.tell(change);
  }

  #open(): void {
    if (this.#closing !== undefined) throw closedError("reference kubelet");
  }
}

function factsOf(profile: KubeletProfile) {
  const facts = PROFILES[profile];
  if (facts === undefined) throw invalidArgument(`profile: not one of ${Object.keys(PROFILES).join(", ")}`);
  return facts;
}

function newLimiter(): RateLimiter {
  return new RateLimiter(performance.now());
}
