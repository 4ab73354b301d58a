import type { PodOf } from "../pod/masked-pod.js";
import { type ConditionsPaths, conditionsOf, type PodConditions } from "../pod/pod-conditions.js";
import type { Stream } from "./event-stream.js";
import type { PodEvent } from "./events.js";
import type { PodWatch } from "./pod-watch.js";

/** An event that is about a pod. */
export type PodChange<P> = Extract<PodEvent<P>, { pod: P }>;

/**
 * Makes whole lists out of a watch: one once all pods are known, one after each change, and one after each outage, since a reader may have
 * skipped a stale list. Changes that come while the reader is busy are in the next list. It ends as its watch does.
 */
export class ListWatch<P, L> implements Stream<L> {
  readonly #watch: PodWatch<P>;
  readonly #take: (change: PodChange<P>) => boolean;
  readonly #list: () => L;
  #synced = false;
  #changed = false;
  /** The last call of `next`. Each call takes events after the calls before it, so that lists stay in order. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param take takes a change of a pod, and returns true if the list has changed.
   * @param list makes the list.
   */
  constructor(watch: PodWatch<P>, take: (change: PodChange<P>) => boolean, list: () => L) {
    this.#watch = watch;
    this.#take = take;
    this.#list = list;
  }

  [Symbol.asyncIterator](): this {
    this.#watch[Symbol.asyncIterator](); // throws if the watch is iterated a second time
    return this;
  }

  next(): Promise<IteratorResult<L, undefined>> {
    const result = this.#last.then(() => this.#next());
    this.#last = result.catch(() => {});
    return result;
  }

  async #next(): Promise<IteratorResult<L, undefined>> {
    for (;;) {
      const result = await this.#watch.next();
      if (result.done) return result;
      for (let event: PodEvent<P> | undefined = result.value; event !== undefined; event = this.#watch.poll()) {
        if (event.type === "SYNCED") this.#synced = this.#changed = true;
        else if (event.type !== "DISCONNECTED") this.#changed = this.#take(event) || this.#changed;
      }
      if (this.#synced && this.#changed) {
        this.#changed = false;
        return { done: false, value: this.#list() };
      }
    }
  }

  return(): Promise<IteratorResult<L, undefined>> {
    return this.#watch.return() as Promise<IteratorResult<never, undefined>>;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#watch[Symbol.asyncDispose]();
  }

  throw(error: unknown): Promise<IteratorResult<L, undefined>> {
    return this.#watch.throw(error) as Promise<IteratorResult<never, undefined>>;
  }
}

/** Makes lists of the conditions of pods out of a watch of them: a new one whenever it differs from the last. */
export function watchConditions(
  watch: PodWatch<PodOf<ConditionsPaths>>,
): ListWatch<PodOf<ConditionsPaths>, readonly PodConditions[]> {
  const pods = new Map<string, PodConditions>();
  return new ListWatch<PodOf<ConditionsPaths>, readonly PodConditions[]>(
    watch,
    ({ type, pod }) => {
      const conditions = conditionsOf(pod);
      const { uid } = conditions;
      if (type === "DELETED") return pods.delete(uid);
      // It may be that only annotations have changed, which are read to recognise static pods.
      const before = pods.get(uid);
      pods.set(uid, conditions);
      return before === undefined || JSON.stringify(before) !== JSON.stringify(conditions);
    },
    () => [...pods.values()],
  );
}
