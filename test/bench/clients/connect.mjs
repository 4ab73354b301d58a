// A generated client on a connect-node transport. It keeps pods by UID, as bytes or decoded by protobuf-es or protobufjs.

import { createRequire } from "node:module";
import { createConnection } from "node:net";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Pods } from "../../../build/src/gen/v1alpha1/pods_pb.js";
import { read } from "./read.mjs";

/** Delay before the next attempt; connect has no backoff of its own. */
const AGAIN_MS = 1_000;

/** @type {import("../client.mjs").Open} */
export async function open({ socketPath, decoder, timeoutMs }) {
  const decode = await decoders[decoder ?? "none"]();
  const reading = (bytes) => (decoder === undefined ? bytes.length : read(decode(bytes), false));
  const transport = createGrpcTransport({
    baseUrl: "http://localhost",
    nodeOptions: { createConnection: () => createConnection(socketPath) },
    readMaxBytes: 256 << 20,
  });
  const client = createClient(Pods, transport);
  let end = new AbortController();
  return {
    get: async (podUID) => reading((await client.getPod({ podUID }, { timeoutMs })).pod),
    async list() {
      const pods = (await client.listPods({}, { timeoutMs })).pods.map(decode);
      return decoder === undefined ? pods.length : pods.reduce((sum, pod) => sum + read(pod, false), 0);
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
            else if (decoder === undefined) told.bytes(pod);
            else {
              const decoded = decode(pod);
              read(decoded, false);
              kept.set(decoded.metadata?.uid, decoded);
              told.pod(decoded.metadata?.uid, decoded.metadata?.labels.state);
            }
          }
        } catch {
          // the next attempt
        }
      }
    },
  };
}

const decoders = {
  none: () => (bytes) => bytes,
  async "protobuf-es"() {
    const { fromBinary } = await import("@bufbuild/protobuf");
    const { PodSchema } = await import("../../../build/src/gen/k8s/io/api/core/v1/pod_pb.js");
    return (bytes) => fromBinary(PodSchema, bytes);
  },
  async protobufjs() {
    const { default: protobuf } = await import("protobufjs");
    const proto = join(import.meta.dirname, "../../../proto");
    const descriptor = createRequire(import.meta.url)("protobufjs/google/protobuf/descriptor.json");
    protobuf.common("descriptor", descriptor.nested.google.nested.protobuf.nested);
    const root = new protobuf.Root();
    root.resolvePath = (_, target) => (target.startsWith(proto) ? target : join(proto, target));
    const Pod = root.loadSync("k8s/io/api/core/v1/pod.proto").lookupType("k8s.io.api.core.v1.Pod");
    return (bytes) => Pod.decode(bytes);
  },
};
