// What a client decides about lists that fail, sources that return, and static pods that run again, through the public face.

import assert from "node:assert/strict";
import type { PodJson } from "../../src/index.js";
import { bytesOf, eventsOf, ScriptedNode } from "../helpers/scripted-node.js";
import { type TestContext, test } from "../helpers/test.js";

interface Given {
  readonly source?: "api" | "file";
  readonly seen?: string;
  readonly phase?: string;
  readonly ended?: boolean;
  readonly version?: string;
  readonly created?: string;
}

function podOf(
  uid: string,
  { source = "api", seen = SEEN, phase = "Running", ended = false, version = "1", created = SEEN }: Given = {},
) {
  const state = ended ? { terminated: { exitCode: 0, containerID: "containerd://1" } } : { running: {} };
  return bytesOf({
    metadata: {
      uid,
      name: `name-${uid}`,
      namespace: "ns",
      labels: { version },
      ...(source === "api" && { creationTimestamp: created }),
      annotations: { "kubernetes.io/config.source": source, "kubernetes.io/config.seen": seen },
    },
    spec: { containers: [], terminationGracePeriodSeconds: 1 },
    status: { phase, containerStatuses: [{ name: "c", containerID: "containerd://1", state }] },
  } as unknown as PodJson);
}

const SEEN = "2026-01-01T00:00:00Z";
/** Its metadata is whole, and what follows is cut off. */
const broken = (pod: Uint8Array) => Uint8Array.from([...pod, 0x1a, 200]);

for (const [what, shown] of [
  ["readable", podOf("u")],
  ["unreadable", broken(podOf("u"))],
] as const)
  test(`a stream that shows a pod as ${what} and fails before SYNCED does not change which pods are unreadable`, async (t) => {
    const node = new ScriptedNode(t);
    const isBroken = what === "readable";
    node.pods = [isBroken ? broken(podOf("u")) : podOf("u"), podOf("o")];
    const informer = node.client.informer();
    await node.clock.advance(1_000);
    const before = [...informer.state.unreadable];
    assert.deepEqual(before, isBroken ? ["u"] : []);
    node.pods = [shown, podOf("o")];
    node.failsNext = true;
    let during: string[] | undefined;
    node.onFailure = () => {
      during = [...informer.state.unreadable];
    };
    await node.drop();
    assert.deepEqual(during, before);
    node.pods = [podOf("o")];
    await node.clock.advance(5_000);
    const absent = informer.confirmAbsent(["u"], { timeoutMs: 2_000 });
    await node.clock.advance(6_000);
    assert.deepEqual(await absent, [], isBroken ? "it may still run" : "its containers may still run");
  });

test("a source counts as missing only if the list has no pod of it, known before or not", async (t) => {
  const node = new ScriptedNode(t);
  node.lists = undefined;
  node.pods = [podOf("old"), podOf("static", { source: "file" })];
  const events = eventsOf(node);
  await node.clock.advance(1_000);
  const seen = "2026-01-01T01:00:00Z";
  await node.restart([podOf("new", { seen }), podOf("static", { source: "file", seen })]);
  await node.clock.advance(40_000);
  assert.deepEqual(events.slice(3), [
    "1.0 s DISCONNECTED connection-lost",
    "1.1 s ADDED new",
    "1.1 s SYNCED 3 1 absent",
    "17.1 s DELETED old missing",
    "17.1 s SYNCED 2 0 ",
  ]);
});

/** Events of a static pod that has ended and runs again under its old stamp, as `again` shows it. */
async function runsAgain(t: TestContext, again: (node: ScriptedNode, pod: Uint8Array) => Promise<void>) {
  const node = new ScriptedNode(t);
  const pod = (version: string, more: Given = {}) => podOf("s", { source: "file", version, ...more });
  node.pods = [pod("1"), podOf("o")];
  const events = eventsOf(node);
  await node.clock.advance(1_000);
  const ended = pod("2", { phase: "Failed", ended: true });
  node.pods = [ended, podOf("o")];
  await node.send("MODIFIED", ended);
  await node.send("DELETED", ended);
  await node.clock.advance(1_000);
  const first = events.length;
  await again(node, pod("3"));
  await node.send("MODIFIED", pod("4"));
  node.pods = [pod("4"), podOf("o")];
  await node.clock.advance(300_000);
  return events.slice(first);
}

test("events follow the ADDED of a static pod that a list shows running again under its old stamp", async (t) => {
  const events = await runsAgain(t, async (node, pod) => {
    node.pods = [pod, podOf("o")];
    await node.clock.advance(130_000);
  });
  assert.deepEqual(events, ["120.0 s ADDED s", "132.0 s MODIFIED s"]);
});

test("an event that shows an ended static pod running under its old stamp is late", async (t) => {
  const events = await runsAgain(t, (node, pod) => node.send("MODIFIED", pod));
  assert.deepEqual(events, ["120.0 s ADDED s"]);
});

test("a static pod that is sent as new just before DELETED keeps its end", async (t) => {
  const node = new ScriptedNode(t);
  const pod = (more: Given = {}) => podOf("s", { source: "file", ...more });
  node.pods = [pod(), podOf("o")];
  const events = eventsOf(node);
  const informer = node.client.informer({ retainMs: 60_000 });
  await node.clock.advance(1_000);
  await node.send("MODIFIED", pod({ phase: "Failed", ended: true, version: "2" }));
  await node.send("MODIFIED", pod({ phase: "Pending", version: "3" }));
  await node.send("DELETED", pod());
  await node.clock.advance(1_000);
  assert.deepEqual(events.slice(3), ["1.0 s MODIFIED s", "1.0 s DELETED s finished"]);
  const { gone } = informer.find({ uid: "s" });
  assert.deepEqual([gone?.cause, gone?.end?.reason, gone?.end?.exitCode], ["finished", "exited", 0]);
});

test("an empty list does not prove that a kubelet with static pods only has run for ten seconds", async (t) => {
  const node = new ScriptedNode(t);
  node.lists = "static";
  const events = eventsOf(node);
  await node.clock.advance(1_000);
  node.pods = [podOf("s", { source: "file" })];
  await node.clock.advance(20_000);
  assert.deepEqual(events, ["0.0 s DISCONNECTED initializing", "2.0 s ADDED s", "10.0 s SYNCED 1 0 "]);
});

test("a node without pods is synced once its kubelet with static pods only has run for ten seconds", async (t) => {
  const node = new ScriptedNode(t);
  node.lists = "static";
  const events = eventsOf(node);
  await node.clock.advance(20_000);
  assert.deepEqual(events, ["0.0 s DISCONNECTED initializing", "10.0 s SYNCED 0 0 "]);
});

test("any two lists two seconds apart can prove that the kubelet has read its pods", async (t) => {
  const node = new ScriptedNode(t);
  node.lists = "partial";
  // Created before the first list, and read between the first list and the second.
  const late = podOf("late", { created: "2025-12-31T00:00:00Z" });
  node.pods = [podOf("a", { created: "2025-12-31T00:00:00Z" })];
  const events = eventsOf(node, {}, (type) => type === "SYNCED");
  await node.clock.advance(100);
  node.pods = [...node.pods, late];
  await node.drop();
  await node.clock.advance(30_000);
  assert.deepEqual(events, ["2.5 s SYNCED 2 0 "], `${node.requestsMs}`);
});

for (const [what, { id, startedAt, ip, seen = "2026-01-01T00:01:00.300Z" }, isNext] of [
  [
    "a new container that started after its stamp",
    { id: "2", startedAt: "2026-01-01T00:01:01Z", ip: "10.0.0.1" },
    true,
  ],
  [
    "a new container of its second, and another address",
    { id: "2", startedAt: "2026-01-01T00:01:00Z", ip: "10.0.0.2" },
    true,
  ],
  [
    "a new container of its second, and the same address",
    { id: "2", startedAt: "2026-01-01T00:01:00Z", ip: "10.0.0.1" },
    false,
  ],
  ["a new container that started before it", { id: "2", startedAt: "2026-01-01T00:00:59Z", ip: "10.0.0.2" }, false],
  ["the known container", { id: "1", startedAt: "2026-01-01T00:00:00Z", ip: "10.0.0.1" }, false],
  [
    "an earlier stamp",
    { id: "2", startedAt: "2026-01-01T00:01:01Z", ip: "10.0.0.2", seen: "2025-12-31T00:00:00Z" },
    false,
  ],
] as const satisfies readonly (readonly [string, Again, boolean])[]) {
  for (const by of ["list", "event"] as const)
    test(`a static pod under another stamp, with ${what}, is ${isNext ? "" : "not "}the next pod at once: ${by}`, async (t) => {
      const node = new ScriptedNode(t);
      node.pods = [staticPod({ id: "1", startedAt: "2026-01-01T00:00:00Z", ip: "10.0.0.1", seen: SEEN }), podOf("o")];
      const events = eventsOf(node);
      const informer = node.client.informer({ retainMs: 60_000 });
      await node.clock.advance(110_000);
      const count = events.length;
      const next = staticPod({ id, startedAt, ip, seen });
      node.pods = [next, podOf("o")];
      if (by === "event") await node.send("ADDED", next);
      else await node.clock.advance(15_000);
      const decided = events.slice(count).map((event) => event.split(" ").slice(2).join(" "));
      const changes = decided.filter((event) => !event.startsWith("SYNCED"));
      // An earlier stamp is that of the pod which is still terminating.
      const otherwise = seen < SEEN ? ["MODIFIED s"] : [];
      assert.deepEqual(changes, isNext ? ["DELETED s missing", "ADDED s"] : otherwise);
      if (isNext) assert.equal(informer.find({ containerID: id.repeat(64) }).pod?.metadata.uid, "s");
      if (isNext) assert.equal(informer.find({ ip }).pod?.metadata.uid, "s");
    });
}

interface Again {
  readonly id: string;
  readonly startedAt: string;
  readonly ip: string;
  readonly seen?: string;
}

function staticPod({ id, startedAt, ip, seen }: Again): Uint8Array {
  const state = { running: { startedAt } };
  return bytesOf({
    metadata: {
      uid: "s",
      name: "name-s",
      namespace: "ns",
      annotations: { "kubernetes.io/config.source": "file", "kubernetes.io/config.seen": seen },
    },
    spec: { containers: [{ name: "c" }], terminationGracePeriodSeconds: 300 },
    status: {
      phase: "Running",
      podIP: ip,
      podIPs: [{ ip }],
      containerStatuses: [{ name: "c", containerID: `containerd://${id.repeat(64)}`, state }],
    },
  } as unknown as PodJson);
}

test("an empty list after one with pods is that of another process, which may not have read them yet", async (t) => {
  const node = new ScriptedNode(t);
  node.lists = "static";
  node.pods = [podOf("s", { source: "file" })];
  const informer = node.client.informer();
  await node.clock.advance(60_000);
  await node.restart([]);
  await node.clock.advance(2_000);
  let answer: unknown;
  informer.confirmAbsent(["x"], { timeoutMs: 5_000 }).then(
    (uids) => {
      answer = uids;
    },
    ({ code }) => {
      answer = code;
    },
  );
  await node.clock.advance(6_000);
  assert.equal(answer, "initializing", "the list proves nothing");
});
