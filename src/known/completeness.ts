import { PodsError } from "../errors/pods-error.js";
import type { PodHead } from "../pod/head.js";
import { isStaticSource } from "../pod/lifecycle.js";
import type { ListTrust } from "../sources/pod-source.js";
import { APART_MS, LISTS_AT_MS, STATIC_READ_MS } from "./times.js";
import type { ListProcess } from "./version.js";

export interface ListTimes {
  /** Time of the request, on the monotonic clock. */
  readonly askedMs: number;
  /** Time of the request, as a time of day. */
  readonly askedWallMs: number;
}

/** When a list was requested, and how complete the lists of its source are. This and its pods decide what the list proves. */
export interface ListRequest extends ListTimes {
  readonly trust: ListTrust;
}

/**
 * A list that was answered. The kubelet made it between the request and the answer. Compared with a later list it counts as made at the
 * answer, and compared with an earlier one at the request, so that a slow answer proves less.
 */
export interface ListAnswer extends ListRequest {
  /** Time of the answer, on the monotonic clock. */
  readonly answeredMs: number;
}

/** A list that a later one is compared with, and the UIDs of its API pods. */
interface EarlierList {
  readonly facts: ListAnswer;
  readonly api: ReadonlySet<string>;
}

/** The conclusions from the lists so far. */
export interface ListProof {
  /** True once a list was accepted as all pods of the node, by contract or by proof. All later lists are accepted, too. */
  readonly isAccepted: boolean;
  /** True if it is proved that the kubelet process of the last list has read all of its pods. */
  readonly isRead: boolean;
  /** True if the last list proves that a pod is absent: its process has read all pods, and its sources answer. */
  readonly provesAbsence: boolean;
}

/** Maximum number of lists that a later one is compared with. While nothing is proved, there is one list every two seconds at most. */
const MAX_EARLIER = 8;

/**
 * Decides whether the lists of a kubelet have all pods of the node, and whether a pod that they lack is absent. absence.ts decides about
 * known pods that a later list lacks. Pure: no clock, no I/O.
 */
export class Completeness {
  #proof: ListProof = { isAccepted: false, isRead: false, provesAbsence: false };
  /** True if the process has refused a call while it was initializing, or is of a version that does. */
  #refusesUntilRead = false;
  /** True if the last list was empty. */
  #wasEmpty = false;
  /** Time of the answer with the first list of the process. */
  #sinceMs: number | undefined;
  /** The latest lists of this process, which later lists are compared with. All of them have API pods. */
  #earlier: readonly EarlierList[] = [];
  /** The next time at which a list can prove that the kubelet has read all of its pods, on the monotonic clock. */
  #proofMs: number | undefined;

  get proof(): ListProof {
    return this.#proof;
  }

  /** Judges a list, and remembers what later lists are compared with. */
  judge(facts: ListAnswer, heads: Iterable<PodHead>, process: ListProcess): void {
    const { askedMs, answeredMs, trust } = facts;
    const pods = [...heads];
    // Pods without stamps do not show which process listed them. Nor do two empty lists.
    const isStampless = pods.every(({ seen }) => seen === "") && (pods.length > 0 || this.#wasEmpty);
    this.#wasEmpty = pods.length === 0;
    let { isRead } = this.#proof;
    if (process === "another" || (process === "unknown" && !isStampless)) {
      isRead = this.#refusesUntilRead = false;
      this.#earlier = [];
      this.#sinceMs = undefined;
    }
    const sinceMs = this.#sinceMs ?? answeredMs;
    this.#sinceMs = sinceMs;
    const api = pods.filter(({ source }) => !isStaticSource(source));
    const isSettled = trust === "static" ? askedMs - sinceMs >= STATIC_READ_MS : this.#addsNothing(api, askedMs);
    this.#refusesUntilRead ||= trust === "complete"; // also for lists of this process over its later connections
    isRead ||= this.#refusesUntilRead || isSettled;
    // A kubelet that lists no API pod at all may have lost its API server.
    const provesAbsence = isRead && (this.#refusesUntilRead || trust === "static" || api.length > 0);
    const isAccepted = this.#proof.isAccepted || trust === "contract" || isRead || seemsRead(pods, facts);
    this.#proof = { isAccepted, isRead, provesAbsence };
    if (api.length === 0 || isRead) this.#earlier = [];
    else this.#earlier = [...this.#earlier, { facts, api: new Set(api.map(({ uid }) => uid)) }].slice(-MAX_EARLIER);
    this.#proofMs = isRead ? undefined : this.#nextProofMs(trust, sinceMs, askedMs);
  }

  /** Called with the head of a pod from an event. A kubelet receives its first API pods as one set. */
  note({ source }: PodHead, nowMs: number): void {
    if (this.#proof.isRead || this.#earlier.length > 0 || isStaticSource(source)) return;
    this.#proofMs = Math.min(this.#proofMs ?? Number.POSITIVE_INFINITY, nowMs + APART_MS);
  }

  /**
   * Returns the delay in milliseconds until a list can prove that the kubelet has read all of its pods. Undefined if that is proved, or no list
   * can prove it yet.
   */
  proofInMs(nowMs: number): number | undefined {
    return this.#proofMs === undefined ? undefined : Math.max(0, Math.ceil(this.#proofMs - nowMs));
  }

  /** Returns true if a list, at least two seconds after an earlier one, has no further pod that existed when that one was answered. */
  #addsNothing(api: readonly PodHead[], askedMs: number): boolean {
    if (api.length === 0) return false;
    return this.#earlier.some(({ facts, api: uids }) => {
      if (askedMs - facts.answeredMs < APART_MS) return false;
      return !api.some(({ uid, created = 0 }) => !uids.has(uid) && created * 1_000 < answeredWallMs(facts));
    });
  }

  /** Returns the next time at which a list can be a proof; undefined if it is unknown. */
  #nextProofMs(trust: ListTrust, sinceMs: number, askedMs: number): number | undefined {
    const provesAtMs = this.#earlier.map(({ facts }) => facts.answeredMs + APART_MS).find((ms) => ms > askedMs);
    if (provesAtMs !== undefined) return provesAtMs;
    // Without API pods, the event of the first one requests a list. But a source whose lists were not accepted may send no events.
    const atMs = trust === "contract" ? undefined : LISTS_AT_MS.find((ms) => ms > askedMs - sinceMs);
    return atMs === undefined ? undefined : sinceMs + atMs;
  }
}

/**
 * Returns true if one list of a node with only static pods shows that its kubelet has run for a while: it has pods, and none that was just
 * read. Such a list is accepted. It proves no absence, because the clock may have been set after the kubelet's start. API pods are no evidence: a kubelet may read more of them later,
 * and if the machine was suspended in between, they look old.
 */
export function seemsRead(heads: readonly PodHead[], facts: ListAnswer): boolean {
  const isYoung = (seenMs: number) => seenMs <= answeredWallMs(facts) && facts.askedWallMs - seenMs < STATIC_READ_MS;
  return facts.trust === "static" && heads.length > 0 && !heads.some(({ seen }) => isYoung(Date.parse(seen)));
}

function answeredWallMs({ askedMs, askedWallMs, answeredMs }: ListAnswer): number {
  return askedWallMs + answeredMs - askedMs;
}

/** Makes the error of a call whose list is not proved to be complete. */
export function unproved(method: string): PodsError {
  const message = "the kubelet may not have read all of its pods";
  const hint =
    "set kubeletVersion (--kubelet-version) if it is 1.37 or later; kubeletHttp() has standalone for nodes without API pods";
  return new PodsError({ code: "initializing", message, hint, method });
}
