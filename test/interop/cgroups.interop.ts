// Names of cgroups, judged by the kubelet's own code; those of containers by what runtimes are known to write.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { type CgroupLayout, cgroupPathOf, type Pod, parseCgroupPath } from "../../src/index.js";
import { test } from "../helpers/test.js";
import { noGo, program } from "./go-kubelet.js";

const CLASSES = ["Guaranteed", "Burstable", "BestEffort"];
const ID = "0123456789abcdef".repeat(4);
const systemd: CgroupLayout = { driver: "systemd", version: 2, root: "/kubepods.slice" };
const cgroupfs: CgroupLayout = { driver: "cgroupfs", version: 1, root: "/kubepods" };

test("cgroupPathOf() returns the kubelet's paths, with both drivers", { skip: noGo }, () => {
  const pods = Array.from({ length: 300 }, (_, i) => {
    const uid = i % 4 === 0 ? randomUUID().replaceAll("-", "") : randomUUID(); // of static pods it is a hash
    return { metadata: { uid, annotations: {} }, status: { qosClass: CLASSES[i % 3] } } as unknown as Pod;
  });
  const input = pods.map(({ metadata, status }) => `${status.qosClass} ${metadata.uid}\n`).join("");
  const lines = execFileSync(program("1.37", "cgroups"), { input }).toString().trim().split("\n");
  assert.equal(lines.length, pods.length);
  for (const [i, pod] of pods.entries()) {
    const [ofSystemd = "", ofCgroupfs = ""] = lines[i]?.split(" ") ?? [];
    assert.equal(cgroupPathOf(pod, undefined, systemd), ofSystemd);
    assert.equal(cgroupPathOf(pod, undefined, cgroupfs), ofCgroupfs);
    for (const path of [ofSystemd, ofCgroupfs]) {
      assert.deepEqual(parseCgroupPath(path), { uid: pod.metadata.uid, containerID: undefined });
      // containerd: internal/cri/server/podsandbox; cri-o: internal/config/cgmgr.
      const isSystemd = path === ofSystemd;
      for (const [runtime, name] of [
        ["containerd", isSystemd ? `cri-containerd-${ID}.scope` : ID],
        ["cri-o", isSystemd ? `crio-${ID}.scope` : `crio-${ID}`],
      ] as const) {
        const layout = isSystemd ? systemd : cgroupfs;
        assert.equal(cgroupPathOf(pod, { containerID: ID, runtime }, layout), `${path}/${name}`);
        assert.deepEqual(parseCgroupPath(`${path}/${name}`), { uid: pod.metadata.uid, containerID: ID });
      }
    }
  }
});
