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
      [[name], /confirmAbsent: this is a pod's name, not its UID; pass pod.metadata.uid$/],
      [[`${namespace}/${name}`], /this is a pod's name/],
      [[pod], /confirmAbsent: a UID must be a string/],
      [[undefined], /a UID must be a string/],
      [[""], /a UID must be a string/],
    ] as const) {
      await assert.rejects(confirmAbsent(given) as Promise<unknown>, refused(words));
    }
    assert.deepEqual(await informer.confirmAbsent([uid, "another"]), ["another"]);
    kubelet.addPod({ metadata: { uid: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", name: "low" } });
    const high = "1B9D6BCD-BBFD-4B2D-9B5D-AB8DFBBD4BED";
    await assert.rejects(
      confirmAbsent([high]) as Promise<unknown>,
      refused(/differs from a pod's in upper and lower case/),
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
      refused(/get: the only argument is a key; find\(key, \{ at \}\) takes a time$/),
    );
    const find = informer.find.bind(informer) as Loose;
    for (const [key, words] of [
      [{ ip: "10.244.1.16:80" }, /ip must be an IP address, without a port; pass uid, /],
      [{ name }, /a name without a namespace/],
      [{ podIP: "10.0.0.1" }, /unknown field podIP/],
      [{ ip: "10.0.0.1", at: 5 }, /at is not part of the key; pass it as an option: \(key, \{ at \}\)$/],
      ["10.0.0.1", /the key must be an object; such as \{ ip \}/],
      [{ containerID: "a".repeat(12) }, /find: containerID is cut short; pass the whole ID: crictl ps --no-trunc/],
    ] as const) {
      assert.throws(() => find(key), refused(words));
    }
    assert.throws(() => find({ uid }, new Date(0)), refused(/pass the time as \{ at \}/));
    const list = informer.list.bind(informer) as Loose;
    assert.throws(
      () => list(async () => false),
      refused(/list: the filter must not return a promise; return true or false$/),
    );
    const until = { until: (async () => false) as never };
    await assert.rejects(informer.waitFor({ uid }, until), refused(/waitFor: until must not return a promise/));
    for (const [what, helper] of Object.entries({ isReady, containersOf, qosOf })) {
      assert.throws(
        () => (helper as Loose)(informer.find({ uid })),
        refused(new RegExp(`${what}: the argument must be a pod; pass its .pod$`)),
      );
      assert.throws(() => (helper as Loose)([pod]), refused(/the argument must be a pod/));
      assert.throws(() => (helper as Loose)(Promise.resolve(pod)), refused(/the argument must be a pod/));
    }
    for (const [act, words] of [
      [() => (kubelet.setReady as Loose).call(kubelet, uid), /setReady: ready must be true or false/],
      [
        () => (kubelet.endContainer as Loose).call(kubelet, uid, "a", 137),
        /endContainer: the options must be an object/,
      ],
      [() => (kubelet.endContainer as Loose).call(kubelet, uid, "a", { code: 137 }), /unknown option code/],
      [() => (kubelet.deletePod as Loose).call(kubelet, uid, { gracePeriod: 1 }), /unknown option gracePeriod/],
      [() => (kubelet.setLabels as Loose).call(kubelet, uid, "a=b"), /setLabels: labels must be an object of strings/],
      [
        () => (kubelet.setLabels as Loose).call(kubelet, uid, { a: 1 }),
        /setLabels: labels must be an object of strings/,
      ],
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
      [
        () => (cgroupPathOf as Loose)(pod, undefined, { driver: "Systemd" }),
        /cgroupPathOf: layout must be a CgroupLayout/,
      ],
      [() => (logPathOf as Loose)(pod, undefined), /logPathOf: container must be a ContainerRun/],
      [
        () => (logPathOf as Loose)(pod, { name: "a", restartCount: 0 }, "/x"),
        /logDirectoryOf: the options must be an object/,
      ],
      [
        () => (logPathOf as Loose)(pod, { name: "a", restartCount: 0 }, { root: "/x" }),
        /unknown option root; options: logRoot/,
      ],
      [() => kubeletTransport({ interceptors: {} } as never), /interceptors must be a list/],
      [() => kubeletHttp({ url: "https://127.0.0.1:10250/pods" }), /url must not end in \/pods; omit \/pods/],
      [() => (podMask.parse as Loose)(["metadata.name"]), /podMask\(\.\.\.paths\) takes a list/],
      [() => podMask("metadata").union("spec" as never), /union: every argument must be a PodMask/],
      [() => podMask("metadata").covers("spec" as never), /covers: the argument must be a PodMask/],
    ] as const) {
      assert.throws(act, refused(words));
    }
    await assert.rejects((processIdentity as Loose)("123") as Promise<unknown>, refused(/pid must be a number/));
    assert.throws(() => (atLeast as Loose)("reported", "likely"), {
      name: "TypeError",
      message: /must be an answer of find/,
    });
    assert.equal((parseLogPath as Loose)(undefined), undefined);
  });
});
