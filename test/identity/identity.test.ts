// From files and processes to keys: paths of logs and volumes, the layout of cgroups and its inverse, processes, and the own pod.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  cgroupLayout,
  cgroupPathOf,
  logDirectoryOf,
  logPathOf,
  type Pod,
  parseCgroupPath,
  parseLogPath,
  parseVolumePath,
  processIdentity,
  selfIdentity,
  volumesDirectoryOf,
} from "../../src/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { type TestContext, test } from "../helpers/test.js";

const UID = "3ea3ef66-5f89-43b7-b88b-6ee26f5b18a4";
const HASH = "07bd11a0a13dfe5450a17a39eb8e32d2";
const ID = "0123456789abcdef".repeat(4);

/** Makes files below a directory. */
function filesIn(t: TestContext, files: Record<string, string>): string {
  const root = temporaryDirectory(t);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const podOf = (qosClass: string, annotations: Record<string, string> = {}, uid = UID) =>
  ({ metadata: { uid, annotations }, status: { qosClass } }) as unknown as Pod;

test("parseLogPath reads log files, rotated files, directories and links", () => {
  const pod = { namespace: "shop", name: "web-1.a", uid: UID };
  const file = { ...pod, containerName: "app", restartCount: 3, rotated: false };
  const base = `/var/log/pods/shop_web-1.a_${UID}`;
  assert.deepEqual(parseLogPath(`${base}/app/3.log`), file);
  assert.deepEqual(parseLogPath(`${base}/app/3.log.20261122-101010`), { ...file, rotated: true });
  assert.deepEqual(parseLogPath(`${base}/app/3.log.20261122-101010.gz`), { ...file, rotated: true });
  assert.deepEqual(parseLogPath(`${base}/app`), { ...file, restartCount: undefined });
  assert.deepEqual(parseLogPath(`${base}/`), { ...file, containerName: undefined, restartCount: undefined });
  assert.deepEqual(parseLogPath(`/host/logs/kube-system_etcd-node-1_${HASH}/etcd/0.log`)?.uid, HASH);
  const { uid: _, ...named } = pod;
  assert.deepEqual(parseLogPath(`/var/log/containers/web-1.a_shop_app-${ID}.log`), {
    ...named,
    containerName: "app",
    uid: undefined,
    containerID: ID,
    restartCount: undefined,
    rotated: false,
  });
  for (const text of [
    "",
    "/var/log/syslog",
    `${base}/app/x.log`,
    `${base}/a/b/c/0.log`,
    "/var/log/pods/a_b/c/0.log",
    "/usr/share/my_own_file",
    `${base}/app/${"9".repeat(400)}.log`,
    "a".repeat(10_000),
  ]) {
    assert.equal(parseLogPath(text), undefined, text.slice(0, 80));
  }
});

test("reads the arbitrary UID of a static pod from log, volume and cgroup paths", () => {
  const uid = "my_own-uid.1";
  assert.deepEqual(parseLogPath(`/var/log/pods/shop_web_${uid}/app/0.log`), {
    namespace: "shop",
    name: "web",
    uid,
    containerName: "app",
    restartCount: 0,
    rotated: false,
  });
  assert.equal(parseLogPath(`/usr/share/shop_web_${uid}/app/0.log`), undefined, "not below a pods directory");
  assert.equal(parseVolumePath(`/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~csi/pvc-1`)?.uid, uid);
  assert.deepEqual(parseCgroupPath(`0::/kubepods/burstable/pod${uid}/${ID}`), { uid, containerID: ID });
  const slice = `0::/kubepods.slice/kubepods-podmy_own.slice/cri-containerd-${ID}.scope`;
  assert.deepEqual(
    parseCgroupPath(slice),
    { uid: "my-own", containerID: ID },
    "systemd escapes hyphens as underscores",
  );
  assert.equal(parseCgroupPath(`0::/system.slice/podman.service/kubepods`), undefined);
  assert.deepEqual(parseCgroupPath(`0::/podman/kubepods/pod${uid}`), { uid, containerID: undefined });
});

test("parseLogPath reads the pod from a link name that the kubelet truncated", () => {
  const [name, namespace, container] = ["n".repeat(200), "team-1", "c".repeat(40)];
  const whole = `${name}_${namespace}_${container}-${ID}`;
  const key = parseLogPath(`/var/log/containers/${whole.slice(0, 251)}.log`);
  assert.deepEqual(key, {
    namespace,
    name,
    containerName: undefined,
    uid: undefined,
    containerID: undefined,
    restartCount: undefined,
    rotated: false,
  });
  assert.equal(
    parseLogPath(`/var/log/containers/${whole.slice(0, 250)}.log`),
    undefined,
    "the kubelet does not truncate to this length",
  );
});

test("parseVolumePath reads paths of volumes and of files in them", () => {
  assert.deepEqual(parseVolumePath(`/var/lib/kubelet/pods/${UID}/volume-subpaths/config/app/0`), {
    uid: UID,
    plugin: undefined,
    volumeName: "config",
  });
  const found = { uid: UID, plugin: "kubernetes.io/csi", volumeName: "pvc-1" };
  assert.deepEqual(parseVolumePath(`/var/lib/kubelet/pods/${UID}/volumes/kubernetes.io~csi/pvc-1/mount`), found);
  assert.deepEqual(parseVolumePath(`/var/lib/kubelet/pods/${UID}/volumes/kubernetes.io~csi/pvc-1`), found);
  assert.deepEqual(parseVolumePath(`/k/pods/${HASH}/volumeDevices/kubernetes.io~csi/pvc-1`), { ...found, uid: HASH });
  for (const text of ["", `/var/lib/kubelet/pods/${UID}/etc-hosts`, `/pods/${UID}/volumes/`]) {
    assert.equal(parseVolumePath(text), undefined, text);
  }
});

const LAYOUTS: [name: string, cgroup: string, qosClass: string, runtime: string, path: string][] = [
  [
    "systemd",
    "kubepods.slice/x",
    "Burstable",
    "containerd",
    `kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${UID.replaceAll("-", "_")}.slice/cri-containerd-${ID}.scope`,
  ],
  [
    "systemd, guaranteed",
    "kubepods.slice/x",
    "Guaranteed",
    "cri-o",
    `kubepods.slice/kubepods-pod${UID.replaceAll("-", "_")}.slice/crio-${ID}.scope`,
  ],
  [
    "kind",
    "kubelet.slice/kubelet-kubepods.slice/x",
    "BestEffort",
    "containerd",
    `kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/kubelet-kubepods-besteffort-pod${UID.replaceAll("-", "_")}.slice/cri-containerd-${ID}.scope`,
  ],
  ["cgroupfs", "kubepods/x", "Burstable", "containerd", `kubepods/burstable/pod${UID}/${ID}`],
  ["cgroupfs, no class yet", "kubepods/x", "", "cri-o", `kubepods/besteffort/pod${UID}/crio-${ID}`],
];

for (const [name, cgroup, qosClass, runtime, path] of LAYOUTS) {
  test(`cgroupPathOf is the inverse of parseCgroupPath: ${name}`, async (t) => {
    for (const version of [2, 1] as const) {
      const files = version === 2 ? { "cgroup.controllers": "", [`${cgroup}/a`]: "" } : { [`memory/${cgroup}/a`]: "" };
      const cgroupRoot = filesIn(t, files);
      const layout = await cgroupLayout({ cgroupRoot });
      assert.deepEqual([layout.version, layout.driver], [version, cgroup.includes(".slice") ? "systemd" : "cgroupfs"]);
      const container = { containerID: ID, runtime };
      const found = cgroupPathOf(podOf(qosClass), container, layout);
      assert.equal(found, join(cgroupRoot, version === 2 ? "" : "memory", path));
      assert.deepEqual(parseCgroupPath(found), { uid: UID, containerID: ID });
      assert.deepEqual(parseCgroupPath(cgroupPathOf(podOf(qosClass), undefined, layout)), {
        uid: UID,
        containerID: undefined,
      });
      assert.equal(await cgroupLayout({ cgroupRoot }), layout, "once");
    }
  });
}

test("cgroupLayout ignores empty directories of the other driver", async (t) => {
  const pods = `kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${UID.replaceAll("-", "_")}.slice/x`;
  const cgroupRoot = filesIn(t, { "cgroup.controllers": "", "kubepods/burstable/x": "", [pods]: "" });
  assert.equal((await cgroupLayout({ cgroupRoot })).driver, "systemd");
  assert.match(
    cgroupPathOf(podOf("Burstable"), { containerID: ID, runtime: "constructor" }, await cgroupLayout({ cgroupRoot })),
    /constructor-/,
  );
});

test("the kubelet's configuration selects one of several cgroup directories", async (t) => {
  const pods = `kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${UID.replaceAll("-", "_")}.slice/x`;
  const deep = "a/b_c.slice/b_c-kubepods.slice/x";
  const cgroupRoot = filesIn(t, {
    "cgroup.controllers": "",
    "kubepods/burstable/x": "",
    "mine/kubepods/x": "",
    [pods]: "",
    "my_own.slice/my_own-kubepods.slice/x": "",
    [deep]: "",
  });
  const root = async (kubelet: { cgroupDriver?: string; cgroupRoot?: string }) =>
    (await cgroupLayout({ cgroupRoot, kubelet })).root.slice(cgroupRoot.length + 1);
  await assert.rejects(root({}), { code: "invalid-argument", message: /KubeletHttpClient.configz\(\)$/ });
  await assert.rejects(root({ cgroupDriver: "Systemd" }), { code: "invalid-argument" });
  assert.equal(await root({ cgroupDriver: "systemd", cgroupRoot: "/" }), "kubepods.slice");
  assert.equal(await root({ cgroupDriver: "cgroupfs" }), "kubepods");
  assert.equal(await root({ cgroupDriver: "cgroupfs", cgroupRoot: "/mine" }), "mine/kubepods");
  assert.equal(await root({ cgroupDriver: "systemd", cgroupRoot: "/my-own" }), "my_own.slice/my_own-kubepods.slice");
  assert.equal(
    await root({ cgroupDriver: "systemd", cgroupRoot: "/../x" }),
    "kubepods.slice",
    "an invalid cgroupRoot is ignored",
  );
  assert.deepEqual((await cgroupLayout({ cgroupRoot, kubelet: { cgroupDriver: "cgroupfs" } })).driver, "cgroupfs");
  const systemd = filesIn(t, { "cgroup.controllers": "", [pods]: "" });
  await assert.rejects(cgroupLayout({ cgroupRoot: systemd, kubelet: { cgroupDriver: "cgroupfs" } }), {
    code: "unsupported-platform",
  });
});

test("cgroupLayout retries after an error, and a mirror pod has the static pod's cgroup", async (t) => {
  const cgroupRoot = filesIn(t, { "cgroup.controllers": "" });
  await assert.rejects(cgroupLayout({ cgroupRoot }), { code: "unsupported-platform" });
  mkdirSync(join(cgroupRoot, "kubepods"));
  const layout = await cgroupLayout({ cgroupRoot });
  const mirror = podOf("Burstable", { "kubernetes.io/config.mirror": HASH, "kubernetes.io/config.hash": HASH });
  assert.equal(cgroupPathOf(mirror, undefined, layout), join(cgroupRoot, `kubepods/burstable/pod${HASH}`));
});

test("processIdentity returns start time and cgroup, or undefined without a valid process", async (t) => {
  const stat = (ticks: number) => `7 (a) b) S ${"1 ".repeat(18)}${ticks} 5 6\n`;
  const procRoot = filesIn(t, {
    "7/stat": stat(4_200),
    "7/cgroup": `0::/kubepods/burstable/pod${UID}/${ID}\n`,
    "8/stat": stat(1),
    "8/cgroup": "0::/system.slice/kubelet.service\n",
    "9/stat": stat(1),
    "11/stat": "nothing of the kind",
    "11/cgroup": "",
  });
  assert.deepEqual(await processIdentity(7, { procRoot }), {
    pid: 7,
    startTicks: 4_200,
    cgroup: { uid: UID, containerID: ID },
  });
  assert.deepEqual(await processIdentity(8, { procRoot }), { pid: 8, startTicks: 1, cgroup: undefined });
  for (const pid of [9, 10, 11, 0, -1, 1.5, Number.NaN])
    assert.equal(await processIdentity(pid, { procRoot }), undefined);
  const own = await processIdentity(process.pid);
  assert.ok(own !== undefined && own.startTicks > 0);
});

const HOSTS = "# Kubernetes-managed hosts file.\n127.0.0.1 localhost\n";
const mounts = (uid: string) =>
  [
    "1 2 0:1 / / rw - overlay overlay rw",
    `3 1 8:1 /var/lib/kubelet/pods/11111111-2222-3333-4444-555555555555/volumes/x /host/pods rw - ext4 /dev/sda rw`,
    `4 1 8:1 /var/lib/kubelet/pods/${uid}/etc-hosts /etc/hosts rw - ext4 /dev/sda rw`,
    `5 1 8:1 /var/lib/kubelet/pods/${uid}/containers/agent/0a1b2c3d /dev/termination-log rw - ext4 /dev/sda rw`,
  ].join("\n");

test("selfIdentity reads the environment, mounts, cgroup and service account token", async (t) => {
  const unprivileged = filesIn(t, { "self/cgroup": "0::/\n", "self/mountinfo": mounts(UID) });
  const env = { NODE_NAME: "node-1" };
  const about = { containerID: undefined, containerName: "agent", nodeName: "node-1" };
  assert.deepEqual(await selfIdentity({ procRoot: unprivileged, env }), { uid: UID, ...about, from: "mountinfo" });
  const told = { ...env, POD_UID: HASH };
  assert.deepEqual(await selfIdentity({ procRoot: unprivileged, env: told }), {
    uid: HASH,
    ...about,
    from: "environment",
  });
  const visible = filesIn(t, { "self/cgroup": `0::/kubepods/pod${UID}/${ID}\n` });
  const nameless = { containerName: undefined, nodeName: undefined };
  assert.deepEqual(await selfIdentity({ procRoot: visible, env: {} }), {
    uid: UID,
    containerID: ID,
    ...nameless,
    from: "cgroup",
  });
  const hidden = { "self/cgroup": "0::/\n", "self/root/etc/hosts": HOSTS, "sys/kernel/hostname": "agent-x7\n" };
  const withToken = (token: string) =>
    filesIn(t, { ...hidden, "self/root/var/run/secrets/kubernetes.io/serviceaccount/token": token });
  const tokenOf = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
  const bound = tokenOf({ "kubernetes.io": { namespace: "shop", pod: { name: "agent-x7", uid: UID } } });
  const unnamed = { containerID: undefined, ...nameless };
  assert.deepEqual(await selfIdentity({ procRoot: withToken(bound), env: {} }), {
    uid: UID,
    ...unnamed,
    from: "token",
  });
  const fromEnv = { POD_NAMESPACE: "shop", POD_NAME: "agent-x7" };
  assert.deepEqual(await selfIdentity({ procRoot: filesIn(t, hidden), env: fromEnv }), {
    uid: undefined,
    namespace: "shop",
    name: "agent-x7",
    ...unnamed,
    from: "environment",
  });
  const unbound = [
    "",
    "a",
    "a.b.c",
    "a.%.c",
    tokenOf(null),
    tokenOf({}),
    tokenOf({ "kubernetes.io": { pod: { uid: 1 } } }),
  ];
  for (const token of [...unbound, `e30.${"A".repeat(70_000)}.c2ln`])
    assert.equal(await selfIdentity({ procRoot: withToken(token), env: {} }), undefined, token.slice(0, 40));
  assert.equal(await selfIdentity({ procRoot: filesIn(t, hidden), env: {} }), undefined, "a host name is not evidence");
  assert.equal(await selfIdentity({ procRoot: filesIn(t, {}), env: {} }), undefined);
  const another = await selfIdentity({ procRoot: visible, env: { POD_UID: HASH } });
  assert.deepEqual([another?.containerID, another && "uid" in another && another.uid], [undefined, HASH]);
});

test("returns the kubelet's log and volume directories and rejects path traversal", () => {
  const pod = { metadata: { uid: "2c4d8b1e-0000-4000-8000-000000000001", namespace: "shop", name: "web-1" } } as Pod;
  assert.equal(logDirectoryOf(pod), "/var/log/pods/shop_web-1_2c4d8b1e-0000-4000-8000-000000000001");
  const path = logPathOf(pod, { name: "main", restartCount: 3 }, { logRoot: "/data/logs" });
  assert.equal(path, "/data/logs/shop_web-1_2c4d8b1e-0000-4000-8000-000000000001/main/3.log");
  assert.equal(
    volumesDirectoryOf(pod, { rootDir: "/data" }),
    "/data/pods/2c4d8b1e-0000-4000-8000-000000000001/volumes",
  );
  const invalid = { code: "invalid-argument" };
  const named = (metadata: object) => ({ metadata: { ...pod.metadata, ...metadata } }) as Pod;
  for (const evil of ["../../etc", "a/b", "..", ".", "", "a\0b"]) {
    assert.throws(() => logDirectoryOf(named({ name: evil })), invalid);
    assert.throws(() => logDirectoryOf(named({ namespace: evil })), invalid);
    assert.throws(() => volumesDirectoryOf(named({ uid: evil })), invalid);
    assert.throws(() => logPathOf(pod, { name: evil, restartCount: 0 }), invalid);
  }
  for (const count of [-1, 0.5, Number.NaN]) {
    assert.throws(() => logPathOf(pod, { name: "main", restartCount: count }), invalid);
  }
});

const canMount = process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;

test("processIdentity rejects with not-permitted for a process that /proc hides", {
  skip: !canMount && "needs root and unshare",
}, (t) => {
  const procRoot = temporaryDirectory(t);
  const program = `
    import { processIdentity } from "kubelet-pods";
    process.setgroups([]);
    process.setgid(65534);
    process.setuid(65534);
    await processIdentity(1, { procRoot: ${JSON.stringify(procRoot)} }).catch(({ code, message }) => console.log(code, message));`;
  const command = 'mount -t proc -o hidepid=1 proc "$1" && shift && exec "$@"';
  const node = [process.execPath, "--input-type=module", "-e", program];
  const { stdout, stderr } = spawnSync("unshare", ["--mount", "sh", "-c", command, "sh", procRoot, ...node], {
    cwd: root,
    encoding: "utf8",
  });
  assert.match(stdout, /^not-permitted .*the process 1 cannot be read below .* \(EPERM\)/, stderr);
});
