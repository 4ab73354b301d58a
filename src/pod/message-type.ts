import { POD_MESSAGES } from "../gen/pod-messages.js";
import type { WireReader } from "../protobuf/reader.js";

/** The types of values that are no messages. */
type Scalar = "string" | "bool" | "int32" | "int64" | "bytes";

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

/** A message of the Pod schema. Its fields are read from the generated table when they are first needed. */
export class MessageType {
  /** The name without its package. */
  readonly name: string;
  /** Makes an empty message. */
  readonly make: () => Fields;
  /** Reads fields into a message, up to where it ends. @param depth how deep messages may nest. */
  readonly read: (message: Fields, reader: WireReader, end: number, depth: number) => void;
  readonly #table: string;
  #fields: readonly Field[] | undefined;
  #typeName: string | undefined;

  constructor(name: string) {
    const entry = POD_MESSAGES[name];
    if (entry === undefined) throw new Error(`${name}: not in the Pod schema`);
    this.name = name;
    this.make = entry[0] as () => Fields;
    this.read = entry[1] as MessageType["read"];
    this.#table = entry[2];
  }

  /** The name with its package. */
  get typeName(): string {
    this.#typeName ??= this.make()["$typeName"] as string;
    return this.#typeName;
  }

  get fields(): readonly Field[] {
    this.#fields ??= this.#table === "" ? [] : this.#table.split(";").map(fieldOf);
    return this.#fields;
  }

  /** Returns the field of this name. */
  field(name: string): Field | undefined {
    return this.fields.find((field) => field.name === name);
  }

  /** Returns the number of the field of this name. @throws Error where the schema has none. */
  numberOf(name: string): number {
    const field = this.field(name);
    if (field === undefined) throw new Error(`${this.name}.${name}: not in the Pod schema`);
    return field.number;
  }
}

const SCALARS: ReadonlySet<string> = new Set<Scalar>(["string", "bool", "int32", "int64", "bytes"]);

const types = new Map<string, MessageType>();

/** Returns the type of this name, without its package. @throws Error where the schema has none. */
export function messageType(name: string): MessageType {
  let type = types.get(name);
  if (type === undefined) {
    type = new MessageType(name);
    types.set(name, type);
  }
  return type;
}

/** The type of pods. */
export const POD: MessageType = messageType("Pod");

/** Makes a message of this type, without its package, that has these fields. */
export function newMessage<T extends { readonly $typeName: string }>(
  name: string,
  fields?: Omit<Partial<T>, "$typeName">,
): T {
  return Object.assign(messageType(name).make(), fields) as unknown as T;
}

function fieldOf(text: string): Field {
  const [number, name = "", type = "", flags = ""] = text.split(" ");
  const of = type.replace(/[[{][\]}]$/, "");
  const message = SCALARS.has(of) ? undefined : messageType(of);
  let kind: Field["kind"] = message === undefined ? "scalar" : "message";
  if (type.endsWith("[]")) kind = "list";
  else if (type.endsWith("{}")) kind = "map";
  return {
    number: Number(number),
    name,
    kind,
    scalar: message === undefined ? (of as Scalar) : undefined,
    message,
    hasPresence: flags.includes("p"),
    isAlwaysWritten: flags.includes("a"),
    isByValue: flags.includes("v"),
    isInlined: flags.includes("i"),
  };
}
