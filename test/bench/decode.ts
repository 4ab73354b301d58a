// npm run bench -- decode [--rounds 9]
//
// Decodes whole pods, and five fields of them, and compares this with protobuf-es, protobufjs and JSON.parse in one process. The pods come
// from recordings of real kubelets, if test/fixtures or ../shared has them, and otherwise from the sample node.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import protobuf from "protobufjs";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { Ledger } from "../../src/known/ledger.js";
import { decodeBy, decodePod } from "../../src/pod/decode.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { podMask } from "../../src/pod/mask.js";
import { project } from "../../src/pod/project.js";
import { scanHead } from "../../src/pod/scan.js";
import { toKubernetesJson } from "../../src/pod/to-json.js";
import { podMasks } from "../../src/pod-masks.js";
import { type PodJson, sampleNode } from "../../src/testing/index.js";
import { realPods } from "../helpers/fixtures.js";
import { inState, podOfSize } from "./pods.js";
import { median, printTable } from "./processes.js";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "9" } } });
const rounds = Number(values.rounds);

/** Pods of recorded kubelets, or of the sample node if there is no recording. */
const real = realPods().filter(({ name }) => !name.startsWith("go-"));
const jsons: PodJson[] = real.length > 0 ? real.map(({ json }) => json) : sampleNode();
const bytesOf = (json: PodJson) => toBinary(PodSchema, fromKubernetesJson(json, { allowUnknownKeys: true }));
const five = podMask("metadata.uid", "metadata.namespace", "metadata.name", "status.phase", "status.podIPs").plan;

const proto = join(import.meta.dirname, "../../proto");
const descriptor = createRequire(import.meta.url)("protobufjs/google/protobuf/descriptor.json");
protobuf.common("descriptor", descriptor.nested.google.nested.protobuf.nested);
const root = new protobuf.Root();
root.resolvePath = (_, target) => (target.startsWith(proto) ? target : join(proto, target));
const Reflected = root.loadSync("k8s/io/api/core/v1/pod.proto").lookupType("k8s.io.api.core.v1.Pod");

/** The code that protobufjs generates from the schema. Undefined if protobufjs cannot be installed. */
function generated(): { decode(bytes: Uint8Array): unknown } | undefined {
  const directory = mkdtempSync(join(tmpdir(), "bench-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(directory, "node_modules"));
  const file = join(directory, "pod.cjs");
  const options = [
    "-t",
    "static-module",
    "-w",
    "commonjs",
    "--no-create",
    "--no-encode",
    "--no-verify",
    "--no-convert",
  ];
  const source = ["-p", proto, "k8s/io/api/core/v1/pod.proto", "-o", file];
  const made = spawnSync("npx", ["-y", "-p", "protobufjs-cli@1", "pbjs", ...options, ...source], { stdio: "ignore" });
  if (made.status !== 0) return undefined;
  return createRequire(import.meta.url)(file).k8s.io.api.core.v1.Pod;
}
const Generated = generated();

interface Contender {
  name: string;
  run: (pod: { bytes: Uint8Array; json: string }) => unknown;
}
const contenders: Contender[] = [
  { name: "protobuf-es fromBinary", run: ({ bytes }) => fromBinary(PodSchema, bytes) },
  { name: "kubelet-pods, whole pod", run: ({ bytes }) => decodePod(bytes) },
  { name: "kubelet-pods, five fields", run: ({ bytes }) => decodeBy(five, bytes) },
  { name: "kubelet-pods, head of a pod", run: ({ bytes }) => scanHead(bytes) },
  { name: "kubelet-pods, bytes of five fields", run: ({ bytes }) => project(bytes, five) },
  { name: "protobufjs, reflection", run: ({ bytes }) => Reflected.decode(bytes) },
  ...(Generated === undefined
    ? []
    : [{ name: "protobufjs, static", run: ({ bytes }: { bytes: Uint8Array }) => Generated.decode(bytes) }]),
  { name: "JSON.parse of the same", run: ({ json }) => JSON.parse(json) },
];

/** Microseconds per pod. */
function time(run: Contender["run"], pods: { bytes: Uint8Array; json: string }[], times: number): number {
  const startMs = performance.now();
  for (let i = 0; i < times; i++) for (const pod of pods) run(pod);
  return ((performance.now() - startMs) * 1_000) / (times * pods.length);
}

function compare(what: string, all: Uint8Array[]): void {
  const pods = all.map((bytes) => ({ bytes, json: JSON.stringify(toKubernetesJson(decodePod(bytes))) }));
  const times = Math.ceil(2_000 / pods.length);
  for (const { run } of contenders) time(run, pods, times);
  const results = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [{ run }, list] of results) list.push(time(run, pods, times));
  }
  const us = (contender: Contender | undefined) => median((contender && results.get(contender)) ?? []);
  const [theirs] = contenders;
  const reflection = contenders.find(({ name }) => name === "protobufjs, reflection");
  const size = pods.reduce((sum, { bytes }) => sum + bytes.length, 0) / pods.length;
  console.log(`${what}: ${pods.length} pods, ${(size / 1_000).toFixed(1)} kB on average (medians of ${rounds} rounds)`);
  printTable([
    ["", "per pod", "than protobuf-es", "than protobufjs"],
    ...contenders.map((contender) => [
      contender.name,
      `${us(contender).toFixed(2)} us`,
      `${(us(theirs) / us(contender)).toFixed(2)} x`,
      `${(us(reflection) / us(contender)).toFixed(2)} x`,
    ]),
  ]);
}

/** Bytes of heap and of buffers that a result takes. */
function kept(make: (bytes: Uint8Array, i: number) => unknown, sources: Uint8Array[]): number {
  const used = () => {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const list: unknown[] = new Array(sources.length);
  make(sources[0] as Uint8Array, 0);
  const before = used();
  for (const [i, bytes] of sources.entries()) list[i] = make(bytes, i);
  const bytes = (used() - before) / sources.length;
  return list.length === sources.length ? bytes : Number.NaN;
}

function memory(podBytes: number): void {
  const sources = Array.from({ length: 1_000 }, (_, i) => inState(podOfSize(podBytes, i), i));
  const ledger = (mask: Parameters<Ledger["retain"]>[0]) => {
    const all = new Ledger(() => Number.POSITIVE_INFINITY);
    all.retain(mask);
    all.begin({
      server: "",
      connection: undefined,
      reportsDeletions: true,
      askedMs: 0,
      askedWallMs: 0,
      trust: "contract",
    });
    return (bytes: Uint8Array, i: number) => {
      all.stage("ADDED", bytes);
      if (i === sources.length - 1) all.commit(0);
      return all;
    };
  };
  const rows = [
    ["protobuf-es message", kept((bytes) => fromBinary(PodSchema, bytes), sources)],
    ["kubelet-pods, whole pod", kept((bytes) => decodePod(bytes), sources)],
    ["kubelet-pods, five fields", kept((bytes) => decodeBy(five, bytes), sources)],
    ["kept by a watch: whole pods", kept(ledger(undefined), sources)],
    ["kept by a watch: identity", kept(ledger(podMasks.identity), sources)],
  ] as const;
  console.log(`memory of one kept pod of ${podBytes / 1_000} kB, heap and buffers (1,000 pods)`);
  printTable([
    ["", "bytes", "of protobuf-es"],
    ...rows.map(([name, bytes]) => [name, bytes.toFixed(0), `${((bytes / rows[0][1]) * 100).toFixed(1)} %`]),
  ]);
}

console.log(`Node ${process.version}, ${cpus()[0]?.model}\n`);
compare(real.length > 0 ? "real pods" : "the sample node", jsons.map(bytesOf));
compare("a pod of 7 kB", [inState(podOfSize(7_000, 1), 1)]);
compare("a pod of 20 kB", [inState(podOfSize(20_000, 1), 1)]);
for (const podBytes of [7_000, 20_000]) memory(podBytes);
