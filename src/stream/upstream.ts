import type { Pacer } from "../calls/pacer.js";
import { Counters } from "../counters.js";
import { type WatchMessage, type WatchNews, watchChannel } from "../diagnostics.js";
import { PodsError } from "../errors/pods-error.js";
import type { Ledger } from "../known/ledger.js";
import type { LogEntry, LogIndex, LogReader } from "../known/log.js";
import type { PodMask } from "../pod/mask.js";
import type { ListBeside, SourceEvent, WatchSource } from "../sources/pod-source.js";
import { afterReads, type Clock } from "../timing/clock.js";
import { WatchCore } from "./core.js";
import type { Effect } from "./effect.js";
import type { Phase } from "./machine.js";
import type { Want } from "./wants.js";

/** A listener of the upstream: a watch, an informer or a journal. */
export interface UpstreamListener extends Want {
  readonly reader: LogReader;
  /** Called when the stream ends with an error that no retry can fix. */
  onFatal(error: PodsError): void;
}

export interface UpstreamOptions<I extends LogIndex = LogIndex> {
  source: WatchSource;
  clock: Clock;
  /** Makes a reader that receives each entry of the log before all listeners, so that they find it up to date. */
  index?: (pods: Ledger) => I;
  /**
   * The counters that this upstream adds to.
   *
   * @default counters of its own
   */
  counters?: Counters;
  /** Paces the requests of the client. From 1.38 the kubelet's rate limit counts watches, too. */
  pacer?: Pick<Pacer, "take" | "rejected">;
  /** Returns numbers from 0 to 1. */
  random(): number;
}

/** The state of an upstream, for `informer.state`. */
export interface UpstreamState {
  phase: Phase;
  /** Time of the last change between synced and not synced, on the monotonic clock. */
  sinceMs: number;
  /** Why the known pods may be stale. */
  error: PodsError | undefined;
  /** Time of the last list or event, on the monotonic clock; undefined before the first list. */
  confirmedMs: number | undefined;
}

const NO_INDEX: LogIndex = { begin: () => {}, accept: () => {}, flush: () => {} };

/**
 * The one stream of a client, which opens for the first listener and closes after the last. Carries out the effects of the machine, and reads
 * the stream at full speed even if listeners are slow.
 */
export class Upstream<I extends LogIndex = LogIndex> {
  readonly #options: UpstreamOptions<I>;
  /** The counters, which the calls of the client share. */
  readonly counters: Counters;
  readonly #core: WatchCore;
  readonly index: I;
  readonly #listeners = new Set<UpstreamListener>();
  /** Listeners that wait for fields that are not known yet. */
  readonly #pending = new Set<UpstreamListener>();
  #stream: AbortController | undefined;
  /** Lists the pods beside the stream; undefined if its source cannot. */
  #listBeside: ListBeside | undefined;
  #looking: AbortController | undefined;
  #cancelTimer: () => void = () => {};
  #server: string | undefined;
  readonly #status: { sinceMs: number; confirmedMs: number | undefined; error: PodsError | undefined };
  #fatal: PodsError | undefined;
  #streams = 0;
  #listed = 0;
  /** Diagnostic messages, published after all effects are carried out, because a subscriber may end the watch. */
  #news: WatchNews[] = [];

  constructor(options: UpstreamOptions<I>) {
    this.#options = options;
    this.counters = options.counters ?? new Counters();
    this.#core = new WatchCore(options.random, () => options.clock.wallMs());
    this.index = options.index?.(this.#core.ledger) ?? (NO_INDEX as I);
    this.#status = { sinceMs: options.clock.now(), confirmedMs: undefined, error: undefined };
  }

  get ledger(): Ledger {
    return this.#core.ledger;
  }

  get state(): Readonly<UpstreamState> {
    return { ...this.#status, phase: this.#core.phase };
  }

  /** True if the known pods are those of the server, as far as is known. */
  get isSynced(): boolean {
    return this.#core.everSynced && this.#status.error === undefined;
  }

  /** Returns true if a stream is live, so that changes of these fields are reported. */
  get isLive(): boolean {
    return this.#core.phase === "live" && this.ledger.proof.isAccepted;
  }

  /** True once this upstream has ended, by an error or because its last listener left. */
  get ended(): boolean {
    return this.#core.phase === "ended";
  }

  get streams(): number {
    return this.#streams;
  }

  /** The number of the stream with the last list, counted from 1 like {@link streams}. */
  get listed(): number {
    return this.#listed;
  }

  /** Requests a list, unless one is under way. */
  relist(): void {
    if (this.#core.phase === "live") this.#carryOut(this.#core.step({ type: "relist" }, this.#now()));
  }

  /** Requests the list that can prove that a pod is absent, unless absences are proved, or no list can prove them yet. */
  seekProof(): void {
    if (this.#core.phase !== "live") return;
    const inMs = this.ledger.proofInMs(this.#now());
    if (inMs !== undefined) this.#carryOut(this.#core.step({ type: "relist", inMs }, this.#now()));
  }

  add(listener: UpstreamListener): void {
    this.#listeners.add(listener);
    const effects = this.#core.want(listener, this.#now());
    if (this.#fatal !== undefined) {
      listener.onFatal(this.#fatal);
      return;
    }
    if (this.#core.knows(listener.mask)) this.#introduce(listener);
    else this.#pending.add(listener);
    if (this.#status.error !== undefined) listener.reader.accept({ type: "lost", error: this.#status.error });
    this.#carryOut([...effects, ...this.#core.step({ type: "start" }, this.#now())]);
  }

  remove(listener: UpstreamListener): void {
    if (!this.#listeners.delete(listener)) return;
    this.#pending.delete(listener);
    const effects = this.#core.unwant(listener, this.#now());
    const isLast = this.#listeners.size === 0;
    this.#carryOut([...effects, ...(isLast ? this.#core.step({ type: "stop" }, this.#now()) : [])]);
  }

  #now(): number {
    return this.#options.clock.now();
  }

  #carryOut(effects: readonly Effect[]): void {
    if (effects.length === 0) return;
    for (const effect of effects) this.#do(effect);
    if (this.#pending.size > 0 && effects.some(({ type }) => type === "listed")) this.#admit();
    this.#look();
    // These run user code, so they come after all effects.
    this.index.flush();
    if (this.#news.length > 0) for (const news of this.#news.splice(0)) this.#publish(news);
  }

  /** Passes the known pods to the listeners that waited for more fields, if the committed list has them. */
  #admit(): void {
    for (const listener of this.#pending) {
      if (!this.#core.knows(listener.mask)) continue;
      this.#pending.delete(listener);
      this.#introduce(listener);
    }
  }

  /** Passes the known pods to a listener, and SYNCED if they are complete. */
  #introduce({ reader }: UpstreamListener): void {
    reader.begin(this.ledger);
    if (this.isSynced) reader.accept({ type: "synced" });
  }

  #do(effect: Effect): void {
    switch (effect.type) {
      case "open":
        this.#streams++;
        this.#count({ type: "opening" });
        void this.#read(this.#core.mask);
        return;
      case "list":
        this.#streams++;
        void this.#list();
        return;
      case "close":
        this.#stream?.abort();
        this.#stream = undefined;
        return;
      case "timer":
        this.#cancelTimer();
        this.#cancelTimer = () => {};
        // A listener that receives an entry may end the stream before the next effects are carried out.
        if (effect.delayMs !== undefined && this.#core.phase !== "ended") this.#setTimer(effect.delayMs);
        return;
      case "fatal":
        this.counters.watch({ type: "lost", error: effect.error });
        this.#fatal = effect.error;
        this.#status.error = effect.error;
        for (const listener of [...this.#listeners]) listener.onFatal(effect.error);
        return;
      case "begin":
        return; // handled by the core
      default:
        this.#log(effect);
    }
  }

  #setTimer(delayMs: number): void {
    const { clock } = this.#options;
    const busyAtStartMs = clock.busyMs();
    this.#cancelTimer = afterReads(clock, delayMs, () => {
      this.#carryOut(this.#core.step({ type: "timer", busyMs: clock.busyMs() - busyAtStartMs }, this.#now()));
    });
  }

  /** Passes an entry of the log to the index, then to the listeners whose fields are known of each pod. */
  #log(entry: LogEntry): void {
    const status = this.#status;
    if (entry.type === "listed") this.#listed = this.#streams;
    else if (entry.type === "synced") Object.assign(status, { error: undefined, sinceMs: this.#now() });
    else if (entry.type === "lost") {
      if (status.error === undefined && this.#core.everSynced) status.sinceMs = this.#now();
      status.error = entry.error;
    }
    this.index.accept(entry);
    for (const listener of this.#listeners) {
      if (entry.type === "lost" || !this.#pending.has(listener)) listener.reader.accept(entry);
    }
    const news = this.#newsOf(entry);
    if (news !== undefined) this.#count(news);
  }

  /** Returns the diagnostic message of an entry, if there is one. */
  #newsOf(entry: LogEntry): WatchNews | undefined {
    const { ledger } = this;
    if (entry.type === "listed") {
      const { changes } = entry;
      return { type: "synced", pods: ledger.count(true), changes, unconfirmed: ledger.unconfirmed(true).count };
    }
    if (entry.type === "malformed") return { type: "malformed", count: this.counters.unread(entry.count) };
    if (entry.type === "wedged") return entry;
    return entry.type === "retry" ? { type: "lost", error: entry.error, delayMs: entry.delayMs } : undefined;
  }

  /** Lists the pods beside the live stream, once the pacing allows it. */
  async #list(): Promise<void> {
    const stream = this.#stream as AbortController;
    const { signal } = stream;
    const { pacer, clock } = this.#options;
    const isOver = () => stream !== this.#stream || signal.aborted;
    let sentMs = 0;
    let isAnswered = false;
    try {
      const turn = pacer?.take(signal, { isWatch: true });
      if (turn !== undefined) await turn;
      if (isOver()) return;
      sentMs = this.#now();
      this.#carryOut(this.#core.sent(sentMs, clock.wallMs()));
      const onBytes = () => {
        if (!isOver() && !isAnswered) this.#carryOut(this.#core.step({ type: "bytes" }, this.#now()));
      };
      const pods = await this.#listBeside?.({ signal, onBytes });
      isAnswered = true;
      if (isOver()) return;
      const nowMs = this.#now();
      this.#carryOut(
        pods === undefined ? this.#core.step({ type: "unlisted" }, nowMs) : this.#core.listed(pods, nowMs),
      );
      if (this.#core.phase === "live") this.#status.confirmedMs = nowMs;
    } catch (failure) {
      if (isOver()) return;
      const error = PodsError.from(failure, { method: "ListPods" });
      if (error.code === "rate-limited") pacer?.rejected(sentMs);
      this.#carryOut(this.#core.step({ type: "unlisted", error }, this.#now()));
    }
  }

  async #read(mask: PodMask | undefined): Promise<void> {
    const stream = new AbortController();
    this.#stream = stream;
    const { pacer, clock, source } = this.#options;
    let failure: unknown;
    let sentMs = clock.now();
    try {
      const turn = pacer?.take(stream.signal, { isWatch: true });
      if (turn !== undefined) {
        await turn;
        sentMs = clock.now();
      }
      for await (const received of source.open(stream.signal, mask)) {
        if ("type" in received) this.#receive(received, stream);
        else for (const event of received) this.#receive(event, stream);
        if (stream.signal.aborted) return;
      }
      failure = new PodsError({ code: "connection-lost", message: "the source ended the stream", method: "WatchPods" });
    } catch (error) {
      failure = error;
    }
    if (this.#stream !== stream) return;
    const error = PodsError.from(failure, { method: "WatchPods" });
    if (error.code === "rate-limited") pacer?.rejected(sentMs);
    this.#carryOut(this.#core.step({ type: "failed", error }, this.#now()));
  }

  /** Takes one event. Events after the end of the stream are dropped, also those of the same batch. */
  #receive(event: SourceEvent, stream: AbortController): void {
    if (stream.signal.aborted) return;
    if (event.type === "CONNECTED") {
      this.#server = event.server;
      this.#listBeside = event.list;
    } else if ("pod" in event) this.counters.received(event.type);
    const nowMs = this.#now();
    this.#carryOut(this.#core.receive(event, nowMs, this.#options.clock.wallMs()));
    if (this.#core.phase === "live") this.#status.confirmedMs = nowMs;
  }

  #count(news: WatchNews): void {
    this.counters.watch(news);
    if (watchChannel.hasSubscribers) this.#news.push(news);
  }

  #publish(news: WatchNews): void {
    const message: WatchMessage = { ...news, socketPath: this.#options.source.socketPath };
    watchChannel.publish(message);
  }

  /** Watches for another kubelet at the socket while a stream is live or pending. */
  #look(): void {
    const { phase } = this.#core;
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
        const replaced = server !== undefined && server !== this.#server;
        if (replaced || this.#core.phase === "waiting") {
          this.#carryOut(this.#core.step({ type: "socket", replaced }, this.#now()));
        }
        this.#look();
      },
      () => {},
    );
  }
}
