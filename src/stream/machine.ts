import type { OutageClass } from "../errors/error-code.js";
import { PodsError } from "../errors/pods-error.js";
import { unproved } from "../known/completeness.js";
import { isFatal, OutageBackoff } from "./outage-backoff.js";
import { StreamBudget } from "./stream-budget.js";

/** How long it may take to connect. A dial, a read of a token and a poll have shorter deadlines of their own. */
const CONNECT_MS = 30_000;

/** How long a stream may take from its connection to its first message. */
const FIRST_MESSAGE_MS = 10_000;

/** No stream is replaced sooner, whatever is suspect: each costs the kubelet a whole list. */
const SHORTEST_STREAM_MS = 500;

/** How soon a stream is replaced that is suspect. */
const SUSPECT_RESYNC_MS = 2_000;

/** How long a burst may pause. */
const BURST_PAUSE_MS = 30_000;

/**
 * The phase of the stream.
 *
 * - `idle`: nobody listens. Any consumer moves it on.
 * - `opening`: a stream is asked for; its connection, then its first message, moves it on.
 * - `burst`: messages come; the sync marker moves it on.
 * - `live`: everything is known; the resync timer, a suspicion or a replaced socket starts the next stream.
 * - `waiting`: the last stream failed; time, or a change where the socket is, starts the next one.
 * - `ended`: by an error that no waiting mends, or by close.
 */
export type Phase = "idle" | "opening" | "burst" | "live" | "waiting" | "ended";

export type Input =
  | { type: "start" }
  /** The stream has a connection. Streams of the same one are of the same process; undefined where that cannot be said. */
  | { type: "connected"; connection: string | undefined }
  | { type: "message" }
  /**
   * The sync marker, once what was staged is committed; `listInMs`: how long from now the next list is wanted; `isComplete`: it is proved
   * that everything there is has been listed.
   */
  | { type: "synced"; listInMs: number | undefined; suspect: boolean; isComplete: boolean }
  | { type: "failed"; error: PodsError }
  | { type: "timer" }
  /** Something has changed where the socket is; `replaced`: another server listens there than the last one. */
  | { type: "socket"; replaced: boolean }
  /** Something may have been missed. */
  | { type: "suspect" }
  /** A list is wanted at once, or soon: a consumer wants more of each pod, a source of pods is back, an object is about to go. */
  | { type: "relist"; inMs?: number }
  /** Planned resyncs are to be so far apart from now on, also from the one that is due. */
  | { type: "interval"; ms: number }
  | { type: "stop" };

export type Effect =
  | { type: "open" }
  /** Ends the stream; nothing of it counts any more. */
  | { type: "close" }
  /** The one timer: it replaces the last; undefined takes it back. */
  | { type: "timer"; delayMs: number | undefined }
  /** The burst begins: complete by contract or not, in the place of a stream that was live until then or not. */
  | { type: "begin"; connection: string | undefined; complete: boolean; planned: boolean }
  /** Consumers are told that everything is known (again). */
  | { type: "synced" }
  | { type: "lost"; error: PodsError }
  /** For diagnostics: the next stream comes in so many milliseconds, or when the socket changes. */
  | { type: "retry"; error: PodsError; delayMs: number }
  | { type: "fatal"; error: PodsError };

/** The facts by which a watch decides; only {@link WatchMachine} changes them. */
interface State {
  phase: Phase;
  everSynced: boolean;
  liveSinceMs: number | undefined;
  /** When the next stream is due while one is live. */
  resyncDueMs: number;
  lastMessageMs: number;
  /** The outage that consumers were told of; undefined where there is none. */
  outage: OutageClass | undefined;
  /** Whether the present stream has a connection. */
  isConnected: boolean;
  connection: string | undefined;
  /** The connection on which the kubelet has said last that it initializes: its lists are complete by contract. */
  initialized: string | undefined;
  /** The present stream has taken the place of a live one. */
  planned: boolean;
  /** The present stream is suspect: something may have been missed, and it is replaced soon. */
  suspect: boolean;
  /** How often a stream was suspect, without a resync interval between, and when one was so last. */
  suspicions: number;
  suspectedMs: number;
}

export interface MachineOptions {
  /** Time between planned resyncs, before jitter. */
  resyncIntervalMs: number;
  /** Gives numbers from 0 to 1. */
  random: () => number;
}

type Handler<T extends Input["type"]> = (input: Extract<Input, { type: T }>, nowMs: number) => Effect[];
type Table = { readonly [P in Phase]: { readonly [T in Input["type"]]?: Handler<T> } };

/** The shares of the resync interval between which a stream lasts, so that the agents of many nodes spread out. */
const SHORTEST_RESYNC = 0.8;
export const LONGEST_RESYNC = 1.2;

/**
 * The life of one upstream watch, as a table of phases and inputs. What a phase has no entry for changes nothing. Does
 * nothing by itself: each step returns what is to be done.
 */
export class WatchMachine {
  readonly #options: MachineOptions;
  readonly #backoff: OutageBackoff;
  readonly #budget = new StreamBudget();
  readonly #state: State = {
    phase: "idle",
    everSynced: false,
    liveSinceMs: undefined,
    resyncDueMs: 0,
    lastMessageMs: 0,
    outage: undefined,
    isConnected: false,
    connection: undefined,
    initialized: undefined,
    planned: false,
    suspect: false,
    suspicions: 0,
    suspectedMs: Number.NEGATIVE_INFINITY,
  };

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#backoff = new OutageBackoff(options.random);
  }

  get phase(): Phase {
    return this.#state.phase;
  }

  /** Whether a list has been complete at least once. */
  get everSynced(): boolean {
    return this.#state.everSynced;
  }

  step(input: Input, nowMs: number): Effect[] {
    if (input.type === "interval") this.#options.resyncIntervalMs = input.ms; // in every phase
    const handler = this.#table[this.#state.phase][input.type] as Handler<Input["type"]> | undefined;
    return handler?.(input, nowMs) ?? [];
  }

  readonly #table: Table = {
    idle: {
      start: () => this.#open(),
      stop: () => this.#end(),
    },
    opening: {
      connected: ({ connection }, nowMs) => this.#connected(connection, nowMs),
      message: (_, nowMs) => this.#burst(nowMs),
      synced: (input, nowMs) => this.#synced(input, nowMs),
      failed: ({ error }, nowMs) => this.#failed(error, nowMs),
      timer: (_, nowMs) => this.#stalled(nowMs),
      suspect: () => this.#suspect(),
      relist: (_, nowMs) => this.#restart(nowMs),
      stop: () => this.#end(),
    },
    burst: {
      message: (_, nowMs) => this.#more(nowMs),
      synced: (input, nowMs) => this.#synced(input, nowMs),
      failed: ({ error }, nowMs) => this.#failed(error, nowMs),
      timer: (_, nowMs) => this.#paused(nowMs),
      suspect: () => this.#suspect(),
      relist: (_, nowMs) => this.#restart(nowMs),
      stop: () => this.#end(),
    },
    live: {
      timer: (_, nowMs) => this.#resync(nowMs),
      suspect: (_, nowMs) => this.#suspectLive(nowMs),
      interval: ({ ms }, nowMs) => this.#sooner((this.#state.liveSinceMs ?? nowMs) + ms * this.#jitter(), nowMs),
      socket: (_, nowMs) => this.#sooner(nowMs, nowMs),
      relist: ({ inMs = 0 }, nowMs) => this.#sooner(nowMs + inMs, nowMs),
      failed: ({ error }, nowMs) => this.#failed(error, nowMs),
      stop: () => this.#end(),
    },
    waiting: {
      timer: (_, nowMs) => this.#retry(nowMs),
      // Whatever was wrong with the last server, the new one has not been asked.
      socket: ({ replaced }, nowMs) => (replaced || this.#state.outage === "unreachable" ? this.#retry(nowMs) : []),
      stop: () => this.#end(),
    },
    ended: {},
  };

  #open(planned = false): Effect[] {
    Object.assign(this.#state, { phase: "opening", suspect: false, isConnected: false, planned });
    return [{ type: "timer", delayMs: CONNECT_MS }, { type: "open" }];
  }

  /** Opens the next stream when the kubelet may be asked for one; until then, waits. */
  #retry(nowMs: number): Effect[] {
    const delayMs = this.#budget.waitMs(nowMs);
    return delayMs > 0 ? [{ type: "timer", delayMs }] : this.#open(this.#state.planned);
  }

  /** Replaces the stream as planned: closes it before the next is opened, so that one server state is told at a time. */
  #resync(nowMs: number): Effect[] {
    const delayMs = this.#budget.waitMs(nowMs);
    return delayMs > 0 ? [{ type: "timer", delayMs }] : [{ type: "close" }, ...this.#open(true)];
  }

  /**
   * Asks for another list in the place of the one that comes in, which has too little of each pod; where the kubelet has been
   * asked often, it is waited until it may be asked again.
   */
  #restart(nowMs: number): Effect[] {
    this.#state.phase = "waiting";
    return [{ type: "close" }, ...this.#retry(nowMs)];
  }

  #suspect(): Effect[] {
    this.#state.suspect = true;
    return [];
  }

  #suspectLive(nowMs: number): Effect[] {
    if (this.#state.suspect) return [];
    this.#state.suspect = true;
    return this.#sooner(nowMs + this.#nextDoubtMs(nowMs), nowMs);
  }

  /** Has the next stream come at this time, unless it comes before. */
  #sooner(dueMs: number, nowMs: number): Effect[] {
    const state = this.#state;
    if (dueMs >= state.resyncDueMs) return [];
    state.resyncDueMs = Math.max(dueMs, (state.liveSinceMs ?? nowMs) + SHORTEST_STREAM_MS, nowMs);
    return [{ type: "timer", delayMs: Math.round(state.resyncDueMs - nowMs) }];
  }

  #jitter(): number {
    return SHORTEST_RESYNC + (LONGEST_RESYNC - SHORTEST_RESYNC) * this.#options.random();
  }

  /**
   * Returns how long a suspect stream lasts: twice as long as the last one, so that a kubelet that stays odd is not stormed, whatever
   * its lists say. It begins anew when there was no suspicion for as long as streams last.
   */
  #nextDoubtMs(nowMs: number): number {
    const state = this.#state;
    const { resyncIntervalMs } = this.#options;
    if (nowMs - state.suspectedMs > resyncIntervalMs) state.suspicions = 0;
    state.suspectedMs = nowMs;
    return Math.min(SUSPECT_RESYNC_MS * 2 ** state.suspicions++, resyncIntervalMs);
  }

  #connected(connection: string | undefined, nowMs: number): Effect[] {
    const state = this.#state;
    Object.assign(state, { isConnected: true, connection });
    this.#budget.spend(nowMs);
    const complete = connection !== undefined && connection === state.initialized;
    return [
      { type: "begin", connection, complete, planned: state.planned },
      { type: "timer", delayMs: FIRST_MESSAGE_MS },
    ];
  }

  #burst(nowMs: number): Effect[] {
    this.#state.phase = "burst";
    return [...this.#more(nowMs), { type: "timer", delayMs: BURST_PAUSE_MS }];
  }

  /** Notes a message. The timer of the burst runs on: when it fires, the last message says how much longer to wait. */
  #more(nowMs: number): Effect[] {
    this.#state.lastMessageMs = nowMs;
    return [];
  }

  #paused(nowMs: number): Effect[] {
    const leftMs = this.#state.lastMessageMs + BURST_PAUSE_MS - nowMs;
    if (leftMs <= 0) return this.#stalled(nowMs);
    return [{ type: "timer", delayMs: Math.ceil(leftMs) }];
  }

  #synced({ listInMs, suspect, isComplete }: Extract<Input, { type: "synced" }>, nowMs: number): Effect[] {
    const state = this.#state;
    const tell = !isComplete ? state.outage !== "initializing" : !state.everSynced || state.outage !== undefined;
    const outage = isComplete ? undefined : "initializing";
    const inDoubt = suspect || state.suspect;
    Object.assign(state, { phase: "live", everSynced: true, liveSinceMs: nowMs, outage });
    state.suspect = inDoubt;
    const wantedMs = Math.min(
      this.#options.resyncIntervalMs * this.#jitter(),
      listInMs ?? Number.POSITIVE_INFINITY,
      inDoubt ? this.#nextDoubtMs(nowMs) : Number.POSITIVE_INFINITY,
    );
    const delayMs = Math.round(Math.max(SHORTEST_STREAM_MS, wantedMs));
    state.resyncDueMs = nowMs + delayMs;
    const told = isComplete ? ({ type: "synced" } as const) : ({ type: "lost", error: unproved("WatchPods") } as const);
    return [{ type: "timer", delayMs }, ...(tell ? [told] : [])];
  }

  #stalled(nowMs: number): Effect[] {
    const { phase, isConnected } = this.#state;
    const awaited = phase === "burst" ? "sync marker" : isConnected ? "first message" : "connection";
    const message = `the watch waits for an answer: no ${awaited}`;
    const error = new PodsError({ code: "stalled", message, method: "WatchPods" });
    return this.#failed(error, nowMs);
  }

  #failed(error: PodsError, nowMs: number): Effect[] {
    const state = this.#state;
    if (!state.everSynced && isFatal(error)) {
      state.phase = "ended";
      return [{ type: "close" }, { type: "timer", delayMs: undefined }, { type: "fatal", error }];
    }
    const liveMs = state.liveSinceMs === undefined ? 0 : nowMs - state.liveSinceMs;
    const { outage, delayMs } = this.#backoff.failed(error, liveMs, nowMs);
    const tell = state.outage !== outage;
    if (error.code === "initializing" && state.isConnected) state.initialized = state.connection;
    Object.assign(state, { phase: "waiting", liveSinceMs: undefined, outage, planned: false });
    const retry = [{ type: "close" }, { type: "timer", delayMs }, { type: "retry", error, delayMs }] as const;
    return tell ? [...retry, { type: "lost", error }] : [...retry];
  }

  #end(): Effect[] {
    this.#state.phase = "ended";
    return [{ type: "close" }, { type: "timer", delayMs: undefined }];
  }
}
