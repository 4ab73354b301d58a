import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { invalidArgument } from "../errors/pods-error.js";
import { INLINED } from "../gen/json-table.js";
import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { printable } from "../printable.js";

/** The longest path of the schema has a third of it. */
const MAX_PATH_LENGTH = 300;

/**
 * Returns the fields that a path leads through, also those that Kubernetes' JSON leaves out.
 *
 * @throws PodsError `invalid-argument` that names the segment, where it is missing, and the names that come close.
 */
export function fieldsOf(path: string): DescField[] {
  if (path.length > MAX_PATH_LENGTH) throw invalidArgument(`mask: ${quoted(path)} is too long for a path`);
  const fields: DescField[] = [];
  let desc: DescMessage | undefined = PodSchema;
  for (const segment of path.split(".")) {
    if (desc === undefined) {
      const last = fields.at(-1) as DescField;
      const what = last.fieldKind === "map" ? "a map, which is selected whole" : "a value";
      throw invalidArgument(
        `mask: ${quoted(path)}: ${quoted(segment)} is nothing that can be selected of ${last.localName}`,
        `it is ${what}`,
      );
    }
    const found = find(desc, segment);
    if (found === undefined) {
      const close = closest(segment, namesOf(desc));
      throw invalidArgument(
        `mask: ${quoted(path)}: there is no ${quoted(segment)} in ${desc.name}`,
        `${close.length === 0 ? "there are" : "what comes close:"} ${(close.length === 0 ? namesOf(desc).slice(0, 20) : close).join(", ")}`,
      );
    }
    fields.push(...found);
    const last: DescField | undefined = found.at(-1);
    desc = last?.fieldKind === "map" ? undefined : last?.message;
  }
  return fields;
}

/** Returns the field of this name, with the one that holds it where Kubernetes' JSON leaves that out. */
function find(desc: DescMessage, name: string): DescField[] | undefined {
  const field = desc.fields.find(({ localName }) => localName === name);
  if (field !== undefined) return [field];
  for (const holder of inlinedIn(desc)) {
    const inner: DescField[] | undefined = holder.message && find(holder.message, name);
    if (inner !== undefined) return [holder, ...inner];
  }
  return undefined;
}

/** Returns the fields whose keys Kubernetes' JSON writes into the message that has them. */
function inlinedIn(desc: DescMessage): DescField[] {
  const names = new Set(INLINED[desc.typeName]?.split(" "));
  return desc.fields.filter(({ name }) => names.has(name));
}

function namesOf(desc: DescMessage): string[] {
  return [
    ...desc.fields.map(({ localName }) => localName),
    ...inlinedIn(desc).flatMap((f) => (f.message ? namesOf(f.message) : [])),
  ];
}

/** Returns up to three names that are close to a misspelt one, best first. */
function closest(name: string, names: readonly string[]): string[] {
  const wanted = name.slice(0, 60).toLowerCase();
  return names
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length / 2.5))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Counts the letters that have to be put in, left out, changed or swapped with a neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before[j - 2] ?? Infinity) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

function quoted(text: string): string {
  return `"${printable(text, 80)}"`;
}
