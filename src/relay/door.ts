import { invalidArgument } from "../errors/pods-error.js";
import { checkOptions, checkText, type OptionTypes } from "../option-checks.js";
import { type PodMask, podMask, resolveMask } from "../pod/mask.js";
import type { DoorPlace } from "../serving/door-socket.js";
import { MAX_NAMESPACES, MAX_SHOWN_CHARACTERS, type Shown } from "../sources/shown.js";

/** A socket on which a relay shows pods, with what it shows there, and its limits. */
export interface Door extends DoorPlace {
  /** The protocol: gRPC with the kubelet's own contract, or HTTP with JSON. */
  readonly serve: "grpc" | "http";
  /**
   * The fields of pods that readers see. With any mask they also see the fields that a client needs to follow a pod: its identity, phase,
   * which of its containers run, and the kubelet's own four annotations (`kubernetes.io/config.seen`, `source`, `hash`, `mirror`).
   *
   * @default identity, labels, owners, node, images, resources and status: no environment, arguments, annotations or volumes
   */
  readonly mask?: readonly string[] | PodMask | undefined;
  /**
   * The namespaces whose pods readers see, at most 100.
   *
   * @default all
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * How many connections may be open. Further ones are closed at once.
   *
   * @default 64
   */
  readonly maxConnections?: number | undefined;
  /**
   * How many requests per second the door answers in the long run. More are refused. A watch counts as one request.
   *
   * @default 100
   */
  readonly maxRequestsPerSecond?: number | undefined;
  /**
   * How long the kubelet may be away, in milliseconds, until calls are refused with UNAVAILABLE, or 503. Watches go on, and tell the
   * changes when it is back.
   *
   * @default 300_000
   */
  readonly maxStaleMs?: number | undefined;
  /**
   * How long a reader may leave sent data unread, in milliseconds, until its stream is reset.
   *
   * @default 30_000
   */
  readonly stallMs?: number | undefined;
}

/** A door whose options are checked. */
export interface CheckedDoor {
  readonly place: DoorPlace;
  readonly serve: Door["serve"];
  readonly shown: Shown;
  readonly maxConnections: number;
  readonly maxRequestsPerSecond: number;
  readonly maxStaleMs: number;
  readonly stallMs: number;
}

/** The fields that a door shows by default. The status includes termination messages (`message`, at most 4 kB), which programs write. */
export const DOOR_MASK: PodMask = podMask(
  ...(["metadata.uid", "metadata.namespace", "metadata.name", "metadata.labels", "metadata.ownerReferences"] as const),
  ...(["metadata.generateName", "metadata.generation", "spec.nodeName", "spec.hostNetwork"] as const),
  ...(["spec.restartPolicy", "spec.serviceAccountName", "spec.priority", "spec.priorityClassName"] as const),
  ...(["spec.runtimeClassName", "spec.readinessGates", "spec.resources", "spec.overhead"] as const),
  ...(["spec.initContainers.name", "spec.initContainers.image", "spec.initContainers.resources"] as const),
  ...(["spec.initContainers.restartPolicy", "spec.containers.name", "spec.containers.image"] as const),
  ...(["spec.containers.resources", "spec.ephemeralContainers.ephemeralContainerCommon.name"] as const),
  ...(["spec.ephemeralContainers.ephemeralContainerCommon.image", "status"] as const),
);

const OPTIONS: OptionTypes<Door> = {
  path: "string",
  mode: "number",
  group: "group",
  serve: "string",
  mask: "mask",
  namespaces: "list",
  maxConnections: "number",
  maxRequestsPerSecond: "number",
  maxStaleMs: "number",
  stallMs: "number",
};

/** @throws PodsError `invalid-argument`. */
export function checkDoor(door: Door): CheckedDoor {
  checkOptions(door, OPTIONS, "door");
  const { path, mode, group, serve, namespaces } = door;
  if (path === undefined)
    throw invalidArgument("door: it has no path", '{ path: "/run/kubelet-pods/pods.sock", serve: "grpc" }');
  if (serve !== "grpc" && serve !== "http") throw invalidArgument("door: serve: neither grpc nor http");
  const mask = resolveMask(door.mask, "door") ?? DOOR_MASK;
  if (mask.toString().length > MAX_SHOWN_CHARACTERS)
    throw invalidArgument("door: mask: too long", "name whole messages");
  if (namespaces !== undefined && (namespaces.length === 0 || namespaces.length > MAX_NAMESPACES))
    throw invalidArgument(`door: namespaces: from 1 to ${MAX_NAMESPACES} are expected`, "leave it out for all");
  for (const each of namespaces ?? []) {
    checkText(each, "door: a namespace");
    if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(each))
      throw invalidArgument("door: namespaces: one that cannot be");
  }
  return {
    place: { path, mode, group },
    serve,
    shown: { mask, namespaces },
    maxConnections: wholeOf(door.maxConnections ?? 64, "maxConnections"),
    maxRequestsPerSecond: wholeOf(door.maxRequestsPerSecond ?? 100, "maxRequestsPerSecond"),
    maxStaleMs: wholeOf(door.maxStaleMs ?? 300_000, "maxStaleMs"),
    stallMs: wholeOf(door.stallMs ?? 30_000, "stallMs"),
  };
}

function wholeOf(value: number, name: string): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw invalidArgument(`door: ${name}: a whole number from 1 is expected`);
}
