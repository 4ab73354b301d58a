// The resource of the agent's own pod, with the SDK's own code.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { detectResources } from "@opentelemetry/resources";
import { podResourceDetector } from "../../src/otel/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";

const UID = "6f6ad3a0-3f4b-4a2e-9b7c-0d1f2a3b4c5d";
const ID = "4f1c2b7a9d3e8f60".repeat(4);

async function detected(t: TestContext, cgroup: string, env: NodeJS.ProcessEnv) {
  const procRoot = temporaryDirectory(t);
  mkdirSync(join(procRoot, "self"));
  writeFileSync(join(procRoot, "self/cgroup"), `0::${cgroup}\n`);
  const resource = detectResources({ detectors: [podResourceDetector({ procRoot, env })] });
  assert.ok(resource.asyncAttributesPending);
  await resource.waitForAsyncAttributes?.();
  return resource.attributes;
}

test("detects UID and container from the cgroup and names from the environment", async (t) => {
  const cgroup = `/kubepods.slice/kubepods-pod${UID.replaceAll("-", "_")}.slice/cri-containerd-${ID}.scope`;
  const env = { POD_NAMESPACE: "agents", POD_NAME: "agent-x7", NODE_NAME: "node-a" };
  assert.deepEqual(await detected(t, cgroup, env), {
    "k8s.pod.uid": UID,
    "k8s.namespace.name": "agents",
    "k8s.pod.name": "agent-x7",
    "k8s.node.name": "node-a",
    "container.id": ID,
  });
});

test("detects only names if the cgroup has no pod", async (t) => {
  assert.deepEqual(await detected(t, "/", { POD_NAMESPACE: "agents", POD_NAME: "agent-x7" }), {
    "k8s.namespace.name": "agents",
    "k8s.pod.name": "agent-x7",
  });
});

test("detects nothing outside a pod and omits empty values", async (t) => {
  assert.deepEqual(await detected(t, "/user.slice", { POD_NAME: "", POD_NAMESPACE: "" }), {});
});
