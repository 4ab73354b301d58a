// The numbers of cgroup directories, by which eBPF programs know containers.

import assert from "node:assert/strict";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cgroupIDsOf, cgroupLayout, cgroupPathOf } from "../../src/index.js";
import { kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";

const UID = "2c4d8b1e-0000-4000-8000-000000000001";

/** A kubelet with a running container, whose cgroup directory exists. */
async function started(t: TestContext) {
  const cgroupRoot = temporaryDirectory(t);
  const metadata = { uid: UID, namespace: "shop", name: "web" };
  const kubelet = await kubeletOf(t, {
    cgroupRoot,
    pods: [{ metadata, spec: { containers: [{ name: "main", image: "i" }] } }],
  });
  const [container] = kubelet.startPod(UID);
  const [pod] = kubelet.pods;
  assert.ok(container && pod);
  const layout = await cgroupLayout({ cgroupRoot });
  const directory = cgroupPathOf(pod, container, layout);
  const make = (...names: string[]) => mkdirSync(join(directory, ...names), { recursive: true });
  return { pod, container, layout, directory, make };
}

const numberOf = (directory: string) => statSync(directory, { bigint: true }).ino;

test("returns the IDs of the container's directory and two levels below it", async (t) => {
  const { pod, container, layout, directory, make } = await started(t);
  assert.deepEqual(await cgroupIDsOf(pod, container, layout), [numberOf(directory)]);
  make("init", "deep", "too-deep");
  writeFileSync(join(directory, "cgroup.events"), "");
  assert.deepEqual(
    await cgroupIDsOf(pod, container, layout),
    ["", "init", "init/deep"].map((name) => numberOf(join(directory, name))),
  );
});

test("reads at most 32 directories below the container's directory", async (t) => {
  const { pod, container, layout, make } = await started(t);
  for (let i = 0; i < 40; i++) make(`leaf-${i}`, "deep");
  const numbers = await cgroupIDsOf(pod, container, layout);
  assert.deepEqual([numbers.length, new Set(numbers).size], [33, 33]);
});

test("returns no IDs for a container without a directory", async (t) => {
  const { pod, container, layout, directory } = await started(t);
  rmSync(directory, { recursive: true });
  assert.deepEqual(await cgroupIDsOf(pod, container, layout), []);
});

test("rejects cgroup v1 and unreadable directories with an error code", async (t) => {
  const { pod, container, layout, directory } = await started(t);
  await assert.rejects(cgroupIDsOf(pod, container, { ...layout, version: 1 }), { code: "unsupported-platform" });
  await assert.rejects(cgroupIDsOf(pod, {} as never, layout), { code: "invalid-argument" });
  rmSync(dirname(directory), { recursive: true });
  writeFileSync(dirname(directory), "");
  await assert.rejects(cgroupIDsOf(pod, container, layout), { code: "unknown", message: /cannot be read \(ENOTDIR\)/ });
});
