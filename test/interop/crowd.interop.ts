// Many agents on one node, when its kubelet comes back: the limiter of a 1.38 kubelet counts the watches that they all open.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleNode } from "../../src/testing/index.js";
import { type Answer, Crowd } from "../helpers/crowd.js";
import { describe, test } from "../helpers/test.js";
import { GoKubelet, noGo } from "./go-kubelet.js";

/** How often each case runs. */
const RUNS = Number(process.env["CROWD_RUNS"] ?? 1);

/** The kubelet's own limit, in requests per second. */
const LIMIT = 100;

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
          const crowd = new Crowd(first.socketPath, processes, clients);
          t.after(() => crowd.close());
          const { answers } = crowd;
          await crowd.have("synced", clients);
          answers.length = 0;
          if (how === "SIGKILL") await first.kill();
          else {
            await first.do("stop", { graceMs: 500 });
            await once(first.process, "exit");
          }
          await crowd.have(how === "SIGKILL" ? "connection-lost" : "dropped", clients);
          answers.length = 0;
          await begin();
          const backMs = Date.now();
          await crowd.have("synced", clients);
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
