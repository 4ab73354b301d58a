import type { ContainerState, ContainerStatus } from "../../gen/pod-types.js";
import type { Entry } from "../../known/entry.js";
import { type ContainerKind, statusesOf } from "../../pod/container-instance.js";
import { decodeBy } from "../../pod/decode.js";
import { enoughFor, type PodMask, podMask } from "../../pod/mask.js";
import type { MaskedPod } from "../../pod/masked-pod.js";
import { PodScanner } from "../../pod/scan.js";

/** The status of a container, as far as its lives are read from it. */
export interface ContainerReport
  extends Pick<ContainerStatus, "name" | "restartCount" | "image" | "imageID" | "containerID"> {
  readonly state?: Pick<ContainerState, "running" | "terminated"> | undefined;
  readonly lastState?: Pick<ContainerState, "terminated"> | undefined;
}

/** The containers of one version of a pod. */
export interface PodReport {
  readonly containers: readonly (readonly [kind: ContainerKind, report: ContainerReport])[];
  /** The bytes that they were read from. */
  readonly bytes: Uint8Array;
}

/** The paths that {@link reportOf} reads. */
const REPORT_PATHS = [
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "status.initContainerStatuses.name",
  "status.initContainerStatuses.state.running",
  "status.initContainerStatuses.state.terminated",
  "status.initContainerStatuses.lastState.terminated",
  "status.initContainerStatuses.restartCount",
  "status.initContainerStatuses.image",
  "status.initContainerStatuses.imageID",
  "status.initContainerStatuses.containerID",
  "status.containerStatuses.name",
  "status.containerStatuses.state.running",
  "status.containerStatuses.state.terminated",
  "status.containerStatuses.lastState.terminated",
  "status.containerStatuses.restartCount",
  "status.containerStatuses.image",
  "status.containerStatuses.imageID",
  "status.containerStatuses.containerID",
  "status.ephemeralContainerStatuses.name",
  "status.ephemeralContainerStatuses.state.running",
  "status.ephemeralContainerStatuses.state.terminated",
  "status.ephemeralContainerStatuses.lastState.terminated",
  "status.ephemeralContainerStatuses.restartCount",
  "status.ephemeralContainerStatuses.image",
  "status.ephemeralContainerStatuses.imageID",
  "status.ephemeralContainerStatuses.containerID",
] as const;

/** The fields that must be known of a pod whose containers are watched. */
export const REPORT_MASK: PodMask<(typeof REPORT_PATHS)[number]> = podMask(...REPORT_PATHS);
const isEnough = enoughFor(REPORT_MASK);
const scanner = new PodScanner(REPORT_MASK.plan, {});
const reports = new WeakMap<Entry, PodReport>();

/**
 * Reads the containers of a version of a pod: those of the version before, where they are the same, which most events leave as they
 * are. Returns undefined where too little is known of it.
 */
export function reportOf(entry: Entry, before?: PodReport): PodReport | undefined {
  if (!isEnough(entry.retained)) return undefined;
  let report = reports.get(entry);
  if (report === undefined) {
    scanner.scan(entry.bytes);
    const picked = scanner.keep(before?.bytes);
    // A buffer of its own: one that is shared with others would be kept whole.
    report = before !== undefined && picked === before.bytes ? before : readReport(new Uint8Array(picked));
    reports.set(entry, report);
  }
  return report;
}

function readReport(bytes: Uint8Array): PodReport {
  const { spec, status } = decodeBy(REPORT_MASK.plan, bytes) as MaskedPod<typeof REPORT_MASK>;
  // Of two entries with one name, which no kubelet writes, the first counts.
  const containers = new Map<string, readonly [ContainerKind, ContainerReport]>();
  for (const each of statusesOf<ContainerReport>({ spec, status })) {
    const key = `${each[0]} ${each[1].name}`;
    if (!containers.has(key)) containers.set(key, each);
  }
  return { containers: [...containers.values()], bytes };
}
