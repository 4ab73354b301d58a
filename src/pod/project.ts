import type { Plan } from "./decode.js";
import { PodScanner } from "./scan.js";

const scanners = new WeakMap<Plan, PodScanner>();

/**
 * Returns the selected fields of a serialized pod, as new bytes. Decoding them by `plan`, or by a plan that selects fewer fields, gives the
 * same result as decoding the whole pod.
 *
 * @throws Error or RangeError if the selected fields cannot be read.
 */
export function project(bytes: Uint8Array, plan: Plan): Uint8Array<ArrayBuffer> {
  let scanner = scanners.get(plan);
  if (scanner === undefined) {
    scanner = new PodScanner(plan, {});
    scanners.set(plan, scanner);
  }
  return scanner.pick(bytes);
}
