import type { SourceEvent, WatchSource } from "../../src/sources/pod-source.js";
import { settle } from "./virtual-clock.js";

/** A source that says what the test says; a stream of it ends where that is an error, and the next goes on behind it. */
export function scriptedSource(...first: SourceEvent[]) {
  const queue: (SourceEvent | Error)[] = [...first];
  let wake = () => {};
  const source: WatchSource = {
    socketPath: "/script",
    server: () => "1",
    changed: () => new Promise<void>(() => {}),
    async *open() {
      for (;;) {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          if (next instanceof Error) throw next;
          yield next;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
  /** Says events, and waits until everything that follows from them has been done. */
  const say = async (...events: (SourceEvent | Error)[]): Promise<void> => {
    queue.push(...events);
    wake();
    await settle();
  };
  return { source, say };
}
