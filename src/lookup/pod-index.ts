import type { Change, DeleteCause, ListFacts } from "../known/log.js";
import { hasFinished, isActive, isIdle, type PodRecord } from "../known/record.js";
import type { Version } from "../known/version.js";
import { startMs } from "../pod/head.js";
import { Anchors, type Now } from "./anchors.js";
import { Evidence } from "./evidence.js";
import {
  type EndedContainer,
  type IndexedPod,
  type KeyInterval,
  type LearnedEnd,
  SETTLED_MS,
  type TimedInterval,
} from "./key-interval.js";
import { type KeyedPod, KIND_NAMES, KINDS, type KindName, keyText, NONE } from "./pod-key.js";
import { isEarlier, keysOf, NO_KEYS, runsOn } from "./pod-keys.js";
import { Retention, type RetentionWant } from "./retention.js";
import { Spans } from "./spans.js";

/** The most gaps of a pod that are stored separately. Later gaps extend the last one. */
const MAX_POD_GAPS = 10;

const NO_INTERVALS: readonly KeyInterval[] = [];

/**
 * An index of all pods that the kubelet lists, and of retained ones, by key. All informers of a client share it. Pure: no clock, no I/O.
 */
export class PodIndex {
  /** The latest interval of each key, by kind. */
  readonly #intervals = Object.fromEntries(KIND_NAMES.map((kind) => [kind, new Map()])) as Record<
    KindName,
    Map<string, KeyInterval>
  >;
  readonly evidence: Evidence = new Evidence();
  readonly anchors: Anchors = new Anchors();
  readonly retention: Retention = new Retention();

  /** Returns the pod with this UID: the listed one, otherwise the retained one. */
  entry(uid: string): IndexedPod | undefined {
    return this.#intervals.uid.get(uid)?.entry;
  }

  /** Returns the intervals of a key (in the canonical spelling), the oldest first. */
  intervals(kind: KindName, text: string): readonly KeyInterval[] {
    const last = this.#intervals[kind].get(text);
    if (last === undefined) return NO_INTERVALS;
    const intervals: KeyInterval[] = [];
    for (let each: KeyInterval | undefined = last; each !== undefined; each = each.before) intervals.push(each);
    return intervals.reverse();
  }

  /**
   * Begins with all known pods. The time since which they have had their keys is unknown.
   *
   * @param list the last list; undefined if no stream is live.
   */
  begin(records: Iterable<PodRecord>, now: Now, list: ListFacts | undefined): void {
    this.anchors.note(now);
    for (const record of records) this.#put(record, record.version, now);
    if (list !== undefined) this.evidence.begin(list, now.nowMs);
  }

  /**
   * Adds changes.
   *
   * @param isListed true if they come from a list: they may have happened at any time since the list before.
   */
  accept(changes: readonly Change[], now: Now, isListed: boolean): void {
    this.anchors.note(now);
    if (!this.retention.isOn) this.retention.forgottenMs = now.nowMs;
    for (const { record, before, version, isGone, cause } of changes) {
      if (isGone) this.#drop(record, cause, now, isListed);
      else this.#put(record, before ?? version, now, isListed);
    }
  }

  lost(nowMs: number): void {
    this.evidence.lost(nowMs);
  }

  /** Called when a list is complete. Returns the pods that it confirms and that were unconfirmed or unreadable before. */
  listed(list: ListFacts, nowMs: number): IndexedPod[] {
    const confirmed: IndexedPod[] = [];
    const lostMs = this.evidence.listed(list, nowMs);
    for (const { entry } of this.#intervals.uid.values()) {
      if (entry.gone !== undefined) continue;
      const { record, fromMs, reportedMs } = entry;
      if (record.unconfirmed !== undefined) entry.lostFromMs ??= Math.max(fromMs, lostMs);
      else if (record.isUnreadable) entry.lostFromMs ??= reportedMs;
      else {
        entry.listedMs = nowMs;
        if (entry.lostFromMs === undefined || record.hasEmptyStatus) continue;
        confirm(entry, nowMs);
        confirmed.push(entry);
      }
    }
    return confirmed;
  }

  /** Adds an informer's retention. The longest time and the largest number of all informers apply. */
  want(want: RetentionWant): void {
    this.retention.add(want);
  }

  /** Removes a want that {@link want} has added. */
  unwant(want: RetentionWant): void {
    this.retention.delete(want);
  }

  /** @param older the version before, or the first one. */
  #put(record: PodRecord, older: Version, now: Now, isListed = false): void {
    const known = this.entry(record.uid);
    const isNew = known === undefined || known.gone !== undefined;
    const entry = isNew ? begin(record, now) : known;
    const { version, hasEmptyStatus } = record;
    const { keys, hasAddresses, reportedMs } = entry;
    let end: LearnedEnd | undefined;
    const ends = () => {
      end ??= this.#end(entry, "finished", now, isListed);
      return end;
    };
    entry.reportedMs = now.nowMs;
    if (isActive(record)) {
      entry.wasActive = true;
      entry.finished = undefined;
    } else if (entry.wasActive) entry.finished ??= ends();
    let read = hasEmptyStatus ? keys : keysOf(version, keys, entry.keysFrom);
    // The kubelet may send two updates of a pod in the wrong order. The next list decides.
    const shown = entry.newest ?? older;
    const newest = isNew || isListed ? undefined : (entry.newest ?? entry.keysFrom);
    const lacks = keys.containerIDs.some((id) => !read.containerIDs.includes(id));
    entry.newest = lacks && newest !== undefined && isEarlier(version, newest) ? newest : undefined;
    if (entry.newest !== undefined) read = keys;
    entry.keys = read;
    if (!hasEmptyStatus && entry.newest === undefined) entry.keysFrom = version;
    // The status of a finished pod keeps its address for days, while the node gives the address to other pods.
    entry.hasAddresses = isActive(record) && !hasFinished(record);
    this.#noteIdle(entry, now.nowMs, isListed);
    // A status does not name the sandbox. If no container kept running, another sandbox may have the same address.
    if (hasAddresses && entry.keys !== keys && !runsOn(older, version)) {
      entry.replaced ??= new Spans();
      entry.replaced.add(Math.max(reportedMs, entry.listedMs) + 1, now.nowMs);
    }
    const isLike =
      !isNew &&
      entry.keys === keys &&
      entry.hasAddresses === hasAddresses &&
      older.head.name === version.head.name &&
      older.head.namespace === version.head.namespace;
    if (!isLike) {
      const before = isNew ? undefined : { head: older.head, keys, hasAddresses };
      this.#shift(entry, before, ends, shown, now, isListed);
      this.#passBy(entry, before, ends, now, isListed);
    }
    // A status without containers shows no addresses.
    if (hasEmptyStatus) entry.lostFromMs ??= now.nowMs;
    else confirm(entry, now.nowMs);
  }

  /** Ends the intervals of the keys that a pod has lost, and begins those of its new keys. */
  #shift(
    entry: IndexedPod,
    before: KeyedPod | undefined,
    endOf: () => LearnedEnd,
    older: Version,
    now: Now,
    isListed: boolean,
  ): void {
    const after = keyedOf(entry);
    for (const kind of KIND_NAMES) {
      const { keysOf } = KINDS[kind];
      const [had, has] = [before === undefined ? NONE : keysOf(before), keysOf(after)];
      for (const text of had) if (!has.includes(text)) this.#release(entry, kind, text, endOf, older);
      for (const text of has) if (!had.includes(text)) this.#hold(entry, kind, text, now, isListed);
    }
  }

  /** Notes whether a container of a pod is running. A change that comes from a list may be as old as the list before. */
  #noteIdle(entry: IndexedPod, nowMs: number, isListed: boolean): void {
    const { record } = entry;
    if (record.version.head.running) entry.ranMs ??= nowMs;
    if (isIdle(record, entry.ranMs !== undefined)) {
      entry.idle ??= new Spans();
      entry.idle.set(isListed ? Math.min(nowMs, this.evidence.listedMs + 1) : nowMs, Number.POSITIVE_INFINITY);
    } else if (!record.hasEmptyStatus) entry.idle?.set(nowMs, undefined);
  }

  /**
   * Retains the addresses of a sandbox if the kubelet first reports them after its end. Such a sandbox existed only for a moment.
   */
  #passBy(entry: IndexedPod, before: KeyedPod | undefined, endOf: () => LearnedEnd, now: Now, isListed: boolean): void {
    if (entry.hasAddresses || !this.retention.isOn || this.evidence.sinceMs > now.nowMs) return;
    for (const kind of KIND_NAMES) {
      const { keysOf, of } = KINDS[kind];
      if (of !== "sandbox") continue;
      const had = before === undefined ? NONE : keysOf(withAddresses(before));
      for (const text of keysOf(withAddresses(keyedOf(entry)))) {
        if (had.includes(text)) continue;
        this.#hold(entry, kind, text, now, isListed);
        this.#release(entry, kind, text, endOf, entry.record.version);
      }
    }
  }

  #drop(record: PodRecord, cause: DeleteCause, now: Now, isListed: boolean): void {
    const entry = this.entry(record.uid);
    if (entry === undefined || entry.gone !== undefined) return;
    const end = this.#end(entry, cause, now, isListed);
    entry.gone = end;
    entry.keysFrom = undefined; // the bytes are replaced below
    entry.newest = undefined;
    if (entry.wasActive) entry.finished ??= end;
    const keyed = keyedOf(entry);
    for (const kind of KIND_NAMES)
      for (const text of KINDS[kind].keysOf(keyed)) this.#release(entry, kind, text, () => end);
    if (!this.retention.isOn) return;
    // Copies the bytes, because a view would retain the whole buffer of the stream.
    record.version = { ...record.version, bytes: new Uint8Array(record.version.bytes) };
    this.retention.keep(end, record.version.bytes.length, () => {});
  }

  /**
   * Returns the earliest time, on the monotonic clock, at which a pod can have had addresses: its creation time, or the `config.seen` stamp
   * if the kubelet set it after its start. A time after the first report of the pod comes from another clock, and is ignored.
   */
  #beginningOf({ record, fromMs }: IndexedPod): number {
    const { head } = record.version;
    const after = (wallMs: number, leastMs: number) => {
      const { ms, isClear } = this.anchors.timeOf(wallMs);
      return isClear && ms > leastMs && ms < fromMs ? ms : Number.NEGATIVE_INFINITY;
    };
    const seenMs = Date.parse(head.seen);
    const seen = Number.isNaN(seenMs) ? Number.NEGATIVE_INFINITY : after(seenMs, this.evidence.processSinceMs);
    return Math.max(after(startMs(head), Number.NEGATIVE_INFINITY), seen);
  }

  #hold(entry: IndexedPod, kind: KindName, text: string, now: Now, isListed: boolean): void {
    const before = this.#intervals[kind].get(text);
    const interval: KeyInterval = KINDS[kind].passesOn ? this.#timed(entry, now, isListed) : { entry, end: undefined };
    if (before !== undefined) interval.before = before;
    this.#intervals[kind].set(text, interval);
  }

  /**
   * Makes an interval that begins now. Before that, the pod may have had the key only since its creation, and since the last time at which
   * the kubelet would have reported it.
   */
  #timed(entry: IndexedPod, now: Now, isListed: boolean): TimedInterval {
    const { nowMs } = now;
    const reportedMs = this.#untilMs(entry, nowMs, isListed);
    const isNew = entry.fromMs === nowMs;
    const leastMs = isNew ? Math.min(reportedMs, this.evidence.unseenSinceMs(nowMs)) : reportedMs;
    const possibleFromMs = Math.max(this.#beginningOf(entry), leastMs);
    return { entry, possibleFromMs, fromMs: nowMs, end: undefined };
  }

  /** Ends the interval of a key, and retains it if informers want that. `older`: the version with the key, if the pod still exists. */
  #release(entry: IndexedPod, kind: KindName, text: string, endOf: () => LearnedEnd, older?: Version): void {
    const last = this.#intervals[kind].get(text);
    let interval = last;
    while (interval !== undefined && (interval.entry !== entry || interval.end !== undefined))
      interval = interval.before;
    if (interval === undefined) return;
    const { lost } = KINDS[kind];
    const isRetained = this.retention.isOn && (older === undefined || lost === undefined || interval === last);
    const instance = older === undefined || !isRetained ? undefined : lost?.(older, text);
    if (!isRetained || (older !== undefined && lost !== undefined && instance === undefined)) {
      this.#forget(kind, text, interval);
      return;
    }
    const end = endOf();
    interval.end = end;
    const retained = interval;
    const former = keyText({ kind, text });
    const ended: EndedContainer | undefined = instance && { instance: { ...instance, ended: true }, end };
    // The keys of a pod that no longer exists are those of its last version.
    if (older !== undefined) {
      entry.former ??= new Map();
      entry.former.set(former, retained);
    }
    if (ended !== undefined) {
      entry.ended ??= new Set();
      entry.ended.add(ended);
    }
    this.retention.keep(end, 0, () => {
      if (entry.former?.get(former) === retained) entry.former.delete(former);
      if (ended !== undefined) entry.ended?.delete(ended);
      this.#forget(kind, text, retained);
    });
  }

  #forget(kind: KindName, text: string, interval: KeyInterval): void {
    const intervals = this.#intervals[kind];
    const { before } = interval;
    let later = intervals.get(text);
    if (later === interval) {
      if (before === undefined) intervals.delete(text);
      else intervals.set(text, before);
      return;
    }
    while (later !== undefined && later.before !== interval) later = later.before;
    if (later !== undefined) later.before = before;
  }

  #end(entry: IndexedPod, cause: DeleteCause, { nowMs }: Now, isListed: boolean): LearnedEnd {
    const untilMs = this.#untilMs(entry, nowMs, isListed);
    return { atMs: nowMs, untilMs, listedMs: this.evidence.listedMs, cause, nth: ++this.retention.ends };
  }

  /** Returns a time after which a change that is reported now must have happened. A change that only a list reports may be older. */
  #untilMs({ lostFromMs }: IndexedPod, nowMs: number, isListed: boolean): number {
    const untilMs = Math.min(this.evidence.reportedUntilMs(nowMs), (lostFromMs ?? nowMs) - SETTLED_MS);
    return isListed ? Math.min(untilMs, this.evidence.listedMs - SETTLED_MS) : untilMs;
  }
}

/** Makes an entry without keys. */
function begin(record: PodRecord, { nowMs }: Now): IndexedPod {
  return {
    record,
    keys: NO_KEYS,
    keysFrom: undefined,
    hasAddresses: false,
    fromMs: nowMs,
    wasActive: false,
    finished: undefined,
    gone: undefined,
    lostFromMs: undefined,
    gaps: [],
    ranMs: undefined,
    idle: undefined,
    replaced: undefined,
    reportedMs: nowMs,
    listedMs: Number.NEGATIVE_INFINITY,
    former: undefined,
    ended: undefined,
    newest: undefined,
  };
}

/** Returns the parts of a pod that its keys are read from. */
export function keyedOf({ record, keys, hasAddresses }: IndexedPod): KeyedPod {
  return { head: record.version.head, keys, hasAddresses };
}

/** Returns a copy of the pod with its addresses, even if it has ended. */
function withAddresses({ head, keys }: KeyedPod): KeyedPod {
  return { head, keys, hasAddresses: true };
}

/** Called when a pod is confirmed. Notes the gap before, in which the pod may have lost its keys and got them again. */
function confirm(entry: IndexedPod, nowMs: number): void {
  if (entry.lostFromMs === undefined) return;
  const gap = { fromMs: entry.lostFromMs - SETTLED_MS, toMs: nowMs };
  entry.lostFromMs = undefined;
  const last = entry.gaps.at(-1);
  if (last !== undefined && entry.gaps.length >= MAX_POD_GAPS) last.toMs = gap.toMs;
  else entry.gaps.push(gap);
}
