import type { Message } from "@bufbuild/protobuf";
import type { Pod } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { PodMask } from "./mask.js";

/** What `mask` takes: paths, or a {@link PodMask}. */
export type MaskInput = readonly string[] | PodMask | undefined;

/** The names of a message's fields. */
type Names<T> = Exclude<keyof T & string, "$typeName" | "$unknown">;

/** The message in a field, through a list; never for scalars, maps and bytes, where paths end. */
type Inner<V> = V extends readonly (infer E)[] ? Inner<E> : V extends { readonly $typeName: string } ? V : never;

/** The path itself where it is one; where it is none, those that stand to reason from as far as it is right. */
type Checked<T, P extends string, Before extends string = ""> = P extends `${infer Head}.${infer Rest}`
  ? Head extends Names<T>
    ? [Inner<NonNullable<T[Head]>>] extends [never]
      ? `${Before}${Head}`
      : Checked<Inner<NonNullable<T[Head]>>, Rest, `${Before}${Head}.`>
    : `${Before}${Names<T>}`
  : P extends Names<T>
    ? `${Before}${P}`
    : `${Before}${Names<T>}`;

/**
 * Checks each path of a mask for itself, segment by segment, so that the error stands at the path that is wrong. Paths
 * that are known at run time only are checked there.
 */
export type CheckedMask<M extends MaskInput> = M extends readonly string[]
  ? string extends M[number]
    ? M
    : { readonly [I in keyof M]: M[I] extends string ? Checked<Pod, M[I]> : never }
  : M;

/** The first segments of paths, and what follows one of them. */
type Heads<P extends string> = P extends `${infer Head}.${string}` ? Head : P;
type Rests<P extends string, Head extends string> = P extends `${Head}.${infer Rest}` ? Rest : never;

type MaskedValue<V, P extends string> = V extends readonly (infer E)[]
  ? MaskedValue<E, P>[]
  : V extends { readonly $typeName: string }
    ? Masked<V, P>
    : V;

/** What paths select of a message: a path to a whole field beats those into it. */
type Masked<T, P extends string> = {
  [K in keyof T as K extends Heads<P> | "$typeName" ? K : never]: K extends P | "$typeName"
    ? T[K]
    : K extends string
      ? MaskedValue<T[K], Rests<P, K>>
      : never;
};

/** Any part of a message may be missing. */
type Partially<V> = V extends readonly (infer E)[]
  ? Partially<E>[]
  : V extends { readonly $typeName: string }
    ? { [K in keyof V as K extends "$typeName" ? K : never]: V[K] } & {
        [K in keyof V as K extends "$typeName" ? never : K]?: Partially<V[K]>;
      }
    : V;

/** A pod of which any part may be missing: what a mask gives that is known at run time only. */
export type PartialPod = Partially<Pod>;

/**
 * A pod with what a mask selects, and nothing else: `MaskedPod<["metadata.name", "status.podIPs"]>`, or
 * `MaskedPod<typeof mask>` for a {@link PodMask}. The whole pod without a mask, a {@link PartialPod} for paths that are
 * known at run time only.
 */
export type MaskedPod<M extends MaskInput = undefined> = [M] extends [undefined]
  ? Pod
  : M extends PodMask<infer P>
    ? MaskedBy<P>
    : M extends readonly string[]
      ? MaskedBy<M[number]>
      : Pod;

type MaskedBy<P extends string> = string extends P ? PartialPod : Masked<Pod, P>;

/** Anything that a mask makes of a pod; every pod is one. */
export type AnyMaskedPod = Message<"k8s.io.api.core.v1.Pod">;
