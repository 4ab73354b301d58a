/** The selected fields of a message, by name; undefined means the whole field. */
export type Selected = ReadonlyMap<string, Selected | undefined>;

/** Key of the selection in a masked message. */
export const SELECTED: unique symbol = Symbol("selected");

/** Returns the selection of a masked message; undefined for any other message. */
export function selectedOf(message: object): Selected | undefined {
  return (message as { readonly [SELECTED]?: Selected })[SELECTED];
}

/** Returns true if the whole field of a path is selected. */
export function isSelected(selected: Selected, path: string): boolean {
  let below: Selected | undefined = selected;
  for (const name of path.split(".")) {
    if (below === undefined) return true;
    if (!below.has(name)) return false;
    below = below.get(name);
  }
  return below === undefined;
}
