import type { PodsError } from "../errors/pods-error.js";
import { scanHead } from "../pod/scan.js";
import { type Finding, fail, type Subject, skip } from "./check.js";
import type { RawAnswer } from "./raw-client.js";

/** Maximum number of comparisons of two answers. A comparison is repeated if pods changed in between. */
export const TRIES = 3;

/** Lists the pods again, and stores the list for later checks. */
export async function relist(subject: Subject): Promise<RawAnswer<Uint8Array[]>> {
  const answer = await subject.client.list({}, subject.version);
  if (answer.ok) subject.list = answer.value;
  return answer;
}

/**
 * Returns the finding for an error in place of an answer. The error shows nothing about the kubelet if other clients have used up its
 * limit, or if we have made the maximum number of requests.
 */
export function unanswered(answer: { code: string; text: string; error: PodsError | undefined }, what = ""): Finding {
  if (answer.code === "budget") return skip("the allowed number of requests is used up");
  if (answer.error?.code === "rate-limited")
    return skip("other clients use up the kubelet's rate limit; run the check again later");
  return fail(`${what === "" ? "" : `${what}: `}${textOf(answer)}`);
}

/** Returns the UID of a serialized pod; empty if it has none. */
export function uidOf(pod: Uint8Array | undefined): string {
  return pod === undefined ? "" : scanHead(pod).head.uid;
}

/** Returns true if both pods exist and have the same bytes. */
export function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}

/** Returns the index of the first UID that is out of order; undefined if all are sorted. */
export function firstUnsorted(uids: readonly string[]): number | undefined {
  const place = uids.findIndex((uid, i) => i > 0 && uid < (uids[i - 1] ?? ""));
  return place < 0 ? undefined : place;
}

/** Formats the error of a server for a finding. */
export function textOf({ code, text }: { code?: string; text?: string }): string {
  return text === undefined || text === "" ? (code ?? "no answer") : `${code} "${text}"`;
}

/** Formats a number with its noun: `1 pod`, `2 pods`. */
export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
