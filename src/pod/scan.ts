import { BIT32, DELIMITED, MAX_DEPTH, past, tooDeep, VARINT, WireReader } from "../protobuf/reader.js";
import { type Plan, wholePlan } from "./decode.js";
import type { MessageType } from "./field.js";
import { FACT, HEAD_FIELDS, type HeadFields, type PodHead } from "./head.js";
import { HeadReader } from "./head-reader.js";
import { POD } from "./message-type.js";
import { copyOf, MAX_SHARED, type Room, room, take } from "./slab.js";
import { BYTES, checkField, checkStructure, MESSAGE, otherWireType, type Structure, structureOf } from "./structure.js";

/** Handling of a message's bytes: skip them, copy some of its fields, or let its parent copy the whole message. */
const PASSED = 0;
const PICKED = 1;
const WHOLE = 2;

/** Instructions for one message during the walk over a pod. Its tables are by field number. */
interface Step {
  readonly becomes: typeof PASSED | typeof PICKED | typeof WHOLE;
  /** A value of FACT for each field. */
  readonly facts: Uint8Array;
  /** 1 for each picked field. */
  readonly picks: Uint8Array;
  /** Instructions for the nested messages to walk. */
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

/** Buffer in which selected fields are assembled. It grows to the size of the largest pod, up to MAX_SCRATCH. */
let scratch = Buffer.allocUnsafe(16_384);
const MAX_SCRATCH = 1 << 20;

const NO_BYTES = new WireReader(new Uint8Array());
const NO_HEAD = new HeadReader(NO_BYTES);

/** The result of a walk over a pod. */
export interface Scanned {
  readonly head: PodHead;
  /** True if the head and the selected fields can be read. Then {@link PodScanner.keep} returns the fields, until the next scan. */
  readonly isReadable: boolean;
}

/**
 * Reads the heads of serialized pods, checks the structure of the selected fields, and copies these fields, in a single walk. A pod that
 * passes can be decoded by the plan, and by every plan that selects fewer fields.
 */
export class PodScanner {
  readonly #root: Step;
  #reader: WireReader = NO_BYTES;
  #head: HeadReader = NO_HEAD;
  /** Buffer in which the selected fields are assembled; the pod's own bytes if all fields are selected. */
  #target: Buffer = scratch;
  /** The part of a shared buffer that is the target; undefined if the target is not shared. */
  #room: Room | undefined;
  /** True if a field has another wire type than in the schema. The walk continues, so that no fact after the field is lost. */
  #isWrong = false;
  /** The offset in the target at which the selected fields begin. */
  #start = 0;
  /** The offset in the target for the next bytes. */
  #at = 0;
  /** Start of a range of adjacent fields, which are copied at once. */
  #runStart = 0;
  #runEnd = 0;

  /** @param plan the selected fields; undefined for none. @param heads the fields that the head is read from. */
  constructor(plan: Plan | undefined, heads: HeadFields = HEAD_FIELDS) {
    this.#root = stepOf(POD, heads, plan);
  }

  /** Reads the head of a pod, and checks and copies the selected fields. */
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
   * Returns the selected fields of the last pod, as a serialized pod. A plan that selects no more fields decodes the same from it as from
   * the whole pod. Returns `before` if it has the same bytes, otherwise a copy.
   */
  keep(before?: Uint8Array): Uint8Array {
    const [target, start, end] = [this.#target, this.#start, this.#at];
    this.#target = scratch;
    const length = end - start;
    if (before?.length === length && target.compare(before, 0, length, start, end) === 0) return before;
    if (this.#room !== undefined) return take(this.#room, end);
    return copyOf(target.subarray(start, end));
  }

  /** Returns the selected fields, as {@link keep} does, in a new buffer. @throws Error or RangeError if they cannot be read. */
  pick(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    try {
      this.#scan(bytes);
      return new Uint8Array(this.#target.subarray(this.#start, this.#at));
    } finally {
      this.drop();
      this.#forget();
    }
  }

  /** Reads the head of a pod. If the bytes are broken, the head has the fields before the broken part. */
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
    // The selected fields take no more bytes than the pod, and usually far fewer.
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

  /** Drops the reference to a pod that is not kept. Its bytes may be a view of a whole response. */
  drop(): void {
    this.#target = scratch;
    this.#room = undefined;
  }

  #forget(): void {
    this.#reader = NO_BYTES;
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

  /** Copies the selected fields of a nested message. The new length is only known afterwards, and takes no more bytes than the old one. */
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
 * Reads the head of a serialized pod. If the bytes are broken, `head` has the fields before the broken part, so that a pod with a readable
 * UID can be identified.
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
