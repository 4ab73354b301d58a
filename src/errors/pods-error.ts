import { classify, type ErrorContext } from "./classify.js";
import { factsOf, type PodsErrorCode } from "./error-code.js";

export interface PodsErrorInit extends ErrorContext {
  code: PodsErrorCode;
  /** The failure in a few words, without the code and without the hint. */
  message: string;
  /**
   * Hint for the operator or the author of the agent.
   *
   * @default the hint of the code
   */
  hint?: string | undefined;
  /** gRPC status code, received from the server or set by the gRPC library. */
  grpcCode?: number | undefined;
  /**
   * Number of attempts.
   *
   * @default 1
   */
  attempts?: number | undefined;
  /**
   * Time of all attempts in milliseconds.
   *
   * @default undefined: the call was not timed
   */
  elapsedMs?: number | undefined;
  cause?: unknown;
}

/** Statuses of an invalid request: INVALID_ARGUMENT, OUT_OF_RANGE. */
const REQUEST_IS_WRONG: ReadonlySet<number> = new Set([3, 11]);

const brand = Symbol.for("kubelet-pods.PodsError");

/**
 * Every failure that this package reports. `message` starts with the code and ends with the hint, so that a bare log line is useful. It
 * never contains pod content.
 */
export class PodsError extends Error {
  /** Name for logs. Use {@link PodsError.is} to recognise a PodsError. */
  override readonly name = "PodsError";
  /** Kind of the failure. Codes are stable between versions. */
  readonly code: PodsErrorCode;
  /** Message without code, attempts and hint. */
  readonly rawMessage: string;
  /** True if the same call can succeed later. */
  readonly retryable: boolean;
  /** Advice for the operator or the author of the agent. Empty if there is none. */
  readonly hint: string;
  /** Called method: `ListPods`, `GetPod` or `WatchPods`. Undefined if there was no call. */
  readonly method: string | undefined;
  /** gRPC status code. Undefined if there was no gRPC answer. */
  readonly grpcCode: number | undefined;
  /** Path of the socket, or the name of another source, such as `connect transport 1`. Undefined if no source is involved. */
  readonly socketPath: string | undefined;
  /** Number of attempts. */
  readonly attempts: number;
  /** Milliseconds from the start of the call to the error, with the delays between attempts. Undefined outside of unary calls. */
  readonly elapsedMs: number | undefined;

  constructor(init: PodsErrorInit) {
    const { retryable, hint } = factsOf(init.code);
    const shown = init.hint ?? hint;
    const { attempts = 1, elapsedMs } = init;
    const tried = attempts > 1 ? ` (${attempts} attempts in ${((elapsedMs ?? 0) / 1000).toFixed(1)} s)` : "";
    super(`${init.code}: ${init.message}${tried}${shown === "" ? "" : `; ${shown}`}`, { cause: init.cause });
    this.code = init.code;
    this.rawMessage = init.message;
    this.retryable = retryable && !(init.code === "server-error" && REQUEST_IS_WRONG.has(init.grpcCode ?? 0));
    this.hint = shown;
    this.method = init.method;
    this.grpcCode = init.grpcCode;
    this.socketPath = init.socketPath;
    this.attempts = attempts;
    this.elapsedMs = elapsedMs;
    Object.defineProperty(this, brand, { value: true });
    // The message contains both, so printing the error with its properties would show them twice.
    for (const key of ["rawMessage", "hint"]) Object.defineProperty(this, key, { enumerable: false });
  }

  /** Returns true if `value` is a PodsError, including one of another copy of this package. */
  static is(value: unknown): value is PodsError {
    return value instanceof Error && brand in value;
  }

  /**
   * Returns a PodsError for any thrown value. If `value` or one of its causes is a PodsError, returns that error unchanged. Any other value
   * becomes the `cause` of a new PodsError, whose code is derived from errors of Connect and of the operating system and is otherwise
   * `unknown`.
   */
  static from(value: unknown, context: ErrorContext = {}): PodsError {
    for (let error = value, depth = 0; error instanceof Error && depth < 10; error = error.cause, depth++) {
      if (PodsError.is(error)) return error;
    }
    return new PodsError({ ...context, ...classify(value, context), cause: value });
  }
}

/** Returns a copy of an error, with some of its properties replaced. */
export function amend(error: PodsError, change: Partial<Omit<PodsErrorInit, "cause">>): PodsError {
  const { code, rawMessage: message, hint, method, grpcCode, socketPath, attempts, elapsedMs, cause } = error;
  return new PodsError({ code, message, hint, method, grpcCode, socketPath, attempts, elapsedMs, cause, ...change });
}

/** Makes the error for calls to a closed object, and for calls that its `close` ended. */
export function closedError(what: "client" | "informer" | "transport" | "reference kubelet"): PodsError {
  return new PodsError({ code: "closed", message: `the ${what} was closed` });
}

/** Makes an `invalid-argument` error. Nothing was sent. */
export function invalidArgument(message: string, hint?: string): PodsError {
  return new PodsError({ code: "invalid-argument", message, hint });
}
