import { invalidArgument } from "../errors/pods-error.js";
import { isSidecar } from "./container-run.js";
import { hasReady, isFinalPhase } from "./lifecycle.js";
import { type Needs, needed } from "./needs.js";
import type { Pod } from "./pod.js";
import { readinessUnverifiedUntil } from "./readiness.js";

export const ENDPOINTS_PATHS = [
  "metadata.deletionTimestamp",
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "spec.initContainers.ports",
  "spec.containers.name",
  "spec.containers.ports",
  "status.phase",
  "status.podIP",
  "status.podIPs",
  "metadata.annotations",
  "spec.initContainers.readinessProbe",
  "spec.containers.readinessProbe",
  "status.conditions",
] as const;
type EndpointsPaths = (typeof ENDPOINTS_PATHS)[number];

/** An address and port of a pod, with the conditions of EndpointSlices. */
export interface PodEndpoint {
  /** IPv4 or IPv6 address of the pod. */
  readonly ip: string;
  /** Port number on that address. */
  readonly port: number;
  /** Name of the declared port. Empty if it has none, or if the port is not declared. */
  readonly portName: string;
  /** `TCP`, `UDP` or `SCTP`. */
  readonly protocol: string;
  /** Name of the container that declares the port. Undefined if the port is not declared. */
  readonly container: string | undefined;
  /** True if new connections can be sent here: `serving`, and not `terminating`. Undefined while readiness is unverified. */
  readonly ready: boolean | undefined;
  /** True if the pod's condition Ready is True, also while it is terminating. Undefined while readiness is unverified. */
  readonly serving: boolean | undefined;
  /** True if the pod is being deleted. */
  readonly terminating: boolean;
}

type DeclaredPort = Pick<PodEndpoint, "port" | "portName" | "protocol" | "container">;

/**
 * Returns the addresses and ports of a pod, as EndpointSlices have them, from the kubelet and without the API server. The result is empty
 * if the pod has no address, or its phase is Succeeded or Failed. Ports of sidecars are included.
 *
 * After a kubelet restart, `ready` and `serving` are undefined as long as Ready=False proves nothing, see {@link readinessUnverifiedUntil}.
 * As in EndpointSlices, treat undefined as true. No event is sent when that time is over, so call this function again then.
 *
 * @param pod a whole pod, or one with `podMasks.endpointsOf`.
 * @param port name of a declared port, or a number, which need not be declared. By default all declared ports.
 * @param protocol `TCP`, `UDP` or `SCTP`. By default every protocol; a number that is not declared is TCP.
 * @throws PodsError `invalid-argument` if the port is neither a name nor a number from 1 to 65535, the protocol is another one, or the mask
 * lacks a field.
 * @example
 * ```ts
 * for (const pod of await pods.listPods({ mask: podMasks.endpointsOf, labelSelector: "app=web" })) {
 *   for (const { ip, port, ready = true } of endpointsOf(pod, "http")) if (ready) console.log(`${ip}:${port}`);
 * }
 * ```
 */
export function endpointsOf<P>(
  pod: Pod | (P & Needs<P, EndpointsPaths>),
  port?: string | number,
  protocol?: "TCP" | "UDP" | "SCTP",
): PodEndpoint[] {
  const { metadata, spec, status } = needed(pod, ENDPOINTS_PATHS, "endpointsOf");
  checkPort(port, protocol);
  if (status === undefined || isFinalPhase(status.phase)) return [];
  const ips = status.podIPs.length > 0 ? status.podIPs.map(({ ip }) => ip) : [status.podIP];
  const sidecars = (spec?.initContainers ?? []).filter(isSidecar);
  const declared = [...(spec?.containers ?? []), ...sidecars].flatMap(({ name, ports }) =>
    ports.map((each): DeclaredPort => {
      return { port: each.containerPort, portName: each.name, protocol: each.protocol || "TCP", container: name };
    }),
  );
  const untilMs = readinessUnverifiedUntil(pod as Pod)?.getTime() ?? 0;
  const serving = untilMs > Date.now() ? undefined : hasReady(status.conditions);
  const terminating = metadata?.deletionTimestamp !== undefined;
  const conditions = { ready: terminating ? false : serving, serving, terminating };
  return ips
    .filter((ip) => ip !== "")
    .flatMap((ip) => chosen(declared, port, protocol).map((each) => ({ ip, ...each, ...conditions })));
}

/**
 * Returns the matching ports. A name matches only the first port with it (FindPort in k8s.io/endpointslice); a number need not be declared.
 */
function chosen(declared: readonly DeclaredPort[], port: string | number | undefined, protocol: string | undefined) {
  const ofProtocol = declared.filter((each) => protocol === undefined || each.protocol === protocol);
  if (port === undefined) return ofProtocol;
  if (typeof port === "string") return ofProtocol.filter(({ portName }) => portName === port).slice(0, 1);
  const known = ofProtocol.filter((each) => each.port === port);
  return known.length > 0 ? known : [{ port, portName: "", protocol: protocol ?? "TCP", container: undefined }];
}

function checkPort(port: unknown, protocol: unknown): void {
  if (protocol !== undefined && !["TCP", "UDP", "SCTP"].includes(protocol as string))
    throw invalidArgument("endpointsOf: protocol must be TCP, UDP or SCTP");
  // A port name has at least one letter. A number as a string would match nothing.
  if (port === undefined || (typeof port === "string" && /[a-z]/.test(port))) return;
  if (typeof port === "number" && Number.isInteger(port) && port >= 1 && port <= 65_535) return;
  throw invalidArgument(
    "endpointsOf: port must be the name of a port, or a number from 1 to 65535",
    'endpointsOf(pod, "http")',
  );
}
