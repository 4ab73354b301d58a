// Each example as a process, against a reference kubelet in which the test decides what happens. It alone finds an example that
// does not do what it says, and a package that cannot be imported as its users import it.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PretendApiServer } from "../../examples/support/pretend-api-server.js";
import { type PodJson, toKubernetesJson } from "../../src/index.js";
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

test("list", async (t) => {
  const example = new Example(t, "list", socketOf(await kubeletOf(t)), ["shop"]);
  assert.equal(await example.ended(), 0, example.errors);
  assert.equal(example.lines.length, 7);
  assert.ok(example.lines.includes("shop/ledger-1 Running 10.244.1.21, fd00:10:244:1::15"));
  assert.ok(example.lines.includes("shop/cart-7c5f6b9d4-zz1kx Pending without an address"));
});

test("watch", async (t) => {
  const kubelet = await kubeletOf(t);
  const example = new Example(t, "watch", socketOf(kubelet), ["app in (ledger, web)"]);
  await example.until((output) => output.includes("SYNCED: all 3 pods have been told"));
  kubelet.finishPod(uidOf("ledger-1"));
  await example.until((output) => output.includes("DELETED ledger-1 (finished)"));
  await kubelet.restart({ firstStatusMs: 0 });
  await example.until((output) => /DISCONNECTED: .*\n(.*\n)*SYNCED: all 2 pods have been told/.test(output));
  assert.equal(await example.ended("SIGINT"), 0, example.errors);
  assert.equal(example.errors, "");
});

test("informer", async (t) => {
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

  test("fails when its time is up", async (t) => {
    const example = new Example(t, "wait-until-ready", socketOf(await kubeletOf(t)), ["shop", "nobody", "0.5"]);
    assert.equal(await example.ended(), 1);
    assert.equal(example.errors, "shop/nobody is not ready after 0.5 s\n");
  });
});

test("snapshots", async (t) => {
  const kubelet = await kubeletOf(t);
  const directory = temporaryDirectory(t);
  const file = join(directory, "pods.json");
  const example = new Example(t, "snapshots", socketOf(kubelet), [file]);
  const namesIn = () =>
    (JSON.parse(readFileSync(file, "utf8")) as { items: PodJson[] }).items.map(({ metadata }) => metadata?.name);
  await example.until((output) => output.includes("14 pods written"));
  assert.ok(namesIn().includes("ledger-1"));
  kubelet.finishPod(uidOf("ledger-1"));
  await example.until((output) => output.includes("13 pods written"));
  assert.ok(!namesIn().includes("ledger-1"));
  assert.equal(await example.ended("SIGTERM"), 0, example.errors);
  assert.deepEqual(readdirSync(directory), ["pods.json"]);
});

test("metrics", async (t) => {
  const kubelet = await kubeletOf(t);
  const example = new Example(t, "metrics", socketOf(kubelet), ["0"]);
  await example.until((output) => output.includes("/metrics\n"));
  const scrape = async () => (await fetch(example.lines[0] ?? "")).text();
  const scraped = async (line: string) => {
    let text = "";
    for (text = await scrape(); !text.includes(line); text = await scrape()) {
      assert.ok(!t.signal.aborted, text);
      await sleep(10);
    }
    return text;
  };
  const text = await scraped("node_pods_synced 1");
  assert.ok(text.includes('node_pod_ready{namespace="shop",pod="ledger-1"} 1'));
  assert.ok(text.includes('node_pod_ready{namespace="shop",pod="cart-7c5f6b9d4-zz1kx"} 0'));
  assert.match(text, /node_pod_container_restarts\{namespace="shop",pod="payments-\S+",container="\w+"\} 4/);
  assert.equal((await fetch((example.lines[0] ?? "").replace("/metrics", "/secrets"))).status, 404);
  kubelet.finishPod(uidOf("ledger-1"));
  for (let now = text; now.includes("ledger-1"); now = await scrape()) await sleep(10);
  await kubelet.close();
  assert.ok((await scraped("node_pods_synced 0")).includes("payments"), "what was known last still stands");
  assert.equal(await example.ended("SIGTERM"), 0, example.errors);
});

test("process-to-pod", async (t) => {
  const proc = temporaryDirectory(t);
  const containerID = named("ledger-1").status?.containerStatuses?.[0]?.containerID?.replace("containerd://", "");
  const slice = `kubelet-kubepods-burstable-pod${uidOf("ledger-1").replaceAll("-", "_")}.slice`;
  const process = (pid: string, cgroup: string) => {
    mkdirSync(join(proc, pid));
    writeFileSync(join(proc, pid, "cgroup"), cgroup);
    writeFileSync(join(proc, pid, "comm"), `process-${pid}\n`);
    writeFileSync(join(proc, pid, "stat"), `${pid} (process-${pid}) S ${"0 ".repeat(18)}${pid}00 0\n`);
  };
  process("7", `0::/kubelet.slice/${slice}/cri-containerd-${containerID}.scope\n`);
  process("8", `0::/kubelet.slice/${slice}/cri-containerd-${"0".repeat(64)}.scope\n`);
  process("9", "0::/init.scope\n");
  const kubelet = await kubeletOf(t);
  const env = { ...socketOf(kubelet), HOST_PROC: proc };
  const all = new Example(t, "process-to-pod", env);
  assert.equal(await all.ended(), 0, all.errors);
  assert.deepEqual(all.lines, ["7 process-7: shop/ledger-1/ledger", "8 process-8: shop/ledger-1/(its sandbox)"]);
  const some = new Example(t, "process-to-pod", env, ["9", "10", "7"]);
  assert.equal(await some.ended(), 0, some.errors);
  assert.deepEqual(some.lines, [
    "9: no pod of this node",
    "10: no pod of this node",
    "7 process-7: shop/ledger-1/ledger",
  ]);
});

test("kubectl", async (t) => {
  const kubelet = await kubeletOf(t);
  const table = new Example(t, "kubectl", socketOf(kubelet), ["get", "pods", "-n", "shop"]);
  assert.equal(await table.ended(), 0, table.errors);
  assert.match(table.output, /^NAMESPACE +NAME +PHASE +READY +RESTARTS +IP\n/);
  assert.match(table.output, /^shop +payments-\S+ +Running +no +4 /m);
  const json = new Example(t, "kubectl", socketOf(kubelet), ["get", "pod", "ledger-1", "-o", "json"]);
  assert.equal(await json.ended(), 0, json.errors);
  assert.deepEqual((JSON.parse(json.output) as { items: PodJson[] }).items, [named("ledger-1")]);
  const watch = new Example(t, "kubectl", socketOf(kubelet), ["get", "pods", "-l", "app=ledger", "-w"]);
  await watch.until((output) => output.includes("ledger-1"));
  kubelet.finishPod(uidOf("ledger-1"));
  await watch.until((output) => /ledger-1 .*Succeeded/.test(output));
  assert.equal(await watch.ended("SIGINT"), 0, watch.errors);
  const wrong = new Example(t, "kubectl", socketOf(kubelet), ["get", "nodes"]);
  assert.equal(await wrong.ended(), 1);
  assert.match(wrong.errors, /^error: usage: kubectl get pods/);
});

/** An API server with the sample's pods, and where to find it. */
async function apiServerOf(t: TestContext) {
  const api = await PretendApiServer.start(sampleNode());
  t.after(() => api.close());
  const KUBECONFIG = join(temporaryDirectory(t), "kubeconfig");
  writeFileSync(KUBECONFIG, api.kubeconfig);
  return { api, env: { KUBECONFIG, NODE_NAME: "node-1" } };
}

const isOver = (json: PodJson) => json.status?.phase === "Succeeded" || json.status?.phase === "Failed";

test("from-make-informer: both programs print the same", async (t) => {
  const kubelet = await kubeletOf(t);
  const { api, env } = await apiServerOf(t);
  const before = new Example(t, "from-make-informer/before", env);
  const after = new Example(t, "from-make-informer/after", socketOf(kubelet));
  await before.until((output) => /SYNCED 16 pods\n/.test(output));
  await after.until((output) => /SYNCED 14 pods\n/.test(output));
  const finished = sampleNode()
    .filter(isOver)
    .map(({ metadata }) => metadata?.name ?? "");
  const added = (lines: string[]) => lines.filter((line) => line.startsWith("ADDED")).sort();
  assert.deepEqual(
    added(before.lines).filter((line) => !finished.some((name) => line.includes(name))),
    added(after.lines),
  );
  // The kubelet tells what becomes of a pod, and then the API server does.
  const pod: PodJson = { ...named("ledger-1"), status: { ...named("ledger-1").status, message: "another" } };
  kubelet.updatePod(pod);
  api.put(pod);
  for (const example of [before, after])
    await example.until((output) => output.includes("MODIFIED shop/ledger-1 Running"));
  kubelet.finishPod(uidOf("ledger-1"));
  api.remove("shop", "ledger-1");
  for (const example of [before, after]) await example.until((output) => output.includes("DELETED shop/ledger-1"));
  assert.equal(await after.ended("SIGTERM"), 0, after.errors);
});

test("fallback: the API server until there is a kubelet, the kubelet as long as it is there; nothing is deleted by that", async (t) => {
  const { api, env } = await apiServerOf(t);
  const socketPath = join(temporaryDirectory(t), "pods-api.sock");
  const example = new Example(t, "fallback", { ...env, KUBELET_PODS_SOCKET: socketPath, POLL_MS: "1000" });
  await example.until((output) => output.includes("14 pods, from the API server"));
  await using kubelet = await ReferenceKubelet.start({ socketPath, pods: sampleNode() });
  for (const name of ["new-1", "new-2"]) {
    // Only the kubelet tells it at once; when it does, it is the kubelet that is watched.
    kubelet.addPod({ metadata: { uid: `uid-${name}`, namespace: "n", name }, spec: { containers: [] } });
    await example.until((output) => output.includes(`+ n/${name}`));
  }
  await example.until(() => kubelet.watchers === 1);
  kubelet.finishPod(uidOf("ledger-1"));
  await example.until((output) => output.includes("- shop/ledger-1"));
  api.remove("shop", "ledger-1");
  for (const { json } of kubelet.pods.map((pod) => ({ json: toKubernetesJson(pod) }))) {
    if (json.metadata?.namespace === "n") api.put({ ...json, spec: { ...json.spec, nodeName: "node-1" } });
  }
  await kubelet.close();
  await example.until((output) => output.includes("15 pods, from the API server"));
  assert.deepEqual(
    example.lines.filter((line) => line.startsWith("-")),
    ["- shop/ledger-1"],
  );
  assert.equal(await example.ended("SIGTERM"), 0, example.errors);
});

test("fallback: a kubelet of 1.36 that has not read its pods yet deletes nothing", async (t) => {
  const { env } = await apiServerOf(t);
  const socketPath = join(temporaryDirectory(t), "pods-api.sock");
  const example = new Example(t, "fallback", { ...env, KUBELET_PODS_SOCKET: socketPath, POLL_MS: "1000" });
  await example.until((output) => output.includes("14 pods, from the API server"));
  const kubelet = await ReferenceKubelet.start({
    socketPath,
    pods: sampleNode(),
    profile: "1.36",
    initializing: true,
  });
  t.after(() => kubelet.close());
  while (kubelet.watchers === 0) await sleep(20);
  await sleep(300); // by then it has answered that it has none; that nothing comes of it cannot be waited for
  kubelet.setInitializing(false);
  kubelet.addPod({ metadata: { uid: "uid-new", namespace: "n", name: "new" }, spec: { containers: [] } });
  await example.until((output) => output.includes("+ n/new"));
  assert.deepEqual(
    example.lines.filter((line) => line.startsWith("-")),
    [],
  );
  assert.equal(await example.ended("SIGTERM"), 0, example.errors);
});

test("fallback: without NODE_NAME it does not begin", async (t) => {
  const example = new Example(t, "fallback", { NODE_NAME: "" });
  assert.equal(await example.ended(), 1);
  assert.match(example.errors, /NODE_NAME is not set/);
});

test("otel", async (t) => {
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

test("prometheus-targets", async (t) => {
  const example = new Example(t, "prometheus-targets/main", socketOf(await kubeletOf(t)), ["0"]);
  await example.until((output) => output.includes("/targets\n"));
  const url = (example.lines[0] ?? "").replace("targets on ", "");
  let answer = await fetch(url);
  while (answer.status === 503) answer = await fetch(url);
  const groups = (await answer.json()) as { labels: Record<string, string> }[];
  assert.ok(groups.some(({ labels }) => labels["__meta_kubernetes_pod_name"] === "ledger-1"));
  assert.equal(await example.ended("SIGTERM"), 0, example.errors);
});

describe("the demo", () => {
  test("tells an outage, what went in it, what a naive watch believes, and what a mask saves", async (t) => {
    const example = new Example(t, "demo/main", { NO_COLOR: "1" }, ["--seconds", "30"]);
    assert.equal(await example.ended(), 0, example.errors);
    assert.match(example.output, /^a reference kubelet of 1\.37: 16 pods\n/);
    assert.match(
      example.output,
      /\nAWAY {6}connection-refused: [^\n]+\n[\s\S]+\nSYNCED {4}\d+ pods are known again, \d+ missing/,
    );
    assert.match(example.output, /\n2 of the deleted went while the kubelet was away: no event said so\.\n/);
    assert.match(example.output, /\nA naive watch still believes in \d pods that have ended:\n( {2}\w+\/\S+\n)+/);
    assert.match(example.output, /\nDecoding 5000 such pods: \d+ ms whole, \d+ ms with a mask of five fields/);
    assert.ok(!example.output.includes("\u001b"));
  });

  test("ends at once with what it has, by Ctrl-C, and where its reader goes away", async (t) => {
    const example = new Example(t, "demo/main", {}, []);
    await example.until((output) => output.includes("SYNCED"));
    assert.equal(await example.ended("SIGINT"), 0, example.errors);
    assert.match(example.output, /\d+ added, \d+ modified, \d+ deleted over 0 outages\.\n/);
    const broken = new Example(t, "demo/main", {}, []);
    broken.child.stdout?.destroy();
    assert.equal(await broken.ended(), 0);
    assert.equal(broken.errors, "");
  });

  test("says what it takes", async (t) => {
    const help = new Example(t, "demo/main", {}, ["--help"]);
    assert.equal(await help.ended(), 0);
    assert.match(help.output, /^usage: npm run demo -- /);
    const wrong = new Example(t, "demo/main", {}, ["--seconds", "none"]);
    assert.equal(await wrong.ended(), 1);
    assert.match(wrong.errors, /^--seconds: not a number/);
  });
});

describe("npm run example", () => {
  test("runs an example with a node of its own, and leaves nothing behind", async (t) => {
    const { KUBELET_PODS_SOCKET: _, ...env } = process.env;
    const TMPDIR = temporaryDirectory(t);
    const example = new Example(t, "run", { ...env, TMPDIR, KUBELET_PODS_SOCKET: undefined }, ["process-to-pod"]);
    assert.equal(await example.ended(), 0, example.errors);
    assert.match(example.output, /^\d+ ledger: shop\/ledger-1\/ledger$/m);
    assert.deepEqual(
      readdirSync(TMPDIR).filter((name) => name.startsWith("example-")),
      [],
    );
  });

  test("without a name says which there are, and each of them is there", async (t) => {
    const example = new Example(t, "run", {});
    assert.equal(await example.ended(), 2);
    const names = [...example.errors.matchAll(/^ {2}(\S+) /gm)].map((match) => match[1] ?? "");
    assert.ok(names.length >= 11);
    const index = readFileSync(join(root, "examples/README.md"), "utf8");
    for (const name of names) {
      const files = [`${name}.ts`, `${name}/main.ts`].map((file) => join(root, "examples", file));
      assert.ok(files.some(existsSync), name);
      assert.ok(index.includes(name.replace("from-make-informer/after", "`…/after`")), `${name} in the index`);
    }
  });
});
