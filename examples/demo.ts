// npm run demo [-- --pods FILE | --socket PATH] [--seconds N]
//
// Lists the pods of a node and watches them. Without arguments the node is a reference kubelet with pods of its own;
// --pods takes what `kubectl get pods -A -o json` wrote; --socket a real kubelet's socket.

import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { PodsClient } from "kubelet-pods";
import { churn, parsePods, ReferenceKubelet, sampleNode, seededRandom } from "kubelet-pods/testing";
import { podLine, table } from "./support/pod-line.js";

const USAGE = "usage: npm run demo -- [--pods FILE | --socket PATH] [--seconds N]";

async function main(): Promise<void> {
  const { pods: file, socket, seconds } = readArguments();
  const kubelet = socket === undefined ? await startKubelet(file) : undefined;
  const socketPath = socket ?? kubelet?.socketPath ?? "";
  const pods = new PodsClient({ socketPath });
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => end.abort());
  try {
    const kind = kubelet === undefined ? "kubelet" : "reference kubelet";
    const lines = (await pods.listPods({ signal: end.signal })).map(podLine);
    lines.sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
    console.log(`${lines.length} pods from the ${kind} on ${socketPath}\n`);
    console.log(`${table(lines)}\n`);
    console.log(`Watching for ${seconds} seconds.\n`);
    timer = setTimeout(() => end.abort(), seconds * 1000);
    if (kubelet !== undefined) void changeThings(kubelet, end.signal);
    await watch(pods, end.signal);
  } finally {
    clearTimeout(timer);
    end.abort();
    await pods.close();
    await kubelet?.close();
  }
}

function readArguments(): { pods: string | undefined; socket: string | undefined; seconds: number } {
  const { values } = parseArgs({
    options: { pods: { type: "string" }, socket: { type: "string" }, seconds: { type: "string", default: "10" } },
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0 && seconds <= 86_400)) throw new Error(`--seconds: not a number of seconds up to a day\n${USAGE}`);
  if (values.pods !== undefined && values.socket !== undefined)
    throw new Error(`--pods and --socket: one of them\n${USAGE}`);
  return { pods: values.pods, socket: values.socket, seconds };
}

async function startKubelet(file: string | undefined): Promise<ReferenceKubelet> {
  const pods = file === undefined ? sampleNode() : await parsePods(await readFile(file, "utf8"));
  return ReferenceKubelet.start({ pods, allowUnknownKeys: true });
}

/** A change every 0.6 s or so, the same ones each time. */
async function changeThings(kubelet: ReferenceKubelet, end: AbortSignal): Promise<void> {
  const random = seededRandom(8);
  while (!end.aborted) {
    await sleep(300 + 600 * random(), undefined, { ref: false });
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
        console.log(`SYNCED    ${event.count} pods are known\n`);
        synced = true;
        continue;
      }
      if (event.type === "DISCONNECTED") {
        console.log(`AWAY      ${event.error.message}`);
        continue;
      }
      const line = podLine(event.pod);
      const uid = event.pod.metadata.uid;
      names.set(uid, `${line.namespace}/${line.name}`);
      if (event.type === "DELETED") names.delete(uid);
      if (!synced) continue;
      counts[event.type]++;
      const state =
        event.type === "DELETED"
          ? ""
          : `  ${line.phase}, ${line.ready === "yes" ? "ready" : "not ready"}, restarts ${line.restarts}`;
      console.log(`${event.type.padEnd(8)}  ${line.namespace}/${line.name}${state}`);
    }
  } catch (error) {
    if (error !== end.reason) throw error;
  }
  const { ADDED, MODIFIED, DELETED } = counts;
  console.log(`\n${ADDED} added, ${MODIFIED} modified, ${DELETED} deleted; ${names.size} pods known.`);
}

main().catch((error: Error & { code?: string }) => {
  console.error(error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? `${error.message}\n${USAGE}` : error.message);
  process.exitCode = 1;
});
