// npm run example kubectl get pods [-- -n NAMESPACE] [-l SELECTOR] [-o json] [-w]
//
// A small kubectl for the pods of this node: what `kubelet-pods get` does, in as few lines as it takes.

import { parseArgs } from "node:util";
import { type Pod, PodsClient, PodsError, toKubernetesJson } from "kubelet-pods";
import { podLine, table } from "./support/pod-line.js";

const USAGE = "usage: kubectl get pods [NAME] [-n NAMESPACE] [-l SELECTOR] [-o json] [-w]";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      namespace: { type: "string", short: "n" },
      selector: { type: "string", short: "l" },
      output: { type: "string", short: "o" },
      watch: { type: "boolean", short: "w" },
    },
  });
  const [verb, resource, name] = positionals;
  if (verb !== "get" || (resource !== "pods" && resource !== "pod")) throw new Error(USAGE);
  const show = values.output === "json" ? showJson : showTable;
  const query = {
    namespace: values.namespace,
    labelSelector: values.selector,
    fieldSelector: name === undefined ? undefined : `metadata.name=${name.replace(/[\\,=]/g, "\\$&")}`,
  };
  const pods = new PodsClient();
  try {
    if (values.watch !== true) return show(await pods.listPods(query));
    const stop = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
    const informer = pods.informer({ ...query, includeFinished: true, signal: stop.signal });
    try {
      for await (const list of informer.snapshots()) show(list);
    } catch (error) {
      if (error !== stop.signal.reason) throw error;
    }
  } finally {
    await pods.close();
  }
}

function showTable(list: readonly Pod[]): void {
  console.log(`${table(list.map(podLine))}\n`);
}

function showJson(list: readonly Pod[]): void {
  console.log(
    JSON.stringify({ apiVersion: "v1", kind: "List", items: list.map((pod) => toKubernetesJson(pod)) }, null, 4),
  );
}

main().catch((error: Error) => {
  console.error(PodsError.is(error) ? error.message : `error: ${error.message}`);
  process.exitCode = 1;
});
