import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { PodsError } from "../errors/pods-error.js";
import type { Clock } from "../timing/clock.js";
import { Wakers } from "../timing/wakers.js";
import { lineText } from "./ended-record.js";
import { type NewEnd, PendingEnds } from "./pending-ends.js";
import { type JournalOptions, SegmentWriter } from "./segment-writer.js";
import { inOrder, Segments, type WrittenLine } from "./segments.js";

/** The state of a journal. */
export interface JournalState {
  /** How many ends this process has written. */
  readonly written: number;
  /** How many ends wait to be written, for example while the disk is full. */
  readonly waiting: number;
  /** How many ends were dropped, because too many waited. */
  readonly lost: number;
  /** How many damaged lines were skipped when the journal was read at the start. */
  readonly damaged: number;
  /** When the written ends were last synced to the disk, safe from a loss of power; undefined before that. */
  readonly syncedAt: Date | undefined;
  /** Why the last write failed, which is tried again; undefined if it did not fail. */
  readonly error: PodsError | undefined;
}

/** How long until a failed write is tried again: from the first value, doubling up to the second. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** How often old files are looked for. */
const SWEEP_MS = 3_600_000;

const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/** Writes ends to files, in order. Ends that cannot be written wait, are counted, and are tried again. */
export class Journal {
  readonly segments: Segments;
  /** Woken when ends were written. */
  readonly wakers: Wakers = new Wakers();
  readonly #options: JournalOptions;
  readonly #clock: Clock;
  readonly #pending = new PendingEnds();
  readonly #file: SegmentWriter;
  #written = 0;
  #damaged = 0;
  #error: PodsError | undefined;
  #bootID = "";
  /** The number and the order of the last line. */
  #n = 0;
  #order = 0;
  #isOpen = false;
  #isClosed = false;
  #isSweepDue = false;
  /** True while it waits before another try. */
  #isRetrying = false;
  #retryMs = MIN_RETRY_MS;
  #working: Promise<void> | undefined;
  #cancelTimer: () => void = () => {};
  #cancelSweep: () => void = () => {};

  constructor(options: JournalOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.segments = new Segments(options.directory);
    this.#file = new SegmentWriter(this.segments, options, clock, (error) => this.#failed(error));
  }

  /** True once the existing journal has been read, or could not be read. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get bootID(): string {
    return this.#bootID;
  }

  get state(): JournalState {
    const { lost, ends } = this.#pending;
    const counts = { written: this.#written, waiting: ends.length, lost, damaged: this.#damaged };
    return { ...counts, syncedAt: this.#file.syncedAt, error: this.#error };
  }

  /** Reads the existing journal. Returns its lines in order; nothing if it cannot be read, which `state` shows. */
  async open(): Promise<readonly WrittenLine[]> {
    const start = `${Math.floor(this.#clock.wallMs())}-${randomBytes(4).toString("hex")}`;
    this.#bootID = (await readFile(BOOT_ID, "utf8").catch(() => "0")).trim();
    const all: WrittenLine[] = [];
    const removed = [];
    try {
      await this.segments.prepare();
      for (const segment of await this.segments.list()) {
        const { lines, forgotten, damaged } = await this.segments.read(segment);
        for (const line of lines) all.push(line);
        removed.push(...forgotten);
        this.#damaged += damaged;
      }
      all.sort(inOrder);
    } catch (error) {
      this.#failed(error);
    }
    this.#order = all.at(-1)?.order ?? 0;
    this.#file.begin(`${this.#bootID.slice(0, 8)}.${start}`, removed);
    this.#isOpen = true;
    this.#pending.open(all.map(({ record }) => record));
    this.#sweepLater();
    this.#work();
    this.wakers.wake();
    return all;
  }

  /** Takes an end for writing, unless it is written already. */
  append(end: NewEnd): void {
    if (this.#isClosed || !this.#pending.add(end)) return;
    if (this.#isRetrying) this.#pending.failed();
    else this.#work();
  }

  /** Resolves when all ends that wait now are written, or their write has failed; undefined if none waits. */
  written(): Promise<void> | undefined {
    return this.#pending.written();
  }

  /** Writes the waiting ends, and closes the file. */
  async close(): Promise<void> {
    this.#cancelTimer();
    this.#cancelSweep();
    this.#isClosed = true;
    this.#isRetrying = false;
    this.#work(); // the ends that waited for another try
    await this.#pending.written();
    await this.#working;
    await this.#file.end();
    this.wakers.wake();
  }

  get #isDue(): boolean {
    return this.#isSweepDue || (!this.#isRetrying && this.#pending.ends.length > 0);
  }

  #work(): void {
    if (!this.#isOpen || this.#working !== undefined || !this.#isDue) return;
    this.#working = this.#workAll().finally(() => {
      this.#working = undefined;
      this.#work(); // the ends that came during the write
    });
  }

  async #workAll(): Promise<void> {
    while (this.#isDue) {
      if (this.#isSweepDue) {
        this.#isSweepDue = false;
        await this.#file.sweep().catch((error) => this.#failed(error));
        continue;
      }
      try {
        const count = await this.#write();
        this.#written += count;
        this.#error = undefined;
        this.#retryMs = MIN_RETRY_MS;
        this.#pending.wrote(count);
      } catch (error) {
        this.#failed(error);
        await this.#file.end(); // the last line may be incomplete, so a new file is begun
        this.#pending.failed();
        this.#retryLater();
      }
      this.wakers.wake();
    }
  }

  /** Writes as many waiting ends as fit into one file. Returns their number. */
  async #write(): Promise<number> {
    let [n, order] = [this.#n, this.#order];
    const bootID = this.#bootID;
    const wallMs = Math.floor(this.#clock.wallMs());
    const lines: Buffer[] = [];
    let bytes = 0;
    for (const end of this.#pending.ends) {
      const place = Math.max(order + 1, wallMs);
      const line = Buffer.from(`${lineText({ ...end, n: n + 1, order: place, record: { ...end.record, bootID } })}\n`);
      if (lines.length > 0 && bytes + line.length > this.#file.maxFileBytes) break;
      lines.push(line);
      bytes += line.length;
      n++;
      order = place;
    }
    await this.#file.write(Buffer.concat(lines));
    [this.#n, this.#order] = [n, order];
    return lines.length;
  }

  #retryLater(): void {
    if (this.#isClosed) {
      this.#pending.drop();
      return;
    }
    this.#isRetrying = true;
    const again = () => {
      this.#isRetrying = false;
      this.#work();
    };
    this.#cancelTimer = this.#clock.after(this.#retryMs, again, { isIdle: true });
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }

  #sweepLater(): void {
    if (this.#isClosed || this.#options.maxAgeMs === Number.POSITIVE_INFINITY) return;
    const again = () => {
      this.#isSweepDue = true;
      this.#work();
      this.#sweepLater();
    };
    this.#cancelSweep = this.#clock.after(Math.min(SWEEP_MS, this.#options.maxAgeMs), again, { isIdle: true });
  }

  #failed(error: unknown): void {
    this.#error = named(error, this.#options.directory);
  }
}

function named(error: unknown, directory: string): PodsError {
  if (PodsError.is(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  const hint = code === "ENOSPC" ? "the disk is full" : code === "EROFS" ? "it is read-only" : "";
  const isForbidden = code === "EACCES" || code === "EPERM";
  const message = `the journal in ${directory} cannot be written (${code})`;
  return new PodsError({ code: isForbidden ? "not-permitted" : "unknown", message, hint, cause: error });
}
