// npm run example prometheus-targets [PORT [HOST]]
//
// For a Prometheus, or an agent of it, on each node: it asks for the pods beside it. In a DaemonSet give the host 0.0.0.0, and
// /healthz and /readyz as probes. Prometheus' own discovery also has pods that are to go and that have finished.
//
//   scrape_configs:
//     - job_name: pods
//       http_sd_configs: [{ url: "http://localhost:8081/targets", refresh_interval: 5s }]
//       relabel_configs:
//         - { source_labels: [__meta_kubernetes_pod_annotation_prometheus_io_scrape], regex: "true", action: keep }

import { once } from "node:events";
import { targetsServer } from "./agent.js";

const [port = "8081", host = "127.0.0.1"] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
const socketPath = process.env["KUBELET_PODS_SOCKET"];
const server = targetsServer({ signal: stop.signal, ...(socketPath !== undefined && { socketPath }) });
server.listen(Number(port), host);
await once(server, "listening");
console.log(`targets on http://localhost:${(server.address() as { port: number }).port}/targets`);
