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
  assert.deepEqual(types(gone), ["changes"]);
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

describe("a list beside the stream", () => {
  const LISTING: SourceEvent = { ...CONNECTED, list: () => Promise.resolve(undefined) };
  const deleted = (uid: string): SourceEvent => ({ type: "DELETED", pod: identityOf(uid) });
  const changed = (uid: string, version: number): SourceEvent => ({ type: "MODIFIED", pod: pod(uid, version) });
  const listing = () => {
    const { core, say } = make();
    for (const event of [LISTING, added("a"), added("b"), SYNCED]) say(event);
    const request = (nowMs: number) => {
      const effects = core.step({ type: "timer" }, nowMs);
      core.sent(nowMs, nowMs);
      return types(effects);
    };
    assert.deepEqual(request(100_000), ["timer", "list"]);
    const changes = (effects: readonly Effect[]) =>
      effects.flatMap((effect) =>
        effect.type === "changes" ? effect.changes.map(({ record, isGone }) => `${record.uid} ${isGone}`) : [],
      );
    return { core, say: (event: SourceEvent, nowMs = 100_001) => say(event, nowMs), request, changes };
  };

  test("has the changes that the stream has not", () => {
    const { core, changes } = listing();
    assert.deepEqual(changes(core.listed([pod("a", 2), pod("c")], 100_002)), ["a false", "c false"]);
    assert.equal(core.ledger.get("b")?.unconfirmed, "ending");
  });

  test("says nothing about a pod with an event since it was sent", () => {
    const { core, say, changes } = listing();
    say(changed("a", 2));
    say(added("c"));
    const effects = core.listed([pod("a"), pod("b")], 100_002);
    assert.deepEqual(changes(effects), []);
    assert.equal(core.ledger.get("c")?.unconfirmed, undefined, "not missing");
    const listed = effects.find(({ type }) => type === "listed");
    assert.deepEqual(listed?.type === "listed" && [...listed.list.touched], ["a", "c"]);
  });

  test("does not bring a pod back whose DELETED came meanwhile, and neither does a late event", () => {
    const { core, say, changes } = listing();
    say(deleted("a"));
    assert.deepEqual(changes(core.listed([pod("a"), pod("b")], 100_002)), []);
    assert.deepEqual(changes(say(changed("a", 2), 100_003)), []);
    assert.equal(core.ledger.get("a")?.standing.is, "deleted");
  });

  test("proves no absence if it has a pod that the stream has just added, and that is older", () => {
    const isRead = (isTouched: boolean) => {
      const { core, say } = make();
      const contract = { ...LISTING, lists: "contract" } as const;
      for (const event of [contract, added("a"), SYNCED]) say(event, 5_000);
      core.step({ type: "timer" }, 100_000);
      core.sent(100_000, 100_000);
      if (isTouched) say(added("b"), 100_001);
      core.listed([pod("a"), pod("b")], 100_002);
      return core.ledger.proof.isRead;
    };
    assert.deepEqual([isRead(false), isRead(true)], [false, false]);
  });

  test("does not settle the status of a container that came while it was under way", () => {
    const { core, say, request } = listing();
    core.ledger.readRuns();
    const running = (id: string, restartCount: number) => {
      const state = { running: { startedAt: { seconds: 10n } } };
      const containerStatuses = [{ name: "main", containerID: `containerd://${id}`, restartCount, state }];
      const status = { phase: "Running", containerStatuses };
      return toBinary(PodSchema, create(PodSchema, { metadata: { uid: "a", name: "a" }, status }));
    };
    say({ type: "MODIFIED", pod: running("x", 0) });
    core.listed([running("x", 0), pod("b")], 100_002);
    request(200_000);
    say({ type: "MODIFIED", pod: running("y", 1) }, 200_001);
    const settledBy = (effects: readonly Effect[]) =>
      effects.flatMap((effect) => (effect.type === "listed" ? effect.settled : [])).length;
    assert.equal(settledBy(core.listed([running("y", 1), pod("b")], 200_002)), 0);
    request(300_000);
    assert.equal(settledBy(core.listed([running("y", 1), pod("b")], 300_001)), 1);
  });

  test("of another process changes nothing, and the next stream is opened", () => {
    const { core } = listing();
    const other = (uid: string) =>
      encode({ uid, version: 9, failed: false, finished: false, isStatic: false, created: 1 }, 2);
    const effects = core.listed([other("a")], 100_002);
    assert.deepEqual(types(effects), ["close", "quiet", "timer", "open", "quiet"]);
    assert.deepEqual([core.ledger.count(true), core.ledger.get("b")?.unconfirmed], [2, undefined]);
  });

  describe("is followed by one more after two seconds", () => {
    const status = (uid: string, phase: string) =>
      toBinary(
        PodSchema,
        create(PodSchema, { metadata: { uid, name: uid }, status: { phase, containerStatuses: [{ name: "main" }] } }),
      );

    test("if the last event of a pod differs from it", () => {
      const { core, say } = listing();
      say({ type: "MODIFIED", pod: status("a", "Running") });
      assert.equal(timerOf(core.listed([status("a", "Pending"), pod("b")], 100_002)), 2_000);
    });

    test("if it lacks a pod that the stream has added", () => {
      const { core, say } = listing();
      say(added("c"));
      assert.equal(timerOf(core.listed([pod("a"), pod("b")], 100_002)), 2_000);
    });

    test("if an event differs from it within two seconds, and not later", () => {
      for (const [afterMs, inMs] of [
        [2_000, 2_000],
        [2_001, undefined],
      ] as const) {
        const { core, say } = listing();
        core.listed([pod("a"), pod("b")], 100_002);
        assert.equal(timerOf(say({ type: "MODIFIED", pod: status("a", "Running") }, 100_002 + afterMs)), inMs);
      }
    });

    test("and by none if events and list agree", () => {
      const { core, say } = listing();
      say(changed("a", 2));
      assert.equal(timerOf(core.listed([pod("a", 2), pod("b")], 100_002)), 100_000);
    });
  });

  test("shows a wedged stream: two lists with news of running pods, ten seconds apart, without an event in between", () => {
    const running = (uid: string, startedSeconds: bigint) => {
      const state = { running: { startedAt: { seconds: startedSeconds } } };
      const containerStatuses = [{ name: "main", state }];
      return toBinary(
        PodSchema,
        create(PodSchema, { metadata: { uid, name: uid }, status: { phase: "Running", containerStatuses } }),
      );
    };
    for (const [event, isWedged] of [
      [undefined, true],
      [changed("b", 2), false],
    ] as const) {
      const { core, say, request } = listing();
      assert.ok(!types(core.listed([running("a", 1n), pod("b")], 100_002)).includes("wedged"));
      if (event !== undefined) say(event, 109_000);
      request(200_000);
      const effects = core.listed([running("a", 2n), pod("b", event && 2)], 200_001);
      assert.deepEqual(
        [types(effects).includes("wedged"), timerOf(effects)],
        isWedged ? [true, 500] : [false, 100_000],
      );
    }
  });
});
