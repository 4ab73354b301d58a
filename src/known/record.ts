import { isFinishedHead, isStaticHead } from "../pod/head.js";
import { areWrittenAlike, type Entry } from "./entry.js";
import { ENDING_MS, graceMs, SLACK_MS } from "./times.js";

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
 *
 * `listsRunning` is the number of lists in a row that show a container running although the pod has ended.
 */
export type Standing = { readonly is: "active" } | { readonly is: "finished" } | Ended;

interface Ended {
  readonly is: "over" | "deleted";
  readonly listsRunning: number;
}

const ACTIVE: Standing = { is: "active" };
export const FINISHED: Standing = { is: "finished" };
const OVER: Ended = { is: "over", listsRunning: 0 };

/** A listed pod, as far as it is known. */
export interface PodRecord {
  /** The newest version that could be read. */
  entry: Entry;
  standing: Standing;
  /** Since when the removal of its object is awaited, which no event reports. */
  removalSinceMs: number | undefined;
  /** True if a status has named a container, or may have. */
  hadStatuses: boolean;
  /** The time until which a status without containers is ignored; undefined if the last status named some. */
  bareUntilMs: number | undefined;
}

/** Returns true if readers without `includeFinished` see the pod. */
export function isActive({ standing }: PodRecord): boolean {
  return standing.is === "active";
}

/** Returns true if a pod is over or deleted. */
export function isEnded(standing: Standing): standing is Ended {
  return standing.is === "over" || standing.is === "deleted";
}

/**
 * Returns how a pod stands that was not known.
 *
 * @param hadEnded true if the pod was known before, had ended, and was in no list since.
 */
export function first(entry: Entry, by: "event" | "list", hadEnded = false): Standing {
  const shown = isFinishedHead(entry.head) ? FINISHED : ACTIVE;
  return by === "list" ? listed(hadEnded ? OVER : shown, entry, shown) : shown;
}

/** Returns how a pod stands after DELETED. */
export function deleted(before: Standing): Standing {
  return { is: "deleted", listsRunning: isEnded(before) ? before.listsRunning : 0 };
}

/**
 * Judges one more version of a known pod. Returns how the pod stands by it, or that the version is `late`, or of `another` pod under the
 * same UID. Also decides whether its status is empty. The first rule that applies counts:
 *
 * 1. By an event, a static pod that has ended: late if the event shows the same pod finished, otherwise another pod.
 * 2. By an event, a pod that is deleted, or that is over and shown unfinished: late.
 * 3. Created at another time, or stamped twice by one process: another pod.
 * 4. By a list, a static pod that has ended and is shown active: another pod.
 * 5. By a list, an ended pod that two lists in a row show running: it stands as shown. Other ended pods stay as they are.
 * 6. Shown active: active. Otherwise over, if a list shows that all of its containers have ended, and finished if not.
 */
export function next(record: PodRecord, entry: Entry, by: "list", nowMs: number): Standing | "another";
export function next(record: PodRecord, entry: Entry, by: "event", nowMs: number): Standing | "late" | "another";
export function next(
  record: PodRecord,
  entry: Entry,
  by: "event" | "list",
  nowMs: number,
): Standing | "late" | "another" {
  const { head } = entry;
  const { standing } = record;
  const isSame = !isAnother(record.entry, entry);
  if (by === "event" && isEnded(standing)) {
    if (isStaticHead(head)) return isSame && isFinishedHead(head) ? "late" : "another";
    if (standing.is === "deleted" || !isFinishedHead(head)) return "late";
  }
  if (!isSame) return "another";
  judgeBare(record, entry, nowMs);
  const shown = showsActive(record, entry, by) ? ACTIVE : FINISHED;
  if (by === "event") return isEnded(standing) ? standing : shown;
  if (isEnded(standing) && shown === ACTIVE && isStaticHead(head)) return "another";
  return listed(standing, entry, shown);
}

/** Returns true if a version shows its pod active, as far as its status counts. */
function showsActive(record: PodRecord, entry: Entry, by: "event" | "list"): boolean {
  const isFinished = isFinishedHead(entry.head);
  if (by === "event") return isActive(record) || !isFinished;
  // A process that has not looked at a pod yet lists it as pending. So a finished static pod that is listed as pending may have been put
  // back.
  if (entry.isBare === true) return isActive(record) || (!isFinished && !areWrittenAlike(record.entry, entry));
  return !isFinished;
}

/**
 * Returns how a pod stands by a list. Removed from the kubelet's configuration and added again, a pod has the same UID and runs again
 * (pkg/kubelet/pod_workers.go). Running containers prove that, a phase does not.
 *
 * @param shown how the version alone shows the pod.
 */
function listed(before: Standing, entry: Entry, shown: Standing): Standing {
  if (!isEnded(before)) return showsEnd(entry) ? OVER : shown;
  const listsRunning = entry.head.running ? before.listsRunning + 1 : 0;
  return listsRunning < RUNNING_AGAIN_AFTER ? { is: before.is, listsRunning } : shown;
}

/**
 * Decides whether the new version of a known pod is bare (its status names no container). A kubelet that has just started lists static pods
 * like this, and a pod that it rejects while its containers run. The known state is kept for as long as the containers may take to end, or
 * the kubelet to look at them.
 */
function judgeBare(record: PodRecord, entry: Entry, nowMs: number): void {
  const { hasStatuses, graceSeconds } = entry.head;
  if (!areWrittenAlike(record.entry, entry)) {
    // Containers may have started since an earlier process reported the pod, and those that it was to end may still run.
    record.hadStatuses = true;
    record.bareUntilMs = undefined;
  }
  // A pending pod may have been started by a process that was killed before it reported the start.
  const endsUnseen = isActive(record) && isFinishedHead(entry.head) && !isFinishedHead(record.entry.head);
  if (hasStatuses || !(record.hadStatuses || endsUnseen || record.bareUntilMs !== undefined)) {
    record.hadStatuses ||= hasStatuses;
    record.bareUntilMs = undefined;
    return;
  }
  record.bareUntilMs ??= nowMs + graceMs(graceSeconds) + ENDING_MS;
  if (nowMs < record.bareUntilMs - SLACK_MS) entry.isBare = true;
  else record.hadStatuses = false;
}

/**
 * Returns true if a list with this version shows that the pod's containers have ended for good. A status without containers does not show
 * it, nor does the status of a static pod.
 */
function showsEnd({ head }: Entry): boolean {
  return isFinishedHead(head) && head.hasStatuses && !isStaticHead(head);
}

/**
 * Returns true if an entry is another pod under the same UID: the first one was deleted and another created unseen. Its creation time
 * differs, or one process has stamped it twice, as it does for a static pod whose manifest was removed and put back.
 */
function isAnother(before: Entry, after: Entry): boolean {
  const [a, b] = [before.head, after.head];
  if (isStaticHead(b) && areWrittenAlike(before, after)) return a.seen !== "" && b.seen !== "" && a.seen !== b.seen;
  return a.created !== undefined && b.created !== undefined && a.created !== b.created;
}
