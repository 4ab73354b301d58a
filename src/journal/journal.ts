import { randomBytes } from "node:crypto";
import { type FileHandle, readFile } from "node:fs/promises";
import { PodsError } from "../errors/pods-error.js";
import type { Clock } from "../timing/clock.js";
import { Wakers } from "../timing/wakers.js";
import { type EndedRecord, type Forgotten, forgottenText, type JournalLine, lineText } from "./ended-record.js";
import { MAX_SEGMENTS, type Segment, Segments, type WrittenLine } from "./segments.js";

/** Options of a journal, checked. */
export interface JournalOptions {
  readonly directory: string;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** The state of a journal. */
export interface JournalState {
  /** How many ends this process has written. */
  readonly written: number;
  /** How many wait to be written, as while the disk is full. */
  readonly waiting: number;
  /** How many ends were not written, since too many waited. */
  readonly lost: number;
  /** How many lines of the journal were damaged when it was read at the start: they are passed over. */
  readonly damaged: number;
  /** When all that had been written by then was safe from a loss of power; undefined where nothing has been yet. */
  readonly syncedAt: Date | undefined;
  /** Why the last write failed; it is tried again. Undefined where it did not. */
  readonly error: PodsError | undefined;
}

/** An end that is to be written. */
export interface NewEnd extends Omit<JournalLine, "n" | "order" | "record"> {
  readonly record: Omit<EndedRecord, "seq" | "bootID">;
}

/** A wait until so many ends are through, or, early, until those are that are queued when the files have been read. */
interface Waiting {
  readonly isEarly: boolean;
  readonly queued: number;
  readonly promise: Promise<void>;
  resolve(): void;
}

/** A file that is written to, and since when. */
interface OpenFile {
  readonly handle: FileHandle;
  bytes: number;
  readonly sinceMs: number;
}

/** How much of the whole a file is. */
const SHARE = 8;

/** How many ends wait while nothing can be written, and how many are remembered by their keys. */
const MAX_WAITING = 10_000;
const MAX_KNOWN = 100_000;

/** How long until it is tried again: from the first, each time twice as long, to the second. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** How often files are looked at for their age. */
const SWEEP_MS = 3_600_000;

const MINUTE_MS = 60_000;

const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/** Writes ends to files, in their order, one write at a time. What cannot be written waits, is counted, and is tried again. */
export class Journal {
  readonly segments: Segments;
  readonly #options: JournalOptions;
  readonly #clock: Clock;
  /** Woken when something was written. */
  readonly wakers: Wakers = new Wakers();
  readonly #known = new Set<string>();
  readonly #waits: Waiting[] = [];
  #queue: NewEnd[] = [];
  #inFlight = 0;
  /** How many ends were queued, and how many of these are through: written or tried in vain. */
  #queued = 0;
  #through = 0;
  #written = 0;
  #lost = 0;
  #damaged = 0;
  #syncedAt: Date | undefined;
  #error: PodsError | undefined;
  #bootID = "";
  #writer = "";
  #nth = 0;
  #n = 0;
  #order = 0;
  #file: OpenFile | undefined;
  #forgotten: Forgotten | undefined;
  #opened = false;
  #writing: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  #retryMs = MIN_RETRY_MS;
  /** Whether it waits before it tries again. */
  #isRetrying = false;
  #cancelTimer: () => void = () => {};
  #cancelSweep: () => void = () => {};
  #isClosed = false;

  constructor(options: JournalOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.segments = new Segments(options.directory);
  }

  /** Whether what was written before has been read, or could not be. */
  get isOpen(): boolean {
    return this.#opened;
  }

  get bootID(): string {
    return this.#bootID;
  }

  get state(): JournalState {
    const waiting = this.#queue.length + this.#inFlight;
    const counts = { written: this.#written, waiting, lost: this.#lost, damaged: this.#damaged };
    return { ...counts, syncedAt: this.#syncedAt, error: this.#error };
  }

  /** Reads what is there. Returns it in its order; nothing where it cannot be read, which `state` says. */
  async open(): Promise<readonly WrittenLine[]> {
    const start = `${Math.floor(this.#clock.wallMs())}-${randomBytes(4).toString("hex")}`;
    this.#bootID = (await readFile(BOOT_ID, "utf8").catch(() => "0")).trim();
    this.#writer = `${this.#bootID.slice(0, 8)}.${start}`;
    let all: WrittenLine[] = [];
    try {
      await this.segments.prepare();
      for (const segment of await this.segments.list()) {
        const { lines, forgotten, damaged } = await this.segments.read(segment);
        all.push(...lines);
        this.#damaged += damaged;
        for (const each of forgotten) this.#forget(each);
      }
      all = all.sort(inOrder);
      for (const { record } of all) this.#know(keyOf(record));
      this.#order = all.at(-1)?.order ?? 0;
    } catch (error) {
      this.#error = named(error, this.#options.directory);
    }
    this.#opened = true;
    // Which of those are written already is known only now.
    for (const end of this.#queue.splice(0)) this.#take(end);
    this.#sweepLater();
    this.#wake();
    return all;
  }

  /** Queues an end, unless it is written already. */
  append(end: NewEnd): void {
    if (!this.#isClosed) this.#take(end);
  }

  #take(end: NewEnd): void {
    const key = keyOf(end.record);
    if (this.#opened && this.#known.has(key)) return;
    if (this.#opened) this.#know(key);
    if (this.#queue.length >= MAX_WAITING) {
      this.#lost++;
      return;
    }
    this.#queue.push(end);
    if (!this.#opened) return;
    this.#queued++;
    if (!this.#isRetrying) this.#write();
    else this.#through = this.#queued; // it waits until it is tried again
  }

  /** Resolves when all that is queued now is written, or was tried in vain; undefined where nothing is. */
  written(): Promise<void> | undefined {
    if (this.#opened && this.#through >= this.#queued) return undefined;
    const [last] = this.#waits.slice(-1);
    if (last !== undefined && last.isEarly === !this.#opened && last.queued === this.#queued) return last.promise;
    let resolve = () => {};
    const promise = new Promise<void>((settle) => {
      resolve = settle;
    });
    this.#waits.push({ isEarly: !this.#opened, queued: this.#queued, promise, resolve });
    return promise;
  }

  /** Writes what is queued, and closes the file. */
  async close(): Promise<void> {
    this.#cancelTimer();
    this.#cancelSweep();
    this.#isRetrying = false;
    this.#write(); // what waited for another try
    const written = this.written();
    this.#isClosed = true;
    await written;
    await this.#writing;
    await this.#syncing;
    await this.#file?.handle.close().catch(() => {});
    this.#file = undefined;
    this.#wake();
  }

  /** Tells those who wait for what is through, and those who wait for more. */
  #wake(): void {
    for (let first = this.#waits[0]; first !== undefined; first = this.#waits[0]) {
      // What was queued before the files were read is known only then.
      if (!this.#opened || (!first.isEarly && this.#through < first.queued)) break;
      this.#waits.shift();
      const later = first.isEarly ? this.written() : undefined;
      if (later === undefined) first.resolve();
      else void later.then(first.resolve);
    }
    this.wakers.wake();
  }

  #know(key: string): void {
    this.#known.add(key);
    if (this.#known.size <= MAX_KNOWN) return;
    for (const oldest of this.#known) {
      this.#known.delete(oldest);
      break;
    }
  }

  #write(): void {
    if (!this.#opened || this.#writing !== undefined || this.#queue.length === 0) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (!this.#isRetrying) this.#write(); // what came since the last was written
      this.#wake();
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      this.#inFlight = batch.length;
      let queued = this.#queued;
      let isFailed = false;
      try {
        await this.#writeBatch(batch);
        this.#written += batch.length;
        this.#error = undefined;
        this.#retryMs = MIN_RETRY_MS;
      } catch (error) {
        this.#queue = [...batch, ...this.#queue];
        this.#error = named(error, this.#options.directory);
        // A part of a line may have been written: what comes next begins in another file.
        await this.#end();
        isFailed = true;
        queued = this.#queued; // those behind it wait as well
      }
      this.#inFlight = 0;
      this.#through = Math.max(this.#through, queued);
      this.#wake();
      if (isFailed) {
        this.#retryLater();
        return;
      }
    }
    this.#sync();
  }

  async #writeBatch(batch: readonly NewEnd[]): Promise<void> {
    const isGone = this.#file !== undefined && (await this.#file.handle.stat()).nlink === 0;
    if (isGone) await this.#end();
    let [n, order] = [this.#n, this.#order];
    const wallMs = Math.floor(this.#clock.wallMs());
    const lines = batch.map((end) => {
      order = Math.max(order + 1, wallMs);
      return `${lineText({ ...end, n: ++n, order, record: { ...end.record, bootID: this.#bootID } })}\n`;
    });
    const bytes = Buffer.from(lines.join(""));
    const most = this.#options.maxBytes / SHARE;
    if (this.#file === undefined || this.#file.bytes + bytes.length > most) await this.#next(bytes.length);
    await this.#put(bytes);
    this.#n = n;
    this.#order = order;
  }

  async #put(bytes: Buffer): Promise<void> {
    const file = this.#file as OpenFile;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await file.handle.write(bytes, at);
      at += bytesWritten;
      file.bytes += bytesWritten;
    }
  }

  /** Begins the next file, and removes the oldest: what is removed is noted before. */
  async #next(bytes: number): Promise<void> {
    await this.#end();
    await this.segments.prepare();
    const handle = await this.segments.create(this.#writer, ++this.#nth);
    this.#file = { handle, bytes: 0, sinceMs: this.#clock.now() };
    const old = await this.#tooMuch(bytes);
    for (const segment of old)
      for (const line of (await this.segments.read(segment)).lines) this.#forget(forgottenOf(line));
    if (this.#forgotten !== undefined) await this.#put(Buffer.from(`${forgottenText(this.#forgotten)}\n`));
    for (const segment of old) await this.segments.remove(segment).catch(() => {}); // another process may have
  }

  /** Returns the files that are too many, too large together, or too old: those that were written to first. */
  async #tooMuch(bytes: number): Promise<Segment[]> {
    const { maxBytes, maxAgeMs } = this.#options;
    const files: { segment: Segment; size: number; mtimeMs: number }[] = [];
    for (const segment of await this.segments.list()) {
      const is = await this.segments.stat(segment);
      const isOwn = segment.writer === this.#writer && segment.nth === this.#nth;
      if (is?.isFile() && !isOwn) files.push({ segment, size: is.size, mtimeMs: is.mtimeMs });
    }
    files.sort((a, b) => a.mtimeMs - b.mtimeMs);
    let size = files.reduce((sum, file) => sum + file.size, bytes);
    const room = maxBytes - maxBytes / SHARE;
    const old: Segment[] = [];
    for (const file of files) {
      const isOld = file.mtimeMs < this.#clock.wallMs() - maxAgeMs;
      if (size <= room && !isOld && files.length - old.length < MAX_SEGMENTS) break;
      size -= file.size;
      old.push(file.segment);
    }
    return old;
  }

  #forget(forgotten: Forgotten): void {
    if (forgotten.order > (this.#forgotten?.order ?? 0)) this.#forgotten = forgotten;
  }

  async #end(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await this.#syncing;
    await file?.handle.close().catch(() => {});
  }

  /** Brings what was written to the disk: beside the next writes. */
  #sync(): void {
    const file = this.#file;
    if (file === undefined || this.#syncing !== undefined) return;
    const [atMs, written] = [this.#clock.wallMs(), this.#written];
    const synced = () => {
      this.#syncedAt = new Date(atMs);
    };
    this.#syncing = file.handle
      .datasync()
      .then(synced, (error) => {
        this.#error = named(error, this.#options.directory);
      })
      .finally(() => {
        this.#syncing = undefined;
        if (this.#written > written && this.#writing === undefined) this.#sync();
      });
  }

  #retryLater(): void {
    this.#isRetrying = true;
    if (this.#isClosed) {
      this.#lost += this.#queue.length; // nobody is there to try again
      this.#queue = [];
      return;
    }
    const again = () => {
      this.#isRetrying = false;
      this.#write();
    };
    this.#cancelTimer = this.#clock.after(this.#retryMs, again, { isIdle: true });
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }

  /** Removes what has become too old where nothing is written either. */
  #sweepLater(): void {
    if (this.#isClosed || this.#options.maxAgeMs === Number.POSITIVE_INFINITY) return;
    const sweep = async () => {
      const isAged =
        this.#file !== undefined && this.#clock.now() - this.#file.sinceMs > this.#options.maxAgeMs / SHARE;
      if (this.#writing === undefined && (isAged || (await this.#tooMuch(0)).length > 0)) await this.#next(0);
      this.#sweepLater();
    };
    const again = () =>
      void sweep().catch((error) => {
        this.#error = named(error, this.#options.directory);
        this.#sweepLater();
      });
    this.#cancelSweep = this.#clock.after(Math.min(SWEEP_MS, this.#options.maxAgeMs), again, { isIdle: true });
  }
}

/** Returns what two records of one end have in common. */
export function keyOf({ uid, container, end, learnedAt }: Omit<EndedRecord, "seq" | "bootID">): string {
  if (container !== undefined) return container.containerID;
  // A static pod that comes again has its UID, and ends at another time; where that is not told, two agents learn it in one minute.
  return `${uid} ${end.finishedAt?.getTime() ?? Math.floor(learnedAt.getTime() / MINUTE_MS)}`;
}

/** Orders records as they came to be. */
export function inOrder(a: WrittenLine, b: WrittenLine): number {
  return a.order - b.order || (a.writer < b.writer ? -1 : Number(a.writer > b.writer)) || a.n - b.n;
}

function forgottenOf({ order, record }: WrittenLine): Forgotten {
  return { order, learnedMs: record.learnedAt.getTime() };
}

function named(error: unknown, directory: string): PodsError {
  if (PodsError.is(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  const hint = code === "ENOSPC" ? "the disk is full" : code === "EROFS" ? "it is read-only" : "";
  const isForbidden = code === "EACCES" || code === "EPERM";
  const message = `the journal in ${directory} cannot be written (${code})`;
  return new PodsError({ code: isForbidden ? "not-permitted" : "unknown", message, hint, cause: error });
}
