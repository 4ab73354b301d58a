// Random lives of a node, seen through the real upstream and its consumers, with a virtual clock.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { podMask } from "../../src/pod/mask.js";
import { SourceChain } from "../../src/sources/source-chain.js";
import { Upstream } from "../../src/stream/upstream.js";
import { seededRandom } from "../../src/testing/random.js";
import { freshRuns } from "../helpers/property.js";
import { VirtualClock } from "../helpers/virtual-clock.js";
import { isStatic, LAST, Reader, UIDS } from "./model-reader.js";
import { type Damage, ModelServer } from "./model-server.js";

const labels = podMask("metadata.uid", "metadata.labels");
const MASKS = [undefined, labels, labels, labels.union(podMask("metadata.namespace", "status.phase"))];

type Command =
  | {
      do: "add" | "modify" | "label" | "evict" | "finish" | "remove" | "repeat" | "complete" | "rerun" | "withdraw";
      uid: string;
    }
  | { do: "deliver" | "cut" | "kill" | "swap" | "unknown" | "ready" | "join" | "leave" | "gate" | "apiBack" }
  | { do: "start"; initializing: boolean; unread: string[]; apiAway: boolean }
  | { do: "drop"; messages: number }
  | { do: "advance"; ms: number }
  | { do: "drain"; reader: number; most: number }
  | { do: "flood"; uid: string }
  | { do: "damage"; how: Damage };

const uid = fc.constantFrom(...UIDS);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("add" as const, "modify" as const), uid }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("label" as const, "evict" as const, "finish" as const, "remove" as const, "repeat" as const),
      uid,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("complete" as const, "rerun" as const, "withdraw" as const),
      uid,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("deliver" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("cut" as const, "kill" as const, "swap" as const, "unknown" as const, "ready" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("apiBack" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("join" as const, "leave" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("gate" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("start" as const),
      initializing: fc.boolean(),
      unread: fc.subarray(UIDS),
      apiAway: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("drop" as const), messages: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.constantFrom(10, 500, 3_000, 31_000, 150_000) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("drain" as const), reader: fc.nat(3), most: fc.constantFrom(1, 3, 100) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("flood" as const), uid }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("damage" as const),
      how: fc.constantFrom("tail" as const, "all" as const, "body" as const, "uid" as const),
    }),
  },
);

async function run(commands: Command[], seed: number): Promise<void> {
  // Some have a kubelet's HTTP server behind the Pods API, which comes and goes.
  const hasHttp = seed % 2 === 0;
  // A list over HTTP names no connection: without stamps nobody could tell two processes apart.
  const server = new ModelServer({ sameFile: seed % 3 === 0, withoutStamps: !hasHttp && seed % 5 === 0 });
  const clock = new VirtualClock();
  const source = hasHttp ? new SourceChain(server.sources(), clock) : server;
  const upstream = new Upstream({ source, clock, random: seededRandom(seed) });
  const readers: Reader[] = [];
  const join = () => {
    // Some want everything, some little, some more than others, some only certain pods, or finished ones: the first ones too.
    const kind = seed + readers.length;
    const reader = new Reader(server, MASKS[kind % MASKS.length], {
      selective: kind % 3 === 1,
      includeFinished: kind % 5 === 2,
    });
    readers.push(reader);
    upstream.add(reader.listener);
  };
  join();
  for (const step of commands) {
    switch (step.do) {
      case "add":
        server.add(step.uid, isStatic(step.uid));
        break;
      case "modify":
        server.modify(step.uid);
        break;
      case "label":
        server.modify(step.uid, true);
        break;
      case "flood":
        for (let i = 0; i < 150; i++) server.modify(step.uid);
        break;
      case "evict":
      case "finish":
      case "remove":
      case "repeat":
      case "complete":
      case "rerun":
      case "withdraw":
        server[step.do](step.uid);
        break;
      case "deliver":
        await clock.advance(0);
        break;
      case "cut":
      case "swap":
      case "unknown":
      case "ready":
      case "apiBack":
        server[step.do]();
        break;
      case "kill":
        if (server.isUp) server.kill();
        break;
      case "start":
        if (!server.isUp) server.start(step);
        break;
      case "gate":
        if (hasHttp) server.switchGate();
        break;
      case "damage":
        server.damage(step.how);
        break;
      case "drop":
        server.dropSilently(step.messages);
        break;
      case "advance":
        for (const ms of server.passing(step.ms)) await clock.advance(ms);
        break;
      case "drain":
        readers[step.reader % readers.length]?.drain(step.most);
        break;
      case "join":
        if (readers.length < 4) join();
        break;
      case "leave":
        if (readers.length > 1) upstream.remove((readers.pop() as Reader).listener);
    }
    for (const reader of readers) reader.checkBound(server.pods.size + UIDS.length);
  }
  // Quiet: the kubelet is there and ready, and two resyncs go by.
  if (!server.isUp) server.start();
  server.ready();
  // A source that is wholly missing stays unconfirmed for hours: there is a pod of each.
  for (const uid of LAST) server.add(uid, isStatic(uid));
  for (const ms of server.passing(600_000)) await clock.advance(ms);
  for (const reader of readers) {
    reader.drain();
    assert.ok(reader.synced, "synced");
    assert.deepEqual([...reader.view].sort(), reader.wanted().sort(), "the view is what the server has");
    reader.drain();
  }
  assert.equal(server.streams, 1, "one upstream for all");
  for (const reader of readers) upstream.remove(reader.listener);
  await clock.advance(0);
  assert.deepEqual([server.streams, clock.timers], [0, 0], "nothing is left");
}

test("random lives of a node end in the truth [#51 #53 #54 #55 #56 #57 #58 #61 #62 #63 #81 #82 #85 #86 #89 #91]", async () => {
  await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60 }), fc.nat(), run), freshRuns(400));
});

const lossless: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("add" as const, "modify" as const, "evict" as const, "finish" as const),
      uid: fc.constantFrom("u00", "u01", "u14", "u15"), // few, so that static ones come again while a reader is slow
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("deliver" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("drain" as const), reader: fc.constant(1), most: fc.constantFrom(1, 2) }),
  },
);

test("where nothing is lost, an eager reader is right after each message, and a slow one is told every end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(lossless, { minLength: 5, maxLength: 50 }), fc.nat(), async (commands, seed) => {
      const server = new ModelServer();
      const clock = new VirtualClock();
      const upstream = new Upstream({ source: server, clock, random: seededRandom(seed) });
      const [eager, slow] = [new Reader(server), new Reader(server)];
      const picky = new Reader(server, labels, { selective: true });
      upstream.add(picky.listener);
      upstream.add(eager.listener);
      upstream.add(slow.listener);
      await clock.advance(0);
      for (const step of commands) {
        if (step.do === "add") server.add(step.uid, isStatic(step.uid));
        else if (step.do === "modify" || step.do === "evict" || step.do === "finish") server[step.do](step.uid);
        else if (step.do === "drain") slow.drain(step.most);
        else {
          await clock.advance(0);
          eager.drain();
          picky.drain();
          assert.deepEqual([...eager.view].sort(), [...server.active()].sort());
          assert.deepEqual([...picky.view].sort(), picky.wanted().sort());
        }
      }
      await clock.advance(0);
      for (const reader of [eager, slow]) {
        reader.drain();
        assert.deepEqual([...reader.view].sort(), [...server.active()].sort());
        for (const uid of reader.view.keys()) {
          const untold = server.endedSince(uid, reader.added.get(uid) ?? 0);
          assert.ok(!untold, `an end of ${uid} was not told`);
        }
      }
      upstream.remove(eager.listener);
      upstream.remove(slow.listener);
    }),
    freshRuns(400),
  );
});

test("a pod of which less is known than a reader wants is told when it can be read, and once", async () => {
  const server = new ModelServer();
  const clock = new VirtualClock();
  const upstream = new Upstream({ source: server, clock, random: seededRandom(1) });
  for (const uid of ["u00", "u01"]) server.add(uid, false);
  const narrow = new Reader(server, labels);
  upstream.add(narrow.listener);
  await clock.advance(0);
  server.damage("tail"); // in the list that the wider reader asks for
  const wide = new Reader(server, MASKS[3]);
  upstream.add(wide.listener);
  await clock.advance(1_000);
  wide.drain();
  assert.deepEqual([...wide.view.keys()], ["u01"]);
  await clock.advance(400_000);
  for (const reader of [narrow, wide]) {
    reader.drain();
    assert.deepEqual([...reader.view].sort(), [...server.active()].sort());
    upstream.remove(reader.listener);
  }
});
