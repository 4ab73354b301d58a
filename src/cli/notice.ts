import { type RetryMessage, retryChannel, type WatchMessage, watchChannel } from "../diagnostics.js";
import { PodsError } from "../errors/pods-error.js";
import { resolveTimeoutMs } from "../option-checks.js";
import { printable } from "../printable.js";
import { Deadline } from "../timing/deadline.js";
import type { Console } from "./command.js";

/** How long a person looks at an empty screen before wondering why. */
const PATIENCE_MS = 500;

/** Writes an error in one line, and leaves its hint to a line of its own. */
export function withoutHint({ message, hint }: Pick<PodsError, "message" | "hint">): string {
  return printable(hint === "" ? message : message.slice(0, -`; ${hint}`.length), 1000);
}

/**
 * Says what is waited for where an answer takes its time, and again when the reason changes; of a watch, when the kubelet
 * goes away and when it is back.
 */
export class Notice {
  readonly #console: Console;
  readonly #timeoutMs: number | undefined;
  #cancelTimer: () => void = () => {};
  #deadline: Deadline | undefined;
  #known = false;
  #error: PodsError | undefined;
  /** The code of the error that was said last; empty for none. */
  #said: string | undefined;

  /** @param timeoutMs how long a watch may take to begin; without end where it is 0 or undefined. */
  constructor(console: Console, timeoutMs: number | undefined) {
    this.#console = console;
    this.#timeoutMs = timeoutMs === undefined ? undefined : resolveTimeoutMs(timeoutMs);
  }

  /** Says it once the patience is over, until {@link stop}. */
  start(): void {
    this.#cancelTimer = this.#console.environment.clock.after(PATIENCE_MS, () => this.#sayWaiting());
    for (const channel of [retryChannel, watchChannel]) channel.subscribe(this.#heard);
  }

  /** Says nothing more: the answer is there, or will not come. */
  stop(): void {
    this.#cancelTimer();
    for (const channel of [retryChannel, watchChannel]) channel.unsubscribe(this.#heard);
  }

  /**
   * Runs a watch until the process is asked to end, which is no failure.
   *
   * @throws PodsError, the last or `deadline`, where nothing is {@link known} in time.
   */
  async watching(watch: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const ended = this.#console.ended();
    const timeoutMs = this.#timeoutMs;
    const message = `no answer within ${timeoutMs} ms`;
    const reason = () => this.#error ?? new PodsError({ code: "deadline", message, method: "WatchPods" });
    const deadline = new Deadline({ clock: this.#console.environment.clock, signal: ended, timeoutMs, reason });
    this.#deadline = deadline;
    try {
      await watch(deadline.signal);
    } catch (error) {
      if (!ended.aborted) throw error;
    } finally {
      deadline.release();
    }
  }

  /** Notes that a watch knows everything there is. */
  known(): void {
    this.#cancelTimer();
    this.#deadline?.lift();
    this.#known = true;
    this.#said = undefined;
  }

  readonly #heard = (message: unknown): void => {
    const heard = message as RetryMessage | WatchMessage;
    if ("type" in heard && heard.type === "synced" && this.#known && this.#said !== undefined) {
      this.#console.err("the kubelet is back");
      this.#said = undefined;
    }
    if (!("error" in heard)) return;
    this.#error = heard.error;
    if (this.#known) this.#say("the kubelet is away, and what is shown may be stale");
    else if (this.#said !== undefined) this.#sayWaiting();
  };

  #sayWaiting(): void {
    this.#say("waiting for the kubelet");
  }

  #say(what: string): void {
    const code = this.#error?.code ?? "";
    if (this.#said === code) return;
    this.#said = code;
    this.#console.err(`${what}: ${this.#error === undefined ? "it has not answered yet" : withoutHint(this.#error)}`);
  }
}
