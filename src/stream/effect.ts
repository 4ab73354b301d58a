import type { PodsError } from "../errors/pods-error.js";
import type { LogEntry } from "../known/log.js";

/** A step that the state machine of the stream asks for: control of the stream, or an entry of the log. */
export type Effect =
  /** Opens a stream. `isPlanned`: the stream before is read on until `handover`. */
  | { readonly type: "open"; readonly isPlanned: boolean }
  /** The list of a planned stream is complete. Ends the stream before. */
  | { readonly type: "handover" }
  /** Ends all streams. Their further events do not count. */
  | { readonly type: "close" }
  /** Sets the only timer in the place of the last one; undefined clears it. */
  | { readonly type: "timer"; readonly delayMs: number | undefined }
  /** A list begins. `complete`: it is complete by contract. */
  | { readonly type: "begin"; readonly connection: string | undefined; readonly complete: boolean }
  /** The stream ends with an error that no retry mends. */
  | { readonly type: "fatal"; readonly error: PodsError }
  | LogEntry;
