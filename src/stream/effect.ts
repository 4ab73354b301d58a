import type { PodsError } from "../errors/pods-error.js";
import type { LogEntry } from "../known/log.js";

/** An effect of a step of the state machine: control of the stream, or an entry of the log. */
export type Effect =
  /** Opens a stream. */
  | { readonly type: "open" }
  /** Requests a list beside the live stream. */
  | { readonly type: "list" }
  /** Ends the stream and its list. Their further events do not count. */
  | { readonly type: "close" }
  /** Sets the only timer, which replaces the last one. Undefined clears it. */
  | { readonly type: "timer"; readonly delayMs: number | undefined }
  /** A list begins. `complete`: it is complete by contract. */
  | { readonly type: "begin"; readonly connection: string | undefined; readonly complete: boolean }
  /** The stream ends with an error that no retry can fix. */
  | { readonly type: "fatal"; readonly error: PodsError }
  | LogEntry;
