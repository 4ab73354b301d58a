// "Possible gaps" and "Request rate" of docs/watch.md: when streams are opened and closed, and which failures are reported.

import { covers, OWN } from "./messages.js";
import { SLACK_MS } from "./pods.js";
import type { Requests, Want } from "./trace.js";

type Phase = "idle" | "opening" | "burst" | "live" | "waiting" | "ended";

/** The table of classes: "base → cap", in milliseconds. */
const CLASSES: Readonly<Record<string, readonly [base: number, cap: number]>> = {
  unreachable: [50, 1_000],
  transient: [100, 5_000],
  initializing: [250, 1_000],
  crowded: [1_200, 1_200],
  slow: [1_000, 30_000],
  blocked: [1_000, 30_000],
  bug: [30_000, 30_000],
};

/** The codes of failures that are not transient (docs/guides/operating.md). */
const CLASS_OF: Readonly<Record<string, string>> = {
  "socket-missing": "unreachable",
  "connection-refused": "unreachable",
  "not-permitted": "blocked",
  "not-a-socket": "blocked",
  "wrong-peer": "blocked",
  "not-served": "blocked",
  initializing: "initializing",
  "rate-limited": "crowded",
};
const FATAL = new Set(["not-permitted", "invalid-path", "wrong-peer", "not-served"]);

/** What the client has to do about its streams. */
export interface Expected {
  opened?: "planned" | "anew";
  closed?: true;
}

export class StreamRules {
  phase: Phase = "idle";
  hasSynced = false;
  /** The class of the failure that was reported last; undefined while none lasts. */
  outage: string | undefined;
  readonly wants: Want[] = [];
  sourceIntervalMs = Number.POSITIVE_INFINITY;
  nowMs = 0;
  #openedMs = 0;
  #connectedMs: number | undefined;
  #lastMessageMs = 0;
  /** When the last list was complete, while no failure has come since. */
  #liveMs: number | undefined;
  /** R1: when the stream is replaced at the earliest and at the latest, and for another reason. */
  #resyncMs: readonly [from: number, to: number] = [0, 0];
  #dueMs = Number.POSITIVE_INFINITY;
  #intervalMs = Number.POSITIVE_INFINITY;
  #hasGap = false;
  #gaps = 0;
  #gapMs = Number.NEGATIVE_INFINITY;
  #connects: number[] = [];
  #failures = 0;
  #firstFailureMs = 0;
  readonly #lastMs = new Map<string, number>();
  readonly #by: (rule: string) => void;

  constructor(by: (rule: string) => void) {
    this.#by = by;
  }

  /** "The interval is the shortest of all readers and of the source" (R1) */
  get intervalMs(): number {
    return Math.min(this.sourceIntervalMs, ...this.wants.map(({ resyncIntervalMs }) => resyncIntervalMs));
  }

  /** "at most five at once, and two per second in the long run" */
  #tokenInMs(): number {
    let tokens = 5;
    let atMs = this.#connects[0] ?? 0;
    for (const ms of this.#connects) {
      tokens = Math.max(0, Math.min(5, tokens + (ms - atMs) / 500) - 1);
      atMs = ms;
    }
    tokens = Math.min(5, tokens + (this.nowMs - atMs) / 500);
    if (tokens > 4.999) this.#connects = []; // as if none had been opened
    return tokens >= 1 - 1e-6 ? 0 : Math.ceil((1 - tokens) * 500);
  }

  opened(): void {
    Object.assign(this, { phase: "opening" });
    this.#openedMs = this.nowMs;
    this.#connectedMs = undefined;
    this.#hasGap = false;
  }

  connected(): void {
    this.#connectedMs = this.nowMs;
    this.#connects.push(this.nowMs);
  }

  message(): void {
    if (this.phase === "opening") this.phase = "burst";
    this.#lastMessageMs = this.nowMs;
  }

  /** A list is complete. Returns what readers are given (Q4, Q5). */
  listed(isTaken: boolean): "SYNCED" | "DISCONNECTED" | undefined {
    const before = this.outage;
    const isFirst = !this.hasSynced;
    this.outage = isTaken ? undefined : "initializing";
    this.phase = "live";
    this.hasSynced = true;
    this.#liveMs = this.nowMs;
    this.#intervalMs = this.intervalMs;
    this.#resyncMs = [this.nowMs + 0.8 * this.intervalMs, this.nowMs + 1.2 * this.intervalMs];
    this.#dueMs = Number.POSITIVE_INFINITY;
    if (this.#hasGap) this.due("R2", this.nowMs + this.#gapDelayMs());
    this.#by(isTaken ? "Q4" : "Q5");
    if (!isTaken) return before === "initializing" ? undefined : "DISCONNECTED";
    return isFirst || before !== undefined ? "SYNCED" : undefined;
  }

  /** Something may have been missed (G1, G2). */
  gap(): void {
    this.#by("G1");
    if (this.phase === "live" && !this.#hasGap) this.due("R2", this.nowMs + this.#gapDelayMs());
    if (this.phase !== "waiting") this.#hasGap = true; // "Each has one"
  }

  /** "after two seconds, then after four, eight and so on, at most the resync interval" (G2) */
  #gapDelayMs(): number {
    if (this.nowMs - this.#gapMs > this.intervalMs) this.#gaps = 0;
    this.#gapMs = this.nowMs;
    return Math.min(2_000 * 2 ** this.#gaps++, this.intervalMs);
  }

  /** A list is due for a rule. */
  due(rule: string, ms: number | undefined): void {
    if (this.phase !== "live" || ms === undefined) return;
    if (ms < this.#dueMs) this.#by(rule);
    this.#dueMs = Math.min(this.#dueMs, Math.max(ms, this.nowMs, (this.#liveMs ?? 0) + 500));
  }

  /** Readers or the source have another interval (R1). */
  intervalChanged(): void {
    const ms = this.intervalMs;
    if (ms === this.#intervalMs) return;
    this.#intervalMs = ms;
    const liveMs = this.#liveMs ?? this.nowMs;
    const [from, to] = this.#resyncMs;
    const least = Math.max(this.nowMs, liveMs + 500);
    this.#resyncMs = [
      Math.min(from, Math.max(least, liveMs + 0.8 * ms)),
      Math.min(to, Math.max(least, liveMs + 1.2 * ms)),
    ];
  }

  /** A list is needed at once (R7): by a reader, a new server or a caller. */
  atOnce(inMs: number): Expected {
    this.#by("R7");
    if (this.phase === "live") this.due("R7", this.nowMs + inMs);
    if (this.phase !== "opening" && this.phase !== "burst") return {};
    this.phase = "waiting";
    return { closed: true, ...(this.#tokenInMs() === 0 && { opened: "anew" }) };
  }

  /** The client's timer. */
  timer(): Expected & { failed?: string } {
    if (this.phase === "live" || this.phase === "waiting") {
      if (this.#tokenInMs() > 0) return {};
      return { opened: this.phase === "live" ? "planned" : "anew" };
    }
    this.#by("R8");
    return this.nowMs >= (this.#stalledMs() ?? Number.POSITIVE_INFINITY) ? { failed: "stalled" } : {};
  }

  /** When the stream fails without a connection, a message or SYNCED (R8). */
  #stalledMs(): number | undefined {
    if (this.phase === "burst") return this.#lastMessageMs + 30_000;
    if (this.phase !== "opening") return undefined;
    return this.#connectedMs === undefined ? this.#openedMs + 30_000 : this.#connectedMs + 10_000;
  }

  /** A failure (R9, R10, Q5). Returns whether readers are given DISCONNECTED, and the longest delay. */
  failed(code: string, retryable: boolean): { isReported: boolean; isFatal: boolean; mostMs: number } {
    if (!this.hasSynced && FATAL.has(code)) {
      this.#by("R10");
      this.phase = "ended";
      return { isReported: false, isFatal: true, mostMs: 0 };
    }
    this.#by("R9");
    if (this.nowMs - (this.#liveMs ?? this.nowMs) >= 30_000) this.#failures = 0;
    this.#liveMs = undefined;
    const name = this.#classOf(code, retryable);
    if (this.#failures === 0) this.#firstFailureMs = this.nowMs;
    const n = this.#failures++;
    const [baseMs, capMs] = CLASSES[name] ?? [0, 0];
    const isLate = name === "initializing" && this.nowMs - this.#firstFailureMs >= 60_000;
    const isReported = this.outage !== name;
    this.outage = name;
    this.phase = "waiting";
    return { isReported, isFatal: false, mostMs: Math.max(10, Math.min(isLate ? 5_000 : capMs, baseMs * 2 ** n)) };
  }

  #classOf(code: string, retryable: boolean): string {
    const isAgain = this.nowMs - (this.#lastMs.get(code) ?? Number.NEGATIVE_INFINITY) < 60_000;
    this.#lastMs.set(code, this.nowMs);
    if (isAgain && code === "dropped") return "slow";
    if ((isAgain && code === "too-large") || (code === "server-error" && !retryable)) return "bug";
    return CLASS_OF[code] ?? "transient";
  }

  /** Compares the requests of the client with those that the rules require. Returns what is wrong. `isResync`: a resync was due. */
  compare(expected: Expected, requests: Requests, isResync: boolean, isDueChecked: boolean): string | undefined {
    const is = requests.opened && (requests.opened.isPlanned ? "planned" : "anew");
    if (is !== expected.opened)
      return `R1: a stream has to be opened ${expected.opened ?? "not"}, and is ${is ?? "not"}`;
    if (requests.closed !== expected.closed) return `R8: all streams are ${requests.closed ? "" : "not "}closed`;
    if (requests.opened !== undefined) {
      const { fields } = requests.opened;
      const all = [...this.wants.map((want) => want.fields), OWN];
      if (!all.every((each) => covers(fields, each))) return "Q1: the stream lacks fields of a reader";
      if (fields === undefined ? all.every(Boolean) : !fields.every((path) => all.some((each) => covers(each, [path]))))
        return `Q1: the stream has fields that no reader has: ${fields}`;
    }
    if (!isDueChecked) return undefined;
    const [from, to] = this.#resyncMs;
    if (is === "planned" && this.nowMs < Math.min(from, this.#dueMs) - 2)
      return `R1: a stream is opened at ${this.nowMs}, and none is due before ${Math.round(Math.min(from, this.#dueMs))}`;
    if (isResync && is === undefined) return this.#timerIn(requests, this.nowMs + this.#tokenInMs());
    if (this.phase === "live") return this.#timerIn(requests, Math.min(to, this.#dueMs));
    const stalledMs = this.#stalledMs();
    return stalledMs === undefined ? undefined : this.#timerIn(requests, stalledMs);
  }

  #timerIn({ timerMs }: Requests, mostMs: number): string | undefined {
    if (timerMs <= Math.max(mostMs, this.nowMs) + SLACK_MS / 50) return undefined;
    return `R1: the next stream or failure is due at ${Math.round(mostMs)} at the latest, and the timer at ${Math.round(timerMs)}`;
  }
}
