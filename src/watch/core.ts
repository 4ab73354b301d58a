import { PodsError } from "../errors/pods-error.js";
import { covers, type PodMask } from "../pod/mask.js";
import type { SourceEvent } from "../source.js";
import { type Change, Ledger, MAX_KEPT_BYTES, MAX_PODS } from "./ledger.js";
import { type Effect, type Input, type Phase, WatchMachine } from "./machine.js";

/** What is to be done: by the machine's decision, or because pods have changed. */
export type CoreEffect =
  | Exclude<Effect, { type: "begin" | "open" }>
  /** `mask` is what of each pod is wanted; everything where it is undefined. */
  | { type: "open"; mask: PodMask | undefined }
  | { type: "changes"; changes: readonly Change[] }
  /** For diagnostics: a complete list has been taken over, with so many changes. */
  | { type: "committed"; changes: number }
  /** For diagnostics: a message could not be read, or is of a kind that is not known. */
  | { type: "malformed" };

/**
 * Machine and ledger as one: what a source says and what time does goes in, what is to be done comes out, in order. Pure:
 * no clock, no I/O.
 */
export class WatchCore {
  readonly ledger: Ledger = new Ledger();
  readonly #machine: WatchMachine;
  /** A list has been complete at least once. */
  synced = false;
  /** Complete lists after the first. */
  resyncs = 0;
  /** The stream is past its sync marker. */
  #live = false;
  /** What consumers want of each pod; what the present stream was asked for; what is known. Undefined is everything. */
  #wanted: PodMask | undefined;
  #asked: PodMask | undefined;
  #known: PodMask | undefined;
  #wantedIntervalMs = Number.POSITIVE_INFINITY;
  #sourceIntervalMs = Number.POSITIVE_INFINITY;
  #intervalMs = Number.POSITIVE_INFINITY;

  /** @param random gives numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#machine = new WatchMachine({ resyncIntervalMs: this.#intervalMs, random });
  }

  get phase(): Phase {
    return this.#machine.phase;
  }

  /** What the machine decides on an input. */
  step(input: Input, nowMs: number): CoreEffect[] {
    const effects: CoreEffect[] = [];
    for (const effect of this.#machine.step(input, nowMs)) {
      if (effect.type === "begin") this.ledger.begin({ ...effect, nowMs });
      else if (effect.type === "open") effects.push(this.#open());
      else effects.push(effect);
    }
    return effects;
  }

  /** Consumers want so much of each pod, and planned resyncs so far apart at most. */
  want(mask: PodMask | undefined, intervalMs: number, nowMs: number): CoreEffect[] {
    this.#wantedIntervalMs = intervalMs;
    this.#wanted = mask;
    const effects = this.#setInterval(nowMs);
    return covers(this.#asked, mask) ? effects : [...effects, ...this.step({ type: "wider" }, nowMs)];
  }

  /** Whether what is known of each pod is all that a mask selects. */
  knows(mask: PodMask | undefined): boolean {
    return this.synced && covers(this.#known, mask);
  }

  /** What the stream says. */
  receive(event: SourceEvent, nowMs: number): CoreEffect[] {
    const { malformed } = this.ledger;
    const effects = this.#take(event, nowMs);
    if (this.ledger.isFull) effects.push(...this.step({ type: "failed", error: tooMuch() }, nowMs));
    return this.ledger.malformed > malformed ? [{ type: "malformed" }, ...effects] : effects;
  }

  #take(event: SourceEvent, nowMs: number): CoreEffect[] {
    if (event.type === "CONNECTED") {
      this.#sourceIntervalMs = event.resyncIntervalMs ?? Number.POSITIVE_INFINITY;
      return [...this.#setInterval(nowMs), ...this.step({ type: "connected", server: event.server }, nowMs)];
    }
    if (event.type === "SYNCED") return this.#commit(nowMs);
    if (event.type === "UNKNOWN") {
      this.ledger.malformed++;
      return [...this.step({ type: "message" }, nowMs), ...this.step({ type: "suspect" }, nowMs)];
    }
    if (!this.#live) {
      this.ledger.stage(event.type, event.pod);
      return this.step({ type: "message" }, nowMs);
    }
    const { changes, suspect } = this.ledger.apply(event.type, event.pod);
    const effects: CoreEffect[] = changes.length > 0 ? [{ type: "changes", changes }] : [];
    return suspect ? [...effects, ...this.step({ type: "suspect" }, nowMs)] : effects;
  }

  #commit(nowMs: number): CoreEffect[] {
    if (this.#live) {
      this.ledger.malformed++; // a second marker
      return [];
    }
    this.#live = true;
    this.#known = this.#asked;
    if (this.synced) this.resyncs++;
    const { changes, suspect } = this.ledger.commit(nowMs);
    this.synced = true;
    const doubtMs = this.ledger.doubtMs(nowMs);
    return [
      ...(changes.length > 0 ? [{ type: "changes", changes } as const] : []),
      { type: "committed", changes: changes.length },
      ...this.step({ type: "synced", doubtMs, suspect }, nowMs),
    ];
  }

  #open(): CoreEffect {
    this.#live = false;
    this.#asked = this.#wanted;
    this.ledger.keep(this.#asked);
    return { type: "open", mask: this.#asked };
  }

  #setInterval(nowMs: number): CoreEffect[] {
    const ms = Math.min(this.#wantedIntervalMs, this.#sourceIntervalMs);
    if (ms === this.#intervalMs) return [];
    this.#intervalMs = ms;
    return this.step({ type: "interval", ms }, nowMs);
  }
}

function tooMuch(): PodsError {
  const mib = MAX_KEPT_BYTES / 1024 / 1024;
  return new PodsError({
    code: "too-large",
    message: `more than ${MAX_PODS} pods, or ${mib} MiB of them: no node has so much`,
    hint: "is it the kubelet that listens on the socket?",
    method: "WatchPods",
  });
}
