// The reference kubelet in a process of its own, under attack.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { PodsClient } from "../../src/index.js";
import { root } from "../helpers/programs.js";
import { attack, attackHttp } from "./attacker.js";

/** A program with a reference kubelet, which prints the URL of its HTTP server. */
const PROGRAM = `
import { ReferenceKubelet, sampleNode } from "./dist/testing/index.js";
const [socketPath] = process.argv.slice(1);
const kubelet = await ReferenceKubelet.start({ pods: sampleNode(), socketPath, http: true });
console.log(kubelet.httpURL);
`;

/** How many pods it still answers with after each so many rounds, without end. @throws Error where its process ends. */
export async function* attackedDouble(seed: number, rounds: number): AsyncGenerator<{ rounds: number; pods: number }> {
  const directory = mkdtempSync(join(tmpdir(), "attacked-"));
  const socketPath = join(directory, "s.sock");
  const args = ["--input-type=module", "-e", PROGRAM, socketPath];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = (said + chunk).slice(-2_000);
  });
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the reference kubelet has ended (${code ?? signal}), seed ${seed}: ${said}`);
  });
  ended.catch(() => {}); // it is told where it is waited for
  try {
    const port = await Promise.race([portOf(child.stdout), ended]);
    for (let done = rounds; ; done += rounds) {
      const attacks = [attack(socketPath, seed * 7_919 + done, rounds), attackHttp(port, seed * 7_919 + done, rounds)];
      await Promise.race([Promise.all(attacks), ended]);
      await using client = new PodsClient({ socketPath });
      const pods = await Promise.race([client.listPods({ mask: ["metadata.uid"] }), ended]);
      yield { rounds: done, pods: pods.length };
    }
  } finally {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Reads where it serves HTTP. */
async function portOf(output: Readable): Promise<number> {
  for await (const line of createInterface({ input: output })) return Number(new URL(line).port);
  throw new Error("it serves no HTTP");
}
