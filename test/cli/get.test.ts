// `kubelet-pods get`, `conditions` and `probe`, as a shell sees them.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { create } from "@bufbuild/protobuf";
import { parse } from "yaml";
import { run } from "../../src/cli/run.js";
import { TimeSchema } from "../../src/gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { Pods } from "../../src/gen/v1alpha1/pods_pb.js";
import { fromKubernetesJson, type PodJson } from "../../src/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { encodePod } from "../../src/testing/pod-store.js";
import { changed, serve, temporaryDirectory } from "../helpers/kubelet.js";
import { consoleOf } from "./console.js";

const main = join(import.meta.dirname, "../../dist/cli/main.js");

async function kubeletOf(t: TestContext, pods: PodJson[] = sampleNode()): Promise<ReferenceKubelet> {
  const kubelet = await ReferenceKubelet.start({ pods });
  t.after(() => kubelet.close());
  return kubelet;
}

/** What a command line prints, to its end. */
async function ran(kubelet: ReferenceKubelet | string, args: string[], colours = false) {
  const console = consoleOf(undefined, colours);
  const socket = typeof kubelet === "string" ? kubelet : kubelet.socketPath;
  const code = await run([...args, "--socket", socket], console);
  return { code, output: console.output, errors: console.errors, lines: console.output.trimEnd().split("\n") };
}

/** A command line that goes on; `until` resolves when what it has printed is such. */
function running(t: TestContext, kubelet: ReferenceKubelet, args: string[]) {
  const end = new AbortController();
  const console = consoleOf(end.signal);
  const changes = new Set<() => void>();
  const told =
    <F extends (text: string) => void>(write: F) =>
    (text: string) => {
      write(text);
      for (const change of changes) change();
    };
  console.out = told(console.out);
  console.err = told(console.err);
  const code = run([...args, "--socket", kubelet.socketPath], console);
  t.after(async () => {
    end.abort();
    await code;
  });
  const until = async (is: (printed: { output: string; errors: string }) => boolean) => {
    while (!is(console)) {
      await new Promise<void>((resolve) => {
        changes.add(resolve);
        t.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      changes.clear();
      if (t.signal.aborted) assert.fail(`${console.output}\n${console.errors}`);
    }
  };
  return { console, end, code, until };
}

const secret = (json: PodJson): PodJson => ({
  ...json,
  metadata: { ...json.metadata, labels: { app: "\u001b[31mred\u009b2J\u202e\u061c\u200b\u{e0041}" } },
  status: { ...json.status, reason: "\u001b]0;title\u0007\nroot", phase: "Failed", containerStatuses: [] },
});

describe("get", () => {
  test("shows all pods of the node as kubectl does, with their namespaces", async (t) => {
    const { code, lines, errors } = await ran(await kubeletOf(t), ["get"]);
    assert.deepEqual([code, errors, lines.length], [0, "", sampleNode().length + 1]);
    assert.match(lines[0] ?? "", /^NAMESPACE {5}NAME {23}READY {3}STATUS {13}RESTARTS\s+AGE$/);
    assert.match(
      lines.find((line) => line.includes("payments")) ?? "",
      /^shop\s+payments\S+\s+0\/1\s+CrashLoopBackOff\s+4 \(\S+ ago\)\s+\S+$/,
    );
    const names = lines.slice(1).map((line) => line.split(/\s+/, 2).join("/"));
    assert.deepEqual(names, [...names].sort());
    const columns = lines.map((line) =>
      line.indexOf(line.includes("READY") ? "READY" : (/\d+\/\d+/.exec(line)?.[0] ?? "")),
    );
    assert.equal(new Set(columns).size, 1, "in columns");
  });

  test("one namespace, certain labels and fields, without headers, wide", async (t) => {
    const kubelet = await kubeletOf(t);
    const { lines } = await ran(kubelet, ["get", "-n", "monitoring"]);
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? "", /^NAME /);
    const web = await ran(kubelet, ["get", "-l", "app=web", "--no-headers"]);
    assert.deepEqual(
      web.lines.map((line) => line.split(/\s+/)[1]),
      ["web-6bf9d8c7d5-2lm8z", "web-6bf9d8c7d5-hq6rn"],
    );
    const failed = await ran(kubelet, ["get", "--field-selector=status.phase=Succeeded", "-o", "name"]);
    assert.equal(failed.output, "pod/report-29384710-w8d6m\n");
    const wide = await ran(kubelet, ["get", "pods", "ledger-1", "-o", "wide", "-A"]);
    assert.match(wide.lines[0] ?? "", /AGE\s+IP\s+NODE\s+NOMINATED NODE\s+READINESS GATES$/);
    assert.match(wide.lines[1] ?? "", /^shop\s+ledger-1 .*\s10\.244\.1\.21\s+node-1\s+<none>\s+<none>$/);
  });

  test("pods by name and by UID; those that are not there are said, and the exit code is 1", async (t) => {
    const kubelet = await kubeletOf(t);
    const uid = sampleNode().find(({ metadata }) => metadata?.name === "ledger-1")?.metadata?.uid ?? "";
    for (const words of [["ledger-1"], ["pod", "ledger-1"], ["pod/ledger-1"], [uid]]) {
      const { code, output } = await ran(kubelet, ["get", ...words, "-o", "name"]);
      assert.deepEqual([code, output], [0, "pod/ledger-1\n"]);
    }
    const { code, output, errors } = await ran(kubelet, ["get", "ledger-1", "no\u001bbody", "-o", "name"]);
    assert.deepEqual([code, output], [1, "pod/ledger-1\n"]);
    assert.equal(errors, "kubelet-pods get: there is no pod no\\u001bbody on this node\n");
  });

  test("none at all is said on standard error", async (t) => {
    const kubelet = await kubeletOf(t, []);
    assert.deepEqual(
      [await ran(kubelet, ["get"]), await ran(kubelet, ["get", "-n", "a"])].map(({ code, output, errors }) => [
        code,
        output,
        errors,
      ]),
      [
        [0, "", "No pods found on this node.\n"],
        [0, "", "No pods found in a on this node.\n"],
      ],
    );
    const { output } = await ran(kubelet, ["get", "-o", "json"]);
    assert.deepEqual(JSON.parse(output), {
      apiVersion: "v1",
      items: [],
      kind: "List",
      metadata: { resourceVersion: "" },
    });
  });

  test("json and yaml are what kubectl writes: a List, or the one pod; managed fields when asked for", async (t) => {
    const json = { ...sampleNode()[0] };
    json.metadata = { ...json.metadata, managedFields: [{ manager: "kubelet", operation: "Update" }] };
    const kubelet = await kubeletOf(t, [json]);
    const name = json.metadata.name ?? "";
    const { managedFields: _, ...metadata } = json.metadata;
    const shown = { ...json, metadata };
    assert.deepEqual(JSON.parse((await ran(kubelet, ["get", name, "-o", "json"])).output), shown);
    assert.deepEqual(JSON.parse((await ran(kubelet, ["get", "-ojson"])).output).items, [shown]);
    assert.deepEqual(parse((await ran(kubelet, ["get", name, "-o", "yaml"])).output), shown);
    assert.deepEqual(parse((await ran(kubelet, ["get", "-o", "yaml"])).output).items, [shown]);
    const { output } = await ran(kubelet, ["get", name, "-o", "json", "--show-managed-fields"]);
    assert.deepEqual(JSON.parse(output), json);
  });

  test("mask= gives a line of JSON for each pod, and no other fields", async (t) => {
    const { lines } = await ran(await kubeletOf(t), ["get", "-n", "shop", "-o", "mask=metadata.name,status.podIPs"]);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)).find(({ metadata }) => metadata.name === "ledger-1"),
      { metadata: { name: "ledger-1" }, status: { podIPs: [{ ip: "10.244.1.21" }] } },
    );
    const { code, errors } = await ran(await kubeletOf(t), ["get", "-o", "mask=metadata.nmae"]);
    assert.equal(code, 2);
    assert.match(errors, /there is no "nmae" in ObjectMeta\nhint: what comes close: name/);
  });

  test("no control character of a pod reaches the terminal, and JSON and YAML say what they said", async (t) => {
    const hostile = secret(sampleNode()[0] ?? {});
    const kubelet = await kubeletOf(t, [hostile]);
    for (const form of [
      [],
      ["-o", "wide"],
      ["-o", "json"],
      ["-o", "yaml"],
      ["-o", "name"],
      ["-o", "mask=metadata,status"],
    ]) {
      const { output } = await ran(kubelet, ["get", ...form]);
      assert.doesNotMatch(output, /(?!\n)\p{Cc}|\p{Cf}/u, form.join(" "));
      if (form.length === 0) assert.equal(output.split("\n").length, 3, "a line break in a pod makes no line");
    }
    const labelOf = (json: { items: PodJson[] }) => json.items[0]?.metadata?.labels?.["app"];
    assert.equal(
      labelOf(JSON.parse((await ran(kubelet, ["get", "-ojson"])).output)),
      hostile.metadata?.labels?.["app"],
    );
    assert.equal(labelOf(parse((await ran(kubelet, ["get", "-oyaml"])).output)), hostile.metadata?.labels?.["app"]);
  });

  test("colours where there is a terminal, and nowhere else", async (t) => {
    const kubelet = await kubeletOf(t);
    const { output } = await ran(kubelet, ["get"], true);
    assert.ok(output.includes("\u001b[32mRunning\u001b[0m"));
    assert.ok(output.includes("\u001b[31mCrashLoopBackOff\u001b[0m"));
    const plain = await ran(kubelet, ["get"]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what colours are made of
    assert.equal(output.replace(/\u001b\[\d+m/g, ""), plain.output);
    const { stdout } = await promisify(execFile)(process.execPath, [main, "get", "--socket", kubelet.socketPath]);
    assert.equal(stdout, plain.output);
  });

  test("a pod that cannot be written is left out and said, and the others are written", async (t) => {
    const pods = sampleNode().map((json) => fromKubernetesJson(json));
    const [odd] = pods;
    assert.ok(odd?.metadata);
    odd.metadata.creationTimestamp = create(TimeSchema, { seconds: 10n ** 15n });
    const socketPath = await serve(t, (router) => {
      router.service(Pods, { listPods: () => ({ pods: pods.map(encodePod) }) });
    });
    const name = `${odd.metadata.namespace}/${odd.metadata.name}`;
    for (const form of ["json", "yaml"]) {
      const { code, output, errors } = await ran(socketPath, ["get", "-o", form]);
      assert.deepEqual([code, parse(output).items.length], [1, pods.length - 1]);
      assert.match(
        errors,
        new RegExp(`^kubelet-pods get: ${name} is left out: corrupt: metadata.creationTimestamp: a time`),
      );
    }
    const { code, output } = await ran(socketPath, ["get", odd.metadata.name]);
    assert.equal(code, 0);
    assert.match(output, / <unknown>\n$/);
    assert.equal((await ran(socketPath, ["get", "nobody", "-o", "json"])).output, "");
  });

  test("a wait that is longer than a timer can be is a wait", async (t) => {
    const kubelet = await kubeletOf(t);
    const { until } = running(t, kubelet, ["get", "-w", "--timeout", "600h"]);
    await until(({ output }) => output.includes("ledger-1"));
  });

  test("-w shows what there is, then each change; an outage and its end are told beside it", async (t) => {
    const kubelet = await kubeletOf(t);
    const { console, until, end, code } = running(t, kubelet, ["get", "-w", "-n", "shop", "--output-watch-events"]);
    await until(({ output }) => output.includes("web-6bf9d8c7d5-hq6rn"));
    assert.match(console.output, /^EVENT +NAME/);
    const ledger = sampleNode().find(({ metadata }) => metadata?.name === "ledger-1") ?? {};
    kubelet.updatePod(changed({ ...ledger, status: { ...ledger.status, reason: "Odd", containerStatuses: [] } }, "1"));
    await until(({ output }) => /MODIFIED +ledger-1 .* Odd/.test(output));
    kubelet.updatePod(changed(sampleNode().find(({ metadata }) => metadata?.namespace === "monitoring") ?? {}, "1"));
    await kubelet.restart({ downtimeMs: 300, firstStatusMs: 0 });
    await until(({ errors }) => errors.includes("the kubelet is back"));
    assert.match(console.errors, /^the kubelet is away, and what is shown may be stale: [a-z-]+: /);
    assert.doesNotMatch(console.output, /node-exporter/);
    end.abort();
    assert.equal(await code, 0);
  });

  test("-w of one pod, to the end of it, as objects", async (t) => {
    const kubelet = await kubeletOf(t);
    const { console, until } = running(t, kubelet, [
      "get",
      "ledger-1",
      "-w",
      "-o",
      "mask=metadata.name,status.phase",
      "--output-watch-events",
    ]);
    await until(({ output }) => output.includes("ADDED"));
    kubelet.finishPod(sampleNode().find(({ metadata }) => metadata?.name === "ledger-1")?.metadata?.uid ?? "");
    await until(({ output }) => output.includes("MODIFIED"));
    const events = console.output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(events, [
      { type: "ADDED", object: { metadata: { name: "ledger-1" }, status: { phase: "Running" } } },
      { type: "MODIFIED", object: { metadata: { name: "ledger-1" }, status: { phase: "Succeeded" } } },
    ]);
  });

  test("-w of a pod that is not there ends at once", async (t) => {
    const { code, errors } = await ran(await kubeletOf(t), ["get", "nobody", "-w"]);
    assert.deepEqual([code, errors], [1, "kubelet-pods get: there is no pod nobody on this node\n"]);
  });
});

describe("errors have hints, and codes of their own", () => {
  test("2 for what cannot be asked for", async (t) => {
    const kubelet = await kubeletOf(t);
    const cases: [args: string[], message: RegExp][] = [
      [["get", "-l", "app=("], /^kubelet-pods get: invalid-argument: labelSelector: "app=\(": at character 5: /],
      [
        ["get", "--field-selector", "a=b"],
        /at character 1: "a" is no field to select by\nhint: there are metadata\.name, /,
      ],
      [["get", "-n", "A"], /namespace: "A" is no namespace's name\nhint: lower-case letters/],
      [
        ["get", "-o", "jsonpath={.a}"],
        /^kubelet-pods get: -o jsonpath=\{\.a\}: not one of wide, json, yaml, name and mask=PATHS\n/,
      ],
      [["get", "--timeout", "soon"], /^kubelet-pods get: --timeout: not a duration such as 10s/],
      [["get", "--all"], /^kubelet-pods get: Unknown option '--all'/],
      [["conditions", "-o", "yaml"], /^kubelet-pods conditions: -o: only json/],
      [["probe", "ledger"], /^kubelet-pods probe: Unexpected argument 'ledger'/],
    ];
    for (const [args, message] of cases) {
      const { code, output, errors } = await ran(kubelet, args);
      assert.deepEqual([code, output], [2, ""], args.join(" "));
      assert.match(errors, message);
    }
  });

  test("3 where there is no kubelet, after saying what is waited for", async (t) => {
    const socketPath = join(temporaryDirectory(t), "nobody.sock");
    for (const args of [["get"], ["get", "-w"], ["conditions"], ["conditions", "-w"]]) {
      const { code, output, errors } = await ran(socketPath, [...args, "--timeout", "700ms"]);
      assert.deepEqual([code, output], [3, ""]);
      const [waiting, failed, hint] = errors.split("\n");
      assert.match(
        waiting ?? "",
        /^waiting for the kubelet: absent: cannot connect to .*nobody\.sock: there is no such file/,
      );
      assert.match(failed ?? "", new RegExp(`^kubelet-pods ${args[0]}: absent: `));
      assert.match(hint ?? "", /^hint: is the kubelet up, with the feature gate PodsAPI/);
    }
  });

  test("a wait for an initializing kubelet ends with its pods", async (t) => {
    const kubelet = await kubeletOf(t);
    kubelet.setInitializing(true);
    const { console, until, code } = running(t, kubelet, ["get", "-o", "name", "ledger-1"]);
    await until(({ errors }) => errors.includes("waiting for the kubelet: initializing"));
    kubelet.setInitializing(false);
    assert.deepEqual([await code, console.output], [0, "pod/ledger-1\n"]);
  });

  test("a wait for a kubelet that stands still says so", async (t) => {
    const kubelet = await kubeletOf(t);
    kubelet.pause();
    const { code, errors } = await ran(kubelet, ["get", "--timeout", "800ms"]);
    assert.equal(code, 3);
    assert.match(errors, /^waiting for the kubelet: it has not answered yet\nkubelet-pods get: deadline: /);
  });
});

describe("conditions", () => {
  test("a table of how pods stand", async (t) => {
    const { code, lines } = await ran(await kubeletOf(t), ["conditions"]);
    assert.equal(code, 0);
    assert.match(
      lines[0] ?? "",
      /^NAMESPACE +NAME +STATIC +SCHEDULED +INITIALIZED +CONTAINERS +READY +SINCE +REASON +OTHERS$/,
    );
    const of = (name: string) =>
      lines
        .find((line) => line.includes(name))
        ?.split(/ {3,}/)
        .slice(1);
    assert.deepEqual(of("etcd")?.slice(0, 6), ["etcd-node-1", "yes", "True", "True", "True", "True"]);
    assert.deepEqual(of("payments")?.slice(1, 6), ["no", "True", "True", "False", "False"]);
    assert.equal(of("payments")?.at(-2), "ContainersNotReady");
    assert.equal(of("search")?.at(-2), "Terminating");
  });

  test("as JSON, of one pod, and of one that is not there", async (t) => {
    const kubelet = await kubeletOf(t);
    const { output } = await ran(kubelet, ["conditions", "ledger-1", "-o", "json"]);
    const [info] = JSON.parse(output) as { podName: string; static: boolean; conditions: { type: string }[] }[];
    assert.deepEqual([info?.podName, info?.static], ["ledger-1", false]);
    assert.ok(info?.conditions.some(({ type }) => type === "Ready"));
    assert.equal((await ran(kubelet, ["conditions", "nobody"])).code, 1);
  });

  test("-w shows those again of which a condition has changed, those that go, and what is unverified", async (t) => {
    const kubelet = await kubeletOf(t);
    const { console, until } = running(t, kubelet, ["conditions", "-w", "-n", "shop"]);
    await until(({ output }) => output.includes("web-6bf9d8c7d5-hq6rn"));
    const before = console.output.length;
    await kubelet.restart();
    await until(({ output }) => /ledger-1 .*Unverified/.test(output.slice(before)));
    await until(({ output }) => /ledger-1 .*True +\S+ +<none>/.test(output.slice(before)));
    const uid = sampleNode().find(({ metadata }) => metadata?.name === "ledger-1")?.metadata?.uid ?? "";
    kubelet.deletePod(uid);
    await until(({ output }) => /ledger-1 .*Terminating/.test(output.slice(before)));
    assert.doesNotMatch(console.output.slice(before), /cart-/, "it was not ready, and is not");
  });
});

describe("probe", () => {
  test("a kubelet that is ready", async (t) => {
    const kubelet = await kubeletOf(t);
    const { code, output } = await ran(kubelet, ["probe"]);
    assert.equal(code, 0);
    assert.match(output, /^ready: v1alpha1 on \S+\/pods-api\.sock, answered in \d+ ms\n$/);
    const json = JSON.parse((await ran(kubelet, ["probe", "-o", "json"])).output);
    assert.deepEqual([json.ready, json.apiVersion, json.socketPath], [true, "v1alpha1", kubelet.socketPath]);
  });

  test("one that is not, and none at all", async (t) => {
    const kubelet = await kubeletOf(t);
    kubelet.setInitializing(true);
    const { code, output, errors } = await ran(kubelet, ["probe"]);
    assert.deepEqual([code, output], [3, ""]);
    assert.match(errors, /^kubelet-pods probe: initializing: .*\nhint: a kubelet started while the API server is away/);
    const absent = await ran(join(temporaryDirectory(t), "nobody.sock"), ["probe", "-o", "json"]);
    assert.equal(absent.code, 3);
    assert.equal(JSON.parse(absent.output).code, "absent");
  });
});

describe("as a process", () => {
  test("a pipe that is closed is no failure, also of a watch", async (t) => {
    const kubelet = await kubeletOf(t);
    const shell = async (command: string) => {
      const child = spawn("bash", ["-c", `set -o pipefail; ${command}`], { stdio: ["ignore", "pipe", "pipe"] });
      t.after(() => child.kill("SIGKILL"));
      let errors = "";
      child.stderr.on("data", (chunk) => {
        errors += chunk;
      });
      child.stdout.resume();
      const [code] = await once(child, "close");
      return { code, errors };
    };
    const get = `"${process.execPath}" "${main}" get --socket "${kubelet.socketPath}"`;
    assert.deepEqual(await shell(`${get} -o json | head -1`), { code: 0, errors: "" });
    const timer = setInterval(() => {
      const pod = sampleNode()[0] ?? {};
      kubelet.updatePod(changed({ ...pod, status: { ...pod.status, phase: "Running" } }, String(performance.now())));
      kubelet.updatePod({ ...pod, status: { ...pod.status, reason: String(performance.now()) } });
    }, 20);
    t.after(() => clearInterval(timer));
    assert.deepEqual(await shell(`${get} -w | head -1`), { code: 0, errors: "" });
  });

  test("a full disk is a failure, in one line", {
    skip: existsSync("/dev/full") ? false : "no /dev/full",
  }, async (t) => {
    const kubelet = await kubeletOf(t);
    for (const form of ["", "-o json", "-w"]) {
      const command = `"${process.execPath}" "${main}" get ${form} --socket "${kubelet.socketPath}" > /dev/full`;
      const error = await promisify(execFile)("bash", ["-c", command]).catch((failed) => failed);
      assert.deepEqual([error.code, error.stderr], [1, "kubelet-pods: cannot write (ENOSPC)\n"], form);
    }
  });

  test("SIGINT ends a watch well", async (t) => {
    const kubelet = await kubeletOf(t);
    const args = [main, "get", "-w", "--no-headers", "--socket", kubelet.socketPath];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    const lines = createInterface({ input: child.stdout });
    await once(lines, "line");
    child.kill("SIGINT");
    const [code, signal] = await once(child, "exit");
    assert.deepEqual([code, signal], [0, null]);
  });

  test("help of each command goes to standard output, and names its exit codes", async () => {
    for (const name of ["get", "conditions", "resources", "probe", "conformance", "serve"]) {
      const console = consoleOf();
      assert.equal(await run([name, "--help"], console), 0);
      assert.match(console.output, new RegExp(`^Usage: kubelet-pods ${name} `));
      assert.match(console.output, /Exit codes: 0/);
      assert.ok(
        console.output.split("\n").every((line) => line.length <= 80),
        "fits a terminal",
      );
    }
  });
});

test("what is shown is what the kubelet has", async (t) => {
  const pods = sampleNode();
  const { output } = await ran(await kubeletOf(t, pods), ["get", "-o", "json"]);
  const uidOf = ({ metadata }: PodJson) => metadata?.uid ?? "";
  const shown = (JSON.parse(output) as { items: PodJson[] }).items;
  assert.deepEqual(new Set(shown.map(uidOf)), new Set(pods.map(uidOf)));
  for (const json of shown) fromKubernetesJson(json);
});
