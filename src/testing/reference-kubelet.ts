import { isIP } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { clone, create } from "@bufbuild/protobuf";
import { closedError, invalidArgument } from "../errors/pods-error.js";
import { PodSchema, PodStatusSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { checkOptions } from "../option-checks.js";
import type { ContainerRun } from "../pod/container-run.js";
import { containerOf, containersOf } from "../pod/containers.js";
import type { FromJsonOptions } from "../pod/from-json.js";
import type { Pod } from "../pod/pod.js";
import { isStatic } from "../pod/pod-state.js";
import type { AllocatableResources } from "../podresources/pod-resources.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { type ResourcesJson, resize } from "./allocation.js";
import {
  backOff,
  EXIT_OPTIONS,
  type GivenExit,
  isCreated,
  isOver,
  lose,
  prepare,
  run,
  stop,
} from "./container-status.js";
import { DELETIONS, EVICTIONS } from "./disruption.js";
import type { Faults } from "./faults.js";
import type {
  AssignedResources,
  DeletionOptions,
  EvictionOptions,
  ReferenceKubeletOptions,
  RejectionOptions,
  RestartOptions,
} from "./kubelet-options.js";
import { KubeletProcess } from "./kubelet-process.js";
import { NodeFiles } from "./node-files.js";
import { copyOf, type PodInput } from "./pod-input.js";
import type { FinishedPhase } from "./pod-status.js";
import type { ContainerChange, PodChange, PodStore, StoredPod } from "./pod-store.js";

/**
 * A kubelet without a node: serves the Pods API on a Unix socket from pods that a test gives it. Needs no root and no
 * cluster. It keeps the process alive until {@link ReferenceKubelet.close}.
 *
 * Events are distributed as in a kubelet: at most 1,000 wait, further ones are lost for all watchers, and a watcher that falls 100 behind
 * is dropped. So make more changes than that in several turns of the event loop.
 */
export class ReferenceKubelet implements AsyncDisposable {
  /** The socket, for `new PodsClient({ socketPath })`. */
  readonly socketPath: string;
  /** The socket of the podresources API, for `new PodResourcesClient({ socketPath })`; undefined without `podResources`. */
  readonly podResourcesSocketPath: string | undefined;
  /** Faults on purpose. */
  readonly faults: Faults;
  readonly #store: PodStore;
  readonly #process: KubeletProcess;
  readonly #files: NodeFiles;

  private constructor(options: ReferenceKubeletOptions, clock: Clock) {
    this.#process = new KubeletProcess(options, clock);
    this.#store = this.#process.store;
    this.socketPath = this.#process.socketPath;
    this.podResourcesSocketPath = this.#process.podResourcesSocketPath;
    this.faults = this.#process.faults;
    this.#files = new NodeFiles(options);
  }

  /**
   * Starts a kubelet; it listens when the promise resolves.
   *
   * @throws PodsError `invalid-argument` or `invalid-path` for options that cannot be used, `not-a-socket` if another file lies at the
   * path. Nothing is left behind then.
   * @example
   * ```ts
   * await using kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
   * await using client = new PodsClient({ socketPath: kubelet.socketPath });
   * console.log((await client.listPods()).length);
   * ```
   */
  static async start(options?: ReferenceKubeletOptions): Promise<ReferenceKubelet>;
  /** @internal Tests pass a clock of their own. */
  static async start(options: ReferenceKubeletOptions, clock: Clock): Promise<ReferenceKubelet>;
  static async start(options: ReferenceKubeletOptions = {}, clock: Clock = systemClock): Promise<ReferenceKubelet> {
    const now = options?.now;
    const { after } = clock;
    const own = { now: () => clock.now(), wallMs: () => Number(now?.()), after: after.bind(clock) };
    const kubelet = new ReferenceKubelet(options, now === undefined ? clock : own);
    try {
      kubelet.#files.follow(kubelet.#store.entries());
      await kubelet.#process.start();
    } catch (error) {
      await kubelet.close();
      throw error;
    }
    return kubelet;
  }

  /** The URL of the HTTP server, for `kubeletHttp({ url })`; undefined without `http`. */
  get httpURL(): string | undefined {
    return this.#process.httpURL;
  }

  /** Copies of the pods that ListPods answers with now, sorted by UID. */
  get pods(): Pod[] {
    return this.#store.entries().map((entry) => clone(PodSchema, this.#store.served(entry)) as Pod);
  }

  /** @internal The current time of its clock. */
  get now(): Date {
    return this.#store.now;
  }

  /** @internal The listed pods, not copied. */
  entries(): StoredPod[] {
    return this.#store.entries();
  }

  /** The number of open watches. */
  get watchers(): number {
    return this.#process.broadcaster.watchers;
  }

  /** How many times an event was lost for all watchers, or a watcher was dropped (kubelet_pod_watch_events_dropped_total). */
  get dropped(): number {
    return this.#process.broadcaster.dropped;
  }

  /**
   * Adds a pod and tells watchers ADDED, or MODIFIED if it already has a deletion timestamp. Its UID must be new, since UIDs of the API
   * server's pods never recur. With `status: false` its worker has not looked at it yet: no event is sent, 1.37 serves Ready=True as False,
   * and {@link updatePod} gives the first status, which is told as ADDED.
   */
  addPod(pod: PodInput, options: { status?: boolean } = {}): void {
    checkOptions(options, { status: "boolean" }, "addPod");
    const { status = true } = options;
    this.#apply(() => this.#store.add(pod, { reported: status }));
  }

  /**
   * Adds a static pod from a manifest, and returns its UID, which is the manifest's hash. After {@link removePod} and {@link finishPod} the
   * same manifest can be added again, with the same UID.
   */
  addStaticPod(manifest: PodInput): string {
    let uid = "";
    this.#apply(() => {
      const changes = this.#store.add(manifest, { fromFile: true });
      uid = changes[0]?.pod.metadata?.uid ?? "";
      return changes;
    });
    return uid;
  }

  /** Adds a pod that the kubelet does not admit: it is told ADDED with phase Failed, and never runs. */
  rejectPod(pod: PodInput, options: RejectionOptions = {}): void {
    checkOptions(options, { reason: "string", message: "string" }, "rejectPod");
    const { reason = "OutOfcpu", message = "Node didn't have enough cpu" } = options;
    this.#apply(() => {
      const rejected = copyOf(pod, this.#store.json);
      const status = { phase: "Failed", reason, message: `Pod was rejected: ${message}` };
      rejected.status = create(PodStatusSchema, { ...status, qosClass: rejected.status.qosClass });
      return this.#store.add(rejected);
    });
  }

  /**
   * Replaces the pod with the same UID. Watchers are told MODIFIED if its status has changed, or if it has a deletion timestamp. Other
   * changes, such as labels, send no event. A finished pod is told as DELETED again.
   */
  updatePod(pod: PodInput): void {
    this.#apply(() => this.#store.update(pod));
  }

  /**
   * Runs a pod's containers, makes it ready, and tells MODIFIED. Missing parts are added: statuses and IDs of containers, conditions, an
   * address, a node. Containers that have ended for good stay so. If the pod has another address than `ip`, it gets a new sandbox with that
   * address, and new containers. Returns the lives of its containers.
   */
  startPod(uid: string, options: { ip?: string | undefined } = {}): ContainerRun[] {
    checkOptions(options, { ip: "string" }, "startPod");
    const { ip } = options;
    if (ip !== undefined && isIP(ip) === 0) throw invalidArgument("startPod: ip must be an IP address");
    this.#apply(() => this.#store.start(uid, ip));
    return containersOf(this.#store.stored(uid).pod).flatMap(({ run }) => run ?? []);
  }

  /**
   * Creates the next life of a container: with a new ID and, if one ran before, one restart more and its end as the last state. It waits
   * until {@link startContainer}. {@link endContainer} then means that it could not be started: exit code 128, StartError. Tells MODIFIED.
   *
   * @throws PodsError `invalid-argument` if it has ended and may not run again.
   */
  createContainer(uid: string, containerName: string): void {
    this.#alter(uid, containerName, (place, pod) => {
      if (isOver(pod, place))
        throw invalidArgument("createContainer: the container has ended, and its restart policy forbids a restart");
      prepare(place.status, uid);
    });
  }

  /**
   * Starts the next life of a container: with a new ID and, if one ran before, one restart more and its end as the last state. Tells
   * MODIFIED, and returns the life. A running container stays as it is.
   *
   * @throws PodsError `invalid-argument` if it has ended and may not run again.
   */
  startContainer(uid: string, containerName: string): ContainerRun {
    return this.#change(uid, containerName, (place, pod, now) => {
      if (isOver(pod, place))
        throw invalidArgument("startContainer: the container has ended, and its restart policy forbids a restart");
      run(place.status, uid, now);
    });
  }

  /**
   * Ends a running container, and tells MODIFIED. It stays ended until {@link startContainer}. To end the pod call {@link finishPod}. Of a
   * pod that is deleted or evicted, kubelets tell the ends once all of its containers have ended. Returns the ended life.
   */
  endContainer(uid: string, containerName: string, exit: GivenExit = {}): ContainerRun {
    checkOptions(exit, EXIT_OPTIONS, "endContainer");
    return this.#change(uid, containerName, ({ status }, _, now) => {
      const isThere = status.state?.running !== undefined || isCreated(status);
      if (!isThere) throw invalidArgument("endContainer: the container is not running", "call startContainer() first");
      stop(status, exit, now);
    });
  }

  /** Ends a container and starts it again, with only one MODIFIED, as between two looks of the kubelet. Returns the new life. */
  restartContainer(uid: string, containerName: string, exit: GivenExit = {}): ContainerRun {
    checkOptions(exit, EXIT_OPTIONS, "restartContainer");
    return this.#change(uid, containerName, (place, pod, now) => {
      if (place.status.state?.running === undefined)
        throw invalidArgument("restartContainer: the container is not running", "call startContainer() first");
      stop(place.status, exit, now);
      if (isOver(pod, place))
        throw invalidArgument("restartContainer: the restart policy forbids a restart", "call endContainer()");
      run(place.status, uid, now);
    });
  }

  /** Lets an ended container wait in CrashLoopBackOff for its next start, and tells MODIFIED. */
  backOffContainer(uid: string, containerName: string): void {
    this.#alter(uid, containerName, ({ status }) => {
      if (status.state?.terminated === undefined)
        throw invalidArgument("backOffContainer: the container has not ended", "call endContainer() first");
      backOff(status);
    });
  }

  /**
   * Lets the runtime lose a running container, as if somebody had removed it. The kubelet infers that it has ended, with the reason
   * ContainerStatusUnknown, exit code 137 and no ID, and counts a restart. Tells MODIFIED.
   */
  loseContainer(uid: string, containerName: string): void {
    this.#alter(uid, containerName, ({ status }, { metadata }) => {
      if (status.state?.running === undefined)
        throw invalidArgument("loseContainer: the container is not running", "call startContainer() first");
      lose(status, metadata.deletionTimestamp !== undefined);
    });
  }

  /**
   * Restarts all containers of a pod in place, as a restart rule with RestartAllContainers does: tells MODIFIED when they are removed,
   * which leaves nothing of their ends, and again when the next ones run. Returns the new lives.
   */
  restartAllContainers(uid: string): ContainerRun[] {
    this.#apply(() => this.#store.removeContainers(uid));
    return this.startPod(uid);
  }

  /** Lets the readiness probes of a container succeed or fail, or of all running containers if none is named, and tells MODIFIED. */
  setReady(uid: string, ready: boolean, containerName?: string): void {
    if (typeof ready !== "boolean") throw invalidArgument("setReady: ready must be true or false");
    this.#apply(() => this.#store.setReady(uid, ready, containerName));
  }

  /** Adds a container as `kubectl debug` does, starts it, and tells MODIFIED. Returns its life. */
  addEphemeralContainer(
    uid: string,
    container: { name: string; image: string; targetContainerName?: string | undefined },
  ): ContainerRun {
    this.#open();
    this.#store.addEphemeral(uid, container);
    return this.startContainer(uid, container.name);
  }

  /**
   * Makes a process in a container: `cgroup`, `stat` and `comm` below `procRoot`. If the number is in use, the new process takes
   * it over, with another start. Returns the number.
   */
  addProcess(uid: string, containerName: string, { pid }: { pid?: number | undefined } = {}): number {
    return this.#files.addProcess(this.#store.stored(uid).pod, this.#latest(uid, containerName), pid);
  }

  /**
   * Sets whether the sandbox of a pod is ready, so that its containers can start, and tells MODIFIED. {@link startPod} and
   * {@link startContainer} make one, too, without an event of its own.
   */
  setSandboxReady(uid: string, ready: boolean): void {
    if (typeof ready !== "boolean") throw invalidArgument("setSandboxReady: ready must be true or false");
    this.#apply(() => this.#store.setSandbox(uid, ready));
  }

  /** Sets a deletion timestamp, as `kubectl delete` does, and tells MODIFIED. To end the pod call {@link finishPod}. */
  deletePod(uid: string, options: DeletionOptions = {}): void {
    checkOptions(options, { gracePeriodSeconds: "number", reason: "string" }, "deletePod");
    const { gracePeriodSeconds = 30, reason } = options;
    if (!(gracePeriodSeconds >= 0 && gracePeriodSeconds <= 1e9))
      throw invalidArgument("gracePeriodSeconds must be a number of seconds");
    if (reason !== undefined) oneOf(reason, DELETIONS, "deletePod: reason");
    this.#apply(() => this.#store.delete(uid, gracePeriodSeconds, reason));
  }

  /**
   * Stops a pod as the kubelet does: tells MODIFIED with phase Failed, while its containers still run. To end it call {@link finishPod}.
   *
   * @throws PodsError `invalid-argument` if the pod has ended.
   */
  evictPod(uid: string, options: EvictionOptions = {}): void {
    checkOptions(options, { reason: "string", message: "string" }, "evictPod");
    const { reason = "Evicted" } = options;
    oneOf(reason, EVICTIONS, "evictPod: reason");
    this.#apply(() => this.#store.evict(uid, reason, options.message ?? EVICTIONS[reason].message));
  }

  /**
   * Ends a pod's containers, tells MODIFIED, and then DELETED with only the pod's identity. The pod stays listed until {@link removePod}.
   * Its phase is what the exit codes of its containers say, as with kubelets: an evicted pod whose containers ended with 0 is Succeeded,
   * without a reason. A static pod that always restarts stays Running.
   *
   * @param phase Failed: containers that still run are killed (137). By default they end with 0, or are killed if the pod has failed.
   * @throws PodsError `invalid-argument` for another phase than kubelets show with these exit codes.
   */
  finishPod(uid: string, phase?: FinishedPhase): void {
    this.#apply(() => this.#store.finish(uid, phase));
  }

  /** Changes a pod's labels. Kubelets send no event for that: lists and new watches show it. */
  setLabels(uid: string, labels: Readonly<Record<string, string>>): void {
    const isMap =
      typeof labels === "object" &&
      labels !== null &&
      Object.values(labels).every((value) => typeof value === "string");
    if (!isMap) throw invalidArgument("setLabels: labels must be an object of strings");
    this.#open();
    this.#store.label(uid, labels);
  }

  /** Requests other resources for a container. Lists show them at once; events show the old ones until {@link allocate}. */
  resizePod(uid: string, containerName: string, resources: ResourcesJson): void {
    this.#ask(uid, (pod, json) => resize(pod, containerName, resources, json));
  }

  /** Allocates the requested resources of a pod. Tells MODIFIED. */
  allocate(uid: string): void {
    this.#apply(() => this.#store.allocate(uid));
  }

  /**
   * Gives a container devices, CPUs, memory and claims, as the kubelet's managers do, and replaces its old ones. Only the podresources API
   * shows them. They survive restarts.
   */
  assignResources(uid: string, containerName: string, resources: AssignedResources): void {
    this.#open();
    this.#process.resources.assign(uid, containerName, resources);
  }

  /** Sets the allocatable resources of the node, for the podresources API; none of those that are left out. */
  setAllocatable(resources: Partial<AllocatableResources>): void {
    this.#open();
    this.#process.resources.setAllocatable(resources);
  }

  /**
   * Removes a pod's object. Kubelets send no event for it. An unfinished pod leaves the lists at once, as after the removal of a manifest
   * or a forced delete: then {@link finishPod} tells DELETED.
   */
  removePod(uid: string): void {
    this.#open();
    this.#store.remove(uid);
    this.#files.follow(this.#store.entries());
  }

  /**
   * Deletes, finishes and removes one pod after the other, as after `kubectl drain`: all except static pods and pods of DaemonSets. Returns
   * their UIDs.
   */
  async drain(): Promise<string[]> {
    const drained: string[] = [];
    for (const { pod, finished } of this.#store.entries()) {
      if (!this.#store.has(pod.metadata.uid)) continue; // removed since the last turn
      const { uid, ownerReferences } = pod.metadata;
      if (isStatic(pod) || ownerReferences.some(({ kind }) => kind === "DaemonSet")) continue;
      if (!finished) {
        this.deletePod(uid, { reason: "EvictionByEvictionAPI" });
        this.finishPod(uid);
      }
      this.removePod(uid);
      drained.push(uid);
      await turn();
    }
    return drained;
  }

  /**
   * Sets whether the kubelet still reads its pod sources. Meanwhile 1.37 refuses every call, and 1.36 answers as if there were no pods.
   * When it has read them, pods that its workers had not looked at are told.
   */
  setInitializing(initializing: boolean): void {
    if (typeof initializing !== "boolean") throw invalidArgument("setInitializing: initializing must be true or false");
    this.#open();
    this.#process.setInitializing(initializing);
  }

  /**
   * Pauses until {@link resume}, like a process after SIGSTOP: connections are accepted, and nothing is answered. (HTTP/2 itself goes on
   * for connections that were open before.)
   */
  pause(): void {
    this.#open();
    this.#process.pause();
  }

  /** Goes on where {@link pause} stopped it. */
  resume(): void {
    this.#process.resume();
  }

  /**
   * Starts a new process on a new socket, which listens when the promise resolves. It has the pods that are listed now, with new stamps
   * (`kubernetes.io/config.seen`). Concurrent restarts are done one after the other; {@link close} ends a downtime.
   */
  async restart(options: RestartOptions = {}): Promise<void> {
    this.#open();
    return this.#process.restart(options);
  }

  /** Ends the server and leaves nothing behind. Another call returns the same promise. */
  close(): Promise<void> {
    return this.#process.close();
  }

  /** Closes it, as {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #ask(uid: string, change: (pod: Pod, json: FromJsonOptions) => void): void {
    this.#open();
    this.#store.ask(uid, change);
  }

  #change(uid: string, name: string, change: ContainerChange): ContainerRun {
    this.#alter(uid, name, change);
    return this.#latest(uid, name);
  }

  #alter(uid: string, name: string, change: ContainerChange): void {
    this.#apply(() => this.#store.changeContainer(uid, name, change));
  }

  #latest(uid: string, name: string): ContainerRun {
    const run = containerOf(this.#store.stored(uid).pod, name)?.run;
    if (run === undefined)
      throw invalidArgument("no container with this name has run", "kubelet.pods shows the containers");
    return run;
  }

  #apply(change: () => PodChange[]): void {
    this.#open();
    const changes = change();
    this.#files.follow(this.#store.entries()); // files of running containers exist before the pod is told
    this.#process.publish(changes);
  }

  #open(): void {
    if (this.#process.isClosed) throw closedError("reference kubelet");
  }
}

function oneOf(value: string, of: object, what: string): void {
  if (!Object.hasOwn(of, value)) throw invalidArgument(`${what} must be one of ${Object.keys(of).join(", ")}`);
}
