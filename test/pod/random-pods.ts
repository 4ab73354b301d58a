// Pods and masks that no one would write, from the descriptors and a seed.

import { create, type DescField, type DescMessage, fromBinary, type Message, ScalarType } from "@bufbuild/protobuf";
import { type Pod, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { seededRandom } from "../../src/testing/index.js";

type Random = () => number;
type Fields = Record<string, unknown>;

const TEXTS = [
  "",
  "a",
  "Running",
  "kubernetes.io/config.seen",
  "__proto__",
  "constructor",
  "ü-ñ-漢-🚀",
  "\ufeffbom",
  "x".repeat(40),
];

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));

export function randomPod(seed: number): Pod {
  const random = seededRandom(seed);
  // Some are full, most are not: a pod has three hundred messages within reach.
  return randomMessage(PodSchema, random, pick(random, [0.1, 0.3, 0.6])) as Pod;
}

function randomMessage(desc: DescMessage, random: Random, density: number, depth = 0): Message {
  const message = create(desc) as Message & Fields;
  for (const field of desc.fields) {
    if (random() < density * (depth > 5 ? 0.3 : 1))
      message[field.localName] = randomValue(field, random, density, depth);
  }
  return message;
}

function randomValue(field: DescField, random: Random, density: number, depth: number): unknown {
  const one = () =>
    field.message === undefined
      ? randomScalar(field.scalar ?? ScalarType.STRING, random)
      : randomMessage(field.message, random, density * 0.8, depth + 1);
  if (field.fieldKind === "list") return Array.from({ length: upTo(random, 3) }, one);
  if (field.fieldKind !== "map") return one();
  const entries = Array.from({ length: upTo(random, 3) }, () => [pick(random, TEXTS), one()] as const);
  return Object.fromEntries(entries);
}

function randomScalar(type: ScalarType, random: Random): unknown {
  if (type === ScalarType.BOOL) return random() < 0.5;
  if (type === ScalarType.INT32) return pick(random, [0, 1, -1, 300, 2 ** 31 - 1, -(2 ** 31)]);
  if (type === ScalarType.INT64) return pick(random, [0n, 1n, -1n, 1n << 40n, (1n << 63n) - 1n, -(1n << 63n)]);
  if (type === ScalarType.BYTES) return Uint8Array.from({ length: upTo(random, 20) }, () => upTo(random, 255));
  return pick(random, TEXTS);
}

/** A pod as protobuf-es decodes it, with `metadata`, `spec` and `status`, of what the mask selects where there is one. */
export function decodedByProtobufES(bytes: Uint8Array, paths?: readonly string[]): Pod {
  const pod = fromBinary(PodSchema, bytes);
  const { metadata, spec, status } = create(PodSchema, { metadata: {}, spec: {}, status: {} });
  const whole = Object.assign(pod, {
    metadata: pod.metadata ?? metadata,
    spec: pod.spec ?? spec,
    status: pod.status ?? status,
  });
  return paths === undefined ? whole : select(PodSchema, whole, paths);
}

/** Paths that there are. */
export function randomPaths(seed: number): string[] {
  const random = seededRandom(seed ^ 0x5bd1e995);
  return Array.from({ length: 1 + upTo(random, 6) }, () => {
    const path: string[] = [];
    for (let desc: DescMessage | undefined = PodSchema; desc !== undefined && desc.fields.length > 0; ) {
      const field: DescField = pick(random, desc.fields);
      path.push(field.localName);
      desc = field.fieldKind === "map" || random() < 0.25 ? undefined : field.message;
    }
    return path.join(".");
  });
}

/** What paths select of a message, slowly and plainly. */
function select<T extends Message>(desc: DescMessage, message: T, paths: readonly string[]): T {
  const selected = create(desc) as Message & Fields;
  for (const field of desc.fields) {
    const name = field.localName;
    const value = (message as unknown as Fields)[name];
    const deeper = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    if (value === undefined) continue;
    if (paths.includes(name)) selected[name] = value;
    else if (deeper.length > 0 && field.fieldKind === "list") {
      selected[name] = (value as Message[]).map((item) => select(field.message as DescMessage, item, deeper));
    } else if (deeper.length > 0) selected[name] = select(field.message as DescMessage, value as Message, deeper);
  }
  return selected as unknown as T;
}
