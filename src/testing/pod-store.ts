import { clone, create } from "@bufbuild/protobuf";
import { dropOldest } from "../drop-oldest.js";
import { invalidArgument } from "../errors/pods-error.js";
import {
  ContainerStatusSchema,
  PodSchema,
  type PodSpec,
  type PodStatus,
  PodStatusSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { TimeSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { FromJsonOptions } from "../pod/from-json.js";
import { SEEN_ANNOTATION } from "../pod/lifecycle.js";
import type { Pod } from "../pod/pod.js";
import { isFinished, isReady, isStatic } from "../pod/pod-state.js";
import { toDate } from "../pod/time.js";
import { printable } from "../printable.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { allocate, withAllocated } from "./allocation.js";
import { isCreated, type Place, placeOf, removeToRestart, toTime } from "./container-status.js";
import { DELETIONS, type DeletionReason, disrupt, type EvictionReason } from "./disruption.js";
import type { FinishOptions } from "./kubelet-options.js";
import { copyOf, NODE_NAME, type PodInput, refused, stamp, stampOf, toPod, toStaticPod } from "./pod-input.js";
import { derive } from "./pod-phase.js";
import {
  begin,
  end,
  evict,
  type FinishedPhase,
  illegalRestart,
  probed,
  probedAnew,
  sameStatus,
  setAddresses,
  settle,
  start,
  terminate,
  unprobed,
  unverified,
} from "./pod-status.js";
import type { ProfileFacts } from "./profile.js";
import { identityOf } from "./wire-pod.js";

/** An event that a kubelet sends its watchers. */
export interface PodChange {
  type: "ADDED" | "MODIFIED" | "DELETED";
  pod: Pod;
  /** Where the bytes of the pod are cut off; undefined if they are complete. */
  corrupt?: Corruption | undefined;
}

/** The place at which the bytes of a pod are cut off: after its identity, or before it. */
export type Corruption = "after-identity" | "before-identity";

/** A pod that the kubelet knows. */
export interface StoredPod {
  /** The object from the source, with the latest status from the pod's worker. */
  pod: Pod;
  /** True if the source still has the object. A worker may outlive the object. */
  listed: boolean;
  /** True once the worker has reported a status in this process. */
  reported: boolean;
  /** True once the kubelet has finished the pod. */
  finished: boolean;
  /** True if the pod was admitted, so that there is something to finish. */
  ran: boolean;
  /** True for a pod that is not ready until its probes have succeeded in this process. */
  unprobed: boolean;
  /** IDs of its containers when the process before this one ended. */
  lastIDs: ReadonlySet<string>;
  /** The manifest that the pod was made from; undefined for a pod that was not given as a manifest. */
  manifest: PodInput | undefined;
  /** The allocated spec, if it differs from the spec of the object. */
  allocated: PodSpec | undefined;
  /** The last reported status, if the current status has not been reported yet. */
  sent: PodStatus | undefined;
}

interface AddOptions {
  /** False if the pod's worker has not reported a status yet. */
  reported?: boolean;
  /** True if the input is a manifest from a file. */
  fromFile?: boolean;
  /** True if the pod existed before the first call. If the pod has ended, the kubelet has already finished it. */
  before?: boolean;
}

/** Changes the status of one container of a pod. */
export type ContainerChange = (place: Place, pod: Pod, now: Date) => void;

/** The pod sources that a kubelet has read. */
export interface Sources {
  file: boolean;
  api: boolean;
}

function idsOf({ status }: Pod): ReadonlySet<string> {
  return new Set(status.containerStatuses.map(({ containerID }) => containerID));
}

/** Apparent uptime of the first process. */
const LONG_MS = 3_600_000;

/**
 * Stores the pods of a kubelet and returns the events for their changes, like the pod manager and the status manager of a kubelet
 * (pkg/kubelet/pod, pkg/kubelet/status).
 */
export class PodStore {
  facts: ProfileFacts;
  sources: Sources = { file: true, api: true };
  readonly #pods = new Map<string, StoredPod>();
  /** UIDs of removed pods. A test may not reuse them, because no cluster does. */
  readonly #gone = new Set<string>();
  /** Options for reading pods from JSON. */
  readonly json: FromJsonOptions;

  readonly #clock: Clock;
  /** True until the first restart. */
  #isFirst = true;

  constructor(facts: ProfileFacts, json: FromJsonOptions = {}, clock: Clock = systemClock) {
    this.facts = facts;
    this.json = json;
    this.#clock = clock;
  }

  /** The current time of the kubelet's clock. */
  get now(): Date {
    return new Date(this.#clock.wallMs());
  }

  /**
   * The time at which this process first saw a new pod. In the first process this is one hour ago, as on a node that has been up for long.
   * Clients then rely on its lists, because a kubelet that has been up for long has read its sources.
   */
  get seen(): Date {
    return new Date(this.now.getTime() - (this.#isFirst ? LONG_MS : 0));
  }

  /**
   * The creation time that the socket file shows. It is one hour ago for a release that refuses calls while it initializes, because such a
   * kubelet has read all sources by the time it answers.
   */
  get since(): Date {
    return this.facts.refusesUntilReady ? new Date(this.now.getTime() - LONG_MS) : this.seen;
  }

  get ready(): boolean {
    return this.sources.file && this.sources.api;
  }

  /** Returns the listed pods of the sources that have been read, sorted by UID. */
  entries(): StoredPod[] {
    return [...this.#pods.values()]
      .filter((entry) => entry.listed && this.#isRead(entry))
      .sort((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1));
  }

  get(uid: string): StoredPod | undefined {
    const entry = this.#pods.get(uid);
    return entry?.listed === true && this.#isRead(entry) ? entry : undefined;
  }

  /** Returns true if the source has the pod, even if the source has not been read. */
  has(uid: string): boolean {
    return this.#pods.get(uid)?.listed === true;
  }

  /** Returns a pod as lists, GetPod and the first events of a watch show it now. */
  served({ pod, reported, sent }: StoredPod): Pod {
    if (reported) return sent === undefined ? pod : { ...pod, status: sent };
    // A manifest has no status, so the pod is Pending until its worker has reported one (applyDefaults in pkg/kubelet/config).
    if (isStatic(pod)) return { ...pod, status: create(PodStatusSchema, { phase: "Pending" }) };
    return this.facts.hidesUnverifiedReady ? { ...pod, status: unverified(pod.status) } : pod;
  }

  /** Adds a pod. Returns the event of its worker's first status, unless the status comes later or came before the first call. */
  add(input: PodInput, { reported = true, fromFile = false, before = false }: AddOptions = {}): PodChange[] {
    const pod = fromFile ? this.#readManifest(input) : toPod(input, this.json);
    const since = before ? this.seen : this.now;
    stamp(pod, stampOf("api", since));
    const { metadata } = pod;
    if (!isStatic(pod) && toDate(metadata.creationTimestamp) === undefined)
      metadata.creationTimestamp = create(TimeSchema, toTime(since));
    if (!isStatic(pod) && this.#gone.has(pod.metadata.uid)) {
      throw refused(pod, "a pod with this UID was already removed", "use another UID: the API server never reuses one");
    }
    const known = this.#pods.get(pod.metadata.uid);
    if (known !== undefined) {
      if (known.listed) throw refused(pod, "a pod with this UID already exists");
      throw refused(pod, "the previous pod with this UID is not finished", "call finishPod(uid) first");
    }
    const ended = isFinished(pod);
    const entry: StoredPod = {
      pod,
      listed: true,
      reported: before && reported,
      finished: before && reported && ended,
      ran: !ended,
      unprobed: false,
      lastIDs: idsOf(pod),
      allocated: undefined,
      sent: undefined,
      manifest: fromFile ? input : undefined,
    };
    this.#pods.set(pod.metadata.uid, entry);
    if (reported && !before && begin(pod.status, pod)) this.#derive(pod.status, pod);
    return reported && !before ? this.#report(entry, pod.status) : [];
  }

  /** Replaces the pod with the same UID. Returns an event if the status has changed or the pod is terminating. */
  update(input: PodInput): PodChange[] {
    const pod = toPod(input, this.json);
    const entry = this.#pods.get(pod.metadata.uid);
    if (entry === undefined) throw refused(pod, "there is no pod with this UID");
    const again = illegalRestart(entry.pod.status, pod);
    if (again !== undefined) {
      const name = printable(again, 63);
      throw refused(pod, `container ${name} has ended, and its restartPolicy does not let it run again`);
    }
    const before = entry.pod.status;
    stamp(pod, entry.pod.metadata.annotations);
    entry.pod = pod;
    entry.ran ||= !isFinished(pod);
    return this.#report(entry, before);
  }

  /**
   * Ends all containers and finishes the pod. Returns the event of the ended containers, if any, and then DELETED. A pod that is no longer
   * listed is removed from the store.
   */
  finish(uid: string, as: FinishedPhase | undefined, { sendsAsNew = false }: FinishOptions = {}): PodChange[] {
    if (as !== undefined && as !== "Succeeded" && as !== "Failed")
      throw invalidArgument("finishPod: phase must be Succeeded or Failed");
    const entry = this.#known(uid);
    if (sendsAsNew && !isStatic(entry.pod)) throw refused(entry.pod, "only a static pod is sent as new before its end");
    const changes = this.#restate(entry, (status) => {
      end(status, (as ?? status.phase) === "Failed", this.now);
      this.#derive(status, entry.pod, false, true);
      const { phase } = status;
      if (as === undefined || phase === as || isStatic(entry.pod)) return;
      throw refused(
        entry.pod,
        `the exit codes of its containers lead to phase ${phase}`,
        "call finishPod(uid) without a phase",
      );
    });
    entry.finished = true;
    entry.pod = clone(PodSchema, entry.pod) as Pod;
    terminate(entry.pod.status, entry.pod);
    if (!entry.listed) this.#forget(uid);
    if (sendsAsNew) changes.push({ type: "MODIFIED", pod: asNew(entry.pod) });
    return [...changes, { type: "DELETED", pod: identityOf(entry.pod) }];
  }

  setSandbox(uid: string, isReady: boolean): PodChange[] {
    const entry = this.#known(uid);
    return this.#restate(entry, (status) => {
      if (!isReady && hasRunning(entry.pod))
        throw refused(entry.pod, "its sandbox stays ready while containers run", "call endContainer() first");
      this.#derive(status, entry.pod, isReady);
    });
  }

  /** Starts the pod's containers and makes them ready. */
  start(uid: string, ip?: string): PodChange[] {
    const entry = this.#known(uid);
    return this.#restate(entry, (status) => {
      if (isFinal(status)) throw refused(entry.pod, "it has ended and cannot start again");
      entry.pod.spec.nodeName ||= NODE_NAME;
      start(status, entry.pod, this.now, ip);
      this.#derive(status, entry.pod, true);
    });
  }

  /** Changes one container. @throws PodsError `invalid-argument` if the pod has no container of this name. */
  changeContainer(uid: string, name: string, change: ContainerChange): PodChange[] {
    const entry = this.#known(uid);
    const { now } = this;
    return this.#restate(entry, (status) => {
      const place = placeOf(entry.pod, name);
      if (place === undefined) throw refused(entry.pod, "the pod has no container with this name");
      const isStopping = isFinal(status) || entry.pod.metadata.deletionTimestamp !== undefined;
      change(place, entry.pod, now);
      const runs = place.status.state?.running !== undefined;
      if (runs) setAddresses(status, entry.pod);
      // The sandbox of a pod that is being stopped ends with its last container.
      const isStopped = isStopping && !hasRunning(entry.pod);
      const isMade = runs || isCreated(place.status);
      this.#derive(status, entry.pod, isMade || (isStopped ? false : undefined), isStopped);
      return !isStopping || isStopped;
    });
  }

  /** Removes all containers before new ones are created. */
  removeContainers(uid: string): PodChange[] {
    const entry = this.#known(uid);
    return this.#restate(entry, (status) => {
      for (const each of [...status.initContainerStatuses, ...status.containerStatuses]) removeToRestart(each);
      this.#derive(status, entry.pod);
    });
  }

  /** Sets the readiness of all running containers, or of one. */
  setReady(uid: string, isReady: boolean, name: string | undefined): PodChange[] {
    const entry = this.#known(uid);
    return this.#restate(entry, (status) => {
      const meant = status.containerStatuses.filter((each) => name === undefined || each.name === name);
      if (name !== undefined && meant.length === 0) throw refused(entry.pod, "the pod has no container with this name");
      for (const each of meant) each.ready = isReady && each.state?.running !== undefined;
      this.#derive(status, entry.pod);
    });
  }

  /** Returns a stored pod. @throws PodsError `invalid-argument` if there is none. */
  stored(uid: string): StoredPod {
    return this.#known(uid);
  }

  /** Adds an ephemeral container to the pod's spec. The kubelet does not restart it. */
  addEphemeral(
    uid: string,
    container: { name: string; image: string; targetContainerName?: string | undefined },
  ): void {
    const entry = this.#known(uid);
    if (placeOf(entry.pod, container.name) !== undefined)
      throw refused(entry.pod, "the pod already has a container with this name");
    const { targetContainerName = "", ...common } = container;
    const added = copyOf({ spec: { ephemeralContainers: [{ ...common, targetContainerName }] } }, this.json);
    entry.pod = clone(PodSchema, entry.pod) as Pod;
    entry.pod.spec.ephemeralContainers.push(...added.spec.ephemeralContainers);
  }

  /** Stops the pod. Its phase is Failed before its containers end. */
  evict(uid: string, reason: EvictionReason, message: string): PodChange[] {
    const entry = this.#known(uid);
    return this.#restate(entry, (status) => {
      if (isFinal(status)) throw refused(entry.pod, "it has already ended");
      evict(status, reason, message);
      if (reason === "DeadlineExceeded") this.#derive(status, entry.pod);
    });
  }

  /** Deletes the pod's object: sets the deletion timestamp and, with a reason, the condition `DisruptionTarget`. Returns the event. */
  delete(uid: string, gracePeriodSeconds: number, reason: DeletionReason | undefined): PodChange[] {
    const entry = this.#known(uid);
    const before = entry.pod.status;
    entry.sent = undefined;
    entry.pod = clone(PodSchema, entry.pod) as Pod;
    const { metadata, status } = entry.pod;
    metadata.deletionTimestamp = create(TimeSchema, toTime(new Date(this.#clock.wallMs() + gracePeriodSeconds * 1000)));
    metadata.deletionGracePeriodSeconds = BigInt(Math.ceil(gracePeriodSeconds));
    if (reason !== undefined) disrupt(status, reason, DELETIONS[reason]);
    return this.#report(entry, before);
  }

  label(uid: string, labels: Readonly<Record<string, string>>): void {
    const entry = this.#known(uid);
    entry.pod = clone(PodSchema, entry.pod) as Pod;
    entry.pod.metadata.labels = { ...labels };
  }

  /** Changes the requested resources of the object. The worker keeps the allocated ones. */
  ask(uid: string, change: (pod: Pod, json: FromJsonOptions) => void): void {
    const entry = this.#known(uid);
    const asked = clone(PodSchema, entry.pod) as Pod;
    change(asked, this.json);
    entry.allocated ??= entry.pod.spec;
    entry.pod = asked;
  }

  allocate(uid: string): PodChange[] {
    const entry = this.#known(uid);
    entry.allocated = undefined;
    return this.#restate(entry, (status) => allocate(entry.pod.spec, status));
  }

  /** Removes the pod's object from its source. The worker stays if it has reported the pod and still has to finish it. */
  remove(uid: string): void {
    const entry = this.#known(uid);
    if (entry.finished || !entry.reported || !entry.ran) this.#forget(uid);
    else entry.listed = false;
  }

  /** Ends the process. */
  stop(): void {
    for (const entry of this.#pods.values()) entry.lastIDs = idsOf(entry.pod);
  }

  /** Begins a new process. Its sources have the same objects, with new stamps, and its workers have not reported any of them. */
  restart(): void {
    this.#isFirst = false;
    const { seen } = this;
    for (const [uid, entry] of [...this.#pods]) {
      if (!entry.listed) this.#forget(uid);
      else if (entry.manifest !== undefined && this.#replace(uid, entry, entry.manifest)) continue;
      entry.pod = clone(PodSchema, entry.pod) as Pod;
      entry.pod.metadata.annotations[SEEN_ANNOTATION] = seen.toISOString();
      if (entry.unprobed) probed(entry.pod.status); // the final state, as if it had been probed already
      Object.assign(entry, { reported: false, finished: false, unprobed: false, sent: undefined });
    }
  }

  /**
   * Returns the first events of the workers of this process. Pods that have ended are finished again. With `areProbed`, containers have
   * already been probed.
   */
  firstReports(areProbed: boolean): PodChange[] {
    return this.entries()
      .filter(({ reported }) => !reported)
      .flatMap((entry) => {
        const { pod } = entry;
        const anew = probedAnew(pod, this.facts.inheritsProbesByID ? entry.lastIDs : undefined);
        entry.unprobed = !areProbed && anew.size > 0 && isReady(pod);
        const first = this.#restate(entry, (status) => {
          if (entry.unprobed) unprobed(status, pod, anew);
        });
        entry.finished = isFinished(entry.pod);
        return entry.finished ? [...first, { type: "DELETED", pod: identityOf(entry.pod) }] : first;
      });
  }

  /** Lets probes succeed after the first status of their pods. Returns the events. */
  firstProbes(): PodChange[] {
    return this.entries()
      .filter((entry) => entry.unprobed)
      .flatMap((entry) => {
        entry.unprobed = false;
        return this.#restate(entry, probed);
      });
  }

  /** Sets the phase and conditions that follow from the containers. With `isTerminal`, no container runs again. */
  #derive(status: PodStatus, pod: Pod, sandbox?: boolean, isTerminal = false): void {
    const { explainsSandbox, keepsFailed } = this.facts;
    derive(status, pod, { sandbox, isTerminal, explainsSandbox, keepsFailed });
  }

  /** Returns the events for a worker's new status (updateStatusInternal in pkg/kubelet/status/status_manager.go). */
  #report(entry: StoredPod, before: PodStatus): PodChange[] {
    const { pod, reported, finished } = entry;
    settle(pod.status, before, pod, this.now);
    const terminating = pod.metadata.deletionTimestamp !== undefined;
    entry.reported = true;
    if (reported && !terminating && sameStatus(before, pod.status)) return [];
    if (finished && !isStatic(pod)) return [{ type: "DELETED", pod: identityOf(pod) }];
    return [{ type: reported || terminating ? "MODIFIED" : "ADDED", pod: withAllocated(pod, entry.allocated) }];
  }

  /**
   * Changes a status and returns its event. If `change` returns false, there is no event, and the event of a later change includes this
   * change.
   */
  #restate(entry: StoredPod, change: (status: PodStatus) => unknown): PodChange[] {
    const before = entry.pod;
    entry.pod = clone(PodSchema, before) as Pod;
    const sent = entry.sent ?? before.status;
    try {
      entry.sent = change(entry.pod.status) === false ? sent : undefined;
    } catch (error) {
      entry.pod = before; // a refused status changes nothing
      throw error;
    }
    return entry.sent === undefined ? this.#report(entry, sent) : [];
  }

  #readManifest(manifest: PodInput): Pod {
    return toStaticPod(manifest, this.json, this.facts.manifestHash, this.seen);
  }

  /** Replaces a static pod if its manifest has another UID in this release. Returns true if it was replaced. */
  #replace(uid: string, entry: StoredPod, manifest: PodInput): boolean {
    const pod = this.#readManifest(manifest);
    if (pod.metadata.uid === uid) return false;
    this.#pods.delete(uid);
    if (entry.pod.status.phase === "Running") start(pod.status, pod, this.now);
    const anew = { reported: false, finished: false, unprobed: false, allocated: undefined, sent: undefined };
    this.#pods.set(pod.metadata.uid, { ...entry, ...anew, pod });
    return true;
  }

  #isRead({ pod }: StoredPod): boolean {
    return isStatic(pod) ? this.sources.file : this.sources.api;
  }

  #forget(uid: string): void {
    this.#pods.delete(uid);
    this.#gone.add(uid);
    dropOldest(this.#gone, REMEMBERED);
  }

  #known(uid: string): StoredPod {
    const entry = this.#pods.get(uid);
    if (entry === undefined)
      throw invalidArgument("the reference kubelet has no pod with this UID", "kubelet.pods lists its pods");
    return entry;
  }
}

/** Returns a pod as a kubelet that has forgotten its status sends it: Pending, with containers that were never created. */
function asNew(pod: Pod): Pod {
  const containerStatuses = pod.spec.containers.map(({ name, image }) =>
    create(ContainerStatusSchema, { name, image, state: { waiting: { reason: "ContainerCreating" } } }),
  );
  return { ...pod, status: create(PodStatusSchema, { phase: "Pending", containerStatuses }) };
}

/** Maximum number of remembered UIDs of removed pods. */
const REMEMBERED = 10_000;

function isFinal({ phase }: PodStatus): boolean {
  return phase === "Failed" || phase === "Succeeded";
}

function hasRunning({ status }: Pod): boolean {
  return [...status.initContainerStatuses, ...status.containerStatuses].some(
    ({ state }) => state?.running !== undefined,
  );
}

function uidOf({ pod }: StoredPod): string {
  return pod.metadata.uid;
}
