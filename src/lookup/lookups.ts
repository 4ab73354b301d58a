import type { Change } from "../known/log.js";
import type { Clock } from "../timing/clock.js";
import type { Now } from "./anchors.js";
import type { Listed } from "./evidence.js";
import type { PodLife } from "./holding.js";
import { KIND_NAMES, KINDS, keyText } from "./pod-key.js";
import { keyedOf, PodLives } from "./pod-lives.js";
import type { RetentionWant } from "./retention.js";
import { Waiters } from "./waiters.js";

/** The known pods, and how many more bytes of them may be kept. */
export interface IndexedPods extends Listed {
  readonly freeBytes: number;
}

/**
 * The index that a client's informers share, and the waiting calls. It exists while there is an informer. Its only timer ends what is
 * retained.
 */
export class Lookups {
  readonly #pods: IndexedPods;
  readonly #clock: Clock;
  readonly waiters: Waiters;
  /** The index. */
  lives: PodLives = new PodLives();
  #informers = 0;
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;

  constructor(pods: IndexedPods, clock: Clock) {
    this.#pods = pods;
    this.#clock = clock;
    this.waiters = new Waiters(clock);
  }

  now(): Now {
    return { nowMs: this.#clock.now(), wallMs: this.#clock.wallMs() };
  }

  /**
   * Adds one more informer to the index. Returns a callback that removes it.
   *
   * @param isLive true if a stream is live.
   */
  join(want: RetentionWant, isLive: boolean): () => void {
    if (this.#informers++ === 0) this.lives.begin(this.#pods, this.now(), isLive ? this.#pods : undefined);
    this.lives.want(want);
    return () => {
      this.lives.unwant(want);
      if (--this.#informers === 0) this.lives = new PodLives();
      this.#evict();
    };
  }

  /** Takes changes, and wakes the waiting calls for keys that the changed pods have, or had before. */
  accept(changes: readonly Change[], isListed: boolean): void {
    if (this.#informers === 0) return;
    const keys = new Set<string>();
    const collect = () => {
      if (this.waiters.size === 0) return;
      for (const { record } of changes) for (const key of keysOfLife(this.lives.life(record.uid))) keys.add(key);
    };
    collect();
    this.lives.accept(changes, this.now(), isListed);
    if (this.lives.retention.size > 0) this.#evict();
    collect();
    this.waiters.wake(keys);
  }

  /** Called when the stream is lost. */
  lost(): void {
    if (this.#informers > 0) this.lives.lost(this.#clock.now());
  }

  /** Called when a list is complete. */
  synced(): void {
    if (this.#informers === 0) return;
    const confirmed = this.lives.synced(this.#pods, this.#clock.now());
    if (this.waiters.size === 0) return;
    this.waiters.wake(new Set(confirmed.flatMap((life) => [...keysOfLife(life)])));
  }

  #evict(): void {
    const { retention } = this.lives;
    const nowMs = this.#clock.now();
    retention.evict(nowMs, this.#pods.freeBytes);
    const { dueMs } = retention;
    if (dueMs === this.#timer?.dueMs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (dueMs === undefined) return;
    const again = () => {
      this.#timer = undefined;
      this.#evict();
    };
    this.#timer = { dueMs, cancel: this.#clock.after(Math.max(0, dueMs - nowMs), again, { isIdle: true }) };
  }
}

/** Yields all keys of a pod: those that it has, and the retained ones that it had. */
function* keysOfLife(life: PodLife | undefined): Generator<string, void, undefined> {
  if (life === undefined) return;
  const keyed = keyedOf(life);
  for (const kind of KIND_NAMES) for (const text of KINDS[kind].keysOf(keyed)) yield keyText({ kind, text });
  if (life.former !== undefined) yield* life.former.keys();
}
