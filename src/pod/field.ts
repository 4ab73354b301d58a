import type { WireReader } from "../protobuf/reader.js";
import type { Selected } from "../protobuf/selected.js";

/** The types of values that are not messages. */
export type Scalar = "string" | "bool" | "int32" | "int64" | "bytes";

/** A message whose type is only known at run time. */
export type Fields = Record<string, unknown>;

/** A field of a message of the Pod schema. */
export interface Field {
  readonly number: number;
  /** Its name, also in JSON. */
  readonly name: string;
  readonly kind: "scalar" | "message" | "list" | "map";
  /** The type of its values; undefined where they are messages. */
  readonly scalar: Scalar | undefined;
  /** The type of its values; undefined where they are scalars. */
  readonly message: MessageType | undefined;
  /** True if absent and empty differ: Go has a pointer here. */
  readonly hasPresence: boolean;
  /** True if Go writes it into JSON even when it is empty. */
  readonly isAlwaysWritten: boolean;
  /** True if the message is a value in Go, so that it is always present, even if empty. */
  readonly isByValue: boolean;
  /** True if JSON has the keys of this message in the parent message. */
  readonly isInlined: boolean;
}

/** A message of the Pod schema. */
export interface MessageType {
  /** The name without its package. */
  readonly name: string;
  /** The name with its package. */
  readonly typeName: string;
  readonly fields: readonly Field[];
  /** Makes an empty message that stores its selection. */
  readonly make: (selected?: Selected) => Fields;
  /** Reads fields into a message, up to the offset `end`. @param depth how deep messages may nest. */
  readonly read: (message: Fields, reader: WireReader, end: number, depth: number) => void;
  /** Returns the field with this name. */
  field(name: string): Field | undefined;
  /** Returns the number of the field with this name. @throws Error if the schema has none. */
  numberOf(name: string): number;
}
