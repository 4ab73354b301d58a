import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { EventType, WatchPodsEventSchema } from "../gen/v1alpha1/pods_pb.js";
import type { Entry } from "../known/entry.js";
import { decodeBy, decodePod } from "../pod/decode.js";
import { HEAD_MASK } from "../pod/head.js";
import { HASH_ANNOTATION, MIRROR_ANNOTATION, SEEN_ANNOTATION, SOURCE_ANNOTATION } from "../pod/lifecycle.js";
import { covers, type PodMask, podMask } from "../pod/mask.js";
import type { PodMessage } from "../pod/pod.js";
import { scanHead } from "../pod/scan.js";
import { toKubernetesJson } from "../pod/to-json.js";
import type { Reading } from "../readers/consumer.js";

/** The annotations that the kubelet writes itself, and that clients follow pods by. Every door shows them. */
const KUBELETS_OWN = [SEEN_ANNOTATION, SOURCE_ANNOTATION, HASH_ANNOTATION, MIRROR_ANNOTATION];

const ANNOTATIONS = podMask("metadata.annotations");

/** The type of an event about a pod. */
type PodEventType = "ADDED" | "MODIFIED" | "DELETED";

/** A pod as one door shows it. Its messages are made once for all readers. */
export class ShownPod {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #events: Partial<Record<PodEventType, Uint8Array>> = {};
  #json: string | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }

  /** Returns the message of a watch for an event of this type. */
  event(type: PodEventType): Uint8Array {
    this.#events[type] ??= toBinary(
      WatchPodsEventSchema,
      create(WatchPodsEventSchema, { type: EventType[type], pod: this.bytes }),
    );
    return this.#events[type];
  }

  /** The pod as Kubernetes JSON; undefined if JSON cannot express it, for example a time in the year 10000. */
  get json(): string | undefined {
    if (this.#json === undefined) {
      try {
        this.#json = JSON.stringify(toKubernetesJson(decodePod(this.bytes)));
      } catch {
        this.#json = "";
      }
    }
    return this.#json || undefined;
  }

  get uid(): string {
    return scanHead(this.bytes).head.uid;
  }
}

/** Returns an unreadable pod with only its UID, so that readers know that a pod exists which the relay cannot read. */
export function unreadablePod(uid: string): ShownPod {
  const metadata = toBinary(PodSchema, create(PodSchema, { metadata: { uid } }));
  return new ShownPod(Uint8Array.of(...metadata, NO_TAG));
}

/** A tag that no message has: field 0 with an invalid wire type. */
const NO_TAG = 7;

/** Cuts pods to what a door shows: the fields of its mask and of {@link HEAD_MASK}, without unknown fields. */
export class ShownPods implements Reading<ShownPod> {
  /** The fields that must be known of each pod. */
  readonly mask: PodMask;
  readonly #hasAnnotations: boolean;
  readonly #shown = new WeakMap<Entry, ShownPod>();

  constructor(mask: PodMask) {
    this.mask = mask.union(HEAD_MASK);
    this.#hasAnnotations = covers(mask, ANNOTATIONS);
  }

  read(entry: Entry): ShownPod {
    let shown = this.#shown.get(entry);
    if (shown === undefined) {
      shown = new ShownPod(this.pick(entry.bytes));
      this.#shown.set(entry, shown);
    }
    return shown;
  }

  /** Returns true if readers see no difference. A change of hidden fields is not told, not even that it happened. */
  same(before: Entry, now: Entry): boolean {
    return Buffer.compare(this.read(before).bytes, this.read(now).bytes) === 0;
  }

  /** Returns the shown fields of a pod, as new bytes. @throws Error if the pod cannot be read. */
  pick(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const pod = decodeBy(this.mask.plan, bytes) as PodMessage;
    if (!this.#hasAnnotations && pod.metadata !== undefined) {
      const { annotations } = pod.metadata;
      const own = KUBELETS_OWN.flatMap((key) => (annotations[key] === undefined ? [] : [[key, annotations[key]]]));
      pod.metadata.annotations = Object.fromEntries(own);
    }
    return toBinary(PodSchema, pod);
  }
}
