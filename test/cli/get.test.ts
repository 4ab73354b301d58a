// `kubelet-pods get`, as a shell sees it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { create } from "@bufbuild/protobuf";
import { parse } from "yaml";
import { TimeSchema } from "../../src/gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { Pods } from "../../src/gen/v1alpha1/pods_pb.js";
import { fromKubernetesJson, type PodJson } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { encodePod } from "../../src/testing/wire-pod.js";
import { AutoAdvanceClock } from "../helpers/auto-advance-clock.js";
import { changed, serve } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";
import { kubeletOf, main, passing, ran, running } from "./console.js";

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

  test("supports a namespace, a label selector, --no-headers and -o wide", async (t) => {
    const kubelet = await kubeletOf(t);
    const { lines } = await ran(kubelet, ["get", "-n", "monitoring"]);
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? "", /^NAME /);
    const all = await ran(kubelet, ["get", "-n", "monitoring", "-A", "--no-headers"]);
    assert.equal(all.lines.length, sampleNode().length, "-A counts more than -n");
    const web = await ran(kubelet, ["get", "-l", "app=web", "--no-headers"]);
    assert.deepEqual(
      web.lines.map((line) => line.split(/\s+/)[1]),
      ["web-6bf9d8c7d5-2lm8z", "web-6bf9d8c7d5-hq6rn"],
    );
    const wide = await ran(kubelet, ["get", "pods", "ledger-1", "-o", "wide", "-A"]);
    assert.match(wide.lines[0] ?? "", /AGE\s+IP\s+NODE\s+NOMINATED NODE\s+READINESS GATES$/);
    assert.match(wide.lines[1] ?? "", /^shop\s+ledger-1 .*\s10\.244\.1\.21\s+node-1\s+<none>\s+<none>$/);
  });

  test("gets pods by name and UID, and exits with 1 if one is missing", async (t) => {
    const kubelet = await kubeletOf(t);
    const uid = sampleNode().find(({ metadata }) => metadata?.name === "ledger-1")?.metadata?.uid ?? "";
    for (const words of [["ledger-1"], ["pod", "ledger-1"], ["pod/ledger-1"], [uid]]) {
      const { code, output } = await ran(kubelet, ["get", ...words, "-o", "name"]);
      assert.deepEqual([code, output], [0, "pod/ledger-1\n"]);
    }
    const { code, output, errors } = await ran(kubelet, ["get", "ledger-1", "no\u001bbody", "-o", "name"]);
    assert.deepEqual([code, output], [1, "pod/ledger-1\n"]);
    assert.equal(errors, "kubelet-pods get: no pod no\\u001bbody on this node\n");
    const other = await ran(kubelet, ["get", "ledger-1", "-l", "app=cart"]);
    assert.equal(other.errors, "kubelet-pods get: no pod ledger-1 with these labels on this node\n");
  });

  test("prints listed pods even if another name cannot be confirmed missing", async (t) => {
    const annotations = { "kubernetes.io/config.source": "file" };
    const kubelet = await kubeletOf(t, [
      { metadata: { uid: "e", namespace: "kube-system", name: "etcd", annotations } },
    ]);
    const clock = new AutoAdvanceClock();
    const { code, output, errors } = await ran(kubelet, ["get", "etcd", "missing", "-o", "name"], clock);
    assert.deepEqual([code, output], [3, "pod/etcd\n"]);
    assert.match(errors, /^kubelet-pods get: initializing: /);
    assert.ok(clock.now() < 100, `without API pods no later list is a proof, so it does not wait ${clock.now()} ms`);
  });

  test("reports on standard error that there are no pods", async (t) => {
    const kubelet = await kubeletOf(t, []);
    assert.deepEqual(
      [
        await ran(kubelet, ["get"]),
        await ran(kubelet, ["get", "--kubelet-version=1.37"]),
        await ran(kubelet, ["get", "-n", "a"]),
        await ran(kubelet, ["get", "nobody", "--kubelet-version=v1.38.0"]),
        await ran(kubelet, ["get", "nobody"]),
      ].map(({ code, output, errors }) => [code, output, errors]),
      [
        [
          0,
          "",
          "No pods found on this node.\n" +
            "A 1.36 kubelet may not have read its pods yet: with such a kubelet, pass --kubelet-version 1.36.\n",
        ],
        [0, "", "No pods found on this node.\n"],
        [0, "", "No pods found in a on this node.\n"],
        [1, "", "kubelet-pods get: no pod nobody on this node\n"],
        [
          3,
          "",
          "kubelet-pods get: initializing: the kubelet may not have read all of its pods\n" +
            "hint: set kubeletVersion (--kubelet-version) if it is 1.37 or later; kubeletHttp() has standalone for nodes without API pods\n",
        ],
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

  test("quotes keys and values that YAML 1.1 reads as another type", async (t) => {
    const texts = [
      "yes",
      "no",
      "on",
      "off",
      "y",
      "n",
      "1_000",
      "0b11",
      "0644",
      "1e3",
      "1:30",
      "2026-11-21",
      "=",
      "~",
      ".5",
    ];
    const [sample = {}] = sampleNode();
    const labels = Object.fromEntries(texts.flatMap((text) => [[`v-${texts.indexOf(text)}`, text]]));
    // The kubelet's own are given: it would add them.
    const stamps = { "kubernetes.io/config.seen": "2026-11-20T08:00:00Z", "kubernetes.io/config.source": "api" };
    const annotations = { ...Object.fromEntries(texts.map((text) => [text, text])), ...stamps };
    const creationTimestamp = "2025-11-20T08:00:00Z";
    const pod = { ...sample, metadata: { ...sample.metadata, creationTimestamp, labels, annotations } };
    const kubelet = await kubeletOf(t, [pod]);
    const { output } = await ran(kubelet, ["get", pod.metadata.name ?? "", "-o", "yaml"]);
    for (const version of ["1.1", "1.2"] as const) {
      const { metadata } = parse(output, { version }) as typeof pod;
      assert.deepEqual(metadata.labels, labels);
      assert.deepEqual(metadata.annotations, annotations);
      assert.equal(metadata.creationTimestamp, creationTimestamp, "a time is a string");
    }
  });

  test("prints a List or one pod as JSON and YAML, managed fields only on request", async (t) => {
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

  test("escapes control characters of pods, and keeps their values in JSON and YAML", async (t) => {
    const hostile = secret(sampleNode()[0] ?? {});
    const kubelet = await kubeletOf(t, [hostile]);
    for (const form of [[], ["-o", "wide"], ["-o", "json"], ["-o", "yaml"], ["-o", "name"]]) {
      const { output } = await ran(kubelet, ["get", ...form]);
      assert.doesNotMatch(output, /(?!\n)\p{Cc}|\p{Cf}/u, form.join(" "));
      if (form.length === 0) assert.equal(output.split("\n").length, 3, "a line break in a pod starts no new line");
    }
    const labelOf = (json: { items: PodJson[] }) => json.items[0]?.metadata?.labels?.["app"];
    assert.equal(
      labelOf(JSON.parse((await ran(kubelet, ["get", "-ojson"])).output)),
      hostile.metadata?.labels?.["app"],
    );
    assert.equal(labelOf(parse((await ran(kubelet, ["get", "-oyaml"])).output)), hostile.metadata?.labels?.["app"]);
  });

  test("prints colours only to a terminal", async (t) => {
    const kubelet = await kubeletOf(t);
    const { output } = await ran(kubelet, ["get"], { colours: true });
    assert.ok(output.includes("\u001b[32mRunning\u001b[0m"));
    assert.ok(output.includes("\u001b[31mCrashLoopBackOff\u001b[0m"));
    const plain = await ran(kubelet, ["get"]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what colours are made of
    assert.equal(output.replace(/\u001b\[\d+m/g, ""), plain.output);
    const { stdout } = await promisify(execFile)(process.execPath, [main, "get", "--socket", kubelet.socketPath]);
    assert.ok(stdout.includes("Running") && !stdout.includes("\u001b"));
  });

  test("skips and reports a pod that cannot be printed, and prints the others", async (t) => {
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
        new RegExp(`^kubelet-pods get: ${name} cannot be shown: corrupt: metadata.creationTimestamp: a time`),
      );
    }
    const { code, output } = await ran(socketPath, ["get", odd.metadata.name]);
    assert.equal(code, 0);
    assert.match(output, / <unknown>\n$/);
    assert.equal((await ran(socketPath, ["get", "nobody", "-o", "json"])).output, "");
  });

  test("accepts a timeout longer than the longest Node.js timer", async (t) => {
    const kubelet = await kubeletOf(t);
    const { until } = running(t, kubelet, ["get", "-w", "--timeout", "600h"]);
    await until(({ output }) => output.includes("ledger-1"));
  });

  test("-w shows the pods, then each change, and reports outages on stderr", async (t) => {
    const surroundings = passing();
    const kubelet = await kubeletOf(t, sampleNode(), surroundings);
    const args = ["get", "-w", "-n", "shop", "--output-watch-events"];
    const { console, until, end, code } = running(t, kubelet, args, surroundings);
    await until(({ output }) => output.includes("web-6bf9d8c7d5-hq6rn"));
    assert.match(console.output, /^EVENT +NAME/);
    const ledger = sampleNode().find(({ metadata }) => metadata?.name === "ledger-1") ?? {};
    kubelet.updatePod(changed({ ...ledger, status: { ...ledger.status, reason: "Odd", containerStatuses: [] } }, "1"));
    await until(({ output }) => /MODIFIED +ledger-1 .* Odd/.test(output));
    kubelet.updatePod(changed(sampleNode().find(({ metadata }) => metadata?.namespace === "monitoring") ?? {}, "1"));
    await kubelet.restart({ downtimeMs: 300, firstStatusMs: 0 });
    await until(({ errors }) => errors.includes("connected to the kubelet again"));
    assert.match(console.errors, /^connection to the kubelet lost; later changes are not shown yet: [a-z-]+: /);
    assert.doesNotMatch(console.output, /node-exporter/);
    end.abort();
    assert.equal(await code, 0);
  });

  test("-w -o json prints each event of one pod as an object", async (t) => {
    const kubelet = await kubeletOf(t);
    const { console, until } = running(t, kubelet, ["get", "ledger-1", "-w", "-o", "json", "--output-watch-events"]);
    await until(({ output }) => output.includes("ADDED"));
    kubelet.finishPod(sampleNode().find(({ metadata }) => metadata?.name === "ledger-1")?.metadata?.uid ?? "");
    await until(({ output }) => output.includes("MODIFIED"));
    const events = console.output
      .trimEnd()
      .split(/(?<=^})\n/m)
      .map((text) => JSON.parse(text));
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.metadata.name, object.status.phase]),
      [
        ["ADDED", "ledger-1", "Running"],
        ["MODIFIED", "ledger-1", "Succeeded"],
      ],
    );
  });

  test("-w -o json prints pods instead of events by default", async (t) => {
    const kubelet = await kubeletOf(t);
    const { console, until } = running(t, kubelet, ["get", "ledger-1", "-w", "-o", "json"]);
    await until(({ output }) => output.trimEnd().endsWith("\n}"));
    const { kind, metadata, type } = JSON.parse(console.output);
    assert.deepEqual([kind, metadata.name, type], ["Pod", "ledger-1", undefined]);
  });

  test("-w of a missing pod exits with 1 at once", async (t) => {
    const { code, errors } = await ran(await kubeletOf(t), ["get", "nobody", "-w"]);
    assert.deepEqual([code, errors], [1, "kubelet-pods get: no pod nobody on this node\n"]);
  });
});

test("-o json prints exactly the pods that the kubelet has", async (t) => {
  const pods = sampleNode();
  const { output } = await ran(await kubeletOf(t, pods), ["get", "-o", "json"]);
  const uidOf = ({ metadata }: PodJson) => metadata?.uid ?? "";
  const shown = (JSON.parse(output) as { items: PodJson[] }).items;
  assert.deepEqual(new Set(shown.map(uidOf)), new Set(pods.map(uidOf)));
  for (const json of shown) fromKubernetesJson(json);
});

describe("options of kubectl get", () => {
  const named = (name: string, labels = {}) => ({
    metadata: { uid: `uid-${name}`, namespace: "shop", name, labels },
    spec: { containers: [{ name: "c", image: "i" }] },
  });

  test("supports NAMESPACE/NAME, --show-labels and --ignore-not-found", async (t) => {
    const long = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key-${10 + i}`, "x".repeat(40)]));
    const kubelet = await kubeletOf(t, [named("a", { tier: "web", app: "a" }), named("b"), named("c", long)]);
    const { code, lines } = await ran(kubelet, ["get", "--show-labels", "shop/a", "b"]);
    assert.equal(code, 0);
    assert.deepEqual(
      lines.map((line) => line.split(/ {3,}/).at(-1)),
      ["LABELS", "app=a,tier=web", "<none>"],
    );
    const whole = await ran(kubelet, ["get", "--show-labels", "--no-headers", "c"]);
    assert.ok(whole.output.trimEnd().endsWith(`key-29=${"x".repeat(40)}`), "labels are not cut");
    assert.equal((await ran(kubelet, ["get", "other/a"])).code, 1);
    const ignored = await ran(kubelet, ["get", "nobody", "--ignore-not-found"]);
    assert.deepEqual([ignored.code, ignored.output, ignored.errors], [0, "", ""]);
  });

  test("--watch-only omits the initial pods", async (t) => {
    const kubelet = await kubeletOf(t, [named("a")]);
    const { console, until } = running(t, kubelet, ["get", "--watch-only", "--no-headers", "-o", "name"]);
    while (kubelet.watchers === 0) await new Promise((resolve) => setImmediate(resolve));
    kubelet.addPod(named("b"));
    await until(({ output }) => output.includes("pod/b"));
    assert.equal(console.output.split("\n")[0], "pod/b");
  });
});

test("accepts options in each form that kubectl accepts", async (t) => {
  const kubelet = await kubeletOf(t);
  const expected = await ran(kubelet, ["get", "-n", "shop", "-o", "name", "-l", "app=web"]);
  assert.equal(expected.code, 0);
  for (const args of [
    ["-n=shop", "-o=name", "-l=app=web"],
    ["--namespace=shop", "--output=name", "--selector=app=web", "--watch=false"],
    ["-n", "shop", "-o", "name", "-l", "app=web", "--no-headers=true"],
  ]) {
    const { code, output, errors } = await ran(kubelet, ["get", ...args]);
    assert.deepEqual([code, output, errors], [0, expected.output, ""], args.join(" "));
  }
  assert.equal((await ran(kubelet, ["get", "--watch=maybe"])).code, 2);
});
