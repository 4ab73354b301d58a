// An informer and unary calls of kubelet-pods, of whole pods or with `mask`. `packages` is the directory in which it is installed.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { read } from "./read.mjs";

/** @type {import("../client.mjs").Open} */
export async function open({ socketPath, mask, timeoutMs, packages }) {
  const { PodsClient } = await import(pathToFileURL(join(packages, "node_modules/kubelet-pods/dist/index.js")).href);
  const pods = new PodsClient({ socketPath, timeoutMs });
  const isMasked = mask !== undefined;
  const options = isMasked ? { mask } : {};
  let informer;
  return {
    get: async (uid) => read(await pods.getPod(uid, options), isMasked),
    list: async () => (await pods.listPods(options)).reduce((sum, pod) => sum + read(pod, isMasked), 0),
    async watch(told) {
      await informer?.close();
      // A long interval, so that no resync falls into a measurement.
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
