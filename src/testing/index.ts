export type { PodJson } from "../pod/json-types.js";
export { type ChurnStep, churn, seededRandom } from "./churn.js";
export type { Faults } from "./faults.js";
export { parsePods } from "./pod-files.js";
export type { FinishedPhase, PodInput } from "./pod-store.js";
export { ReferenceKubelet, type ReferenceKubeletOptions } from "./reference-kubelet.js";
export { sampleNode } from "./sample-node.js";
export type { KubeletProfile } from "./services.js";
