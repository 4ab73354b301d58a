import type { Change, DeleteCause, ListFacts } from "../known/log.js";
import { hasFinished, isActive, isIdle, type PodRecord } from "../known/record.js";
import { isOlderVersion } from "../known/status-order.js";
import type { Version } from "../known/version.js";
import { sameKeyFacts } from "../pod/facts.js";
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
import { areEqual, keysIn, NO_KEYS, runsOn } from "./pod-keys.js";
import { Retention, type RetentionWant } from "./retention.js";
import { Spans } from "./spans.js";

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
      if (entry.gone !== undefined || list.touched.has(entry.record.uid)) continue;
      const { record, fromMs, reportedMs } = entry;
      if (record.unconfirmed !== undefined) beginUnknown(entry, Math.max(fromMs, lostMs));
      else if (record.isUnreadable) beginUnknown(entry, reportedMs);
      else {
        entry.listedMs = nowMs;
        if (!record.hasEmptyStatus && confirm(entry, nowMs)) confirmed.push(entry);
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
    const before = isNew ? undefined : { ...keyedOf(entry), head: older.head };
    const had: Had = {
      before,
      shown: entry.shown ?? older,
      end: once(() => this.#end(entry, "finished", now, isListed)),
    };
    const lastMs = Math.max(entry.reportedMs, entry.listedMs);
    entry.reportedMs = now.nowMs;
    if (isActive(record)) entry.active = STILL_ACTIVE;
    else if (entry.active === STILL_ACTIVE) entry.active = { end: had.end() };
    takeKeys(entry, isListed || isNew);
    // The status of a finished pod keeps its address for days, while the node gives the address to other pods.
    entry.hasAddresses = isActive(record) && !hasFinished(record);
    this.#noteIdle(entry, now.nowMs, isListed);
    // A status does not name the sandbox. If no container kept running, another sandbox may have the same address.
    if (before?.hasAddresses && entry.keys !== before.keys && !runsOn(older, record.version)) {
      entry.replaced ??= new Spans();
      entry.replaced.add(lastMs + 1, now.nowMs);
    }
    if (before === undefined || !areAlike(before, keyedOf(entry))) {
      this.#shift(entry, had, now, isListed);
      this.#passBy(entry, had, now, isListed);
    }
    // A status without containers shows no addresses.
    if (record.hasEmptyStatus) beginUnknown(entry, now.nowMs);
    else confirm(entry, now.nowMs);
  }

  /** Ends the intervals of the keys that a pod has lost, and begins those of its new keys. */
  #shift(entry: IndexedPod, had: Had, now: Now, isListed: boolean): void {
    const after = keyedOf(entry);
    for (const kind of KIND_NAMES) {
      const { keysOf } = KINDS[kind];
      const [lost, gained] = difference(had.before === undefined ? NONE : keysOf(had.before), keysOf(after));
      for (const text of lost) this.#release(entry, kind, text, had.end, had.shown);
      for (const text of gained) this.#hold(entry, kind, text, now, isListed);
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
  #passBy(entry: IndexedPod, had: Had, now: Now, isListed: boolean): void {
    if (entry.hasAddresses || !this.retention.isOn || this.evidence.sinceMs > now.nowMs) return;
    for (const kind of KIND_NAMES) {
      const { keysOf, of } = KINDS[kind];
      if (of !== "sandbox") continue;
      const before = had.before === undefined ? NONE : keysOf({ ...had.before, hasAddresses: true });
      const [, gained] = difference(before, keysOf({ ...keyedOf(entry), hasAddresses: true }));
      for (const text of gained) {
        this.#hold(entry, kind, text, now, isListed);
        this.#release(entry, kind, text, had.end, entry.record.version);
      }
    }
  }

  #drop(record: PodRecord, cause: DeleteCause, now: Now, isListed: boolean): void {
    const entry = this.entry(record.uid);
    if (entry === undefined || entry.gone !== undefined) return;
    const end = this.#end(entry, cause, now, isListed);
    entry.gone = end;
    entry.shown = undefined; // the bytes are replaced below
    if (entry.active === STILL_ACTIVE) entry.active = { end };
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
  #untilMs({ unknown }: IndexedPod, nowMs: number, isListed: boolean): number {
    const untilMs = Math.min(this.evidence.reportedUntilMs(nowMs), unknown?.openMs ?? nowMs - SETTLED_MS);
    return isListed ? Math.min(untilMs, this.evidence.listedMs - SETTLED_MS) : untilMs;
  }
}

/** The keys of a pod before a change. */
interface Had {
  /** Its keys; undefined if it is new. */
  readonly before: KeyedPod | undefined;
  /** The version that showed them. */
  readonly shown: Version;
  /** Returns the end of the keys that it has lost. */
  readonly end: () => LearnedEnd;
}

/** Returns the texts that only the first list has, and those that only the second one has. */
function difference(
  before: readonly string[],
  after: readonly string[],
): readonly [readonly string[], readonly string[]] {
  return [before.filter((text) => !after.includes(text)), after.filter((text) => !before.includes(text))];
}

/** Returns true if two states of a pod have the same keys. */
function areAlike(a: KeyedPod, b: KeyedPod): boolean {
  const isSame = a.keys === b.keys && a.hasAddresses === b.hasAddresses;
  return isSame && a.head.name === b.head.name && a.head.namespace === b.head.namespace;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const STILL_ACTIVE: IndexedPod["active"] = { end: undefined };

/** Makes an entry without keys. */
function begin(record: PodRecord, { nowMs }: Now): IndexedPod {
  return {
    record,
    keys: NO_KEYS,
    shown: undefined,
    hasAddresses: false,
    fromMs: nowMs,
    active: undefined,
    gone: undefined,
    unknown: undefined,
    ranMs: undefined,
    idle: undefined,
    replaced: undefined,
    reportedMs: nowMs,
    listedMs: Number.NEGATIVE_INFINITY,
    former: undefined,
    ended: undefined,
  };
}

/**
 * Takes the keys of a pod's last version, unless its status is empty. An event whose status is older than the one before is left to the next
 * list.
 *
 * @param isDecided true for a list, or the first report of the pod.
 */
function takeKeys(entry: IndexedPod, isDecided: boolean): void {
  const { record, keys, shown } = entry;
  const { version, hasEmptyStatus } = record;
  if (hasEmptyStatus) return;
  const isSame = shown !== undefined && sameKeyFacts(shown.bytes, version.bytes);
  const read = isSame ? keys : keysIn(version);
  const lacks = keys.containerIDs.some((id) => !read.containerIDs.includes(id));
  if (lacks && !isDecided && shown !== undefined && isOlderVersion(version, shown)) return;
  entry.shown = version;
  if (!areEqual(keys, read)) entry.keys = read;
}

/** Returns the parts of a pod that its keys are read from. */
export function keyedOf({ record, keys, hasAddresses }: IndexedPod): KeyedPod {
  return { head: record.version.head, keys, hasAddresses };
}

/** Notes that the state of a pod is unknown from a time on. The kubelet may have been late before. */
function beginUnknown(entry: IndexedPod, fromMs: number): void {
  entry.unknown ??= new Spans();
  if (entry.unknown.openMs === undefined) entry.unknown.set(fromMs - SETTLED_MS, Number.POSITIVE_INFINITY);
}

/** Notes that the state of a pod is known. Returns true if it was not. */
function confirm({ unknown }: IndexedPod, nowMs: number): boolean {
  if (unknown?.openMs === undefined) return false;
  unknown.set(nowMs, undefined);
  return true;
}
