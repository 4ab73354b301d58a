import type { PodMask } from "../pod/mask.js";
import type { ShownNow } from "./shown.js";

/** An event of a source's stream. Pods are bytes, and may be views: copy them to keep them. */
export type SourceEvent =
  /**
   * The first: there is a connection.
   *
   * - `server` is what {@link WatchSource.server} says of where it leads.
   * - `connection`: two streams with the same value are of the same kubelet process, for certain. Left out where that cannot
   *   be said: then the pods' own stamps (`kubernetes.io/config.seen`) decide it, and where they have none, what a list lacks
   *   is unconfirmed until two lists agree.
   * - `resyncIntervalMs` is how long the source's streams may last at most, where it cannot vouch for longer.
   * - `tellsDeletions: false` says that the stream tells no DELETED, so that a pod is known to be gone by the lists alone.
   * - `sinceMs` is since when the server has been there, as a time of day in milliseconds, where that can be said.
   * - `isComplete` says that a list has everything there is, always. Kubelets of 1.36 list what they have read so far, so that the lists
   *   of their sources prove that by their pods alone.
   */
  | {
      type: "CONNECTED";
      server: string;
      connection?: string | undefined;
      resyncIntervalMs?: number;
      tellsDeletions?: boolean;
      sinceMs?: number | undefined;
      isComplete?: boolean;
    }
  | { type: "ADDED" | "MODIFIED" | "DELETED"; pod: Uint8Array }
  | { type: "SYNCED" }
  /**
   * Before the first pod: the list is a relay's, with what it says of it. Then `connection`, `sinceMs` and `isComplete` of CONNECTED count
   * for nothing: they are not of the kubelet.
   */
  | { type: "RELAYED"; shown: ShownNow }
  /** Something that a newer server says; `code` is the number of its type, as far as it is known. */
  | { type: "UNKNOWN"; code?: number };

/** The event with which a stream begins. */
export type Connected = Extract<SourceEvent, { type: "CONNECTED" }>;

/** Events that have come at once, in their order. CONNECTED comes alone. */
export type SourceBatch = readonly Exclude<SourceEvent, Connected>[];

/** One attempt: no retry, no pacing. */
export interface AttemptOptions {
  /** Ends it: it rejects then, with anything. */
  signal: AbortSignal;
  /** A whole number of milliseconds from 1 to 99,999,999, the most that gRPC can carry; undefined for no limit. */
  timeoutMs?: number | undefined;
  /** The fields that are wanted; a server may answer with more. Everything where it is undefined. */
  mask?: PodMask | undefined;
}

/**
 * A source of pods, as bytes. `podsApi()` makes one of a kubelet's Pods API, `kubeletHttp()` of its HTTP server. One of your
 * own must do as this interface says. A source belongs to one client, which closes it.
 */
export interface PodSource extends WatchSource {
  /** The version of the API that is spoken, for diagnostics; undefined before the first answer. */
  readonly version?: string | undefined;
  /**
   * Whether it knows the pods also while the kubelet has yet to read them, as the API server does. Otherwise it is not asked while
   * a better source says that the kubelet initializes, since what it lacked would be taken for gone.
   *
   * @default false
   */
  readonly isIndependent?: boolean;
  /** Resolves when what is asked next is sent at once. Rejects with a PodsError where nobody is there. */
  connect(signal: AbortSignal): Promise<unknown>;
  /** Ends everything; resolves when no handle is left. */
  close(): Promise<void>;
  /** Returns all pods of the node, which may be views of one buffer. */
  list(options: AttemptOptions): Promise<Uint8Array[]>;
  /** Returns the pod with this UID. */
  get(uid: string, options: AttemptOptions): Promise<Uint8Array>;
}

/** The part of a source that watches use. */
export interface WatchSource {
  /**
   * Opens one stream: CONNECTED, every pod as ADDED, SYNCED, then changes. It never ends well: it throws when it is lost, and
   * when `signal` aborts. Nothing is sent before it is read. `mask` as in {@link AttemptOptions}.
   *
   * Events may come one by one, or in lists of those that are there at once, which cost less.
   */
  open(signal: AbortSignal, mask?: PodMask): AsyncIterable<SourceEvent | SourceBatch>;
  /** Resolves when something changes where the source is dialled, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void>;
  /**
   * Returns the name of the socket or the host that would be dialled now, as CONNECTED has it; undefined where there is none.
   * It says when to dial anew.
   */
  server(): string | undefined;
  /**
   * Returns since when the server that would be dialled now has been there, as a time of day in milliseconds; undefined where that cannot
   * be said. A list of a server that is new may not have everything yet.
   */
  sinceMs?(): number | undefined;
  /**
   * The part of the pods that the server shows, as it said with its last answer; undefined where it shows all, as kubelets do. Readers are
   * refused what it does not show.
   */
  readonly shown?: ShownNow | undefined;
  /** Where the source is dialled, for diagnostics. */
  readonly socketPath: string;
}
