import { type RetryMessage, retryChannel, type WatchMessage, watchChannel } from "../diagnostics.js";
import type { PodsError } from "../errors/pods-error.js";
import { resolveTimeoutMs } from "../option-checks.js";
import { printable } from "../printable.js";
import { Deadline } from "../timing/deadline.js";
import type { Console } from "./command.js";

/** Delay before a command explains why it shows nothing yet. */
const PATIENCE_MS = 500;

/** Returns the message of an error without its hint, which gets a line of its own. */
export function withoutHint({ message, hint }: Pick<PodsError, "message" | "hint">): string {
  return printable(hint === "" ? message : message.slice(0, -`; ${hint}`.length), 1000);
}

/**
 * Explains what a command waits for if the answer takes long, and again when the reason changes. During a watch it also reports outages of
 * the kubelet and their end.
 */
export class Notice {
  readonly #console: Console;
  readonly #timeoutMs: number | undefined;
  #cancelTimer: () => void = () => {};
  #deadline: Deadline | undefined;
  #known = false;
  #error: PodsError | undefined;
  /** The code of the last written error; empty for none. */
  #shownCode: string | undefined;

  /** @param timeoutMs how long a watch may take to begin; 0 and undefined mean no limit. */
  constructor(console: Console, timeoutMs: number | undefined) {
    this.#console = console;
    this.#timeoutMs = timeoutMs === undefined ? undefined : resolveTimeoutMs(timeoutMs);
  }

  /** Writes the notice after a delay, unless {@link stop} or {@link known} is called first. Also reports outages from now on. */
  start(): void {
    this.#cancelTimer = this.#console.environment.clock.after(PATIENCE_MS, () => this.#showWaiting());
    for (const channel of [retryChannel, watchChannel]) channel.subscribe(this.#receive);
  }

  stop(): void {
    this.#cancelTimer();
    for (const channel of [retryChannel, watchChannel]) channel.unsubscribe(this.#receive);
  }

  /**
   * Runs a watch until SIGINT or SIGTERM, which is not a failure.
   *
   * @throws PodsError, the last error or `deadline`, if {@link known} is not called in time.
   */
  async watching(watch: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const ended = this.#console.ended();
    const timeoutMs = this.#timeoutMs;
    const reason = (deadline: Deadline) => this.#error ?? deadline.exceeded({ method: "WatchPods" });
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

  /** Notes that a watch knows all pods. */
  known(): void {
    this.#cancelTimer();
    this.#deadline?.lift();
    this.#known = true;
    this.#shownCode = undefined;
  }

  readonly #receive = (message: unknown): void => {
    const event = message as RetryMessage | WatchMessage;
    if ("type" in event && event.type === "synced" && this.#known && this.#shownCode !== undefined) {
      this.#console.err("connected to the kubelet again");
      this.#shownCode = undefined;
    }
    if (!("error" in event)) return;
    this.#error = event.error;
    if (this.#known) this.#show("connection to the kubelet lost; later changes are not shown yet");
    else if (this.#shownCode !== undefined) this.#showWaiting();
  };

  #showWaiting(): void {
    this.#show("waiting for the kubelet");
  }

  #show(what: string): void {
    const code = this.#error?.code ?? "";
    if (this.#shownCode === code) return;
    this.#shownCode = code;
    this.#console.err(`${what}: ${this.#error === undefined ? "no answer yet" : withoutHint(this.#error)}`);
  }
}
