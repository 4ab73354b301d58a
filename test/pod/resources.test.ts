// What a pod needs: the cases by name. test/interop/views.interop.ts compares thousands with Kubernetes' own code.

import assert from "node:assert/strict";
import { fromKubernetesJson, type PodJson, qosOf, resourcesOf } from "../../src/index.js";
import { nanosOf } from "../../src/pod/quantity.js";
import { test } from "../helpers/test.js";

const cpu = (value: string) => ({ requests: { cpu: value }, limits: { cpu: value } });
const pod = (spec: PodJson["spec"], status: PodJson["status"] = {}) => fromKubernetesJson({ spec, status });

test("adds up containers and sidecars and takes the largest init container", () => {
  const spec = {
    initContainers: [
      { name: "first", resources: cpu("3") },
      { name: "side", restartPolicy: "Always", resources: cpu("1") },
      { name: "second", resources: cpu("500m") },
    ],
    containers: [
      { name: "a", resources: cpu("100m") },
      { name: "b", resources: cpu("200m") },
    ],
  };
  assert.equal(resourcesOf(pod(spec)).requests["cpu"], 3);
  assert.equal(resourcesOf(pod({ ...spec, initContainers: spec.initContainers.slice(1) })).requests["cpu"], 1.5);
  assert.equal(
    resourcesOf(pod({ containers: spec.containers })).requests["cpu"],
    0.3,
    "without a floating-point error",
  );
});

test("pod-level resources replace those of containers, and overhead is added", () => {
  const spec = {
    containers: [{ name: "a", resources: { ...cpu("1"), requests: { cpu: "1", "example.com/gpu": "2" } } }],
    resources: { requests: { cpu: "4", "example.com/gpu": "9" } },
    overhead: { cpu: "250m", memory: "16Mi" },
  };
  const { requests, limits } = resourcesOf(pod(spec));
  assert.deepEqual(requests, { cpu: 4.25, "example.com/gpu": 2, memory: 16 * 2 ** 20 });
  assert.deepEqual(limits, { cpu: 1.25 }, "resources without a limit are omitted");
  assert.equal(resourcesOf(pod(spec), { overhead: false }).requests["cpu"], 4);
});

test("actual: true takes the resources in effect of a pod with an infeasible resize", () => {
  const spec = { containers: [{ name: "a", resources: { requests: { memory: "3Gi" } } }] };
  const given = { name: "a", allocatedResources: { memory: "1Gi" }, resources: { requests: { memory: "2Gi" } } };
  const status = { containerStatuses: [given as never] };
  assert.equal(resourcesOf(pod(spec, status)).requests["memory"], 3 * 2 ** 30);
  assert.equal(resourcesOf(pod(spec, status), { actual: true }).requests["memory"], 3 * 2 ** 30);
  const conditions = [{ type: "PodResizePending", status: "True", reason: "Infeasible" }];
  const infeasible = pod(spec, { ...status, conditions });
  assert.equal(resourcesOf(infeasible, { actual: true }).requests["memory"], 2 * 2 ** 30);
});

test("qosOf returns the QoS class of the status", () => {
  assert.equal(qosOf(pod({}, { qosClass: "Burstable" })), "Burstable");
  assert.equal(qosOf(pod({})), undefined);
});

test("nanosOf reads quantities in billionths and rounds up", () => {
  const cases: [string, bigint | undefined][] = [
    ["1", 10n ** 9n],
    ["-1.5", -15n * 10n ** 8n],
    ["100m", 10n ** 8n],
    ["1n", 1n],
    ["0.1n", 1n],
    ["1.5Ki", 1536n * 10n ** 9n],
    ["2e3", 2000n * 10n ** 9n],
    [".5", 5n * 10n ** 8n],
    ["5.", 5n * 10n ** 9n],
    ["7Ei", 7n * 2n ** 60n * 10n ** 9n],
    ["", undefined],
    ["1kk", undefined],
    ["9".repeat(101), undefined],
  ];
  for (const [text, nanos] of cases) assert.equal(nanosOf(text), nanos, text);
  assert.ok((nanosOf("1e9999") ?? 0n) < 10n ** 60n, "large exponents are limited");
});
