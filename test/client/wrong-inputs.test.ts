// What a compiler refuses, and JavaScript gives all the same: each is answered with what to write, and never with a silent wrong answer.

import assert from "node:assert/strict";
import { kubeletTransport } from "../../src/connect/index.js";
import {
  atLeast,
  cgroupPathOf,
  containerOf,
  containersOf,
  decodePod,
  endpointsOf,
  isReady,
  logPathOf,
  PodsClient,
  parseCgroupPath,
  parseLogPath,
  podMask,
  processIdentity,
  qosOf,
} from "../../src/index.js";
import { kubeletHttp } from "../../src/sources/kubelet-http/index.js";
import { churn, maskedPod, Replay, sampleNode } from "../../src/testing/index.js";
import { kubeletAndClient } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";

/** A function that takes anything. */
type Loose = (...args: unknown[]) => unknown;

const refused = (words: RegExp) => ({ code: "invalid-argument", message: words });

describe("wrong inputs", () => {
  test("are rejected by methods of the informer and the reference kubelet", async (t) => {
    const { pods, kubelet } = await kubeletAndClient(t, { pods: sampleNode() });
    const informer = pods.informer();
    await informer.synced();
    const [pod = assert.fail()] = informer.list(({ metadata }) => metadata.uid.includes("-"));
    const { uid, namespace, name } = pod.metadata;
    const confirmAbsent = informer.confirmAbsent.bind(informer) as Loose;
    for (const [given, words] of [
      [["x", name], /confirmAbsent: uids\[1\] \S+ is a pod's name, not its UID; pass pod.metadata.uid$/],
      [[`${namespace}/${name}`], /is a pod's name/],
      [[pod], /confirmAbsent: uids\[0\] must be a string/],
      [[undefined], /uids\[0\] must be a string/],
      [[""], /uids\[0\] must be a string/],
      [[uid.slice(0, 8)], /is a pod's UID in another spelling/],
      [[`pod${uid.replaceAll("-", "_")}`], /is a pod's UID in another spelling/],
      [[uid.replaceAll("-", "")], /is a pod's UID in another spelling/],
      [[` ${uid}\n`], /is a pod's UID in another spelling/],
    ] as const) {
      await assert.rejects(confirmAbsent(given) as Promise<unknown>, refused(words));
    }
    assert.deepEqual(await informer.confirmAbsent([uid, "another"]), ["another"]);
    kubelet.addPod({ metadata: { uid: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", name: "low" } });
    const high = "1B9D6BCD-BBFD-4B2D-9B5D-AB8DFBBD4BED";
    await assert.rejects(confirmAbsent([high]) as Promise<unknown>, refused(/is a pod's UID in another spelling/));
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
      [{ uid, containerNme: "web" }, /unknown field containerNme/],
      [{ ip: "10.0.0.1", port: 80 }, /unknown field port/],
      [{ ip: undefined }, /ip is undefined/],
      [pod, /unknown field \$typeName/],
      [{ ip: "10.0.0.1", at: 5 }, /the key must not contain "at"; pass it as an option: \(key, \{ at \}\)$/],
      ["10.0.0.1", /the key must be an object; such as \{ ip \}/],
      [{ containerID: "a".repeat(12) }, /find: containerID is truncated; pass the whole ID: crictl ps --no-trunc/],
    ] as const) {
      assert.throws(() => find(key), refused(words));
    }
    assert.throws(() => find({ uid }, new Date(0)), refused(/pass the time as \{ at \}/));
    await assert.rejects(
      informer.synced(new AbortController().signal as never),
      refused(/pass the signal as \{ signal \}/),
    );
    await assert.rejects(
      informer.synced(new Date(0) as never),
      refused(/synced: the options must be an object; options: /),
    );
    const list = informer.list.bind(informer) as Loose;
    assert.throws(
      () => list(async () => false),
      refused(/list: the filter must not return a promise; return true or false$/),
    );
    await assert.rejects(informer.waitFor({ ip: "x" }), refused(/waitFor: ip must be an IP address/));
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
      [() => (kubelet.startPod as Loose).call(kubelet, uid, "10.0.0.9"), /startPod: the options must be an object/],
      [() => (kubelet.startPod as Loose).call(kubelet, uid, { IP: "10.0.0.9" }), /startPod: unknown option IP/],
      [() => (kubelet.addPod as Loose).call(kubelet, {}, { state: false }), /addPod: unknown option state/],
      [() => (kubelet.rejectPod as Loose).call(kubelet, {}, "OutOfcpu"), /rejectPod: the options must be an object/],
      [() => (kubelet.setInitializing as Loose).call(kubelet), /setInitializing: initializing must be true or false/],
      [() => (kubelet.faults.truncate as Loose).call(kubelet.faults, 3), /truncate: the options must be an object/],
      [
        () => (kubelet.faults.dropConnection as Loose).call(kubelet.faults, { afterEvent: 1 }),
        /unknown option afterEvent/,
      ],
      [() => kubelet.updatePod(maskedPod(["metadata.uid"], pod) as never), /the pod is masked/],
      [() => (churn as Loose)(kubelet), /churn: random must be a function; pass seededRandom\(1\)/],
      [() => (kubelet.setLabels as Loose).call(kubelet, uid, "a=b"), /setLabels: labels must be an object of strings/],
      [
        () => (kubelet.setLabels as Loose).call(kubelet, uid, { a: 1 }),
        /setLabels: labels must be an object of strings/,
      ],
    ] as const) {
      assert.throws(act, refused(words));
    }
  });

  test("are rejected by exported functions", async () => {
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
      [() => (decodePod as Loose)("CgA="), /decodePod: bytes must be a Uint8Array; fromKubernetesJson\(\) reads JSON/],
      [() => (containerOf as Loose)(pod), /containerOf: nameOrID must be a string/],
      [() => new PodsClient({ kubeletVersion: "1.30" }), /kubeletVersion: 1.30 has no Pods API; use kubeletHttp/],
      [() => (endpointsOf as Loose)(pod, "80"), /endpointsOf: port must be the name of a port, or a number/],
      [() => (endpointsOf as Loose)(pod, 80, "tcp"), /endpointsOf: protocol must be TCP, UDP or SCTP/],
      [() => (atLeast as Loose)("reported", "likely"), /must be an answer of find/],
      [() => podMask("metadata").union("spec" as never), /union: every argument must be a PodMask/],
      [() => podMask("metadata").covers("spec" as never), /covers: the argument must be a PodMask/],
    ] as const) {
      assert.throws(act, refused(words));
    }
    await assert.rejects((processIdentity as Loose)("123") as Promise<unknown>, refused(/pid must be a number/));
    await assert.rejects(
      (Replay.start as Loose).call(Replay, "file.jsonl") as Promise<unknown>,
      refused(/Replay.start: lines must be a list of lines; pass parseRecording\(text\)/),
    );
    assert.equal((parseLogPath as Loose)(undefined), undefined);
    assert.equal((parseCgroupPath as Loose)(123), undefined);
  });
});
