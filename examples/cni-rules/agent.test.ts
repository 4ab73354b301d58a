// node --import tsx --test examples/cni-rules/agent.test.ts

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type InformerOptions, PodsClient } from "kubelet-pods";
import { type PodInput, ReferenceKubelet, type ReferenceKubeletOptions } from "kubelet-pods/testing";
import { keepRules, RULES_MASK, type Rule } from "./agent.js";

const [A, B, S] = ["a", "b", "5"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000001`) as [
  string,
  string,
  string,
];
const pod = (uid: string, source = "api"): PodInput => ({
  metadata: { uid, namespace: "shop", name: uid.slice(0, 4), annotations: { "kubernetes.io/config.source": source } },
  spec: { containers: [{ name: "main", image: "app" }] },
});

type Options = InformerOptions & { graceMs?: number; sweepIntervalMs?: number };

/** A node with running pods, rules that outlive agents, and agents that the test starts. */
async function node(t: TestContext, options: ReferenceKubeletOptions = {}) {
  const kubelet = await ReferenceKubelet.start({ pods: [pod(A), pod(B), pod(S, "file")], ...options });
  t.after(() => kubelet.close());
  for (const [i, uid] of [A, B, S].entries()) kubelet.startPod(uid, { ip: `10.1.0.${i + 1}` });
  const rules = new Map<string, Rule>();
  const keyOf = ({ uid, ip }: Rule) => `${uid} ${ip}`;
  let wake = () => {};
  const changed = () => wake();
  const start = ({ graceMs = 0, sweepIntervalMs, ...more }: Options = {}) => {
    const client = new PodsClient({ socketPath: kubelet.socketPath });
    const informer = client.informer({ ...more, mask: RULES_MASK });
    const ended = keepRules(
      informer,
      {
        list: () => rules.values(),
        add(rule) {
          rules.set(keyOf(rule), rule);
          changed();
        },
        remove(rule) {
          rules.delete(keyOf(rule));
          changed();
        },
      },
      { graceMs, ...(sweepIntervalMs && { sweepIntervalMs }) },
    ).catch(() => {});
    const end = async () => {
      await client.close();
      await ended;
    };
    t.after(end);
    return { client, informer, end };
  };
  /** Waits until there are rules for exactly these addresses. */
  const until = async (...wanted: string[]) => {
    while (JSON.stringify([...rules.keys()].sort()) !== JSON.stringify([...wanted].sort()))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  const ALL = [`${A} 10.1.0.1`, `${B} 10.1.0.2`, `${S} 10.1.0.3`] as const;
  const add = (uid: string, ip: string) => rules.set(`${uid} ${ip}`, { uid, ip });
  return { kubelet, rules, start, until, add, ALL };
}

test("a new agent adds missing rules, and removes those of deleted pods", async (t) => {
  const { start, until, add, ALL } = await node(t);
  add("gone", "10.1.0.9");
  add(A, "10.1.0.8");
  start();
  await until(...ALL);
});

test("a deletion, a force deletion and a new sandbox", async (t) => {
  const { kubelet, start, until, ALL } = await node(t);
  start();
  await until(...ALL);
  kubelet.finishPod(A);
  await until(ALL[1], ALL[2]);
  kubelet.startPod(B, { ip: "10.1.0.7" });
  await until(`${B} 10.1.0.7`, ALL[2]);
  kubelet.removePod(B); // it has left the lists, but is still running
  kubelet.startPod(S, { ip: "10.1.0.6" });
  await until(`${B} 10.1.0.7`, `${S} 10.1.0.6`);
  kubelet.finishPod(B);
  await until(`${S} 10.1.0.6`);
});

test("an agent that starts with a kubelet of 1.36 that has read nothing removes nothing of a living pod", async (t) => {
  const { kubelet, rules, start, until, ALL } = await node(t, { profile: "1.36" });
  const first = start();
  await until(...ALL);
  await first.end();
  await kubelet.restart({ initializingMs: 300 });
  const removed: string[] = [];
  const { delete: remove } = rules;
  rules.delete = (key) => removed.push(key) > 0 && remove.call(rules, key);
  rules.set("gone 10.1.0.9", { uid: "gone", ip: "10.1.0.9" });
  const { client } = start();
  let added = 0;
  for await (const { type } of client.watchPods()) if (type === "ADDED" && ++added === 3) break;
  assert.deepEqual([removed, rules.size], [[], 4], "that of the pod that is gone stays until it is proved");
});

test("a pod that cannot be read keeps its rules, also for a fresh agent", async (t) => {
  const { kubelet, rules, start, until, add, ALL } = await node(t);
  add("gone", "10.1.0.9");
  for (const [uid, ip] of [
    [A, "10.1.0.1"],
    [B, "10.1.0.2"],
  ] as const)
    add(uid, ip);
  kubelet.faults.corruptPod(A);
  start();
  await until(...ALL);
  assert.ok(rules.has(ALL[0]));
});

test("restarts, of the kubelet with static pods, and of the agent, remove nothing", async (t) => {
  const { kubelet, rules, start, until, ALL } = await node(t);
  const first = start();
  await until(...ALL);
  await kubelet.restart({ downtimeMs: 20, firstStatusMs: 50 });
  await first.informer.synced();
  await first.end();
  const { client } = start();
  let added = 0;
  for await (const { type } of client.watchPods()) if (type === "ADDED" && ++added === 3) break;
  assert.deepEqual([...rules.keys()].sort(), [...ALL].sort());
});

test("a fresh agent keeps the rules of a pod that runs on and is in no list, for as long as it may", async (t) => {
  const { kubelet, rules, start, until, ALL } = await node(t);
  const first = start();
  await until(...ALL);
  await first.end();
  kubelet.removePod(A); // a forced deletion, or a removed manifest
  const { client } = start({ graceMs: 60_000 });
  for await (const { type } of client.watchPods()) if (type === "SYNCED") break;
  const informer = client.informer();
  assert.deepEqual(await informer.confirmAbsent([A]), [A]);
  assert.ok(rules.has(ALL[0]));
  const { end } = start({ graceMs: 1 });
  await until(ALL[1], ALL[2]);
  await end();
});

test("the rules of a pod that has finished meanwhile go when its object has", async (t) => {
  const { kubelet, rules, start, until, ALL } = await node(t);
  const first = start();
  await until(...ALL);
  await first.end();
  kubelet.finishPod(A);
  const { informer } = start({ sweepIntervalMs: 20 });
  for (const _ of ["the list of its first look", "one after it"])
    assert.deepEqual(await informer.confirmAbsent([A]), []);
  assert.ok(rules.has(ALL[0]), "it is listed");
  kubelet.removePod(A);
  await until(ALL[1], ALL[2]);
});

test("an error of a rule ends the agent, and is reported", async (t) => {
  const { kubelet } = await node(t);
  await using client = new PodsClient({ socketPath: kubelet.socketPath });
  const informer = client.informer({ mask: RULES_MASK, resyncIntervalMs: 1_000 });
  const broken = new Error("nft has failed");
  const rules = {
    list: () => [{ uid: "gone", ip: "10.1.0.9" }],
    add: () => {},
    remove() {
      throw broken;
    },
  };
  await assert.rejects(keepRules(informer, rules, { graceMs: 0 }), broken);
});
