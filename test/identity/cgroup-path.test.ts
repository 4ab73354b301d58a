import assert from "node:assert/strict";
import { parseCgroupPath } from "../../src/index.js";
import { test } from "../helpers/test.js";

const uid = "3ea3ef66-5f89-43b7-b88b-6ee26f5b18a4";
const under = uid.replaceAll("-", "_");
const hash = "07bd11a0a13dfe5450a17a39eb8e32d2";
const id = "0123456789abcdef".repeat(4);
const UUID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

test("parseCgroupPath reads the pod UID and container ID of every layout", () => {
  const cases: [what: string, text: string, uid: string | undefined, containerID?: string][] = [
    [
      "v2, systemd, containerd",
      `0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${under}.slice/cri-containerd-${id}.scope`,
      uid,
      id,
    ],
    [
      "v2, systemd, cri-o",
      `0::/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${under}.slice/crio-${id}.scope/container`,
      uid,
      id,
    ],
    ["v2, systemd, guaranteed", `0::/kubepods.slice/kubepods-pod${under}.slice/cri-containerd-${id}.scope`, uid, id],
    ["v2, cgroupfs", `0::/kubepods/burstable/pod${uid}/${id}`, uid, id],
    [
      "v2, kind",
      `0::/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod${under}.slice/cri-containerd-${id}.scope`,
      uid,
      id,
    ],
    [
      "v1, cgroupfs",
      `11:memory:/kubepods/burstable/pod${uid}/${id}\n10:cpu,cpuacct:/kubepods/burstable/pod${uid}/${id}`,
      uid,
      id,
    ],
    [
      "v1, systemd, the first line elsewhere",
      `12:rdma:/\n11:memory:/kubepods.slice/kubepods-pod${under}.slice/docker-${id}.scope`,
      uid,
      id,
    ],
    ["a UUID of a runtime's", `0::/kubepods/burstable/pod${uid}/${UUID}`, uid, UUID],
    ["one with the runtime's name before it", `0::/kubepods/pod${uid}/cri-containerd-${UUID}.scope`, uid, UUID],
    ["containerd without a parent", `0::/k8s.io/${id}`, undefined, id],
    ["a carriage return at the end", `0::/kubepods/burstable/pod${uid}/${id}\r\n`, uid, id],
    ["below a root of the kubelet's", `0::/custom/root/kubepods/burstable/pod${uid}/${id}`, uid, id],
    ["a user's own, of the same name", `0::/user.slice/user-1000.slice/kubepods/pod${uid}/${id}`, undefined],
    ["the same as a path", `/sys/fs/cgroup/user.slice/user-1000.slice/kubepods/pod${uid}/${id}`, undefined],
    ["below no kubelet's", `0::/system.slice/x.service/pod${uid}/${id}`, undefined],
    ["a sibling, seen from a private namespace", `0::/../../burstable/pod${uid}/${id}`, uid, id],
    ["a user's, seen from there", `0::/../../../user.slice/pod${uid}/${id}`, undefined],
    ["a hierarchy that somebody named", `13:name=mine:/kubepods/pod${uid}/${id}\n1:name=systemd:/`, undefined],
    ["systemd's hierarchy", `1:name=systemd:/kubepods/pod${uid}/${id}`, uid, id],
    ["a static pod", `0::/kubepods/burstable/pod${hash}/${id}`, hash, id],
    ["a path alone", `/sys/fs/cgroup/kubepods.slice/kubepods-pod${under}.slice/`, uid],
    ["the pod's own", `0::/kubepods/besteffort/pod${uid}`, uid],
    ["one of the pod's own making", `0::/kubepods/besteffort/pod${uid}/mine/${id}`, uid],
    [
      "containerd's driver takes systemd's path for cgroupfs'",
      `0::/system.slice/containerd.service/kubepods-burstable-pod${under}.slice:cri-containerd:${id}`,
      uid,
      id,
    ],
    [
      "a leaf below the scope",
      `0::/kubepods.slice/kubepods-pod${under}.slice/cri-containerd-${id}.scope/init.scope/app`,
      uid,
      id,
    ],
    ["cri-o's monitor is no container", `0::/kubepods.slice/kubepods-pod${under}.slice/crio-conmon-${id}.scope`, uid],
    ["cri-o, cgroupfs", `0::/kubepods/burstable/pod${uid}/crio-${id}`, uid, id],
    ["nested, cgroupfs", `0::/docker/${id}/kubelet/kubepods/besteffort/pod${uid}/${id}`, uid, id],
    ["of a process that has ended", `0::/kubepods/burstable/pod${uid}/${id} (deleted)`, uid, id],
    ["of a pod that has ended", `0::/kubepods/burstable/pod${uid} (deleted)`, uid],
    ["from a private namespace, systemd", `0::/../cri-containerd-${id}.scope`, undefined, id],
    [
      "from a private namespace, another pod's",
      `0::/../../kubepods-burstable-pod${under}.slice/cri-containerd-${id}.scope`,
      uid,
      id,
    ],
    ["from a private namespace, cgroupfs", `0::/../${id}`, undefined, id],
    ["its own in a private namespace", "0::/", undefined],
    ["a container that is no pod's", `0::/system.slice/docker-${id}.scope`, undefined],
    [
      "version 1, the pod in the first line and the container in another",
      `2:cpu:/kubepods/pod${uid}\n1:memory:/kubepods/pod${uid}/${id}`,
      uid,
      id,
    ],
    ["no pod's", "0::/system.slice/kubelet.service", undefined],
    ["a name that looks like one", "0::/user.slice/podman-1234.scope", undefined],
    ["nothing", "", undefined],
  ];
  for (const [what, text, uid, containerID] of cases) {
    assert.deepEqual(parseCgroupPath(text), (uid ?? containerID) && { uid, containerID }, what);
  }
});

test("parseCgroupPath reads long and invalid texts in bounded time", () => {
  assert.equal(parseCgroupPath("pod".repeat(1_000_000)), undefined);
  assert.equal(parseCgroupPath(`${"/..".repeat(1_000_000)}/${id}`), undefined);
  assert.equal(
    parseCgroupPath(`${"x\n".repeat(1_000)}0::/kubepods/pod${uid}`),
    undefined,
    "no process has this many lines",
  );
});
