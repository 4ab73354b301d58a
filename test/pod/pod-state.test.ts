import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import {
  conditionsOf,
  endpointsOf,
  fromKubernetesJson,
  isFinished,
  isReady,
  isStatic,
  isTerminating,
  type MaskedPod,
  type Pod,
  PodsClient,
  podMask,
  podMasks,
  readinessUnverifiedUntil,
} from "../../src/index.js";
import { decodeBy } from "../../src/pod/decode.js";
import { planOf } from "../../src/pod/mask.js";
import type { Selected } from "../../src/protobuf/selected.js";
import { PodSchema } from "../../src/schema.js";
import { sampleNode } from "../../src/testing/index.js";
import { kubeletAndClient, kubeletOf } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";

const pods = sampleNode().map((json) => fromKubernetesJson(json));
const named = (start: string): Pod => {
  const pod = pods.find(({ metadata }) => metadata?.name.startsWith(start));
  assert.ok(pod);
  return pod;
};

/** The names of those of which it is so, as far as the sample has them. */
const those = (is: (pod: Pod) => boolean) => pods.filter(is).map(({ metadata }) => metadata?.name.split("-")[0]);

/** The same message, which notes the path of each field that is read of it. */
function recording<T extends object>(message: T, read: Set<string>, before = ""): T {
  return new Proxy(message, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key === "symbol" || key === "$typeName" || typeof value === "function") return value;
      const path = Array.isArray(target) ? before : `${before}${key}.`;
      if (!Array.isArray(target)) read.add(path.slice(0, -1));
      return typeof value === "object" && value !== null ? recording(value, read, path) : value;
    },
  });
}

/** Whether something is selected of the field at a path, or of the one that holds it. */
function isSelected(selected: Selected, [field = "", ...rest]: readonly string[]): boolean {
  if (!selected.has(field)) return false;
  const below = selected.get(field);
  return below === undefined || rest.length === 0 || isSelected(below, rest);
}

test("isStatic, isTerminating, isFinished and isReady classify the pods of the sample node", () => {
  assert.deepEqual(those(isStatic), ["etcd", "kube"]);
  assert.deepEqual(those(isTerminating), ["search"]);
  assert.deepEqual(those(isFinished), ["report", "cache"]);
  assert.deepEqual(
    those((pod) => !isReady(pod)),
    ["web", "payments", "cart", "orders", "report", "cache", "search"],
    "search is being deleted: its condition stays True during its grace period",
  );
  assert.deepEqual(
    those((pod) => readinessUnverifiedUntil(pod) !== undefined),
    [],
  );
});

test("an empty pod has no state", () => {
  const nothing = create(PodSchema); // as it is made by hand, it has no metadata, spec and status
  for (const is of [isReady, isFinished, isStatic, isTerminating]) assert.equal(is(nothing), false);
  assert.equal(readinessUnverifiedUntil(nothing), undefined);
  assert.deepEqual([conditionsOf(nothing).uid, conditionsOf(nothing).conditions], ["", []]);
});

describe("an evicted pod", () => {
  test("is not ready, and not finished while any container runs", async (t) => {
    const { kubelet, pods: client } = await kubeletAndClient(t, { pods: sampleNode() });
    const uid = named("ledger").metadata?.uid ?? "";
    kubelet.evictPod(uid);
    const evicted = await client.getPod(uid);
    assert.ok(evicted.status?.conditions.some(({ type, status }) => type === "Ready" && status === "True"));
    assert.deepEqual([isReady(evicted), isFinished(evicted)], [false, false]);
    const debuggerOnly = structuredClone(evicted) as Pod;
    for (const { state } of debuggerOnly.status?.containerStatuses ?? []) delete state?.running;
    assert.equal(isFinished(debuggerOnly), false, "an ephemeral container runs");
    kubelet.finishPod(uid);
    assert.equal(isFinished(await client.getPod(uid)), true);
  });
});

test("unverified readiness after a restart of 1.37 differs from probed readiness", async (t) => {
  const kubelet = await kubeletOf(t, { pods: sampleNode() });
  await kubelet.restart({ firstStatusMs: 3_600_000 });
  await using client = new PodsClient({ socketPath: kubelet.socketPath });
  const list = await client.listPods({ mask: podMasks.readiness });
  const unverified = list
    .filter((pod) => readinessUnverifiedUntil(pod))
    .map(({ metadata }) => metadata?.name.split("-")[0]);
  const wereReady = pods.filter(
    (pod) => !isStatic(pod) && pod.status?.conditions.some((c) => c.type === "Ready" && c.status === "True"),
  );
  assert.deepEqual(unverified.sort(), wereReady.map(({ metadata }) => metadata?.name.split("-")[0]).sort());
  assert.ok(list.every((pod) => !isReady(pod)));
});

describe("each helper reads only fields of the mask with its name", () => {
  const helpers = {
    isReady,
    isFinished,
    isStatic,
    isTerminating,
    readinessUnverifiedUntil,
    conditionsOf,
    endpointsOf: (pod: Pod) => endpointsOf(pod),
  };
  for (const [name, helper] of Object.entries(helpers) as [keyof typeof helpers, (pod: Pod) => unknown][]) {
    test(name, () => {
      const read = new Set<string>();
      for (const pod of pods) {
        const masked = decodeBy(planOf(podMasks[name]), toBinary(PodSchema, pod)) as Pod;
        assert.deepEqual(helper(masked), helper(pod));
        helper(recording(pod, read));
      }
      const { selected } = podMasks[name];
      assert.deepEqual(
        [...read].filter((path) => !isSelected(selected, path.split("."))),
        [],
      );
      assert.ok(read.size > 0);
    });
  }
});

test("helpers accept masks with the required fields, and other masks do not compile", () => {
  const mask = podMask("metadata.annotations", "metadata.deletionTimestamp", "spec", "status");
  const all = (pod: MaskedPod<typeof mask>) =>
    [isReady, isFinished, isStatic, isTerminating, readinessUnverifiedUntil].map((is) => is(pod));
  assert.equal(all(named("etcd")).length, 5);
  const identity = (pod: MaskedPod<typeof podMasks.identity>) => {
    // @ts-expect-error: it has no annotations
    isStatic(pod);
    // @ts-expect-error: it has no status
    return isReady(pod);
  };
  assert.equal(typeof identity, "function");
});

describe("a static pod with a readiness probe after a kubelet restart", () => {
  const SEEN = Date.parse("2026-11-20T08:00:00.400Z");
  const at = (ms: number) => ({ seconds: BigInt(Math.floor((SEEN + ms) / 1_000)), nanos: 0 });

  function unready(change: (pod: Pod) => void = () => {}): Pod {
    const pod = structuredClone(named("kube")) as Pod;
    const ready = pod.status?.conditions.find(({ type }) => type === "Ready");
    assert.ok(ready && pod.metadata);
    Object.assign(ready, { status: "False", reason: "ContainersNotReady", lastTransitionTime: at(0) });
    pod.metadata.annotations["kubernetes.io/config.seen"] = new Date(SEEN).toISOString();
    change(pod);
    return pod;
  }
  const probe = (pod: Pod, figures: object) => {
    for (const { readinessProbe } of pod.spec?.containers ?? []) Object.assign(readinessProbe ?? {}, figures);
  };
  const untilMs = (pod: Pod) => {
    const until = readinessUnverifiedUntil(pod);
    return until && until.getTime() - SEEN;
  };

  test("is unverified until the probe could have reached its failure threshold", () => {
    assert.equal(untilMs(unready()), (10 + 3 * 1 + 15 + 1) * 1_000);
    const slow = { periodSeconds: 10, failureThreshold: 2, timeoutSeconds: 5 };
    assert.equal(untilMs(unready((pod) => probe(pod, slow))), (10 + 2 * 10 + 5 + 10) * 1_000);
    const unset = { periodSeconds: 0, failureThreshold: 0, timeoutSeconds: 0 };
    assert.equal(untilMs(unready((pod) => probe(pod, unset))), (10 + 3 * 10 + 1 + 10) * 1_000, "defaults");
  });

  test("is verified if ready, not ready before the restart, without probe or an API pod", () => {
    const cases: [why: string, change: (pod: Pod) => void][] = [
      [
        "ready",
        (pod) => Object.assign(pod.status?.conditions.find((c) => c.type === "Ready") ?? {}, { status: "True" }),
      ],
      [
        "before",
        (pod) =>
          Object.assign(pod.status?.conditions.find((c) => c.type === "Ready") ?? {}, {
            lastTransitionTime: at(-1_000),
          }),
      ],
      ["no probe", (pod) => pod.spec?.containers.forEach((container) => void delete container.readinessProbe)],
      ["api", (pod) => Object.assign(pod.metadata?.annotations ?? {}, { "kubernetes.io/config.source": "api" })],
      ["no stamp", (pod) => void delete pod.metadata?.annotations["kubernetes.io/config.seen"]],
    ];
    for (const [why, change] of cases) assert.equal(readinessUnverifiedUntil(unready(change)), undefined, why);
  });

  test("is unverified after a restart of the reference kubelet and ready after its probe", async (t) => {
    const { kubelet, pods: client } = await kubeletAndClient(t, { pods: sampleNode() });
    const uid = named("kube").metadata?.uid ?? "";
    const stands = async () => {
      const pod = await client.getPod(uid, { mask: podMasks.readiness });
      return [isReady(pod), readinessUnverifiedUntil(pod) !== undefined];
    };
    assert.deepEqual(await stands(), [true, false]);
    await kubelet.restart({ firstStatusMs: 0, firstProbesMs: 3_600_000 });
    assert.deepEqual(await stands(), [false, true]);
    await kubelet.restart({ firstStatusMs: 0, firstProbesMs: 0 });
    assert.deepEqual(await stands(), [true, false]);
  });
});
