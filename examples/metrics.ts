// npm run example metrics [PORT]
//
// Prometheus metrics of the pods of this node, on http://localhost:9464/metrics, with prom-client. They are read from an
// informer when somebody asks: a scrape costs the kubelet nothing.

import { once } from "node:events";
import { createServer } from "node:http";
import { isReady, PodsClient, podMask } from "kubelet-pods";
import { Gauge, Registry } from "prom-client";

const [port = "9464"] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

const pods = new PodsClient();
const mask = podMask(
  "metadata.namespace",
  "metadata.name",
  "status.phase",
  "status.conditions",
  "status.containerStatuses.name",
  "status.containerStatuses.restartCount",
);
const informer = pods.informer({ mask });
const registers = [new Registry()];

new Gauge({
  name: "node_pod_ready",
  help: "Whether a pod of this node is ready",
  labelNames: ["namespace", "pod"],
  registers,
  collect() {
    this.reset();
    for (const pod of informer.list()) {
      const { namespace = "", name = "" } = pod.metadata ?? {};
      this.set({ namespace, pod: name }, isReady(pod) ? 1 : 0);
    }
  },
});

new Gauge({
  name: "node_pod_container_restarts",
  help: "How often a container of a pod of this node has been started again",
  labelNames: ["namespace", "pod", "container"],
  registers,
  collect() {
    this.reset();
    for (const { metadata, status } of informer.list()) {
      const { namespace = "", name: pod = "" } = metadata ?? {};
      for (const { name: container, restartCount } of status.containerStatuses) {
        this.set({ namespace, pod, container }, restartCount);
      }
    }
  },
});

new Gauge({
  name: "node_pods_synced",
  help: "Whether the other metrics are what the kubelet has; 0 while it is away",
  registers,
  collect() {
    this.set(informer.state.phase === "synced" ? 1 : 0);
  },
});

const server = createServer(async (request, response) => {
  const [registry] = registers;
  if (request.url !== "/metrics" || registry === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": registry.contentType }).end(await registry.metrics());
});
server.listen(Number(port), "localhost");
await once(server, "listening");
const address = server.address();
console.log(`http://localhost:${typeof address === "object" ? address?.port : port}/metrics`);

if (!stop.signal.aborted) await once(stop.signal, "abort");
server.close();
server.closeAllConnections();
await pods.close();
