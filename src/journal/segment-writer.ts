import type { FileHandle } from "node:fs/promises";
import type { Clock } from "../timing/clock.js";
import { type Forgotten, forgottenText } from "./ended-record.js";
import { MAX_SEGMENTS, type Segment, type Segments } from "./segments.js";

/** Options of a journal, checked. */
export interface JournalOptions {
  readonly directory: string;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** The current file, and when it was begun. */
interface OpenFile {
  readonly handle: FileHandle;
  bytes: number;
  readonly sinceMs: number;
}

/** Each file is this part of the whole journal. */
const SHARE = 8;

/**
 * Writes lines to the files of one process, and removes the oldest of all files if they are too many, too large together, or too old. The
 * caller waits for each call before the next.
 */
export class SegmentWriter {
  /** The largest size of a file, unless its only line is larger. */
  readonly maxFileBytes: number;
  readonly #segments: Segments;
  readonly #options: JournalOptions;
  readonly #clock: Clock;
  readonly #onSyncError: (error: unknown) => void;
  #writer = "";
  #nth = 0;
  #file: OpenFile | undefined;
  #forgotten: Forgotten | undefined;
  /** True if something was written since the last sync. */
  #isUnsynced = false;
  #syncing: Promise<void> | undefined;
  #syncedAt: Date | undefined;

  constructor(segments: Segments, options: JournalOptions, clock: Clock, onSyncError: (error: unknown) => void) {
    this.#segments = segments;
    this.#options = options;
    this.#clock = clock;
    this.#onSyncError = onSyncError;
    this.maxFileBytes = Math.floor(options.maxBytes / SHARE);
  }

  /** When the written lines were last synced to the disk; undefined before that. */
  get syncedAt(): Date | undefined {
    return this.#syncedAt;
  }

  /** Begins to write in the name of a process. `forgotten` has the records that were removed before. */
  begin(writer: string, forgotten: readonly Forgotten[]): void {
    this.#writer = writer;
    for (const each of forgotten) this.#forget(each);
  }

  /** Writes lines into one file. Begins the next file if this one is full, or was removed. */
  async write(lines: Buffer): Promise<void> {
    const isGone = this.#file !== undefined && (await this.#file.handle.stat()).nlink === 0;
    if (isGone) await this.end();
    if (this.#file === undefined || this.#file.bytes + lines.length > this.maxFileBytes) await this.#next(lines.length);
    await this.#put(lines);
    this.#sync();
  }

  /** Removes files that have become too old, also if nothing is written. */
  async sweep(): Promise<void> {
    const { maxAgeMs } = this.#options;
    const isAged = this.#file !== undefined && this.#clock.now() - this.#file.sinceMs > maxAgeMs / SHARE;
    if (isAged || (await this.#tooMuch(0)).length > 0) await this.#next(0);
  }

  /** Syncs the file to the disk, and closes it. The next write begins another file. */
  async end(): Promise<void> {
    await this.#syncing;
    this.#sync();
    await this.#syncing;
    const file = this.#file;
    this.#file = undefined;
    this.#isUnsynced = false;
    await file?.handle.close().catch(() => {});
  }

  async #put(bytes: Buffer): Promise<void> {
    const file = this.#file as OpenFile;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await file.handle.write(bytes, at);
      at += bytesWritten;
      file.bytes += bytesWritten;
    }
    this.#isUnsynced = true;
  }

  /** Begins the next file, and removes the oldest ones, after noting what is removed. */
  async #next(bytes: number): Promise<void> {
    await this.end();
    await this.#segments.prepare();
    const handle = await this.#segments.create(this.#writer, ++this.#nth);
    this.#file = { handle, bytes: 0, sinceMs: this.#clock.now() };
    const old = await this.#tooMuch(bytes);
    for (const segment of old) {
      const { lines } = await this.#segments.read(segment);
      for (const { order, record } of lines) this.#forget({ order, learnedMs: record.learnedAt.getTime() });
    }
    if (this.#forgotten !== undefined) await this.#put(Buffer.from(`${forgottenText(this.#forgotten)}\n`));
    for (const segment of old) await this.#segments.remove(segment).catch(() => {}); // another process may have removed it
  }

  /** Returns the files to remove, because there are too many, or they are too large together, or too old. */
  async #tooMuch(bytes: number): Promise<Segment[]> {
    const { maxBytes, maxAgeMs } = this.#options;
    const files: { segment: Segment; size: number; mtimeMs: number }[] = [];
    for (const segment of await this.#segments.list()) {
      const is = await this.#segments.stat(segment);
      const isOwn = segment.writer === this.#writer && segment.nth === this.#nth;
      if (is?.isFile() && !isOwn) files.push({ segment, size: is.size, mtimeMs: is.mtimeMs });
    }
    files.sort((a, b) => a.mtimeMs - b.mtimeMs);
    let size = files.reduce((sum, file) => sum + file.size, bytes);
    const old: Segment[] = [];
    for (const file of files) {
      const isOld = file.mtimeMs < this.#clock.wallMs() - maxAgeMs;
      if (size <= maxBytes - this.maxFileBytes && !isOld && files.length - old.length < MAX_SEGMENTS) break;
      size -= file.size;
      old.push(file.segment);
    }
    return old;
  }

  #forget(forgotten: Forgotten): void {
    if (forgotten.order > (this.#forgotten?.order ?? 0)) this.#forgotten = forgotten;
  }

  /** Syncs the file to the disk, while the next writes go on. */
  #sync(): void {
    const file = this.#file;
    if (file === undefined || this.#syncing !== undefined || !this.#isUnsynced) return;
    this.#isUnsynced = false;
    const atMs = this.#clock.wallMs();
    const synced = () => {
      this.#syncedAt = new Date(atMs);
    };
    this.#syncing = file.handle
      .datasync()
      .then(synced, this.#onSyncError)
      .finally(() => {
        this.#syncing = undefined;
        if (this.#file === file) this.#sync();
      });
  }
}
