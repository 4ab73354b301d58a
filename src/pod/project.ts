import type { Plan } from "./decode.js";
import { PodScanner } from "./scan.js";

const scanners = new WeakMap<Plan, PodScanner>();

/**
 * Returns what a plan selects of a serialized pod, as bytes of its own: decoding them gives what decoding the whole by that
 * plan gives. Every plan that selects no more can decode them.
 *
 * @throws Error or RangeError where what is selected cannot be read.
 */
export function project(bytes: Uint8Array, plan: Plan): Uint8Array<ArrayBuffer> {
  let scanner = scanners.get(plan);
  if (scanner === undefined) {
    scanner = new PodScanner(plan, {});
    scanners.set(plan, scanner);
  }
  return scanner.pick(bytes);
}
