import { invalidArgument, PodsError } from "../errors/pods-error.js";
import { checkOptions, type OptionTypes } from "../option-checks.js";
import type { Clock } from "../timing/clock.js";
import { pause } from "../timing/pause.js";
import { type EndedRecord, type Forgotten, keyOf, worthOf } from "./ended-record.js";
import { inOrder, type Segments, type WrittenLine } from "./segments.js";

/** A selection of ends; without a field all of them. */
export interface EndedQuery {
  /** The UID of the pod. */
  readonly uid?: string | undefined;
  /** The namespace of the pod. */
  readonly namespace?: string | undefined;
  /** The name of the pod. */
  readonly name?: string | undefined;
  /** The ID of the container, without the name of its runtime. */
  readonly containerID?: string | undefined;
  /** Only ends that were learned since this time: a date, or milliseconds since 1970. */
  readonly since?: Date | number | undefined;
  /** The `seq` of a record. Only later records are given, the oldest first. The first of them may have been given before. */
  readonly after?: string | undefined;
  /**
   * True to wait for further ends and give them as they come, the oldest first.
   *
   * @default false
   */
  readonly follow?: boolean | undefined;
  /** Ends the iteration, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The ends in a journal, the newest first; with `after` or `follow` the oldest first. It can be iterated once. */
export interface Ended extends AsyncIterable<EndedRecord> {
  /** True if some of the wanted ends have been removed, because of their age or size. Resolves once the journal has been read. */
  readonly truncated: Promise<boolean>;
  /** When the oldest end in the journal was learned, of any pod; undefined if the journal is empty. */
  readonly oldest: Promise<Date | undefined>;
}

/** Access to a journal. A process that also writes it can say when there is more. */
export interface EndedHost {
  readonly segments: Segments;
  readonly clock: Clock;
  /** Resolves when all ends that are known now have been written. */
  written(): Promise<void> | undefined;
  /** Aborts when nothing more will come: an iteration with `follow` rejects with its reason. */
  readonly over?: AbortSignal;
  /** Resolves when there is more. */
  changed?(signal: AbortSignal): Promise<void>;
}

/** How many ends an iteration with `follow` remembers: more than a journal of the default size has. */
const MAX_BEST = 200_000;

const QUERY: OptionTypes<EndedQuery> = {
  uid: "string",
  namespace: "string",
  name: "string",
  containerID: "string",
  since: "time",
  after: "string",
  follow: "boolean",
  signal: "signal",
};

/** How often a journal of another process is looked at, in milliseconds. */
const LOOK_MS = 1_000;

/** Returns the wanted ends. @throws PodsError `invalid-argument`. */
export function endedIn(host: EndedHost, query: EndedQuery, where: string): Ended {
  checkOptions(query, QUERY, where);
  if (query.since !== undefined && !(query.since instanceof Date) && typeof query.since !== "number")
    throw invalidArgument(`${where}: since is neither a date nor milliseconds since 1970`);
  const cursor = query.after === undefined ? undefined : cursorOf(query.after, where);
  const reader = new Reader(host, query, cursor);
  return { truncated: reader.truncated, oldest: reader.oldest, [Symbol.asyncIterator]: () => reader.records() };
}

/** The unread part of a journal. */
interface News {
  readonly lines: readonly WrittenLine[];
  /** The newest removed record. */
  readonly forgotten: Forgotten | undefined;
}

class Reader {
  readonly #host: EndedHost;
  readonly #query: EndedQuery;
  readonly #cursor: Cursor | undefined;
  /** How many bytes of each file have been read, by its path. */
  readonly #ends = new Map<string, number>();
  /** The best record of each end so far. */
  readonly #best = new Map<string, WrittenLine>();
  readonly #read: Cursor;
  #first: Promise<News> | undefined;

  constructor(host: EndedHost, query: EndedQuery, cursor: Cursor | undefined) {
    this.#host = host;
    this.#query = query;
    this.#cursor = cursor;
    this.#read = new Cursor(cursor);
  }

  get truncated(): Promise<boolean> {
    const after = this.#cursor;
    const { since } = this.#query;
    return lazily(async () => {
      const news = await this.#begin();
      if (after !== undefined) return after.isShortOf(news);
      return news.forgotten !== undefined && news.forgotten.learnedMs >= Number(since ?? 0);
    });
  }

  get oldest(): Promise<Date | undefined> {
    return lazily(async () => (await this.#begin()).lines[0]?.record.learnedAt);
  }

  async *records(): AsyncGenerator<EndedRecord, void, undefined> {
    const { follow = false, signal } = this.#query;
    signal?.throwIfAborted();
    const { lines } = await this.#begin();
    const records = this.#recordsOf(lines);
    const isUpward = follow || this.#cursor !== undefined;
    for (const record of isUpward ? records : records.reverse()) {
      signal?.throwIfAborted();
      yield record;
    }
    while (follow) {
      await this.#more(signal);
      signal?.throwIfAborted();
      this.#host.over?.throwIfAborted();
      const news = await this.#news();
      if (this.#read.isShortOf(news)) {
        const message = "ended: ends were removed for their age or their size before they were read";
        throw new PodsError({ code: "dropped", message, hint: "go on with ended({ after: seq, follow: true })" });
      }
      yield* this.#recordsOf(news.lines);
    }
  }

  #begin(): Promise<News> {
    this.#first ??= (async () => {
      await this.#host.written();
      return this.#news();
    })();
    return this.#first;
  }

  /** Reads the lines that were written since the last call. */
  async #news(): Promise<News> {
    const { segments } = this.#host;
    const lines: WrittenLine[] = [];
    let newest: Forgotten | undefined;
    const present = await segments.list();
    for (const segment of present) {
      const from = this.#ends.get(segment.path) ?? 0;
      const size = (await segments.stat(segment))?.size ?? 0;
      if (size <= from) continue;
      const { lines: read, forgotten, end } = await segments.read(segment, from);
      this.#ends.set(segment.path, end);
      for (const line of read) lines.push({ ...line, pod: undefined }); // with `follow` the lines are kept for long, and need no pods
      for (const each of forgotten) if (each.order > (newest?.order ?? 0)) newest = each;
    }
    const paths = new Set(present.map(({ path }) => path));
    for (const path of this.#ends.keys()) if (!paths.has(path)) this.#ends.delete(path);
    this.#read.keep(new Set(present.map(({ writer }) => writer)));
    return { lines: lines.sort(inOrder), forgotten: newest };
  }

  /** Returns the wanted records among the lines: of each end the one that tells most. */
  #recordsOf(lines: readonly WrittenLine[]): EndedRecord[] {
    for (const line of lines) {
      const key = keyOf(line.record);
      const best = this.#best.get(key);
      if (best === undefined || worthOf(line.record) > worthOf(best.record)) this.#best.set(key, line);
    }
    const records: EndedRecord[] = [];
    for (const line of lines) {
      this.#read.note(line);
      const isBest = this.#best.get(keyOf(line.record)) === line;
      if (!isBest || this.#cursor?.has(line) === true || !this.#isAsked(line)) continue;
      records.push({ seq: this.#read.toString(), ...line.record });
    }
    for (const oldest of this.#best.keys()) {
      if (this.#best.size <= MAX_BEST) break;
      this.#best.delete(oldest);
    }
    return records;
  }

  #isAsked({ record }: WrittenLine): boolean {
    const { uid, namespace, name, containerID, since } = this.#query;
    return (
      (uid === undefined || record.uid === uid) &&
      (namespace === undefined || record.namespace === namespace) &&
      (name === undefined || record.name === name) &&
      (containerID === undefined || record.container?.containerID === containerID) &&
      (since === undefined || record.learnedAt.getTime() >= Number(since))
    );
  }

  async #more(signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#host;
    await pause(clock, LOOK_MS, signal, (done) => this.#host.changed?.(done) ?? new Promise(() => {}));
    await this.#host.written();
  }
}

/**
 * How far a reader has read: the number of the last line of each writer that has files. Only the writers' own numbers can say that, since
 * two processes may write at once, and the time of day may be set back.
 */
class Cursor {
  /** The `order` of the newest line. */
  #order: number;
  readonly #writers: Map<string, number>;
  /** The writers that have files; undefined before the first look. */
  #present: ReadonlySet<string> | undefined;

  constructor(from?: Cursor) {
    this.#order = from === undefined ? 0 : from.#order;
    this.#writers = new Map(from === undefined ? [] : from.#writers);
  }

  static parse(text: string): Cursor {
    const cursor = new Cursor();
    const [order, ...writers] = text.split("~");
    cursor.#order = Number(order);
    for (const each of writers) {
      const at = each.lastIndexOf(":");
      cursor.#writers.set(each.slice(0, at), Number(each.slice(at + 1)));
    }
    return cursor;
  }

  note({ order, writer, n }: WrittenLine): void {
    this.#order = Math.max(this.#order, order);
    this.#writers.set(writer, Math.max(n, this.#writers.get(writer) ?? 0));
  }

  /** Keeps the writers that have files. All lines of another writer are new. */
  keep(present: ReadonlySet<string>): void {
    this.#present = present;
  }

  /** Returns true if a line has been read. */
  has({ writer, n }: WrittenLine): boolean {
    return n <= (this.#writers.get(writer) ?? 0);
  }

  /** Returns true if records were removed that had not been read. */
  isShortOf({ lines, forgotten }: News): boolean {
    const next = new Map([...this.#writers].map(([writer, n]) => [writer, n + 1]));
    for (const { writer, n } of lines) {
      const expected = next.get(writer);
      if (expected !== undefined && n > expected) return true;
      if (expected === n) next.set(writer, n + 1);
    }
    return forgotten !== undefined && forgotten.order > this.#order;
  }

  toString(): string {
    const writers = [...this.#writers].filter(([writer]) => this.#present?.has(writer) !== false);
    return [this.#order, ...writers.map(([writer, n]) => `${writer}:${n}`)].join("~");
  }
}

const CURSOR = /^[0-9]{1,16}(?:~[0-9a-f-]{1,40}\.[0-9]{1,20}-[0-9a-f]{1,8}:[0-9]{1,16})*$/;

function cursorOf(text: string, where: string): Cursor {
  if (text.length > 64 * 1024 || !CURSOR.test(text)) {
    throw invalidArgument(`${where}: after is no seq`, "the seq of a record of this journal");
  }
  return Cursor.parse(text);
}

/** Makes a promise whose rejection needs no handler: iterators reject with the same error. */
function lazily<T>(make: () => Promise<T>): Promise<T> {
  const promise = make();
  promise.catch(() => {});
  return promise;
}
