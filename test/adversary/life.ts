// One life of a node: what happens, step by step, under all readers; and in the end what they all have.

import { seededRandom } from "../../src/testing/random.js";
import { settle, VirtualClock } from "../helpers/virtual-clock.js";
import type { Observe } from "../oracle/observations.js";
import type { Facts } from "./evidence.js";
import { Judge, type Violation } from "./judge.js";
import { Node } from "./node.js";
import { Readers } from "./readers.js";
import type { Damage } from "./shown-pod.js";
import { DELETIONS, STOPS } from "./stops.js";
import { pick, streamOf } from "./streams.js";
import type { Line } from "./teller.js";

/** Something that happens, by its name, with draws of its own from a seed. */
export interface Step {
  readonly action: keyof typeof ACTIONS;
  readonly seed: number;
}

export interface Life {
  readonly violations: readonly Violation[];
  readonly lines: readonly Line[];
  /** How often each fact about telling was so. */
  readonly happened: ReadonlyMap<string, number>;
  /** How many answers about a time that is past were how sure. */
  readonly grades: ReadonlyMap<string, number>;
  /** How often each rule of calm times was asked. */
  readonly asked: ReadonlyMap<string, number>;
}

interface Scene {
  readonly node: Node;
  readonly readers: Readers;
  readonly clock: VirtualClock;
  readonly random: () => number;
  /** The UID of a pod that is there. */
  readonly uid: string;
}

interface Action {
  /** How often it happens in {@link WEIGHTS} slots of a life, on average. */
  readonly weight: number;
  /** The fact about telling that it is a case of, by its ID in facts.ts. */
  readonly fact?: `T${number}`;
  act(scene: Scene): unknown;
}

const DAMAGES: readonly Damage[] = ["tail", "all", "body", "uid"];
const DISRUPTIONS: readonly string[] = Object.keys(DELETIONS).filter((each) => each !== "");
const STEPS_MS = [300, 1_000, 4_000, 4_000, 10_000, 60_000, 3_600_000];
const PAUSES_MS = [10, 500, 3_000, 3_000, 10_000, 31_000, 150_000];

/** Everything that happens, with what it is a case of. */
export const ACTIONS = {
  pass: { weight: 14, act: (scene) => pass(scene, pick(PAUSES_MS, scene.random)) },
  add: {
    weight: 5,
    act: ({ node, random }) => node.add(random() < 0.3, { random }),
  },
  label: { weight: 1, fact: "T1", act: ({ node, uid }) => node.label(uid) },
  exit: { weight: 4, act: ({ node, uid, random }) => node.exit(uid, Math.floor(3 * random())) },
  finish: {
    weight: 2,
    fact: "T23",
    act: ({ node, uid, random }) => node.finish(uid, random() < 0.3 ? undefined : pick(STOPS, random)),
  },
  delete: {
    weight: 3,
    fact: "T22",
    act: ({ node, uid, random }) => node.delete(uid, { by: random() < 0.5 ? "" : pick(DISRUPTIONS, random) }),
  },
  disrupt: { weight: 1, fact: "T28", act: ({ node, uid, random }) => node.disrupt(uid, pick(DISRUPTIONS, random)) },
  killForMemory: { weight: 2, fact: "T27", act: ({ node, uid, random }) => node.killForMemory(uid, random() < 0.7) },
  handOver: { weight: 2, act: ({ node, uid, random }) => node.handOver(uid, random) },
  deleteInACrowd: { weight: 1, fact: "T2", act: ({ node, uid }) => node.delete(uid, { lateMs: 13_000 }) },
  withdraw: { weight: 1, fact: "T3", act: ({ node, uid }) => node.withdraw(uid) },
  withdrawBehindList: { weight: 1, fact: "T29", act: ({ node, uid }) => node.withdrawBehindList(uid) },
  resandbox: { weight: 1, fact: "T4", act: ({ node, uid }) => node.resandbox(uid) },
  failSandbox: {
    weight: 1,
    fact: "T26",
    act: ({ node, uid, random }) => node.resandbox(uid, 10_000 + 110_000 * random()),
  },
  createInVain: { weight: 1, fact: "T5", act: ({ node, uid }) => node.createInVain(uid) },
  inventExits: { weight: 1, fact: "T6", act: ({ node }) => node.inventExits() },
  lose: {
    weight: 3,
    fact: "T7",
    act: ({ node, uid, random }) => node.exit(uid, Math.floor(3 * random()), { isLost: true }),
  },
  crashLoop: {
    weight: 0.4,
    act: ({ node, uid, random }) => node.crashLoop(uid, 10 + Math.floor(10 * random())),
  },
  restart: {
    weight: 2,
    fact: "T8",
    act: ({ node, clock, random }) =>
      restart(node, clock, random, () => node.start("1.37", { initializingMs: 200 + 1_000 * random() })),
  },
  restartNewer: {
    weight: 0.7,
    fact: "T31",
    act: ({ node, clock, random }) =>
      restart(node, clock, random, () => node.start("1.38", { initializingMs: 200 + 1_000 * random() })),
  },
  restartOlder: {
    weight: 2,
    fact: "T9",
    act: ({ node, clock, random }) => restart(node, clock, random, () => node.start("1.36")),
  },
  restartWithoutApi: {
    weight: 1,
    fact: "T10",
    act: ({ node, clock, random }) => {
      clock.after(200_000 * random(), () => node.apiBack());
      return restart(node, clock, random, () => node.start(random() < 0.5 ? "1.36" : "1.37", { apiAway: true }));
    },
  },
  restartAndReject: {
    weight: 2,
    fact: "T11",
    act: ({ node, clock, random }) =>
      restart(node, clock, random, () => node.start("1.37", { initializingMs: 300, rejects: true })),
  },
  putBack: {
    weight: 2,
    fact: "T21",
    act: ({ node, random }) => node.add(true, { random, again: random() < 0.9 }),
  },
  putBackSoon: { weight: 2, fact: "T30", act: ({ node, uid }) => node.putBackSoon(uid) },
  goWhileAway: {
    weight: 1,
    fact: "T24",
    act: ({ node, clock, uid, random }) => {
      node.kill();
      node.withdraw(uid);
      return restart(node, clock, random, () => node.start("1.37", { initializingMs: 300 }));
    },
  },
  switchApi: {
    weight: 2,
    fact: "T25",
    act: ({ node, clock, random }) => {
      if (random() < 0.5) {
        clock.after(5_000 + 20_000 * random(), () => node.apiAway());
        clock.after(60_000 + 120_000 * random(), () => node.apiBack());
      }
      return restart(node, clock, random, () => node.start("1.37", { servesApi: !node.teller.servesApi }));
    },
  },
  cut: { weight: 1, fact: "T12", act: ({ node }) => node.cut() },
  goAway: { weight: 1, act: ({ node }) => node.teller.leave() },
  freezeList: { weight: 1, act: ({ node, random }) => node.freezeList(pick([3_000, 3_600_000], random)) },
  refuse: { weight: 1, fact: "T31", act: ({ node, random }) => node.refuse(1 + Math.floor(4 * random())) },
  drop: { weight: 3, fact: "T13", act: ({ node, random }) => node.messages.drop(1 + Math.floor(3 * random())) },
  swap: { weight: 2, fact: "T14", act: ({ node }) => node.messages.swap() },
  listLate: { weight: 1, fact: "T15", act: ({ node, uid, random }) => node.changeWhileListed(uid, random() < 0.5) },
  damage: { weight: 1, fact: "T16", act: ({ node, random }) => node.messages.damage(pick(DAMAGES, random)) },
  damageListed: {
    weight: 2,
    fact: "T16",
    act: ({ node, uid, random }) => node.damageListed(uid, pick(DAMAGES, random)),
  },
  newType: { weight: 1, fact: "T17", act: ({ node, random }) => node.messages.newType(random() < 0.5) },
  repeat: { weight: 1, fact: "T18", act: ({ node, uid }) => node.repeat(uid) },
  flood: { weight: 1, fact: "T19", act: ({ node, uid }) => node.flood(uid) },
  setClock: { weight: 1, fact: "T20", act: (scene) => setClock(scene) },
  stall: {
    weight: 1,
    act: ({ node, clock, random }) => {
      const fromMs = clock.now();
      clock.jump(random() * pick([5_000, 5_000, 40_000], random));
      node.truth.stall(fromMs, clock.now());
    },
  },
  agentRestarts: {
    weight: 2,
    act: async ({ readers, clock }) => {
      await clock.advance(1); // what was said at the moment before was said to another
      await readers.restart();
    },
  },
  join: { weight: 2, act: ({ readers }) => readers.join() },
  drain: {
    weight: 3,
    act: ({ readers, random }) => readers.drain(Math.floor(8 * random()), 1 + Math.floor(6 * random())),
  },
  wait: { weight: 2, act: ({ readers, random }) => readers.wait(`10.0.0.${1 + Math.floor(4 * random())}`, random) },
  call: { weight: 1, act: ({ readers, clock }) => whileTimePasses(readers.call(), clock) },
  command: {
    weight: 1,
    act: ({ node, readers, clock, uid }) => whileTimePasses(readers.command(uid, node.shown(uid)?.ip), clock),
  },
} as const satisfies Record<string, Action>;

/** Time passes, and readers are looked at now and then. */
async function pass({ clock, readers, random }: Scene, ms: number): Promise<void> {
  const parts = ms < 5_000 ? 1 : 6;
  for (let i = 0; i < parts; i++) {
    await clock.advance(ms / parts + (i % 2 === 0 ? 1 : -1) * (ms / parts) * random() * 0.5);
    readers.check();
  }
}

async function restart(node: Node, clock: VirtualClock, random: () => number, start: () => void): Promise<void> {
  node.kill();
  await clock.advance(random() < 0.5 ? 300 : 5_000 * random());
  start();
}

/** The clock is set. Of a time between two settings somebody has to have been asked, else nobody can know that there were two. */
async function setClock({ node, readers, clock, random }: Scene): Promise<void> {
  const byMs = (random() < 0.5 ? -1 : 1) * pick(STEPS_MS, random);
  const aroundMs = Math.min(Math.abs(byMs), 5_000);
  readers.note();
  await clock.advance(aroundMs * random());
  readers.look();
  clock.set(byMs);
  node.truth.setClock(clock.now(), byMs);
  node.truth.note("T20");
  await clock.advance(aroundMs * random());
  readers.note();
}

/** Time passes until something has been answered. */
async function whileTimePasses(answer: Promise<void>, clock: VirtualClock): Promise<void> {
  let isOver = false;
  void answer.finally(() => {
    isOver = true;
  });
  for (let i = 0; !isOver; i++) {
    if (i > 200) throw new Error("no answer within 50 s");
    await clock.advance(250);
  }
  await answer;
}

/** The weights of the actions are parts of this. It is fixed, so that a new action takes nothing from the others. */
const WEIGHTS = 76;

/** The steps of a life, by its number. Each action draws when it happens from a stream of its own. */
export function stepsOf(life: number): Step[] {
  const slots = 10 + Math.floor(streamOf(life, "slots")() * 60);
  const drawn: (Step & { readonly at: number })[] = [];
  for (const action of Object.keys(ACTIONS) as Step["action"][]) {
    const random = streamOf(life, `action ${action}`);
    for (let slot = 0; slot < slots; slot++) {
      // A slot takes three draws also where nothing happens, so that another weight changes no other slot.
      const [draw, at, seed] = [random(), random(), random()];
      if (draw < ACTIONS[action].weight / WEIGHTS)
        drawn.push({ action, seed: Math.floor(seed * 2 ** 31), at: slot + at });
    }
  }
  return drawn.sort((a, b) => a.at - b.at).map(({ action, seed }) => ({ action, seed }));
}

/** Which of a node's first pods are static: most nodes have pods of both kinds, some static ones alone, and some none. */
function firstPods(life: number): readonly boolean[] {
  const kind = streamOf(life, "kind of node")();
  if (kind < 0.07) return [];
  return kind < 0.14 ? [true, true] : [true, false, false, false];
}

/** Lives through steps. */
export async function live(steps: readonly Step[], life: number, observe: Observe = () => {}): Promise<Life> {
  const clock = new VirtualClock();
  const node = new Node(clock, life);
  const facts: Facts = {
    truth: node.truth,
    unread: node.unread,
    damaged: node.damaged,
    nameless: node.nameless,
    dropped: node.messages.faults,
    illegible: node.messages.illegible,
    lists: node.teller.listed,
    get nowMs() {
      return clock.now();
    },
    get startMs() {
      return node.startMs;
    },
    get isLive() {
      return node.teller.isLive;
    },
    get isServed() {
      return node.teller.isServed;
    },
    starts: node.starts,
    returns: node.returns,
    losses: node.teller.losses,
    get slowMs() {
      return node.teller.slowMs;
    },
    polled: node.teller.polled,
    isPartial: node.teller.lists === "partial",
    get isPolled() {
      return node.teller.isPolled;
    },
    get lostMs() {
      return node.teller.lostMs;
    },
    get hadNewType() {
      return node.messages.hadNewType;
    },
    newTypes: node.messages.newTypes,
    get faultMs() {
      return node.messages.faultMs;
    },
    get heardMs() {
      return node.teller.heardMs;
    },
    listed: () => node.listed(),
  };
  const judge = new Judge(facts);
  node.teller.onSaid = (said, isListed) => judge.said(said, isListed);
  node.teller.onListing = () => judge.listing();
  node.teller.onListed = (uids) => judge.listed(uids);
  const first = streamOf(life, "first pods");
  for (const isStatic of firstPods(life)) node.add(isStatic, { random: first });
  await clock.advance(45_000);
  const readers = new Readers(node, clock, judge, life, observe);
  for (const { action, seed } of steps) {
    const draws = seededRandom(seed);
    const uids = node.pods().map(({ uid }) => uid);
    await ACTIONS[action].act({ node, readers, clock, random: draws, uid: pick(uids, draws) ?? "" });
    await clock.advance(0);
    readers.note();
    readers.check();
  }
  node.heal();
  await clock.advance(20_000);
  // A source that is wholly missing stays unconfirmed for hours: there is a pod of each.
  const last = streamOf(life, "last pods");
  for (const isStatic of [true, false]) node.add(isStatic, { random: last });
  for (let i = 0; i < 5; i++) {
    await clock.advance(120_000);
    readers.note();
    readers.check();
  }
  await readers.final(() => clock.advance(0));
  await readers.close();
  await clock.advance(0);
  if (node.teller.streams > 0) judge.fail("leak", `${node.teller.streams} streams are open in the end`);
  await settle();
  const { violations, grades, calm } = judge;
  return { violations, lines: node.teller.lines, happened: node.truth.happened, grades, asked: calm.asked };
}
