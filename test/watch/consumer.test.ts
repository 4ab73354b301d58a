// What one consumer is told, in which order, whatever its pace.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PodsError } from "../../src/errors/pods-error.js";
import type { PodEvent } from "../../src/index.js";
import { Consumer } from "../../src/watch/consumer.js";
import { Ledger } from "../../src/watch/ledger.js";
import { encode, type ModelPod } from "./model-pod.js";

const pod = (uid: string, more: Partial<ModelPod> = {}) =>
  encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1, ...more }, 1);

/** A ledger and a consumer of it. */
function make() {
  const ledger = new Ledger();
  const consumer = new Consumer({ includeFinished: false }, () => {});
  const list = (...pods: Uint8Array[]) => {
    ledger.begin({ server: "", connection: "1", complete: false, planned: false, tellsDeletions: true });
    for (const bytes of pods) ledger.stage("ADDED", bytes);
    consumer.accept(ledger.commit(0).changes);
  };
  const drain = () => {
    const events: string[] = [];
    for (let event = consumer.take(); event !== undefined; event = consumer.take()) events.push(text(event));
    return events;
  };
  return { ledger, consumer, list, drain };
}

function text(event: PodEvent<{ metadata?: { uid: string } | undefined }>): string {
  if (event.type === "SYNCED") return `SYNCED ${event.initial ? "initial " : ""}${event.count}`;
  return "pod" in event ? `${event.type} ${event.pod.metadata?.uid}` : event.type;
}

const AWAY = new PodsError({ code: "refused", message: "away" });

test("a pod that was deleted and is there again is in the picture at SYNCED [W1]", () => {
  for (const isSlow of [true, false]) {
    const { ledger, consumer, list, drain } = make();
    list(pod("a"));
    consumer.synced(ledger);
    assert.deepEqual(drain(), ["ADDED a", "SYNCED initial 1"]);
    consumer.lost(AWAY);
    if (!isSlow) drain();
    list(pod("a", { created: 2, version: 2 })); // another of that UID: it went and came unseen
    consumer.synced(ledger);
    const told = drain();
    assert.deepEqual(told.slice(isSlow ? 1 : 0), ["DELETED a", "ADDED a", "SYNCED 1"]);
  }
});

test("initial is the first SYNCED that a reader is told, however many have taken its place [W2]", () => {
  const { ledger, consumer, list, drain } = make();
  list(pod("a"));
  consumer.synced(ledger);
  consumer.lost(AWAY);
  consumer.synced(ledger);
  assert.deepEqual(drain(), ["ADDED a", "DISCONNECTED", "SYNCED initial 1"]);
  consumer.lost(AWAY);
  consumer.synced(ledger);
  assert.deepEqual(drain(), ["DISCONNECTED", "SYNCED 1"]);
});

test("the count of SYNCED is what the reader has been told, and not what there is by then [W10]", () => {
  const { ledger, consumer, list, drain } = make();
  list(pod("a"), pod("b"));
  consumer.synced(ledger);
  consumer.accept(ledger.apply("ADDED", pod("c")).changes); // after SYNCED
  consumer.accept(ledger.apply("DELETED", pod("a")).changes); // never told
  assert.deepEqual(drain(), ["ADDED b", "SYNCED initial 1", "ADDED c"]);
});

test("what a watch counts, tells and lists is the same, and one resync is tried for what cannot be read [W3]", () => {
  const { ledger, consumer, list, drain } = make();
  const broken = Uint8Array.from([...pod("b"), 0x12, 0x04, 0x12, 0x02, 0x0a, 0x7f]);
  list(pod("a"), broken);
  consumer.synced(ledger);
  assert.deepEqual(drain(), ["ADDED a", "SYNCED initial 1"]);
  assert.deepEqual([ledger.count(true), ledger.degraded], [1, ["b"]]);
  list(pod("a"), pod("b"));
  assert.deepEqual(drain(), ["ADDED b"]);
});
