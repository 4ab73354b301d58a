import { factsOf, type PodsErrorCode } from "../errors/error-code.js";
import { amend, PodsError } from "../errors/pods-error.js";
import type { PodMask } from "../pod/mask.js";
import { follow } from "../timing/abort.js";
import type { Clock } from "../timing/clock.js";
import { Deadline } from "../timing/deadline.js";
import type { AttemptOptions, Connected, ListTrust, PodSource, SourceBatch, SourceEvent } from "./pod-source.js";

/** Errors that the other sources would return, too. */
const FINAL: ReadonlySet<PodsErrorCode> = new Set(["not-found", "invalid-argument", "closed"]);

/**
 * Several sources of the same pods, in order of preference. Each call and each stream tries them in this order. A missing source is
 * therefore skipped at once, and a preferred source is used again as soon as it is back: while another one is in use, the chain watches for
 * changes at the address of the preferred one, and each resync tries it first.
 *
 * If no source works, a call fails with the error of the first source. A watch gets the error `initializing` if one source reports it;
 * otherwise the first error that a retry may fix. The watch ends only if no source can be retried.
 */
export class SourceChain implements PodSource {
  readonly #sources: readonly [PodSource, ...PodSource[]];
  readonly #clock: Clock;
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

  /** Resolves at once: each source connects when it is tried. */
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
      const timeoutMs = isLast ? undefined : SOURCE_ANSWER_MS;
      const attempt = new Deadline({ clock: this.#clock, signal, timeoutMs, reason: unanswered });
      /** CONNECTED event of this source, withheld until the source sends something else, and its time. */
      let connection: Connected | undefined;
      let connectedMs = 0;
      let answered = false;
      try {
        for await (const received of source.open(attempt.signal, mask)) {
          const named = isConnected(received) ? this.#named(source, received) : received;
          if (isConnected(named) && !answered) {
            connection = named;
            connectedMs = this.#clock.now();
            if (isLast) yield named; // there is no other source to try
            continue;
          }
          if (!answered) {
            answered = true;
            this.#current = source;
            attempt.lift();
            if (connection !== undefined && !isLast)
              yield { ...connection, ageMs: (connection.ageMs ?? 0) + this.#clock.now() - connectedMs };
          }
          yield named;
        }
        return;
      } catch (error) {
        if (answered || signal.aborted) throw error;
        failures.add(attempt.isUp ? attempt.signal.reason : error, isLast ? undefined : connection);
      } finally {
        attempt.release();
        attempt.controller.abort(); // closes the stream of a skipped source
      }
    }
    const { error, connection } = failures.ofWatch();
    if (connection !== undefined) yield connection; // the listener must know which connection the error belongs to
    throw error;
  }

  /** Resolves when the address of any source changes, including one that is preferred to the current source. */
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

  get lists(): ListTrust | undefined {
    return this.#current.lists;
  }

  async close(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.close()));
  }

  /** Returns CONNECTED with names that differ from those of other sources. Only the first source lists beside its stream: a new stream tries it first. */
  #named(source: PodSource, event: Connected): Connected {
    const { connection } = event;
    const server = this.#name(source, event.server);
    const list = source === this.#sources[0] ? event.list : undefined;
    return { ...event, server, connection: connection && this.#name(source, connection), list };
  }

  /** Returns a name that differs from the names of other sources. */
  #name(source: PodSource, name: string): string {
    return `${this.#sources.indexOf(source)} ${name}`;
  }

  async #first<T>(
    { signal, timeoutMs, mask, onList }: AttemptOptions,
    ask: (source: PodSource, attempt: AttemptOptions) => Promise<T>,
  ): Promise<T> {
    const failures = new Failures();
    const deadline = new Deadline({ clock: this.#clock, signal, timeoutMs });
    try {
      for (const [i, source] of this.#sources.entries()) {
        if (!failures.allows(source)) continue;
        if (deadline.isUp) break;
        // A source that hangs must leave time for the others.
        const others = this.#sources.length - 1 - i;
        const share = Math.ceil((deadline.leftMs ?? Number.POSITIVE_INFINITY) / (others + 1));
        const shareMs = others === 0 ? deadline.leftMs : Math.min(SOURCE_ANSWER_MS, share);
        try {
          const answer = await ask(source, { signal, timeoutMs: shareMs, mask, onList });
          this.#current = source;
          return answer;
        } catch (error) {
          const isFinal = PodsError.is(error) && FINAL.has(error.code);
          if (isFinal) this.#current = source; // this source has answered
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

/** Time limit for the answer, or the first message, of a source that is not the last one. */
const SOURCE_ANSWER_MS = 5_000;

/** An error of a source, and its CONNECTED event if that was not emitted yet. */
interface Failure {
  readonly error: unknown;
  readonly connection?: Connected | undefined;
}

/** Errors of the sources that were tried, in order of preference. */
class Failures {
  readonly #all: Failure[] = [];

  add(error: unknown, connection?: Connected): void {
    this.#all.push({ error, connection });
  }

  /** Returns true if a source may be tried after these errors. */
  allows({ isIndependent = false }: PodSource): boolean {
    return isIndependent || !this.#all.some(isInitializing);
  }

  /** Error of a call: that of the first source that was tried. Its message also contains the errors of the others. */
  get first(): unknown {
    return this.#withOthers(this.#all[0]?.error);
  }

  /**
   * Returns the failure of a watch. `initializing` takes precedence, because that kubelet is running. Errors that a retry may fix come
   * next, because the watch continues as long as one of its sources may come back.
   */
  ofWatch(): Failure {
    const all = this.#all;
    const [first] = all as [Failure, ...Failure[]];
    const failure =
      all.find(isInitializing) ?? all.find(({ error }) => !(PodsError.is(error) && endsWatch(error))) ?? first;
    return { ...failure, error: this.#withOthers(failure.error) };
  }

  /** Adds the errors of the other sources to the message, so that an operator sees what to fix. */
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

function unanswered(attempt: Deadline): PodsError {
  const message = `the source sent nothing for ${attempt.timeoutMs} ms`;
  return attempt.exceeded({ code: "stalled", message, method: "WatchPods" });
}

function isConnected(received: SourceEvent | SourceBatch): received is Connected {
  return "type" in received && received.type === "CONNECTED";
}
