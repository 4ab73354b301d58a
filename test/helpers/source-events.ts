import type { SourceBatch, SourceEvent } from "../../src/sources/pod-source.js";

/** The events of a source's stream, one by one. */
export async function* singly(
  said: AsyncIterable<SourceEvent | SourceBatch>,
): AsyncGenerator<SourceEvent, void, undefined> {
  for await (const each of said) {
    if ("type" in each) yield each;
    else yield* each;
  }
}
