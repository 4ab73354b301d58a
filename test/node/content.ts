// What a pod says, as a short text that is equal where the content is: by the fields of its protobuf schema, whoever decoded it.

import { createHash } from "node:crypto";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";

/** The paths of the masks that readers of the suite have. */
export const MASKS = {
  whole: undefined,
  readiness: [
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "metadata.deletionTimestamp",
    "status.phase",
    "status.conditions",
  ],
} as const;

export type MaskName = keyof typeof MASKS;

/** The content of a pod by each mask: `metadata.spec.status`, each part a hash. */
export type Contents = Record<MaskName, string>;

/** Each kubelet process writes another one; a watch does not tell it as a change. */
const STAMP = "kubernetes.io/config.seen";

/** Returns the content of a pod as far as a mask goes. Of a pod that was told it is all that it has. */
export function contentOf(pod: object, mask?: readonly string[]): string {
  return ["metadata", "spec", "status"]
    .map((part) => {
      const field = PodSchema.fields.find(({ localName }) => localName === part) as DescField;
      const value = fieldOf(pod, part);
      const below = mask?.filter((path) => path.startsWith(`${part}.`)).map((path) => path.slice(part.length + 1));
      const words = value === undefined || below?.length === 0 ? "" : wordsOf(field, value, below);
      return createHash("sha1").update(words).digest("base64url").slice(0, 8);
    })
    .join(".");
}

export function contentsOf(pod: object): Contents {
  return { whole: contentOf(pod), readiness: contentOf(pod, MASKS.readiness) };
}

function fieldOf(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name];
}

function messageWords(type: DescMessage, message: object, mask: readonly string[] | undefined): string {
  const words: string[] = [];
  for (const field of type.fields) {
    if (mask !== undefined && !mask.includes(field.localName)) continue;
    const value = fieldOf(message, field.localName);
    const word = isDefault(value) ? "()" : wordsOf(field, value);
    // A map that has not been asked for is empty.
    if (word !== "()") words.push(`${field.number}:${word}`);
  }
  return `{${words.join(",")}}`;
}

function wordsOf(field: DescField, value: unknown, mask?: readonly string[]): string {
  switch (field.fieldKind) {
    case "message":
      return messageWords(field.message, value as object, mask);
    case "list": {
      const { message } = field;
      const all = value as readonly unknown[];
      return `[${all.map((each) => (message === undefined ? plain(each) : messageWords(message, each as object, undefined))).join(",")}]`;
    }
    case "map": {
      const { message } = field;
      const entries = Object.entries(value as object).filter(([key]) => key !== STAMP);
      const words = entries.map(
        ([key, each]) =>
          `${JSON.stringify(key)}:${message === undefined ? plain(each) : messageWords(message, each as object, undefined)}`,
      );
      return `(${words.sort().join(",")})`;
    }
    default:
      return plain(value);
  }
}

function plain(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** Returns whether a value says nothing: unset, zero, or an empty list or map. */
function isDefault(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === 0n || value === false)
    return true;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  return false;
}
