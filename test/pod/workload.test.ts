// The workload behind a pod: what its owner's name gives away, and what it does not.

import assert from "node:assert/strict";
import { fromKubernetesJson, isStatic, type PodJson, workloadOf } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { test } from "../helpers/test.js";

const MINUTES = Date.UTC(2026, 10, 22, 3, 0) / 60_000;

/** Says what the workload of a pod is that has such a controller. */
function behind(kind: string, name: string, more: NonNullable<PodJson["metadata"]> = {}): string | undefined {
  const owners = [
    { apiVersion: "v1", kind: "Other", name: "no-controller", uid: "u0", controller: false },
    { apiVersion: "apps/v1", kind, name, uid: "u1", controller: true },
  ];
  const metadata = { creationTimestamp: "2026-11-22T03:00:07Z", ownerReferences: owners, ...more };
  const workload = workloadOf(fromKubernetesJson({ metadata }));
  if (workload === undefined) return undefined;
  assert.equal(workload.owner?.uid, "u1");
  return `${workload.kind} ${workload.name}${workload.derived ? " derived" : ""}`;
}

test("derives a Deployment from a ReplicaSet whose name ends with the pod-template-hash", () => {
  const labels = { "pod-template-hash": "6bf9d8c7d5" };
  assert.equal(behind("ReplicaSet", "web-6bf9d8c7d5", { labels }), "Deployment web derived");
  assert.equal(behind("ReplicaSet", "a-b-6bf9d8c7d5", { labels }), "Deployment a-b derived");
  assert.equal(behind("ReplicaSet", "web-6bf9d8c7d5"), "ReplicaSet web-6bf9d8c7d5");
  assert.equal(behind("ReplicaSet", "web-other", { labels }), "ReplicaSet web-other");
  assert.equal(behind("ReplicaSet", "-6bf9d8c7d5", { labels }), "ReplicaSet -6bf9d8c7d5");
  assert.equal(behind("ReplicaSet", "web-", { labels: { "pod-template-hash": "" } }), "ReplicaSet web-");
});

test("derives a CronJob from a Job whose name ends with its scheduled minute", () => {
  assert.equal(behind("Job", `report-${MINUTES}`), "CronJob report derived");
  assert.equal(behind("Job", `report-${MINUTES - 7 * 24 * 60}`), "CronJob report derived");
  assert.equal(behind("Job", `report-${MINUTES - 9 * 24 * 60}`), `Job report-${MINUTES - 9 * 24 * 60}`);
  assert.equal(behind("Job", `report-${MINUTES + 1}`), `Job report-${MINUTES + 1}`, "a time in the future");
  assert.equal(behind("Job", "backup-20261122"), "Job backup-20261122", "a date");
  assert.equal(behind("Job", "import"), "Job import");
  assert.equal(behind("Job", `report-${MINUTES}`, { creationTimestamp: null } as never), `Job report-${MINUTES}`);
});

test("returns other controllers unchanged and undefined for a pod without a controller", () => {
  for (const kind of ["DaemonSet", "StatefulSet", "Rollout"]) assert.equal(behind(kind, "some"), `${kind} some`);
  assert.equal(workloadOf(fromKubernetesJson({ metadata: { name: "bare" } })), undefined);
  const owners = [{ apiVersion: "v1", kind: "ReplicaSet", name: "web-1", uid: "u", controller: false }];
  assert.equal(workloadOf(fromKubernetesJson({ metadata: { ownerReferences: owners } })), undefined);
});

test("the workload of a static pod is its node", () => {
  const pods = sampleNode().map((json) => fromKubernetesJson(json));
  const workloads = pods.filter(isStatic).map(workloadOf);
  assert.ok(workloads.length > 0);
  for (const workload of workloads) {
    assert.deepEqual(workload, { kind: "Node", name: "node-1", derived: false, owner: undefined });
  }
});
