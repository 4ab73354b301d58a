import { amend, PodsError, type PodsErrorInit } from "../errors/pods-error.js";
import { follow } from "./abort.js";
import { afterReads, type Clock } from "./clock.js";

export interface DeadlineOptions {
  readonly clock: Clock;
  /** Aborts the deadline early, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit in milliseconds from now; undefined for no limit. */
  readonly timeoutMs: number | undefined;
  /**
   * Returns the reason of the abort when the time is up.
   *
   * @default a PodsError `deadline`
   */
  readonly reason?: (deadline: Deadline) => unknown;
}

const BUSY_HINT = "long tasks of this process delay what it reads: split them, or raise the limit";

/** Minimum time for which a process was busy that an error reports. */
const NOTABLE_MS = 100;

/**
 * Returns the error of a limit that was exceeded. If this process was busy for at least half of the limit, and for at least 0.1 s, the error
 * reports for how long, in the place of a hint about the server.
 */
export function orBusy(error: PodsError, busyMs: number, limitMs: number): PodsError {
  if (busyMs < Math.max(NOTABLE_MS, limitMs / 2)) return error;
  const message = `${error.rawMessage}; this process was busy for ${(busyMs / 1000).toFixed(1)} s`;
  return amend(error, { message, hint: BUSY_HINT });
}

/** Time limit of a task, without a timer: nothing happens when it is exceeded. */
export class Budget {
  readonly timeoutMs: number | undefined;
  readonly #clock: Clock;
  /** Start of the limit, on the monotonic clock. */
  readonly startMs: number;
  readonly #busyAtStartMs: number;

  /** @param timeoutMs the limit from now; undefined for no limit. */
  constructor(clock: Clock, timeoutMs: number | undefined) {
    this.timeoutMs = timeoutMs;
    this.#clock = clock;
    this.startMs = clock.now();
    this.#busyAtStartMs = clock.busyMs();
  }

  /** Remaining time in whole milliseconds, at least 1; undefined for no limit. */
  get leftMs(): number | undefined {
    const { timeoutMs } = this;
    return timeoutMs === undefined ? undefined : Math.max(1, Math.ceil(timeoutMs - this.elapsedMs));
  }

  get elapsedMs(): number {
    return this.#clock.now() - this.startMs;
  }

  /** Makes the error of a task that exceeded this limit, by default a `deadline`. */
  exceeded(init: Partial<PodsErrorInit> = {}): PodsError {
    return this.orBusy(new PodsError({ code: "deadline", message: `no answer within ${this.timeoutMs} ms`, ...init }));
  }

  /** Calls {@link orBusy} with the time since the start of this limit. */
  orBusy(error: PodsError): PodsError {
    return orBusy(error, this.#clock.busyMs() - this.#busyAtStartMs, this.timeoutMs ?? Number.POSITIVE_INFINITY);
  }
}

/**
 * Time limit of a task, with a signal that aborts when the time is up. Its creator must release it: until then a timer runs, and a listener
 * stays on the given signal.
 */
export class Deadline extends Budget {
  /** Aborts when the time is up, or when the given signal aborts. The owner may abort it, too. */
  readonly controller: AbortController;
  readonly #unfollow: () => void;
  #cancelTimer: () => void = () => {};
  #isUp = false;

  constructor({ clock, signal, timeoutMs, reason = () => this.exceeded() }: DeadlineOptions) {
    super(clock, timeoutMs);
    ({ controller: this.controller, release: this.#unfollow } = follow(signal));
    if (timeoutMs === undefined || this.signal.aborted) return;
    this.#cancelTimer = afterReads(clock, timeoutMs, () => {
      if (this.signal.aborted) return;
      this.#isUp = true;
      this.controller.abort(reason(this));
    });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** True if the time was up before anything else aborted the deadline. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Removes the limit: from now on only the given signal aborts it. */
  lift(): void {
    this.#cancelTimer();
  }

  /** Removes the timer and the listener. */
  release(): void {
    this.#cancelTimer();
    this.#unfollow();
  }
}
