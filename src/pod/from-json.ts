import { invalidArgument, type PodsError } from "../errors/pods-error.js";
import type { Quantity } from "../gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";
import type { FieldsV1, Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { IntOrString } from "../gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";
import { printable } from "../printable.js";
import { setOwn } from "../protobuf/wire-fields.js";
import type { Fields, MessageType } from "./field.js";
import { STRING_TYPE } from "./int-or-string.js";
import { type JsonEntry, type JsonKind, jsonPlan } from "./json-plan.js";
import { isTooDeep, type JsonRecord, label } from "./json-writer.js";
import { newMessage, POD } from "./message-type.js";
import type { Pod } from "./pod.js";
import { isQuantity } from "./quantity.js";
import { parseTime } from "./time.js";

/** Options of {@link fromKubernetesJson}. */
export interface FromJsonOptions {
  /**
   * True to leave out keys that the schema does not have, for example from a newer Kubernetes. Otherwise such a key causes an error that
   * names it.
   *
   * @default false
   */
  allowUnknownKeys?: boolean;
}

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/**
 * Converts Kubernetes JSON, already parsed, to a pod: the output of `kubectl get pod -o json` or of the kubelet's `/pods`. `apiVersion` and
 * `kind` may be absent, as they are inside lists. `null` counts as absent. Fractions of seconds are cut off, as in Kubernetes.
 *
 * @throws PodsError `invalid-argument` for an unknown key, a wrong type, a malformed quantity or time, or an object that is not a Pod. The
 * message names the path, but never a value.
 */
export function fromKubernetesJson(json: unknown, options: FromJsonOptions = {}): Pod {
  const object = record(json, "the pod");
  const { apiVersion, kind } = object;
  if (kind === "PodList" || kind === "List") {
    throw invalidArgument(`expected a Pod, found a ${kind}`, "pass each of its items");
  }
  if (kind !== undefined && kind !== "Pod") throw malformed("kind", '"Pod"');
  if (apiVersion !== undefined && apiVersion !== "v1") throw malformed("apiVersion", '"v1"');
  const { apiVersion: _, kind: __, ...fields } = object;
  return readMessage(POD, fields, "", options.allowUnknownKeys ?? false) as unknown as Pod;
}

function readMessage(type: MessageType, json: JsonRecord, path: string, lenient: boolean): Fields {
  const message = type.make();
  const plan = jsonPlan(type);
  for (const { name, message: inlined } of plan.inlined) message[name] = inlined?.make();
  for (const key of Object.keys(json)) {
    const at = path === "" ? key : `${path}.${key}`;
    const entry = plan.byKey.get(key);
    if (entry === undefined) {
      if (lenient) continue;
      throw invalidArgument(`${printable(at)}: unknown key`, "check its spelling, or set allowUnknownKeys");
    }
    const value = json[key];
    if (value === null || value === undefined) continue;
    const holder = entry.inlinedIn === undefined ? message : (message[entry.inlinedIn] as Fields);
    holder[entry.field.name] = readField(entry, value, at, lenient);
  }
  // Messages that are values in Go are always on the wire, so absent and empty are the same.
  for (const entry of plan.entries) {
    if (!entry.byValue) continue;
    const holder = entry.inlinedIn === undefined ? message : (message[entry.inlinedIn] as Fields);
    holder[entry.field.name] ??= emptyOf(entry.kind);
  }
  return message;
}

function readField(entry: JsonEntry, value: unknown, path: string, lenient: boolean): unknown {
  switch (entry.field.kind) {
    case "list":
      if (!Array.isArray(value)) throw mismatch(path, "a list", value);
      return value.map((item, i) => readValue(entry.kind, item, `${path}[${i}]`, lenient));
    case "map": {
      const map: Fields = {};
      for (const [key, item] of Object.entries(record(value, path))) {
        setOwn(map, key, readValue(entry.kind, item, `${path}[${label(key)}]`, lenient));
      }
      return map;
    }
    default:
      return readValue(entry.kind, value, path, lenient);
  }
}

function readValue(kind: JsonKind, value: unknown, path: string, lenient: boolean): unknown {
  switch (kind) {
    case "string":
      if (typeof value !== "string") throw mismatch(path, "text", value);
      return value;
    case "bool":
      if (typeof value !== "boolean") throw mismatch(path, "true or false", value);
      return value;
    case "int32":
      return readInt32(value, path);
    case "int64":
      return readInt64(value, path);
    case "time":
      return readTime(value, path);
    case "quantity":
      return readQuantity(value, path);
    case "intOrString":
      if (typeof value === "string")
        return newMessage<IntOrString>("IntOrString", { type: STRING_TYPE, strVal: value });
      return newMessage<IntOrString>("IntOrString", { intVal: readInt32(value, path, "a whole number or text") });
    case "fieldsV1":
      return newMessage<FieldsV1>("FieldsV1", { Raw: writeFields(record(value, path), path) });
    default:
      return readMessage(kind, record(value, path), path, lenient);
  }
}

function readInt32(value: unknown, path: string, expected = "a whole number of 32 bits"): number {
  if (typeof value !== "number") throw mismatch(path, expected, value);
  if (value !== (value | 0)) throw malformed(path, "a whole number of 32 bits");
  return value | 0; // turns -0 into 0
}

function readInt64(value: unknown, path: string): bigint {
  const expected = "a whole number of 64 bits";
  if (typeof value !== "bigint" && typeof value !== "number") throw mismatch(path, expected, value);
  if (typeof value === "number" && !Number.isInteger(value)) throw malformed(path, expected);
  // JavaScript has no number for the largest int64. JSON.parse returns 2^63 for it.
  const int = value === 2 ** 63 ? MAX_INT64 : BigInt(value);
  if (int < MIN_INT64 || int > MAX_INT64) throw malformed(path, expected);
  return int;
}

function readTime(value: unknown, path: string): unknown {
  const expected = "a time such as 2026-01-31T12:00:00Z";
  if (typeof value !== "string") throw mismatch(path, expected, value);
  const time = parseTime(value);
  if (time === undefined) throw malformed(path, expected);
  return newMessage<Time>("Time", time);
}

function readQuantity(value: unknown, path: string): unknown {
  const expected = 'a quantity such as "500m" or "1Gi"';
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") throw mismatch(path, expected, value);
  if (!isQuantity(text)) throw malformed(path, expected);
  return newMessage<Quantity>("Quantity", { string: text });
}

function emptyOf(kind: JsonKind): unknown {
  switch (kind) {
    case "time":
      return newMessage("Time");
    case "quantity":
      return newMessage<Quantity>("Quantity", { string: "0" });
    case "intOrString":
      return newMessage("IntOrString");
    case "fieldsV1":
      return newMessage("FieldsV1");
    default:
      return readMessage(kind as MessageType, {}, "", true);
  }
}

/** Converts a value to JSON text. Rejects nesting that is too deep: some engines could write it, but others could not read it. */
function writeFields(value: JsonRecord, path: string): Uint8Array<ArrayBuffer> {
  let json: Uint8Array<ArrayBuffer> | undefined;
  try {
    json = new TextEncoder().encode(JSON.stringify(value));
  } catch {
    // The value has a cycle, or is too deep for the stack.
  }
  if (json === undefined || isTooDeep(json)) throw invalidArgument(`${path} cannot be written as JSON`);
  return json;
}

function record(value: unknown, path: string): JsonRecord {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw mismatch(path, "an object", value);
  return value as JsonRecord;
}

/** Makes the error for a value of the wrong type. It names the type but not the value, which is pod content. */
function mismatch(path: string, expected: string, found: unknown): PodsError {
  return invalidArgument(`${printable(path)}: expected ${expected}, found ${typeName(found)}`);
}

/** Makes the error for a value that has the right type but is not allowed. */
function malformed(path: string, expected: string): PodsError {
  return invalidArgument(`${printable(path)}: not ${expected}`);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
