import type { OutageClass } from "../errors/error-code.js";
import { PodsError } from "../errors/pods-error.js";
import { unproved } from "../known/completeness.js";
import { orBusy } from "../timing/deadline.js";
import { type Rate, TokenBucket } from "../timing/token-bucket.js";
import type { Effect } from "./effect.js";
import { isFatal, OutageBackoff } from "./outage-backoff.js";

/** Maximum time until a stream has a connection. Connecting, reading a token and polling have shorter deadlines of their own. */
const CONNECT_MS = 30_000;

/** Maximum time from the connection of a stream to its first message. */
const FIRST_MESSAGE_MS = 10_000;

/** Minimum duration of a stream. Each stream costs the kubelet a whole list. */
const SHORTEST_STREAM_MS = 500;

/**
 * Maximum rate of streams that are opened, for any reason, because each costs the kubelet a whole list. Failed connection attempts cost it
 * nothing and do not count.
 */
export const STREAM_RATE: Rate = { perSecond: 2, burst: 5 };

/** Delay until a stream with a possible gap is replaced. */
const GAP_RESYNC_MS = 2_000;

/** Maximum time between two messages of a list. */
const BURST_PAUSE_MS = 30_000;

/**
 * The phase of the stream.
 *
 * - `idle`: there is no listener. The first listener opens a stream.
 * - `opening`: a stream was requested and has sent no message.
 * - `burst`: the list is arriving. It ends with the sync marker.
 * - `live`: the list is known and events arrive. The resync timer, a possible gap or a new socket starts the next stream.
 * - `waiting`: the last stream failed. A timer, or a change in the socket's directory, starts the next one.
 * - `ended`: by `close`, or by an error that no retry can fix.
 */
export type Phase = "idle" | "opening" | "burst" | "live" | "waiting" | "ended";

export type Input =
  | { type: "start" }
  /** The stream has a connection. Streams of one connection come from one kubelet process. Undefined if unknown. */
  | { type: "connected"; connection: string | undefined }
  | { type: "message" }
  /**
   * The sync marker, after the commit of the staged list. `listInMs`: delay in milliseconds until the next list. `isAccepted`: the list is
   * accepted as all pods of the node.
   */
  | { type: "synced"; listInMs: number | undefined; hasGap: boolean; isAccepted: boolean }
  | { type: "failed"; error: PodsError }
  /** The timer fired. `busyMs` is the time for which this process was busy since the timer was set. */
  | { type: "timer"; busyMs?: number }
  /** The socket's directory has changed. `replaced`: another server listens there now. */
  | { type: "socket"; replaced: boolean }
  /** Something may have been missed. */
  | { type: "gap" }
  /** A list is needed now, or soon: a listener wants more fields, a source of pods is back, or an object will be removed. */
  | { type: "relist"; inMs?: number }
  /** A new resync interval. Also reschedules the pending resync. */
  | { type: "interval"; ms: number }
  | { type: "stop" };

/** The state of a watch. Only {@link WatchMachine} changes it. */
interface State {
  phase: Phase;
  everSynced: boolean;
  liveSinceMs: number | undefined;
  /** Time at which the live stream is replaced. */
  resyncDueMs: number;
  lastMessageMs: number;
  /** The outage that was reported to listeners; undefined if there is none. */
  outage: OutageClass | undefined;
  /** True if the current stream has a connection. */
  isConnected: boolean;
  connection: string | undefined;
  /** The last connection on which the kubelet has refused a call because it initializes. By contract its lists are complete. */
  initialized: string | undefined;
  /** True if the current stream has a possible gap, so that it is replaced soon. */
  hasGap: boolean;
  /** The number of possible gaps without a resync interval in between, and the time of the last one. */
  gaps: number;
  gapMs: number;
}

export interface MachineOptions {
  /** Time between planned resyncs, before jitter. */
  resyncIntervalMs: number;
  /** Returns numbers from 0 to 1. */
  random: () => number;
}

type Handler<T extends Input["type"]> = (input: Extract<Input, { type: T }>, nowMs: number) => Effect[];
type Transitions = { readonly [P in Phase]: { readonly [T in Input["type"]]?: Handler<T> } };

/** A stream lasts a random share of the resync interval, between these two, so that the agents of many nodes spread out. */
const SHORTEST_RESYNC = 0.8;
export const LONGEST_RESYNC = 1.2;

/**
 * The state machine of the upstream watch, as a table of phases and inputs. An input without an entry changes nothing. Each step only returns
 * its effects.
 */
export class WatchMachine {
  readonly #options: MachineOptions;
  readonly #backoff: OutageBackoff;
  readonly #budget = new TokenBucket(STREAM_RATE);
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
    hasGap: false,
    gaps: 0,
    gapMs: Number.NEGATIVE_INFINITY,
  };

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#backoff = new OutageBackoff(options.random);
  }

  get phase(): Phase {
    return this.#state.phase;
  }

  /** True once a list has been committed, even if pods may be missing from it. */
  get everSynced(): boolean {
    return this.#state.everSynced;
  }

  step(input: Input, nowMs: number): Effect[] {
    if (input.type === "interval") this.#options.resyncIntervalMs = input.ms; // in every phase
    const handler = this.#table[this.#state.phase][input.type] as Handler<Input["type"]> | undefined;
    return handler?.(input, nowMs) ?? [];
  }

  readonly #table: Transitions = {
    idle: {
      start: () => this.#open(),
      stop: () => this.#end(),
    },
    opening: {
      connected: ({ connection }, nowMs) => this.#connected(connection, nowMs),
      message: (_, nowMs) => this.#burst(nowMs),
      synced: (input, nowMs) => this.#synced(input, nowMs),
      failed: ({ error }, nowMs) => this.#failed(error, nowMs),
      timer: ({ busyMs }, nowMs) => this.#stalled(nowMs, busyMs),
      gap: () => this.#noteGap(),
      relist: (_, nowMs) => this.#restart(nowMs),
      stop: () => this.#end(),
    },
    burst: {
      message: (_, nowMs) => this.#more(nowMs),
      synced: (input, nowMs) => this.#synced(input, nowMs),
      failed: ({ error }, nowMs) => this.#failed(error, nowMs),
      timer: ({ busyMs }, nowMs) => this.#paused(nowMs, busyMs),
      gap: () => this.#noteGap(),
      relist: (_, nowMs) => this.#restart(nowMs),
      stop: () => this.#end(),
    },
    live: {
      timer: (_, nowMs) => this.#resync(nowMs),
      gap: (_, nowMs) => this.#noteLiveGap(nowMs),
      interval: ({ ms }, nowMs) => this.#sooner((this.#state.liveSinceMs ?? nowMs) + ms * this.#jitter(), nowMs),
      socket: (_, nowMs) => this.#sooner(nowMs, nowMs),
      relist: ({ inMs = 0 }, nowMs) => this.#sooner(nowMs + inMs, nowMs),
      failed: ({ error }, nowMs) => this.#failed(error, nowMs),
      stop: () => this.#end(),
    },
    waiting: {
      timer: (_, nowMs) => this.#retry(nowMs),
      // The error of the last server does not concern a new one.
      socket: ({ replaced }, nowMs) => (replaced || this.#state.outage === "unreachable" ? this.#retry(nowMs) : []),
      stop: () => this.#end(),
    },
    ended: {},
  };

  #open(isPlanned = false): Effect[] {
    Object.assign(this.#state, { phase: "opening", hasGap: false, isConnected: false });
    return [
      { type: "timer", delayMs: CONNECT_MS },
      { type: "open", isPlanned },
    ];
  }

  /** Opens the next stream, or waits until {@link STREAM_RATE} allows it. */
  #retry(nowMs: number): Effect[] {
    const delayMs = this.#budget.waitMs(nowMs);
    return delayMs > 0 ? [{ type: "timer", delayMs }] : this.#open();
  }

  /** Replaces the stream as planned. The client reads it until `handover`, so that no end of a pod is lost. */
  #resync(nowMs: number): Effect[] {
    const delayMs = this.#budget.waitMs(nowMs);
    return delayMs > 0 ? [{ type: "timer", delayMs }] : this.#open(true);
  }

  /**
   * Replaces the incoming list, because it lacks wanted fields. Waits if {@link STREAM_RATE} requires it.
   */
  #restart(nowMs: number): Effect[] {
    this.#state.phase = "waiting";
    return [{ type: "close" }, ...this.#retry(nowMs)];
  }

  #noteGap(): Effect[] {
    this.#state.hasGap = true;
    return [];
  }

  #noteLiveGap(nowMs: number): Effect[] {
    if (this.#state.hasGap) return [];
    this.#state.hasGap = true;
    return this.#sooner(nowMs + this.#gapResyncMs(nowMs), nowMs);
  }

  /** Moves the next stream to this time, unless it is due sooner. */
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
   * Returns the delay until a stream with a possible gap is replaced. It doubles with each gap, so that a kubelet with lasting trouble is not
   * asked too often. After a resync interval without a gap it is {@link GAP_RESYNC_MS} again.
   */
  #gapResyncMs(nowMs: number): number {
    const state = this.#state;
    const { resyncIntervalMs } = this.#options;
    if (nowMs - state.gapMs > resyncIntervalMs) state.gaps = 0;
    state.gapMs = nowMs;
    return Math.min(GAP_RESYNC_MS * 2 ** state.gaps++, resyncIntervalMs);
  }

  #connected(connection: string | undefined, nowMs: number): Effect[] {
    const state = this.#state;
    Object.assign(state, { isConnected: true, connection });
    this.#budget.spend(nowMs);
    const complete = connection !== undefined && connection === state.initialized;
    return [
      { type: "begin", connection, complete },
      { type: "timer", delayMs: FIRST_MESSAGE_MS },
    ];
  }

  #burst(nowMs: number): Effect[] {
    this.#state.phase = "burst";
    return [...this.#more(nowMs), { type: "timer", delayMs: BURST_PAUSE_MS }];
  }

  /** Notes the time of a message. When the timer of the burst fires, it is extended accordingly, so that not every message sets a timer. */
  #more(nowMs: number): Effect[] {
    this.#state.lastMessageMs = nowMs;
    return [];
  }

  #paused(nowMs: number, busyMs: number | undefined): Effect[] {
    const leftMs = this.#state.lastMessageMs + BURST_PAUSE_MS - nowMs;
    if (leftMs <= 0) return this.#stalled(nowMs, busyMs);
    return [{ type: "timer", delayMs: Math.ceil(leftMs) }];
  }

  #synced({ listInMs, hasGap, isAccepted }: Extract<Input, { type: "synced" }>, nowMs: number): Effect[] {
    const state = this.#state;
    const isNews = !isAccepted ? state.outage !== "initializing" : !state.everSynced || state.outage !== undefined;
    const outage = isAccepted ? undefined : "initializing";
    const mayHaveGap = hasGap || state.hasGap;
    Object.assign(state, { phase: "live", everSynced: true, liveSinceMs: nowMs, outage });
    state.hasGap = mayHaveGap;
    const wantedMs = Math.min(
      this.#options.resyncIntervalMs * this.#jitter(),
      listInMs ?? Number.POSITIVE_INFINITY,
      mayHaveGap ? this.#gapResyncMs(nowMs) : Number.POSITIVE_INFINITY,
    );
    const delayMs = Math.round(Math.max(SHORTEST_STREAM_MS, wantedMs));
    state.resyncDueMs = nowMs + delayMs;
    const news = isAccepted ? ({ type: "synced" } as const) : ({ type: "lost", error: unproved("WatchPods") } as const);
    return [{ type: "timer", delayMs }, ...(isNews ? [news] : [])];
  }

  #stalled(nowMs: number, busyMs = 0): Effect[] {
    const { phase, isConnected } = this.#state;
    const [awaited, limitMs] =
      phase === "burst"
        ? ["sync marker", BURST_PAUSE_MS]
        : isConnected
          ? ["first message", FIRST_MESSAGE_MS]
          : ["connection", CONNECT_MS];
    const message = `the watch stalled: no ${awaited}`;
    const error = new PodsError({ code: "stalled", message, method: "WatchPods" });
    return this.#failed(orBusy(error, busyMs, limitMs), nowMs);
  }

  #failed(error: PodsError, nowMs: number): Effect[] {
    const state = this.#state;
    if (!state.everSynced && isFatal(error)) {
      state.phase = "ended";
      return [{ type: "close" }, { type: "timer", delayMs: undefined }, { type: "fatal", error }];
    }
    const liveMs = state.liveSinceMs === undefined ? 0 : nowMs - state.liveSinceMs;
    const { outage, delayMs } = this.#backoff.failed(error, liveMs, nowMs);
    const isNews = state.outage !== outage;
    if (error.code === "initializing" && state.isConnected) state.initialized = state.connection;
    Object.assign(state, { phase: "waiting", liveSinceMs: undefined, outage });
    const retry = [{ type: "close" }, { type: "timer", delayMs }, { type: "retry", error, delayMs }] as const;
    return isNews ? [...retry, { type: "lost", error }] : [...retry];
  }

  #end(): Effect[] {
    this.#state.phase = "ended";
    return [{ type: "close" }, { type: "timer", delayMs: undefined }];
  }
}
