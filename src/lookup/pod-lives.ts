import type { DeleteCause } from "../known/entry.js";
import { type Change, type Entry, type KnownPods, nameOf } from "../known/entry.js";
import { isFinishedHead, type PodHead } from "../pod/head.js";
import { startMs } from "./candidates.js";
import { type End, type EndedContainer, type Holding, type PodLife, SETTLED_MS } from "./holding.js";
import { instancesIn, keysOf, NO_KEYS } from "./pod-keys.js";
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

/**
 * An index of the pods that have a key, and of those that had it: one for all informers of a client, over all pods that the kubelet
 * lists. Pure: no clock, no I/O.
 */
export class PodLives {
  readonly #lives = new Map<string, PodLife>();
  readonly #names = new Map<string, Holding[]>();
  readonly #addresses = new Map<string, Holding[]>();
  readonly #containers = new Map<string, PodLife>();
  /** The times of outages, and the time before which there were more. */
  readonly #gaps: { readonly fromMs: number; readonly toMs: number }[] = [];
  #gapsFromMs = Number.NEGATIVE_INFINITY;
  readonly retention: Retention = new Retention();
  /** Since when nobody says how the pods are: for ever before the first list; undefined while a stream is live. */
  #silentMs: number | undefined = Number.NEGATIVE_INFINITY;

  /** Returns the pod with this UID: the one that is listed, else the one that is retained. */
  life(uid: string): PodLife | undefined {
    return this.#lives.get(uid);
  }

  /** Returns the pod that has the container with this ID, or had it. */
  byContainerID(id: string): PodLife | undefined {
    return this.#containers.get(id);
  }

  /** Returns who has a name (a namespace, a slash, a name), and who had it, in the order in which they got it. */
  byName(name: string): readonly Holding[] {
    return this.#names.get(name) ?? NOBODY;
  }

  /** Returns who has an address, in the one spelling, and who had it, in the order in which they got it. */
  byAddress(address: string): readonly Holding[] {
    return this.#addresses.get(address) ?? NOBODY;
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
    for (const life of this.#lives.values()) {
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
    const known = this.#lives.get(uid);
    const life = known === undefined || known.gone !== undefined ? this.#begin(uid, entry, now) : known;
    const { entry: older, keys } = life;
    life.entry = entry;
    let end: End | undefined;
    const ends = () => {
      end ??= this.#end(life, "finished", now);
      return end;
    };
    life.active = active;
    life.toldMs = now.nowMs;
    const name = nameOf(entry.head);
    if (name !== life.name) {
      this.#release(this.#names, life.name, life, ends());
      life.name = name;
      this.#hold(this.#names, name, life, now);
    }
    if (active) {
      life.wasActive = true;
      life.finished = undefined;
    } else if (life.wasActive) life.finished ??= ends();
    const read = keysOf(entry, keys);
    if (read === undefined) return; // too little is known of it: what was known stands
    life.keys = read;
    // Kubelets leave a finished pod its address for days; the node gives it to others meanwhile.
    const addresses = !active || isFinishedHead(entry.head) ? NO_KEYS.addresses : read.addresses;
    if (addresses !== life.addresses) this.#moveAddresses(life, addresses, ends, now);
    if (read !== keys) this.#moveContainers(life, keys.containerIDs, older, ends);
    confirm(life, now.nowMs);
  }

  #begin(uid: string, entry: Entry, now: Now): PodLife {
    const life: PodLife = {
      uid,
      entry,
      keys: NO_KEYS,
      addresses: NO_KEYS.addresses,
      fromMs: now.nowMs,
      active: false,
      wasActive: false,
      finished: undefined,
      gone: undefined,
      unconfirmedMs: undefined,
      gaps: [],
      toldMs: now.nowMs,
      name: nameOf(entry.head),
      former: new Set(),
      ended: new Set(),
    };
    this.#lives.set(uid, life);
    this.#hold(this.#names, life.name, life, now);
    return life;
  }

  #moveAddresses(life: PodLife, addresses: readonly string[], ends: () => End, now: Now): void {
    const before = life.addresses;
    life.addresses = addresses;
    for (const address of before) {
      if (addresses.includes(address)) continue;
      this.#release(this.#addresses, address, life, ends());
      if (this.retention.isOn) this.#keepFormer(life, address, ends());
    }
    for (const address of addresses) if (!before.includes(address)) this.#hold(this.#addresses, address, life, now);
  }

  #keepFormer(life: PodLife, address: string, end: End): void {
    life.former.add(address);
    this.retention.keep(end, 0, () => life.former.delete(address));
  }

  #moveContainers(life: PodLife, before: readonly string[], older: Entry, ends: () => End): void {
    const { containerIDs } = life.keys;
    for (const id of before) {
      if (containerIDs.includes(id) || this.#containers.get(id) !== life) continue;
      const last = this.retention.isOn ? instancesIn(older).find(({ containerID }) => containerID === id) : undefined;
      if (last === undefined) this.#containers.delete(id);
      else {
        const container: EndedContainer = { instance: { ...last, ended: true }, end: ends() };
        life.ended.add(container);
        this.retention.keep(container.end, 0, () => {
          life.ended.delete(container);
          if (this.#containers.get(id) === life && !life.keys.containerIDs.includes(id)) this.#containers.delete(id);
        });
      }
    }
    for (const id of containerIDs) if (!before.includes(id)) this.#containers.set(id, life);
  }

  #drop(uid: string, cause: DeleteCause, now: Now): void {
    const life = this.#lives.get(uid);
    if (life === undefined || life.gone !== undefined) return;
    const end = this.#end(life, cause, now);
    life.gone = end;
    life.active = false;
    if (life.wasActive) life.finished ??= end;
    for (const address of life.addresses) this.#release(this.#addresses, address, life, end);
    this.#release(this.#names, life.name, life, end);
    const forget = () => this.#forget(life);
    if (!this.retention.isOn) {
      forget();
      return;
    }
    // A buffer of its own: one that is shared with others would be kept whole.
    life.entry = { ...life.entry, bytes: new Uint8Array(life.entry.bytes) };
    this.retention.keep(end, life.entry.bytes.length, forget);
  }

  /** Begins a pod's holding of a key. It was not the pod's before the pod began, nor while the kubelet would have told it. */
  #hold(holdings: Map<string, Holding[]>, key: string, life: PodLife, now: Now): void {
    const possibleFromMs = Math.max(beginningOf(life.entry.head, now), this.#certainUntilMs(life, now.nowMs));
    const holding: Holding = { life, possibleFromMs, fromMs: now.nowMs, end: undefined };
    const known = holdings.get(key);
    if (known === undefined) holdings.set(key, [holding]);
    else known.push(holding);
  }

  /** Ends a pod's holding of a key; it is retained where that is wanted. */
  #release(holdings: Map<string, Holding[]>, key: string, life: PodLife, end: End): void {
    const holding = holdings.get(key)?.find((each) => each.life === life && each.end === undefined);
    if (holding === undefined) return;
    holding.end = end;
    const forget = () => {
      const left = holdings.get(key)?.filter((each) => each !== holding) ?? [];
      if (left.length > 0) holdings.set(key, left);
      else holdings.delete(key);
    };
    if (this.retention.isOn) this.retention.keep(end, 0, forget);
    else forget();
  }

  #forget(life: PodLife): void {
    if (this.#lives.get(life.uid) === life) this.#lives.delete(life.uid);
    for (const id of life.keys.containerIDs) if (this.#containers.get(id) === life) this.#containers.delete(id);
  }

  #end(life: PodLife, cause: DeleteCause, { nowMs }: Now): End {
    return { atMs: nowMs, untilMs: this.#certainUntilMs(life, nowMs), cause, nth: ++this.retention.ends };
  }
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
