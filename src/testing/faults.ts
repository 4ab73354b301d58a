import http2 from "node:http2";
import type net from "node:net";
import { GRPC, GrpcError } from "../errors/grpc-error.js";
import { invalidArgument } from "../errors/pods-error.js";
import { checkOptions } from "../option-checks.js";
import type { Pod } from "../pod/pod.js";
import type { Call } from "../serving/grpc-router.js";
import type { Clock } from "../timing/clock.js";
import { pause } from "../timing/pause.js";
import { Barrier } from "./barrier.js";
import { cutShort, garbage, MARSHALLING, padded, writeHalf } from "./corruption.js";
import { EventFaults, type FaultRates } from "./event-faults.js";
import type { Corruption, PodChange } from "./pod-store.js";
import { encodePod } from "./wire-pod.js";

const { NGHTTP2_NO_ERROR, NGHTTP2_CANCEL } = http2.constants;

/** The methods of the server that faults call. */
interface FaultedServer {
  stopListening(): void;
  destroyConnections(): void;
  goAway(code: number): void;
  serve(socket: net.Socket): void;
  dropConnection(stream: http2.ServerHttp2Stream): Promise<void>;
}

/** The kubelet that faults apply to. */
export interface FaultTarget {
  readonly server: FaultedServer;
  readonly clock: Clock;
  publish(change: PodChange): void;
  expelWatchers(): void;
  /** Starts or stops listening, as the state requires. */
  settle(): Promise<void>;
}

/** A fault of a connection on which the kubelet sends no HTTP/2. */
type Fate = "close" | "garbage" | "hang";

/**
 * Injects faults into a reference kubelet. A count applies to the next events, pods, requests or connections, and is 1 by default.
 * {@link Faults.clear} ends all faults. Only {@link Faults.randomEvents} is random, and its seed makes it repeatable.
 */
export class Faults {
  readonly #target: FaultTarget;
  readonly #events = new EventFaults();
  readonly #fates: { fate: Fate; left: number }[] = [];
  readonly #stalled = new Map<net.Socket, "hang" | "pause">();
  readonly #streams = new Set<http2.ServerHttp2Stream>();
  readonly #broken = new Map<string, Corruption | "unmarshallable">();
  readonly #delayed: { change: PodChange; dueMs: number }[] = [];
  #cancelTimer: () => void = () => {};
  readonly #hung = new Barrier();
  readonly #paused = new Barrier();
  #requestsToHang = 0;
  #hanging = 0;
  #oversize = { bytes: 0, left: 0 };
  #cut: { left: number; midMessage: boolean } | undefined;
  #delayMs = 0;
  #refusing = false;

  /** @internal */
  constructor(target: FaultTarget) {
    this.#target = target;
  }

  /** Drops the next events, as a kubelet's broadcaster does when it overflows. No stream is closed. */
  dropEvents(count = 1): void {
    this.#events.order("drop", count);
  }

  /** Sends the next events twice. */
  duplicateEvents(count = 1): void {
    this.#events.order("duplicate", count);
  }

  /** Swaps the next event with the one after it, `count` times. Kubelets can send concurrent updates in the wrong order. */
  swapEvents(count = 1): void {
    this.#events.order("swap", count);
  }

  /**
   * Truncates the pods of the next events: after the identity by default, so that a client can identify the pod, or within the identity.
   */
  corruptEvents(count = 1, where: Corruption = "after-identity"): void {
    this.#events.corruption = checkedCorruption(where);
    this.#events.order("corrupt", count);
  }

  /** Injects faults of events at random, with these rates, until {@link clear}. The same seed gives the same faults. */
  randomEvents(rates: FaultRates, seed: number): void {
    this.#events.byChance(rates, seed);
  }

  /** Truncates this pod in every response and event, until {@link clear}. */
  corruptPod(uid: string, where: Corruption = "after-identity"): void {
    this.#broken.set(uid, checkedCorruption(where));
  }

  /**
   * Fails each call and watch that would send this pod, with INTERNAL, as if the kubelet could not marshal it. Lasts until {@link clear}.
   */
  failMarshal(uid: string): void {
    this.#broken.set(uid, "unmarshallable");
  }

  /** Pads the next pods in responses and events to this many bytes. Larger pods are sent unchanged. */
  oversizePods(bytes: number, count = 1): void {
    this.#oversize = { bytes: checkedCount(bytes, "bytes"), left: checkedCount(count, "count") };
  }

  /** Delays responses and events by this time, in milliseconds. 0 ends the delay. */
  delay(delayMs: number): void {
    if (!(delayMs >= 0 && delayMs <= 2 ** 30)) throw invalidArgument("delayMs must be a number of milliseconds");
    this.#delayMs = delayMs;
  }

  /** Refuses new connections, until {@link clear}. Open ones stay. */
  refuse(): void {
    this.#refusing = true;
    this.#target.server.stopListening();
    void this.#target.settle(); // also stops a start that is in progress
  }

  /** @internal */
  get isRefusing(): boolean {
    return this.#refusing;
  }

  /** Accepts the next connections and closes them at once. */
  closeConnections(count = 1): void {
    this.#order("close", count);
  }

  /** Answers the next connections with bytes that are not HTTP/2. */
  garbage(count = 1): void {
    this.#order("garbage", count);
  }

  /** Accepts the next connections but sends nothing on them, or leaves the next requests unanswered, until {@link clear}. */
  hang(at: "handshake" | "request" = "handshake", count = 1): void {
    if (at === "handshake") this.#order("hang", count);
    else if (at === "request") this.#requestsToHang += checkedCount(count, "count");
    else throw invalidArgument('at must be "handshake" or "request"');
  }

  /** The number of requests that are hanging. */
  get hanging(): number {
    return this.#hanging;
  }

  /**
   * Closes the connection of a watch after the n-th event from now, counting the sync marker. With 0, the default, closes all connections
   * now.
   */
  dropConnection(options: { afterEvents?: number } = {}): void {
    checkOptions(options, { afterEvents: "number" }, "dropConnection");
    const { afterEvents = 0 } = options;
    if (checkedCount(afterEvents, "afterEvents") === 0) this.#target.server.destroyConnections();
    else this.#cut = { left: afterEvents, midMessage: false };
  }

  /** Sends only half of the n-th event from now, counting the sync marker, and closes its connection. The default is the next event. */
  truncate(options: { atEvent?: number } = {}): void {
    checkOptions(options, { atEvent: "number" }, "truncate");
    const { atEvent = 1 } = options;
    if (checkedCount(atEvent, "atEvent") === 0) throw invalidArgument("atEvent must be at least 1");
    this.#cut = { left: atEvent, midMessage: true };
  }

  /** Sends GOAWAY with this HTTP/2 error code on all connections. The default, NO_ERROR (0), lets open streams continue. */
  goAway(code: number = NGHTTP2_NO_ERROR): void {
    this.#target.server.goAway(code);
  }

  /** Sends RST_STREAM with this HTTP/2 error code on all open streams. The default is CANCEL (8). */
  resetStreams(code: number = NGHTTP2_CANCEL): void {
    const streams = [...this.#streams];
    // Deferred: if the caller runs within a read of the connection, that read would use freed memory.
    setImmediate(() => {
      for (const stream of streams) stream.close(code);
    });
  }

  /** Drops all watchers as if they were too slow: their streams end with RESOURCE_EXHAUSTED after the buffered events. */
  expelWatchers(): void {
    this.#target.expelWatchers();
  }

  /** Ends all faults. Sends delayed events and answers hanging requests. Resolves when the kubelet listens again. */
  async clear(): Promise<void> {
    for (const { change } of this.#delayed.splice(0)) this.#target.publish(change);
    this.#cancelTimer();
    for (const change of this.#events.clear()) this.#target.publish(change);
    this.#broken.clear();
    this.#fates.length = 0;
    this.#requestsToHang = 0;
    this.#oversize.left = 0;
    this.#cut = undefined;
    this.#delayMs = 0;
    this.#hung.open();
    this.#serveStalled("hang");
    this.#refusing = false;
    await this.#target.settle();
  }

  /** @internal Sends an event with the current faults and delay. */
  publish(change: PodChange): void {
    for (const event of this.#events.apply(change)) {
      if (this.#delayMs === 0 && this.#delayed.length === 0) this.#target.publish(event);
      else this.#later(event);
    }
  }

  /** @internal Drops delayed and swapped events, because the process ends. */
  forgetEvents(): void {
    this.#events.release();
    this.#delayed.length = 0;
    this.#cancelTimer();
  }

  /** @internal Applies a fault to a new connection. Returns true if a fault or a pause applies to it. */
  dealWith(socket: net.Socket): boolean {
    const fate = this.#paused.isShut ? "pause" : this.#nextFate();
    if (fate === "hang" || fate === "pause") {
      this.#stalled.set(socket, fate);
      socket.once("close", () => this.#stalled.delete(socket));
    } else if (fate === "garbage") {
      socket.end(garbage());
    } else if (fate === "close") socket.destroy();
    return fate !== undefined;
  }

  /** @internal Stops answering until {@link resume}. */
  pause(): void {
    this.#paused.shut();
  }

  /** @internal */
  resume(): void {
    this.#paused.open();
    this.#serveStalled("pause");
  }

  /** @internal Resolves when a request may be answered. */
  async request({ stream, signal }: Call): Promise<void> {
    this.#streams.add(stream);
    stream.once("close", () => this.#streams.delete(stream));
    if (this.#requestsToHang > 0) {
      this.#requestsToHang--;
      this.#hung.shut();
      this.#hanging++;
      await this.#hung.pass(signal).finally(() => this.#hanging--);
    }
    await this.#paused.pass(signal);
    if (this.#delayMs > 0) await pause(this.#target.clock, this.#delayMs, signal);
    signal.throwIfAborted();
  }

  /** @internal Yields the events of a watch until a fault ends its connection. */
  async *watch<T>(
    { stream, signal }: Call,
    messages: AsyncIterable<T>,
    encode: (message: T) => Uint8Array,
  ): AsyncGenerator<T, void, undefined> {
    for await (const message of messages) {
      await this.#paused.pass(signal);
      const ends = this.#cut !== undefined && --this.#cut.left === 0 ? this.#cut : undefined;
      if (ends !== undefined) this.#cut = undefined;
      if (ends?.midMessage === true) await writeHalf(stream, encode(message));
      else yield message;
      if (ends !== undefined) await this.#target.server.dropConnection(stream);
    }
  }

  /** @internal Encodes a pod with its current faults. @throws GrpcError INTERNAL if the pod cannot be marshalled. */
  encode(pod: Pod, what: "answer" | "initial" | "event", corrupt?: Corruption): Uint8Array<ArrayBuffer> {
    const broken = this.#broken.get(pod.metadata?.uid ?? "") ?? corrupt;
    if (broken === "unmarshallable")
      throw new GrpcError({ status: GRPC.internal, message: `${MARSHALLING[what]}: reference kubelet` });
    const bytes = encodePod(pod);
    if (broken !== undefined) return cutShort(bytes, broken);
    if (this.#oversize.left === 0) return bytes;
    this.#oversize.left--;
    return padded(bytes, this.#oversize.bytes);
  }

  /** Serves the connections that were stalled for one of these reasons. */
  #serveStalled(...why: ("hang" | "pause")[]): void {
    for (const [socket, fate] of this.#stalled) {
      if (!why.includes(fate)) continue;
      if (this.#paused.isShut) this.#stalled.set(socket, "pause");
      else {
        this.#stalled.delete(socket);
        this.#target.server.serve(socket);
      }
    }
  }

  /** Delays an event. Events keep their order even if the delay changes. */
  #later(change: PodChange): void {
    const dueMs = Math.max(this.#target.clock.now() + this.#delayMs, this.#delayed.at(-1)?.dueMs ?? 0);
    this.#delayed.push({ change, dueMs });
    if (this.#delayed.length === 1) this.#publishDue();
  }

  #publishDue(): void {
    this.#cancelTimer();
    const { clock } = this.#target;
    const nowMs = clock.now();
    while ((this.#delayed[0]?.dueMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      const [first] = this.#delayed.splice(0, 1);
      if (first !== undefined) this.#target.publish(first.change);
    }
    const [next] = this.#delayed;
    if (next !== undefined) this.#cancelTimer = clock.after(next.dueMs - nowMs, () => this.#publishDue());
  }

  #nextFate(): Fate | undefined {
    const [next] = this.#fates;
    if (next !== undefined && --next.left === 0) this.#fates.shift();
    return next?.fate;
  }

  #order(fate: Fate, count: number): void {
    if (checkedCount(count, "count") > 0) this.#fates.push({ fate, left: count });
  }
}

function checkedCorruption(where: Corruption): Corruption {
  if (where !== "after-identity" && where !== "before-identity") {
    throw invalidArgument('where must be "after-identity" or "before-identity"');
  }
  return where;
}

function checkedCount(count: number, name: string): number {
  if (!Number.isInteger(count) || count < 0) throw invalidArgument(`${name} must be a whole number`);
  return count;
}
