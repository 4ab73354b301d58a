// This package: an informer, and unary calls. `mask` or the whole pod.

import { PodsClient } from "kubelet-pods";

/** @type {import("../client.mjs").Open} */
export function open({ socketPath, mask, timeoutMs }) {
  const pods = new PodsClient({ socketPath, timeoutMs });
  const options = mask === undefined ? {} : { mask };
  let informer;
  return {
    get: (uid) => pods.getPod(uid, options),
    list: async () => (await pods.listPods(options)).length,
    async watch(told) {
      await informer?.close();
      // No list by itself in the middle of a part.
      informer = pods.informer({ ...options, resyncIntervalMs: 3_600_000 });
      try {
        for await (const event of informer) {
          if (event.type === "SYNCED") told.synced();
          else if ("pod" in event) told.pod(event.pod.metadata?.uid, event.pod.metadata?.labels?.state);
        }
      } catch (error) {
        if (error.code !== "closed") throw error;
      }
    },
  };
}
