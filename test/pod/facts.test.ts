import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { newFacts } from "../../src/pod/facts.js";
import { test } from "../helpers/test.js";

function bytesOf(pod: MessageInitShape<typeof PodSchema>): Uint8Array {
  return toBinary(PodSchema, create(PodSchema, pod));
}

const main = { name: "main", containerID: "containerd://a", state: { running: {} } };

test("returns facts only if an address or a container differs", () => {
  const before = bytesOf({ metadata: { uid: "u" }, status: { podIP: "10.0.0.1", containerStatuses: [main] } });
  const relabelled = bytesOf({
    metadata: { uid: "u", labels: { app: "web" } },
    status: { podIP: "10.0.0.1", containerStatuses: [main] },
  });
  const moved = bytesOf({ metadata: { uid: "u" }, status: { podIP: "10.0.0.2", containerStatuses: [main] } });
  const state = { terminated: { exitCode: 1, message: "stopped" } };
  const ended = bytesOf({
    metadata: { uid: "u" },
    status: { podIP: "10.0.0.1", containerStatuses: [{ ...main, state }] },
  });

  assert.equal(newFacts(relabelled, before), undefined);
  const movedFacts = newFacts(moved, before);
  assert.deepEqual([movedFacts?.ips, movedFacts?.hasNewContainers], [["10.0.0.2"], false]);
  const endedFacts = newFacts(ended, before);
  assert.equal(endedFacts?.hasNewContainers, true);
  assert.equal(endedFacts?.containers[0]?.state?.terminated?.message, "stopped");
});

test("caches the facts of a change and returns all facts without a previous version", () => {
  const before = bytesOf({ status: { containerStatuses: [{ ...main, restartCount: 1 }] } });
  const after = bytesOf({ status: { containerStatuses: [{ ...main, restartCount: 2 }] } });
  assert.equal(newFacts(after, before), newFacts(after, before));
  assert.equal(newFacts(after, Uint8Array.from(after)), undefined);
  assert.equal(newFacts(after)?.hasNewContainers, true);
});

test("takes the container kind from the spec and the first of two equal names", () => {
  const { containers = [], isOnHost } =
    newFacts(
      bytesOf({
        spec: { hostNetwork: true, initContainers: [{ name: "proxy", restartPolicy: "Always" }, { name: "setup" }] },
        status: {
          ephemeralContainerStatuses: [{ name: "debug" }],
          containerStatuses: [main, { ...main, containerID: "containerd://b" }],
          initContainerStatuses: [{ name: "proxy" }, { name: "setup" }],
        },
      }),
    ) ?? {};
  assert.equal(isOnHost, true);
  assert.deepEqual(
    containers.map(({ kind, name, containerID }) => [kind, name, containerID]),
    [
      ["sidecar", "proxy", ""],
      ["init", "setup", ""],
      ["regular", "main", "containerd://a"],
      ["ephemeral", "debug", ""],
    ],
  );
});

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

function compareTwo(): WeakRef<Uint8Array>[] {
  const before = bytesOf({ status: { containerStatuses: [{ ...main, restartCount: 1 }] } });
  const after = bytesOf({ status: { containerStatuses: [{ ...main, restartCount: 2 }] } });
  newFacts(after, before);
  return [new WeakRef(before), new WeakRef(after)];
}

test("facts do not prevent garbage collection of pods", async () => {
  const references = compareTwo();
  await new Promise(setImmediate); // a weak reference holds its target until the end of the task
  collectGarbage();
  assert.deepEqual(
    references.map((reference) => reference.deref()),
    [undefined, undefined],
  );
});
