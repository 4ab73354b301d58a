import { PodsError } from "../errors/pods-error.js";
import type { Clock } from "../timing/clock.js";
import { type EndRecord, textOf, truncated } from "./end-record.js";
import type { JournalFiles, OnWritten, PendingEnd } from "./journal-files.js";

/** The most ends that wait: several times those of all containers and pods of a large node, of at most 4 KiB each. */
const MAX_WAITING_ENDS = 10_000;

/** The most ends of one write. */
const MAX_BATCH = 1_000;

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/** Counts failed writes, and ends that were lost. */
export interface FailureCounts {
  journalFailed(): void;
  journalLost(ends: number): void;
}

const NO_COUNTS: FailureCounts = { journalFailed: () => {}, journalLost: () => {} };

/** The ends that are not on disk yet. Only one write runs at a time. After a failed write all ends wait for one retry. */
export class EndQueue {
  readonly #files: JournalFiles;
  readonly #clock: Clock;
  readonly #onWritten: OnWritten;
  readonly #counts: FailureCounts;
  readonly #waiting = new WaitingEnds();
  /** The ends that are being written. After a failed write they are written first. */
  #batch: readonly PendingEnd[] = [];
  #writing: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #retryMs = FIRST_RETRY_MS;
  #isClosed = false;
  written = 0;
  dropped = 0;
  failures = 0;
  /** The error of the last write. */
  error: PodsError | undefined;

  constructor(files: JournalFiles, clock: Clock, onWritten: OnWritten, counts: FailureCounts = NO_COUNTS) {
    this.#files = files;
    this.#clock = clock;
    this.#onWritten = onWritten;
    this.#counts = counts;
  }

  get size(): number {
    return this.#batch.length + this.#waiting.size;
  }

  add(record: EndRecord): void {
    if (this.size >= MAX_WAITING_ENDS) {
      this.#waiting.drop();
      this.#lose(1);
    }
    this.#waiting.add({ namespace: truncated(record.namespace), text: textOf(record) });
    this.#flush();
  }

  /** Writes the waiting ends once, even if the last write failed. Ends that cannot be written are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    await this.#writing;
    await this.#writeAll();
    this.#lose(this.size);
    this.#batch = [];
    this.#waiting.clear();
  }

  #lose(ends: number): void {
    this.dropped += ends;
    this.#counts.journalLost(ends);
  }

  #flush(): void {
    if (this.#writing !== undefined || this.#cancelRetry !== undefined || this.#isClosed) return;
    this.#writing = this.#writeAll().then(() => {
      this.#writing = undefined;
      if (this.size > 0) this.#flush();
    });
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.size > 0) {
        if (this.#batch.length === 0) this.#batch = this.#waiting.take(MAX_BATCH);
        await this.#files.append(this.#batch, (ends, firstOrder) => this.#written(ends, firstOrder));
      }
      this.error = undefined;
      this.#retryMs = FIRST_RETRY_MS;
    } catch (error) {
      this.error = PodsError.from(error);
      this.failures++;
      this.#counts.journalFailed();
      if (!this.#isClosed) this.#retryLater();
    }
  }

  #written(ends: readonly PendingEnd[], firstOrder: number): void {
    const written = new Set(ends);
    this.#batch = this.#batch.filter((end) => !written.has(end));
    this.written += ends.length;
    this.#onWritten(ends, firstOrder);
  }

  #retryLater(): void {
    const retry = () => {
      this.#cancelRetry = undefined;
      this.#flush();
    };
    this.#cancelRetry = this.#clock.after(this.#retryMs, retry, { isIdle: true });
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }
}

/** Ends in the order of their arrival. Each call takes a constant time, whatever their number. */
class WaitingEnds {
  readonly #all = new Set<PendingEnd>();
  readonly #byNamespace = new Map<string, Set<PendingEnd>>();
  /** Namespaces by the number of their ends. */
  readonly #byCount: Set<string>[] = [];

  get size(): number {
    return this.#all.size;
  }

  add(end: PendingEnd): void {
    this.#all.add(end);
    this.#change(end.namespace, (ends) => ends.add(end));
  }

  /** Removes and returns the first ends. */
  take(count: number): readonly PendingEnd[] {
    const taken: PendingEnd[] = [];
    for (const end of this.#all) {
      if (taken.push(end) === count) break;
    }
    for (const end of taken) this.#delete(end);
    return taken;
  }

  /** Drops the oldest end of the namespace with the most ends, so that no workload displaces the ends of others. */
  drop(): void {
    const [namespace] = this.#byCount.at(-1) ?? [];
    const [oldest] = this.#byNamespace.get(namespace ?? "") ?? [];
    if (oldest !== undefined) this.#delete(oldest);
  }

  clear(): void {
    this.#all.clear();
    this.#byNamespace.clear();
    this.#byCount.length = 0;
  }

  #delete(end: PendingEnd): void {
    this.#all.delete(end);
    this.#change(end.namespace, (ends) => ends.delete(end));
  }

  #change(namespace: string, change: (ends: Set<PendingEnd>) => unknown): void {
    const ends = this.#byNamespace.get(namespace) ?? new Set();
    this.#byCount[ends.size]?.delete(namespace);
    change(ends);
    if (ends.size === 0) this.#byNamespace.delete(namespace);
    else {
      this.#byNamespace.set(namespace, ends);
      while (this.#byCount.length <= ends.size) this.#byCount.push(new Set());
      this.#byCount[ends.size]?.add(namespace);
    }
    while (this.#byCount.at(-1)?.size === 0) this.#byCount.pop();
  }
}
