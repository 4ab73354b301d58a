import type { Pod } from "./pod.js";

/** The names of a message's fields. */
type Names<T> = Exclude<keyof T & string, "$typeName" | "$unknown">;

/** The message in a field, through a list; never for scalars, maps and bytes, where paths end. */
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
 * A path of a mask, checked segment by segment, so that the compiler's error is at the wrong path. Paths that are only known at run time
 * are checked then.
 */
export type CheckedPath<P extends string> = string extends P ? P : P extends Checked<Pod, P> ? P : Checked<Pod, P>;
