// "Possible gaps", "Lists beside the stream" and "Request rate" of docs/watch.md: when streams and lists are requested, and which failures
// are reported.

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

/** What the client has to request and to close. */
export interface Expected {
  opened?: true;
  listed?: true;
  closed?: true;
}

/** A delay of G2 or B4: "two seconds, then four, eight and so on, at most the resync interval". */
class Growing {
  #count = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  nextMs(nowMs: number, intervalMs: number): number {
    if (nowMs - this.#lastMs > 2 * intervalMs) this.#count = 0;
    this.#lastMs = nowMs;
    return Math.min(2_000 * 2 ** this.#count++, intervalMs);
  }
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
  /** When the first list of the stream was complete, while no failure has come since. */
  #liveMs: number | undefined;
  /** When the last list was complete. */
  #listedMs = 0;
  /** The list beside the stream. */
  list: "queued" | "sent" | "arriving" | undefined;
  #sentMs = 0;
  #bytesMs = 0;
  /** B1 */
  canList = false;
  #reopens = false;
  /** R1: when a list is due at the earliest and at the latest, for another reason, and after a refusal (B5). */
  #resyncMs: readonly [from: number, to: number] = [0, 0];
  #dueMs = Number.POSITIVE_INFINITY;
  #refusedMs: readonly [from: number, to: number] | undefined;
  #refusals = 0;
  #refusedSinceMs: number | undefined;
  #intervalMs = Number.POSITIVE_INFINITY;
  #hasGap = false;
  #hasDifference = false;
  readonly #gaps = new Growing();
  readonly #differences = new Growing();
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
    this.#reopens = false;
    this.#refusedSinceMs = undefined;
  }

  connected(canList: boolean): void {
    this.canList = canList;
    this.#connectedMs = this.nowMs;
    this.#connects.push(this.nowMs);
  }

  message(): void {
    if (this.phase === "opening") this.phase = "burst";
    this.#lastMessageMs = this.nowMs;
  }

  /** A list is complete. Returns what readers are given (Q4, Q5). */
  listed(isTaken: boolean, hasDifference: boolean): "SYNCED" | "DISCONNECTED" | undefined {
    const before = this.outage;
    const isFirst = !this.hasSynced;
    this.outage = isTaken ? undefined : "initializing";
    this.phase = "live";
    this.hasSynced = true;
    if (this.list === undefined) this.#liveMs = this.nowMs;
    const laterMs = this.list === undefined ? Number.POSITIVE_INFINITY : this.#dueMs;
    this.list = undefined;
    this.#listedMs = this.nowMs;
    this.#refusals = 0;
    this.#refusedMs = this.#refusedSinceMs = undefined;
    this.#intervalMs = this.intervalMs;
    this.#resyncMs = [this.nowMs + 0.8 * this.intervalMs, this.nowMs + 1.2 * this.intervalMs];
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#hasDifference = hasDifference;
    if (Number.isFinite(laterMs)) this.due("R1", laterMs); // "counts for the next one"
    if (this.#hasGap) this.due("R2", this.nowMs + this.#gaps.nextMs(this.nowMs, this.intervalMs));
    if (hasDifference) this.due("B4", this.nowMs + this.#differences.nextMs(this.nowMs, this.intervalMs));
    this.#by(isTaken ? "Q4" : "Q5");
    if (!isTaken) return before === "initializing" ? undefined : "DISCONNECTED";
    return isFirst || before !== undefined ? "SYNCED" : undefined;
  }

  /** Something may have been missed (G1, G2). */
  gap(): void {
    this.#by("G1");
    if (this.phase === "live" && !this.#hasGap && this.list === undefined)
      this.due("R2", this.nowMs + this.#gaps.nextMs(this.nowMs, this.intervalMs));
    if (this.phase !== "waiting") this.#hasGap = true; // "Each list has one"
  }

  /** "... for an event within two seconds after the answer" (B4) */
  difference(): void {
    if (this.#hasDifference || this.list !== undefined) return;
    this.#hasDifference = true;
    this.due("B4", this.nowMs + this.#differences.nextMs(this.nowMs, this.intervalMs));
  }

  /** A list is due for a rule. */
  due(rule: string, ms: number | undefined): void {
    if (this.phase !== "live" || ms === undefined) return;
    if (ms < this.#dueMs) this.#by(rule);
    this.#dueMs = Math.min(this.#dueMs, Math.max(ms, this.nowMs, this.#listedMs + 500));
  }

  /** Readers or the source have another interval (R1). */
  intervalChanged(): void {
    const ms = this.intervalMs;
    if (ms === this.#intervalMs) return;
    this.#intervalMs = ms;
    if (this.list !== undefined) return;
    const [from, to] = this.#resyncMs;
    const least = Math.max(this.nowMs, this.#listedMs + 500);
    this.#resyncMs = [
      Math.min(from, Math.max(least, this.#listedMs + 0.8 * ms)),
      Math.min(to, Math.max(least, this.#listedMs + 1.2 * ms)),
    ];
  }

  /** A list is needed at once (R7): by a caller, or with a new stream by a reader or a new server. */
  atOnce(inMs: number, isStream: boolean): Expected {
    this.#by("R7");
    if (this.phase === "live" && isStream && this.list !== undefined) return this.restart(); // "or under way"
    if (this.phase === "live") {
      this.#reopens ||= isStream;
      this.due("R7", this.nowMs + inMs);
    }
    return this.phase === "opening" || this.phase === "burst" ? this.restart() : {};
  }

  /** The stream is closed, and the next one opened if the rate allows it. */
  restart(): Expected {
    this.phase = "waiting";
    this.list = undefined;
    return { closed: true, ...(this.#tokenInMs() === 0 && { opened: true }) };
  }

  /** The client's timer. */
  timer(): Expected & { failed?: string } {
    if (this.phase === "waiting") return this.#tokenInMs() > 0 ? {} : { opened: true };
    if (this.phase === "live" && this.list === undefined) {
      if (this.#tokenInMs() > 0) return {};
      this.#by("B1");
      if (this.#reopens || !this.canList) return this.restart();
      Object.assign(this, { list: "queued" });
      this.#hasGap = this.#hasDifference = false;
      this.#dueMs = Number.POSITIVE_INFINITY;
      this.#resyncMs = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      return { listed: true };
    }
    this.#by("R8");
    return this.nowMs >= (this.#stalledMs() ?? Number.POSITIVE_INFINITY) ? { failed: "stalled" } : {};
  }

  sent(): void {
    this.list = "sent";
    this.#sentMs = this.nowMs;
    this.#connects.push(this.nowMs);
  }

  bytes(): void {
    this.list = "arriving";
    this.#bytesMs = this.nowMs;
  }

  /** "A list that the rate limit refuses is sent again", and "after refusals for a minute, the next stream is opened" (B5) */
  refused(): Expected {
    this.#refusedSinceMs ??= this.nowMs;
    if (this.nowMs - this.#refusedSinceMs >= 60_000) return this.restart();
    this.list = undefined;
    const mostMs = Math.max(10, Math.min(1_000, 50 * 2 ** this.#refusals++));
    this.#refusedMs = [this.nowMs + 10, this.nowMs + mostMs];
    return {};
  }

  /** When the stream fails without a connection, a message or SYNCED, or without an answer to a list (R8). */
  #stalledMs(): number | undefined {
    if (this.list === "queued") return undefined; // "A list that waits for its turn does not fail"
    if (this.list === "sent") return this.#sentMs + 10_000;
    if (this.list === "arriving") return Math.min(this.#bytesMs + 30_000, this.#sentMs + 120_000);
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
    this.list = undefined;
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

  /** Compares the requests of the client with those that the rules require. Returns what is wrong. `isResync`: a list was due. */
  compare(expected: Expected, requests: Requests, isResync: boolean, isDueChecked: boolean): string | undefined {
    const isOpened = requests.opened !== undefined;
    if (isOpened !== (expected.opened ?? false)) return `R1: a stream is ${isOpened ? "" : "not "}opened`;
    if (requests.listed !== expected.listed) return `B1: a list is ${requests.listed ? "" : "not "}requested`;
    if (requests.closed !== expected.closed) return `R8: the stream is ${requests.closed ? "" : "not "}closed`;
    if (requests.opened !== undefined) {
      const { fields } = requests.opened;
      const all = [...this.wants.map((want) => want.fields), OWN];
      if (!all.every((each) => covers(fields, each))) return "Q1: the stream lacks fields of a reader";
      if (fields === undefined ? all.every(Boolean) : !fields.every((path) => all.some((each) => covers(each, [path]))))
        return `Q1: the stream has fields that no reader has: ${fields}`;
    }
    if (!isDueChecked) return undefined;
    if (isResync && !isOpened && !requests.listed) return this.#timerIn(requests, this.nowMs + this.#tokenInMs());
    const stalledMs = this.#stalledMs();
    if (stalledMs !== undefined) return this.#timerIn(requests, stalledMs);
    if (this.list === "queued" && Number.isFinite(requests.timerMs)) return "R8: a list that waits has a time limit";
    if (this.phase !== "live" || this.list !== undefined) return undefined;
    return this.#timerIn(requests, Math.min(this.#resyncMs[1], this.#dueMs, this.#refusedMs?.[1] ?? this.#dueMs));
  }

  /** Returns what is wrong with a request that the client's timer makes now. */
  tooSoon(): string | undefined {
    if (this.phase !== "live" || this.list !== undefined) return undefined;
    const fromMs = Math.min(this.#resyncMs[0], this.#dueMs, this.#refusedMs?.[0] ?? this.#dueMs);
    if (this.nowMs >= fromMs - 2) return undefined;
    return `R1: a list is due at ${this.nowMs}, and none before ${Math.round(fromMs)}`;
  }

  #timerIn({ timerMs }: Requests, mostMs: number): string | undefined {
    if (timerMs <= Math.max(mostMs, this.nowMs) + SLACK_MS / 50) return undefined;
    return `R1: the next stream or failure is due at ${Math.round(mostMs)} at the latest, and the timer at ${Math.round(timerMs)}`;
  }
}
