import { type End, type PodEnding, podEndOf } from "../pod/end.js";
import { sameBytes } from "../pod/equality.js";
import { factsOf } from "../pod/facts.js";
import { isFinishedHead, isStaticHead } from "../pod/head.js";
import { isFinalPhase } from "../pod/lifecycle.js";
import { isSameMask } from "../pod/mask.js";
import { afterVersion, deletionStart, type EndingStart, readEnding, type Stop, stopOf } from "../pod/stop.js";
import type { PodRuns } from "./run-fold.js";
import { EMPTY_STATUS_MS, graceMs, SLACK_MS } from "./times.js";
import { areWrittenAlike, isAnother, type Version } from "./version.js";

/** The number of consecutive lists that must show an ended pod running before it counts as running again. */
const RUNNING_AGAIN_AFTER = 2;

/**
 * The state of a pod.
 *
 * - `active`: readers without `includeFinished` receive it. An event with a final phase does not change that: the pod stays active until
 *   DELETED, or until a list shows it finished.
 * - `finished`: its status shows that it has finished. It can run again.
 * - `over`: a list has shown that its containers have ended for good. An event that shows it running is older than that list.
 * - `deleted`: the kubelet has sent DELETED. Every later event of the pod is late. Its object can stay listed for days.
 * - `gone`: it has left the lists. Only readers that retain pods keep the record.
 *
 * `listsRunning` is the number of consecutive lists that show a container running although the pod has ended.
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
 * - `none`: no status has named one so far.
 * - `some`: the last status names some, or an earlier process may have started containers.
 * - an object: the last status names none, although containers may be running. The status is ignored until `believedFromMs`.
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

/** The known facts about a pod, from its first message until it leaves the lists. */
export interface PodRecord {
  readonly uid: string;
  /** The last version that could be read. */
  version: Version;
  standing: Standing;
  names: NamesContainers;
  /**
   * True if the last version names no container, although containers may be running. Such a status says nothing about containers, addresses
   * and the end of the pod, so their last known state stays. Only {@link newRecord} and {@link takeVersion} set it.
   */
  hasEmptyStatus: boolean;
  /** Why the pod is unconfirmed; undefined if it is not. Only the AbsenceJudge sets it. */
  unconfirmed: UnconfirmedReason | undefined;
  /** True if the last message about the pod could not be read, so that `version` is older. Only UnreadablePods sets it. */
  isUnreadable: boolean;
  /** Since when the pod's object is expected to be removed. No event reports that. */
  removalSinceMs: number | undefined;
  /**
   * Why the kubelet stops the pod, from any version so far: if the containers of an evicted pod exit with 0, its last status is Succeeded,
   * without a reason. Undefined if the kubelet does not stop the pod. Only {@link newRecord} and {@link takeVersion} set it.
   */
  stop: Stop | undefined;
  /** Start of its deletion; undefined if it is not deleted. */
  deletion: EndingStart | undefined;
  /** Its container runs; undefined until a reader reads runs. Only the RunBook sets it. */
  runs: PodRuns | undefined;
}

/** Returns true if readers without `includeFinished` receive the pod. */
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

/** Returns how a pod ended; undefined if its last status names no container, although some may have run. */
export function podEndIn(record: PodRecord): End | undefined {
  const { version, hasEmptyStatus } = record;
  return hasEmptyStatus ? undefined : podEndOf(readEnding(version.bytes), record);
}

/**
 * Returns true if a pod has started, has not ended, and has no running container. Its sandbox and address may no longer exist, although the
 * kubelet still shows the address (getPodIPs in pkg/kubelet/pleg/generic.go).
 *
 * @param hasRun true if a container of the pod is known to have run. A pod is Pending until its init containers have ended.
 */
export function isIdle({ version, hasEmptyStatus }: PodRecord, hasRun = false): boolean {
  const { running, phase } = version.head;
  return (phase === "Running" || (phase === "Pending" && hasRun)) && !running && !hasEmptyStatus;
}

/**
 * Makes the record of a new pod.
 *
 * @param hadEnded true if the pod was known before, had ended, and has been in no list since.
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
    ...endingIn(version),
    runs: undefined,
  };
}

export function takeDeleted(record: PodRecord): void {
  const { standing } = record;
  record.standing = { is: "deleted", listsRunning: isEnded(standing) ? standing.listsRunning : 0 };
}

/** Notes that the pod has left the lists. */
export function takeGone(record: PodRecord): void {
  record.standing = GONE;
}

/** Called when another kubelet process lists the pods. A pod that an earlier process had ended may run again. */
export function takeProcess(record: PodRecord): void {
  if (isEnded(record.standing)) record.standing = FINISHED;
}

/**
 * Takes the next version of a known pod. Returns `changed`, `same` if it shows nothing new, or why it is not taken: `late`, or `another` if
 * it belongs to another pod with the same UID. The first rule that applies counts:
 *
 * 1. An event whose phase is not final, although the same process has sent a final one with the same stamp: `late`.
 * 2. An event of a static pod that has ended: `late` if it shows the same pod finished, otherwise `another`.
 * 3. An event of a deleted pod, or one that shows a pod unfinished that is over: `late`.
 * 4. Another creation time, or two stamps of one process: `another`.
 * 5. A list that shows a static pod active although it has ended: `another`.
 * 6. A list of an ended pod: the pod becomes what the list shows if two consecutive lists show it running. Otherwise it stays as it is.
 * 7. Any other version: active if it shows the pod active; over if it comes from a list and all containers have ended; otherwise finished.
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
  if (by === "event" && isSamePod && goesBack(before, version)) return "late";
  if (by === "event" && isEnded(standing)) {
    if (isStaticHead(head)) return isSamePod && isFinishedHead(head) ? "late" : "another";
    if (standing.is === "deleted" || !isFinishedHead(head)) return "late";
  }
  if (!isSamePod) return "another";
  const isRepeated = isRepeat(before, version);
  // An event that repeats an empty status adds nothing. A list decides whether the status counts.
  const isEmpty = judgeEmpty(record, version, nowMs) || (by === "event" && isRepeated && record.hasEmptyStatus);
  const shown = showsActive(record, version, by, isEmpty) ? ACTIVE : FINISHED;
  if (by === "list" && isEnded(standing) && shown === ACTIVE && isStaticHead(head)) return "another";
  const wasActive = isActive(record);
  if (by === "list") record.standing = listed(standing, version, shown);
  else if (!isEnded(standing)) record.standing = shown;
  if (isEnded(standing) && !isEnded(record.standing)) record.removalSinceMs = undefined;
  const { stop, deletion } = endingIn(version, record, isRepeated);
  record.stop = stop;
  record.deletion = deletion;
  const isSame = isRepeated && isEmpty === record.hasEmptyStatus;
  record.hasEmptyStatus = isEmpty;
  // The copies of one list share a buffer. An old copy would keep an old buffer alive.
  if (isSame) before.bytes = version.bytes;
  // If another process sent the same bytes, it has read the pod, too.
  if (!isSame || !areWrittenAlike(before, version)) record.version = version;
  return isSame && isActive(record) === wasActive ? "same" : "changed";
}

/**
 * Returns true if the phase of a pod goes back from a final one. A status manager never does that (updateStatusInternal in
 * pkg/kubelet/status/status_manager.go), but just before DELETED a kubelet sends a static pod once more as if it were new.
 */
function goesBack(before: Version, after: Version): boolean {
  const [a, b] = [before.head, after.head];
  return isFinalPhase(a.phase) && !isFinalPhase(b.phase) && areWrittenAlike(before, after) && a.seen === b.seen;
}

/**
 * Returns true if a version repeats the one before. Even if the bytes are equal, more fields may be retained now. Then the version counts as
 * changed, so that readers which wait for these fields receive them.
 */
function isRepeat(before: Version, after: Version): boolean {
  return isSameMask(before.retained, after.retained) && sameBytes(before.bytes, after.bytes);
}

/** Returns true if a version shows its pod active, unless its status is ignored. */
function showsActive(record: PodRecord, version: Version, by: "event" | "list", isEmpty: boolean): boolean {
  const isFinished = isFinishedHead(version.head);
  if (by === "event") return isActive(record) || !isFinished;
  // A process lists a pod as pending until it has looked at it. So a finished static pod that is listed as pending may be a new one.
  if (isEmpty) return isActive(record) || (!isFinished && !areWrittenAlike(record.version, version));
  return !isFinished;
}

/**
 * Returns the state of an ended pod after a list. A pod that was removed from the kubelet's configuration and added again has the same UID
 * and runs again (pkg/kubelet/pod_workers.go). Running containers prove that; a phase does not.
 *
 * @param shown the state that the version alone shows.
 */
function listed(before: Standing, version: Version, shown: Standing): Standing {
  if (!isEnded(before)) return showsEnd(version) ? OVER : shown;
  const listsRunning = version.head.running ? before.listsRunning + 1 : 0;
  return listsRunning < RUNNING_AGAIN_AFTER ? { is: before.is, listsRunning } : shown;
}

/**
 * Returns true if the new version of a known pod has an empty status: it names no container, although containers may be running. A kubelet
 * that has just started lists static pods like this, and also a pod that it rejects while its containers run. Such a status is ignored until
 * the containers must have ended, or the kubelet must have looked at them.
 */
function judgeEmpty(record: PodRecord, version: Version, nowMs: number): boolean {
  const { hasStatuses, graceSeconds } = version.head;
  // Since an earlier process reported the pod, containers may have started, and those that it was stopping may still run.
  if (hasStatuses || !areWrittenAlike(record.version, version)) record.names = "some";
  // A process that was killed may have started a pending pod without reporting it.
  const endsUnseen = isActive(record) && isFinishedHead(version.head) && !isFinishedHead(record.version.head);
  if (hasStatuses || (record.names === "none" && !endsUnseen)) return false;
  if (typeof record.names !== "object")
    record.names = { believedFromMs: nowMs + graceMs(graceSeconds) + EMPTY_STATUS_MS };
  return nowMs < record.names.believedFromMs - SLACK_MS;
}

/**
 * Returns true if a list with this version shows that the pod's containers have ended for good. Neither a status without containers nor the
 * status of a static pod shows that.
 */
function showsEnd({ head }: Version): boolean {
  return isFinishedHead(head) && head.hasStatuses && !isStaticHead(head);
}

/**
 * Returns true if a version belongs to the next pod of a static pod that may still run. If a manifest is put back within the grace period, the
 * kubelet shows the next pod at once, but with the status of the previous one, which it has by UID (pkg/kubelet/status/status_manager.go).
 * Once a container of the next pod has started, the previous pod has ended.
 */
export function isNextPod(record: PodRecord, after: Version): boolean {
  const { version: before, standing } = record;
  const mayRun = !isEnded(standing) && !hasFinished(record);
  return mayRun && isStaticHead(after.head) && isAnother(before, after) && !hasStarted(before, after);
}

/**
 * Returns true if a container of a static pod has started since the stamp of the pod, so that the pod before it has ended. Times of containers
 * are whole seconds: a start in the second of the stamp may have been before it, unless the pod has another address, and so another sandbox.
 */
function hasStarted(before: Version, { head, bytes }: Version): boolean {
  const seenMs = Date.parse(head.seen);
  const [facts, factsBefore] = [factsOf(bytes), factsOf(before.bytes)];
  const known = new Set(factsBefore.containers.map(({ containerID }) => containerID));
  const starts = facts.containers.map(({ containerID, state }) =>
    known.has(containerID) ? 0 : Number(state?.running?.startedAt?.seconds ?? 0),
  );
  const latestSeconds = Math.max(0, ...starts);
  if (latestSeconds * 1_000 > seenMs) return true;
  const hasOtherIPs = facts.ips.some(Boolean) && !facts.ips.some((ip) => ip !== "" && factsBefore.ips.includes(ip));
  return latestSeconds === Math.floor(seenMs / 1_000) && hasOtherIPs;
}

/** Returns what ends the containers of a pod. `record` is the state before this version. A repeated version shows nothing new. */
function endingIn(
  version: Version,
  record?: Pick<PodRecord, "version" | "stop" | "deletion">,
  isRepeated = false,
): PodEnding {
  const { head, wallMs } = version;
  const before = record?.version;
  // A static pod continues to run if the kubelet is restarted before it has stopped the containers.
  const runsOn = before !== undefined && before.process.number !== version.process.number && head.running;
  const isFinal = isFinalPhase(head.phase);
  const stop = runsOn && !isFinal ? undefined : record?.stop;
  const deletion = record?.deletion;
  // The kubelet writes the reason together with a final phase, before it stops the containers.
  const isNew = (isFinal && stop === undefined) || (head.terminating && deletion === undefined);
  if (!isNew || isRepeated)
    return { stop: stop && afterVersion(stop, wallMs), deletion: deletion && afterVersion(deletion, wallMs) };
  const pod = readEnding(version.bytes);
  const podBefore = before && readEnding(before.bytes);
  const stopped = stop ?? stopOf(pod, podBefore);
  const deleted = deletion ?? deletionStart(pod, podBefore);
  return { stop: stopped && afterVersion(stopped, wallMs), deletion: deleted && afterVersion(deleted, wallMs) };
}
