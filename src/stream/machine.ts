import { Backoff } from "../calls/backoff.js";
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

/** Minimum time between two lists. */
const SHORTEST_STREAM_MS = 500;

/**
 * Maximum rate of streams and lists, for any reason, because each costs the kubelet a whole list. Failed connection attempts cost it nothing
 * and do not count.
 */
export const STREAM_RATE: Rate = { perSecond: 2, burst: 5 };

/** Maximum time between two messages of a list, or two parts of an answer. */
const BURST_PAUSE_MS = 30_000;

/** Maximum time of a list beside the stream, from its request to the end of its answer. */
const LIST_MS = 120_000;

/** How long a list may be refused because of the rate limit, until a new stream takes its place. */
const REFUSED_AT_MOST_MS = 60_000;

/**
 * The phase of the stream.
 *
 * - `idle`: there is no listener. The first listener opens a stream.
 * - `opening`: a stream was requested and has sent no message.
 * - `burst`: the list is arriving. It ends with the sync marker.
 * - `live`: the list is known and events arrive. The resync timer requests lists beside the stream, or starts the next stream.
 * - `waiting`: the last stream failed. A timer, or a change in the socket's directory, starts the next one.
 * - `ended`: by `close`, or by an error that no retry can fix.
 */
export type Phase = "idle" | "opening" | "burst" | "live" | "waiting" | "ended";

export type Input =
  | { type: "start" }
  /** The stream has a connection. Streams of one connection come from one kubelet process. Undefined if unknown. */
  | { type: "connected"; connection: string | undefined; canList?: boolean }
  | { type: "message" }
  /** The list beside the stream is sent now. */
  | { type: "sent" }
  /** A part of its answer has arrived. */
  | { type: "bytes" }
  /**
   * A list was committed, at the sync marker or beside the stream. `listInMs`: delay in milliseconds until the next list. `hasDifference`: the
   * last event of a pod differs from the list. `isAccepted`: the list is accepted as all pods of the node.
   */
  | { type: "synced"; listInMs: number | undefined; hasGap: boolean; hasDifference?: boolean; isAccepted: boolean }
  /** The list beside the stream was not answered with pods. Without an error, the connection accepts no further requests. */
  | { type: "unlisted"; error?: PodsError }
  | { type: "failed"; error: PodsError }
  /** The timer fired. `busyMs` is the time for which this process was busy since the timer was set. */
  | { type: "timer"; busyMs?: number }
  /** The socket's directory has changed. `replaced`: another server listens there now. */
  | { type: "socket"; replaced: boolean }
  /** Something may have been missed. */
  | { type: "gap" }
  /** An event differs from the list that was answered just before. */
  | { type: "difference" }
  /** A list is needed now, or soon: a source of pods is back, an object will be removed, or a caller needs a proof. */
  | { type: "relist"; inMs?: number }
  /** A new stream is needed: a listener wants more fields, or the stream is wedged. */
  | { type: "reopen" }
  /** A new resync interval. Also reschedules the pending resync. */
  | { type: "interval"; ms: number }
  | { type: "stop" };

/** The state of a watch. Only {@link WatchMachine} changes it. */
interface State {
  phase: Phase;
  everSynced: boolean;
  /** Time of the sync marker of the live stream. */
  liveSinceMs: number | undefined;
  /** Time of the last list. */
  listedMs: number;
  /** The list beside the stream: waiting for its turn, sent, or answered in part. */
  list: "queued" | "sent" | "arriving" | undefined;
  /** Time at which it was sent. */
  sentMs: number;
  /** Time of the first refusal since the last list; undefined if there was none. */
  refusedSinceMs: number | undefined;
  /** True if the source lists beside its stream. */
  canList: boolean;
  /** True if the next resync has to be a new stream. */
  reopens: boolean;
  /** Time at which the next list or stream is due. While a list is under way, that of the one after it. */
  resyncDueMs: number;
  lastMessageMs: number;
  /** The outage that was reported to listeners; undefined if there is none. */
  outage: OutageClass | undefined;
  /** True if the current stream has a connection. */
  isConnected: boolean;
  connection: string | undefined;
  /** The last connection on which the kubelet has refused a call because it initializes. By contract its lists are complete. */
  initialized: string | undefined;
  /** True if something may have been missed since the last list was requested, so that the next one follows soon. */
  hasGap: boolean;
  /** True if an event differs from the last list. */
  hasDifference: boolean;
}

/** The delay until the list after a possible gap. */
const GAP_RESYNC_MS = 2_000;

/**
 * A delay that doubles each time, so that a kubelet with lasting trouble is not asked too often. After two resync intervals without a call it
 * begins anew with {@link GAP_RESYNC_MS}.
 */
class GrowingDelay {
  #count = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  nextMs(nowMs: number, mostMs: number): number {
    if (nowMs - this.#lastMs > 2 * mostMs) this.#count = 0; // at its maximum, each call comes that much later
    this.#lastMs = nowMs;
    return Math.min(GAP_RESYNC_MS * 2 ** this.#count++, mostMs);
  }
}

export interface MachineOptions {
  /** Time between resyncs, before jitter. */
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
  readonly #refusals: Backoff;
  readonly #gaps = new GrowingDelay();
  readonly #differences = new GrowingDelay();
  readonly #state: State = {
    phase: "idle",
    everSynced: false,
    liveSinceMs: undefined,
    listedMs: 0,
    list: undefined,
    sentMs: 0,
    refusedSinceMs: undefined,
    canList: false,
    reopens: false,
    resyncDueMs: 0,
    lastMessageMs: 0,
    outage: undefined,
    isConnected: false,
    connection: undefined,
    initialized: undefined,
    hasGap: false,
    hasDifference: false,
  };

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#backoff = new OutageBackoff(options.random);
    this.#refusals = new Backoff(options.random);
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
      connected: (input, nowMs) => this.#connected(input, nowMs),
      message: (_, nowMs) => this.#burst(nowMs),
      synced: (input, nowMs) => this.#synced(input, nowMs),
      failed: ({ error }, nowMs) => this.#failed(error, nowMs),
      timer: ({ busyMs }, nowMs) => this.#stalled(nowMs, busyMs),
      gap: () => this.#noteGap(),
      relist: (_, nowMs) => this.#restart(nowMs),
      reopen: (_, nowMs) => this.#restart(nowMs),
      stop: () => this.#end(),
    },
    burst: {
      message: (_, nowMs) => this.#more(nowMs),
      synced: (input, nowMs) => this.#synced(input, nowMs),
      failed: ({ error }, nowMs) => this.#failed(error, nowMs),
      timer: ({ busyMs }, nowMs) => this.#paused(nowMs, busyMs),
      gap: () => this.#noteGap(),
      relist: (_, nowMs) => this.#restart(nowMs),
      reopen: (_, nowMs) => this.#restart(nowMs),
      stop: () => this.#end(),
    },
    live: {
      timer: ({ busyMs }, nowMs) => this.#due(nowMs, busyMs),
      sent: (_, nowMs) => this.#sent(nowMs),
      bytes: (_, nowMs) => this.#bytes(nowMs),
      synced: (input, nowMs) => (this.#state.list === undefined ? [] : this.#synced(input, nowMs)),
      unlisted: ({ error }, nowMs) => this.#unlisted(error, nowMs),
      gap: (_, nowMs) => this.#noteLiveGap(nowMs),
      difference: (_, nowMs) => this.#noteDifference(nowMs),
      interval: ({ ms }, nowMs) => this.#interval(ms, nowMs),
      socket: (_, nowMs) => this.#reopen(nowMs),
      relist: ({ inMs = 0 }, nowMs) => this.#sooner(nowMs + inMs, nowMs),
      reopen: (_, nowMs) => this.#reopen(nowMs),
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

  #open(): Effect[] {
    Object.assign(this.#state, {
      phase: "opening",
      hasGap: false,
      isConnected: false,
      list: undefined,
      refusedSinceMs: undefined,
      reopens: false,
    });
    return [{ type: "timer", delayMs: CONNECT_MS }, { type: "open" }];
  }

  /** Opens the next stream, or waits until {@link STREAM_RATE} allows it. */
  #retry(nowMs: number): Effect[] {
    const delayMs = this.#budget.waitMs(nowMs);
    return delayMs > 0 ? [{ type: "timer", delayMs }] : this.#open();
  }

  /** Requests the list that is due, or judges the one that is under way. */
  #due(nowMs: number, busyMs: number | undefined): Effect[] {
    const state = this.#state;
    if (state.list === "arriving") return this.#paused(nowMs, busyMs);
    if (state.list !== undefined) return this.#stalled(nowMs, busyMs);
    const delayMs = this.#budget.waitMs(nowMs);
    if (delayMs > 0) return [{ type: "timer", delayMs }];
    if (state.reopens || !state.canList) return this.#restart(nowMs);
    const resyncDueMs = Number.POSITIVE_INFINITY;
    Object.assign(state, { list: "queued", hasGap: false, hasDifference: false, resyncDueMs });
    // The time limit begins when the list is sent.
    return [{ type: "timer", delayMs: undefined }, { type: "list" }];
  }

  #sent(nowMs: number): Effect[] {
    Object.assign(this.#state, { list: "sent", sentMs: nowMs });
    this.#budget.spend(nowMs);
    return [{ type: "timer", delayMs: FIRST_MESSAGE_MS }];
  }

  #bytes(nowMs: number): Effect[] {
    const { list } = this.#state;
    const isFirst = list === "sent";
    if (!isFirst && list !== "arriving") return [];
    this.#state.list = "arriving";
    return [...this.#more(nowMs), ...(isFirst ? [{ type: "timer", delayMs: BURST_PAUSE_MS } as const] : [])];
  }

  /** Judges a failed list. The stream continues if the kubelet only refused the list because of its rate limit, and not for long. */
  #unlisted(error: PodsError | undefined, nowMs: number): Effect[] {
    if (error === undefined || error.code === "too-large") return this.#restart(nowMs);
    if (error.code !== "rate-limited") return this.#failed(error, nowMs);
    const { resyncDueMs, refusedSinceMs = nowMs } = this.#state;
    if (nowMs - refusedSinceMs >= REFUSED_AT_MOST_MS) return this.#restart(nowMs);
    Object.assign(this.#state, { list: undefined, refusedSinceMs, resyncDueMs: Number.POSITIVE_INFINITY });
    return this.#sooner(Math.min(resyncDueMs, nowMs + this.#refusals.delayMs("limited", error, nowMs)), nowMs);
  }

  /** Closes the stream and opens the next one. Waits if {@link STREAM_RATE} requires it. */
  #restart(nowMs: number): Effect[] {
    this.#state.phase = "waiting";
    return [{ type: "close" }, ...this.#retry(nowMs)];
  }

  #reopen(nowMs: number): Effect[] {
    if (this.#state.list !== undefined) return this.#restart(nowMs);
    this.#state.reopens = true;
    return this.#sooner(nowMs, nowMs);
  }

  #noteGap(): Effect[] {
    this.#state.hasGap = true;
    return [];
  }

  #noteLiveGap(nowMs: number): Effect[] {
    if (this.#state.hasGap) return [];
    this.#state.hasGap = true;
    return this.#state.list === undefined ? this.#sooner(nowMs + this.#after(this.#gaps, nowMs), nowMs) : [];
  }

  #noteDifference(nowMs: number): Effect[] {
    if (this.#state.hasDifference || this.#state.list !== undefined) return [];
    this.#state.hasDifference = true;
    return this.#sooner(nowMs + this.#after(this.#differences, nowMs), nowMs);
  }

  /** Moves the next list to this time, unless it is due sooner. */
  #sooner(dueMs: number, nowMs: number): Effect[] {
    const state = this.#state;
    if (dueMs >= state.resyncDueMs) return [];
    state.resyncDueMs = Math.max(dueMs, state.listedMs + SHORTEST_STREAM_MS, nowMs);
    return state.list === undefined ? [{ type: "timer", delayMs: Math.round(state.resyncDueMs - nowMs) }] : [];
  }

  #interval(ms: number, nowMs: number): Effect[] {
    const { list, listedMs } = this.#state;
    return list === undefined ? this.#sooner(listedMs + ms * this.#jitter(), nowMs) : [];
  }

  #jitter(): number {
    return SHORTEST_RESYNC + (LONGEST_RESYNC - SHORTEST_RESYNC) * this.#options.random();
  }

  #after(delay: GrowingDelay, nowMs: number): number {
    return delay.nextMs(nowMs, this.#options.resyncIntervalMs);
  }

  #connected({ connection, canList = false }: Extract<Input, { type: "connected" }>, nowMs: number): Effect[] {
    const state = this.#state;
    Object.assign(state, { isConnected: true, connection, canList });
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
    const { list, sentMs, lastMessageMs } = this.#state;
    const mostMs = list === undefined ? Number.POSITIVE_INFINITY : sentMs + LIST_MS;
    const leftMs = Math.min(lastMessageMs + BURST_PAUSE_MS, mostMs) - nowMs;
    if (leftMs <= 0) return this.#stalled(nowMs, busyMs);
    return [{ type: "timer", delayMs: Math.ceil(leftMs) }];
  }

  #synced(input: Extract<Input, { type: "synced" }>, nowMs: number): Effect[] {
    const { listInMs, isAccepted } = input;
    const state = this.#state;
    const isNews = !isAccepted ? state.outage !== "initializing" : !state.everSynced || state.outage !== undefined;
    const outage = isAccepted ? undefined : "initializing";
    const isBeside = state.list !== undefined;
    const laterInMs = isBeside ? state.resyncDueMs - nowMs : Number.POSITIVE_INFINITY;
    const liveSinceMs = isBeside ? state.liveSinceMs : nowMs;
    state.hasGap ||= input.hasGap;
    state.hasDifference = input.hasDifference ?? false;
    Object.assign(state, { phase: "live", everSynced: true, liveSinceMs, listedMs: nowMs, list: undefined, outage });
    state.refusedSinceMs = undefined;
    this.#refusals.reset();
    const wantedMs = Math.min(
      this.#options.resyncIntervalMs * this.#jitter(),
      listInMs ?? Number.POSITIVE_INFINITY,
      laterInMs,
      state.hasGap ? this.#after(this.#gaps, nowMs) : Number.POSITIVE_INFINITY,
      state.hasDifference ? this.#after(this.#differences, nowMs) : Number.POSITIVE_INFINITY,
    );
    const delayMs = Math.round(Math.max(SHORTEST_STREAM_MS, wantedMs));
    state.resyncDueMs = nowMs + delayMs;
    const news = isAccepted ? ({ type: "synced" } as const) : ({ type: "lost", error: unproved("WatchPods") } as const);
    return [{ type: "timer", delayMs }, ...(isNews ? [news] : [])];
  }

  #stalled(nowMs: number, busyMs = 0): Effect[] {
    const { phase, list, isConnected } = this.#state;
    const [awaited, limitMs] =
      list !== undefined
        ? ["answer to a list", list === "arriving" ? BURST_PAUSE_MS : FIRST_MESSAGE_MS]
        : phase === "burst"
          ? ["sync marker", BURST_PAUSE_MS]
          : isConnected
            ? ["first message", FIRST_MESSAGE_MS]
            : ["connection", CONNECT_MS];
    const message = `the watch stalled: no ${awaited}`;
    const method = list === undefined ? "WatchPods" : "ListPods";
    const error = new PodsError({ code: "stalled", message, method });
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
    Object.assign(state, { phase: "waiting", liveSinceMs: undefined, list: undefined, outage });
    const retry = [{ type: "close" }, { type: "timer", delayMs }, { type: "retry", error, delayMs }] as const;
    return isNews ? [...retry, { type: "lost", error }] : [...retry];
  }

  #end(): Effect[] {
    this.#state.phase = "ended";
    return [{ type: "close" }, { type: "timer", delayMs: undefined }];
  }
}
