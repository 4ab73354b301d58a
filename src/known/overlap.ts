import { sameBytes } from "../pod/equality.js";
import { MAX_RETAINED_BYTES } from "../pod/limits.js";
import { covers, type PodMask, planOf } from "../pod/mask.js";
import { project } from "../pod/project.js";
import type { PodRecord } from "./record.js";
import { isAnother, type Version } from "./version.js";

/** How many bytes of outdated versions are remembered. An overlap lasts as long as a list takes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The listed pods; the known ones are looked up. */
interface OverlappedList {
  readonly versions: Map<string, Version>;
  suspect: boolean;
}

/**
 * The time in which a planned stream opens and the stream before it is live. The list is made at some time in between, so it may be older than
 * the versions of pods that are known by then. Pure: no clock, no I/O.
 */
export class Overlap {
  /** The outdated versions of each pod that the stream before has reported. */
  readonly #outdated = new Map<string, Version[]>();
  /** How many bytes the stream before has sent, and how many of them are outdated. */
  #received = 0;
  #bytes = 0;

  /** True if the stream before has sent more than may be kept of all pods. */
  get isTooMuch(): boolean {
    return this.#received > MAX_RETAINED_BYTES;
  }

  /** Notes a pod that the stream before has reported. `before` is its outdated version; undefined if the pod is new. */
  note({ head: { uid }, bytes }: Version, before: Version | undefined): void {
    this.#received += bytes.length;
    const outdated = this.#outdated.get(uid) ?? [];
    this.#outdated.set(uid, outdated);
    if (before === undefined || this.#bytes > MAX_BYTES) return;
    outdated.push(before);
    this.#bytes += before.bytes.length;
  }

  /**
   * Replaces what is outdated in a list of the same process by what is known. A pod that the list lacks was created after the list, or its end
   * is still to come: it stays, and one more list is wanted.
   */
  correct(list: OverlappedList, known: ReadonlyMap<string, PodRecord>): void {
    for (const [uid, outdated] of this.#outdated) {
      const record = known.get(uid);
      const listed = list.versions.get(uid);
      if (record === undefined) {
        if (this.isRemoved(uid, listed)) list.versions.delete(uid);
      } else if (listed === undefined) {
        if (record.standing.is === "deleted" || record.standing.is === "over") continue;
        list.versions.set(uid, record.version);
        list.suspect = true;
      } else if (outdated.some((each) => showsSame(each, listed))) {
        list.versions.set(uid, record.version);
        list.suspect ||= !covers(record.version.retained, listed.retained); // the new stream has been asked for more fields
      }
    }
  }

  /** Returns true if a version shows a pod that was reported and is not known any more: the version is older than its removal. */
  isRemoved(uid: string, version: Version | undefined): boolean {
    const last = this.#outdated.get(uid)?.at(-1);
    return last !== undefined && version !== undefined && !isAnother(last, version);
  }
}

/** Returns true if two versions show the same in the fields that both have. One of them was asked for with more. */
function showsSame(a: Version, b: Version): boolean {
  const mask = covers(a.retained, b.retained) ? b.retained : a.retained;
  return sameBytes(bytesBy(a, mask), bytesBy(b, mask));
}

function bytesBy({ bytes, retained }: Version, mask: PodMask | undefined): Uint8Array {
  return covers(mask, retained) ? bytes : project(bytes, planOf(mask));
}
