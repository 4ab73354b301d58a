import type { IncomingHttpHeaders } from "node:http";
import { PodsError } from "../errors/pods-error.js";
import { HEAD_MASK } from "../pod/head.js";
import { covers, type PodMask, parsePodMask, podMask } from "../pod/mask.js";

/** The part of the node's pods that a server shows. A relay's door sends it with each answer. */
export interface Shown {
  /** The fields, besides those that clients need to follow pods (`HEAD_MASK`). */
  readonly mask: PodMask;
  /** The namespaces; undefined means all. */
  readonly namespaces: readonly string[] | undefined;
}

/** The same part, with the state of the pods in one answer. */
export interface ShownNow extends Shown {
  /** True if the relay's list is proved to be complete. */
  readonly isComplete: boolean;
  /** The relay's name for the kubelet process: answers with the same value come from the same process. */
  readonly process: string;
}

/** The headers of a door's answers. */
export const SHOWN_HEADERS = {
  mask: "kubelet-pods-mask",
  namespaces: "kubelet-pods-namespaces",
  complete: "kubelet-pods-complete",
  process: "kubelet-pods-process",
  staleSince: "kubelet-pods-stale-since",
} as const;

/** The most namespaces of a door. */
export const MAX_NAMESPACES = 100;

/** The longest headers of a door. */
export const MAX_SHOWN_CHARACTERS = 8_192;

/** Returns the headers that tell what a door shows. */
export function shownHeaders({ mask, namespaces }: Shown): Record<string, string> {
  return {
    [SHOWN_HEADERS.mask]: mask.toString(),
    ...(namespaces !== undefined && { [SHOWN_HEADERS.namespaces]: namespaces.join(",") }),
  };
}

/** Reads what a server shows from its headers; undefined if it sends none, as a kubelet. */
export function shownBy(headers: IncomingHttpHeaders): ShownNow | undefined {
  const [mask, namespaces] = [headers[SHOWN_HEADERS.mask], headers[SHOWN_HEADERS.namespaces]];
  if (typeof mask !== "string" || mask.length > MAX_SHOWN_CHARACTERS) return undefined;
  const names = typeof namespaces === "string" ? namespaces.slice(0, MAX_SHOWN_CHARACTERS).split(",") : undefined;
  const known = mask.split(",").filter(isKnown);
  const isComplete = headers[SHOWN_HEADERS.complete] === "true";
  const process = String(headers[SHOWN_HEADERS.process] ?? "").slice(0, 100);
  return { mask: known.length > 0 ? parsePodMask(known.join(",")) : HEAD_MASK, namespaces: names, isComplete, process };
}

/** Returns true if this version knows the path. A newer relay may show paths that this version cannot ask for. */
function isKnown(path: string): boolean {
  try {
    parsePodMask(path);
    return true;
  } catch {
    return false;
  }
}

const WHOLE = podMask("metadata", "spec", "status");

/** Returns the hidden paths of a mask, at most three of them; none if all are shown. */
export function hidden({ mask }: Pick<Shown, "mask">, asked: PodMask | undefined): string[] {
  const shown = mask.union(HEAD_MASK);
  if (asked === undefined) return covers(mask, WHOLE) ? [] : ["whole pods"];
  if (covers(shown, asked)) return [];
  return (asked.paths as string[]).filter((path) => !shown.covers(parsePodMask(path))).slice(0, 3);
}

/** @throws PodsError `not-permitted` if hidden fields are asked for: a part of a pod must not pass for the whole. */
export function checkShown(shown: Shown, asked: PodMask | undefined, method: string, socketPath: string): void {
  const paths = hidden(shown, asked);
  if (paths.length === 0) return;
  throw new PodsError({
    code: "not-permitted",
    message: `the relay's door does not show ${paths.join(", ")}`,
    hint: `ask for less by mask, or for a door that shows it; this one has ${shown.mask.paths.slice(0, 5).join(", ")}, \u2026`,
    method,
    socketPath,
  });
}
