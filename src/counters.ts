import type { WatchNews } from "./diagnostics.js";
import type { PodsErrorCode } from "./errors/error-code.js";
import type { PodsError } from "./errors/pods-error.js";

/** Counts by error code. Codes that never occurred are omitted. */
export type CountByCode = { readonly [code in PodsErrorCode]?: number };

/** Counts since the client was created, over all its watches, informers and calls. */
export interface ClientCounters {
  /** Streams opened. */
  readonly streams: number;
  /** Complete lists after the first. */
  readonly resyncs: number;
  /** Streams that were replaced because lists had news that they lacked. */
  readonly wedged: number;
  /** Messages that could not be decoded or had an unknown type. */
  readonly malformed: number;
  /** Messages about pods on streams, by type. The pods of a list count as ADDED. */
  readonly events: { readonly ADDED: number; readonly MODIFIED: number; readonly DELETED: number };
  /** Streams that were lost or could not be opened. */
  readonly losses: CountByCode;
  /** Unary calls that have ended. All attempts of a call count as one. */
  readonly calls: number;
  /** Failed attempts of unary calls that were retried. */
  readonly retries: CountByCode;
  /** Unary calls that ended with an error, except those that their caller's signal ended. */
  readonly errors: CountByCode;
  /** Writes and reads of journals that failed, and ends that journals lost because of that. */
  readonly journals: { readonly failures: number; readonly lostEnds: number };
}

/** A unary call that has ended. */
export interface EndedCall {
  /** `ListPods` or `GetPod`. */
  readonly method: string;
  /** Duration over all attempts, in milliseconds. */
  readonly durationMs: number;
  /** Error code; `aborted` if the caller's signal ended the call; undefined if it succeeded. */
  readonly error: PodsErrorCode | "aborted" | undefined;
}

/** Counts of a client, in one place so that its state, diagnostics and metrics agree. */
export class Counters {
  #streams = 0;
  #lists = 0;
  #wedged = 0;
  #malformed = 0;
  #calls = 0;
  readonly #events = { ADDED: 0, MODIFIED: 0, DELETED: 0 };
  readonly #losses: Partial<Record<PodsErrorCode, number>> = {};
  readonly #retries: Partial<Record<PodsErrorCode, number>> = {};
  readonly #errors: Partial<Record<PodsErrorCode, number>> = {};
  readonly #journals = { failures: 0, lostEnds: 0 };
  /** Called with each call that has ended. */
  readonly observers: Set<(call: EndedCall) => void> = new Set();

  /** Counts an event of the stream. */
  watch(news: Pick<WatchNews, "type"> & { error?: PodsError }): void {
    if (news.type === "opening") this.#streams++;
    else if (news.type === "synced") this.#lists++;
    else if (news.type === "wedged") this.#wedged++;
    else if (news.type === "lost" && news.error !== undefined) increase(this.#losses, news.error.code);
  }

  received(type: "ADDED" | "MODIFIED" | "DELETED"): void {
    this.#events[type]++;
  }

  /** Counts messages that could not be decoded or had an unknown type. Returns their number so far. */
  unread(count: number): number {
    this.#malformed += count;
    return this.#malformed;
  }

  /** Counts a failed attempt that is retried. */
  retried({ code }: PodsError): void {
    increase(this.#retries, code);
  }

  /** Counts a call that has ended. `aborted` means that its caller's signal ended it, with any reason. */
  ended(method: string, durationMs: number, error: PodsError | "aborted" | undefined): void {
    this.#calls++;
    const outcome = typeof error === "object" ? error.code : error;
    if (typeof error === "object") increase(this.#errors, error.code);
    for (const observer of this.observers) {
      try {
        observer({ method, durationMs, error: outcome });
      } catch {} // an observer that throws must not fail the call
    }
  }

  /** Counts a failed write or read of a journal. */
  journalFailed(): void {
    this.#journals.failures++;
  }

  /** Counts ends that a journal lost. */
  journalLost(ends: number): void {
    this.#journals.lostEnds += ends;
  }

  /** Counts so far; a new object on each access. */
  get counts(): ClientCounters {
    return {
      streams: this.#streams,
      resyncs: Math.max(0, this.#lists - 1),
      wedged: this.#wedged,
      malformed: this.#malformed,
      events: { ...this.#events },
      losses: { ...this.#losses },
      calls: this.#calls,
      retries: { ...this.#retries },
      errors: { ...this.#errors },
      journals: { ...this.#journals },
    };
  }
}

function increase(counts: Partial<Record<PodsErrorCode, number>>, code: PodsErrorCode): void {
  counts[code] = (counts[code] ?? 0) + 1;
}
