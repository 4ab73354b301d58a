// Follows the log file of one life of a container, over its rotations, from where it was left.

import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A line as the container wrote it. The runtime splits those that are longer than 16 KiB; here they are whole again. */
export interface LogLine {
  readonly time: string;
  readonly stream: string;
  readonly text: string;
}

/** How far a file was read: names of files change when they are rotated, inodes do not. */
export interface Position {
  readonly inode: number;
  readonly offset: number;
}

const CHUNK_BYTES = 256 * 1024;

/** A line is cut where it is longer: containers are strangers. */
const MAX_LINE_BYTES = 1024 * 1024;

export class Tail {
  readonly path: string;
  #position: Position | undefined;
  #file: FileHandle | undefined;
  /** What was read and is no whole line yet; it is read again after a restart. */
  #rest = Buffer.alloc(0);
  /** Pieces of a line that the runtime has split. */
  #pieces = "";

  constructor(path: string, position: Position | undefined) {
    this.path = path;
    this.#position = position;
  }

  /** How far it was told: what is behind this is told again after a restart. */
  get position(): Position | undefined {
    return this.#position;
  }

  /** Reads what is new, some of it where it is much: empty at the end, and where there is no file yet. */
  async read(): Promise<LogLine[]> {
    this.#file ??= await this.#open();
    if (this.#file === undefined) return [];
    const { ino: inode, size } = await this.#file.stat();
    const told = this.#position?.inode === inode ? this.#position.offset : 0;
    const from = told + this.#rest.length;
    if (size < told) return this.#restart(inode); // cut by somebody
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, from);
    if (bytesRead === 0) {
      // At its end: where another file bears the name by now, that is the next.
      if ((await inodeOf(this.path)) === inode) return [];
      await this.close();
      this.#position = undefined;
      this.#file = await this.#open();
      return this.#file === undefined ? [] : this.read();
    }
    return this.#linesOf(Buffer.concat([this.#rest, buffer.subarray(0, bytesRead)]), inode, told);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    this.#rest = Buffer.alloc(0);
    this.#pieces = "";
  }

  /** Opens the file that was read last, also where it has been rotated since, else the present one. */
  async #open(): Promise<FileHandle | undefined> {
    const directory = dirname(this.path);
    const names = this.#position === undefined ? [] : await readdir(directory).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(`${basename(this.path)}.`))) {
      const path = join(directory, name);
      if ((await inodeOf(path)) === this.#position?.inode) return open(path).catch(() => undefined);
    }
    return open(this.path).catch(() => undefined);
  }

  #restart(inode: number): LogLine[] {
    this.#position = { inode, offset: 0 };
    this.#rest = Buffer.alloc(0);
    return [];
  }

  #linesOf(bytes: Buffer, inode: number, offset: number): LogLine[] {
    const lines: LogLine[] = [];
    let start = 0;
    let told = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      // `<time> <stdout or stderr> <F or P> <text>`: P is followed by more of the line.
      const [, time = "", stream = "", tag, text = ""] =
        /^(\S+) (\S+) (\S+) ?(.*)$/s.exec(bytes.toString("utf8", start, end)) ?? [];
      this.#pieces += text;
      start = end + 1;
      if (tag === "P" && this.#pieces.length < MAX_LINE_BYTES) continue;
      lines.push({ time, stream, text: this.#pieces });
      this.#pieces = "";
      told = start;
    }
    this.#pieces = ""; // what no line has ended yet is read again
    this.#rest = bytes.length - told > MAX_LINE_BYTES ? Buffer.alloc(0) : Buffer.from(bytes.subarray(told));
    this.#position = { inode, offset: offset + (this.#rest.length === 0 ? bytes.length : told) };
    return lines;
  }
}

async function inodeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.ino;
}
