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

/** Why a door refuses requests now. */
export interface Refusal {
  readonly why: "closing" | "rate" | "initializing" | "stale";
  readonly message: string;
}

/** How long a new watch waits for a list, also in an outage. It is shorter than clients wait for a first message. */
const BACK_MS = 5_000;

/** How old the first list may be of a watch whose client knows doors. */
const FRESH_MS = 1_000;

/** Makes the error of a watch that ends, or cannot begin, because the kubelet is away. */
export function isAway(): GrpcError {
  return new GrpcError({ status: GRPC.unavailable, message: "the kubelet is away" });
}

/** The counts of a door, only of pods that it shows. */
export interface DoorCounts {
  requests: number;
  refused: number;
  denied: number;
  watches: number;
  /** How many requests wait for a key now. */
  waiting: number;
}

/** The informer as one door shows it, and the state of the door. */
export class DoorView {
  readonly door: CheckedDoor;
  readonly informer: PodInformer<unknown>;
  readonly pods: Served<ShownPod>;
  readonly counts: DoorCounts = { requests: 0, refused: 0, denied: 0, watches: 0, waiting: 0 };
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  /** Differs between relays. */
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

  /** Returns why a request is refused now; undefined if it is answered. */
  refusal(): Refusal | undefined {
    this.counts.requests++;
    const refusal = this.#refusal();
    if (refusal !== undefined) this.counts.refused++;
    return refusal;
  }

  /** When the kubelet went away; undefined while it is there. */
  get staleSince(): Date | undefined {
    const { phase, since } = this.informer.state;
    return phase === "stale" ? since : undefined;
  }

  /** Why the door is not ready; undefined if it is ready. */
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

  /** Returns the headers of an answer: what the door shows, and whether that is complete and current. */
  headers(): Record<string, string> {
    const { staleSince } = this;
    return {
      ...this.#shown,
      [SHOWN_HEADERS.complete]: String(this.pods.isComplete()),
      [SHOWN_HEADERS.process]: `${this.#id}.${this.pods.process()}`,
      ...(staleSince !== undefined && { [SHOWN_HEADERS.staleSince]: staleSince.toISOString() }),
    };
  }

  /**
   * Returns the UIDs of existing pods that cannot be read, and that have no known state. An empty text stands for pods without a readable
   * UID.
   */
  unreadable(): string[] {
    return this.pods.unreadable().filter((uid) => this.pods.get(uid) === undefined);
  }

  /**
   * Resolves when the pods are those of a list that is at most a second old. Our client asks for such a list. Concurrent calls share it.
   *
   * @throws GrpcError UNAVAILABLE if the kubelet is away, and does not come back soon.
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

  /** Watches the shown pods. The watch rejects with the status UNAVAILABLE when the door closes. */
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

  /** Refuses all requests from now on, and ends all watches. */
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
