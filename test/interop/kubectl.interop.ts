// What agents select by, and what the command shows, judged by the code of kubectl and the API server.

import assert from "node:assert/strict";
import fc from "fast-check";
import { NARROW, WIDE } from "../../src/cli/pod-columns.js";
import { fromKubernetesJson, type PodJson, PodsError } from "../../src/index.js";
import { parseLabelSelector } from "../../src/pod/label-selector.js";
import { sampleNode } from "../../src/testing/index.js";
import { POD_STATES } from "../cli/pod-states.js";
import { realPods } from "../helpers/fixtures.js";
import { describe, test } from "../helpers/test.js";
import { goVersions, noGo } from "./go-kubelet.js";
import { judge, sample } from "./judge.js";

/** What we make of a selector: whether it is one, and whether it lets something through. */
function ours(select: () => boolean): { ok: boolean; matches: boolean } {
  try {
    return { ok: true, matches: select() };
  } catch (error) {
    assert.ok(PodsError.is(error), String(error));
    assert.equal(error.code, "invalid-argument");
    return { ok: false, matches: false };
  }
}

const words = [
  "app",
  "web",
  "in",
  "notin",
  "a",
  "B-1",
  "x.y/z",
  "5",
  "-7",
  "+3",
  "_",
  "a/b/c",
  "10",
  "é",
  "constructor",
];
const pieces = [...words, "=", "==", "!=", "!", "(", ")", ",", ">", "<", " ", "\t", "in (", ",,", "()"];

const key = fc.constantFrom("app", "web", "in", "x.y/z", "cores", "nothing");
const value = fc.constantFrom("a", "B-1", "in", "5", "10", "", "007");
const requirement = fc.oneof(
  fc.tuple(key, fc.constantFrom("=", "==", "!=", " = ", " != "), value).map((parts) => parts.join("")),
  fc
    .tuple(key, fc.constantFrom(" in ", " notin "), fc.array(value, { minLength: 1, maxLength: 3 }))
    .map(([name, operator, values]) => `${name}${operator}(${values.join(",")})`),
  fc
    .tuple(key, fc.constantFrom(">", "<", " > "), fc.constantFrom("5", "0", "10", "9223372036854775807", "a"))
    .map((p) => p.join("")),
  key,
  key.map((name) => `!${name}`),
);
const labelSelector = fc.oneof(
  fc.array(requirement, { maxLength: 3 }).map((parts) => parts.join(",")),
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join("")),
);
const labels = fc.dictionary(key, fc.constantFrom("a", "B-1", "in", "5", "10", "", "007", "9223372036854775808", "-7"));

/** States that no kubelet has thought of: any mixture of what rows are made of. */
const state = fc.record({
  state: fc.oneof(
    fc.constant({}),
    fc.constant({ running: {} }),
    fc.record({ waiting: fc.record({ reason: fc.constantFrom("", "PodInitializing", "ErrImagePull") }) }),
    fc.record({
      terminated: fc.record({
        exitCode: fc.constantFrom(0, 1),
        signal: fc.constantFrom(0, 9),
        reason: fc.constantFrom("", "Completed", "Error"),
      }),
    }),
  ),
  ready: fc.boolean(),
  started: fc.constantFrom(true, false, undefined),
  restartCount: fc.constantFrom(0, 1, 4),
  lastState: fc.constantFrom(
    {},
    { terminated: { exitCode: 1, finishedAt: "2020-06-01T00:00:00Z" } },
    { terminated: { exitCode: 1, finishedAt: "2021-06-01T00:00:00Z" } },
    { terminated: { exitCode: 1, finishedAt: null } },
  ),
});
const condition = fc.record({
  type: fc.constantFrom("Ready", "Initialized", "PodScheduled", "example.com/gate"),
  status: fc.constantFrom("True", "False"),
  reason: fc.constantFrom("", "SchedulingGated"),
});
const anyPod: fc.Arbitrary<PodJson> = fc
  .record({
    phase: fc.constantFrom("", "Pending", "Running", "Succeeded", "Failed"),
    reason: fc.constantFrom("", "", "Evicted", "NodeLost"),
    deleted: fc.boolean(),
    containers: fc.array(state, { maxLength: 3 }),
    inits: fc.array(fc.tuple(state, fc.boolean()), { maxLength: 3 }),
    conditions: fc.uniqueArray(condition, { maxLength: 3, selector: ({ type }) => type }),
    gates: fc.boolean(),
    ips: fc.constantFrom([], ["10.0.0.1"], ["fd00::1", "10.0.0.1"]),
    extra: fc.nat(1),
  })
  .map(({ phase, reason, deleted, containers, inits, conditions, gates, ips, extra }) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "p",
      creationTimestamp: "2020-01-01T00:00:00Z",
      ...(deleted ? { deletionTimestamp: "2020-01-02T00:00:00Z" } : {}),
    },
    spec: {
      containers: Array.from({ length: containers.length + extra }, (_, i) => ({ name: `c${i}` })),
      initContainers: inits.map(([, sidecar], i) => ({
        name: `i${i}`,
        ...(sidecar ? { restartPolicy: "Always" } : {}),
      })),
      readinessGates: gates ? [{ conditionType: "example.com/gate" }, { conditionType: "example.com/other" }] : [],
    },
    status: {
      phase,
      reason,
      conditions,
      podIPs: ips.map((ip) => ({ ip })),
      containerStatuses: containers.map((status, i) => ({ ...status, name: `c${i}` })) as never,
      initContainerStatuses: inits.map(([status], i) => ({ ...status, name: `i${i}` })) as never,
    },
  }));

for (const version of goVersions) {
  describe(`the code of kubectl ${version}`, { skip: noGo }, () => {
    test("reads label selectors as we do", (t) => {
      const questions = sample(fc.record({ selector: labelSelector, labels }), 20_000);
      const answers = judge(
        version,
        questions.map((question) => ({ op: "labels", ...question })),
      );
      const counts = { refused: 0, matching: 0 };
      for (const [i, { ok, matches }] of answers.entries()) {
        const { selector, labels } = questions[i] ?? assert.fail();
        const own = ours(() => parseLabelSelector(selector)(labels));
        assert.deepEqual(own, { ok, matches }, `${JSON.stringify(selector)} of ${JSON.stringify(labels)}`);
        if (!ok) counts.refused++;
        if (matches) counts.matching++;
      }
      assert.ok(counts.refused > 1_000 && counts.matching > 1_000, JSON.stringify(counts));
      t.diagnostic(`${answers.length} selectors: ${JSON.stringify(counts)}`);
    });

    test("prints the same row for recorded, sample and random pods", (t) => {
      const real = realPods().map(({ json }) => json);
      const pods = [...real, ...sampleNode(), ...POD_STATES.map(([, pod]) => pod), ...sample(anyPod, 10_000)];
      const rows = (nowMs: number) =>
        pods.map((json) => {
          const pod = fromKubernetesJson(json, { allowUnknownKeys: true });
          return [...NARROW, ...WIDE].map(({ show }) => show(pod, nowMs));
        });
      const before = rows(Date.now());
      const answers = judge(
        version,
        pods.map((pod) => ({ op: "row", pod })),
      );
      const after = rows(Date.now());
      for (const [i, { error, cells }] of answers.entries()) {
        assert.equal(error, undefined);
        // Ages may have grown meanwhile.
        const own = String(cells) === String(before[i]) ? before[i] : after[i];
        assert.deepEqual(cells, own, JSON.stringify(pods[i]?.status));
      }
      t.diagnostic(`${answers.length} pods`);
    });
  });
}
