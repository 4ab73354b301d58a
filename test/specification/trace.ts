// What a client received and did, in order: the input of the specification, and what it has to equal.

/** The paths of the fields of a mask; undefined means all fields. */
export type Fields = readonly string[] | undefined;

/** What a reader wants. */
export interface Want {
  readonly name: string;
  readonly fields: Fields;
  readonly includeFinished: boolean;
  /** Selects pods whose label `band` is none of these. Undefined selects all. */
  readonly withoutBands: readonly string[] | undefined;
  /** A slow reader takes its events late. */
  readonly isSlow: boolean;
  readonly resyncIntervalMs: number;
}

export type Received =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly pod: Uint8Array }
  | { readonly type: "SYNCED" }
  | { readonly type: "UNKNOWN"; readonly code?: number }
  | {
      readonly type: "CONNECTED";
      readonly server: string;
      readonly connection?: string | undefined;
      readonly lists?: "contract" | "complete" | "partial" | "static" | undefined;
      readonly reportsDeletions?: boolean;
      readonly resyncIntervalMs?: number;
      readonly ageMs?: number;
      /** True if the source lists beside its stream (B1). */
      readonly canList?: boolean;
    };

/** A message, a failure, a call of a reader, or the client's timer. */
export type Input =
  | { readonly do: "receive"; readonly message: Received }
  /** The list beside the stream is sent, a part of its answer has come, or all of it. */
  | { readonly do: "sent" | "bytes" }
  | { readonly do: "listed"; readonly pods: readonly Uint8Array[] }
  /** It is not answered with pods. Without a code, the connection takes no further requests. */
  | { readonly do: "unlisted"; readonly code?: string | undefined; readonly retryable: boolean }
  | { readonly do: "failed"; readonly code: string; readonly retryable: boolean }
  | { readonly do: "join" | "leave"; readonly want: Want }
  | { readonly do: "take"; readonly name: string; readonly most: number }
  | { readonly do: "relist"; readonly inMs: number }
  | { readonly do: "socket"; readonly replaced: boolean }
  | { readonly do: "start" | "stop" | "timer" };

/** What the client did about its streams. */
export interface Requests {
  /** A stream was opened, with these fields. */
  readonly opened?: { readonly fields: Fields };
  /** A list beside the stream was requested. */
  readonly listed?: true;
  /** The stream was closed. */
  readonly closed?: true;
  /** The delay after a failure. */
  readonly retryMs?: number;
  /** When the client's timer is due now. */
  readonly timerMs: number;
}

export interface Row {
  readonly ms: number;
  readonly wallMs: number;
  readonly input: Input;
  readonly requests: Requests;
  /** What each reader was given by this input, as text. */
  readonly events: ReadonlyMap<string, readonly string[]>;
}
