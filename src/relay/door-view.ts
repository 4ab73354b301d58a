import { randomBytes } from "node:crypto";
import { GRPC, GrpcError } from "../errors/grpc-error.js";
import type { Stream } from "../readers/event-stream.js";
import type { PodEvent } from "../readers/events.js";
import type { PodInformer, Served } from "../readers/informer.js";
import { RateLimiter } from "../serving/rate-limiter.js";
import { SHOWN_HEADERS, shownHeaders } from "../sources/shown.js";
import type { Clock } from "../timing/clock.js";
import type { CheckedDoor } from "./door.js";
import { type ShownPod, ShownPods } from "./shown-pods.js";

/** Why a door answers nothing now. */
export interface Refusal {
  readonly why: "closing" | "rate" | "initializing" | "stale";
  readonly message: string;
}

/** How long a watch that begins waits for a list, also in an outage: shorter than a client waits for its first message. */
const BACK_MS = 5_000;

/** How old the list may be with which the watch of a client begins that knows doors. */
const FRESH_MS = 1_000;

/** Makes the error of a watch that ends, or cannot begin, since the kubelet is away. */
export function isAway(): GrpcError {
  return new GrpcError({ status: GRPC.unavailable, message: "the kubelet is away" });
}

/** Counts of a door, of what it shows alone. */
export interface DoorCounts {
  requests: number;
  refused: number;
  denied: number;
  watches: number;
  /** How many wait for a key now. */
  waiting: number;
}

/** The informer as one door shows it, and what the door answers now. */
export class DoorView {
  readonly door: CheckedDoor;
  readonly informer: PodInformer<unknown>;
  readonly pods: Served<ShownPod>;
  readonly counts: DoorCounts = { requests: 0, refused: 0, denied: 0, watches: 0, waiting: 0 };
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  /** No other relay has it. */
  readonly #id = randomBytes(6).toString("hex");
  readonly #shown: Record<string, string>;
  readonly #watches = new Set<AbortController>();
  #isClosing = false;
  #fresh: Promise<void> | undefined;
  #freshMs = 0;

  constructor(door: CheckedDoor, informer: PodInformer<unknown>, clock: Clock) {
    this.door = door;
    this.informer = informer;
    this.#clock = clock;
    const { maxRequestsPerSecond: perSecond, shown } = door;
    this.#limiter = new RateLimiter(clock, { perSecond, burst: Math.max(10, perSecond / 5) });
    this.#shown = shownHeaders(shown);
    const pods = new ShownPods(shown.mask);
    const namespaces = shown.namespaces && new Set(shown.namespaces);
    this.pods = informer.served({ mask: pods.mask, namespaces }, pods);
  }

  /** Returns why a request that has come is not answered; undefined where it is. */
  refusal(): Refusal | undefined {
    this.counts.requests++;
    const refusal = this.#refusal();
    if (refusal !== undefined) this.counts.refused++;
    return refusal;
  }

  /** Since when the kubelet is away; undefined where it is there. */
  get staleSince(): Date | undefined {
    const { phase, since } = this.informer.state;
    return phase === "stale" ? since : undefined;
  }

  /** Why the door is not ready; undefined where it is. */
  get unready(): Refusal | undefined {
    if (this.#isClosing) return { why: "closing", message: "the relay ends" };
    const { phase, since } = this.informer.state;
    if (phase === "closed") return { why: "closing", message: "the relay ends" };
    if (phase === "connecting" || !this.pods.isKnown())
      return { why: "initializing", message: "the relay has not read everything yet" };
    if (phase === "stale" && this.#clock.wallMs() - since.getTime() > this.door.maxStaleMs)
      return { why: "stale", message: `the kubelet is away since ${since.toISOString()}` };
    return undefined;
  }

  /** Returns the headers of an answer: what the door shows, and how that stands. */
  headers(): Record<string, string> {
    const { staleSince } = this;
    return {
      ...this.#shown,
      [SHOWN_HEADERS.complete]: String(this.pods.isComplete()),
      [SHOWN_HEADERS.process]: `${this.#id}.${this.pods.process()}`,
      ...(staleSince !== undefined && { [SHOWN_HEADERS.staleSince]: staleSince.toISOString() }),
    };
  }

  /** Returns UIDs of pods that are there, that cannot be read, and of which nothing is known; an empty text stands for those without. */
  unreadable(): string[] {
    return this.pods.unreadable().filter((uid) => this.pods.get(uid) === undefined);
  }

  /**
   * Resolves when the pods are as a list has them that is no older than a second: a client that asks for one has its reasons. All that ask
   * share it.
   *
   * @throws GrpcError UNAVAILABLE where the kubelet is away, and not there again soon.
   */
  async fresh(): Promise<void> {
    const nowMs = this.#clock.now();
    if (this.#fresh === undefined || nowMs - this.#freshMs > FRESH_MS) {
      this.#freshMs = nowMs;
      this.#fresh = this.pods.relisted(BACK_MS);
      this.#fresh.catch(() => {
        this.#fresh = undefined;
      });
    }
    await this.#fresh.catch(() => {
      throw isAway();
    });
  }

  /** Watches what the door shows. It rejects with the status UNAVAILABLE when the door closes. */
  watch(signal: AbortSignal): Stream<PodEvent<ShownPod>> {
    const controller = new AbortController();
    const leave = () => controller.abort(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    this.#watches.add(controller);
    this.counts.watches++;
    controller.signal.addEventListener("abort", () => this.#watches.delete(controller), { once: true });
    return this.pods.watch(controller.signal);
  }

  /** How many watches are open. */
  get watchers(): number {
    return this.#watches.size;
  }

  /** Answers nothing any more, and ends all watches. */
  close(): void {
    this.#isClosing = true;
    const reason = new GrpcError({ status: GRPC.unavailable, message: "the relay ends" });
    for (const watch of [...this.#watches]) watch.abort(reason);
    this.pods.leave();
  }

  #refusal(): Refusal | undefined {
    if (!this.#limiter.allow()) return { why: "rate", message: "rejected by rate limit" };
    return this.unready;
  }
}
