// What a kubelet says, line by line: what its lists have, and which events it broadcasts. The lines are the record of a life, and are
// played to whoever reads it as a source.

import { PodsError } from "../../src/errors/pods-error.js";
import type { ListBesideOptions, PodSource, SourceEvent } from "../../src/sources/pod-source.js";
import type { Clock } from "../../src/timing/clock.js";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** A line of a record. Pods are bytes as the kubelet sends them. */
export type Line = { readonly atMs: number } & (
  | { readonly start: number; readonly initializing?: boolean; readonly servesApi?: boolean }
  | { readonly ready: true }
  | { readonly stop: true }
  | { readonly cut: true }
  /** What lists have of a pod from now on; nothing where it has left them. */
  | { readonly list: string; readonly pod?: Uint8Array }
  | { readonly event: EventType; readonly pod: Uint8Array }
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
  /** Somebody has asked for its deletion. */
  readonly isDeleted: boolean;
  /** It shows that the kubelet stops the pod. */
  readonly isStopped: boolean;
  /** It shows no container at all. */
  readonly isBare: boolean;
  /** It is a DELETED, which names the pod and shows nothing of it. */
  readonly isGone?: boolean;
}

/** How often the HTTP server is asked (DEFAULT_POLL_INTERVAL_MS of sources/). */
const POLL_MS = 10_000;

function never(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** How many events are kept for one watcher (pkg/kubelet/apis/pods/server.go). */
const WATCHER_BUFFER = 100;

/** How long after the answer to a list the events of the stream come, if they come after it. */
const HELD_MS = 5;

/** How long a client waits for the answer to a list (docs/watch.md, R8). */
const LIST_LIMIT_MS = 10_000;

/** The tag of `metadata.uid` on the wire. */
const UID_TAG = 0x2a;

/** Returns true if a message shows whose it is. One that does not is about no pod. */
function isLegible(event: SourceEvent, uid: string): boolean {
  const field = Buffer.concat([Buffer.of(UID_TAG, uid.length), Buffer.from(uid)]);
  return "pod" in event && Buffer.from(event.pod).includes(field);
}

/** So many promises later, a reader has taken what a stream has given. */
const READ_TURNS = 50;

interface Stream {
  readonly queue: { readonly event: SourceEvent; readonly said?: Said | undefined }[];
  error: PodsError | undefined;
  isListed: boolean;
  /** Its reader has left. */
  isOver: boolean;
  /** While a list beside it is under way: the pods of which it has sent an event since, and whether the last one was DELETED. */
  since: Map<string, boolean> | undefined;
  /** The kubelet has not written its events yet, although it broadcast them. */
  isHeld: boolean;
  wake: () => void;
}

/** A kubelet that says what it is told to, as a source of pods. */
export class Teller implements PodSource {
  readonly socketPath = "/adversary";
  /** As with `kubeletVersion: "1.36"`; undefined as without the option. */
  readonly lists: "partial" | undefined;
  readonly lines: Line[] = [];
  readonly #clock: Clock;
  readonly #pods = new Map<string, { pod: Uint8Array; said: Said }>();
  readonly #streams = new Set<Stream>();
  /** Those that a reader has asked for, also before the kubelet has registered them. */
  readonly #asked = new Set<Stream>();
  #process = 0;
  #connection = 0;
  #leaving: string | undefined;
  #isUp = false;
  #isInitializing = false;
  /** It serves the Pods API, and not its HTTP server's lists alone. */
  #servesApi = true;
  /** What its HTTP server lists: as the API server has it. */
  readonly #confirmed = new Map<string, { pod: Uint8Array; said: Said }>();
  readonly #polls = new Set<AbortSignal>();
  /** The UIDs of which this process has said something. */
  readonly #said = new Set<string>();
  #changed: (() => void)[] = [];
  /** When each list was given, and when streams were lost. */
  readonly listed: number[] = [];
  readonly losses: number[] = [];
  /** When it last began to wait before or within a list. */
  slowMs = Number.NEGATIVE_INFINITY;
  /** When each list of the HTTP server was given. */
  readonly polled: number[] = [];
  /** When anything was last said to a reader. */
  heardMs = Number.NEGATIVE_INFINITY;
  /** Hears what a reader has been given, in a list that was complete or by an event. */
  onSaid: (said: Said, isListed: boolean) => void = () => {};
  /** Hears that a stream is asked for. Returns how long it takes until the kubelet has registered it; undefined where that is at once. */
  onAsked: () => number | undefined = () => undefined;
  /** Hears that a stream is registered, before its list is made. */
  onRegistered: () => void = () => {};
  /** Hears that a watcher has too much before it. */
  onOverflow: () => void = () => {};
  onListed: (uids: ReadonlySet<string>) => void = () => {};
  /** Hears that a list is made, of what there is now. */
  onListing: () => void = () => {};
  /** Whether the rate limit, which the kubelet's clients share, refuses a watch now. */
  isLimited: () => boolean = () => false;
  /** How much later the next list beside a stream is answered. */
  frozenMs = 0;
  /** How long a list pauses on its way; undefined where it comes at once. */
  pauseMs: () => number | undefined = () => undefined;

  constructor(clock: Clock, lists: "partial" | undefined) {
    this.#clock = clock;
    this.lists = lists;
  }

  #now(): number {
    return this.#clock.now();
  }

  get lostMs(): number {
    return this.losses.at(-1) ?? 0;
  }

  get streams(): number {
    return this.#streams.size + this.#polls.size;
  }

  /** Whether a stream is live: its list is complete, and no other list is under way. */
  get isLive(): boolean {
    const isLive = ({ isListed, isHeld, since, error }: Stream) =>
      isListed && !isHeld && since === undefined && error === undefined;
    return [...this.#streams].some(isLive);
  }

  /** Whether a reader has a stream, or is about to, or has lists of the HTTP server. */
  get isServed(): boolean {
    return this.isPolled || [...this.#asked].some(({ error }) => error === undefined);
  }

  /** The number of the process that answers. */
  get process(): number {
    return this.#process;
  }

  /** Whether readers have lists of the HTTP server, and nothing else. */
  get isPolled(): boolean {
    return this.#polls.size > 0;
  }

  get servesApi(): boolean {
    return this.#servesApi;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  start(process: number, initializing: boolean, servesApi: boolean): void {
    const kind = { ...(initializing && { initializing }), ...(!servesApi && { servesApi }) };
    this.lines.push({ atMs: this.#now(), start: process, ...kind });
    this.#servesApi = servesApi;
    this.#process = process;
    this.#said.clear();
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
  put(uid: string, given: { pod: Uint8Array; said: Said } | undefined, isConfirmed: boolean): void {
    this.lines.push({ atMs: this.#now(), list: uid, ...(given && { pod: given.pod }) });
    if (given === undefined) {
      this.#pods.delete(uid);
      this.#confirmed.delete(uid);
      return;
    }
    this.#pods.set(uid, given);
    if (isConfirmed || !this.#confirmed.has(uid)) this.#confirmed.set(uid, given);
  }

  tell(type: EventType, pod: Uint8Array, said: Said): void {
    this.lines.push({ atMs: this.#now(), event: type, pod });
    this.#send({ event: { type, pod }, said });
  }

  unknown(): void {
    this.lines.push({ atMs: this.#now(), unknown: true });
    this.#send({ event: { type: "UNKNOWN" } });
  }

  async *open(signal: AbortSignal): AsyncGenerator<SourceEvent, void, undefined> {
    yield* this.#heard(this.#stream(signal, true));
  }

  async *#heard(events: AsyncGenerator<SourceEvent, void, undefined>): AsyncGenerator<SourceEvent, void, undefined> {
    for await (const event of events) {
      this.heardMs = this.#now();
      yield event;
    }
  }

  /** The kubelet's HTTP server, behind its Pods API. */
  http(isJudged: boolean): PodSource {
    const listed = () => {
      if (!this.#isUp) throw new PodsError({ code: "connection-refused", message: "nobody listens" });
      return [...this.#confirmed.values()].sort((a, b) => (a.said.uid < b.said.uid ? -1 : 1));
    };
    return {
      socketPath: "https://adversary:10250",
      open: (signal) => (isJudged ? this.#heard(this.#poll(signal, listed, true)) : this.#poll(signal, listed, false)),
      list: async () => listed().map(({ pod }) => pod),
      get: async (uid) => {
        const known = listed().find(({ said }) => said.uid === uid);
        if (known === undefined) throw new PodsError({ code: "not-found", message: `pod with UID ${uid} not found` });
        return known.pod;
      },
      changed: never,
      server: () => "http",
      lists: "partial",
      connect: () => this.connect(),
      close: () => this.close(),
    };
  }

  async *#poll(
    signal: AbortSignal,
    list: () => readonly { pod: Uint8Array; said: Said }[],
    isJudged: boolean,
  ): AsyncGenerator<SourceEvent, void, undefined> {
    const listed = list();
    if (isJudged) this.#polls.add(signal);
    try {
      yield { type: "CONNECTED", server: "http", resyncIntervalMs: POLL_MS, reportsDeletions: false, lists: "partial" };
      for (const { pod } of listed) yield { type: "ADDED", pod };
      if (isJudged) {
        this.onListing();
        this.polled.push(this.#now());
        for (const { said } of listed) this.#say(said, true);
        this.onListed(new Set(listed.map(({ said }) => said.uid)));
      }
      yield { type: "SYNCED" };
      await never(signal);
    } finally {
      this.#polls.delete(signal);
    }
  }

  /** The same kubelet to another client: what that one is given is nothing to those who are judged. */
  get another(): PodSource {
    return {
      socketPath: this.socketPath,
      lists: this.lists,
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
    if (!this.#isUp || !this.#servesApi) throw new PodsError({ code: "connection-refused", message: "nobody listens" });
    const stream: Stream = {
      queue: [],
      error: undefined,
      isListed: false,
      isOver: false,
      since: undefined,
      isHeld: false,
      wake: () => {},
    };
    const onAbort = () => {
      stream.isOver = true;
      stream.wake();
    };
    signal.addEventListener("abort", onAbort);
    if (isJudged) this.#asked.add(stream);
    try {
      const connection = String(this.#connection);
      const askedMs = isJudged ? this.onAsked() : undefined;
      if (askedMs !== undefined) await this.#pause(askedMs, stream);
      if (signal.aborted) throw signal.reason;
      if (!this.#isUp || connection !== String(this.#connection))
        throw new PodsError({ code: "connection-lost", message: "cut" });
      this.#streams.add(stream);
      const list = ({ signal }: ListBesideOptions) => this.#listBeside(stream, connection, signal, isJudged);
      yield { type: "CONNECTED", server: String(this.#process), connection, lists: this.lists, list };
      if (stream.error !== undefined) throw stream.error;
      this.#answer();
      if (isJudged && this.isLimited())
        throw new PodsError({ code: "rate-limited", message: "rejected by rate limit", method: "WatchPods" });
      if (isJudged) this.onRegistered();
      const listed = this.#listed();
      if (isJudged) this.onListing();
      const listedMs = this.#now();
      const pauseMs = isJudged ? this.pauseMs() : undefined;
      const half = pauseMs === undefined ? listed.length : listed.length >> 1;
      for (const { pod } of listed.slice(0, half)) yield { type: "ADDED", pod };
      if (pauseMs !== undefined) await this.#pause(pauseMs, stream);
      for (const { pod } of listed.slice(half)) yield { type: "ADDED", pod };
      if (stream.error !== undefined) throw stream.error;
      stream.isListed = true;
      if (isJudged) {
        this.listed.push(listedMs);
        for (const { said } of listed) this.#say(said, true);
        this.onListed(new Set(listed.map(({ said }) => said.uid)));
      }
      yield { type: "SYNCED" };
      for (;;) {
        if (signal.aborted) throw signal.reason;
        const next = stream.isHeld ? undefined : stream.queue.shift();
        if (next !== undefined) {
          if (next.said !== undefined && isJudged) {
            if (isLegible(next.event, next.said.uid)) stream.since?.set(next.said.uid, next.said.isGone === true);
            this.#say(next.said, false);
          }
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
      this.#asked.delete(stream);
    }
  }

  #say(said: Said, isListed: boolean): void {
    this.#said.add(said.uid);
    this.onSaid(said, isListed);
  }

  /** A list beside a stream. Returns undefined if the connection is going away. */
  async #listBeside(
    stream: Stream,
    connection: string,
    signal: AbortSignal,
    isJudged: boolean,
  ): Promise<Uint8Array[] | undefined> {
    const check = () => {
      if (signal.aborted) throw signal.reason;
      if (!this.#isUp || stream.error !== undefined) throw new PodsError({ code: "connection-lost", message: "cut" });
    };
    check();
    if (this.#leaving === connection) return undefined;
    stream.since = new Map();
    // A list that takes too long is a loss of the stream.
    const sentMs = this.#now();
    const onAbort = () => {
      if (this.#now() - sentMs >= LIST_LIMIT_MS - 1) this.losses.push(this.#now());
    };
    if (isJudged) signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await this.#answerBeside(stream, check, isJudged);
    } finally {
      signal.removeEventListener("abort", onAbort);
      stream.since = undefined;
      if (stream.isHeld) this.#clock.after(HELD_MS, () => this.#release(stream));
    }
  }

  async #answerBeside(stream: Stream, check: () => void, isJudged: boolean): Promise<Uint8Array[]> {
    // The kubelet goes on while its client stands still, so the times count from the request.
    let dueMs = this.#now() + (isJudged ? (this.onAsked() ?? 0) : 0);
    await this.#waitUntil(dueMs);
    check();
    this.#answer();
    if (isJudged && this.isLimited())
      throw new PodsError({ code: "rate-limited", message: "rejected by rate limit", method: "ListPods" });
    if (isJudged) this.onRegistered();
    const listed = this.#listed();
    if (isJudged) this.onListing();
    const listedMs = this.#now();
    dueMs += isJudged ? this.frozenMs + (this.pauseMs() ?? 0) : 0;
    if (isJudged) this.frozenMs = 0;
    await this.#waitUntil(dueMs);
    check();
    // The reader has taken what was written before, and takes the answer before what is written next.
    stream.isHeld = true;
    for (let i = 0; i < READ_TURNS; i++) await Promise.resolve();
    check();
    const { since = new Map<string, boolean>() } = stream;
    if (isJudged) {
      this.listed.push(listedMs);
      this.heardMs = this.#now();
      for (const { said } of listed) if (!since.has(said.uid)) this.#say(said, true);
      const kept = [...since].flatMap(([uid, isGone]) => (isGone ? [] : [uid]));
      this.onListed(new Set([...listed.map(({ said }) => said.uid), ...kept]));
    }
    return listed.map(({ pod }) => pod);
  }

  /** The connection is about to be closed: it takes no further requests, and its stream goes on. */
  leave(): void {
    this.#leaving = String(this.#connection++);
  }

  async #waitUntil(dueMs: number): Promise<void> {
    const leftMs = dueMs - this.#now();
    if (leftMs <= 0) return;
    this.slowMs = this.#now();
    await new Promise<void>((resolve) => void this.#clock.after(leftMs, resolve));
  }

  /** Writes the events of live streams only after the next list beside them. */
  hold(): void {
    for (const stream of this.#streams) stream.isHeld = stream.isListed;
  }

  #release(stream: Stream): void {
    stream.isHeld = false;
    stream.wake();
  }

  /** Waits for so long, or until the stream ends. */
  #pause(ms: number, stream: Stream): Promise<void> {
    this.slowMs = this.#now();
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, resolve);
      stream.wake = () => {
        if (!stream.isOver && stream.error === undefined) return;
        cancel();
        resolve();
      };
    });
  }

  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#changed.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  server(): string | undefined {
    return this.#isUp && this.#servesApi ? String(this.#process) : undefined;
  }

  connect(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(): void {
    if (!this.#isUp || !this.#servesApi) throw new PodsError({ code: "connection-refused", message: "nobody listens" });
    if (this.#isInitializing) throw new PodsError({ code: "initializing", message: "Kubelet is initializing" });
  }

  #listed() {
    return [...this.#pods.values()].sort((a, b) => (a.said.uid < b.said.uid ? -1 : 1));
  }

  #send(message: Stream["queue"][number]): void {
    for (const stream of this.#streams) {
      if (stream.error !== undefined) continue;
      if (stream.queue.length >= WATCHER_BUFFER) {
        this.losses.push(this.#now());
        this.onOverflow();
        stream.error = new PodsError({ code: "dropped", message: "watch client channel closed" });
      } else stream.queue.push(message);
      stream.wake();
    }
  }

  #fail(message: string): void {
    this.losses.push(this.#now());
    for (const stream of this.#streams) {
      stream.queue.length = 0;
      stream.error = new PodsError({ code: "connection-lost", message });
      stream.wake();
    }
  }
}
