import { type EndedRecord, type JournalLine, keyOf, worthOf } from "./ended-record.js";

/** An end before it is written. */
export interface NewEnd extends Omit<JournalLine, "n" | "order" | "record"> {
  readonly record: Omit<EndedRecord, "seq" | "bootID">;
}

/** A wait until this many ends are done; undefined until the existing journal is known. */
interface Waiting {
  upTo: number | undefined;
  readonly promise: Promise<void>;
  resolve(): void;
}

/** How many ends may wait while nothing can be written, and how many are remembered by their keys. */
const MAX_WAITING = 10_000;
const MAX_KNOWN = 100_000;

/** The ends that wait to be written, in order and each once, and the waits for them. It does no I/O. */
export class PendingEnds {
  /** How much the best record of each end tells, written or waiting. */
  readonly #known = new Map<string, number>();
  readonly #waits: Waiting[] = [];
  #ends: NewEnd[] = [];
  /** How many ends were added, and how many of these are done: written, or failed. */
  #taken = 0;
  #through = 0;
  #lost = 0;
  #isOpen = false;

  /** The waiting ends, the oldest first. */
  get ends(): readonly NewEnd[] {
    return this.#ends;
  }

  /** How many were dropped, because too many waited. */
  get lost(): number {
    return this.#lost;
  }

  /** Takes the ends that are written already, and drops them from the waiting ones. */
  open(records: Iterable<NewEnd["record"]>): void {
    for (const record of records) this.#know(record);
    this.#isOpen = true;
    for (const end of this.#ends.splice(0)) this.add(end);
    for (const wait of this.#waits) wait.upTo = this.#taken;
    this.#settle();
  }

  /** Adds an end, unless a record of it tells as much. Returns true if there is something to write. */
  add(end: NewEnd): boolean {
    if (this.#isOpen && !this.#know(end.record)) return false;
    if (this.#ends.length >= MAX_WAITING) {
      this.#lost++;
      return false;
    }
    this.#ends.push(end);
    if (this.#isOpen) this.#taken++;
    return this.#isOpen;
  }

  /** Called when the first ends are written. */
  wrote(count: number): void {
    this.#ends.splice(0, count);
    this.#through = Math.max(this.#through, this.#taken - this.#ends.length);
    this.#settle();
  }

  /** Called when the ends cannot be written: waits for them end. */
  failed(): void {
    this.#through = this.#taken;
    this.#settle();
  }

  /** Drops the waiting ends, at the close: nobody will try again. */
  drop(): void {
    this.#lost += this.#ends.length;
    this.wrote(this.#ends.length);
  }

  /** Resolves when all ends that wait now are written, or their write has failed; undefined if none waits. */
  written(): Promise<void> | undefined {
    if (this.#isOpen && this.#through >= this.#taken) return undefined;
    const upTo = this.#isOpen ? this.#taken : undefined;
    const last = this.#waits.at(-1);
    if (last !== undefined && last.upTo === upTo) return last.promise;
    let resolve = () => {};
    const promise = new Promise<void>((settle) => {
      resolve = settle;
    });
    this.#waits.push({ upTo, promise, resolve });
    return promise;
  }

  #settle(): void {
    for (let first = this.#waits[0]; first?.upTo !== undefined; first = this.#waits[0]) {
      if (this.#through < first.upTo) return;
      this.#waits.shift();
      first.resolve();
    }
  }

  /** Notes a record of an end. Returns true if it tells more than the ones before. */
  #know(record: NewEnd["record"]): boolean {
    const key = keyOf(record);
    const worth = worthOf(record);
    const known = this.#known.get(key);
    if (known !== undefined && known >= worth) return false;
    this.#known.set(key, worth);
    if (this.#known.size > MAX_KNOWN) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    return true;
  }
}
