// Waiting for what the kubelet has yet to tell: when it resolves, with what it rejects, and that nothing is left behind.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { type Found, type Pod, PodsError } from "../../src/index.js";
import { MAX_WAITERS } from "../../src/lookup/waiters.js";
import { PodWatch } from "../../src/readers/pod-watch.js";
import type { SourceEvent } from "../../src/sources/pod-source.js";
import { CONNECTED, gone, make, put, SYNCED } from "../helpers/scripted-informer.js";
import { test } from "../helpers/test.js";
import { settle } from "../helpers/virtual-clock.js";
import { versionOf } from "./node.js";

const ID = "a".repeat(64);

const uidOf = (found: Found<Pod>) => found.pod.metadata.uid;

test("waitFor() resolves when the kubelet reports the key, or at once if it is known", async () => {
  const { informer, say } = make();
  await say(CONNECTED, put({ uid: "x" }), SYNCED);
  const waits = [
    { uid: "a" },
    { containerID: `containerd://${ID}` },
    { namespace: "ns", name: "a" },
    { ip: "::ffff:10.0.0.1" },
  ];
  const found = Promise.all(waits.map((key) => informer.waitFor(key)));
  await settle();
  assert.equal(informer.state.waiting, 4);
  await say(put({ uid: "b", ip: "10.0.0.2" }));
  assert.equal(informer.state.waiting, 4);
  await say(put({ uid: "a", ip: "10.0.0.1", id: ID }));
  assert.equal(informer.state.waiting, 0);
  assert.deepEqual((await found).map(uidOf), ["a", "a", "a", "a"]);
  assert.equal((await informer.waitFor({ uid: "a", containerID: ID })).container?.name, "main");
  await informer.close();
});

test("waitFor() waits for SYNCED, but resolves known UIDs and container IDs while stale", async () => {
  const { informer, clock, say } = make();
  const first = informer.waitFor({ uid: "a" });
  await say(CONNECTED, put({ uid: "a", ip: "10.0.0.1", id: ID }));
  assert.equal(informer.state.waiting, 1);
  await say(SYNCED);
  assert.equal(uidOf(await first), "a");
  await say(new PodsError({ code: "connection-lost", message: "test" }));
  assert.equal(informer.state.phase, "stale");
  assert.equal(uidOf(await informer.waitFor({ uid: "a" })), "a");
  assert.equal(uidOf(await informer.waitFor({ containerID: ID })), "a");
  const later = informer.waitFor({ ip: "10.0.0.1" });
  await settle();
  assert.equal(informer.state.waiting, 1);
  await clock.advance(60_000);
  await say(CONNECTED, put({ uid: "a", ip: "10.0.0.1", id: ID }), SYNCED);
  assert.equal(uidOf(await later), "a");
  await informer.close();
});

test("waitFor() skips the previous owner of an address unless `at` lies in its time", async () => {
  const { informer, clock, say } = make({ retainMs: 60_000 });
  await say(CONNECTED, put({ uid: "a", ip: "10.0.0.1", created: 1 }), SYNCED);
  await clock.advance(60_000);
  await say(put({ uid: "a", ip: "10.0.0.1", terminating: true }));
  const next = informer.waitFor({ ip: "10.0.0.1" });
  const then = clock.wallMs();
  await clock.advance(1_000);
  await say(gone("a"));
  assert.equal(informer.state.waiting, 1);
  assert.equal(uidOf(await informer.waitFor({ ip: "10.0.0.1" }, { at: then - 10_000 })), "a");
  assert.equal((await informer.waitFor({ uid: "a" })).gone?.cause, "finished");
  await say(put({ uid: "b", ip: "10.0.0.1", created: 2 }));
  assert.equal(uidOf(await next), "b");
  await informer.close();
});

test("`until` runs on each change of the pod, and the wait rejects with its error", async () => {
  const { informer, say } = make();
  await say(CONNECTED, put({ uid: "a" }), SYNCED);
  let asked = 0;
  const until = (found: Found<Pod>) => {
    asked++;
    return found.container !== undefined;
  };
  const container = informer.waitFor({ uid: "a", containerID: ID }, { until });
  await say(put({ uid: "b" }), put({ uid: "a", labels: { x: "1" } }));
  assert.equal(asked, 2);
  await say(put({ uid: "a", id: ID }));
  assert.equal((await container).container?.containerID, ID);
  const throws = informer.waitFor({ uid: "c" }, { until: () => assert.fail("no") });
  const others = informer.waitFor({ uid: "c" });
  throws.catch(() => {});
  await say(put({ uid: "c" }));
  await assert.rejects(throws, /no/);
  assert.equal(uidOf(await others), "c");
  assert.equal(informer.state.waiting, 0);
  await informer.close();
});

test("each wait times out on its own, and the error gives the informer's phase", async () => {
  const { informer, clock, say } = make();
  await say(CONNECTED, put({ uid: "a" }), SYNCED);
  const { timers } = clock;
  const told: string[] = [];
  const wait = (timeoutMs: number) =>
    informer.waitFor({ uid: "nobody" }, { timeoutMs }).catch((error: PodsError) => {
      assert.equal(error.code, "deadline");
      assert.equal(error.stack?.includes("    at "), false, "there may be thousands a second");
      told.push(`${timeoutMs}: ${error.rawMessage}`);
    });
  const waits = [wait(3_000), wait(1_000), wait(3_000), wait(2_000)];
  await settle();
  assert.equal(clock.timers, timers + 4);
  await clock.advance(1_500);
  assert.deepEqual(told, ["1000: nothing found within 1000 ms; the informer is synced"]);
  await clock.advance(2_000);
  await Promise.all(waits);
  assert.deepEqual(
    told.map((each) => each.split(":")[0]),
    ["1000", "2000", "3000", "3000"],
  );
  assert.equal(clock.timers, timers);
  await say(new PodsError({ code: "connection-lost", message: "test" }));
  const stale = informer.waitFor({ uid: "nobody" }, { timeoutMs: 10 });
  stale.catch(() => {});
  await clock.advance(10);
  await assert.rejects(stale, /the informer is stale \(connection-lost\)/);
  await informer.close();
});

test("10,000 waits, half of them aborted, settle once and leave no timers or listeners", async () => {
  const { informer, clock, say } = make();
  await say(CONNECTED, SYNCED);
  const { timers } = clock;
  const controller = new AbortController();
  let asked = 0;
  const until = () => {
    asked++;
    return true;
  };
  const reason = new Error("enough");
  const waits = Array.from({ length: 10_000 }, (_, i) =>
    informer.waitFor(
      { ip: "10.0.0.1" },
      { timeoutMs: 60_000, until, ...(i % 2 === 0 && { signal: controller.signal }) },
    ),
  );
  const settled = Promise.allSettled(waits);
  await settle();
  assert.equal(informer.state.waiting, 10_000);
  controller.abort(reason);
  await settle();
  assert.deepEqual([informer.state.waiting, getEventListeners(controller.signal, "abort").length], [5_000, 0]);
  await say(put({ uid: "a", ip: "10.0.0.1" }), put({ uid: "a", ip: "10.0.0.1", labels: { x: "1" } }));
  const results = await settled;
  assert.equal(asked, 5_000);
  assert.equal(results.filter((each) => each.status === "rejected" && each.reason === reason).length, 5_000);
  assert.equal(results.filter((each) => each.status === "fulfilled" && uidOf(each.value) === "a").length, 5_000);
  assert.deepEqual([informer.state.waiting, clock.timers], [0, timers]);
  await informer.close();
});

test("rejects waits beyond the limit while the others continue", async () => {
  const { informer, say } = make();
  await say(CONNECTED, SYNCED);
  const waits = Array.from({ length: MAX_WAITERS }, (_, i) => informer.waitFor({ uid: `p${i}` }));
  const settled = Promise.allSettled(waits);
  await assert.rejects(informer.waitFor({ uid: "more" }), { code: "overloaded", retryable: true });
  await say(put({ uid: "p7" }));
  assert.equal(uidOf(await (waits[7] as Promise<Found<Pod>>)), "p7");
  await informer.close();
  const results = await settled;
  assert.equal(
    results.filter((each) => each.status === "rejected" && each.reason.code === "closed").length,
    MAX_WAITERS - 1,
  );
  assert.equal(informer.state.waiting, 0);
});

test("rejects invalid keys, invalid options, and unknown keys on a closed informer", async () => {
  const { informer, say } = make();
  await say(CONNECTED, put({ uid: "a" }), SYNCED);
  for (const key of [{}, { ip: "010.0.0.1" }, { uid: "" }]) {
    await assert.rejects(informer.waitFor(key as never), {
      code: "invalid-argument",
      message: /pass uid, containerID, namespace and name, or ip/,
    });
  }
  const wrong = [
    { at: "now" },
    { at: Number.NaN },
    { at: new Date("x") },
    { until: 1 },
    { timeoutMs: -1 },
    { whatever: 1 },
  ];
  for (const options of wrong) {
    await assert.rejects(informer.waitFor({ uid: "b" }, options as never), { code: "invalid-argument" });
  }
  assert.throws(() => informer.find({ uid: "a" }, { at: "now" } as never), {
    message: /at must be a Date, milliseconds/,
  });
  await assert.rejects(
    informer.waitFor({ uid: "b" }, { signal: AbortSignal.abort("why") }),
    (reason) => reason === "why",
  );
  await informer.close();
  assert.equal(uidOf(await informer.waitFor({ uid: "a" })), "a", "what was known last");
  await assert.rejects(informer.waitFor({ uid: "b" }), { code: "closed" });
});

test("retained pods expire by one timer, and closing the last informer drops the index", async () => {
  const { informer, clock, upstream, say } = make({ retainMs: 10_000 });
  await say(CONNECTED, put({ uid: "a", ip: "10.0.0.1" }), put({ uid: "b" }), SYNCED);
  const { timers } = clock;
  const { retention } = upstream.index.index;
  // Objects stay listed when a pod has finished: a static pod that goes leaves the lists.
  await say({ type: "DELETED", pod: versionOf({ uid: "a", created: 1 }).bytes });
  assert.equal(informer.find({ uid: "a" })?.gone?.cause, "finished");
  assert.deepEqual([retention.size, clock.timers], [1, timers + 1]);
  await clock.advance(11_000);
  assert.equal(informer.find({ uid: "a" }).pod, undefined);
  assert.equal(clock.timers, timers);
  assert.equal(retention.size, 0);
  await informer.close();
  assert.equal(upstream.index.index.entry("b"), undefined, "there is no index where there is no informer");
});

test("a wait for an end resolves even if the pod no longer has the key", async () => {
  const { informer, say } = make({ retainMs: 60_000 });
  const [X, Y, Z] = ["1", "2", "3"].map((digit) => digit.repeat(64)) as [string, string, string];
  await say(CONNECTED, put({ uid: "a", ip: "10.0.0.1", id: X }), SYNCED);
  const ended = informer.waitFor({ containerID: X }, { until: ({ container }) => container?.ended === true });
  await say(put({ uid: "a", ip: "10.0.0.1", id: Z, lastID: Y, restartCount: 2 }));
  assert.equal((await ended).container?.restartCount, 0);
  const gone = informer.waitFor(
    { ip: "10.0.0.1" },
    { at: 0 + Date.UTC(2026, 0), until: (found) => found.gone !== undefined },
  );
  await say(put({ uid: "a", ip: "10.0.0.1", id: Z, phase: "Succeeded" }));
  assert.equal(informer.state.waiting, 1);
  await say({ type: "DELETED", pod: versionOf({ uid: "a", created: 1 }).bytes });
  assert.equal(uidOf(await gone), "a");
  await informer.close();
});

test("a wait for a key that its pod lost twice resolves after the first loss expired", async () => {
  const { informer, clock, say } = make({ retainMs: 60_000 });
  const [X, Y] = ["1", "2"].map((digit) => digit.repeat(64)) as [string, string];
  await say(CONNECTED, put({ uid: "a", id: X }), SYNCED);
  await say(put({ uid: "a", id: Y }), put({ uid: "a", id: X }));
  await clock.advance(40_000);
  await say(put({ uid: "a", id: Y }));
  await clock.advance(30_000); // the first loss is forgotten
  const gone = informer.waitFor({ containerID: X }, { until: (found) => found.gone !== undefined });
  await say({ type: "DELETED", pod: versionOf({ uid: "a", created: 1 }).bytes });
  assert.equal(informer.state.waiting, 0);
  assert.equal(uidOf(await gone), "a");
  await informer.close();
});

test("a container that returns to the status of its pod stays findable", async () => {
  const { informer, clock, say } = make({ retainMs: 60_000 });
  const [X, Y] = ["1", "2"].map((digit) => digit.repeat(64)) as [string, string];
  await say(CONNECTED, put({ uid: "a", id: X }), SYNCED);
  await say(put({ uid: "a", id: Y }), put({ uid: "a", id: X }));
  await clock.advance(90_000);
  assert.equal(informer.get({ containerID: X })?.metadata?.uid, "a");
  assert.equal(informer.find({ containerID: X })?.container?.ended, false);
  assert.ok(Object.isFrozen(informer.find({ containerID: X }).container));
  await informer.close();
});

test("an answer for a past time keeps its confidence over planned resyncs", async () => {
  const { informer, clock, upstream, say } = make({ resyncIntervalMs: 60_000 });
  const ip = "10.0.0.1";
  await say({ ...CONNECTED, connection: "1" }, put({ uid: "a", ip }), SYNCED);
  const at = clock.wallMs() + 20_000;
  await clock.advance(90_000);
  assert.equal(upstream.state.phase, "opening");
  await say({ ...CONNECTED, connection: "1" }, put({ uid: "a", ip }), SYNCED);
  await clock.advance(30_000);
  assert.equal(informer.find({ ip }, { at }).confidence, "reported");
  assert.equal(informer.find({ ip }, { at: clock.wallMs() - 10_000 }).confidence, "reported");
  await informer.close();
});

test("the shared answer before the first list is frozen", async () => {
  const { informer, say } = make();
  assert.ok(Object.isFrozen(informer.find({ uid: "a" })));
  await say(CONNECTED, put({ uid: "a" }), SYNCED);
  assert.equal(informer.find({ uid: "a" }).pod?.metadata.uid, "a");
  await informer.close();
});

test("aborting the signal within `until` rejects the wait", async () => {
  const { informer, say } = make();
  await say(CONNECTED, put({ uid: "a" }), SYNCED);
  const controller = new AbortController();
  const until = () => {
    controller.abort("now");
    return undefined as never;
  };
  await assert.rejects(
    informer.waitFor({ uid: "a" }, { signal: controller.signal, until }),
    (reason) => reason === "now",
  );
  assert.equal(informer.state.waiting, 0);
  await informer.close();
});

test("an informer that starts late or in an outage is uncertain about earlier times", async () => {
  const { informer, another, clock, host, say } = make();
  const ip = "10.0.0.1";
  const watch = new PodWatch<Pod>(host, { includeFinished: false, signal: undefined, resyncIntervalMs: 3_600_000 });
  void watch.next(); // keeps the stream without an informer
  await informer.close();
  await say(CONNECTED, put({ uid: "a", ip }), SYNCED);
  await clock.advance(60_000);
  const late = another();
  assert.deepEqual(
    [late.find({ ip }).confidence, late.find({ ip }, { at: clock.wallMs() - 30_000 }).confidence],
    ["likely", "uncertain"],
  );
  await clock.advance(60_000);
  assert.equal(late.find({ ip }, { at: clock.wallMs() - 30_000 }).confidence, "reported");
  await late.close();
  await say(new PodsError({ code: "connection-lost", message: "test" }));
  const inOutage = another();
  assert.equal(inOutage.find({ ip }).reason, "outage");
  const then = clock.wallMs() + 60_000;
  await clock.advance(120_000);
  await say(CONNECTED, put({ uid: "a", ip }), SYNCED);
  await clock.advance(60_000);
  assert.equal(inOutage.find({ ip }, { at: then }).reason, "before-start");
  assert.equal(inOutage.find({ ip }, { at: clock.wallMs() - 30_000 }).confidence, "reported");
  await inOutage.close();
  await watch.return();
});

test("accepts each form of `at`, and names the unit of a time in a wrong one", async () => {
  const { informer, clock, say } = make();
  const ip = "10.0.0.1";
  await say({ ...CONNECTED, connection: "1" }, put({ uid: "a", ip }), SYNCED);
  await clock.advance(60_000);
  const [ms, wallMs] = [clock.now() - 30_000, clock.wallMs() - 30_000];
  const ns = BigInt(Math.round(wallMs)) * 1_000_000n;
  for (const at of [wallMs, new Date(wallMs), ns, { monotonicNs: BigInt(Math.round(ms * 1e6)) }])
    assert.equal(informer.find({ ip }, { at }).confidence, "reported");
  for (const [factor, unit] of [
    [1e-3, "seconds"],
    [1e3, "microseconds"],
    [1e6, "nanoseconds"],
  ] as const) {
    const wrong = { at: wallMs * factor };
    assert.throws(() => informer.find({ ip }, wrong), {
      code: "invalid-argument",
      message: new RegExp(` is in ${unit}`),
    });
    await assert.rejects(informer.waitFor({ ip }, wrong), { code: "invalid-argument" });
  }
  for (const at of [5, -5, BigInt(Date.now()), clock.now(), new Date(0)])
    assert.throws(() => informer.find({ ip }, { at }), {
      code: "invalid-argument",
      message: /given as \{ monotonicNs \}$/,
    });
  assert.equal(informer.find({ ip }, { at: Date.UTC(2015, 0) }).reason, "before-start");
  clock.set(-clock.wallMs());
  assert.equal(
    informer.find({ ip }, { at: 5 }).reason,
    "before-start",
    "of a machine that does not know what time it is",
  );
  await informer.close();
});

test("a time of day from before a clock change is converted with the offset of that time", async () => {
  const { informer, clock, say } = make();
  const ip = "10.0.0.1";
  await say({ ...CONNECTED, connection: "1" }, SYNCED);
  await clock.advance(30_000);
  await say(put({ uid: "a", ip }));
  await clock.advance(30_000);
  const before = clock.wallMs() - 45_000;
  assert.equal(informer.find({ ip }, { at: before }).pod, undefined);
  clock.set(20_000);
  await clock.advance(30_000);
  assert.equal(informer.find({ ip }, { at: before }).pod, undefined, "not ten seconds later, when it was told");
  clock.set(-50_000);
  await clock.advance(30_000);
  assert.equal(informer.find({ ip }, { at: clock.wallMs() - 20_000 }).reason, "clock");
  await informer.close();
});

test("closing the informer within `until` leaves no timers", async () => {
  const { informer, clock, say } = make({ resyncIntervalMs: 60_000 });
  await say(CONNECTED, put({ uid: "a" }), SYNCED);
  const found = informer.waitFor({ uid: "b" }, { until: () => void informer.close() as never });
  const ended = assert.rejects(found, { code: "closed" });
  await clock.advance(90_000);
  await say(CONNECTED, put({ uid: "a" }), put({ uid: "b" }), SYNCED);
  await ended;
  assert.equal(clock.timers, 0);
});

test("a wait for a name resolves when an unconfirmed pod is confirmed unchanged", async () => {
  const { informer, clock, say } = make();
  const ANOTHER: SourceEvent = { type: "CONNECTED", server: "2", connection: "2", lists: "contract" };
  const stamped = (seen: string) => [put({ uid: "x", seen }), put({ uid: "a", ip: "10.0.0.1", seen })] as const;
  await say(CONNECTED, ...stamped("2026-01-01T00:00:00Z"), SYNCED);
  await say(new PodsError({ code: "connection-lost", message: "test" }));
  await clock.advance(5_000);
  await say(ANOTHER, stamped("2026-01-02T00:00:00Z")[0], SYNCED);
  assert.equal(informer.state.unconfirmed.count, 1);
  const found = informer.waitFor({ namespace: "ns", name: "a" });
  await settle();
  assert.equal(informer.state.waiting, 1);
  // The next list has it as it was: no change is made of it.
  await clock.advance(2_500);
  await say(
    ANOTHER,
    stamped("2026-01-02T00:00:00Z")[0],
    put({ uid: "a", ip: "10.0.0.1", seen: "2026-01-01T00:00:00Z" }),
    SYNCED,
  );
  assert.equal(uidOf(await found), "a");
  await informer.close();
});
