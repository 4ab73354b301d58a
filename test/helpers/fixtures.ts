// Pods of kubelets: those that are kept in test/fixtures, and real data of others, which lies beside some checkouts and is in none.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { parse } from "yaml";
import type { PodJson } from "../../src/pod/json-types.js";
import { root } from "./programs.js";

const kept = join(root, "test/fixtures");
const others = process.env["OTHER_FIXTURES"] ?? join(root, "../shared/fixtures");

/** Whether the data of others is there. */
export const hasOthers: boolean = existsSync(others);

const read = (...path: string[]) => readFileSync(join(...path));
const without = (ending: string, files: string[]) =>
  files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
const itemsOf = (...path: string[]) => (JSON.parse(read(...path).toString()) as { items: PodJson[] }).items;

/** The pods of one kubelet, without apiVersion and kind where they stood inside a list. */
export interface PodList {
  readonly name: string;
  readonly pods: PodJson[];
}

/** Returns the lists of `GET /pods` of kubelets. */
export function podLists(): PodList[] {
  const ours = without(".json", readdirSync(kept)).map((name) => ({ name, pods: itemsOf(kept, `${name}.json`) }));
  const theirs = hasOthers ? ["kind-1.29", "kind-1.35"] : [];
  return [...ours, ...theirs.map((name) => ({ name, pods: itemsOf(others, "kubelet-pods", `${name}.json`) }))];
}

/** The UID of the kept pod that has every field, as no node has one. */
export const EVERY_FIELD = "every-field";

/** Returns the pods of these lists, and where there are others one real pod per state, with a name for each. */
export function realPods(): { name: string; json: PodJson }[] {
  const listed = podLists().flatMap(({ name, pods }) =>
    pods
      .filter(({ metadata }) => metadata?.uid !== EVERY_FIELD)
      .map((json) => ({ name: `${name} ${json.metadata?.name}`, json })),
  );
  const states = hasOthers ? readdirSync(join(others, "pod-states")) : [];
  return [
    ...listed,
    ...states.map((file) => ({ name: file, json: parse(read(others, "pod-states", file).toString()) as PodJson })),
  ];
}

/** Returns pods as kubelets marshalled them, and beside them their JSON where it is of the same moment. */
export function servedPods(): { name: string; protobuf: Uint8Array; json: PodJson | undefined }[] {
  return without(".pb.txt", readdirSync(kept)).flatMap((name) => {
    const lines = read(kept, `${name}.pb.txt`).toString().trim().split("\n");
    const jsons = name.startsWith("go-") ? itemsOf(kept, `${name}.json`) : [];
    return lines
      .filter((line) => !line.startsWith("#"))
      .map((line, i) => ({
        name: `${name} #${i + 1}`,
        protobuf: Uint8Array.from(Buffer.from(line, "base64")),
        json: jsons[i],
      }));
  });
}

/** Returns Kubernetes' own round-trip fixtures, where there are others: every field filled, as protobuf and as JSON. */
export function roundTrips(): { name: string; protobuf: Uint8Array; json: PodJson }[] {
  const folder = join(others, "kubernetes-api");
  return without(".pb", hasOthers ? readdirSync(folder) : []).map((name) => ({
    name,
    protobuf: unwrap(read(folder, `${name}.pb`)),
    json: JSON.parse(read(folder, `${name}.json`).toString()) as PodJson,
  }));
}

/** The pod inside `k8s\0` and runtime.Unknown { 2 raw }. */
function unwrap(file: Uint8Array): Uint8Array {
  const reader = new BinaryReader(file.subarray(4));
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 2) return Uint8Array.from(reader.bytes());
    reader.skip(wireType, number);
  }
  throw new Error("no raw object in the envelope");
}

/** A pod that ended, as a kubelet sent it, and the ends that are to be reported of its containers' runs. */
export interface RecordedEnd {
  readonly release: "1.37" | "1.36";
  readonly name: string;
  readonly events: readonly {
    readonly atMs: number;
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    readonly pod: PodJson;
  }[];
  /** What the container runtime did. */
  readonly runtime: readonly {
    readonly atMs: number;
    readonly event: "start" | "exit" | "oom";
    readonly container: string;
    readonly id: string;
    readonly exitCode?: number;
  }[];
  /** What stopped the pod, and when that was seen; null if it ended by itself. */
  readonly stoppedBy: { readonly reason: string; readonly atMs: number; readonly message: string } | null;
  readonly expected: {
    readonly containers: readonly {
      readonly container: string;
      readonly id: string;
      readonly reason: string;
      readonly exitCode: number | null;
      readonly oom?: string;
    }[];
    /** What stopped the pod; undefined if it ended by itself. */
    readonly pod?: string;
  };
}

/** Returns the recorded ends of pods, where there are others. */
export function recordedEnds(): RecordedEnd[] {
  if (!hasOthers) return [];
  const read = (release: string) => readFileSync(join(others, "pod-ends", `ends-${release}.json`), "utf8");
  return ["1.37.1", "1.36.4"].flatMap((release) =>
    (JSON.parse(shuffled(read(release))) as { pods: RecordedEnd[] }).pods.map((pod) => ({
      ...pod,
      release: release.slice(0, 4) as RecordedEnd["release"],
    })),
  );
}

/** Changes what identifies the pods of a recording: IDs, names and times. */
function shuffled(text: string): string {
  return text
    .replace(/\b[0-9a-f]{64}\b/g, (id) => [...id].reverse().join(""))
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (uid) => `${uid.slice(24)}${uid.slice(8, 24)}`)
    .replace(/"name": "([a-z])-([a-z0-9-]+)"/g, '"name": "$2-$1"')
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) =>
      new Date(Date.parse(time) + 86_399_000).toISOString().replace(".000", ""),
    );
}
