import { dropOldest } from "../drop-oldest.js";
import type { PodMask } from "../pod/mask.js";
import { scanHead } from "../pod/scan.js";
import type { SourceEvent } from "../sources/pod-source.js";

/** The most pods that are remembered. More do not change while a list arrives. */
const MAX_PODS = 1_000;

/** The last status of a pod in an overlap, and whether the kubelet has sent DELETED of it. */
interface LastStatus {
  pod: Uint8Array | undefined;
  deleted: Uint8Array | undefined;
}

/**
 * The events of a stream from the request of its planned successor on. A kubelet registers a watch before it makes the list, so the list or
 * the new stream has the state of every pod. Only the ends of known pods are taken from the old stream. They may arrive after the list that
 * lacks the pods, because a kubelet writes its streams independently of each other. A pod that starts and ends before the new watch is
 * registered, and a status that a later one replaces, are lost. Pure: no clock, no I/O.
 */
export class Overlap {
  readonly #pods = new Map<string, LastStatus>();
  #isOpen = false;
  #mask: PodMask | undefined;

  /** True while the old stream is read. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The mask of the old stream. */
  get mask(): PodMask | undefined {
    return this.#mask;
  }

  begin(mask: PodMask | undefined): void {
    this.end();
    this.#isOpen = true;
    this.#mask = mask;
  }

  end(): void {
    this.#isOpen = false;
    this.#pods.clear();
  }

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
    const ended = [...this.#pods].filter(([, { deleted }]) => deleted !== undefined);
    for (const [uid] of ended) this.#pods.delete(uid);
    return ended.flatMap(([uid, each]) => (counts(uid) ? [each] : []));
  }
}
