// nice-grpc with what ts-proto generates, and the limit on messages lifted. Whole pods, kept by UID.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { read } from "./read.mjs";

/** The time between two attempts at a watch, as its callers write it. */
const AGAIN_MS = 1_000;

/** @type {import("../client.mjs").Open} */
export async function open({ socketPath, timeoutMs, packages }) {
  const { createChannel, createClient } = createRequire(join(packages, "package.json"))("nice-grpc");
  const { PodsDefinition } = await import(pathToFileURL(join(packages, "gen/readable.js")).href);
  const options = { "grpc.max_receive_message_length": -1 };
  // With "unix:" and no slashes it adds a port.
  const client = createClient(PodsDefinition, createChannel(`unix://${socketPath}`, undefined, options));
  const signal = () => AbortSignal.timeout(timeoutMs);
  let end = new AbortController();
  return {
    get: async (podUID) => read((await client.getPod({ podUID }, { signal: signal() })).pod, false),
    async list() {
      const { pods } = await client.listPods({}, { signal: signal() });
      return pods.reduce((sum, pod) => sum + read(pod, false), 0);
    },
    async watch(told) {
      end.abort();
      end = new AbortController();
      const { signal } = end;
      for (; !signal.aborted; await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))) {
        const kept = new Map();
        try {
          for await (const { type, pod } of client.watchPods({}, { signal })) {
            if (type === 4) told.synced();
            else {
              read(pod, false);
              kept.set(pod.metadata?.uid, pod);
              told.pod(pod.metadata?.uid, pod.metadata?.labels.state);
            }
          }
        } catch {
          // the next attempt
        }
      }
    },
  };
}
