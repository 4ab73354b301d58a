import { afterReads, type Clock } from "../timing/clock.js";

/** The most calls that may wait: keys may come from strangers. */
export const MAX_WAITING = 100_000;

/** A call of `waitFor` that waits for a key. */
export interface Waiter {
  /** The awaited key, as {@link keyText} writes it. */
  readonly key: string;
  /** How long to wait, in milliseconds; undefined means for ever. */
  readonly timeoutMs: number | undefined;
  /** Looks again, and deletes itself if the wait is over. */
  look(): void;
  /** Called when the time is up, after the waiter was deleted. */
  expire(): void;
}

/** A waiter with a deadline, in a heap: the first one expires first. */
interface Limited {
  readonly dueMs: number;
  readonly nth: number;
  readonly waiter: Waiter;
}

/** How many ended waiters may be in the heap before it is built anew. */
const MAX_LEFT = 1_000;

/** All waiters. They are woken when a change of their key is told. One timer serves all deadlines. */
export class Waiters {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Set<Waiter>>();
  /** The waiters with a deadline. Ended ones are skipped when their time comes, or dropped when there are too many. */
  #limited: Limited[] = [];
  #left = 0;
  #nth = 0;
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;
  /** The number of waiters. */
  size = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a waiter. */
  add(waiter: Waiter): void {
    const { key, timeoutMs } = waiter;
    this.size++;
    const waiting = this.#byKey.get(key);
    if (waiting === undefined) this.#byKey.set(key, new Set([waiter]));
    else waiting.add(waiter);
    if (timeoutMs === undefined) return;
    this.#push({ dueMs: this.#clock.now() + timeoutMs, nth: this.#nth++, waiter });
    this.#setTimer();
  }

  /** Removes a waiter. */
  delete(waiter: Waiter): void {
    const { key, timeoutMs } = waiter;
    const waiting = this.#byKey.get(key);
    if (!waiting?.delete(waiter)) return;
    this.size--;
    if (waiting.size === 0) this.#byKey.delete(key);
    if (timeoutMs === undefined) return;
    this.#left++;
    if (this.#left < this.#limited.length && this.#left < MAX_LEFT + this.#limited.length / 2) return;
    const staying = this.#limited.filter((each) => this.#isWaiting(each.waiter));
    this.#limited = staying.sort(order); // a sorted array is a heap
    this.#left = 0;
    this.#setTimer();
  }

  /** Wakes the waiters for these keys, which then look again. */
  wake(keys: Iterable<string>): void {
    if (this.size === 0) return;
    for (const key of keys) for (const waiter of [...(this.#byKey.get(key) ?? [])]) waiter.look();
  }

  #isWaiting(waiter: Waiter): boolean {
    return this.#byKey.get(waiter.key)?.has(waiter) === true;
  }

  #setTimer(): void {
    const dueMs = this.#limited[0]?.dueMs;
    if (dueMs === this.#timer?.dueMs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (dueMs === undefined) return;
    const cancel = afterReads(this.#clock, Math.max(0, dueMs - this.#clock.now()), () => this.#timeUp());
    this.#timer = { dueMs, cancel };
  }

  #timeUp(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.now();
    for (let first = this.#limited[0]; first !== undefined && first.dueMs <= nowMs; first = this.#limited[0]) {
      this.#pop();
      this.#left--; // it has ended before, or ends by what it does now
      if (this.#isWaiting(first.waiter)) first.waiter.expire();
    }
    this.#setTimer();
  }

  #push(limited: Limited): void {
    const heap = this.#limited;
    let at = heap.push(limited) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (order(heap[above] as Limited, limited) < 0) break;
      heap[at] = heap[above] as Limited;
      at = above;
    }
    heap[at] = limited;
  }

  #pop(): void {
    const heap = this.#limited;
    const last = heap.pop() as Limited;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below + 1 < heap.length && order(heap[below + 1] as Limited, heap[below] as Limited) < 0) below++;
      if (below >= heap.length || order(last, heap[below] as Limited) < 0) break;
      heap[at] = heap[below] as Limited;
      at = below;
    }
    heap[at] = last;
  }
}

function order(a: Limited, b: Limited): number {
  return a.dueMs - b.dueMs || a.nth - b.nth;
}
