import { isDeepStrictEqual } from "node:util";
import { invalidArgument } from "../errors/pods-error.js";
import type { Change } from "../known/entry.js";
import type { Clock } from "../timing/clock.js";
import type { Now } from "./anchors.js";
import type { Listed } from "./evidence.js";
import { type PodLife, SETTLED_MS } from "./holding.js";
import { type LookOptions, Looks } from "./looks.js";
import { KIND_NAMES, KINDS, keyText } from "./pod-key.js";
import { PodLives } from "./pod-lives.js";
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
  #looks: { readonly looks: Looks; informers: number } | undefined;
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
   * @throws PodsError `invalid-argument` if another informer looks at other files.
   */
  join(want: RetentionWant, isLive: boolean, look: LookOptions | undefined): () => void {
    const unlook = this.#look(look);
    if (this.#informers++ === 0) this.lives.begin(this.#pods, this.now(), isLive ? this.#pods : undefined);
    for (const { entry } of look === undefined ? [] : this.#pods.entries()) {
      const life = this.lives.life(entry.head.uid);
      if (life !== undefined) this.looks?.note(life, false, false);
    }
    if (this.looks !== undefined) this.#noteBehind(this.looks);
    this.lives.want(want);
    return () => {
      unlook();
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
      for (const { uid } of changes) for (const key of keysOfLife(this.lives.life(uid))) keys.add(key);
    };
    collect();
    this.lives.accept(changes, this.now(), isListed);
    if (this.lives.retention.size > 0) this.#evict();
    collect();
    this.waiters.wake(keys);
    this.#note(changes);
  }

  /** The files that are looked at; undefined if none are. */
  get looks(): Looks | undefined {
    return this.#looks?.looks;
  }

  /** Looks at files for one more informer. Returns a callback that takes that back. */
  #look(options: LookOptions | undefined): () => void {
    if (options === undefined) return () => {};
    if (this.#looks !== undefined && !isDeepStrictEqual(this.#looks.looks.options, options)) {
      const message = "informer: cgroups and processes: another informer of the client has others";
      throw invalidArgument(message, "the same for all that have any, or another PodsClient");
    }
    if (this.#looks === undefined) {
      // A container that ran before the first look may have any number.
      this.lives.evidence.unlooked.add(Number.NEGATIVE_INFINITY, this.#clock.now());
      this.#looks = { looks: this.#newLooks(options), informers: 0 };
    }
    const looks = this.#looks;
    looks.informers++;
    return () => {
      if (--looks.informers > 0) return;
      looks.looks.stop();
      this.#looks = undefined;
      this.lives.evidence.unlooked.set(this.#clock.now(), undefined);
    };
  }

  #newLooks(options: LookOptions): Looks {
    const looks = new Looks(options, (life, look, isLike) => {
      this.lives.look(life, look, isLike, this.now());
      this.#noteBehind(looks);
      this.waiters.wake(keysOfLife(life));
    });
    return looks;
  }

  /** Asks for a look at the files of the told pods. */
  #note(changes: readonly Change[]): void {
    const { looks } = this;
    if (looks === undefined) return;
    const { sinceMs } = this.lives.evidence;
    const nowMs = this.#clock.now();
    const isNews = sinceMs < nowMs;
    const { lost } = looks;
    for (const { uid } of changes) {
      const life = this.lives.life(uid);
      if (life !== undefined) looks.note(life, isNews, isNews && life.fromMs > sinceMs);
    }
    // Callers may still ask for its number, some seconds after they saw it.
    if (looks.lost > lost) this.lives.evidence.unlooked.add(nowMs - 2 * SETTLED_MS, nowMs + SETTLED_MS);
    this.#noteBehind(looks);
  }

  #noteBehind(looks: Looks): void {
    const until = looks.isBehind ? Number.POSITIVE_INFINITY : undefined;
    this.lives.evidence.unlooked.set(this.#clock.now(), until);
  }

  /** Called when the stream is lost. */
  lost(): void {
    if (this.#informers > 0) this.lives.lost(this.#clock.now());
  }

  /** Called when a list is complete. */
  synced(): void {
    if (this.#informers === 0) return;
    this.lives.synced(this.#pods, this.#clock.now());
    this.looks?.noteAll();
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
  for (const kind of KIND_NAMES) for (const text of KINDS[kind].keysOf(life)) yield keyText({ kind, text });
  if (life.former !== undefined) yield* life.former.keys();
}
