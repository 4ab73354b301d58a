import type { PodRecord } from "./record.js";
import type { Staging } from "./staging.js";
import { ENDING_MS, graceMs, SLACK_MS } from "./times.js";

/** A pod that could not be read: the number of the process that listed it last, and since when lists of one process lack it. */
interface Unreadable {
  readonly by: number;
  readonly lackedMs?: number;
}

/** Facts about the process of a list. They decide what the list proves about pods that cannot be read. */
interface ListedBy {
  readonly number: number;
  /** True if this is its first list. */
  readonly isNew: boolean;
  /** True if it has had enough time to read all of its pods. */
  readonly isOld: boolean;
}

/** How long a pod whose grace period could not be read may still run after it has left the lists. */
const UNREADABLE_MS = graceMs() + ENDING_MS;

/** More unreadable pods than any node has. A broken server must not make the collection grow without bound. */
const MAX_UNREADABLE = 1_000;

/** The pods that cannot be read, by UID, and entries without a UID. Marks the records of known pods. Pure: no clock, no I/O. */
export class UnreadablePods {
  readonly #known: ReadonlyMap<string, PodRecord>;
  readonly #unreadable = new Map<string, Unreadable>();
  /** An entry without a UID; undefined if such an entry cannot exist any more. */
  #nameless: Unreadable | undefined;

  constructor(known: ReadonlyMap<string, PodRecord>) {
    this.#known = known;
  }

  get size(): number {
    return this.#unreadable.size;
  }

  /** The UIDs of pods whose last message could not be read. */
  get uids(): ReadonlySet<string> {
    return new Set(this.#unreadable.keys());
  }

  /** True if every entry of the last list, and every entry that has left the lists lately, has a known UID. */
  get hasUIDs(): boolean {
    return this.#nameless === undefined;
  }

  has(uid: string): boolean {
    return this.#unreadable.has(uid);
  }

  /** Notes that the last message about a pod could not be read. Returns false, and notes nothing, if there are too many. */
  add(uid: string, by: number): boolean {
    if (this.#unreadable.size >= MAX_UNREADABLE && !this.#unreadable.has(uid)) return false;
    this.#set(uid, { by });
    return true;
  }

  delete(uid: string): void {
    if (this.#unreadable.has(uid)) this.#set(uid, undefined);
  }

  /** Takes over which pods of a complete list can be read. Returns false if there are more that cannot than are noted. */
  take({ versions, unreadable, process }: Staging): boolean {
    for (const uid of versions.keys()) if (!unreadable.has(uid)) this.delete(uid);
    let areNoted = true;
    for (const uid of unreadable) areNoted = this.add(uid, process.number) && areNoted;
    return areNoted;
  }

  /** Marks the record of a new pod if a later message of the same list could not be read. */
  mark(record: PodRecord): void {
    record.isUnreadable = this.#unreadable.has(record.uid);
  }

  /**
   * Forgets pods that no longer exist: the process that lacks them had read them, or has read everything, and their containers have had enough
   * time to end.
   */
  commit(
    { unreadable, unnamed, named, facts, touched }: Staging,
    { number, isNew, isOld }: ListedBy,
    nowMs: number,
  ): void {
    const next = (last: Unreadable, isThere: boolean): Unreadable | undefined => {
      if (isThere) return { by: number };
      const lackedMs = isNew ? nowMs : (last.lackedMs ?? nowMs);
      const isRead = facts.trust === "complete" || isOld || last.by === number;
      return isRead && nowMs - lackedMs >= UNREADABLE_MS - SLACK_MS ? undefined : { by: last.by, lackedMs };
    };
    for (const [uid, last] of this.#unreadable) {
      if (touched?.has(uid) === true) continue;
      if (!this.#known.has(uid) || unreadable.has(uid)) this.#set(uid, next(last, unreadable.has(uid)));
    }
    const isThere = unnamed || named.size > 0;
    if (isThere || this.#nameless !== undefined) this.#nameless = next(this.#nameless ?? { by: number }, isThere);
  }

  #set(uid: string, unreadable: Unreadable | undefined): void {
    if (unreadable === undefined) this.#unreadable.delete(uid);
    else this.#unreadable.set(uid, unreadable);
    const record = this.#known.get(uid);
    if (record !== undefined) record.isUnreadable = unreadable !== undefined;
  }
}
