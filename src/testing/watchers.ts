import { Code, ConnectError } from "@connectrpc/connect";
import type { PodChange } from "./pod-store.js";

/** How many events a kubelet keeps for one watcher (`clientChannel` in pkg/kubelet/apis/pods/server.go). */
const BUFFERED_EVENTS = 100;

/**
 * The open watches of a kubelet. Each has a buffer of its own; one that is full is closed, and its stream ends with
 * RESOURCE_EXHAUSTED after what was buffered.
 */
export class Watchers {
  readonly #open = new Set<Watcher>();

  get size(): number {
    return this.#open.size;
  }

  /** Hands a change to every watcher. */
  tell(change: PodChange): void {
    for (const watcher of this.#open) {
      if (!watcher.push(change)) this.#open.delete(watcher);
    }
  }

  /** Registers a watcher from now on; its changes are read later. Ends with `signal`. */
  register(signal: AbortSignal): AsyncIterable<PodChange> {
    const watcher = new Watcher();
    this.#open.add(watcher);
    signal.addEventListener(
      "abort",
      () => {
        this.#open.delete(watcher);
        watcher.end();
      },
      { once: true },
    );
    return watcher.changes();
  }
}

class Watcher {
  readonly #buffer: PodChange[] = [];
  #dropped = false;
  #ended = false;
  #wake: () => void = () => {};

  push(change: PodChange): boolean {
    if (this.#buffer.length < BUFFERED_EVENTS) this.#buffer.push(change);
    else this.#dropped = true;
    this.#wake();
    return !this.#dropped;
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *changes(): AsyncGenerator<PodChange, void, undefined> {
    for (;;) {
      const change = this.#buffer.shift();
      if (this.#ended) return;
      if (change !== undefined) yield change;
      else if (this.#dropped) throw new ConnectError("watch client channel closed", Code.ResourceExhausted);
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
