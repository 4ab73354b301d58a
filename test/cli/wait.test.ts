// `kubelet-pods wait`, as a shell sees it.

import assert from "node:assert/strict";
import { test } from "../helpers/test.js";
import { kubeletOf, passing, ran, running } from "./console.js";

const named = (name: string, app = "web") => ({
  metadata: { uid: `uid-${name}`, namespace: "shop", name, labels: { app } },
  spec: { containers: [{ name: "c", image: "i" }] },
});

test("waits for a condition of pods by name and by label, and reports each pod once", async (t) => {
  const kubelet = await kubeletOf(t, [named("a"), named("b"), named("c", "other")]);
  kubelet.startPod("uid-a");
  const { console, code, until } = running(t, kubelet, ["wait", "-l", "app=web", "--for=condition=ready"]);
  await until(({ output }) => output.includes("pod/a"));
  kubelet.startPod("uid-b");
  assert.equal(await code, 0);
  assert.deepEqual([console.output, console.errors], ["pod/a condition met\npod/b condition met\n", ""]);
  assert.equal(
    (await ran(kubelet, ["wait", "shop/a", "--for", "condition=Ready=True"])).output,
    "pod/a condition met\n",
  );
  kubelet.setReady("uid-a", false);
  assert.equal((await ran(kubelet, ["wait", "a", "--for", "condition=Ready=False"])).code, 0);
});

test("--for=delete waits for a deletion, and succeeds for a missing pod", async (t) => {
  const surroundings = passing();
  const kubelet = await kubeletOf(t, [named("a")], surroundings);
  kubelet.startPod("uid-a");
  const args = ["wait", "a", "--for=delete", "--timeout", "1h"];
  const { console, code } = running(t, kubelet, args, surroundings);
  while (kubelet.watchers === 0) await new Promise((resolve) => setImmediate(resolve));
  kubelet.deletePod("uid-a");
  kubelet.finishPod("uid-a");
  kubelet.removePod("uid-a");
  assert.equal(await code, 0);
  assert.equal(console.output, "pod/a condition met\n");
  kubelet.addPod(named("b")); // a node without pods proves nothing
  assert.equal((await ran(kubelet, ["wait", "nobody", "--for=delete"], surroundings)).code, 0);
});

test("Ctrl-C exits with 1 and prints nothing", async (t) => {
  const kubelet = await kubeletOf(t, [named("a")]);
  const { console, code, end } = running(t, kubelet, ["wait", "a", "--for=delete", "--timeout=1h"]);
  while (kubelet.watchers === 0) await new Promise((resolve) => setImmediate(resolve));
  end.abort(new Error("interrupted"));
  assert.deepEqual([await code, console.output, console.errors], [1, "", ""]);
});

test("waits through a restart of the kubelet", async (t) => {
  const surroundings = passing();
  const kubelet = await kubeletOf(t, [named("a")], surroundings);
  const args = ["wait", "a", "--for=condition=Ready", "--timeout=1h"];
  const { console, code, until } = running(t, kubelet, args, surroundings);
  while (kubelet.watchers === 0) await new Promise((resolve) => setImmediate(resolve));
  await kubelet.restart({ kill: true, downtimeMs: 100 });
  kubelet.startPod("uid-a");
  await until(({ output }) => output !== "");
  assert.deepEqual([await code, console.output], [0, "pod/a condition met\n"]);
});

test("exits with 1 on a timeout or missing pods, and with 2 for an invalid condition", async (t) => {
  const kubelet = await kubeletOf(t, [named("a")]);
  const late = await ran(kubelet, ["wait", "a", "--for=condition=Ready", "--timeout=1s"], passing());
  assert.deepEqual([late.code, late.output], [1, ""]);
  assert.match(late.errors, /timed out waiting for the condition on pod\/a\n$/);
  assert.equal((await ran(kubelet, ["wait", "nobody", "--for=condition=Ready"])).code, 1);
  assert.equal((await ran(kubelet, ["wait", "-l", "app=none", "--for=condition=Ready"])).code, 1);
  for (const args of [["a"], ["a", "--for=condition="], ["a", "--for=jsonpath={}"], ["--for=delete"]]) {
    assert.equal((await ran(kubelet, ["wait", ...args])).code, 2, args.join(" "));
  }
  const once = await ran(kubelet, ["wait", "--all", "--for=condition=Ready", "--timeout=0"]);
  assert.deepEqual(
    [once.code, once.errors],
    [1, "kubelet-pods wait: timed out waiting for the condition on pod/a\n"],
    "looked at once",
  );
  const absent = await ran(`${kubelet.socketPath}.no`, ["wait", "a", "--for=delete", "--timeout=50ms"], passing());
  assert.equal(absent.code, 3);
});
