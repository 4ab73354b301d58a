// The reference kubelet in a process of its own, under attack.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PodsClient } from "../../src/index.js";
import { root } from "../helpers/programs.js";
import { attack } from "./attacker.js";

const command = join(root, "dist/cli/main.js");

/** How many pods it still answers with after each so many rounds, without end. @throws Error where its process ends. */
export async function* attackedDouble(seed: number, rounds: number): AsyncGenerator<{ rounds: number; pods: number }> {
  const directory = mkdtempSync(join(tmpdir(), "attacked-"));
  const socketPath = join(directory, "s.sock");
  const args = [command, "serve", "--socket", socketPath];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = (said + chunk).slice(-2_000);
  });
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the reference kubelet has ended (${code ?? signal}), seed ${seed}: ${said}`);
  });
  ended.catch(() => {}); // it is told where it is waited for
  try {
    await Promise.race([once(child.stdout, "data"), ended]);
    child.stdout.resume();
    for (let done = rounds; ; done += rounds) {
      await Promise.race([attack(socketPath, seed * 7_919 + done, rounds), ended]);
      await using client = new PodsClient({ socketPath });
      const pods = await Promise.race([client.listPods({ mask: ["metadata.uid"] }), ended]);
      yield { rounds: done, pods: pods.length };
    }
  } finally {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
}
