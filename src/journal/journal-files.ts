import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dropOldest } from "../drop-oldest.js";
import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import { lineOf, MAX_LINE_BYTES, type StoredEnd, storedIn } from "./end-record.js";

/** An end that waits to be written. */
export interface PendingEnd {
  readonly namespace: string;
  readonly text: string;
}

/** Called with ends that are on disk. Their orders are consecutive. */
export type OnWritten = (ends: readonly PendingEnd[], firstOrder: number) => void;

/** A record that was read, with the process that wrote it. */
export interface ReadEnd extends StoredEnd {
  readonly writer: string;
}

/** A line of a file of records. */
interface ReadLine {
  readonly end: number;
  readonly stored: StoredEnd | undefined;
}

/** A file of records: `ORDER.WRITER.NAMESPACE.ends`, with the order of its first record. */
interface EndFile {
  readonly file: string;
  readonly firstOrder: number;
  readonly writer: string;
  readonly namespace: string;
}

const END_FILE = /^(\d{16})\.([0-9a-f]{8})\.([A-Za-z0-9_-]{1,63})\.ends$/;
const CURSOR_FILE = /^([0-9a-f]{8})\.taken$/;

/** Size limit of a file. Whole files are evicted, so each is a small part of the journal. */
const FILES_PER_JOURNAL = 64;
const MAX_FILE_BYTES = 262_144;

/** Maximum number of files. Each start of an agent adds one for each namespace with an end. */
const MAX_FILES = 10_000;

/** The number of namespaces whose current file a writer remembers. */
const MAX_CURRENT = 1_000;

const CHUNK_BYTES = 65_536;

/** The highest order that the clock can set. Numbers are exact, and have 16 digits, for some decades more. */
const MAX_CLOCK_ORDER = Date.UTC(2200, 0) * 1_000;

/** The operations by which records are written. Tests let them fail. */
export interface Disk {
  open(path: string, flags: number, mode: number): Promise<FileHandle>;
  write(handle: FileHandle, text: Uint8Array): Promise<void>;
  sync(handle: FileHandle): Promise<void>;
}

const DISK: Disk = {
  open,
  write: (handle, text) => handle.writeFile(text),
  sync: (handle) => handle.datasync(),
};

/** The files of a journal in one directory. Each process writes its own files. */
export class JournalFiles {
  readonly directory: string;
  readonly writer: string = randomBytes(4).toString("hex");
  readonly #maxBytes: number;
  readonly #maxFileBytes: number;
  readonly #wallMs: () => number;
  readonly #disk: Disk;
  /** The order of the last record. A record gets its order when it is written, so that orders reach the disk in sequence. */
  lastOrder = 0;
  /** The current file of each namespace, and its size. */
  readonly #current = new Map<string, { readonly file: string; bytes: number }>();
  /** Bytes written since the last eviction. Infinity at first and after a failed write, which may have left bytes behind. */
  #written = Number.POSITIVE_INFINITY;

  /** @param wallMs returns the time of day. */
  constructor(directory: string, maxBytes: number, wallMs: () => number, disk: Disk = DISK) {
    this.directory = directory;
    this.#disk = disk;
    this.#wallMs = wallMs;
    this.#maxBytes = maxBytes;
    this.#maxFileBytes = Math.max(
      2 * MAX_LINE_BYTES,
      Math.min(MAX_FILE_BYTES, Math.floor(maxBytes / FILES_PER_JOURNAL)),
    );
  }

  /** Creates the directory if it is missing. @throws PodsError `storage` if it is a link or a file, or belongs to another user. */
  async check(): Promise<void> {
    await guarded(this.directory, async () => {
      await makeDirectory(this.directory);
      const stat = await lstat(this.directory);
      const what = stat.isSymbolicLink() ? "a symbolic link" : stat.isDirectory() ? undefined : "not a directory";
      if (what !== undefined) throw storageError(this.directory, `it is ${what}`, "pass the path of a directory");
      if (stat.uid !== process.geteuid?.())
        throw storageError(this.directory, "it belongs to another user", `chown it to the user of this process`);
      if ((stat.mode & 0o022) !== 0)
        throw storageError(this.directory, "other users can write to it", "chmod 700 the directory");
    });
  }

  /** Appends lines, and calls `onWritten` for those that are on disk. A retry uses the same file. @throws PodsError `storage`. */
  async append(ends: readonly PendingEnd[], onWritten: OnWritten): Promise<void> {
    await this.check();
    if (this.#written === Number.POSITIVE_INFINITY) await this.evict();
    const groups = new Map<string, PendingEnd[]>();
    for (const end of ends) {
      const series = end.namespace.replace(/[^A-Za-z0-9-]/g, "_").slice(0, 63) || "_";
      groups.set(series, [...(groups.get(series) ?? []), end]);
    }
    for (const [series, group] of groups)
      for (const part of partsOf(group, this.#maxFileBytes)) {
        onWritten(part, await guarded(this.directory, () => this.#appendTo(series, part)));
        if (this.#written >= this.#maxFileBytes) await this.evict();
      }
  }

  /** Appends ends to the file of a series. Returns the order of the first one. */
  async #appendTo(series: string, ends: readonly PendingEnd[]): Promise<number> {
    // Time of day in microseconds, forced to increase.
    const first = Math.max(this.lastOrder + 1, Math.min(Math.floor(this.#wallMs() * 1_000), MAX_CLOCK_ORDER));
    this.lastOrder = first + ends.length - 1;
    const text = Buffer.from(ends.map((end, i) => lineOf(first + i, end.text)).join(""));
    let current = this.#current.get(series);
    const isFull = current !== undefined && current.bytes > 0 && current.bytes + text.length > this.#maxFileBytes;
    // A file that another process has removed gets a new name: with the old one, new records would count as the oldest.
    if (current === undefined || isFull || !(await exists(join(this.directory, current.file)))) {
      current = { file: `${String(first).padStart(16, "0")}.${this.writer}.${series}.ends`, bytes: 0 };
      this.#current.delete(series);
      this.#current.set(series, current);
      dropOldest(this.#current, MAX_CURRENT);
    }
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
    const path = join(this.directory, current.file);
    const handle = await this.#disk.open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY, 0o600);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw storageError(path, "it is not a file", "remove it");
      current.bytes = stat.size;
      await this.#write(handle, text).catch(async (error) => {
        await handle.truncate(stat.size).catch(() => {}); // so that a second attempt does not repeat whole lines
        this.#written = Number.POSITIVE_INFINITY; // if that failed, too, the next attempt makes room first
        throw error;
      });
    } finally {
      await handle.close();
    }
    current.bytes += text.length;
    this.#written += text.length;
    return first;
  }

  async #write(handle: FileHandle, text: Uint8Array): Promise<void> {
    await this.#disk.write(handle, text);
    await this.#disk.sync(handle);
  }

  /** Removes the oldest file of the namespace that uses the most space, until the journal is small enough, and cursors without files. */
  evict(): Promise<void> {
    return guarded(this.directory, () => this.#evict());
  }

  async #evict(): Promise<void> {
    const { files, cursors } = await this.#names();
    const kept = new Set<EndFile & { bytes: number }>();
    const used = new Map<string, number>();
    const use = (namespace: string, bytes: number) => used.set(namespace, (used.get(namespace) ?? 0) + bytes);
    for (const each of files) {
      const { size: bytes = 0 } = (await lstat(join(this.directory, each.file)).catch(ifGone)) ?? {};
      kept.add({ ...each, bytes });
      use(each.namespace, bytes);
    }
    const total = () => [...used.values()].reduce((a, b) => a + b, 0);
    while (total() > this.#maxBytes || kept.size > MAX_FILES) {
      const most = Math.max(...used.values());
      const oldest = [...kept].find(({ namespace }) => used.get(namespace) === most);
      if (oldest === undefined) break;
      const { file, namespace, bytes } = oldest;
      await unlink(join(this.directory, file)).catch(ifGone);
      kept.delete(oldest);
      use(namespace, -bytes);
      if (this.#current.get(namespace)?.file === file) this.#current.delete(namespace);
    }
    const writers = new Set([...kept].map(({ writer }) => writer));
    for (const writer of cursors)
      if (writer !== this.writer && !writers.has(writer))
        await unlink(join(this.directory, cursorFile(writer))).catch(ifGone);
    this.#written = 0;
  }

  /** Yields the intact records of all writers, file by file. @throws PodsError `storage`. */
  async *records(): AsyncGenerator<ReadEnd, void, undefined> {
    for (const { file, writer } of await this.list())
      for await (const { stored } of this.recordsIn(file)) if (stored !== undefined) yield { ...stored, writer };
  }

  /** Returns the record files, the oldest first. @throws PodsError `storage`. */
  async list(): Promise<readonly EndFile[]> {
    return (await guarded(this.directory, () => this.#names())).files;
  }

  /**
   * Yields the lines of a file from an offset on, each with the offset behind it and its record. The record is undefined if the line is damaged.
   *
   * @throws PodsError `storage`.
   */
  async *recordsIn(file: string, from = 0): AsyncGenerator<ReadLine, void, undefined> {
    for await (const { text, end, isCut } of linesIn(this.directory, file, from)) {
      const stored = storedIn(text);
      if (stored !== undefined || !isCut) yield { end, stored };
    }
  }

  /** Returns the order of the last consumed record of each writer; undefined if the directory is not a journal. */
  async cursors(): Promise<ReadonlyMap<string, number> | undefined> {
    const { files, cursors } = await guarded(this.directory, () => this.#names());
    if (cursors.length === 0 && files.length === 0) return undefined;
    const orders = new Map<string, number>();
    for (const writer of cursors) {
      let order = Number.NaN;
      for await (const { text } of linesIn(this.directory, cursorFile(writer))) order = Number(text);
      if (Number.isSafeInteger(order)) orders.set(writer, order);
    }
    return orders;
  }

  /** Stores the order of the last consumed record of a writer. */
  async saveCursor(writer: string, order: number): Promise<void> {
    const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    const text = `${String(order).padStart(16, "0")}\n`; // always the same length, so that it overwrites the last one
    const flag = (O_CREAT | O_NOFOLLOW | O_WRONLY) as unknown as string;
    const path = join(this.directory, cursorFile(writer));
    await guarded(this.directory, () => writeFile(path, text, { flag, mode: 0o600 }));
  }

  /** Returns the record files, the oldest first, and the writers with a cursor file. */
  async #names(): Promise<{ files: EndFile[]; cursors: string[] }> {
    const names = (await readdir(this.directory)).sort();
    const files = names.flatMap((file) => {
      const [, firstOrder, writer, namespace] = END_FILE.exec(file) ?? [];
      if (writer === undefined || namespace === undefined) return [];
      return [{ file, firstOrder: Number(firstOrder), writer, namespace }];
    });
    return { files, cursors: names.flatMap((file) => CURSOR_FILE.exec(file)?.[1] ?? []) };
  }
}

/** Splits ends into parts that each fit into a file. */
function partsOf(ends: readonly PendingEnd[], maxBytes: number): PendingEnd[][] {
  const count = Math.floor(maxBytes / MAX_LINE_BYTES);
  return Array.from({ length: Math.ceil(ends.length / count) }, (_, i) => ends.slice(i * count, (i + 1) * count));
}

/** Makes a directory and its parents. With `recursive`, Node.js 20 never returns below /proc, and hides why a file system is read-only. */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(path);
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || parent === path) throw error;
    await makeDirectory(parent);
    await mkdir(path, { mode: 0o700 });
  }
}

function cursorFile(writer: string): string {
  return `${writer}.taken`;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(ifGone)) !== undefined;
}

/** A line of a file, and the offset behind it. */
interface Line {
  readonly text: string;
  readonly end: number;
  /** True if the file ends without a line break, for example because the line is being written. */
  readonly isCut: boolean;
}

/**
 * Yields the lines of a file from an offset on that are short enough for a record; none if the file was removed.
 *
 * @throws PodsError `storage`.
 */
async function* linesIn(directory: string, file: string, from = 0): AsyncGenerator<Line, void, undefined> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  const path = join(directory, file);
  const handle = await guarded(directory, () => open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ifGone));
  if (handle === undefined) return;
  try {
    if (!(await guarded(directory, () => handle.stat())).isFile()) return;
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = Buffer.alloc(0);
    let offset = from;
    for (;;) {
      const at = offset;
      const { bytesRead } = await guarded(directory, () => handle.read(chunk, 0, CHUNK_BYTES, at));
      if (bytesRead === 0) break;
      offset += bytesRead;
      let bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10)) {
        const text = bytes.subarray(0, end);
        bytes = bytes.subarray(end + 1);
        if (end > 0 && end <= MAX_LINE_BYTES) yield { text: text.toString(), end: offset - bytes.length, isCut: false };
      }
      rest = bytes.length > MAX_LINE_BYTES ? bytes.subarray(0, MAX_LINE_BYTES + 1) : bytes; // too long for a record
    }
    if (rest.length > 0 && rest.length <= MAX_LINE_BYTES) yield { text: rest.toString(), end: offset, isCut: true };
  } finally {
    await handle.close();
  }
}

function ifGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ELOOP") throw error;
}

const NOT_OWNER = "mount a directory that the user of this process owns and may write to";

const STORAGE_HINTS: Readonly<Record<string, string>> = {
  ENOSPC: "free space on its file system; the journal then writes the records that wait",
  EDQUOT: "raise the quota of its file system; the journal then writes the records that wait",
  EROFS: "mount its file system with write access",
  ENOTDIR: "a part of the path is a file: pass the path of a directory",
  ENOENT: "pass the path of a directory that can be created",
  EMFILE: "raise the limit of open files of this process",
  ENFILE: "raise the limit of open files of the node",
  EACCES: NOT_OWNER,
  EPERM: NOT_OWNER,
};

/** Runs an operation on the files, and converts system errors to a PodsError `storage`. */
async function guarded<T>(directory: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (PodsError.is(error)) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw storageError(directory, code, STORAGE_HINTS[code] ?? "", error);
  }
}

/** Returns the error of a journal that cannot be used. */
export function storageError(path: string, why: string, hint: string, cause?: unknown): PodsError {
  return new PodsError({
    code: "storage",
    message: `the journal in ${printable(path, 300)} cannot be used: ${why}`,
    hint,
    cause,
  });
}
