import type { ContainerState, ContainerStatus } from "../../gen/k8s/io/api/core/v1/pod_pb.js";
import type { Entry } from "../../known/entry.js";
import { Facet } from "../../known/facet.js";
import { type ContainerKind, statusesOf, statusPaths } from "../../pod/container-run.js";
import { type PodMask, podMask } from "../../pod/mask.js";
import type { MaskedPod } from "../../pod/masked-pod.js";

/** The parts of a container's status that its lives are read from. */
export interface ContainerReport
  extends Pick<ContainerStatus, "name" | "restartCount" | "image" | "imageID" | "containerID"> {
  readonly state?: Pick<ContainerState, "running" | "terminated"> | undefined;
  readonly lastState?: Pick<ContainerState, "terminated"> | undefined;
}

/** The containers of one state of a pod. */
export interface PodReport {
  readonly containers: readonly (readonly [kind: ContainerKind, report: ContainerReport])[];
}

const MASK = podMask(
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  ...statusPaths("name", "restartCount", "image", "imageID", "containerID"),
  ...statusPaths("state.running", "state.terminated", "lastState.terminated"),
);

/** The fields that must be known of a pod whose containers are watched. */
export const REPORT_MASK: PodMask = MASK;
const facet = new Facet(MASK, readReport);
const reports = new WeakMap<Entry, PodReport>();

/**
 * Reads the containers of an entry, once for all readers; undefined if too little is known of the pod. `known` was read from the earlier
 * entry `from`.
 */
export function reportOf(entry: Entry, known?: PodReport, from?: Entry): PodReport | undefined {
  const report = reports.get(entry) ?? facet.of(entry, known, from);
  if (report !== undefined) reports.set(entry, report);
  return report;
}

function readReport({ spec, status }: MaskedPod<typeof MASK>): PodReport {
  // If two containers have the same name, which no kubelet writes, the first counts.
  const containers = new Map<string, readonly [ContainerKind, ContainerReport]>();
  for (const each of statusesOf<ContainerReport>({ spec, status })) {
    const key = `${each[0]} ${each[1].name}`;
    if (!containers.has(key)) containers.set(key, each);
  }
  return { containers: [...containers.values()] };
}
