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
const MAX_LINE = 1024 * 1024;

/** The beginning of a line, of which the runtime has yet to write the rest. */
interface Piece {
  readonly offset: number;
  readonly time: string;
  text: string;
}

export class Tail {
  readonly path: string;
  #file: FileHandle | undefined;
  #inode = 0;
  /** How far the file has been taken apart, and what was read behind that. */
  #at = 0;
  #rest = Buffer.alloc(0);
  /** Lines that are not whole yet, by stream. */
  readonly #pieces = new Map<string, Piece>();
  /** Whether there is a newer file, and this one was read to its end before that was known. */
  #isLeft = false;

  constructor(path: string, position: Position | undefined) {
    this.path = path;
    if (position !== undefined) [this.#inode, this.#at] = [position.inode, position.offset];
  }

  /** How far it was told, all of it: what is behind this is told again after a restart. */
  get position(): Position {
    const offset = Math.min(this.#at, ...[...this.#pieces.values()].map((piece) => piece.offset));
    return { inode: this.#inode, offset };
  }

  /** Reads what is new, some of it where it is much: empty at the end, and where there is no file yet. */
  async read(): Promise<LogLine[]> {
    for (;;) {
      this.#file ??= await this.#open();
      if (this.#file === undefined) return [];
      const { size } = await this.#file.stat();
      if (size < this.#at) this.#begin(this.#inode); // cut by somebody
      const from = this.#at + this.#rest.length;
      const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, from);
      if (bytesRead > 0) {
        const lines = this.#linesOf(Buffer.concat([this.#rest, buffer.subarray(0, bytesRead)]));
        if (lines.length > 0) return lines;
        continue;
      }
      const next = await this.#next();
      if (next === undefined) return [];
      // The runtime writes to the old file until it has made the new one: it is read once more.
      if (!this.#isLeft) {
        this.#isLeft = true;
        continue;
      }
      await this.#file.close();
      this.#file = await open(next).catch(() => undefined);
      this.#begin((await this.#file?.stat())?.ino ?? 0);
    }
  }

  /** Gives what no line has ended: for the end of a life. */
  flush(): LogLine[] {
    const lines = [...this.#pieces].map(([stream, { time, text }]) => ({ time, stream, text }));
    this.#pieces.clear();
    return lines;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  #begin(inode: number): void {
    this.#inode = inode;
    this.#at = 0;
    this.#rest = Buffer.alloc(0);
    this.#isLeft = false;
  }

  /** Opens the file that was read last, also where it has been rotated since, else the present one. */
  async #open(): Promise<FileHandle | undefined> {
    const files = await this.#files();
    const path = files.find(({ inode }) => inode === this.#inode)?.path ?? this.path;
    const file = await open(path).catch(() => undefined);
    const inode = (await file?.stat())?.ino;
    if (inode !== undefined && inode !== this.#inode) this.#begin(inode);
    return file;
  }

  /** Returns the file after the one that is read, which the kubelet has rotated. */
  async #next(): Promise<string | undefined> {
    const files = await this.#files();
    const at = files.findIndex(({ inode }) => inode === this.#inode);
    return at === -1 ? files.find(({ path }) => path === this.path)?.path : files[at + 1]?.path;
  }

  /** Lists the rotated files, whose names end with their times, and then the present one. */
  async #files(): Promise<{ path: string; inode: number }[]> {
    const directory = dirname(this.path);
    const name = basename(this.path);
    const all = await readdir(directory).catch(() => []);
    const rotated = all.filter((each) => each.startsWith(`${name}.`) && !/\.(gz|tmp)$/.test(each)).sort();
    const paths = [...rotated, name].map((each) => join(directory, each));
    const found = await Promise.all(
      paths.map(async (path) => ({ path, inode: (await stat(path).catch(() => undefined))?.ino })),
    );
    return found.flatMap(({ path, inode }) => (inode === undefined ? [] : [{ path, inode }]));
  }

  #linesOf(bytes: Buffer): LogLine[] {
    const lines: LogLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      // `<time> <stdout or stderr> <F or P> <text>`: P is followed by more of the line.
      const [, time = "", stream = "", tag, text = ""] =
        /^(\S+) (\S+) (\S+) ?(.*)$/s.exec(bytes.toString("utf8", start, end)) ?? [];
      const piece = this.#pieces.get(stream) ?? { offset: this.#at, time, text: "" };
      piece.text += text;
      this.#at += end + 1 - start;
      start = end + 1;
      this.#pieces.set(stream, piece);
      if (tag === "P" && piece.text.length < MAX_LINE) continue;
      this.#pieces.delete(stream);
      lines.push({ time, stream, text: piece.text });
    }
    this.#rest = Buffer.from(bytes.subarray(start));
    // No runtime writes such a line.
    if (this.#rest.length > MAX_LINE) [this.#at, this.#rest] = [this.#at + this.#rest.length, Buffer.alloc(0)];
    return lines;
  }
}
