import { MAX_DEPTH, past, tooDeep, WireReader } from "../protobuf/reader.js";
import { type Plan, wholePlan } from "./decode.js";
import type { MessageType } from "./field.js";
import { FACT, HEAD_FIELDS, type HeadFields, type PodHead } from "./head.js";
import { HeadReader } from "./head-reader.js";
import { POD } from "./message-type.js";
import { copyOf, MAX_SHARED, type Room, room, take } from "./slab.js";
import { BYTES, checkField, checkStructure, MESSAGE, otherWireType, type Structure, structureOf } from "./structure.js";

const VARINT = 0;
const DELIMITED = 2;
const BIT32 = 5;

/** The fate of a message's bytes: passed over, or some of its fields are copied, or whoever holds it copies it whole. */
const PASSED = 0;
const PICKED = 1;
const WHOLE = 2;

/** Instructions for one message on the way through a pod. Tables are by field number. */
interface Step {
  readonly becomes: typeof PASSED | typeof PICKED | typeof WHOLE;
  /** One of FACT. */
  readonly facts: Uint8Array;
  /** Whether a field is picked. */
  readonly picks: Uint8Array;
  /** The messages that are walked through. */
  readonly below: readonly (Step | undefined)[];
  readonly structure: Structure;
}

function stepOf(type: MessageType, heads: HeadFields, plan: Plan | undefined): Step {
  const size = Math.max(0, ...type.fields.map(({ number }) => number)) + 1;
  const facts = new Uint8Array(size);
  const picks = new Uint8Array(size);
  const below: (Step | undefined)[] = Array.from(facts, () => undefined);
  for (const { name, number, message } of type.fields) {
    const head = heads[name];
    const planned = plan?.whole ? ALL_OF_IT : plan?.fields[number];
    if (typeof head === "number") facts[number] = head;
    if (planned !== undefined) picks[number] = 1;
    const isWalked = typeof head === "object" || planned?.partial !== undefined;
    if (message === undefined || !isWalked) continue;
    const inner = planned === undefined ? undefined : (planned.partial ?? wholePlan(message));
    below[number] = stepOf(message, typeof head === "object" ? head : {}, inner);
  }
  let becomes: Step["becomes"] = PASSED;
  if (plan !== undefined) becomes = plan.whole ? WHOLE : PICKED;
  return { becomes, facts, picks, below, structure: structureOf(type) };
}

const ALL_OF_IT = { partial: undefined };

/** The buffer in which selected fields are put together; it grows to the largest usual pod. */
let scratch = Buffer.allocUnsafe(16_384);
const MAX_SCRATCH = 1 << 20;

const NOTHING = new WireReader(new Uint8Array());
const NO_HEAD = new HeadReader(NOTHING);

/** A pod that was walked through. */
export interface Scanned {
  readonly head: PodHead;
  /** Whether its head and what is selected can be read: then, until the next scan, it can be kept. */
  readonly isReadable: boolean;
}

/**
 * Walks once over serialized pods: reads their heads, checks the structure of what is selected, and picks it out. What passes can be
 * decoded by the plan, and by every one that selects less.
 */
export class PodScanner {
  readonly #root: Step;
  #reader: WireReader = NOTHING;
  #head: HeadReader = NO_HEAD;
  /** Where what is selected is put together; the pod itself where that is all of it. */
  #target: Buffer = scratch;
  /** The part of a shared buffer that is the target; undefined where the target is none. */
  #room: Room | undefined;
  /** Whether a field has another wire type than the schema: it is read as the schema has it, so that no fact behind it is lost. */
  #isWrong = false;
  /** Where what is selected begins in the target. */
  #start = 0;
  /** Where the next bytes go in the target. */
  #at = 0;
  /** Fields that lie one behind the other and are copied at once. */
  #runStart = 0;
  #runEnd = 0;

  /** @param plan what is selected; nothing where it is undefined. @param heads what is read of the head. */
  constructor(plan: Plan | undefined, heads: HeadFields = HEAD_FIELDS) {
    this.#root = stepOf(POD, heads, plan);
  }

  /** Walks over a pod. */
  scan(bytes: Uint8Array): Scanned {
    try {
      this.#scan(bytes);
      return { head: this.#head.head, isReadable: true };
    } catch {
      this.drop();
      return { head: scanHead(bytes).head, isReadable: false };
    } finally {
      this.#forget();
    }
  }

  /**
   * Returns what is selected of the last pod, as a serialized pod of which every plan that selects no more decodes what it decodes of
   * the whole: `before` where that has the same bytes, and else a copy.
   */
  keep(before?: Uint8Array): Uint8Array {
    const [target, start, end] = [this.#target, this.#start, this.#at];
    this.#target = scratch;
    const length = end - start;
    if (before?.length === length && target.compare(before, 0, length, start, end) === 0) return before;
    if (this.#room !== undefined) return take(this.#room, end);
    return copyOf(target.subarray(start, end));
  }

  /** Returns what is selected, as {@link keep} does, in a buffer of its own. @throws Error or RangeError where it cannot be read. */
  pick(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    try {
      this.#scan(bytes);
      return new Uint8Array(this.#target.subarray(this.#start, this.#at));
    } finally {
      this.drop();
      this.#forget();
    }
  }

  /** Reads the head of a pod. What is read before the bytes turn out to be broken is in it. */
  headOf(bytes: Uint8Array): { head: PodHead; broken: boolean } {
    let broken = false;
    try {
      this.#scan(bytes);
    } catch {
      broken = true;
    }
    const { head } = this.#head;
    this.drop();
    this.#forget();
    return { head, broken };
  }

  #scan(bytes: Uint8Array): void {
    this.#reader = new WireReader(bytes);
    this.#head = new HeadReader(this.#reader);
    // What is selected takes no more than the pod, and most often far less.
    this.#room = this.#root.becomes === PICKED && bytes.length <= MAX_SHARED ? room(bytes.length) : undefined;
    this.#target = this.#room?.buffer ?? targetOf(bytes.length);
    this.#start = this.#at = this.#room?.start ?? 0;
    this.#runStart = this.#runEnd = 0;
    this.#isWrong = false;
    this.#walk(this.#root, 0, bytes.length, MAX_DEPTH);
    if (this.#isWrong) throw otherWireType();
    if (this.#root.becomes === WHOLE) {
      this.#target = this.#reader.source;
      this.#at = bytes.length;
    } else this.#flush();
  }

  /** Lets go of a pod that is not kept, which may be a view of a whole answer. */
  drop(): void {
    this.#target = scratch;
    this.#room = undefined;
  }

  /** Forgets the pod itself. */
  #forget(): void {
    this.#reader = NOTHING;
    this.#head = NO_HEAD;
  }

  #walk(step: Step, from: number, end: number, depth: number): void {
    if (depth <= 0) throw tooDeep();
    const bytes = this.#reader.source;
    const { becomes, facts, picks, below, structure } = step;
    let at = from;
    while (at < end) {
      const start = at;
      let tag = bytes[at++] as number;
      if (tag >= 0x80) {
        const reader = this.#readerAt(start);
        tag = reader.tag();
        at = reader.pos;
      }
      const number = tag >>> 3;
      const wireType = tag & 7;
      if (number === 0 || wireType > BIT32) throw new Error("illegal tag");
      const isKept = becomes === WHOLE || picks[number] === 1;
      const fact = facts[number] ?? FACT.none;
      const isNumber = fact === FACT.deletionGrace || fact === FACT.terminationGrace;
      const isDelimited = below[number] !== undefined || (fact !== FACT.none && !isNumber);
      if (isDelimited !== (wireType === DELIMITED) && (isDelimited || isNumber)) this.#isWrong = true;
      if (wireType !== DELIMITED && !isDelimited) {
        if (isNumber) this.#head.takeNumber(fact, at);
        at = isKept ? checkField(bytes, structure, start, end, depth) : this.#skip(tag, at, depth);
        if (becomes === PICKED && isKept) this.#keep(start, at);
        continue;
      }
      const tagEnd = at;
      let length = bytes[at++] as number;
      if (length >= 0x80) {
        const high = bytes[at++] as number;
        if (high < 0x80) length = (length & 0x7f) | (high << 7);
        else {
          const reader = this.#readerAt(tagEnd);
          length = reader.uint32();
          at = reader.pos;
        }
      }
      const stop = at + length;
      if (!(stop <= end)) throw past();
      if (fact !== FACT.none) this.#head.take(fact, at, stop);
      const child = below[number];
      if (child?.becomes === PICKED) this.#nested(child, start, tagEnd, at, stop, depth);
      else {
        if (child !== undefined) this.#walk(child, at, stop, depth - 1);
        else if (isKept) {
          const kind = structure.kinds[number];
          if (kind === MESSAGE) checkStructure(bytes, structure.nested(number), at, stop, depth - 1);
          else if (kind !== BYTES) checkField(bytes, structure, start, end, depth);
        }
        if (becomes === PICKED && isKept) this.#keep(start, stop);
      }
      at = stop;
    }
    if (at > end) throw past();
  }

  /** Copies what is selected of a message. Its length is known when that is done, and takes no more bytes than before. */
  #nested(step: Step, start: number, tagEnd: number, from: number, end: number, depth: number): void {
    this.#flush();
    const { source } = this.#reader;
    const target = this.#target;
    const headAt = this.#at;
    const bodyAt = headAt + from - start;
    this.#at = bodyAt;
    this.#walk(step, from, end, depth - 1);
    this.#flush();
    const length = this.#at - bodyAt;
    let at = headAt;
    for (let i = start; i < tagEnd; i++) target[at++] = source[i] as number;
    for (let rest = length; ; rest >>>= 7) {
      target[at++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest;
      if (rest <= 0x7f) break;
    }
    if (at !== bodyAt) target.copyWithin(at, bodyAt, this.#at);
    this.#at = at + length;
  }

  #keep(start: number, end: number): void {
    if (start !== this.#runEnd) {
      this.#flush();
      this.#runStart = start;
    }
    this.#runEnd = end;
  }

  #flush(): void {
    const bytes = this.#reader.source;
    const target = this.#target;
    const [from, to] = [this.#runStart, this.#runEnd];
    if (to - from > 64) {
      bytes.copy(target, this.#at, from, to);
      this.#at += to - from;
    } else {
      let at = this.#at;
      for (let i = from; i < to; i++) target[at++] = bytes[i] as number;
      this.#at = at;
    }
    this.#runStart = this.#runEnd = -1;
  }

  #skip(tag: number, at: number, depth: number): number {
    if ((tag & 7) === VARINT && (this.#reader.source[at] as number) < 0x80) return at + 1;
    const reader = this.#readerAt(at);
    reader.skip(tag, depth - 1);
    return reader.pos;
  }

  #readerAt(at: number): WireReader {
    this.#reader.pos = at;
    return this.#reader;
  }
}

let heads: PodScanner | undefined;

/**
 * Reads the head of a serialized pod. What is read before the bytes turn out to be broken is in `head`, so that a pod whose
 * UID is legible can be told from the others.
 */
export function scanHead(bytes: Uint8Array): { head: PodHead; broken: boolean } {
  heads ??= new PodScanner(undefined);
  return heads.headOf(bytes);
}

function targetOf(length: number): Buffer {
  if (length <= scratch.length) return scratch;
  const larger = Buffer.allocUnsafe(length);
  if (length <= MAX_SCRATCH) scratch = larger;
  return larger;
}
