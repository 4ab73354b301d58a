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

const command = join(root, "dist/cli/main.js");

/** How many pods it still answers with after each so many rounds, without end. @throws Error where its process ends. */
export async function* attackedDouble(seed: number, rounds: number): AsyncGenerator<{ rounds: number; pods: number }> {
  const directory = mkdtempSync(join(tmpdir(), "attacked-"));
  const socketPath = join(directory, "s.sock");
  const args = [command, "serve", "--socket", socketPath, "--http", "0", "--read-only-port", "0"];
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
    const ports = await Promise.race([portsOf(child.stdout), ended]);
    for (let done = rounds; ; done += rounds) {
      const attacks = [attack(socketPath, seed * 7_919 + done, rounds)];
      for (const port of ports) attacks.push(attackHttp(port, seed * 7_919 + done, rounds));
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

/** Reads where it serves HTTP, with TLS and without. */
async function portsOf(output: Readable): Promise<number[]> {
  const ports: number[] = [];
  for await (const line of createInterface({ input: output })) {
    const [, port] = /^export KUBELET_(?:READ_ONLY_)?URL='?https?:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (port !== undefined) ports.push(Number(port));
    if (ports.length === 2) return ports;
  }
  throw new Error("it serves no HTTP");
}
