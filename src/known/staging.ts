import type { ListFacts } from "./completeness.js";
import type { Entry, KubeletProcess } from "./entry.js";

/** Facts about a stream that are known before its list. */
export interface StreamFacts extends ListFacts {
  /** The name of the socket or the host that was dialled. */
  readonly server: string;
  /** Streams of the same connection are of the same kubelet process; undefined where that cannot be said. */
  readonly connection: string | undefined;
  /** The process has said on this connection that it initializes: its lists are complete by contract. */
  readonly complete: boolean;
  /** A relay's name of the kubelet process that its pods are from; undefined where the list is a kubelet's. */
  readonly relayed?: string | undefined;
  /** The stream before was live until it was replaced by this one. */
  readonly planned: boolean;
  /** Deletions are told on the stream, and not by lists alone. */
  readonly tellsDeletions: boolean;
}

/** The list that is coming in. */
export interface Staging {
  facts: StreamFacts;
  readonly process: KubeletProcess;
  readonly entries: Map<string, Entry>;
  /** The namespaces and names of entries without a UID. */
  readonly named: Set<string>;
  /** UIDs of pods that could not be read. */
  readonly illegible: Set<string>;
  /** An entry has neither a UID nor a name, or more are unreadable than are named: then nothing can be proved absent. */
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
    named: new Set(),
    illegible: new Set(),
    unnamed: false,
    suspect: false,
    count: 0,
  };
}
