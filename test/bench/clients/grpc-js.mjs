// @grpc/grpc-js with @grpc/proto-loader, without a limit on message sizes. It keeps whole pods by UID.

import { join } from "node:path";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import { read } from "./read.mjs";

/** Delay before the next attempt at a watch. */
const AGAIN_MS = 1_000;

/** @type {import("../client.mjs").Open} */
export function open({ socketPath, timeoutMs }) {
  const includeDirs = [
    join(import.meta.dirname, "../../../proto"),
    join(import.meta.dirname, "../../../docs/upstream"),
  ];
  const { v1alpha1 } = grpc.loadPackageDefinition(loader.loadSync("readable.proto", { includeDirs }));
  const client = new v1alpha1.Pods(`unix:${socketPath}`, grpc.credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
  });
  const unary = (method, request) =>
    new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + timeoutMs };
      client[method](request, options, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
  let call;
  let watches = 0;
  return {
    get: async (podUID) => read((await unary("getPod", { podUID })).pod, false),
    list: async () => (await unary("listPods", {})).pods.reduce((sum, pod) => sum + read(pod, false), 0),
    async watch(told) {
      call?.cancel();
      const mine = ++watches;
      for (; mine === watches; await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))) {
        const kept = new Map();
        const metadata = new grpc.Metadata({ waitForReady: true });
        call = client.watchPods({}, metadata);
        try {
          for await (const { type, pod } of call) {
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
