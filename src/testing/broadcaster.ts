import { GRPC, GrpcError } from "../errors/grpc-error.js";
import type { PodChange } from "./pod-store.js";

/**
 * Maximum number of events that wait for distribution (`incoming` in pkg/kubelet/apis/pods/server.go). Further events are dropped for all
 * watchers.
 */
const INCOMING_EVENTS = 1000;

/** Maximum number of events that a kubelet buffers for one watcher (`clientChannel` in the same file). */
const BUFFERED_EVENTS = 100;

/**
 * Number of events that are distributed before watchers get a turn. In a kubelet each watcher sends in a goroutine of its own, so a burst
 * of events does not drop a watcher that keeps reading.
 */
const MESSAGES_PER_TURN = 50;

/**
 * Distributes a kubelet's events to its watches. Events can be lost in two places. If too many events wait for distribution, a new event is
 * dropped for all watchers without notice. If a watcher's own buffer is full, the watcher is dropped: its stream ends with
 * RESOURCE_EXHAUSTED after the buffered events.
 */
export class Broadcaster {
  readonly #incoming: PodChange[] = [];
  readonly #watchers = new Set<Watcher>();
  #scheduled: NodeJS.Immediate | undefined;
  #paused = false;
  #dropped = 0;

  get watchers(): number {
    return this.#watchers.size;
  }

  /** The number of events that wait for distribution. */
  get waiting(): number {
    return this.#incoming.length;
  }

  /** The number of times that an event or a watcher was dropped (kubelet_pod_watch_events_dropped_total). */
  get dropped(): number {
    return this.#dropped;
  }

  /** Queues an event for all watchers. Drops it if too many events wait. */
  offer(change: PodChange): void {
    if (this.#incoming.length < INCOMING_EVENTS) this.#incoming.push(change);
    else this.#dropped++;
    this.#schedule();
  }

  /** Registers a watcher. Returns its events from now on, until `signal` aborts. */
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

  /** Drops the waiting events, as when the process ends. */
  clear(): void {
    this.#incoming.length = 0;
  }

  #schedule(): void {
    if (this.#scheduled !== undefined || this.#paused || this.#incoming.length === 0) return;
    this.#scheduled = setImmediate(() => {
      this.#scheduled = undefined;
      if (!this.#paused) for (const change of this.#incoming.splice(0, MESSAGES_PER_TURN)) this.#publish(change);
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

  /** Buffers an event. Returns false if the buffer is full. */
  push(change: PodChange): boolean {
    if (this.#buffer.length >= BUFFERED_EVENTS) return false;
    this.#buffer.push(change);
    this.#wake();
    return true;
  }

  /** Ends the stream with RESOURCE_EXHAUSTED after the buffered events. */
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
