// Properties of the watch that random lives do not check by themselves.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { PodsError } from "../../src/errors/pods-error.js";
import { EventType, WatchPodsEventSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import { Ledger } from "../../src/known/ledger.js";
import type { StreamFacts } from "../../src/known/staging.js";
import { Lookups } from "../../src/lookup/lookups.js";
import { decodePod } from "../../src/pod/decode.js";
import { PodWatch } from "../../src/readers/pod-watch.js";
import type { SourceEvent, WatchSource } from "../../src/sources/pod-source.js";
import { PodsApi } from "../../src/sources/pods-api.js";
import { WatchMachine } from "../../src/stream/machine.js";
import { Upstream } from "../../src/stream/upstream.js";
import { seededRandom } from "../../src/testing/index.js";
import { changesBy } from "../helpers/changes.js";
import { envelope, serveHttp2 } from "../helpers/hostile.js";
import { runs } from "../helpers/property.js";
import { singly } from "../helpers/source-events.js";
import { test } from "../helpers/test.js";
import { settle, VirtualClock } from "../helpers/virtual-clock.js";
import { encode } from "./model-pod.js";
import { isStatic, Reader, UIDS } from "./model-reader.js";
import { ModelServer } from "./model-server.js";
import { runSchedule, scheduleOf } from "./schedule.js";

const pod = (uid: string, version = 1, finished = false) =>
  encode({ uid, version, failed: false, finished, isStatic: isStatic(uid), created: 1 }, 1);

type Step = { do: "add" | "modify" | "evict" | "finish" | "remove"; uid: string } | { do: "cut" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom("add" as const, "modify" as const, "evict" as const, "finish" as const, "remove" as const),
      uid: fc.constantFrom(...UIDS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cut" as const) }) },
);
const lossless = step.filter((s) => s.do !== "cut");

function take(server: ModelServer, s: Step): void {
  if (s.do === "cut") server.cut();
  else if (s.do === "add") server.add(s.uid, isStatic(s.uid));
  else server[s.do](s.uid);
}

function upstreamOf(source: WatchSource, seed: number) {
  const clock = new VirtualClock();
  return {
    clock,
    upstream: new Upstream({ source, clock, random: seededRandom(seed), index: (pods) => new Lookups(pods, clock) }),
  };
}

const STREAM: StreamFacts = {
  server: "1",
  connection: "1",
  reportsDeletions: true,
  askedMs: 0,
  askedWallMs: 0,
  trust: "contract",
};

const versions = (ledger: Ledger) =>
  [...ledger.records()].map(({ uid, version, standing }) => [uid, version, standing]);

test("a reader sees the previous state until a list is complete", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(), async (steps, seed) => {
      const server = new ModelServer();
      let before: unknown;
      let bursts = 0;
      const source: WatchSource = {
        socketPath: "/model",
        changed: (signal) => server.changed(signal),
        server: () => server.server(),
        async *open(signal): AsyncGenerator<SourceEvent, void, undefined> {
          let live = false;
          for await (const event of singly(server.open(signal))) {
            if (event.type === "CONNECTED") before = versions(upstream.ledger);
            yield event.type === "CONNECTED" ? { ...event, list: undefined } : event; // each resync is a stream
            // The consumer has come back for more: what it made of the event is there to be seen, and at each step on the way.
            for (let i = 0; i < 3 && !live; i++) {
              if (event.type !== "SYNCED") assert.deepEqual(versions(upstream.ledger), before);
              await Promise.resolve();
            }
            if (event.type === "SYNCED") {
              live = true;
              bursts++;
            }
          }
        },
      };
      const { upstream, clock } = upstreamOf(source, seed);
      const reader = new Reader(server);
      upstream.add(reader.listener);
      for (const s of steps) {
        take(server, s);
        await clock.advance(50);
      }
      await clock.advance(200_000);
      assert.ok(bursts >= 2);
      upstream.remove(reader.listener);
    }),
    runs(60),
  );
});

test("abort, return() and close at any step settle next() at once and leave nothing open", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.constantFrom("abort", "return", "close"),
      fc.nat(30),
      async (steps, seed, how, microtasks) => {
        const server = new ModelServer();
        const { upstream, clock } = upstreamOf(server, seed);
        const user = new AbortController();
        const closing = new AbortController();
        const host = {
          clock,
          timeoutMs: undefined,
          upstream: () => upstream,
          enter: (controller: AbortController) => {
            const end = () => controller.abort(closing.signal.reason);
            closing.signal.addEventListener("abort", end);
            return () => closing.signal.removeEventListener("abort", end);
          },
        };
        const watch = new PodWatch(host, { signal: user.signal, includeFinished: false, resyncIntervalMs: 120_000 });
        let last = watch.next();
        let settled: "value" | "done" | "reason" | undefined;
        const follow = () =>
          last.then(
            ({ done }) => {
              settled = done === true ? "done" : "value";
            },
            (error) => {
              assert.equal(error, REASON);
              settled = "reason";
            },
          );
        void follow();
        for (const s of steps) {
          take(server, s);
          await clock.advance(20);
          if (settled === "value") {
            settled = undefined;
            last = watch.next();
            void follow();
          }
        }
        for (let i = 0; i < microtasks; i++) await Promise.resolve();
        if (how === "abort") user.abort(REASON);
        else if (how === "close") closing.abort(REASON);
        else await Promise.all([watch.return(), watch.return()]);
        await Promise.resolve();
        await Promise.resolve();
        assert.ok(settled === "value" || settled === (how === "return" ? "done" : "reason"), `settled: ${settled}`);
        const after = await watch.next().catch((error) => error);
        assert.ok(after === REASON || after.done === true);
        assert.deepEqual(await watch.next(), { done: true, value: undefined });
        await settle();
        assert.deepEqual([server.streams, clock.timers], [0, 0]);
      },
    ),
    runs(200),
  );
});

const REASON = new Error("mine");

test("attempts stay within the limit of their error, even with connections that yield no list [#64]", () => {
  const budgets = [
    { code: "connection-refused", perSecond: 2.2, extra: 15 },
    { code: "connection-lost", perSecond: 0.5, extra: 15 },
    { code: "initializing", perSecond: 2.2, extra: 8 },
    { code: "not-a-socket", perSecond: 0.1, extra: 10 },
  ] as const;
  fc.assert(
    fc.property(fc.constantFrom(...budgets), fc.nat(), fc.boolean(), ({ code, perSecond, extra }, seed, connects) => {
      const machine = new WatchMachine({ resyncIntervalMs: 120_000, random: seededRandom(seed) });
      const attempts: number[] = [];
      let nowMs = 0;
      machine.step({ type: "start" }, nowMs);
      while (nowMs < 600_000) {
        if (machine.phase === "waiting") {
          // It has asked as often as it may: the timer is the budget's.
          nowMs += 50;
          machine.step({ type: "timer" }, nowMs);
          continue;
        }
        attempts.push(nowMs);
        if (connects) machine.step({ type: "connected", connection: "1" }, nowMs);
        const error = new PodsError({ code, message: "x" });
        const timer = machine.step({ type: "failed", error }, nowMs).find((effect) => effect.type === "timer");
        assert.ok(timer?.type === "timer" && timer.delayMs !== undefined);
        nowMs += timer.delayMs;
        machine.step({ type: "timer" }, nowMs);
      }
      for (const seconds of [10, 60, 300]) {
        let from = 0;
        for (const [to, atMs] of attempts.entries()) {
          while (atMs - (attempts[from] ?? 0) > seconds * 1_000) from++;
          const count = to - from + 1;
          // Full jitter halves the rate on average; a window may be unlucky by half.
          assert.ok(count <= extra + 1.5 * perSecond * seconds, `${count} attempts in ${seconds} s`);
        }
      }
    }),
    runs(200),
  );
});

test("the events do not depend on how the stream is split into chunks [#41]", async (t) => {
  const messages = [
    { type: EventType.ADDED, pod: pod("u00") },
    { type: EventType.ADDED, pod: pod("u01") },
    { type: EventType.INITIAL_SYNC_COMPLETE },
    { type: EventType.MODIFIED, pod: pod("u00", 2) },
    { type: EventType.DELETED, pod: pod("u01") },
    { type: EventType.ADDED, pod: pod("u02") },
  ].map((event) =>
    envelope(
      toBinary(WatchPodsEventSchema, create(WatchPodsEventSchema, { ...event, pod: Buffer.from(event.pod ?? []) })),
    ),
  );
  const bytes = Buffer.concat(messages);
  let cuts: number[] = [];
  const socketPath = await serveHttp2(t, async (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    let at = 0;
    for (const cut of [...cuts, bytes.length]) {
      stream.write(bytes.subarray(at, cut));
      at = cut;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  const api = new PodsApi({ socketPaths: [socketPath], maxMessageBytes: 1 << 20, handshakeTimeoutMs: 5_000 });
  t.after(() => api.close());
  // What a watch is told is less, where it is kept waiting: of each pod the newest.
  const expected = ["CONNECTED", "ADDED u00", "ADDED u01", "SYNCED", "MODIFIED u00", "DELETED u01", "ADDED u02"];
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 20 }), async (at) => {
      cuts = at.sort((a, b) => a - b);
      const told: string[] = [];
      for await (const event of singly(api.open(new AbortController().signal))) {
        told.push("pod" in event ? `${event.type} ${decodePod(event.pod).metadata?.uid}` : event.type);
        if (told.length === expected.length) break;
      }
      assert.deepEqual(told, expected);
    }),
    runs(30),
  );
});

test("arbitrary bytes are staged, applied and emitted without an exception, and an empty UID is no key [#41 #44]", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .tuple(fc.constantFrom(...UIDS), fc.nat(), fc.nat(255))
      .map(([uid, at, value]) => Uint8Array.from(pod(uid), (byte, i) => (i === at % pod(uid).length ? value : byte))),
  );
  const message = fc.tuple(fc.constantFrom("ADDED" as const, "MODIFIED" as const, "DELETED" as const), bytes);
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20 }), fc.array(message, { maxLength: 20 }), (staged, live) => {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      const { consumer } = new Reader(new ModelServer());
      ledger.begin(STREAM);
      for (const [type, body] of staged) ledger.stage(type, body);
      consumer.accept(changesBy("list", ledger.commit(0).changes));
      for (const [type, body] of live) consumer.accept(changesBy("event", ledger.apply(type, body, 0).changes));
      while (consumer.take() !== undefined);
      assert.equal(ledger.get(""), undefined);
    }),
    runs(1_000),
  );
});

test("a reader that joins late receives all pods, SYNCED, and then the same as the others", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 20 }),
      fc.array(step, { maxLength: 20 }),
      fc.nat(),
      async (a, b, seed) => {
        const server = new ModelServer();
        const { upstream, clock } = upstreamOf(server, seed);
        const [first, late] = [new Reader(server), new Reader(server)];
        const both = async (steps: Step[]) => {
          for (const s of steps) {
            take(server, s);
            await clock.advance(2_000);
            first.drain();
            late.drain();
          }
        };
        upstream.add(first.listener);
        await clock.advance(0);
        await both(a);
        await clock.advance(200_000);
        first.drain();
        upstream.add(late.listener);
        late.drain();
        assert.equal(late.log.at(-1), "SYNCED");
        assert.deepEqual([...late.view].sort(), [...first.view].sort());
        const [atFirst, atLate] = [first.log.length, late.log.length];
        await both(b);
        assert.deepEqual(late.log.slice(atLate), first.log.slice(atFirst));
        upstream.remove(first.listener);
        upstream.remove(late.listener);
      },
    ),
    runs(60),
  );
});

test("an equal second list changes nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...UIDS), fc.nat(3), fc.boolean())), (listed) => {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      const told = [1, 2].map((nowMs) => {
        ledger.begin(STREAM);
        for (const [uid, version, finished] of listed) ledger.stage("ADDED", pod(uid, version, finished));
        return ledger.commit(nowMs).changes.length;
      });
      assert.equal(told[1], 0);
    }),
    runs(500),
  );
});

test("the size of the ledger is bounded by the current pods, not by former ones", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  let most = 0;
  for (let round = 0; round < 200; round++) {
    ledger.begin(STREAM);
    ledger.commit(round);
    for (let i = 0; i < 50; i++) {
      const bytes = encode(
        { uid: `p${round}-${i}`, version: 1, failed: false, finished: false, isStatic: false, created: 1 },
        1,
      );
      ledger.apply("ADDED", bytes, 0);
      ledger.apply("DELETED", bytes, 0);
    }
    most = Math.max(most, ledger.size);
  }
  assert.ok(most <= 4 * 50, `${most} kept, of 50 at a time`);
});

test("without lost events, additional lists do not change the emitted events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(lossless, { maxLength: 25 }), fc.nat(), async (steps, seed) => {
      const logs: string[][] = [];
      for (const pauseMs of [0, 150_000]) {
        const server = new ModelServer();
        server.orderly = true;
        const { upstream, clock } = upstreamOf(server, seed);
        const reader = new Reader(server);
        upstream.add(reader.listener);
        for (const s of steps) {
          await clock.advance(pauseMs);
          take(server, s);
          await clock.advance(0);
          reader.drain();
        }
        upstream.remove(reader.listener);
        logs.push(reader.log);
      }
      assert.deepEqual(logs[1], logs[0]);
    }),
    runs(60),
  );
});

test("reads waiting data before a deadline after an event loop stall [#70]", async () => {
  const { clock, upstream } = upstreamOf(
    {
      socketPath: "/model",
      server: () => "1",
      changed: () => new Promise(() => {}),
      async *open(): AsyncGenerator<SourceEvent, void, undefined> {
        yield { type: "CONNECTED", server: "1", lists: "complete" };
        await new Promise((resolve) => setImmediate(resolve)); // what the kernel has is read in the next turn
        yield { type: "SYNCED" };
        await new Promise(() => {});
      },
    },
    1,
  );
  const reader = new Reader(new ModelServer());
  upstream.add(reader.listener);
  await Promise.resolve();
  await Promise.resolve();
  clock.jump(11_000); // past the deadline of the first message, in one leap
  await settle();
  reader.drain();
  assert.deepEqual(reader.log, ["SYNCED"]);
  upstream.remove(reader.listener);
});

test("a slow reader gets one DELETED for a pod that ended, left the lists and was put back", () => {
  runSchedule(scheduleOf(1, 108_879));
});
