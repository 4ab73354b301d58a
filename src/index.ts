/// <reference types="node" preserve="true" />

/**
 * The client, its watches and informers, masks, and functions that read pods.
 *
 * @module kubelet-pods
 * @group Reference
 */

export type { CallOptions } from "./calls/caller.js";
export { PodsClient, type ProbeResult, podsApi } from "./client.js";
export type { ClientCounters } from "./counters.js";
export type { DiagnosticMessages } from "./diagnostics.js";
export type { PodsErrorCode } from "./errors/error-code.js";
export { PodsError } from "./errors/pods-error.js";
export type { Quantity } from "./gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";
export type { Time } from "./gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
export type { IntOrString } from "./gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";
export { cgroupIDsOf } from "./identity/cgroup-ids.js";
export { type CgroupLayout, cgroupLayout, cgroupPathOf } from "./identity/cgroup-layout.js";
export { type CgroupPath, parseCgroupPath } from "./identity/cgroup-path.js";
export { type LogPath, logDirectoryOf, logPathOf, parseLogPath } from "./identity/log-path.js";
export { type ProcessIdentity, processIdentity } from "./identity/process-identity.js";
export { type SelfIdentity, selfIdentity } from "./identity/self-identity.js";
export { parseVolumePath, type VolumePath, volumesDirectoryOf } from "./identity/volume-path.js";
export type { UnconfirmedPods } from "./known/absence.js";
export type { DeleteCause } from "./known/log.js";
export {
  type Answer,
  type At,
  atLeast,
  type Confidence,
  type FindOptions,
  type Found,
  type UncertainReason,
  type WaitOptions,
} from "./lookup/answer.js";
export type { PodKey } from "./lookup/pod-key.js";
export type {
  ClientOptions,
  InformerOptions,
  ListOptions,
  WatchOptions,
} from "./options.js";
export type { ContainerExit, ContainerKind, ContainerRun } from "./pod/container-run.js";
export { containerOf, containersOf, type PodContainer } from "./pod/containers.js";
export { decodePod } from "./pod/decode.js";
export type { End, EndBasis } from "./pod/end.js";
export type { EndReason } from "./pod/end-reason.js";
export { endpointsOf, type PodEndpoint } from "./pod/endpoints.js";
export { fromKubernetesJson } from "./pod/from-json.js";
export { intOrString } from "./pod/int-or-string.js";
export type { PodJson, V1PodLike } from "./pod/json-types.js";
export { type PodMask, podMask } from "./pod/mask.js";
export type { MaskedPod, MaskInput, PartialPod, PodOf } from "./pod/masked-pod.js";
export type { Pod } from "./pod/pod.js";
export { conditionsOf, type PodConditions, type ReportedCondition } from "./pod/pod-conditions.js";
export { isFinished, isReady, isStatic, isTerminating } from "./pod/pod-state.js";
export { quantityToNumber } from "./pod/quantity.js";
export { readinessUnverifiedUntil } from "./pod/readiness.js";
export { type EffectiveResources, qosOf, resourcesOf } from "./pod/resources.js";
export { toDate } from "./pod/time.js";
export { toKubernetesJson } from "./pod/to-json.js";
export { toV1Pod } from "./pod/v1-pod.js";
export { type Owner, type Workload, workloadOf } from "./pod/workload.js";
export { podMasks } from "./pod-masks.js";
export type { ContainerEvent } from "./readers/containers/container-event.js";
export type { Stream } from "./readers/event-stream.js";
export type { ControlEvent, PodEvent } from "./readers/events.js";
export type { Health } from "./readers/health.js";
export type { PodInformer } from "./readers/informer.js";
export type { InformerState } from "./readers/informer-state.js";
export type { PodSource, SourceEvent } from "./sources/pod-source.js";
