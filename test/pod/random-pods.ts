// Pods and masks that no one would write, from the descriptors and a seed.

import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  type Message,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
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

/** Lengths of messages around those where the number before them takes one byte more. */
export const BODY_LENGTHS: readonly number[] = [
  ...[126, 127, 128, 129, 130],
  ...[16_382, 16_383, 16_384, 16_385, 16_386],
];

/** Returns the text with which something has a length; undefined where no text gives it. */
export function fillerFor(length: number, lengthWith: (text: string) => number): string | undefined {
  const most = length - lengthWith("");
  for (let n = most; n > Math.max(0, most - 8); n--) if (lengthWith("x".repeat(n)) === length) return "x".repeat(n);
  return undefined;
}

/** Makes a pod. In every second one, the part of a message that `paths` select has one of {@link BODY_LENGTHS}. */
export function randomPod(seed: number, paths?: readonly string[]): Pod {
  const random = seededRandom(seed);
  // Some are full, most are not: a pod has three hundred messages within reach.
  const pod = randomMessage(PodSchema, random, pick(random, [0.1, 0.3, 0.6])) as Pod;
  if (random() < 0.5) fill(pod, random, paths);
  return pod;
}

/** A message within a pod, and the paths that are selected of it; undefined where it is selected whole. */
interface Part {
  readonly desc: DescMessage;
  readonly message: Message;
  readonly paths: readonly string[] | undefined;
}

/** Texts that a pod's head has, which are bounded. */
const OF_THE_HEAD: ReadonlySet<string> = new Set(["uid", "name", "namespace", "phase"]);

function fill(pod: Pod, random: Random, paths: readonly string[] | undefined): void {
  // Few are long: they take as much time as ten others.
  const isLong = random() < 0.15;
  const parts = partsOf({ desc: PodSchema, message: pod, paths }).flatMap((part) =>
    part.desc.fields
      .filter(({ fieldKind, scalar }) => fieldKind === "scalar" && scalar === ScalarType.STRING)
      .filter(({ localName }) => part.paths?.includes(localName) ?? true)
      .filter(({ localName }) => !(isLong && OF_THE_HEAD.has(localName)))
      .map(({ localName }) => ({ ...part, text: localName })),
  );
  if (parts.length === 0) return;
  const { desc, message, paths: selected, text } = pick(random, parts);
  const fields = message as Message & Fields;
  const before = fields[text];
  const lengths = BODY_LENGTHS.filter((length) => length > 1_000 === isLong);
  const filler = fillerFor(pick(random, lengths), (value) => {
    fields[text] = value;
    return toBinary(desc, selected === undefined ? message : select(desc, message, selected)).length;
  });
  fields[text] = filler ?? before;
}

/** Returns the messages within a message of which something is selected. */
function partsOf({ desc, message, paths }: Part): Part[] {
  return desc.fields.flatMap((field) => {
    const name = field.localName;
    const value = (message as Message & Fields)[name];
    if (field.message === undefined || field.fieldKind === "map" || value === undefined) return [];
    const isWhole = paths?.includes(name) ?? true;
    const deeper = paths?.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    if (!isWhole && deeper?.length === 0) return [];
    const inner = { desc: field.message, paths: isWhole ? undefined : deeper };
    const messages = field.fieldKind === "list" ? (value as Message[]) : [value as Message];
    return messages.flatMap((each) => [{ ...inner, message: each }, ...partsOf({ ...inner, message: each })]);
  });
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

/** Returns how long the messages within a serialized message are. */
export function bodyLengths(desc: DescMessage, bytes: Uint8Array): number[] {
  const reader = new BinaryReader(bytes);
  const lengths: number[] = [];
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const inner = desc.fields.find((field) => field.number === number && field.fieldKind !== "map")?.message;
    if (inner === undefined) reader.skip(wireType, number);
    else {
      const body = reader.bytes();
      lengths.push(body.length, ...bodyLengths(inner, body));
    }
  }
  return lengths;
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
