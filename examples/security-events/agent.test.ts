// node --import tsx --test examples/security-events/agent.test.ts

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ReferenceKubelet } from "kubelet-pods/testing";
import { type NamedEvent, nameEvents, type SensorEvent } from "./agent.js";

const A = "2c4d8b1e-0000-4000-8000-000000000001";
const pod = {
  metadata: { uid: A, namespace: "shop", name: "a" },
  spec: { containers: [{ name: "main", image: "app" }] },
};

/** The agent on a node with one pod, and a sensor that the test plays. */
async function started(t: TestContext, waitMs?: number) {
  const root = mkdtempSync(join(tmpdir(), "proc-"));
  const [procRoot, cgroupRoot] = [join(root, "proc"), join(root, "cgroup")];
  const kubelet = await ReferenceKubelet.start({ pods: [pod], procRoot, cgroupRoot });
  const stop = new AbortController();
  const queue: SensorEvent[] = [];
  const named: NamedEvent[] = [];
  let wake = () => {};
  let wakeTest = () => {};
  async function* events() {
    while (!stop.signal.aborted || queue.length > 0) {
      const event = queue.shift();
      if (event !== undefined) yield event;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }
  const emit = (event: NamedEvent) => {
    named.push(event);
    wakeTest();
  };
  const wait = waitMs === undefined ? {} : { waitMs };
  const running = nameEvents(events(), {
    socketPath: kubelet.socketPath,
    procRoot,
    cgroupRoot,
    signal: stop.signal,
    emit,
    ...wait,
  });
  t.after(async () => {
    stop.abort();
    wake();
    await running;
    await kubelet.close();
    rmSync(root, { recursive: true });
  });
  const see = (event: Omit<SensorEvent, "seenMs" | "binary">) => {
    queue.push({ seenMs: Date.now(), binary: "/bin/sh", ...event });
    wake();
  };
  /** Returns the next event that the agent emits. */
  const next = async () => {
    while (named.length === 0) {
      await new Promise<void>((resolve) => {
        wakeTest = resolve;
      });
    }
    const { namespace, pod, container, gone } = named.shift() ?? {};
    return [namespace, pod, container, gone];
  };
  const cgroupOf = (pid: number) => readFileSync(join(procRoot, String(pid), "cgroup"), "utf8");
  /** Returns the number of the cgroup that a process is in. */
  const numberOf = (pid: number) => {
    const path = join(cgroupRoot, cgroupOf(pid).trim().slice("0::".length));
    return String(statSync(path, { bigint: true }).ino);
  };
  return { kubelet, see, next, cgroupOf, numberOf };
}

test("a process of a container, of an ephemeral one, and of the host", async (t) => {
  const { kubelet, see, next } = await started(t);
  kubelet.startPod(A);
  see({ pid: kubelet.addProcess(A, "main") });
  assert.deepEqual(await next(), ["shop", "a", "main", false]);
  kubelet.addEphemeralContainer(A, { name: "debug", image: "busybox" });
  see({ pid: kubelet.addProcess(A, "debug") });
  assert.deepEqual(await next(), ["shop", "a", "debug", false]);
  see({ pid: 1, cgroup: "0::/system.slice/kubelet.service" });
  assert.deepEqual(await next(), [undefined, undefined, undefined, undefined]);
});

test("an event of a container that the kubelet has yet to tell waits for it", async (t) => {
  const { kubelet, see, next, cgroupOf } = await started(t);
  kubelet.faults.delay(100);
  kubelet.startPod(A);
  see({ pid: 5, cgroup: cgroupOf(kubelet.addProcess(A, "main")) });
  assert.deepEqual(await next(), ["shop", "a", "main", false]);
});

test("a sandbox has a pod and no container, when the time is up", async (t) => {
  const { kubelet, see, next, cgroupOf } = await started(t, 50);
  kubelet.startPod(A);
  const cgroup = cgroupOf(kubelet.addProcess(A, "main")).replace(
    /cri-containerd-.*\.scope/,
    `cri-containerd-${"5".repeat(64)}.scope`,
  );
  see({ pid: 5, cgroup });
  assert.deepEqual(await next(), ["shop", "a", undefined, false]);
});

test("an event of a container that has ended, and of a pod that is gone", async (t) => {
  const { kubelet, see, next, cgroupOf } = await started(t);
  kubelet.startPod(A);
  const cgroup = cgroupOf(kubelet.addProcess(A, "main"));
  kubelet.restartContainer(A, "main");
  see({ pid: 5, cgroup });
  assert.deepEqual(await next(), ["shop", "a", "main", false]);
  kubelet.finishPod(A);
  for (let gone: unknown = false; gone === false; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    see({ pid: 5, cgroup });
    const event = await next();
    assert.deepEqual(event.slice(0, 3), ["shop", "a", "main"]);
    gone = event[3];
  }
});

test("a number of a cgroup, as eBPF sees it: of a container that runs, and of one that has ended", async (t) => {
  const { kubelet, see, next, numberOf } = await started(t);
  kubelet.startPod(A);
  const cgroupID = numberOf(kubelet.addProcess(A, "main"));
  see({ pid: 5, cgroupID });
  assert.deepEqual(await next(), ["shop", "a", "main", false]);
  kubelet.restartContainer(A, "main", { exitCode: 1 });
  const after = numberOf(kubelet.addProcess(A, "main"));
  see({ pid: 5, cgroupID: after });
  assert.deepEqual(await next(), ["shop", "a", "main", false]);
  see({ pid: 5, cgroupID });
  assert.deepEqual(await next(), ["shop", "a", "main", false]);
});
