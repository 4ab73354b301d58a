import { PodsError } from "../errors/pods-error.js";
import type { PodHead } from "../pod/head.js";
import { isStaticSource } from "../pod/lifecycle.js";
import type { ListProcess } from "./entry.js";
import { LISTS_AT_MS } from "./guard.js";

/** The facts of a list that say what it proves, beside its pods. Times are when it was asked for. */
export interface ListFacts {
  /** On the monotonic clock. */
  readonly askedMs: number;
  /** The time of day. */
  readonly askedWallMs: number;
  /** Since when the server has been there, as a time of day; undefined where that cannot be said. */
  readonly sinceMs?: number | undefined;
  /** Whether lists of this server are complete: the source says so, or its kubelet refuses while it initializes. */
  readonly refuses: boolean;
}

/**
 * For so long after its start a kubelet may have pods of the API server that it has not read. They come to it as one set, all stamped
 * then (`kubernetes.io/config.seen`), and are listed one by one as they are admitted.
 */
const YOUNG_MS = 30_000;

/** How far apart two lists are that say together that nothing more comes; and how old a kubelet without an API server has to be. */
const APART_MS = 10_000;

/** Clocks that nobody sets differ by this much more or less than before, at most. */
const STEP_MS = 250;

/**
 * Decides whether a list has everything there is. A kubelet of 1.36 that has just started, or whose API server is away, lists what it has
 * read so far, also nothing, as if that were all. Once a list has proved it, it is proved: what later lists lack is judged beside what
 * was there (see unconfirmed.ts). Pure: no clock, no I/O.
 */
export class Completeness {
  readonly #standalone: boolean;
  #isProved = false;
  #isProvedHere = false;
  /** The difference of the clocks when the first list was asked for, or the last one of the process before: where it changes, the clock was set. */
  #differenceMs: number | undefined;
  #lastDifferenceMs: number | undefined;
  /** When the first list of the process was asked for. */
  #sinceMs: number | undefined;
  /** One of its lists, with which later ones are compared, and its pods of the API server. */
  #first: { readonly facts: ListFacts; readonly api: ReadonlySet<string> } | undefined;
  /** When the next list may prove it, on the monotonic clock. */
  #nextMs: number | undefined;

  /** @param standalone whether there is no API server. */
  constructor(standalone: boolean) {
    this.#standalone = standalone;
  }

  /** Whether everything there is has been listed once. */
  get isProved(): boolean {
    return this.#isProved;
  }

  /** Whether the process that listed last has listed everything there is: of one that has started since there may be more. */
  get isProvedHere(): boolean {
    return this.#isProvedHere;
  }

  /** Takes over a list. */
  judge(facts: ListFacts, heads: Iterable<PodHead>, process: ListProcess): void {
    const { askedMs, askedWallMs, sinceMs = askedWallMs, refuses } = facts;
    if (process !== "same") {
      this.#isProvedHere = false;
      this.#first = this.#sinceMs = undefined;
      this.#differenceMs = this.#lastDifferenceMs;
    }
    this.#lastDifferenceMs = askedWallMs - askedMs;
    if (this.#isProvedHere) return;
    const pods = [...heads].map((head) => ({ head, ageMs: askedWallMs - Date.parse(head.seen) }));
    const api = pods.filter(({ head }) => head.source === "api");
    this.#differenceMs ??= askedWallMs - askedMs;
    const isStepped = Math.abs(askedWallMs - askedMs - this.#differenceMs) > STEP_MS;
    const isOld = (least: number) => (each: { ageMs: number }) => !isStepped && each.ageMs >= least;
    const firstMs = this.#sinceMs ?? askedMs;
    this.#sinceMs = firstMs;
    const isOldHere = askedMs - firstMs >= APART_MS;
    this.#isProvedHere =
      refuses ||
      api.some(isOld(YOUNG_MS)) ||
      (this.#standalone && (pods.some(isOld(APART_MS)) || isOldHere || askedWallMs - sinceMs >= APART_MS)) ||
      this.#addsNothing(
        api.map(({ head }) => head),
        askedMs,
      );
    this.#isProved ||= this.#isProvedHere;
    // The next is compared with the first one, or with one that comes long enough after it.
    const isNext = this.#first === undefined || askedMs - this.#first.facts.askedMs >= APART_MS;
    if (api.length > 0 && isNext) this.#first = { facts, api: new Set(api.map(({ head: { uid } }) => uid)) };
    const oldestMs = isStepped ? 0 : Math.max(0, ...api.map(({ ageMs }) => ageMs || 0));
    const stampMs = oldestMs > 0 ? Math.max(0, YOUNG_MS - oldestMs) + STEP_MS : Number.POSITIVE_INFINITY;
    const guardMs = LISTS_AT_MS.find((ms) => ms > askedMs - firstMs) ?? Number.POSITIVE_INFINITY;
    const soonestMs = Math.min(askedMs + stampMs, firstMs + guardMs);
    this.#nextMs = this.#isProvedHere || !Number.isFinite(soonestMs) ? undefined : soonestMs;
  }

  /** Returns how long from now the next list may prove it; undefined where the usual one will do. */
  nextListMs(nowMs: number): number | undefined {
    return this.#nextMs === undefined ? undefined : Math.max(0, Math.ceil(this.#nextMs - nowMs));
  }

  /** Returns whether ten seconds after the first list none has come that was created before it was asked for. */
  #addsNothing(api: readonly PodHead[], askedMs: number): boolean {
    const first = this.#first;
    if (first === undefined || api.length === 0 || askedMs - first.facts.askedMs < APART_MS) return false;
    return !api.some(({ uid, created = 0 }) => !first.api.has(uid) && created * 1_000 < first.facts.askedWallMs);
  }
}

/**
 * Returns whether the list of a call may be given: it proves that it has everything there is, or nothing says that the kubelet is young.
 * That of a kubelet that has been up for long without pods of the API server proves nothing, and is all that is to be had. Whether the
 * clock was set since the kubelet's start is not known here: what is given proves no absence.
 *
 * @param sinceMs since when the server has been there; undefined where that cannot be said.
 */
export function mayBeGiven(
  heads: Iterable<PodHead>,
  wallMs: number,
  sinceMs: number | undefined,
  standalone: boolean,
): boolean {
  let youngestMs = Number.POSITIVE_INFINITY;
  let hasApi = false;
  // What is yet to come was written by another clock, or before this one was set: it says nothing.
  if (sinceMs !== undefined && sinceMs <= wallMs) youngestMs = wallMs - sinceMs;
  if (standalone && youngestMs >= APART_MS && sinceMs !== undefined) return true;
  for (const { source, seen } of heads) {
    const ageMs = wallMs - Date.parse(seen);
    if (ageMs >= (standalone ? APART_MS : YOUNG_MS) && (standalone || source === "api")) return true;
    if (ageMs >= 0) youngestMs = Math.min(youngestMs, ageMs);
    hasApi ||= !isStaticSource(source);
  }
  // Nothing says how long the kubelet has been up.
  if (sinceMs === undefined && !standalone && !hasApi) return false;
  return youngestMs >= (standalone ? APART_MS : YOUNG_MS);
}

/** Says that a list does not prove that it has everything there is. */
export function unproved(method: string): PodsError {
  const message =
    "the kubelet may not have read all of its pods: none of the API server's has been known to it for long";
  const hint = "it reads them within seconds where the API server answers; where there is none, say standalone: true";
  return new PodsError({ code: "initializing", message, hint, method });
}
