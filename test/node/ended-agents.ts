// Agents with one journal, each a process: killed one after the other, some while the next one runs already, some before. What the journal has
// at last is compared with what the container runtime ran, and with what a reader was told that was there all the time.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../helpers/programs.js";
import type { At } from "./journal.js";

/** For how long each of them runs, and how long nobody does after every third. */
const LIFE_MS = 20_000;
const AWAY_MS = 4_000;

/** How long before its kill an agent has to have been told an end, so that it is owed. */
const SLACK_MS = 8_000;

/** A line of `kubelet-pods ended -o json`, as far as it is judged. */
interface EndedLine {
  readonly uid: string;
  readonly container?: { readonly containerID: string };
  readonly cause: string;
  readonly end: { readonly reason: string; readonly exitCode?: number };
}

export class EndedAgents {
  readonly #socketPath: string;
  readonly #directory: string;
  /** When an agent was there and knew everything. */
  readonly #spans: { readonly fromMs: number; toMs: number }[] = [];
  #isOver = false;
  readonly #running: Promise<void>;
  /** How many agents were killed. */
  kills = 0;

  constructor(socketPath: string, directory: string) {
    this.#socketPath = socketPath;
    this.#directory = directory;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    let agent = await this.#begin();
    for (let nth = 1; !this.#isOver; nth++) {
      for (let waited = 0; waited < LIFE_MS && !this.#isOver; waited += 500) await sleep(500);
      const isAway = nth % 3 === 0;
      const next = isAway || this.#isOver ? undefined : await this.#begin();
      const gone = once(agent.child, "close");
      agent.child.kill("SIGKILL");
      await gone;
      agent.span.toMs = Date.now();
      this.kills++;
      if (this.#isOver) {
        next?.child.kill("SIGKILL");
        return;
      }
      if (isAway) await sleep(AWAY_MS);
      agent = next ?? (await this.#begin());
    }
    agent.child.kill("SIGKILL");
  }

  async #begin(): Promise<{ child: ChildProcess; span: { fromMs: number; toMs: number } }> {
    const program = join(root, "test/journal/agent-child.ts");
    const args = ["--import", "tsx", program, this.#socketPath, this.#directory];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    const span = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
    this.#spans.push(span);
    await new Promise<void>((resolve) => {
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
      lines.on("line", (line) => {
        if (!line.includes("synced") || span.fromMs !== Number.POSITIVE_INFINITY) return;
        span.fromMs = Date.now();
        resolve();
      });
      lines.on("close", resolve);
    });
    return { child, span };
  }

  /**
   * Compares what the journal has with what was so. An end is owed that the runtime recorded while an agent was there, and that the reader of
   * lives was told, which was there all the time: what it was not told no status showed.
   */
  judge(
    ended: readonly EndedLine[],
    lines: readonly At[],
    sinceMs: number,
  ): { problems: string[]; counts: Record<string, number> } {
    const problems: string[] = [];
    const counts = { ends: 0, found: 0, withExit: 0, oom: 0, oomFound: 0, away: 0, neverShown: 0, pods: 0 };
    const byID = new Map<string, EndedLine[]>();
    for (const each of ended) {
      const id = each.container?.containerID;
      if (id === undefined) counts.pods++;
      else byID.set(id, [...(byID.get(id) ?? []), each]);
    }
    const told = new Map<string, At>();
    const containers = new Set<string>();
    const killed = new Set<string>();
    for (const line of lines) {
      if (line.who === "lives" && line.type === "ENDED" && line.id !== undefined) told.set(line.id, line);
      if (line.who === "runtime" && line.type === "info" && line.kind === "container") containers.add(line.id);
      if (line.who === "runtime" && line.type === "oom") killed.add(line.id);
    }
    for (const line of lines) {
      if (line.who !== "runtime" || line.type !== "exit" || !containers.has(line.id) || line.atMs < sinceMs) continue;
      counts.ends++;
      const isOom = killed.has(line.id) && line.exitCode === 137;
      if (isOom) counts.oom++;
      const [found, ...more] = byID.get(line.id) ?? [];
      if (more.length > 0) problems.push(`the end of ${line.id} is in the journal ${more.length + 1} times`);
      if (found !== undefined) {
        counts.found++;
        if (found.end.exitCode === line.exitCode) counts.withExit++;
        else if (found.end.exitCode !== undefined)
          problems.push(`${line.id} ended with ${line.exitCode}, and the journal says ${found.end.exitCode}`);
        if (isOom && found.end.reason === "OOMKilled") counts.oomFound++;
        const seen = told.get(line.id);
        const isTold = seen?.who === "lives" && "exitCode" in seen && seen.exitCode !== undefined;
        if (isTold && found.end.exitCode === undefined && this.#isOwed(seen.atMs))
          problems.push(`${line.id}: a reader was told its exit, and the journal has none`);
        continue;
      }
      const seen = told.get(line.id);
      if (seen === undefined) counts.neverShown++;
      else if (!this.#isOwed(seen.atMs)) counts.away++;
      else
        problems.push(
          `the end of ${line.id} was told at ${seen.atMs} while an agent was there, and is not in the journal`,
        );
    }
    return { problems, counts };
  }

  /** Returns whether an agent was there at a time, and for long enough after it. */
  #isOwed(ms: number): boolean {
    return this.#spans.some(({ fromMs, toMs }) => fromMs + SLACK_MS <= ms && ms + SLACK_MS <= toMs);
  }
}
