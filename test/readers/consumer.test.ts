// The events that a consumer receives, and their order, at any pace.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodsError } from "../../src/errors/pods-error.js";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import type { PodEvent } from "../../src/index.js";
import { Ledger } from "../../src/known/ledger.js";
import { podMask } from "../../src/pod/mask.js";
import { PodSelector } from "../../src/pod/selector.js";
import { Consumer } from "../../src/readers/consumer.js";
import type { Selection } from "../../src/readers/selection.js";
import { changesBy } from "../helpers/changes.js";
import { test } from "../helpers/test.js";
import { encode, type ModelPod } from "../schedules/model-pod.js";

const pod = (uid: string, more: Partial<ModelPod> = {}) =>
  encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1, ...more }, 1);

/** A ledger and a consumer of it. */
function make(selection: Partial<Selection> = {}) {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  const consumer = new Consumer({ includeFinished: false, ...selection }, () => {});
  consumer.begin(ledger);
  const list = (...[first, ...more]: [number | Uint8Array, ...Uint8Array[]] | []) => {
    const nowMs = typeof first === "number" ? first : 0;
    const pods = first === undefined || typeof first === "number" ? more : [first, ...more];
    ledger.begin({
      server: "",
      connection: "1",
      reportsDeletions: true,
      askedMs: 0,
      askedWallMs: 0,
      trust: "contract",
    });
    for (const bytes of pods) ledger.stage("ADDED", bytes);
    consumer.accept(changesBy("list", ledger.commit(nowMs).changes));
  };
  return { ledger, consumer, list, drain: () => drainOf(consumer) };
}

function drainOf(consumer: Consumer): string[] {
  const events: string[] = [];
  for (let event = consumer.take(); event !== undefined; event = consumer.take()) events.push(text(event));
  return events;
}

function text(event: PodEvent<{ metadata?: { uid: string } | undefined }>): string {
  if (event.type === "SYNCED") return `SYNCED ${event.initial ? "initial " : ""}${event.count}`;
  return "pod" in event ? `${event.type} ${event.pod.metadata?.uid}` : event.type;
}

const AWAY = new PodsError({ code: "connection-refused", message: "away" });

test("a pod replaced under its UID is emitted as DELETED and ADDED before SYNCED", () => {
  for (const isSlow of [true, false]) {
    const { consumer, list, drain } = make();
    list(pod("a"));
    consumer.accept({ type: "synced" });
    assert.deepEqual(drain(), ["ADDED a", "SYNCED initial 1"]);
    consumer.accept({ type: "lost", error: AWAY });
    if (!isSlow) drain();
    list(pod("a", { created: 2, version: 2 })); // another of that UID: it went and came unseen
    consumer.accept({ type: "synced" });
    const told = drain();
    assert.deepEqual(told.slice(isSlow ? 1 : 0), ["DELETED a", "ADDED a", "SYNCED 1"]);
  }
});

test("the first SYNCED that a reader receives is initial, even if it replaced others", () => {
  const { consumer, list, drain } = make();
  list(pod("a"));
  consumer.accept({ type: "synced" });
  consumer.accept({ type: "lost", error: AWAY });
  consumer.accept({ type: "synced" });
  assert.deepEqual(drain(), ["ADDED a", "DISCONNECTED", "SYNCED initial 1"]);
  consumer.accept({ type: "synced" });
  assert.deepEqual(drain(), ["SYNCED 1"]);
  consumer.accept({ type: "lost", error: AWAY });
  consumer.accept({ type: "synced" });
  assert.deepEqual(drain(), ["DISCONNECTED", "SYNCED 1"]);
});

test("the count of SYNCED is the number of pods that the reader has received", () => {
  const { ledger, consumer, list, drain } = make();
  list(pod("a"), pod("b"));
  consumer.accept({ type: "synced" });
  consumer.accept(changesBy("event", ledger.apply("ADDED", pod("c"), 0).changes)); // after SYNCED
  consumer.accept(changesBy("event", ledger.apply("DELETED", pod("a"), 0).changes)); // never told
  assert.deepEqual(drain(), ["ADDED b", "SYNCED initial 1", "ADDED c"]);
});

test("SYNCED does not count an unreadable pod; a list that has it readable emits ADDED", () => {
  const { ledger, consumer, list, drain } = make();
  const broken = Uint8Array.from([...pod("b"), 0x12, 0x04, 0x12, 0x02, 0x0a, 0x7f]);
  list(pod("a"), broken);
  consumer.accept({ type: "synced" });
  assert.deepEqual(drain(), ["ADDED a", "SYNCED initial 1"]);
  assert.deepEqual([ledger.count(true), [...ledger.unreadable]], [1, ["b"]]);
  list(pod("a"), pod("b"));
  assert.deepEqual(drain(), ["ADDED b"]);
});

test("emits no MODIFIED for fields outside the mask or for a reverted change", () => {
  const mask = podMask("metadata.uid", "metadata.deletionTimestamp");
  const { ledger, consumer, list, drain } = make({ mask });
  list(pod("a"));
  consumer.accept({ type: "synced" });
  drain();
  consumer.accept(changesBy("event", ledger.apply("MODIFIED", pod("a", { version: 2 }), 0).changes)); // another label
  assert.deepEqual(drain(), []);
  for (const terminating of [true, false])
    consumer.accept(changesBy("event", ledger.apply("MODIFIED", pod("a", { terminating }), 0).changes));
  assert.deepEqual(drain(), [], "it is as it was when it was told");
  consumer.accept(changesBy("event", ledger.apply("MODIFIED", pod("a", { terminating: true }), 0).changes));
  assert.deepEqual(drain(), ["MODIFIED a"]);
});

test("after an unemitted change, the next one has the last known state as previous", () => {
  const mask = podMask("metadata.uid", "status.phase");
  const { ledger, consumer, list } = make({ mask });
  list(pod("a"));
  consumer.take();
  consumer.accept(changesBy("event", ledger.apply("MODIFIED", pod("a", { version: 2 }), 0).changes));
  assert.equal(consumer.take(), undefined);
  consumer.accept(changesBy("event", ledger.apply("MODIFIED", pod("a", { version: 2, failed: true }), 0).changes));
  const event = consumer.take();
  assert.ok(event?.type === "MODIFIED");
  assert.deepEqual([event.previous.status?.phase, event.pod.status?.phase], ["Running", "Failed"]);
  assert.equal(event.previous, event.previous, "decoded once");
});

test("a pod with too few known fields is emitted once enough are known", () => {
  const { ledger, consumer, list, drain } = make();
  ledger.retain(podMask("metadata.uid"));
  list(pod("a"));
  assert.deepEqual(drain(), []);
  consumer.accept(changesBy("event", ledger.apply("DELETED", pod("a"), 0).changes));
  assert.deepEqual(drain(), [], "nor is its end, of one that was never told");
  ledger.retain(undefined);
  list(pod("b"));
  assert.deepEqual(drain(), ["ADDED b"]);
});

test("emits finished pods only with includeFinished", () => {
  for (const [includeFinished, told] of [
    [true, ["ADDED a", "ADDED b", "MODIFIED a", "DELETED a"]],
    [false, ["ADDED a", "DELETED a"]],
  ] as const) {
    const { ledger, consumer, list, drain } = make({ includeFinished });
    list(pod("a"), pod("b", { finished: true }));
    const seen = drain();
    consumer.accept(changesBy("event", ledger.apply("MODIFIED", pod("a", { finished: true, version: 2 }), 0).changes));
    consumer.accept(changesBy("event", ledger.apply("DELETED", pod("a"), 0).changes));
    seen.push(...drain());
    list(pod("b", { finished: true }));
    assert.deepEqual([...seen, ...drain()], told);
  }
});

test("a reader that joins late receives the pods, then SYNCED", () => {
  const { ledger, list } = make();
  list(pod("a"), pod("b", { finished: true }));
  for (const [includeFinished, told] of [
    [true, ["ADDED a", "ADDED b", "SYNCED initial 2"]],
    [false, ["ADDED a", "SYNCED initial 1"]],
  ] as const) {
    let ready = 0;
    const late = new Consumer({ includeFinished }, () => ready++);
    late.begin(ledger);
    late.accept({ type: "synced" });
    assert.deepEqual([drainOf(late), ready], [told, 2]);
  }
});

test("a slow reader that joins late receives nothing about pods that were deleted before it read", () => {
  const { ledger, list } = make();
  list(pod("a"), pod("b"));
  const late = new Consumer({ includeFinished: false }, () => {});
  late.begin(ledger);
  late.accept({ type: "synced" });
  late.accept(changesBy("event", ledger.apply("DELETED", pod("a"), 0).changes));
  assert.equal(late.pending, 2, "b, and SYNCED");
  assert.deepEqual(drainOf(late), ["ADDED b", "SYNCED initial 1"]);
});

test("an emitted pod stays if too few fields are known now", () => {
  const { ledger, consumer, list, drain } = make();
  list(pod("a"));
  drain();
  ledger.retain(podMask("metadata.uid"));
  consumer.accept(changesBy("event", ledger.apply("MODIFIED", pod("a", { version: 2 }), 0).changes));
  assert.deepEqual(drain(), []);
  consumer.accept(changesBy("event", ledger.apply("DELETED", pod("a"), 0).changes));
  assert.deepEqual(drain(), ["DELETED a"]);
});

test("DELETED has the cause `finished`, `missing` or `deselected`", () => {
  const { ledger, consumer, list } = make({ selector: new PodSelector({ labelSelector: "version=1" }) });
  list(pod("a"), pod("b"), pod("c"));
  for (let event = consumer.take(); event !== undefined; ) event = consumer.take();
  consumer.accept(changesBy("event", ledger.apply("DELETED", pod("a"), 0).changes));
  consumer.accept(changesBy("event", ledger.apply("MODIFIED", pod("b", { version: 2 }), 0).changes));
  list(40_000, pod("b", { version: 2 }));
  list(80_000, pod("b", { version: 2 }));
  const causes: string[] = [];
  for (let event = consumer.take(); event !== undefined; event = consumer.take()) {
    if (event.type === "DELETED") causes.push(`${event.cause} ${event.pod.metadata?.uid}`);
  }
  assert.deepEqual(causes, ["finished a", "deselected b", "missing c"]);
});

test("emits no MODIFIED for an equal pod whose bytes differ", () => {
  // The status before the metadata: what it says is the same.
  const turned = (bytes: Uint8Array) => {
    const metadataEnd = 2 + (bytes[1] as number);
    return Buffer.concat([bytes.subarray(metadataEnd), bytes.subarray(0, metadataEnd)]);
  };
  const bare = (version: number, uid = "a") =>
    toBinary(
      PodSchema,
      create(PodSchema, {
        metadata: { uid, name: "n", namespace: "ns", labels: { version: String(version) } },
        status: { phase: "Running" },
      }),
    );
  const { ledger, consumer, list, drain } = make();
  list(bare(1));
  drain();
  ledger.begin({
    server: "",
    connection: "2",
    reportsDeletions: true,
    askedMs: 0,
    askedWallMs: 0,
    trust: "contract",
  });
  ledger.stage("ADDED", turned(bare(1)));
  consumer.accept(changesBy("list", ledger.commit(0).changes));
  assert.deepEqual(drain(), [], "another process");
  list(bare(1, ""));
  assert.deepEqual(drain(), [], "an entry without a UID, which was given one");
  list(bare(1));
  assert.deepEqual(drain(), [], "and has it again");
  list(bare(2));
  assert.deepEqual(drain(), ["MODIFIED a"]);
});

test("wakes a reader only when an event is waiting", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  let woken = 0;
  const consumer = new Consumer(
    { includeFinished: false, selector: new PodSelector({ namespace: "none" }) },
    () => woken++,
  );
  ledger.begin({
    server: "",
    connection: "1",
    reportsDeletions: true,
    askedMs: 0,
    askedWallMs: 0,
    trust: "contract",
  });
  ledger.stage("ADDED", pod("a"));
  consumer.accept(changesBy("list", ledger.commit(0).changes));
  assert.equal(woken, 0);
  consumer.accept({ type: "lost", error: AWAY });
  assert.equal(woken, 1);

  const { ledger: known, list } = make();
  list(pod("a"));
  const other = new Consumer({ includeFinished: false }, () => woken++);
  other.accept(changesBy("event", known.apply("ADDED", pod("b"), 0).changes));
  assert.equal(woken, 2);
});
