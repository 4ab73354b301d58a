// PodResourcesClient against the reference kubelet, and against kubelets that have less.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { PodResourcesLister } from "../../src/gen/podresources/podresources_pb.js";
import { type ClientOptions, PodsClient, type PodsError } from "../../src/index.js";
import { joinPodResources, PodResourcesClient } from "../../src/podresources/index.js";
import type { ReferenceKubeletOptions } from "../../src/testing/index.js";
import { podResourcesSocket } from "../../src/wire/socket-path.js";
import { environmentOf, kubeletOf, serve, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { allocatable, expected, plain, train, trainer } from "./assignments.js";

function clientOf(t: TestContext, options: ClientOptions): PodResourcesClient {
  const client = new PodResourcesClient(options, environmentOf(t));
  t.after(() => client.close());
  return client;
}

async function kubeletAndClient(
  t: TestContext,
  kubeletOptions: ReferenceKubeletOptions = {},
  clientOptions: ClientOptions = {},
) {
  const kubelet = await kubeletOf(t, { pods: [trainer, plain], podResources: true, ...kubeletOptions });
  kubelet.assignResources("uid-trainer", "train", train);
  kubelet.assignResources("uid-trainer", "proxy", { cpuIds: [4] });
  kubelet.setAllocatable(allocatable);
  return { kubelet, resources: clientOf(t, { socketPath: kubelet.podResourcesSocketPath, ...clientOptions }) };
}

const codeOf = (error: PodsError) => error.code;

describe("against the reference kubelet", () => {
  test("list, get and getAllocatableResources return plain data", async (t) => {
    const { resources } = await kubeletAndClient(t);
    assert.deepEqual(await resources.list(), expected);
    assert.deepEqual(await resources.get("ml", "trainer-0"), expected[0]);
    assert.deepEqual(await resources.getAllocatableResources(), allocatable);
    assert.deepEqual(JSON.parse(JSON.stringify(await resources.list())).length, 2);
  });

  test("omits finished pods from lists and reports not-found with its own hint", async (t) => {
    const { kubelet, resources } = await kubeletAndClient(t);
    kubelet.finishPod("uid-web");
    assert.deepEqual(await resources.list(), expected.slice(0, 1));
    await assert.rejects(resources.get("shop", "nobody"), (error: PodsError) => {
      assert.deepEqual([error.code, error.method, error.retryable], ["not-found", "Get", false]);
      assert.equal(error.hint, "podresources identifies pods by namespace and name");
      return true;
    });
  });

  test("the reference kubelet rejects invalid assignments and keeps its state", async (t) => {
    const { kubelet, resources } = await kubeletAndClient(t);
    const assign = (value: unknown) => () => kubelet.assignResources("uid-trainer", "train", value as object);
    for (const [value, message] of [
      [
        { devices: [{ resourceName: "a/b", deviceIDs: [] }] },
        /assignResources\.devices\[0\]\.numaNodes must be a list; it is missing/,
      ],
      [{ cpus: [1] }, /assignResources\.cpus: unknown key; keys: devices, cpuIds, memory, claims/],
      [{ cpuIds: [1.5] }, /cpuIds\[0\] must be a non-negative integer; found number/],
      [{ memory: [{ type: "memory", sizeBytes: -1, numaNodes: [] }] }, /sizeBytes must be a non-negative integer/],
      [null, /assignResources must be an object/],
    ] as const) {
      assert.throws(assign(value), { code: "invalid-argument", message });
    }
    assert.throws(() => kubelet.setAllocatable({ cpuIds: ["1"] } as never), { code: "invalid-argument" });
    assert.deepEqual(await resources.list(), expected);
  });

  test("hints refer to the podresources API", async (t) => {
    const socketPath = join(temporaryDirectory(t), "kubelet.sock");
    const { hint } = (await clientOf(t, { socketPath, retry: false })
      .list()
      .catch((error: PodsError) => error)) as PodsError;
    assert.match(hint, /pod-resources/);
    assert.doesNotMatch(hint, /PodsAPI/);
  });

  test("list waits for a kubelet restart, which keeps the assignments", async (t) => {
    const { kubelet, resources } = await kubeletAndClient(t);
    const restarted = kubelet.restart({ downtimeMs: 100 });
    assert.deepEqual(await resources.list(), expected);
    await restarted;
  });

  test("calls do not use the rate limit of the Pods API", async (t) => {
    const { kubelet, resources } = await kubeletAndClient(t);
    const pods = new PodsClient({ socketPath: kubelet.socketPath });
    t.after(() => pods.close());
    const answers = await Promise.all(Array.from({ length: 40 }, () => resources.getAllocatableResources()));
    assert.equal(answers.length, 40);
    assert.equal((await pods.listPods({ retry: false })).length, 2);
  });

  test("retries calls that the kubelet rate-limits", async (t) => {
    const { kubelet, resources } = await kubeletAndClient(t);
    const others = Array.from({ length: 4 }, () => clientOf(t, { socketPath: kubelet.podResourcesSocketPath }));
    const calls = others.flatMap((client) => Array.from({ length: 10 }, () => client.list()));
    for (const list of await Promise.all(calls)) assert.equal(list.length, 2);
    assert.equal((await resources.list()).length, 2);
  });

  test("a closed client rejects calls, and a closed kubelet removes its directory", async (t) => {
    const { kubelet, resources } = await kubeletAndClient(t);
    const path = kubelet.podResourcesSocketPath ?? "";
    await resources.list();
    assert.ok(existsSync(path));
    kubelet.pause();
    const pending = assert.rejects(resources.list(), { code: "closed" });
    await resources.close();
    await pending;
    await assert.rejects(resources.list(), { code: "closed" });
    await kubelet.close();
    assert.equal(existsSync(dirname(path)), false);
  });

  test("assignResources rejects unknown pods and containers", async (t) => {
    const { kubelet } = await kubeletAndClient(t);
    assert.throws(
      () => kubelet.assignResources("uid-trainer", "prepare", {}),
      /the pod uid-trainer has no container prepare; containers: proxy, train, log/,
    );
    assert.throws(() => kubelet.assignResources("nobody", "a", {}), /the pod nobody has no container a/);
  });

  test("the reference kubelet serves the API only if requested", async (t) => {
    const kubelet = await kubeletOf(t);
    assert.equal(kubelet.podResourcesSocketPath, undefined);
    assert.equal(existsSync(join(dirname(kubelet.socketPath), "pod-resources.sock")), false);
  });
});

describe("older kubelets", () => {
  const disabled = new ConnectError("PodResources API Get method disabled", Code.Unknown);
  const absent = new ConnectError("unknown method Get", Code.Unimplemented);

  for (const [name, refusal] of Object.entries({ "with Get disabled": disabled, "without Get": absent })) {
    test(`${name}: get finds the pod in the list`, async (t) => {
      const socketPath = await serve(t, (router) => {
        router.rpc(PodResourcesLister.method.list, () => ({
          podResources: [{ name: "a", namespace: "n", containers: [{ name: "c", cpuIds: [1n] }] }],
        }));
        router.rpc(PodResourcesLister.method.get, () => {
          throw refusal;
        });
      });
      const resources = clientOf(t, { socketPath });
      const found = await resources.get("n", "a");
      assert.deepEqual(found, {
        namespace: "n",
        name: "a",
        containers: [{ name: "c", devices: [], cpuIds: [1], memory: [], claims: [] }],
        cpuIds: [],
        memory: [],
      });
      await assert.rejects(resources.get("n", "b"), { code: "not-found" });
    });
  }

  test("get keeps to its time limit when it lists the pods instead", async (t) => {
    const { clock } = environmentOf(t);
    const after = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
    const socketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.get, async () => {
        await after(1_600);
        throw disabled;
      });
      router.rpc(PodResourcesLister.method.list, async () => {
        await after(1_600);
        return { podResources: [{ name: "a", namespace: "n" }] };
      });
    });
    const resources = clientOf(t, { socketPath, timeoutMs: 2_000 });
    await assert.rejects(resources.get("n", "a"), { code: "deadline" });
    assert.equal((await resources.get("n", "a", { timeoutMs: 0 })).name, "a");
  });

  test("reports other UNKNOWN errors as server-error and disabled methods as not-served", async (t) => {
    const socketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.get, () => {
        throw new ConnectError("the checkpoint is not readable", Code.Unknown);
      });
      router.rpc(PodResourcesLister.method.getAllocatableResources, () => {
        throw new ConnectError("Pod Resources API GetAllocatableResources disabled", Code.Unknown);
      });
    });
    const resources = clientOf(t, { socketPath, retry: false });
    assert.equal(await resources.get("n", "a").catch(codeOf), "server-error");
    assert.equal(await resources.getAllocatableResources().catch(codeOf), "not-served");
    assert.equal(await resources.list().catch(codeOf), "not-served");
  });
});

describe("hostile answers", () => {
  test("a list with more pods than a node can have is too-large", async (t) => {
    const socketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.list, () => Buffer.alloc(2 * 20_001, Uint8Array.of(10, 0)));
    });
    await assert.rejects(clientOf(t, { socketPath }).list(), { code: "too-large", method: "List" });
  });

  test("another pod than the requested one is corrupt", async (t) => {
    const socketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.get, () => ({ podResources: { namespace: "shop", name: "other" } }));
    });
    const client = clientOf(t, { socketPath, retry: false });
    for (const [namespace, name] of [
      ["shop", "web"],
      ["bank", "other"],
    ] as const)
      await assert.rejects(client.get(namespace, name), { code: "corrupt", message: /answered with another pod/ });
    assert.equal((await client.get("shop", "other")).name, "other");
  });

  test("millions of CPU IDs are too-large, and cost no memory", async (t) => {
    // 100 CPU IDs of one byte each in a packed list, and 8 MB of them.
    const packed = (count: number) => {
      const list = Buffer.alloc(count, 1);
      const length: number[] = [];
      for (let rest = count; ; rest >>>= 7) {
        length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
        if (rest <= 0x7f) break;
      }
      return Buffer.concat([Buffer.from([0x12, ...length]), list]);
    };
    let count = 100;
    const socketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.getAllocatableResources, () => packed(count));
    });
    const client = clientOf(t, { socketPath, retry: false });
    assert.equal((await client.getAllocatableResources()).cpuIds.length, 100);
    count = 8_000_000;
    const before = process.memoryUsage().heapUsed;
    await assert.rejects(client.getAllocatableResources(), {
      code: "too-large",
      message: /more than 200000 values: .*; check that the kubelet serves this socket/,
    });
    assert.ok(process.memoryUsage().heapUsed - before < 64 * 2 ** 20);
  });

  test("values in nested messages and values with a tag of their own count, too", async (t) => {
    const MOST = 200_000;
    const message = (tag: number, bytes: Buffer) => {
      const length = bytes.length; // more than 2 ** 14, and less than 2 ** 21
      return Buffer.concat([
        Buffer.from([tag, (length & 0x7f) | 0x80, ((length >>> 7) & 0x7f) | 0x80, length >>> 14]),
        bytes,
      ]);
    };
    const cpuIDs = (count: number) => Buffer.alloc(2 * count, Uint8Array.of(0x10, 1));
    const deviceIDs = (count: number) => message(0x0a, Buffer.alloc(2 * count, Uint8Array.of(0x12, 0)));
    let answer = Buffer.alloc(0);
    const socketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.getAllocatableResources, () => answer);
      router.rpc(PodResourcesLister.method.list, () => answer);
    });
    const client = clientOf(t, { socketPath, retry: false });
    answer = cpuIDs(MOST);
    assert.equal((await client.getAllocatableResources()).cpuIds.length, MOST);
    for (const each of [cpuIDs(MOST + 1), deviceIDs(MOST)]) {
      answer = each;
      await assert.rejects(client.getAllocatableResources(), { code: "too-large", message: /more than 200000 values/ });
    }
    answer = message(0x0a, message(0x22, Buffer.alloc(MOST, 1))); // CPU IDs of a pod, in a packed list
    await assert.rejects(client.list(), { code: "too-large", message: /more than 200000 values/ });
  });

  test("thousands of devices with a long resource name take no time", async (t) => {
    const deviceIds = Array.from({ length: 1_000 }, (_, i) => `${i}`);
    const device = { resourceName: "x".repeat(30_000), deviceIds };
    const socketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.getAllocatableResources, () => ({ devices: [device, device] }));
    });
    const beganMs = performance.now();
    const { devices } = await clientOf(t, { socketPath }).getAllocatableResources();
    assert.deepEqual(devices, [{ resourceName: device.resourceName, deviceIDs: deviceIds, numaNodes: [] }]);
    assert.ok(performance.now() - beganMs < 5_000, "with one key of both texts it took minutes");
  });
});

describe("probe", () => {
  test("reports ready, not-served or socket-missing", async (t) => {
    const { kubelet, resources } = await kubeletAndClient(t);
    const { ready, socketPath } = await resources.probe();
    assert.deepEqual([ready, socketPath], [true, kubelet.podResourcesSocketPath]);
    const other = await clientOf(t, { socketPath: kubelet.socketPath }).probe();
    assert.equal(other.ready ? "" : other.code, "not-served");
    const none = await clientOf(t, { socketPath: join(temporaryDirectory(t), "none.sock") }).probe();
    assert.deepEqual([none.ready, none.ready ? "" : none.code], [false, "socket-missing"]);
  });
});

describe("options and arguments", () => {
  test("prefer the socket option, then the environment variable, then the root directory", () => {
    assert.deepEqual(podResourcesSocket({}, {}), ["/var/lib/kubelet/pod-resources/kubelet.sock"]);
    assert.deepEqual(podResourcesSocket({ rootDir: "/var/lib/k0s/kubelet" }, {}), [
      "/var/lib/k0s/kubelet/pod-resources/kubelet.sock",
    ]);
    const env = { KUBELET_PODRESOURCES_SOCKET: "/run/r.sock", KUBELET_PODS_SOCKET: "/run/p.sock" };
    assert.deepEqual(podResourcesSocket({ rootDir: "/r" }, env), ["/run/r.sock"]);
    assert.deepEqual(podResourcesSocket({ socketPath: "/s" }, env), ["/s"]);
    assert.throws(() => podResourcesSocket({ socketPath: "" }, {}), /the socket path is empty/);
  });

  test("are rejected by name if invalid", async (t) => {
    assert.throws(
      () => new PodResourcesClient({ sokcetPath: "/a" } as never),
      /PodResourcesClient: unknown option sokcetPath/,
    );
    for (const option of ["sources", "transport"])
      assert.throws(
        () => new PodResourcesClient({ [option]: [] }),
        new RegExp(`PodResourcesClient: ${option} is an option of PodsClient only`),
      );
    const resources = clientOf(t, { socketPath: "/nowhere/r.sock" });
    await assert.rejects(resources.get("", "a"), /get: the namespace must be a string of 1 to 1000/);
    await assert.rejects(resources.get("a", 5 as never), /get: the name must be a string of 1 to 1000/);
    await assert.rejects(resources.list({ mask: [] } as never), /list: unknown option mask/);
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(resources.list({ signal }), /enough/);
  });
});

describe("joinPodResources", () => {
  test("joins assignments with the pod and container that hold them", async (t) => {
    const { kubelet, resources } = await kubeletAndClient(t);
    const pods = new PodsClient({ socketPath: kubelet.socketPath });
    t.after(() => pods.close());
    const list = await pods.listPods({ mask: ["metadata.uid", "metadata.namespace", "metadata.name"] });
    const joined = joinPodResources(list, await resources.list());
    assert.deepEqual(
      joined.map(({ pod, container, numaNodes }) => [pod.metadata?.uid, container, numaNodes]),
      [
        ["uid-trainer", "proxy", []],
        ["uid-trainer", "train", [0, 1]],
        ["uid-trainer", "log", []],
        ["uid-web", "web", []],
      ],
    );
    const holder = joined.find(({ devices }) => devices.some(({ deviceIDs }) => deviceIDs.includes("GPU-2")));
    assert.deepEqual(
      [holder?.container, holder?.cpuIds, holder?.claims[0]?.name],
      ["train", [2, 3, 10, 11], "gpu-share"],
    );
  });

  test("prefers the youngest running pod among several of one name", () => {
    const pod = (uid: string, more: object = {}) => ({ metadata: { namespace: "n", name: "a", uid, ...more } });
    const [given] = [{ namespace: "n", name: "a", containers: [], cpuIds: [7], memory: [] }];
    assert.ok(given);
    const time = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 }) as never;
    const ended = { ...pod("ended", { creationTimestamp: time(9) }), status: { phase: "Failed" } };
    const going = pod("going", { creationTimestamp: time(8), deletionTimestamp: time(9) });
    const old = pod("old", { creationTimestamp: time(1) });
    const young = pod("young", { creationTimestamp: time(2) });
    for (const pods of [
      [ended, going, old, young],
      [young, old, going, ended],
    ]) {
      const [assignment, ...others] = joinPodResources(pods, [given]);
      assert.deepEqual([assignment?.pod, assignment?.container, assignment?.cpuIds], [young, undefined, [7]]);
      assert.deepEqual(others, []);
    }
    assert.deepEqual(joinPodResources([pod("a")], [{ ...given, name: "b" }]), []);
    const finished = (phase?: string) =>
      joinPodResources([{ ...pod("a"), ...(phase !== undefined && { status: { phase } }) }], [given])[0]?.finished;
    assert.deepEqual([finished(), finished("Running"), finished("Succeeded")], [undefined, false, true], "[P1]");
  });
});
