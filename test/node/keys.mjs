// node test/node/keys.mjs [SECONDS]: on a node with cgroup version 2 and a kubelet, as root in the node's own namespaces, after npm run build.
//
// Asks an informer for the cgroup number and the network namespace of every process of a pod, each second, and compares with what the
// process's own files say: the path of its cgroup has the pod's UID and the container's ID. No kubelet in version 2 starts on the machine that
// runs the suite, so this is for whoever has one. Prints what was asked, and fails where an answer is wrong above its grade.

import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { PodsClient } from "kubelet-pods";

const seconds = Number(process.argv[2] ?? 60);
const CONTAINER = /pod([0-9a-f_-]{36})(?:\.slice)?\/(?:[a-z-]+-)?([0-9a-f]{64})/;
const counts = { asked: 0, found: 0, recent: 0, unresolved: 0, wrong: 0, namespaces: 0, namespacesFound: 0 };

function* processes() {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const path = readFileSync(`/proc/${pid}/cgroup`, "utf8").trim().replace(/^0::/, "");
      const [, uid, containerID] = CONTAINER.exec(path) ?? [];
      const { ino } = statSync(`/sys/fs/cgroup${path}`, { bigint: true });
      const netns = /\d+/.exec(readlinkSync(`/proc/${pid}/ns/net`))?.[0];
      if (uid !== undefined) yield { uid: uid.replaceAll("_", "-"), containerID, ino, netns: BigInt(netns) };
    } catch {
      // it has ended
    }
  }
}

const pods = new PodsClient();
const informer = pods.informer({ retainMs: 600_000, cgroups: {}, processes: {} });
await informer.synced();
const ofHost = BigInt(/\d+/.exec(readlinkSync("/proc/1/ns/net"))[0]);
for (let second = 0; second < seconds; second++) {
  for (const { uid, containerID, ino, netns } of processes()) {
    counts.asked++;
    const { pod, container, certainty, doubt } = informer.find({ cgroupID: ino });
    // A static pod's cgroup has the hash of its manifest, which is its UID here.
    const isRight = pod?.metadata.uid.replaceAll("-", "") === uid.replaceAll("-", "");
    if (pod === undefined) counts[doubt === "unresolved" ? "unresolved" : "recent"]++;
    else if (isRight && (container === undefined || container.containerID === containerID)) counts.found++;
    if ((pod === undefined && certainty === "told") || (pod !== undefined && !isRight)) {
      counts.wrong++;
      console.error(`cgroup ${ino} of ${uid} ${containerID}: ${pod?.metadata.uid} ${certainty}`);
    }
    if (netns === ofHost) continue;
    counts.namespaces++;
    const owner = informer.find({ netns });
    if (owner.pod?.metadata.uid === uid) counts.namespacesFound++;
    else if (owner.certainty === "told" || owner.certainty === "proved") {
      counts.wrong++;
      console.error(`namespace ${netns} of ${uid}: ${owner.pod?.metadata.uid} ${owner.certainty}`);
    }
  }
  await sleep(1_000);
}
console.log(counts, informer.state.unresolved);
await pods.close();
process.exitCode = counts.wrong > 0 || counts.found === 0 ? 1 : 0;
