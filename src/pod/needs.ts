import type { Pod as PodMessage } from "../gen/pod-types.js";
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

/**
 * Gives a helper the fields that its {@link Needs} has proved. Messages that were made by hand may lack `metadata`, `spec` or
 * `status` all the same.
 *
 * @internal
 */
export function needed<Path extends string>(pod: unknown): Masked<PodMessage, Path> {
  return pod as Masked<PodMessage, Path>;
}
