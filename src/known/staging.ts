import type { PodHead } from "../pod/head.js";
import type { Entry, KubeletProcess } from "./entry.js";

/** Facts about a stream that are known before its list. */
export interface StreamFacts {
  /** The name of the socket or the host that was dialled. */
  readonly server: string;
  /** Streams of the same connection are of the same kubelet process; undefined where that cannot be said. */
  readonly connection: string | undefined;
  /** The process has said on this connection that it initializes: its lists are complete by contract. */
  readonly complete: boolean;
  /** The stream before was live until it was replaced by this one. */
  readonly planned: boolean;
  /** Deletions are told on the stream, and not by lists alone. */
  readonly tellsDeletions: boolean;
}

/** The list that is coming in. */
export interface Staging {
  readonly facts: StreamFacts;
  readonly process: KubeletProcess;
  readonly entries: Map<string, Entry>;
  /** Entries without a UID, by namespace and name. */
  readonly named: Map<string, { head: PodHead; bytes: Uint8Array }>;
  /** UIDs of pods that could not be read. */
  readonly illegible: Set<string>;
  /** An entry has neither a UID nor a name: then nothing can be proved absent. */
  unnamed: boolean;
  /** Something is to be looked at again. */
  suspect: boolean;
  /** Messages about pods so far. */
  count: number;
}

/** Makes a list of which nothing has come yet. */
export function newStaging(facts: StreamFacts, process: KubeletProcess): Staging {
  return {
    facts,
    process,
    entries: new Map(),
    named: new Map(),
    illegible: new Set(),
    unnamed: false,
    suspect: false,
    count: 0,
  };
}
