// `kubelet-pods resources`, as a shell sees it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";
import { allocatable, expected, nodeWithDevices } from "../podresources/assignments.js";
import { ran as command, passing } from "./console.js";

const ran = (socket: string | undefined, ...args: string[]) => command(socket ?? "", ["resources", ...args], passing());

/** The cells of a row of a table. */
const cells = (line: string | undefined) => line?.split(/ {3,}/);

test("containers that have been given something, and what", async (t) => {
  const { code, lines, errors } = await ran((await nodeWithDevices(t)).podResourcesSocketPath);
  assert.deepEqual([code, errors], [0, ""]);
  assert.deepEqual(lines.map(cells), [
    ["NAMESPACE", "POD", "CONTAINER", "NUMA", "CPUS", "MEMORY", "DEVICES", "CLAIMS"],
    ["ml", "trainer-0", "proxy", "<none>", "4", "<none>", "<none>", "<none>"],
    [
      "ml",
      "trainer-0",
      "train",
      "0-1",
      "2-3,10-11",
      "memory=64Gi hugepages-1Gi=1Gi",
      "nvidia.com/gpu=GPU-1,GPU-2 example.com/nic=nic0",
      "gpu-share=gpu-3,gpu-4",
    ],
  ]);
});

test("all containers, those of a namespace, those of a pod, and none", async (t) => {
  const socket = (await nodeWithDevices(t)).podResourcesSocketPath;
  assert.equal((await ran(socket, "--all", "--no-headers")).lines.length, 4);
  const shop = await ran(socket, "-n", "shop", "-a");
  assert.deepEqual(
    shop.lines.map(cells).map((row) => row?.slice(0, 2)),
    [
      ["POD", "CONTAINER"],
      ["web-0", "web"],
    ],
  );
  assert.equal((await ran(socket, "trainer-0", "--no-headers")).lines.length, 2);
  const none = await ran(socket, "web-0");
  assert.deepEqual([none.code, none.output], [0, ""]);
  assert.equal(none.errors, "Nothing has been given to any of these containers; --all shows them.\n");
  const absent = await ran(socket, "nobody", "-o", "json");
  assert.deepEqual([absent.code, absent.errors], [1, "kubelet-pods resources: there is no pod nobody on this node\n"]);
});

test("as JSON, and what there is to give", async (t) => {
  const socket = (await nodeWithDevices(t)).podResourcesSocketPath;
  assert.deepEqual(JSON.parse((await ran(socket, "-o", "json")).output), JSON.parse(JSON.stringify(expected)));
  assert.deepEqual(JSON.parse((await ran(socket, "--allocatable", "-o", "json")).output), allocatable);
  assert.deepEqual((await ran(socket, "--allocatable")).lines.map(cells), [
    ["NUMA", "CPUS", "MEMORY", "DEVICES"],
    ["0-1", "0-3,10-11", "memory=256Gi", "nvidia.com/gpu=GPU-1,GPU-2,GPU-3"],
  ]);
});

test("a kubelet that is not there, and options that it does not take", async (t) => {
  const { code, errors } = await ran(join(temporaryDirectory(t), "none.sock"), "--timeout", "500ms");
  assert.equal(code, 3);
  assert.match(errors, /^kubelet-pods resources: socket-missing: .*\nhint: /m);
  assert.deepEqual((await ran("/s", "-o", "yaml")).code, 2);
});
