import type { Pod } from "./pod.js";

/** The names of a message's fields. */
type Names<T> = Exclude<keyof T & string, "$typeName" | "$unknown">;

/** The message of a field or of its list elements; never for scalars, maps and bytes, where paths end. */
type Inner<V> = V extends readonly (infer E)[] ? Inner<E> : V extends { readonly $typeName: string } ? V : never;

/** The path if it exists; otherwise the valid paths that share its longest valid prefix, so that the compiler can suggest them. */
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
 * A mask path that the compiler checks segment by segment, so that its error is at the wrong path. Paths that are only known at run time
 * are checked at run time.
 */
export type CheckedPath<P extends string> = string extends P ? P : P extends Checked<Pod, P> ? P : Checked<Pod, P>;
