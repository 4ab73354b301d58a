// Ends of containers around a deletion while the clock of the node and the clock of the API server differ, through the public face.

import assert from "node:assert/strict";
import type { PodJson } from "../../src/index.js";
import { bytesOf, ScriptedNode } from "../helpers/scripted-node.js";
import { type TestContext, test } from "../helpers/test.js";

const GRACE_S = 30;
const isoOf = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

interface Shown {
  /** When the API server began to delete the pod, by its own clock. */
  readonly deletedMs?: number | undefined;
  /** When the container exited, by the clock of the node. */
  readonly exitedMs?: number;
  readonly exitCode?: number;
}

function podOf({ deletedMs, exitedMs, exitCode = 143 }: Shown = {}): Uint8Array {
  const containerID = `containerd://${"a".repeat(64)}`;
  const state =
    exitedMs === undefined
      ? { running: { startedAt: "2020-01-01T00:00:00Z" } }
      : {
          terminated: {
            exitCode,
            containerID,
            startedAt: "2020-01-01T00:00:00Z",
            finishedAt: isoOf(exitedMs),
          },
        };
  return bytesOf({
    metadata: {
      uid: "u",
      name: "web",
      namespace: "ns",
      creationTimestamp: "2020-01-01T00:00:00Z",
      ...(deletedMs !== undefined && {
        deletionTimestamp: isoOf(deletedMs + 1_000 * GRACE_S),
        deletionGracePeriodSeconds: GRACE_S,
      }),
      annotations: { "kubernetes.io/config.source": "api", "kubernetes.io/config.seen": "2020-01-01T00:00:00Z" },
    },
    spec: { containers: [{ name: "main" }], restartPolicy: "Never", terminationGracePeriodSeconds: GRACE_S },
    status: {
      phase: exitedMs === undefined ? "Running" : "Failed",
      containerStatuses: [{ name: "main", containerID, state }],
    },
  } as unknown as PodJson);
}

/** A node with a running container, and the reasons of the ends of the container and its pod. */
async function start(t: TestContext): Promise<{ node: ScriptedNode; reasons: () => (string | undefined)[] }> {
  const node = new ScriptedNode(t);
  node.pods = [podOf()];
  const informer = node.client.informer({ retainMs: 60_000 });
  const ended: string[] = [];
  const read = async () => {
    for await (const event of node.client.watchContainers()) if (event.type === "ENDED") ended.push(event.end.reason);
  };
  read().catch(() => {}); // the client was closed
  await node.clock.advance(30_000);
  return { node, reasons: () => [...ended, informer.find({ uid: "u" }).gone?.end?.reason] };
}

for (const offsetMs of [-3_600_000, -5_000, -2_000, 0, 5_000, 3_600_000]) {
  test(`a container that a deletion ends is deleted, on a node whose clock is ${offsetMs / 1_000} s apart`, async (t) => {
    const { node, reasons } = await start(t);
    const deletedMs = node.clock.wallMs() - offsetMs;
    await node.send("MODIFIED", podOf({ deletedMs }));
    await node.clock.advance(1_000);
    await node.send("MODIFIED", podOf({ deletedMs, exitedMs: node.clock.wallMs() }));
    await node.send("DELETED", podOf({ deletedMs, exitedMs: node.clock.wallMs() }));
    assert.deepEqual(reasons(), ["deleted", "deleted"]);
  });

  test(`a container that exits before a deletion has exited, on a node whose clock is ${offsetMs / 1_000} s apart`, async (t) => {
    const { node, reasons } = await start(t);
    const exit = { exitedMs: node.clock.wallMs(), exitCode: 3 };
    await node.send("MODIFIED", podOf(exit));
    await node.clock.advance(2_000);
    const deletedMs = node.clock.wallMs() - offsetMs;
    await node.send("MODIFIED", podOf({ ...exit, deletedMs }));
    await node.send("DELETED", podOf({ ...exit, deletedMs }));
    assert.deepEqual(reasons(), ["exited", "exited"]);
  });
}

test("a container that a deletion ends is deleted, although the clock is set back meanwhile", async (t) => {
  const { node, reasons } = await start(t);
  const deletedMs = node.clock.wallMs();
  await node.send("MODIFIED", podOf({ deletedMs }));
  await node.clock.advance(5_000);
  node.clock.set(-60_000);
  await node.clock.advance(1_000);
  await node.send("MODIFIED", podOf({ deletedMs, exitedMs: node.clock.wallMs() }));
  await node.send("DELETED", podOf({ deletedMs, exitedMs: node.clock.wallMs() }));
  assert.deepEqual(reasons(), ["deleted", "deleted"]);
});

test("an exit within a second before the deletion that is shown after it has exited, by its time", async (t) => {
  const { node, reasons } = await start(t);
  const exitedMs = node.clock.wallMs() - 1_000;
  const deletedMs = node.clock.wallMs();
  await node.send("MODIFIED", podOf({ deletedMs }));
  await node.send("MODIFIED", podOf({ deletedMs, exitedMs, exitCode: 3 }));
  await node.send("DELETED", podOf({ deletedMs, exitedMs, exitCode: 3 }));
  assert.deepEqual(reasons(), ["exited", "exited"]);
});

test("a static pod that is put back after the clock was set back starts its containers again", async (t) => {
  const node = new ScriptedNode(t);
  const podAt = (ms: number, id: string, isRunning = true) =>
    bytesOf({
      metadata: {
        uid: "s",
        name: "static",
        namespace: "ns",
        annotations: {
          "kubernetes.io/config.source": "file",
          "kubernetes.io/config.seen": new Date(ms).toISOString(),
        },
      },
      spec: { containers: [{ name: "main" }], terminationGracePeriodSeconds: 1 },
      status: {
        phase: "Running",
        containerStatuses: [
          {
            name: "main",
            containerID: `containerd://${id}`,
            state: isRunning
              ? { running: { startedAt: isoOf(ms) } }
              : {
                  terminated: {
                    exitCode: 0,
                    containerID: `containerd://${id}`,
                    startedAt: isoOf(ms),
                    finishedAt: isoOf(ms),
                  },
                },
          },
        ],
      },
    } as unknown as PodJson);
  const startMs = node.clock.wallMs();
  node.pods = [podAt(startMs, "first")];
  const events: string[] = [];
  const read = async () => {
    for await (const event of node.client.watchContainers())
      if (event.type === "STARTED" || event.type === "ENDED")
        events.push(`${event.type} ${event.container.containerID}`);
  };
  read().catch(() => {}); // the client was closed
  await node.clock.advance(20_000);
  await node.send("MODIFIED", podAt(startMs, "first", false));
  await node.send("DELETED", podAt(startMs, "first", false));
  node.clock.set(-3_600_000);
  await node.clock.advance(5_000);
  const againMs = node.clock.wallMs();
  await node.send("ADDED", podAt(againMs, "second"));
  await node.clock.advance(1_000);
  await node.send("MODIFIED", podAt(againMs, "second", false));
  await node.send("DELETED", podAt(againMs, "second", false));
  assert.deepEqual(events, ["STARTED first", "ENDED first", "STARTED second", "ENDED second"]);
});
