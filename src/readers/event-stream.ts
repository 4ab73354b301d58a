import { invalidArgument, type PodsError } from "../errors/pods-error.js";
import type { LogReader } from "../known/log.js";
import type { Lookups } from "../lookup/lookups.js";
import type { PodMask } from "../pod/mask.js";
import type { Upstream, UpstreamListener } from "../stream/upstream.js";
import { follow } from "../timing/abort.js";
import type { Clock } from "../timing/clock.js";

/** The part of a client that event streams use. */
export interface WatchHost {
  readonly clock: Clock;
  /** The client's `timeoutMs`, which informers use, too. Undefined for no limit. */
  readonly timeoutMs: number | undefined;
  /** Returns the upstream to listen to: the current one, or a new one. */
  upstream(): Upstream<Lookups>;
  /**
   * Registers a controller that close() aborts, and work that close() waits for. Returns a function that unregisters both.
   *
   * @throws PodsError `closed`.
   */
  enter(controller: AbortController, finish?: () => Promise<void>): () => void;
}

const hosts = new WeakMap<object, WatchHost>();

/** Registers the host of a client, for readers outside of it. */
export function setHost(client: object, host: WatchHost): void {
  hosts.set(client, host);
}

/** Returns the host of a client; undefined if the argument is not a client. */
export function hostOf(client: object): WatchHost | undefined {
  return hosts.get(client);
}

/**
 * An iterator that `for await` reads. `break`, `return()` and `await using` end it; it can be iterated once.
 */
export type Stream<T> = AsyncIterableIterator<T, undefined> & AsyncDisposable;

/** A reader of the log that makes each event when it is taken. */
export interface EventQueue<E> extends LogReader {
  /** Takes the next event; undefined if there is none now. */
  take(): E | undefined;
}

/** Options of an event stream, checked. */
export interface EventStreamOptions {
  readonly signal: AbortSignal | undefined;
  readonly resyncIntervalMs: number;
  includeFinished: boolean;
  /** The fields of its events; undefined means all fields. */
  mask?: PodMask | undefined;
}

interface Waiting<E> {
  resolve(result: IteratorResult<E, undefined>): void;
  reject(error: unknown): void;
}

const DONE: IteratorResult<never, undefined> = { done: true, value: undefined };

/** The iterator of one reader. It listens from the first `next()`. `return()` ends it at once, even while a `next()` is pending. */
export class EventStream<E> implements Stream<E> {
  readonly #host: WatchHost;
  readonly #options: EventStreamOptions;
  readonly #queue: EventQueue<E>;
  readonly #waiting: Waiting<E>[] = [];
  #listener: UpstreamListener | undefined;
  #leave: () => void = () => {};
  readonly #resume = (): void => this.#serve();
  readonly #turn: Turn;
  #iterated = false;
  /** The end of the stream: an error with which the next `next()` rejects, or `done`. */
  #end: { error: unknown } | "done" | undefined;

  /** @param queueOf makes the queue, which calls `onReady` when there may be an event to take. */
  constructor(host: WatchHost, options: EventStreamOptions, queueOf: (onReady: () => void) => EventQueue<E>) {
    this.#host = host;
    this.#turn = turnOf(host.clock);
    this.#options = options;
    this.#queue = queueOf(() => this.#serve());
  }

  [Symbol.asyncIterator](): this {
    if (this.#iterated)
      throw invalidArgument("a stream can be iterated only once", "call the method again for another stream");
    this.#iterated = true;
    return this;
  }

  next(): Promise<IteratorResult<E, undefined>> {
    if (this.#end === undefined && this.#listener === undefined) this.#start();
    if (this.#end === undefined && this.#waiting.length === 0) {
      const event = this.#takeInTurn();
      if (event !== undefined) return Promise.resolve({ done: false, value: event });
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#serve();
    });
  }

  /** Returns the next event, if one is ready. */
  poll(): E | undefined {
    return this.#end === undefined ? this.#queue.take() : undefined;
  }

  return(): Promise<IteratorResult<E, undefined>> {
    this.#finish("done");
    return Promise.resolve(DONE);
  }

  throw(error: unknown): Promise<IteratorResult<E, undefined>> {
    this.#finish("done");
    return Promise.reject(error);
  }

  /** Ends the stream, like {@link return}. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#finish("done");
  }

  #start(): void {
    try {
      this.#options.signal?.throwIfAborted();
      const { controller, release } = follow(this.#options.signal);
      this.#leave = release;
      const exit = this.#host.enter(controller);
      controller.signal.addEventListener("abort", () => this.#finish({ error: controller.signal.reason }), {
        once: true,
      });
      const upstream = this.#host.upstream();
      const listener: UpstreamListener = {
        reader: this.#queue,
        mask: this.#options.mask,
        resyncIntervalMs: this.#options.resyncIntervalMs,
        includeFinished: this.#options.includeFinished,
        onFatal: (error: PodsError) => this.#finish({ error }),
      };
      this.#listener = listener;
      this.#leave = () => {
        release();
        exit();
        upstream.remove(listener);
      };
      upstream.add(listener);
    } catch (error) {
      this.#finish({ error });
    }
  }

  #finish(end: { error: unknown } | "done"): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#leave();
    this.#serve();
  }

  #takeInTurn(): E | undefined {
    return this.#turn.postpone(this.#resume) ? undefined : this.#queue.take();
  }

  /** Resolves pending calls of `next` with the ready events. Emits nothing after the end. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const event = this.#end === undefined ? this.#takeInTurn() : undefined;
      if (event === undefined && this.#end === undefined) return;
      const waiting = this.#waiting.shift();
      if (event !== undefined) waiting?.resolve({ done: false, value: event });
      else if (this.#end === "done") waiting?.resolve(DONE);
      else {
        waiting?.reject(this.#end?.error);
        this.#end = "done";
      }
    }
  }
}

/** Maximum time for events in one turn of the event loop. A list of hundreds of pods takes several turns. */
const TURN_MS = 8;

/**
 * The current turn of the event loop. A reader that awaits only ready events would keep timers and sockets from running. So after some
 * milliseconds the remaining events wait for the next turn.
 */
class Turn {
  readonly #clock: Clock;
  #startMs: number | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns true if this turn has lasted long enough. Then `resume` is called in the next turn. */
  postpone(resume: () => void): boolean {
    if (this.#startMs === undefined) {
      this.#startMs = this.#clock.now();
      setImmediate(() => this.#end());
    }
    const isOver = this.#clock.now() - this.#startMs > TURN_MS;
    if (isOver) this.#waiting.add(resume);
    return isOver;
  }

  #end(): void {
    this.#startMs = undefined;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resume of waiting) resume();
  }
}

const turns = new WeakMap<Clock, Turn>();

/** Returns the turn that all watches on a clock share. */
function turnOf(clock: Clock): Turn {
  const turn = turns.get(clock) ?? new Turn(clock);
  turns.set(clock, turn);
  return turn;
}
