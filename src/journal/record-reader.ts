import type { JournalFiles, ReadEnd } from "./journal-files.js";

/** Number of records that are read from a file at once. */
const MAX_BUFFERED = 64;

/** A file of records, as far as it was read. */
interface OpenFile {
  readonly file: string;
  readonly writer: string;
  /** Lower bound of the orders that follow the buffered records. */
  floor: number;
  /** Offset behind the last record that was read. */
  offset: number;
  buffered: ReadEnd[];
  /** True if the file has no further record that may be returned now. */
  isAtEnd: boolean;
}

/** Decides by writer and order about a record. */
export type RecordTest = (writer: string, order: number) => boolean;

/**
 * Reads the records of a journal in their order, each once. The records of one file have increasing orders, so a few records of each file that
 * has begun are enough to find the next ones. The cost of all records together is linear in their number.
 */
export class RecordReader {
  readonly #files: JournalFiles;
  readonly #open = new Map<string, OpenFile>();
  /** True from the listing of the directory until all of its records were returned. */
  #isReading = false;

  constructor(files: JournalFiles) {
    this.#files = files;
  }

  /**
   * Returns the next records, at most about `count`. An empty result means that there are no more for now.
   *
   * @param isProcessed returns true if a record is to be left out.
   * @param isComplete returns true if all records up to this one are on disk.
   * @throws PodsError `storage`.
   */
  async next(count: number, isProcessed: RecordTest, isComplete: RecordTest): Promise<ReadEnd[]> {
    const isContinued = this.#isReading;
    if (!isContinued) await this.#begin();
    const found: ReadEnd[] = [];
    while (found.length < count) {
      let [bound, next]: [number, OpenFile | undefined] = [Number.POSITIVE_INFINITY, undefined];
      for (const each of this.#open.values()) {
        if (each.isAtEnd) continue;
        const last = each.buffered.at(-1)?.order ?? each.floor - 1;
        if (last < bound) [bound, next] = [last, each];
      }
      const ready = [...this.#open.values()].flatMap((each) => takeUpTo(each, bound));
      if (ready.length > 0) found.push(...ready.sort((a, b) => a.order - b.order));
      else if (next === undefined) break;
      else await this.#fill(next, isProcessed, isComplete);
    }
    this.#isReading = found.length > 0;
    // Files that are newer than the listing may have more.
    return isContinued && found.length === 0 ? this.next(count, isProcessed, isComplete) : found;
  }

  async #begin(): Promise<void> {
    const names = new Set<string>();
    for (const { file, writer, firstOrder } of await this.#files.list()) {
      names.add(file);
      const known = this.#open.get(file);
      if (known !== undefined) known.isAtEnd = false;
      else this.#open.set(file, { file, writer, floor: firstOrder, offset: 0, buffered: [], isAtEnd: false });
    }
    for (const file of this.#open.keys()) if (!names.has(file)) this.#open.delete(file);
  }

  async #fill(into: OpenFile, isProcessed: RecordTest, isComplete: RecordTest): Promise<void> {
    const { file, writer } = into;
    for await (const { end, stored } of this.#files.recordsIn(file, into.offset)) {
      if (stored !== undefined && !isComplete(writer, stored.order)) break;
      into.offset = end;
      if (stored === undefined || isProcessed(writer, stored.order)) continue;
      into.floor = stored.order + 1;
      if (into.buffered.push({ ...stored, writer }) >= MAX_BUFFERED) return;
    }
    into.isAtEnd = true;
  }
}

/** Removes and returns the first buffered records of a file, up to an order. */
function takeUpTo(each: OpenFile, order: number): ReadEnd[] {
  const rest = each.buffered.findIndex((read) => read.order > order);
  return each.buffered.splice(0, rest === -1 ? each.buffered.length : rest);
}
