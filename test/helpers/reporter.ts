// How `npm test` tells its results: as Node.js does by itself, with a line before its summary that counts skipped tests by their reasons.

import { Readable } from "node:stream";
import { spec, tap } from "node:test/reporters";

/** What the runner says, as far as it is looked at. */
interface Event {
  readonly type: string;
  readonly data: { readonly message?: string; readonly nesting?: number; readonly skip?: string | boolean };
}

/** Adds the line to what the runner says. */
async function* withSkips(events: AsyncIterable<Event>): AsyncGenerator<Event, void, undefined> {
  const reasons = new Map<string, number>();
  for await (const event of events) {
    const { skip, message = "" } = event.data;
    if (event.type === "test:pass" && skip !== undefined) {
      const reason = typeof skip === "string" ? skip : "no reason";
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    if (event.type === "test:diagnostic" && /^tests \d+$/.test(message)) {
      const counts = [...reasons].map(([reason, count]) => `${count} for ${reason}`);
      const line = `skipped by reason: ${counts.join(", ") || "none"}`;
      yield { type: "test:diagnostic", data: { nesting: 0, message: line } };
    }
    yield event;
  }
}

/** Reports in the form that Node.js chooses for a terminal, and else in TAP. */
export default async function* reporter(events: AsyncIterable<Event>): AsyncGenerator<string, void, undefined> {
  const all = withSkips(events);
  if (!process.stdout.isTTY) yield* tap(all as never) as AsyncIterable<string>;
  else for await (const text of Readable.from(all).pipe(new spec())) yield String(text);
}
