import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { PodsError } from "../errors/pods-error.js";
import { type Forgotten, type JournalLine, MAX_LINE, readLine } from "./ended-record.js";

/** A file of a journal. Each process writes files of its own, so that two at once need no lock. */
export interface Segment {
  readonly path: string;
  /** The boot and the start of the process that writes it. */
  readonly writer: string;
  readonly nth: number;
}

/** A line, and its writer. */
export type WrittenLine = JournalLine & { readonly writer: string };

/** The lines of a file, or of a part of it. */
interface Lines {
  readonly lines: readonly WrittenLine[];
  readonly forgotten: readonly Forgotten[];
  /** How many lines were damaged, or of a later format. */
  readonly damaged: number;
  /** The offset at which the next line begins. */
  readonly end: number;
}

const NAME = /^ended\.([0-9a-f-]{1,40}\.[0-9]{1,20}-[0-9a-f]{1,8})\.([0-9]{1,10})\.jsonl$/;

/** More files than any journal keeps. */
export const MAX_SEGMENTS = 1_000;

/** How many bytes of a file are read at once. */
const PART_BYTES = 256 * 1024;

/** The directory of a journal. It follows no links, and opens no files of other users. */
export class Segments {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Makes the directory if it does not exist. @throws PodsError `invalid-path` if it is a link, or belongs to another user. */
  async prepare(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await this.#check();
  }

  /** Returns the files, those of one writer in order; none if there is no directory. @throws PodsError `invalid-path`. */
  async list(): Promise<Segment[]> {
    const isThere = await this.#check().catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    });
    if (isThere === false) return [];
    const segments: Segment[] = [];
    for (const name of await readdir(this.directory)) {
      const [, writer, nth] = NAME.exec(name) ?? [];
      if (writer !== undefined) segments.push({ path: join(this.directory, name), writer, nth: Number(nth) });
    }
    return segments.sort((a, b) => (a.writer === b.writer ? a.nth - b.nth : a.writer < b.writer ? -1 : 1));
  }

  /** Makes the next file of a writer. */
  async create(writer: string, nth: number): Promise<FileHandle> {
    const { O_CREAT, O_EXCL, O_APPEND, O_WRONLY, O_NOFOLLOW } = constants;
    const path = join(this.directory, `ended.${writer}.${nth}.jsonl`);
    const file = await open(path, O_CREAT | O_EXCL | O_APPEND | O_WRONLY | O_NOFOLLOW, 0o600);
    const directory = await open(this.directory, constants.O_RDONLY | constants.O_DIRECTORY | O_NOFOLLOW);
    await directory.sync().finally(() => directory.close()); // so that its name outlasts a loss of power, too
    return file;
  }

  async remove({ path }: Segment): Promise<void> {
    await unlink(path);
  }

  /** Returns the status of the file; undefined if it is gone. */
  async stat({ path }: Segment): Promise<Stats | undefined> {
    return lstat(path).catch(() => undefined);
  }

  /**
   * Reads the lines of a file from an offset on. An incomplete last line is left. A file that is gone, or belongs to another user, has no
   * lines.
   */
  async read({ path, writer }: Segment, from = 0): Promise<Lines> {
    const lines: WrittenLine[] = [];
    const forgotten: Forgotten[] = [];
    let damaged = 0;
    let end = from;
    const file = await this.#open(path);
    if (file === undefined) return { lines, forgotten, damaged, end };
    try {
      let rest = Buffer.alloc(0);
      const part = Buffer.alloc(PART_BYTES);
      for (let at = from; ; ) {
        const { bytesRead } = await file.read(part, 0, PART_BYTES, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        rest = Buffer.concat([rest, part.subarray(0, bytesRead)]);
        for (let line = rest.indexOf(10); line !== -1; line = rest.indexOf(10)) {
          const read = readLine(rest.toString("utf8", 0, line));
          if (read === undefined) damaged++;
          else if ("record" in read) lines.push({ ...read, writer });
          else forgotten.push(read);
          rest = rest.subarray(line + 1);
          end += line + 1;
        }
        if (rest.length > 2 * MAX_LINE) {
          // A part without a line end is skipped, since it is too long for a line.
          end += rest.length;
          rest = Buffer.alloc(0);
          damaged++;
        }
      }
    } finally {
      await file.close();
    }
    return { lines, forgotten, damaged, end };
  }

  async #open(path: string): Promise<FileHandle | undefined> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ELOOP" || error.code === "ENXIO") return undefined;
      throw error;
    });
    const is = await file?.stat();
    if (file === undefined || is === undefined || (is.isFile() && isOwn(is))) return file;
    await file.close();
    return undefined;
  }

  async #check(): Promise<true> {
    const is = await lstat(this.directory);
    const where = `the journal's directory ${this.directory}`;
    const refuse = (message: string, hint: string) => new PodsError({ code: "invalid-path", message, hint });
    if (!is.isDirectory()) throw refuse(`${where} is a link, or no directory`, "name a directory of its own");
    if (!isOwn(is)) throw refuse(`${where} belongs to uid ${is.uid}`, "name a directory of this process's own");
    if ((is.mode & 0o022) !== 0) throw refuse(`${where} may be written by others`, "chmod 0700");
    return true;
  }
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.getuid?.();
}

/** Orders lines by time. */
export function inOrder(a: WrittenLine, b: WrittenLine): number {
  return a.order - b.order || (a.writer < b.writer ? -1 : Number(a.writer > b.writer)) || a.n - b.n;
}
