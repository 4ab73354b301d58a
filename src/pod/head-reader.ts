import { past, type WireReader } from "../protobuf/reader.js";
import { isText, textOf } from "../protobuf/text.js";
import { FACT, type PodHead } from "./head.js";
import { SEEN_ANNOTATION, SOURCE_ANNOTATION } from "./lifecycle.js";
import { messageType } from "./message-type.js";

/** Maximum length of a text. Names have at most 253 characters, UIDs 36, and a longer text would be kept for each pod. */
const MAX_TEXT = 1_000;

/** Tags of the key and the value in a map entry. */
const KEY_TAG = 0x0a;
const VALUE_TAG = 0x12;

const SECONDS = messageType("Time").numberOf("seconds");

/** Reads the head of one pod, field by field. */
export class HeadReader {
  readonly #reader: WireReader;
  readonly #head: PodHead = {
    uid: "",
    namespace: "",
    name: "",
    created: undefined,
    terminating: false,
    source: undefined,
    seen: "",
    phase: "",
    running: false,
    hasStatuses: false,
    hasFinalizers: false,
    graceSeconds: undefined,
  };
  #deletionGrace: number | undefined;
  #terminationGrace: number | undefined;

  /** @param reader a reader of the pod, at any position. */
  constructor(reader: WireReader) {
    this.#reader = reader;
  }

  /** The head as far as it has been read. The grace period comes from the pod's deletion, otherwise from its spec. */
  get head(): PodHead {
    this.#head.graceSeconds = this.#deletionGrace ?? this.#terminationGrace;
    return this.#head;
  }

  /** Reads a fact that is text or a message, from `at` to `end`. Ignores facts that are numbers. @throws if it is malformed. */
  take(fact: number, at: number, end: number): void {
    const head = this.#head;
    switch (fact) {
      case FACT.uid:
        head.uid = this.#text(at, end);
        return;
      case FACT.name:
        head.name = this.#text(at, end);
        return;
      case FACT.namespace:
        head.namespace = this.#text(at, end);
        return;
      case FACT.phase:
        head.phase = this.#text(at, end);
        return;
      case FACT.created:
        head.created = this.#seconds(at, end);
        return;
      case FACT.terminating:
        head.terminating = this.#seconds(at, end) !== undefined;
        return;
      case FACT.running:
        head.running = true;
        return;
      case FACT.status:
        head.hasStatuses = true;
        return;
      case FACT.finalizer:
        head.hasFinalizers = true;
        return;
      case FACT.annotation:
        this.#annotation(at, end);
        return;
    }
  }

  /** Reads a fact that is a number, at `at`. @throws if it is malformed. */
  takeNumber(fact: number, at: number): void {
    if (fact === FACT.deletionGrace) this.#deletionGrace = Number(this.#readerAt(at).int64());
    else this.#terminationGrace = Number(this.#readerAt(at).int64());
  }

  #text(at: number, end: number): string {
    const text = textOf(this.#reader.source, at, end);
    if (text.length > MAX_TEXT) throw new RangeError("a name, UID or annotation is too long");
    return text;
  }

  #seconds(at: number, end: number): number | undefined {
    let seconds: number | undefined;
    const reader = this.#readerAt(at);
    while (reader.pos < end) {
      const tag = reader.tag();
      if (tag >>> 3 === SECONDS) seconds = Number(reader.int64());
      else reader.skip(tag);
    }
    if (reader.pos > end) throw past();
    return seconds;
  }

  /** Reads one annotation, if it belongs to the head. Others are skipped, because they may be larger than the rest of the pod. */
  #annotation(at: number, end: number): void {
    const { source } = this.#reader;
    // Every encoder writes the key before the value, so for most annotations only the key's length is read.
    const length = source[at + 1] as number;
    const isPlain = source[at] === KEY_TAG && length < 0x80 && source[at + 2 + length] === VALUE_TAG;
    const isOther = length !== SEEN_ANNOTATION.length && length !== SOURCE_ANNOTATION.length;
    if (isPlain && isOther && this.#atLeast(at + 3 + length, end)) return;
    let key: "source" | "seen" | undefined;
    let [from, to] = [0, 0];
    const reader = this.#readerAt(at);
    while (reader.pos < end) {
      const tag = reader.tag();
      const isKey = tag >>> 3 === 1;
      if (!isKey && tag >>> 3 !== 2) {
        reader.skip(tag);
        continue;
      }
      const length = reader.uint32();
      const start = reader.pos;
      reader.pos += length;
      if (isKey) key = this.#keyAt(start, reader.pos);
      else [from, to] = [start, reader.pos];
    }
    if (reader.pos > end) throw past();
    if (key !== undefined) this.#head[key] = this.#text(from, to);
  }

  /** Returns true if the length at offset `at` reaches exactly to `end`. */
  #atLeast(at: number, end: number): boolean {
    const reader = this.#readerAt(at);
    return reader.uint32() + reader.pos === end;
  }

  #keyAt(start: number, end: number): "source" | "seen" | undefined {
    if (isText(this.#reader.source, start, end, SEEN_ANNOTATION)) return "seen";
    return isText(this.#reader.source, start, end, SOURCE_ANNOTATION) ? "source" : undefined;
  }

  #readerAt(at: number): WireReader {
    this.#reader.pos = at;
    return this.#reader;
  }
}
