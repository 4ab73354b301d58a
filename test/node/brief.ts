// A pod that the kubelet sent, as far as judges look at it: decoded by protobuf-es.

import type { ContainerStatus, Pod } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { contentsOf } from "./content.js";
import type { Brief, StatusBrief } from "./journal.js";

export function briefOf(pod: Pod): Brief {
  const { metadata, spec, status } = pod;
  const statuses = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ].map(statusOf);
  const ips = status?.podIPs.map(({ ip }) => ip ?? "") ?? [];
  return {
    uid: metadata?.uid ?? "",
    name: `${metadata?.namespace}/${metadata?.name}`,
    phase: status?.phase ?? "",
    reason: status?.reason ?? "",
    isStatic: metadata?.annotations["kubernetes.io/config.source"] === "file",
    isDeleting: metadata?.deletionTimestamp !== undefined,
    isSelected: metadata?.labels["judge"] === "one",
    ips: spec?.hostNetwork === true ? [] : ips,
    states: statuses.map(wordOf).join(","),
    statuses,
    contents: contentsOf(pod),
  };
}

function statusOf({ name, containerID, restartCount, state, lastState }: ContainerStatus): StatusBrief {
  const [now, word] =
    state?.running !== undefined
      ? [undefined, "R" as const]
      : state?.terminated !== undefined
        ? [state.terminated, "T" as const]
        : [state?.waiting, "W" as const];
  return {
    name: name ?? "",
    id: bare(containerID),
    count: restartCount ?? 0,
    state: word,
    reason: now?.reason ?? "",
    lastId: bare(lastState?.terminated?.containerID),
  };
}

function wordOf({ state, count, reason }: StatusBrief): string {
  return state === "R" ? `R${count}` : `${state}${count}:${reason}`;
}

/** Returns a container ID without the runtime's name before it. */
function bare(id: string | undefined): string {
  return id?.replace(/^\w+:\/\//, "") ?? "";
}
