import type { PodsErrorCode } from "./errors/error-code.js";
import { PodsError } from "./errors/pods-error.js";
import type { PodMask } from "./pod/mask.js";
import type { AttemptOptions, PodSource, SourceEvent } from "./source.js";

/** Answers that another source would give as well, and ends that are the caller's. */
const FINAL: ReadonlySet<PodsErrorCode> = new Set(["not-found", "invalid-argument", "deadline", "closed"]);

/**
 * Several sources of the same pods, best first. Each call and each stream tries them anew, in their order: so a source that
 * is away is left out at once, and none is kept for longer than it takes until a better one is there again. While a worse one is
 * in use, what changes where a better one is dialled is looked at, and each planned resync tries the better one first.
 *
 * Where none works, the error is that of the best one.
 */
export class SourceChain implements PodSource {
  readonly #sources: readonly [PodSource, ...PodSource[]];
  /** The one that answered last. */
  #current: PodSource;

  constructor(sources: readonly [PodSource, ...PodSource[]]) {
    this.#sources = sources;
    [this.#current] = sources;
  }

  get socketPath(): string {
    return this.#current.socketPath;
  }

  get version(): string | undefined {
    return this.#current.version;
  }

  /** Each source is dialled when it is tried. */
  connect(): Promise<void> {
    return Promise.resolve();
  }

  list(options: AttemptOptions): Promise<Uint8Array[]> {
    return this.#first(options, (source, attempt) => source.list(attempt));
  }

  get(uid: string, options: AttemptOptions): Promise<Uint8Array> {
    return this.#first(options, (source, attempt) => source.get(uid, attempt));
  }

  async *open(signal: AbortSignal, mask?: PodMask): AsyncGenerator<SourceEvent, void, undefined> {
    let failure: unknown;
    for (const source of this.#sources) {
      if (!isAskedAfter(failure, source)) continue;
      /** What came before the first pod: held back until it is clear that this source answers. */
      let held: SourceEvent | undefined;
      let told = false;
      try {
        for await (const event of source.open(signal, mask)) {
          if (!told && event.type === "CONNECTED") {
            held = { ...event, server: this.#name(source, event.server) };
            continue;
          }
          if (!told) this.#current = source;
          told = true;
          if (held !== undefined) yield held;
          held = undefined;
          yield event;
        }
        return;
      } catch (error) {
        if (told || signal.aborted) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }

  /** Also where a better source than the present one is dialled. */
  async changed(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const end = () => over.abort();
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    try {
      await Promise.race(this.#sources.map((source) => source.changed(over.signal)));
    } finally {
      signal.removeEventListener("abort", end);
      end();
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

  async close(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.close()));
  }

  #name(source: PodSource, server: string): string {
    return `${this.#sources.indexOf(source)} ${server}`;
  }

  async #first<T>(
    { signal, timeoutMs, mask }: AttemptOptions,
    ask: (source: PodSource, attempt: AttemptOptions) => Promise<T>,
  ): Promise<T> {
    const startMs = performance.now();
    let failure: unknown;
    for (const source of this.#sources) {
      if (!isAskedAfter(failure, source)) continue;
      const leftMs = timeoutMs === undefined ? undefined : Math.ceil(timeoutMs - (performance.now() - startMs));
      if (leftMs !== undefined && leftMs < 1) break;
      try {
        const answer = await ask(source, { signal, timeoutMs: leftMs, mask });
        this.#current = source;
        return answer;
      } catch (error) {
        if (signal.aborted || (PodsError.is(error) && FINAL.has(error.code))) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }
}

/** Whether a source is asked after the best one has failed so. */
function isAskedAfter(failure: unknown, { isIndependent = false }: PodSource): boolean {
  return isIndependent || !(PodsError.is(failure) && failure.code === "initializing");
}
