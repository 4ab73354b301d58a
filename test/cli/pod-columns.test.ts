// READY, STATUS, RESTARTS and AGE: kubectl's own rules, and for the same table kubectl's own code in test/interop.

import assert from "node:assert/strict";
import { humanDuration, parseDuration } from "../../src/cli/duration.js";
import { NAME, NAMESPACE, NARROW, WIDE } from "../../src/cli/pod-columns.js";
import { fromKubernetesJson, type Pod } from "../../src/index.js";
import { decodeBy } from "../../src/pod/decode.js";
import { sampleNode } from "../../src/testing/index.js";
import { encodePod } from "../../src/testing/wire-pod.js";
import { realPods } from "../helpers/fixtures.js";
import { describe, test } from "../helpers/test.js";
import { POD_STATES } from "./pod-states.js";

const NOW_MS = Date.parse("2026-11-20T09:00:00Z");
const COLUMNS = [NAMESPACE, ...NARROW, ...WIDE];

/** What the columns show of a pod, by their headers. */
function podRow(pod: Pod): Record<string, string> {
  return Object.fromEntries(COLUMNS.map(({ header, show }) => [header, show(pod, NOW_MS)]));
}

describe("READY, STATUS and RESTARTS of a pod that", () => {
  for (const [name, json, ready, status, restarts] of POD_STATES) {
    test(name, () => {
      const { READY, STATUS, RESTARTS = "" } = podRow(fromKubernetesJson(json));
      assert.deepEqual([READY, STATUS, RESTARTS.replace(/\(.* ago\)/, "(…)")], [ready, status, restarts]);
    });
  }
});

test("wide columns show the IP, the node, the nominated node and readiness gates", () => {
  const json = POD_STATES.find(([name]) => name.startsWith("has two readiness gates"))?.[1] ?? {};
  const wide = (pod: Pod) => WIDE.map(({ show }) => show(pod, NOW_MS));
  assert.deepEqual(wide(fromKubernetesJson(json)), ["<none>", "<none>", "<none>", "1/2"]);
  const other = fromKubernetesJson({
    spec: { nodeName: "n" },
    status: { podIPs: [{ ip: "fd00::1" }, { ip: "10.0.0.1" }], nominatedNodeName: "m" },
  });
  assert.deepEqual([...wide(other), podRow(other)["AGE"]], ["fd00::1", "n", "m", "<none>", "<unknown>"]);
  assert.equal(wide(fromKubernetesJson({ status: { podIP: "10.0.0.9" } }))[0], "10.0.0.9");
});

test("RESTARTS adds up the restarts, and shows the time of the last one", () => {
  const container = (name: string, restartCount: number, minutesAgo?: number) => ({
    name,
    restartCount,
    image: "i",
    imageID: "",
    ready: true,
    state: { running: {} },
    ...(minutesAgo !== undefined && {
      lastState: { terminated: { exitCode: 1, finishedAt: new Date(NOW_MS - minutesAgo * MINUTE).toISOString() } },
    }),
  });
  const restarts = (...containerStatuses: ReturnType<typeof container>[]) =>
    podRow(fromKubernetesJson({ spec: { containers: [] }, status: { containerStatuses } }))["RESTARTS"];
  const [none, late, early] = [container("a", 0), container("b", 1, 3), container("c", 2, 30)];
  assert.equal(restarts(none), "0");
  assert.equal(restarts(none, late, early), "3 (3m ago)");
  assert.equal(restarts(early, late, none), "3 (3m ago)");
  assert.equal(restarts(container("d", 4)), "4");
});

test("each column's mask covers every field that it reads", () => {
  const real = realPods().map(({ json }) => json);
  for (const json of [...sampleNode(), ...POD_STATES.map(([, pod]) => pod), ...real]) {
    const pod = fromKubernetesJson(json, { allowUnknownKeys: true });
    for (const { header, mask, show } of COLUMNS) {
      const masked = decodeBy(mask.plan, encodePod(pod)) as Pod;
      assert.equal(show(masked, NOW_MS), show(pod, NOW_MS), header);
    }
  }
  assert.equal(NAME.header, "NAME");
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Of k8s.io/apimachinery/pkg/util/duration. */
const durations: [ms: number, text: string][] = [
  [-2 * SECOND, "<invalid>"],
  [-1999, "0s"],
  [-1, "0s"],
  [0, "0s"],
  [SECOND - 1, "0s"],
  [119_999, "119s"],
  [2 * MINUTE, "2m"],
  [3 * MINUTE + 5 * SECOND, "3m5s"],
  [10 * MINUTE - 1, "9m59s"],
  [10 * MINUTE + 30 * SECOND, "10m"],
  [3 * HOUR - 1, "179m"],
  [3 * HOUR, "3h"],
  [7 * HOUR + 59 * MINUTE, "7h59m"],
  [8 * HOUR + 59 * MINUTE, "8h"],
  [2 * DAY - 1, "47h"],
  [2 * DAY, "2d"],
  [2 * DAY + 3 * HOUR, "2d3h"],
  [8 * DAY, "8d"],
  [730 * DAY - 1, "729d"],
  [730 * DAY, "2y"],
  [731 * DAY, "2y1d"],
  [8 * 365 * DAY + DAY, "8y"],
];

for (const [ms, text] of durations) {
  test(`prints ${ms} ms as ${text}`, () => assert.equal(humanDuration(ms), text));
}

test("parses durations and rejects invalid ones", () => {
  const of = (text: string) => parseDuration("timeout", text);
  assert.deepEqual(["500ms", "10s", "10", "1.5m", "1h30m", "0"].map(of), [500, 10_000, 10_000, 90_000, 5_400_000, 0]);
  for (const text of ["", "s", "-1s", "1d", "1e9", "Infinity", "1s ", "99999999999s"]) {
    assert.throws(() => of(text), /--timeout must be a duration such as 10s, 500ms or 1m30s/);
  }
});
