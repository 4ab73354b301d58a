import { dropOldest } from "../drop-oldest.js";
import { scanHead } from "../pod/scan.js";
import type { SourceEvent } from "../sources/pod-source.js";

/** The most pods that are remembered. An overlap lasts as long as a list takes. */
const MAX_PODS = 1_000;

/** The last status of a pod in an overlap, and whether the kubelet has sent DELETED of it. */
interface LastStatus {
  pod: Uint8Array | undefined;
  deleted: Uint8Array | undefined;
}

/**
 * The events of a stream while the list of its planned successor arrives. A kubelet registers a watch before it makes the list, so the list or
 * the new stream has the state of every pod. Only the ends of known pods are taken from the old stream. A pod that starts and ends before the
 * new watch is registered, and a status that a later one replaces, are lost. Pure: no clock, no I/O.
 */
export class Overlap {
  readonly #pods = new Map<string, LastStatus>();

  take(event: SourceEvent): void {
    if (event.type !== "ADDED" && event.type !== "MODIFIED" && event.type !== "DELETED") return;
    const { uid } = scanHead(event.pod).head;
    if (uid === "") return;
    const known = this.#pods.get(uid) ?? { pod: undefined, deleted: undefined };
    if (event.type === "DELETED") known.deleted = event.pod;
    else if (known.deleted === undefined) known.pod = event.pod;
    this.#pods.set(uid, known);
    dropOldest(this.#pods, MAX_PODS);
  }

  /** Removes and returns the last status and the end of each pod that has ended and that `counts`. */
  takeEnds(counts: (uid: string) => boolean): LastStatus[] {
    const ends = [...this.#pods].flatMap(([uid, each]) => (each.deleted !== undefined && counts(uid) ? [each] : []));
    this.#pods.clear();
    return ends;
  }
}
