// How long each of several sources may take, under a clock of the test's own.

import assert from "node:assert/strict";
import type { PodsErrorCode } from "../../src/errors/error-code.js";
import { PodsError } from "../../src/errors/pods-error.js";
import type { AttemptOptions, PodSource, SourceEvent } from "../../src/sources/pod-source.js";
import { SourceChain } from "../../src/sources/source-chain.js";
import { singly } from "../helpers/source-events.js";
import { describe, test } from "../helpers/test.js";
import { settle, VirtualClock } from "../helpers/virtual-clock.js";

/** A source that answers nothing but what a test gives it. */
function source(name: string, given: Partial<PodSource> = {}): PodSource {
  return {
    socketPath: name,
    connect: () => Promise.resolve(),
    close: () => Promise.resolve(),
    changed: () => new Promise(() => {}),
    server: () => name,
    list: ({ signal }) => aborted(signal),
    get: (_, { signal }) => aborted(signal),
    open: (signal) => silentAfter([], signal),
    ...given,
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

async function* silentAfter(events: SourceEvent[], signal: AbortSignal): AsyncGenerator<SourceEvent, void, undefined> {
  yield* events;
  await aborted(signal);
}

const connected = (server: string): SourceEvent => ({ type: "CONNECTED", server });

test("switches to the next source if a stream sends nothing for five seconds", async () => {
  const clock = new VirtualClock();
  const first = source("a", { open: (signal) => silentAfter([connected("a")], signal) });
  const second = source("b", { open: (signal) => silentAfter([connected("b"), { type: "SYNCED" }], signal) });
  const told: SourceEvent[] = [];
  const stop = new AbortController();
  const chain = new SourceChain([first, second], clock);
  const reading = (async () => {
    for await (const event of singly(chain.open(stop.signal))) told.push(event);
  })();
  await clock.advance(4_999);
  assert.deepEqual([told, chain.socketPath], [[], "a"]);
  await clock.advance(1);
  const named = { type: "CONNECTED", server: "1 b", connection: undefined, list: undefined };
  assert.deepEqual([told, chain.socketPath], [[named, { type: "SYNCED" }], "b"]);
  assert.equal(clock.timers, 0, "the last source has no time limit of its own");
  stop.abort("enough");
  await assert.rejects(reading, (error) => error === "enough");
});

test("keeps a stream that has sent an event, however long it then is silent", async () => {
  const clock = new VirtualClock();
  const first = source("a", { open: (signal) => silentAfter([connected("a"), { type: "SYNCED" }], signal) });
  const stop = new AbortController();
  const told: SourceEvent[] = [];
  const reading = (async () => {
    for await (const event of singly(new SourceChain([first, source("b")], clock).open(stop.signal))) told.push(event);
  })();
  await clock.advance(3_600_000);
  assert.deepEqual(
    told.map(({ type }) => type),
    ["CONNECTED", "SYNCED"],
  );
  stop.abort("enough");
  await assert.rejects(reading, (error) => error === "enough");
});

test("throws the first source's error, with the others appended, if all fail", async () => {
  const clock = new VirtualClock();
  const refused = new PodsError({ code: "connection-refused", message: "x" });
  const open = async function* (): AsyncGenerator<SourceEvent, void, undefined> {
    yield connected("b");
    throw refused;
  };
  const chain = new SourceChain([source("a"), source("b", { open })], clock);
  const reading = (async () => {
    for await (const event of singly(chain.open(new AbortController().signal))) assert.equal(event.type, "CONNECTED");
  })();
  const failed = assert.rejects(reading, {
    code: "stalled",
    rawMessage: "the source sent nothing for 5000 ms; also connection-refused: x",
  });
  await clock.advance(5_000);
  await failed;
});

test("a call splits its time between the sources, and the last one gets the rest", async () => {
  const clock = new VirtualClock();
  const given: (number | undefined)[] = [];
  const late = async ({ timeoutMs = 0 }: AttemptOptions): Promise<never> => {
    given.push(timeoutMs);
    await new Promise<void>((resolve) => void clock.after(timeoutMs, resolve));
    throw new PodsError({ code: "deadline", message: "x" });
  };
  const sources = ["a", "b", "c"].map((name) => source(name, { list: late }));
  const chain = new SourceChain(sources as [PodSource, ...PodSource[]], clock);
  const failed = assert.rejects(chain.list({ signal: new AbortController().signal, timeoutMs: 9_000 }));
  await clock.advance(9_000);
  await failed;
  assert.deepEqual(given, [3_000, 3_000, 3_000]);
  const patient = assert.rejects(chain.list({ signal: new AbortController().signal, timeoutMs: 60_000 }));
  await clock.advance(60_000);
  await patient;
  assert.deepEqual(given.slice(3), [5_000, 5_000, 50_000], "no source has more than five seconds while others wait");
  await settle();
  assert.equal(clock.timers, 0);
});

describe("a watch without a working source throws", () => {
  const failing = (code: PodsErrorCode, connects = false): Partial<PodSource> => ({
    open: async function* () {
      if (connects) yield connected(code);
      throw new PodsError({ code, message: "x" });
    },
  });
  const cases: [why: string, sources: Partial<PodSource>[], told: PodsErrorCode][] = [
    ["the best source's error", [failing("socket-missing"), failing("connection-refused")], "socket-missing"],
    ["the error that a retry may fix", [failing("not-permitted"), failing("connection-refused")], "connection-refused"],
    [
      "the error of a kubelet that is initializing",
      [failing("connection-refused"), failing("initializing", true)],
      "initializing",
    ],
    [
      "the same if the first source's kubelet is initializing",
      [failing("initializing", true), failing("connection-refused")],
      "initializing",
    ],
    ["a permanent error if all are permanent", [failing("not-served"), failing("not-permitted", true)], "not-served"],
  ];
  for (const [why, given, told] of cases) {
    test(why, async () => {
      const sources = given.map((each, i) => source(String(i), each)) as [PodSource, ...PodSource[]];
      const connections: string[] = [];
      const reading = (async () => {
        for await (const event of singly(
          new SourceChain(sources, new VirtualClock()).open(new AbortController().signal),
        )) {
          assert.ok(event.type === "CONNECTED");
          connections.push(event.server);
        }
      })();
      await assert.rejects(reading, { code: told });
      const index = given.findIndex((_, i) => connections.at(-1)?.startsWith(`${i} `));
      if (told === "initializing")
        assert.equal(connections.at(-1), `${index} initializing`, "reports the connection of the initializing kubelet");
    });
  }
});
