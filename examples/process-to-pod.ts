// npm run example process-to-pod [PID...]
//
// Which pod and container a process of this node belongs to; all processes without a PID. In a container mount the host's
// /proc, share its PID namespace, and say where it is: HOST_PROC=/host/proc.

import { readdir, readFile } from "node:fs/promises";
import { PodsClient, parseCgroupPath } from "kubelet-pods";

const proc = process.env["HOST_PROC"] ?? "/proc";
const asked = process.argv.slice(2);
const pids = asked.length > 0 ? asked : (await readdir(proc)).filter((name) => /^\d+$/.test(name));

const pods = new PodsClient();
const informer = pods.informer({
  mask: ["metadata.namespace", "metadata.name", "status.containerStatuses", "status.initContainerStatuses"],
});
try {
  await informer.synced({ timeoutMs: 30_000 });
  for (const pid of pids) {
    // A process may end at any time.
    const [cgroup, command] = await Promise.all(
      ["cgroup", "comm"].map((file) => readFile(`${proc}/${pid}/${file}`, "utf8").catch(() => "")),
    );
    const found = parseCgroupPath(cgroup ?? "");
    const pod = informer.get(found?.uid);
    if (found === undefined || pod === undefined) {
      if (asked.length > 0) console.log(`${pid}: no pod of this node`);
      continue;
    }
    const statuses = [...pod.status.initContainerStatuses, ...pod.status.containerStatuses];
    const container = statuses.find(({ containerID }) => containerID.endsWith(`/${found.containerID}`));
    const { namespace, name } = pod.metadata ?? {};
    console.log(`${pid} ${command?.trim()}: ${namespace}/${name}/${container?.name ?? "(its sandbox)"}`);
  }
} finally {
  await pods.close();
}
