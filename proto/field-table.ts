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
