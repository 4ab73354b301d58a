// What pods need, judged by the scheduler's and the kubelet's own code, and where their logs lie, by the kubelet's.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type ContainerSchema,
  type ContainerStatusSchema,
  PodSchema,
} from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { fromKubernetesJson, logPathOf, type Pod, parseLogPath, resourcesOf } from "../../src/index.js";
import { decodePod } from "../../src/pod/decode.js";
import { canonicalQuantity } from "../../src/testing/canonical-quantity.js";
import { seededRandom } from "../../src/testing/random.js";
import { realPods, roundTrips, servedPods } from "../helpers/fixtures.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";
import { go, noGo, program } from "./go-kubelet.js";

type Amounts = Record<string, string>;
interface Answer {
  Requests: Record<string, Amounts>;
  Limits: Record<string, Amounts>;
  Canonical: Record<string, string>;
}

/** Asks the Go side about serialized pods. */
function ask(pods: readonly Uint8Array[]): Answer[] {
  const input = Buffer.concat(
    pods.flatMap((bytes) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
  const output = execFileSync(program("1.37", "views"), { input, maxBuffer: 1 << 28 }).toString();
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

/** Converts billionths to the nearest number. */
function numbers(amounts: Amounts): Record<string, number> {
  return Object.fromEntries(Object.entries(amounts).map(([name, nanos]) => [name, Number(`${nanos}e-9`)]));
}

function compare(pods: readonly { name: string; bytes: Uint8Array }[]): void {
  const answers = ask(pods.map(({ bytes }) => bytes));
  assert.equal(answers.length, pods.length);
  for (const [i, { name, bytes }] of pods.entries()) {
    const pod = decodePod(bytes);
    for (const overhead of [true, false]) {
      for (const actual of [true, false]) {
        const { requests, limits } = resourcesOf(pod, { overhead, actual });
        const key = `${overhead} ${actual}`;
        const about = `${name}, overhead ${overhead}, actual ${actual}`;
        assert.deepEqual(sorted(requests), sorted(numbers(answers[i]?.Requests[key] ?? {})), `requests of ${about}`);
        assert.deepEqual(sorted(limits), sorted(numbers(answers[i]?.Limits[key] ?? {})), `limits of ${about}`);
      }
    }
  }
}

const sorted = (of: Readonly<Record<string, number>>) => Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1));

test("resourcesOf() agrees with Kubernetes for recorded pods", { skip: noGo }, () => {
  const real = realPods().map(({ name, json }) => ({
    name,
    bytes: toBinary(PodSchema, fromKubernetesJson(json, { allowUnknownKeys: true })),
  }));
  const filled = [...servedPods(), ...roundTrips()].map(({ name, protobuf }) => ({ name, bytes: protobuf }));
  assert.ok(real.length + filled.length > 50);
  compare([...real, ...filled]);
});

const QUANTITIES: Record<string, readonly string[]> = {
  cpu: ["1", "100m", "250m", "2", "1500m", "0", "0.1", "1n", "3u", "2k", "1e3", "1.5"],
  memory: ["1Gi", "64Mi", "128974848", "129e6", "1.5Gi", "0", "1000000k", "100m", "7Ei"],
  "ephemeral-storage": ["1Gi", "5G", "0"],
  "hugepages-2Mi": ["2Mi", "64Mi"],
  "example.com/gpu": ["1", "4"],
};

/** A pod such as there may be: with init containers, sidecars, overhead, resources of its own, and while it is resized. */
function podOf(seed: number): { name: string; bytes: Uint8Array } {
  const random = seededRandom(seed);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const maybe = <T>(likely: number, make: () => T) => (random() < likely ? make() : undefined);
  const list = (likely: number) =>
    Object.fromEntries(
      Object.keys(QUANTITIES).flatMap((name) =>
        random() < likely ? [[name, { string: pick(QUANTITIES[name] ?? []) }]] : [],
      ),
    );
  const resources = (likely: number) => maybe(0.85, () => ({ requests: list(likely), limits: list(likely) }));
  const names = { init: Math.floor(random() * 4), regular: Math.floor(random() * 4) };
  const container = (name: string, restartPolicy?: string): MessageInitShape<typeof ContainerSchema> => {
    const own = resources(0.5);
    return { name, ...(own && { resources: own }), ...(restartPolicy && { restartPolicy }) };
  };
  const status = (name: string): MessageInitShape<typeof ContainerStatusSchema> => {
    const own = resources(0.5);
    return { name, ...(own && { resources: own }), allocatedResources: random() < 0.5 ? list(0.5) : {} };
  };
  const initNames = Array.from({ length: names.init }, (_, i) => `init-${i}`);
  const regularNames = Array.from({ length: names.regular }, (_, i) => (random() < 0.05 ? "init-0" : `main-${i}`));
  const ofPod = maybe(0.4, () => ({ requests: list(0.4), limits: list(0.4) }));
  const ofStatus = maybe(0.4, () => resources(0.5));
  const reason = pick(["", "Infeasible", "Deferred"]);
  const pod = create(PodSchema, {
    metadata: { name: `pod-${seed}` },
    spec: {
      initContainers: initNames.map((name) => container(name, pick(["", "Always", "Always"]))),
      containers: regularNames.map((name) => container(name)),
      overhead: random() < 0.3 ? list(0.5) : {},
      ...(ofPod && { resources: ofPod }),
    },
    status: {
      conditions: random() < 0.3 ? [{ type: "Ready" }, { type: "PodResizePending", reason }] : [],
      initContainerStatuses: initNames.filter(() => random() < 0.6).map(status),
      containerStatuses: regularNames.filter(() => random() < 0.6).map(status),
      ...(ofStatus && { resources: ofStatus }),
      allocatedResources: random() < 0.4 ? list(0.5) : {},
    },
  });
  return { name: `pod ${seed}`, bytes: toBinary(PodSchema, pod) };
}

test("resourcesOf() agrees with Kubernetes for 10,000 random pods", { skip: noGo }, () => {
  compare(Array.from({ length: 10_000 }, (_, seed) => podOf(seed + 1)));
});

test("the reference kubelet writes quantities as Go does", { skip: noGo }, () => {
  const random = seededRandom(1);
  const upTo = (most: number) => Math.floor(random() * most);
  const pick = (of: readonly string[]) => of[upTo(of.length)];
  const suffixes = ["", "m", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"];
  const texts = Array.from({ length: 3_000 }, () => {
    const suffix = suffixes[upTo(suffixes.length)] ?? "";
    const isWhole = random() < 0.5;
    return `${upTo(5_000)}${isWhole ? (suffix === "" ? pick(["", "000"]) : "") : `.${1 + upTo(9)}${pick(["", "", "25", "5"])}`}${suffix}`;
  });
  const overhead = Object.fromEntries(texts.map((text) => [text, { string: "0" }]));
  const [answer] = ask([toBinary(PodSchema, create(PodSchema, { spec: { overhead } }))]);
  for (const text of texts) assert.equal(canonicalQuantity(text), answer?.Canonical[text], text);
});

test("logPathOf() returns the kubelet's paths", { skip: noGo }, () => {
  // The functions themselves, out of its source: their package has all of the kubelet behind it.
  const directory = go("1.37", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").trim();
  const source = readFileSync(join(directory, "pkg/kubelet/kuberuntime/helpers.go"), "utf8");
  const cut = (form: RegExp) => form.exec(source)?.[0] ?? assert.fail(`no ${form} in the kubelet's source`);
  const functions = ["buildContainerLogsPath", "BuildContainerLogsDirectory", "BuildPodLogsDirectory"];
  const parts = functions.map((name) => cut(new RegExp(`^func ${name}\\([\\s\\S]*?^}$`, "m")));
  const program = `package main
import ("bufio"; "fmt"; "os"; "path/filepath"; "strings"; "k8s.io/apimachinery/pkg/types")
${cut(/^const logPathDelimiter = .*$/m)}
${parts.join("\n")}
func main() {
  in := bufio.NewScanner(os.Stdin)
  for in.Scan() {
    var root, namespace, name, uid, container string
    var count int
    fmt.Sscan(in.Text(), &root, &namespace, &name, &uid, &container, &count)
    directory := BuildPodLogsDirectory(root, namespace, name, types.UID(uid))
    if filepath.Join(directory, container) != BuildContainerLogsDirectory(root, namespace, name, types.UID(uid), container) { panic("another") }
    fmt.Println(filepath.Join(directory, buildContainerLogsPath(container, count)))
  }
}
`;
  const folder = join(root, "test/interop/go/bin/logs");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "main.go"), program);
  go("1.37", "build", "-o", join(folder, "logs"), "./bin/logs");
  const rows = Array.from({ length: 200 }, (_, i) => ({
    logRoot: i % 3 === 0 ? "/var/log/pods" : "/data/logs",
    uid: i % 4 === 0 ? randomUUID().replaceAll("-", "") : randomUUID(),
    namespace: `ns-${i}`,
    name: i % 5 === 0 ? `a.b-${i}` : `pod-${i}`,
    container: `c-${i % 7}`,
    restartCount: i * 37,
  }));
  const input = rows
    .map((row) => [row.logRoot, row.namespace, row.name, row.uid, row.container, row.restartCount].join(" "))
    .join("\n");
  const lines = execFileSync(join(folder, "logs"), { input }).toString().trim().split("\n");
  for (const [i, { logRoot, uid, namespace, name, container, restartCount }] of rows.entries()) {
    const pod = { metadata: { uid, namespace, name } } as Pod;
    const path = logPathOf(pod, { name: container, restartCount }, { logRoot });
    assert.equal(path, lines[i]);
    const key = { namespace, name, containerName: container, uid, restartCount, rotated: false };
    assert.deepEqual(parseLogPath(path), key);
  }
});
