// `kubelet-pods containers` and `kubelet-pods find`, as a shell sees them.

import assert from "node:assert/strict";
import { run } from "../../src/cli/run.js";
import { sampleNode } from "../../src/testing/index.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { consoleOf, kubeletOf, passing, ran, running } from "./console.js";

const A = "2c4d8b1e-0000-4000-8000-000000000001";
const POD = {
  metadata: { uid: A, namespace: "shop", name: "web-0" },
  spec: {
    initContainers: [
      { name: "prepare", image: "i" },
      { name: "proxy", image: "i", restartPolicy: "Always" },
    ],
    containers: [{ name: "web", image: "i" }],
  },
};

const cells = (line: string | undefined) => line?.trimEnd().split(/ {3,}/);

async function shop(t: TestContext) {
  const kubelet = await kubeletOf(t, [POD]);
  const lives = kubelet.startPod(A, { ip: "10.1.0.7" });
  kubelet.restartContainer(A, "web", { exitCode: 137, reason: "OOMKilled" });
  return { kubelet, lives };
}

describe("containers", () => {
  test("prints containers of every kind with their state and last exit", async (t) => {
    const { kubelet } = await shop(t);
    const { code, lines, errors } = await ran(kubelet, ["containers"]);
    assert.deepEqual([code, errors], [0, ""]);
    const rows = lines.map(cells).map((row) => row?.slice(0, -1).filter((_, i) => i !== 7));
    assert.deepEqual(rows, [
      ["NAMESPACE", "POD", "CONTAINER", "KIND", "STATE", "READY", "RESTARTS", "LAST EXIT"],
      ["shop", "web-0", "prepare", "init", "Completed (0)", "yes", "0", "<none>"],
      ["shop", "web-0", "proxy", "sidecar", "Running", "yes", "0", "<none>"],
      ["shop", "web-0", "web", "regular", "Running", "yes", "1", "OOMKilled (137)"],
    ]);
    assert.match(lines[3] ?? "", / [0-9a-f]{13}$/);
    const none = await ran(kubelet, ["containers", "nobody", "-n", "shop"]);
    assert.deepEqual([none.code, none.output], [1, ""]);
    const { output } = await ran(kubelet, ["containers"], { colours: true });
    for (const [code, state] of [
      [90, "Completed (0)"],
      [32, "Running"],
    ])
      assert.ok(output.includes(`\u001b[${code}m${state}\u001b[0m`), `${state} in ${output}`);
  });

  test("prints JSON, and with -w every start and exit", async (t) => {
    const { kubelet } = await shop(t);
    const { output } = await ran(kubelet, ["containers", "web-0", "-o", "json"]);
    const [, , web] = JSON.parse(output) as { container?: string; name: string; uid: string; restartCount: number }[];
    assert.deepEqual([web?.name, web?.uid, web?.restartCount], ["web", A, 1]);
    const { console, until } = running(t, kubelet, ["containers", "-w"]);
    await until(({ output }) => / web +regular +1\n/.test(output));
    kubelet.endContainer(A, "web", { exitCode: 3 });
    await until(({ output }) => /ENDED +\d{4}-\S+Z +shop +web-0 +web +regular +1 +Error \(3\)\n/.test(output));
    assert.match(console.output, /^EVENT +TIME +NAMESPACE .*\nSTARTED +\d{4}-\S+Z +shop +web-0 +prepare +init +0\n/);
    const none = await ran(kubelet, ["containers", "-w", "nobody"]);
    assert.deepEqual([none.code, none.errors], [1, "kubelet-pods containers: no pod nobody on this node\n"]);
    assert.match(console.output, /ENDED +\d{4}-\S+Z +shop +web-0 +web +regular +0 +OOMKilled \(137\)\n/);
  });
});

describe("find", () => {
  test("finds the pod by IP address, container ID, path, UID or name", async (t) => {
    const { kubelet, lives } = await shop(t);
    const id = lives.find(({ name }) => name === "proxy")?.containerID ?? "";
    for (const [key, container] of [
      ["10.1.0.7", "<none>"],
      ["::ffff:10.1.0.7", "<none>"],
      [id, "proxy"],
      [`containerd://${id}`, "proxy"],
      [`/var/log/pods/shop_web-0_${A}/web/1.log`, "web"],
      [`/var/lib/kubelet/pods/${A}/volumes/kubernetes.io~empty-dir/v`, "<none>"],
      [`/kubepods/burstable/pod${A}/${id}`, "proxy"],
      [A, "<none>"],
      ["shop/web-0", "<none>"],
      ["web-0", "<none>"],
      ["pods/web-0", "<none>"],
      [id.slice(0, 13), "proxy"],
    ] as const) {
      const { code, lines, errors } = await ran(kubelet, ["find", key]);
      const confidence = /^(?:\S*10\.1\.0\.7|(?:shop\/|pods\/)?web-0)$/.test(key) ? "likely" : "confirmed";
      assert.deepEqual(
        [code, errors, cells(lines[1])],
        [0, "", ["shop", "web-0", A, "Running", container, confidence]],
        key,
      );
    }
    const json = JSON.parse((await ran(kubelet, ["find", id, "-o", "json"])).output);
    assert.deepEqual([json.uid, json.container.name, json.confidence, json.others], [A, "proxy", "confirmed", 0]);
  });

  test("takes one key, and says which there are", async (t) => {
    const kubelet = await kubeletOf(t);
    for (const words of [[], ["web-0", "web-1"]]) {
      const { code, errors } = await ran(kubelet, ["find", ...words]);
      assert.equal(code, 2);
      assert.match(errors, /^kubelet-pods find: give one key: an address, container ID, PID, path, UID or name\n/);
    }
  });

  test("finds finished pods, and explains node addresses and ambiguous names", async (t) => {
    const kubelet = await kubeletOf(t);
    const by = (name: string) => sampleNode().find(({ metadata }) => metadata?.name === name)?.metadata?.uid ?? "";
    const { lines } = await ran(kubelet, ["find", by("cache-warmer-77f5d")]);
    assert.deepEqual(cells(lines[1])?.slice(0, 2), ["batch", "cache-warmer-77f5d"]);
    const own = await ran(kubelet, ["find", "10.0.0.11"]);
    assert.equal(own.code, 1);
    assert.match(own.errors, /10\.0\.0\.11 is the node's address, which kube-system\/\S+, /);
    kubelet.addPod({ metadata: { uid: "u2", namespace: "edge", name: "ledger-1" }, spec: { containers: [] } });
    const two = await ran(kubelet, ["find", "ledger-1"]);
    assert.deepEqual(
      [two.code, /matches \S+\/ledger-1, \S+\/ledger-1; use NAMESPACE\/NAME, or more of the ID\n$/.test(two.errors)],
      [1, true],
      two.errors,
    );
  });

  test("finds IP addresses with a port, and container IDs with a runtime, also shortened", async (t) => {
    const kubelet = await kubeletOf(t);
    const pod = sampleNode().find(({ metadata }) => metadata?.name === "ledger-1");
    const id = pod?.status?.containerStatuses?.[0]?.containerID ?? "";
    for (const key of [
      "10.244.1.21:8080",
      "10.244.1.21",
      "[fd00:10:244:1::15]:443",
      "[fd00:10:244:1::15]",
      id,
      id.slice(0, 20),
    ]) {
      const { code, lines, errors } = await ran(kubelet, ["find", key]);
      assert.deepEqual([code, cells(lines[1])?.slice(0, 2)], [0, ["shop", "ledger-1"]], `${key} ${errors}`);
    }
    for (const key of ["10.244.1.21:http", "[10.244.1.21", "10.244.1.999:80"])
      assert.equal((await ran(kubelet, ["find", key])).code, 2, key);
  });

  test("--at looks up a past time, with confidence uncertain in a new process", async (t) => {
    const kubelet = await kubeletOf(t); // it has seen its pods on the day before the command's
    for (const at of ["10m", "2025-12-31T23:50:00Z"]) {
      const { code, lines, errors } = await ran(kubelet, ["find", "10.244.1.21", "--at", at]);
      assert.equal(code, 0, errors);
      assert.match(lines[1] ?? "", /ledger-1.*uncertain \(before-start\)$/);
    }
    const before = await ran(kubelet, ["find", "10.244.1.21", "--at", "2020-01-01T00:00:00Z"]);
    assert.equal(before.code, 1);
    assert.match(before.errors, /10\.244\.1\.21 belonged to no pod that exists now\n/);
    for (const at of ["yesterday", "2026-13-01", ""]) {
      const { code, errors } = await ran(kubelet, ["find", "10.244.1.21", "--at", at]);
      assert.equal(code, 2, at);
      assert.match(errors, /--at must be a /);
    }
  });

  test("exits with 1 for a key without a pod, and with 2 for an invalid key", async (t) => {
    const { kubelet } = await shop(t);
    for (const key of ["10.9.9.9", String(process.pid), "shop/other"]) {
      const { code, errors } = await ran(kubelet, ["find", key]);
      assert.deepEqual([code, errors], [1, `kubelet-pods find: ${key} belongs to no pod on this node\n`]);
    }
    const away = await ran(`${kubelet.socketPath}.no`, ["find", "10.9.9.9", "--timeout", "50ms"], passing());
    assert.equal(away.code, 3);
    for (const words of [["\u001b[2J"], ["Web_0"], [], ["a/b", "c/d"]]) {
      const { code, errors } = await ran(kubelet, ["find", ...words]);
      assert.equal(code, 2, words.join());
      assert.ok(!errors.includes("\u001b"));
    }
  });
});

test("help COMMAND prints the same as COMMAND --help", async () => {
  const printed = async (...args: string[]) => {
    const console = consoleOf();
    return [await run(args, console), console.output];
  };
  for (const name of ["get", "ended"]) {
    const [code, help] = await printed("help", name);
    assert.deepEqual([code, help], await printed(name, "--help"));
    assert.match(String(help), new RegExp(`^Usage: kubelet-pods ${name} `));
  }
});

test("suggests the closest command for a misspelled one", async () => {
  for (const [word, meant] of [
    ["gte", "get"],
    ["container", "containers"],
    ["conform", "conformance"],
    ["xyzzy", undefined],
  ] as const) {
    const console = consoleOf();
    assert.equal(await run([word], console), 2);
    assert.equal(/did you mean (\w+)\?/.exec(console.errors)?.[1], meant);
  }
});
