import { PodsError } from "../errors/pods-error.js";
import type { ServerStream } from "../wire/server-stream.js";
import type { SourceBatch } from "./pod-source.js";

/** Maximum number of events in a batch, so that other work gets its turn. */
const MAX_EVENTS = 256;

/**
 * The events of a watch, in batches of the events that have arrived. A sync marker ends a batch. Events before an unreadable message are
 * returned before the error is thrown.
 */
export class EventBatches implements AsyncIterableIterator<SourceBatch, undefined> {
  readonly #stream: ServerStream;
  readonly #read: (message: Uint8Array) => SourceBatch[number];
  readonly #socketPath: string;
  #messages: readonly Uint8Array[] = [];
  #at = 0;

  constructor(stream: ServerStream, read: (message: Uint8Array) => SourceBatch[number], socketPath: string) {
    this.#stream = stream;
    this.#read = read;
    this.#socketPath = socketPath;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws PodsError `corrupt`, and the errors of the stream. */
  async next(): Promise<IteratorResult<SourceBatch, undefined>> {
    if (this.#at === this.#messages.length) {
      const { done, value } = await this.#stream.next();
      if (done) return { done, value: undefined };
      this.#messages = value;
      this.#at = 0;
    }
    const events: SourceBatch[number][] = [];
    while (this.#at < this.#messages.length && events.length < MAX_EVENTS) {
      let event: SourceBatch[number];
      try {
        event = this.#read(this.#messages[this.#at] as Uint8Array);
      } catch (cause) {
        if (events.length > 0) break; // the next call starts with this message, and throws
        const message = "a message of the watch cannot be read";
        throw new PodsError({ code: "corrupt", message, method: "WatchPods", socketPath: this.#socketPath, cause });
      }
      this.#at++;
      events.push(event);
      if (event.type === "SYNCED") break;
    }
    return { done: false, value: events };
  }
}
