import { classify, type ErrorContext } from "./classify.js";
import { CODES, type PodsErrorCode } from "./error-code.js";

/** What a {@link PodsError} is made of. */
export interface PodsErrorInit extends ErrorContext {
  code: PodsErrorCode;
  /** What happened, in a few words, without the code and without the hint. */
  message: string;
  /** What the operator or the author of the agent should do. Defaults to what is known of the code. */
  hint?: string | undefined;
  /** The gRPC status number, where one was received or made by the gRPC library. */
  grpcCode?: number | undefined;
  cause?: unknown;
}

const brand = Symbol.for("kubelet-pods.PodsError");

/**
 * Every failure that this package reports. `message` starts with the code and ends with the hint, so that a bare log
 * line is useful. It never holds pod content.
 */
export class PodsError extends Error {
  override readonly name = "PodsError";
  readonly code: PodsErrorCode;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** What the operator or the author of the agent should do; empty where there is nothing to add. */
  readonly hint: string;
  /** The method that was called: `ListPods`, `GetPod` or `WatchPods`; undefined where none was. */
  readonly method: string | undefined;
  /** The gRPC status number; undefined where gRPC was not reached. */
  readonly grpcCode: number | undefined;
  /** The socket that was dialled or would have been; undefined where none is involved. */
  readonly socketPath: string | undefined;

  constructor(init: PodsErrorInit) {
    const { retryable, hint } = CODES[init.code];
    const shown = init.hint ?? hint;
    super(`${init.code}: ${init.message}${shown === "" ? "" : `; ${shown}`}`, { cause: init.cause });
    this.code = init.code;
    this.retryable = retryable;
    this.hint = shown;
    this.method = init.method;
    this.grpcCode = init.grpcCode;
    this.socketPath = init.socketPath;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Whether `value` is a PodsError, also one made by another copy of this package. */
  static is(value: unknown): value is PodsError {
    return value instanceof Error && brand in value;
  }

  /**
   * Turns anything thrown into a PodsError. A PodsError, or one among the causes, is returned as it is; an error of
   * the gRPC library or the operating system gets the code it stands for, and becomes the `cause`.
   */
  static from(value: unknown, context: ErrorContext = {}): PodsError {
    for (let error = value, depth = 0; error instanceof Error && depth < 10; error = error.cause, depth++) {
      if (PodsError.is(error)) return error;
    }
    return new PodsError({ ...context, ...classify(value, context), cause: value });
  }
}

/** An `invalid-argument` error: nothing was sent, nothing was lost. */
export function invalidArgument(message: string, hint?: string): PodsError {
  return new PodsError({ code: "invalid-argument", message, hint });
}
