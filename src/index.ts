/// <reference types="node" preserve="true" />

/**
 * The client, its watches and informers, masks, and functions that read pods.
 *
 * @module kubelet-pods
 * @group Reference
 */

// For agents.

export { PodsClient, type ProbeResult, podsApi } from "./client.js";
export type { ClientCounters, CountByCode } from "./counters.js";
export type { CallMessage, ConnectionMessage, RetryMessage, WatchMessage } from "./diagnostics.js";
export type { PodsErrorCode } from "./errors/error-code.js";
export { PodsError } from "./errors/pods-error.js";
export { type CgroupLayout, cgroupLayout, cgroupPathOf } from "./identity/cgroup-layout.js";
export { type CgroupPath, parseCgroupPath } from "./identity/cgroup-path.js";
export { type LogPath, logDirectoryOf, logPathOf, parseLogPath } from "./identity/log-path.js";
export { type ProcessIdentity, processIdentity } from "./identity/process-identity.js";
export { type SelfIdentity, selfIdentity } from "./identity/self-identity.js";
export { parseVolumePath, type VolumePath, volumesDirectoryOf } from "./identity/volume-path.js";
export type { DeleteCause } from "./known/entry.js";
export type { UnconfirmedPods, UnconfirmedReason } from "./known/unconfirmed.js";
export {
  type Answer,
  type At,
  type Certainty,
  type Doubt,
  type FindOptions,
  type Found,
  reaches,
  type WaitOptions,
} from "./lookup/answer.js";
export type { PodKey } from "./lookup/pod-key.js";
export type {
  CallOptions,
  ClientOptions,
  InformerOptions,
  ListOptions,
  MaskOptions,
  PodQuery,
  WatchOptions,
} from "./options.js";
export type { ContainerExit, ContainerInstance, ContainerKind } from "./pod/container-instance.js";
export { containerOf, containersOf, type PodContainer } from "./pod/containers.js";
export { type FromJsonOptions, fromKubernetesJson } from "./pod/from-json.js";
export type { PodJson, V1PodLike } from "./pod/json-types.js";
export { type PodMask, parsePodMask, podMask } from "./pod/mask.js";
export type { AnyMaskedPod, MaskedPod, MaskInput, PartialPod, PodOf } from "./pod/masked-pod.js";
export type { Needs } from "./pod/needs.js";
export type { Pod } from "./pod/pod.js";
export { conditionsOf, type PodConditions, type ReportedCondition } from "./pod/pod-conditions.js";
export { isFinished, isReady, isStatic, isTerminating } from "./pod/pod-state.js";
export { quantityToNumber } from "./pod/quantity.js";
export { readinessUnverifiedUntil } from "./pod/readiness.js";
export { type EffectiveResources, qosOf, resourcesOf } from "./pod/resources.js";
export type { SelectorOptions } from "./pod/selector.js";
export { toDate } from "./pod/time.js";
export { type ToJsonOptions, toKubernetesJson } from "./pod/to-json.js";
export { toV1Pod } from "./pod/v1-pod.js";
export { type Owner, type Workload, workloadOf } from "./pod/workload.js";
export { podMasks } from "./pod-masks.js";
export type { ContainerEvent, EndCause } from "./readers/containers/container-event.js";
export type { Stream } from "./readers/event-stream.js";
export type { ControlEvent, PodEvent } from "./readers/events.js";
export type { Health, HealthOptions } from "./readers/health.js";
export type { PodInformer, SyncedOptions } from "./readers/informer.js";
export type { InformerState } from "./readers/informer-state.js";

// For those who work with bytes and descriptors, or bring a source of their own.

export type { Quantity } from "./gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";
export type { IntOrString } from "./gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";
export { decodePod } from "./pod/decode.js";
export { intOrString } from "./pod/int-or-string.js";
export type { CheckedPath } from "./pod/path-types.js";
export type { AttemptOptions, PodSource, SourceBatch, SourceEvent, WatchSource } from "./sources/pod-source.js";

// Each part of a pod.

export type {
  Affinity,
  AppArmorProfile,
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  Capabilities,
  CephFSVolumeSource,
  CinderVolumeSource,
  ClusterTrustBundleProjection,
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  ConfigMapProjection,
  ConfigMapVolumeSource,
  Container,
  ContainerExtendedResourceRequest,
  ContainerPort,
  ContainerResizePolicy,
  ContainerRestartRule,
  ContainerRestartRuleOnExitCodes,
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  ContainerUser,
  CSIVolumeSource,
  DownwardAPIProjection,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  EphemeralContainer,
  EphemeralContainerCommon,
  EphemeralVolumeSource,
  EvictionResponder,
  ExecAction,
  FCVolumeSource,
  FileKeySelector,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  GRPCAction,
  HostAlias,
  HostIP,
  HostPathVolumeSource,
  HTTPGetAction,
  HTTPHeader,
  ImageVolumeSource,
  ImageVolumeStatus,
  ISCSIVolumeSource,
  KeyToPath,
  Lifecycle,
  LifecycleHandler,
  LinuxContainerUser,
  LocalObjectReference,
  NFSVolumeSource,
  NodeAffinity,
  NodeAllocatableMappedResources,
  NodeAllocatableOverheadResources,
  NodeAllocatableResourceClaimStatus,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  ObjectFieldSelector,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  PersistentVolumeClaimVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
  PodCertificateProjection,
  PodCondition,
  PodDNSConfig,
  PodDNSConfigOption,
  PodExtendedResourceClaimStatus,
  PodIP,
  PodOS,
  PodReadinessGate,
  PodResourceClaim,
  PodResourceClaimStatus,
  PodSchedulingGate,
  PodSchedulingGroup,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  PodVolumeHealth,
  PortworxVolumeSource,
  PreferredSchedulingTerm,
  Probe,
  ProbeHandler,
  ProjectedVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ResourceClaim,
  ResourceFieldSelector,
  ResourceHealth,
  ResourceRequirements,
  ResourceStatus,
  ScaleIOVolumeSource,
  SELinuxOptions,
  SeccompProfile,
  SecretEnvSource,
  SecretKeySelector,
  SecretProjection,
  SecretVolumeSource,
  SecurityContext,
  ServiceAccountTokenProjection,
  SleepAction,
  StorageOSVolumeSource,
  Sysctl,
  TCPSocketAction,
  Toleration,
  TopologySpreadConstraint,
  TypedLocalObjectReference,
  TypedObjectReference,
  Volume,
  VolumeDevice,
  VolumeHealthCondition,
  VolumeMount,
  VolumeMountStatus,
  VolumeProjection,
  VolumeResourceRequirements,
  VolumeSource,
  VolumeStatus,
  VsphereVirtualDiskVolumeSource,
  WeightedPodAffinityTerm,
  WindowsSecurityContextOptions,
} from "./gen/k8s/io/api/core/v1/pod_pb.js";
export type {
  FieldsV1,
  LabelSelector,
  LabelSelectorRequirement,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  Time,
} from "./gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
