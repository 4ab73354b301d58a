import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJournal } from "../../src/journal/index.js";
import { seededRandom } from "../../src/testing/index.js";
import { KilledAgents } from "../journal/killed-agents.js";
import type { Stage } from "./stage.js";

/** How many pods end, with how many containers each. */
const PODS = 30;
const CONTAINERS = 10;

/** Lets 300 containers end while agents with a journal are killed. Each end must be found and iterated, with the runtime's exit code. */
export async function recordEnds(stage: Stage, name: string): Promise<void> {
  const random = seededRandom(11);
  const directory = mkdtempSync(join(tmpdir(), "ends-"));
  const agents = new KilledAgents(stage.node.socketPath, directory, random);
  const container = (n: number) => ({
    name: `c${n}`,
    image: "localhost/tool:1",
    args: ["exit", String(Math.floor(random() * 256)), String(5 + Math.floor(random() * 20))],
  });
  const pods = Array.from({ length: PODS }, (_, i) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `${name}-${i}`, namespace: "shop", labels: { round: name } },
    spec: { restartPolicy: "Never", containers: Array.from({ length: CONTAINERS }, (_, n) => container(n)) },
  }));
  try {
    await stage.node.apply(pods.map((pod) => JSON.stringify(pod)).join("\n---\n"));
    const found = new Map<string, number | undefined>();
    await stage.until(
      "all containers have ended, and the journal has them",
      async () => {
        await agents.shown();
        for await (const { namespace, name: pod, container: run, end } of readJournal({ directory }))
          if (run !== undefined && namespace === "shop" && pod.startsWith(`${name}-`))
            found.set(run.containerID, end.exitCode);
        return found.size >= PODS * CONTAINERS;
      },
      300_000,
    );
    await agents.finish(() => found.keys());
    const codes = new Map(
      stage.journal.lines.flatMap((line) =>
        line.who === "runtime" && line.type === "exit" ? [[line.id, line.exitCode]] : [],
      ),
    );
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
