// Each example as a process, against a reference kubelet in which the test decides what happens. It alone finds an example that
// does not do what it says, and a package that cannot be imported as its users import it.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PodJson } from "../../src/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { describe, type TestContext, test } from "../helpers/test.js";

async function kubeletOf(t: TestContext): Promise<ReferenceKubelet> {
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  t.after(() => kubelet.close());
  return kubelet;
}

/** A running example, and what it has printed. */
class Example {
  readonly child: ChildProcess;
  readonly #t: TestContext;
  output = "";
  errors = "";
  #printed: () => void = () => {};

  constructor(t: TestContext, name: string, env: NodeJS.ProcessEnv, args: readonly string[] = []) {
    this.#t = t;
    this.child = spawn(process.execPath, ["--import", "tsx", join("examples", `${name}.ts`), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
    });
    t.after(() => this.child.kill("SIGKILL"));
    this.child.stdout?.on("data", (chunk) => {
      this.output += chunk;
      this.#printed();
    });
    this.child.stderr?.on("data", (chunk) => {
      this.errors += chunk;
      this.#printed();
    });
    this.child.on("exit", () => this.#printed());
    t.signal.addEventListener("abort", () => this.#printed(), { once: true });
  }

  get lines(): string[] {
    return this.output.trimEnd().split("\n");
  }

  /** Resolves when it has printed such. */
  async until(is: (output: string) => boolean): Promise<void> {
    while (!is(this.output)) {
      const isOver = this.child.exitCode !== null || this.#t.signal.aborted;
      assert.ok(!isOver, `it has ended, or time is up:\n${this.output}\n${this.errors}`);
      await new Promise<void>((resolve) => {
        this.#printed = resolve;
      });
    }
  }

  /** Its exit code, at its own end, or at that of a signal. */
  async ended(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal !== undefined) this.child.kill(signal);
    if (this.child.exitCode === null) await once(this.child, "close");
    return this.child.exitCode;
  }
}

const socketOf = ({ socketPath }: ReferenceKubelet) => ({ KUBELET_PODS_SOCKET: socketPath });
const named = (name: string): PodJson => sampleNode().find(({ metadata }) => metadata?.name === name) ?? {};
const uidOf = (name: string) => named(name).metadata?.uid ?? "";

test("the watch example prints deletions and an outage", async (t) => {
  const kubelet = await kubeletOf(t);
  const example = new Example(t, "watch", socketOf(kubelet), ["app in (ledger, web)"]);
  await example.until((output) => output.includes("SYNCED: 3 pods"));
  kubelet.finishPod(uidOf("ledger-1"));
  await example.until((output) => output.includes("DELETED ledger-1 (finished)"));
  await kubelet.restart({ firstStatusMs: 0 });
  await example.until((output) => /DISCONNECTED: .*\n(.*\n)*SYNCED: 2 pods/.test(output));
  assert.equal(await example.ended("SIGINT"), 0, example.errors);
  assert.equal(example.errors, "");
});

test("the informer example looks up pods by address", async (t) => {
  const example = new Example(t, "informer", socketOf(await kubeletOf(t)), ["10.244.1.21", "10.9.9.9"]);
  assert.equal(await example.ended(), 0, example.errors);
  assert.deepEqual(example.lines, ["14 pods, synced", "10.244.1.21: shop/ledger-1", "10.9.9.9: no pod of this node"]);
});

describe("wait-until-ready", () => {
  test("ends when the pod is ready", async (t) => {
    const kubelet = await kubeletOf(t);
    const name = "web-6bf9d8c7d5-hq6rn";
    const example = new Example(t, "wait-until-ready", socketOf(kubelet), ["shop", name]);
    kubelet.startPod(uidOf(name));
    assert.equal(await example.ended(), 0, example.errors);
    assert.match(
      example.output,
      /^waiting for shop\/web-6bf9d8c7d5-hq6rn\nshop\/web-6bf9d8c7d5-hq6rn is ready since \d{4}-/,
    );
  });

  test("fails after its timeout", async (t) => {
    const example = new Example(t, "wait-until-ready", socketOf(await kubeletOf(t)), ["shop", "nobody", "0.5"]);
    assert.equal(await example.ended(), 1);
    assert.equal(example.errors, "shop/nobody is not ready after 0.5 s\n");
  });
});

test("the otel example exports metrics and container spans", async (t) => {
  const kubelet = await kubeletOf(t);
  const example = new Example(t, "otel/main", socketOf(kubelet), ["0"]);
  await example.until((output) => output.includes("/metrics\n"));
  const url = example.lines[0] ?? "";
  for (let text = ""; !/informer_synced\{.*\} 1\n/.test(text); ) text = await (await fetch(url)).text();
  kubelet.restartContainer(uidOf("ledger-1"), "ledger", { exitCode: 137, reason: "OOMKilled" });
  await example.until((output) => output.includes("ended: OOMKilled, exit code 137"));
  assert.match(example.output, /'k8s\.statefulset\.name': 'ledger'/);
  assert.equal(await example.ended("SIGTERM"), 0, example.errors);
  assert.match(example.output, /name: 'container ledger'/, "spans are exported before it ends");
});

describe("the demo", () => {
  test("prints an outage, its deletions, a hand-written watch's errors and decode times", async (t) => {
    const example = new Example(t, "demo/main", { NO_COLOR: "1" }, ["--seconds", "30"]);
    assert.equal(await example.ended(), 0, example.errors);
    assert.match(example.output, /^a reference kubelet of 1\.37: 16 pods\n/);
    assert.match(
      example.output,
      /\nDISCONNECTED {2}connection-refused; [^\n]+\n[\s\S]+\nSYNCED {4}\d+ pods after the outage, \d+ unconfirmed/,
    );
    assert.match(example.output, /\n2 of the deleted pods ended during the outage, without an event\.\n/);
    assert.match(example.output, /\nA hand-written watch still has \d deleted pods?:\n( {2}\w+\/\S+\n)+/);
    assert.match(example.output, /\nDecoding 5000 such pods: \d+ ms whole, \d+ ms with a mask of five fields/);
    assert.ok(!example.output.includes("\u001b"));
  });

  test("ends at once on SIGINT with its summary, and on a closed stdout", async (t) => {
    const example = new Example(t, "demo/main", {}, []);
    await example.until((output) => output.includes("SYNCED"));
    assert.equal(await example.ended("SIGINT"), 0, example.errors);
    assert.match(example.output, /\d+ added, \d+ modified, \d+ deleted over 0 outages\.\n/);
    const broken = new Example(t, "demo/main", {}, []);
    broken.child.stdout?.destroy();
    assert.equal(await broken.ended(), 0);
    assert.equal(broken.errors, "");
  });

  test("prints its usage and rejects an invalid option", async (t) => {
    const help = new Example(t, "demo/main", {}, ["--help"]);
    assert.equal(await help.ended(), 0);
    assert.match(help.output, /^usage: npm run demo -- /);
    const wrong = new Example(t, "demo/main", {}, ["--seconds", "none"]);
    assert.equal(await wrong.ended(), 1);
    assert.match(wrong.errors, /^--seconds: not a number/);
  });
});

describe("npm run example", () => {
  test("runs an example with its own fake kubelet and removes its files", async (t) => {
    const { KUBELET_PODS_SOCKET: _, ...env } = process.env;
    const TMPDIR = temporaryDirectory(t);
    const example = new Example(t, "run", { ...env, TMPDIR, KUBELET_PODS_SOCKET: undefined }, ["informer"]);
    assert.equal(await example.ended(), 0, example.errors);
    assert.match(example.output, /^10\.244\.1\.15: /m);
    assert.deepEqual(
      readdirSync(TMPDIR).filter((name) => name.startsWith("example-")),
      [],
    );
  });

  test("without a name lists the examples, all of which exist", async (t) => {
    const example = new Example(t, "run", {});
    assert.equal(await example.ended(), 2);
    const names = [...example.errors.matchAll(/^ {2}(\S+) /gm)].map((match) => match[1] ?? "");
    assert.ok(names.length >= 7);
    const index = readFileSync(join(root, "examples/README.md"), "utf8");
    for (const name of names) {
      const files = [`${name}.ts`, `${name}/main.ts`].map((file) => join(root, "examples", file));
      assert.ok(files.some(existsSync), name);
      assert.ok(index.includes(name), `${name} in the index`);
    }
  });
});
