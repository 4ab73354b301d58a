// Containers of a pod as rows, and the lives that their statuses tell of.

import assert from "node:assert/strict";
import { containerOf, containersOf, fromKubernetesJson, type Pod, type PodJson } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { test } from "../helpers/test.js";

const ID = (digit: string) => digit.repeat(64);

const podOf = (spec: PodJson["spec"], status: PodJson["status"]): Pod => fromKubernetesJson({ spec, status });

test("containersOf joins spec and status of every kind of container by name", () => {
  const running = (name: string, digit: string) => ({
    name,
    image: "image",
    imageID: "image-id",
    ready: true,
    restartCount: 0,
    containerID: `containerd://${ID(digit)}`,
    state: { running: { startedAt: "2026-11-22T10:00:00Z" } },
  });
  const pod = podOf(
    {
      initContainers: [{ name: "setup" }, { name: "proxy", restartPolicy: "Always" }],
      containers: [{ name: "b", image: "spec-b" }, { name: "a" }, { name: "new" }],
      ephemeralContainers: [{ name: "debug" }],
    },
    {
      initContainerStatuses: [running("proxy", "1"), running("setup", "2")],
      containerStatuses: [running("a", "3"), running("b", "4"), running("old", "5")],
      ephemeralContainerStatuses: [running("debug", "6")],
    },
  );
  const rows = containersOf(pod).map(({ kind, name, run }) => `${kind} ${name} ${run?.containerID[0] ?? "-"}`);
  assert.deepEqual(rows, [
    "init setup 2",
    "sidecar proxy 1",
    "regular b 4",
    "regular a 3",
    "regular new -",
    "regular old 5",
    "ephemeral debug 6",
  ]);
  const b = containerOf(pod, "b");
  assert.deepEqual([b?.spec?.image, b?.status?.image, b?.state, b?.ready], ["spec-b", "image", "running", true]);
  assert.deepEqual(b?.run, {
    kind: "regular",
    name: "b",
    containerID: ID("4"),
    runtime: "containerd",
    image: "image",
    imageID: "image-id",
    restartCount: 0,
    startedAt: new Date("2026-11-22T10:00:00Z"),
    ended: false,
  });
  assert.equal(containerOf(pod, `containerd://${ID("6")}`)?.name, "debug");
  assert.equal(containerOf(pod, ID("1"))?.kind, "sidecar");
  assert.deepEqual(
    [containerOf(pod, ""), containerOf(pod, "containerd://"), containerOf(pod, "none")],
    [undefined, undefined, undefined],
  );
  for (const id of [ID("1").slice(0, 12), `containerd://${ID("1").slice(0, 13)}`])
    assert.throws(() => containerOf(pod, id), {
      code: "invalid-argument",
      message: /containerOf: the ID is truncated/,
    });
  const fresh = containerOf(pod, "new");
  assert.deepEqual([fresh?.state, fresh?.ready, fresh?.restartCount], [undefined, false, 0]);
});

test("containersOf derives state, run and exit from the container status", () => {
  const rowOf = (status: object) => {
    const [row] = containersOf(
      podOf({ containers: [{ name: "a" }] }, { containerStatuses: [{ name: "a", ...status }] } as never),
    );
    return row;
  };
  const ended = (digit: string, more: object = {}) => ({
    terminated: {
      exitCode: 137,
      signal: 0,
      reason: "OOMKilled",
      containerID: `containerd://${ID(digit)}`,
      startedAt: "2026-11-22T10:00:00Z",
      ...more,
    },
  });
  const id = (digit: string) => `containerd://${ID(digit)}`;
  const created = rowOf({ containerID: id("1"), state: { waiting: { reason: "ContainerCreating" } } });
  assert.deepEqual([created?.state, created?.run?.ended, created?.run?.startedAt], ["waiting", false, undefined]);
  const crashed = rowOf({
    containerID: id("1"),
    restartCount: 2,
    state: { waiting: { reason: "CrashLoopBackOff" } },
    lastState: ended("1"),
  });
  assert.deepEqual([crashed?.state, crashed?.run?.ended, crashed?.run?.restartCount], ["waiting", true, 2]);
  assert.equal(crashed?.lastExit?.reason, "OOMKilled");
  const over = rowOf({ containerID: id("1"), state: ended("1") });
  assert.deepEqual([over?.state, over?.exit?.exitCode, over?.exit?.signal], ["ended", 137, undefined]);
  const unstarted = rowOf({
    containerID: id("1"),
    state: ended("1", { startedAt: "1970-01-01T00:00:00Z", exitCode: 128, reason: "StartError" }),
  });
  assert.deepEqual([unstarted?.run?.startedAt, unstarted?.exit?.startedAt], [undefined, undefined]);
  assert.equal(rowOf({ state: { waiting: {} } })?.run, undefined);
  assert.equal(rowOf({})?.state, "waiting");
});

test("the sample node has containers of every kind", () => {
  const kinds = new Map<string, number>();
  for (const json of sampleNode()) {
    for (const { kind } of containersOf(fromKubernetesJson(json))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  assert.deepEqual([...kinds.keys()].sort(), ["ephemeral", "init", "regular", "sidecar"]);
});
