// What a source says becomes what is to be done: machine and ledger as one.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodsError } from "../../src/errors/pods-error.js";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { initialRuns } from "../../src/known/runs.js";
import { MAX_PODS } from "../../src/pod/limits.js";
import { type PodMask, podMask } from "../../src/pod/mask.js";
import { OWN_MASK } from "../../src/pod/own-fields.js";
import type { SourceEvent } from "../../src/sources/pod-source.js";
import { WatchCore } from "../../src/stream/core.js";
import type { Effect } from "../../src/stream/effect.js";
import { describe, test } from "../helpers/test.js";
import { leaving, tiny } from "../known/lists.js";
import { encode } from "../schedules/model-pod.js";

const pod = (uid: string, version = 1) =>
  encode({ uid, version, failed: false, finished: false, isStatic: false, created: 1 }, 1);
const CONNECTED: SourceEvent = { type: "CONNECTED", server: "1", connection: "1", lists: "complete" };
const SYNCED: SourceEvent = { type: "SYNCED" };
const added = (uid: string, version?: number): SourceEvent => ({ type: "ADDED", pod: pod(uid, version) });

const identity = podMask("metadata.uid", "metadata.name");
const identityOf = (uid: string) => toBinary(PodSchema, create(PodSchema, { metadata: { uid, name: uid } }));

/** A core that somebody listens to, and what comes of each event by name. */
function make(mask?: PodMask) {
  const core = new WatchCore(
    () => 0.5,
    () => Number.POSITIVE_INFINITY,
  );
  core.want({ mask, resyncIntervalMs: 100_000 }, 0);
  core.step({ type: "start" }, 0);
  const say = (event: SourceEvent, nowMs = 0) => core.receive(event, nowMs, nowMs);
  const live = () => {
    for (const event of [CONNECTED, added("a"), SYNCED]) say(event);
  };
  return { core, say, live };
}

const types = (effects: readonly Effect[]) => effects.map(({ type }) => type);
const timerOf = (effects: readonly Effect[]) => {
  const timer = effects.filter((effect) => effect.type === "timer").at(-1);
  return timer?.type === "timer" ? timer.delayMs : undefined;
};

test("applies a list at its sync marker, and then each event at once [#83]", () => {
  const { core, say } = make();
  assert.deepEqual(types(say(CONNECTED)), ["timer"]);
  for (const uid of ["a", "b"]) assert.ok(!types(say(added(uid))).includes("changes"));
  assert.deepEqual([core.everSynced, core.ledger.count(true)], [false, 0]);
  const effects = say(SYNCED);
  assert.deepEqual(types(effects), ["changes", "listed", "timer", "synced"]);
  assert.deepEqual(
    effects.map((effect) => (effect.type === "changes" ? effect.changes.length : undefined)),
    [2, undefined, undefined, undefined],
  );
  assert.deepEqual([core.everSynced, core.ledger.count(true)], [true, 2]);
  assert.deepEqual(types(say(added("c"))), ["changes"]);
  assert.deepEqual(types(say(added("c"))), [], "the same again is no change");
});

test("a list that was requested before CONNECTED is compared from its request on", () => {
  const isRead = (ageMs: number) => {
    const { core, say } = make();
    const partial: SourceEvent = { type: "CONNECTED", server: "1", connection: "1", lists: "partial" };
    for (const event of [partial, added("a"), SYNCED]) say(event, 0);
    core.step({ type: "failed", error: new PodsError({ code: "connection-lost", message: "lost" }) }, 0);
    core.step({ type: "timer" }, 2_500);
    for (const event of [{ ...partial, ageMs }, added("a"), SYNCED] as const) say(event, 2_500);
    return core.ledger.proof.isAccepted;
  };
  assert.deepEqual([isRead(0), isRead(500), isRead(501)], [true, true, false]);
});

test("accepts an empty list", () => {
  const { core, say } = make();
  say(CONNECTED);
  assert.deepEqual(types(say(SYNCED)), ["listed", "timer", "synced"]);
  assert.ok(core.everSynced);
});

test("counts a second marker and an unknown message; the latter is a possible gap [#48 #59]", () => {
  const { core, say, live } = make();
  live();
  assert.deepEqual(types(say(SYNCED)), ["malformed"]);
  const gap = say({ type: "UNKNOWN" });
  assert.deepEqual([types(gap), timerOf(gap)], [["malformed", "timer"], 2_000]);
  assert.equal(core.ledger.malformed, 2);
});

test("stages the messages of a new stream until its sync marker", () => {
  const { core, say, live } = make();
  live();
  core.step({ type: "timer" }, 100_000);
  say(CONNECTED, 100_000);
  assert.ok(!types(say(added("b"), 100_000)).includes("changes"));
  assert.deepEqual(types(say(SYNCED, 100_000)), ["changes", "listed", "timer"]);
  const gone = say({ type: "DELETED", pod: identityOf("a") }, 100_001);
  assert.deepEqual(types(gone), ["changes", "handover"], "once the missing pod has ended");
});

describe("the resync interval", () => {
  test("is the shortest one that a listener wants", () => {
    const { core, live } = make();
    live();
    const eager = { mask: undefined, resyncIntervalMs: 10_000 };
    assert.equal(timerOf(core.want(eager, 0)), 10_000);
    assert.deepEqual(core.want({ mask: undefined, resyncIntervalMs: 50_000 }, 0), []);
    assert.deepEqual(core.unwant(eager, 0), [], "a longer one counts from the next list on");
  });

  test("is the source's for its stream, if that is shorter", () => {
    const { core, say } = make();
    say({ ...CONNECTED, resyncIntervalMs: 5_000 });
    assert.equal(timerOf(say(SYNCED)), 5_000);
    core.step({ type: "timer" }, 5_000);
    say(CONNECTED, 5_000);
    assert.equal(timerOf(say(SYNCED, 5_000)), 100_000);
  });
});

test("a source reports deletions unless CONNECTED says otherwise", () => {
  for (const [reportsDeletions, isUnconfirmed] of [
    [undefined, true],
    [true, true],
    [false, false],
  ] as const) {
    const { core, say } = make();
    const connected = reportsDeletions === undefined ? CONNECTED : { ...CONNECTED, reportsDeletions };
    const ended = { type: "MODIFIED", pod: leaving("b") } as const;
    for (const event of [connected, added("a"), added("b"), SYNCED, ended]) say(event);
    core.step({ type: "timer" }, 100_000);
    for (const event of [connected, added("a"), SYNCED]) say(event, 100_000);
    assert.equal(core.ledger.get("b")?.unconfirmed !== undefined, isUnconfirmed);
  }
});

test("an unknown message starts the list", () => {
  const { core, say } = make();
  say(CONNECTED);
  assert.deepEqual(types(say({ type: "UNKNOWN" })), ["malformed", "timer"]);
  assert.equal(core.phase, "burst");
});

test("an unreadable event is a possible gap", () => {
  const { say, live } = make();
  live();
  const effects = say({ type: "MODIFIED", pod: Uint8Array.of(0x0a, 200, 1) });
  assert.deepEqual([types(effects), timerOf(effects)], [["malformed", "timer"], 2_000]);
});

describe("retained fields", () => {
  test("are requested with the stream and known after its list", () => {
    const { core, say } = make(identity);
    assert.deepEqual([core.asks(identity), core.asks(undefined), core.knows(identity)], [true, false, false]);
    for (const event of [CONNECTED, added("a"), SYNCED]) say(event);
    assert.deepEqual([core.knows(identity), core.knows(undefined)], [true, false]);
    assert.equal(core.ledger.get("a")?.version.retained?.toString(), identity.union(OWN_MASK).toString());
  });

  test("are requested again at once if a listener wants more, and known after the next list", () => {
    const { core, say } = make(identity);
    for (const event of [CONNECTED, added("a"), SYNCED]) say(event);
    assert.deepEqual(core.want({ mask: identity, resyncIntervalMs: 100_000 }, 1_000), []);
    assert.equal(timerOf(core.want({ mask: undefined, resyncIntervalMs: 100_000 }, 1_000)), 0);
    const opened = core.step({ type: "timer" }, 1_000).find(({ type }) => type === "open");
    assert.ok(opened !== undefined && core.mask === undefined);
    assert.deepEqual([core.asks(undefined), core.knows(undefined)], [true, false]);
    for (const event of [CONNECTED, added("a"), SYNCED]) say(event, 1_000);
    assert.equal(core.knows(undefined), true);
  });
});

test("lists are complete on a connection on which the kubelet was initializing", () => {
  for (const [connection, isProof] of [
    ["1", true],
    ["2", false],
  ] as const) {
    const { core, say } = make();
    say({ ...CONNECTED, lists: "contract" });
    core.step({ type: "failed", error: new PodsError({ code: "initializing", message: "x" }) }, 0);
    core.step({ type: "timer" }, 1_000);
    for (const event of [{ ...CONNECTED, connection, lists: "contract" } as const, added("a"), SYNCED])
      say(event, 1_000);
    assert.equal(core.ledger.proof.provesAbsence, isProof);
  }
});

test("requests a list at once when a missing source returns", () => {
  const { core, say } = make();
  for (const event of [CONNECTED, added("a"), added("b"), SYNCED]) say(event);
  core.step({ type: "failed", error: new PodsError({ code: "connection-lost", message: "x" }) }, 1_000);
  core.step({ type: "timer" }, 2_000);
  say({ ...CONNECTED, connection: "2", lists: "contract" }, 2_000);
  say(SYNCED, 2_000);
  assert.deepEqual(core.ledger.unconfirmed(true).reasons, ["source"]);
  assert.equal(timerOf(say(added("a", 2), 2_600)), 0);
});

test("more than 20,000 pods end the stream but not the watch", () => {
  const { core, say } = make();
  say(CONNECTED);
  for (let i = 0; i < MAX_PODS; i++) say({ type: "ADDED", pod: tiny(`p${i}`) });
  assert.equal(core.phase, "burst");
  const effects = say(added("one-more"));
  const lost = effects.find((effect) => effect.type === "lost");
  assert.ok(lost?.type === "lost" && lost.error.code === "too-large");
  assert.match(lost.error.message, /more than 20000 pods/);
  assert.equal(lost.error.method, "WatchPods");
  assert.equal(core.phase, "waiting");
});

test("each unknown event type requests one list, for up to 100 types", () => {
  const { core, say, live } = make();
  live();
  let nowMs = 0;
  const asks = (code: number) => {
    const isSuspect = timerOf(say({ type: "UNKNOWN", code }, nowMs)) === 2_000;
    nowMs += 600_000;
    core.step({ type: "timer" }, nowMs);
    for (const event of [CONNECTED, added("a"), SYNCED]) say(event, nowMs);
    return isSuspect;
  };
  assert.deepEqual([7, 7, 8, 7].map(asks), [true, false, true, false]);
  const more = Array.from({ length: 100 }, (_, i) => asks(100 + i)).filter(Boolean).length;
  assert.equal(more, 98);
  assert.equal(core.ledger.malformed, 104);
  assert.equal(asks(7), false);
  say({ ...CONNECTED, server: "another" }, nowMs);
  for (const event of [added("a"), SYNCED]) say(event, nowMs);
  assert.equal(asks(7), true, "another server may mean something else by it");
});

test("a status that needs a list requests one, and that list requests no other", () => {
  const { core, say } = make();
  core.want({ mask: undefined, resyncIntervalMs: 100_000 }, 0);
  const running = (id: string, restartCount: number) => {
    const state = { running: { startedAt: { seconds: 10n } } };
    const containerStatuses = [{ name: "main", containerID: `containerd://${id}`, restartCount, state }];
    return toBinary(
      PodSchema,
      create(PodSchema, { metadata: { uid: "a", name: "a" }, status: { phase: "Running", containerStatuses } }),
    );
  };
  for (const event of [CONNECTED, { type: "ADDED", pod: running("x", 0) } as const, SYNCED]) say(event);
  core.ledger.readRuns();
  const replaced = say({ type: "MODIFIED", pod: running("y", 1) }, 1_000);
  assert.deepEqual([types(replaced), timerOf(replaced)], [["changes", "timer"], 2_000]);
  core.step({ type: "timer" }, 3_000);
  say(CONNECTED, 3_000);
  say({ type: "ADDED", pod: running("y", 1) }, 3_000);
  const listed = say(SYNCED, 3_000);
  assert.equal(timerOf(listed), 100_000);
  const settled = listed.flatMap((effect) => (effect.type === "listed" ? effect.settled : []));
  assert.deepEqual(
    settled.map(({ runs }) => runs.map(({ type }) => type)),
    [["ENDED", "STARTED"]],
  );
});

test("a reader of runs that joins after DELETED receives no start of the pod's runs", () => {
  const { core, say } = make();
  core.want({ mask: undefined, resyncIntervalMs: 100_000 }, 0);
  const state = { running: { startedAt: { seconds: 10n } } };
  const containerStatuses = [{ name: "main", containerID: "containerd://x", restartCount: 0, state }];
  const pod = toBinary(
    PodSchema,
    create(PodSchema, { metadata: { uid: "a", name: "a" }, status: { phase: "Running", containerStatuses } }),
  );
  for (const event of [CONNECTED, { type: "ADDED", pod } as const, SYNCED]) say(event);
  say({ type: "DELETED", pod }, 1_000);
  core.ledger.readRuns();
  const record = core.ledger.get("a");
  assert.ok(record !== undefined);
  assert.deepEqual(initialRuns(record), []);
});

test("the runs of a pod retain no bytes of a replaced version", () => {
  const { core, say, live } = make();
  core.want({ mask: undefined, resyncIntervalMs: 100_000 }, 0);
  live();
  core.ledger.readRuns();
  const before = core.ledger.get("a")?.version.bytes;
  core.step({ type: "timer" }, 100_000);
  for (const event of [CONNECTED, added("a"), SYNCED]) say(event, 100_000);
  const record = core.ledger.get("a");
  assert.notEqual(record?.version.bytes, before);
  assert.equal(record?.runs?.foldedFrom?.bytes, record?.version.bytes);
});

describe("the previous stream during the list of a planned stream", () => {
  const reports = (effects: readonly Effect[]) =>
    effects.flatMap((effect) =>
      effect.type === "changes"
        ? effect.changes.map((each) => `${each.record.uid} ${each.isActive ? "changed" : each.cause} by ${effect.by}`)
        : [],
    );
  const changed: SourceEvent = { type: "MODIFIED", pod: pod("b", 2) };
  const deleted: SourceEvent = { type: "DELETED", pod: identityOf("b") };
  const overlapping = (previous = [changed, deleted]) => {
    const { core, say } = make();
    for (const event of [CONNECTED, added("a"), added("b"), SYNCED]) say(event);
    assert.deepEqual(types(core.step({ type: "timer" }, 100_000)), ["timer", "open", "quiet"], "and not closed");
    for (const event of previous) core.receivePrevious(event, 100_000);
    say(CONNECTED, 100_000);
    return { core, say: (event: SourceEvent) => say(event, 100_000) };
  };

  test("provides the last status and the cause of an end that the list lacks", () => {
    const { say } = overlapping();
    say(added("a"));
    assert.deepEqual(reports(say(SYNCED)), ["b changed by event", "b finished by event", "b missing by list"]);
  });

  test("provides the last status of an API pod, whatever its stamp", () => {
    const version = { uid: "b", version: 3, failed: false, finished: false, isStatic: false, created: 1 };
    const last = encode(version, 2);
    const { say } = overlapping([changed, { type: "MODIFIED", pod: last }, deleted]);
    const [, effect] = [added("a"), SYNCED].map((event) => say(event).find(({ type }) => type === "changes"));
    assert.deepEqual(effect?.type === "changes" && [...(effect.changes[0]?.version.bytes ?? [])], [...last]);
  });

  test("does not change pods that the new list has", () => {
    const { core, say } = overlapping();
    for (const event of [added("a"), added("b")]) say(event);
    assert.deepEqual(reports(say(SYNCED)), []);
    assert.equal(core.ledger.get("b")?.standing.is, "active");
  });

  test("does not end an API pod that the new list has with another stamp", () => {
    const { say } = overlapping();
    const again = encode({ uid: "b", version: 1, failed: false, finished: false, isStatic: false, created: 1 }, 2);
    for (const event of [added("a"), { type: "ADDED", pod: again } as const]) say(event);
    assert.deepEqual(reports(say(SYNCED)), ["b changed by list"]);
  });

  test("provides its changes even if the new stream fails", () => {
    const { core } = overlapping();
    const failed = core.step({ type: "failed", error: new PodsError({ code: "stalled", message: "x" }) }, 101_000);
    assert.deepEqual(reports(failed), ["b changed by event", "b finished by event"]);
  });

  test("leaves new pods to the new stream", () => {
    const { core, say } = overlapping();
    core.receivePrevious({ type: "ADDED", pod: pod("c") }, 100_000);
    core.receivePrevious({ type: "DELETED", pod: identityOf("c") }, 100_000);
    for (const event of [added("a"), added("b")]) say(event);
    assert.deepEqual(reports(say(SYNCED)), []);
  });

  describe("of a static pod whose manifest was put back", () => {
    const ofManifest = (version: number, by: number) =>
      encode({ uid: "s", version, failed: false, finished: false, isStatic: true, created: 1 }, by);
    const ended: SourceEvent = { type: "DELETED", pod: identityOf("s") };
    const listing = (previous: SourceEvent[], by = 2) => {
      const { core, say } = make();
      for (const event of [CONNECTED, added("a"), { type: "ADDED", pod: ofManifest(1, 1) }, SYNCED] as const)
        say(event);
      core.step({ type: "timer" }, 100_000);
      for (const event of previous) core.receivePrevious(event, 100_000);
      const list = [CONNECTED, added("a"), { type: "ADDED", pod: ofManifest(1, by) }, SYNCED] as const;
      return { core, told: list.flatMap((event) => say(event, 100_000)) };
    };

    test("has the last status of the pod, and not that of the next one", () => {
      const last: SourceEvent = { type: "MODIFIED", pod: ofManifest(2, 1) };
      const { core, told } = listing([last, { type: "MODIFIED", pod: ofManifest(3, 2) }, ended]);
      assert.deepEqual(reports(told), ["s changed by event", "s finished by event", "s changed by list"]);
      const change = told.find((effect) => effect.type === "changes")?.changes[0];
      assert.equal(change?.version.head.seen, "at the start of process 1");
      assert.equal(core.ledger.get("s")?.version.head.seen, "at the start of process 2");
    });

    test("has the last of two statuses of one pod", () => {
      const statuses = [2, 3].map((version): SourceEvent => ({ type: "MODIFIED", pod: ofManifest(version, 1) }));
      const change = listing([...statuses, ended]).told.find((effect) => effect.type === "changes")?.changes[0];
      assert.deepEqual([...(change?.version.bytes ?? [])], [...ofManifest(3, 1)]);
    });

    test("leaves the end of a pod that the list has to the new stream", () => {
      assert.deepEqual(reports(listing([ended], 1).told), []);
    });

    test("requests a list after its DELETED, for the next pod", () => {
      const { core } = listing([]);
      const effects = core.receivePrevious(ended, 100_001);
      assert.deepEqual([reports(effects), timerOf(effects)], [["s finished by event"], 2_000]);
    });
  });

  test("provides an end that the previous stream reports after the list that lacks the pod", () => {
    const { core, say } = overlapping([changed]);
    for (const event of [added("a"), SYNCED]) assert.ok(!types(say(event)).includes("handover"));
    const ended = core.receivePrevious(deleted, 100_001);
    assert.deepEqual(reports(ended), ["b changed by event", "b finished by event"]);
    assert.deepEqual(types(ended), ["changes", "handover"]);
  });

  test("provides the last status of the previous stream before a DELETED of the new one", () => {
    const { say } = overlapping([changed]);
    for (const event of [added("a"), SYNCED]) say(event);
    assert.deepEqual(reports(say(deleted)), ["b changed by event", "b finished by event"]);
  });

  test("provides the last status of a pod if the new stream fails before its list", () => {
    const { core } = overlapping([changed]);
    const error = new PodsError({ code: "stalled", message: "x" });
    assert.deepEqual(reports(core.step({ type: "failed", error }, 101_000)), ["b changed by event"]);
  });

  test("lasts until no pod that the list lacks may still end", () => {
    const { core, say } = overlapping([]);
    for (const event of [added("a"), SYNCED]) say(event);
    assert.deepEqual(core.receivePrevious({ type: "DELETED", pod: identityOf("a") }, 100_001), [], "the list has it");
    assert.deepEqual(types(say(added("b", 2))), ["changes", "handover"]);
    assert.deepEqual(core.receivePrevious(deleted, 100_002), [], "the new stream has it");
  });

  test("does not outlast the kubelet process", () => {
    const { core, say } = overlapping([]);
    say({ type: "CONNECTED", server: "another", connection: "another" });
    assert.ok(types(say(SYNCED)).includes("handover"));
    assert.deepEqual(core.receivePrevious(deleted, 100_001), []);
  });
});
