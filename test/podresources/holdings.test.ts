// Which pod an answer of podresources is about, which knows no UIDs.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Holdings, type IdentifiedPod } from "../../src/podresources/holdings.js";
import type { DeviceGroup, MemoryBlock, PodResources } from "../../src/podresources/index.js";
import { numaNodesOfCpus } from "../../src/podresources/numa.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";

const GPU = "nvidia.com/gpu";

function pod(name: string, uid: string): IdentifiedPod {
  return { metadata: { namespace: "ml", name, uid } };
}

function holding(name: string, ...devices: DeviceGroup[]): PodResources {
  const container = { name: "main", devices, cpuIds: [], memory: [], claims: [] };
  return { namespace: "ml", name, containers: [container], cpuIds: [], memory: [] };
}

const gpus = (...deviceIDs: string[]): DeviceGroup => ({ resourceName: GPU, deviceIDs, numaNodes: [0] });
const node = (...devices: DeviceGroup[]) => ({ devices, cpuIds: [], memory: [] });
const named = (name: string) => ({ namespace: "ml", name });

/** A view whose pods come and go, and the holdings over it. */
function world(...pods: IdentifiedPod[]) {
  const byUid = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
  const view = { list: () => [...byUid.values()], get: ({ uid }: { uid: string }) => byUid.get(uid) };
  const holdings = new Holdings<IdentifiedPod>(view);
  const come = (each: IdentifiedPod) => {
    byUid.set(each.metadata.uid, each);
    holdings.came(each.metadata);
  };
  const go = (uid: string) => {
    const { metadata } = byUid.get(uid) as IdentifiedPod;
    byUid.delete(uid);
    holdings.went(metadata);
  };
  const held = () => holdings.list().map(({ pod, devices }) => [pod.metadata.uid, devices.flatMap((d) => d.deviceIDs)]);
  const free = () => holdings.free(new Map()).devices.flatMap(({ deviceIDs }) => deviceIDs);
  const list = (given: DeviceGroup[], ...answers: PodResources[]) => {
    holdings.ask();
    holdings.listed(node(...given), answers);
  };
  return { holdings, come, go, held, free, list };
}

describe("answers that know pods by name", () => {
  test("are bound to the pod that alone has the name, from the question to the answer", () => {
    const { holdings, held, come, go } = world(pod("a", "1"), pod("b", "2"));
    holdings.ask();
    go("2");
    come(pod("b", "3")); // b was made again while the kubelet answered
    holdings.listed(node(), [holding("a", gpus("g0")), holding("b", gpus("g1"))]);
    assert.deepEqual(held(), [["1", ["g0"]]]);
  });

  test("are nobody's where another pod of the name came and went meanwhile", () => {
    const { holdings, held, come, go } = world(pod("a", "1"));
    holdings.ask();
    come(pod("a", "2"));
    go("2");
    holdings.listed(node(gpus("g0")), [holding("a", gpus("g0"))]);
    assert.deepEqual([held(), holdings.free(new Map()).devices], [[], []]);
  });

  test("are nobody's where two pods have the name, in the view or in the answer; what is in them is not free", () => {
    const two = world(pod("a", "1"), pod("a", "2"));
    two.list([gpus("g0")], holding("a", gpus("g0")));
    assert.deepEqual([two.held(), two.free()], [[], []]);
    const one = world(pod("a", "1"));
    one.list([gpus("g0", "g1", "g2")], holding("a", gpus("g0")), holding("a", gpus("g1")));
    assert.deepEqual([one.held(), one.free()], [[], ["g2"]]);
  });

  test("of a pod that the kubelet lists no more stand until it has left the view: its containers may run on", () => {
    const { held, free, list, go } = world(pod("a", "1"));
    list([gpus("g0")], holding("a", gpus("g0")));
    list([gpus("g0")]);
    assert.deepEqual([held(), free()], [[["1", ["g0"]]], []]);
    go("1");
    assert.deepEqual([held(), free()], [[], []], "it is not known yet that it was given back");
    list([gpus("g0")]);
    assert.deepEqual(free(), ["g0"]);
  });

  test("are nobody's as soon as another pod of the name comes: they may have been about that one", () => {
    const { held, free, list, come, go, holdings } = world(pod("a", "1"));
    list([gpus("g0", "g1")], holding("a", gpus("g0")));
    come(pod("a", "2"));
    assert.deepEqual([held(), free()], [[], ["g1"]]);
    assert.equal(holdings.canGet(named("a")), false);
    go("1");
    assert.equal(holdings.canGet(named("a")), false, "what is nobody's bears the name");
    list([gpus("g0", "g1")], holding("a", gpus("g1")));
    assert.deepEqual([held(), free()], [[["2", ["g1"]]], ["g0"]]);
  });

  test("about one pod are added to what is known, and cannot be asked for of a name that is another's too", () => {
    const { holdings, held, free, list, come } = world(pod("a", "1"));
    list([gpus("g0", "g1")], holding("a", gpus("g0")));
    come(pod("b", "2"));
    assert.equal(holdings.canGet(named("b")), true);
    assert.equal(holdings.canGet(named("c")), false, "nobody has it");
    holdings.ask();
    assert.equal(holdings.got(named("b"), holding("b", gpus("g1"))), true);
    assert.deepEqual(held(), [
      ["1", ["g0"]],
      ["2", ["g1"]],
    ]);
    holdings.ask();
    come(pod("a", "3"));
    assert.equal(holdings.got(named("a"), holding("a")), false);
    assert.deepEqual([held(), free()], [[["2", ["g1"]]], []], "what the first one holds is not free");
  });
});

describe("devices", () => {
  test("are found by their ID, by resource too, and by the ID that replicas have in common", () => {
    const { holdings, list } = world(pod("a", "1"), pod("b", "2"), pod("c", "3"));
    const shared = (id: string): DeviceGroup => ({ resourceName: `${GPU}.shared`, deviceIDs: [id], numaNodes: [] });
    list([], holding("a", shared("GPU-1::0")), holding("b", shared("GPU-1::3")), holding("c", gpus("GPU-12")));
    const uids = (id: string, resource?: string) => holdings.byDevice(id, resource).map(({ pod }) => pod.metadata.uid);
    assert.deepEqual(uids("GPU-1"), ["1", "2"]);
    assert.deepEqual(uids("GPU-1::3"), ["2"]);
    assert.deepEqual(uids("GPU-1", GPU), []);
    assert.deepEqual(uids("GPU-12", GPU), ["3"]);
    assert.deepEqual(uids("GPU"), []);
  });

  test("are free by resource and NUMA nodes; IDs of two resources are two; what cannot be given is not told", () => {
    const { holdings, list } = world(pod("a", "1"));
    const nic = (...deviceIDs: string[]): DeviceGroup => ({
      resourceName: "example.com/nic",
      deviceIDs,
      numaNodes: [],
    });
    const far: DeviceGroup = { resourceName: GPU, deviceIDs: ["g3", "g4"], numaNodes: [0, 1] };
    list([gpus("g0", "g1"), nic("0", "g0"), far], holding("a", gpus("g0"), nic("gone")));
    assert.deepEqual(holdings.free(new Map()).devices, [gpus("g1"), nic("0", "g0"), far]);
  });

  test("CPUs are free by their nodes, those of unknown nodes together; what a pod has as a whole is not free", () => {
    const { holdings } = world(pod("a", "1"));
    const given = { ...holding("a"), cpuIds: [3, 2] };
    holdings.ask();
    holdings.listed({ devices: [], cpuIds: [5, 4, 3, 2, 1, 9], memory: [] }, [given]);
    const nodeOf = new Map([1, 5].map((cpu) => [cpu, 1]).concat([[4, 0]]) as [number, number][]);
    assert.deepEqual(holdings.free(nodeOf).cpus, [
      { cpuIds: [4], numaNodes: [0] },
      { cpuIds: [1, 5], numaNodes: [1] },
      { cpuIds: [9], numaNodes: [] },
    ]);
  });

  test("memory is free by type and node; nodes that something was given from together stand as one", () => {
    const { holdings } = world(pod("a", "1"), pod("b", "2"));
    const block = (type: string, sizeBytes: number, ...numaNodes: number[]) => ({ type, sizeBytes, numaNodes });
    const of = (name: string, own: MemoryBlock[], whole: MemoryBlock[] = []): PodResources => ({
      ...holding(name),
      containers: [{ name: "main", devices: [], cpuIds: [], memory: own, claims: [] }],
      memory: whole,
    });
    const memory = [0, 1, 2].flatMap((at) => [block("memory", 100, at), block("hugepages-2Mi", 10, at)]);
    const free = (...answers: PodResources[]) => {
      holdings.ask();
      holdings.listed({ devices: [], cpuIds: [], memory }, answers);
      return holdings
        .free(new Map())
        .memory.map(({ type, sizeBytes, numaNodes }) => `${type} ${sizeBytes} of ${numaNodes}`);
    };
    const pages = ["hugepages-2Mi 10 of 0", "hugepages-2Mi 10 of 1", "hugepages-2Mi 10 of 2"];
    assert.deepEqual(free(), ["memory 100 of 0", "memory 100 of 1", "memory 100 of 2", ...pages]);
    assert.deepEqual(free(of("a", [block("memory", 150, 0, 1)])), ["memory 50 of 0,1", "memory 100 of 2", ...pages]);
    assert.deepEqual(free(of("a", [block("memory", 100, 2)])), ["memory 100 of 0", "memory 100 of 1", ...pages]);
    const whole = of("a", [block("memory", 20, 0)], [block("memory", 60, 0)]);
    assert.deepEqual(free(whole).slice(0, 1), ["memory 40 of 0"], "its containers' is among it");
    assert.deepEqual(
      free(of("a", [block("memory", 50)])).slice(0, 1),
      ["memory 250 of 0,1,2"],
      "of nodes that are not told",
    );
  });

  test("the kernel's lists say which CPU is of which NUMA node; what is none says nothing", async (t) => {
    const sysRoot = temporaryDirectory(t);
    const lists = {
      node0: "0-2,8\n",
      node1: "3\n",
      node2: "1-99999\n",
      node4: "9-4,x,\n",
      "node3/..": "7",
      has_cpu: "6",
    };
    for (const [name, list] of Object.entries(lists)) {
      mkdirSync(join(sysRoot, "devices/system/node", name), { recursive: true });
      writeFileSync(join(sysRoot, "devices/system/node", name, "cpulist"), list);
    }
    const nodeOf = await numaNodesOfCpus(sysRoot);
    assert.deepEqual([...nodeOf].sort(), [
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 1],
      [8, 0],
    ]);
    assert.equal((await numaNodesOfCpus(join(sysRoot, "none"))).size, 0);
  });
});
