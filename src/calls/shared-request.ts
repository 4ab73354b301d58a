import { type PodMask, unionOf } from "../pod/mask.js";
import { orAborted } from "../timing/abort.js";
import type { Attempt, Progress } from "./unary.js";

interface User {
  timeoutMs: number | undefined;
  mask: PodMask | undefined;
}

/** Options of an attempt of a call. Without a mask it requests whole pods. */
export type MaskedOptions = Parameters<Attempt<unknown>>[0] & { mask: PodMask | undefined };

type MaskedAttempt<T> = (options: MaskedOptions) => Promise<T>;

interface Follower<T> {
  readonly users: Set<User>;
  readonly controller: AbortController;
  readonly progress: Progress;
  readonly answer: Promise<T>;
  settled: boolean;
}

/**
 * Lets several attempts share one request, with the union of their masks, until the request is sent. An attempt never joins a request that
 * has been sent, because its answer may be older than the call.
 */
export class SharedRequest<T> {
  readonly #turn: (signal: AbortSignal, progress: Progress) => Promise<void>;
  readonly #send: MaskedAttempt<T>;
  #waiting: Follower<T> | undefined;

  /** @param turn resolves when the request may be sent. */
  constructor(turn: (signal: AbortSignal, progress: Progress) => Promise<void>, send: MaskedAttempt<T>) {
    this.#turn = turn;
    this.#send = send;
  }

  /** Joins the waiting request, or starts one. The request is cancelled once all of its attempts have been aborted. */
  readonly attempt: MaskedAttempt<T> = async ({ signal, timeoutMs, progress, mask }) => {
    this.#waiting ??= this.#start();
    const waiting = this.#waiting;
    const user = { timeoutMs, mask };
    waiting.users.add(user);
    try {
      return await orAborted(waiting.answer, signal);
    } finally {
      progress.sent += waiting.progress.sent;
      progress.isQueued = waiting.progress.isQueued;
      waiting.users.delete(user);
      if (waiting.users.size === 0) {
        if (this.#waiting === waiting) this.#waiting = undefined;
        // An abort is expensive even if there is nothing to cancel.
        if (!waiting.settled) waiting.controller.abort();
      }
    }
  };

  #start(): Follower<T> {
    const controller = new AbortController();
    const users = new Set<User>();
    const progress: Progress = { sent: 0, isQueued: false };
    const answer = this.#turn(controller.signal, progress).then(() => {
      this.#waiting = undefined;
      const timeouts = [...users].map(({ timeoutMs }) => timeoutMs);
      const longest = timeouts.includes(undefined) ? undefined : Math.max(...(timeouts as number[]));
      const mask = unionOf([...users].map((user) => user.mask));
      return this.#send({ signal: controller.signal, timeoutMs: longest, progress, mask });
    });
    const waiting = { users, controller, progress, answer, settled: false };
    const settle = () => {
      waiting.settled = true;
    };
    answer.then(settle, settle);
    return waiting;
  }
}
