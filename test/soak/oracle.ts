// Consumers that check each thing they are told against what is so.

import { setTimeout as sleep } from "node:timers/promises";
import type { PodEvent } from "../../src/index.js";
import { type SoakPod, stateOf, type World } from "./world.js";

export class Reader {
  readonly name: string;
  readonly includeFinished: boolean;
  readonly view = new Map<string, SoakPod>();
  readonly violations: string[] = [];
  /** The codes of the outages that were told. */
  readonly errors: string[] = [];
  /** What has come, by type. */
  readonly counts = new Map<string, number>();
  /** Milliseconds between two events that are taken. */
  delayMs: number;
  lastEventMs = 0;
  readonly #world: World;

  constructor(name: string, world: World, { includeFinished = false, delayMs = 0 } = {}) {
    this.name = name;
    this.#world = world;
    this.includeFinished = includeFinished;
    this.delayMs = delayMs;
  }

  /** Reads until the watch ends; an end by error is a violation. */
  async read(watch: AsyncIterable<PodEvent<SoakPod>>): Promise<void> {
    try {
      for await (const event of watch) {
        this.lastEventMs = performance.now();
        this.counts.set(event.type, (this.counts.get(event.type) ?? 0) + 1);
        this.#check(event);
        if (this.delayMs > 0) await sleep(this.delayMs);
      }
    } catch (error) {
      const { name, code } = error as { name?: string; code?: string };
      if (name !== "AbortError" && code !== "closed") this.#violated(`ended: ${error}`);
    }
  }

  /** What differs from the truth, which must be at rest; empty where nothing does. */
  differences(): string[] {
    return difference(this.#world.expected(this.includeFinished), this.view);
  }

  #check(event: PodEvent<SoakPod>): void {
    if (event.type === "DISCONNECTED" && this.errors.length < 1_000) this.errors.push(event.error.code);
    if (event.type === "SYNCED" || event.type === "DISCONNECTED") return;
    const uid = event.pod.metadata?.uid ?? "";
    const known = this.view.get(uid);
    if (uid === "") this.#violated(`${event.type} of a pod without UID`);
    if ((event.type === "ADDED") === (known !== undefined)) this.#violated(`${event.type} of ${uid} out of order`);
    if (event.type === "DELETED") {
      const ended = this.#world.hasEnded(uid);
      if (!ended) this.#violated(`DELETED (${event.cause}) of ${uid}, which lives`);
      if (event.pod.spec?.containers.length === 0) this.#violated(`DELETED of ${uid} without its last state`);
      this.view.delete(uid);
    } else {
      if (
        event.type === "MODIFIED" &&
        event.previous !== undefined &&
        stateOf(event.previous) !== stateOf(known as SoakPod)
      ) {
        this.#violated(`MODIFIED of ${uid} from a state that was not told`);
      }
      this.view.set(uid, event.pod);
    }
  }

  #violated(what: string): void {
    if (this.violations.length < 20) this.violations.push(`${this.name}: ${what}`);
  }
}

export function difference(expected: ReadonlyMap<string, string>, view: ReadonlyMap<string, SoakPod>): string[] {
  const found: string[] = [];
  for (const [uid, state] of expected) {
    const pod = view.get(uid);
    if (pod === undefined) found.push(`${uid} is missing`);
    else if (state !== "finished" && stateOf(pod) !== state) found.push(`${uid} is ${stateOf(pod)}, not ${state}`);
  }
  for (const uid of view.keys()) if (!expected.has(uid)) found.push(`${uid} is there no more`);
  return found;
}
