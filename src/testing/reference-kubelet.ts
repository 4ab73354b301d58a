import { isIP } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { clone, create } from "@bufbuild/protobuf";
import { closedError, invalidArgument } from "../errors/pods-error.js";
import { PodSchema, PodStatusSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { checkOptions } from "../option-checks.js";
import type { ContainerInstance } from "../pod/container-instance.js";
import { containerOf, containersOf } from "../pod/containers.js";
import type { FromJsonOptions } from "../pod/from-json.js";
import type { PodMessage } from "../pod/pod.js";
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
import type { Faults } from "./faults.js";
import type { AssignedResources, Reason, ReferenceKubeletOptions, RestartOptions } from "./kubelet-options.js";
import { KubeletProcess } from "./kubelet-process.js";
import { NodeFiles } from "./node-files.js";
import { copyOf, type PodInput } from "./pod-input.js";
import type { FinishedPhase } from "./pod-status.js";
import type { ContainerChange, PodChange, PodStore, StoredPod } from "./pod-store.js";

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
   * @throws PodsError `invalid-argument` or `invalid-path` for options that cannot be used, `not-a-socket` where something
   *   else lies at the path; nothing is left behind then.
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
    const kubelet = new ReferenceKubelet(options, clock);
    try {
      kubelet.#files.follow(kubelet.#store.entries());
      await kubelet.#process.start();
    } catch (error) {
      await kubelet.close();
      throw error;
    }
    return kubelet;
  }

  /** The pods as ListPods answers them now, sorted by UID; copies, so that changing one changes nothing here. */
  get pods(): PodMessage[] {
    return this.#store.entries().map((entry) => clone(PodSchema, this.#store.served(entry)) as PodMessage);
  }

  /** @internal The present time of its clock. */
  get now(): Date {
    return this.#store.now;
  }

  /** @internal The pods that are listed now, themselves. */
  entries(): StoredPod[] {
    return this.#store.entries();
  }

  /** How many watches are open. */
  get watchers(): number {
    return this.#process.broadcaster.watchers;
  }

  /** How many times an event was lost for everybody, or a watcher dropped (kubelet_pod_watch_events_dropped_total). */
  get dropped(): number {
    return this.#process.broadcaster.dropped;
  }

  /**
   * Adds a pod and tells the watchers ADDED; MODIFIED, where it has a deletion timestamp already. Its UID must be new: those
   * of the API server's pods never recur.
   * With `status: false` its worker has not looked at it yet: nobody is told, 1.37 serves Ready=True as False, and
   * {@link updatePod} gives the first status, which is ADDED.
   */
  addPod(pod: PodInput, { status = true }: { status?: boolean } = {}): void {
    this.#tell(() => this.#store.add(pod, { reported: status }));
  }

  /**
   * Adds a pod of a manifest on the node and returns its UID, which is made of the manifest: after {@link removePod} and
   * {@link finishPod} the same manifest can be added again, with the same UID.
   */
  addStaticPod(manifest: PodInput): string {
    let uid = "";
    this.#tell(() => {
      const changes = this.#store.add(manifest, { fromFile: true });
      uid = changes[0]?.pod.metadata?.uid ?? "";
      return changes;
    });
    return uid;
  }

  /** Adds a pod that the kubelet does not admit: ADDED, Failed already, and it never runs. */
  rejectPod(pod: PodInput, { reason = "OutOfcpu", message = "Node didn't have enough cpu" }: Reason = {}): void {
    this.#tell(() => {
      const rejected = copyOf(pod, this.#store.json);
      const status = { phase: "Failed", reason, message: `Pod was rejected: ${message}` };
      rejected.status = create(PodStatusSchema, { ...status, qosClass: rejected.status.qosClass });
      return this.#store.add(rejected);
    });
  }

  /**
   * Puts a pod in the place of the one with its UID. Watchers are told MODIFIED where its status is another, or where it
   * has a deletion timestamp; else nobody is told, as of labels. A finished pod is told as DELETED again.
   */
  updatePod(pod: PodInput): void {
    this.#tell(() => this.#store.update(pod));
  }

  /**
   * Runs a pod's containers and makes it ready, and tells MODIFIED. It gets what it lacks: statuses and IDs of containers,
   * conditions, an address, a node. Containers that have ended for good stay so. A pod that has another address than `ip` gets a new
   * sandbox with that one, and its containers with it. Returns the lives of its containers.
   */
  startPod(uid: string, { ip }: { ip?: string | undefined } = {}): ContainerInstance[] {
    if (ip !== undefined && isIP(ip) === 0) throw invalidArgument("startPod: ip: not an address");
    this.#tell(() => this.#store.start(uid, ip));
    return containersOf(this.#store.stored(uid).pod).flatMap(({ instance }) => instance ?? []);
  }

  /**
   * Creates a container, again where one ran before: with a new ID, one restart more, and its last end as last state. It waits until
   * {@link startContainer}; one that cannot be started ends with {@link endContainer}, with exit code 128 and StartError. Tells
   * MODIFIED.
   *
   * @throws PodsError `invalid-argument` where it has ended and may not run again.
   */
  createContainer(uid: string, containerName: string): void {
    this.#alter(uid, containerName, (place, pod) => {
      if (isOver(pod, place)) throw invalidArgument("createContainer: it has ended, and may not run again");
      prepare(place.status, uid);
    });
  }

  /**
   * Starts a container, again where one ran before: with a new ID, one restart more, and its last end as last state. Tells MODIFIED
   * and returns the life. One that runs stays as it is.
   *
   * @throws PodsError `invalid-argument` where it has ended and may not run again.
   */
  startContainer(uid: string, containerName: string): ContainerInstance {
    return this.#change(uid, containerName, (place, pod, now) => {
      if (isOver(pod, place)) throw invalidArgument("startContainer: it has ended, and may not run again");
      run(place.status, uid, now);
    });
  }

  /**
   * Ends a container that runs, and tells MODIFIED. It stays so until {@link startContainer}; what ends the pod is
   * {@link finishPod}. Returns the life that has ended.
   */
  endContainer(uid: string, containerName: string, exit: GivenExit = {}): ContainerInstance {
    checkOptions(exit, EXIT_OPTIONS, "endContainer");
    return this.#change(uid, containerName, ({ status }, _, now) => {
      const isThere = status.state?.running !== undefined || isCreated(status);
      if (!isThere) throw invalidArgument("endContainer: it does not run");
      stop(status, exit, now);
    });
  }

  /** Ends a container and starts it, between two looks of the kubelet: one MODIFIED. Returns the new life. */
  restartContainer(uid: string, containerName: string, exit: GivenExit = {}): ContainerInstance {
    checkOptions(exit, EXIT_OPTIONS, "restartContainer");
    return this.#change(uid, containerName, (place, pod, now) => {
      if (place.status.state?.running === undefined) throw invalidArgument("restartContainer: it does not run");
      stop(place.status, exit, now);
      if (isOver(pod, place)) throw invalidArgument("restartContainer: it may not run again");
      run(place.status, uid, now);
    });
  }

  /** Lets a container that has ended wait in CrashLoopBackOff, as for the last moments before its next start, and tells MODIFIED. */
  backOffContainer(uid: string, containerName: string): void {
    this.#alter(uid, containerName, ({ status }) => {
      if (status.state?.terminated === undefined) throw invalidArgument("backOffContainer: it has not ended");
      backOff(status);
    });
  }

  /**
   * Lets the runtime lose a container that runs, as when somebody removes it: the kubelet infers that it has ended, with the reason
   * ContainerStatusUnknown, exit code 137 and no ID, and counts a restart. Tells MODIFIED.
   */
  loseContainer(uid: string, containerName: string): void {
    this.#alter(uid, containerName, ({ status }, { metadata }) => {
      if (status.state?.running === undefined) throw invalidArgument("loseContainer: it does not run");
      lose(status, metadata.deletionTimestamp !== undefined);
    });
  }

  /**
   * Restarts all containers of a pod in place, as a restart rule with RestartAllContainers does: tells MODIFIED when they are removed,
   * of whose ends nothing is left, and again when the next ones run. Returns the new lives.
   */
  restartAllContainers(uid: string): ContainerInstance[] {
    this.#tell(() => this.#store.removeContainers(uid));
    return this.startPod(uid);
  }

  /** Lets the readiness probes of a container succeed or fail, of all that run where none is named, and tells MODIFIED. */
  setReady(uid: string, ready: boolean, containerName?: string): void {
    if (typeof ready !== "boolean") throw invalidArgument("setReady: true or false is expected");
    this.#tell(() => this.#store.setReady(uid, ready, containerName));
  }

  /** Adds a container as `kubectl debug` does, starts it, and tells MODIFIED. Returns its life. */
  addEphemeralContainer(
    uid: string,
    container: { name: string; image: string; targetContainerName?: string | undefined },
  ): ContainerInstance {
    this.#open();
    this.#store.addEphemeral(uid, container);
    return this.startContainer(uid, container.name);
  }

  /** Writes to the log of a container's present or latest life, below `logRoot`, as a runtime does. */
  writeLog(uid: string, containerName: string, text: string): void {
    this.#files.writeLog(this.#store.stored(uid).pod, this.#latest(uid, containerName), text, this.#store.now);
  }

  /**
   * Makes a process in a container: `cgroup`, `stat`, `comm` and `ns/net` below `procRoot`. A number that is taken goes over to it, with
   * another start. Returns the number.
   */
  addProcess(uid: string, containerName: string, { pid }: { pid?: number | undefined } = {}): number {
    return this.#files.addProcess(this.#store.stored(uid).pod, this.#latest(uid, containerName), pid);
  }

  /** Sets a deletion timestamp, as `kubectl delete` does, and tells MODIFIED. What ends the pod is {@link finishPod}. */
  deletePod(uid: string, options: { gracePeriodSeconds?: number } = {}): void {
    checkOptions(options, { gracePeriodSeconds: "number" }, "deletePod");
    const { gracePeriodSeconds = 30 } = options;
    if (!(gracePeriodSeconds >= 0 && gracePeriodSeconds <= 1e9))
      throw invalidArgument("gracePeriodSeconds: not a number of seconds");
    this.#tell(() => this.#store.delete(uid, gracePeriodSeconds));
  }

  /** Evicts a pod: MODIFIED with phase Failed, while its containers run. They end with {@link finishPod}. */
  evictPod(uid: string, { reason = "Evicted", message = "The node was low on memory." }: Reason = {}): void {
    this.#tell(() => this.#store.evict(uid, { reason, message }));
  }

  /**
   * Ends a pod's containers and tells the watchers MODIFIED, and then DELETED, with its identity only. The pod stays listed
   * until {@link removePod}, as Succeeded, or as Failed where it has failed already, unless `phase` says otherwise.
   */
  finishPod(uid: string, phase?: FinishedPhase): void {
    this.#tell(() => this.#store.finish(uid, phase));
  }

  /** Changes a pod's labels. Kubelets send no event for that: lists and new watches show it. */
  setLabels(uid: string, labels: Readonly<Record<string, string>>): void {
    const isMap =
      typeof labels === "object" &&
      labels !== null &&
      Object.values(labels).every((value) => typeof value === "string");
    if (!isMap) throw invalidArgument("setLabels: an object of texts is expected");
    this.#open();
    this.#store.label(uid, labels);
  }

  /** Asks for other resources of a container: lists show them, events those that it has until {@link allocate}. */
  resizePod(uid: string, containerName: string, resources: ResourcesJson): void {
    this.#ask(uid, (pod, json) => resize(pod, containerName, resources, json));
  }

  /** Gives a pod the resources that it was asked for. Tells MODIFIED. */
  allocate(uid: string): void {
    this.#tell(() => this.#store.allocate(uid));
  }

  /**
   * Gives a container devices, CPUs, memory and claims in the place of those that it had, as the kubelet's managers do; only
   * the podresources API tells it. It stays over restarts.
   */
  assignResources(uid: string, containerName: string, resources: AssignedResources): void {
    this.#open();
    this.#process.resources.assign(uid, containerName, resources);
  }

  /** Sets what the node can give, for the podresources API; nothing of what is left out. */
  setAllocatable(resources: Partial<AllocatableResources>): void {
    this.#open();
    this.#process.resources.setAllocatable(resources);
  }

  /**
   * Removes a pod's object. Kubelets tell nobody. One that has not been finished leaves the lists first (a manifest that is
   * gone, a forced delete): {@link finishPod} tells DELETED then.
   */
  removePod(uid: string): void {
    this.#open();
    this.#store.remove(uid);
    this.#files.follow(this.#store.entries());
  }

  /**
   * Deletes, finishes and removes one pod after the other, as `kubectl drain` makes the kubelet do: all but static pods and
   * those of DaemonSets. Returns their UIDs.
   */
  async drain(): Promise<string[]> {
    const drained: string[] = [];
    for (const { pod, finished } of this.#store.entries()) {
      if (!this.#store.has(pod.metadata.uid)) continue; // gone since the last turn
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
   * Sets whether the kubelet has yet to read its pod sources: 1.37 refuses every call while it has, 1.36 answers as if there
   * were no pods. When it has read them, the pods that its workers had not looked at are told.
   */
  setInitializing(initializing: boolean): void {
    this.#open();
    this.#process.setInitializing(initializing);
  }

  /**
   * Stands still until {@link resume}, as a process after SIGSTOP: connections are accepted, and nothing is answered. (HTTP/2
   * itself goes on where a connection was open before.)
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
   * Starts a new process on a new socket, which listens when the promise resolves. Its pods are those that are listed now,
   * seen anew (`kubernetes.io/config.seen`). Restarts follow one another; {@link close} ends a downtime.
   */
  async restart(options: RestartOptions = {}): Promise<void> {
    this.#open();
    return this.#process.restart(options);
  }

  /** Ends the server and leaves nothing behind. Calling it again gives the same promise. */
  close(): Promise<void> {
    return this.#process.close();
  }

  /** Closes it, as {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #ask(uid: string, change: (pod: PodMessage, json: FromJsonOptions) => void): void {
    this.#open();
    this.#store.ask(uid, change);
  }

  #change(uid: string, name: string, change: ContainerChange): ContainerInstance {
    this.#alter(uid, name, change);
    return this.#latest(uid, name);
  }

  #alter(uid: string, name: string, change: ContainerChange): void {
    this.#tell(() => this.#store.changeContainer(uid, name, change));
  }

  #latest(uid: string, name: string): ContainerInstance {
    const instance = containerOf(this.#store.stored(uid).pod, name)?.instance;
    if (instance === undefined) throw invalidArgument("the container has not run, or there is none of this name");
    return instance;
  }

  #tell(change: () => PodChange[]): void {
    this.#open();
    const changes = change();
    this.#files.follow(this.#store.entries()); // what runs is there before it is told
    this.#process.tell(changes);
  }

  #open(): void {
    if (this.#process.isClosed) throw closedError("reference kubelet");
  }
}
