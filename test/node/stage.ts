// A live node with everything that looks at it, for as long as a kind of node runs.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { fromBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type Pod, toKubernetesJson } from "../../src/index.js";
import { root } from "../helpers/programs.js";
import { Agent } from "./agent.js";
import { compareColumns } from "./columns.js";
import { explain, WHOLE } from "./explain.js";
import { Journal } from "./journal.js";
import { compareJson, isKnown } from "./json.js";
import { LiveNode, type Mode } from "./live-node.js";
import { compareLives } from "./lives.js";
import { briefOf, RawRecord } from "./raw-record.js";
import { RuntimeRecord } from "./runtime-record.js";

const exec = promisify(execFile);

/** How long what is said to hold may take until it holds: a resync, and the minute after a 1.36 kubelet's start. */
const SETTLE_MS = 120_000;

export interface Result {
  deletions: number;
  lives: Record<string, number>;
  rows: number;
  pods: number;
  problems: string[];
}

export class Stage {
  readonly node: LiveNode;
  readonly journal: Journal;
  readonly raw: RawRecord;
  readonly agent: Agent;
  readonly #runtime: RuntimeRecord;
  readonly #seenLives = new Set<string>();
  /** What scenarios have found themselves; it is judged with the rest. */
  readonly problems: string[] = [];

  private constructor(node: LiveNode, journal: Journal) {
    this.node = node;
    this.journal = journal;
    this.raw = new RawRecord(node.socketPath, journal);
    this.agent = new Agent(node.socketPath, journal);
    this.#runtime = new RuntimeRecord(node, journal);
  }

  /** Starts a node and what looks at it; undefined where the driver has none of this mode. */
  static async open(mode: Mode, name: string): Promise<Stage | undefined> {
    const node = await LiveNode.up(mode, name);
    return node && new Stage(node, new Journal(join(resultsDirectory(), `${name}-${mode}.jsonl`)));
  }

  async close(): Promise<void> {
    await Promise.all([this.agent.close(), this.raw.close(), this.#runtime.close()]);
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
  async until<T>(what: string, look: () => T | Promise<T>, timeoutMs = SETTLE_MS): Promise<T> {
    const endMs = Date.now() + timeoutMs;
    for (;;) {
      let why: unknown = "it is not so";
      try {
        const value = await look();
        if (value !== false && value !== undefined) return value;
      } catch (error) {
        why = error;
      }
      if (Date.now() > endMs) throw new Error(`${what}: not within ${timeoutMs / 1000} s: ${why}`);
      await sleep(500);
    }
  }

  /** Judges everything since a time: waits until what is told is what is there, for as long as that may take. */
  async judge(fromMs: number): Promise<Result> {
    let problems: string[] = [];
    const endMs = Date.now() + SETTLE_MS;
    do {
      await sleep(2_000);
      problems = await this.#viewProblems();
    } while (problems.length > 0 && Date.now() < endMs);
    problems.push(...this.problems.splice(0));
    const result: Result = { deletions: 0, lives: {}, rows: 0, pods: 0, problems };
    if (this.node.mode === "cluster") await this.#judgeKubectl(result);
    const { deletions, problems: unexplained } = explain(this.journal.lines, fromMs);
    result.deletions = deletions;
    problems.push(...unexplained);
    await this.#judgeLives(result);
    for (const problem of problems) this.note(`PROBLEM ${problem}`);
    return result;
  }

  /** Compares what each watch has told of with two lists around it. */
  async #viewProblems(): Promise<string[]> {
    const before = await this.raw.list();
    const views = new Map(WHOLE.map((who) => [who, new Map(this.agent.views.get(who))]));
    const read = new Map(this.agent.informer.list().map((pod) => [pod.metadata.uid, pod]));
    const unconfirmed = this.agent.informer.state.unconfirmed.count;
    const after = await this.raw.list();
    const problems: string[] = [];
    for (const [who, view] of views) {
      for (const [uid, bytes] of before) {
        const brief = briefOf(fromBinary(PodSchema, bytes));
        const isThere = after.has(uid) && (who === "all" || !brief.isFinished);
        if (isThere && same(bytes, after.get(uid)) && !view.has(uid))
          problems.push(`${who} lacks ${brief.name} (${uid})`);
        if (who !== "all" && brief.isFinished && view.has(uid) && same(bytes, after.get(uid))) {
          problems.push(`${who} has ${brief.name} (${uid}), which is finished`);
        }
      }
      const extra = [...view.keys()].filter((uid) => !before.has(uid) && !after.has(uid));
      if (extra.length > unconfirmed) problems.push(`${who} has ${extra.length} pods that are not listed: ${extra[0]}`);
    }
    for (const [uid, pod] of read) {
      const bytes = before.get(uid);
      if (bytes === undefined || !same(bytes, after.get(uid))) continue;
      if (
        JSON.stringify(toKubernetesJson(pod)) !== JSON.stringify(toKubernetesJson(fromBinary(PodSchema, bytes) as Pod))
      ) {
        problems.push(`informer: ${pod.metadata.name} (${uid}) is another than is listed`);
      }
    }
    return problems;
  }

  /** Compares with kubectl, until it agrees: kubelet and API server know things at different moments. */
  async #judgeKubectl(result: Result): Promise<void> {
    const endMs = Date.now() + SETTLE_MS;
    for (;;) {
      const before = await this.node.kubectl("get", "pods", "-A", "-o", "wide");
      const ours = await this.command("get", "-A", "-o", "wide");
      const after = await this.node.kubectl("get", "pods", "-A", "-o", "wide");
      const { rows, problems } = compareColumns(before, ours, after);
      const [kubectl, here] = [
        await this.node.kubectl("get", "pods", "-A", "-o", "json"),
        await this.command("get", "-A", "-o", "json"),
      ];
      const { pods, differences } = compareJson(kubectl, here);
      const unknown = differences.filter((difference) => !isKnown(difference));
      result.rows = rows;
      result.pods = pods;
      const all = [
        ...problems,
        ...unknown.map(
          ({ pod, path, kubectl, here }) =>
            `${pod}: ${path} is ${here?.slice(0, 100)}, kubectl's ${kubectl?.slice(0, 100)}`,
        ),
      ];
      if (all.length === 0) return;
      if (Date.now() > endMs) {
        result.problems.push(...all);
        return;
      }
      await sleep(3_000);
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

  async #judgeLives(result: Result): Promise<void> {
    const endMs = Date.now() + 30_000;
    for (;;) {
      const { counts, problems } = compareLives(this.journal.lines);
      const fresh = problems.filter((problem) => !this.#seenLives.has(problem));
      result.lives = counts;
      if (fresh.length === 0) return;
      if (Date.now() > endMs) {
        for (const problem of fresh) this.#seenLives.add(problem);
        result.problems.push(...fresh);
        return;
      }
      await sleep(2_000);
    }
  }
}

/** Where journals and the table of results go; $NODE_RESULTS, else below the system's temporary directory. */
export function resultsDirectory(): string {
  return process.env["NODE_RESULTS"] ?? "/tmp/kubelet-pods-node";
}

function same(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && Buffer.compare(a, b) === 0;
}
