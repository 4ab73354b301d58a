import type { PodHead } from "../pod/head.js";
import { type Entry, nameOf } from "./entry.js";
import type { HeldPods, HoldReason } from "./events.js";
import { Guard, SLACK_MS } from "./guard.js";
import type { Staging } from "./staging.js";

/** A pod's grace period where it says nothing (DefaultTerminationGracePeriodSeconds in k8s.io/api/core/v1). */
const DEFAULT_GRACE_SECONDS = 30;

/** The longest grace period that a pod is held for. */
const MAX_GRACE_SECONDS = 600;

/** How long the kubelet may take from the end of a pod's last container to its DELETED. On a real node it takes a second. */
const ENDING_MS = 10_000;

/** Whether a list is of the kubelet process that the last one was of; `unknown` where nothing proves either. */
export type ListProcess = "same" | "another" | "unknown";

/** What is known of a pod, as far as it matters here. */
interface KnownPod {
  readonly entry: Pick<Entry, "head" | "process">;
  readonly deleted: boolean;
}

/** A complete list, and what was known before it. */
export interface Judgement {
  readonly staging: Staging;
  readonly known: ReadonlyMap<string, KnownPod>;
  /** Those of the known pods that the list lacks. */
  readonly absent: ReadonlySet<string>;
  readonly process: ListProcess;
  readonly nowMs: number;
}

/**
 * Which of the pods that a list lacks are held, and why: the one place that keeps an absence from being told. Pure: no clock,
 * no I/O.
 */
export class Holds {
  #guard: Guard | undefined;
  #held = new Map<string, HoldReason>();
  /** When each pod whose end has yet to be told is believed to be gone without it. */
  #untilMs = new Map<string, number>();

  /** How many are held, and why. */
  get summary(): HeldPods {
    return { count: this.#held.size, why: [...new Set(this.#held.values())] };
  }

  /** Returns whether a pod is held. */
  has(uid: string): boolean {
    return this.#held.has(uid);
  }

  /** Returns whether the last list had no pod of this source, though there were some. */
  lacks(source: string | undefined): boolean {
    return this.#guard?.lacks(source) ?? false;
  }

  /** Returns how long from now the next list is due because of those; undefined where the usual one will do. */
  nextListMs(nowMs: number): number | undefined {
    return this.#held.size > 0 ? this.#guard?.nextListMs(nowMs) : undefined;
  }

  /** The kubelet has told of a pod: it is there, or its end is known. */
  release(uid: string): void {
    if (!this.#held.delete(uid)) return;
    this.#guard?.release(uid);
    this.#untilMs.delete(uid); // if it is absent again, that is new
  }

  /** Decides anew, of a complete list, which pods are held. */
  judge(list: Judgement): void {
    const { staging, known, absent, process, nowMs } = list;
    // What this process has told of, it has read: that it lacks it now is no question of its start.
    const unread = new Set([...absent].filter((uid) => !isOf(staging, known.get(uid))));
    const held = new Map<string, HoldReason>(this.#doubt(list, unread));
    const untilMs = new Map<string, number>();
    const goesOn = process === "same" && staging.facts.planned && staging.facts.tellsDeletions;
    for (const uid of absent) {
      const pod = known.get(uid);
      if (pod === undefined || held.has(uid)) continue;
      const { head } = pod.entry;
      if (staging.unnamed || staging.named.has(nameOf(head))) held.set(uid, "no-uid");
      else if (goesOn && !pod.deleted && !unread.has(uid)) {
        const dueMs = this.#untilMs.get(uid) ?? nowMs + graceMs(head) + ENDING_MS;
        untilMs.set(uid, dueMs);
        if (nowMs < dueMs - SLACK_MS) held.set(uid, "ending");
      }
    }
    this.#held = held;
    this.#untilMs = untilMs;
  }

  #doubt({ staging, known, process, nowMs }: Judgement, unread: ReadonlySet<string>): ReadonlyMap<string, HoldReason> {
    if (staging.facts.complete) this.#guard = undefined;
    else if (process !== "same" && known.size > 0) {
      // Of a source that names no connection no list can be told from another's: any two of them agree.
      const goesOn = process === "unknown" && staging.facts.connection === undefined;
      this.#guard = (goesOn ? this.#guard : undefined) ?? new Guard(nowMs);
    }
    if (this.#guard === undefined) return new Map();
    const heads = new Map([...known].map(([uid, { entry }]) => [uid, entry.head]));
    const held = this.#guard.judge(heads, unread, nowMs);
    if (held.size === 0) this.#guard = undefined;
    return held;
  }
}

/** Whether a pod was last told by the process that the list is of. */
function isOf({ process }: Staging, pod: KnownPod | undefined): boolean {
  return pod?.entry.process.number === process.number;
}

/** How long the containers that run may go on. */
function graceMs({ running, graceSeconds = DEFAULT_GRACE_SECONDS }: PodHead): number {
  if (!running) return 0;
  return Math.min(Math.max(graceSeconds, 0), MAX_GRACE_SECONDS) * 1_000;
}
