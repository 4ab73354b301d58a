/// <reference types="node" preserve="true" />

/**
 * A reference kubelet for tests of agents, without a cluster and without root.
 *
 * @module kubelet-pods/testing
 * @group Reference
 */

export type { PodJson } from "../pod/json-types.js";
export type { ResourcesJson } from "./allocation.js";
export { type ChurnStep, churn } from "./churn.js";
export type { GivenExit } from "./container-status.js";
export type { DeletionReason, EvictionReason } from "./disruption.js";
export type { FaultRates } from "./event-faults.js";
export type { Faults } from "./faults.js";
export type {
  AssignedResources,
  DeletionOptions,
  EvictionOptions,
  FinishOptions,
  ReferenceKubeletOptions,
  RejectionOptions,
  RestartOptions,
} from "./kubelet-options.js";
export { parsePods } from "./pod-files.js";
export { maskedPod, type PodInput } from "./pod-input.js";
export type { FinishedPhase } from "./pod-status.js";
export type { Corruption } from "./pod-store.js";
export type { KubeletProfile } from "./profile.js";
export { seededRandom } from "./random.js";
export { parseRecording, type RecordingLine } from "./recording.js";
export { ReferenceKubelet } from "./reference-kubelet.js";
export { Replay, type ReplayOptions } from "./replay.js";
export { sampleNode } from "./sample-node.js";
