import { factsOf, type PodsErrorCode } from "../errors/error-code.js";
import { amend, PodsError } from "../errors/pods-error.js";
import type { PodMask } from "../pod/mask.js";
import { follow } from "../timing/abort.js";
import type { Clock } from "../timing/clock.js";
import { Deadline } from "../timing/deadline.js";
import type { AttemptOptions, Connected, PodSource, SourceBatch, SourceEvent } from "./pod-source.js";
import type { ShownNow } from "./shown.js";

/** Answers that another source would give as well. */
const FINAL: ReadonlySet<PodsErrorCode> = new Set(["not-found", "invalid-argument", "closed"]);

/**
 * Several sources of the same pods, best first. Each call and each stream tries them anew, in their order: so a source that
 * is away is left out at once, and none is kept for longer than it takes until a better one is there again. While a worse one is
 * in use, what changes where a better one is dialled is looked at, and each planned resync tries the better one first.
 *
 * Where none works, a call fails with the error of the best one. A watch is told that the kubelet initializes if one source says
 * so, and else the best one's error that waiting may mend: it ends only where no source can be waited for.
 */
export class SourceChain implements PodSource {
  readonly #sources: readonly [PodSource, ...PodSource[]];
  readonly #clock: Clock;
  /** The one that answered last. */
  #current: PodSource;

  constructor(sources: readonly [PodSource, ...PodSource[]], clock: Clock) {
    this.#sources = sources;
    this.#clock = clock;
    [this.#current] = sources;
  }

  get socketPath(): string {
    return this.#current.socketPath;
  }

  get version(): string | undefined {
    return this.#current.version;
  }

  get shown(): ShownNow | undefined {
    return this.#current.shown;
  }

  /** Resolves at once: each source is dialled when it is tried. */
  connect(): Promise<void> {
    return Promise.resolve();
  }

  list(options: AttemptOptions): Promise<Uint8Array[]> {
    return this.#first(options, (source, attempt) => source.list(attempt));
  }

  get(uid: string, options: AttemptOptions): Promise<Uint8Array> {
    return this.#first(options, (source, attempt) => source.get(uid, attempt));
  }

  async *open(signal: AbortSignal, mask?: PodMask): AsyncGenerator<SourceEvent | SourceBatch, void, undefined> {
    const failures = new Failures();
    for (const source of this.#sources) {
      if (!failures.allows(source)) continue;
      const isLast = source === this.#sources.at(-1);
      const timeoutMs = isLast ? undefined : FIRST_MESSAGE_MS;
      const attempt = new Deadline({ clock: this.#clock, signal, timeoutMs, reason: () => unanswered(timeoutMs) });
      /** Its CONNECTED, which waits until it is clear that this source answers. */
      let connection: Connected | undefined;
      let answered = false;
      try {
        for await (const said of source.open(attempt.signal, mask)) {
          const named = isConnected(said) ? this.#named(source, said) : said;
          if (isConnected(named) && !answered) {
            connection = named;
            if (isLast) yield named; // nobody comes after it
            continue;
          }
          if (!answered) {
            answered = true;
            this.#current = source;
            attempt.lift();
            if (connection !== undefined && !isLast) yield connection;
          }
          yield named;
        }
        return;
      } catch (error) {
        if (answered || signal.aborted) throw error;
        failures.add(attempt.isUp ? attempt.signal.reason : error, isLast ? undefined : connection);
      } finally {
        attempt.release();
        attempt.controller.abort(); // who is left out is closed
      }
    }
    const { error, connection } = failures.ofWatch();
    if (connection !== undefined) yield connection; // who listens has to know whose error it is
    throw error;
  }

  /** Waits for changes where any of the sources is dialled, also a better one than the present one. */
  async changed(signal: AbortSignal): Promise<void> {
    const { controller, release } = follow(signal);
    try {
      await Promise.race(this.#sources.map((source) => source.changed(controller.signal)));
    } finally {
      release();
      controller.abort();
    }
  }

  server(): string | undefined {
    for (const source of this.#sources) {
      const server = source.server();
      if (server !== undefined) return this.#name(source, server);
      if (source === this.#current) return undefined;
    }
    return undefined;
  }

  sinceMs(): number | undefined {
    return this.#current.sinceMs?.();
  }

  async close(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.close()));
  }

  #named(source: PodSource, event: Connected): Connected {
    const { connection } = event;
    const server = this.#name(source, event.server);
    return { ...event, server, connection: connection === undefined ? undefined : this.#name(source, connection) };
  }

  /** Makes names of two sources differ. */
  #name(source: PodSource, name: string): string {
    return `${this.#sources.indexOf(source)} ${name}`;
  }

  async #first<T>(
    { signal, timeoutMs, mask }: AttemptOptions,
    ask: (source: PodSource, attempt: AttemptOptions) => Promise<T>,
  ): Promise<T> {
    const failures = new Failures();
    const deadline = new Deadline({ clock: this.#clock, signal, timeoutMs });
    try {
      for (const [i, source] of this.#sources.entries()) {
        if (!failures.allows(source)) continue;
        if (deadline.isUp) break;
        // One that hangs leaves time for the others.
        const others = this.#sources.length - 1 - i;
        const share = Math.ceil((deadline.leftMs ?? Number.POSITIVE_INFINITY) / (others + 1));
        const shareMs = others === 0 ? deadline.leftMs : Math.min(FIRST_MESSAGE_MS, share);
        try {
          const answer = await ask(source, { signal, timeoutMs: shareMs, mask });
          this.#current = source;
          return answer;
        } catch (error) {
          const isFinal = PodsError.is(error) && FINAL.has(error.code);
          if (isFinal) this.#current = source; // it has answered
          if (signal.aborted || isFinal) throw error;
          failures.add(error);
        }
      }
    } finally {
      deadline.release();
    }
    throw failures.first;
  }
}

/** How long a source that is not the last one may take to say something. */
const FIRST_MESSAGE_MS = 5_000;

/** An error of a source, and the connection that it came over, if that is yet to be told. */
interface Failure {
  readonly error: unknown;
  readonly connection?: Connected | undefined;
}

/** The errors of the sources that were tried, best source first. */
class Failures {
  readonly #all: Failure[] = [];

  /** Notes an error. */
  add(error: unknown, connection?: Connected): void {
    this.#all.push({ error, connection });
  }

  /** Returns whether a source may be asked after these. */
  allows({ isIndependent = false }: PodSource): boolean {
    return isIndependent || !this.#all.some(isInitializing);
  }

  /** Returns the error of a call: that of the best source, which also says what is wrong with the others. */
  get first(): unknown {
    return this.#withOthers(this.#all[0]?.error);
  }

  /**
   * Returns the failure of a watch. A kubelet that initializes comes first: it is there. What waiting may mend comes before
   * what it does not: the watch goes on as long as one of its sources may.
   */
  ofWatch(): Failure {
    const all = this.#all;
    const [first] = all as [Failure, ...Failure[]];
    const told =
      all.find(isInitializing) ?? all.find(({ error }) => !(PodsError.is(error) && endsWatch(error))) ?? first;
    return { ...told, error: this.#withOthers(told.error) };
  }

  /** Adds what is wrong with the other sources: who has to mend one of them has to know of it. */
  #withOthers(error: unknown): unknown {
    if (!PodsError.is(error)) return error;
    const failed = this.#all.map((failure) => failure.error).filter((other) => other !== error);
    const others = failed.flatMap((other) => (PodsError.is(other) ? [`${other.code}: ${other.rawMessage}`] : []));
    return others.length === 0 ? error : amend(error, { message: [error.rawMessage, ...others].join("; also ") });
  }
}

function isInitializing({ error }: Failure): boolean {
  return PodsError.is(error) && error.code === "initializing";
}

function endsWatch({ code }: PodsError): boolean {
  return factsOf(code).endsWatch ?? false;
}

function unanswered(timeoutMs: number | undefined): PodsError {
  const message = `the source has said nothing for ${timeoutMs} ms`;
  return new PodsError({ code: "stalled", message, method: "WatchPods" });
}

function isConnected(said: SourceEvent | SourceBatch): said is Connected {
  return "type" in said && said.type === "CONNECTED";
}
