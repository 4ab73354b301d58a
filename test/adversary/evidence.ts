// What the judges go by: what is so, what reached the readers, and what these were told.

import type { Said } from "./teller.js";
import type { Truth } from "./truth.js";

export type ToldPod =
  | { readonly type: "ADDED" | "MODIFIED"; readonly uid: string; readonly version: number; readonly before?: number }
  | { readonly type: "DELETED"; readonly uid: string; readonly version: number; readonly cause: string }
  | {
      readonly type: "SYNCED";
      readonly initial: boolean;
      readonly count: number;
      readonly unreadable: ReadonlySet<string>;
    }
  | { readonly type: "DISCONNECTED" };

/** What an event says of a run beside its ID. */
export interface ToldRun {
  readonly name: string;
  readonly count: number;
  readonly startedAt: Date | undefined;
  readonly isOver: boolean;
  /** It is said to have been so as the reader began. */
  readonly isInitial?: boolean;
}

export type ToldLife =
  | { readonly type: "STARTED"; readonly uid: string; readonly id: string; readonly run: ToldRun }
  | {
      readonly type: "ENDED";
      readonly uid: string;
      readonly id: string;
      readonly run: ToldRun;
      readonly signal: number | undefined;
      readonly finishedAt: Date | undefined;
      readonly basis: string;
      readonly exitCode?: number | undefined;
      readonly reason: string;
      readonly oom?: string | undefined;
    }
  | {
      readonly type: "MISSED";
      readonly uid: string;
      readonly name: string;
      readonly from: number;
      readonly to: number;
    };

/** What is so beside the truth about pods: how the kubelet stands, and what reached the readers. */
export interface Facts {
  readonly truth: Truth;
  readonly nowMs: number;
  /** Pods that the process has not read. */
  readonly unread: ReadonlySet<string>;
  /** Pods that lists have damaged. */
  readonly damaged: ReadonlySet<string>;
  /** Of those, the ones whose UID cannot be read. */
  readonly nameless: ReadonlySet<string>;
  /** Since when the process runs. */
  readonly startMs: number;
  readonly isLive: boolean;
  /** A stream is open, also while its list comes in, or lists of the HTTP server come. */
  readonly isServed: boolean;
  /** Clients have been told that the kubelet may be older than 1.37: then lists are not taken before they are proved. */
  readonly isPartial: boolean;
  /** Readers have lists of the kubelet's HTTP server alone. */
  readonly isPolled: boolean;
  /** When processes have begun, when the API server was back for one that had not read its pods, and when streams were lost. */
  readonly starts: readonly number[];
  readonly returns: readonly number[];
  readonly losses: readonly number[];
  /** When the kubelet last began to wait before or within a list. */
  readonly slowMs: number;
  /** When the kubelet's HTTP server has given lists. */
  readonly polled: readonly number[];
  /** When a stream was lost last, and when something was done to a message. */
  readonly lostMs: number;
  readonly faultMs: number;
  /** An event of a type that is not known was told. */
  readonly hadNewType: boolean;
  /** When each kubelet process first sent an event of such a type to a live stream. */
  readonly newTypes: readonly number[];
  /** Events that were lost, swapped or damaged. */
  readonly dropped: readonly { readonly atMs: number; readonly uid: string }[];
  /** When messages were told of which nothing can be read. */
  readonly illegible: readonly number[];
  /** When anything was last said to the readers. */
  readonly heardMs: number;
  /** When each list was given. */
  readonly lists: readonly number[];
  /** The pods that the kubelet lists, by UID, and whether each is finished; undefined where it shows none. */
  listed(): ReadonlyMap<string, { readonly version: number; readonly isOver: boolean }>;
}

/** What is looked up. */
export type Key =
  | { readonly ip: string }
  | { readonly name: string }
  | { readonly uid: string; readonly containerName?: string }
  | { readonly containerID: string };

/** When a lookup was asked, and about which time. */
export interface Asked {
  readonly ms: number;
  readonly isPast: boolean;
  /** When the present clock would have shown the time of day that was given; undefined if another kind of time was given. */
  readonly dayMs: number | undefined;
  /** The informer keeps all that has ended for five minutes. */
  readonly isRetained: boolean;
  /** For how long it keeps it. */
  readonly retainMs: number;
  /** When the agent began, and when its informer was synced first. */
  readonly joinedMs: number;
  readonly syncedMs: number;
}

/** What reached the readers, and when. */
export type Heard = Said & { readonly atMs: number };

/** An answer, in words of its own. */
export interface Answered {
  readonly uid: string | undefined;
  readonly confidence: string;
  readonly others: number;
  /** Why it is not sure. */
  readonly doubt?: string | undefined;
  /** Why the pod has ended. */
  readonly reason?: string | undefined;
  readonly gone?: { readonly afterMs: number; readonly atMs: number } | undefined;
  readonly run?: { readonly id: string; readonly count: number } | undefined;
}
