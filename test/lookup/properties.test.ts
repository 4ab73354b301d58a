// Over random lives of pods on a node: a lookup equals a walk over what was told, an answer for a time is never certain and wrong,
// and otherwise its neighbour in time, and what is retained never hides who is there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SETTLED_MS } from "../../src/lookup/holding.js";
import { seededRandom } from "../../src/testing/random.js";
import { runs } from "../helpers/property.js";
import { Node, type NodePod, WALL_MS } from "./node.js";

const ADDRESSES = ["10.0.0.1", "10.0.0.2", "10.0.0.3"];
const STEPS = 60;
const LATEST_MS = 300_000;

/** Who truly had an address, from when to when. */
interface Truth {
  uid: string;
  ip: string;
  fromMs: number;
  toMs: number;
  /** Whether anybody was ever told. */
  told: boolean;
}

/** A node on which pods come, change their addresses and go, and a kubelet that tells it late, in each pod's own order. */
class World {
  readonly node = new Node();
  readonly truth: Truth[] = [];
  readonly #random: () => number;
  readonly #pods = new Map<string, NodePod>();
  /** What is still to be told of each pod: the last is how it is. */
  readonly #untold = new Map<string, { atMs: number; pod: NodePod | undefined; holding: Truth | undefined }[]>();
  /** The pods as they were told last. */
  readonly told = new Map<string, NodePod>();
  #outage = false;
  #count = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  step(): void {
    const draw = this.#random();
    const pods = [...this.#pods.values()];
    const pod = pods[Math.floor(this.#random() * pods.length)];
    if (draw < 0.3) this.#start();
    else if (draw < 0.5 && pod) this.#end(pod);
    else if (draw < 0.6 && pod) this.#move(pod);
    else if (draw < 0.65) this.#lose();
    else if (draw < 0.75) this.#return();
    this.#pass(this.#random() < 0.5 ? this.#random() * 3_000 : this.#random() * 20_000);
  }

  get isStale(): boolean {
    return this.#outage;
  }

  #free(): string | undefined {
    const taken = new Set([...this.#pods.values()].map(({ ip }) => ip));
    const free = ADDRESSES.filter((ip) => !taken.has(ip));
    return free[Math.floor(this.#random() * free.length)];
  }

  #start(): void {
    const ip = this.#free();
    if (ip === undefined) return;
    const uid = `p${++this.#count}`;
    const { nowMs } = this.node;
    // It may have waited for the scheduler for a long time; the kubelet tells it before it has an address.
    const created = Math.floor((WALL_MS + nowMs - this.#random() * 60_000) / 1_000);
    this.#tell({ uid, created }, 0);
    this.#pass(this.#random() * 2_000);
    const pod = { uid, created, ip };
    this.#pods.set(uid, pod);
    this.#hold(uid, ip);
    this.#tell(pod);
  }

  #end(pod: NodePod): void {
    this.#pods.delete(pod.uid);
    this.#release(pod.uid);
    if (this.#random() < 0.7) this.#tell({ ...pod, phase: "Succeeded" });
    this.#tell(undefined, undefined, pod.uid);
  }

  #move(pod: NodePod): void {
    const ip = this.#free();
    if (ip === undefined) return;
    this.#release(pod.uid);
    this.#pass(this.#random() * 1_000);
    const moved = { ...pod, ip };
    this.#pods.set(pod.uid, moved);
    this.#hold(pod.uid, ip);
    this.#tell(moved);
  }

  #hold(uid: string, ip: string): void {
    this.truth.push({ uid, ip, fromMs: this.node.nowMs, toMs: Number.POSITIVE_INFINITY, told: false });
  }

  #release(uid: string): void {
    const holding = this.truth.findLast((each) => each.uid === uid);
    if (holding !== undefined) holding.toMs = this.node.nowMs;
  }

  /** The kubelet tells it after a while, after what it has told of the pod before. */
  #tell(pod: NodePod | undefined, lagMs = this.#random() * (SETTLED_MS - 2_100), uid = pod?.uid ?? ""): void {
    const untold = this.#untold.get(uid) ?? [];
    const holding = this.truth.findLast((each) => each.uid === uid);
    untold.push({ atMs: Math.max(this.node.nowMs + lagMs, untold.at(-1)?.atMs ?? 0), pod, holding });
    this.#untold.set(uid, untold);
    if (lagMs === 0) this.#pass(0);
  }

  #pass(ms: number): void {
    const endMs = this.node.nowMs + ms;
    if (!this.#outage) {
      const due = [...this.#untold].flatMap(([uid, all]) => all.map((each) => ({ uid, ...each })));
      for (const { uid, atMs, pod, holding } of due
        .filter(({ atMs }) => atMs <= endMs)
        .sort((a, b) => a.atMs - b.atMs)) {
        this.node.nowMs = Math.max(this.node.nowMs, atMs);
        this.#untold.get(uid)?.shift();
        this.#arrive(uid, pod, holding);
      }
    }
    this.node.nowMs = endMs;
  }

  #arrive(uid: string, pod: NodePod | undefined, holding: Truth | undefined): void {
    if (pod === undefined) {
      if (this.told.delete(uid)) this.node.drop(uid, "finished");
      return;
    }
    this.told.set(uid, pod);
    this.node.put(pod, pod.phase !== "Succeeded");
    if (holding !== undefined && holding.ip === pod.ip && pod.phase !== "Succeeded") holding.told = true;
  }

  #lose(): void {
    if (this.#outage) return;
    this.#outage = true;
    this.node.isSynced = false;
    this.node.lives.silent(this.node.nowMs);
  }

  /** A complete list: of each pod what the kubelet would have told by now. */
  #return(): void {
    if (!this.#outage) return;
    this.#outage = false;
    const { nowMs } = this.node;
    for (const [uid, all] of this.#untold) {
      const due = all.filter(({ atMs }) => atMs <= nowMs);
      const last = due.at(-1);
      if (last === undefined) continue;
      all.splice(0, due.length);
      if (last.pod !== undefined || this.told.has(uid)) this.#arrive(uid, last.pod, last.holding);
    }
    this.node.lives.synced(this.node.pods, nowMs);
    this.node.isSynced = true;
  }
}

/** Runs a property with as many seeds; an error names its own. */
function forSeeds(count: number, property: (seed: number) => void): void {
  const { numRuns, seed: first } = runs(count);
  for (let seed = first; seed < first + numRuns; seed++) {
    try {
      property(seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
}

test("a lookup equals a walk over all that was told, after each step", () => {
  forSeeds(60, (seed) => {
    const world = new World(seed);
    for (let i = 0; i < STEPS; i++) {
      world.step();
      for (const ip of ADDRESSES) {
        const holders = [...world.told.values()].filter((pod) => pod.ip === ip && pod.phase !== "Succeeded");
        const best = holders.sort((a, b) => (b.created ?? 0) - (a.created ?? 0) || (a.uid < b.uid ? -1 : 1))[0];
        const found = world.node.find({ ip });
        if (best !== undefined) {
          assert.equal(found?.pod.metadata.uid, best.uid, "retained ones never hide a living one");
          assert.equal(found.gone, undefined);
          assert.equal(found.certain, !world.isStale && holders.length === 1);
        } else assert.ok(found === undefined || !found.certain);
      }
    }
  });
});

test("an answer for a time is the true holder, or not certain and its neighbour in time", () => {
  let certain = 0;
  let answers = 0;
  forSeeds(150, (seed) => {
    const world = new World(seed);
    const times = seededRandom(seed + 1);
    for (let i = 0; i < STEPS; i++) {
      world.step();
      const { nowMs } = world.node;
      for (const ip of ADDRESSES) {
        const held = world.truth.filter((each) => each.ip === ip);
        for (let k = 0; k < 8; k++) {
          const atMs = nowMs - times() * (k < 4 ? 15_000 : LATEST_MS);
          const holder = held.find(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs);
          const found = world.node.find({ ip }, atMs);
          if (found === undefined) continue;
          answers++;
          if (found.certain) {
            certain++;
            assert.equal(found.pod.metadata.uid, holder?.uid, `certain and wrong, ${nowMs - atMs} ms ago`);
            continue;
          }
          // Of those that were there for less than the kubelet may take to tell, nobody knows the order.
          const { uid } = found.pod.metadata;
          const told = held.filter(
            (each) => each === holder || each.uid === uid || (each.told && each.toMs - each.fromMs > SETTLED_MS),
          );
          const before = told.findLast(({ fromMs }) => fromMs <= atMs);
          const place = before === undefined ? -1 : told.indexOf(before);
          const near = [told[place - 1], told[place], told[place + 1]].map((each) => each?.uid);
          assert.ok(near.includes(found.pod.metadata.uid), `${found.pod.metadata.uid} is none of ${near}`);
        }
      }
    }
  });
  assert.ok(certain > answers / 3, `${certain} of ${answers} are certain`);
});

test("whoever was told to have an address for long is not forgotten", () => {
  forSeeds(100, (seed) => {
    const world = new World(seed);
    for (let i = 0; i < STEPS; i++) world.step();
    const { nowMs } = world.node;
    for (const { uid, ip, fromMs, toMs, told } of world.truth) {
      const atMs = (fromMs + Math.min(toMs, nowMs)) / 2;
      if (!told || Math.min(toMs, nowMs) - fromMs < 4 * SETTLED_MS || atMs < nowMs - LATEST_MS) continue;
      const found = world.node.find({ ip }, atMs);
      assert.ok(found !== undefined, `${uid} is not found`);
    }
  });
});
