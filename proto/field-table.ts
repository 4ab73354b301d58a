// The table of fields of a pod, from which proto/ and src/gen are written: for each message its fields with number, name, label,
// type, and how Kubernetes JSON writes them. A field of a new Kubernetes release is one more line of pod-fields.json.

import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Field {
  number: number;
  name: string;
  label: "optional" | "repeated" | "map";
  type: string;
  json?: string;
  omitempty?: true;
  omitzero?: true;
  /** Nil-able in Go: only for these is presence a fact. */
  pointer?: true;
  /** Name of a set of strings that the field takes. */
  values?: string;
}

export interface Table {
  messages: Record<string, Field[]>;
  stringValues: Record<string, string[]>;
}

/** The repository's root. */
export const root: string = join(import.meta.dirname, "..");

/** The table. */
export const table: Table = JSON.parse(readFileSync(join(import.meta.dirname, "pod-fields.json"), "utf8"));

/** The name of a message without its package. */
export const shortName = (message: string): string => message.slice(message.lastIndexOf(".") + 1);

/** Whether a field's type is a message, and no scalar. */
export const isMessage = (type: string): boolean => type.startsWith("k8s.io.");

/** Messages with a JSON form of their own, written by hand in src/pod. */
const special = new Set(["Quantity", "Time", "IntOrString", "FieldsV1"]);

/**
 * Fields that a release had and a later one has tombstoned, though the table still says that they are always written: kubelets
 * of the later release do not know them, so they are written where they have something only.
 */
const tombstoned = new Set(["k8s.io.api.core.v1.NodeAllocatableResourceClaimStatus.resources"]);

/** How Kubernetes JSON has a field: what descriptors do not know. */
export interface JsonFacts {
  /** Go writes it even where it is empty. */
  always: boolean;
  /** Go holds the message by value: there is always one, empty or not. */
  held: boolean;
  /** Its keys stand in the message that holds it. */
  inlined: boolean;
}

/** How Kubernetes JSON has this field of a message; nothing of this for a message that has a form of its own. */
export function jsonFacts(message: string, field: Field): JsonFacts {
  if (special.has(shortName(message))) return { always: false, held: false, inlined: false };
  if (field.json === "inline") return { always: false, held: false, inlined: true };
  if (field.json !== field.name) throw new Error(`${message}.${field.name}: JSON key ${field.json} not expected`);
  // A Go struct is never "empty" to encoding/json: a message held by value is written whatever it holds.
  const held = field.label === "optional" && isMessage(field.type) && !field.pointer;
  const omitempty = field.omitempty || tombstoned.has(`${message}.${field.name}`);
  return { always: (!omitempty || held) && !field.omitzero, held, inlined: false };
}
