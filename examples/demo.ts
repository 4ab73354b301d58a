// npm run demo [-- --pods FILE | --socket PATH] [--seconds N]
//
// Lists the pods of a node and watches them. Without arguments the node is a reference kubelet with pods of its own;
// --pods takes what `kubectl get pods -A -o json` wrote; --socket a real kubelet's socket.

import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { PodsClient, PodsError } from "kubelet-pods";
import { churn, parsePods, ReferenceKubelet, sampleNode, seededRandom } from "kubelet-pods/testing";
import { podLine, table } from "./pod-line.js";

const { values } = parseArgs({
  options: { pods: { type: "string" }, socket: { type: "string" }, seconds: { type: "string", default: "10" } },
});
const seconds = Number(values.seconds);

async function main(): Promise<void> {
  const kubelet = values.socket === undefined ? await startKubelet(values.pods) : undefined;
  const socketPath = values.socket ?? kubelet?.socketPath ?? "";
  const pods = new PodsClient({ socketPath });
  const end = AbortSignal.timeout(seconds * 1000);
  try {
    const kind = kubelet === undefined ? "kubelet" : "reference kubelet";
    const lines = (await pods.listPods()).map(podLine);
    lines.sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
    console.log(`${lines.length} pods from the ${kind} on ${socketPath}\n`);
    console.log(`${table(lines)}\n`);
    console.log(`Watching for ${seconds} seconds.\n`);
    if (kubelet !== undefined) void changeThings(kubelet, end);
    await watch(pods, end);
  } finally {
    await pods.close();
    await kubelet?.close();
  }
}

async function startKubelet(file: string | undefined): Promise<ReferenceKubelet> {
  const pods = file === undefined ? sampleNode() : await parsePods(await readFile(file, "utf8"));
  return ReferenceKubelet.start({ pods });
}

/** A change every 0.6 s or so, the same ones each time. */
async function changeThings(kubelet: ReferenceKubelet, end: AbortSignal): Promise<void> {
  const random = seededRandom(8);
  while (!end.aborted) {
    await sleep(300 + 600 * random());
    if (!end.aborted) churn(kubelet, random);
  }
}

async function watch(pods: PodsClient, end: AbortSignal): Promise<void> {
  const counts = { ADDED: 0, MODIFIED: 0, DELETED: 0 };
  const names = new Map<string, string>();
  let synced = false;
  try {
    for await (const event of pods.watchPods({ signal: end })) {
      if (event.type === "SYNCED") {
        console.log(`SYNCED    ${names.size} pods are known\n`);
        synced = true;
        continue;
      }
      const line = podLine(event.pod);
      const uid = event.pod.metadata?.uid ?? "";
      names.set(uid, `${line.namespace}/${line.name}`);
      if (event.type === "DELETED") names.delete(uid);
      if (!synced) continue;
      counts[event.type]++;
      const state = event.type === "DELETED" ? "" : `  ${line.ready} ${line.status}, restarts ${line.restarts}`;
      console.log(`${event.type.padEnd(8)}  ${line.namespace}/${line.name}${state}`);
    }
  } catch (error) {
    if (error !== end.reason) throw error;
  }
  const { ADDED, MODIFIED, DELETED } = counts;
  console.log(
    `\n${ADDED} added, ${MODIFIED} modified, ${DELETED} deleted in ${seconds} seconds; ${names.size} pods known.`,
  );
}

main().catch((error) => {
  console.error(PodsError.is(error) ? error.message : error);
  process.exitCode = 1;
});
