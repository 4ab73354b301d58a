import { PodsError } from "../errors/pods-error.js";
import type { Clock } from "../timing/clock.js";
import { type EndRecord, textOf, truncated } from "./end-record.js";
import type { JournalFiles, OnWritten, PendingEnd } from "./journal-files.js";

/** The most ends that wait: several times those of all containers and pods of a large node, of at most 4 KiB each. */
const MAX_WAITING = 10_000;

/** The most ends of one write. */
const MAX_BATCH = 1_000;

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/** The ends that are not on disk yet. Only one write runs at a time. After a failed write all ends wait for one retry. */
export class EndQueue {
  readonly #files: JournalFiles;
  readonly #clock: Clock;
  readonly #onWritten: OnWritten;
  /** The number of ends that are being written, the first ones of the queue. */
  #ends: PendingEnd[] = [];
  #inFlight = 0;
  #writing: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #retryMs = FIRST_RETRY_MS;
  #isClosed = false;
  written = 0;
  dropped = 0;
  /** The error of the last write. */
  error: PodsError | undefined;

  constructor(files: JournalFiles, clock: Clock, onWritten: OnWritten) {
    this.#files = files;
    this.#clock = clock;
    this.#onWritten = onWritten;
  }

  get size(): number {
    return this.#ends.length;
  }

  add(record: EndRecord): void {
    if (this.#ends.length >= MAX_WAITING) this.#drop();
    this.#ends.push({ namespace: truncated(record.namespace), text: textOf(record) });
    this.#flush();
  }

  /** Writes the waiting ends once, even if the last write failed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    await this.#writing;
    await this.#writeAll();
  }

  /** Drops the oldest end of the namespace with the most waiting ends, so that no workload displaces the ends of others. */
  #drop(): void {
    const droppable = this.#ends.slice(this.#inFlight);
    const counts = new Map<string, number>();
    for (const { namespace } of droppable) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const dropped = droppable.find(({ namespace }) => counts.get(namespace) === most);
    this.#ends = this.#ends.filter((end) => end !== dropped);
    this.dropped++;
  }

  #flush(): void {
    if (this.#writing !== undefined || this.#cancelRetry !== undefined || this.#isClosed) return;
    this.#writing = this.#writeAll().then(() => {
      this.#writing = undefined;
      if (this.#ends.length > 0) this.#flush();
    });
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#ends.length > 0) {
        const batch = this.#ends.slice(0, MAX_BATCH);
        this.#inFlight = batch.length;
        await this.#files.append(batch, (ends, firstOrder) => this.#written(ends, firstOrder));
      }
      this.error = undefined;
      this.#retryMs = FIRST_RETRY_MS;
    } catch (error) {
      this.error = PodsError.from(error);
      if (!this.#isClosed) this.#retryLater();
    } finally {
      this.#inFlight = 0;
    }
  }

  #written(ends: readonly PendingEnd[], firstOrder: number): void {
    const written = new Set(ends);
    this.#ends = this.#ends.filter((end) => !written.has(end));
    this.#inFlight -= ends.length;
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
