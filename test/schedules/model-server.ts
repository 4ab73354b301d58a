// A kubelet as a watch sees it, in memory: what it has, what it tells, what it forgets to tell.

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { PodsError } from "../../src/errors/pods-error.js";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import type { SourceEvent, WatchSource } from "../../src/sources/pod-source.js";
import { encode, type ModelPod } from "./model-pod.js";

type Message =
  | { type: "ADDED" | "MODIFIED" | "DELETED"; pod: Uint8Array; uid: string; version: number }
  | { type: "SYNCED" }
  | { type: "UNKNOWN" };

/**
 * How a message can be damaged: its end is cut off, so that the UID is legible; nothing is legible; its metadata and status are,
 * and its spec is not; its UID is missing.
 */
export type Damage = "tail" | "all" | "body" | "uid";

/** What differs from one node to the next. */
export interface NodeKind {
  /** A new process takes over the file of the old one, or its name: nothing is seen of the restart where the socket is. */
  sameFile?: boolean;
  /** Pods bear no stamps. */
  withoutStamps?: boolean;
}

/** A pod that has left the lists and runs on. */
interface Lingering {
  pod: ModelPod;
  /** How long until it ends. */
  leftMs: number;
  /** Losses of streams before it left; -1 where nobody saw that. */
  outages: number;
  /** Its containers have ended, and DELETED has yet to be told. */
  stopped: boolean;
}

/** How long a kubelet takes from the end of a pod's last container to its DELETED. */
const ENDING_MS = 8_000;

interface Stream {
  queue: Message[];
  wake: () => void;
  error: PodsError | undefined;
  /** The connection is gone, and with it what was under way. */
  killed: boolean;
  buffered: number;
  /** Its list is complete. */
  live: boolean;
}

function newStream(): Stream {
  return { queue: [], wake: () => {}, error: undefined, killed: false, buffered: 0, live: false };
}

/** The buffer of one watcher (server.go). */
const WATCHER_BUFFER = 100;

export class ModelServer implements WatchSource {
  readonly socketPath = "/model";
  readonly pods = new Map<string, ModelPod>();
  /** When each UID has ceased to be active, and to be listed, in versions: what a DELETED may be founded on. */
  readonly #ends = new Map<string, number[]>();
  readonly #leaves = new Map<string, number[]>();
  readonly #streams = new Set<Stream>();
  #up = true;
  #process = 1;
  /** Connections so far: each restart and each cut makes another. */
  #connection = 1;
  #initializing = false;
  /** UIDs that a 1.36 kubelet has not read yet. */
  #unread = new Set<string>();
  /** The API server is away: its pods stay unread. */
  #apiAway = false;
  /** Pods that have left the lists and run on, with the milliseconds until they end. */
  readonly #lingering = new Map<string, Lingering>();
  /** Losses of streams so far. */
  outages = 0;
  /** What the last complete list told of each pod that it had, by UID; undefined of what could not be read. */
  listed: ReadonlyMap<string, number | undefined> = new Map();
  /** How many messages had been sent when that list was complete. */
  sentAtList = 0;
  #sentMessages = 0;
  /** When each pod was told of last, in messages. */
  readonly toldAt = new Map<string, number>();
  /** The process that each pod was told by last, in a message that could be read. */
  readonly #toldBy = new Map<string, number>();
  readonly #reruns = new Set<string>();
  readonly #kind: NodeKind;
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

  constructor(kind: NodeKind = {}) {
    this.#kind = kind;
  }

  get streams(): number {
    return this.#streams.size;
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

  /**
   * Whether the pod has left the lists and runs on, this process has told of it, and a stream has been live since, or been
   * replaced as planned.
   */
  lingers(uid: string): boolean {
    return this.#lingering.get(uid)?.outages === this.outages && this.#toldBy.get(uid) === this.#process;
  }

  /** Whether a finished pod of this UID has run again: what it was told as then takes two lists to lift. */
  hasRerun(uid: string): boolean {
    return this.#reruns.has(uid);
  }

  /** Every pod that is listed, finished ones too. */
  all(): Map<string, number> {
    return new Map([...this.pods.values()].map(({ uid, version }) => [uid, version]));
  }

  /** Whether the pod has left the lists since it had this version. */
  leftSince(uid: string, version: number): boolean {
    return this.#leaves.get(uid)?.some((left) => left >= version) ?? false;
  }

  server(): string | undefined {
    return this.#up ? this.#name() : undefined;
  }

  #name(): string {
    return this.#kind.sameFile ? "the file" : String(this.#process);
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
    if (!this.#up) throw new PodsError({ code: "connection-refused", message: "down" });
    this.#streams.add(stream);
    try {
      const list = async () => {
        const answer = this.answer();
        if (answer instanceof PodsError) throw answer;
        return answer;
      };
      yield { type: "CONNECTED", server: this.#name(), connection: String(this.#connection), lists: "contract", list };
      if (stream.killed) throw stream.error;
      if (this.#initializing) throw new PodsError({ code: "initializing", message: "Kubelet is initializing" });
      stream.queue.length = 0; // it is registered with the kubelet now, and not before
      stream.buffered = 0;
      const listed = [...this.pods.values()].filter(({ uid }) => !this.#unread.has(uid));
      listed.sort((a, b) => (a.uid < b.uid ? -1 : 1));
      for (const message of this.#list(listed)) {
        yield message;
        if (stream.killed) throw stream.error;
      }
      yield { type: "SYNCED" };
      stream.live = true;
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

  /** The answer to a list beside a live stream. */
  answer(): Uint8Array[] | PodsError {
    const isConnected = this.#up && [...this.#streams].some(({ error }) => error === undefined);
    if (!isConnected) return new PodsError({ code: "connection-lost", message: "cut" });
    const listed = [...this.pods.values()].filter(({ uid }) => !this.#unread.has(uid));
    return [...this.#list(listed)].flatMap((message) => ("pod" in message ? [message.pod] : []));
  }

  /** The messages of a list, each read when its turn comes; what readers may conclude from it is noted at its end. */
  *#list(pods: readonly ModelPod[]): Generator<Message, void, undefined> {
    const told = new Map<string, number | undefined>();
    for (const pod of pods) {
      const { uid, version } = pod;
      const { damage, message } = this.#sentAs({ type: "ADDED", pod: this.#encode(pod), uid, version });
      told.set(uid, damage === undefined && !pod.finished ? version : undefined);
      yield message;
    }
    this.listed = told;
    this.sentAtList = this.#sentMessages;
  }

  add(uid: string, isStatic: boolean): void {
    if (this.#apiAway && !isStatic) return;
    if (this.pods.has(uid) || (!isStatic && this.#used.has(uid))) return; // UIDs of API pods never recur
    this.#endOf(uid); // a manifest that is put back runs when the one before it has ended
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
      if (pod.isStatic) {
        this.pods.delete(uid);
        this.#left(uid);
      }
      this.#tell("DELETED", pod);
      // Two updates can be broadcast in the wrong order.
      if (!this.orderly && !pod.isStatic && pod.version % 2 === 0) this.#tellLate(pod);
    });
  }

  /** A static pod runs to its end, and stays listed, since its manifest stays. */
  complete(uid: string): void {
    this.#with(uid, (pod) => {
      if (pod.finished || !pod.isStatic) return;
      pod.finished = true;
      pod.version = ++this.#clock;
      this.#ended(uid);
      this.#tell("MODIFIED", pod);
      this.#tell("DELETED", pod);
    });
  }

  /** A pod of the API that is finished is removed from the kubelet's configuration and added again: its UID runs again. */
  rerun(uid: string): void {
    this.#with(uid, (pod) => {
      if (!pod.finished || pod.isStatic) return;
      this.#reruns.add(uid);
      Object.assign(pod, { finished: false, failed: false, version: ++this.#clock });
      this.#tell("MODIFIED", pod);
    });
  }

  /** Its manifest is removed, or it is deleted by force: it leaves the lists first, and ends within its grace period. */
  withdraw(uid: string): void {
    const isRead = this.#up && !this.#unread.has(uid);
    this.#with(uid, (pod) => {
      if (pod.finished) return;
      this.pods.delete(uid);
      this.#left(uid);
      if (!isRead) {
        this.#ended(uid); // of a pod that it has never read a process ends the containers, and tells nothing
        return;
      }
      const seen = [...this.#streams].some(({ live, error }) => live && error === undefined);
      this.#lingering.set(uid, { pod, leftMs: 20_000, outages: seen ? this.outages : -1, stopped: false });
    });
  }

  /** The last container of a pod that lingers ends. */
  #stop(lingering: Lingering): void {
    const { pod } = lingering;
    lingering.stopped = true;
    pod.version = ++this.#clock;
    this.#tell("MODIFIED", { ...pod, stopped: true });
  }

  /** A pod that lingers ends: its last status may come as ADDED. */
  #endOf(uid: string): void {
    const pod = this.#lingering.get(uid)?.pod;
    if (pod === undefined) return;
    this.#lingering.delete(uid);
    pod.finished = true;
    pod.version = ++this.#clock;
    this.#clock++; // the end comes after the last status
    this.#ended(uid);
    this.#tell("ADDED", { ...pod, stopped: true });
    this.#tell("DELETED", pod);
  }

  /** The object goes; nobody is told. */
  remove(uid: string): void {
    this.#with(uid, (pod) => {
      if (!pod.finished) this.finish(uid);
      this.pods.delete(uid);
      this.#left(uid);
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
    if (pod.finished && !pod.isStatic) this.#tellLate(pod);
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
    this.#connection++;
    for (const uid of this.#lingering.keys()) this.#ended(uid); // the next process ends what it does not know
    this.#lingering.clear();
    this.#fail(new PodsError({ code: "connection-lost", message: "killed" }));
  }

  /**
   * Another process. `unread`: those pods that a kubelet of 1.36 does not know yet. `apiAway`: those of the API server, which
   * is away, until {@link apiBack}.
   */
  start({ initializing = false, unread = [] as string[], apiAway = false } = {}): void {
    this.#up = true;
    this.#process++;
    this.#connection++;
    this.#initializing = initializing;
    this.#apiAway = apiAway && !initializing;
    const api = [...this.pods.values()].filter(({ isStatic }) => !isStatic).map((pod) => pod.uid);
    this.#unread = new Set(this.#apiAway ? api : unread);
    this.#unreadForMs = 3_000;
    this.#dropNext = 0;
    for (const resolve of this.#changed.splice(0)) resolve();
  }

  /** The API server is back: some of its pods are there at once, the others soon. */
  apiBack(): void {
    if (!this.#apiAway) return;
    this.#apiAway = false;
    this.#unreadForMs = 3_000;
    const [first] = this.#unread;
    const pod = first === undefined ? undefined : this.pods.get(first);
    if (pod === undefined) return;
    this.#unread.delete(pod.uid);
    if (!pod.finished) this.#tell("ADDED", pod);
  }

  ready(): void {
    this.#initializing = false;
    this.#apiAway = false;
    for (const uid of this.#unread) {
      const pod = this.pods.get(uid);
      this.#unread.delete(uid);
      if (pod !== undefined && !pod.finished) this.#tell("ADDED", pod);
    }
  }

  cut(): void {
    this.#connection++;
    this.#fail(new PodsError({ code: "connection-lost", message: "cut" }));
  }

  /**
   * The parts in which so much time is to pass: a kubelet of 1.36 has read its sources before the five seconds are over
   * after which two lists that lack a pod are believed; else no client could know better.
   */
  *passing(ms: number): Generator<number, void, undefined> {
    for (let leftMs = ms; leftMs > 0; ) {
      const reads = this.#up && !this.#apiAway && this.#unread.size > 0;
      const lingering = [...this.#lingering.values()];
      const untilMs = lingering.map((each) => (each.stopped ? each.leftMs : each.leftMs - ENDING_MS));
      const partMs = Math.min(leftMs, reads ? this.#unreadForMs : leftMs, ...untilMs);
      leftMs -= partMs;
      if (reads) this.#unreadForMs -= partMs;
      for (const each of lingering) each.leftMs -= partMs;
      yield partMs;
      if (reads && this.#unreadForMs <= 0) this.ready();
      for (const [uid, each] of [...this.#lingering]) {
        if (each.leftMs <= 0) this.#endOf(uid);
        else if (each.leftMs <= ENDING_MS && !each.stopped) this.#stop(each);
      }
    }
  }

  get isUp(): boolean {
    return this.#up;
  }

  #sent(message: Message): Message {
    return this.#sentAs(message).message;
  }

  /** A message as it arrives, and how it was damaged on its way. */
  #sentAs(message: Message): { message: Message; damage?: Damage } {
    if (!("pod" in message)) return { message };
    const damage = this.#damageNext;
    this.#damageNext = undefined;
    this.toldAt.set(message.uid, ++this.#sentMessages);
    // What can be read at least of a part, or by name, may be told.
    if (damage === undefined || damage === "body" || damage === "uid") {
      const sent = this.wire.get(message.uid);
      if (sent === undefined) this.wire.set(message.uid, [message.version]);
      else sent.push(message.version);
    }
    if (damage === undefined) {
      this.#toldBy.set(message.uid, this.#process);
      return { message };
    }
    return { damage, message: { ...message, pod: damaged(message.pod, damage) } };
  }

  #encode(pod: ModelPod, identityOnly = false): Uint8Array {
    return encode(pod, this.#kind.withoutStamps ? undefined : this.#process, identityOnly);
  }

  #with(uid: string, change: (pod: ModelPod) => void): void {
    const pod = this.pods.get(uid);
    if (pod === undefined || (this.#apiAway && !pod.isStatic)) return;
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

  #left(uid: string): void {
    this.#leaves.set(uid, [...(this.#leaves.get(uid) ?? []), this.#clock]);
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
        this.outages++;
        stream.error = new PodsError({ code: "dropped", message: "watch client channel closed" });
      } else {
        stream.queue.push(message);
        stream.buffered++;
      }
      stream.wake();
    }
  }

  #fail(error: PodsError): void {
    this.outages++;
    for (const stream of this.#streams) {
      stream.queue.length = 0;
      stream.killed = true;
      stream.error = error;
      stream.wake();
    }
  }
}

function damaged(pod: Uint8Array, how: Damage): Uint8Array {
  if (how === "all") return Uint8Array.of(0x0a, 200, 1);
  if (how === "tail") return Uint8Array.from([...pod, 0x1a, 200]);
  if (how === "body") return Uint8Array.from([...pod, 0x12, 0x04, 0x12, 0x02, 0x0a, 0x7f]); // a container of its spec
  const message = fromBinary(PodSchema, pod);
  if (message.metadata !== undefined) message.metadata.uid = "";
  return toBinary(PodSchema, message);
}
