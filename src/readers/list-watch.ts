import type { Stream } from "./event-stream.js";
import type { PodEvent } from "./events.js";
import type { PodWatch } from "./pod-watch.js";

/**
 * Makes whole lists out of a watch: one once all pods are known, one after each change, and one after each outage, because a reader may have
 * skipped a stale list. Changes that arrive while the reader is busy are in the next list. Ends when its watch ends.
 */
export class ListWatch<P, L> implements Stream<L> {
  readonly #watch: PodWatch<P>;
  readonly #list: () => L;
  #synced = false;
  #changed = false;
  /** True until the first SYNCED, and from DISCONNECTED to the next one. */
  #lost = true;
  /** The last call of `next`. Each call waits for the one before, so that lists stay in order. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param list makes the list. */
  constructor(watch: PodWatch<P>, list: () => L) {
    this.#watch = watch;
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
        if (event.type === "DISCONNECTED") this.#lost = true;
        else if (event.type !== "SYNCED") this.#changed = true;
        else {
          this.#changed ||= this.#lost; // the SYNCED of pods that are no longer unconfirmed changes no list
          this.#lost = false;
          this.#synced = true;
        }
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
