// node --import tsx --test examples/pid-follower/agent.test.ts

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ReferenceKubelet } from "kubelet-pods/testing";
import { type FollowerOptions, followProcesses } from "./agent.js";

const A = "2c4d8b1e-0000-4000-8000-000000000001";
const pod = {
  metadata: { uid: A, namespace: "shop", name: "a" },
  spec: { containers: [{ name: "main", image: "app" }] },
};

/** The agent on a node with a pod that runs. */
async function started(t: TestContext, options: Partial<FollowerOptions> = {}) {
  const procRoot = mkdtempSync(join(tmpdir(), "proc-"));
  const kubelet = await ReferenceKubelet.start({ pods: [pod], procRoot });
  const stop = new AbortController();
  const told: string[] = [];
  let wake = () => {};
  const tell = (text: string) => {
    told.push(text);
    wake();
  };
  const running = followProcesses({
    socketPath: kubelet.socketPath,
    procRoot,
    pollMs: 5,
    signal: stop.signal,
    started: ({ pid, pod, container }) => tell(`started ${pid} ${pod}/${container}`),
    ended: ({ pid, pod, container }) => tell(`ended ${pid} ${pod}/${container}`),
    ...options,
  });
  t.after(async () => {
    stop.abort();
    await running.catch(() => {});
    await kubelet.close();
    rmSync(procRoot, { recursive: true });
  });
  /** Returns the next line that the agent tells. */
  const next = async () => {
    while (told.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return told.shift();
  };
  return { kubelet, procRoot, told, next, running };
}

test("a process is told with its pod and container, and told when it has ended", async (t) => {
  const { kubelet, procRoot, next } = await started(t);
  kubelet.startPod(A);
  kubelet.addProcess(A, "main", { pid: 41 });
  assert.equal(await next(), "started 41 a/main");
  rmSync(join(procRoot, "41"), { recursive: true });
  assert.equal(await next(), "ended 41 a/main");
});

test("a PID that is given again is another process", async (t) => {
  const { kubelet, procRoot, next } = await started(t);
  kubelet.startPod(A);
  kubelet.addProcess(A, "main", { pid: 41 });
  assert.equal(await next(), "started 41 a/main");
  const stat = join(procRoot, "41/stat");
  // In one step, as the kernel changes it.
  writeFileSync(join(procRoot, "stat.new"), readFileSync(stat, "utf8").replace(/\d+ \d+$/m, "987654 0"));
  renameSync(join(procRoot, "stat.new"), stat);
  assert.deepEqual([await next(), await next()].sort(), ["ended 41 a/main", "started 41 a/main"]);
});

test("a process whose container the kubelet has yet to tell is waited for", async (t) => {
  const { kubelet, next } = await started(t, { waitMs: 60_000 });
  kubelet.startPod(A);
  kubelet.faults.delay(300); // the kubelet tells it late
  kubelet.restartContainer(A, "main", { exitCode: 1 });
  kubelet.addProcess(A, "main", { pid: 42 });
  assert.equal(await next(), "started 42 a/main");
});

test("a process that has ended before its container is told is told all the same, also after an outage", async (t) => {
  const { kubelet, procRoot, told, next } = await started(t, { waitMs: 20 });
  kubelet.startPod(A);
  kubelet.addProcess(A, "main", { pid: 41 });
  await next();
  kubelet.faults.refuse();
  kubelet.faults.dropConnection({ afterEvents: 0 });
  kubelet.restartContainer(A, "main", { exitCode: 1 });
  kubelet.addProcess(A, "main", { pid: 42 });
  // Seen, and gone, long before the kubelet is back: the next process of the old container shows that it was looked at.
  rmSync(join(procRoot, "41"), { recursive: true });
  assert.equal(await next(), "ended 41 a/main");
  rmSync(join(procRoot, "42"), { recursive: true });
  assert.deepEqual(told, []);
  kubelet.faults.clear();
  assert.deepEqual([await next(), await next()], ["started 42 a/main", "ended 42 a/main"]);
});

test("a process that is moved into its container after it was started is told then", async (t) => {
  const { kubelet, procRoot, next } = await started(t);
  kubelet.startPod(A);
  kubelet.addProcess(A, "main", { pid: 41 });
  await next();
  const cgroup = readFileSync(join(procRoot, "41/cgroup"), "utf8");
  writeFileSync(join(procRoot, "41/cgroup"), "0::/system.slice/containerd.service\n");
  assert.equal(await next(), "ended 41 a/main");
  writeFileSync(join(procRoot, "41/cgroup"), cgroup);
  assert.equal(await next(), "started 41 a/main");
});

test("a process that cannot be read ends nothing, and what a callback throws rejects", async (t) => {
  const failure = new Error("told enough");
  const { kubelet, procRoot, running } = await started(t, {
    started: () => {
      throw failure;
    },
  });
  mkdirSync(join(procRoot, "7/stat"), { recursive: true }); // a directory in the place of a file
  kubelet.startPod(A);
  kubelet.addProcess(A, "main", { pid: 41 });
  await assert.rejects(running, failure);
});

test("a process of the host is not told", async (t) => {
  const { kubelet, procRoot, told, next } = await started(t);
  kubelet.startPod(A);
  kubelet.addProcess(A, "main", { pid: 41 });
  await next();
  const host = mkdtempSync(join(procRoot, "host-"));
  writeFileSync(join(host, "cgroup"), "0::/system.slice/sshd.service\n");
  writeFileSync(join(host, "stat"), readFileSync(join(procRoot, "41/stat"), "utf8"));
  renameSync(host, join(procRoot, "7"));
  kubelet.addProcess(A, "main", { pid: 43 });
  assert.equal(await next(), "started 43 a/main");
  assert.deepEqual(told, []);
});

test("the pod of a sandbox is told without a container", async (t) => {
  const { kubelet, procRoot, next } = await started(t, { waitMs: 20 });
  kubelet.startPod(A);
  kubelet.addProcess(A, "main", { pid: 41 });
  await next();
  const cgroup = readFileSync(join(procRoot, "41/cgroup"), "utf8").replace(/[0-9a-f]{64}/, "ab".repeat(32));
  const sandbox = mkdtempSync(join(procRoot, "sandbox-"));
  writeFileSync(join(sandbox, "cgroup"), cgroup);
  writeFileSync(join(sandbox, "stat"), readFileSync(join(procRoot, "41/stat"), "utf8"));
  renameSync(sandbox, join(procRoot, "40"));
  assert.equal(await next(), "started 40 a/undefined");
});
