// Reads all that the kubelet's HTTP server tells by the package, where it is reached: node http-agent.mjs OPTIONS NAMESPACE POD CONTAINER.

import { cgroupLayout } from "../../dist/index.js";
import { KubeletHttpClient } from "../../dist/sources/kubelet-http/index.js";

const [options = "{}", namespace, name, container] = process.argv.slice(2);
const kubelet = new KubeletHttpClient(JSON.parse(options));

async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const running = await kubelet.runningPods();
const summary = await kubelet.statsSummary();
const metrics = {};
for (const of of ["kubelet", "cadvisor", "resource", "probes"])
  metrics[of] = (await textOf(kubelet.metrics(of))).length;
const told = {
  healthy: await kubelet.healthz(),
  config: await kubelet.configz(),
  running: running.map(({ metadata, spec }) => ({
    uid: metadata.uid,
    names: spec.containers.map((each) => each.name),
  })),
  measured: [...summary.pods].map(([uid, pod]) => [uid, pod.memory?.workingSetBytes ?? 0]),
  nodeName: summary.node.nodeName,
  log: await textOf(kubelet.containerLogs({ namespace, name }, { container, tailLines: 5, timestamps: true })),
  missing: await textOf(kubelet.containerLogs({ namespace, name }, { container: "none" })).catch(({ code }) => code),
  metrics,
};
told.cgroup = (await cgroupLayout({ kubelet: told.config })).root;
console.log(JSON.stringify(told));
await kubelet.close();
