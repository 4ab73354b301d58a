import { GRPC, GrpcError } from "../errors/grpc-error.js";
import type { PodChange } from "./pod-store.js";

/** How many events may wait for distribution (`incoming` in pkg/kubelet/apis/pods/server.go). Further ones are dropped for all watchers. */
const INCOMING_EVENTS = 1000;

/** How many events a kubelet buffers for one watcher (`clientChannel` in the same file). */
const BUFFERED_EVENTS = 100;

/**
 * How many events are distributed before watchers get a turn. A kubelet's watchers send on threads of their own, so a reading watcher is
 * not dropped because many events come at once.
 */
const EVENTS_PER_TURN = 50;

/**
 * A kubelet's events on their way to its watches. They can be lost in two places. If too many wait for distribution, an event is dropped
 * for all watchers without notice. If a watcher's own buffer is full, the watcher is dropped: its stream ends with RESOURCE_EXHAUSTED after
 * the buffered events.
 */
export class Broadcaster {
  readonly #incoming: PodChange[] = [];
  readonly #watchers = new Set<Watcher>();
  #scheduled: NodeJS.Immediate | undefined;
  #paused = false;
  #dropped = 0;

  /** How many watches are open. */
  get watchers(): number {
    return this.#watchers.size;
  }

  /** How many events wait for distribution. */
  get waiting(): number {
    return this.#incoming.length;
  }

  /** How many times an event or a watcher was dropped (kubelet_pod_watch_events_dropped_total). */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes an event for all watchers. */
  offer(change: PodChange): void {
    if (this.#incoming.length < INCOMING_EVENTS) this.#incoming.push(change);
    else this.#dropped++;
    this.#schedule();
  }

  /** Registers a watcher. It gets the events from now on, and ends with `signal`. */
  register(signal: AbortSignal): AsyncIterable<PodChange> {
    const watcher = new Watcher();
    this.#watchers.add(watcher);
    signal.addEventListener(
      "abort",
      () => {
        this.#watchers.delete(watcher);
        watcher.end();
      },
      { once: true },
    );
    return watcher.changes();
  }

  /** Drops all watchers, as a 1.37 kubelet does when it shuts down. */
  expelAll(): void {
    for (const watcher of this.#watchers) watcher.expel();
    this.#watchers.clear();
  }

  /** True to stop the distribution of events, false to resume it. */
  set paused(paused: boolean) {
    this.#paused = paused;
    this.#schedule();
  }

  /** Drops the waiting events, as the end of a process does. */
  clear(): void {
    this.#incoming.length = 0;
  }

  #schedule(): void {
    if (this.#scheduled !== undefined || this.#paused || this.#incoming.length === 0) return;
    this.#scheduled = setImmediate(() => {
      this.#scheduled = undefined;
      if (!this.#paused) for (const change of this.#incoming.splice(0, EVENTS_PER_TURN)) this.#publish(change);
      this.#schedule();
    });
  }

  #publish(change: PodChange): void {
    for (const watcher of this.#watchers) {
      if (watcher.push(change)) continue;
      this.#dropped++;
      watcher.expel();
      this.#watchers.delete(watcher);
    }
  }
}

class Watcher {
  readonly #buffer: PodChange[] = [];
  #expelled = false;
  #ended = false;
  #wake: () => void = () => {};

  /** Buffers an event. Returns false if the watcher has fallen too far behind. */
  push(change: PodChange): boolean {
    if (this.#buffer.length >= BUFFERED_EVENTS) return false;
    this.#buffer.push(change);
    this.#wake();
    return true;
  }

  /** Ends the watcher's events. Buffered ones are still sent. */
  expel(): void {
    this.#expelled = true;
    this.#wake();
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
      else if (this.#expelled)
        throw new GrpcError({ status: GRPC.resourceExhausted, message: "watch client channel closed" });
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
