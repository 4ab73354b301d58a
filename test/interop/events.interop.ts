// What the kubelet's own pod manager and status manager make of a pod's life, seen by our client.

import assert from "node:assert/strict";
import type { Pod } from "../../src/index.js";
import { PodsClient } from "../../src/index.js";
import { decodePod } from "../../src/pod/decode.js";
import type { PodJson } from "../../src/pod/json-types.js";
import { PodsApi } from "../../src/sources/pods-api.js";
import { sampleNode } from "../../src/testing/index.js";
import { singly } from "../helpers/source-events.js";
import { describe, test } from "../helpers/test.js";
import { GoKubelet, goVersions, noGo } from "./go-kubelet.js";

type Status = NonNullable<PodJson["status"]>;

function pick(name: string): { pod: PodJson; uid: string } {
  const pod = sampleNode().find((p) => p.metadata?.name?.startsWith(name));
  assert.ok(pod?.metadata?.uid);
  return { pod, uid: pod.metadata.uid };
}

function withStatus(pod: PodJson, status: Status): PodJson {
  return { ...pod, status: { ...pod.status, ...status } };
}

type Told = { type: "SYNCED" } | { type: "ADDED" | "MODIFIED" | "DELETED"; pod: Pod };

/** What the kubelet sends, message by message. */
async function* told(kubelet: GoKubelet): AsyncGenerator<Told, void, undefined> {
  const api = new PodsApi({ socketPaths: [kubelet.socketPath], maxMessageBytes: 1 << 26, handshakeTimeoutMs: 5_000 });
  try {
    for await (const event of singly(api.open(new AbortController().signal))) {
      if (event.type === "SYNCED") yield { type: "SYNCED" };
      else if ("pod" in event) yield { type: event.type, pod: decodePod(event.pod) };
    }
  } finally {
    await api.close();
  }
}

async function next(events: AsyncIterator<Told>): Promise<Told> {
  const { value, done } = await events.next();
  assert.ok(!done);
  return value as Told;
}

const typeAndUid = (event: Told) => (event.type === "SYNCED" ? [event.type] : [event.type, event.pod.metadata?.uid]);

for (const version of goVersions) {
  describe(`the kubelet's managers of ${version}`, { skip: noGo }, () => {
    test("send the documented events from a pod's creation to its removal", async () => {
      await using kubelet = await GoKubelet.start(version, { mode: "real" });
      await using pods = new PodsClient({ socketPath: kubelet.socketPath });
      const { pod, uid } = pick("web-6bf9d8c7d5-2lm8z");

      // The object is known, its worker has not spoken yet.
      await kubelet.do("add", { pods: [pod] });
      const [unverified] = await pods.listPods();
      const ready = unverified?.status?.conditions.find((c) => c.type === "Ready");
      if (version === "1.36") assert.equal(ready?.status, "True", "1.36 passes on what the API server has");
      else assert.deepEqual([ready?.status, ready?.reason], ["False", "ContainersNotReady"]);

      const events = told(kubelet);
      assert.deepEqual(typeAndUid(await next(events)), ["ADDED", uid]);
      assert.deepEqual(typeAndUid(await next(events)), ["SYNCED"]);

      // The first status of a pod is ADDED again, though the burst had the pod.
      assert.equal((await kubelet.do("status", { pods: [pod] })).changed, true);
      assert.deepEqual(typeAndUid(await next(events)), ["ADDED", uid]);

      // Equal statuses and changed labels tell nobody.
      assert.notEqual((await kubelet.do("status", { pods: [pod] })).changed, true);
      const labelled = { ...pod, metadata: { ...pod.metadata, labels: { app: "renamed" } } };
      await kubelet.do("update", { pods: [labelled] });
      assert.equal((await pods.listPods())[0]?.metadata?.labels["app"], "renamed", "a list shows them");

      const restarted = withStatus(pod, {
        containerStatuses: pod.status?.containerStatuses?.map((c) => ({ ...c, restartCount: 1 })) ?? [],
      });
      await kubelet.do("status", { pods: [restarted] });
      const modified = await next(events);
      assert.deepEqual(typeAndUid(modified), ["MODIFIED", uid]);
      assert.equal(modified.type === "MODIFIED" && modified.pod.metadata?.labels["app"], "renamed");

      // Failed comes before the containers end.
      await kubelet.do("status", { pods: [withStatus(restarted, { phase: "Failed", reason: "Evicted" })] });
      const evicted = await next(events);
      assert.ok(evicted.type === "MODIFIED");
      assert.equal(evicted.pod.status?.phase, "Failed");
      assert.ok(evicted.pod.status?.containerStatuses[0]?.state?.running);

      // DELETED means finished; the pod stays listed, and its removal sends no event.
      await kubelet.do("terminate", { uid });
      const deleted = await next(events);
      assert.ok(deleted.type === "DELETED");
      const { name, namespace } = pod.metadata ?? {};
      assert.deepEqual(
        [deleted.pod.metadata?.name, deleted.pod.metadata?.namespace, deleted.pod.metadata?.uid],
        [name, namespace, uid],
      );
      assert.equal(deleted.pod.status?.phase, "", "nothing but the identity");
      assert.equal((await pods.listPods())[0]?.status?.phase, "Failed");
      await kubelet.do("remove", { uid });
      assert.deepEqual(await pods.listPods(), []);

      // The next event is about another pod.
      const other = pick("coredns");
      await kubelet.do("add", { pods: [other.pod] });
      await kubelet.do("status", { pods: [other.pod] });
      assert.deepEqual(typeAndUid(await next(events)), ["ADDED", other.uid]);
      await events.return();
    });

    test("reject a status that runs an ended container again", async () => {
      await using kubelet = await GoKubelet.start(version, { mode: "real" });
      const { pod } = pick("report-"); // restartPolicy Never
      await kubelet.do("add", { pods: [pod] });
      await kubelet.do("status", { pods: [pod] });
      const again = pod.status?.containerStatuses?.map((c) => ({ ...c, state: { running: { startedAt: null } } }));
      const answer = await kubelet.do("status", { pods: [withStatus(pod, { containerStatuses: again ?? [] })] });
      assert.match(answer.refused ?? "", /attempted illegal transition to non-terminated state/);
    });

    test("a static pod keeps its UID when it is created again", async () => {
      await using kubelet = await GoKubelet.start(version, { mode: "real" });
      const { pod, uid } = pick("etcd");
      const events = told(kubelet);
      assert.deepEqual(typeAndUid(await next(events)), ["SYNCED"]);
      for (const expected of ["ADDED", "ADDED"]) {
        await kubelet.do("add", { pods: [pod] });
        await kubelet.do("status", { pods: [pod] });
        assert.deepEqual(typeAndUid(await next(events)), [expected, uid]);
        await kubelet.do("terminate", { uid });
        assert.deepEqual(typeAndUid(await next(events)), ["DELETED", uid]);
        await kubelet.do("remove", { uid });
        await kubelet.do("forget");
      }
      await events.return();
    });

    test("a graceful stop ends the watch", async () => {
      await using kubelet = await GoKubelet.start(version, { mode: "real" });
      const events = told(kubelet);
      await next(events);
      const ended = assert.rejects(events.next(), (error: { code?: string }) => {
        // 1.37 closes its watchers' channels, 1.36 holds the stream until the process goes.
        assert.equal(error.code, version === "1.36" ? "connection-lost" : "dropped");
        return true;
      });
      await kubelet.do("stop", { graceMs: 200 });
      await ended;
    });
  });
}
