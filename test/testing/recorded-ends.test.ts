// The reference kubelet is told what happened to pods on real nodes, and sends what the kubelets there sent.

import assert from "node:assert/strict";
import { fromBinary } from "@bufbuild/protobuf";
import { RawClient } from "../../src/conformance/raw-client.js";
import { type ContainerStatus, type Pod, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { fromKubernetesJson } from "../../src/index.js";
import type { DeletionReason, EvictionReason, PodJson, ReferenceKubelet } from "../../src/testing/index.js";
import { type RecordedEnd, recordedEnds } from "../helpers/fixtures.js";
import { kubeletOf } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";

const ENDS = recordedEnds();
const skip = ENDS.length === 0 ? "no recorded pods lie beside this checkout" : false;

/** How soon a kubelet looks at a pod whose container has started or ended. */
const LOOK_MS = 2_500;

/** Something that happened, and the verb for it. */
interface Step {
  readonly atMs: number;
  readonly tell: (kubelet: ReferenceKubelet, uid: string) => void;
}

/** An event in words, and the step that caused it. */
interface Told {
  readonly words: string;
  readonly atMs: number;
  readonly nth: number;
}

const BY_KUBELET: Readonly<Record<string, EvictionReason>> = {
  Evicted: "Evicted",
  preempted: "Preempting",
  "shut-down": "Terminated",
  deadline: "DeadlineExceeded",
};

const DELETED_BY: Readonly<Record<string, DeletionReason>> = {
  "api-evicted": "EvictionByEvictionAPI",
  "taint-evicted": "DeletionByTaintManager",
  preempted: "PreemptionByScheduler",
};

const statusesOf = ({ status }: Pod) => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/** Returns the events up to the end, without those that begin a stream, and with messages in the place of JSON. */
function versionsOf({ events }: RecordedEnd) {
  const end = events.findIndex(({ type }) => type === "DELETED");
  return events
    .slice(0, end + 1)
    .filter(({ type }, i) => i === 0 || type !== "ADDED")
    .map(({ atMs, type, pod }) => ({ atMs, type, pod: fromKubernetesJson(pod) }));
}

function hasSandbox(pod: Pod | undefined): boolean {
  return pod?.status?.conditions.some(({ type, status }) => type === SANDBOX && status === "True") === true;
}

const SANDBOX = "PodReadyToStartContainers";

/** Returns what happened, in order: as the runtime and the API server recorded it. What they lack is read from the events. */
function storyOf(recorded: RecordedEnd): Step[] {
  const { runtime, stoppedBy, expected } = recorded;
  const steps: Step[] = [];
  const versions = versionsOf(recorded);
  const started = new Set<string>();
  const hasOOM = new Set(runtime.flatMap(({ event, id }) => (event === "oom" ? [id] : [])));
  for (const { event, atMs, id, container, exitCode = 0 } of runtime) {
    if (event === "start") {
      started.add(container);
      steps.push({ atMs, tell: (kubelet, uid) => void kubelet.startContainer(uid, container) });
    }
    if (event !== "exit") continue;
    const exit = { exitCode, ...(hasOOM.has(id) && { reason: "OOMKilled" }) };
    steps.push({ atMs, tell: (kubelet, uid) => void kubelet.endContainer(uid, container, exit) });
  }
  for (const { atMs, pod } of versions)
    for (const { name, state, lastState } of statusesOf(pod)) {
      if (state?.running !== undefined && !started.has(name)) {
        started.add(name);
        steps.push({ atMs: atMs - 1, tell: (kubelet, uid) => void kubelet.startContainer(uid, name) });
      }
      if (state?.waiting?.reason === "CrashLoopBackOff")
        steps.push({ atMs: atMs - 1, tell: (kubelet, uid) => kubelet.backOffContainer(uid, name) });
      if (state?.waiting !== undefined && lastState?.terminated?.containerID === "")
        steps.push({ atMs: atMs - 1, tell: (kubelet, uid) => kubelet.loseContainer(uid, name) });
    }
  for (const [i, { atMs, pod }] of versions.slice(0, -1).entries()) {
    const isLost = hasSandbox(versions[i - 1]?.pod) && !hasSandbox(pod) && pod.status?.phase === "Pending";
    if (isLost) steps.push({ atMs: atMs - 1, tell: (kubelet, uid) => kubelet.setSandboxReady(uid, false) });
  }
  const firstMs = Math.min(...steps.map(({ atMs }) => atMs));
  steps.push({ atMs: firstMs - 1, tell: (kubelet, uid) => kubelet.setSandboxReady(uid, true) });
  if (stoppedBy !== null) {
    const stopped = new Set(expected.containers.flatMap(({ reason, id }) => (reason === expected.pod ? [id] : [])));
    const exits = runtime.filter(({ event, id }) => event === "exit" && stopped.has(id));
    const atMs = Math.min(stoppedBy.atMs, ...exits.map(({ atMs }) => atMs)) - 1;
    steps.push({ atMs, tell: stopOf(stoppedBy, versions.at(-2)?.pod) });
  }
  return steps.sort((a, b) => a.atMs - b.atMs);
}

function stopOf({ reason, message }: NonNullable<RecordedEnd["stoppedBy"]>, last: Pod | undefined): Step["tell"] {
  const seconds = last?.metadata?.deletionGracePeriodSeconds;
  const byKubelet = BY_KUBELET[reason];
  if (seconds === undefined && byKubelet !== undefined)
    return (kubelet, uid) => kubelet.evictPod(uid, { reason: byKubelet, message });
  const by = DELETED_BY[reason];
  const options = { gracePeriodSeconds: Number(seconds), ...(by !== undefined && { reason: by }) };
  return (kubelet, uid) => kubelet.deletePod(uid, options);
}

function wordsOf(type: string, { metadata, status }: Pod): string {
  if (type === "DELETED") return type;
  const { phase = "", reason = "", message = "", conditions = [] } = status ?? {};
  const deletion = metadata?.deletionTimestamp && `deleted within ${metadata.deletionGracePeriodSeconds} s`;
  const facts = conditions
    .map((each) => [each.type, each.status, each.reason, sorted(each.message)].join(" ").trim())
    .sort();
  return [type, deletion, phase, reason, message, ...facts, ...statusesOf({ status } as Pod).map(wordsOfStatus)]
    .filter((each) => each !== undefined && each !== "")
    .join("\n  ");
}

/** The records have the containers of a spec in another order than its pod had. */
function sorted(message: string): string {
  return message.replace(/\[(.*)\]/, (_, names: string) => `[${names.split(" ").sort().join(" ")}]`);
}

function wordsOfStatus({ name, state, lastState, restartCount, ready, started, containerID }: ContainerStatus): string {
  const end = state?.terminated ?? lastState?.terminated;
  const kind = state?.running ? "running" : state?.terminated ? "terminated" : `waiting ${state?.waiting?.reason}`;
  const last = end && `${end.exitCode} ${end.reason} ${end.containerID === "" ? "no ID" : ""}`;
  return [name, kind, last, `#${restartCount}`, ready && "ready", started && "started", containerID === "" && "no ID"]
    .filter((each) => each !== undefined && each !== false)
    .join(" ");
}

/** Tells the reference kubelet the story, and returns what it sends. */
async function told(t: TestContext, recorded: RecordedEnd): Promise<Told[]> {
  const first = recorded.events[0]?.pod;
  const uid = first?.metadata?.uid ?? "";
  const kubelet = await kubeletOf(t, { profile: recorded.release });
  const client = new RawClient({ socketPath: kubelet.socketPath });
  t.after(() => client[Symbol.asyncDispose]());
  const watch = client.watch({})[Symbol.asyncIterator]();
  assert.equal(((await watch.next()).value as { type: string }).type, "INITIAL_SYNC_COMPLETE");
  const lines: Told[] = [];
  let [atMs, nth] = [0, 0];
  // A marker after each step shows that everything before it has been read.
  const settle = async () => {
    const marker = `marker-${nth}`;
    kubelet.addPod({ metadata: { uid: marker, name: marker } });
    for (;;) {
      const { value: event } = await watch.next();
      if (event === undefined || !("pod" in event)) assert.fail("the watch has ended");
      const pod = fromBinary(PodSchema, event.pod);
      if (pod.metadata?.uid === marker) return;
      const words = wordsOf(event.type, pod);
      if (words !== lines.at(-1)?.words) lines.push({ words, atMs, nth });
    }
  };
  // A container that failed, or succeeded, and was not started again: then nothing restarts it.
  const isOver = recorded.stoppedBy === null || recorded.expected.containers.some(({ reason }) => reason === "exited");
  const restarts = recorded.events.some(({ pod }) => (pod.status?.containerStatuses?.[0]?.restartCount ?? 0) > 0);
  const spec: PodJson["spec"] = { ...first?.spec, restartPolicy: isOver && !restarts ? "Never" : "Always" };
  kubelet.addPod({ metadata: first?.metadata ?? {}, spec });
  await settle();
  for (const step of storyOf(recorded)) {
    [atMs, nth] = [step.atMs, nth + 1];
    step.tell(kubelet, uid);
    await settle();
  }
  nth++;
  kubelet.finishPod(uid);
  await settle();
  return lines;
}

describe("the reference kubelet sends what the kubelet sent", { skip }, () => {
  for (const recorded of ENDS) {
    test(`${recorded.release} ${recorded.name}`, async (t) => {
      const lines = await told(t, recorded);
      let at = 0;
      let before = "";
      for (const { atMs, type, pod } of versionsOf(recorded)) {
        const words = wordsOf(type, pod);
        if (words === before) continue; // a kubelet tells a deleted pod again at each look
        before = words;
        const found = lines.findIndex((each, i) => i >= at && each.words === words);
        assert.notEqual(found, -1, `not sent:\n${words}\n\ninstead:\n${lines[at]?.words}`);
        // A kubelet tells two changes at once if it looks after both.
        for (const skipped of lines.slice(at, found)) {
          const isSeen = skipped.nth !== lines[found]?.nth && atMs - skipped.atMs < LOOK_MS;
          assert.ok(isSeen, `sent, and no kubelet did:\n${skipped.words}`);
        }
        at = found + 1;
      }
      assert.equal(at, lines.length, `sent after the end: ${lines[at]?.words}`);
    });
  }
});
