// Whose a device is said to be, over random lives of pods that share names, by answers that know names alone.

import assert from "node:assert/strict";
import { Holdings, type IdentifiedPod } from "../../src/podresources/holdings.js";
import type { PodResources } from "../../src/podresources/index.js";
import { seededRandom } from "../../src/testing/index.js";
import { runs } from "../helpers/property.js";
import { test } from "../helpers/test.js";

const RESOURCE = "example.com/disk";
const NAMES = ["a", "b", "c"];
const DEVICES = 6;

/** A node: which pod has which device, and what the kubelet would answer now. */
class World {
  readonly pods = new Map<string, { pod: IdentifiedPod; device: string | undefined }>();
  readonly view = {
    list: () => [...this.pods.values()].map(({ pod }) => pod),
    get: ({ uid }: { uid: string }) => this.pods.get(uid)?.pod,
  };
  readonly holdings = new Holdings<IdentifiedPod>(this.view);
  #next = 0;

  add(name: string, device: string | undefined): void {
    const metadata = { namespace: "n", name, uid: String(this.#next++) };
    this.pods.set(metadata.uid, { pod: { metadata }, device });
    this.holdings.came(metadata);
  }

  remove(uid: string): void {
    const { pod } = this.pods.get(uid) ?? {};
    this.pods.delete(uid);
    if (pod !== undefined) this.holdings.went(pod.metadata);
  }

  get answer(): PodResources[] {
    return [...this.pods.values()].map(({ pod, device }) => answerOf(pod.metadata.name, device));
  }

  get freeDevices(): string[] {
    const taken = new Set([...this.pods.values()].map(({ device }) => device));
    return Array.from({ length: DEVICES }, (_, i) => `d${i}`).filter((id) => !taken.has(id));
  }
}

function answerOf(name: string, device: string | undefined): PodResources {
  const devices = device === undefined ? [] : [{ resourceName: RESOURCE, deviceIDs: [device], numaNodes: [] }];
  const container = { name: "main", devices, cpuIds: [], memory: [], claims: [] };
  return { namespace: "n", name, containers: [container], cpuIds: [], memory: [] };
}

test("a device is said to be of a pod alone that has it, and free alone where it was nobody's when it was read", () => {
  let attributed = 0;
  const { numRuns, seed } = runs(400);
  for (let run = 0; run < numRuns; run++) {
    const random = seededRandom(seed + run);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const world = new World();
    const { holdings } = world;
    const given = {
      devices: [
        { resourceName: RESOURCE, deviceIDs: Array.from({ length: DEVICES }, (_, i) => `d${i}`), numaNodes: [] },
      ],
      cpuIds: [],
      memory: [],
    };
    const change = () => {
      const uids = [...world.pods.keys()];
      if (random() < 0.5 || uids.length === 0)
        world.add(pick(NAMES), random() < 0.7 ? pick([...world.freeDevices, undefined]) : undefined);
      else world.remove(pick(uids));
    };
    const changes = () => {
      for (let i = Math.floor(random() * 3); i > 0; i--) change();
    };
    for (let step = 0; step < 40; step++) {
      changes();
      const name = pick(NAMES);
      const isOne = random() < 0.3 && holdings.canGet({ namespace: "n", name });
      holdings.ask();
      changes(); // between the question and the moment of which the kubelet answers
      if (isOne) {
        // The kubelet takes any pod of the name.
        const found = pick([...world.pods.values()].filter(({ pod }) => pod.metadata.name === name));
        changes();
        if (found !== undefined) holdings.got({ namespace: "n", name }, answerOf(name, found.device));
      } else {
        const { answer, freeDevices } = world;
        changes(); // and until it is here
        holdings.listed(given, answer);
        const free = holdings.free(new Map()).devices.flatMap(({ deviceIDs }) => deviceIDs);
        assert.ok(
          free.every((id) => freeDevices.includes(id)),
          "what is said to be free was free",
        );
      }
      changes();
      for (const { pod, devices } of holdings.list()) {
        for (const id of devices.flatMap(({ deviceIDs }) => deviceIDs)) {
          attributed++;
          assert.equal(world.pods.get(pod.metadata.uid)?.device, id, `${id} is said to be of ${pod.metadata.uid}`);
        }
      }
    }
  }
  assert.ok(attributed > 1_000, `${attributed} were looked at`);
});
