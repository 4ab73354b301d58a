import type { Change } from "../known/entry.js";
import { Ledger } from "../known/ledger.js";
import { tooManyPods } from "../pod/limits.js";
import { covers, type PodMask } from "../pod/mask.js";
import type { SourceEvent } from "../sources/pod-source.js";
import { type Effect, type Input, type Phase, WatchMachine } from "./machine.js";
import { type Want, Wants } from "./wants.js";

/** Something to do: by the machine's decision, or because pods have changed. */
export type CoreEffect =
  | Exclude<Effect, { type: "begin" | "open" }>
  /** `mask` is what of each pod is wanted; everything where it is undefined. */
  | { type: "open"; mask: PodMask | undefined }
  | { type: "changes"; changes: readonly Change[] }
  /** For diagnostics: a complete list has been taken over, with so many changes. */
  | { type: "committed"; changes: number }
  /** For diagnostics: messages could not be read, or are of a kind that is not known. */
  | { type: "malformed"; count: number };

/**
 * Machine and ledger as one: what a source says and what time does goes in, what is to be done comes out, in order. Pure:
 * no clock, no I/O.
 */
export class WatchCore {
  readonly ledger: Ledger = new Ledger();
  readonly #machine: WatchMachine;
  readonly #wants = new Wants();
  /** The fields that the present stream was asked for, and those that are known. Undefined is everything. */
  #asked: PodMask | undefined;
  #known: PodMask | undefined;
  #sourceIntervalMs = Number.POSITIVE_INFINITY;
  #intervalMs = Number.POSITIVE_INFINITY;
  /** The server that the present stream's CONNECTED names. */
  #server = "";
  #tellsDeletions = true;

  /** @param random gives numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#machine = new WatchMachine({ resyncIntervalMs: this.#intervalMs, random });
  }

  get phase(): Phase {
    return this.#machine.phase;
  }

  /** Whether a list has been complete at least once. */
  get everSynced(): boolean {
    return this.#machine.everSynced;
  }

  /** Passes an input to the machine; returns what it decides. */
  step(input: Input, nowMs: number): CoreEffect[] {
    const effects: CoreEffect[] = [];
    for (const effect of this.#machine.step(input, nowMs)) {
      if (effect.type === "begin") {
        const { connection, complete, planned } = effect;
        const [server, tellsDeletions] = [this.#server, this.#tellsDeletions];
        this.ledger.begin({ server, connection, complete, planned, tellsDeletions });
      } else if (effect.type === "open") effects.push(this.#open());
      else effects.push(effect);
    }
    return effects;
  }

  /** Adds what one more listener wants. */
  want(want: Want, nowMs: number): CoreEffect[] {
    this.#wants.add(want);
    const effects = this.#setInterval(nowMs);
    return this.asks(want.mask) ? effects : [...effects, ...this.step({ type: "relist" }, nowMs)];
  }

  /** Removes what a listener wanted. */
  unwant(want: Want, nowMs: number): CoreEffect[] {
    this.#wants.delete(want);
    return this.#setInterval(nowMs);
  }

  /** Returns whether the present stream was asked for all that a mask selects. */
  asks(mask: PodMask | undefined): boolean {
    return covers(this.#asked, mask);
  }

  /** Returns whether all that a mask selects is known of each pod. */
  knows(mask: PodMask | undefined): boolean {
    return this.everSynced && covers(this.#known, mask);
  }

  /** Takes an event of the stream; returns what is to be done. */
  receive(event: SourceEvent, nowMs: number): CoreEffect[] {
    const { malformed } = this.ledger;
    const effects = this.#take(event, nowMs);
    if (this.ledger.isFull) effects.push(...this.step({ type: "failed", error: tooManyPods("WatchPods") }, nowMs));
    const count = this.ledger.malformed - malformed;
    return count > 0 ? [{ type: "malformed", count }, ...effects] : effects;
  }

  #take(event: SourceEvent, nowMs: number): CoreEffect[] {
    if (event.type === "CONNECTED") {
      this.#sourceIntervalMs = event.resyncIntervalMs ?? Number.POSITIVE_INFINITY;
      this.#server = event.server;
      this.#tellsDeletions = event.tellsDeletions ?? true;
      return [...this.#setInterval(nowMs), ...this.step({ type: "connected", connection: event.connection }, nowMs)];
    }
    if (event.type === "SYNCED") return this.#commit(nowMs);
    if (event.type === "UNKNOWN") {
      this.ledger.malformed++;
      return [...this.step({ type: "message" }, nowMs), ...this.step({ type: "suspect" }, nowMs)];
    }
    if (this.phase !== "live") {
      this.ledger.stage(event.type, event.pod);
      return this.step({ type: "message" }, nowMs);
    }
    const { changes, suspect, isBack } = this.ledger.apply(event.type, event.pod);
    const effects: CoreEffect[] = changes.length > 0 ? [{ type: "changes", changes }] : [];
    if (suspect) effects.push(...this.step({ type: "suspect" }, nowMs));
    if (isBack) effects.push(...this.step({ type: "relist" }, nowMs));
    return effects;
  }

  #commit(nowMs: number): CoreEffect[] {
    if (this.phase === "live") {
      this.ledger.malformed++; // a second marker
      return [];
    }
    this.#known = this.#asked;
    const { changes, suspect } = this.ledger.commit(nowMs);
    const doubtMs = this.ledger.doubtMs(nowMs);
    return [
      ...(changes.length > 0 ? [{ type: "changes", changes } as const] : []),
      { type: "committed", changes: changes.length },
      ...this.step({ type: "synced", doubtMs, suspect }, nowMs),
    ];
  }

  #open(): CoreEffect {
    this.#asked = this.#wants.mask;
    this.ledger.retain(this.#asked);
    return { type: "open", mask: this.#asked };
  }

  #setInterval(nowMs: number): CoreEffect[] {
    const ms = Math.min(this.#wants.resyncIntervalMs, this.#sourceIntervalMs);
    if (ms === this.#intervalMs) return [];
    this.#intervalMs = ms;
    return this.step({ type: "interval", ms }, nowMs);
  }
}
