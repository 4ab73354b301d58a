import { PodsError } from "../errors/pods-error.js";
import type { Quantity } from "../gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";
import type { FieldsV1, Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { IntOrString } from "../gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";
import { printable } from "../printable.js";
import type { Selected } from "../protobuf/selected.js";
import { setOwn } from "../protobuf/wire-fields.js";
import type { Fields, MessageType } from "./field.js";
import { intOrString } from "./int-or-string.js";
import { type JsonEntry, type JsonKind, jsonPlan, kindOfMessage } from "./json-plan.js";
import { formatTime, isZeroTime } from "./time.js";

/** Maximum nesting of JSON. Managed fields follow the schema, which has about ten levels. */
const MAX_JSON_DEPTH = 500;

export type JsonRecord = Record<string, unknown>;

/**
 * Converts a message to Kubernetes JSON. Times and quantities become strings.
 *
 * @param selected the fields to write; undefined means all.
 * @throws PodsError `corrupt` for content that Kubernetes JSON cannot represent.
 */
export function jsonOf(type: MessageType, message: Readonly<Fields>, selected: Selected | undefined): unknown {
  if (type.name !== "Pod") return writeValue(kindOfMessage(type), message, type.name, selected);
  return { apiVersion: "v1", kind: "Pod", ...writeMessage(type, message, "", selected) };
}

/** True while writing for logs. A note then replaces content that Kubernetes JSON cannot represent, instead of an error. */
let isShown = false;

/** Converts a message as {@link jsonOf} does, for logs and the console. Never throws. */
export function inspectedJsonOf(type: MessageType, message: Readonly<Fields>, selected: Selected | undefined): unknown {
  isShown = true;
  try {
    return jsonOf(type, message, selected);
  } finally {
    isShown = false;
  }
}

/** Returns the note that replaces content that cannot be represented. @throws PodsError `corrupt` if the output is not for logs. */
function unwritable(path: string, what: string): string {
  if (isShown) return `<${what}>`;
  throw new PodsError({ code: "corrupt", message: `${path}: ${what}` });
}

function writeMessage(
  type: MessageType,
  message: Readonly<Fields>,
  path: string,
  selected: Selected | undefined,
): JsonRecord {
  const json: JsonRecord = {};
  for (const entry of jsonPlan(type).entries) {
    const { inlinedIn, field } = entry;
    const names = inlinedIn === undefined ? [field.name] : [inlinedIn, field.name];
    const below = selection(selected, names);
    if (below === "none") continue;
    const holder = inlinedIn === undefined ? message : (message[inlinedIn] as Fields | undefined);
    const written = holder?.[field.name];
    if (written === undefined && below !== undefined) continue; // a selected part of an absent message
    const value = writeField(entry, written, path, below);
    if (value !== undefined) setOwn(json, entry.key, value);
  }
  return json;
}

/** Returns the selection below these names: undefined for all fields, `none` if it has no field of these names. */
function selection(selected: Selected | undefined, names: readonly string[]): Selected | undefined | "none" {
  let below = selected;
  for (const name of names) {
    if (below === undefined) return undefined;
    if (!below.has(name)) return "none";
    below = below.get(name);
  }
  return below;
}

/** Converts a field to JSON: undefined for a key that is left out, null for a key that Go writes as null. */
function writeField(entry: JsonEntry, value: unknown, parent: string, below: Selected | undefined): unknown {
  const path = parent === "" ? entry.key : `${parent}.${entry.key}`;
  switch (entry.field.kind) {
    case "list": {
      const items = (value ?? []) as unknown[];
      if (items.length === 0) return entry.always ? null : undefined;
      return items.map((item, i) => writeValue(entry.kind, item, `${path}[${i}]`, below));
    }
    case "map": {
      const items = Object.entries((value ?? {}) as JsonRecord);
      if (items.length === 0) return entry.always ? null : undefined;
      const json: JsonRecord = {};
      items.sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [key, item] of items) setOwn(json, key, writeValue(entry.kind, item, `${path}[${label(key)}]`));
      return json;
    }
    case "message":
      if (value === undefined && entry.pointer) return entry.always ? null : undefined;
      if (entry.kind === "time" && entry.byValue && !entry.always && isZero(value as Time | undefined))
        return undefined;
      return writeValue(entry.kind, value, path, below);
    default:
      if (entry.pointer)
        return value === undefined && !entry.always ? undefined : writeValue(entry.kind, value ?? null, path);
      if (!entry.always && (value === undefined || value === "" || value === 0 || value === 0n || value === false)) {
        return undefined;
      }
      return writeValue(entry.kind, value ?? zeroOf(entry.kind), path);
  }
}

function writeValue(kind: JsonKind, value: unknown, path: string, below?: Selected): unknown {
  switch (kind) {
    case "string":
    case "bool":
    case "int32":
      return value;
    case "int64":
      return value === null ? null : Number(value);
    case "time":
      return writeTime(value as Time | undefined, path);
    case "quantity":
      return (value as Quantity | undefined)?.string || "0";
    case "intOrString":
      return intOrString(value as IntOrString | undefined) ?? 0;
    case "fieldsV1":
      return writeFieldsV1(value as FieldsV1, path);
    default:
      return writeMessage(kind, (value ?? {}) as Fields, path, below);
  }
}

function isZero(time: Time | undefined): boolean {
  return time === undefined || isZeroTime(time);
}

function writeTime(time: Time | undefined, path: string): string | null {
  if (time === undefined || isZeroTime(time)) return null;
  return formatTime(time) ?? unwritable(path, "a time outside the years 1 to 9999");
}

function writeFieldsV1(fields: FieldsV1, path: string): unknown {
  if (fields.Raw.length === 0) return null;
  if (isTooDeep(fields.Raw)) return unwritable(path, "nested too deep");
  try {
    return JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(fields.Raw));
  } catch {
    return unwritable(path, "not JSON"); // the parser's own message would quote the content
  }
}

/** Returns true if JSON nests so deep that writing it would overflow the stack. Brackets in strings count, too; they usually come in pairs. */
export function isTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  for (const byte of json) {
    if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}

function zeroOf(kind: JsonKind): unknown {
  if (kind === "string") return "";
  if (kind === "bool") return false;
  return 0;
}

/** Quotes a map key, for paths in errors. */
export function label(key: string): string {
  return `"${printable(key, 80)}"`;
}
