// Readers in other languages at a relay's doors: the kubelet's own Go client, Python's standard library and curl, with pipe and relay between
// them and the kubelet's own code.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PodsClient } from "../../src/index.js";
import { servePipe, serveRelay } from "../../src/relay/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { describe, test } from "../helpers/test.js";
import { GoKubelet, goVersions, noGo, program } from "./go-kubelet.js";

const execute = promisify(execFile);

const PYTHON = `
import http.client, json, socket, sys

class Door(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(sys.argv[1])

door = Door("node")
door.request("GET", "/v1alpha1/pods")
answer = json.load(door.getresponse())
print(json.dumps(sorted(pod["metadata"]["name"] for pod in answer["pods"])))
`;

for (const version of goVersions) {
  describe(`readers behind a relay on the kubelet of ${version}`, { skip: noGo }, () => {
    test("list, get and watch of the Go client, Python and curl have every pod, and nothing that is hidden", async () => {
      await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
      await kubelet.do("add", { pods: sampleNode() });
      const directory = mkdtempSync(join(tmpdir(), "kubelet-pods-"));
      await using pipe = await servePipe({ path: join(directory, "pipe/k.sock"), socketPath: kubelet.socketPath });
      await using pods = new PodsClient({ socketPath: pipe.path, standalone: true });
      const informer = pods.informer({ includeFinished: true, mask: ["metadata.uid"] });
      const [grpc, http] = [join(directory, "grpc.sock"), join(directory, "http.sock")];
      await using _relay = await serveRelay(informer, [
        { path: grpc, serve: "grpc" },
        { path: http, serve: "http" },
      ]);
      await informer.synced();
      const client = program(version, "client");
      const names = (
        await new PodsClient({ socketPath: kubelet.socketPath, standalone: true }).listPods({ mask: ["metadata.name"] })
      )
        .map(({ metadata }) => metadata.name)
        .sort();
      assert.equal(names.length, sampleNode().length);
      for (const args of [["list"], ["watch"]]) {
        for (const dial of [[], ["-bare"]]) {
          const { stdout } = await execute(client, [...dial, "-socket", grpc, ...args], { maxBuffer: 1 << 28 });
          const shown = stdout
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
            .map((line) => line.pod ?? line.object ?? line)
            .filter((pod) => pod.metadata !== undefined);
          assert.deepEqual(shown.map((pod) => pod.metadata.name).sort(), names, `${args}`);
          for (const { spec, metadata } of shown) {
            assert.ok(spec.containers.every((container: object) => !("env" in container) && !("args" in container)));
            assert.ok(Object.keys(metadata.annotations ?? {}).every((key) => key.startsWith("kubernetes.io/config.")));
          }
        }
      }
      const uid = sampleNode()[0]?.metadata?.uid ?? "";
      const { stdout } = await execute(client, ["-socket", grpc, "-uid", uid, "get"]);
      assert.ok(stdout.includes(uid));
      const python = await execute("python3", ["-c", PYTHON, http]);
      assert.deepEqual(JSON.parse(python.stdout), names);
      const curl = await execute("curl", ["-sS", "--unix-socket", http, `http://node/v1alpha1/find?uid=${uid}`]);
      assert.deepEqual([JSON.parse(curl.stdout).pod.metadata.uid, JSON.parse(curl.stdout).certainty], [uid, "proved"]);
      rmSync(directory, { recursive: true });
    });
  });
}
