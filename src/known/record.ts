import { type End, podEndOf } from "../pod/end.js";
import { sameBytes } from "../pod/equality.js";
import { isFinishedHead, isStaticHead } from "../pod/head.js";
import { isFinalPhase } from "../pod/lifecycle.js";
import { isEnoughForEnd, readEnding, type Stop, stopOf } from "../pod/stop.js";
import type { PodRuns } from "./run-fold.js";
import { EMPTY_STATUS_MS, graceMs, SLACK_MS } from "./times.js";
import { areWrittenAlike, type Version } from "./version.js";

/** How many lists in a row must show an ended pod running before it counts as running again. */
const RUNNING_AGAIN_AFTER = 2;

/**
 * How a pod stands.
 *
 * - `active`: readers without `includeFinished` see it. A final phase in an event does not change that: the pod stays active until
 *   DELETED, or until a list shows it finished.
 * - `finished`: its status shows that it has finished. It may run again.
 * - `over`: a list has shown that its containers have ended for good. An event that shows it running is older than that list.
 * - `deleted`: the kubelet has sent DELETED. Every later event of it is late. Its object may stay listed for days.
 * - `gone`: it has left the lists. Only readers that retain pods keep the record.
 *
 * `listsRunning` is the number of lists in a row that show a container running although the pod has ended.
 */
export type Standing = { readonly is: "active" | "finished" | "gone" } | Ended;

interface Ended {
  readonly is: "over" | "deleted";
  readonly listsRunning: number;
}

const ACTIVE: Standing = { is: "active" };
const FINISHED: Standing = { is: "finished" };
const OVER: Ended = { is: "over", listsRunning: 0 };
const GONE: Standing = { is: "gone" };

/**
 * Whether the statuses of a pod name containers.
 *
 * - `none`: none has so far.
 * - `some`: the last one does, or an earlier process may have started containers.
 * - an object: the last one does not, though containers may run. Such a status is empty until `believedFromMs`.
 */
type NamesContainers = "none" | "some" | { readonly believedFromMs: number };

/**
 * Why a pod that the last list lacks is unconfirmed, and not deleted yet.
 *
 * - `absent`: the kubelet has just started, and may not have read all its pods yet. DELETED follows after two lists, five seconds apart, that
 *   agree; if more than half of the pods are missing, within a minute.
 * - `source`: the kubelet has just started, and lists no pod of one of its sources, for example while the API server cannot be reached.
 *   DELETED follows once the source is back, and after at most six hours.
 * - `ending`: the pod left the list, and its containers may still run for its grace period. DELETED follows when the kubelet reports the end,
 *   otherwise at a list ten seconds after that time. After a restart of the kubelet that time begins once the kubelet has read all its pods,
 *   after six hours at most.
 * - `no-uid`: the list has an entry without a UID, which may be this pod.
 */
export type UnconfirmedReason = "absent" | "source" | "ending" | "no-uid";

/** A pod under one UID, from the first message about it until it leaves the lists. */
export interface PodRecord {
  readonly uid: string;
  /** The newest version that could be read. */
  version: Version;
  standing: Standing;
  names: NamesContainers;
  /**
   * True if the last version names no container, though containers may run. Such a status shows nothing about containers, addresses and the
   * end of the pod, so their last known state is kept. Only {@link newRecord} and {@link takeVersion} set it.
   */
  hasEmptyStatus: boolean;
  /** Why the record is kept although the last list lacks the pod. Only the AbsenceJudge sets it. */
  unconfirmed: UnconfirmedReason | undefined;
  /** True if the last message about the pod could not be read, so that `version` is older. Only UnreadablePods sets it. */
  isUnreadable: boolean;
  /** Since when the removal of its object is awaited, which no event reports. */
  removalSinceMs: number | undefined;
  /**
   * Why the kubelet stops the pod, as a version shows it. The last version may not say it any more: the status of an evicted pod whose
   * containers end well is Succeeded, without a reason. Undefined if it does not stop it, or if the fields are not retained, which they are
   * while somebody reads ends. Only {@link newRecord} and {@link takeVersion} set it.
   */
  stop: Stop | undefined;
  /** The runs of its containers. Undefined while no reader wants runs. Only the RunBook sets it. */
  runs: PodRuns | undefined;
}

/** Returns true if readers without `includeFinished` see the pod. */
export function isActive({ standing }: PodRecord): boolean {
  return standing.is === "active";
}

/** Returns true if a pod is over or deleted. */
export function isEnded(standing: Standing): standing is Ended {
  return standing.is === "over" || standing.is === "deleted";
}

/** Returns true if the status shows that the pod has finished. An empty status does not. */
export function hasFinished({ version, hasEmptyStatus }: PodRecord): boolean {
  return isFinishedHead(version.head) && !hasEmptyStatus;
}

/** Returns how a pod ended; undefined if too little is known of it. */
export function podEndIn({ version, hasEmptyStatus, stop }: PodRecord): End | undefined {
  if (!isEnoughForEnd(version.retained) || hasEmptyStatus) return undefined;
  return podEndOf(readEnding(version.bytes), stop);
}

/**
 * Returns true if a pod has begun, has not ended, and has no running container now. Its sandbox may have ended, and its address with it,
 * but the kubelet still shows that address (getPodIPs in pkg/kubelet/pleg/generic.go).
 *
 * @param hasRun true if a container of it is known to have run. A pod is Pending until its init containers have ended.
 */
export function isIdle({ version, hasEmptyStatus }: PodRecord, hasRun = false): boolean {
  const { running, phase } = version.head;
  return (phase === "Running" || (phase === "Pending" && hasRun)) && !running && !hasEmptyStatus;
}

/**
 * Makes the record of a pod that was not known.
 *
 * @param hadEnded true if the pod was known before, had ended, and was in no list since.
 */
export function newRecord(version: Version, by: "event" | "list", hadEnded = false): PodRecord {
  const shown = isFinishedHead(version.head) ? FINISHED : ACTIVE;
  return {
    uid: version.head.uid,
    version,
    standing: by === "list" ? listed(hadEnded ? OVER : shown, version, shown) : shown,
    names: version.head.hasStatuses ? "some" : "none",
    hasEmptyStatus: false,
    unconfirmed: undefined,
    isUnreadable: false,
    removalSinceMs: undefined,
    stop: stopIn(version),
    runs: undefined,
  };
}

/** Takes DELETED. */
export function takeDeleted(record: PodRecord): void {
  const { standing } = record;
  record.standing = { is: "deleted", listsRunning: isEnded(standing) ? standing.listsRunning : 0 };
}

/** Notes that the pod has left the lists. */
export function takeGone(record: PodRecord): void {
  record.standing = GONE;
}

/** Notes that another kubelet process lists the pods. That an earlier one had ended a pod shows nothing about this one. */
export function takeProcess(record: PodRecord): void {
  if (isEnded(record.standing)) record.standing = FINISHED;
}

/**
 * Takes one more version of a known pod. Returns `changed`; `same` if it shows nothing new; or why it is not taken: it is `late`, or of
 * `another` pod under the same UID. The first rule that applies counts:
 *
 * 1. By an event, a static pod that has ended: late if the event shows the same pod finished, otherwise another pod.
 * 2. By an event, a pod that is deleted, or that is over and shown unfinished: late.
 * 3. Created at another time, or stamped twice by one process: another pod.
 * 4. By a list, a static pod that has ended and is shown active: another pod.
 * 5. By a list, an ended pod that two lists in a row show running: it stands as shown. Other ended pods stay as they are.
 * 6. Shown active: active. Otherwise over, if a list shows that all of its containers have ended, and finished if not.
 */
export function takeVersion(
  record: PodRecord,
  version: Version,
  by: "event" | "list",
  nowMs: number,
): "changed" | "same" | "late" | "another" {
  const { version: before, standing } = record;
  const { head } = version;
  const isSamePod = !isAnother(before, version);
  if (by === "event" && isEnded(standing)) {
    if (isStaticHead(head)) return isSamePod && isFinishedHead(head) ? "late" : "another";
    if (standing.is === "deleted" || !isFinishedHead(head)) return "late";
  }
  if (!isSamePod) return "another";
  const isRepeated = isRepeat(before, version);
  // An event that repeats an empty status adds nothing to it: a list decides whether it is believed.
  const isEmpty = judgeEmpty(record, version, nowMs) || (by === "event" && isRepeated && record.hasEmptyStatus);
  const shown = showsActive(record, version, by, isEmpty) ? ACTIVE : FINISHED;
  if (by === "list" && isEnded(standing) && shown === ACTIVE && isStaticHead(head)) return "another";
  const wasActive = isActive(record);
  if (by === "list") record.standing = listed(standing, version, shown);
  else if (!isEnded(standing)) record.standing = shown;
  if (isEnded(standing) && !isEnded(record.standing)) record.removalSinceMs = undefined;
  if (!isRepeated) record.stop = stopIn(version, record);
  const isSame = isRepeated && isEmpty === record.hasEmptyStatus;
  record.hasEmptyStatus = isEmpty;
  // The copies of one list share a buffer. The old copy would keep an old buffer alive.
  if (isSame) before.bytes = version.bytes;
  // Another process sent the same bytes: it has read the pod, too.
  if (!isSame || !areWrittenAlike(before, version)) record.version = version;
  return isSame && isActive(record) === wasActive ? "same" : "changed";
}

/**
 * Returns true if a version repeats the one before. More fields may be retained now, though the bytes are equal: then readers that wait for
 * these fields receive them.
 */
function isRepeat(before: Version, after: Version): boolean {
  const [a, b] = [before.head, after.head];
  if (a.name !== b.name || a.namespace !== b.namespace) return false; // the retained fields may lack them
  return before.retained === after.retained && sameBytes(before.bytes, after.bytes);
}

/** Returns true if a version shows its pod active, as far as its status counts. */
function showsActive(record: PodRecord, version: Version, by: "event" | "list", isEmpty: boolean): boolean {
  const isFinished = isFinishedHead(version.head);
  if (by === "event") return isActive(record) || !isFinished;
  // A process that has not looked at a pod yet lists it as pending. So a finished static pod that is listed as pending may have been put
  // back.
  if (isEmpty) return isActive(record) || (!isFinished && !areWrittenAlike(record.version, version));
  return !isFinished;
}

/**
 * Returns how a pod stands by a list. Removed from the kubelet's configuration and added again, a pod has the same UID and runs again
 * (pkg/kubelet/pod_workers.go). Running containers prove that, a phase does not.
 *
 * @param shown how the version alone shows the pod.
 */
function listed(before: Standing, version: Version, shown: Standing): Standing {
  if (!isEnded(before)) return showsEnd(version) ? OVER : shown;
  const listsRunning = version.head.running ? before.listsRunning + 1 : 0;
  return listsRunning < RUNNING_AGAIN_AFTER ? { is: before.is, listsRunning } : shown;
}

/**
 * Returns true if the new version of a known pod has an empty status: it names no container, though containers may run. A kubelet that has
 * just started lists static pods like this, and a pod that it rejects while its containers run. Such a status is ignored for as long as the
 * containers may take to end, or the kubelet to look at them.
 */
function judgeEmpty(record: PodRecord, version: Version, nowMs: number): boolean {
  const { hasStatuses, graceSeconds } = version.head;
  // Containers may have started since an earlier process reported the pod, and those that it was to end may still run.
  if (hasStatuses || !areWrittenAlike(record.version, version)) record.names = "some";
  // A pending pod may have been started by a process that was killed before it reported the start.
  const endsUnseen = isActive(record) && isFinishedHead(version.head) && !isFinishedHead(record.version.head);
  if (hasStatuses || (record.names === "none" && !endsUnseen)) return false;
  if (typeof record.names !== "object")
    record.names = { believedFromMs: nowMs + graceMs(graceSeconds) + EMPTY_STATUS_MS };
  return nowMs < record.names.believedFromMs - SLACK_MS;
}

/**
 * Returns true if a list with this version shows that the pod's containers have ended for good. A status without containers does not show
 * it, nor does the status of a static pod.
 */
function showsEnd({ head }: Version): boolean {
  return isFinishedHead(head) && head.hasStatuses && !isStaticHead(head);
}

/**
 * Returns true if a version is another pod under the same UID: the first one was deleted and another created unseen. Its creation time
 * differs, or one process has stamped it twice, as it does for a static pod whose manifest was removed and put back.
 */
function isAnother(before: Version, after: Version): boolean {
  const [a, b] = [before.head, after.head];
  if (isStaticHead(b) && areWrittenAlike(before, after)) return a.seen !== "" && b.seen !== "" && a.seen !== b.seen;
  return a.created !== undefined && b.created !== undefined && a.created !== b.created;
}

/** Returns why the kubelet stops a pod. `record` is what was known of it before this version. */
function stopIn(version: Version, record?: Pick<PodRecord, "version" | "stop">): Stop | undefined {
  const before = record?.version;
  // A static pod runs on if the kubelet is restarted before it has ended the containers.
  const runsOn = before !== undefined && before.process.number !== version.process.number && version.head.running;
  if (record?.stop !== undefined && !(runsOn && !isFinalPhase(version.head.phase))) return record.stop;
  // The kubelet writes the stop together with a final phase, before it ends the containers.
  if (!isFinalPhase(version.head.phase) || !isEnoughForEnd(version.retained)) return undefined;
  const isKnown = before !== undefined && isEnoughForEnd(before.retained);
  return stopOf(readEnding(version.bytes), isKnown ? readEnding(before.bytes) : undefined);
}
