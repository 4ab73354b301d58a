import { type Change, type DeleteCause, type Entry, hasFinished, type KnownPods, nameOf } from "../known/entry.js";
import type { PodHead } from "../pod/head.js";
import { startMs } from "./candidates.js";
import { type End, type EndedContainer, type Holding, type PodLife, SETTLED_MS, type TimedHolding } from "./holding.js";
import { KIND_NAMES, KINDS, type KindName, keyText } from "./key-kind.js";
import { keysOf, NO_KEYS } from "./pod-keys.js";
import { Retention, type RetentionWant } from "./retention.js";

/** The present, on the monotonic clock and as the time of day. */
export interface Now {
  readonly nowMs: number;
  readonly wallMs: number;
}

/** In less, no sandbox is made anew twice. */
const SHORT_MS = 1_000;

/** How many outages are remembered: an answer for a time before them is not certain. */
const MAX_GAPS = 100;

/** How many times in which a pod was unconfirmed are remembered one by one: those after are one with the last. */
const MAX_POD_GAPS = 10;

const NOBODY: readonly Holding[] = [];
const NONE: readonly string[] = [];

/**
 * An index of the pods that have a key, and of those that had it: one for all informers of a client, over all pods that the kubelet
 * lists. Pure: no clock, no I/O.
 */
export class PodLives {
  /** The holding of each key that began last, by kinds. */
  readonly #holdings = Object.fromEntries(KIND_NAMES.map((kind) => [kind, new Map()])) as Record<
    KindName,
    Map<string, Holding>
  >;
  /** The times of outages, and the time before which there were more. */
  readonly #gaps: { readonly fromMs: number; readonly toMs: number }[] = [];
  #gapsFromMs = Number.NEGATIVE_INFINITY;
  readonly retention: Retention = new Retention();
  /** Since when nobody says how the pods are: for ever before the first list; undefined while a stream is live. */
  #silentMs: number | undefined = Number.NEGATIVE_INFINITY;

  /** Returns the pod with this UID: the one that is listed, else the one that is retained. */
  life(uid: string): PodLife | undefined {
    return this.#holdings.uid.get(uid)?.life;
  }

  /** Returns who has a key, in the one spelling, and who had it, in the order in which they got it. */
  holdings(kind: KindName, text: string): readonly Holding[] {
    const last = this.#holdings[kind].get(text);
    if (last === undefined) return NOBODY;
    const holdings: Holding[] = [];
    for (let each: Holding | undefined = last; each !== undefined; each = each.before) holdings.push(each);
    return holdings.reverse();
  }

  /** Returns whether it is certain that a pod that had been told by then, and whose end was not, had a key at a time. */
  isCertain({ life, end }: Holding, atMs: number, nowMs: number, pods: KnownPods): boolean {
    if (atMs > (end?.untilMs ?? this.#certainUntilMs(life, nowMs)) || atMs < this.#gapsFromMs) return false;
    // What could not be read may have said that it has the key no more.
    if (end === undefined && pods.isUnreadable(life.uid) && atMs > life.toldMs) return false;
    const isWithin = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => fromMs <= atMs && atMs <= toMs;
    return !this.#gaps.some(isWithin) && !life.gaps.some(isWithin);
  }

  /** Returns until when it is certain that a pod has what it has. */
  #certainUntilMs({ unconfirmedMs }: Pick<PodLife, "unconfirmedMs">, nowMs: number): number {
    return Math.min(nowMs, this.#silentMs ?? nowMs, unconfirmedMs ?? nowMs) - SETTLED_MS;
  }

  /**
   * Takes over all that is known, before anything else: since when that is so, nobody says.
   *
   * @param silentMs since when nobody says how the pods are; undefined while a stream is live.
   */
  begin(pods: KnownPods, now: Now, silentMs: number | undefined): void {
    for (const { entry, active } of pods.entries()) this.#put(entry.head.uid, entry, active, now);
    this.#silentMs = silentMs;
  }

  /** Takes over changes. */
  accept(changes: readonly Change[], now: Now): void {
    for (const { uid, entry, active, gone, cause } of changes) {
      if (gone) this.#drop(uid, cause, now);
      else this.#put(uid, entry, active, now);
    }
  }

  /** Hears that from now on nobody says how the pods are. */
  silent(nowMs: number): void {
    this.#silentMs ??= nowMs;
  }

  /** Hears that all is known again. */
  synced(pods: KnownPods, nowMs: number): void {
    // What has the same key before and after may have had another one between.
    const silentMs = this.#silentMs ?? nowMs;
    if (Number.isFinite(silentMs) && nowMs - silentMs > SHORT_MS) {
      this.#gaps.push({ fromMs: silentMs - SETTLED_MS, toMs: nowMs });
      if (this.#gaps.length > MAX_GAPS) this.#gapsFromMs = this.#gaps.shift()?.toMs ?? nowMs;
    }
    for (const { life } of this.#holdings.uid.values()) {
      if (life.gone !== undefined) continue;
      if (!pods.isUnconfirmed(life.uid)) confirm(life, nowMs);
      else life.unconfirmedMs ??= Math.max(life.fromMs, silentMs);
    }
    this.#silentMs = undefined;
  }

  /** Retains as much as anybody wants. */
  want(want: RetentionWant): void {
    this.retention.add(want);
  }

  /** Takes back what {@link want} was given. */
  unwant(want: RetentionWant): void {
    this.retention.delete(want);
  }

  #put(uid: string, entry: Entry, active: boolean, now: Now): void {
    const known = this.life(uid);
    const isNew = known === undefined || known.gone !== undefined;
    const life = isNew ? begin(uid, entry, now) : known;
    const { entry: older, keys, name, hasAddresses } = life;
    const before = isNew ? undefined : { uid, name, keys, hasAddresses };
    life.entry = entry;
    let end: End | undefined;
    const ends = () => {
      end ??= this.#end(life, "finished", now);
      return end;
    };
    life.active = active;
    life.toldMs = now.nowMs;
    life.name = nameOf(entry.head);
    if (active) {
      life.wasActive = true;
      life.finished = undefined;
    } else if (life.wasActive) life.finished ??= ends();
    const read = entry.isBare === true ? keys : keysOf(entry, keys);
    if (read !== undefined) {
      life.keys = read;
      // Kubelets leave a finished pod its address for days; the node gives it to others meanwhile.
      life.hasAddresses = active && !hasFinished(entry);
    } // else too little is known of it: what was known stands
    for (const kind of KIND_NAMES) {
      const { keysOf } = KINDS[kind];
      const [had, has] = [before === undefined ? NONE : keysOf(before), keysOf(life)];
      if (had === has) continue;
      for (const text of had) if (!has.includes(text)) this.#release(life, kind, text, ends, older);
      for (const text of has) if (!had.includes(text)) this.#hold(life, kind, text, now);
    }
    if (read !== undefined) confirm(life, now.nowMs);
  }

  #drop(uid: string, cause: DeleteCause, now: Now): void {
    const life = this.life(uid);
    if (life === undefined || life.gone !== undefined) return;
    const end = this.#end(life, cause, now);
    life.gone = end;
    life.active = false;
    if (life.wasActive) life.finished ??= end;
    for (const kind of KIND_NAMES)
      for (const text of KINDS[kind].keysOf(life)) this.#release(life, kind, text, () => end);
    if (!this.retention.isOn) return;
    // A buffer of its own: one that is shared with others would be kept whole.
    life.entry = { ...life.entry, bytes: new Uint8Array(life.entry.bytes) };
    this.retention.keep(end, life.entry.bytes.length, () => {});
  }

  /** Begins a pod's holding of a key. */
  #hold(life: PodLife, kind: KindName, text: string, now: Now): void {
    const before = this.#holdings[kind].get(text);
    const holding: Holding = KINDS[kind].passesOn ? this.#timed(life, now) : { life, end: undefined };
    if (before !== undefined) holding.before = before;
    this.#holdings[kind].set(text, holding);
  }

  /** Makes a holding that begins now. It was not the pod's before the pod began, nor while the kubelet would have told it. */
  #timed(life: PodLife, now: Now): TimedHolding {
    const possibleFromMs = Math.max(beginningOf(life.entry.head, now), this.#certainUntilMs(life, now.nowMs));
    return { life, possibleFromMs, fromMs: now.nowMs, end: undefined };
  }

  /** Ends a pod's holding of a key; it is retained where that is wanted. `older` is the version that had it, where the pod is there. */
  #release(life: PodLife, kind: KindName, text: string, endOf: () => End, older?: Entry): void {
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
    // Of a pod that is gone the keys are still those of its last version.
    if (older !== undefined) life.former.set(former, kept);
    if (ended !== undefined) life.ended.add(ended);
    this.retention.keep(end, 0, () => {
      if (life.former.get(former) === kept) life.former.delete(former);
      if (ended !== undefined) life.ended.delete(ended);
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

  #end(life: PodLife, cause: DeleteCause, { nowMs }: Now): End {
    return { atMs: nowMs, untilMs: this.#certainUntilMs(life, nowMs), cause, nth: ++this.retention.ends };
  }
}

/** Makes the life of a pod that has no key yet. */
function begin(uid: string, entry: Entry, { nowMs }: Now): PodLife {
  return {
    uid,
    entry,
    keys: NO_KEYS,
    hasAddresses: false,
    fromMs: nowMs,
    active: false,
    wasActive: false,
    finished: undefined,
    gone: undefined,
    unconfirmedMs: undefined,
    gaps: [],
    toldMs: nowMs,
    name: nameOf(entry.head),
    former: new Map(),
    ended: new Set(),
  };
}

/** Hears that a pod is there, and remembers when that was unconfirmed: what it had before and after, it may not have had between. */
function confirm(life: PodLife, nowMs: number): void {
  if (life.unconfirmedMs === undefined) return;
  const gap = { fromMs: life.unconfirmedMs - SETTLED_MS, toMs: nowMs };
  life.unconfirmedMs = undefined;
  const last = life.gaps.at(-1);
  if (last !== undefined && life.gaps.length >= MAX_POD_GAPS) last.toMs = gap.toMs;
  else life.gaps.push(gap);
}

/** Returns when a pod may have begun, on the monotonic clock: never after it was told, however far off the other clock is. */
function beginningOf(head: PodHead, { nowMs, wallMs }: Now): number {
  return Math.min(nowMs, startMs(head) - wallMs + nowMs);
}
