// Which pod an answer of podresources is about, which knows no UIDs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Holdings, type IdentifiedPod, namesOf } from "../../src/podresources/holdings.js";
import type { DeviceGroup, PodResources } from "../../src/podresources/index.js";

const GPU = "nvidia.com/gpu";

function pod(name: string, uid: string, phase = "Running"): IdentifiedPod {
  return { metadata: { namespace: "ml", name, uid }, status: { phase } };
}

function holding(name: string, ...devices: DeviceGroup[]): PodResources {
  const container = { name: "main", devices, cpuIds: [], memory: [], claims: [] };
  return { namespace: "ml", name, containers: [container], cpuIds: [], memory: [] };
}

const gpus = (...deviceIDs: string[]): DeviceGroup => ({ resourceName: GPU, deviceIDs, numaNodes: [0] });
const node = (...devices: DeviceGroup[]) => ({ devices, cpuIds: [], memory: [] });

/** A view whose pods can be changed, and the holdings over it. */
function world(...pods: IdentifiedPod[]) {
  const byUid = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
  const view = { list: () => [...byUid.values()], get: (uid: string) => byUid.get(uid) };
  const holdings = new Holdings<IdentifiedPod>(view);
  const names = () => namesOf(view.list());
  const held = () => holdings.list().map(({ pod, devices }) => [pod.metadata.uid, devices.flatMap((d) => d.deviceIDs)]);
  return { byUid, holdings, names, held };
}

describe("answers that know pods by name", () => {
  test("are bound to the pod that alone has the name, before and after the call", () => {
    const { holdings, names, held, byUid } = world(pod("a", "1"), pod("b", "2"));
    const before = names();
    byUid.delete("2");
    byUid.set("3", pod("b", "3")); // b was made again while the kubelet answered
    holdings.listed(node(), [holding("a", gpus("g0")), holding("b", gpus("g1"))], before, names());
    assert.deepEqual(held(), [["1", ["g0"]]]);
    holdings.got({ namespace: "ml", name: "b" }, holding("b", gpus("g2")), names(), names());
    assert.deepEqual(held(), [
      ["1", ["g0"]],
      ["3", ["g2"]],
    ]);
  });

  test("are nobody's where two pods have the name, in the view or in the answer", () => {
    const two = world(pod("a", "1"), pod("a", "2"));
    two.holdings.listed(node(), [holding("a", gpus("g0"))], two.names(), two.names());
    assert.deepEqual(two.held(), []);
    const one = world(pod("a", "1"));
    one.holdings.listed(
      node(gpus("g0", "g1", "g2")),
      [holding("a", gpus("g0")), holding("a", gpus("g1"))],
      one.names(),
      one.names(),
    );
    assert.deepEqual(one.held(), []);
    assert.deepEqual(one.holdings.freeDevices(), [gpus("g2")], "what nobody is named for is held all the same");
  });

  test("are the pod's that runs where another of its name has ended", () => {
    const { holdings, names, held } = world(pod("a", "1", "Succeeded"), pod("a", "2"));
    holdings.listed(node(), [holding("a", gpus("g0"))], names(), names());
    assert.deepEqual(held(), [["2", ["g0"]]]);
  });

  test("go with their pod, and never over to the next of its name", () => {
    const { holdings, names, held, byUid } = world(pod("a", "1"));
    holdings.listed(node(gpus("g0")), [holding("a", gpus("g0"))], names(), names());
    byUid.delete("1");
    byUid.set("2", pod("a", "2"));
    assert.deepEqual(held(), []);
    assert.deepEqual(holdings.freeDevices(), [], "it is not known yet that it was given back");
    holdings.got({ namespace: "ml", name: "a" }, undefined, names(), names());
    assert.deepEqual(holdings.freeDevices(), [gpus("g0")]);
  });
});

describe("devices", () => {
  test("are found by their ID, by resource too, and by the ID that replicas have in common", () => {
    const { holdings, names } = world(pod("a", "1"), pod("b", "2"), pod("c", "3"));
    const shared = (id: string): DeviceGroup => ({ resourceName: `${GPU}.shared`, deviceIDs: [id], numaNodes: [] });
    const list = [holding("a", shared("GPU-1::0")), holding("b", shared("GPU-1::3")), holding("c", gpus("GPU-12"))];
    holdings.listed(node(), list, names(), names());
    const uids = (id: string, resource?: string) => holdings.byDevice(id, resource).map(({ pod }) => pod.metadata.uid);
    assert.deepEqual(uids("GPU-1"), ["1", "2"]);
    assert.deepEqual(uids("GPU-1::3"), ["2"]);
    assert.deepEqual(uids("GPU-1", GPU), []);
    assert.deepEqual(uids("GPU-12", GPU), ["3"]);
    assert.deepEqual(uids("GPU"), []);
  });

  test("are free by resource and NUMA nodes; those of unknown nodes together; IDs of two resources are two", () => {
    const { holdings, names } = world(pod("a", "1"));
    const nic = (...deviceIDs: string[]): DeviceGroup => ({
      resourceName: "example.com/nic",
      deviceIDs,
      numaNodes: [],
    });
    const far: DeviceGroup = { resourceName: GPU, deviceIDs: ["g3"], numaNodes: [1, 0] };
    const given = node(gpus("g0"), nic("0"), far, gpus("g1"), nic("g0"), {
      ...far,
      deviceIDs: ["g4"],
      numaNodes: [0, 1],
    });
    holdings.listed(given, [holding("a", gpus("g0"), nic("gone"))], names(), names());
    assert.deepEqual(holdings.freeDevices(), [
      gpus("g1"),
      nic("0", "g0"),
      { resourceName: GPU, deviceIDs: ["g3", "g4"], numaNodes: [0, 1] },
    ]);
  });
});
