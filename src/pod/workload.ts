import type { OwnerReference } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { isStaticSource, SOURCE_ANNOTATION } from "./lifecycle.js";
import type { Masked } from "./masked-pod.js";
import { type Needs, needed } from "./needs.js";
import type { Pod } from "./pod.js";
import { toDate } from "./time.js";

export const WORKLOAD_PATHS = [
  "metadata.name",
  "metadata.labels",
  "metadata.annotations",
  "metadata.creationTimestamp",
  "metadata.ownerReferences",
  "spec.nodeName",
] as const;
type WorkloadPaths = (typeof WORKLOAD_PATHS)[number];

/** The object that a pod's owner references name as its controller. */
export type Owner = Readonly<Pick<OwnerReference, "apiVersion" | "kind" | "name" | "uid">>;

/** The workload that a pod belongs to. */
export interface Workload {
  /** Kind of the workload, such as `Deployment` or `DaemonSet`. `Node` for a static pod. */
  readonly kind: string;
  /** Name of the workload. It is in the pod's namespace, unless it is a node. */
  readonly name: string;
  /** True if it was derived from the owner's name: a Deployment from its ReplicaSet, a CronJob from its Job. */
  readonly derived: boolean;
  /** Controller in the owner references of the pod. Undefined for a static pod, which has none. */
  readonly owner: Owner | undefined;
}

const MINUTE_MS = 60_000;

/** Maximum time between the due time of a CronJob's Job and the creation of its pod. A missed Job can start later. */
const MAX_LATE_MINUTES = 8 * 24 * 60;

/**
 * Returns the workload of a pod: its controller. For a ReplicaSet whose name ends with the pod's label `pod-template-hash` it is the
 * Deployment. For a Job whose name ends with the minute at which it was due, it is the CronJob. The workload of a static pod is its node.
 * The kubelet keeps the first owner references of a pod, so the result does not show a later adoption.
 *
 * @returns undefined if the pod has no controller.
 * @example
 * ```ts
 * for (const pod of await pods.listPods({ mask: podMasks.workloadOf })) {
 *   const { kind, name } = workloadOf(pod) ?? {};
 *   console.log(pod.metadata.name, kind, name);
 * }
 * ```
 */
export function workloadOf<P>(pod: Pod | (P & Needs<P, WorkloadPaths>)): Workload | undefined {
  return workloadIn(needed(pod, WORKLOAD_PATHS, "workloadOf"));
}

/** Returns the workload of a pod, as far as the present fields show it. */
export function workloadIn({ metadata, spec }: Masked<Pod, WorkloadPaths>): Workload | undefined {
  if (isStaticSource(metadata?.annotations[SOURCE_ANNOTATION])) {
    return { kind: "Node", name: spec?.nodeName ?? "", derived: false, owner: undefined };
  }
  const reference = metadata?.ownerReferences.find(({ controller }) => controller);
  if (metadata === undefined || reference === undefined) return undefined;
  const { apiVersion, kind, name, uid } = reference;
  const owner = { apiVersion, kind, name, uid };
  const behind = deploymentOf(owner, metadata.labels["pod-template-hash"]) ?? cronJobOf(owner, metadata);
  return { ...(behind ?? { kind, name, derived: false }), owner };
}

type Behind = Omit<Workload, "owner"> | undefined;

function deploymentOf({ kind, name }: Owner, hash: string | undefined): Behind {
  const suffix = `-${hash}`;
  if (kind !== "ReplicaSet" || !hash || !name.endsWith(suffix) || name === suffix) return undefined;
  return { kind: "Deployment", name: name.slice(0, -suffix.length), derived: true };
}

/** Returns the CronJob of a Job. The name of such a Job ends with its due time in minutes since 1970 (pkg/controller/cronjob). */
function cronJobOf({ kind, name }: Owner, { creationTimestamp }: Pick<Pod["metadata"], "creationTimestamp">): Behind {
  const [, cronJob, minutes] = (kind === "Job" && /^(.+)-(\d{8,9})$/.exec(name)) || [];
  const created = toDate(creationTimestamp);
  if (cronJob === undefined || created === undefined) return undefined;
  const lateMinutes = Math.floor(created.getTime() / MINUTE_MS) - Number(minutes);
  const isDue = lateMinutes >= 0 && lateMinutes <= MAX_LATE_MINUTES;
  return isDue ? { kind: "CronJob", name: cronJob, derived: true } : undefined;
}
