import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { ObjectMetaSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { type Plan, wholePlan } from "./decode.js";
import { WireReader } from "./reader.js";

/** When a kubelet process first saw the pod: differs on every pod after each restart, and says nothing about it. */
export const BOOKKEEPING = "kubernetes.io/config.seen";

const METADATA = PodSchema.field.metadata.number;
const ANNOTATIONS = ObjectMetaSchema.field.annotations.number;

/** Groups in unknown fields may nest as deep as everywhere. */
const MAX_DEPTH = 100;

/** Where projections are put together; it grows to the largest usual pod. */
let scratch = Buffer.allocUnsafe(16_384);
const MAX_SCRATCH = 1 << 20;

/** Copies what a plan selects of a serialized pod, as a serialized pod. */
class Projection {
  readonly #reader: WireReader;
  readonly #target: Buffer;
  readonly #bookkeeping: boolean;
  #at = 0;

  constructor(bytes: Uint8Array, target: Buffer, bookkeeping: boolean) {
    this.#reader = new WireReader(bytes);
    this.#target = target;
    this.#bookkeeping = bookkeeping;
  }

  /** How many bytes of the target it took. */
  run(plan: Plan): number {
    this.#message(plan, this.#reader.length, "pod");
    return this.#at;
  }

  #message(plan: Plan, end: number, of: "pod" | "metadata" | "other"): void {
    const reader = this.#reader;
    while (reader.pos < end) {
      const start = reader.pos;
      const tag = reader.tag();
      const number = tag >>> 3;
      const below = this.#below(plan, of, number);
      if (below !== undefined && (tag & 7) === 2) this.#nested(below, start, of === "pod" && number === METADATA);
      else {
        const value = reader.pos;
        reader.skip(tag, MAX_DEPTH);
        const wanted = plan.whole || plan.readers[number] !== undefined;
        const dropped = !this.#bookkeeping && of === "metadata" && number === ANNOTATIONS && this.#isBookkeeping(value);
        if (wanted && !dropped) this.#at = reader.copyTo(this.#target, this.#at, start);
      }
    }
    if (reader.pos > end) throw new RangeError("a field reaches past its message");
  }

  /** The plan of a message that has to be gone through; undefined where it is copied or left out whole. */
  #below(plan: Plan, of: string, number: number): Plan | undefined {
    if (plan.partial[number] !== undefined) return plan.partial[number];
    const wanted = plan.whole || plan.readers[number] !== undefined;
    return wanted && !this.#bookkeeping && of === "pod" && number === METADATA
      ? wholePlan(ObjectMetaSchema)
      : undefined;
  }

  /** A message in a field: its length is known when it is done, and takes no more bytes than it took before. */
  #nested(plan: Plan, start: number, isMetadata: boolean): void {
    const reader = this.#reader;
    const tagEnd = reader.pos;
    const length = reader.uint32();
    const end = reader.pos + length;
    if (end > reader.length) throw new RangeError("a message reaches past the end");
    const head = reader.pos - start;
    const target = this.#target;
    const headAt = this.#at;
    this.#at += head;
    this.#message(plan, end, isMetadata ? "metadata" : "other");
    const body = this.#at - headAt - head;
    // The tag as it was, the new length, and what follows moves up to it.
    const resume = reader.pos;
    reader.pos = tagEnd;
    let at = reader.copyTo(target, headAt, start);
    reader.pos = resume;
    for (let rest = body; ; rest >>>= 7) {
      target[at++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest;
      if (rest <= 0x7f) break;
    }
    if (at !== headAt + head) target.copyWithin(at, headAt + head, this.#at);
    this.#at = at + body;
  }

  /** Whether the map entry at `at` is the kubelet's own: its key is the first field, as every encoder writes it. */
  #isBookkeeping(at: number): boolean {
    const reader = this.#reader;
    const end = reader.pos;
    reader.pos = at;
    reader.uint32();
    const isKey = reader.pos < end && reader.tag() === 0x0a;
    const length = isKey ? reader.uint32() : 0;
    const found = isKey && reader.isText(reader.pos, reader.pos + length, BOOKKEEPING);
    reader.pos = end;
    return found;
  }
}

function target(length: number): Buffer {
  if (length <= scratch.length) return scratch;
  const larger = Buffer.allocUnsafe(length);
  if (length <= MAX_SCRATCH) scratch = larger;
  return larger;
}

/**
 * What a plan selects of a serialized pod, as bytes of its own: decoding them gives what decoding the whole by that plan
 * gives.
 *
 * @throws Error or RangeError where the bytes are no pod.
 */
export function project(bytes: Uint8Array, plan: Plan): Uint8Array<ArrayBuffer> {
  const into = target(bytes.length);
  const length = new Projection(bytes, into, true).run(plan);
  return new Uint8Array(into.subarray(0, length));
}

/**
 * Whether what a plan selects of two pods has the same bytes, the kubelet's bookkeeping left out. That it has not proves
 * nothing: fields and map entries may be ordered otherwise.
 */
export function sameProjection(a: Uint8Array, b: Uint8Array, plan: Plan): boolean {
  const into = target(a.length + b.length);
  const lengthOfA = new Projection(a, into, false).run(plan);
  const lengthOfB = new Projection(b, into.subarray(lengthOfA), false).run(plan);
  if (lengthOfA !== lengthOfB) return false;
  return into.compare(into, 0, lengthOfA, lengthOfA, lengthOfA + lengthOfB) === 0;
}
