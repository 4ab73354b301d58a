import { readFile } from "node:fs/promises";
import type { PodsClient } from "../client.js";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import type { LogReader } from "../known/log.js";
import { checkText, type OptionRows, resolve } from "../option-checks.js";
import { resolveWatchOptions } from "../options.js";
import { hostOf, type WatchHost } from "../readers/event-stream.js";
import { Wakers } from "../timing/wakers.js";
import { EndQueue } from "./end-queue.js";
import { EndReader, JOURNAL_MASK } from "./end-reader.js";
import { type EndRecord, keyOf, recordIn } from "./end-record.js";
import { JournalFiles, type PendingEnd, type ReadEnd } from "./journal-files.js";

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
}

/** The state of a journal. */
export interface JournalState {
  /** Number of ends that this process has written. */
  readonly written: number;
  /** Number of ends that wait for a write, at most 10,000. */
  readonly waiting: number;
  /** Number of ends that were lost because more than 10,000 waited. */
  readonly dropped: number;
  /** The error of the last write or read; undefined if it succeeded. The journal tries again, up to 30 seconds apart. */
  readonly error: PodsError | undefined;
}

/**
 * An open journal. Iterating it yields each record of this process once it is on disk, and those that the directory had before and no loop has
 * processed. A record counts as processed when the loop requests the next one. If the process is killed before, its successor gets the
 * record again. The loop ends when the client closes.
 */
export interface Journal extends AsyncIterable<EndRecord>, AsyncDisposable {
  /** State of the journal, as a new object on each read. */
  readonly state: JournalState;
}

const OPTIONS: OptionRows<JournalOptions, "maxBytes"> = {
  directory: "string",
  maxBytes: { type: "number", default: 16_777_216, least: 65_536, most: 1_099_511_627_776, whole: true },
};

/** The number of records that are read from disk at once. */
const MAX_READ = 1_000;

/** Delay of the iterator after a failed read. */
const READ_AGAIN_MS = 1_000;

/**
 * Writes every end of a container and of a pod to files while the client is open. At the start it also writes the ends that the kubelet still
 * reports, unless they are recorded. `pods.close()` waits for the last write. An I/O error does not reject: `state` has it, and up to
 * 10,000 ends wait.
 *
 * @throws PodsError `storage` if the directory is a link or a file, or not private to this user; `invalid-argument`; `closed`.
 * @example
 * ```ts
 * await using pods = new PodsClient();
 * const journal = await openJournal(pods, { directory: "/var/lib/my-agent/ends" });
 * for await (const { namespace, name, container, end } of journal)
 *   if (end.oom !== undefined) console.log(namespace, name, container?.name, end.reason, end.oom);
 * ```
 */
export async function openJournal(pods: PodsClient, options: JournalOptions): Promise<Journal> {
  const { directory, maxBytes } = resolve<JournalOptions, "maxBytes">(options, OPTIONS, "openJournal");
  checkText(directory, "openJournal: directory");
  const host = hostOf(pods);
  if (host === undefined) throw invalidArgument("openJournal: the first argument must be a PodsClient");
  const files = new JournalFiles(directory, maxBytes, () => host.clock.wallMs());
  await files.check().catch((error) => {
    if (!isPassing(error)) throw error;
  });
  const bootID = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const journal = new OpenJournal(host, files, bootID.trim());
  await journal.load();
  journal.start();
  return journal;
}

/** Returns true if an error is a system error, and not about the kind of the directory. */
function isPassing(error: unknown): boolean {
  return PodsError.is(error) && error.cause !== undefined;
}

class OpenJournal implements Journal {
  readonly #host: WatchHost;
  readonly #files: JournalFiles;
  readonly #bootID: string;
  readonly #queue: EndQueue;
  readonly #exit: () => void;
  #leave: () => void = () => {};
  readonly #wakers = new Wakers();
  /** Keys of the ends that earlier writers have recorded. Empty once the kubelet has shown all of its pods. */
  readonly #recorded = new Set<string>();
  /** The order of the last processed record of each writer. */
  readonly #cursors = new Map<string, number>();
  /**
   * The order up to which all records of a writer are on disk. Files are read one after another. Without this limit a record could be yielded
   * before an earlier one of another file.
   */
  readonly #limits = new Map<string, number>();
  #next: ReadEnd[] = [];
  /** True if the directory may have more records than {@link #next}. */
  #hasMore = true;
  #isIterated = false;
  #isLoaded = false;
  /** The error of the last read or cursor, and the error that ended the watch. */
  #error: PodsError | undefined;
  #fatal: PodsError | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(host: WatchHost, files: JournalFiles, bootID: string) {
    this.#host = host;
    this.#files = files;
    this.#bootID = bootID;
    this.#queue = new EndQueue(files, host.clock, (ends, firstOrder) => this.#onWritten(ends, firstOrder));
    this.#exit = host.enter(new AbortController(), () => this.#close());
  }

  get state(): JournalState {
    const { written, size, dropped, error = this.#error ?? this.#fatal } = this.#queue;
    return { written, waiting: size, dropped, error };
  }

  /** Makes the directory a journal, and reads what earlier writers have recorded. After an error the iterator tries again. */
  async load(): Promise<void> {
    await this.#load().catch((error) => {
      this.#error = PodsError.from(error);
    });
  }

  async #load(): Promise<void> {
    for await (const { order, record, writer } of this.#files.records()) {
      this.#limits.set(writer, Math.max(this.#limits.get(writer) ?? 0, order));
      this.#files.lastOrder = Math.max(this.#files.lastOrder, order);
      this.#recorded.add(keyOf(record));
    }
    const { writer } = this.#files;
    await this.#files.saveCursor(writer, this.#cursors.get(writer) ?? 0);
    await this.#files.evict();
    this.#isLoaded = true;
  }

  start(): void {
    if (this.#closing !== undefined) return;
    const { clock } = this.#host;
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
    const onFatal = (error: PodsError) => {
      this.#fatal = error;
      void this.#close();
    };
    const listener = { reader, mask: JOURNAL_MASK, resyncIntervalMs, includeFinished: true, wantsRuns: true, onFatal };
    this.#leave = () => upstream.remove(listener);
    upstream.add(listener);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EndRecord, void, undefined> {
    if (this.#isIterated) throw invalidArgument("a journal can be iterated by one loop at a time", "share its records");
    this.#isIterated = true;
    try {
      for (let next = await this.#first(); next !== undefined; next = await this.#first()) {
        yield next.record;
        this.#next.shift();
        this.#cursors.set(next.writer, next.order);
        // After an error the record is yielded again after a restart.
        this.#error = await this.#files.saveCursor(next.writer, next.order).then(
          () => undefined,
          (error: unknown) => PodsError.from(error),
        );
      }
    } finally {
      this.#isIterated = false;
      this.#next = [];
      this.#hasMore = true;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  /** Returns the next record without removing it; undefined once the journal has ended. */
  async #first(): Promise<ReadEnd | undefined> {
    while (this.#next.length === 0) {
      if (this.#hasMore) await this.#read();
      else if (!this.#isClosed) await this.#wakers.changed(NEVER);
      else if (this.#fatal === undefined) return undefined;
      else throw this.#fatal;
    }
    return this.#next[0];
  }

  /** Reads the first records that were not processed. */
  async #read(): Promise<void> {
    try {
      if (!this.#isLoaded) await this.#load();
      // Another process may have processed records of its own, or of earlier ones.
      for (const [writer, order] of (await this.#files.cursors()) ?? [])
        this.#cursors.set(writer, Math.max(this.#cursors.get(writer) ?? 0, order));
      const { written } = this.#queue;
      const limits = new Map(this.#limits);
      let count = 0;
      let next: ReadEnd[] = [];
      for await (const read of this.#files.records()) {
        const { writer, order } = read;
        if (order <= (this.#cursors.get(writer) ?? 0) || order > (limits.get(writer) ?? 0)) continue;
        count++;
        next.push(read);
        if (next.length > 2 * MAX_READ) next = firstOf(next);
      }
      this.#next = firstOf(next);
      this.#hasMore = count > MAX_READ || written !== this.#queue.written;
      this.#error = undefined;
    } catch (error) {
      this.#error = PodsError.from(error);
      this.#hasMore = !this.#isClosed;
      if (this.#isClosed) return;
      const cancel = this.#host.clock.after(READ_AGAIN_MS, () => this.#wakers.wake(), { isIdle: true });
      await this.#wakers.changed(NEVER);
      cancel();
    }
  }

  /** Called with ends that are on disk. While the iterator keeps up, it does not need to read them. */
  #onWritten(ends: readonly PendingEnd[], firstOrder: number): void {
    this.#hasMore ||= !this.#isIterated || this.#next.length >= MAX_READ;
    const { writer } = this.#files;
    this.#limits.set(writer, firstOrder + ends.length - 1);
    if (!this.#isIterated) this.#error = undefined;
    if (!this.#hasMore)
      this.#next.push(...ends.map(({ text }, i) => ({ order: firstOrder + i, record: recordIn(text), writer })));
    this.#wakers.wake();
  }

  /** Ends the journal, and writes the waiting ends. Every call returns the same promise. */
  #close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#leave();
      this.#exit();
      await this.#queue.close();
      this.#isClosed = true;
      this.#wakers.wake();
    })();
    return this.#closing;
  }
}

/** A timeout that only a wake ends. */
const NEVER = new AbortController().signal;

/** Returns the first records, in their order. Later ones stay on disk: a cursor must not pass a record that was left out. */
function firstOf(records: readonly ReadEnd[]): ReadEnd[] {
  return [...records].sort((a, b) => a.order - b.order).slice(0, MAX_READ);
}
