import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { readJournal } from "../../src/journal/index.js";
import { seededRandom } from "../../src/testing/index.js";
import { systemEnvironment } from "../../src/timing/clock.js";
import { kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { forkModule } from "../helpers/programs.js";
import type { TestContext } from "../helpers/test.js";
import type { Said } from "./agent.js";

const uid = (n: number) => `2c4d8b1e-0000-4000-8000-${String(n).padStart(12, "0")}`;

/**
 * Two agents at a time, each killed at a random moment and started again, while containers restart. A container restarts again once an agent
 * that started after its last end has been synced, so that each end was shown to some agent.
 */
export async function killAgents(
  t: TestContext,
  { containers, rounds }: { containers: number; rounds: number },
): Promise<void> {
  const random = seededRandom(7);
  const pod = (n: number) => ({
    metadata: { uid: uid(n), namespace: `ns-${n % 3}`, name: `pod-${n}` },
    spec: { containers: [{ name: "main", image: "app:1" }] },
  });
  const given = { pods: Array.from({ length: containers }, (_, n) => pod(n)) as never };
  const kubelet = await kubeletOf(t, given, systemEnvironment);
  const directory = join(temporaryDirectory(t), "ends");
  const ended = new Map<string, number>();
  const iterated = new Map<string, number | undefined>();
  const running = new Map<number, string>();
  for (let n = 0; n < containers; n++) running.set(n, kubelet.startPod(uid(n))[0]?.containerID ?? "");

  let [spawned, kills, syncedOf] = [0, 0, -1];
  let wake = () => {};
  let isOver = false;
  const agents = new Set<ChildProcess>();
  const start = (): ChildProcess => {
    const number = spawned++;
    const agent = forkModule(import.meta, "agent", { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    agents.add(agent);
    const kill = () => {
      kills += agent.kill("SIGKILL") ? 1 : 0;
    };
    const isEarly = random() < 0.3; // perhaps before it is synced
    const earlyMs = random() * 600;
    agent.on("message", (said: Said) => {
      if (said.type === "end") iterated.set(said.id, said.exitCode);
      else {
        syncedOf = Math.max(syncedOf, number);
        if (!isOver) setTimeout(kill, random() * 150);
      }
      wake();
    });
    if (isEarly && !isOver) setTimeout(kill, earlyMs);
    agent.once("exit", () => {
      agents.delete(agent);
      if (!isOver) start();
    });
    agent.send({ socketPath: kubelet.socketPath, directory });
    return agent;
  };
  t.after(() => {
    isOver = true;
    for (const agent of agents) agent.kill("SIGKILL");
  });
  const until = async (is: () => boolean) => {
    while (!is())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  start();
  start();
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < containers; n++) {
      const exitCode = Math.floor(random() * 100);
      ended.set(running.get(n) ?? "", exitCode);
      running.set(n, kubelet.restartContainer(uid(n), "main", { exitCode }).containerID);
      for (let i = random() * 20; i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
    }
    const since = spawned;
    await until(() => syncedOf >= since);
  }
  isOver = true;
  const dying = [...agents].map((agent) => once(agent, "exit"));
  for (const agent of agents) agent.kill("SIGKILL");
  await Promise.all(dying);
  start();
  await until(() => [...ended.keys()].every((id) => iterated.has(id)));
  t.diagnostic(`${ended.size} ends, ${kills} kills of ${spawned} agents`);
  const found = new Map<string, number | undefined>();
  for await (const { container, end } of readJournal({ directory }))
    if (container !== undefined) found.set(container.containerID, end.exitCode);
  for (const [id, exitCode] of ended) {
    assert.equal(found.get(id), exitCode, `the journal has ${id}`);
    assert.equal(iterated.get(id), exitCode, `an agent has taken ${id}`);
  }
  assert.equal(found.size, ended.size, "no end is invented");
  assert.ok(kills >= rounds, `${kills} kills`);
}
