// What a kubelet says, line by line: what its lists have, and which events it broadcasts. The lines are the record of a life, and are
// played to whoever reads it as a source.

import { PodsError } from "../../src/errors/pods-error.js";
import type { PodSource, SourceEvent } from "../../src/sources/pod-source.js";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** A line of a record. Pods are bytes as the kubelet sends them. */
export type Line = { readonly atMs: number } & (
  | { readonly start: number; readonly initializing?: boolean }
  | { readonly ready: true }
  | { readonly stop: true }
  | { readonly cut: true }
  /** What lists have of a pod from now on; nothing where it has left them. */
  | { readonly list: string; readonly pod?: Uint8Array }
  | { readonly tell: EventType; readonly pod: Uint8Array }
  /** An event of a type that no client knows. */
  | { readonly unknown: true }
);

/** What one message says, for those who judge. */
export interface Said {
  readonly uid: string;
  readonly version: number;
  readonly ip: string | undefined;
  /** IDs of containers by what the message shows of them. */
  readonly running: readonly string[];
  readonly ended: readonly string[];
  readonly waiting: readonly string[];
  /** It has been damaged on its way. */
  readonly isDamaged?: boolean;
}

/** How many events are kept for one watcher (pkg/kubelet/apis/pods/server.go). */
const WATCHER_BUFFER = 100;

interface Stream {
  readonly queue: { readonly event: SourceEvent; readonly said?: Said | undefined }[];
  error: PodsError | undefined;
  isListed: boolean;
  wake: () => void;
}

/** A kubelet that says what it is told to, as a source of pods. */
export class Teller implements PodSource {
  readonly socketPath = "/adversary";
  readonly lines: Line[] = [];
  readonly #now: () => number;
  readonly #pods = new Map<string, { pod: Uint8Array; said: Said }>();
  readonly #streams = new Set<Stream>();
  #process = 0;
  #connection = 0;
  #isUp = false;
  #isInitializing = false;
  #changed: (() => void)[] = [];
  /** When each list was given, and when the last stream was lost. */
  readonly listed: number[] = [];
  lostMs = 0;
  /** Hears what a reader has been given, in a list that was complete or by an event. */
  onSaid: (said: Said, isListed: boolean) => void = () => {};
  /** Hears that a stream is registered, before its list is made. */
  onRegistered: () => void = () => {};
  onListed: (uids: ReadonlySet<string>) => void = () => {};

  constructor(now: () => number) {
    this.#now = now;
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Whether a stream is live: its list is complete. */
  get isLive(): boolean {
    return [...this.#streams].some(({ isListed, error }) => isListed && error === undefined);
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  start(process: number, initializing = false): void {
    this.lines.push({ atMs: this.#now(), start: process, ...(initializing && { initializing }) });
    this.#process = process;
    this.#connection++;
    this.#isUp = true;
    this.#isInitializing = initializing;
    for (const resolve of this.#changed.splice(0)) resolve();
  }

  ready(): void {
    this.lines.push({ atMs: this.#now(), ready: true });
    this.#isInitializing = false;
  }

  stop(): void {
    this.lines.push({ atMs: this.#now(), stop: true });
    this.#isUp = false;
    this.#fail("killed");
  }

  cut(): void {
    this.lines.push({ atMs: this.#now(), cut: true });
    this.#connection++;
    this.#fail("cut");
  }

  async list(): Promise<Uint8Array[]> {
    this.#answer();
    return this.#listed().map(({ pod }) => pod);
  }

  async get(uid: string): Promise<Uint8Array> {
    this.#answer();
    const known = this.#pods.get(uid);
    if (known === undefined) throw new PodsError({ code: "not-found", message: `pod with UID ${uid} not found` });
    return known.pod;
  }

  /** Changes what lists have of a pod; undefined where it leaves them. */
  put(uid: string, given: { pod: Uint8Array; said: Said } | undefined): void {
    this.lines.push({ atMs: this.#now(), list: uid, ...(given && { pod: given.pod }) });
    if (given === undefined) this.#pods.delete(uid);
    else this.#pods.set(uid, given);
  }

  tell(type: EventType, pod: Uint8Array, said: Said): void {
    this.lines.push({ atMs: this.#now(), tell: type, pod });
    this.#send({ event: { type, pod }, said });
  }

  unknown(): void {
    this.lines.push({ atMs: this.#now(), unknown: true });
    this.#send({ event: { type: "UNKNOWN" } });
  }

  open(signal: AbortSignal): AsyncGenerator<SourceEvent, void, undefined> {
    return this.#stream(signal, true);
  }

  /** The same kubelet to another client: what that one is given is nothing to those who are judged. */
  get another(): PodSource {
    return {
      socketPath: this.socketPath,
      open: (signal) => this.#stream(signal, false),
      list: () => this.list(),
      get: (uid) => this.get(uid),
      changed: (signal) => this.changed(signal),
      server: () => this.server(),
      connect: () => this.connect(),
      close: () => this.close(),
    };
  }

  async *#stream(signal: AbortSignal, isJudged: boolean): AsyncGenerator<SourceEvent, void, undefined> {
    if (!this.#isUp) throw new PodsError({ code: "connection-refused", message: "nobody listens" });
    const stream: Stream = { queue: [], error: undefined, isListed: false, wake: () => {} };
    this.#streams.add(stream);
    const onAbort = () => stream.wake();
    signal.addEventListener("abort", onAbort);
    try {
      yield { type: "CONNECTED", server: String(this.#process), connection: String(this.#connection) };
      if (stream.error !== undefined) throw stream.error;
      this.#answer();
      if (isJudged) this.onRegistered();
      const listed = this.#listed();
      for (const { pod } of listed) yield { type: "ADDED", pod };
      if (stream.error !== undefined) throw stream.error;
      stream.isListed = true;
      if (isJudged) {
        this.listed.push(this.#now());
        for (const { said } of listed) this.onSaid(said, true);
        this.onListed(new Set(listed.map(({ said }) => said.uid)));
      }
      yield { type: "SYNCED" };
      for (;;) {
        if (signal.aborted) throw signal.reason;
        const next = stream.queue.shift();
        if (next !== undefined) {
          if (next.said !== undefined && isJudged) this.onSaid(next.said, false);
          yield next.event;
        } else if (stream.error !== undefined) throw stream.error;
        else {
          await new Promise<void>((resolve) => {
            stream.wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#streams.delete(stream);
    }
  }

  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#changed.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  server(): string | undefined {
    return this.#isUp ? String(this.#process) : undefined;
  }

  connect(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(): void {
    if (!this.#isUp) throw new PodsError({ code: "connection-refused", message: "nobody listens" });
    if (this.#isInitializing) throw new PodsError({ code: "initializing", message: "Kubelet is initializing" });
  }

  #listed() {
    return [...this.#pods.values()].sort((a, b) => (a.said.uid < b.said.uid ? -1 : 1));
  }

  #send(message: Stream["queue"][number]): void {
    for (const stream of this.#streams) {
      if (stream.error !== undefined) continue;
      if (stream.queue.length >= WATCHER_BUFFER) {
        this.lostMs = this.#now();
        stream.error = new PodsError({ code: "dropped", message: "watch client channel closed" });
      } else stream.queue.push(message);
      stream.wake();
    }
  }

  #fail(message: string): void {
    this.lostMs = this.#now();
    for (const stream of this.#streams) {
      stream.queue.length = 0;
      stream.error = new PodsError({ code: "connection-lost", message });
      stream.wake();
    }
  }
}
