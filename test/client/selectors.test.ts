// namespace and labelSelector: on lists, watches and informers, with masks that leave their fields out.

import assert from "node:assert/strict";
import { type PodEvent, podMask } from "../../src/index.js";
import type { SelectorOptions } from "../../src/pod/selector.js";
import { type PodJson, type ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { changed, kubeletAndClient } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";

const NAME = ["metadata.name"] as const;

const pod = (name: string, labels: Record<string, string> = {}, namespace = "shop"): PodJson => ({
  metadata: { name, namespace, uid: `uid-${name}`, labels, creationTimestamp: "2026-11-20T08:00:00Z" },
  spec: { containers: [{ name: "c", image: "i" }], nodeName: "node-1" },
  status: { phase: "Running" },
});

async function next<P>(watch: AsyncIterator<PodEvent<P>, undefined>): Promise<PodEvent<P>> {
  const { value, done } = await watch.next();
  assert.ok(!done && value);
  return value;
}

const names = (pods: readonly { metadata?: { name: string } | undefined }[]) =>
  pods.map(({ metadata }) => metadata?.name).sort();

describe("listPods", () => {
  const queries: [query: SelectorOptions, expected: string[]][] = [
    [{ namespace: "monitoring" }, ["node-exporter-9fj4c"]],
    [{ namespace: "nowhere" }, []],
    [{ labelSelector: "app=web" }, ["web-6bf9d8c7d5-2lm8z", "web-6bf9d8c7d5-hq6rn"]],
    [{ namespace: "shop", labelSelector: "app in (ledger, none)" }, ["ledger-1"]],
  ];
  for (const profile of ["1.37", "documented"] as const) {
    test(`returns the selected pods with only the masked fields from a ${profile} kubelet`, async (t) => {
      const { pods } = await kubeletAndClient(t, { profile, pods: sampleNode() });
      for (const [query, expected] of queries) {
        assert.deepEqual(names(await pods.listPods(query)), expected);
        const masked = await pods.listPods({ ...query, mask: NAME });
        assert.deepEqual(names(masked), expected);
        for (const { metadata } of masked as { metadata?: Record<string, unknown> }[]) {
          assert.deepEqual([metadata?.["namespace"], metadata?.["labels"]], ["", {}]);
        }
      }
    });
  }

  test("each call gets its own selection from a shared request", async (t) => {
    const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const lists = await Promise.all(queries.map(([query]) => pods.listPods({ ...query, mask: NAME })));
    assert.deepEqual(
      lists.map(names),
      queries.map(([, expected]) => expected),
    );
  });
});

/** A client and the events of a watch that has told everything there is. */
async function watching(t: TestContext, given: PodJson[], options: SelectorOptions & { resyncIntervalMs?: number }) {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: given });
  const watch = pods.watchPods({ ...options, mask: podMask("metadata.name", "status.message") });
  const told: string[] = [];
  for (;;) {
    const event = await next(watch);
    if (event.type === "SYNCED") {
      assert.equal(event.count, told.length, "SYNCED counts what is selected");
      return { kubelet, pods, watch, told: told.sort() };
    }
    assert.ok(event.type === "ADDED");
    told.push(event.pod.metadata?.name ?? "");
  }
}

/** Name and what became of it. */
function said<P extends { metadata?: { name: string } | undefined }>(event: PodEvent<P>): string {
  const cause = event.type === "DELETED" ? `(${event.cause})` : "";
  return "pod" in event ? `${event.type}${cause} ${event.pod.metadata?.name}` : event.type;
}

function relabel(kubelet: ReferenceKubelet, json: PodJson, labels: Record<string, string>, message: string) {
  const { metadata, ...rest } = changed(json, message);
  kubelet.updatePod({ ...rest, metadata: { ...metadata, labels } });
}

describe("watchPods", () => {
  test("emits ADDED when a pod starts to match and DELETED (deselected) when it stops", async (t) => {
    const [a, b] = [pod("a", { app: "web" }), pod("b", { app: "db" })];
    const { kubelet, watch, told } = await watching(t, [a, b], { labelSelector: "app=web" });
    assert.deepEqual(told, ["a"]);
    relabel(kubelet, b, { app: "web" }, "1");
    assert.equal(said(await next(watch)), "ADDED b");
    relabel(kubelet, a, { app: "db" }, "2");
    const left = await next(watch);
    assert.equal(said(left), "DELETED(deselected) a");
    assert.ok(left.type === "DELETED");
    assert.equal(left.pod.status?.message, "2", "the event has the current pod");
    relabel(kubelet, a, { app: "web" }, "3");
    assert.equal(said(await next(watch)), "ADDED a");
    relabel(kubelet, a, { app: "web" }, "4");
    assert.equal(said(await next(watch)), "MODIFIED a");
    await watch.return?.();
  });

  test("emits no events of pods that are not selected", async (t) => {
    const [a, b] = [pod("a", { app: "web" }), pod("b", { app: "db" })];
    const { kubelet, watch } = await watching(t, [a, b], { labelSelector: "app=web" });
    kubelet.finishPod("uid-b");
    kubelet.addPod(pod("c", { app: "db" }));
    kubelet.addPod(pod("d", { app: "web" }));
    assert.equal(said(await next(watch)), "ADDED d");
    await watch.return?.();
  });

  test("emits a change of labels alone at the next resync", async (t) => {
    const [a, b] = [pod("a", { app: "web" }), pod("b", { app: "db" })];
    const options = { labelSelector: "app=web", resyncIntervalMs: 1_000 };
    const { kubelet, watch } = await watching(t, [a, b], options);
    kubelet.setLabels("uid-a", { app: "db" });
    kubelet.setLabels("uid-b", { app: "web" });
    assert.deepEqual([said(await next(watch)), said(await next(watch))].sort(), ["ADDED b", "DELETED(deselected) a"]);
    await watch.return?.();
  });

  test("DELETED of a finished pod has the cause finished, not deselected", async (t) => {
    const { kubelet, watch } = await watching(t, [pod("a", { app: "web" })], { labelSelector: "app=web" });
    kubelet.finishPod("uid-a");
    let event = await next(watch);
    while (event.type !== "DELETED") event = await next(watch);
    assert.equal(event.cause, "finished");
    await watch.return?.();
  });

  test("two watches of one client have independent selectors", async (t) => {
    const [a, b] = [pod("a", { app: "web" }), pod("b", { app: "db", own: "b" })];
    const { kubelet, pods, watch } = await watching(t, [a, b], { labelSelector: "app=web" });
    const other = pods.watchPods({ labelSelector: "own=b", mask: NAME });
    assert.equal(said(await next(other)), "ADDED b");
    assert.equal(said(await next(other)), "SYNCED");
    relabel(kubelet, b, { app: "web", own: "b" }, "1");
    assert.equal(said(await next(watch)), "ADDED b");
    kubelet.finishPod("uid-b");
    const ends = await Promise.all(
      [watch, other].map(async (w) => {
        for (;;) {
          const event = await next<{ metadata?: { name: string } | undefined }>(w);
          if (event.type === "DELETED") return event.cause;
        }
      }),
    );
    assert.deepEqual(ends, ["finished", "finished"]);
  });
});

test("every read of an informer returns only pods that match now", async (t) => {
  const [a, b] = [pod("a", { app: "web" }), pod("b", { app: "db" })];
  const { kubelet, pods } = await kubeletAndClient(t, { pods: [a, b] });
  const informer = pods.informer({ labelSelector: "app=web", mask: NAME });
  await informer.synced();
  const read = () => [
    informer.size,
    names(informer.list()),
    informer.get({ uid: "uid-a" })?.metadata?.name,
    informer.get({ uid: "uid-b" })?.metadata?.name,
    informer.get({ namespace: "shop", name: "b" })?.metadata?.name,
  ];
  assert.deepEqual(read(), [1, ["a"], "a", undefined, undefined]);
  const lists = informer.snapshots();
  assert.deepEqual(names((await lists.next()).value ?? []), ["a"]);
  relabel(kubelet, b, { app: "web" }, "1");
  assert.deepEqual(names((await lists.next()).value ?? []), ["a", "b"]);
  assert.deepEqual(read(), [2, ["a", "b"], "a", "b", "b"]);
  relabel(kubelet, a, { app: "db" }, "2");
  assert.deepEqual(names((await lists.next()).value ?? []), ["b"]);
  assert.deepEqual(read(), [1, ["b"], undefined, "b", "b"]);
});

describe("rejects invalid selectors", () => {
  const refused: [options: SelectorOptions, message: RegExp][] = [
    [{ namespace: "" }, /namespace must be the name of a namespace, not ""; leave it out for all namespaces/],
    [{ namespace: "Shop" }, /namespace must be the name of a namespace, not "Shop"/],
    [{ labelSelector: "app=(" }, /labelSelector: "app=\(": at character 5/],
    [{ labelSelector: { app: "web" } as never }, /labelSelector must be a string/],
  ];
  for (const [options, message] of refused) {
    test(String(message), async (t) => {
      const { pods } = await kubeletAndClient(t);
      await assert.rejects(pods.listPods(options), message);
      assert.throws(() => pods.watchPods(options), message);
      assert.throws(() => pods.informer(options), message);
    });
  }

  test("getPod rejects a selector", async (t) => {
    const { pods } = await kubeletAndClient(t);
    await assert.rejects(
      pods.getPod("u", { namespace: "shop" } as never),
      /getPod: unknown option namespace; options: /,
    );
  });
});

describe("events and snapshots of an informer agree with its reads after an earlier watch", () => {
  /** A client that has a stream already, which asks for what is told, and for less than an informer looks up. */
  async function narrow(t: TestContext) {
    const { pods } = await kubeletAndClient(t, { pods: [pod("a"), pod("b")] });
    const watch = pods.watchPods({ mask: NAME });
    while ((await next(watch)).type !== "SYNCED");
    return pods;
  }

  test("snapshots", async (t) => {
    const informer = (await narrow(t)).informer({ mask: NAME });
    for await (const list of informer.snapshots()) {
      assert.deepEqual([names(list), informer.state.phase], [["a", "b"], "synced"]);
      break;
    }
  });

  test("events", async (t) => {
    const informer = (await narrow(t)).informer({ mask: NAME });
    for await (const event of informer) {
      if (event.type === "ADDED") assert.ok(informer.get({ namespace: "shop", name: event.pod.metadata?.name ?? "" }));
      if (event.type !== "SYNCED") continue;
      assert.deepEqual([event.count, informer.size, informer.state.phase], [2, 2, "synced"]);
      break;
    }
  });
});

test("excludes an unreadable pod from SYNCED.count and size", async (t) => {
  const [a, b] = [pod("a", { legacy: "1" }), pod("b")];
  const { kubelet, pods } = await kubeletAndClient(t, { pods: [a, b] });
  const narrow = pods.watchPods({ mask: ["metadata.uid"] });
  while ((await next(narrow)).type !== "SYNCED");
  kubelet.faults.corruptPod("uid-a");
  // Of the first one, the fields that the library reads are known, and no image.
  const mask = [...NAME, "spec.containers.image"] as const;
  const watch = pods.watchPods({ labelSelector: "!legacy2", mask });
  assert.equal(said(await next(watch)), "ADDED b");
  const synced = await next(watch);
  assert.ok(synced.type === "SYNCED");
  const informer = pods.informer({ labelSelector: "!legacy2", mask });
  await informer.synced();
  assert.deepEqual(
    [synced.count, informer.size, informer.list().length, [...informer.state.unreadable]],
    [1, 1, 1, ["uid-a"]],
  );
});

test("reads inherited options", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  class Shop {
    get namespace() {
      return "shop";
    }
  }
  const shop = new Shop();
  assert.equal((await pods.listPods(shop)).length, 7);
  await assert.rejects(pods.listPods(Object.create({ namespace: 5 })), /namespace must be a string/);
});

test("synced() has no limit with 0 or Infinity and accepts timeouts beyond setTimeout's maximum", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: [pod("a")], initializing: true });
  const informer = pods.informer();
  const waiting = [0, Number.POSITIVE_INFINITY, 3e9].map((timeoutMs) => informer.synced({ timeoutMs }));
  for await (const { type } of informer) if (type === "DISCONNECTED") break; // it knows what the kubelet says
  await assert.rejects(informer.synced({ timeoutMs: 1 }), { code: "initializing" });
  kubelet.setInitializing(false);
  await Promise.all(waiting);
  await assert.rejects(informer.synced({ timeoutMs: -1 }), { code: "invalid-argument" });
  assert.throws(
    () => informer.snapshots({ sginal: 1 } as never),
    /snapshots: unknown option sginal; did you mean signal\? options: /,
  );
});
