// This package: an informer, and unary calls. `mask` or the whole pod.

import { PodsClient } from "kubelet-pods";
import { read } from "./read.mjs";

/** @type {import("../client.mjs").Open} */
export function open({ socketPath, mask, timeoutMs }) {
  const pods = new PodsClient({ socketPath, timeoutMs });
  const isMasked = mask !== undefined;
  const options = isMasked ? { mask } : {};
  let informer;
  return {
    get: async (uid) => read(await pods.getPod(uid, options), isMasked),
    list: async () => (await pods.listPods(options)).reduce((sum, pod) => sum + read(pod, isMasked), 0),
    async watch(told) {
      await informer?.close();
      // No list by itself in the middle of a part.
      informer = pods.informer({ ...options, resyncIntervalMs: 3_600_000 });
      try {
        for await (const event of informer) {
          if (event.type === "SYNCED") told.synced();
          else if ("pod" in event) {
            read(event.pod, isMasked);
            told.pod(event.pod.metadata?.uid, event.pod.metadata?.labels?.state);
          }
        }
      } catch (error) {
        if (error.code !== "closed") throw error;
      }
    },
  };
}
