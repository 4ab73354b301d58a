// The podresources API: our client and the kubelet's server, the kubelet's client and our reference kubelet.

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { fromJson, fromJsonString, type JsonValue, toJson } from "@bufbuild/protobuf";
import {
  AllocatableResourcesResponseSchema,
  GetPodResourcesResponseSchema,
  ListPodResourcesResponseSchema,
} from "../../src/gen/podresources/podresources_pb.js";
import type { PodsError } from "../../src/index.js";
import { freeResources, PodResourcesClient } from "../../src/podresources/index.js";
import { allocatableResources, podResources } from "../../src/podresources/pod-resources.js";
import { seededRandom } from "../../src/testing/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";
import { allocatable, expected, nodeWithDevices, plain, trainer } from "../podresources/assignments.js";
import { goVersions, noGo, program } from "./go-kubelet.js";

for (const version of goVersions) {
  describe(`podresources of ${version}`, { skip: noGo }, () => {
    async function goClient(socket: string, ...call: string[]): Promise<string> {
      const { stdout } = await promisify(execFile)(program(version, "podresources"), ["-socket", socket, ...call]);
      return stdout.trim();
    }

    async function kubeletsClient(socket: string, ...call: string[]): Promise<string> {
      const args = ["-socket", socket, "-kubelets", ...call];
      return (await promisify(execFile)(program(version, "podresources"), args)).stdout.trim();
    }

    test("the kubelet's client reads our reference kubelet as our client does", async (t) => {
      const socket = (await nodeWithDevices(t)).podResourcesSocketPath ?? "";
      const list = fromJsonString(ListPodResourcesResponseSchema, await goClient(socket, "list"));
      assert.deepEqual(list.podResources.map(podResources), expected);
      const get = fromJsonString(GetPodResourcesResponseSchema, await goClient(socket, "get", "ml", "trainer-0"));
      assert.deepEqual(get.podResources && podResources(get.podResources), expected[0]);
      const all = fromJsonString(AllocatableResourcesResponseSchema, await goClient(socket, "allocatable"));
      assert.deepEqual(allocatableResources(all), allocatable);
      assert.equal(await goClient(socket, "get", "ml", "nobody"), "Unknown: pod nobody in namespace ml not found");
    });

    test("the kubelet's own GetV1Client, which dials a bare path, reads our reference kubelet", async (t) => {
      const socket = (await nodeWithDevices(t)).podResourcesSocketPath ?? "";
      const list = fromJsonString(ListPodResourcesResponseSchema, await goClient(socket, "list"));
      assert.deepEqual(fromJsonString(ListPodResourcesResponseSchema, await kubeletsClient(socket, "list")), list);
    });

    test("our client reads the same pods from the kubelet's server", async (t) => {
      // What the managers have given goes there as the reference kubelet has it.
      const source = (await nodeWithDevices(t)).podResourcesSocketPath ?? "";
      const list = fromJsonString(ListPodResourcesResponseSchema, await goClient(source, "list"));
      const wanted = list.podResources.map(podResources);
      const [first] = list.podResources;
      assert.ok(first);
      if (version !== "1.36") first.cpuIds = [20n, 21n]; // the pod's own, since 1.37
      const given = {
        pods: [trainer, plain],
        list: toJson(ListPodResourcesResponseSchema, list),
        allocatable: JSON.parse(await goClient(source, "allocatable")),
      };
      const socketPath = join(temporaryDirectory(t), "r.sock");
      const server = spawn(program(version, "podresources"), ["-socket", socketPath, "serve"]);
      t.after(() => server.kill("SIGKILL"));
      server.stdin.write(`${JSON.stringify(given)}\n`);
      await once(createInterface({ input: server.stdout }), "line");

      await using resources = new PodResourcesClient({ socketPath });
      const own = version === "1.36" ? [] : [20, 21];
      assert.deepEqual(await resources.list(), [{ ...wanted[0], cpuIds: own }, wanted[1]]);
      assert.deepEqual(await resources.get("ml", "trainer-0"), { ...wanted[0], cpuIds: own });
      assert.deepEqual(await resources.getAllocatableResources(), allocatable);
      assert.equal((await resources.probe()).ready, true);
      const notFound = await resources.get("ml", "nobody").catch((error: PodsError) => error);
      assert.ok("code" in notFound);
      assert.deepEqual(
        [notFound.code, notFound.rawMessage],
        ["not-found", "pod nobody in namespace ml not found (Unknown)"],
      );
    });

    test("freeResources() returns what static managers have left, with one to four NUMA nodes", () => {
      const machines = Array.from({ length: 200 }, (_, i) => machineOf(seededRandom(i + 1), version !== "1.36"));
      const input = machines.map((machine) => `${JSON.stringify(machine)}\n`).join("");
      const output = execFileSync(program(version, "podresources"), ["allocate"], {
        input,
        maxBuffer: 1 << 26,
        stdio: "pipe",
      });
      const played = output
        .toString()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Played);
      assert.equal(played.length, machines.length);
      let [given, tied, whole, refused] = [0, 0, 0, 0];
      for (const [i, { list, allocatable, freeCPUs, freeMemory, ...rest }] of played.entries()) {
        const pods = fromJson(ListPodResourcesResponseSchema, list).podResources.map(podResources);
        const all = allocatableResources(fromJson(AllocatableResourcesResponseSchema, allocatable));
        const nodeOf = new Map(machines[i]?.nodes.flatMap(({ cpus }, node) => cpus.map((cpu) => [cpu, node] as const)));
        const { cpus, memory: free } = freeResources(all, pods, nodeOf);
        assert.deepEqual(
          cpus.flatMap(({ cpuIds }) => cpuIds).sort((a, b) => a - b),
          freeCPUs ?? [],
          `machine ${i}`,
        );
        for (const { cpuIds, numaNodes } of cpus) assert.ok(cpuIds.every((cpu) => nodeOf.get(cpu) === numaNodes[0]));
        for (const type of new Set(all.memory.map((block) => block.type))) {
          const blocks = free.filter((block) => block.type === type);
          const sum = (nodes: readonly string[]) =>
            nodes.reduce((bytes, node) => bytes + (freeMemory[node]?.[type] ?? 0), 0);
          for (const { sizeBytes, numaNodes } of blocks)
            assert.equal(sizeBytes, sum(numaNodes.map(String)), `machine ${i}, ${type}`);
          const named = blocks.flatMap(({ numaNodes }) => numaNodes.map(String));
          assert.equal(new Set(named).size, named.length, "each node once");
          assert.equal(
            sum(Object.keys(freeMemory).filter((node) => !named.includes(node))),
            0,
            `machine ${i}: memory that is not listed is not free`,
          );
        }
        given += pods.length;
        tied += free.filter(({ numaNodes }) => numaNodes.length > 1).length;
        whole += pods.filter(({ memory }) => memory.length > 0).length;
        refused += rest.refused?.length ?? 0;
      }
      assert.ok(given > 300 && tied > 20 && refused > 20, `${given} ${tied} ${refused}`);
      assert.equal(whole > 20, version !== "1.36", `${whole} pods have something as a whole`);
    });
  });
}

interface Played {
  list: JsonValue;
  allocatable: JsonValue;
  freeCPUs: number[] | null;
  freeMemory: Record<string, Record<string, number>>;
  refused: string[] | null;
}

/** Makes up a machine, and pods that ask for whole CPUs, memory and huge pages, some of them as a whole. */
function machineOf(random: () => number, hasWhole: boolean) {
  const below = (n: number) => Math.floor(random() * n);
  const nodeCount = 1 + below(4);
  const nodes = Array.from({ length: nodeCount }, (_, node) => ({
    cpus: Array.from({ length: 8 }, (_, i) => i * nodeCount + node),
    memoryBytes: 16 * GIB,
    hugePages2Mi: 1024,
  }));
  const pods = Array.from({ length: 1 + below(5) }, (_, i) => {
    const asked = () => {
      const limits = {
        cpu: `${1 + below(4)}`,
        memory: `${1 + below(random() < 0.3 ? 30 : 6)}Gi`,
        ...(random() < 0.5 && { "hugepages-2Mi": "128Mi" }),
      };
      return { limits, requests: limits };
    };
    const isWhole = hasWhole && random() < 0.3;
    const small = { cpu: "1", memory: "256Mi" };
    const containers = isWhole
      ? [{ name: "own", resources: { limits: small, requests: small } }, { name: "shares" }]
      : Array.from({ length: 1 + below(2) }, (_, c) => ({ name: `c${c}`, resources: asked() }));
    const whole = { cpu: "3", memory: "2Gi" };
    const resources = isWhole ? { limits: whole, requests: whole } : undefined;
    return { metadata: { name: `p${i}`, namespace: "n", uid: `u${i}` }, spec: { containers, resources } };
  });
  return { nodes, reservedCPU: 0, reservedBytes: GIB / 2, pods };
}

const GIB = 2 ** 30;
