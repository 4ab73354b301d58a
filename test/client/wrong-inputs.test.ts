// What a compiler refuses, and JavaScript gives all the same: each is answered with what to write, and never with a silent wrong answer.

import assert from "node:assert/strict";
import { kubeletTransport } from "../../src/connect/index.js";
import {
  atLeast,
  cgroupPathOf,
  containersOf,
  isReady,
  logPathOf,
  parseLogPath,
  podMask,
  processIdentity,
  qosOf,
} from "../../src/index.js";
import { kubeletHttp } from "../../src/sources/kubelet-http/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { kubeletAndClient } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";

/** A function that takes anything. */
type Loose = (...args: unknown[]) => unknown;

const refused = (words: RegExp) => ({ code: "invalid-argument", message: words });

describe("wrong inputs", () => {
  test("of an informer", async (t) => {
    const { pods, kubelet } = await kubeletAndClient(t, { pods: sampleNode() });
    const informer = pods.informer();
    await informer.synced();
    const [pod = assert.fail()] = informer.list();
    const { uid, namespace, name } = pod.metadata;
    const confirmAbsent = informer.confirmAbsent.bind(informer) as Loose;
    for (const [given, words] of [
      [[name], /confirmAbsent: a pod's name in the place of its UID; pod.metadata.uid$/],
      [[`${namespace}/${name}`], /a pod's name/],
      [[pod], /confirmAbsent: a UID must be a text/],
      [[undefined], /a UID must be a text/],
      [[""], /a UID must be a text/],
    ] as const) {
      await assert.rejects(confirmAbsent(given) as Promise<unknown>, refused(words));
    }
    assert.deepEqual(await informer.confirmAbsent([uid, "another"]), ["another"]);
    kubelet.addPod({ metadata: { uid: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", name: "low" } });
    const high = "1B9D6BCD-BBFD-4B2D-9B5D-AB8DFBBD4BED";
    await assert.rejects(
      confirmAbsent([high]) as Promise<unknown>,
      refused(/a pod's UID in other letters than its own/),
    );
    kubelet.addPod({ metadata: { uid: "AAAAAAAA-BBFD-4B2D-9B5D-AB8DFBBD4BED", name: "high" } });
    const own = await informer.waitFor({ uid: "AAAAAAAA-BBFD-4B2D-9B5D-AB8DFBBD4BED" });
    assert.deepEqual(
      await informer.confirmAbsent([own.pod.metadata.uid]),
      [],
      "a manifest may give a static pod any UID",
    );
    const get = informer.get.bind(informer) as Loose;
    assert.throws(
      () => get({ uid }, { at: Date.now() }),
      refused(/get: it takes a key alone; find\(key, \{ at \}\) has times$/),
    );
    const find = informer.find.bind(informer) as Loose;
    for (const [key, words] of [
      [{ ip: "10.244.1.16:80" }, /the key can mean no pod: ip is no address; give uid, /],
      [{ name }, /a name without its namespace/],
      [{ podIP: "10.0.0.1" }, /podIP is no key/],
      [{ ip: "10.0.0.1", at: 5 }, /at is no part of a key; pass it as an option: \(key, \{ at \}\)$/],
      ["10.0.0.1", /a text is no key; give it as \{ ip \}/],
      [{ containerID: "a".repeat(12) }, /find: the container's ID is cut; give the whole of it: crictl ps --no-trunc$/],
    ] as const) {
      assert.throws(() => find(key), refused(words));
    }
    assert.throws(() => find({ uid }, new Date(0)), refused(/a time is passed by its name, as \{ at \}/));
    const list = informer.list.bind(informer) as Loose;
    assert.throws(
      () => list(async () => false),
      refused(/list: the filter gives a promise; it has to answer at once$/),
    );
    const until = { until: (async () => false) as never };
    await assert.rejects(informer.waitFor({ uid }, until), refused(/waitFor: until gives a promise/));
    for (const [what, helper] of Object.entries({ isReady, containersOf, qosOf })) {
      assert.throws(
        () => (helper as Loose)(informer.find({ uid })),
        refused(new RegExp(`${what}: a pod is expected; pass its .pod$`)),
      );
      assert.throws(() => (helper as Loose)([pod]), refused(/a pod is expected/));
      assert.throws(() => (helper as Loose)(Promise.resolve(pod)), refused(/a pod is expected/));
    }
    for (const [act, words] of [
      [() => (kubelet.setReady as Loose).call(kubelet, uid), /setReady: true or false is expected/],
      [() => (kubelet.endContainer as Loose).call(kubelet, uid, "a", 137), /endContainer: the options are no object/],
      [() => (kubelet.endContainer as Loose).call(kubelet, uid, "a", { code: 137 }), /no such option: code/],
      [() => (kubelet.deletePod as Loose).call(kubelet, uid, { gracePeriod: 1 }), /no such option: gracePeriod/],
      [() => (kubelet.setLabels as Loose).call(kubelet, uid, "a=b"), /setLabels: an object of texts is expected/],
      [() => (kubelet.setLabels as Loose).call(kubelet, uid, { a: 1 }), /setLabels: an object of texts is expected/],
    ] as const) {
      assert.throws(act, refused(words));
    }
  });

  test("of functions", async () => {
    const pod = sampleNode()[0];
    for (const [act, words] of [
      [
        () => (cgroupPathOf as Loose)(pod, "web", { driver: "systemd" }),
        /cgroupPathOf: container must be a ContainerRun/,
      ],
      [() => (cgroupPathOf as Loose)(pod, undefined, { driver: "Systemd" }), /cgroupPathOf: the layout is none/],
      [() => (logPathOf as Loose)(pod, undefined), /logPathOf: a life of a container is expected/],
      [
        () => (logPathOf as Loose)(pod, { name: "a", restartCount: 0 }, "/x"),
        /logDirectoryOf: the options are no object/,
      ],
      [
        () => (logPathOf as Loose)(pod, { name: "a", restartCount: 0 }, { root: "/x" }),
        /no such option: root; there are logRoot/,
      ],
      [() => kubeletTransport({ interceptors: {} } as never), /interceptors must be a list/],
      [() => kubeletHttp({ url: "https://127.0.0.1:10250/pods" }), /url: it ends in \/pods; leave that out/],
      [() => (podMask.parse as Loose)(["metadata.name"]), /podMask\(\.\.\.paths\) takes a list/],
      [() => podMask("metadata").union("spec" as never), /union: masks are expected/],
      [() => podMask("metadata").covers("spec" as never), /covers: a mask is expected/],
    ] as const) {
      assert.throws(act, refused(words));
    }
    await assert.rejects(
      (processIdentity as Loose)("123") as Promise<unknown>,
      refused(/the number of a process is expected/),
    );
    assert.throws(() => (atLeast as Loose)("reported", "likely"), {
      name: "TypeError",
      message: /what find gives is expected/,
    });
    assert.equal((parseLogPath as Loose)(undefined), undefined);
  });
});
