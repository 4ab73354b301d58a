import type { PodMask } from "../pod/mask.js";
import type { PodSelector } from "../pod/selector.js";
import type { Entry, Ledger } from "./ledger.js";

/** What one consumer asks for. */
export interface Selection {
  includeFinished: boolean;
  /** What it is told of each pod; everything where it is undefined. */
  mask?: PodMask | undefined;
  /** Which pods it is told of; all where it is undefined. */
  selector?: PodSelector | undefined;
}

/** How many pods there are for it. */
export function countOf(ledger: Ledger, selection: Selection): number {
  const { includeFinished, selector } = selection;
  if (selector === undefined) return ledger.count(includeFinished);
  let count = 0;
  for (const { entry, active } of ledger.entries()) {
    if ((active || includeFinished) && isSelected(selection, entry)) count++;
  }
  return count;
}

/** Whether the selector lets a pod through. Of one that it cannot read nothing is known: undefined. */
export function isSelected({ selector }: Selection, entry: Entry): boolean | undefined {
  if (selector === undefined) return true;
  try {
    return selector.selects(entry.bytes);
  } catch {
    return undefined;
  }
}
