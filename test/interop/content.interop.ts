// What the kubelet's own code serves is what our client gives, and the other way round.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { create } from "@bufbuild/protobuf";
import { PodSchema, PodStatusSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { ObjectMetaSchema } from "../../src/gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { type Pod, PodsClient, type PodsError, toKubernetesJson } from "../../src/index.js";
import type { PodJson } from "../../src/pod/json-types.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { podLists, realPods, roundTrips } from "../helpers/fixtures.js";
import { skeleton } from "../helpers/skeleton.js";
import { describe, test } from "../helpers/test.js";
import { GoKubelet, goVersions, noGo, program } from "./go-kubelet.js";

const uidOf = (pod: PodJson) => pod.metadata?.uid ?? "";
const byUid = (a: PodJson, b: PodJson) => (uidOf(a) < uidOf(b) ? -1 : 1);

/** As Kubernetes writes it today: inside a list pods have no kind, and before 1.34 a missing time was null. */
function today(json: PodJson): PodJson {
  const pod: PodJson = { apiVersion: "v1", kind: "Pod", ...structuredClone(json) };
  if (pod.metadata?.creationTimestamp === null) delete pod.metadata.creationTimestamp;
  return pod;
}

/** The same with the kubelet's own annotations, which the reference kubelet would add. */
function stamped(pod: PodJson): PodJson {
  const own = { "kubernetes.io/config.seen": "2026-11-20T08:00:00Z", "kubernetes.io/config.source": "api" };
  return { ...pod, metadata: { ...pod.metadata, annotations: { ...own, ...pod.metadata?.annotations } } };
}

/** A field that 1.36 had and 1.37 has not. */
const TOMBSTONE = "nodeAllocatableResourceClaimStatuses[].resources";

/** The paths of all keys of a JSON value. */
function keysOf(json: unknown, path = "", keys = new Set<string>()): Set<string> {
  if (Array.isArray(json)) for (const item of json) keysOf(item, `${path}[]`, keys);
  else if (typeof json === "object" && json !== null) {
    for (const [key, value] of Object.entries(json)) {
      keys.add(`${path}.${key}`);
      keysOf(value, `${path}.${key}`, keys);
    }
  }
  return keys;
}

/** All pods there are to try, each UID once. */
function allPods(version: string): PodJson[] {
  const ofVersion = podLists().filter(({ name }) => name === `go-${version}`);
  const real = [...realPods().map(({ json }) => json), ...ofVersion.flatMap(({ pods }) => pods)];
  return [...new Map([...sampleNode(), ...real].map((pod) => [uidOf(pod), today(pod)])).values()].sort(byUid);
}

for (const version of goVersions) {
  describe(`our client and the kubelet's server of ${version}`, { skip: noGo }, () => {
    test("list, get and the initial events return every pod unchanged", async (t) => {
      await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
      await using pods = new PodsClient({ socketPath: kubelet.socketPath });
      const given = allPods(version);
      await kubelet.do("add", { pods: given });

      assert.deepEqual((await pods.listPods()).map(toKubernetesJson), given);
      for (const pod of given) {
        assert.deepEqual(toKubernetesJson(await pods.getPod(uidOf(pod))), pod);
      }
      const burst: PodJson[] = [];
      for await (const event of pods.watchPods({ includeFinished: true })) {
        if (event.type === "SYNCED") break;
        assert.ok(event.type === "ADDED");
        burst.push(toKubernetesJson(event.pod));
      }
      assert.deepEqual(burst, given);
      t.diagnostic(`${given.length} pods`);
    });

    test("pods with every field set arrive unchanged", async () => {
      await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
      await using pods = new PodsClient({ socketPath: kubelet.socketPath });
      const fixtures = new Map(roundTrips().map((fixture) => [fixture.name, fixture]));
      for (const { name, json } of fixtures.values()) {
        await kubelet.do("add", { pods: [json] });
        const later = fixtures.get(`${name}.after_roundtrip`) ?? { json };
        const pod = await pods.getPod(uidOf(json));
        // What a kubelet of that release still knows and Kubernetes has removed since is not in our schema.
        assert.deepEqual(toKubernetesJson(pod), name.startsWith("v1.35.0") ? later.json : json, name);
      }
    });

    test("errors have the expected codes", async () => {
      await using kubelet = await GoKubelet.start(version, { mode: "verbatim", ready: version === "1.36" });
      await using pods = new PodsClient({ socketPath: kubelet.socketPath, retry: false });
      if (version === "1.36") {
        // 1.36 does not say that it initializes: a client that knows the version does.
        assert.deepEqual(await pods.listPods(), []);
        await using careful = new PodsClient({ socketPath: kubelet.socketPath, kubeletVersion: "1.36", retry: false });
        await assert.rejects(careful.listPods(), {
          code: "initializing",
          message: /may not have read all of its pods/,
        });
      } else {
        await assert.rejects(pods.listPods(), { code: "initializing", message: /Kubelet is initializing/ });
        const away = (await pods.watchPods().next()).value;
        assert.ok(away?.type === "DISCONNECTED" && away.error.code === "initializing");
        await kubelet.do("ready", { value: true });
      }
      await assert.rejects(pods.getPod("nobody"), { code: "not-found", message: /pod with UID nobody not found/ });
      // Four clients, each within its own pacing, are too many together for the kubelet's burst of ten.
      const clients = Array.from({ length: 4 }, () => new PodsClient({ socketPath: kubelet.socketPath, retry: false }));
      const flood = await Promise.allSettled(
        clients.flatMap((c) => Array.from({ length: 8 }, () => c.getPod("nobody"))),
      );
      const codes = flood.map((result) => (result.status === "rejected" ? (result.reason as PodsError).code : ""));
      assert.deepEqual([...new Set(codes)].sort(), ["not-found", "rate-limited"]);
      await Promise.all(clients.map((client) => client.close()));
      await kubelet.kill();
      await assert.rejects(
        pods.listPods().catch(() => pods.listPods()),
        { code: "connection-refused" },
      );
    });
  });

  describe(`the kubelet's Go client of ${version} and our reference kubelet`, { skip: noGo }, () => {
    const read = async (socketPath: string, ...args: string[]) => {
      const { stdout } = await promisify(execFile)(program(version, "client"), ["-socket", socketPath, ...args], {
        maxBuffer: 1 << 28,
      });
      return stdout
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { type?: string; pod?: PodJson });
    };

    test("list, get and the initial events return every pod unchanged", async () => {
      const given = allPods(version).map(stamped);
      await using kubelet = await ReferenceKubelet.start({ pods: given });
      const listed = await read(kubelet.socketPath, "list");
      assert.deepEqual(
        listed.map(({ pod }) => pod),
        given,
      );
      for (const pod of given.slice(0, 5)) {
        assert.deepEqual(await read(kubelet.socketPath, "-uid", uidOf(pod), "get"), [{ pod }]);
      }
      const events = await read(kubelet.socketPath, "watch");
      assert.deepEqual(events, [...given.map((pod) => ({ type: "ADDED", pod })), { type: "INITIAL_SYNC_COMPLETE" }]);
    });

    test("pods with every field set arrive unchanged", async () => {
      const fixtures = new Map(roundTrips().map((fixture) => [fixture.name, fixture]));
      for (const name of ["v1.33.0__core.v1.Pod", "v1.34.0__core.v1.Pod", "v1.35.0__core.v1.Pod.after_roundtrip"]) {
        if (!fixtures.has(name)) continue; // they are not everywhere
        const json = stamped(fixtures.get(name)?.json ?? {});
        await using kubelet = await ReferenceKubelet.start({ pods: [json] });
        assert.deepEqual(await read(kubelet.socketPath, "list"), [{ pod: json }], name);
      }
    });

    test("a client that dials the bare path can list, get and watch", async () => {
      await using kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
      const [first] = await read(kubelet.socketPath, "-bare", "list");
      assert.deepEqual(await read(kubelet.socketPath, "-bare", "-uid", uidOf(first?.pod ?? {}), "get"), [first]);
      assert.equal((await read(kubelet.socketPath, "-bare", "watch")).length, sampleNode().length + 1);
    });

    test("Go writes the same JSON keys of empty, sparse and full pods", async () => {
      for (const how of ["nothing", "messages", "everything"] as const) {
        const pod = skeleton(PodSchema, how) as Pod;
        pod.metadata ??= create(ObjectMetaSchema);
        Object.assign(pod.metadata, { uid: "u", name: "n", namespace: "d" });
        pod.status = { ...(pod.status ?? create(PodStatusSchema)), phase: "Pending" };
        await using kubelet = await ReferenceKubelet.start({ pods: [pod] });
        const [served] = kubelet.pods;
        const [theirs] = await read(kubelet.socketPath, "list");
        assert.ok(served);
        const ours = toKubernetesJson(served);
        const [got, wanted] = [keysOf(ours), keysOf(theirs?.pod)];
        assert.deepEqual(
          [...wanted].filter((key) => !got.has(key) && !key.includes(TOMBSTONE)), // 1.36 writes it as null
          [],
          `${how}: keys that Go writes and we do not`,
        );
        if (version !== "1.38") continue; // earlier releases lack fields that 1.38 has
        const more = [...got].filter((key) => !wanted.has(key) && !key.includes(TOMBSTONE));
        assert.deepEqual(more, [], `${how}: keys that we write and Go does not`);
        if (how !== "everything") assert.ok(![...got].some((key) => key.includes(TOMBSTONE)));
      }
    });

    test("get of an unknown pod fails with the kubelet's NOT_FOUND message", async () => {
      await using kubelet = await ReferenceKubelet.start();
      await assert.rejects(read(kubelet.socketPath, "-uid", "nobody", "get"), {
        stderr: "rpc error: code = NotFound desc = pod with UID nobody not found\n",
      });
    });
  });
}
