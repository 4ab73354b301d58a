import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readJournal } from "../../src/journal/index.js";
import { seededRandom } from "../../src/testing/index.js";
import { systemEnvironment } from "../../src/timing/clock.js";
import { kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import type { TestContext } from "../helpers/test.js";
import { KilledAgents } from "./killed-agents.js";

const uid = (n: number) => `2c4d8b1e-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** One batch of each agent. */
const SPARE_BYTES = 2 * 262_144;

interface Given {
  readonly containers: number;
  readonly rounds: number;
  readonly hasFaults?: boolean;
  readonly maxBytes?: number;
}

/**
 * Two agents at a time, each killed at a random moment and started again, while containers restart. A container restarts again once an agent
 * that started after its last end has been synced, so that each end was shown to some agent.
 */
export async function killAgents(
  t: TestContext,
  { containers, rounds, hasFaults = false, maxBytes = 16_777_216 }: Given,
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
  const running = new Map<number, string>();
  for (let n = 0; n < containers; n++) running.set(n, kubelet.startPod(uid(n))[0]?.containerID ?? "");
  const agents = new KilledAgents({ socketPath: kubelet.socketPath, directory, hasFaults, maxBytes }, random);
  t.signal.addEventListener("abort", () => agents.kill());
  try {
    for (let round = 0; round < rounds; round++) {
      for (let n = 0; n < containers; n++) {
        const exitCode = Math.floor(random() * 100);
        ended.set(running.get(n) ?? "", exitCode);
        running.set(n, kubelet.restartContainer(uid(n), "main", { exitCode }).containerID);
        for (let i = random() * 20; i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
      }
      await agents.shown();
      const bytes = readdirSync(directory).reduce((sum, name) => sum + sizeOf(join(directory, name)), 0);
      assert.ok(bytes <= maxBytes + SPARE_BYTES, `${bytes} bytes`);
    }
    await agents.finish(() => ended.keys());
  } finally {
    await agents.end();
  }
  const { iterated, kills, spawned } = agents;
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

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
