// Builds and drives test/interop/go: the kubelet's own code behind the Pods API.

import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { PodJson } from "../../src/pod/json-types.js";
import { moduleDirectory, runGo } from "./toolchain.js";

export type GoVersion = "1.38" | "1.37" | "1.36";

/** Each version is a module of its own: the same programs, another go.mod. */
const modules: Record<GoVersion, { modFile: string; flags: string[] }> = {
  "1.38": { modFile: "go-1.38.mod", flags: ["-modfile=go-1.38.mod", "-tags=kubelet138"] },
  "1.37": { modFile: "go.mod", flags: [] },
  "1.36": { modFile: "go-1.36.mod", flags: ["-modfile=go-1.36.mod", "-tags=kubelet136"] },
};

/** `false`, or why the interop tests are skipped. Under CI they never are. */
export const noGo: string | false =
  process.env["CI"] === "true" || spawnSync("go", ["version"]).status === 0 ? false : "no `go` on this machine";

/** The versions to test against: all, or those named in $INTEROP_KUBELETS. */
export const goVersions: GoVersion[] = (process.env["INTEROP_KUBELETS"]?.split(",") as GoVersion[] | undefined) ?? [
  "1.38",
  "1.37",
  "1.36",
];

export function go(version: GoVersion, command: string, ...args: string[]): string {
  const { modFile, flags } = modules[version];
  return runGo(modFile, [command, ...flags, ...args]);
}

const built = new Map<string, string>();

/** The program, built once per run; Go's own cache makes later builds short. */
export function program(
  version: GoVersion,
  name: "kubelet" | "client" | "judge" | "podresources" | "bench" | "answers" | "cgroups" | "views",
): string {
  const output = join(moduleDirectory, "bin", `${name}-${version}`);
  if (!built.has(output)) {
    go(version, "build", "-o", output, `./${name}`);
    built.set(output, output);
  }
  return output;
}

export interface GoAnswer {
  id: number;
  ok: boolean;
  /** The status manager took the update. */
  changed?: boolean;
  /** Why the status manager threw an update away. */
  refused?: string;
  error?: string;
}

type Op = "add" | "update" | "status" | "terminate" | "remove" | "forget" | "ready" | "stop";

export interface GoKubeletOptions {
  mode: "verbatim" | "real";
  ready?: boolean;
  /** The directory of the socket, in the place of /var/lib/kubelet/pods-api. A new one by default. */
  directory?: string;
}

/** A running Go kubelet. */
export class GoKubelet implements AsyncDisposable {
  readonly socketPath: string;
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #directory: string | undefined;
  readonly #waiting = new Map<number, (answer: GoAnswer) => void>();
  #id = 0;

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>, socketPath: string, directory?: string) {
    this.process = child;
    this.socketPath = socketPath;
    this.#directory = directory;
  }

  static async start(version: GoVersion, options: GoKubeletOptions): Promise<GoKubelet> {
    const own = options.directory === undefined ? mkdtempSync(join(tmpdir(), "go-kubelet-")) : undefined;
    const directory = options.directory ?? own ?? "";
    const args = ["-dir", directory, "-mode", options.mode, `-ready=${options.ready ?? true}`];
    const child = spawn(program(version, "kubelet"), args, { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout });
    const [hello] = (await once(lines, "line")) as [string];
    const kubelet = new GoKubelet(child, (JSON.parse(hello) as { socket: string }).socket, own);
    child.stdin.on("error", () => {}); // it is told by the answers that do not come
    child.once("exit", () => {
      for (const [id, answer] of kubelet.#waiting) answer({ id, ok: false, error: "the process is gone" });
      kubelet.#waiting.clear();
    });
    lines.on("line", (line) => {
      const answer = JSON.parse(line) as GoAnswer;
      kubelet.#waiting.get(answer.id)?.(answer);
      kubelet.#waiting.delete(answer.id);
    });
    return kubelet;
  }

  /** One command, and what the driver answers. Rejects where it answers with an error. */
  async do(
    op: Op,
    args: { pods?: PodJson[]; uid?: string; value?: boolean; graceMs?: number } = {},
  ): Promise<GoAnswer> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) throw new Error("the process is gone");
    const id = ++this.#id;
    const answered = new Promise<GoAnswer>((resolve) => this.#waiting.set(id, resolve));
    this.process.stdin.write(`${JSON.stringify({ id, op, ...args })}\n`);
    const answer = await answered;
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  /** Resolves when the process has ended by itself. */
  async exited(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, "exit");
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, "exit");
    this.process.kill(signal);
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true });
  }
}
