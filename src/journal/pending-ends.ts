import { type EndedRecord, type JournalLine, keyOf, worthOf } from "./ended-record.js";

/** An end that is to be written. */
export interface NewEnd extends Omit<JournalLine, "n" | "order" | "record"> {
  readonly record: Omit<EndedRecord, "seq" | "bootID">;
}

/** A wait until so many ends are through; undefined until what is written already is known. */
interface Waiting {
  upTo: number | undefined;
  readonly promise: Promise<void>;
  resolve(): void;
}

/** How many ends wait while nothing can be written, and how many are remembered by their keys. */
const MAX_WAITING = 10_000;
const MAX_KNOWN = 100_000;

/** The ends that wait to be written, in their order, each once, and those who wait for them. Writes nothing itself. */
export class PendingEnds {
  /** How much the best record says of each end that is written, or is to be. */
  readonly #known = new Map<string, number>();
  readonly #waits: Waiting[] = [];
  #ends: NewEnd[] = [];
  /** How many ends were taken in, and how many of these are through: written or tried in vain. */
  #taken = 0;
  #through = 0;
  #lost = 0;
  #isOpen = false;

  /** The ends that wait, the oldest first. */
  get ends(): readonly NewEnd[] {
    return this.#ends;
  }

  /** How many were not written, since too many waited. */
  get lost(): number {
    return this.#lost;
  }

  /** Takes the ends that are written already, and drops them from those that wait. */
  open(records: Iterable<NewEnd["record"]>): void {
    for (const record of records) this.#know(record);
    this.#isOpen = true;
    for (const end of this.#ends.splice(0)) this.add(end);
    for (const wait of this.#waits) wait.upTo = this.#taken;
    this.#settle();
  }

  /** Takes an end, unless a record is written that says as much of it. Returns whether there is something to write. */
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

  /** Called when the ends cannot be written: who waits for them goes on. */
  failed(): void {
    this.#through = this.#taken;
    this.#settle();
  }

  /** Gives up what waits: nobody is there to try again. */
  drop(): void {
    this.#lost += this.#ends.length;
    this.wrote(this.#ends.length);
  }

  /** Resolves when all that waits now is written, or was tried in vain; undefined where nothing does. */
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

  /** Notes what is known of an end. Returns whether that is more than was. */
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
