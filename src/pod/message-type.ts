import { type InspectOptions, inspect } from "node:util";
import { podMessages } from "../gen/pod-messages.js";
import type { WireReader } from "../protobuf/reader.js";
import { type Selected, selectedOf } from "../protobuf/selected.js";
import type { Field, Fields, MessageType, Scalar } from "./field.js";
import { inspectedJsonOf } from "./json-writer.js";

/** Prototype of all messages. JSON.stringify and console.log print a message as Kubernetes JSON, with only the selected fields. */
const PROTOTYPE = Object.defineProperties(
  {},
  {
    toJSON: {
      value(this: Fields): unknown {
        return shown(this);
      },
    },
    [inspect.custom]: {
      value(this: Fields, depth: number, options: InspectOptions): string {
        const name = nameOf(this);
        return depth < 0 ? `[${name}]` : `${name} ${inspect(shown(this), { ...options, depth })}`;
      },
    },
  },
);

const POD_MESSAGES = podMessages(PROTOTYPE);

/** A message type that parses its fields from the generated table at first use. */
class TableMessage implements MessageType {
  readonly name: string;
  readonly read: (message: Fields, reader: WireReader, end: number, depth: number) => void;
  readonly #New: new (
    selected?: Selected,
  ) => Fields;
  readonly #table: string;
  #fields: readonly Field[] | undefined;
  #typeName: string | undefined;

  constructor(name: string) {
    const entry = POD_MESSAGES[name];
    if (entry === undefined) throw new Error(`${name}: not in the Pod schema`);
    this.name = name;
    this.#New = entry[0] as new (selected?: Selected) => Fields;
    this.read = entry[1] as MessageType["read"];
    this.#table = entry[2];
  }

  readonly make = (selected?: Selected): Fields => new this.#New(selected);

  get typeName(): string {
    this.#typeName ??= this.make()["$typeName"] as string;
    return this.#typeName;
  }

  get fields(): readonly Field[] {
    this.#fields ??= this.#table === "" ? [] : this.#table.split(";").map(fieldOf);
    return this.#fields;
  }

  field(name: string): Field | undefined {
    return this.fields.find((field) => field.name === name);
  }

  numberOf(name: string): number {
    const field = this.field(name);
    if (field === undefined) throw new Error(`${this.name}.${name}: not in the Pod schema`);
    return field.number;
  }
}

const SCALARS: ReadonlySet<string> = new Set<Scalar>(["string", "bool", "int32", "int64", "bytes"]);

const types = new Map<string, MessageType>();

/** Returns the message type with this name, without its package. @throws Error if the schema has no such type. */
export function messageType(name: string): MessageType {
  let type = types.get(name);
  if (type === undefined) {
    type = new TableMessage(name);
    types.set(name, type);
  }
  return type;
}

export const POD: MessageType = messageType("Pod");

/** Makes a message of the type `name` (without its package), with these fields set. */
export function newMessage<T extends { readonly $typeName: string }>(
  name: string,
  fields?: Omit<Partial<T>, "$typeName">,
): T {
  return Object.assign(messageType(name).make(), fields) as unknown as T;
}

/** Returns the type name of a message, without its package. Empty for the prototype of all messages. */
function nameOf(message: Fields): string {
  return String(message["$typeName"] ?? "").replace(/^.*\./, "");
}

function shown(message: Fields): unknown {
  const name = nameOf(message);
  return name === "" ? {} : inspectedJsonOf(messageType(name), message, selectedOf(message));
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
