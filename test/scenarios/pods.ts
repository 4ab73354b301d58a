// Small pods for scenarios, and what becomes of their JSON.

import type { PodJson } from "../../src/testing/index.js";

type Status = NonNullable<PodJson["status"]>;
type Containers = NonNullable<Status["containerStatuses"]>;

const AT = "2026-11-20T08:00:00Z";

interface Options {
  uid?: string;
  restartPolicy?: string;
  source?: "api" | "file";
  phase?: string;
}

/** A pod of one container, running and ready. */
export function pod(name: string, options: Options = {}): PodJson {
  const { uid = `uid-of-${name}`, restartPolicy = "Always", source = "api", phase = "Running" } = options;
  const hash = source === "file" ? { "kubernetes.io/config.hash": uid } : {};
  return {
    metadata: {
      name,
      namespace: "default",
      uid,
      labels: { app: name },
      annotations: { "kubernetes.io/config.source": source, ...hash },
    },
    spec: { containers: [{ name: "main", image: "main:1", resources: { requests: { cpu: "100m" } } }], restartPolicy },
    status: {
      phase,
      startTime: AT,
      conditions: [
        { type: "Ready", status: "True", lastTransitionTime: AT },
        { type: "ContainersReady", status: "True", lastTransitionTime: AT },
      ],
      containerStatuses: [container({ running: { startedAt: AT } })],
    },
  };
}

function container(state: NonNullable<Containers[number]["state"]>): Containers[number] {
  return { name: "main", image: "main:1", imageID: "", ready: state.running !== undefined, restartCount: 0, state };
}

export function withStatus(json: PodJson, status: Status): PodJson {
  return { ...json, status: { ...json.status, ...status } };
}

export function restarted(json: PodJson, restartCount: number): PodJson {
  const statuses = json.status?.containerStatuses ?? [];
  return withStatus(json, { containerStatuses: statuses.map((status) => ({ ...status, restartCount })) });
}

/** With an annotation that takes many HTTP/2 frames. */
export function large({ metadata, ...rest }: PodJson): PodJson {
  const annotations = { ...metadata?.annotations, note: "x".repeat(500_000) };
  return { ...rest, metadata: { ...metadata, annotations } };
}

/** With init containers, whose statuses come in any order. */
export function withInit(json: PodJson, ...names: string[]): PodJson {
  const initContainers = ["first", "second"].map((name) => ({ name, image: "main:1" }));
  const terminated = { exitCode: 0, reason: "Completed", startedAt: AT, finishedAt: AT };
  const initContainerStatuses = names.map((name) => ({ ...container({ terminated }), name }));
  return withStatus({ ...json, spec: { ...json.spec, initContainers } }, { initContainerStatuses });
}

/** Its container has a restart policy of its own. */
export function withOwnPolicy(json: PodJson, restartPolicy: string): PodJson {
  const containers = json.spec?.containers?.map((c) => ({ ...c, restartPolicy })) ?? [];
  return { ...json, spec: { ...json.spec, containers } };
}

export function withGeneration(json: PodJson, generation: number): PodJson {
  return { ...json, metadata: { ...json.metadata, generation } };
}

/** Running again after it has ended. */
export function revived(json: PodJson): PodJson {
  return withStatus(json, { phase: "Running", containerStatuses: [container({ running: { startedAt: AT } })] });
}

export function ended(json: PodJson): PodJson {
  const isFailed = json.status?.phase === "Failed";
  // A static pod that always restarts has no final phase.
  const isStatic = json.metadata?.annotations?.["kubernetes.io/config.source"] === "file";
  const phase = isFailed ? "Failed" : isStatic ? "Running" : "Succeeded";
  const terminated = { exitCode: isFailed ? 137 : 0, reason: "Completed", startedAt: AT, finishedAt: AT };
  const conditions = json.status?.conditions?.map((condition) => ({ ...condition, status: "False", reason: "Ended" }));
  return withStatus(json, { phase, conditions: conditions ?? [], containerStatuses: [container({ terminated })] });
}

export function evicted(json: PodJson): PodJson {
  return withStatus(json, { phase: "Failed", reason: "Evicted", message: "The node was low on memory." });
}

export function deleting(json: PodJson): PodJson {
  return { ...json, metadata: { ...json.metadata, deletionTimestamp: AT, deletionGracePeriodSeconds: 30 } };
}

export function withCpu(json: PodJson, cpu: string): PodJson {
  const containers = json.spec?.containers?.map((c) => ({ ...c, resources: { requests: { cpu } } })) ?? [];
  return { ...json, spec: { ...json.spec, containers } };
}
