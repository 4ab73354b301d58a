// Many agents on one node, when its kubelet comes back: the limiter of a 1.38 kubelet counts the watches that they all open.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sampleNode } from "../../src/testing/index.js";
import { root } from "../helpers/programs.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { GoKubelet, noGo } from "./go-kubelet.js";

/** How often each case runs. */
const RUNS = Number(process.env["CROWD_RUNS"] ?? 1);

/** The kubelet's own limit, in requests per second. */
const LIMIT = 100;

/** A program with one informer per client. It prints a line for each answer of the kubelet: its time, and what it was. */
const AGENT = `
import { subscribe } from "node:diagnostics_channel";
import { PodsClient } from ${JSON.stringify(join(root, "dist/index.js"))};
const [socketPath, count] = process.argv.slice(-2);
subscribe("kubelet-pods:watch", ({ type, error }) => {
  if (type === "lost" || type === "synced") process.stdout.write(Date.now() + " " + (error?.code ?? type) + "\\n");
});
const clients = Array.from({ length: Number(count) }, () => new PodsClient({ socketPath }));
for (const client of clients) client.informer().synced({ timeoutMs: 0 }).catch(() => {});
process.stdin.resume().on("end", () => process.exit());
`;

interface Answer {
  readonly atMs: number;
  readonly what: string;
}

/** Starts agents in processes of their own. Returns what they were answered, as it comes. */
function agentsOf(t: TestContext, socketPath: string, processes: number, clients: number): Answer[] {
  const answers: Answer[] = [];
  const children: ChildProcess[] = [];
  t.after(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  for (let i = 0; i < processes; i++) {
    const args = ["--input-type=module", "-e", AGENT, "--", socketPath, String(clients / processes)];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [at, what = ""] = line.split(" ");
      answers.push({ atMs: Number(at), what });
    });
  }
  return answers;
}

/** Resolves when so many answers of a kind have come. */
async function have(answers: readonly Answer[], what: string, count: number): Promise<void> {
  while (answers.filter((answer) => answer.what === what).length < count)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The most requests that the kubelet answered within a second. */
function mostPerSecond(answers: readonly Answer[]): number {
  const times = answers.filter(({ what }) => what === "synced" || what === "rate-limited").map(({ atMs }) => atMs);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
}

describe("agents that return together are soon synced with a 1.38 kubelet", { skip: noGo }, () => {
  for (const [processes, clients, limitMs] of [
    [30, 30, 2_000],
    [2, 100, 4_000],
  ] as const)
    for (const how of ["SIGKILL", "SIGTERM"] as const)
      for (let run = 1; run <= RUNS; run++)
        test(`${clients} clients in ${processes} processes after ${how}, within ${limitMs} ms, run ${run}`, async (t) => {
          const directory = mkdtempSync(join(tmpdir(), "crowd-"));
          t.after(() => rmSync(directory, { recursive: true, force: true }));
          const begin = async () => {
            const kubelet = await GoKubelet.start("1.38", { mode: "verbatim", directory });
            t.after(() => kubelet[Symbol.asyncDispose]());
            await kubelet.do("add", { pods: sampleNode() });
            return kubelet;
          };
          const first = await begin();
          const answers = agentsOf(t, first.socketPath, processes, clients);
          await have(answers, "synced", clients);
          answers.length = 0;
          if (how === "SIGKILL") await first.kill();
          else {
            await first.do("stop", { graceMs: 500 });
            await once(first.process, "exit");
          }
          await have(answers, how === "SIGKILL" ? "connection-lost" : "dropped", clients);
          answers.length = 0;
          await begin();
          const backMs = Date.now();
          await have(answers, "synced", clients);
          const tookMs = Math.max(...answers.filter(({ what }) => what === "synced").map(({ atMs }) => atMs)) - backMs;
          const refused = answers.filter(({ what }) => what === "rate-limited").length;
          const most = mostPerSecond(answers);
          t.diagnostic(`synced after ${tookMs} ms, ${refused} refused, at most ${most} requests within a second`);
          assert.ok(tookMs < limitMs, `${tookMs} ms`);
          assert.deepEqual(
            answers.filter(({ what }) => what === "dropped"),
            [],
            "a refusal by the limit is not reported as dropped",
          );
          assert.ok(most <= 2 * LIMIT, `${most} requests within a second`);
        });
});
