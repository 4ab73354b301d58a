// Agents that are killed at any moment, two at a time, and share a journal: what one of them was told is in it, once.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { endedIn } from "../../src/journal/ended.js";
import { Segments } from "../../src/journal/segments.js";
import { ReferenceKubelet, seededRandom } from "../../src/testing/index.js";
import { systemClock } from "../../src/timing/clock.js";
import { root } from "../helpers/programs.js";
import { type TestContext, test } from "../helpers/test.js";

const podOf = (uid: string) => ({
  metadata: { uid, namespace: "shop", name: `p-${uid.slice(-4)}` },
  spec: { containers: [{ name: "app", image: "a" }] },
});

class Agent {
  readonly child: ChildProcess;
  readonly #ids: Set<string>;
  #wake: () => void = () => {};
  isSynced = false;

  constructor(socketPath: string, directory: string, told: Set<string>) {
    this.#ids = told;
    const program = join(root, "build/test/journal/agent-child.js");
    this.child = spawn(process.execPath, [program, socketPath, directory], { stdio: ["ignore", "pipe", "inherit"] });
    createInterface({ input: this.child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const { id, uid, synced } = JSON.parse(line);
      if (id !== undefined) this.#ids.add(id);
      if (uid !== undefined) this.#ids.add(uid);
      this.isSynced ||= synced === true;
      this.#wake();
    });
  }

  async until(is: () => boolean): Promise<void> {
    while (!is()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async kill(): Promise<void> {
    const gone = once(this.child, "close");
    this.child.kill("SIGKILL");
    await gone;
  }
}

async function nodeOf(t: TestContext) {
  const directory = join(mkdtempSync(join(tmpdir(), "kills-")), "ends");
  const kubelet = await ReferenceKubelet.start();
  t.after(async () => {
    await kubelet.close();
    rmSync(join(directory, ".."), { recursive: true });
  });
  return { kubelet, directory };
}

test("what an agent was told before it was killed is in the journal, once; so is what the other saw", async (t) => {
  const { kubelet, directory } = await nodeOf(t);
  const random = seededRandom(3);
  const told = new Set<string>();
  const truth = new Set<string>();
  let nth = 0;
  const uids: string[] = [];
  const act = () => {
    const uid = uids[Math.floor(random() * uids.length)];
    const chance = random();
    if (uid === undefined || chance < 0.3) {
      const next = `2c4d8b1e-0000-4000-8000-${String(++nth).padStart(12, "0")}`;
      kubelet.addPod(podOf(next));
      kubelet.startPod(next);
      uids.push(next);
    } else if (chance < 0.8) {
      const [before] = kubelet.pods.find(({ metadata }) => metadata?.uid === uid)?.status?.containerStatuses ?? [];
      kubelet.restartContainer(uid, "app", { exitCode: 137, reason: "OOMKilled" });
      truth.add(before?.containerID.replace(/^.*\/\//, "") ?? assert.fail());
    } else {
      kubelet.deletePod(uid, { gracePeriodSeconds: 0 });
      kubelet.finishPod(uid);
      kubelet.removePod(uid);
      truth.add(uid);
      uids.splice(uids.indexOf(uid), 1);
    }
  };
  let agent = new Agent(kubelet.socketPath, directory, told);
  await agent.until(() => agent.isSynced);
  for (let round = 0; round < 8; round++) {
    for (let step = 0; step < 12; step++) {
      act();
      await new Promise((resolve) => setTimeout(resolve, 3 * random()));
    }
    // The next one begins before this one is killed, in half of the rounds; then nothing is missed.
    const next = new Agent(kubelet.socketPath, directory, told);
    const isOverlapped = round % 2 === 0;
    if (isOverlapped) await next.until(() => next.isSynced);
    for (let step = 0; step < 6; step++) act();
    await agent.kill();
    agent = next;
    await agent.until(() => agent.isSynced);
  }
  act();
  const last = [...truth].at(-1) ?? assert.fail();
  await agent.until(() => told.has(last));
  await agent.kill();
  const segments = new Segments(directory);
  const ids: string[] = [];
  const reasons = new Map<string, string>();
  for await (const { uid, container, end } of endedIn(
    { segments, clock: systemClock, written: () => undefined },
    {},
    "ended",
  )) {
    ids.push(container?.containerID ?? uid);
    reasons.set(container?.containerID ?? uid, end.reason);
  }
  assert.equal(new Set(ids).size, ids.length, "each once");
  for (const id of told) assert.ok(ids.includes(id), `${id} was told and not written`);
  assert.ok(told.size > 30, `${told.size} of ${truth.size}`);
  for (const id of truth) if (told.has(id) && id.length === 64) assert.equal(reasons.get(id), "OOMKilled");
});
