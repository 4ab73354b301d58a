import type { Needs } from "../pod/needs.js";
import type { Pod } from "../pod/pod.js";
import { type WORKLOAD_PATHS, workloadOf } from "../pod/workload.js";
import type { ContainerEvent } from "../readers/containers/container-event.js";
import { NAMES } from "./attribute-names.js";
import { workloadName } from "./attributes.js";

type Paths = "metadata.namespace" | (typeof WORKLOAD_PATHS)[number];

/** The part of a `Meter` of `@opentelemetry/api` that {@link containerEndCounter} needs. */
export interface CounterMeter {
  /** Makes the counter. */
  createCounter(
    name: string,
    options: { description: string; unit: string },
  ): { add(value: number, attributes: Record<string, string>): void };
}

/**
 * Makes the counter `kubelet_pods.container.ends`, and returns a function that counts an event of `watchContainers`. It counts ENDED events
 * that are not `initial`, so a restart of the agent counts no end twice; other events have no effect.
 *
 * The attributes are `kubelet_pods.end.reason` (`end.reason`), `kubelet_pods.end.oom` (`end.oom`, if a process was OOM-killed),
 * `k8s.namespace.name`, and the name of the workload, such as `k8s.deployment.name`.
 *
 * @param meter of `@opentelemetry/api`, as `metrics.getMeter("my-agent")` returns it.
 * @example
 * ```ts
 * import { metrics } from "@opentelemetry/api";
 * import { attributesMask, containerEndCounter } from "kubelet-pods/otel";
 *
 * const count = containerEndCounter(metrics.getMeter("my-agent"));
 * for await (const event of pods.watchContainers({ mask: attributesMask })) count(event);
 * ```
 */
export function containerEndCounter(meter: CounterMeter): <P>(event: ContainerEvent<P & Needs<P, Paths>>) => void {
  const counter = meter.createCounter("kubelet_pods.container.ends", {
    description: "Container runs that ended.",
    unit: "{run}",
  });
  return (event) => {
    if (event.type !== "ENDED" || event.initial) return;
    const pod = event.pod as Pod;
    const { reason, oom } = event.end;
    const workload = workloadName(workloadOf(pod));
    counter.add(1, {
      "kubelet_pods.end.reason": reason,
      ...(oom !== undefined && { "kubelet_pods.end.oom": oom }),
      [NAMES.namespaceName]: pod.metadata.namespace,
      ...(workload !== undefined && { [workload.attribute]: workload.name }),
    });
  };
}
