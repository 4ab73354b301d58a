import type { ListRequest } from "../known/completeness.js";
import { Ledger } from "../known/ledger.js";
import { tooManyPods } from "../pod/limits.js";
import { covers, type PodMask } from "../pod/mask.js";
import { scanHead } from "../pod/scan.js";
import type { ListTrust, SourceEvent } from "../sources/pod-source.js";
import type { Effect } from "./effect.js";
import { type Input, type Phase, WatchMachine } from "./machine.js";
import { type LastStatus, Overlap } from "./overlap.js";
import { type Want, Wants } from "./wants.js";

/** The number of unknown event types that are remembered, which is more than any kubelet will have. */
const MAX_STRANGE_TYPES = 100;

/**
 * Combines machine and ledger: takes the events of the source and of timers, and returns the effects in order. Pure: no clock, no I/O.
 */
export class WatchCore {
  readonly ledger: Ledger;
  readonly #machine: WatchMachine;
  readonly #wants = new Wants();
  readonly #overlap = new Overlap();
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
  #askedAt: Omit<ListRequest, "trust"> = { askedMs: 0, askedWallMs: 0 };
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
    const { phase } = this;
    const effects: Effect[] = [];
    for (const effect of this.#machine.step(input, nowMs)) {
      if (effect.type === "begin") {
        const { connection, complete } = effect;
        const [server, reportsDeletions] = [this.#server, this.#reportsDeletions];
        const trust = complete ? "complete" : (this.#lists ?? "contract");
        this.ledger.begin({ ...this.#askedAt, server, connection, reportsDeletions, trust });
        continue;
      }
      if (effect.type === "open") this.#open(effect.isPlanned);
      if (effect.type === "close") {
        // No list follows. Of pods that the last list has, the new stream has reported more.
        const counts = (uid: string) =>
          phase === "live" ? this.ledger.awaitsDeleted(uid) : this.ledger.hasReported(uid);
        effects.push(...this.#apply(this.#overlap.takeAll(counts), nowMs));
        this.#overlap.end();
      }
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
    return this.asks(want.mask) ? effects : [...effects, ...this.step({ type: "relist" }, nowMs)];
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
    const effects = this.#take(event, nowMs);
    if (this.ledger.isFull) effects.push(...this.step({ type: "failed", error: tooManyPods("WatchPods") }, nowMs));
    effects.push(...this.#handover(nowMs));
    const count = this.ledger.malformed - malformed;
    return count > 0 ? [{ type: "malformed", count }, ...effects] : effects;
  }

  /** Takes an event of the previous stream, which is read until `handover`. */
  receivePrevious(event: SourceEvent, nowMs: number): Effect[] {
    const isLive = this.phase === "live";
    this.#overlap.take(event, (uid) => !isLive || this.ledger.awaitsDeleted(uid));
    if (!isLive) return [];
    const ends = this.#apply(
      this.#overlap.takeEnds(() => true),
      nowMs,
    );
    if (ends.length === 0) return [];
    const inMs = this.ledger.nextListMs(nowMs);
    const relist = inMs === undefined ? [] : this.step({ type: "relist", inMs }, nowMs);
    return [...ends, ...relist, ...this.#wantList(nowMs), ...this.#handover(nowMs)];
  }

  /** Ends the previous stream once it cannot report the end of a pod that the list lacks. */
  #handover(nowMs: number): Effect[] {
    if (!this.#overlap.isOpen || this.phase !== "live" || this.ledger.awaitsAnyDeleted(nowMs)) return [];
    this.#overlap.end();
    return [{ type: "handover" }];
  }

  /** Applies what the previous stream reported of pods. */
  #apply(lasts: readonly LastStatus[], nowMs: number): Effect[] {
    const { ledger } = this;
    const outcomes = lasts.flatMap(({ mask, pod, deleted }) => {
      ledger.retain(mask);
      return [
        ...(pod === undefined ? [] : [ledger.apply("MODIFIED", pod, nowMs)]),
        ...(deleted === undefined ? [] : [ledger.apply("DELETED", deleted, nowMs, true)]),
      ];
    });
    if (lasts.length > 0) ledger.retain(this.#asked);
    const changes = outcomes.flatMap(({ changes }) => changes);
    ledger.runs.accept(changes, "event");
    const needsList = this.phase === "live" && outcomes.some(({ hasGap }) => hasGap);
    return [
      ...(changes.length > 0 ? [{ type: "changes", by: "event", changes } as const] : []),
      ...(needsList ? this.step({ type: "gap" }, nowMs) : []),
    ];
  }

  /** Applies the last status that only the previous stream had of a pod, before its DELETED of the new stream. */
  #takeLast({ type, pod }: Extract<SourceEvent, { pod: Uint8Array }>, nowMs: number): Effect[] {
    if (type !== "DELETED" || !this.#overlap.isOpen) return [];
    const { uid } = scanHead(pod).head;
    const last = this.#overlap.takePod(uid);
    return last !== undefined && this.ledger.awaitsDeleted(uid) ? this.#apply([last], nowMs) : [];
  }

  #take(event: SourceEvent, nowMs: number): Effect[] {
    if (event.type === "CONNECTED") {
      this.#sourceIntervalMs = event.resyncIntervalMs ?? Number.POSITIVE_INFINITY;
      if (this.#server !== event.server) this.#strangeTypes.clear();
      this.#server = event.server;
      this.#reportsDeletions = event.reportsDeletions ?? true;
      this.#lists = event.lists;
      return [...this.#setInterval(nowMs), ...this.step({ type: "connected", connection: event.connection }, nowMs)];
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
    const last = this.#takeLast(event, nowMs);
    const { changes, hasGap, listInMs } = this.ledger.apply(event.type, event.pod, nowMs);
    this.ledger.runs.accept(changes, "event");
    const effects: Effect[] = changes.length > 0 ? [...last, { type: "changes", by: "event", changes }] : last;
    if (hasGap) effects.push(...this.step({ type: "gap" }, nowMs));
    if (listInMs !== undefined) effects.push(...this.step({ type: "relist", inMs: listInMs }, nowMs));
    return changes.length > 0 ? [...effects, ...this.#wantList(nowMs)] : effects;
  }

  #commit(nowMs: number): Effect[] {
    if (this.phase === "live") {
      this.ledger.malformed++; // a second marker
      return [];
    }
    // A pod that the process had not reported before is left to the new stream, because it may be newer than the list.
    const counts = (uid: string) => this.ledger.hasReported(uid) && !this.ledger.hasStaged(uid);
    const ends = this.#apply(this.#overlap.takeEnds(counts), nowMs);
    this.#known = this.#asked;
    const { changes, hasGap } = this.ledger.commit(nowMs);
    const listInMs = this.ledger.nextListMs(nowMs);
    const { list, runs } = this.ledger;
    runs.accept(changes, "list");
    const settled = runs.listed(list);
    const { isAccepted } = list;
    return [
      ...ends,
      ...(changes.length > 0 ? [{ type: "changes", by: "list", changes } as const] : []),
      { type: "listed", list, changes: changes.length, settled },
      ...(isAccepted ? [] : [{ type: "quiet" } as const]),
      ...this.step({ type: "synced", listInMs, hasGap, isAccepted }, nowMs),
      ...this.#wantList(nowMs),
    ];
  }

  /** Requests a list soon while a container status waits for one. */
  #wantList(nowMs: number): Effect[] {
    return this.ledger.runs.wantsList ? this.step({ type: "gap" }, nowMs) : [];
  }

  #open(isPlanned: boolean): void {
    if (isPlanned) this.#overlap.begin(this.#asked, (uid) => this.ledger.awaitsDeleted(uid));
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
