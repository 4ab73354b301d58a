import type { WireReader } from "../protobuf/reader.js";
import type { Selected } from "../protobuf/selected.js";

/** The types of values that are no messages. */
export type Scalar = "string" | "bool" | "int32" | "int64" | "bytes";

/** A message as code that knows its type only at run time sees it. */
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
  /** Absent and empty differ: Go has a pointer here. */
  readonly hasPresence: boolean;
  /** Go writes it into JSON even where it is empty. */
  readonly isAlwaysWritten: boolean;
  /** Go holds the message by value: there is always one, empty or not. */
  readonly isByValue: boolean;
  /** JSON has the keys of this message in the one that holds it. */
  readonly isInlined: boolean;
}

/** A message of the Pod schema. */
export interface MessageType {
  /** The name without its package. */
  readonly name: string;
  /** The name with its package. */
  readonly typeName: string;
  readonly fields: readonly Field[];
  /** Makes an empty message, which knows what is selected of it. */
  readonly make: (selected?: Selected) => Fields;
  /** Reads fields into a message, up to where it ends. @param depth how deep messages may nest. */
  readonly read: (message: Fields, reader: WireReader, end: number, depth: number) => void;
  /** Returns the field of this name. */
  field(name: string): Field | undefined;
  /** Returns the number of the field of this name. @throws Error where the schema has none. */
  numberOf(name: string): number;
}
