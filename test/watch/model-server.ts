// A kubelet as a watch sees it, in memory: what it has, what it tells, what it forgets to tell.

import { PodsError } from "../../src/errors/pods-error.js";
import type { PodSource, SourceEvent, WatchSource } from "../../src/source.js";
import { encode, type ModelPod } from "./model-pod.js";

type Message =
  | { type: "ADDED" | "MODIFIED" | "DELETED"; pod: Uint8Array; uid: string; version: number }
  | { type: "SYNCED" }
  | { type: "UNKNOWN" };

/** How a message can be damaged: its end is cut off, so that the UID is legible, or nothing is. */
export type Damage = "tail" | "all";

interface Stream {
  queue: Message[];
  wake: () => void;
  error: PodsError | undefined;
  /** The connection is gone, and with it what was under way. */
  killed: boolean;
  buffered: number;
}

function newStream(): Stream {
  return { queue: [], wake: () => {}, error: undefined, killed: false, buffered: 0 };
}

/** The buffer of one watcher (server.go). */
const WATCHER_BUFFER = 100;

export class ModelServer implements WatchSource {
  readonly socketPath = "/model";
  readonly pods = new Map<string, ModelPod>();
  /** When each UID has ceased to be active, in versions: what a DELETED may be founded on. */
  readonly #ends = new Map<string, number[]>();
  readonly #streams = new Set<Stream>();
  #up = true;
  /** It serves the Pods API, and not only its HTTP server's list. */
  #gate = true;
  readonly #polls = new Set<AbortSignal>();
  #process = 1;
  #initializing = false;
  /** UIDs that a 1.36 kubelet has not read yet. */
  #unread = new Set<string>();
  #unreadForMs = 0;
  #dropNext = 0;
  #clock = 0;
  #changed: (() => void)[] = [];
  readonly #used = new Set<string>();
  opened = 0;
  /** Broadcasts nothing late. */
  orderly = false;
  /** What was sent of each pod, in order, by version. */
  readonly wire = new Map<string, number[]>();
  #damageNext: Damage | undefined;

  get streams(): number {
    return this.#streams.size + this.#polls.size;
  }

  active(): Map<string, number> {
    const result = new Map<string, number>();
    for (const pod of this.pods.values()) if (!pod.finished) result.set(pod.uid, pod.version);
    return result;
  }

  /** Whether the pod has ended since it had this version. */
  endedSince(uid: string, version: number): boolean {
    return this.#ends.get(uid)?.some((end) => end > version) ?? false;
  }

  server(): string | undefined {
    return this.#up && this.#gate ? String(this.#process) : undefined;
  }

  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#changed.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /**
   * One stream, message by message; undefined where the next one has yet to come. Pods of the list are read when their
   * turn comes. Ends by throwing, or when it is left.
   */
  *messages(stream: Stream = newStream()): Generator<SourceEvent | undefined, void, undefined> {
    this.opened++;
    if (!this.#up || !this.#gate) throw new PodsError({ code: "refused", message: "down" });
    yield { type: "CONNECTED", server: String(this.#process) };
    if (this.#initializing) throw new PodsError({ code: "initializing", message: "Kubelet is initializing" });
    this.#streams.add(stream);
    try {
      const listed = [...this.pods.values()].filter(({ uid }) => !this.#unread.has(uid));
      listed.sort((a, b) => (a.uid < b.uid ? -1 : 1));
      for (const pod of listed) {
        yield this.#sent({ type: "ADDED", pod: this.#encode(pod), uid: pod.uid, version: pod.version });
        if (stream.killed) throw stream.error;
      }
      yield { type: "SYNCED" };
      for (;;) {
        const message = stream.queue.shift();
        if (message === undefined && stream.error !== undefined) throw stream.error;
        if (message !== undefined) stream.buffered--;
        yield message && this.#sent(message);
      }
    } finally {
      this.#streams.delete(stream);
    }
  }

  async *open(signal: AbortSignal): AsyncGenerator<SourceEvent, void, undefined> {
    const stream = newStream();
    const onAbort = () => stream.wake();
    signal.addEventListener("abort", onAbort);
    try {
      for (const message of this.messages(stream)) {
        if (signal.aborted) throw signal.reason;
        if (message !== undefined) yield message;
        else if (stream.queue.length === 0 && stream.error === undefined) {
          await new Promise<void>((resolve) => {
            stream.wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** The same pods as two sources: as the Pods API, and as a list that is polled. */
  sources(): [PodSource, PodSource] {
    const unused = () => Promise.reject(new Error("not asked here"));
    const common = { socketPath: "/model", connect: unused, list: unused, get: unused, close: () => Promise.resolve() };
    const api: PodSource = {
      ...common,
      open: (signal) => this.open(signal),
      changed: (signal) => this.changed(signal),
      server: () => this.server(),
    };
    const never = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    const http: PodSource = {
      ...common,
      open: (signal) => this.#poll(signal, never),
      changed: never,
      server: () => "http",
    };
    return [api, http];
  }

  async *#poll(
    signal: AbortSignal,
    aborted: (signal: AbortSignal) => Promise<void>,
  ): AsyncGenerator<SourceEvent, void, undefined> {
    this.opened++;
    if (!this.#up) throw new PodsError({ code: "refused", message: "down" });
    this.#polls.add(signal);
    try {
      yield { type: "CONNECTED", server: `http ${this.#process}`, resyncIntervalMs: 10_000 };
      for (const pod of [...this.pods.values()].filter(({ uid }) => !this.#unread.has(uid))) {
        yield this.#sent({ type: "ADDED", pod: this.#encode(pod), uid: pod.uid, version: pod.version }) as SourceEvent;
      }
      yield { type: "SYNCED" };
      await aborted(signal);
    } finally {
      this.#polls.delete(signal);
    }
  }

  /** The kubelet starts again with the other value of its gate. */
  switchGate(): void {
    if (this.#up) this.kill();
    this.#gate = !this.#gate;
    this.start();
  }

  add(uid: string, isStatic: boolean): void {
    if (this.pods.has(uid) || (!isStatic && this.#used.has(uid))) return; // UIDs of API pods never recur
    this.#used.add(uid);
    const pod = { uid, version: ++this.#clock, failed: false, finished: false, isStatic, created: this.#clock };
    this.pods.set(uid, pod);
    this.#unread.delete(uid);
    this.#tell("ADDED", pod);
  }

  modify(uid: string, silently = false): void {
    this.#with(uid, (pod) => {
      if (pod.finished) return;
      pod.version = ++this.#clock;
      if (!silently) this.#tell("MODIFIED", pod);
    });
  }

  /** Phase Failed while the containers still run. */
  evict(uid: string): void {
    this.#with(uid, (pod) => {
      if (pod.finished) return;
      pod.failed = true;
      pod.version = ++this.#clock;
      this.#tell("MODIFIED", pod);
    });
  }

  /** The kubelet is through with the pod, which stays listed. A static one leaves the list first. */
  finish(uid: string): void {
    this.#with(uid, (pod) => {
      if (pod.finished) return;
      pod.finished = true;
      pod.version = ++this.#clock;
      this.#ended(uid);
      if (pod.isStatic) this.pods.delete(uid);
      this.#tell("DELETED", pod);
      // Two updates can be broadcast in the wrong order.
      if (!this.orderly && !pod.isStatic && pod.version % 2 === 0) this.#tellLate(pod);
    });
  }

  /** The object goes; nobody is told. */
  remove(uid: string): void {
    this.#with(uid, (pod) => {
      if (!pod.finished) this.finish(uid);
      this.pods.delete(uid);
    });
  }

  /** The next so many messages are lost for everyone, and no stream is closed. */
  dropSilently(messages: number): void {
    this.#dropNext += messages;
  }

  /** The two newest messages of each stream change places. */
  swap(): void {
    for (const { queue } of this.#streams) {
      const [b, a] = [queue.pop(), queue.pop()];
      if (b !== undefined) queue.push(b);
      if (a !== undefined) queue.push(a);
    }
  }

  /** A message that repeats; of a finished pod also one from before its end, broadcast late. */
  repeat(uid: string): void {
    const pod = this.pods.get(uid);
    if (pod === undefined || this.#unread.has(uid)) return;
    this.#tell(pod.finished ? "DELETED" : "ADDED", pod);
    if (pod.finished) this.#tellLate(pod);
  }

  /** The next message about a pod is damaged on its way. */
  damage(how: Damage): void {
    this.#damageNext = how;
  }

  unknown(): void {
    this.#send({ type: "UNKNOWN" });
  }

  kill(): void {
    this.#up = false;
    this.#fail(new PodsError({ code: "connection-lost", message: "killed" }));
  }

  /** Another process. `unread`: those pods that a kubelet of 1.36 does not know yet. */
  start({ initializing = false, unread = [] as string[] } = {}): void {
    this.#up = true;
    this.#process++;
    this.#initializing = initializing;
    this.#unread = new Set(unread);
    this.#unreadForMs = 3_000;
    this.#dropNext = 0;
    for (const resolve of this.#changed.splice(0)) resolve();
  }

  ready(): void {
    this.#initializing = false;
    for (const uid of this.#unread) {
      const pod = this.pods.get(uid);
      this.#unread.delete(uid);
      if (pod !== undefined && !pod.finished) this.#tell("ADDED", pod);
    }
  }

  cut(): void {
    this.#fail(new PodsError({ code: "connection-lost", message: "cut" }));
  }

  /**
   * The parts in which so much time is to pass: a kubelet of 1.36 has read its sources before the five seconds are over
   * after which two lists that lack a pod are believed; else no client could know better.
   */
  *passing(ms: number): Generator<number, void, undefined> {
    let leftMs = ms;
    if (this.#up && this.#unread.size > 0) {
      const first = Math.min(leftMs, this.#unreadForMs);
      this.#unreadForMs -= first;
      leftMs -= first;
      yield first;
      if (this.#unreadForMs === 0) this.ready();
    }
    yield leftMs;
  }

  get isUp(): boolean {
    return this.#up;
  }

  #sent(message: Message): Message {
    if (!("pod" in message)) return message;
    const how = this.#damageNext;
    this.#damageNext = undefined;
    if (how !== undefined) {
      const pod = how === "all" ? Uint8Array.of(0x0a, 200, 1) : Uint8Array.from([...message.pod, 0x1a, 200]);
      return { ...message, pod };
    }
    const sent = this.wire.get(message.uid);
    if (sent === undefined) this.wire.set(message.uid, [message.version]);
    else sent.push(message.version);
    return message;
  }

  #encode(pod: ModelPod, identityOnly = false): Uint8Array {
    return encode(pod, this.#process, identityOnly);
  }

  #with(uid: string, change: (pod: ModelPod) => void): void {
    const pod = this.pods.get(uid);
    if (pod === undefined) return;
    this.#unread.delete(uid); // of what it tells a kubelet knows
    change(pod);
  }

  /** A finished pod as it was before its end. */
  #tellLate(pod: ModelPod): void {
    this.#tell("MODIFIED", { ...pod, finished: false, version: pod.version - 1 });
  }

  #ended(uid: string): void {
    this.#ends.set(uid, [...(this.#ends.get(uid) ?? []), this.#clock]);
  }

  /** DELETED carries the identity alone. */
  #tell(type: "ADDED" | "MODIFIED" | "DELETED", pod: ModelPod): void {
    this.#send({ type, pod: this.#encode(pod, type === "DELETED"), uid: pod.uid, version: pod.version });
  }

  #send(message: Message): void {
    if (this.#dropNext > 0) {
      this.#dropNext--;
      return;
    }
    for (const stream of this.#streams) {
      if (stream.error !== undefined) continue;
      if (stream.buffered >= WATCHER_BUFFER) {
        stream.error = new PodsError({ code: "too-slow", message: "watch client channel closed" });
      } else {
        stream.queue.push(message);
        stream.buffered++;
      }
      stream.wake();
    }
  }

  #fail(error: PodsError): void {
    for (const stream of this.#streams) {
      stream.queue.length = 0;
      stream.killed = true;
      stream.error = error;
      stream.wake();
    }
  }
}
