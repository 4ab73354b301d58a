import type { Clock } from "../calls/clock.js";
import { type WatchMessage, type WatchNews, watchChannel } from "../diagnostics.js";
import { PodsError } from "../errors/pods-error.js";
import type { SourceEvent, WatchSource } from "../source.js";
import type { ControlEvent } from "./events.js";
import { type Change, Ledger } from "./ledger.js";
import { type Effect, type Input, type Phase, WatchMachine } from "./machine.js";

/** Who is told what becomes of the pods. */
export interface Sink {
  /** Everything that is known already, for one that joins late. */
  snapshot(ledger: Ledger): void;
  accept(changes: readonly Change[]): void;
  synced(ledger: Ledger, initial: boolean): void;
  control(event: ControlEvent): void;
}

/** One who listens to the upstream. */
export interface UpstreamListener {
  sink: Sink;
  /** Time between planned resyncs that it asks for. */
  resyncIntervalMs: number;
  /** The watch has ended with an error that no waiting mends. */
  onFatal(error: PodsError): void;
}

export interface UpstreamOptions {
  source: WatchSource;
  clock: Clock;
  /** Gives numbers from 0 to 1. */
  random(): number;
}

/** Where an upstream stands, for `informer.state`. */
export interface UpstreamState {
  phase: Phase;
  /** Since when it is synced, or is not, on the clock. */
  sinceMs: number;
  /** Why what is known may be stale. */
  error: PodsError | undefined;
  everSynced: boolean;
  streams: number;
  resyncs: number;
}

/**
 * The one stream of a client: opened by the first consumer, closed with the last. Carries out what the machine decides;
 * reads the stream as fast as it comes, whatever the consumers do.
 */
export class Upstream {
  readonly ledger: Ledger = new Ledger();
  readonly #options: UpstreamOptions;
  readonly #machine: WatchMachine;
  readonly #listeners = new Set<UpstreamListener>();
  #stream: AbortController | undefined;
  #looking: AbortController | undefined;
  #cancelTimer: () => void = () => {};
  #synced = false;
  /** The stream is past its sync marker. */
  #live = false;
  #server: string | undefined;
  #sourceIntervalMs = Number.POSITIVE_INFINITY;
  #intervalMs = Number.POSITIVE_INFINITY;
  readonly #state: UpstreamState;
  #fatal: PodsError | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#machine = new WatchMachine({ resyncIntervalMs: Number.POSITIVE_INFINITY, random: options.random });
    this.#state = {
      phase: "idle",
      sinceMs: options.clock.now(),
      error: undefined,
      everSynced: false,
      streams: 0,
      resyncs: 0,
    };
  }

  get state(): Readonly<UpstreamState> {
    return this.#state;
  }

  /** Whether this upstream is through, by an error or by its last consumer's leaving. */
  get ended(): boolean {
    return this.#machine.phase === "ended";
  }

  add(listener: UpstreamListener): void {
    this.#listeners.add(listener);
    this.#updateInterval();
    if (this.#fatal !== undefined) {
      listener.onFatal(this.#fatal);
      return;
    }
    if (this.#synced) listener.sink.snapshot(this.ledger);
    if (this.#state.error !== undefined) listener.sink.control({ type: "DISCONNECTED", error: this.#state.error });
    this.#step({ type: "start" });
  }

  remove(listener: UpstreamListener): void {
    this.#listeners.delete(listener);
    this.#updateInterval();
    if (this.#listeners.size === 0) this.#step({ type: "stop" });
  }

  #updateInterval(): void {
    const wanted = [...this.#listeners].map(({ resyncIntervalMs }) => resyncIntervalMs);
    const ms = Math.min(...wanted, this.#sourceIntervalMs);
    if (ms === this.#intervalMs) return;
    this.#intervalMs = ms;
    this.#step({ type: "interval", ms });
  }

  #step(input: Input): void {
    for (const effect of this.#machine.step(input, this.#options.clock.now())) this.#carryOut(effect);
    this.#state.phase = this.#machine.phase;
    this.#look();
  }

  #carryOut(effect: Effect): void {
    const { clock } = this.#options;
    switch (effect.type) {
      case "open":
        this.#publish({ type: "opening" });
        void this.#read();
        return;
      case "close":
        this.#stream?.abort();
        this.#stream = undefined;
        return;
      case "timer":
        this.#cancelTimer();
        this.#cancelTimer = effect.delayMs === undefined ? () => {} : clock.after(effect.delayMs, () => this.#timeUp());
        return;
      case "begin":
        this.ledger.begin({ replaced: effect.replaced, complete: effect.complete, nowMs: clock.now() });
        return;
      case "told-synced":
        Object.assign(this.#state, { error: undefined, everSynced: true, sinceMs: clock.now() });
        for (const { sink } of this.#listeners) sink.synced(this.ledger, effect.initial);
        return;
      case "told-lost":
        if (this.#state.error === undefined && this.#state.everSynced) this.#state.sinceMs = clock.now();
        this.#state.error = effect.error;
        for (const { sink } of this.#listeners) sink.control({ type: "DISCONNECTED", error: effect.error });
        return;
      case "retry":
        this.#publish({ type: "lost", error: effect.error, delayMs: effect.delayMs });
        return;
      case "fatal":
        this.#fatal = effect.error;
        this.#state.error = effect.error;
        for (const listener of [...this.#listeners]) listener.onFatal(effect.error);
    }
  }

  /** After a stall of the event loop data may wait to be read: it is read first, and moves the timer on. */
  #timeUp(): void {
    let cancelled = false;
    const immediate = setImmediate(() => {
      if (!cancelled) this.#step({ type: "timer" });
    });
    this.#cancelTimer = () => {
      cancelled = true;
      clearImmediate(immediate);
    };
  }

  async #read(): Promise<void> {
    const stream = new AbortController();
    this.#stream = stream;
    this.#live = false;
    this.#state.streams++;
    let failure: unknown;
    try {
      for await (const event of this.#options.source.open(stream.signal)) {
        if (stream.signal.aborted) return;
        this.#receive(event);
        if (stream.signal.aborted) return;
      }
      failure = new PodsError({ code: "connection-lost", message: "the stream was ended", method: "WatchPods" });
    } catch (error) {
      failure = error;
    }
    if (this.#stream !== stream) return;
    this.#step({ type: "failed", error: PodsError.from(failure, { method: "WatchPods" }) });
  }

  #publish(news: WatchNews): void {
    if (!watchChannel.hasSubscribers) return;
    const message: WatchMessage = { ...news, socketPath: this.#options.source.socketPath };
    watchChannel.publish(message);
  }

  #receive(event: SourceEvent): void {
    const { malformed } = this.ledger;
    this.#take(event);
    if (this.ledger.malformed > malformed) this.#publish({ type: "malformed", count: this.ledger.malformed });
  }

  #take(event: SourceEvent): void {
    if (event.type === "CONNECTED") {
      this.#server = event.server;
      this.#sourceIntervalMs = event.resyncIntervalMs ?? Number.POSITIVE_INFINITY;
      this.#updateInterval();
      this.#step({ type: "connected", server: event.server });
    } else if (event.type === "SYNCED") {
      this.#commit();
    } else if (event.type === "UNKNOWN") {
      this.ledger.malformed++;
      this.#step({ type: "message" });
      this.#step({ type: "suspect" });
    } else if (this.#live) {
      const { changes, suspect } = this.ledger.apply(event.type, event.pod);
      this.#tell(changes);
      if (suspect) this.#step({ type: "suspect" });
    } else {
      this.ledger.stage(event.type, event.pod);
      this.#step({ type: "message" });
    }
  }

  #commit(): void {
    if (this.#live) {
      this.ledger.malformed++; // a second marker
      return;
    }
    const nowMs = this.#options.clock.now();
    this.#live = true;
    if (this.#synced) this.#state.resyncs++;
    const { changes, suspect } = this.ledger.commit(nowMs);
    this.#synced = true;
    this.#tell(changes);
    const { ledger } = this;
    this.#publish({ type: "synced", pods: ledger.count(true), changes: changes.length, held: ledger.held });
    this.#step({ type: "synced", doubtMs: this.ledger.doubtMs(nowMs), suspect });
  }

  #tell(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    for (const { sink } of this.#listeners) sink.accept(changes);
  }

  /** While a stream is live or awaited, watches for another kubelet's coming. */
  #look(): void {
    const { phase } = this.#machine;
    if (phase !== "live" && phase !== "waiting") {
      this.#looking?.abort();
      this.#looking = undefined;
      return;
    }
    if (this.#looking !== undefined) return;
    const looking = new AbortController();
    this.#looking = looking;
    this.#options.source.changed(looking.signal).then(
      () => {
        if (this.#looking !== looking) return;
        this.#looking = undefined;
        const server = this.#options.source.server();
        if (this.#machine.phase === "waiting" || (server !== undefined && server !== this.#server)) {
          this.#step({ type: "socket" });
        } else {
          this.#look();
        }
      },
      () => {},
    );
  }
}
