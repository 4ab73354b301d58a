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
  FinishOptions,
  ReferenceKubeletOptions,
  RejectionOptions,
  RestartOptions,
} from "./kubelet-options.js";
import { ServedProcess } from "./kubelet-process.js";
import { NodeFiles } from "./node-files.js";
import { copyOf, type PodInput } from "./pod-input.js";
import type { FinishedPhase } from "./pod-status.js";
import type { ContainerChange, PodChange, PodStore, StoredPod } from "./pod-store.js";

/**
 * A fake kubelet for tests: serves the Pods API on a Unix socket, with pods that the test provides. Needs neither root nor a cluster. It
 * keeps the process alive until {@link ReferenceKubelet.close}.
 *
 * Events are distributed as in a kubelet: at most 1,000 events wait, further events are lost for all watchers, and a watcher that falls 100
 * events behind is dropped. Spread larger numbers of changes over several turns of the event loop.
 */
export class ReferenceKubelet implements AsyncDisposable {
  /** The socket, for `new PodsClient({ socketPath })`. */
  readonly socketPath: string;
  /** The socket of the podresources API, for `new PodResourcesClient({ socketPath })`; undefined without `podResources`. */
  readonly podResourcesSocketPath: string | undefined;
  /** Fault injection. */
  readonly faults: Faults;
  readonly #store: PodStore;
  readonly #process: ServedProcess;
  readonly #files: NodeFiles;

  private constructor(options: ReferenceKubeletOptions, clock: Clock) {
    this.#process = new ServedProcess(options, clock);
    this.#store = this.#process.store;
    this.socketPath = this.#process.socketPath;
    this.podResourcesSocketPath = this.#process.podResourcesSocketPath;
    this.faults = this.#process.faults;
    this.#files = new NodeFiles(options);
  }

  /**
   * Starts a kubelet. It listens when the promise resolves.
   *
   * @throws PodsError `invalid-argument` or `invalid-path` for unusable options, `not-a-socket` if the path has another kind of file. A
   * failed start leaves nothing behind.
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
    const monotonic = { now: () => clock.now(), busyMs: () => clock.busyMs(), after: after.bind(clock) };
    const own = { ...monotonic, wallMs: () => Number(now?.()) };
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

  /** The number of times that an event was lost for all watchers or a watcher was dropped (kubelet_pod_watch_events_dropped_total). */
  get dropped(): number {
    return this.#process.broadcaster.dropped;
  }

  /**
   * Adds a pod and sends ADDED, or MODIFIED if the pod already has a deletion timestamp. The UID must be new, because UIDs of API pods
   * never recur. With `status: false` the kubelet has not determined a status yet: it sends no event, and 1.37 serves Ready=True as False.
   * {@link updatePod} then sets the first status and sends ADDED.
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

  /** Adds a pod that the kubelet does not admit. The kubelet sends ADDED with phase Failed, and the pod never runs. */
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
   * Replaces the pod with the same UID. Sends MODIFIED if the status has changed or the pod has a deletion timestamp. For a finished API
   * pod, sends DELETED again instead. Other changes, such as labels, send no event.
   */
  updatePod(pod: PodInput): void {
    this.#apply(() => this.#store.update(pod));
  }

  /**
   * Starts a pod's containers, makes the pod ready, and sends MODIFIED. Adds missing parts: container statuses and IDs, conditions, an
   * address, a node. Containers that have ended for good stay ended. If the pod's address differs from `ip`, the pod gets a new sandbox
   * with that address, and new containers. Returns the container runs.
   */
  startPod(uid: string, options: { ip?: string | undefined } = {}): ContainerRun[] {
    checkOptions(options, { ip: "string" }, "startPod");
    const { ip } = options;
    if (ip !== undefined && isIP(ip) === 0) throw invalidArgument("startPod: ip must be an IP address");
    this.#apply(() => this.#store.start(uid, ip));
    return containersOf(this.#store.stored(uid).pod).flatMap(({ run }) => run ?? []);
  }

  /**
   * Creates the next run of a container, with a new ID, and sends MODIFIED. If the container ran before, its restart count grows by one,
   * and the last state is the end of that run. The container waits until {@link startContainer}. If {@link endContainer} comes first, the
   * container could not be started: exit code 128, StartError.
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
   * Starts the next run of a container, with a new ID unless {@link createContainer} has set it. Sends MODIFIED and returns the run. If the
   * container ran before, its restart count grows by one, and the last state is the end of that run. A running container stays as it is.
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
   * Ends a running container, sends MODIFIED, and returns the ended run. The container stays ended until {@link startContainer}. To end the
   * pod, call {@link finishPod}. If the pod is being deleted or has been evicted, the kubelet sends one MODIFIED, once all containers have
   * ended.
   */
  endContainer(uid: string, containerName: string, exit: GivenExit = {}): ContainerRun {
    checkOptions(exit, EXIT_OPTIONS, "endContainer");
    return this.#change(uid, containerName, ({ status }, _, now) => {
      const isThere = status.state?.running !== undefined || isCreated(status);
      if (!isThere) throw invalidArgument("endContainer: the container is not running", "call startContainer() first");
      stop(status, exit, now);
    });
  }

  /**
   * Ends a container and starts it again, with only one MODIFIED, as if both happened between two syncs of the kubelet. Returns the new
   * run.
   */
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

  /** Puts an ended container into CrashLoopBackOff, where it waits for its next start, and sends MODIFIED. */
  backOffContainer(uid: string, containerName: string): void {
    this.#alter(uid, containerName, ({ status }) => {
      if (status.state?.terminated === undefined)
        throw invalidArgument("backOffContainer: the container has not ended", "call endContainer() first");
      backOff(status);
    });
  }

  /**
   * Makes the runtime lose a running container, as if someone had removed it, and sends MODIFIED. The kubelet infers that the container has
   * ended, with the reason ContainerStatusUnknown, exit code 137 and no ID, and counts a restart. If the container already has a last
   * state, that state and the restart count stay.
   */
  loseContainer(uid: string, containerName: string): void {
    this.#alter(uid, containerName, ({ status }, { metadata }) => {
      if (status.state?.running === undefined)
        throw invalidArgument("loseContainer: the container is not running", "call startContainer() first");
      lose(status, metadata.deletionTimestamp !== undefined);
    });
  }

  /**
   * Restarts all containers of a pod in place, as a restart rule with RestartAllContainers does. Sends MODIFIED when the containers are
   * removed, without their exit codes, and again when the new ones run. Returns the new runs.
   */
  restartAllContainers(uid: string): ContainerRun[] {
    this.#apply(() => this.#store.removeContainers(uid));
    return this.startPod(uid);
  }

  /** Makes the readiness probes of a container succeed or fail, or of all running containers if none is named, and sends MODIFIED. */
  setReady(uid: string, ready: boolean, containerName?: string): void {
    if (typeof ready !== "boolean") throw invalidArgument("setReady: ready must be true or false");
    this.#apply(() => this.#store.setReady(uid, ready, containerName));
  }

  /** Adds an ephemeral container as `kubectl debug` does, starts it, and sends MODIFIED. Returns its run. */
  addEphemeralContainer(
    uid: string,
    container: { name: string; image: string; targetContainerName?: string | undefined },
  ): ContainerRun {
    this.#open();
    this.#store.addEphemeral(uid, container);
    return this.startContainer(uid, container.name);
  }

  /**
   * Creates the files of a process in a container: `cgroup`, `stat` and `comm` below `procRoot`. If the PID is in use, the new process
   * replaces the old one, with another start time. Returns the PID.
   */
  addProcess(uid: string, containerName: string, { pid }: { pid?: number | undefined } = {}): number {
    return this.#files.addProcess(this.#store.stored(uid).pod, this.#latest(uid, containerName), pid);
  }

  /**
   * Sets whether the sandbox of a pod is ready, so that its containers can start, and sends MODIFIED. {@link startPod} and
   * {@link startContainer} also make it ready, without a separate event.
   */
  setSandboxReady(uid: string, ready: boolean): void {
    if (typeof ready !== "boolean") throw invalidArgument("setSandboxReady: ready must be true or false");
    this.#apply(() => this.#store.setSandbox(uid, ready));
  }

  /** Sets a deletion timestamp, as `kubectl delete` does, and sends MODIFIED. To end the pod, call {@link finishPod}. */
  deletePod(uid: string, options: DeletionOptions = {}): void {
    checkOptions(options, { gracePeriodSeconds: "number", reason: "string" }, "deletePod");
    const { gracePeriodSeconds = 30, reason } = options;
    if (!(gracePeriodSeconds >= 0 && gracePeriodSeconds <= 1e9))
      throw invalidArgument("gracePeriodSeconds must be a number of seconds");
    if (reason !== undefined) oneOf(reason, DELETIONS, "deletePod: reason");
    this.#apply(() => this.#store.delete(uid, gracePeriodSeconds, reason));
  }

  /**
   * Evicts a pod as the kubelet does: sends MODIFIED with phase Failed while the containers still run. To end the pod, call
   * {@link finishPod}.
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
   * Ends a pod's containers, sends MODIFIED, and then DELETED with only the pod's identity. The pod stays listed until {@link removePod}.
   * As in a kubelet, the phase follows from the exit codes of the containers: an evicted pod whose containers ended with 0 is Succeeded,
   * without a reason. A static pod with restartPolicy Always stays Running.
   *
   * @param phase With Failed, containers that still run are killed (exit code 137). By default they end with 0, or are killed if the pod
   * has failed.
   * @param options see {@link FinishOptions}.
   * @throws PodsError `invalid-argument` if a kubelet shows another phase with these exit codes.
   */
  finishPod(uid: string, phase?: FinishedPhase, options: FinishOptions = {}): void {
    checkOptions(options, { sendsAsNew: "boolean" }, "finishPod");
    this.#apply(() => this.#store.finish(uid, phase, options));
  }

  /** Replaces a pod's labels. The kubelet sends no event for this; lists and new watches show the change. */
  setLabels(uid: string, labels: Readonly<Record<string, string>>): void {
    const isMap =
      typeof labels === "object" &&
      labels !== null &&
      Object.values(labels).every((value) => typeof value === "string");
    if (!isMap) throw invalidArgument("setLabels: labels must be an object of strings");
    this.#open();
    this.#store.label(uid, labels);
  }

  /** Changes the requested resources of a container. Lists show the new ones at once; events show the old ones until {@link allocate}. */
  resizePod(uid: string, containerName: string, resources: ResourcesJson): void {
    this.#ask(uid, (pod, json) => resize(pod, containerName, resources, json));
  }

  /** Allocates the requested resources of a pod and sends MODIFIED. */
  allocate(uid: string): void {
    this.#apply(() => this.#store.allocate(uid));
  }

  /**
   * Assigns devices, CPUs, memory and claims to a container, as the kubelet's managers do, and replaces its earlier ones. Only the
   * podresources API reports them. They survive restarts.
   */
  assignResources(uid: string, containerName: string, resources: AssignedResources): void {
    this.#open();
    this.#process.resources.assign(uid, containerName, resources);
  }

  /** Sets the allocatable resources of the node, for the podresources API. Omitted kinds are empty. */
  setAllocatable(resources: Partial<AllocatableResources>): void {
    this.#open();
    this.#process.resources.setAllocatable(resources);
  }

  /**
   * Removes a pod's object. The kubelet sends no event for this. An unfinished pod disappears from lists at once, as after the removal of a
   * manifest or a forced deletion. {@link finishPod} then sends DELETED.
   */
  removePod(uid: string): void {
    this.#open();
    this.#store.remove(uid);
    this.#files.follow(this.#store.entries());
  }

  /**
   * Deletes, finishes and removes all pods except static pods and pods of DaemonSets, one after the other, as after `kubectl drain`.
   * Returns the UIDs of the removed pods.
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
   * Sets whether the kubelet is still reading its pod sources. Meanwhile 1.37 refuses every call, and 1.36 answers as if there were no
   * pods. Once it has read them, the kubelet sends the first status of pods that have none yet.
   */
  setInitializing(initializing: boolean): void {
    if (typeof initializing !== "boolean") throw invalidArgument("setInitializing: initializing must be true or false");
    this.#open();
    this.#process.setInitializing(initializing);
  }

  /**
   * Pauses until {@link resume}, like a process after SIGSTOP: connections are accepted, but no call is answered. On connections that were
   * open before, HTTP/2 itself continues to work.
   */
  pause(): void {
    this.#open();
    this.#process.pause();
  }

  /** Continues after {@link pause}. */
  resume(): void {
    this.#process.resume();
  }

  /**
   * Starts a new process on a new socket, which listens when the promise resolves. The new process has the currently listed pods, with new
   * values of `kubernetes.io/config.seen`. Concurrent restarts run one after the other. {@link close} ends a downtime early.
   */
  async restart(options: RestartOptions = {}): Promise<void> {
    this.#open();
    return this.#process.restart(options);
  }

  /** Stops the kubelet and removes its sockets. Another call returns the same promise. */
  close(): Promise<void> {
    return this.#process.close();
  }

  /** Closes the kubelet like {@link close}. */
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
    this.#files.follow(this.#store.entries()); // files of running containers exist before the event is sent
    this.#process.publish(changes);
  }

  #open(): void {
    if (this.#process.isClosed) throw closedError("reference kubelet");
  }
}

function oneOf(value: string, of: object, what: string): void {
  if (!Object.hasOwn(of, value)) throw invalidArgument(`${what} must be one of ${Object.keys(of).join(", ")}`);
}
