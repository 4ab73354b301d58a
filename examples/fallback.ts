// npm run example fallback
//
// The pods of this node from its kubelet, and from the API server as long as the node has no kubelet with the Pods API, or
// its kubelet is away: two sources of one watch, so that a change of the source deletes nothing. (For the kubelet's own HTTP
// server there is `kubeletHttp`.) It needs NODE_NAME, from the DaemonSet's `fieldRef: { fieldPath: spec.nodeName }`, and a
// token that may list pods.

import { toBinary } from "@bufbuild/protobuf";
import { CoreV1Api, KubeConfig, type V1Pod } from "@kubernetes/client-node";
import { fromKubernetesJson, type PodSource, PodsClient, PodsError, podMasks, podsApi } from "kubelet-pods";
import { PodSchema } from "kubelet-pods/schema";

/** How often the API server is asked for all pods of the node, in milliseconds. */
const POLL_MS = Number(process.env["POLL_MS"] ?? 10_000);

const nodeName = process.env["NODE_NAME"];
if (!nodeName) throw new Error("NODE_NAME is not set: the API server would be asked for the pods of no node");

/** The pods of a node as the API server has them, as a source of a client. */
function apiServer(node: string): PodSource {
  const config = new KubeConfig();
  config.loadFromDefault();
  const api = config.makeApiClient(CoreV1Api);
  const socketPath = config.getCurrentCluster()?.server ?? "the API server";

  async function list(): Promise<Uint8Array[]> {
    try {
      const { items } = await api.listPodForAllNamespaces({ fieldSelector: `spec.nodeName=${node}` });
      return items.map(bytesOf);
    } catch (cause) {
      throw new PodsError({ code: "server-error", message: "the API server has not answered", cause });
    }
  }

  const ended = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });

  return {
    socketPath,
    version: "api-server",
    isIndependent: true, // it has the pods also while the kubelet has yet to read them
    connect: () => Promise.resolve(),
    close: () => Promise.resolve(),
    server: () => socketPath,
    changed: ended,
    list,
    async get(uid) {
      const found = (await list()).find((bytes) => Buffer.from(bytes).includes(uid));
      if (found === undefined) throw new PodsError({ code: "not-found", message: "there is no pod with this UID" });
      return found;
    },
    async *open(signal) {
      const pods = await list();
      // It is no kubelet process, and never starts with less than it has: one connection for all lists.
      const connection = "the API server";
      yield { type: "CONNECTED", server: socketPath, connection, resyncIntervalMs: POLL_MS, tellsDeletions: false };
      for (const pod of pods) yield { type: "ADDED", pod };
      yield { type: "SYNCED" };
      await ended(signal); // the next list is asked for after `resyncIntervalMs`
    },
  };
}

/** A pod as the kubelet would send it. A mirror pod stands for a static pod, whose UID is in an annotation. */
function bytesOf(pod: V1Pod): Uint8Array {
  const own = fromKubernetesJson(JSON.parse(JSON.stringify(pod)), { allowUnknownKeys: true });
  const hash = own.metadata.annotations["kubernetes.io/config.hash"];
  if (hash && own.metadata.annotations["kubernetes.io/config.mirror"]) own.metadata.uid = hash;
  return toBinary(PodSchema, own);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

const pods = new PodsClient({ sources: [podsApi(), apiServer(nodeName)] });
try {
  for await (const event of pods.watchPods({ mask: podMasks.identity, signal: stop.signal })) {
    if (event.type === "SYNCED") {
      const { apiVersion } = await pods.probe();
      console.log(`${event.count} pods, from ${apiVersion === "api-server" ? "the API server" : "the kubelet"}`);
    } else if (event.type === "DISCONNECTED") console.log(`away: ${event.error.code}`);
    else if (event.type !== "MODIFIED") {
      const { namespace, name } = event.pod.metadata ?? {};
      console.log(`${event.type === "ADDED" ? "+" : "-"} ${namespace}/${name}`);
    }
  }
} catch (error) {
  if (error !== stop.signal.reason) throw error;
} finally {
  await pods.close();
}
