import { invalidArgument } from "../errors/pods-error.js";
import { isSelected, type Selected, selectedOf } from "../protobuf/selected.js";
import type { Masked, PartialPod } from "./masked-pod.js";
import type { Pod } from "./pod.js";

/** The element of a list, or the value itself. */
type Item<V> = NonNullable<V> extends readonly (infer E)[] ? E : NonNullable<V>;

/** True if a value has every field of the full type: the mask selected all of it, and not only a part. */
type IsWhole<V, Full> = Full extends { readonly $typeName: string }
  ? keyof Full extends keyof V
    ? true
    : false
  : true;

/** True if the pod has the whole field of a path. */
type Has<T, Full, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T & keyof Full
    ? Has<Item<T[Head]>, Item<Full[Head]>, Rest>
    : false
  : Path extends keyof T & keyof Full
    ? IsWhole<Item<T[Path]>, Item<Full[Path]>>
    : false;

/** The paths that a pod does not have. */
type Missing<T, Path extends string> = Path extends string ? (Has<T, Pod, Path> extends true ? never : Path) : never;

/**
 * The requirement of a helper: `P & Needs<P, "status.phase">` accepts pods that have all of these paths. For other pods the compiler names
 * the paths that the mask lacks. A {@link PartialPod} is rejected, because any part of it may be missing.
 */
export type Needs<P, Path extends string> = PartialPod extends P
  ? { "the mask is known at run time only": Path }
  : [Missing<P, Path>] extends [never]
    ? unknown
    : { "the mask lacks": Missing<P, Path> };

/** Selections that are known to have all paths of a helper. */
const enough = new WeakMap<Selected, WeakSet<readonly string[]>>();

/**
 * Returns the pod, after checking that its mask has the fields that a helper reads. Messages that were made by hand may still lack
 * `metadata`, `spec` or `status`.
 *
 * @param paths a constant of the helper, the same at each call.
 * @throws PodsError `invalid-argument` if the pod's mask lacks one of them. In TypeScript {@link Needs} finds this at compile time.
 */
export function needed<const Paths extends readonly string[]>(
  pod: unknown,
  paths: Paths,
  helper: string,
): Masked<Pod, Paths[number]> {
  if (typeof pod !== "object" || pod === null || Array.isArray(pod) || "then" in pod)
    throw invalidArgument(`${helper}: the argument must be a pod`);
  if ("pod" in pod && !("metadata" in pod))
    throw invalidArgument(`${helper}: the argument must be a pod`, "pass its .pod");
  const selected = selectedOf(pod);
  if (selected !== undefined && enough.get(selected)?.has(paths) !== true) {
    const missing = paths.filter((path) => !isSelected(selected, path));
    if (missing.length > 0) {
      throw invalidArgument(`${helper}: the mask of the pod lacks ${missing.join(", ")}`, `use podMasks.${helper}`);
    }
    enough.set(selected, (enough.get(selected) ?? new WeakSet()).add(paths));
  }
  return pod as Masked<Pod, Paths[number]>;
}
