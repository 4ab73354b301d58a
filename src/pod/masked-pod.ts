import type { PodMask } from "./mask.js";
import type { CheckedPath } from "./path-types.js";
import type { Pod } from "./pod.js";

/** Excludes paths that are only known at run time, because they cannot determine the type of a pod. */
type ListedPath<P extends string> = string extends P
  ? "podMask(...paths) takes paths that are known at run time only"
  : CheckedPath<P>;

/** A mask in options: a list of paths, or a {@link PodMask}. */
export type MaskInput<P extends string = string> = readonly ListedPath<P>[] | PodMask<P>;

/** First segments of paths, and the rest of the paths that begin with one of them. */
type Heads<P extends string> = P extends `${infer Head}.${string}` ? Head : P;
type Rests<P extends string, Head extends string> = P extends `${Head}.${infer Rest}` ? Rest : never;

type MaskedValue<V, P extends string> = V extends readonly (infer E)[]
  ? MaskedValue<E, P>[]
  : V extends { readonly $typeName: string }
    ? Masked<V, P>
    : V;

/** The part of a message that paths select. A path to a whole field wins over paths into it. */
export type Masked<T, P extends string> = MaskedFields<Pick<T, (Heads<P> | "$typeName") & keyof T>, P>;

type MaskedFields<S, P extends string> = {
  [K in keyof S]: K extends P | "$typeName" ? S[K] : MaskedValue<S[K], Rests<P, K & string>>;
};

/** A message of which any part may be missing. */
type Partially<V> = V extends readonly (infer E)[]
  ? Partially<E>[]
  : V extends { readonly $typeName: string }
    ? { [K in keyof V as K extends "$typeName" ? K : never]: V[K] } & {
        [K in keyof V as K extends "$typeName" ? never : K]?: Partially<V[K]>;
      }
    : V;

/** A pod of which any part may be missing: the result of a mask that is only known at run time. */
export type PartialPod = Partially<Pod>;

/**
 * Type of a pod with a mask of these paths; the whole pod without paths. It has `metadata`, `spec` and `status` if the mask selects a part
 * of them.
 */
export type PodOf<P extends string> = [P] extends [never] ? Pod : string extends P ? PartialPod : Masked<Pod, P>;

/**
 * A pod with only the fields of a mask: `MaskedPod<["metadata.name", "status.podIPs"]>`, or `MaskedPod<typeof mask>` for a {@link PodMask}.
 * Without a mask it is the whole pod; for paths that are only known at run time, a {@link PartialPod}.
 */
export type MaskedPod<M extends readonly string[] | PodMask | undefined = undefined> = PodOf<
  M extends PodMask<infer P> ? P : M extends readonly string[] ? M[number] : never
>;

/** Any pod, whole or masked. */
export type AnyMaskedPod = Pick<Pod, "$typeName">;
