import { follow } from "../../timing/abort.js";

const BODY_END: IteratorResult<never, undefined> = { done: true, value: undefined };

/** The body of an answer. `return()` ends the request at once, even while a `next()` is pending; a generator would wait for more data. */
export class BodyStream implements AsyncIterableIterator<Buffer, undefined> {
  readonly #signal: AbortSignal;
  readonly #request: (signal: AbortSignal) => AsyncGenerator<Buffer, void, undefined>;
  #started: { readonly body: AsyncGenerator<Buffer, void, undefined>; readonly end: () => void } | undefined;
  #isLeft = false;

  /** @param request sends the request on the first `next()`. */
  constructor(signal: AbortSignal, request: (signal: AbortSignal) => AsyncGenerator<Buffer, void, undefined>) {
    this.#signal = signal;
    this.#request = request;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#isLeft) return BODY_END;
    this.#started ??= this.#start();
    const { body, end } = this.#started;
    try {
      const result = await body.next();
      if (result.done) end();
      return result.done ? BODY_END : result;
    } catch (error) {
      end();
      if (this.#isLeft) return BODY_END;
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#isLeft = true;
    this.#started?.end();
    await this.#started?.body.return();
    return BODY_END;
  }

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  #start() {
    const { controller, release } = follow(this.#signal);
    const end = () => {
      release();
      controller.abort();
    };
    return { body: this.#request(controller.signal), end };
  }
}
