import type { Change, DeleteCause, ListFacts } from "../known/log.js";
import { hasFinished, isActive, isIdle, type PodRecord } from "../known/record.js";
import type { Version } from "../known/version.js";
import { startMs } from "../pod/head.js";
import { Anchors, type Now } from "./anchors.js";
import { Evidence } from "./evidence.js";
import {
  type Departure,
  type EndedContainer,
  type Holding,
  type PodLife,
  SETTLED_MS,
  type TimedHolding,
} from "./key-interval.js";
import { type KeyedPod, KIND_NAMES, KINDS, type KindName, keyText } from "./pod-key.js";
import { isEarlier, keysOf, NO_KEYS, runsOn } from "./pod-keys.js";
import { Retention, type RetentionWant } from "./retention.js";
import { Spans } from "./spans.js";

/** How many gaps of a pod are remembered separately. Later gaps are merged into the last. */
const MAX_POD_GAPS = 10;

const NO_HOLDINGS: readonly Holding[] = [];
const NONE: readonly string[] = [];

/**
 * An index of the pods that have or had a key. All informers of a client share it, and it has all pods that the kubelet lists. Pure: no
 * clock, no I/O.
 */
export class PodLives {
  /** The latest holding of each key, by kind. */
  readonly #holdings = Object.fromEntries(KIND_NAMES.map((kind) => [kind, new Map()])) as Record<
    KindName,
    Map<string, Holding>
  >;
  readonly evidence: Evidence = new Evidence();
  readonly anchors: Anchors = new Anchors();
  readonly retention: Retention = new Retention();

  /** Returns the pod with this UID: the listed one, otherwise the retained one. */
  life(uid: string): PodLife | undefined {
    return this.#holdings.uid.get(uid)?.life;
  }

  /** Returns the holdings of a key (in the canonical spelling), in the order in which the pods got it. */
  holdings(kind: KindName, text: string): readonly Holding[] {
    const last = this.#holdings[kind].get(text);
    if (last === undefined) return NO_HOLDINGS;
    const holdings: Holding[] = [];
    for (let each: Holding | undefined = last; each !== undefined; each = each.before) holdings.push(each);
    return holdings.reverse();
  }

  /**
   * Begins with all known pods. Nobody knows how long they have had their keys.
   *
   * @param list the last list; undefined if no stream is live.
   */
  begin(records: Iterable<PodRecord>, now: Now, list: ListFacts | undefined): void {
    this.anchors.note(now);
    for (const record of records) this.#put(record, record.version, now);
    if (list !== undefined) this.evidence.begin(list, now.nowMs);
  }

  /**
   * Takes changes.
   *
   * @param isListed true if a list tells them: they may have happened at any time since the list before.
   */
  accept(changes: readonly Change[], now: Now, isListed: boolean): void {
    this.anchors.note(now);
    if (!this.retention.isOn) this.retention.forgottenMs = now.nowMs;
    for (const { record, before, version, isGone, cause } of changes) {
      if (isGone) this.#drop(record, cause, now, isListed);
      else this.#put(record, before ?? version, now, isListed);
    }
  }

  /** Called when the stream is lost. */
  lost(nowMs: number): void {
    this.evidence.lost(nowMs);
  }

  /** Called when a list is complete. Returns the pods that were unconfirmed or unreadable until now. */
  listed(list: ListFacts, nowMs: number): PodLife[] {
    const confirmed: PodLife[] = [];
    const lostMs = this.evidence.listed(list, nowMs);
    for (const { life } of this.#holdings.uid.values()) {
      if (life.gone !== undefined) continue;
      const { record, fromMs, toldMs } = life;
      if (record.unconfirmed !== undefined) life.lostFromMs ??= Math.max(fromMs, lostMs);
      else if (record.isUnreadable) life.lostFromMs ??= toldMs;
      else {
        life.listedMs = nowMs;
        if (life.lostFromMs === undefined || record.hasEmptyStatus) continue;
        confirm(life, nowMs);
        confirmed.push(life);
      }
    }
    return confirmed;
  }

  /** Adds a want: as much is retained as the informers want together. */
  want(want: RetentionWant): void {
    this.retention.add(want);
  }

  /** Takes back what {@link want} was given. */
  unwant(want: RetentionWant): void {
    this.retention.delete(want);
  }

  /** @param older the version before, or the first one. */
  #put(record: PodRecord, older: Version, now: Now, isListed = false): void {
    const known = this.life(record.uid);
    const isNew = known === undefined || known.gone !== undefined;
    const life = isNew ? begin(record, now) : known;
    const { version, hasEmptyStatus } = record;
    const { keys, hasAddresses, toldMs } = life;
    let end: Departure | undefined;
    const ends = () => {
      end ??= this.#end(life, "finished", now, isListed);
      return end;
    };
    life.toldMs = now.nowMs;
    if (isActive(record)) {
      life.wasActive = true;
      life.finished = undefined;
    } else if (life.wasActive) life.finished ??= ends();
    let read = hasEmptyStatus ? keys : keysOf(version, keys, life.keysFrom);
    // Of two updates of a pod the older one may come last. The next list decides.
    const shown = life.newest ?? older;
    const newest = isNew || isListed ? undefined : (life.newest ?? life.keysFrom);
    const lacks = read !== undefined && keys.containerIDs.some((id) => read?.containerIDs.includes(id) !== true);
    life.newest = lacks && newest !== undefined && isEarlier(version, newest) ? newest : undefined;
    if (life.newest !== undefined) read = keys;
    if (read !== undefined) {
      life.keys = read;
      if (!hasEmptyStatus && life.newest === undefined) life.keysFrom = version;
      // A kubelet shows the address of a finished pod for days, while the node gives it to other pods.
      life.hasAddresses = isActive(record) && !hasFinished(record);
    } // otherwise too little is known of it, and the known keys are kept
    this.#noteIdle(life, now.nowMs, isListed);
    // A status does not name the sandbox. If no container runs on, it may be another sandbox with the same address.
    if (hasAddresses && life.keys !== keys && !runsOn(older, version)) {
      life.remade ??= new Spans();
      life.remade.add(Math.max(toldMs, life.listedMs) + 1, now.nowMs);
    }
    const isLike =
      !isNew &&
      life.keys === keys &&
      life.hasAddresses === hasAddresses &&
      older.head.name === version.head.name &&
      older.head.namespace === version.head.namespace;
    if (!isLike) {
      const before = isNew ? undefined : { head: older.head, keys, hasAddresses };
      this.#shift(life, before, ends, shown, now, isListed);
      if (read !== undefined) this.#passBy(life, before, ends, now, isListed);
    }
    // A status that names no container does not show addresses.
    if (hasEmptyStatus) life.lostFromMs ??= now.nowMs;
    else if (read !== undefined) confirm(life, now.nowMs);
  }

  /** Ends and begins holdings, by the keys that a pod had and those that it has now. */
  #shift(
    life: PodLife,
    before: KeyedPod | undefined,
    endOf: () => Departure,
    older: Version,
    now: Now,
    isListed: boolean,
  ): void {
    const after = keyedOf(life);
    for (const kind of KIND_NAMES) {
      const { keysOf } = KINDS[kind];
      const [had, has] = [before === undefined ? NONE : keysOf(before), keysOf(after)];
      for (const text of had) if (!has.includes(text)) this.#release(life, kind, text, endOf, older);
      for (const text of has) if (!had.includes(text)) this.#hold(life, kind, text, now, isListed);
    }
  }

  /** Notes whether a container of a pod runs. If a list tells a change, its event was lost. */
  #noteIdle(life: PodLife, nowMs: number, isListed: boolean): void {
    const { record } = life;
    if (record.version.head.running) life.ranMs ??= nowMs;
    if (isIdle(record, life.ranMs !== undefined)) {
      life.idle ??= new Spans();
      life.idle.set(isListed ? Math.min(nowMs, this.evidence.listedMs + 1) : nowMs, Number.POSITIVE_INFINITY);
    } else if (!record.hasEmptyStatus) life.idle?.set(nowMs, undefined);
  }

  /**
   * Retains the keys of a sandbox that is first shown with them after its end: it had them for less time than the kubelet takes to tell.
   */
  #passBy(life: PodLife, before: KeyedPod | undefined, endOf: () => Departure, now: Now, isListed: boolean): void {
    if (life.hasAddresses || !this.retention.isOn || this.evidence.sinceMs > now.nowMs) return;
    for (const kind of KIND_NAMES) {
      const { keysOf, of } = KINDS[kind];
      if (of !== "sandbox") continue;
      const had = before === undefined ? NONE : keysOf(withAddresses(before));
      for (const text of keysOf(withAddresses(keyedOf(life)))) {
        if (had.includes(text)) continue;
        this.#hold(life, kind, text, now, isListed);
        this.#release(life, kind, text, endOf, life.record.version);
      }
    }
  }

  #drop(record: PodRecord, cause: DeleteCause, now: Now, isListed: boolean): void {
    const life = this.life(record.uid);
    if (life === undefined || life.gone !== undefined) return;
    const end = this.#end(life, cause, now, isListed);
    life.gone = end;
    life.keysFrom = undefined; // the bytes are replaced below
    life.newest = undefined;
    if (life.wasActive) life.finished ??= end;
    const keyed = keyedOf(life);
    for (const kind of KIND_NAMES)
      for (const text of KINDS[kind].keysOf(keyed)) this.#release(life, kind, text, () => end);
    if (!this.retention.isOn) return;
    // Copies the bytes into a buffer of their own: a shared buffer would be kept as a whole.
    record.version = { ...record.version, bytes: new Uint8Array(record.version.bytes) };
    this.retention.keep(end, record.version.bytes.length, () => {});
  }

  /**
   * Returns when a pod may have begun, on the monotonic clock: when it was created, or when the kubelet first saw it. A time after the pod
   * was first told comes from another clock, and is ignored. A kubelet that starts sees older pods anew, so that its first stamps show
   * nothing.
   */
  #beginningOf({ record, fromMs }: PodLife): number {
    const { head } = record.version;
    const after = (wallMs: number, leastMs: number) => {
      const { ms, isClear } = this.anchors.timeOf(wallMs);
      return isClear && ms > leastMs && ms < fromMs ? ms : Number.NEGATIVE_INFINITY;
    };
    const seenMs = Date.parse(head.seen);
    const seen = Number.isNaN(seenMs) ? Number.NEGATIVE_INFINITY : after(seenMs, this.evidence.processSinceMs);
    return Math.max(after(startMs(head), Number.NEGATIVE_INFINITY), seen);
  }

  /** Begins a pod's holding of a key. */
  #hold(life: PodLife, kind: KindName, text: string, now: Now, isListed: boolean): void {
    const before = this.#holdings[kind].get(text);
    const holding: Holding = KINDS[kind].passesOn ? this.#timed(life, now, isListed) : { life, end: undefined };
    if (before !== undefined) holding.before = before;
    this.#holdings[kind].set(text, holding);
  }

  /**
   * Makes a holding that begins now. The pod did not have the key before it was created, nor while a kubelet that has read all of its pods
   * would have told it.
   */
  #timed(life: PodLife, now: Now, isListed: boolean): TimedHolding {
    const { nowMs } = now;
    const toldMs = this.#untilMs(life, nowMs, isListed);
    const isNew = life.fromMs === nowMs;
    const leastMs = isNew ? Math.min(toldMs, this.evidence.unseenSinceMs(nowMs)) : toldMs;
    const possibleFromMs = Math.max(this.#beginningOf(life), leastMs);
    return { life, possibleFromMs, fromMs: nowMs, end: undefined };
  }

  /** Ends a pod's holding of a key, and retains it if that is wanted. `older` is the version that had the key, if the pod still exists. */
  #release(life: PodLife, kind: KindName, text: string, endOf: () => Departure, older?: Version): void {
    const last = this.#holdings[kind].get(text);
    let holding = last;
    while (holding !== undefined && (holding.life !== life || holding.end !== undefined)) holding = holding.before;
    if (holding === undefined) return;
    const { lost } = KINDS[kind];
    const isKept = this.retention.isOn && (older === undefined || lost === undefined || holding === last);
    const instance = older === undefined || !isKept ? undefined : lost?.(older, text);
    if (!isKept || (older !== undefined && lost !== undefined && instance === undefined)) {
      this.#forget(kind, text, holding);
      return;
    }
    const end = endOf();
    holding.end = end;
    const kept = holding;
    const former = keyText({ kind, text });
    const ended: EndedContainer | undefined = instance && { instance: { ...instance, ended: true }, end };
    // A pod that is gone still has the keys of its last version.
    if (older !== undefined) {
      life.former ??= new Map();
      life.former.set(former, kept);
    }
    if (ended !== undefined) {
      life.ended ??= new Set();
      life.ended.add(ended);
    }
    this.retention.keep(end, 0, () => {
      if (life.former?.get(former) === kept) life.former.delete(former);
      if (ended !== undefined) life.ended?.delete(ended);
      this.#forget(kind, text, kept);
    });
  }

  #forget(kind: KindName, text: string, holding: Holding): void {
    const holdings = this.#holdings[kind];
    const { before } = holding;
    let later = holdings.get(text);
    if (later === holding) {
      if (before === undefined) holdings.delete(text);
      else holdings.set(text, before);
      return;
    }
    while (later !== undefined && later.before !== holding) later = later.before;
    if (later !== undefined) later.before = before;
  }

  #end(life: PodLife, cause: DeleteCause, { nowMs }: Now, isListed: boolean): Departure {
    const untilMs = this.#untilMs(life, nowMs, isListed);
    return { atMs: nowMs, untilMs, listedMs: this.evidence.listedMs, cause, nth: ++this.retention.ends };
  }

  /** Returns the last time at which a change that is told now had not happened yet. If a list tells it, its event was lost. */
  #untilMs({ lostFromMs }: PodLife, nowMs: number, isListed: boolean): number {
    const untilMs = Math.min(this.evidence.toldUntilMs(nowMs), (lostFromMs ?? nowMs) - SETTLED_MS);
    return isListed ? Math.min(untilMs, this.evidence.listedMs - SETTLED_MS) : untilMs;
  }
}

/** Makes the life of a pod, without keys. */
function begin(record: PodRecord, { nowMs }: Now): PodLife {
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
    remade: undefined,
    toldMs: nowMs,
    listedMs: Number.NEGATIVE_INFINITY,
    former: undefined,
    ended: undefined,
    newest: undefined,
  };
}

/** Returns the parts of a pod that its keys are read from. */
export function keyedOf({ record, keys, hasAddresses }: PodLife): KeyedPod {
  return { head: record.version.head, keys, hasAddresses };
}

/** Returns a copy of the pod that has its addresses even though it has ended. */
function withAddresses({ head, keys }: KeyedPod): KeyedPod {
  return { head, keys, hasAddresses: true };
}

/** Called when a pod is confirmed. Keeps the gap before it: the pod may have lost its keys within that gap, and got them again. */
function confirm(life: PodLife, nowMs: number): void {
  if (life.lostFromMs === undefined) return;
  const gap = { fromMs: life.lostFromMs - SETTLED_MS, toMs: nowMs };
  life.lostFromMs = undefined;
  const last = life.gaps.at(-1);
  if (last !== undefined && life.gaps.length >= MAX_POD_GAPS) last.toMs = gap.toMs;
  else life.gaps.push(gap);
}
