/** The selected fields of a message, by name; undefined stands for the whole field. */
export type Selected = ReadonlyMap<string, Selected | undefined>;

/** Under this name a message that a mask made has what was selected of it. */
export const SELECTED: unique symbol = Symbol("selected");

/** Returns what its mask has selected of a message; undefined for a whole one, and for one that was made otherwise. */
export function selectedOf(message: object): Selected | undefined {
  return (message as { readonly [SELECTED]?: Selected })[SELECTED];
}

/** Returns whether all of what a path leads to is selected. */
export function isSelected(selected: Selected, path: string): boolean {
  let below: Selected | undefined = selected;
  for (const name of path.split(".")) {
    if (below === undefined) return true;
    if (!below.has(name)) return false;
    below = below.get(name);
  }
  return below === undefined;
}
