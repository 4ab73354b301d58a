// A pod of the model, and its bytes.

import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { PodSchema, PodStatusSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { BODY_LENGTHS, fillerFor } from "../pod/random-pods.js";

export interface ModelPod {
  uid: string;
  version: number;
  /** The phase is Failed. Containers may still run. */
  failed: boolean;
  /** Containers have ended; the kubelet has said DELETED. */
  finished: boolean;
  /** Its containers have ended, whatever its phase. */
  stopped?: boolean;
  /** Its deletion was asked for. */
  terminating?: boolean;
  isStatic: boolean;
  created: number;
  /** Its grace period in seconds; undefined where it says nothing. */
  graceSeconds?: number;
}

/** A label by which pods come into selections and leave them, as their versions go by. */
export function bandOf(version: number): number {
  return version % 3;
}

const encoded = new Map<string, Uint8Array>();

/** The bytes of a pod as a kubelet process sends it, stamped by it; the same ones for the same state. */
export function encode(pod: ModelPod, seenBy: number | undefined, identityOnly = false): Uint8Array {
  const key = `${identityOnly ? pod.uid : JSON.stringify(pod)} ${seenBy}`;
  let bytes = encoded.get(key);
  if (bytes === undefined) {
    if (encoded.size > 100_000) encoded.clear();
    bytes = encodeAnew(pod, seenBy, identityOnly);
    encoded.set(key, bytes);
  }
  return bytes;
}

function encodeAnew(pod: ModelPod, seenBy: number | undefined, identityOnly: boolean): Uint8Array {
  const metadata = { uid: pod.uid, name: `name-${pod.uid}`, namespace: "ns" };
  if (identityOnly) return toBinary(PodSchema, create(PodSchema, { metadata }));
  const running = !pod.finished && pod.stopped !== true;
  return toBinary(
    PodSchema,
    create(PodSchema, {
      metadata: {
        ...metadata,
        ...(pod.terminating === true && { deletionTimestamp: { seconds: BigInt(pod.created), nanos: 0 } }),
        ...(pod.isStatic ? {} : { creationTimestamp: { seconds: BigInt(pod.created), nanos: 0 } }),
        labels: { version: String(pod.version), band: String(bandOf(pod.version)) },
        annotations: {
          "kubernetes.io/config.source": pod.isStatic ? "file" : "api",
          ...(seenBy !== undefined && { "kubernetes.io/config.seen": `at the start of process ${seenBy}` }),
        },
      },
      ...(pod.graceSeconds !== undefined && { spec: { terminationGracePeriodSeconds: BigInt(pod.graceSeconds) } }),
      status: statusOf(pod.uid, {
        phase: pod.stopped !== true && (pod.failed || pod.finished) ? "Failed" : "Running",
        containerStatuses: [{ name: "c", state: running ? { running: {} } : { terminated: { exitCode: 1 } } }],
      }),
    }),
  );
}

/** The status of a pod, with one of the lengths that are easily got wrong: a long one for few pods, none for some. */
function statusOf(
  uid: string,
  status: MessageInitShape<typeof PodStatusSchema>,
): MessageInitShape<typeof PodStatusSchema> {
  const draw = [...uid].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_009, 7);
  const length = BODY_LENGTHS[draw % 100 < 95 ? draw % 7 : draw % 10];
  if (length === undefined || (length > 1_000 && draw % 100 < 95)) return status;
  const message = fillerFor(length, (message) => {
    return toBinary(PodStatusSchema, create(PodStatusSchema, { ...status, message })).length;
  });
  return { ...status, ...(message !== undefined && { message }) };
}
