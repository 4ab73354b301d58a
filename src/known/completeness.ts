import { PodsError } from "../errors/pods-error.js";
import type { PodHead } from "../pod/head.js";
import { isStaticSource } from "../pod/lifecycle.js";
import type { ListTrust } from "../sources/pod-source.js";
import { APART_MS, LISTS_AT_MS, STATIC_READ_MS } from "./times.js";
import type { ListProcess } from "./version.js";

/** When a list was requested, and from whom. With the pods of the list, this decides what the list proves. */
export interface ListRequest {
  /** When it was requested, on the monotonic clock. */
  readonly askedMs: number;
  /** When it was requested, as a time of day. */
  readonly askedWallMs: number;
  readonly trust: ListTrust;
}

/**
 * Decides whether the lists of a kubelet have all pods of the node, and whether a pod that they lack is absent. Pods that later lists lack
 * are judged against the known ones (see absence.ts). Pure: no clock, no I/O.
 */
export class Completeness {
  #isTaken = false;
  #provesAbsence = false;
  #isRead = false;
  /** When the first list of the process was requested. */
  #sinceMs: number | undefined;
  /** The list of this process that later lists are compared with, and the UIDs of its API pods. */
  #first: { readonly facts: ListRequest; readonly api: ReadonlySet<string> } | undefined;
  /** When a list can next prove that the kubelet has read all of its pods, on the monotonic clock. */
  #proofMs: number | undefined;

  /** True once a list has been taken as all pods of the node. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** True if the kubelet process of the last list has proved to have read all of its pods. A process that has just started has not. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** True if a pod that the last list lacks is proved to be absent. */
  get provesAbsence(): boolean {
    return this.#provesAbsence;
  }

  /** Judges a list, and remembers what later lists are compared with. */
  judge(facts: ListRequest, heads: Iterable<PodHead>, process: ListProcess): void {
    const { askedMs, askedWallMs, trust } = facts;
    const pods = [...heads];
    // Of pods without stamps nobody can say which process lists them.
    const isStampless = pods.length > 0 && pods.every(({ seen }) => seen === "");
    if (process === "another" || (process === "unknown" && !isStampless)) {
      this.#isRead = false;
      this.#first = this.#sinceMs = undefined;
    }
    const sinceMs = this.#sinceMs ?? askedMs;
    this.#sinceMs = sinceMs;
    const api = pods.filter(({ source }) => !isStaticSource(source));
    const isSettled = trust === "static" ? askedMs - sinceMs >= STATIC_READ_MS : this.#addsNothing(api, askedMs);
    this.#isRead ||= trust === "complete" || isSettled;
    // A kubelet that lists no API pod at all may have lost its API server.
    this.#provesAbsence = this.#isRead && (trust === "complete" || trust === "static" || api.length > 0);
    this.#isTaken ||= trust === "contract" || this.#isRead || seemsRead(pods, askedWallMs, trust);
    // The next list is compared with the first one, or with one that came long enough after it.
    const isNext = this.#first === undefined || askedMs - this.#first.facts.askedMs >= APART_MS;
    if (api.length === 0) this.#first = undefined;
    else if (isNext) this.#first = { facts, api: new Set(api.map(({ uid }) => uid)) };
    this.#proofMs = this.#isRead ? undefined : this.#nextProofMs(trust, sinceMs, askedMs);
  }

  /** Takes the head of a pod that an event brought. The first API pods of a kubelet come as one set. */
  note({ source }: PodHead, nowMs: number): void {
    if (this.#isRead || this.#first !== undefined || isStaticSource(source)) return;
    this.#proofMs = Math.min(this.#proofMs ?? Number.POSITIVE_INFINITY, nowMs + APART_MS);
  }

  /**
   * Returns in how many milliseconds a list can prove that the kubelet has read all of its pods. Undefined if that is proved, or if no list
   * can prove it yet.
   */
  proofInMs(nowMs: number): number | undefined {
    return this.#proofMs === undefined ? undefined : Math.max(0, Math.ceil(this.#proofMs - nowMs));
  }

  /** Returns true if a list at least two seconds after the first one adds no pod that was created before the first one was requested. */
  #addsNothing(api: readonly PodHead[], askedMs: number): boolean {
    const first = this.#first;
    if (first === undefined || api.length === 0 || askedMs - first.facts.askedMs < APART_MS) return false;
    return !api.some(({ uid, created = 0 }) => !first.api.has(uid) && created * 1_000 < first.facts.askedWallMs);
  }

  /** Returns when a list can next be a proof; undefined if nobody can say. */
  #nextProofMs(trust: ListTrust, sinceMs: number, askedMs: number): number | undefined {
    if (this.#first !== undefined) return this.#first.facts.askedMs + APART_MS;
    // Without API pods an event of the first one asks for a list. A source that is not taken yet may send no events.
    const atMs = trust === "contract" ? undefined : LISTS_AT_MS.find((ms) => ms > askedMs - sinceMs);
    return atMs === undefined ? undefined : sinceMs + atMs;
  }
}

/**
 * Returns true if a single list of a node with static pods only shows none that its kubelet has just read: such a list is taken. It proves
 * no absence, since the clock may have been set after the kubelet's start. API pods show nothing: a kubelet reads them later than the first
 * one, and a machine that stood still in between makes them look old.
 */
export function seemsRead(heads: readonly PodHead[], wallMs: number, trust: ListTrust): boolean {
  const isYoung = (ageMs: number) => ageMs >= 0 && ageMs < STATIC_READ_MS;
  return trust === "static" && !heads.some(({ seen }) => isYoung(wallMs - Date.parse(seen)));
}

/** Makes the error of a call whose list is not proved to be complete. */
export function unproved(method: string): PodsError {
  const message = "the kubelet may not have read all of its pods";
  const hint =
    "set kubeletVersion (--kubelet-version) if it is 1.37 or later; kubeletHttp() has standalone for nodes without API pods";
  return new PodsError({ code: "initializing", message, hint, method });
}
