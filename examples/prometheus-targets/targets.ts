// What Prometheus' own discovery makes of pods (role: pod), for its discovery over HTTP.

import { isStatic, isTerminating, type MaskedPod, podMask } from "kubelet-pods";

export const targetsMask = podMask(
  "metadata.uid",
  "metadata.namespace",
  "metadata.name",
  "metadata.labels",
  "metadata.annotations",
  "metadata.ownerReferences",
  "metadata.deletionTimestamp",
  "spec.nodeName",
  "spec.containers.name",
  "spec.containers.image",
  "spec.containers.ports",
  "spec.initContainers.name",
  "spec.initContainers.image",
  "spec.initContainers.ports",
  "status.phase",
  "status.podIP",
  "status.hostIP",
  "status.conditions",
  "status.containerStatuses.name",
  "status.containerStatuses.containerID",
  "status.initContainerStatuses.name",
  "status.initContainerStatuses.containerID",
);

/** A group of targets as Prometheus reads it: https://prometheus.io/docs/prometheus/latest/http_sd/ */
export interface TargetGroup {
  targets: string[];
  labels: Record<string, string>;
}

const META = "__meta_kubernetes_";

/** Returns the targets of pods: one for each port of a container, or the address alone of one without ports. */
export function targetsOf(pods: readonly MaskedPod<typeof targetsMask>[]): TargetGroup[] {
  return pods.filter((pod) => !isTerminating(pod) && pod.status.podIP !== "").flatMap(targetsOfPod);
}

function targetsOfPod(pod: MaskedPod<typeof targetsMask>): TargetGroup[] {
  const { spec, status } = pod;
  const common = labelsOf(pod);
  const regular = spec.containers.map((container) => ({ container, statuses: status.containerStatuses }));
  const init = spec.initContainers.map((container) => ({ container, statuses: status.initContainerStatuses }));
  return [...regular, ...init].flatMap(({ container, statuses }) => {
    const labels = {
      ...common,
      [`${META}pod_container_name`]: container.name,
      [`${META}pod_container_id`]: statuses.find(({ name }) => name === container.name)?.containerID ?? "",
      [`${META}pod_container_image`]: container.image,
      [`${META}pod_container_init`]: String(statuses === status.initContainerStatuses),
    };
    if (container.ports.length === 0) return [{ targets: [status.podIP], labels }];
    return container.ports.map(({ name, containerPort, protocol }) => ({
      targets: [`${status.podIP.includes(":") ? `[${status.podIP}]` : status.podIP}:${containerPort}`],
      labels: {
        ...labels,
        [`${META}pod_container_port_name`]: name,
        [`${META}pod_container_port_number`]: String(containerPort),
        [`${META}pod_container_port_protocol`]: protocol,
      },
    }));
  });
}

function labelsOf(pod: MaskedPod<typeof targetsMask>): Record<string, string> {
  const { metadata, spec, status } = pod;
  const labels: Record<string, string> = {
    [`${META}namespace`]: metadata.namespace,
    [`${META}pod_name`]: metadata.name,
    [`${META}pod_uid`]: metadata.uid,
    [`${META}pod_ip`]: status.podIP,
    [`${META}pod_host_ip`]: status.hostIP,
    [`${META}pod_node_name`]: spec.nodeName,
    [`${META}pod_phase`]: status.phase,
    [`${META}pod_ready`]: status.conditions.find(({ type }) => type === "Ready")?.status.toLowerCase() ?? "unknown",
  };
  const isOfFile = isStatic(pod);
  for (const [kind, texts] of [
    ["label", metadata.labels],
    ["annotation", metadata.annotations],
  ] as const) {
    for (const [key, text] of Object.entries(texts)) {
      // The kubelet's own. Of pods that are not static the API server has none of them.
      if (!isOfFile && /^kubernetes\.io\/config\.(?:seen|source)$/.test(key)) continue;
      const name = key.replace(/[^a-zA-Z0-9_]/g, "_");
      labels[`${META}pod_${kind}_${name}`] = text;
      labels[`${META}pod_${kind}present_${name}`] = "true";
    }
  }
  const controller = metadata.ownerReferences.find(({ controller }) => controller);
  if (controller !== undefined) {
    labels[`${META}pod_controller_kind`] = controller.kind;
    labels[`${META}pod_controller_name`] = controller.name;
  }
  return labels;
}
