import { isActive, type PodRecord, podEndIn } from "../known/record.js";
import type { Version } from "../known/version.js";
import type { Time } from "../lookup/anchors.js";
import type { Answer, Found } from "../lookup/answer.js";
import { isPresent } from "../lookup/candidates.js";
import type { IndexedPod, LearnedEnd } from "../lookup/key-interval.js";
import { currentInterval, type KeyOwner, ownerOf } from "../lookup/key-owner.js";
import type { LookupKey } from "../lookup/pod-key.js";
import { KINDS } from "../lookup/pod-key.js";
import { runsIn } from "../lookup/pod-keys.js";
import type { RetentionWant } from "../lookup/retention.js";
import type { View } from "../lookup/view.js";
import type { ContainerRun } from "../pod/container-run.js";
import { decoding } from "./consumer.js";
import { Scope, type Selection } from "./selection.js";

/**
 * Finds pods by keys for one informer: applies its selection, its mask and its retention to the shared index. Decodes each version of a pod
 * once, at the first read.
 */
export class PodFinder<P> {
  readonly #scope: Scope;
  readonly #includeFinished: boolean;
  readonly #read: (version: Version) => P;
  readonly #window: RetentionWant;
  readonly #decoded = new WeakMap<Version, P>();

  constructor(selection: Selection, window: RetentionWant) {
    this.#scope = new Scope(selection);
    this.#includeFinished = selection.includeFinished;
    this.#read = decoding<P>(selection.mask).read;
    this.#window = window;
  }

  count(records: Iterable<PodRecord>): number {
    return this.#scope.count(records);
  }

  list(records: Iterable<PodRecord>): P[] {
    const list: P[] = [];
    for (const record of records)
      if (this.#scope.shows(record.version, isActive(record))) list.push(this.#decode(record.version));
    return list;
  }

  present(lookupKey: LookupKey, view: View): P | undefined {
    const interval = currentInterval(lookupKey, view);
    if (interval === undefined || interval.end !== undefined || !this.#isShown(interval.entry, view)) return undefined;
    return this.#endOf(interval.entry) === undefined ? this.#decode(interval.entry.record.version) : undefined;
  }

  /** Returns the answer to a key, now or at a time. */
  find(lookupKey: LookupKey, at: Time | undefined, view: View): Answer<P> {
    const answer = ownerOf(lookupKey, at, view);
    return this.#found(answer, lookupKey, view) ?? this.#noPod(answer, at, view);
  }

  /**
   * Returns the answer of {@link find} if it ends a wait for the key. An address or name ends it if the pod is neither terminating nor
   * unconfirmed or, with a time, if the pod may have had the key then. While the view is stale, only UIDs and container IDs end a wait.
   */
  awaited(lookupKey: LookupKey, at: Time | undefined, view: View): Found<P> | undefined {
    const isExact = !KINDS[lookupKey.kind].passesOn;
    if (!isExact && !view.isSynced) return undefined;
    const answer = ownerOf(lookupKey, at, view);
    const { interval } = answer;
    if (interval === undefined) return undefined;
    if (!isExact && (at === undefined ? !isPresent(interval, lookupKey.kind, view) : answer.reason === "idle"))
      return undefined;
    return this.#found(answer, lookupKey, view);
  }

  /** Returns true if a pod is selected, exists or ended within the informer's `retainMs`, and has all fields of the mask. */
  #isShown(entry: IndexedPod, view: View): boolean {
    return this.#isSelected(entry, view) && this.#scope.knows(entry.record.version);
  }

  /** Returns true if a pod is selected, and exists or ended within the informer's `retainMs`. */
  #isSelected(entry: IndexedPod, view: View): boolean {
    const { version } = entry.record;
    const isSeen = isActive(entry.record);
    if (isSeen || (this.#includeFinished && entry.gone === undefined)) return this.#scope.has(version, isSeen);
    const wasThere = this.#includeFinished || entry.active !== undefined;
    return wasThere && this.#isRetained(this.#endOf(entry), view) && this.#scope.has(version, true);
  }

  #isRetained(end: LearnedEnd | undefined, { index, now }: View): boolean {
    if (end === undefined) return true;
    const { retainMs, maxRetained } = this.#window;
    return now().nowMs - end.atMs < retainMs && index.retention.ends - end.nth < maxRetained;
  }

  /** Returns the end of a pod for this informer. Without `includeFinished` a finished pod has ended. */
  #endOf({ gone, active }: IndexedPod): LearnedEnd | undefined {
    return this.#includeFinished ? gone : (active?.end ?? gone);
  }

  /** Returns an answer with the pod of the interval, if the pod is selected, and exists or ended within `retainMs`. */
  #found({ interval, confidence, reason, others }: KeyOwner, lookupKey: LookupKey, view: View): Found<P> | undefined {
    if (interval === undefined || !this.#isShown(interval.entry, view) || !this.#isRetained(interval.end, view))
      return undefined;
    const { entry } = interval;
    const end = this.#endOf(entry);
    const container = this.#containerOf(entry, lookupKey, view);
    const pod = this.#decode(entry.record.version);
    if (end === undefined) return { pod, container, confidence, reason, others, gone: undefined };
    const { nowMs, wallMs } = view.now();
    const toDate = (ms: number) => new Date(ms - nowMs + wallMs);
    const after = toDate(Math.max(end.untilMs, entry.fromMs)); // it existed when it was first reported
    const gone = { at: toDate(end.atMs), after, cause: end.cause, end: podEndIn(entry.record) };
    return { pod, container, confidence, reason, others, gone };
  }

  /** Returns the answer without a pod. It is uncertain if a forgotten pod may have had the key. */
  #noPod({ interval, confidence, reason, others }: KeyOwner, at: Time | undefined, view: View): Answer<P> {
    const noPod = { pod: undefined, container: undefined, others, gone: undefined };
    const isPast = at !== undefined && at.ms < view.now().nowMs;
    const isForgotten =
      interval === undefined
        ? isPast && !this.#reaches(at.ms, view)
        : !this.#isRetained(interval.end, view) || !this.#isRetained(this.#endOf(interval.entry), view);
    if (isForgotten && reason !== "clock") {
      const sinceMs = interval === undefined ? at?.ms : (interval.end ?? this.#endOf(interval.entry))?.atMs;
      const isEvicted = reason !== "before-start" && this.#isRecent(sinceMs, view);
      return { ...noPod, confidence: "uncertain", reason: isEvicted ? "evicted" : "before-start" };
    }
    if (interval !== undefined && this.#isSelected(interval.entry, view) && !this.#isShown(interval.entry, view)) {
      // The pod lacks fields of the mask.
      const { gone, record } = interval.entry;
      const reason = gone !== undefined ? "before-start" : record.isUnreadable ? "unreadable" : "unconfirmed";
      return { ...noPod, confidence: "uncertain", reason };
    }
    return { ...noPod, confidence: confidence === "confirmed" ? "reported" : confidence, reason };
  }

  /** Returns true if a time is within the informer's retention, so that only the number of ends can have dropped one. */
  #isRecent(ms: number | undefined, { now }: View): boolean {
    const { retainMs, maxRetained } = this.#window;
    return maxRetained > 0 && ms !== undefined && ms > now().nowMs - retainMs;
  }

  /** Returns true if all ends since a time are retained. */
  #reaches(ms: number, view: View): boolean {
    return this.#isRecent(ms, view) && ms > view.index.retention.forgottenMs;
  }

  /** Returns the container run that a key names. Without a restart count it is the latest run. */
  #containerOf(
    entry: IndexedPod,
    { containerID, containerName, restartCount }: LookupKey,
    view: View,
  ): ContainerRun | undefined {
    if (containerID === undefined && containerName === undefined) return undefined;
    const isWhose = (each: ContainerRun) =>
      containerID === undefined
        ? each.name === containerName && (restartCount === undefined || each.restartCount === restartCount)
        : each.containerID === containerID;
    const known = runsIn(entry.shown ?? entry.record.version).find(isWhose);
    if (known !== undefined) return entry.gone === undefined || known.ended ? known : { ...known, ended: true };
    for (const { instance, end } of entry.ended ?? [])
      if (isWhose(instance) && this.#isRetained(end, view)) return instance;
    return undefined;
  }

  #decode(version: Version): P {
    let pod = this.#decoded.get(version);
    if (pod === undefined) {
      pod = this.#read(version);
      this.#decoded.set(version, pod);
    }
    return pod;
  }
}
