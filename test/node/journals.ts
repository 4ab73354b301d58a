import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJournal } from "../../src/journal/index.js";
import { seededRandom } from "../../src/testing/index.js";
import { KilledAgents } from "../journal/killed-agents.js";
import type { Stage } from "./stage.js";

/** How many pods end, in how many rounds, with how many containers each: more at once are too many for a machine with two cores. */
const ROUNDS = 10;
const PODS = 3;
const CONTAINERS = 10;

/** Lets 300 containers end while agents with a journal are killed. Each end must be found and iterated, with the runtime's exit code. */
export async function recordEnds(stage: Stage, name: string): Promise<void> {
  const random = seededRandom(11);
  const directory = mkdtempSync(join(tmpdir(), "ends-"));
  const agents = new KilledAgents({ socketPath: stage.node.socketPath, directory }, random);
  const container = (n: number) => ({
    name: `c${n}`,
    image: "localhost/tool:1",
    args: ["exit", String(Math.floor(random() * 256)), String(5 + Math.floor(random() * 20))],
  });
  const podOf = (_: unknown, i: number) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `${name}-${i}`, namespace: "shop", labels: { round: name } },
    spec: { restartPolicy: "Never", containers: Array.from({ length: CONTAINERS }, (_, n) => container(n)) },
  });
  const pods = Array.from({ length: ROUNDS * PODS }, podOf);
  try {
    const found = new Map<string, number | undefined>();
    for (let begun = PODS; begun <= pods.length; begun += PODS) {
      const next = pods.slice(begun - PODS, begun);
      await stage.node.apply(next.map((pod) => JSON.stringify(pod)).join("\n---\n"));
      await stage.until(
        "all containers have ended, and the journal has them",
        async () => {
          await agents.shown();
          for await (const { namespace, name: pod, container: run, end } of readJournal({ directory }))
            if (run !== undefined && namespace === "shop" && pod.startsWith(`${name}-`))
              found.set(run.containerID, end.exitCode);
          return found.size >= begun * CONTAINERS;
        },
        120_000,
      );
    }
    await agents.finish(() => found.keys());
    const codes = new Map<string, number | undefined>();
    for (const line of stage.journal.lines) {
      // A runtime that removes a container that has exited may say so again, with 137.
      if (line.who === "runtime" && line.type === "exit" && !codes.has(line.id)) codes.set(line.id, line.exitCode);
    }
    const wrong = [...found].filter(([id, code]) => code !== codes.get(id) || agents.iterated.get(id) !== code);
    stage.note(
      `ENDS ${found.size} found, ${agents.iterated.size} iterated, ${agents.kills} kills of ${agents.spawned} agents`,
    );
    for (const [id, code] of wrong.slice(0, 5))
      stage.problems.push(
        `${id.slice(0, 12)}: journal ${code}, iterated ${agents.iterated.get(id)}, runtime ${codes.get(id)}`,
      );
  } finally {
    agents.kill();
    await stage.node.kubectl("-n", "shop", "delete", "pod", "--wait=false", "-l", `round=${name}`);
    rmSync(directory, { recursive: true });
  }
}
