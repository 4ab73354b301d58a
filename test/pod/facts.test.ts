import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { factsOf, sameFacts, sameKeyFacts } from "../../src/pod/facts.js";
import { test } from "../helpers/test.js";

function bytesOf(pod: MessageInitShape<typeof PodSchema>): Uint8Array {
  return toBinary(PodSchema, create(PodSchema, pod));
}

const main = { name: "main", containerID: "containerd://a", state: { running: {} } };

test("facts are the same unless an address, a container ID or the state of a container differs", () => {
  const podOf = (status: object, { labels = {}, podIP = "10.0.0.1", hostNetwork = false } = {}) =>
    bytesOf({
      metadata: { uid: "u", labels },
      spec: { hostNetwork },
      status: { podIP, containerStatuses: [{ ...main, ...status }] },
    });
  const terminated = { exitCode: 1, message: "stopped" };
  const before = podOf({});
  const relabelled = podOf({}, { labels: { app: "web" } });
  const moved = podOf({}, { podIP: "10.0.0.2" });
  const onHost = podOf({}, { hostNetwork: true });
  const ended = podOf({ state: { terminated } });
  const restarted = podOf({ containerID: "containerd://b", restartCount: 1, lastState: { terminated } });
  const ofRun = podOf({ lastState: { terminated: { containerID: "containerd://0" } } });

  assert.equal(sameFacts(before, relabelled), true);
  for (const other of [moved, onHost, ended, restarted, ofRun]) assert.equal(sameFacts(before, other), false);
  for (const other of [moved, onHost, restarted, ofRun]) assert.equal(sameKeyFacts(before, other), false);
  for (const other of [relabelled, ended])
    assert.equal(sameKeyFacts(before, other), true, "it is cheaper than a decoding");
  assert.equal(factsOf(ended).containers[0]?.state?.terminated?.message, "stopped");
});

test("keeps the last facts, for the next reader of the same version", () => {
  const [one, two] = [bytesOf({ status: { podIP: "10.0.0.1" } }), bytesOf({ status: { podIP: "10.0.0.2" } })];
  assert.equal(factsOf(one), factsOf(one));
  assert.deepEqual(factsOf(two).ips, ["10.0.0.2"]);
});

test("takes the container kind from the spec and the first of two equal names", () => {
  const { containers, isOnHost } = factsOf(
    bytesOf({
      spec: { hostNetwork: true, initContainers: [{ name: "proxy", restartPolicy: "Always" }, { name: "setup" }] },
      status: {
        ephemeralContainerStatuses: [{ name: "debug" }],
        containerStatuses: [main, { ...main, containerID: "containerd://b" }],
        initContainerStatuses: [{ name: "proxy" }, { name: "setup" }],
      },
    }),
  );
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
  sameFacts(before, after);
  factsOf(after);
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
