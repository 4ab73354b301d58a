import type { Counters } from "../counters.js";
import { type CallMessage, callChannel, isTraced, retryChannel } from "../diagnostics.js";
import { amend, PodsError } from "../errors/pods-error.js";
import type { Environment } from "../timing/clock.js";
import type { Deadline } from "../timing/deadline.js";
import { pause } from "../timing/pause.js";
import { isUnreachable, RetryPlan } from "./retry.js";

/** Clock, randomness, counters and socket of calls. */
export interface UnaryEnvironment extends Environment {
  /** Returns the socket and the API version of calls, for errors and diagnostics. */
  describe(): { socketPath: string; apiVersion: string | undefined };
  readonly counters: Counters;
  /** Current request rate of this client, in calls per second. */
  readonly callsPerSecond: number;
  /** Resolves when the socket's directory changes, or when `signal` aborts. */
  socketChanged(signal: AbortSignal): Promise<void>;
}

/** One call with all of its attempts. */
export interface UnaryCall {
  readonly method: string;
  /** Time limit for all attempts, including the pauses between them. Only this call uses it; its creator releases it. */
  readonly deadline: Deadline;
  readonly retry: boolean;
}

/** Progress of a call. {@link Caller} and shared requests update it. */
export interface Progress {
  /** Number of requests sent. */
  sent: number;
  /** True while the call waits for its turn because of the client's own rate limit. */
  isQueued: boolean;
}

/** One attempt. `timeoutMs` is the rest of the time limit, in whole milliseconds. */
export type Attempt<T> = (options: {
  signal: AbortSignal;
  timeoutMs: number | undefined;
  progress: Progress;
}) => Promise<T>;

/**
 * Makes a call, with one time limit for all attempts and the pauses between them. Rejects with the error of the last attempt, which
 * includes the number of attempts and their duration. If no attempt has failed, rejects with `deadline`.
 */
export async function callUnary<T>(environment: UnaryEnvironment, call: UnaryCall, attempt: Attempt<T>): Promise<T> {
  const { describe } = environment;
  const message: CallMessage = {
    method: call.method,
    ...describe(),
    attempts: 0,
    timeoutMs: call.deadline.timeoutMs,
    durationMs: undefined,
  };
  const made = () => counted(environment, call, attempt, message);
  if (!isTraced()) return made();
  let result: { value: T } | undefined;
  // The channel publishes the result of the traced promise, so it must not contain the pods.
  await callChannel.tracePromise(async () => {
    try {
      result = { value: await made() };
    } finally {
      Object.assign(message, describe());
    }
  }, message);
  return (result as { value: T }).value;
}

/** Timers of an attempt and of its call may differ by this much. */
const TIMER_MS = 20;

const SHORTER_LIMIT = "timeoutMs was not over: a proxy, an interceptor or a source has a shorter limit";

/** Makes the attempts of a call, and counts the call. */
async function counted<T>(
  environment: UnaryEnvironment,
  call: UnaryCall,
  attempt: Attempt<T>,
  message: CallMessage,
): Promise<T> {
  const { deadline } = call;
  let error: PodsError | "aborted" | undefined;
  try {
    return await attempts(environment, call, attempt, message);
  } catch (caught) {
    const isReason = deadline.signal.aborted && !deadline.isUp && caught === deadline.signal.reason;
    const isFailure = PodsError.is(caught) && (!isReason || caught.code === "closed");
    error = isFailure ? caught : "aborted";
    throw caught;
  } finally {
    message.durationMs = deadline.elapsedMs;
    environment.counters.ended(call.method, message.durationMs, error);
  }
}

async function attempts<T>(
  environment: UnaryEnvironment,
  { method, deadline, retry }: UnaryCall,
  attempt: Attempt<T>,
  message: CallMessage,
): Promise<T> {
  const { clock, random, counters, describe, socketChanged } = environment;
  const { signal } = deadline;
  const progress: Progress = { sent: 0, isQueued: false };
  const plan = new RetryPlan(random);
  let last: PodsError | undefined;

  const final = (error: PodsError): PodsError =>
    amend(error, { method, attempts: message.attempts, elapsedMs: deadline.elapsedMs });
  /** Returns the text for a call whose time was up while it waited for its turn, with the number of requests sent; otherwise an empty string. */
  const queuedText = () => {
    if (!progress.isQueued) return "";
    const pace = Math.round(environment.callsPerSecond);
    return `: the call was queued, because this client sends ${pace} calls per second (sent so far: ${progress.sent})`;
  };
  /** Returns the error of the last attempt, or `deadline` if no attempt has failed. */
  const tooLate = () =>
    final(
      last ??
        deadline.exceeded({
          message: `no answer within ${deadline.timeoutMs} ms${queuedText()}`,
          hint: progress.sent === 0 && progress.isQueued ? "make fewer calls, or raise timeoutMs" : undefined,
          socketPath: describe().socketPath,
          grpcCode: 4,
        }),
    );

  for (;;) {
    message.attempts++;
    try {
      return await attempt({ signal, timeoutMs: deadline.leftMs, progress });
    } catch (raw) {
      if (signal.aborted) throw deadline.isUp ? tooLate() : signal.reason;
      const error = PodsError.from(raw, { method, socketPath: describe().socketPath });
      if (error.code === "deadline") {
        // Something between this call and the kubelet has a shorter limit of its own. Then its error says more.
        const isEarly = (deadline.leftMs ?? Number.POSITIVE_INFINITY) > TIMER_MS;
        throw isEarly ? final(amend(error, { hint: SHORTER_LIMIT })) : tooLate();
      }
      const delayMs = retry ? plan.delayMs(error, clock.now()) : undefined;
      // While nothing listens, the call waits until its time limit, because a kubelet may start at any moment.
      if (
        delayMs === undefined ||
        (delayMs >= (deadline.leftMs ?? Number.POSITIVE_INFINITY) && !isUnreachable(error))
      ) {
        throw final(error);
      }
      last = error;
      const { socketPath } = describe();
      counters.retried(error);
      retryChannel.publish({ method, socketPath, attempt: message.attempts, error, delayMs });
      await pause(clock, delayMs, signal, isUnreachable(error) ? socketChanged : undefined);
      if (signal.aborted) throw deadline.isUp ? tooLate() : signal.reason;
    }
  }
}
