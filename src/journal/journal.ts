import { readFile } from "node:fs/promises";
import type { PodsClient } from "../client.js";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import type { LogReader } from "../known/log.js";
import { checkText, type OptionRows, resolve } from "../option-checks.js";
import { resolveWatchOptions } from "../options.js";
import { OWN_MASK } from "../pod/own-fields.js";
import { hostOf, type WatchHost } from "../readers/event-stream.js";
import { follow } from "../timing/abort.js";
import { Wakers } from "../timing/wakers.js";
import { EndQueue, type FailureCounts } from "./end-queue.js";
import { EndReader } from "./end-reader.js";
import { type EndRecord, isIdentified, keyOf, recordIn, weightOf } from "./end-record.js";
import { type Disk, JournalFiles, type PendingEnd, type ReadEnd, storageError } from "./journal-files.js";
import { RecordReader } from "./record-reader.js";

/** Options of {@link openJournal}. */
export interface JournalOptions {
  /**
   * Directory of the journal. If it is missing, it is created with mode 0700. Several agents of one user can use the same directory, for
   * example the old and the new one during an update.
   */
  directory: string;
  /**
   * Maximum size of all files in bytes. Above it, the oldest file of the namespace that uses the most space is removed.
   *
   * @default 16777216
   */
  maxBytes?: number | undefined;
  /** Ends the journal when it aborts, after the last write. The loop then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** The state of a journal. */
export interface JournalState {
  /** Number of ends that this process has written. */
  readonly written: number;
  /** Number of ends that wait for a write, at most 10,000. */
  readonly waiting: number;
  /** Number of ends that were lost because more than 10,000 waited, or because the last write before the end failed. */
  readonly dropped: number;
  /** Number of writes and reads that failed. */
  readonly failures: number;
  /** The error of the last write or read; undefined if it succeeded. The journal tries again, up to 30 seconds apart. */
  readonly error: PodsError | undefined;
}

/**
 * An open journal. Iterating it yields each record of this process once it is on disk, and those that the directory had before and no loop has
 * processed. A record counts as processed when the loop requests the next one. If the process is killed before, its successor gets the
 * record again.
 *
 * The loop throws `closed` when the client closes, the signal's reason when that aborts, and `storage` if ends could not be written before. It
 * ends when the journal is disposed.
 */
export interface Journal extends AsyncIterable<EndRecord>, AsyncDisposable {
  /** State of the journal, as a new object on each read. */
  readonly state: JournalState;
}

const JOURNAL_OPTIONS: OptionRows<JournalOptions, "maxBytes"> = {
  directory: "string",
  signal: "signal",
  maxBytes: { type: "number", default: 16_777_216, least: 65_536, most: 1_099_511_627_776, whole: true },
};

/** Number of records that are read from disk at once. */
const MAX_READ = 1_000;

/** Delay of the iterator after a failed read. */
const READ_AGAIN_MS = 1_000;

/**
 * Writes every end of a container and of a pod to files while the client is open. At the start it also writes the ends that the kubelet still
 * reports, unless they are recorded. `pods.close()` waits for the last write. A later I/O error does not reject: `state` and the counters of the
 * client have it, and up to 10,000 ends wait.
 *
 * @throws PodsError `storage` if the directory cannot be created, read or written, is a link or a file, or is not private to this user;
 *   `invalid-argument`; `closed`.
 * @example
 * ```ts
 * await using pods = new PodsClient();
 * const journal = await openJournal(pods, { directory: "/var/lib/my-agent/ends" });
 * for await (const { namespace, name, container, end } of journal)
 *   if (end.oom !== undefined) console.log(namespace, name, container?.name, end.reason, end.oom);
 * ```
 */
export function openJournal(pods: PodsClient, options: JournalOptions): Promise<Journal> {
  return openJournalOn(pods, options);
}

/** Opens a journal on a disk that a test chooses. */
export async function openJournalOn(pods: PodsClient, options: JournalOptions, disk?: Disk): Promise<Journal> {
  const { directory, maxBytes, signal } = resolve<JournalOptions, "maxBytes">(options, JOURNAL_OPTIONS, "openJournal");
  checkText(directory, "openJournal: directory");
  const host = hostOf(pods);
  if (host === undefined) throw invalidArgument("openJournal: the first argument must be a PodsClient");
  signal?.throwIfAborted();
  const files = new JournalFiles(directory, maxBytes, () => host.clock.wallMs(), disk);
  await files.check();
  const bootID = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const journal = new OpenJournal(host, files, bootID.trim());
  await journal.load();
  signal?.throwIfAborted();
  journal.start(signal);
  return journal;
}

/** The records of one end, if several writers recorded it. Only the most detailed one is yielded. */
interface Recorded {
  readonly writer: string;
  readonly order: number;
  readonly weight: number;
  /** True if a loop has processed one of them. Then none is yielded. */
  readonly isProcessed: boolean;
}

class OpenJournal implements Journal {
  readonly #host: WatchHost;
  readonly #files: JournalFiles;
  readonly #bootID: string;
  readonly #counters: FailureCounts;
  readonly #queue: EndQueue;
  #leave: () => void = () => {};
  #exit: () => void = () => {};
  readonly #wakers = new Wakers();
  /** Keys of the ends that earlier writers have recorded. Empty once the kubelet has shown all of its pods. */
  readonly #recorded = new Set<string>();
  /** Ends that several earlier writers have recorded, by key. */
  readonly #repeated = new Map<string, Recorded>();
  /** The order of the last processed record of each writer. */
  readonly #cursors = new Map<string, number>();
  /**
   * The order up to which all records of a writer are on disk. Files are read one after another. Without this limit a record could be yielded
   * before an earlier one of another file.
   */
  readonly #limits = new Map<string, number>();
  #reader: RecordReader;
  #next: ReadEnd[] = [];
  /** True if the directory may have more records than {@link #next}. */
  #hasMore = true;
  #isIterated = false;
  /** Failed reads and cursors, and the error of the last one of each. */
  #failures = 0;
  #readError: PodsError | undefined;
  #cursorError: PodsError | undefined;
  /** How the loop ends, once the journal has. */
  #end: { readonly error: unknown } | "done" | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(host: WatchHost, files: JournalFiles, bootID: string) {
    this.#host = host;
    this.#files = files;
    this.#bootID = bootID;
    this.#reader = new RecordReader(files);
    this.#counters = host.upstream().counters;
    this.#queue = new EndQueue(
      files,
      host.clock,
      (ends, firstOrder) => this.#onWritten(ends, firstOrder),
      this.#counters,
    );
  }

  get state(): JournalState {
    const { written, size, dropped, error = this.#cursorError ?? this.#readError ?? this.#fatal } = this.#queue;
    return { written, waiting: size, dropped, failures: this.#failures + this.#queue.failures, error };
  }

  /** The error that ended the watch. */
  get #fatal(): PodsError | undefined {
    return typeof this.#end === "object" && PodsError.is(this.#end.error) ? this.#end.error : undefined;
  }

  /** Makes the directory a journal, and reads what earlier writers have recorded. */
  async load(): Promise<void> {
    const { writer: own } = this.#files;
    await this.#files.saveCursor(own, 0);
    for (const [writer, order] of (await this.#files.cursors()) ?? []) this.#cursors.set(writer, order);
    await this.#files.evict(); // before a record is chosen that would go
    const first = new Map<string, Recorded>();
    for await (const { order, record, writer } of this.#files.records()) {
      this.#limits.set(writer, Math.max(this.#limits.get(writer) ?? 0, order));
      this.#files.lastOrder = Math.max(this.#files.lastOrder, order);
      const key = keyOf(record);
      this.#recorded.add(key);
      if (!isIdentified(record)) continue;
      const isProcessed = order <= (this.#cursors.get(writer) ?? 0);
      const one: Recorded = { writer, order, weight: weightOf(record), isProcessed };
      const other = first.get(key);
      first.set(key, other === undefined ? one : merged(other, one));
      if (other !== undefined) this.#repeated.set(key, first.get(key) as Recorded);
    }
  }

  start(signal: AbortSignal | undefined): void {
    const { clock } = this.#host;
    const { controller, release } = follow(signal);
    this.#exit = this.#host.enter(controller, () => this.#close({ error: controller.signal.reason }));
    controller.signal.addEventListener("abort", () => void this.#close({ error: controller.signal.reason }), {
      once: true,
    });
    const ends = new EndReader({
      write: (record) => this.#queue.add(record),
      isRecorded: (key) => this.#recorded.has(key),
      about: () => ({ bootID: this.#bootID, recordedAt: new Date(clock.wallMs()) }),
    });
    const reader: LogReader = {
      begin: (pods) => {
        ends.begin(pods);
        if (!pods.isUncertain && !pods.hasUnreadable) this.#recorded.clear();
      },
      accept: (entry) => {
        ends.accept(entry);
        if (entry.type === "listed" && !entry.list.mayLackPods) this.#recorded.clear();
      },
    };
    const { resyncIntervalMs } = resolveWatchOptions({}, "openJournal");
    const upstream = this.#host.upstream();
    const onFatal = (error: PodsError) => void this.#close({ error });
    const listener = { reader, mask: OWN_MASK, resyncIntervalMs, includeFinished: true, onFatal };
    this.#leave = () => {
      release();
      upstream.remove(listener);
    };
    upstream.add(listener);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EndRecord, void, undefined> {
    if (this.#isIterated) throw invalidArgument("a journal can be iterated by one loop at a time", "share its records");
    this.#isIterated = true;
    try {
      for (let next = await this.#first(); next !== undefined; next = await this.#first()) {
        const isRepeat = this.#isRepeat(next);
        if (!isRepeat) yield next.record;
        this.#next.shift();
        this.#cursors.set(next.writer, next.order);
        if (!isRepeat) await this.#saveCursor(next);
      }
    } finally {
      this.#isIterated = false;
      this.#next = [];
      this.#hasMore = true;
      this.#reader = new RecordReader(this.#files);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close("done");
  }

  /** Stores that a record was processed. After an error the record is yielded again after a restart. */
  async #saveCursor({ writer, order }: ReadEnd): Promise<void> {
    try {
      await this.#files.saveCursor(writer, order);
      this.#cursorError = undefined;
    } catch (error) {
      this.#cursorError = this.#failed(error);
    }
  }

  /** Returns true if another record of this end is yielded, or was processed. */
  #isRepeat({ record, writer, order }: ReadEnd): boolean {
    const chosen = this.#repeated.get(keyOf(record));
    if (chosen === undefined || writer === this.#files.writer) return false;
    return chosen.isProcessed || chosen.writer !== writer || chosen.order !== order;
  }

  /** Returns the next record without removing it; undefined once the journal was disposed. */
  async #first(): Promise<ReadEnd | undefined> {
    while (this.#next.length === 0) {
      if (this.#hasMore) await this.#read();
      else if (!this.#isClosed) await this.#wakers.changed(NEVER);
      else if (typeof this.#end === "object") throw this.#end.error;
      else return undefined;
    }
    return this.#next[0];
  }

  /** Reads the first records that were not processed. */
  async #read(): Promise<void> {
    try {
      // Another process may have processed records of its own, or of earlier ones.
      for (const [writer, order] of (await this.#files.cursors()) ?? [])
        this.#cursors.set(writer, Math.max(this.#cursors.get(writer) ?? 0, order));
      const { written } = this.#queue;
      const limits = new Map(this.#limits);
      this.#next = await this.#reader.next(
        MAX_READ,
        (writer, order) => order <= (this.#cursors.get(writer) ?? 0),
        (writer, order) => order <= (limits.get(writer) ?? 0),
      );
      this.#hasMore = this.#next.length > 0 || written !== this.#queue.written;
      this.#readError = undefined;
    } catch (error) {
      this.#readError = this.#failed(error);
      this.#hasMore = !this.#isClosed;
      if (this.#isClosed) return;
      const cancel = this.#host.clock.after(READ_AGAIN_MS, () => this.#wakers.wake(), { isIdle: true });
      await this.#wakers.changed(NEVER);
      cancel();
    }
  }

  /** Counts a failed read or cursor. */
  #failed(error: unknown): PodsError {
    this.#failures++;
    this.#counters.journalFailed();
    return PodsError.from(error);
  }

  /** Called with ends that are on disk. While the iterator keeps up, it does not need to read them. */
  #onWritten(ends: readonly PendingEnd[], firstOrder: number): void {
    this.#hasMore ||= !this.#isIterated || this.#next.length >= MAX_READ;
    const { writer } = this.#files;
    this.#limits.set(writer, firstOrder + ends.length - 1);
    if (!this.#isIterated) this.#readError = undefined;
    if (!this.#hasMore)
      this.#next.push(...ends.map(({ text }, i) => ({ order: firstOrder + i, record: recordIn(text), writer })));
    this.#wakers.wake();
  }

  /** Ends the journal, and writes the waiting ends. Every call returns the same promise. */
  #close(end: { readonly error: unknown } | "done"): Promise<void> {
    this.#closing ??= (async () => {
      this.#leave();
      await this.#queue.close();
      this.#exit(); // not before, because the client waits for the last write
      this.#end = this.#lost() ?? end;
      this.#isClosed = true;
      this.#wakers.wake();
    })();
    return this.#closing;
  }

  /** Returns how the loop ends if ends could not be written before the journal ended. */
  #lost(): { readonly error: PodsError } | undefined {
    const { error, dropped } = this.#queue;
    if (error === undefined) return undefined;
    const lost = dropped === 1 ? "one end was lost" : `${dropped} ends were lost`;
    return { error: storageError(this.#files.directory, `${lost}: ${error.message}`, "", error) };
  }
}

function merged(a: Recorded, b: Recorded): Recorded {
  const { writer, order, weight } = b.weight > a.weight ? b : a;
  return { writer, order, weight, isProcessed: a.isProcessed || b.isProcessed };
}

/** A timeout that only a wake ends. */
const NEVER = new AbortController().signal;
