// C1 to C5 over random lives in the shapes that kubelets write: each life once, in order, none that was shown is lost, no more are
// told and missed than were counted, and what waits is bounded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { type ContainerStatus, ContainerStatusSchema, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { podMask } from "../../src/index.js";
import type { Change, Entry } from "../../src/known/entry.js";
import type { Ledger } from "../../src/known/ledger.js";
import { scanHead } from "../../src/pod/scan.js";
import { ContainerConsumer } from "../../src/readers/containers/container-consumer.js";
import type { ContainerEvent } from "../../src/readers/containers/container-event.js";
import {
  backOff,
  forgo,
  isCreated,
  lose,
  prepare,
  removeToRestart,
  run,
  stop,
} from "../../src/testing/container-status.js";
import { seededRandom } from "../../src/testing/random.js";
import { runs } from "../helpers/property.js";

const STEPS = 60;
const mask = podMask("metadata.uid");
type Event = ContainerEvent<{ metadata: { uid: string } }>;

/** A container of the model: its status, and what is true of each of its lives. */
interface Container {
  readonly uid: string;
  readonly status: ContainerStatus;
  /** Whether the reader has seen it since its pod came. */
  isOld: boolean;
  /** Whether a status was shown with an end without an ID, or a count that fell. */
  isInexact: boolean;
  /** The exits of lives, by ID; undefined of those that were lost, or run. */
  readonly exits: Map<string, number | undefined>;
  /** IDs that a status has shown as those of lives, and of those the ones that it has shown ended. */
  readonly shown: Set<string>;
  readonly shownEnded: Set<string>;
  gone: boolean;
}

/** A life as it was told. */
interface Told {
  readonly uid: string;
  readonly restartCount: number;
  ended: Extract<Event, { type: "ENDED" }> | undefined;
}

class World {
  readonly consumer = new ContainerConsumer<{ metadata: { uid: string } }>(
    { includeFinished: false, mask },
    () => {},
    () => 0,
  );
  readonly containers = new Map<string, Container>();
  readonly told = new Map<string, Told>();
  /** What was told last of each pod, to see the order. */
  readonly #last = new Map<string, Event>();
  readonly missed = new Map<string, number>();
  readonly #random: () => number;
  #count = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    for (let n = 0; n < 2; n++) this.#add(true);
    for (const { status, uid } of this.containers.values()) this.#live(status, uid, 6);
    const entries = [...this.containers.values()].map((each) => ({ entry: this.#show(each), active: true }));
    this.consumer.snapshot({ entries: () => entries, unconfirmed: { count: 0, why: [] } } as unknown as Ledger);
  }

  step(): void {
    const all = [...this.containers.values()].filter(({ gone }) => !gone);
    const container = all[Math.floor(this.#random() * all.length)];
    const draw = this.#random();
    if (container === undefined || draw < 0.05) this.#accept(this.#add(false));
    else if (draw < 0.08) this.#end(container);
    else {
      this.#live(container.status, container.uid, 1 + Math.floor(this.#random() * 4));
      if (this.#random() < 0.6) this.#accept(container);
    }
  }

  /** Lets the kubelet do some steps that nobody sees. */
  #live(status: ContainerStatus, uid: string, steps: number): void {
    const container = this.containers.get(uid) ?? assert.fail();
    for (let n = 0; n < steps; n++) {
      const draw = this.#random();
      const { state } = status;
      const now = new Date(1_700_000_000_000 + this.#count++ * 1_000);
      if (state?.running !== undefined) {
        if (draw < 0.15) lose(status, false);
        else if (draw < 0.2) removeToRestart(status);
        else if (draw < 0.25) {
          // Seen by the runtime, which does not know how it stands (:2415); a new process says the same of it later.
          lose(status, false);
          forgo(status);
        } else this.#stop(container, now);
        if (status.containerID === "" || status.state?.terminated?.containerID === "") container.isInexact = true;
      } else if (isCreated(status)) {
        if (draw < 0.3) this.#stop(container, now);
        else run(status, uid, now);
      } else if (state?.terminated !== undefined && draw < 0.3) {
        if (state.terminated.containerID !== "") backOff(status);
      } else if (draw < 0.33) {
        // The runtime was wiped: it counts from the start again, with containers of other IDs.
        const { image } = status;
        const wiped = create(ContainerStatusSchema, { name: "main", image: `${image}+`, state: { waiting: {} } });
        Object.assign(status, wiped, { lastState: undefined });
        container.isInexact = true;
      } else if (draw < 0.6) prepare(status, `${uid}${status.image}`);
      else run(status, `${uid}${status.image}`, now);
      const { id } = idsOf(status);
      if (id !== "" && !container.exits.has(id)) container.exits.set(id, undefined);
    }
  }

  #stop(container: Container, now: Date): void {
    const exitCode = Math.floor(this.#random() * 3);
    const { status } = container;
    if (isCreated(status)) stop(status, {}, now);
    else stop(status, { exitCode }, now);
    container.exits.set(idsOf(status).id, status.state?.terminated?.exitCode);
  }

  #add(isOld: boolean): Container {
    const uid = `u${this.containers.size}`;
    const status = create(ContainerStatusSchema, { name: "main", image: "i", state: { waiting: {} } });
    const facts = { exits: new Map(), shown: new Set<string>(), shownEnded: new Set<string>(), gone: false };
    const container: Container = { uid, status, isOld, isInexact: false, ...facts };
    this.containers.set(uid, container);
    if (!isOld) this.#live(status, uid, Math.floor(this.#random() * 4));
    return container;
  }

  #end(container: Container): void {
    if (this.#random() < 0.5) this.#live(container.status, container.uid, 1);
    container.gone = true;
    this.#accept(container);
  }

  /** Shows how a container stands. */
  #accept(container: Container): void {
    const entry = this.#show(container);
    const active = !container.gone;
    const change: Change = { uid: container.uid, entry, active, gone: !active, cause: "finished" };
    this.consumer.accept([change]);
  }

  #show({ uid, status, shown, shownEnded }: Container): Entry {
    const { id, lastID } = idsOf(status);
    if (lastID !== "") shownEnded.add(lastID);
    if (status.state?.terminated?.containerID) shownEnded.add(id);
    if (status.state?.running !== undefined) shown.add(id);
    for (const each of shownEnded) shown.add(each);
    const pod = create(PodSchema, {
      metadata: { uid, namespace: "ns", name: uid },
      spec: { containers: [{ name: "main" }] },
      status: { phase: "Running", containerStatuses: [status] },
    });
    const bytes = toBinary(PodSchema, pod);
    return { bytes, head: scanHead(bytes).head, retained: undefined, process: { number: 1 } };
  }

  /** Takes events, and looks at each. */
  read(most: number): void {
    for (let n = 0; n < most; n++) {
      const event = this.consumer.take();
      if (event === undefined) return;
      if (event.type === "SYNCED" || event.type === "DISCONNECTED") continue;
      const { uid } = event.pod.metadata;
      const before = this.#last.get(uid);
      this.#last.set(uid, event);
      if (event.type === "MISSED") {
        const [from, to] = event.restartCounts;
        assert.ok(from <= to, "a range of something");
        this.missed.set(uid, (this.missed.get(uid) ?? 0) + to - from + 1);
        continue;
      }
      const { containerID: id, restartCount } = event.container;
      if (event.type === "STARTED") {
        assert.ok(!this.told.has(id), "C1: started once");
        assert.ok(before?.type !== "STARTED", "C2: the one before has ended");
        this.told.set(id, { uid, restartCount, ended: undefined });
      } else {
        const told = this.told.get(id) ?? assert.fail("C2: it has started");
        assert.equal(told.ended, undefined, "C1: ended once");
        assert.ok(before?.type === "STARTED" && before.container.containerID === id, "C2: after its start");
        told.ended = event;
        const { exits } = this.containers.get(uid) ?? assert.fail();
        if (event.exit !== undefined) assert.equal(event.exit.exitCode, exits.get(id), "the exit is the true one");
        assert.equal(event.exit === undefined, event.cause !== "exited");
      }
    }
  }
}

function idsOf({ containerID, lastState }: ContainerStatus): { id: string; lastID: string } {
  const bare = (text: string | undefined) => text?.split("://")[1] ?? "";
  return { id: bare(containerID), lastID: bare(lastState?.terminated?.containerID) };
}

/** How many lives of a container were told or missed, and how many were counted; undefined where a fall of the count hides that. */
function check(world: World, isFast: boolean): void {
  for (const { uid, status, isOld, isInexact, shown, shownEnded, gone } of world.containers.values()) {
    const lives = [...world.told].filter(([, told]) => told.uid === uid);
    if (isFast) {
      for (const id of shown) {
        const told = world.told.get(id);
        assert.ok(told, `C3: ${id} of ${uid} was shown, and is told`);
        if (shownEnded.has(id) || gone) assert.ok(told.ended, "C3: so is its end");
      }
    }
    if (isOld || isInexact) continue;
    const { id } = idsOf(status);
    const isShown = shown.has(id);
    const sum = lives.length + (world.missed.get(uid) ?? 0);
    assert.ok(sum <= status.restartCount + 1, "C4: no more are told than were counted");
    if (isShown) assert.equal(sum, status.restartCount + 1, "C4: and no fewer, where each status has an ID");
  }
}

test("C1 to C4: a reader that keeps up is told each life that a status shows, once and in order", () => {
  const { numRuns, seed } = runs(200);
  for (let n = 0; n < numRuns; n++) {
    const world = new World(seed + n);
    for (let step = 0; step < STEPS; step++) {
      world.step();
      world.read(Number.POSITIVE_INFINITY);
      try {
        check(world, true);
      } catch (error) {
        (error as Error).message += ` (seed ${seed + n}, step ${step})`;
        throw error;
      }
    }
  }
});

test("C2, C4 and C5: a slow one is told less, in order, and what waits is bounded", () => {
  const { numRuns, seed } = runs(200);
  for (let n = 0; n < numRuns; n++) {
    const world = new World(seed + n);
    const random = seededRandom(~(seed + n));
    for (let step = 0; step < 2 * STEPS; step++) {
      world.step();
      if (random() < 0.05) world.read(Math.floor(random() * 8));
      assert.ok(world.consumer.pending <= 11 * world.containers.size + 16, "C5");
    }
    world.read(Number.POSITIVE_INFINITY);
    assert.equal(world.consumer.pending, 0);
    check(world, false);
  }
});
