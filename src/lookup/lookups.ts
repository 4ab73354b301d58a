import type { Clock } from "../timing/clock.js";
import { type Change, type KnownPods, nameOf } from "../watch/entry.js";
import type { PodLife } from "./holding.js";
import type { Sought } from "./pod-key.js";
import { type Now, PodLives } from "./pod-lives.js";
import type { RetentionWant } from "./retention.js";
import { Waiters } from "./waiters.js";

/** The known pods, and how many more bytes of them may be kept. */
export interface IndexedPods extends KnownPods {
  readonly freeBytes: number;
}

/** The index of a client's informers, and those who wait: kept while there is an informer. Its one timer ends what is retained. */
export class Lookups {
  readonly #pods: IndexedPods;
  readonly #clock: Clock;
  readonly waiters: Waiters;
  #lives: PodLives = new PodLives();
  #informers = 0;
  /** Whether a stream is live. */
  #isLive = false;
  #cancelTimer: (() => void) | undefined;

  constructor(pods: IndexedPods, clock: Clock) {
    this.#pods = pods;
    this.#clock = clock;
    this.waiters = new Waiters(clock);
  }

  /** The index. */
  get lives(): PodLives {
    return this.#lives;
  }

  now(): Now {
    return { nowMs: this.#clock.now(), wallMs: this.#clock.wallMs() };
  }

  /** Keeps the index for one more informer. Returns what takes that back. */
  join(want: RetentionWant): () => void {
    if (this.#informers++ === 0) {
      this.#lives.begin(this.#pods, this.now());
      if (this.#isLive) this.synced();
    }
    this.#lives.want(want);
    return () => {
      this.#lives.unwant(want);
      if (--this.#informers === 0) this.#lives = new PodLives();
      this.#evict();
    };
  }

  /** Takes over changes, and lets those look who wait for what they are about. */
  accept(changes: readonly Change[]): void {
    if (this.#informers === 0) return;
    this.#lives.accept(changes, this.now());
    if (this.#lives.retention.size > 0) this.#evict();
    if (this.waiters.size === 0) return;
    for (const { uid } of changes) {
      const life = this.#lives.life(uid);
      if (life !== undefined) this.waiters.wake(keysOfLife(life));
    }
  }

  /** Hears that from now on nobody says how the pods are. */
  silent(): void {
    this.#isLive = false;
    this.#lives.silent(this.#clock.now());
  }

  /** Hears that all is known again. */
  synced(): void {
    this.#isLive = true;
    this.#lives.synced(this.#pods, this.#clock.now());
  }

  #evict(): void {
    const { retention } = this.#lives;
    const nowMs = this.#clock.now();
    retention.evict(nowMs, this.#pods.freeBytes);
    const { dueMs } = retention;
    if (dueMs === undefined) {
      this.#cancelTimer?.();
      this.#cancelTimer = undefined;
    } else if (this.#cancelTimer === undefined) {
      const again = () => {
        this.#cancelTimer = undefined;
        this.#evict();
      };
      this.#cancelTimer = this.#clock.after(Math.max(0, dueMs - nowMs), again, { isIdle: true });
    }
  }
}

/** Returns a key as one text. */
export function keyText({ kind, text }: Pick<Sought, "kind" | "text">): string {
  return `${kind} ${text}`;
}

function* keysOfLife({ uid, entry, keys, addresses }: PodLife): Generator<string, void, undefined> {
  yield keyText({ kind: "uid", text: uid });
  yield keyText({ kind: "name", text: nameOf(entry.head) });
  for (const text of addresses) yield keyText({ kind: "address", text });
  for (const text of keys.containerIDs) yield keyText({ kind: "container", text });
}
