import type { ListTimes } from "../known/completeness.js";
import { Ledger, type Outcome } from "../known/ledger.js";
import type { Change } from "../known/log.js";
import type { StreamFacts } from "../known/staging.js";
import { sameState, sameStatus } from "../pod/facts.js";
import { isFinishedHead } from "../pod/head.js";
import { MAX_PODS, tooManyPods } from "../pod/limits.js";
import { covers, type PodMask } from "../pod/mask.js";
import { scanHead } from "../pod/scan.js";
import type { ListTrust, SourceEvent } from "../sources/pod-source.js";
import type { Effect } from "./effect.js";
import { type Input, type Phase, WatchMachine } from "./machine.js";
import { type Want, Wants } from "./wants.js";

/** How long after a list an event may be older than the list. */
const DIFFERENCE_MS = 2_000;

/** Time between two lists with news, without an event in between, after which a stream counts as wedged. */
const WEDGED_AFTER_MS = 10_000;

/** The number of unknown event types that are remembered, which is more than any kubelet will have. */
const MAX_STRANGE_TYPES = 100;

/**
 * Combines machine and ledger: takes the events of the source and of timers, and returns the effects in order. Pure: no clock, no I/O.
 */
export class WatchCore {
  readonly ledger: Ledger;
  readonly #machine: WatchMachine;
  readonly #wants = new Wants();
  /** The facts of the live stream. */
  #facts: StreamFacts | undefined;
  /** When the list beside the stream was sent, and the pods of which the stream has sent an event since; undefined while none is under way. */
  #beside: { readonly asked: ListTimes; readonly touched: Set<string> } | undefined;
  /** Time of the answer to the last list beside the stream. */
  #besideMs = Number.NEGATIVE_INFINITY;
  /** When the first list was sent that had news, while no event has arrived since. */
  #silentSinceMs: number | undefined;
  /** The fields that the current stream requests, and the fields that are known of each pod. Undefined means all fields. */
  #asked: PodMask | undefined;
  #known: PodMask | undefined;
  #sourceIntervalMs = Number.POSITIVE_INFINITY;
  #intervalMs = Number.POSITIVE_INFINITY;
  /** The server that the current stream is connected to. */
  #server = "";
  #reportsDeletions = true;
  #lists: ListTrust | undefined;
  /** Time of the request of the current list. */
  #askedAt: ListTimes = { askedMs: 0, askedWallMs: 0 };
  /** The unknown types of events that this server has sent. */
  readonly #strangeTypes = new Set<number | undefined>();

  /** @param random returns numbers from 0 to 1. @param wallMs returns the time of day. */
  constructor(random: () => number, wallMs: () => number) {
    this.ledger = new Ledger(wallMs);
    this.#machine = new WatchMachine({ resyncIntervalMs: this.#intervalMs, random });
  }

  get phase(): Phase {
    return this.#machine.phase;
  }

  /** True once a list has been committed, even if pods may be missing from it. */
  get everSynced(): boolean {
    return this.#machine.everSynced;
  }

  /** Passes an input to the machine. Returns the effects. */
  step(input: Input, nowMs: number): Effect[] {
    const effects: Effect[] = [];
    for (const effect of this.#machine.step(input, nowMs)) {
      if (effect.type === "begin") {
        const { connection, complete } = effect;
        const [server, reportsDeletions] = [this.#server, this.#reportsDeletions];
        const trust = complete ? "complete" : (this.#lists ?? "contract");
        this.#facts = { ...this.#askedAt, server, connection, reportsDeletions, trust };
        this.ledger.begin(this.#facts);
        continue;
      }
      if (effect.type === "open") this.#open();
      if (effect.type === "close") this.#beside = this.#silentSinceMs = undefined;
      effects.push(effect);
      if (effect.type === "open" || effect.type === "close") effects.push({ type: "quiet" });
    }
    return effects;
  }

  /** Adds the fields and the interval that one more listener wants. */
  want(want: Want, nowMs: number): Effect[] {
    this.#wants.add(want);
    this.ledger.reportsRemovals = this.#wants.includesFinished;
    const effects = this.#setInterval(nowMs);
    return this.asks(want.mask) ? effects : [...effects, ...this.step({ type: "reopen" }, nowMs)];
  }

  /** Removes the fields and the interval of a listener. */
  unwant(want: Want, nowMs: number): Effect[] {
    this.#wants.delete(want);
    this.ledger.reportsRemovals = this.#wants.includesFinished;
    return this.#setInterval(nowMs);
  }

  /** The fields that the current stream requests. Undefined means all fields. */
  get mask(): PodMask | undefined {
    return this.#asked;
  }

  /** Returns true if the current stream requests all fields of a mask. */
  asks(mask: PodMask | undefined): boolean {
    return covers(this.#asked, mask);
  }

  /** Returns true if all fields of a mask are known of each pod. */
  knows(mask: PodMask | undefined): boolean {
    return this.everSynced && covers(this.#known, mask);
  }

  /** Takes an event of the stream. Returns the effects. */
  receive(event: SourceEvent, nowMs: number, wallMs: number): Effect[] {
    const { malformed } = this.ledger;
    if (event.type === "CONNECTED") {
      const { ageMs = 0 } = event;
      this.#askedAt = { askedMs: nowMs - ageMs, askedWallMs: wallMs - ageMs };
    }
    return this.#counted(this.#take(event, nowMs), "WatchPods", malformed, nowMs);
  }

  /** Called when the list beside the stream is sent. Pods with an event from now on are touched: the event wins over the list. */
  sent(nowMs: number, wallMs: number): Effect[] {
    this.#beside = { asked: { askedMs: nowMs, askedWallMs: wallMs }, touched: new Set() };
    return this.step({ type: "sent" }, nowMs);
  }

  /** Takes the answer to the list beside the stream. Returns the effects. */
  listed(pods: readonly Uint8Array[], nowMs: number): Effect[] {
    const { malformed } = this.ledger;
    if (this.phase !== "live" || this.#beside === undefined) return [];
    const { asked, touched } = this.#beside;
    this.#beside = undefined;
    this.ledger.begin({ ...(this.#facts as StreamFacts), ...asked }, touched);
    for (const pod of pods) this.ledger.stage("ADDED", pod);
    if (!this.ledger.isOfSameProcess) {
      this.ledger.drop();
      return this.#counted(this.step({ type: "unlisted" }, nowMs), "ListPods", malformed, nowMs);
    }
    const outcome = this.ledger.commit(nowMs);
    this.#besideMs = nowMs;
    const effects = [...this.#committed(outcome, nowMs), ...this.#judgeSilence(outcome, asked.askedMs, nowMs)];
    return this.#counted(effects, "ListPods", malformed, nowMs);
  }

  /** Replaces a stream that seems to be wedged: lists have news of running pods, and it has sent no event since the first such list. */
  #judgeSilence({ changes }: Outcome, askedMs: number, nowMs: number): Effect[] {
    if (!changes.some(hasNews)) return [];
    this.#silentSinceMs ??= askedMs;
    if (askedMs - this.#silentSinceMs < WEDGED_AFTER_MS) return [];
    return [{ type: "wedged" }, ...this.step({ type: "reopen" }, nowMs)];
  }

  #counted(effects: Effect[], method: string, malformed: number, nowMs: number): Effect[] {
    const isFull = this.ledger.isFull || (this.#beside?.touched.size ?? 0) > MAX_PODS;
    if (isFull) effects.push(...this.step({ type: "failed", error: tooManyPods(method) }, nowMs));
    const count = this.ledger.malformed - malformed;
    return count > 0 ? [{ type: "malformed", count }, ...effects] : effects;
  }

  #take(event: SourceEvent, nowMs: number): Effect[] {
    if (event.type === "CONNECTED") {
      this.#sourceIntervalMs = event.resyncIntervalMs ?? Number.POSITIVE_INFINITY;
      if (this.#server !== event.server) this.#strangeTypes.clear();
      this.#server = event.server;
      this.#reportsDeletions = event.reportsDeletions ?? true;
      this.#lists = event.lists;
      const { connection, list } = event;
      const connected = { type: "connected", connection, canList: list !== undefined } as const;
      return [...this.#setInterval(nowMs), ...this.step(connected, nowMs)];
    }
    if (event.type === "SYNCED") return this.#commit(nowMs);
    if (event.type === "UNKNOWN") {
      this.ledger.malformed++;
      const message = this.step({ type: "message" }, nowMs);
      // Only the first event of an unknown type requests a list. A list after the next one would show nothing new.
      if (this.#strangeTypes.has(event.code) || this.#strangeTypes.size >= MAX_STRANGE_TYPES) return message;
      this.#strangeTypes.add(event.code);
      return [...message, ...this.step({ type: "gap" }, nowMs)];
    }
    if (this.phase !== "live") {
      this.ledger.stage(event.type, event.pod);
      return this.step({ type: "message" }, nowMs);
    }
    this.#silentSinceMs = undefined;
    this.#beside?.touched.add(scanHead(event.pod).head.uid);
    const isSoon = nowMs - this.#besideMs <= DIFFERENCE_MS && event.type !== "DELETED";
    const wasLacked = isSoon && this.ledger.get(scanHead(event.pod).head.uid)?.unconfirmed !== undefined;
    const { changes, hasGap, listInMs } = this.ledger.apply(event.type, event.pod, nowMs);
    this.ledger.runs.accept(changes, "event");
    const effects: Effect[] = changes.length > 0 ? [{ type: "changes", by: "event", changes }] : [];
    if (hasGap) effects.push(...this.step({ type: "gap" }, nowMs));
    if (isSoon && (wasLacked || changes.some(differsInStatus)))
      effects.push(...this.step({ type: "difference" }, nowMs));
    if (listInMs !== undefined) effects.push(...this.step({ type: "relist", inMs: listInMs }, nowMs));
    return changes.length > 0 ? [...effects, ...this.#wantList(nowMs)] : effects;
  }

  #commit(nowMs: number): Effect[] {
    if (this.phase === "live") {
      this.ledger.malformed++; // a second marker
      return [];
    }
    return this.#committed(this.ledger.commit(nowMs), nowMs);
  }

  #committed({ changes, hasGap, hasDifference = false }: Outcome, nowMs: number): Effect[] {
    this.#known = this.#asked;
    const listInMs = this.ledger.nextListMs(nowMs);
    const { list, runs } = this.ledger;
    runs.accept(changes, "list");
    const settled = runs.listed(list);
    const { isAccepted } = list;
    return [
      ...(changes.length > 0 ? [{ type: "changes", by: "list", changes } as const] : []),
      { type: "listed", list, changes: changes.length, settled },
      ...(isAccepted ? [] : [{ type: "quiet" } as const]),
      ...this.step({ type: "synced", listInMs, hasGap, hasDifference, isAccepted }, nowMs),
      ...this.#wantList(nowMs),
    ];
  }

  /** Requests a list soon while a container status waits for one. */
  #wantList(nowMs: number): Effect[] {
    return this.ledger.runs.wantsList ? this.step({ type: "gap" }, nowMs) : [];
  }

  #open(): void {
    this.#besideMs = Number.NEGATIVE_INFINITY;
    this.#asked = this.#wants.mask;
    this.ledger.retain(this.#asked);
  }

  #setInterval(nowMs: number): Effect[] {
    const ms = Math.min(this.#wants.resyncIntervalMs, this.#sourceIntervalMs);
    if (ms === this.#intervalMs) return [];
    this.#intervalMs = ms;
    return this.step({ type: "interval", ms }, nowMs);
  }
}

/** Returns true if a list changes the phase or a container of a pod that had not finished. */
function hasNews({ before, version, isGone }: Change): boolean {
  if (before === undefined || isGone || isFinishedHead(before.head)) return false;
  return !sameState(before.bytes, version.bytes);
}

/** Returns true if an event adds a pod, or changes its status or deletion. */
function differsInStatus({ before, version }: Change): boolean {
  return before === undefined || !sameStatus(before.bytes, version.bytes);
}
