// How pods and their containers ended, as seen on real nodes (docs/kubelet.md): for an agent that was there, and for one that was away in
// between.

import assert from "node:assert/strict";
import type { ContainerEvent, PodsClient } from "../../src/index.js";
import type { PodInput, ReferenceKubelet } from "../../src/testing/index.js";
import { clientOf, kubeletOf } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const UID = "2c4d8b1e-0000-4000-8000-000000000001";

type Policy = "Always" | "OnFailure" | "Never";
interface Own {
  readonly restartPolicy?: Policy;
  readonly restartPolicyRules?: readonly object[];
}

function podOf(restartPolicy: Policy, main: Own = {}, others: readonly string[] = []): PodInput {
  return {
    metadata: { uid: UID, namespace: "shop", name: "web" },
    spec: {
      restartPolicy,
      containers: [{ name: "main", image: "app:1", ...main }, ...others.map((name) => ({ name, image: "app:1" }))],
    },
  } as PodInput;
}

const restartOn = (action: string, ...values: number[]): Own => ({
  restartPolicy: "Never",
  restartPolicyRules: [{ action, exitCodes: { operator: "In", values } }],
});

interface Story {
  readonly name: string;
  readonly pod: PodInput;
  readonly isStatic?: boolean;
  /** What happens before the kubelet finishes the pod. */
  readonly happens: (kubelet: ReferenceKubelet, uid: string) => void;
  readonly ends: (kubelet: ReferenceKubelet, uid: string) => void;
  /** The reason of the pod's end, and its exit code. */
  readonly expected: readonly [reason: string, exitCode: number | undefined];
  /** The same for an agent that was away from the exit on, so that it knows of no deletion; equal by default. */
  readonly away?: readonly [reason: string, exitCode: number | undefined];
}

const STORIES: readonly Story[] = [
  {
    name: "a container with its own policy Never exits, and its pod is deleted afterwards",
    pod: podOf("Always", { restartPolicy: "Never" }),
    happens: (kubelet, uid) => kubelet.endContainer(uid, "main", { exitCode: 3 }),
    ends: deleted,
    expected: ["exited", 3],
  },
  ...(
    [
      ["a container with its own policy Always", { restartPolicy: "Always" }, 1],
      ["a container whose rule restarts it", restartOn("Restart", 42), 42],
      ["a container whose rule restarts all containers", restartOn("RestartAllContainers", 42), 42],
    ] as const
  ).map(
    ([what, own, exitCode]): Story => ({
      name: `${what} waits for its restart, and its pod is deleted`,
      pod: podOf("Never", own),
      happens: crashes(exitCode),
      ends: deleted,
      expected: ["deleted", exitCode],
      away: ["exited", exitCode],
    }),
  ),
  {
    name: "a container exits with a code that no rule has, and its pod is deleted afterwards",
    pod: podOf("Always", restartOn("Restart", 42)),
    happens: (kubelet, uid) => kubelet.endContainer(uid, "main", { exitCode: 3 }),
    ends: deleted,
    expected: ["exited", 3],
  },
  {
    name: "a static pod is removed while its container is in CrashLoopBackOff",
    pod: podOf("Always"),
    isStatic: true,
    happens: crashes(7),
    ends: (kubelet, uid) => {
      kubelet.removePod(uid);
      kubelet.finishPod(uid);
    },
    expected: ["exited", 7],
  },
  {
    name: "a static pod is sent as new just before DELETED",
    pod: podOf("Never"),
    isStatic: true,
    happens: (kubelet, uid) => kubelet.endContainer(uid, "main", { exitCode: 7 }),
    ends: (kubelet, uid) => {
      kubelet.removePod(uid);
      kubelet.finishPod(uid, undefined, { sendsAsNew: true });
    },
    expected: ["exited", 7],
  },
  {
    name: "a pod is deleted beside a container that had crashed before",
    pod: podOf("Always", {}, ["side"]),
    happens: crashes(4),
    ends: deleted,
    expected: ["deleted", 0],
    away: ["unknown", undefined],
  },
  {
    name: "a pod is deleted after one container ended for good, beside one that crashed and is restarted",
    pod: podOf("Never", { restartPolicy: "Always" }, ["side"]),
    happens: (kubelet, uid) => {
      crashes(4)(kubelet, uid);
      kubelet.endContainer(uid, "side");
    },
    ends: deleted,
    expected: ["deleted", 0],
    away: ["exited", 0],
  },
];

function crashes(exitCode: number) {
  return (kubelet: ReferenceKubelet, uid: string) => {
    kubelet.endContainer(uid, "main", { exitCode });
    kubelet.backOffContainer(uid, "main");
  };
}

function deleted(kubelet: ReferenceKubelet, uid: string): void {
  kubelet.deletePod(uid, { gracePeriodSeconds: 1 });
  kubelet.finishPod(uid);
  kubelet.removePod(uid);
}

async function begin(t: TestContext, { pod, isStatic = false }: Story) {
  const kubelet = await kubeletOf(t, isStatic ? {} : { pods: [pod] });
  const uid = isStatic ? kubelet.addStaticPod(pod) : UID;
  kubelet.startPod(uid);
  const client = clientOf(t, { socketPath: kubelet.socketPath });
  const informer = client.informer({ retainMs: 600_000 });
  await informer.synced();
  return { kubelet, uid, client, informer };
}

describe("the end of a pod", () => {
  for (const story of STORIES) {
    test(story.name, async (t) => {
      const { kubelet, uid, informer } = await begin(t, story);
      story.happens(kubelet, uid);
      story.ends(kubelet, uid);
      const gone = await goneOf(t, informer, uid);
      assert.deepEqual([gone.end?.reason, gone.end?.exitCode], story.expected);
    });

    test(`${story.name}, for an agent that was away since then`, async (t) => {
      const { kubelet, uid, informer } = await begin(t, story);
      story.happens(kubelet, uid);
      const { phase } = kubelet.pods[0]?.status ?? assert.fail();
      await informer.waitFor({ uid }, { until: ({ pod: { status } }) => status.phase === phase && hasEnded(status) });
      kubelet.faults.refuse();
      kubelet.faults.dropConnection();
      story.ends(kubelet, uid);
      await kubelet.faults.clear();
      const gone = await goneOf(t, informer, uid);
      assert.deepEqual([gone.end?.reason, gone.end?.exitCode], story.away ?? story.expected);
    });
  }
});

type Informer = ReturnType<PodsClient["informer"]>;

function hasEnded({ containerStatuses }: { readonly containerStatuses: readonly { readonly state?: unknown }[] }) {
  return containerStatuses.some((each) => (each.state as { running?: object } | undefined)?.running === undefined);
}

/** Waits until a pod is gone for an informer. */
async function goneOf(t: TestContext, informer: Informer, uid: string) {
  await until(t, () => informer.find({ uid }).gone !== undefined);
  return informer.find({ uid }).gone ?? assert.fail("it is gone");
}

test("a restart of all containers ends each of them as restarted, with the kubelet's word", async (t) => {
  const { kubelet, uid, client } = await begin(t, { ...(STORIES[0] as Story), pod: podOf("Always", {}, ["side"]) });
  const ends: ContainerEvent[] = [];
  for await (const event of client.watchContainers()) {
    if (event.type === "SYNCED") kubelet.restartAllContainers(uid);
    if (event.type === "ENDED" && ends.push(event as ContainerEvent) === 2) break;
  }
  for (const event of ends) {
    assert.equal(event.type, "ENDED");
    if (event.type !== "ENDED") return;
    const { reason, exitCode, reported } = event.end;
    assert.deepEqual([reason, exitCode, reported?.reason], ["restarted", undefined, "RestartingAllContainers"]);
  }
});
