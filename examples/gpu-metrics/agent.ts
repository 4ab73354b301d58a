// Exports the use of each GPU on this node to Prometheus, labelled with pod, UID and container. GPUs without a container have a series, too.
// Serves /metrics with prom-client, and /readyz.

import { createServer, type Server } from "node:http";
import { PodsClient, podMasks } from "kubelet-pods";
import { freeResources, joinPodResources, PodResourcesClient } from "kubelet-pods/podresources";
import { Gauge, Registry } from "prom-client";

/** A GPU. The driver and the device plugin use the same ID. */
export interface Gpu {
  uuid: string;
  /** From 0 to 1. */
  utilization: number;
}

export interface GpuMetricsOptions {
  /** Reads the GPUs from the driver. */
  readGpus(): Promise<Gpu[]>;
  socketPath?: string;
  podResourcesSocketPath?: string;
  /** Ends the agent. */
  signal: AbortSignal;
}

/** Returns the server, which does not listen yet. */
export function gpuMetrics({ readGpus, socketPath, podResourcesSocketPath, signal }: GpuMetricsOptions): Server {
  const client = new PodsClient({ socketPath });
  const resourcesClient = new PodResourcesClient({ socketPath: podResourcesSocketPath });
  const pods = client.informer({ mask: podMasks.identity, signal });
  const registry = new Registry();

  const utilizationRatio = new Gauge({
    name: "gpu_utilization_ratio",
    help: "Share of the time in which the GPU computed",
    labelNames: ["gpu", "namespace", "pod", "uid", "container"],
    registers: [registry],
  });
  const devicesFree = new Gauge({
    name: "node_devices_free",
    help: "Devices of a resource that no container holds",
    labelNames: ["resource"],
    registers: [registry],
  });

  async function collect(): Promise<void> {
    const before = pods.list();
    // A device that is assigned between the two calls must not count as free.
    const allocatable = await resourcesClient.getAllocatableResources();
    const [gpus, given] = await Promise.all([readGpus(), resourcesClient.list()]);
    const { phase, unconfirmed } = pods.state;
    // The response has names, and another pod may have a name by now. A failed scrape is better than a wrong or missing label.
    if (phase !== "synced" || unconfirmed.count > 0) throw new Error("the pods of the node are not confirmed");
    const assigned = joinPodResources(
      before.filter(({ metadata: { uid } }) => pods.get({ uid }) !== undefined),
      given,
    );
    utilizationRatio.reset();
    for (const { uuid, utilization } of gpus) {
      const holders = assigned.filter(({ devices }) =>
        devices.some(({ deviceIDs }) => deviceIDs.some((id) => isOf(uuid, id))),
      );
      if (holders.length === 0) utilizationRatio.set({ gpu: uuid }, utilization);
      for (const { pod, container = "" } of holders) {
        const { namespace, name, uid } = pod.metadata;
        utilizationRatio.set({ gpu: uuid, namespace, pod: name, uid, container }, utilization);
      }
    }
    devicesFree.reset();
    for (const { resourceName, deviceIDs } of freeResources(allocatable, given).devices) {
      devicesFree.inc({ resource: resourceName }, deviceIDs.length); // once per group of NUMA nodes
    }
  }

  const server = createServer((request, response) => {
    if (request.url === "/readyz") {
      const { phase } = pods.state;
      response.writeHead(phase === "synced" ? 200 : 503).end(`${phase}\n`);
    } else if (request.url === "/metrics") {
      const metrics = collect().then(() => registry.metrics());
      metrics.then(
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

/** Returns true if a device is the GPU, or a time-sliced share of it, such as `GPU-1::0`. */
function isOf(uuid: string, deviceID: string): boolean {
  return deviceID === uuid || deviceID.startsWith(`${uuid}::`);
}
