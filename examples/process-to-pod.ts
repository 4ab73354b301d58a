// npm run example process-to-pod [PID...]
//
// Which pod and container a process of this node belongs to; all processes without a PID. In a container mount the host's
// /proc, share its PID namespace, and say where it is: HOST_PROC=/host/proc.

import { readdir, readFile } from "node:fs/promises";
import { PodsClient, processIdentity } from "kubelet-pods";

const procRoot = process.env["HOST_PROC"] ?? "/proc";
const asked = process.argv.slice(2);
const pids = asked.length > 0 ? asked : (await readdir(procRoot)).filter((name) => /^\d+$/.test(name));

const pods = new PodsClient();
const informer = pods.informer({ mask: ["metadata.namespace", "metadata.name"] });
try {
  await informer.synced({ timeoutMs: 30_000 });
  for (const pid of pids) {
    // A process may end at any time.
    const cgroup = (await processIdentity(Number(pid), { procRoot }))?.cgroup;
    const found = cgroup && informer.find(cgroup);
    if (found?.pod === undefined) {
      if (asked.length > 0) console.log(`${pid}: no pod of this node`);
      continue;
    }
    const command = await readFile(`${procRoot}/${pid}/comm`, "utf8").catch(() => "");
    const { namespace, name } = found.pod.metadata;
    console.log(`${pid} ${command.trim()}: ${namespace}/${name}/${found.container?.name ?? "(its sandbox)"}`);
  }
} finally {
  await pods.close();
}
