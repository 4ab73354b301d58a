import type { EndRecord } from "../journal/end-record.js";
import type { Needs } from "../pod/needs.js";
import type { Pod } from "../pod/pod.js";
import { type WORKLOAD_PATHS, workloadOf } from "../pod/workload.js";
import type { ContainerEvent } from "../readers/containers/container-event.js";
import { NAMES } from "./attribute-names.js";
import { workloadName } from "./attributes.js";

type CounterPaths = "metadata.namespace" | (typeof WORKLOAD_PATHS)[number];

/** The part of a `Meter` of `@opentelemetry/api` that {@link containerEndCounter} needs. */
export interface CounterMeter {
  /** Makes the counter. */
  createCounter(
    name: string,
    options: { description: string; unit: string },
  ): { add(value: number, attributes: Record<string, string>): void };
}

/**
 * Makes the counter `kubelet_pods.container.ends`, and returns a function that counts an event of `watchContainers`, or a record of a
 * journal. It counts records of containers, and ENDED events that are not `initial`, so that no end is counted twice when the agent
 * restarts. Other events and records have no effect.
 *
 * The attributes are `kubelet_pods.end.reason` (`end.reason`), `kubelet_pods.end.oom` (`end.oom`, if a process was OOM-killed),
 * `k8s.namespace.name`, and the name of the workload, such as `k8s.deployment.name`.
 *
 * @param meter a meter of `@opentelemetry/api`, as `metrics.getMeter("my-agent")` returns it.
 * @example
 * ```ts
 * import { metrics } from "@opentelemetry/api";
 * import { attributesMask, containerEndCounter } from "kubelet-pods/otel";
 *
 * const count = containerEndCounter(metrics.getMeter("my-agent"));
 * for await (const event of pods.watchContainers({ mask: attributesMask })) count(event);
 * ```
 */
export function containerEndCounter(
  meter: CounterMeter,
): <P>(end: ContainerEvent<P & Needs<P, CounterPaths>> | EndRecord) => void {
  const counter = meter.createCounter("kubelet_pods.container.ends", {
    description: "Container runs that ended.",
    unit: "{run}",
  });
  return (ended) => {
    const record = "recordedAt" in ended ? ended : recordOf(ended as ContainerEvent<Pod>);
    if (record?.container === undefined) return;
    const { reason, oom } = record.end;
    const workload = workloadName(record.workload);
    counter.add(1, {
      "kubelet_pods.end.reason": reason,
      ...(oom !== undefined && { "kubelet_pods.end.oom": oom }),
      [NAMES.namespaceName]: record.namespace,
      ...(workload !== undefined && { [workload.attribute]: workload.name }),
    });
  };
}

function recordOf(
  event: ContainerEvent<Pod>,
): Pick<EndRecord, "container" | "end" | "workload" | "namespace"> | undefined {
  if (event.type !== "ENDED" || event.initial) return undefined;
  const { pod, container, end } = event;
  return { container, end, workload: workloadOf(pod), namespace: pod.metadata.namespace };
}
