import type { ListRequest } from "./completeness.js";
import type { KubeletProcess, Version } from "./version.js";

/** Facts about a stream that are known before its list arrives. */
export interface StreamFacts extends ListRequest {
  /** The name of the dialled socket or host. */
  readonly server: string;
  /** Identity of the connection. Streams of one connection come from one kubelet process. Undefined if unknown. */
  readonly connection: string | undefined;
  /** True if the stream sends deletions as events, and not only by lists. */
  readonly reportsDeletions: boolean;
}

/** The incoming list. */
export interface Staging {
  facts: StreamFacts;
  readonly process: KubeletProcess;
  readonly versions: Map<string, Version>;
  /** The namespaces and names of entries without a UID. */
  readonly named: Set<string>;
  readonly unreadable: Set<string>;
  /** True if an entry has neither UID nor name, or if there are more unreadable entries than names. Then no pod can be proved absent. */
  unnamed: boolean;
  /** True if something may have been missed, so that one more list is needed. */
  hasGap: boolean;
  /** The number of messages about pods so far. */
  count: number;
  /**
   * Pods of which the stream has sent an event since the list was sent, with the listed version: they count neither as listed nor as missing.
   * Undefined for the list of a new stream.
   */
  readonly touched: Map<string, Version | undefined> | undefined;
}

export function newStaging(facts: StreamFacts, process: KubeletProcess, touched?: ReadonlySet<string>): Staging {
  return {
    touched: touched && new Map([...touched].map((uid) => [uid, undefined])),
    facts,
    process,
    versions: new Map(),
    named: new Set(),
    unreadable: new Set(),
    unnamed: false,
    hasGap: false,
    count: 0,
  };
}
