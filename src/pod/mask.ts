import { create, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { type FieldMask, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { invalidArgument } from "../errors/pods-error.js";
import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { printable } from "../printable.js";
import { type Plan, partialPlan, type Selected, wholePlan } from "./decode.js";
import { INLINED } from "./json-table.js";
import type { CheckedPath } from "./mask-types.js";

/** More than any mask needs: the schema has some three thousand paths. */
const MAX_PATHS = 1_000;

/** The longest path of the schema has a third of it. */
const MAX_PATH_LENGTH = 300;

/** What is selected of a message, by field; undefined stands for the whole field. */
type Tree = Map<string, Tree | undefined>;

/**
 * Which fields of pods are wanted. Made by {@link podMask} and {@link parsePodMask}; never changed. Paths are normalised:
 * sorted, each once, and none that lies in another.
 */
export class PodMask<P extends string = string> {
  /** The paths, as fields of the generated `Pod` are named. */
  readonly paths: readonly P[];
  readonly #tree: Tree;
  #plan: Plan | undefined;

  /** @internal */
  constructor(tree: Tree) {
    this.#tree = tree;
    this.paths = [...pathsOf(tree)].sort() as P[];
  }

  /** A mask that selects what any of these masks does. */
  union<Q extends string = never>(...others: readonly PodMask<Q>[]): PodMask<P | Q> {
    return new PodMask(treeOf([this, ...others].flatMap(({ paths }) => paths as readonly string[])));
  }

  /** The paths as `google.protobuf.FieldMask`. */
  toFieldMask(): FieldMask {
    return create(FieldMaskSchema, { paths: [...this.paths] });
  }

  /** The paths with commas between them: the value of the metadata `x-kubernetes-fieldmask`. */
  toString(): string {
    return this.paths.join(",");
  }

  /** Whether everything that the other one selects is selected here too. */
  covers(other: PodMask): boolean {
    return String(this.union(other)) === this.toString();
  }

  /** @internal What is selected, by field; undefined stands for the whole field. */
  get selected(): Selected {
    return this.#tree;
  }

  /** @internal How a pod is read by this mask; compiled when it is first needed. */
  get plan(): Plan {
    this.#plan ??= partialPlan(PodSchema, this.#tree);
    return this.#plan;
  }
}

/**
 * A mask of paths that the compiler checks: `podMask("metadata.name", "status.podIPs")`. Lists are passed through
 * (`spec.containers.name`); maps and scalars are where paths end.
 *
 * @throws PodsError `invalid-argument` for a path that is none, and where there is none at all.
 */
export function podMask<P extends string>(...paths: readonly CheckedPath<P>[]): PodMask<P> {
  return new PodMask<P>(treeOf(paths));
}

/**
 * A mask of text that is known at run time only, paths with commas between them. Takes Kubernetes' JSON names too, where
 * those leave out a message that JSON has inlined: `spec.volumes.configMap` is `spec.volumes.volumeSource.configMap`.
 *
 * @throws PodsError `invalid-argument` that names the segment, where it is missing, and the names that come close.
 */
export function parsePodMask(text: string): PodMask {
  if (typeof text !== "string") throw invalidArgument("mask: not a text");
  if (text.length > MAX_PATHS * 30) throw invalidArgument(`mask: a text of ${text.length} characters is no mask`);
  return new PodMask(treeOf(text.split(",").map((path) => path.trim())));
}

/** Masks of what agents ask for most. */
export const podMasks: {
  readonly identity: PodMask<"metadata.uid" | "metadata.namespace" | "metadata.name">;
  readonly readiness: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "metadata.deletionTimestamp"
    | "status.phase"
    | "status.conditions"
  >;
  readonly network: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "metadata.labels"
    | "spec.hostNetwork"
    | "status.podIP"
    | "status.podIPs"
    | "status.hostIP"
  >;
  readonly containers: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "status.initContainerStatuses"
    | "status.containerStatuses"
    | "status.ephemeralContainerStatuses"
  >;
} = {
  /** Who a pod is. */
  identity: podMask("metadata.uid", "metadata.namespace", "metadata.name"),
  /** Whether it works: phase, conditions, whether it is on its way out. */
  readiness: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "metadata.deletionTimestamp",
    "status.phase",
    "status.conditions",
  ),
  /** Where it is reached. */
  network: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "metadata.labels",
    "spec.hostNetwork",
    "status.podIP",
    "status.podIPs",
    "status.hostIP",
  ),
  /** Its containers of all kinds, with their IDs, images and states. */
  containers: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "status.initContainerStatuses",
    "status.containerStatuses",
    "status.ephemeralContainerStatuses",
  ),
};

/** A mask that selects what any of these does; undefined, which is everything, where one of them is. */
export function unionOf(masks: readonly (PodMask | undefined)[]): PodMask | undefined {
  const given = masks.filter((mask) => mask !== undefined);
  const [first, ...others] = given;
  return given.length < masks.length ? undefined : first?.union(...others);
}

/** Whether all that a mask selects is in what another one does; undefined selects everything. */
export function covers(mask: PodMask | undefined, other: PodMask | undefined): boolean {
  return mask === undefined || mask === other || (other !== undefined && mask.covers(other));
}

/** Whether what is kept by another mask has all that this one selects; asked of many pods that are kept alike. */
export function enoughFor(mask: PodMask | undefined): (kept: PodMask | undefined) => boolean {
  let last: PodMask | undefined;
  let enough = true; // of everything, which undefined stands for
  return (kept) => {
    if (kept !== last) {
      last = kept;
      enough = covers(kept, mask);
    }
    return enough;
  };
}

/** How pods are read by a mask; whole where there is none. */
export function planOf(mask: PodMask | undefined): Plan {
  return mask?.plan ?? wholePlan(PodSchema);
}

/** Masks of lists of paths that were passed in, so that a plan is compiled once per list. */
const masks = new Map<string, PodMask>();
const MAX_MASKS = 100;

/**
 * The mask that was passed in, checked; undefined where there is none.
 *
 * @throws PodsError `invalid-argument`.
 */
export function resolveMask(mask: readonly string[] | PodMask | undefined, where: string): PodMask | undefined {
  if (mask === undefined || mask instanceof PodMask) return mask;
  if (!Array.isArray(mask)) throw invalidArgument(`${where}: mask must be a list of paths, or a PodMask`);
  if (mask.some((path) => typeof path !== "string")) throw invalidArgument(`${where}: mask: a path that is no text`);
  const key = mask.length > MAX_PATHS ? "" : mask.join(",");
  let resolved = masks.get(key);
  if (resolved === undefined) {
    resolved = new PodMask(treeOf(mask));
    if (masks.size < MAX_MASKS) masks.set(key, resolved);
  }
  return resolved;
}

function* pathsOf(tree: Tree, before = ""): Generator<string, void, undefined> {
  for (const [name, below] of tree) {
    if (below === undefined) yield before + name;
    else yield* pathsOf(below, `${before}${name}.`);
  }
}

function treeOf(paths: readonly string[]): Tree {
  if (paths.length === 0) throw invalidArgument("mask: there is no path", "leave the mask out for whole pods");
  if (paths.length > MAX_PATHS) throw invalidArgument(`mask: more than ${MAX_PATHS} paths`);
  const tree: Tree = new Map();
  for (const path of paths) insert(tree, fieldsOf(path));
  return tree;
}

function insert(tree: Tree, [field, ...rest]: readonly DescField[]): void {
  const name = field?.localName ?? "";
  const present = tree.get(name);
  if (tree.has(name) && present === undefined) return; // all of it is selected
  if (rest.length === 0) {
    tree.set(name, undefined);
    return;
  }
  const below: Tree = present ?? new Map();
  tree.set(name, below);
  insert(below, rest);
}

/** The fields that a path leads through. */
function fieldsOf(path: string): DescField[] {
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

/** The field of this name, with the one that holds it where Kubernetes' JSON leaves that out. */
function find(desc: DescMessage, name: string): DescField[] | undefined {
  const field = desc.fields.find(({ localName }) => localName === name);
  if (field !== undefined) return [field];
  for (const holder of inlinedIn(desc)) {
    const inner: DescField[] | undefined = holder.message && find(holder.message, name);
    if (inner !== undefined) return [holder, ...inner];
  }
  return undefined;
}

/** The fields whose keys Kubernetes' JSON writes into the message that has them. */
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

/** The names that are less than half different, best first. */
function closest(name: string, names: readonly string[]): string[] {
  const wanted = name.slice(0, 60).toLowerCase();
  return names
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length / 2.5))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** How many letters have to be put in, left out, changed or swapped with a neighbour. */
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
