import { invalidArgument } from "../errors/pods-error.js";
import { selectedOf } from "../protobuf/selected.js";
import type { Fields } from "./field.js";
import type { PodJson } from "./json-types.js";
import { jsonOf } from "./json-writer.js";
import { type PodMask, resolveMask } from "./mask.js";
import type { AnyMaskedPod } from "./masked-pod.js";
import { POD } from "./message-type.js";

/** Options of {@link toKubernetesJson}. */
export interface ToJsonOptions {
  /**
   * Mask of the keys that are written.
   *
   * @default the mask with which the pod was requested; all keys for other pods
   */
  mask: readonly string[] | PodMask;
}

/**
 * Converts a pod to the JSON that `kubectl get pod -o json --show-managed-fields` prints, with the same keys in the same order (except keys
 * of maps that look like numbers, which JavaScript puts first). 64-bit integers become numbers, as in `JSON.parse` of kubectl's output.
 * `JSON.stringify(pod)` and `console.log(pod)` do the same.
 *
 * @throws PodsError `corrupt` for content that Kubernetes JSON cannot represent: a time after the year 9999, managed fields that are not
 * JSON. The message names the path, but never the value. `invalid-argument` if the argument is not a Pod message.
 * @example
 * ```ts
 * const { metadata, spec } = toKubernetesJson(await pods.getPod(uid));
 * console.log(metadata?.creationTimestamp, spec?.containers?.[0]?.resources?.limits);
 * ```
 */
export function toKubernetesJson(pod: AnyMaskedPod): PodJson;
export function toKubernetesJson(pod: AnyMaskedPod, options: ToJsonOptions): PodJson;
export function toKubernetesJson(pod: AnyMaskedPod, options?: ToJsonOptions): PodJson {
  if ((pod as Partial<AnyMaskedPod> | null | undefined)?.$typeName !== POD.typeName)
    throw invalidArgument("toKubernetesJson: the argument must be a pod", "pass a pod of this package, or `event.pod`");
  // Array.map passes an index as the second argument.
  const mask = typeof options === "object" ? options.mask : undefined;
  const selected = resolveMask(mask, "toKubernetesJson")?.selected ?? selectedOf(pod);
  return jsonOf(POD, pod as unknown as Fields, selected) as PodJson;
}
