import { invalidArgument } from "../errors/pods-error.js";
import type { Pod as PodMessage } from "../gen/pod-types.js";
import { isSelected, type Selected, selectedOf } from "../protobuf/selected.js";
import type { Masked, PartialPod } from "./masked-pod.js";

/** The element of a list, or the value itself. */
type Item<V> = NonNullable<V> extends readonly (infer E)[] ? E : NonNullable<V>;

/** Whether a value has every field of the full one, so that a path to all of it was selected, and not one into it. */
type IsWhole<V, Full> = Full extends { readonly $typeName: string }
  ? keyof Full extends keyof V
    ? true
    : false
  : true;

/** Whether a path leads through a pod to something that is whole. */
type Has<T, Full, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T & keyof Full
    ? Has<Item<T[Head]>, Item<Full[Head]>, Rest>
    : false
  : Path extends keyof T & keyof Full
    ? IsWhole<Item<T[Path]>, Item<Full[Path]>>
    : false;

/** The paths that a pod does not have. */
type Missing<T, Path extends string> = Path extends string
  ? Has<T, PodMessage, Path> extends true
    ? never
    : Path
  : never;

/**
 * The requirement of a helper: `P & Needs<P, "status.phase">` takes each pod that has these paths whole. For another pod the
 * compiler names the paths that its mask lacks. A {@link PartialPod} has none for certain and is refused.
 */
export type Needs<P, Path extends string> = PartialPod extends P
  ? { "the mask is known at run time only": Path }
  : [Missing<P, Path>] extends [never]
    ? unknown
    : { "the mask lacks": Missing<P, Path> };

/** The masks that are known to have what a helper reads, by what they select and by the helper's paths. */
const enough = new WeakMap<Selected, WeakSet<readonly string[]>>();

/**
 * Gives a helper the fields that it reads. Messages that were made by hand may lack `metadata`, `spec` or `status` all the same.
 *
 * @param paths a constant of the helper's, the same at each call.
 * @throws PodsError `invalid-argument` where the pod's mask lacks one of them, which {@link Needs} says where there is a compiler.
 */
export function needed<const Paths extends readonly string[]>(
  pod: unknown,
  paths: Paths,
  helper: string,
): Masked<PodMessage, Paths[number]> {
  if (typeof pod !== "object" || pod === null || Array.isArray(pod) || "then" in pod)
    throw invalidArgument(`${helper}: a pod is expected`);
  if ("pod" in pod && !("metadata" in pod)) throw invalidArgument(`${helper}: a pod is expected`, "pass its .pod");
  const selected = selectedOf(pod);
  if (selected !== undefined && enough.get(selected)?.has(paths) !== true) {
    const missing = paths.filter((path) => !isSelected(selected, path));
    if (missing.length > 0) {
      throw invalidArgument(
        `${helper}: the mask of the pod lacks ${missing.join(", ")}`,
        `podMasks.${helper} has what it reads`,
      );
    }
    enough.set(selected, (enough.get(selected) ?? new WeakSet()).add(paths));
  }
  return pod as Masked<PodMessage, Paths[number]>;
}
