// A live node with everything that looks at it, for as long as a kind of node runs.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { root } from "../helpers/programs.js";
import { Agent } from "./agent.js";
import { ApiRecord } from "./api-record.js";
import { BOUNDS } from "./bounds.js";
import { Journal, type KubectlLine } from "./journal.js";
import { type Judgement, judge, kubectlProblems } from "./judge.js";
import { LeaseRecord } from "./lease-record.js";
import { LiveNode, type Mode } from "./live-node.js";
import { Prober } from "./prober.js";
import { RawRecord } from "./raw-record.js";
import { RulesAgent } from "./rules-agent.js";
import { RuntimeRecord } from "./runtime-record.js";
import { Truth } from "./truth.js";

const exec = promisify(execFile);

/** How long what is said to hold may take until it holds. */
const SETTLE_MS = BOUNDS.missing + 10_000;

/** How often it is looked whether this process has a processor, and how late a look may be. */
const LOOK_MS = 250;
const STARVED_MS = 750;

/** Notes when this process is not run, for that nobody can be prompt then. */
function watchStarvation(journal: Journal): { close(): void } {
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last > STARVED_MS) journal.write({ who: "stage", type: "STARVED", fromMs: last, toMs: now });
    last = now;
  }, LOOK_MS);
  return { close: () => clearInterval(timer) };
}

export class Stage {
  readonly node: LiveNode;
  readonly journal: Journal;
  readonly raw: RawRecord;
  readonly agent: Agent;
  readonly #records: { close(): Promise<void> | void }[];
  readonly #seen = new Set<string>();
  /** What scenarios have found themselves; it is judged with the rest. */
  readonly problems: string[] = [];

  private constructor(node: LiveNode, journal: Journal, leases: LeaseRecord) {
    this.node = node;
    this.journal = journal;
    this.raw = new RawRecord(node.socketPath, journal);
    this.agent = new Agent(node.socketPath, journal);
    const prober = new Prober(this.agent.informer, journal);
    this.#records = [
      prober,
      this.agent,
      new RulesAgent(node.socketPath, journal),
      this.raw,
      new RuntimeRecord(node, journal),
      new ApiRecord(node, journal),
      leases,
      watchStarvation(journal),
    ];
  }

  /** Starts a node and what looks at it; undefined where the driver has none of this mode. */
  static async open(mode: Mode, name: string): Promise<Stage | undefined> {
    const node = await LiveNode.up(mode, name);
    if (node === undefined) return undefined;
    const journal = new Journal(join(resultsDirectory(), `${name}-${mode}.jsonl`));
    return new Stage(node, journal, await LeaseRecord.open(node.facts.leasesDir, journal));
  }

  async close(): Promise<void> {
    for (const record of this.#records) await record.close();
    this.journal.close();
    await this.node.down();
  }

  note(text: string): void {
    this.journal.write({ who: "stage", type: "NOTE", text });
  }

  /** Starts a kubelet, and resolves when it answers. */
  async start(version: string, ...options: string[]): Promise<void> {
    this.note(`start ${version} ${options.join(" ")}`);
    await this.node.start(version, ...options);
    await this.until("the kubelet answers", () => this.raw.list(), 180_000);
  }

  async stop(signal: "TERM" | "KILL" = "TERM"): Promise<void> {
    this.note(`stop ${signal}`);
    await this.node.stop(signal);
  }

  /** Resolves when something is so: when it neither throws nor gives false. */
  async until<T>(what: string, look: () => T | Promise<T>, timeoutMs = 120_000): Promise<NonNullable<T>> {
    const endMs = Date.now() + timeoutMs;
    for (;;) {
      let why: unknown = "it is not so";
      try {
        const value = await look();
        if (value !== false && value !== undefined) return value as NonNullable<T>;
      } catch (error) {
        why = error;
      }
      if (Date.now() > endMs) throw new Error(`${what}: not within ${timeoutMs / 1000} s: ${why}`);
      await sleep(500);
    }
  }

  /** Judges everything by now: waits until nothing is owed any more, for as long as that may take. Problems are told once. */
  async judge(): Promise<Judgement> {
    const endMs = Date.now() + SETTLE_MS;
    await sleep(5_000);
    while (judge(this.journal.lines).open > 0 && Date.now() < endMs) await sleep(5_000);
    if (this.node.mode === "cluster") await this.#compareWithKubectl();
    const judgement = judge(this.journal.lines);
    for (const text of this.problems.splice(0)) judgement.problems.push({ atMs: Date.now(), text, finding: undefined });
    const fresh = judgement.problems.filter(({ text }) => !this.#seen.has(text));
    for (const { text, finding = "NEW" } of fresh) {
      this.#seen.add(text);
      this.note(`PROBLEM ${finding}: ${text}`);
    }
    return { ...judgement, problems: fresh };
  }

  /** Compares with kubectl, until it agrees: kubelet and API server know things at different moments. */
  async #compareWithKubectl(): Promise<void> {
    const endMs = Date.now() + 60_000;
    for (const [type, format] of [
      ["TABLE", "wide"],
      ["JSON", "json"],
    ] as const) {
      for (;;) {
        const before = await this.node.kubectl("get", "pods", "-A", "-o", format);
        const ours = await this.command("get", "-A", "-o", format, "--timeout", "40s");
        const after = await this.node.kubectl("get", "pods", "-A", "-o", format);
        const line: KubectlLine = { who: "kubectl", type, before, ours, after };
        const isSame = kubectlProblems(line, new Truth(this.journal.lines).apiPods(Date.now())).length === 0;
        if (isSame || Date.now() > endMs) {
          this.journal.write(line);
          break;
        }
        await sleep(3_000);
      }
    }
  }

  /** Runs the built command against the node. */
  async command(...args: string[]): Promise<string> {
    const env = { ...process.env, KUBELET_PODS_SOCKET: this.node.socketPath };
    const { stdout } = await exec(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
      env,
      maxBuffer: 1 << 28,
    });
    return stdout;
  }
}

/** Where journals and the table of results go; $NODE_RESULTS, else below the system's temporary directory. */
export function resultsDirectory(): string {
  return process.env["NODE_RESULTS"] ?? "/tmp/kubelet-pods-node";
}
