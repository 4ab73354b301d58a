// What a mask saves: the pods of a list, decoded again and again, whole and by five fields.

import { createClient } from "@connectrpc/connect";
import { type PodSource, PodsClient, podMask } from "kubelet-pods";
import { kubeletTransport, Pods } from "kubelet-pods/connect";

/** How many pods are decoded. */
export const MEASURED = 5_000;

const FIVE = podMask("metadata.uid", "metadata.namespace", "metadata.name", "status.phase", "status.podIP");

/** Measures how long it takes to decode 5,000 pods like those of the node, in milliseconds. */
export async function maskCost(socketPath: string): Promise<{ wholeMs: number; maskedMs: number }> {
  await using transport = kubeletTransport({ socketPath });
  const { pods: listed } = await createClient(Pods, transport).listPods({});
  const pods = Array.from({ length: MEASURED }, (_, i) => listed[i % listed.length] ?? new Uint8Array());
  // A source that has the answer already: what is left is the decoding.
  const source: PodSource = {
    socketPath,
    list: async () => pods,
    get: async () => new Uint8Array(),
    connect: async () => {},
    close: async () => {},
    server: () => "here",
    changed: () => new Promise(() => {}),
    async *open() {},
  };
  // Its list is what it is: whether a kubelet has more is nothing to it.
  await using client = new PodsClient({ sources: [source] });
  const measured = async (list: () => Promise<unknown>) => {
    let bestMs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const startMs = performance.now();
      await list();
      bestMs = Math.min(bestMs, performance.now() - startMs);
    }
    return bestMs;
  };
  if (listed.length === 0) return { wholeMs: 0, maskedMs: 0 };
  const wholeMs = await measured(() => client.listPods());
  return { wholeMs, maskedMs: await measured(() => client.listPods({ mask: FIVE })) };
}
