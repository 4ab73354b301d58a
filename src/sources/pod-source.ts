import type { PodMask } from "../pod/mask.js";

/**
 * How complete the lists of a server are.
 *
 * - `complete`: its kubelet refuses calls while it initializes, as kubelets of 1.37 do. A pod that a list lacks does not exist.
 * - `contract`: the API says that lists are complete, and they are taken so. But a kubelet of 1.36 that has just started lists only the
 *   pods that it has read so far, so two lists have to agree before a pod counts as absent.
 * - `partial`: a list may lack pods, and is not taken before two lists with API pods, two seconds apart, agree.
 * - `static`: `partial`, on a node that has only static pods.
 */
export type ListTrust = "complete" | "contract" | "partial" | "static";

/** An event of a source's stream. Pods are bytes, and may be views: copy them to keep them. */
export type SourceEvent =
  /**
   * The first: there is a connection.
   *
   * - `server` is the name that {@link WatchSource.server} returns for it.
   * - `connection`: two streams with the same value certainly come from the same kubelet process. Left out if that is unknown: then the
   *   pods' stamps (`kubernetes.io/config.seen`) decide. If they have no stamps, pods that a list lacks are unconfirmed until two lists
   *   agree.
   * - `resyncIntervalMs` is the longest time that a stream of this source may last.
   * - `reportsDeletions: false` says that the stream sends no DELETED, so that only lists show that a pod is gone.
   * - `lists` as in {@link WatchSource.lists}.
   */
  | {
      type: "CONNECTED";
      server: string;
      connection?: string | undefined;
      resyncIntervalMs?: number;
      reportsDeletions?: boolean;
      lists?: ListTrust | undefined;
    }
  | { type: "ADDED" | "MODIFIED" | "DELETED"; pod: Uint8Array }
  | { type: "SYNCED" }
  /** An event of an unknown type; `code` is the number of its type, if known. */
  | { type: "UNKNOWN"; code?: number };

/** The event with which a stream begins. */
export type Connected = Extract<SourceEvent, { type: "CONNECTED" }>;

/** Events that have arrived together, in order. CONNECTED comes alone. */
export type SourceBatch = readonly Exclude<SourceEvent, Connected>[];

/** One attempt: no retry, no pacing. */
export interface AttemptOptions {
  /** Ends the attempt, which then rejects with any reason. */
  signal: AbortSignal;
  /** A whole number of milliseconds from 1 to 99,999,999, the most that gRPC can carry; undefined for no limit. */
  timeoutMs?: number | undefined;
  /** The wanted fields; a server may answer with more. Undefined means all fields. */
  mask?: PodMask | undefined;
}

/**
 * A source of pods, as bytes. `podsApi()` makes one of a kubelet's Pods API, `kubeletHttp()` one of its HTTP server. Your own source must
 * follow this interface. A source belongs to one client, which closes it.
 */
export interface PodSource extends WatchSource {
  /** The version of the spoken API, for diagnostics; undefined before the first answer. */
  readonly version?: string | undefined;
  /**
   * True if it has all pods even while the kubelet initializes, as the API server does. Otherwise it is not asked while a better source
   * says that the kubelet initializes, because pods that it lacked would be taken for deleted.
   *
   * @default false
   */
  readonly isIndependent?: boolean;
  /** Resolves when there is a connection, so that the next request is sent at once. Rejects with a PodsError if nobody listens. */
  connect(signal: AbortSignal): Promise<unknown>;
  /** Ends all calls, streams and connections; resolves when no handle is left. */
  close(): Promise<void>;
  /** Returns all pods of the node, which may be views of one buffer. */
  list(options: AttemptOptions): Promise<Uint8Array[]>;
  /** Returns the pod with this UID. */
  get(uid: string, options: AttemptOptions): Promise<Uint8Array>;
}

/** The part of a source that watches use. */
export interface WatchSource {
  /**
   * Opens one stream: CONNECTED, every pod as ADDED, SYNCED, then changes. It never ends normally: it throws when it is lost, and when
   * `signal` aborts. Nothing is sent before it is read. `mask` as in {@link AttemptOptions}.
   *
   * Events may come one by one, or in batches of those that have arrived, which cost less.
   */
  open(signal: AbortSignal, mask?: PodMask): AsyncIterable<SourceEvent | SourceBatch>;
  /** Resolves when a server may have come or been replaced at the dialled address, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void>;
  /**
   * Returns the name of the socket or host that would be dialled now, as in CONNECTED; undefined if there is none. If it changes, the watch
   * dials again.
   */
  server(): string | undefined;
  /**
   * How complete the lists of its server are. Left out it is `contract`.
   */
  readonly lists?: ListTrust | undefined;
  /** The dialled address, for diagnostics. */
  readonly socketPath: string;
}
