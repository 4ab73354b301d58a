import { isLater } from "../known/version.js";
import { isStaticHead, type PodHead } from "../pod/head.js";
import type { PodMask } from "../pod/mask.js";
import { scanHead } from "../pod/scan.js";
import type { SourceEvent } from "../sources/pod-source.js";

/** The most pods, and the most bytes of them, that are remembered. More do not change while a list arrives. */
const MAX_OVERLAP_PODS = 1_000;
const MAX_OVERLAP_BYTES = 16 << 20;

/** The last events of the old stream about a pod. */
export interface LastStatus {
  /** The mask of the old stream. */
  readonly mask: PodMask | undefined;
  pod: Uint8Array | undefined;
  /** The DELETED event of the pod. */
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
  #bytes = 0;
  #isOpen = false;
  #mask: PodMask | undefined;

  /** True while the old stream is read. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @param mask the mask of the old stream. @param keeps returns true for pods whose end is still awaited. */
  begin(mask: PodMask | undefined, keeps: (uid: string) => boolean): void {
    for (const uid of this.#pods.keys()) if (!keeps(uid)) this.takePod(uid);
    this.#isOpen = true;
    this.#mask = mask;
  }

  end(): void {
    this.#isOpen = false;
    this.#pods.clear();
    this.#bytes = 0;
  }

  /** Takes an event of the old stream, if it is about a pod that `counts`. */
  take(event: SourceEvent, counts: (uid: string) => boolean): void {
    if (event.type !== "ADDED" && event.type !== "MODIFIED" && event.type !== "DELETED") return;
    const { head } = scanHead(event.pod);
    const { uid } = head;
    if (uid === "" || !counts(uid)) return;
    const last = this.takePod(uid) ?? { mask: this.#mask, pod: undefined, deleted: undefined };
    if (event.type === "DELETED") last.deleted = event.pod;
    else if (last.deleted === undefined && !isOfNext(head, last.pod)) last.pod = event.pod;
    this.#pods.set(uid, last);
    this.#bytes += sizeOf(last);
    for (const oldest of this.#pods.keys()) {
      if (this.#pods.size <= MAX_OVERLAP_PODS && this.#bytes <= MAX_OVERLAP_BYTES) break;
      this.takePod(oldest);
    }
  }

  /** Removes and returns what is remembered of a pod. */
  takePod(uid: string): LastStatus | undefined {
    const last = this.#pods.get(uid);
    if (last === undefined) return undefined;
    this.#pods.delete(uid);
    this.#bytes -= sizeOf(last);
    return last;
  }

  /** Removes the pods that have ended. Returns those that count. */
  takeEnds(counts: (uid: string) => boolean): LastStatus[] {
    const ended = [...this.#pods].filter(([, { deleted }]) => deleted !== undefined);
    for (const [uid] of ended) this.takePod(uid);
    return ended.flatMap(([uid, last]) => (counts(uid) ? [last] : []));
  }

  /** Removes all pods. Returns those that count. */
  takeAll(counts: (uid: string) => boolean): LastStatus[] {
    const all = [...this.#pods];
    for (const [uid] of all) this.takePod(uid);
    return all.flatMap(([uid, last]) => (counts(uid) ? [last] : []));
  }
}

/** Returns true if a status belongs to the next pod of a static manifest. It must not replace the last status of the pod before. */
function isOfNext(head: PodHead, last: Uint8Array | undefined): boolean {
  return last !== undefined && isStaticHead(head) && isLater(head.seen, scanHead(last).head.seen);
}

function sizeOf({ pod, deleted }: LastStatus): number {
  return (pod?.length ?? 0) + (deleted?.length ?? 0);
}
