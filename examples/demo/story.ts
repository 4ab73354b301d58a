// The events on the node of the demo: constant changes, and an outage in the middle, during which pods are deleted and added.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { churn, type ReferenceKubelet, seededRandom } from "kubelet-pods/testing";

/** Runs the story for this many milliseconds, or until the signal aborts. It is the same each time. */
export async function play(kubelet: ReferenceKubelet, totalMs: number, signal: AbortSignal): Promise<void> {
  const random = seededRandom(8);
  const startMs = performance.now();
  const isOver = (share: number) => signal.aborted || performance.now() - startMs > totalMs * share;
  const changes = async (share: number) => {
    while (!isOver(share)) {
      await sleep(300 + 500 * random(), undefined, { signal });
      if (!isOver(share)) churn(kubelet, random);
    }
  };
  try {
    await changes(0.25);
    if (signal.aborted) return;
    // Ends early enough for the deletions of the outage to be emitted. That takes about fifteen seconds, until no container can be running.
    const downtimeMs = Math.min(3_000, totalMs * 0.2);
    const leaving = deleteTwo(kubelet);
    await sleep(200, undefined, { signal }); // these events are sent before the kubelet stops
    const back = kubelet.restart({ downtimeMs });
    await sleep(downtimeMs / 2, undefined, { signal });
    goUnseen(kubelet, leaving);
    await back;
    await changes(1);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Deletes two pods whose containers end at once. Returns their UIDs. */
function deleteTwo(kubelet: ReferenceKubelet): string[] {
  const owned = kubelet.pods.filter(({ metadata: { ownerReferences, deletionTimestamp } }) => {
    const isReplaced = ownerReferences.some(({ kind }) => kind === "ReplicaSet" || kind === "StatefulSet");
    return isReplaced && deletionTimestamp === undefined;
  });
  return owned.slice(0, 2).map(({ metadata: { uid }, status }) => {
    kubelet.deletePod(uid, { gracePeriodSeconds: 1 });
    for (const { name, state } of [...status.initContainerStatuses, ...status.containerStatuses])
      if (state?.running !== undefined) kubelet.endContainer(uid, name, { exitCode: 0 });
    return uid;
  });
}

/** Removes these pods and adds one, during the outage. */
function goUnseen(kubelet: ReferenceKubelet, leaving: readonly string[]): void {
  for (const uid of leaving) {
    kubelet.finishPod(uid);
    kubelet.removePod(uid);
  }
  kubelet.addPod({
    metadata: { uid: randomUUID(), namespace: "shop", name: "came-unseen-0" },
    spec: { nodeName: "node-1", containers: [{ name: "main", image: "registry.example/main:1.0" }] },
  });
}
