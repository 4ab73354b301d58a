import type { PodMask } from "../pod/mask.js";

/**
 * Completeness of the lists of a server.
 *
 * - `complete`: the kubelet refuses calls while it is initializing, like 1.37 kubelets. A pod that a list lacks does not exist.
 * - `contract`: the client relies on complete lists, as the API specifies. But right after its start a 1.36 kubelet lists only the pods
 *   that it has read so far, so two lists must agree before a pod counts as absent.
 * - `partial`: a list may lack pods. The client waits until two lists with API pods, two seconds apart, agree.
 * - `static`: like `partial`, on a node that has only static pods.
 */
export type ListTrust = "complete" | "contract" | "partial" | "static";

/** An event of a source's stream. Pods are bytes, and can be views of a buffer: copy them to keep them. */
export type SourceEvent =
  /**
   * The first event: the stream is connected.
   *
   * - `server`: the name that `PodSource.server()` returns for this server.
   * - `connection`: two streams with the same value come from the same kubelet process. Omit it if the process is unknown: the client then
   *   compares the pods' annotation `kubernetes.io/config.seen`. If the pods lack the annotation, pods that are missing from a list are
   *   unconfirmed until two lists agree.
   * - `resyncIntervalMs`: the maximum time between two lists of this source.
   * - `reportsDeletions: false`: the stream sends no DELETED. Only lists show deletions.
   * - `lists`: completeness of the lists, as in `PodSource.lists`.
   * - `ageMs`: time since the list was requested, in milliseconds; 0 if it is requested later.
   * - `list`: lists the pods beside this stream. It must ask the server of the stream, with the mask of the stream. Without it, each resync
   *   closes the stream and opens the next one, and the end of a pod in between can lose its last status.
   */
  | {
      type: "CONNECTED";
      server: string;
      connection?: string | undefined;
      resyncIntervalMs?: number;
      reportsDeletions?: boolean;
      lists?: ListTrust | undefined;
      ageMs?: number;
      list?: ListBeside | undefined;
    }
  | { type: "ADDED" | "MODIFIED" | "DELETED"; pod: Uint8Array }
  | { type: "SYNCED" }
  /** An event of an unknown type; `code` is the number of its type, if known. */
  | { type: "UNKNOWN"; code?: number };

/** Returns all pods of the node; undefined if the connection accepts no further requests, so that a new stream is needed. */
export type ListBeside = (options: ListBesideOptions) => Promise<readonly Uint8Array[] | undefined>;

export interface ListBesideOptions {
  /** Ends the request, which may then reject with any reason. The client sets the time limits. */
  signal: AbortSignal;
  /** Notes that a part of the answer has arrived. Without a call, the whole answer has to arrive within ten seconds. */
  onBytes: () => void;
}

/** First event of a stream. */
export type Connected = Extract<SourceEvent, { type: "CONNECTED" }>;

/** Events that have arrived together, in order. CONNECTED is never in a batch. */
export type SourceBatch = readonly Exclude<SourceEvent, Connected>[];

/** Options of one attempt, which is neither retried nor paced. */
export interface AttemptOptions {
  /** Ends the attempt, which may then reject with any reason. */
  signal: AbortSignal;
  /** Time limit in whole milliseconds, from 1 to 99,999,999, the maximum of gRPC. Undefined for no limit. */
  timeoutMs?: number | undefined;
  /** Requested fields. A server may return more. Undefined means all fields. */
  mask?: PodMask | undefined;
  /**
   * Called by `get` with a list that lacks the pod, if the source asks for a list instead. If lists may lack pods, the client judges that list
   * before it reports that the pod does not exist.
   */
  onList?: ((pods: Uint8Array[]) => void) | undefined;
}

/**
 * A source of pods, as bytes. `podsApi()` returns a source for the Pods API of a kubelet, `kubeletHttp()` one for its HTTP server. Your own
 * source must implement this interface. A source belongs to one client, which closes it.
 */
export interface PodSource extends WatchSource {
  /** Version of the API, for diagnostics. Undefined before the first answer. */
  readonly version?: string | undefined;
  /**
   * True if the source has all pods even while the kubelet is initializing, like the API server. Otherwise the client does not use it while
   * a preferred source reports `initializing`, because pods that are missing from it would count as deleted.
   *
   * @default false
   */
  readonly isIndependent?: boolean;
  /** Connects, so that the next request is sent at once. Rejects with a PodsError if nothing listens. */
  connect(signal: AbortSignal): Promise<unknown>;
  /** Ends all calls, streams and connections. Resolves once no handle is left. */
  close(): Promise<void>;
  /** Returns all pods of the node. They can be views of one buffer. */
  list(options: AttemptOptions): Promise<Uint8Array[]>;
  /** Returns the pod with this UID. */
  get(uid: string, options: AttemptOptions): Promise<Uint8Array>;
}

/** The part of a source that watches use. */
export interface WatchSource {
  /**
   * Opens a stream: CONNECTED, every pod as ADDED, SYNCED, then changes. It does not end: it throws when the stream is lost, and when `signal`
   * aborts. Nothing is sent before the first read. The server may apply `mask` to the pods; the client applies it in any case.
   *
   * Yields events one by one, or in batches of the events that have arrived, which is faster.
   */
  open(signal: AbortSignal, mask?: PodMask): AsyncIterable<SourceEvent | SourceBatch>;
  /** Resolves when the server at the address may have started or been replaced, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void>;
  /**
   * Returns the name of the socket or host to connect to, as in CONNECTED. Undefined if there is none. If it changes, the watch reconnects.
   */
  server(): string | undefined;
  /**
   * Completeness of the lists of the server; `contract` if undefined.
   */
  readonly lists?: ListTrust | undefined;
  /** Path of the socket, or another name of the source, for errors and diagnostics. */
  readonly socketPath: string;
}
