import type { IntOrString } from "../gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";

/** `IntOrString.type` of a string, from Kubernetes' apimachinery. Any other value means a number. */
export const STRING_TYPE = 1n;

/** Returns the value of an IntOrString, such as a probe's port: a number, or the name of a port. */
export function intOrString(value: IntOrString): number | string;
export function intOrString(value: IntOrString | undefined): number | string | undefined;
export function intOrString(value: IntOrString | undefined): number | string | undefined {
  if (value === undefined) return undefined;
  return value.type === STRING_TYPE ? value.strVal : value.intVal;
}
