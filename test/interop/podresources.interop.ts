// The podresources API: our client and the kubelet's server, the kubelet's client and our reference kubelet.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { fromJsonString, toJson } from "@bufbuild/protobuf";
import {
  AllocatableResourcesResponseSchema,
  GetPodResourcesResponseSchema,
  ListPodResourcesResponseSchema,
} from "../../src/gen/podresources/podresources_pb.js";
import type { PodsError } from "../../src/index.js";
import { PodResourcesClient } from "../../src/podresources/index.js";
import { allocatableResources, podResources } from "../../src/podresources/pod-resources.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
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

    test("our client reads the kubelet's server, which has been told the same", async (t) => {
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
  });
}
