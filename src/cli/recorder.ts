import { create, toBinary } from "@bufbuild/protobuf";
import { PodsError } from "../errors/pods-error.js";
import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { decodeBy } from "../pod/decode.js";
import { HEAD_MASK } from "../pod/head.js";
import { HASH_ANNOTATION, MIRROR_ANNOTATION, SEEN_ANNOTATION, SOURCE_ANNOTATION } from "../pod/lifecycle.js";
import { type PodMask, podMask } from "../pod/mask.js";
import type { Pod } from "../pod/pod.js";
import { scanHead } from "../pod/scan.js";
import type { SourceEvent } from "../sources/pod-source.js";
import type { RecordingLine } from "../testing/recording.js";

/** The recorded fields by default. The status includes termination messages (`message`, at most 4 kB), which programs write. */
export const RECORDED_MASK: PodMask = podMask(
  ...(["metadata.uid", "metadata.namespace", "metadata.name", "metadata.labels", "metadata.ownerReferences"] as const),
  ...(["metadata.generateName", "metadata.generation", "spec.nodeName", "spec.hostNetwork"] as const),
  ...(["spec.restartPolicy", "spec.serviceAccountName", "spec.priority", "spec.priorityClassName"] as const),
  ...(["spec.runtimeClassName", "spec.readinessGates", "spec.resources", "spec.overhead"] as const),
  ...(["spec.initContainers.name", "spec.initContainers.image", "spec.initContainers.resources"] as const),
  ...(["spec.initContainers.restartPolicy", "spec.containers.name", "spec.containers.image"] as const),
  ...(["spec.containers.resources", "spec.ephemeralContainers.ephemeralContainerCommon.name"] as const),
  ...(["spec.ephemeralContainers.ephemeralContainerCommon.image", "status"] as const),
);

/** The annotations that the kubelet writes. Clients need them to identify pods. Only these are recorded. */
const KUBELETS_OWN = [SEEN_ANNOTATION, SOURCE_ANNOTATION, HASH_ANNOTATION, MIRROR_ANNOTATION];

/** A tag that no message has: field 0 with an invalid wire type. */
const NO_TAG = 7;

/**
 * Fields that may be secret, and are never recorded: environment, arguments and all commands of containers, annotations, and the managed
 * fields, which name both.
 */
const NEVER: readonly string[] = [
  "metadata.annotations",
  "metadata.managedFields",
  ...["spec.containers", "spec.initContainers", "spec.ephemeralContainers.ephemeralContainerCommon"].flatMap((list) =>
    ["env", "envFrom", "args", "command", "lifecycle", "livenessProbe", "readinessProbe", "startupProbe"].map(
      (field) => `${list}.${field}`,
    ),
  ),
];

/** Returns the paths of a mask that are never recorded. */
export function secretPaths(mask: PodMask): string[] {
  return NEVER.filter((path) =>
    mask.paths.some((chosen) => chosen === path || path.startsWith(`${chosen}.`) || chosen.startsWith(`${path}.`)),
  );
}

/** A line without its time. */
type UntimedLine = RecordingLine extends infer L ? (L extends RecordingLine ? Omit<L, "atMs"> : never) : never;

/** Makes the lines of a recording from a kubelet's events and lists. Pure: no clock, no I/O. */
export class Recorder {
  readonly #write: (line: UntimedLine) => void;
  readonly #mask: PodMask;
  readonly #lists = new Map<string, Uint8Array>();
  #phase: "down" | "initializing" | "up" = "down";
  #starts = 0;
  /** The socket of the last kubelet that answered. */
  #server: string | undefined;
  /** The pods of the incoming list. */
  #burst: Uint8Array[] | undefined;

  constructor(mask: PodMask, write: (line: UntimedLine) => void) {
    this.#mask = mask.union(HEAD_MASK);
    this.#write = write;
  }

  get size(): number {
    return this.#lists.size;
  }

  /** True once a kubelet has answered. */
  get hasHeard(): boolean {
    return this.#starts > 0;
  }

  /** Records an event of a stream. Returns true if lists may have changed, too. */
  take(event: SourceEvent, server: string): boolean {
    if (event.type === "CONNECTED") {
      this.#burst = [];
      return false;
    }
    if (event.type === "SYNCED") {
      // Before the line of the start: a replay answers from then on.
      this.listed(this.#burst ?? []);
      this.#burst = undefined;
      this.#up(server);
    } else if (event.type === "UNKNOWN") this.#write({ unknown: true });
    else if (this.#burst !== undefined) this.#burst.push(Uint8Array.from(event.pod));
    else {
      this.#write({ event: event.type, pod: this.#read(event.pod).pod });
      return true;
    }
    return false;
  }

  listed(pods: readonly Uint8Array[]): void {
    const now = new Map(pods.map((bytes) => this.#read(bytes)).map(({ uid, pod }) => [uid, pod]));
    for (const uid of this.#lists.keys()) {
      if (now.has(uid)) continue;
      this.#lists.delete(uid);
      this.#write({ list: uid });
    }
    for (const [uid, pod] of now) {
      const before = this.#lists.get(uid);
      if (before !== undefined && Buffer.compare(before, pod) === 0) continue;
      this.#lists.set(uid, pod);
      this.#write({ list: uid, pod });
    }
  }

  /** Records the error of a stream, or of an attempt to open one. */
  lost(error: unknown, server: string | undefined): void {
    this.#burst = undefined;
    const code = PodsError.is(error) ? error.code : undefined;
    if (code === "initializing") {
      if (this.#phase === "initializing") return;
      this.#stop();
      this.#write({ start: ++this.#starts, initializing: true });
      this.#phase = "initializing";
      this.#server = server;
    } else if (code === "connection-refused" || code === "socket-missing") this.#stop();
    else if (this.#phase === "up") this.#write({ cut: true });
  }

  /** Called when a kubelet answers, which may be the same as before. */
  #up(server: string): void {
    if (this.#phase === "up" && this.#server === server) return;
    if (this.#phase === "initializing" && this.#server === server) this.#write({ ready: true });
    else {
      this.#stop();
      this.#write({ start: ++this.#starts });
    }
    this.#phase = "up";
    this.#server = server;
  }

  #stop(): void {
    if (this.#phase === "down") return;
    this.#write({ stop: true });
    this.#phase = "down";
  }

  /** Returns the recorded fields of a pod. An unreadable pod is recorded as an unreadable one. */
  #read(bytes: Uint8Array): { uid: string; pod: Uint8Array } {
    try {
      const pod = this.#pick(bytes);
      return { uid: scanHead(pod).head.uid, pod };
    } catch {
      let uid = "";
      try {
        ({ uid } = scanHead(bytes).head);
      } catch {}
      const metadata = toBinary(PodSchema, create(PodSchema, { metadata: { uid } }));
      return { uid, pod: Uint8Array.of(...metadata, NO_TAG) };
    }
  }

  /** Returns the recorded fields of a pod, as new bytes. @throws Error if the pod cannot be read. */
  #pick(bytes: Uint8Array): Uint8Array {
    const pod = decodeBy(this.#mask.plan, bytes) as Pod;
    if (pod.metadata !== undefined) {
      const { annotations } = pod.metadata;
      const own = KUBELETS_OWN.flatMap((key) => (annotations[key] === undefined ? [] : [[key, annotations[key]]]));
      pod.metadata.annotations = Object.fromEntries(own);
    }
    return toBinary(PodSchema, pod);
  }
}
