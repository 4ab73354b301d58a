// Messages that no kubelet has to have sent: any pod, any order, any mask, any two readers, at any time.

import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { seededRandom } from "../../src/testing/index.js";
import { Client, described } from "./play.js";
import type { Fields, Received, Want } from "./trace.js";

const UIDS = ["u00", "u01", "u02", "u10", "u11"]; // u1x are static
const BASE = Date.UTC(2026, 0) / 1_000;

/** Fields of masks. Each reader has some of them. */
const PATHS = [
  ...["uid", "name", "namespace", "labels", "annotations", "creationTimestamp", "deletionTimestamp"],
  ...["deletionGracePeriodSeconds", "finalizers"],
].map((field) => `metadata.${field}`);
PATHS.push(
  "spec.terminationGracePeriodSeconds",
  "spec.nodeName",
  "spec.volumes",
  "spec.containers.image",
  "spec.hostNetwork",
  "status.phase",
  "status.podIPs",
);
PATHS.push("status.reason", "status.containerStatuses", "status.containerStatuses.state", "status.startTime");

/** What a message shows of a pod. */
interface Shape {
  readonly uid: string;
  readonly version: number;
  readonly createdSeconds: number;
  /** When its process stamped it; 0 without a stamp. */
  readonly stamp: number;
  readonly phase: string;
  readonly isRunning: boolean;
  readonly startedSeconds: number;
  readonly run: number;
  readonly isEmpty: boolean;
  readonly grace: number | undefined;
  readonly deletionGrace?: number;
  readonly isTerminating: boolean;
  readonly hasFinalizers: boolean;
  readonly address: string;
  /** Whether lists have it. */
  readonly isListed: boolean;
}

const DAMAGES = ["all", "tail", "status", "spec", "uid", "name"] as const;
type Damage = (typeof DAMAGES)[number];

const messages = new Map<string, Uint8Array>();
const MAX_MESSAGES = 100_000;

function messageOf(shape: Shape, damage: Damage | undefined): Uint8Array {
  const key = JSON.stringify([shape, damage]);
  const known = messages.get(key);
  if (known !== undefined) return known;
  if (messages.size > MAX_MESSAGES) messages.clear();
  const bytes = damaged(podOf(shape, damage), damage);
  messages.set(key, bytes);
  const { uid: _, ...rest } = shape;
  described.set(bytes, `${damage ?? ""} ${JSON.stringify(rest)}`);
  return bytes;
}

function podOf(shape: Shape, damage: Damage | undefined): object {
  const { uid, version, createdSeconds, stamp, phase, isRunning, startedSeconds, run } = shape;
  const isStatic = uid[1] === "1";
  const containerID = `containerd://${uid}-${run}`;
  const annotations: Record<string, string> = {
    "kubernetes.io/config.source": isStatic ? (uid === "u10" ? "file" : "http") : "api",
  };
  if (stamp > 0) annotations["kubernetes.io/config.seen"] = new Date((BASE + stamp) * 1_000).toISOString();
  return {
    metadata: {
      uid: damage === "uid" ? "" : uid,
      name: damage === "name" ? "" : `name-${uid}`,
      namespace: "ns",
      labels: { version: String(version), band: String(version % 3) },
      annotations,
      ...(!isStatic && { creationTimestamp: { seconds: BigInt(BASE + createdSeconds) } }),
      ...(shape.isTerminating && { deletionTimestamp: { seconds: BigInt(BASE) } }),
      ...(shape.deletionGrace !== undefined && { deletionGracePeriodSeconds: BigInt(shape.deletionGrace) }),
      finalizers: shape.hasFinalizers ? ["example.com/f"] : [],
    },
    spec: {
      nodeName: "node",
      containers: [{ name: "c", image: `image-${version % 4}` }],
      ...(shape.grace !== undefined && { terminationGracePeriodSeconds: BigInt(shape.grace) }),
    },
    status: {
      phase,
      podIPs: shape.address === "" ? [] : [{ ip: shape.address }],
      containerStatuses: shape.isEmpty
        ? []
        : [
            {
              name: "c",
              containerID,
              restartCount: run,
              state: isRunning
                ? { running: { startedAt: { seconds: BigInt(BASE + startedSeconds) } } }
                : { terminated: { exitCode: 1, containerID } },
            },
          ],
    },
  };
}

function damaged(pod: object, damage: Damage | undefined): Uint8Array {
  const parts = Object.entries(pod).map(([name, value]) => toBinary(PodSchema, create(PodSchema, { [name]: value })));
  if (damage === "all") return Uint8Array.of(0x0a, 200, 1);
  if (damage === "tail") parts.push(Uint8Array.of(0x1a, 200));
  if (damage === "status") parts.push(Uint8Array.of(0x1a, 0x02, 0x0a, 0x7f));
  if (damage === "spec") parts[1] = withBrokenVolume(parts[1] as Uint8Array);
  return Buffer.concat(parts);
}

/** Adds a volume whose name is longer than its message. Masks with volumes cannot read it. */
function withBrokenVolume(spec: Uint8Array): Uint8Array<ArrayBuffer> {
  const volume = [0x0a, 0x02, 0x0a, 0x7f];
  return Uint8Array.from([spec[0] as number, (spec[1] as number) + volume.length, ...spec.subarray(2), ...volume]);
}

interface WildOptions {
  /** False without damage that only some masks see. Default: true. */
  readonly hasMaskedDamage?: boolean;
  /** False without slow readers. Default: true. */
  readonly isSlow?: boolean;
}

/** A node, its kubelet and its readers, as random as they can be. */
class Wild {
  readonly client: Client;
  readonly #random: () => number;
  readonly #damages: readonly Damage[];
  readonly #isSlow: boolean;
  readonly #pods = new Map<string, Shape>();
  readonly #old = new Map<string, Shape[]>();
  readonly #wants: Want[] = [];
  readonly #lists: "contract" | "complete" | "partial" | "static";
  readonly #reportsDeletions: boolean;
  readonly #canList: boolean;
  readonly #hasStamps: boolean;
  readonly #hasServers: boolean;
  #todo: string[] = [];
  #process = 1;
  #version = 0;
  #readers = 0;

  constructor(seed: number, { hasMaskedDamage = true, isSlow = true }: WildOptions) {
    this.client = new Client(seed);
    this.#damages = hasMaskedDamage ? DAMAGES : DAMAGES.filter((damage) => damage !== "spec");
    this.#isSlow = isSlow;
    this.#random = seededRandom(seed * 7_919 + 1);
    this.#lists = this.#pick(["contract", "contract", "contract", "complete", "partial", "static"] as const);
    this.#reportsDeletions = this.#chance(0.9);
    this.#canList = this.#chance(0.85);
    this.#hasStamps = this.#chance(0.85);
    this.#hasServers = this.#chance(0.9);
    this.client.wallMs = Date.UTC(2026, 0);
  }

  #pick<T>(of: readonly T[]): T {
    return of[Math.floor((this.#random?.() ?? 0) * of.length)] as T;
  }

  #chance(p: number): boolean {
    return this.#random() < p;
  }

  get #seconds(): number {
    return Math.floor(this.client.nowMs / 1_000);
  }

  play(): void {
    this.#join();
    this.client.do({ do: "start" });
    const steps = 40 + Math.floor(this.#random() * 120);
    for (let i = 0; i < steps; i++) this.#act();
  }

  #act(): void {
    const { client } = this;
    const draw = this.#random();
    if (draw < 0.2) this.#change(this.#pick(UIDS));
    else if (draw < 0.53) this.#feed();
    else if (draw < 0.62) client.list === undefined ? this.#feed() : this.#list();
    else if (draw < 0.65)
      client.do({ do: "failed", code: this.#pick(["connection-lost", "dropped"]), retryable: true });
    else if (draw < 0.67) this.#restart();
    else if (draw < 0.685) this.#receive({ type: "UNKNOWN", code: this.#pick([7, 8, 9]) });
    else if (draw < 0.7) this.#readers < 4 || this.#wants.length < 3 ? this.#join() : this.#leave();
    else if (draw < 0.71) client.do({ do: "relist", inMs: this.#pick([0, 0, 1_000]) });
    else if (draw < 0.715) client.do({ do: "socket", replaced: this.#chance(0.5) });
    else if (draw < 0.72) client.wallMs += this.#pick([-3_600_000, 60_000, 3_600_000]);
    else if (draw < 0.77) this.#take();
    else client.advance(this.#duration(), () => this.#answer());
  }

  #duration(): number {
    const rare = this.#chance(0.03) ? [4_000_000, 22_000_000] : [];
    return this.#pick([1, 20, 500, 2_000, 5_000, 10_000, 12_000, 40_000, 60_000, 150_000, ...rare]);
  }

  /** The kubelet usually answers a new stream. */
  #answer(): void {
    if (this.#chance(0.2)) return;
    if (this.client.list !== undefined) {
      this.#list();
      if (this.#chance(0.5)) this.#list();
    }
    for (let i = 0; i < 12 && ["opening", "burst"].includes(this.client.phase); i++) this.#feed();
  }

  #join(): void {
    const fields: Fields = this.#chance(0.25)
      ? undefined
      : PATHS.filter((path) => path === "metadata.uid" || this.#chance(0.25));
    const want: Want = {
      name: `reader ${++this.#readers}`,
      fields,
      includeFinished: this.#chance(0.4),
      withoutBands: this.#chance(0.25) ? ["1"] : undefined,
      isSlow: this.#chance(0.3) && this.#isSlow,
      resyncIntervalMs: this.#pick([30_000, 120_000, 120_000]),
    };
    this.#wants.push(want);
    this.client.do({ do: "join", want });
  }

  #leave(): void {
    const want =
      this.#wants.length > 1 ? this.#wants.splice(Math.floor(this.#random() * this.#wants.length), 1)[0] : undefined;
    if (want !== undefined) this.client.do({ do: "leave", want });
  }

  #take(): void {
    const slow = this.#wants.filter(({ isSlow }) => isSlow);
    if (slow.length > 0)
      this.client.do({ do: "take", name: this.#pick(slow).name, most: this.#pick([1, 2, 3, 1_000]) });
  }

  /** The next step of a list beside the stream. */
  #list(): void {
    const { client } = this;
    const draw = this.#random();
    if (client.list === "queued") client.do({ do: "sent" });
    else if (draw < 0.1) client.do({ do: "bytes" });
    else if (draw < 0.2) {
      const code = this.#pick([
        "rate-limited",
        "rate-limited",
        "too-large",
        "connection-lost",
        "initializing",
        undefined,
      ]);
      client.do({ do: "unlisted", code, retryable: true });
    } else {
      const uids = UIDS.filter((uid) => this.#pods.get(uid)?.isListed && !this.#chance(0.04));
      if (this.#chance(0.05)) uids.push(this.#pick(UIDS));
      client.do({ do: "listed", pods: uids.flatMap((uid) => this.#messageOf("ADDED", uid) ?? []) });
    }
  }

  #receive(message: Received): void {
    this.client.do({ do: "receive", message });
  }

  /** The next message of a stream, or its failure. */
  #feed(): void {
    const { client } = this;
    if (client.phase === "opening" && !client.isConnected) {
      this.#connect();
      return;
    }
    if (client.phase !== "live" && client.isConnected) {
      const count = 1 + Math.floor(this.#random() * 6);
      for (let i = 0; i < count && client.isConnected && client.phase !== "live"; i++) {
        const uid = this.#todo.shift();
        if (uid === undefined) this.#receive({ type: "SYNCED" });
        else this.#send(this.#chance(0.97) ? "ADDED" : this.#pick(["DELETED", "MODIFIED"]), uid);
      }
      return;
    }
    const draw = this.#random();
    this.#send(draw < 0.2 ? "ADDED" : draw < 0.75 ? "MODIFIED" : "DELETED", this.#pick(UIDS));
    if (this.#chance(0.01)) this.#receive({ type: "SYNCED" });
  }

  #connect(): void {
    if (this.#chance(0.12)) {
      const code = this.#pick([
        "connection-refused",
        "connection-lost",
        "dropped",
        "rate-limited",
        "too-large",
        "not-permitted",
      ]);
      if (code !== "not-permitted" || this.#chance(0.5)) this.client.do({ do: "failed", code, retryable: true });
      return;
    }
    this.#todo = UIDS.filter((uid) => this.#pods.get(uid)?.isListed && !this.#chance(0.04));
    if (this.#chance(0.05)) this.#todo.push(this.#pick(UIDS));
    this.#receive({
      type: "CONNECTED",
      server: this.#hasServers ? String(this.#process) : "file",
      ...(this.#chance(0.95) && { connection: String(this.#process) }),
      ...(this.#lists !== "contract" && { lists: this.#lists }),
      ...(!this.#reportsDeletions && { reportsDeletions: false }),
      ...(this.#chance(0.05) && { ageMs: 1_000 }),
      ...(this.#chance(0.05) && { resyncIntervalMs: 20_000 }),
      ...(this.#canList && { canList: true }),
    });
    if (this.#chance(0.04)) this.client.do({ do: "failed", code: "initializing", retryable: true });
  }

  #send(type: "ADDED" | "MODIFIED" | "DELETED", uid: string): void {
    const pod = this.#messageOf(type, uid);
    if (pod !== undefined) this.#receive({ type, pod });
  }

  /** Returns a message about a pod, now and then an old or a damaged one. */
  #messageOf(type: "ADDED" | "MODIFIED" | "DELETED", uid: string): Uint8Array | undefined {
    const old = this.#old.get(uid) ?? [];
    const shown = old.length > 0 && this.#chance(0.12) ? this.#pick(old) : this.#pods.get(uid);
    const shape = shown ?? this.#fresh(uid);
    if (shown === undefined && type !== "DELETED" && this.#chance(0.5)) return undefined;
    const damage = this.#chance(type === "DELETED" ? 0.02 : 0.05) ? this.#damage(type) : undefined;
    return messageOf(shape, damage);
  }

  #damage(type: string): Damage {
    return type === "DELETED" ? "uid" : this.#pick(this.#damages);
  }

  #fresh(uid: string): Shape {
    return {
      uid,
      version: ++this.#version,
      createdSeconds: this.#seconds,
      stamp: this.#hasStamps ? this.#process * 1_000 + (uid[1] === "1" ? this.#seconds % 900 : 0) : 0,
      phase: "Running",
      isRunning: true,
      startedSeconds: this.#process * 1_000 + this.#seconds,
      run: 0,
      isEmpty: false,
      grace: this.#pick([undefined, 0, 5, 30, 3_600]),
      isTerminating: false,
      hasFinalizers: false,
      address: this.#pick(["", "10.0.0.1", "10.0.0.2"]),
      isListed: true,
    };
  }

  /** Changes a pod of the node. */
  #change(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) {
      this.#pods.set(uid, this.#fresh(uid));
      return;
    }
    this.#old.set(uid, [...(this.#old.get(uid) ?? []), pod].slice(-3));
    const draw = this.#random();
    if (draw > 0.95) this.#pods.delete(uid);
    else this.#pods.set(uid, { ...pod, version: ++this.#version, ...this.#changeOf(pod, draw) });
  }

  #changeOf(pod: Shape, draw: number): Partial<Shape> {
    if (draw < 0.22) return {};
    if (draw < 0.37)
      return pod.isRunning
        ? { isRunning: false }
        : { isRunning: true, run: pod.run + 1, startedSeconds: this.#process * 1_000 + this.#seconds };
    if (draw < 0.4) return { version: pod.version, isRunning: !pod.isRunning };
    if (draw < 0.47) return { phase: this.#pick(["Running", "Failed", "Succeeded", "Pending"]) };
    if (draw < 0.55) return { isEmpty: !pod.isEmpty };
    if (draw < 0.62)
      return { isTerminating: true, ...(this.#chance(0.5) && { deletionGrace: this.#pick([0, 3, 40]) }) };
    if (draw < 0.67 && this.#hasStamps) return { stamp: this.#process * 1_000 + (this.#seconds % 900) + 1 };
    if (draw < 0.69) return { createdSeconds: pod.createdSeconds + 1 };
    if (draw < 0.71) return { hasFinalizers: !pod.hasFinalizers };
    if (draw < 0.73) return { address: this.#pick(["", "10.0.0.1", "10.0.0.3"]) };
    if (draw < 0.9) return { isListed: !pod.isListed };
    return { phase: this.#pick(["Failed", "Succeeded"]), isRunning: false };
  }

  /** Another kubelet process. */
  #restart(): void {
    this.#process++;
    for (const [uid, pod] of this.#pods) {
      if (this.#hasStamps && this.#chance(0.95))
        this.#pods.set(uid, { ...pod, stamp: this.#process * 1_000, ...(this.#chance(0.15) && { isEmpty: true }) });
    }
    this.client.do({ do: "failed", code: "connection-lost", retryable: true });
  }
}

/** Plays one random sequence. */
export function playWild(seed: number, options: WildOptions = {}): Client {
  const wild = new Wild(seed, options);
  wild.play();
  return wild.client;
}
