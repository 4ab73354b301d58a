// What events and answers say beside who and whether: of runs, of times, of why, and how an informer stands. All of it agrees with what is
// so, whatever lags.

import type { Answered, Asked, Facts, Key, ToldLife, ToldRun } from "./evidence.js";
import type { Run } from "./truth.js";

/** The first second of 2026, in which each life begins. */
const BEGIN_MS = Date.UTC(2026, 0);
/** The client's `timeoutMs`: so long calls without a limit wait for a kubelet. */
const PATIENCE_MS = 10_000;
/** So soon it is known that a stream was lost, and so long a list and its proof take at most. */
const KNOWN_MS = 1_000;
/** The longest interval between two lists, and what a slow one may take. */
const RESYNC_MS = 144_000 + 35_000;

/** Why an answer can be uncertain (docs/lookups.md). */
const REASONS = ["reused", "outage", "unconfirmed", "idle", "unreadable", "clock", "before-start", "evicted"];

/** How an informer says it stands. */
export interface Standing {
  readonly phase: string;
  readonly error: string | undefined;
  readonly live: boolean;
  readonly ready: boolean;
  readonly ageMs: number | undefined;
}

export class Details {
  readonly #facts: Facts;
  /** When the informer was last seen synced. */
  #syncedMs = 0;
  readonly #fail: (rule: string, text: string) => void;

  constructor(facts: Facts, fail: (rule: string, text: string) => void) {
    this.#facts = facts;
    this.#fail = fail;
  }

  #expect(rule: string, holds: boolean, text: () => string): void {
    if (!holds) this.#fail(rule, text());
  }

  /** What an event says of a run. Times are whole seconds. The count of one that was not shown running is taken from that of the next. */
  run(what: string, told: ToldRun, run: Run, wasShown: boolean): void {
    const { name, count, fromMs } = run;
    // A container that was created in vain raises the count of the next one, from which an agent that has just started counts back.
    const isExact = wasShown && this.#facts.truth.runsOf(run.uid, name).every((each) => each.fromMs !== undefined);
    const isIt = told.name === name && (isExact ? told.count === count : told.count >= count);
    this.#expect(
      "run",
      isIt,
      () => `${what} is container ${count} of ${name}, and told as ${told.count} of ${told.name}`,
    );
    const startMs = told.startedAt?.getTime();
    const isStart = startMs === secondOf(fromMs === undefined ? undefined : this.#facts.truth.shownBy(fromMs));
    this.#expect("run", isStart, () => `${what} began at ${fromMs}, and is told as begun at ${startMs}`);
  }

  /** What an event says of an end that a status showed. */
  end(told: Extract<ToldLife, { type: "ENDED" }>, run: Run): void {
    const { id, exitCode = 0, signal, finishedAt } = told;
    this.#expect("run", told.run.isOver, () => `${id} is told as ended, and as one that runs`);
    if (told.basis !== "status" || run.isInvented) return;
    const isOfSignal = exitCode > 128 && exitCode <= 192;
    const wanted = isOfSignal ? exitCode - 128 : undefined;
    this.#expect("run", signal === wanted, () => `${id} exited ${exitCode}, and signal ${signal} is told`);
    const endMs = finishedAt?.getTime();
    this.#expect(
      "run",
      endMs === secondOf(run.toMs === undefined ? undefined : this.#facts.truth.shownBy(run.toMs)),
      () => `${id} ended at ${run.toMs}, and is told as ended at ${endMs}`,
    );
  }

  /** Why an answer is not sure is said where it is not, and nowhere else. */
  why(key: Key, { confidence, doubt, others }: Answered, { ms, isPast, joinedMs, dayMs }: Asked): void {
    const what = Object.values(key).join();
    const isDoubted = confidence === "uncertain";
    const isSaid = isDoubted ? REASONS.includes(doubt ?? "") : doubt === undefined;
    this.#expect("doubt", isSaid, () => `${what} is ${confidence}, for the reason ${doubt}`);
    const passesOn = "ip" in key || "name" in key;
    this.#expect("doubt", passesOn || others === 0, () => `${what} can be of ${others} others`);
    const isSet = dayMs !== undefined && this.#facts.truth.clockSteps.some((atMs) => atMs >= joinedMs);
    if (!isPast || !passesOn || isSet || ms >= joinedMs) return;
    this.#expect("before", isDoubted, () => `${what} is ${confidence} before the informer began`);
  }

  /** A time of day that never came. */
  never(key: Key, { confidence }: Answered): void {
    this.#expect(
      "clock",
      confidence === "uncertain",
      () => `${Object.values(key).join()} is ${confidence} at a time of day that never came`,
    );
  }

  /** How the informer stands, and since when. */
  standing({ phase, error, live, ready, ageMs }: Standing, syncedMs: number): void {
    const { nowMs, heardMs, isServed, lostMs } = this.#facts;
    this.#expect("health", live, () => "the informer is not live, and was not closed");
    this.#expect(
      "health",
      (phase === "synced") === (error === undefined) || phase === "connecting",
      () => `${phase}, because of ${error}`,
    );
    this.#expect("health", ready === (ageMs !== undefined), () => `ready: ${ready}, and ${ageMs} ms old`);
    this.#expect(
      "health",
      (phase === "connecting") === nowMs < syncedMs,
      () => `${phase}, first synced at ${syncedMs}`,
    );
    if (phase === "synced") this.#syncedMs = nowMs;
    if (ageMs === undefined) return;
    this.#expect(
      "age",
      ageMs >= nowMs - heardMs,
      () => `${ageMs} ms old, and nothing was said for ${nowMs - heardMs} ms`,
    );
    if (isServed) {
      this.#expect("age", phase !== "synced" || ageMs <= RESYNC_MS, () => `synced, and ${ageMs} ms old`);
      return;
    }
    const isAway = nowMs - Math.max(lostMs, heardMs) > KNOWN_MS;
    this.#expect(
      "health",
      !isAway || phase === "stale",
      () => `${phase}, and no stream has been live for ${nowMs - lostMs} ms`,
    );
  }

  /** A wait without a limit goes on while the informer is synced, and ends soon after the kubelet answers no more. */
  patience(ip: string, sinceMs: number, error: string | undefined): void {
    const { nowMs, lists, polled, isServed, lostMs } = this.#facts;
    const syncedMs = nowMs - Math.max(sinceMs, this.#syncedMs);
    const answeredMs = nowMs - Math.max(sinceMs, lostMs, lists.at(-1) ?? 0, polled.at(-1) ?? 0);
    if (error !== undefined)
      this.#expect("patience", syncedMs >= PATIENCE_MS - 1, () => `${ip}: ${error}, and synced ${syncedMs} ms ago`);
    else if (!isServed)
      this.#expect(
        "patience",
        answeredMs < PATIENCE_MS + KNOWN_MS,
        () => `${ip} is still waited for, ${answeredMs} ms after the kubelet went away`,
      );
  }
}

function secondOf(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.floor((BEGIN_MS + ms) / 1_000) * 1_000;
}
