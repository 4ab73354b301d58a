// `kubelet-pods conditions` and `probe`, as a shell sees them.

import assert from "node:assert/strict";
import { join } from "node:path";
import { sampleNode } from "../../src/testing/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";
import { kubeletOf, passing, ran, running } from "./console.js";

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
    const [info] = JSON.parse(output) as { name: string; static: boolean; conditions: { type: string }[] }[];
    assert.deepEqual([info?.name, info?.static], ["ledger-1", false]);
    assert.ok(info?.conditions.some(({ type }) => type === "Ready"));
    assert.equal((await ran(kubelet, ["conditions", "nobody"])).code, 1);
  });

  test("-w shows those again of which a condition has changed, those that go, and what is unverified", async (t) => {
    const surroundings = passing();
    const kubelet = await kubeletOf(t, sampleNode(), surroundings);
    const { console, until } = running(t, kubelet, ["conditions", "-w", "-n", "shop"], surroundings);
    await until(({ output }) => output.includes("web-6bf9d8c7d5-hq6rn"));
    const before = console.output.length;
    await kubelet.restart({ firstStatusMs: 5_000 });
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
    assert.equal(JSON.parse(absent.output).code, "socket-missing");
  });
});
