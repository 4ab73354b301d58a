import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import { checkOptions, checkText } from "../option-checks.js";
import { printable } from "../printable.js";

/** A line as the container wrote it. Lines longer than 16 KiB, which the runtime splits, are joined again, up to 1 MiB. */
export interface LogLine {
  /** The time at which the runtime received it, as RFC 3339 with up to nine digits of a second. */
  readonly time: string;
  /** `stdout` or `stderr`. */
  readonly stream: string;
  /** The line without its end. Bytes that are not UTF-8 are replaced. */
  readonly text: string;
}

/**
 * How far a log was read, as plain JSON. A rotation changes the name of a file and not its inode; a compression by the kubelet changes
 * both.
 */
export interface LogPosition {
  /** The file: its inode and when it was made, since inodes are reused. */
  readonly file: string;
  /** How many bytes of it were read. */
  readonly offset: number;
  /** The time of the last read line. */
  readonly time: string;
}

const CHUNK_BYTES = 256 * 1024;

/** Longer lines are cut, since containers may write anything. */
const MAX_LINE = 1024 * 1024;

/** The longest time, stream and tag of a line. */
const MAX_HEAD = 100;

/** The largest unpacked size of a compressed file. Kubelets rotate at 10 MiB by default (`containerLogMaxSize`). */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** The beginning of a line whose rest is not written yet. It may end within a character. */
interface Piece {
  readonly offset: number;
  readonly time: string;
  readonly parts: Buffer[];
  bytes: number;
}

/** Where a {@link LogTail} begins. */
export interface LogTailOptions {
  /** The position of an earlier tail. Reading goes on after it, even if the file was rotated or compressed since. */
  position?: LogPosition | undefined;
  /**
   * True to begin with the oldest rotated file instead of the current one. Has no effect with `position`.
   *
   * @default false
   */
  fromOldest?: boolean | undefined;
}

/**
 * Follows the log file of one life of a container, over its rotations and their compression. Strangers may have put files below the root of
 * logs, so only plain files are read, no link is followed, and the bytes of each read are bounded. It reads only when `read` is called.
 *
 * @example
 * ```ts
 * for await (const event of pods.watchContainers({ mask: podMasks.logPathOf })) {
 *   if (event.type !== "ENDED") continue;
 *   const tail = new LogTail(logPathOf(event.pod, event.container), { fromOldest: true });
 *   for (let lines = await tail.read(); lines.length > 0; lines = await tail.read()) {
 *     for (const { time, text } of lines) console.log(time, text);
 *   }
 *   await tail.close();
 * }
 * ```
 */
export class LogTail {
  /** The path of the current file. */
  readonly path: string;
  readonly #fromOldest: boolean;
  #file: FileHandle | undefined;
  #id = "";
  /** How far the file has been split into lines, and the bytes read after that. */
  #at = 0;
  #rest: Buffer = Buffer.alloc(0);
  #time = "";
  /** Compressed files to be read first, from the last read line on. */
  #packed: string[] = [];
  /** Compressed files that have been read, so that they are not read again if there is no other file. */
  #unpackedPaths = new Set<string>();
  /** Lines that are not whole yet, by stream. */
  readonly #pieces = new Map<string, Piece>();
  /** True if there is a newer file, and this one was read to its end before that was known. */
  #isLeft = false;

  /** @param path the file of the life, as `logPathOf` returns it. It need not exist yet. */
  constructor(path: string, options: LogTailOptions = {}) {
    checkText(path, "LogTail: the path");
    checkOptions(options, { position: "object", fromOldest: "boolean" }, "LogTail");
    const { position, fromOldest = false } = options;
    this.path = path;
    const { file, offset, time } = position ?? { file: "", offset: 0, time: "" };
    if (position === null || typeof file !== "string" || !Number.isSafeInteger(offset) || typeof time !== "string")
      throw invalidArgument("LogTail: position: what position of another tail gave is expected", "as an object");
    this.#fromOldest = fromOldest;
    if (position !== undefined)
      [this.#id, this.#at, this.#time] = [position.file, position.offset, position.time ?? ""];
  }

  /** How far it was read, up to the last whole line. A tail that begins there reads the rest. */
  get position(): LogPosition {
    const offset = Math.min(this.#at, ...[...this.#pieces.values()].map((piece) => piece.offset));
    return { file: this.#id, offset, time: this.#time };
  }

  /**
   * Reads new lines, at most some of them at once. Empty at the end, and if there is no file yet.
   *
   * @throws PodsError `invalid-path` if it is no plain file, `not-permitted` if it cannot be opened, and `corrupt` or `too-large` for a
   * compressed file. The next call goes on after that file.
   */
  async read(): Promise<LogLine[]> {
    for (;;) {
      this.#file ??= await this.#open();
      const packed = this.#packed.shift();
      if (packed !== undefined) {
        const lines = await this.#unpacked(packed);
        if (lines.length > 0) return lines;
        continue;
      }
      if (this.#file === undefined) return [];
      const { size } = await this.#file.stat();
      if (size < this.#at) this.#begin(this.#id); // the file was truncated
      const from = this.#at + this.#rest.length;
      const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, from);
      if (bytesRead > 0) {
        const lines = this.#linesOf(Buffer.concat([this.#rest, buffer.subarray(0, bytesRead)]));
        if (lines.length > 0) return lines;
        continue;
      }
      const next = await this.#next();
      if (next === undefined) return [];
      // The runtime writes to the old file until it has made the new one, so the old one is read once more.
      if (!this.#isLeft) {
        this.#isLeft = true;
        continue;
      }
      await this.#file.close();
      this.#file = await openPlain(next);
      this.#begin(await idOf(this.#file));
    }
  }

  /** Returns incomplete lines, for the end of a life, when nothing more is written. */
  flush(): LogLine[] {
    const lines = [...this.#pieces].map(([stream, piece]) => ({ time: piece.time, stream, text: textOf(piece) }));
    this.#pieces.clear();
    return lines;
  }

  /** Closes the file; reading again opens it. */
  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  #begin(id: string): void {
    this.#id = id;
    this.#at = 0;
    this.#rest = Buffer.alloc(0);
    this.#isLeft = false;
  }

  /** Opens the file that was read last, even if it has been rotated since; otherwise the current one. */
  async #open(): Promise<FileHandle | undefined> {
    const files = await this.#files();
    const known = files.find(({ id }) => id === this.#id)?.path;
    const path = known ?? (this.#id === "" && !this.#fromOldest ? this.path : await this.#goOn(files)) ?? this.path;
    const file = await openPlain(path);
    const id = await idOf(file);
    if (file !== undefined && id !== this.#id) this.#begin(id);
    return file;
  }

  /** Returns the file that follows a rotated one. */
  async #next(): Promise<string | undefined> {
    const files = await this.#files();
    const at = files.findIndex(({ id }) => id === this.#id);
    return at === -1 ? this.#goOn(files) : files[at + 1]?.path;
  }

  /** Goes on if the last read file is gone: with files that have been compressed since, and then the oldest other one. */
  async #goOn(files: readonly { readonly path: string }[]): Promise<string | undefined> {
    const all = await readdir(dirname(this.path)).catch(() => []);
    const packed = all.filter((each) => each.startsWith(`${basename(this.path)}.`) && each.endsWith(".gz")).sort();
    const paths = packed.map((each) => join(dirname(this.path), each));
    this.#packed = paths.filter((path) => !this.#unpackedPaths.has(path));
    this.#unpackedPaths = new Set(paths.filter((path) => this.#unpackedPaths.has(path)));
    return files[0]?.path;
  }

  /** Reads the lines of a compressed file after the last read one. */
  async #unpacked(path: string): Promise<LogLine[]> {
    this.#unpackedPaths.add(path);
    const file = await openPlain(path);
    if (file === undefined) return [];
    const lastMs = Date.parse(this.#time);
    const last = fixedTime(this.#time);
    const [at, rest] = [this.#at, this.#rest];
    try {
      const bytes = await unpacked(file, path);
      // Times have nine digits of a second; a Date has only three.
      const isNew = ({ time }: LogLine) =>
        !(Date.parse(time) < lastMs || (Date.parse(time) === lastMs && fixedTime(time) <= last));
      return this.#linesOf(bytes).filter(isNew);
    } finally {
      [this.#at, this.#rest] = [at, rest];
      await file.close();
    }
  }

  /** Lists the rotated files, whose names end with their times, and then the current one. */
  async #files(): Promise<{ path: string; id: string }[]> {
    const directory = dirname(this.path);
    const name = basename(this.path);
    const all = await readdir(directory).catch(() => []);
    const rotated = all.filter((each) => each.startsWith(`${name}.`) && !/\.(gz|tmp)$/.test(each)).sort();
    const paths = [...rotated, name].map((each) => join(directory, each));
    const found = await Promise.all(
      paths.map(async (path) => ({ path, id: idIn(await lstat(path).catch(() => undefined)) })),
    );
    return found.filter(({ id }) => id !== "");
  }

  #linesOf(bytes: Buffer): LogLine[] {
    const lines: LogLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      // `<time> <stdout or stderr> <F or P> <text>`: P is followed by more of the line.
      const head = bytes.toString("latin1", start, Math.min(end, start + MAX_HEAD));
      const [before = "", time = "", stream = "", tag] = /^(\S+) (\S+) (\S+) ?/.exec(head) ?? [];
      const piece = this.#pieces.get(stream) ?? { offset: this.#at, time, parts: [], bytes: 0 };
      const part = bytes.subarray(start + before.length, end);
      piece.parts.push(Buffer.from(part));
      piece.bytes += part.length;
      this.#at += end + 1 - start;
      start = end + 1;
      this.#pieces.set(stream, piece);
      if (tag === "P" && piece.bytes < MAX_LINE) continue;
      this.#pieces.delete(stream);
      this.#time = time;
      lines.push({ time, stream, text: textOf(piece) });
    }
    this.#rest = Buffer.from(bytes.subarray(start));
    // No runtime writes such a line.
    if (this.#rest.length > MAX_LINE) [this.#at, this.#rest] = [this.#at + this.#rest.length, Buffer.alloc(0)];
    return lines;
  }
}

/** @throws PodsError `too-large` if it has more than a rotated log, and `corrupt` if it cannot be unpacked. */
async function unpacked(file: FileHandle, path: string): Promise<Buffer> {
  const problem = (code: "too-large" | "corrupt", what: string) =>
    new PodsError({
      code,
      message: `${printable(path, 300)} ${what}`,
      hint: "its lines are left out; reading again goes on",
    });
  const tooLarge = () => problem("too-large", `has more than ${MAX_UNPACKED_BYTES} bytes in it`);
  if ((await file.stat()).size > MAX_UNPACKED_BYTES) throw tooLarge();
  try {
    return await promisify(gunzip)(await file.readFile(), { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : problem("corrupt", `cannot be unpacked (${code})`);
  }
}

/** Returns the identity of the file; empty if it does not exist. */
function idIn(stats: Stats | undefined): string {
  return stats === undefined ? "" : `${stats.ino} ${stats.birthtimeMs}`;
}

async function idOf(file: FileHandle | undefined): Promise<string> {
  return idIn(await file?.stat());
}

/** Writes a time with nine digits of a second, as kubelets do: runtimes leave out trailing zeros. */
export function fixedTime(time: string): string {
  return time.replace(/(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/, (_, digits: string | undefined, zone: string) => {
    return `.${(digits ?? "").padEnd(9, "0")}${zone}`;
  });
}

function textOf({ parts }: Piece): string {
  return Buffer.concat(parts).toString("utf8");
}

/** Opens a plain file; undefined if there is none. It does not follow a link, and does not wait for the writer of a FIFO. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    if (NOT_PLAIN.has(error.code ?? "")) throw notPlain(path);
    throw new PodsError({
      code: "not-permitted",
      message: `${printable(path, 300)} cannot be read (${error.code})`,
      hint: "is the directory of logs mounted, and is this process root?",
    });
  });
  if (file === undefined || (await file.stat()).isFile()) return file;
  await file.close();
  throw notPlain(path);
}

/** The errors of opening a link and a socket. */
const NOT_PLAIN: ReadonlySet<string> = new Set(["ELOOP", "ENXIO"]);

function notPlain(path: string): PodsError {
  const message = `${printable(path, 300)} is no plain file`;
  return new PodsError({ code: "invalid-path", message, hint: "nothing else is read below the directory of logs" });
}
