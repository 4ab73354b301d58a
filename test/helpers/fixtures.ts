// Real data of others, which lies beside a checkout and not in it: a user's clone has none.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { parse } from "yaml";
import type { PodJson } from "../../src/pod/json-types.js";
import { root } from "./programs.js";

const folder = join(root, "../shared/fixtures");

/** `false`, or why tests over the fixtures are skipped. Under CI they never are. */
export const noFixtures: string | false =
  existsSync(folder) || process.env["CI"] === "true" ? false : "no ../shared/fixtures beside this checkout";

const read = (...path: string[]) => readFileSync(join(folder, ...path));

/** Pods of `GET /pods` of real kubelets, and one real pod per state, with a name for each. */
export function realPods(): { name: string; json: PodJson }[] {
  const lists = ["kind-1.29.json", "kind-1.35.json"].flatMap((file) =>
    (JSON.parse(read("kubelet-pods", file).toString()) as { items: PodJson[] }).items.map((json) => ({
      name: `${file} ${json.metadata?.name}`,
      json,
    })),
  );
  const states = readdirSync(join(folder, "pod-states")).map((file) => ({
    name: file,
    json: parse(read("pod-states", file).toString()) as PodJson,
  }));
  return [...lists, ...states];
}

/** The pods of one real kubelet, without apiVersion and kind, as inside a list. */
export function kubeletPods(version: "1.29" | "1.35"): PodJson[] {
  return (JSON.parse(read("kubelet-pods", `kind-${version}.json`).toString()) as { items: PodJson[] }).items;
}

/** Kubernetes' own round-trip fixtures: every field filled, as protobuf and as JSON. */
export function roundTrips(): { name: string; protobuf: Uint8Array; json: PodJson }[] {
  const suffix = ".pb";
  return readdirSync(join(folder, "kubernetes-api"))
    .filter((file) => file.endsWith(suffix))
    .map((file) => ({
      name: file.slice(0, -suffix.length),
      protobuf: unwrap(read("kubernetes-api", file)),
      json: JSON.parse(read("kubernetes-api", file.replace(/\.pb$/, ".json")).toString()) as PodJson,
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
