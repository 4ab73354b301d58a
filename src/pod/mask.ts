import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { invalidArgument } from "../errors/pods-error.js";
import type { Selected } from "../protobuf/selected.js";
import { type Plan, partialPlan, wholePlan } from "./decode.js";
import type { Field } from "./field.js";
import { fieldsOf } from "./mask-path.js";
import { POD } from "./message-type.js";
import type { CheckedPath } from "./path-types.js";

/** Maximum number of paths. No mask needs more; the schema has about three thousand. */
const MAX_PATHS = 1_000;

/** The selected fields of a message, by name; undefined means the whole field. */
type Tree = Map<string, Tree | undefined>;

/**
 * A selection of pod fields, made by {@link podMask}. It is immutable. Its paths are normalised: sorted, each once, and without paths that
 * are part of another one.
 */
// biome-ignore lint/suspicious/noExplicitAny: every mask is a `PodMask`.
export class PodMask<P extends string = any> {
  /** The paths, with the field names of the generated `Pod`. */
  readonly paths: readonly P[];
  /** Only for the compiler: a mask of fewer paths is not assignable to a mask of more, so no type promises fields that are missing. */
  declare protected readonly exactly: (path: P) => void;
  readonly #tree: Tree;
  #plan: Plan | undefined;
  #text: string | undefined;

  /** @internal */
  constructor(tree: Tree) {
    this.#tree = tree;
    this.paths = Object.freeze([...pathsOf(tree)].sort()) as readonly P[];
  }

  /** Returns a mask that selects all fields of these masks. */
  union(): PodMask<P>;
  union<A extends string>(a: PodMask<A>): PodMask<P | A>;
  union<A extends string, B extends string>(a: PodMask<A>, b: PodMask<B>): PodMask<P | A | B>;
  union<A extends string, B extends string, C extends string>(
    a: PodMask<A>,
    b: PodMask<B>,
    c: PodMask<C>,
  ): PodMask<P | A | B | C>;
  union<A extends string, B extends string, C extends string, D extends string>(
    a: PodMask<A>,
    b: PodMask<B>,
    c: PodMask<C>,
    d: PodMask<D>,
  ): PodMask<P | A | B | C | D>;
  /**
   * Returns a mask that selects all fields of these masks, whose number is not known to the compiler. Its paths are only known at run time.
   */
  union(...others: readonly PodMask[]): PodMask<string>;
  union(...others: readonly PodMask[]): PodMask {
    if (!others.every((other) => other instanceof PodMask))
      throw invalidArgument("union: every argument must be a PodMask", ONE_BY_ONE);
    return new PodMask(treeOf([this, ...others].flatMap(({ paths }) => paths as readonly string[])));
  }

  /** Returns the paths as `google.protobuf.FieldMask`. */
  toFieldMask(): FieldMask {
    return { $typeName: "google.protobuf.FieldMask", paths: [...this.paths] };
  }

  /** Returns the paths joined by commas: the value of the metadata `x-kubernetes-fieldmask`. */
  toString(): string {
    this.#text ??= this.paths.join(",");
    return this.#text;
  }

  /** Returns true if this mask selects all fields of the other one. */
  covers(other: PodMask): boolean {
    if (!(other instanceof PodMask)) throw invalidArgument("covers: the argument must be a PodMask", ONE_BY_ONE);
    return hasTree(this.#tree, other.#tree);
  }

  /** @internal The selection by field; undefined means the whole field. */
  get selected(): Selected {
    return this.#tree;
  }

  /** @internal The plan that decodes a pod; compiled at first use. */
  get plan(): Plan {
    this.#plan ??= partialPlan(POD, this.#tree);
    return this.#plan;
  }
}

const ONE_BY_ONE = 'podMask("metadata.name", "status.phase"), or podMask(...paths)';

/** Makes masks. */
interface PodMaskMaker {
  /**
   * Makes a mask of paths that the compiler checks: `podMask("metadata.name", "status.podIPs")`. Paths pass through lists
   * (`spec.containers.name`) and end at maps and scalars. `podMask(...paths)` takes a list that is only known at run time.
   *
   * @throws PodsError `invalid-argument` for a wrong path, and without any path.
   * @example
   * ```ts
   * const mask = podMasks.identity.union(podMask("spec.containers.image"));
   * for (const pod of await pods.listPods({ mask })) console.log(pod.metadata.uid, pod.spec.containers[0]?.image);
   * ```
   */
  <P extends string>(...paths: readonly CheckedPath<P>[]): PodMask<P>;
  /**
   * Makes a mask of paths that are only known at run time, from a string with commas between the paths, or from a
   * `google.protobuf.FieldMask`. Paths can also use the keys of Kubernetes JSON, which leaves inlined messages out:
   * `spec.volumes.configMap` is `spec.volumes.volumeSource.configMap`.
   *
   * @throws PodsError `invalid-argument` that names the wrong segment, its message, and similar names.
   * @example
   * ```ts
   * const mask = podMask.parse("metadata.name,spec.volumes.configMap");
   * const [pod] = await pods.listPods({ mask });
   * console.log(pod?.metadata?.name); // any part may be missing
   * ```
   */
  parse(given: string | Readonly<Pick<FieldMask, "paths">>): PodMask<string>;
}

/** Makes masks: `podMask("metadata.name")`, `podMask.parse("metadata.name")`. */
export const podMask: PodMaskMaker = Object.assign(maskOf, { parse: parseMask });

function maskOf<P extends string>(...paths: readonly CheckedPath<P>[]): PodMask<P> {
  if (paths.some((path) => typeof path !== "string"))
    throw invalidArgument("podMask: a path must be a string", ONE_BY_ONE);
  return new PodMask<P>(givenTree(paths));
}

function parseMask(given: string | Readonly<Pick<FieldMask, "paths">>): PodMask<string> {
  const text = Array.isArray((given as FieldMask | null)?.paths) ? (given as FieldMask).paths.join() : given;
  if (typeof text !== "string")
    throw invalidArgument(
      "podMask.parse: the argument must be a string or a FieldMask",
      "podMask(...paths) takes a list",
    );
  if (text.length > MAX_PATHS * 30)
    throw invalidArgument(`podMask.parse: text of ${text.length} characters is too long`);
  return new PodMask(givenTree(text.trim() === "" ? [] : text.split(",").map((path) => path.trim())));
}

/** Returns a mask that selects all fields of these masks; undefined (all fields) if one of them is undefined. */
export function unionOf(masks: readonly (PodMask | undefined)[]): PodMask | undefined {
  const given = masks.filter((mask) => mask !== undefined);
  const [first, ...others] = given;
  return given.length < masks.length ? undefined : first?.union(...others);
}

/** Returns true if a mask selects all fields of another one; undefined selects all fields. */
export function covers(mask: PodMask | undefined, other: PodMask | undefined): boolean {
  return mask === undefined || mask === other || (other !== undefined && mask.covers(other));
}

/** Returns true if two masks have the same paths. */
export function isSameMask(a: PodMask | undefined, b: PodMask | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.toString() === b.toString());
}

/** Returns the plan that decodes pods by a mask, and whole pods without one. */
export function planOf(mask: PodMask | undefined): Plan {
  return mask?.plan ?? wholePlan(POD);
}

/** Masks by the list of paths in an option, so that the plan of each list is compiled once. */
const masks = new Map<string, PodMask>();
const MAX_MASKS = 100;

/**
 * Returns the mask of an option, after checking it. Undefined if there is none.
 *
 * @throws PodsError `invalid-argument`.
 */
export function resolveMask(mask: readonly string[] | PodMask | undefined, where: string): PodMask | undefined {
  if (mask === undefined || mask instanceof PodMask) return mask;
  if (!Array.isArray(mask)) {
    throw invalidArgument(
      `${where}: mask must be a list of paths, or a PodMask`,
      "podMask.parse() makes one from text or a FieldMask",
    );
  }
  if (mask.some((path) => typeof path !== "string"))
    throw invalidArgument(`${where}: a path of the mask must be a string`);
  const key = mask.length > MAX_PATHS ? "" : JSON.stringify(mask);
  let resolved = masks.get(key);
  if (resolved === undefined) {
    resolved = new PodMask(givenTree(mask));
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

/** Makes the tree of paths from a caller, and limits their number. A union of masks may have more. */
function givenTree(paths: readonly string[]): Tree {
  if (paths.length === 0) throw invalidArgument("mask must have at least one path", "omit the mask for whole pods");
  if (paths.length > MAX_PATHS) throw invalidArgument(`mask must have at most ${MAX_PATHS} paths`);
  return treeOf(paths);
}

function treeOf(paths: readonly string[]): Tree {
  const tree: Tree = new Map();
  for (const path of paths) insert(tree, fieldsOf(path));
  return tree;
}

function hasTree(tree: Tree, other: Tree): boolean {
  for (const [name, below] of other) {
    if (!tree.has(name)) return false;
    const own = tree.get(name);
    if (own !== undefined && (below === undefined || !hasTree(own, below))) return false;
  }
  return true;
}

function insert(tree: Tree, [field, ...rest]: readonly Field[]): void {
  const name = field?.name ?? "";
  const present = tree.get(name);
  if (tree.has(name) && present === undefined) return; // the whole field is selected already
  if (rest.length === 0) {
    tree.set(name, undefined);
    return;
  }
  const below: Tree = present ?? new Map();
  tree.set(name, below);
  insert(below, rest);
}
