import type { MessageType } from "./field.js";
import { jsonPlan } from "./json-plan.js";
import type { V1PodLike } from "./json-types.js";
import { POD } from "./message-type.js";
import type { Needs } from "./needs.js";
import type { Pod } from "./pod.js";
import { toKubernetesJson } from "./to-json.js";

/**
 * Converts a whole pod to the form of @kubernetes/client-node's `V1Pod`, for code that uses that type. The result equals what client-node
 * makes of {@link toKubernetesJson}: times are `Date` objects in whole seconds, and null becomes undefined.
 *
 * @throws PodsError for the same reasons as {@link toKubernetesJson}.
 */
export function toV1Pod<P>(pod: Pod | (P & Needs<P, "metadata" | "spec" | "status">)): V1PodLike {
  return withDates(POD, toKubernetesJson(pod as Pod) as Record<string, unknown>) as V1PodLike;
}

/** Replaces times by dates and removes nulls, in the object itself. */
function withDates(type: MessageType, json: Record<string, unknown>): Record<string, unknown> {
  for (const { key, kind, field } of jsonPlan(type).entries) {
    const value = json[key];
    if (value === undefined) continue;
    if (value === null) {
      if (field.kind === "list") json[key] = [];
      else delete json[key];
    } else if (kind === "time") json[key] = new Date(value as string);
    else if (typeof kind === "object") {
      const messages = field.kind === "message" ? [value] : Object.values(value);
      for (const message of messages) withDates(kind, message as Record<string, unknown>);
    }
  }
  return json;
}
