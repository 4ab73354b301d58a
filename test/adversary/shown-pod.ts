// A pod as a kubelet shows it, and its bytes.

import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type ContainerStatusSchema,
  PodSchema,
  type PodStatusSchema,
} from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { BODY_LENGTHS, fillerFor } from "../pod/random-pods.js";
import { BY_KUBELET, REJECTED, STOPS } from "./stops.js";
import type { Said } from "./teller.js";

/** How a message can be damaged: its end is cut off, nothing of it can be read, a container of its spec cannot, its UID is missing. */
export type Damage = "tail" | "all" | "body" | "uid";

/** The end of a container; without an ID and without times where the kubelet only infers it. */
interface EndShown {
  readonly id?: string;
  readonly startedMs?: number | undefined;
  readonly finishedMs?: number | undefined;
  readonly exitCode?: number;
  readonly reason?: string;
}

export interface StatusShown {
  readonly name: string;
  readonly id: string;
  readonly count: number;
  readonly state: "waiting" | "running" | "terminated";
  readonly startedMs?: number;
  readonly end?: EndShown;
  readonly last?: EndShown | undefined;
}

export interface Shown {
  readonly uid: string;
  readonly name: string;
  readonly isStatic: boolean;
  readonly createdS: number;
  /** When the process first saw it: kubernetes.io/config.seen. */
  readonly seen: string;
  /** The number of its state: each other one has another. */
  readonly version: number;
  readonly phase: string;
  readonly reason: string;
  readonly message?: string | undefined;
  /** The condition DisruptionTarget. */
  readonly condition?: { readonly reason: string; readonly message: string } | undefined;
  readonly isDeleted: boolean;
  /** When it was deleted. */
  readonly deletedMs?: number;
  readonly ip: string | undefined;
  /** The containers of its spec. */
  readonly names: readonly string[];
  readonly containers: readonly StatusShown[];
  /** Its containers are to end, and none is to come. */
  readonly isEnding?: boolean;
}

/** The grace period of a deletion. A program that ignores SIGTERM is killed after it. */
export const GRACE_MS = 2_000;

/** A label by which pods come into a selection, and leave it, as their versions go by. */
export function bandOf(version: number): number {
  return version % 3;
}

export function saidOf(shown: Shown, damage?: Damage, isGone = false): Said {
  const { uid, version, ip, isDeleted, containers } = shown;
  const isOfStatus = shown.phase === "Failed" && [REJECTED, ...STOPS].some(({ reason }) => reason === shown.reason);
  const ids = (which: (status: StatusShown) => boolean) => containers.filter(which).map(({ id }) => id);
  return {
    uid,
    version,
    ip,
    isDeleted,
    isStopped: isOfStatus || shown.condition?.reason === BY_KUBELET,
    isBare: containers.length === 0,
    running: ids(({ state }) => state === "running"),
    waiting: ids(({ state, id, last }) => state === "waiting" && id !== "" && id !== last?.id),
    ended: containers.flatMap(({ end, last }) => [end?.id, last?.id].filter((id) => id !== undefined)),
    ...(damage !== undefined && { isDamaged: true }),
    ...(isGone && { isGone }),
  };
}

const written = new WeakMap<Shown, Uint8Array>();

/** The bytes of a pod; DELETED has its identity alone. */
export function bytesOf(shown: Shown, damage?: Damage, identityOnly = false): Uint8Array {
  const isPlain = damage !== "uid" && !identityOnly;
  const known = isPlain ? written.get(shown) : undefined;
  const metadata = { uid: damage === "uid" ? "" : shown.uid, name: shown.name, namespace: "ns" };
  const pod = known ?? toBinary(PodSchema, create(PodSchema, identityOnly ? { metadata } : contentOf(shown, metadata)));
  if (isPlain) written.set(shown, pod);
  if (damage === "all") return Uint8Array.of(0x0a, 200, 1);
  if (damage === "tail") return Uint8Array.from([...pod, 0x1a, 200]);
  if (damage === "body") return Uint8Array.from([...pod, 0x12, 0x04, 0x12, 0x02, 0x0a, 0x7f]); // a container of its spec
  return pod;
}

function contentOf(
  shown: Shown,
  metadata: { uid: string; name: string; namespace: string },
): MessageInitShape<typeof PodSchema> {
  const { isStatic, createdS, seen, version, deletedMs, names } = shown;
  return {
    metadata: {
      ...metadata,
      ...(isStatic ? {} : { creationTimestamp: { seconds: BigInt(createdS) } }),
      ...(deletedMs !== undefined && {
        deletionTimestamp: timeOf(deletedMs + GRACE_MS),
        deletionGracePeriodSeconds: BigInt(GRACE_MS / 1_000),
      }),
      labels: { version: String(version), band: String(bandOf(version)) },
      annotations: { "kubernetes.io/config.source": isStatic ? "file" : "api", "kubernetes.io/config.seen": seen },
    },
    spec: { terminationGracePeriodSeconds: 20n, containers: names.map((name) => ({ name, image: "i" })) },
    status: statusOf(shown),
  };
}

/** The IPv6 address of a pod that has an IPv4 address. */
function secondOf(ip: string): string {
  return `fd00::${ip.split(".").at(-1)}`;
}

/** The spellings of both addresses of a pod. */
export function spellingsOf(ip: string): readonly string[] {
  const last = ip.split(".").at(-1);
  return [ip, ip, ip, `::ffff:${ip}`, `0:0:0:0:0:FFFF:a00:${last}`, secondOf(ip), `FD00:0::0:${last}%eth0`];
}

function statusOf(shown: Shown): MessageInitShape<typeof PodStatusSchema> {
  const { uid, phase, reason, message: why = "", condition, ip, containers } = shown;
  const status: MessageInitShape<typeof PodStatusSchema> = {
    phase,
    reason,
    message: why,
    conditions: condition === undefined ? [] : [{ type: "DisruptionTarget", status: "True", ...condition }],
    ...(ip !== undefined && { podIP: ip, podIPs: [{ ip }, { ip: secondOf(ip) }] }),
    containerStatuses: containers.map(containerOf),
  };
  // Some have a length whose number takes a byte more, which is easily got wrong.
  const draw = [...uid].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_009, 7);
  const length = draw % 4 === 0 ? BODY_LENGTHS[draw % 5] : undefined;
  if (length === undefined) return status;
  const message = fillerFor(
    length,
    (text) => toBinary(PodSchema, create(PodSchema, { status: { ...status, nominatedNodeName: text } })).length - 3,
  );
  return { ...status, ...(message !== undefined && { nominatedNodeName: message }) };
}

function containerOf(shown: StatusShown): MessageInitShape<typeof ContainerStatusSchema> {
  const { name, id, count, state, startedMs, end, last } = shown;
  let now: NonNullable<MessageInitShape<typeof ContainerStatusSchema>["state"]> = {
    waiting: { reason: "ContainerCreating" },
  };
  if (state === "running") now = { running: { startedAt: timeOf(startedMs) } };
  else if (state === "terminated" && end !== undefined) now = terminated(end);
  return {
    name,
    image: "i",
    restartCount: count,
    containerID: id === "" ? "" : `containerd://${id}`,
    state: now,
    ...(last !== undefined && { lastState: terminated(last) }),
  };
}

function terminated({ id, startedMs, finishedMs, exitCode = 137, reason = "ContainerStatusUnknown" }: EndShown) {
  return {
    terminated: {
      exitCode,
      reason,
      ...(id !== undefined && {
        containerID: `containerd://${id}`,
        startedAt: timeOf(startedMs),
        finishedAt: timeOf(finishedMs),
      }),
    },
  };
}

/** Whole seconds, as Kubernetes writes them, since the first second of 2026. */
function timeOf(ms = 0): { seconds: bigint } {
  return { seconds: BigInt(Math.floor((Date.UTC(2026, 0) + ms) / 1_000)) };
}
