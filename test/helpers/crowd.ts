// Many agents on one node, in processes of their own.

import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./programs.js";

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

export interface Answer {
  readonly atMs: number;
  /** `synced`, or the code of the error that ended the stream. */
  readonly what: string;
}

export class Crowd {
  /** What the agents were answered, as it comes. */
  readonly answers: Answer[] = [];
  readonly #children: ChildProcess[] = [];

  constructor(socketPath: string, processes: number, clients: number) {
    for (let i = 0; i < processes; i++) {
      const args = ["--input-type=module", "-e", AGENT, "--", socketPath, String(clients / processes)];
      const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
      this.#children.push(child);
      createInterface({ input: child.stdout }).on("line", (line) => {
        const [at, what = ""] = line.split(" ");
        this.answers.push({ atMs: Number(at), what });
      });
    }
  }

  /** The answers of a kind. */
  of(what: string): Answer[] {
    return this.answers.filter((answer) => answer.what === what);
  }

  /** Resolves when so many answers of a kind have come. */
  async have(what: string, count: number): Promise<void> {
    while (this.of(what).length < count) await sleep(20);
  }

  close(): void {
    for (const child of this.#children) child.kill("SIGKILL");
  }
}
