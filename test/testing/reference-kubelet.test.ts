import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { isReady, type Pod, PodsClient } from "../../src/index.js";
import {
  churn,
  maskedPod,
  type PodInput,
  parsePods,
  ReferenceKubelet,
  sampleNode,
  seededRandom,
} from "../../src/testing/index.js";
import { socketIdentity } from "../../src/wire/socket-path.js";
import { podLists } from "../helpers/fixtures.js";
import { kubeletAndClient, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";

const SEEN = "kubernetes.io/config.seen";
const SOURCE = "kubernetes.io/config.source";

test("creates, abandons and recreates its socket like a kubelet", async (t) => {
  const socketPath = join(temporaryDirectory(t), "pods-api", "pods-api.sock");
  const { kubelet, pods } = await kubeletAndClient(t, { socketPath, pods: sampleNode() }, { retry: false });
  assert.equal(statSync(dirname(socketPath)).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(dirname(socketPath)), ["pods-api.sock"], "the temporary file is removed");
  const before = socketIdentity(socketPath);

  const restarted = kubelet.restart({ downtimeMs: 50 });
  const error = await pods.listPods().then(
    () => pods.listPods(),
    (e) => e,
  );
  assert.match(error.code, /^(connection-lost|connection-refused)$/, "the file stays while nothing listens");
  await restarted;
  assert.notEqual(socketIdentity(socketPath), before);
  assert.equal((await pods.listPods({ retry: true })).length, sampleNode().length);

  await kubelet.close();
  assert.deepEqual(readdirSync(dirname(socketPath)), []);
});

test("close() leaves nothing behind, and returns the same promise twice", async () => {
  const kubelet = await ReferenceKubelet.start();
  assert.equal(kubelet.close(), kubelet.close());
  await kubelet.close();
  assert.equal(existsSync(dirname(kubelet.socketPath)), false);
});

test("a failed start leaves nothing behind, and replaces no file or socket in use", async (t) => {
  const directory = temporaryDirectory(t);
  const { TMPDIR } = process.env;
  t.after(() => {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  });
  process.env["TMPDIR"] = directory; // what is left behind would lie here
  const file = join(directory, "file");
  writeFileSync(file, "mine");
  const { kubelet } = await kubeletAndClient(t, { socketPath: join(directory, "taken.sock") });
  const before = readdirSync(directory);
  const cases: [options: Parameters<typeof ReferenceKubelet.start>[0], code: string][] = [
    [{ pods: [{ metadata: { name: "a" } }] }, "invalid-argument"],
    [{ pods: [...sampleNode(), ...sampleNode()] }, "invalid-argument"],
    [{ profile: "1.35" as never }, "invalid-argument"],
    [{ socketPath: file }, "not-a-socket"],
    [{ socketPath: directory }, "not-a-socket"],
    [{ socketPath: kubelet.socketPath }, "invalid-argument"],
    [{ socketPath: `/${"a".repeat(120)}` }, "invalid-path"],
    [{ socketPath: `${join(directory, "b".repeat(105 - directory.length))}/s` }, "invalid-path"],
  ];
  for (const [options, code] of cases) await assert.rejects(ReferenceKubelet.start(options), { code });
  assert.equal(readFileSync(file, "utf8"), "mine");
  assert.deepEqual(readdirSync(directory), before);
});

test("restarts run one after another, and close() ends them", async () => {
  const kubelet = await ReferenceKubelet.start();
  const [a, b] = [kubelet.restart(), kubelet.restart({ downtimeMs: 60_000 })];
  await a;
  await kubelet.close();
  await b;
  await assert.rejects(kubelet.restart(), { code: "closed" });
  assert.throws(() => kubelet.addPod({ metadata: { uid: "a" } }), { code: "closed" });
  assert.equal(existsSync(kubelet.socketPath), false);
});

test("the pods property returns copies", async (t) => {
  const { kubelet } = await kubeletAndClient(t, { pods: sampleNode() });
  for (const pod of kubelet.pods) if (pod.metadata) pod.metadata.name = "changed";
  assert.ok(kubelet.pods.every((pod) => pod.metadata?.name !== "changed"));
});

test("churn performs the step that it returns, and depends only on its seed", async (t) => {
  const stories: string[][] = [];
  for (const _ of [1, 2]) {
    const { kubelet } = await kubeletAndClient(t, { pods: sampleNode() });
    const random = seededRandom(3);
    const story: string[] = [];
    for (let i = 0; i < 200; i++) {
      const before = new Map(kubelet.pods.map((pod) => [pod.metadata?.uid, pod]));
      const step = churn(kubelet, random, new Date(0));
      const after = new Map(kubelet.pods.map((pod) => [pod.metadata?.uid, pod]));
      assert.equal(after.size - before.size, { add: 1, remove: -1 }[step as string] ?? 0, step);
      const changed = [...after].filter(([uid, pod]) => !isDeepStrictEqual(before.get(uid), pod)).map(([, pod]) => pod);
      assert.equal(changed.length, step === "remove" ? 0 : 1, step);
      const [pod] = changed;
      if (step === "terminate") assert.ok(pod?.metadata?.deletionTimestamp);
      if (step === "finish") assert.match(pod?.status?.phase ?? "", /^(Succeeded|Failed)$/);
      if (step === "start") assert.ok(pod?.status?.containerStatuses.every((c) => c.ready && c.state?.running));
      if (step === "unready") assert.ok(pod?.status?.containerStatuses.every((c) => !c.ready));
      if (step === "add") assert.equal(pod?.status?.phase, "Pending");
      story.push(step);
    }
    stories.push(story);
    assert.deepEqual([...new Set(story)].sort(), [
      "add",
      "finish",
      "remove",
      "restart",
      "start",
      "terminate",
      "unready",
    ]);
  }
  assert.deepEqual(stories[0], stories[1]);
  const { kubelet } = await kubeletAndClient(t);
  assert.equal(
    churn(kubelet, () => 0),
    "none",
  );
});

test("churn keeps the pods of each owner, and the pods that the docs name", async (t) => {
  const ownersOf = (pods: readonly PodInput[]) => {
    const counts = new Map<string, number>();
    for (const { metadata } of pods) {
      const [owner] = metadata?.ownerReferences ?? [];
      const name = owner?.kind === "StatefulSet" ? metadata?.name : "";
      const key = `${owner?.kind} ${owner?.name} ${name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  };
  const first = ownersOf(sampleNode());
  // README and the guides name them, so whoever tries that beside a node that churns finds them.
  const named = sampleNode().filter(({ metadata }) =>
    ["web-6bf9d8c7d5-2lm8z", "payments-58dd4c7b9-k3vbp", "ledger-1"].includes(metadata?.name ?? ""),
  );
  assert.equal(named.length, 3);
  for (const seed of [1, 2]) {
    const { kubelet } = await kubeletAndClient(t, { pods: sampleNode() });
    const random = seededRandom(seed);
    const steps = new Set<string>();
    for (let i = 0; i < 2_000; i++) {
      if (i >= 1_000) steps.add(churn(kubelet, random));
      else churn(kubelet, random);
    }
    const { length } = kubelet.pods;
    assert.ok(length > sampleNode().length / 2 && length < sampleNode().length * 2, `${length} pods`);
    assert.ok(steps.has("add") && steps.has("remove"));
    for (const [owner, count] of ownersOf(kubelet.pods))
      assert.ok(count <= (first.get(owner) ?? 0), `${count} ${owner}`);
    for (const { metadata } of named) {
      const pod = kubelet.pods.find((each) => each.metadata.uid === metadata?.uid);
      assert.equal(pod?.metadata.deletionTimestamp, undefined);
      assert.equal(pod?.metadata.name, metadata?.name);
    }
    const running = kubelet.pods.filter((pod) => pod.status?.containerStatuses.some(({ state }) => state?.running));
    assert.ok(running.every((pod) => pod.status?.containerStatuses[0]?.containerID !== ""));
  }
});

test("two kubelets have separate pods", async (t) => {
  const [a, b] = await Promise.all([kubeletAndClient(t, { pods: sampleNode() }), kubeletAndClient(t)]);
  assert.deepEqual([(await a.pods.listPods()).length, (await b.pods.listPods()).length], [sampleNode().length, 0]);
});

test("rejects invalid input and changes nothing", async (t) => {
  const { kubelet } = await kubeletAndClient(t);
  assert.throws(() => kubelet.addPod({ metadata: { name: "a" } }), {
    code: "invalid-argument",
    message: /pod \/a: metadata\.uid is missing/,
  });
  assert.throws(() => kubelet.addPod({ kind: "PodList" } as never), { code: "invalid-argument" });
  assert.throws(() => kubelet.addPod({ metadata: { name: "a" }, spec: 1 } as never), {
    message: /^invalid-argument: pod a: spec: expected/,
  });
  await assert.rejects(kubelet.restart({ downtime: 3 } as never), { message: /restart: unknown option downtime/ });
  await assert.rejects(ReferenceKubelet.start({ pod: [] } as never), { message: /unknown option pod;/ });
  assert.throws(() => kubelet.finishPod("nobody"), { code: "invalid-argument" });
  assert.throws(() => kubelet.removePod("nobody"), { code: "invalid-argument" });
  assert.deepEqual(kubelet.pods, []);
});

test("serves a mirror pod with the UID and annotations of its static pod", async (t) => {
  const annotations = { "kubernetes.io/config.hash": "abc", "kubernetes.io/config.mirror": "abc", other: "1" };
  const mirror = { metadata: { name: "etcd-node-1", uid: "of-the-mirror", resourceVersion: "7", annotations } };
  const { pods } = await kubeletAndClient(t, { pods: [mirror] });
  const [pod] = await pods.listPods();
  assert.equal(pod?.metadata?.uid, "abc");
  const { [SEEN]: _, ...others } = pod?.metadata.annotations ?? {};
  assert.deepEqual(others, { "kubernetes.io/config.hash": "abc", [SOURCE]: "file", other: "1" });
});

test("sets config.seen when it first sees a pod, and again after a restart", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t);
  kubelet.addPod({ metadata: { uid: "u1", namespace: "shop", name: "a" }, spec: { containers: [{ name: "a" }] } });
  const stampOf = async () => (await pods.getPod("u1")).metadata.annotations;
  const { [SEEN]: first = "", [SOURCE]: source } = await stampOf();
  assert.ok(Date.parse(first) > 0);
  assert.equal(source, "api");
  kubelet.updatePod({ metadata: { uid: "u1", namespace: "shop", name: "a" }, spec: { containers: [{ name: "b" }] } });
  assert.equal((await stampOf())[SEEN], first);
  await kubelet.restart({ downtimeMs: 1_000 });
  assert.notEqual((await stampOf())[SEEN], first);
});

test("each pod gets an address of 10.245.0.0/16", async (t) => {
  const { kubelet } = await kubeletAndClient(t);
  for (let i = 0; i < 2_000; i++) {
    kubelet.addPod({ metadata: { uid: `u${i}`, name: `p${i}` }, spec: { containers: [] } });
    kubelet.startPod(`u${i}`);
    if (i % 200 === 0) await turn(); // a kubelet loses events where too many come at once
  }
  const addresses = kubelet.pods.map(({ status }) => status.podIP);
  for (const address of addresses) assert.match(address, /^10\.245\.\d+\.\d+$/);
  assert.ok(addresses.every((address) => isIPv4(address)));
  assert.ok(new Set(addresses).size > 1_900, "almost all addresses are unique");
});

describe("parsePods", () => {
  test("rejects unquoted values that YAML 1.1 and 1.2 read differently, with their line", async () => {
    const manifest = (mode: string) =>
      `kind: Pod\nmetadata: { name: a }\nspec:\n  volumes: [{ configMap: { defaultMode: ${mode} } }]\n`;
    for (const value of ["0644", "yes", "off", "1_000", "0b11", "0o17"]) {
      const message = new RegExp(`line 4: ${value} has different values in YAML 1.1`);
      await assert.rejects(parsePods(manifest(value)), { code: "invalid-argument", message });
    }
    for (const value of ["420", "true", '"0644"', "1:30", "2026-11-21T10:00:00Z", "null", "0x1f", "1.5"]) {
      assert.equal((await parsePods(manifest(value))).length, 1, value);
    }
  });

  test("reads texts such as e3 and . as strings, and rejects infinities", async () => {
    const [pod] = await parsePods(
      "kind: Pod\nmetadata:\n  name: e3\n  managedFields:\n  - fieldsV1:\n      f:metadata:\n        .: {}\n",
    );
    assert.equal(pod?.metadata?.name, "e3");
    assert.deepEqual(pod?.metadata?.managedFields?.[0]?.fieldsV1, { "f:metadata": { ".": {} } });
    for (const value of [".inf", "-.INF", ".NaN"]) {
      const message = new RegExp(`line 2: ${value} is not a JSON number`);
      await assert.rejects(parsePods(`kind: Pod\nspec: { priority: ${value} }\n`), { message });
    }
  });

  test("ignores a BOM, rejects UTF-16, and accepts a list with null items", async () => {
    assert.equal((await parsePods(`\ufeff${JSON.stringify({ kind: "Pod" })}`)).length, 1);
    assert.equal((await parsePods("\ufeffkind: Pod")).length, 1);
    const utf16 = Buffer.from("kind: Pod", "utf16le").toString("utf8");
    await assert.rejects(parsePods(utf16), { message: /the text is not UTF-8; if it is UTF-16, save it as UTF-8/ });
    assert.deepEqual(await parsePods('{"kind":"PodList","items":null}'), []);
    await assert.rejects(parsePods('{"kind":"PodList","items":3}'), { message: /items must be a list/ });
    await assert.rejects(parsePods('{"kind":"PodList"}'), { message: /items must be a list/ });
  });

  const a = { kind: "Pod", metadata: { uid: "a" } };
  const b = { kind: "Pod", metadata: { uid: "b" } };
  const cases: [what: string, text: string][] = [
    ["a PodList", JSON.stringify({ kind: "PodList", items: [a, b] })],
    ["a List", JSON.stringify({ kind: "List", items: [a, b] })],
    ["an array", JSON.stringify([a, b])],
    ["JSON documents", `${JSON.stringify(a)}\n---\n${JSON.stringify(b)}\n---\n`],
    ["YAML documents", "---\nkind: Pod\nmetadata: {uid: a}\n---\nkind: Pod\nmetadata: {uid: b}\n"],
    ["a YAML list", "kind: PodList\nitems:\n- {kind: Pod, metadata: {uid: a}}\n- {kind: Pod, metadata: {uid: b}}\n"],
  ];
  for (const [what, text] of cases) {
    test(`reads ${what}`, async () => assert.deepEqual(await parsePods(text), [a, b]));
  }
  test("rejects what is no pod", async () => {
    for (const text of ["hello: 1", '{"a":1}', "[{}]"])
      await assert.rejects(parsePods(text), { code: "invalid-argument", message: /is not a Pod; a pod has kind: Pod/ });
  });
  test("reads one Pod", async () => assert.deepEqual(await parsePods(JSON.stringify(a)), [a]));
  test("rejects other kinds and invalid texts without quoting them", async () => {
    const secret = { kind: "List", items: [a, { kind: "Secret", data: "hidden" }] };
    await assert.rejects(parsePods(JSON.stringify(secret)), {
      message: "invalid-argument: document 1.items[1]: expected a Pod, found a Secret",
    });
    await assert.rejects(
      parsePods("{hidden"),
      (e: Error) => /not valid YAML: see line 1/.test(e.message) && !/hidden/.test(e.message),
    );
    await assert.rejects(parsePods('{"kind": "Pod", "hidden"'), {
      message: "invalid-argument: the pods are not valid JSON: it ends too early",
    });
    await assert.rejects(parsePods('{\n"kind": "Pod",\nhidden}'), {
      message: "invalid-argument: the pods are not valid JSON: see line 3",
    });
    await assert.rejects(parsePods("hidden"), { message: "invalid-argument: document 1 must be an object" });
  });
});

test("serves the recorded pods of a real kubelet", async (t) => {
  // Every name once: mirror pods are served as the static pods behind them.
  const given = podLists().at(-1)?.pods ?? [];
  const { kubelet } = await kubeletAndClient(t, { pods: given });
  await using pods = new PodsClient({ socketPath: kubelet.socketPath });
  const names = (await pods.listPods()).map((pod) => pod.metadata?.name);
  assert.deepEqual(names.sort(), given.map((pod) => pod.metadata?.name).sort());
});

test("maskedPod() returns the same pod as a client with the mask", async (t) => {
  const json = {
    metadata: { uid: "u1", name: "web", labels: { app: "web" } },
    status: { podIPs: [{ ip: "10.1.2.3" }] },
  };
  const { pods } = await kubeletAndClient(t, { pods: [json] });
  const mask = ["metadata.name", "status.podIPs"] as const;
  const made = maskedPod(mask, json);
  const got = await pods.getPod("u1", { mask });
  assert.deepEqual(made, got);
  assert.equal(JSON.stringify(made), JSON.stringify(got));
  assert.equal(made.status.podIPs[0]?.ip, "10.1.2.3");
  assert.throws(() => isReady(made as unknown as Pod), { code: "invalid-argument" });
  assert.throws(() => maskedPod(["metadata.nme" as "metadata.name"], json), { code: "invalid-argument" });
});
