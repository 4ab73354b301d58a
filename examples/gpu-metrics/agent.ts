// The use of each GPU of this node, labelled with the pod, its UID and the container that holds it; GPUs that nobody holds stay in
// the series. For Prometheus on /metrics, with prom-client; /readyz says whether what is told is what the kubelet has.

import { createServer, type Server } from "node:http";
import { PodsClient, podMasks } from "kubelet-pods";
import { type Assignment, freeResources, joinPodResources, PodResourcesClient } from "kubelet-pods/podresources";
import { Gauge, Registry } from "prom-client";

/** One GPU as its driver names it, which is how the device plugin names it too. */
export interface Gpu {
  uuid: string;
  /** From 0 to 1. */
  utilization: number;
}

export interface GpuMetricsOptions {
  /** Reads what the driver knows. */
  readGpus(): Promise<Gpu[]>;
  socketPath?: string;
  podResourcesSocketPath?: string;
  /** Ends the watch with the process. */
  signal: AbortSignal;
}

/** Makes the server; it is to be told where to listen. */
export function gpuMetrics({ readGpus, socketPath, podResourcesSocketPath, signal }: GpuMetricsOptions): Server {
  const client = new PodsClient({ socketPath });
  const resourcesClient = new PodResourcesClient({ socketPath: podResourcesSocketPath });
  const pods = client.informer({ mask: podMasks.identity, signal });
  const registry = new Registry();

  /** Returns what the containers hold. The kubelet answers with names: a pod counts if it had its name before and after the answer. */
  async function assignments(): Promise<Assignment<ReturnType<typeof pods.list>[number]>[]> {
    const before = pods.list();
    const given = await resourcesClient.list();
    const { phase, unconfirmed } = pods.state;
    // Another pod may have a name by now. A failed scrape is better than a wrong label, or none.
    if (phase !== "synced" || unconfirmed.count > 0) throw new Error("the pods of the node are not confirmed");
    return joinPodResources(
      before.filter(({ metadata: { uid } }) => pods.get({ uid }) !== undefined),
      given,
    );
  }

  new Gauge({
    name: "gpu_utilization_ratio",
    help: "Share of the time in which the GPU computed",
    labelNames: ["gpu", "namespace", "pod", "uid", "container"],
    registers: [registry],
    async collect() {
      const [gpus, assigned] = await Promise.all([readGpus(), assignments()]);
      this.reset();
      for (const { uuid, utilization } of gpus) {
        const holders = assigned.filter(({ devices }) =>
          devices.some(({ deviceIDs }) => deviceIDs.some((id) => isOf(uuid, id))),
        );
        if (holders.length === 0) this.set({ gpu: uuid }, utilization);
        for (const { pod, container = "" } of holders) {
          const { namespace, name, uid } = pod.metadata;
          this.set({ gpu: uuid, namespace, pod: name, uid, container }, utilization);
        }
      }
    },
  });

  new Gauge({
    name: "node_devices_free",
    help: "Devices of a resource that no container holds",
    labelNames: ["resource"],
    registers: [registry],
    async collect() {
      const allocatable = await resourcesClient.getAllocatableResources();
      const free = freeResources(allocatable, await resourcesClient.list());
      this.reset();
      for (const { resourceName, deviceIDs } of free.devices) {
        this.inc({ resource: resourceName }, deviceIDs.length); // once for each group of NUMA nodes
      }
    },
  });

  const server = createServer((request, response) => {
    if (request.url === "/readyz") {
      const { phase } = pods.state;
      response.writeHead(phase === "synced" ? 200 : 503).end(`${phase}\n`);
    } else if (request.url === "/metrics") {
      registry.metrics().then(
        (text) => response.setHeader("content-type", registry.contentType).end(text),
        () => response.writeHead(503).end("the driver or the kubelet does not answer\n"),
      );
    } else response.writeHead(404).end();
  });
  signal.addEventListener("abort", () => {
    server.close();
    void Promise.all([resourcesClient.close(), client.close()]);
  });
  return server;
}

/** Returns true if a device is the GPU, or a share of it by time slicing: `GPU-1::0`. */
function isOf(uuid: string, deviceID: string): boolean {
  return deviceID === uuid || deviceID.startsWith(`${uuid}::`);
}
