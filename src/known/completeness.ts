import { PodsError } from "../errors/pods-error.js";
import type { PodHead } from "../pod/head.js";
import { isStaticSource } from "../pod/lifecycle.js";
import type { ListProcess } from "./entry.js";
import { LISTS_AT_MS } from "./guard.js";

/** When and from whom a list was requested. With the pods of the list, this decides what the list proves. */
export interface ListFacts {
  /** When it was requested, on the monotonic clock. */
  readonly askedMs: number;
  /** When it was requested, as a time of day. */
  readonly askedWallMs: number;
  /** When the server began to listen, as a time of day; undefined if unknown. */
  readonly sinceMs?: number | undefined;
  /** True if lists of this server are always complete: the source says so, or its kubelet refuses calls while it initializes. */
  readonly refuses: boolean;
}

/**
 * How long after its start a kubelet may not have read its pods from the API server. It receives them as one set, all with the same stamp
 * (`kubernetes.io/config.seen`), and lists each one as soon as it is admitted.
 */
const YOUNG_MS = 30_000;

/**
 * The time between two lists that together prove that no more pods come; also the age at which a kubelet without an API server has read
 * everything.
 */
const APART_MS = 10_000;

/** The most by which the difference of the two clocks changes if nobody sets one of them. */
const STEP_MS = 250;

/**
 * Decides whether a list has all pods of the node. A kubelet of 1.36 that has just started, or whose API server is away, lists the pods
 * that it has read so far as if they were all; that list may even be empty. The first complete list settles the question. Pods that later
 * lists lack are judged against the known ones (see unconfirmed.ts). Pure: no clock, no I/O.
 */
export class Completeness {
  readonly #standalone: boolean;
  #isProved = false;
  #isProvedHere = false;
  /** The difference of the clocks at the first list, or at the last list of the process before. If it changes, somebody set the clock. */
  #differenceMs: number | undefined;
  #lastDifferenceMs: number | undefined;
  /** When the first list of the process was requested. */
  #sinceMs: number | undefined;
  /** The list of this process that later lists are compared with, and the UIDs of its pods from the API server. */
  #first: { readonly facts: ListFacts; readonly api: ReadonlySet<string> } | undefined;
  /** When the next list may prove completeness, on the monotonic clock. */
  #nextMs: number | undefined;

  /** @param standalone true if there is no API server. */
  constructor(standalone: boolean) {
    this.#standalone = standalone;
  }

  /** True once a list has had all pods of the node. */
  get isProved(): boolean {
    return this.#isProved;
  }

  /** True if the kubelet process of the last list has listed all pods. A process that has just started may still have pods to read. */
  get isProvedHere(): boolean {
    return this.#isProvedHere;
  }

  /** Judges a list, and remembers what later lists are compared with. */
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
    // The next list is compared with the first one, or with one that came long enough after it.
    const isNext = this.#first === undefined || askedMs - this.#first.facts.askedMs >= APART_MS;
    if (api.length > 0 && isNext) this.#first = { facts, api: new Set(api.map(({ head: { uid } }) => uid)) };
    const oldestMs = isStepped ? 0 : Math.max(0, ...api.map(({ ageMs }) => ageMs || 0));
    const stampMs = oldestMs > 0 ? Math.max(0, YOUNG_MS - oldestMs) + STEP_MS : Number.POSITIVE_INFINITY;
    const guardMs = LISTS_AT_MS.find((ms) => ms > askedMs - firstMs) ?? Number.POSITIVE_INFINITY;
    const soonestMs = Math.min(askedMs + stampMs, firstMs + guardMs);
    this.#nextMs = this.#isProvedHere || !Number.isFinite(soonestMs) ? undefined : soonestMs;
  }

  /** Returns in how many milliseconds a list may prove completeness; undefined if the usual resync is soon enough. */
  nextListMs(nowMs: number): number | undefined {
    return this.#nextMs === undefined ? undefined : Math.max(0, Math.ceil(this.#nextMs - nowMs));
  }

  /** Returns true if a list at least ten seconds after the first one adds no pod that was created before the first one was requested. */
  #addsNothing(api: readonly PodHead[], askedMs: number): boolean {
    const first = this.#first;
    if (first === undefined || api.length === 0 || askedMs - first.facts.askedMs < APART_MS) return false;
    return !api.some(({ uid, created = 0 }) => !first.api.has(uid) && created * 1_000 < first.facts.askedWallMs);
  }
}

/**
 * Returns true if `listPods` may return this list: it proves to be complete, or the kubelet does not seem to have just started. If a
 * kubelet has been up for long without pods of the API server, its list proves nothing, but no better one can be had. Nobody knows here
 * whether the clock was set since the kubelet's start, so a returned list proves no absence.
 *
 * @param sinceMs when the server began to listen; undefined if unknown.
 */
export function mayBeGiven(
  heads: Iterable<PodHead>,
  wallMs: number,
  sinceMs: number | undefined,
  standalone: boolean,
): boolean {
  let youngestMs = Number.POSITIVE_INFINITY;
  let hasApi = false;
  // A time in the future was written by another clock, or before this clock was set: it shows nothing.
  if (sinceMs !== undefined && sinceMs <= wallMs) youngestMs = wallMs - sinceMs;
  if (standalone && youngestMs >= APART_MS && sinceMs !== undefined) return true;
  for (const { source, seen } of heads) {
    const ageMs = wallMs - Date.parse(seen);
    if (ageMs >= (standalone ? APART_MS : YOUNG_MS) && (standalone || source === "api")) return true;
    if (ageMs >= 0) youngestMs = Math.min(youngestMs, ageMs);
    hasApi ||= !isStaticSource(source);
  }
  // Nothing shows how long the kubelet has been up.
  if (sinceMs === undefined && !standalone && !hasApi) return false;
  return youngestMs >= (standalone ? APART_MS : YOUNG_MS);
}

/** Makes the error of a call whose list is not proved to be complete. */
export function unproved(method: string): PodsError {
  const message =
    "the kubelet may not have read all of its pods: none of the API server's has been known to it for long";
  const hint = "it reads them within seconds where the API server answers; where there is none, say standalone: true";
  return new PodsError({ code: "initializing", message, hint, method });
}
