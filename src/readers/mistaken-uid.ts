import type { PodRecord } from "../known/record.js";

/** Returns the first text that is not a UID, but a pod's name, or a pod's UID in another spelling. */
export function mistakenUID(
  uids: readonly string[],
  records: Iterable<PodRecord>,
): { uid: string; is: string } | undefined {
  const names = new Set<string>();
  const plain = new Set<string>();
  for (const { uid, version } of records) {
    names.add(version.head.name);
    plain.add(plainUID(uid));
  }
  for (const uid of uids) {
    if (names.has(uid.replace(/^.*\//, ""))) return { uid, is: "a pod's name, not its UID" };
    const text = plainUID(uid);
    const isCut = text.length >= LEAST_CUT && [...plain].some((whole) => whole.length === 32 && whole.startsWith(text));
    if (plain.has(text) || isCut) return { uid, is: "a pod's UID in another spelling" };
  }
  return undefined;
}

/** Commands that shorten UIDs and hashes show at least this many digits. */
const LEAST_CUT = 6;

/** Returns a UID in one spelling: lower case, without hyphens, spaces, and the `pod` prefix of cgroups. */
function plainUID(uid: string): string {
  return uid.trim().toLowerCase().replace(/^pod/, "").replaceAll(/[-_]/g, "");
}
