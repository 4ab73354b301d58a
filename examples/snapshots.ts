// npm run example snapshots FILE
//
// Keeps a file with the pods of this node, for programs that read files: the whole list after each change, written beside
// it and renamed, so that a reader sees one list or the next, and never a part.

import { rename, writeFile } from "node:fs/promises";
import { PodsClient, podMasks, toKubernetesJson } from "kubelet-pods";

const [file = "pods.json"] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

const pods = new PodsClient();
const mask = podMasks.network;
const informer = pods.informer({ mask, signal: stop.signal });
try {
  for await (const list of informer.snapshots()) {
    const items = list.map((pod) => toKubernetesJson(pod, { mask }));
    await writeFile(`${file}.new`, JSON.stringify({ apiVersion: "v1", kind: "PodList", items }));
    await rename(`${file}.new`, file);
    console.log(`${items.length} pods written to ${file}`);
  }
} catch (error) {
  if (error !== stop.signal.reason) throw error;
} finally {
  await pods.close();
}
