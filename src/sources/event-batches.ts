import { PodsError } from "../errors/pods-error.js";
import type { ServerStream } from "../wire/server-stream.js";
import type { SourceBatch } from "./pod-source.js";

/** The most events that are given at once: then others have their turn. */
const MAX_EVENTS = 256;

/**
 * The events of a watch, as many at once as have come. A sync marker ends a batch. Events before a message that cannot be read are
 * given before it throws.
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

  /** The headers of the answer; empty before they are there. */
  get headers(): ServerStream["headers"] {
    return this.#stream.headers;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws PodsError `corrupt`, and what the stream throws. */
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
        if (events.length > 0) break; // it is met again, as the first one
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
