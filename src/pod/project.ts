import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { ObjectMetaSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { type Plan, wholePlan } from "./decode.js";
import { SEEN_ANNOTATION } from "./lifecycle.js";
import { WireReader } from "./reader.js";
import { checkStructure, MAX_DEPTH } from "./structure.js";

const METADATA = PodSchema.field.metadata.number;
const ANNOTATIONS = ObjectMetaSchema.field.annotations.number;

/** The buffer in which projections are put together; it grows to the largest usual pod. */
let scratch = Buffer.allocUnsafe(16_384);
const MAX_SCRATCH = 1 << 20;

/**
 * - `keep`: everything is copied that is selected, once its structure has been checked.
 * - `compare`: the structure is known to be right, and the kubelet's bookkeeping is left out.
 */
type Purpose = "keep" | "compare";

/** Copies what a plan selects of a serialized pod, as a serialized pod. */
class Projection {
  readonly #bytes: Uint8Array;
  readonly #reader: WireReader;
  readonly #target: Buffer;
  readonly #purpose: Purpose;
  #at = 0;

  constructor(bytes: Uint8Array, target: Buffer, purpose: Purpose) {
    this.#bytes = bytes;
    this.#reader = new WireReader(bytes);
    this.#target = target;
    this.#purpose = purpose;
  }

  /** Copies it, and returns how many bytes of the target it took. */
  run(plan: Plan): number {
    this.#message(plan, this.#reader.length, "pod", MAX_DEPTH);
    return this.#at;
  }

  #message(plan: Plan, end: number, of: "pod" | "metadata" | "other", depth: number): void {
    const reader = this.#reader;
    const compares = this.#purpose === "compare";
    while (reader.pos < end) {
      const start = reader.pos;
      const tag = reader.tag();
      const number = tag >>> 3;
      const below = this.#below(plan, of, number);
      if (below !== undefined && (tag & 7) === 2)
        this.#nested(below, start, of === "pod" && number === METADATA, depth);
      else {
        const value = reader.pos;
        reader.skip(tag, depth - 1);
        if (!(plan.whole || plan.readers[number] !== undefined)) continue;
        if (!compares) checkStructure(this.#bytes, plan.structure, start, reader.pos, depth);
        else if (of === "metadata" && number === ANNOTATIONS && this.#isBookkeeping(value)) continue;
        this.#at = reader.copyTo(this.#target, this.#at, start);
      }
    }
    if (reader.pos > end) throw new RangeError("a field reaches past its message");
  }

  /** Returns the plan of a message that has to be walked; undefined where it is copied or left out whole. */
  #below(plan: Plan, of: string, number: number): Plan | undefined {
    if (plan.partial[number] !== undefined) return plan.partial[number];
    const wanted = plan.whole || plan.readers[number] !== undefined;
    return wanted && this.#purpose === "compare" && of === "pod" && number === METADATA
      ? wholePlan(ObjectMetaSchema)
      : undefined;
  }

  /** Copies a message in a field. Its length is known when that is done, and takes no more bytes than before. */
  #nested(plan: Plan, start: number, isMetadata: boolean, depth: number): void {
    const reader = this.#reader;
    const tagEnd = reader.pos;
    const length = reader.uint32();
    const end = reader.pos + length;
    if (end > reader.length) throw new RangeError("a message reaches past the end");
    const head = reader.pos - start;
    const target = this.#target;
    const headAt = this.#at;
    this.#at += head;
    this.#message(plan, end, isMetadata ? "metadata" : "other", depth - 1);
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

  /** Returns whether the map entry at `at` is the kubelet's own: its key is the first field, as every encoder writes it. */
  #isBookkeeping(at: number): boolean {
    const reader = this.#reader;
    const end = reader.pos;
    reader.pos = at;
    reader.uint32();
    const isKey = reader.pos < end && reader.tag() === 0x0a;
    const length = isKey ? reader.uint32() : 0;
    const found = isKey && reader.isText(reader.pos, reader.pos + length, SEEN_ANNOTATION);
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
 * Returns what a plan selects of a serialized pod, as bytes of its own: decoding them gives what decoding the whole by that
 * plan gives. Every plan that selects no more can decode them.
 *
 * @throws Error or RangeError where what is selected cannot be read.
 */
export function project(bytes: Uint8Array, plan: Plan): Uint8Array<ArrayBuffer> {
  if (plan.whole) {
    checkStructure(bytes, plan.structure);
    return new Uint8Array(bytes);
  }
  const into = target(bytes.length);
  const length = new Projection(bytes, into, "keep").run(plan);
  return new Uint8Array(into.subarray(0, length));
}

/**
 * Returns whether what a plan selects of two pods has the same bytes, the kubelet's bookkeeping left out. That it has not proves
 * nothing: fields and map entries may be ordered otherwise.
 */
export function sameProjection(a: Uint8Array, b: Uint8Array, plan: Plan): boolean {
  const into = target(a.length + b.length);
  const lengthOfA = new Projection(a, into, "compare").run(plan);
  const lengthOfB = new Projection(b, into.subarray(lengthOfA), "compare").run(plan);
  if (lengthOfA !== lengthOfB) return false;
  return into.compare(into, 0, lengthOfA, lengthOfA, lengthOfA + lengthOfB) === 0;
}
