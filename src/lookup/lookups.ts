import type { Change, KnownPods, ListFacts, LogEntry, LogIndex } from "../known/log.js";
import type { Clock } from "../timing/clock.js";
import type { Now } from "./anchors.js";
import type { IndexedPod } from "./key-interval.js";
import { keyedOf, PodIndex } from "./pod-index.js";
import { KIND_NAMES, KINDS, keyText } from "./pod-key.js";
import type { RetentionWant } from "./retention.js";
import { Waiters } from "./waiters.js";

/** The known pods, and the number of bytes that are left for retained ones. */
export interface IndexedPods extends Pick<KnownPods, "records"> {
  /** The facts of the last list. */
  readonly list: ListFacts;
  readonly freeBytes: number;
}

/**
 * The index that a client's informers share, and the waiting calls. The index exists while there is an informer. The only timer forgets
 * retained ends.
 */
export class Lookups implements LogIndex {
  readonly #pods: IndexedPods;
  readonly #clock: Clock;
  readonly waiters: Waiters;
  index: PodIndex = new PodIndex();
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
   * @param isLive true if a live stream reports changes of the informer's keys.
   */
  join(want: RetentionWant, isLive: boolean): () => void {
    if (this.#informers++ === 0)
      this.index.begin(this.#pods.records(), this.now(), isLive ? this.#pods.list : undefined);
    this.index.want(want);
    return () => {
      this.index.unwant(want);
      if (--this.#informers === 0) this.index = new PodIndex();
      this.#evict();
    };
  }

  /** Has no effect, because {@link join} begins with the known pods. */
  begin(): void {}

  accept(entry: LogEntry): void {
    if (this.#informers === 0) return;
    if (entry.type === "changes") this.#changed(entry.changes, entry.by === "list");
    else if (entry.type === "listed") this.#listed(entry.list);
    else if (entry.type === "lost" || entry.type === "quiet") this.index.lost(this.#clock.now());
  }

  flush(): void {
    this.waiters.flush();
  }

  /** Adds changes, and wakes the calls that wait for keys which the changed pods have or had. */
  #changed(changes: readonly Change[], isListed: boolean): void {
    const keys = new Set<string>();
    const collect = () => {
      if (this.waiters.size === 0) return;
      for (const { record } of changes) for (const key of keysOfEntry(this.index.entry(record.uid))) keys.add(key);
    };
    collect();
    this.index.accept(changes, this.now(), isListed);
    if (this.index.retention.size > 0) this.#evict();
    collect();
    this.waiters.wake(keys);
  }

  #listed(list: ListFacts): void {
    const confirmed = this.index.listed(list, this.#clock.now());
    if (this.waiters.size === 0) return;
    this.waiters.wake(new Set(confirmed.flatMap((entry) => [...keysOfEntry(entry)])));
  }

  #evict(): void {
    const { retention } = this.index;
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
function* keysOfEntry(entry: IndexedPod | undefined): Generator<string, void, undefined> {
  if (entry === undefined) return;
  const keyed = keyedOf(entry);
  for (const kind of KIND_NAMES) for (const text of KINDS[kind].keysOf(keyed)) yield keyText({ kind, text });
  if (entry.former !== undefined) yield* entry.former.keys();
}
