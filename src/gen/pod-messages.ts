import type { Affinity, AppArmorProfile, AWSElasticBlockStoreVolumeSource, AzureDiskVolumeSource, AzureFileVolumeSource, Capabilities, CephFSVolumeSource, CinderVolumeSource, ClusterTrustBundleProjection, ConfigMapEnvSource, ConfigMapKeySelector, ConfigMapProjection, ConfigMapVolumeSource, Container, ContainerExtendedResourceRequest, ContainerPort, ContainerResizePolicy, ContainerRestartRule, ContainerRestartRuleOnExitCodes, ContainerState, ContainerStateRunning, ContainerStateTerminated, ContainerStateWaiting, ContainerStatus, ContainerUser, CSIVolumeSource, DownwardAPIProjection, DownwardAPIVolumeFile, DownwardAPIVolumeSource, EmptyDirVolumeSource, EnvFromSource, EnvVar, EnvVarSource, EphemeralContainer, EphemeralContainerCommon, EphemeralVolumeSource, EvictionResponder, ExecAction, FCVolumeSource, FileKeySelector, FlexVolumeSource, FlockerVolumeSource, GCEPersistentDiskVolumeSource, GitRepoVolumeSource, GlusterfsVolumeSource, GRPCAction, HostAlias, HostIP, HostPathVolumeSource, HTTPGetAction, HTTPHeader, ImageVolumeSource, ImageVolumeStatus, ISCSIVolumeSource, KeyToPath, Lifecycle, LifecycleHandler, LinuxContainerUser, LocalObjectReference, NFSVolumeSource, NodeAffinity, NodeAllocatableMappedResources, NodeAllocatableOverheadResources, NodeAllocatableResourceClaimStatus, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, ObjectFieldSelector, PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate, PersistentVolumeClaimVolumeSource, PhotonPersistentDiskVolumeSource, Pod, PodAffinity, PodAffinityTerm, PodAntiAffinity, PodCertificateProjection, PodCondition, PodDNSConfig, PodDNSConfigOption, PodExtendedResourceClaimStatus, PodIP, PodOS, PodReadinessGate, PodResourceClaim, PodResourceClaimStatus, PodSchedulingGate, PodSchedulingGroup, PodSecurityContext, PodSpec, PodStatus, PodVolumeHealth, PortworxVolumeSource, PreferredSchedulingTerm, Probe, ProbeHandler, ProjectedVolumeSource, QuobyteVolumeSource, RBDVolumeSource, ResourceClaim, ResourceFieldSelector, ResourceHealth, ResourceRequirements, ResourceStatus, ScaleIOVolumeSource, SeccompProfile, SecretEnvSource, SecretKeySelector, SecretProjection, SecretVolumeSource, SecurityContext, SecurityProfileOCI, SecurityProfileOCIBase, SELinuxOptions, ServiceAccountTokenProjection, SleepAction, StorageOSVolumeSource, Sysctl, TCPSocketAction, Toleration, TopologySpreadConstraint, TypedLocalObjectReference, TypedObjectReference, Volume, VolumeDevice, VolumeHealthCondition, VolumeMount, VolumeMountStatus, VolumeProjection, VolumeResourceRequirements, VolumeSource, VolumeStatus, VsphereVirtualDiskVolumeSource, WeightedPodAffinityTerm, WindowsSecurityContextOptions } from "./k8s/io/api/core/v1/pod_pb.js";
import type { FieldsV1, LabelSelector, LabelSelectorRequirement, ManagedFieldsEntry, ObjectMeta, OwnerReference, Time } from "./k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { IntOrString } from "./k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";
import type { Quantity } from "./k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";

// Written by tools/protoc-gen-pods.ts from proto/.

import { tooDeep, type WireReader } from "../protobuf/reader.js";
import { SELECTED, type Selected } from "../protobuf/selected.js";
import { readInto, readList, readMessageEntry, readNumbers, readTextEntry, readUnknown } from "../protobuf/wire-fields.js";

/** A message while it is made. */
type Made<M> = { -readonly [K in keyof M]: M[K] } & { [SELECTED]?: Selected };

const NewAWSElasticBlockStoreVolumeSource = function (this: Made<AWSElasticBlockStoreVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.AWSElasticBlockStoreVolumeSource";
  this.volumeID = "";
  this.fsType = "";
  this.partition = 0;
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => AWSElasticBlockStoreVolumeSource;
function readAWSElasticBlockStoreVolumeSource(m: AWSElasticBlockStoreVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumeID = r.string(); break;
      case 2: m.fsType = r.string(); break;
      case 3: m.partition = r.int32(); break;
      case 4: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewAffinity = function (this: Made<Affinity>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.Affinity";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Affinity;
function readAffinity(m: Affinity, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.nodeAffinity = readInto(m.nodeAffinity ?? new NewNodeAffinity(), readNodeAffinity, r, depth); break;
      case 2: m.podAffinity = readInto(m.podAffinity ?? new NewPodAffinity(), readPodAffinity, r, depth); break;
      case 3: m.podAntiAffinity = readInto(m.podAntiAffinity ?? new NewPodAntiAffinity(), readPodAntiAffinity, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewAppArmorProfile = function (this: Made<AppArmorProfile>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.AppArmorProfile";
  this.type = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => AppArmorProfile;
function readAppArmorProfile(m: AppArmorProfile, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.type = r.string(); break;
      case 2: m.localhostProfile = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewAzureDiskVolumeSource = function (this: Made<AzureDiskVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.AzureDiskVolumeSource";
  this.diskName = "";
  this.diskURI = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => AzureDiskVolumeSource;
function readAzureDiskVolumeSource(m: AzureDiskVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.diskName = r.string(); break;
      case 2: m.diskURI = r.string(); break;
      case 3: m.cachingMode = r.string(); break;
      case 4: m.fsType = r.string(); break;
      case 5: m.readOnly = r.bool(); break;
      case 6: m.kind = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewAzureFileVolumeSource = function (this: Made<AzureFileVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.AzureFileVolumeSource";
  this.secretName = "";
  this.shareName = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => AzureFileVolumeSource;
function readAzureFileVolumeSource(m: AzureFileVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.secretName = r.string(); break;
      case 2: m.shareName = r.string(); break;
      case 3: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewCSIVolumeSource = function (this: Made<CSIVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.CSIVolumeSource";
  this.driver = "";
  this.volumeAttributes = {};
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => CSIVolumeSource;
function readCSIVolumeSource(m: CSIVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.driver = r.string(); break;
      case 2: m.readOnly = r.bool(); break;
      case 3: m.fsType = r.string(); break;
      case 4: readTextEntry(m.volumeAttributes, r, depth); break;
      case 5: m.nodePublishSecretRef = readInto(m.nodePublishSecretRef ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewCapabilities = function (this: Made<Capabilities>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.Capabilities";
  this.add = [];
  this.drop = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Capabilities;
function readCapabilities(m: Capabilities, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.add.push(r.string()); break;
      case 2: m.drop.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewCephFSVolumeSource = function (this: Made<CephFSVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.CephFSVolumeSource";
  this.monitors = [];
  this.path = "";
  this.user = "";
  this.secretFile = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => CephFSVolumeSource;
function readCephFSVolumeSource(m: CephFSVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.monitors.push(r.string()); break;
      case 2: m.path = r.string(); break;
      case 3: m.user = r.string(); break;
      case 4: m.secretFile = r.string(); break;
      case 5: m.secretRef = readInto(m.secretRef ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 6: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewCinderVolumeSource = function (this: Made<CinderVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.CinderVolumeSource";
  this.volumeID = "";
  this.fsType = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => CinderVolumeSource;
function readCinderVolumeSource(m: CinderVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumeID = r.string(); break;
      case 2: m.fsType = r.string(); break;
      case 3: m.readOnly = r.bool(); break;
      case 4: m.secretRef = readInto(m.secretRef ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewClusterTrustBundleProjection = function (this: Made<ClusterTrustBundleProjection>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ClusterTrustBundleProjection";
  this.path = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ClusterTrustBundleProjection;
function readClusterTrustBundleProjection(m: ClusterTrustBundleProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.signerName = r.string(); break;
      case 3: m.labelSelector = readInto(m.labelSelector ?? new NewLabelSelector(), readLabelSelector, r, depth); break;
      case 5: m.optional = r.bool(); break;
      case 4: m.path = r.string(); break;
      case 6: m.user = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewConfigMapEnvSource = function (this: Made<ConfigMapEnvSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ConfigMapEnvSource";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ConfigMapEnvSource;
function readConfigMapEnvSource(m: ConfigMapEnvSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewConfigMapKeySelector = function (this: Made<ConfigMapKeySelector>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ConfigMapKeySelector";
  this.key = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ConfigMapKeySelector;
function readConfigMapKeySelector(m: ConfigMapKeySelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.key = r.string(); break;
      case 3: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewConfigMapProjection = function (this: Made<ConfigMapProjection>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ConfigMapProjection";
  this.items = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ConfigMapProjection;
function readConfigMapProjection(m: ConfigMapProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.items = readList(m.items, NewKeyToPath, readKeyToPath, r, end, tag, depth); break;
      case 4: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewConfigMapVolumeSource = function (this: Made<ConfigMapVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ConfigMapVolumeSource";
  this.items = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ConfigMapVolumeSource;
function readConfigMapVolumeSource(m: ConfigMapVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.items = readList(m.items, NewKeyToPath, readKeyToPath, r, end, tag, depth); break;
      case 3: m.defaultMode = r.int32(); break;
      case 4: m.optional = r.bool(); break;
      case 5: m.defaultUser = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainer = function (this: Made<Container>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.Container";
  this.name = "";
  this.image = "";
  this.command = [];
  this.args = [];
  this.workingDir = "";
  this.ports = [];
  this.envFrom = [];
  this.env = [];
  this.resizePolicy = [];
  this.restartPolicyRules = [];
  this.volumeMounts = [];
  this.volumeDevices = [];
  this.terminationMessagePath = "";
  this.terminationMessagePolicy = "";
  this.imagePullPolicy = "";
  this.stdin = false;
  this.stdinOnce = false;
  this.tty = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Container;
function readContainer(m: Container, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.image = r.string(); break;
      case 3: m.command.push(r.string()); break;
      case 4: m.args.push(r.string()); break;
      case 5: m.workingDir = r.string(); break;
      case 6: m.ports = readList(m.ports, NewContainerPort, readContainerPort, r, end, tag, depth); break;
      case 19: m.envFrom = readList(m.envFrom, NewEnvFromSource, readEnvFromSource, r, end, tag, depth); break;
      case 7: m.env = readList(m.env, NewEnvVar, readEnvVar, r, end, tag, depth); break;
      case 8: m.resources = readInto(m.resources ?? new NewResourceRequirements(), readResourceRequirements, r, depth); break;
      case 23: m.resizePolicy = readList(m.resizePolicy, NewContainerResizePolicy, readContainerResizePolicy, r, end, tag, depth); break;
      case 24: m.restartPolicy = r.string(); break;
      case 25: m.restartPolicyRules = readList(m.restartPolicyRules, NewContainerRestartRule, readContainerRestartRule, r, end, tag, depth); break;
      case 9: m.volumeMounts = readList(m.volumeMounts, NewVolumeMount, readVolumeMount, r, end, tag, depth); break;
      case 21: m.volumeDevices = readList(m.volumeDevices, NewVolumeDevice, readVolumeDevice, r, end, tag, depth); break;
      case 10: m.livenessProbe = readInto(m.livenessProbe ?? new NewProbe(), readProbe, r, depth); break;
      case 11: m.readinessProbe = readInto(m.readinessProbe ?? new NewProbe(), readProbe, r, depth); break;
      case 22: m.startupProbe = readInto(m.startupProbe ?? new NewProbe(), readProbe, r, depth); break;
      case 12: m.lifecycle = readInto(m.lifecycle ?? new NewLifecycle(), readLifecycle, r, depth); break;
      case 13: m.terminationMessagePath = r.string(); break;
      case 20: m.terminationMessagePolicy = r.string(); break;
      case 14: m.imagePullPolicy = r.string(); break;
      case 15: m.securityContext = readInto(m.securityContext ?? new NewSecurityContext(), readSecurityContext, r, depth); break;
      case 16: m.stdin = r.bool(); break;
      case 17: m.stdinOnce = r.bool(); break;
      case 18: m.tty = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerExtendedResourceRequest = function (this: Made<ContainerExtendedResourceRequest>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerExtendedResourceRequest";
  this.containerName = "";
  this.resourceName = "";
  this.requestName = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerExtendedResourceRequest;
function readContainerExtendedResourceRequest(m: ContainerExtendedResourceRequest, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.containerName = r.string(); break;
      case 2: m.resourceName = r.string(); break;
      case 3: m.requestName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerPort = function (this: Made<ContainerPort>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerPort";
  this.name = "";
  this.hostPort = 0;
  this.containerPort = 0;
  this.protocol = "";
  this.hostIP = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerPort;
function readContainerPort(m: ContainerPort, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.hostPort = r.int32(); break;
      case 3: m.containerPort = r.int32(); break;
      case 4: m.protocol = r.string(); break;
      case 5: m.hostIP = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerResizePolicy = function (this: Made<ContainerResizePolicy>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerResizePolicy";
  this.resourceName = "";
  this.restartPolicy = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerResizePolicy;
function readContainerResizePolicy(m: ContainerResizePolicy, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.resourceName = r.string(); break;
      case 2: m.restartPolicy = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerRestartRule = function (this: Made<ContainerRestartRule>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerRestartRule";
  this.action = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerRestartRule;
function readContainerRestartRule(m: ContainerRestartRule, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.action = r.string(); break;
      case 2: m.exitCodes = readInto(m.exitCodes ?? new NewContainerRestartRuleOnExitCodes(), readContainerRestartRuleOnExitCodes, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerRestartRuleOnExitCodes = function (this: Made<ContainerRestartRuleOnExitCodes>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerRestartRuleOnExitCodes";
  this.operator = "";
  this.values = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerRestartRuleOnExitCodes;
function readContainerRestartRuleOnExitCodes(m: ContainerRestartRuleOnExitCodes, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.operator = r.string(); break;
      case 2: readNumbers(m.values, r, tag, () => r.int32()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerState = function (this: Made<ContainerState>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerState";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerState;
function readContainerState(m: ContainerState, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.waiting = readInto(m.waiting ?? new NewContainerStateWaiting(), readContainerStateWaiting, r, depth); break;
      case 2: m.running = readInto(m.running ?? new NewContainerStateRunning(), readContainerStateRunning, r, depth); break;
      case 3: m.terminated = readInto(m.terminated ?? new NewContainerStateTerminated(), readContainerStateTerminated, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerStateRunning = function (this: Made<ContainerStateRunning>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerStateRunning";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerStateRunning;
function readContainerStateRunning(m: ContainerStateRunning, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.startedAt = readInto(new NewTime(), readTime, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerStateTerminated = function (this: Made<ContainerStateTerminated>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerStateTerminated";
  this.exitCode = 0;
  this.signal = 0;
  this.reason = "";
  this.message = "";
  this.containerID = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerStateTerminated;
function readContainerStateTerminated(m: ContainerStateTerminated, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.exitCode = r.int32(); break;
      case 2: m.signal = r.int32(); break;
      case 3: m.reason = r.string(); break;
      case 4: m.message = r.string(); break;
      case 5: m.startedAt = readInto(new NewTime(), readTime, r, depth); break;
      case 6: m.finishedAt = readInto(new NewTime(), readTime, r, depth); break;
      case 7: m.containerID = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerStateWaiting = function (this: Made<ContainerStateWaiting>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerStateWaiting";
  this.reason = "";
  this.message = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerStateWaiting;
function readContainerStateWaiting(m: ContainerStateWaiting, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.reason = r.string(); break;
      case 2: m.message = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerStatus = function (this: Made<ContainerStatus>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerStatus";
  this.name = "";
  this.ready = false;
  this.restartCount = 0;
  this.image = "";
  this.imageID = "";
  this.containerID = "";
  this.allocatedResources = {};
  this.volumeMounts = [];
  this.allocatedResourcesStatus = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerStatus;
function readContainerStatus(m: ContainerStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.state = readInto(m.state ?? new NewContainerState(), readContainerState, r, depth); break;
      case 3: m.lastState = readInto(m.lastState ?? new NewContainerState(), readContainerState, r, depth); break;
      case 4: m.ready = r.bool(); break;
      case 5: m.restartCount = r.int32(); break;
      case 6: m.image = r.string(); break;
      case 7: m.imageID = r.string(); break;
      case 8: m.containerID = r.string(); break;
      case 9: m.started = r.bool(); break;
      case 10: readMessageEntry(m.allocatedResources, r, depth, NewQuantity, readQuantity); break;
      case 11: m.resources = readInto(m.resources ?? new NewResourceRequirements(), readResourceRequirements, r, depth); break;
      case 12: m.volumeMounts = readList(m.volumeMounts, NewVolumeMountStatus, readVolumeMountStatus, r, end, tag, depth); break;
      case 13: m.user = readInto(m.user ?? new NewContainerUser(), readContainerUser, r, depth); break;
      case 14: m.allocatedResourcesStatus = readList(m.allocatedResourcesStatus, NewResourceStatus, readResourceStatus, r, end, tag, depth); break;
      case 15: m.stopSignal = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewContainerUser = function (this: Made<ContainerUser>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ContainerUser";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ContainerUser;
function readContainerUser(m: ContainerUser, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.linux = readInto(m.linux ?? new NewLinuxContainerUser(), readLinuxContainerUser, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewDownwardAPIProjection = function (this: Made<DownwardAPIProjection>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.DownwardAPIProjection";
  this.items = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => DownwardAPIProjection;
function readDownwardAPIProjection(m: DownwardAPIProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.items = readList(m.items, NewDownwardAPIVolumeFile, readDownwardAPIVolumeFile, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewDownwardAPIVolumeFile = function (this: Made<DownwardAPIVolumeFile>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.DownwardAPIVolumeFile";
  this.path = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => DownwardAPIVolumeFile;
function readDownwardAPIVolumeFile(m: DownwardAPIVolumeFile, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.path = r.string(); break;
      case 2: m.fieldRef = readInto(m.fieldRef ?? new NewObjectFieldSelector(), readObjectFieldSelector, r, depth); break;
      case 3: m.resourceFieldRef = readInto(m.resourceFieldRef ?? new NewResourceFieldSelector(), readResourceFieldSelector, r, depth); break;
      case 4: m.mode = r.int32(); break;
      case 5: m.user = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewDownwardAPIVolumeSource = function (this: Made<DownwardAPIVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.DownwardAPIVolumeSource";
  this.items = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => DownwardAPIVolumeSource;
function readDownwardAPIVolumeSource(m: DownwardAPIVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.items = readList(m.items, NewDownwardAPIVolumeFile, readDownwardAPIVolumeFile, r, end, tag, depth); break;
      case 2: m.defaultMode = r.int32(); break;
      case 3: m.defaultUser = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewEmptyDirVolumeSource = function (this: Made<EmptyDirVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.EmptyDirVolumeSource";
  this.medium = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => EmptyDirVolumeSource;
function readEmptyDirVolumeSource(m: EmptyDirVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.medium = r.string(); break;
      case 2: m.sizeLimit = readInto(m.sizeLimit ?? new NewQuantity(), readQuantity, r, depth); break;
      case 3: m.mode = r.int32(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewEnvFromSource = function (this: Made<EnvFromSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.EnvFromSource";
  this.prefix = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => EnvFromSource;
function readEnvFromSource(m: EnvFromSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.prefix = r.string(); break;
      case 2: m.configMapRef = readInto(m.configMapRef ?? new NewConfigMapEnvSource(), readConfigMapEnvSource, r, depth); break;
      case 3: m.secretRef = readInto(m.secretRef ?? new NewSecretEnvSource(), readSecretEnvSource, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewEnvVar = function (this: Made<EnvVar>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.EnvVar";
  this.name = "";
  this.value = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => EnvVar;
function readEnvVar(m: EnvVar, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.value = r.string(); break;
      case 3: m.valueFrom = readInto(m.valueFrom ?? new NewEnvVarSource(), readEnvVarSource, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewEnvVarSource = function (this: Made<EnvVarSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.EnvVarSource";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => EnvVarSource;
function readEnvVarSource(m: EnvVarSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.fieldRef = readInto(m.fieldRef ?? new NewObjectFieldSelector(), readObjectFieldSelector, r, depth); break;
      case 2: m.resourceFieldRef = readInto(m.resourceFieldRef ?? new NewResourceFieldSelector(), readResourceFieldSelector, r, depth); break;
      case 3: m.configMapKeyRef = readInto(m.configMapKeyRef ?? new NewConfigMapKeySelector(), readConfigMapKeySelector, r, depth); break;
      case 4: m.secretKeyRef = readInto(m.secretKeyRef ?? new NewSecretKeySelector(), readSecretKeySelector, r, depth); break;
      case 5: m.fileKeyRef = readInto(m.fileKeyRef ?? new NewFileKeySelector(), readFileKeySelector, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewEphemeralContainer = function (this: Made<EphemeralContainer>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.EphemeralContainer";
  this.targetContainerName = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => EphemeralContainer;
function readEphemeralContainer(m: EphemeralContainer, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.ephemeralContainerCommon = readInto(m.ephemeralContainerCommon ?? new NewEphemeralContainerCommon(), readEphemeralContainerCommon, r, depth); break;
      case 2: m.targetContainerName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewEphemeralContainerCommon = function (this: Made<EphemeralContainerCommon>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.EphemeralContainerCommon";
  this.name = "";
  this.image = "";
  this.command = [];
  this.args = [];
  this.workingDir = "";
  this.ports = [];
  this.envFrom = [];
  this.env = [];
  this.resizePolicy = [];
  this.restartPolicyRules = [];
  this.volumeMounts = [];
  this.volumeDevices = [];
  this.terminationMessagePath = "";
  this.terminationMessagePolicy = "";
  this.imagePullPolicy = "";
  this.stdin = false;
  this.stdinOnce = false;
  this.tty = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => EphemeralContainerCommon;
function readEphemeralContainerCommon(m: EphemeralContainerCommon, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.image = r.string(); break;
      case 3: m.command.push(r.string()); break;
      case 4: m.args.push(r.string()); break;
      case 5: m.workingDir = r.string(); break;
      case 6: m.ports = readList(m.ports, NewContainerPort, readContainerPort, r, end, tag, depth); break;
      case 19: m.envFrom = readList(m.envFrom, NewEnvFromSource, readEnvFromSource, r, end, tag, depth); break;
      case 7: m.env = readList(m.env, NewEnvVar, readEnvVar, r, end, tag, depth); break;
      case 8: m.resources = readInto(m.resources ?? new NewResourceRequirements(), readResourceRequirements, r, depth); break;
      case 23: m.resizePolicy = readList(m.resizePolicy, NewContainerResizePolicy, readContainerResizePolicy, r, end, tag, depth); break;
      case 24: m.restartPolicy = r.string(); break;
      case 25: m.restartPolicyRules = readList(m.restartPolicyRules, NewContainerRestartRule, readContainerRestartRule, r, end, tag, depth); break;
      case 9: m.volumeMounts = readList(m.volumeMounts, NewVolumeMount, readVolumeMount, r, end, tag, depth); break;
      case 21: m.volumeDevices = readList(m.volumeDevices, NewVolumeDevice, readVolumeDevice, r, end, tag, depth); break;
      case 10: m.livenessProbe = readInto(m.livenessProbe ?? new NewProbe(), readProbe, r, depth); break;
      case 11: m.readinessProbe = readInto(m.readinessProbe ?? new NewProbe(), readProbe, r, depth); break;
      case 22: m.startupProbe = readInto(m.startupProbe ?? new NewProbe(), readProbe, r, depth); break;
      case 12: m.lifecycle = readInto(m.lifecycle ?? new NewLifecycle(), readLifecycle, r, depth); break;
      case 13: m.terminationMessagePath = r.string(); break;
      case 20: m.terminationMessagePolicy = r.string(); break;
      case 14: m.imagePullPolicy = r.string(); break;
      case 15: m.securityContext = readInto(m.securityContext ?? new NewSecurityContext(), readSecurityContext, r, depth); break;
      case 16: m.stdin = r.bool(); break;
      case 17: m.stdinOnce = r.bool(); break;
      case 18: m.tty = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewEphemeralVolumeSource = function (this: Made<EphemeralVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.EphemeralVolumeSource";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => EphemeralVolumeSource;
function readEphemeralVolumeSource(m: EphemeralVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumeClaimTemplate = readInto(m.volumeClaimTemplate ?? new NewPersistentVolumeClaimTemplate(), readPersistentVolumeClaimTemplate, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewEvictionResponder = function (this: Made<EvictionResponder>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.EvictionResponder";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => EvictionResponder;
function readEvictionResponder(m: EvictionResponder, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.priority = r.int32(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewExecAction = function (this: Made<ExecAction>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ExecAction";
  this.command = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ExecAction;
function readExecAction(m: ExecAction, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.command.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewFCVolumeSource = function (this: Made<FCVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.FCVolumeSource";
  this.targetWWNs = [];
  this.fsType = "";
  this.readOnly = false;
  this.wwids = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => FCVolumeSource;
function readFCVolumeSource(m: FCVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.targetWWNs.push(r.string()); break;
      case 2: m.lun = r.int32(); break;
      case 3: m.fsType = r.string(); break;
      case 4: m.readOnly = r.bool(); break;
      case 5: m.wwids.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewFieldsV1 = function (this: Made<FieldsV1>, selected?: Selected): void {
  this.$typeName = "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1";
  this.Raw = new Uint8Array(0);
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => FieldsV1;
function readFieldsV1(m: FieldsV1, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.Raw = r.bytes(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewFileKeySelector = function (this: Made<FileKeySelector>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.FileKeySelector";
  this.volumeName = "";
  this.path = "";
  this.key = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => FileKeySelector;
function readFileKeySelector(m: FileKeySelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumeName = r.string(); break;
      case 2: m.path = r.string(); break;
      case 3: m.key = r.string(); break;
      case 4: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewFlexVolumeSource = function (this: Made<FlexVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.FlexVolumeSource";
  this.driver = "";
  this.fsType = "";
  this.readOnly = false;
  this.options = {};
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => FlexVolumeSource;
function readFlexVolumeSource(m: FlexVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.driver = r.string(); break;
      case 2: m.fsType = r.string(); break;
      case 3: m.secretRef = readInto(m.secretRef ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 4: m.readOnly = r.bool(); break;
      case 5: readTextEntry(m.options, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewFlockerVolumeSource = function (this: Made<FlockerVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.FlockerVolumeSource";
  this.datasetName = "";
  this.datasetUUID = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => FlockerVolumeSource;
function readFlockerVolumeSource(m: FlockerVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.datasetName = r.string(); break;
      case 2: m.datasetUUID = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewGCEPersistentDiskVolumeSource = function (this: Made<GCEPersistentDiskVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.GCEPersistentDiskVolumeSource";
  this.pdName = "";
  this.fsType = "";
  this.partition = 0;
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => GCEPersistentDiskVolumeSource;
function readGCEPersistentDiskVolumeSource(m: GCEPersistentDiskVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.pdName = r.string(); break;
      case 2: m.fsType = r.string(); break;
      case 3: m.partition = r.int32(); break;
      case 4: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewGRPCAction = function (this: Made<GRPCAction>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.GRPCAction";
  this.port = 0;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => GRPCAction;
function readGRPCAction(m: GRPCAction, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.port = r.int32(); break;
      case 2: m.service = r.string(); break;
      case 3: m.mode = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewGitRepoVolumeSource = function (this: Made<GitRepoVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.GitRepoVolumeSource";
  this.repository = "";
  this.revision = "";
  this.directory = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => GitRepoVolumeSource;
function readGitRepoVolumeSource(m: GitRepoVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.repository = r.string(); break;
      case 2: m.revision = r.string(); break;
      case 3: m.directory = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewGlusterfsVolumeSource = function (this: Made<GlusterfsVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.GlusterfsVolumeSource";
  this.endpoints = "";
  this.path = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => GlusterfsVolumeSource;
function readGlusterfsVolumeSource(m: GlusterfsVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.endpoints = r.string(); break;
      case 2: m.path = r.string(); break;
      case 3: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewHTTPGetAction = function (this: Made<HTTPGetAction>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.HTTPGetAction";
  this.path = "";
  this.host = "";
  this.scheme = "";
  this.httpHeaders = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => HTTPGetAction;
function readHTTPGetAction(m: HTTPGetAction, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.path = r.string(); break;
      case 2: m.port = readInto(m.port ?? new NewIntOrString(), readIntOrString, r, depth); break;
      case 3: m.host = r.string(); break;
      case 4: m.scheme = r.string(); break;
      case 5: m.httpHeaders = readList(m.httpHeaders, NewHTTPHeader, readHTTPHeader, r, end, tag, depth); break;
      case 6: m.protocol = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewHTTPHeader = function (this: Made<HTTPHeader>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.HTTPHeader";
  this.name = "";
  this.value = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => HTTPHeader;
function readHTTPHeader(m: HTTPHeader, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.value = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewHostAlias = function (this: Made<HostAlias>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.HostAlias";
  this.ip = "";
  this.hostnames = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => HostAlias;
function readHostAlias(m: HostAlias, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.ip = r.string(); break;
      case 2: m.hostnames.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewHostIP = function (this: Made<HostIP>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.HostIP";
  this.ip = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => HostIP;
function readHostIP(m: HostIP, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.ip = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewHostPathVolumeSource = function (this: Made<HostPathVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.HostPathVolumeSource";
  this.path = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => HostPathVolumeSource;
function readHostPathVolumeSource(m: HostPathVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.path = r.string(); break;
      case 2: m.type = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewISCSIVolumeSource = function (this: Made<ISCSIVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ISCSIVolumeSource";
  this.targetPortal = "";
  this.iqn = "";
  this.lun = 0;
  this.iscsiInterface = "";
  this.fsType = "";
  this.readOnly = false;
  this.portals = [];
  this.chapAuthDiscovery = false;
  this.chapAuthSession = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ISCSIVolumeSource;
function readISCSIVolumeSource(m: ISCSIVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.targetPortal = r.string(); break;
      case 2: m.iqn = r.string(); break;
      case 3: m.lun = r.int32(); break;
      case 4: m.iscsiInterface = r.string(); break;
      case 5: m.fsType = r.string(); break;
      case 6: m.readOnly = r.bool(); break;
      case 7: m.portals.push(r.string()); break;
      case 8: m.chapAuthDiscovery = r.bool(); break;
      case 11: m.chapAuthSession = r.bool(); break;
      case 10: m.secretRef = readInto(m.secretRef ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 12: m.initiatorName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewImageVolumeSource = function (this: Made<ImageVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ImageVolumeSource";
  this.reference = "";
  this.pullPolicy = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ImageVolumeSource;
function readImageVolumeSource(m: ImageVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.reference = r.string(); break;
      case 2: m.pullPolicy = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewImageVolumeStatus = function (this: Made<ImageVolumeStatus>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ImageVolumeStatus";
  this.imageRef = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ImageVolumeStatus;
function readImageVolumeStatus(m: ImageVolumeStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.imageRef = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewIntOrString = function (this: Made<IntOrString>, selected?: Selected): void {
  this.$typeName = "k8s.io.apimachinery.pkg.util.intstr.IntOrString";
  this.type = 0n;
  this.intVal = 0;
  this.strVal = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => IntOrString;
function readIntOrString(m: IntOrString, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.type = r.int64(); break;
      case 2: m.intVal = r.int32(); break;
      case 3: m.strVal = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewKeyToPath = function (this: Made<KeyToPath>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.KeyToPath";
  this.key = "";
  this.path = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => KeyToPath;
function readKeyToPath(m: KeyToPath, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.key = r.string(); break;
      case 2: m.path = r.string(); break;
      case 3: m.mode = r.int32(); break;
      case 4: m.user = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewLabelSelector = function (this: Made<LabelSelector>, selected?: Selected): void {
  this.$typeName = "k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelector";
  this.matchLabels = {};
  this.matchExpressions = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => LabelSelector;
function readLabelSelector(m: LabelSelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: readTextEntry(m.matchLabels, r, depth); break;
      case 2: m.matchExpressions = readList(m.matchExpressions, NewLabelSelectorRequirement, readLabelSelectorRequirement, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewLabelSelectorRequirement = function (this: Made<LabelSelectorRequirement>, selected?: Selected): void {
  this.$typeName = "k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement";
  this.key = "";
  this.operator = "";
  this.values = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => LabelSelectorRequirement;
function readLabelSelectorRequirement(m: LabelSelectorRequirement, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.key = r.string(); break;
      case 2: m.operator = r.string(); break;
      case 3: m.values.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewLifecycle = function (this: Made<Lifecycle>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.Lifecycle";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Lifecycle;
function readLifecycle(m: Lifecycle, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.postStart = readInto(m.postStart ?? new NewLifecycleHandler(), readLifecycleHandler, r, depth); break;
      case 2: m.preStop = readInto(m.preStop ?? new NewLifecycleHandler(), readLifecycleHandler, r, depth); break;
      case 3: m.stopSignal = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewLifecycleHandler = function (this: Made<LifecycleHandler>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.LifecycleHandler";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => LifecycleHandler;
function readLifecycleHandler(m: LifecycleHandler, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.exec = readInto(m.exec ?? new NewExecAction(), readExecAction, r, depth); break;
      case 2: m.httpGet = readInto(m.httpGet ?? new NewHTTPGetAction(), readHTTPGetAction, r, depth); break;
      case 3: m.tcpSocket = readInto(m.tcpSocket ?? new NewTCPSocketAction(), readTCPSocketAction, r, depth); break;
      case 4: m.sleep = readInto(m.sleep ?? new NewSleepAction(), readSleepAction, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewLinuxContainerUser = function (this: Made<LinuxContainerUser>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.LinuxContainerUser";
  this.uid = 0n;
  this.gid = 0n;
  this.supplementalGroups = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => LinuxContainerUser;
function readLinuxContainerUser(m: LinuxContainerUser, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.uid = r.int64(); break;
      case 2: m.gid = r.int64(); break;
      case 3: readNumbers(m.supplementalGroups, r, tag, () => r.int64()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewLocalObjectReference = function (this: Made<LocalObjectReference>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.LocalObjectReference";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => LocalObjectReference;
function readLocalObjectReference(m: LocalObjectReference, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewManagedFieldsEntry = function (this: Made<ManagedFieldsEntry>, selected?: Selected): void {
  this.$typeName = "k8s.io.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry";
  this.manager = "";
  this.operation = "";
  this.apiVersion = "";
  this.fieldsType = "";
  this.subresource = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ManagedFieldsEntry;
function readManagedFieldsEntry(m: ManagedFieldsEntry, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.manager = r.string(); break;
      case 2: m.operation = r.string(); break;
      case 3: m.apiVersion = r.string(); break;
      case 4: m.time = readInto(new NewTime(), readTime, r, depth); break;
      case 6: m.fieldsType = r.string(); break;
      case 7: m.fieldsV1 = readInto(m.fieldsV1 ?? new NewFieldsV1(), readFieldsV1, r, depth); break;
      case 8: m.subresource = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewNFSVolumeSource = function (this: Made<NFSVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.NFSVolumeSource";
  this.server = "";
  this.path = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => NFSVolumeSource;
function readNFSVolumeSource(m: NFSVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.server = r.string(); break;
      case 2: m.path = r.string(); break;
      case 3: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewNodeAffinity = function (this: Made<NodeAffinity>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.NodeAffinity";
  this.preferredDuringSchedulingIgnoredDuringExecution = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => NodeAffinity;
function readNodeAffinity(m: NodeAffinity, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.requiredDuringSchedulingIgnoredDuringExecution = readInto(m.requiredDuringSchedulingIgnoredDuringExecution ?? new NewNodeSelector(), readNodeSelector, r, depth); break;
      case 2: m.preferredDuringSchedulingIgnoredDuringExecution = readList(m.preferredDuringSchedulingIgnoredDuringExecution, NewPreferredSchedulingTerm, readPreferredSchedulingTerm, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewNodeAllocatableMappedResources = function (this: Made<NodeAllocatableMappedResources>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.NodeAllocatableMappedResources";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => NodeAllocatableMappedResources;
function readNodeAllocatableMappedResources(m: NodeAllocatableMappedResources, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.quantity = readInto(m.quantity ?? new NewQuantity(), readQuantity, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewNodeAllocatableOverheadResources = function (this: Made<NodeAllocatableOverheadResources>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.NodeAllocatableOverheadResources";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => NodeAllocatableOverheadResources;
function readNodeAllocatableOverheadResources(m: NodeAllocatableOverheadResources, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.perPod = readInto(m.perPod ?? new NewQuantity(), readQuantity, r, depth); break;
      case 3: m.perContainer = readInto(m.perContainer ?? new NewQuantity(), readQuantity, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewNodeAllocatableResourceClaimStatus = function (this: Made<NodeAllocatableResourceClaimStatus>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.NodeAllocatableResourceClaimStatus";
  this.resourceClaimName = "";
  this.containers = [];
  this.resources = {};
  this.mapping = [];
  this.overhead = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => NodeAllocatableResourceClaimStatus;
function readNodeAllocatableResourceClaimStatus(m: NodeAllocatableResourceClaimStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.resourceClaimName = r.string(); break;
      case 2: m.containers.push(r.string()); break;
      case 3: readMessageEntry(m.resources, r, depth, NewQuantity, readQuantity); break;
      case 4: m.mapping = readList(m.mapping, NewNodeAllocatableMappedResources, readNodeAllocatableMappedResources, r, end, tag, depth); break;
      case 5: m.overhead = readList(m.overhead, NewNodeAllocatableOverheadResources, readNodeAllocatableOverheadResources, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewNodeSelector = function (this: Made<NodeSelector>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.NodeSelector";
  this.nodeSelectorTerms = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => NodeSelector;
function readNodeSelector(m: NodeSelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.nodeSelectorTerms = readList(m.nodeSelectorTerms, NewNodeSelectorTerm, readNodeSelectorTerm, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewNodeSelectorRequirement = function (this: Made<NodeSelectorRequirement>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.NodeSelectorRequirement";
  this.key = "";
  this.operator = "";
  this.values = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => NodeSelectorRequirement;
function readNodeSelectorRequirement(m: NodeSelectorRequirement, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.key = r.string(); break;
      case 2: m.operator = r.string(); break;
      case 3: m.values.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewNodeSelectorTerm = function (this: Made<NodeSelectorTerm>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.NodeSelectorTerm";
  this.matchExpressions = [];
  this.matchFields = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => NodeSelectorTerm;
function readNodeSelectorTerm(m: NodeSelectorTerm, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.matchExpressions = readList(m.matchExpressions, NewNodeSelectorRequirement, readNodeSelectorRequirement, r, end, tag, depth); break;
      case 2: m.matchFields = readList(m.matchFields, NewNodeSelectorRequirement, readNodeSelectorRequirement, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewObjectFieldSelector = function (this: Made<ObjectFieldSelector>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ObjectFieldSelector";
  this.apiVersion = "";
  this.fieldPath = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ObjectFieldSelector;
function readObjectFieldSelector(m: ObjectFieldSelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.apiVersion = r.string(); break;
      case 2: m.fieldPath = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewObjectMeta = function (this: Made<ObjectMeta>, selected?: Selected): void {
  this.$typeName = "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  this.name = "";
  this.generateName = "";
  this.namespace = "";
  this.selfLink = "";
  this.uid = "";
  this.resourceVersion = "";
  this.generation = 0n;
  this.labels = {};
  this.annotations = {};
  this.ownerReferences = [];
  this.finalizers = [];
  this.managedFields = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ObjectMeta;
function readObjectMeta(m: ObjectMeta, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.generateName = r.string(); break;
      case 3: m.namespace = r.string(); break;
      case 4: m.selfLink = r.string(); break;
      case 5: m.uid = r.string(); break;
      case 6: m.resourceVersion = r.string(); break;
      case 7: m.generation = r.int64(); break;
      case 8: m.creationTimestamp = readInto(new NewTime(), readTime, r, depth); break;
      case 9: m.deletionTimestamp = readInto(new NewTime(), readTime, r, depth); break;
      case 10: m.deletionGracePeriodSeconds = r.int64(); break;
      case 11: readTextEntry(m.labels, r, depth); break;
      case 12: readTextEntry(m.annotations, r, depth); break;
      case 13: m.ownerReferences = readList(m.ownerReferences, NewOwnerReference, readOwnerReference, r, end, tag, depth); break;
      case 14: m.finalizers.push(r.string()); break;
      case 17: m.managedFields = readList(m.managedFields, NewManagedFieldsEntry, readManagedFieldsEntry, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewOwnerReference = function (this: Made<OwnerReference>, selected?: Selected): void {
  this.$typeName = "k8s.io.apimachinery.pkg.apis.meta.v1.OwnerReference";
  this.apiVersion = "";
  this.kind = "";
  this.name = "";
  this.uid = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => OwnerReference;
function readOwnerReference(m: OwnerReference, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 5: m.apiVersion = r.string(); break;
      case 1: m.kind = r.string(); break;
      case 3: m.name = r.string(); break;
      case 4: m.uid = r.string(); break;
      case 6: m.controller = r.bool(); break;
      case 7: m.blockOwnerDeletion = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPersistentVolumeClaimSpec = function (this: Made<PersistentVolumeClaimSpec>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PersistentVolumeClaimSpec";
  this.accessModes = [];
  this.volumeName = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PersistentVolumeClaimSpec;
function readPersistentVolumeClaimSpec(m: PersistentVolumeClaimSpec, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.accessModes.push(r.string()); break;
      case 4: m.selector = readInto(m.selector ?? new NewLabelSelector(), readLabelSelector, r, depth); break;
      case 2: m.resources = readInto(m.resources ?? new NewVolumeResourceRequirements(), readVolumeResourceRequirements, r, depth); break;
      case 3: m.volumeName = r.string(); break;
      case 5: m.storageClassName = r.string(); break;
      case 6: m.volumeMode = r.string(); break;
      case 7: m.dataSource = readInto(m.dataSource ?? new NewTypedLocalObjectReference(), readTypedLocalObjectReference, r, depth); break;
      case 8: m.dataSourceRef = readInto(m.dataSourceRef ?? new NewTypedObjectReference(), readTypedObjectReference, r, depth); break;
      case 9: m.volumeAttributesClassName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPersistentVolumeClaimTemplate = function (this: Made<PersistentVolumeClaimTemplate>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PersistentVolumeClaimTemplate";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PersistentVolumeClaimTemplate;
function readPersistentVolumeClaimTemplate(m: PersistentVolumeClaimTemplate, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.metadata = readInto(m.metadata ?? new NewObjectMeta(), readObjectMeta, r, depth); break;
      case 2: m.spec = readInto(m.spec ?? new NewPersistentVolumeClaimSpec(), readPersistentVolumeClaimSpec, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPersistentVolumeClaimVolumeSource = function (this: Made<PersistentVolumeClaimVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PersistentVolumeClaimVolumeSource";
  this.claimName = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PersistentVolumeClaimVolumeSource;
function readPersistentVolumeClaimVolumeSource(m: PersistentVolumeClaimVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.claimName = r.string(); break;
      case 2: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPhotonPersistentDiskVolumeSource = function (this: Made<PhotonPersistentDiskVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PhotonPersistentDiskVolumeSource";
  this.pdID = "";
  this.fsType = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PhotonPersistentDiskVolumeSource;
function readPhotonPersistentDiskVolumeSource(m: PhotonPersistentDiskVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.pdID = r.string(); break;
      case 2: m.fsType = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPod = function (this: Made<Pod>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.Pod";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Pod;
function readPod(m: Pod, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.metadata = readInto(m.metadata ?? new NewObjectMeta(), readObjectMeta, r, depth); break;
      case 2: m.spec = readInto(m.spec ?? new NewPodSpec(), readPodSpec, r, depth); break;
      case 3: m.status = readInto(m.status ?? new NewPodStatus(), readPodStatus, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodAffinity = function (this: Made<PodAffinity>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodAffinity";
  this.requiredDuringSchedulingIgnoredDuringExecution = [];
  this.preferredDuringSchedulingIgnoredDuringExecution = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodAffinity;
function readPodAffinity(m: PodAffinity, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.requiredDuringSchedulingIgnoredDuringExecution = readList(m.requiredDuringSchedulingIgnoredDuringExecution, NewPodAffinityTerm, readPodAffinityTerm, r, end, tag, depth); break;
      case 2: m.preferredDuringSchedulingIgnoredDuringExecution = readList(m.preferredDuringSchedulingIgnoredDuringExecution, NewWeightedPodAffinityTerm, readWeightedPodAffinityTerm, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodAffinityTerm = function (this: Made<PodAffinityTerm>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodAffinityTerm";
  this.namespaces = [];
  this.topologyKey = "";
  this.matchLabelKeys = [];
  this.mismatchLabelKeys = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodAffinityTerm;
function readPodAffinityTerm(m: PodAffinityTerm, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.labelSelector = readInto(m.labelSelector ?? new NewLabelSelector(), readLabelSelector, r, depth); break;
      case 2: m.namespaces.push(r.string()); break;
      case 3: m.topologyKey = r.string(); break;
      case 4: m.namespaceSelector = readInto(m.namespaceSelector ?? new NewLabelSelector(), readLabelSelector, r, depth); break;
      case 5: m.matchLabelKeys.push(r.string()); break;
      case 6: m.mismatchLabelKeys.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodAntiAffinity = function (this: Made<PodAntiAffinity>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodAntiAffinity";
  this.requiredDuringSchedulingIgnoredDuringExecution = [];
  this.preferredDuringSchedulingIgnoredDuringExecution = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodAntiAffinity;
function readPodAntiAffinity(m: PodAntiAffinity, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.requiredDuringSchedulingIgnoredDuringExecution = readList(m.requiredDuringSchedulingIgnoredDuringExecution, NewPodAffinityTerm, readPodAffinityTerm, r, end, tag, depth); break;
      case 2: m.preferredDuringSchedulingIgnoredDuringExecution = readList(m.preferredDuringSchedulingIgnoredDuringExecution, NewWeightedPodAffinityTerm, readWeightedPodAffinityTerm, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodCertificateProjection = function (this: Made<PodCertificateProjection>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodCertificateProjection";
  this.signerName = "";
  this.keyType = "";
  this.credentialBundlePath = "";
  this.keyPath = "";
  this.certificateChainPath = "";
  this.userAnnotations = {};
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodCertificateProjection;
function readPodCertificateProjection(m: PodCertificateProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.signerName = r.string(); break;
      case 2: m.keyType = r.string(); break;
      case 3: m.maxExpirationSeconds = r.int32(); break;
      case 4: m.credentialBundlePath = r.string(); break;
      case 5: m.keyPath = r.string(); break;
      case 6: m.certificateChainPath = r.string(); break;
      case 7: readTextEntry(m.userAnnotations, r, depth); break;
      case 8: m.user = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodCondition = function (this: Made<PodCondition>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodCondition";
  this.type = "";
  this.observedGeneration = 0n;
  this.status = "";
  this.reason = "";
  this.message = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodCondition;
function readPodCondition(m: PodCondition, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.type = r.string(); break;
      case 7: m.observedGeneration = r.int64(); break;
      case 2: m.status = r.string(); break;
      case 3: m.lastProbeTime = readInto(new NewTime(), readTime, r, depth); break;
      case 4: m.lastTransitionTime = readInto(new NewTime(), readTime, r, depth); break;
      case 5: m.reason = r.string(); break;
      case 6: m.message = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodDNSConfig = function (this: Made<PodDNSConfig>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodDNSConfig";
  this.nameservers = [];
  this.searches = [];
  this.options = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodDNSConfig;
function readPodDNSConfig(m: PodDNSConfig, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.nameservers.push(r.string()); break;
      case 2: m.searches.push(r.string()); break;
      case 3: m.options = readList(m.options, NewPodDNSConfigOption, readPodDNSConfigOption, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodDNSConfigOption = function (this: Made<PodDNSConfigOption>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodDNSConfigOption";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodDNSConfigOption;
function readPodDNSConfigOption(m: PodDNSConfigOption, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.value = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodExtendedResourceClaimStatus = function (this: Made<PodExtendedResourceClaimStatus>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodExtendedResourceClaimStatus";
  this.requestMappings = [];
  this.resourceClaimName = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodExtendedResourceClaimStatus;
function readPodExtendedResourceClaimStatus(m: PodExtendedResourceClaimStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.requestMappings = readList(m.requestMappings, NewContainerExtendedResourceRequest, readContainerExtendedResourceRequest, r, end, tag, depth); break;
      case 2: m.resourceClaimName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodIP = function (this: Made<PodIP>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodIP";
  this.ip = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodIP;
function readPodIP(m: PodIP, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.ip = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodOS = function (this: Made<PodOS>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodOS";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodOS;
function readPodOS(m: PodOS, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodReadinessGate = function (this: Made<PodReadinessGate>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodReadinessGate";
  this.conditionType = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodReadinessGate;
function readPodReadinessGate(m: PodReadinessGate, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.conditionType = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodResourceClaim = function (this: Made<PodResourceClaim>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodResourceClaim";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodResourceClaim;
function readPodResourceClaim(m: PodResourceClaim, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 3: m.resourceClaimName = r.string(); break;
      case 4: m.resourceClaimTemplateName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodResourceClaimStatus = function (this: Made<PodResourceClaimStatus>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodResourceClaimStatus";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodResourceClaimStatus;
function readPodResourceClaimStatus(m: PodResourceClaimStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.resourceClaimName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodSchedulingGate = function (this: Made<PodSchedulingGate>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodSchedulingGate";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodSchedulingGate;
function readPodSchedulingGate(m: PodSchedulingGate, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodSchedulingGroup = function (this: Made<PodSchedulingGroup>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodSchedulingGroup";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodSchedulingGroup;
function readPodSchedulingGroup(m: PodSchedulingGroup, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.podGroupName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodSecurityContext = function (this: Made<PodSecurityContext>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodSecurityContext";
  this.supplementalGroups = [];
  this.sysctls = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodSecurityContext;
function readPodSecurityContext(m: PodSecurityContext, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.seLinuxOptions = readInto(m.seLinuxOptions ?? new NewSELinuxOptions(), readSELinuxOptions, r, depth); break;
      case 8: m.windowsOptions = readInto(m.windowsOptions ?? new NewWindowsSecurityContextOptions(), readWindowsSecurityContextOptions, r, depth); break;
      case 2: m.runAsUser = r.int64(); break;
      case 6: m.runAsGroup = r.int64(); break;
      case 3: m.runAsNonRoot = r.bool(); break;
      case 4: readNumbers(m.supplementalGroups, r, tag, () => r.int64()); break;
      case 12: m.supplementalGroupsPolicy = r.string(); break;
      case 5: m.fsGroup = r.int64(); break;
      case 7: m.sysctls = readList(m.sysctls, NewSysctl, readSysctl, r, end, tag, depth); break;
      case 9: m.fsGroupChangePolicy = r.string(); break;
      case 10: m.seccompProfile = readInto(m.seccompProfile ?? new NewSeccompProfile(), readSeccompProfile, r, depth); break;
      case 11: m.appArmorProfile = readInto(m.appArmorProfile ?? new NewAppArmorProfile(), readAppArmorProfile, r, depth); break;
      case 13: m.seLinuxChangePolicy = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodSpec = function (this: Made<PodSpec>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodSpec";
  this.volumes = [];
  this.initContainers = [];
  this.containers = [];
  this.ephemeralContainers = [];
  this.restartPolicy = "";
  this.dnsPolicy = "";
  this.nodeSelector = {};
  this.serviceAccountName = "";
  this.serviceAccount = "";
  this.nodeName = "";
  this.hostNetwork = false;
  this.hostPID = false;
  this.hostIPC = false;
  this.imagePullSecrets = [];
  this.hostname = "";
  this.subdomain = "";
  this.schedulerName = "";
  this.tolerations = [];
  this.hostAliases = [];
  this.priorityClassName = "";
  this.readinessGates = [];
  this.overhead = {};
  this.topologySpreadConstraints = [];
  this.schedulingGates = [];
  this.resourceClaims = [];
  this.evictionResponders = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodSpec;
function readPodSpec(m: PodSpec, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumes = readList(m.volumes, NewVolume, readVolume, r, end, tag, depth); break;
      case 20: m.initContainers = readList(m.initContainers, NewContainer, readContainer, r, end, tag, depth); break;
      case 2: m.containers = readList(m.containers, NewContainer, readContainer, r, end, tag, depth); break;
      case 34: m.ephemeralContainers = readList(m.ephemeralContainers, NewEphemeralContainer, readEphemeralContainer, r, end, tag, depth); break;
      case 3: m.restartPolicy = r.string(); break;
      case 4: m.terminationGracePeriodSeconds = r.int64(); break;
      case 5: m.activeDeadlineSeconds = r.int64(); break;
      case 6: m.dnsPolicy = r.string(); break;
      case 7: readTextEntry(m.nodeSelector, r, depth); break;
      case 8: m.serviceAccountName = r.string(); break;
      case 9: m.serviceAccount = r.string(); break;
      case 21: m.automountServiceAccountToken = r.bool(); break;
      case 10: m.nodeName = r.string(); break;
      case 11: m.hostNetwork = r.bool(); break;
      case 12: m.hostPID = r.bool(); break;
      case 13: m.hostIPC = r.bool(); break;
      case 27: m.shareProcessNamespace = r.bool(); break;
      case 14: m.securityContext = readInto(m.securityContext ?? new NewPodSecurityContext(), readPodSecurityContext, r, depth); break;
      case 15: m.imagePullSecrets = readList(m.imagePullSecrets, NewLocalObjectReference, readLocalObjectReference, r, end, tag, depth); break;
      case 16: m.hostname = r.string(); break;
      case 17: m.subdomain = r.string(); break;
      case 18: m.affinity = readInto(m.affinity ?? new NewAffinity(), readAffinity, r, depth); break;
      case 19: m.schedulerName = r.string(); break;
      case 22: m.tolerations = readList(m.tolerations, NewToleration, readToleration, r, end, tag, depth); break;
      case 23: m.hostAliases = readList(m.hostAliases, NewHostAlias, readHostAlias, r, end, tag, depth); break;
      case 24: m.priorityClassName = r.string(); break;
      case 25: m.priority = r.int32(); break;
      case 26: m.dnsConfig = readInto(m.dnsConfig ?? new NewPodDNSConfig(), readPodDNSConfig, r, depth); break;
      case 28: m.readinessGates = readList(m.readinessGates, NewPodReadinessGate, readPodReadinessGate, r, end, tag, depth); break;
      case 29: m.runtimeClassName = r.string(); break;
      case 30: m.enableServiceLinks = r.bool(); break;
      case 31: m.preemptionPolicy = r.string(); break;
      case 32: readMessageEntry(m.overhead, r, depth, NewQuantity, readQuantity); break;
      case 33: m.topologySpreadConstraints = readList(m.topologySpreadConstraints, NewTopologySpreadConstraint, readTopologySpreadConstraint, r, end, tag, depth); break;
      case 35: m.setHostnameAsFQDN = r.bool(); break;
      case 36: m.os = readInto(m.os ?? new NewPodOS(), readPodOS, r, depth); break;
      case 37: m.hostUsers = r.bool(); break;
      case 38: m.schedulingGates = readList(m.schedulingGates, NewPodSchedulingGate, readPodSchedulingGate, r, end, tag, depth); break;
      case 39: m.resourceClaims = readList(m.resourceClaims, NewPodResourceClaim, readPodResourceClaim, r, end, tag, depth); break;
      case 40: m.resources = readInto(m.resources ?? new NewResourceRequirements(), readResourceRequirements, r, depth); break;
      case 41: m.hostnameOverride = r.string(); break;
      case 43: m.schedulingGroup = readInto(m.schedulingGroup ?? new NewPodSchedulingGroup(), readPodSchedulingGroup, r, depth); break;
      case 44: m.evictionResponders = readList(m.evictionResponders, NewEvictionResponder, readEvictionResponder, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodStatus = function (this: Made<PodStatus>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodStatus";
  this.observedGeneration = 0n;
  this.phase = "";
  this.conditions = [];
  this.message = "";
  this.reason = "";
  this.nominatedNodeName = "";
  this.hostIP = "";
  this.hostIPs = [];
  this.podIP = "";
  this.podIPs = [];
  this.initContainerStatuses = [];
  this.containerStatuses = [];
  this.qosClass = "";
  this.ephemeralContainerStatuses = [];
  this.resize = "";
  this.resourceClaimStatuses = [];
  this.allocatedResources = {};
  this.nodeAllocatableResourceClaimStatuses = [];
  this.volumeHealth = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodStatus;
function readPodStatus(m: PodStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 17: m.observedGeneration = r.int64(); break;
      case 1: m.phase = r.string(); break;
      case 2: m.conditions = readList(m.conditions, NewPodCondition, readPodCondition, r, end, tag, depth); break;
      case 3: m.message = r.string(); break;
      case 4: m.reason = r.string(); break;
      case 11: m.nominatedNodeName = r.string(); break;
      case 5: m.hostIP = r.string(); break;
      case 16: m.hostIPs = readList(m.hostIPs, NewHostIP, readHostIP, r, end, tag, depth); break;
      case 6: m.podIP = r.string(); break;
      case 12: m.podIPs = readList(m.podIPs, NewPodIP, readPodIP, r, end, tag, depth); break;
      case 7: m.startTime = readInto(new NewTime(), readTime, r, depth); break;
      case 10: m.initContainerStatuses = readList(m.initContainerStatuses, NewContainerStatus, readContainerStatus, r, end, tag, depth); break;
      case 8: m.containerStatuses = readList(m.containerStatuses, NewContainerStatus, readContainerStatus, r, end, tag, depth); break;
      case 9: m.qosClass = r.string(); break;
      case 13: m.ephemeralContainerStatuses = readList(m.ephemeralContainerStatuses, NewContainerStatus, readContainerStatus, r, end, tag, depth); break;
      case 14: m.resize = r.string(); break;
      case 15: m.resourceClaimStatuses = readList(m.resourceClaimStatuses, NewPodResourceClaimStatus, readPodResourceClaimStatus, r, end, tag, depth); break;
      case 18: m.extendedResourceClaimStatus = readInto(m.extendedResourceClaimStatus ?? new NewPodExtendedResourceClaimStatus(), readPodExtendedResourceClaimStatus, r, depth); break;
      case 19: readMessageEntry(m.allocatedResources, r, depth, NewQuantity, readQuantity); break;
      case 20: m.resources = readInto(m.resources ?? new NewResourceRequirements(), readResourceRequirements, r, depth); break;
      case 21: m.nodeAllocatableResourceClaimStatuses = readList(m.nodeAllocatableResourceClaimStatuses, NewNodeAllocatableResourceClaimStatus, readNodeAllocatableResourceClaimStatus, r, end, tag, depth); break;
      case 22: m.volumeHealth = readList(m.volumeHealth, NewPodVolumeHealth, readPodVolumeHealth, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPodVolumeHealth = function (this: Made<PodVolumeHealth>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PodVolumeHealth";
  this.name = "";
  this.healthConditions = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PodVolumeHealth;
function readPodVolumeHealth(m: PodVolumeHealth, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.healthConditions = readList(m.healthConditions, NewVolumeHealthCondition, readVolumeHealthCondition, r, end, tag, depth); break;
      case 3: m.lastTransitionTime = readInto(new NewTime(), readTime, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPortworxVolumeSource = function (this: Made<PortworxVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PortworxVolumeSource";
  this.volumeID = "";
  this.fsType = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PortworxVolumeSource;
function readPortworxVolumeSource(m: PortworxVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumeID = r.string(); break;
      case 2: m.fsType = r.string(); break;
      case 3: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewPreferredSchedulingTerm = function (this: Made<PreferredSchedulingTerm>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.PreferredSchedulingTerm";
  this.weight = 0;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => PreferredSchedulingTerm;
function readPreferredSchedulingTerm(m: PreferredSchedulingTerm, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.weight = r.int32(); break;
      case 2: m.preference = readInto(m.preference ?? new NewNodeSelectorTerm(), readNodeSelectorTerm, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewProbe = function (this: Made<Probe>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.Probe";
  this.initialDelaySeconds = 0;
  this.timeoutSeconds = 0;
  this.periodSeconds = 0;
  this.successThreshold = 0;
  this.failureThreshold = 0;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Probe;
function readProbe(m: Probe, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.handler = readInto(m.handler ?? new NewProbeHandler(), readProbeHandler, r, depth); break;
      case 2: m.initialDelaySeconds = r.int32(); break;
      case 3: m.timeoutSeconds = r.int32(); break;
      case 4: m.periodSeconds = r.int32(); break;
      case 5: m.successThreshold = r.int32(); break;
      case 6: m.failureThreshold = r.int32(); break;
      case 7: m.terminationGracePeriodSeconds = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewProbeHandler = function (this: Made<ProbeHandler>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ProbeHandler";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ProbeHandler;
function readProbeHandler(m: ProbeHandler, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.exec = readInto(m.exec ?? new NewExecAction(), readExecAction, r, depth); break;
      case 2: m.httpGet = readInto(m.httpGet ?? new NewHTTPGetAction(), readHTTPGetAction, r, depth); break;
      case 3: m.tcpSocket = readInto(m.tcpSocket ?? new NewTCPSocketAction(), readTCPSocketAction, r, depth); break;
      case 4: m.grpc = readInto(m.grpc ?? new NewGRPCAction(), readGRPCAction, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewProjectedVolumeSource = function (this: Made<ProjectedVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ProjectedVolumeSource";
  this.sources = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ProjectedVolumeSource;
function readProjectedVolumeSource(m: ProjectedVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.sources = readList(m.sources, NewVolumeProjection, readVolumeProjection, r, end, tag, depth); break;
      case 2: m.defaultMode = r.int32(); break;
      case 3: m.defaultUser = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewQuantity = function (this: Made<Quantity>, selected?: Selected): void {
  this.$typeName = "k8s.io.apimachinery.pkg.api.resource.Quantity";
  this.string = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Quantity;
function readQuantity(m: Quantity, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.string = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewQuobyteVolumeSource = function (this: Made<QuobyteVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.QuobyteVolumeSource";
  this.registry = "";
  this.volume = "";
  this.readOnly = false;
  this.user = "";
  this.group = "";
  this.tenant = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => QuobyteVolumeSource;
function readQuobyteVolumeSource(m: QuobyteVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.registry = r.string(); break;
      case 2: m.volume = r.string(); break;
      case 3: m.readOnly = r.bool(); break;
      case 4: m.user = r.string(); break;
      case 5: m.group = r.string(); break;
      case 6: m.tenant = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewRBDVolumeSource = function (this: Made<RBDVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.RBDVolumeSource";
  this.monitors = [];
  this.image = "";
  this.fsType = "";
  this.pool = "";
  this.user = "";
  this.keyring = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => RBDVolumeSource;
function readRBDVolumeSource(m: RBDVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.monitors.push(r.string()); break;
      case 2: m.image = r.string(); break;
      case 3: m.fsType = r.string(); break;
      case 4: m.pool = r.string(); break;
      case 5: m.user = r.string(); break;
      case 6: m.keyring = r.string(); break;
      case 7: m.secretRef = readInto(m.secretRef ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 8: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewResourceClaim = function (this: Made<ResourceClaim>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ResourceClaim";
  this.name = "";
  this.request = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ResourceClaim;
function readResourceClaim(m: ResourceClaim, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.request = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewResourceFieldSelector = function (this: Made<ResourceFieldSelector>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ResourceFieldSelector";
  this.containerName = "";
  this.resource = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ResourceFieldSelector;
function readResourceFieldSelector(m: ResourceFieldSelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.containerName = r.string(); break;
      case 2: m.resource = r.string(); break;
      case 3: m.divisor = readInto(m.divisor ?? new NewQuantity(), readQuantity, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewResourceHealth = function (this: Made<ResourceHealth>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ResourceHealth";
  this.resourceID = "";
  this.health = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ResourceHealth;
function readResourceHealth(m: ResourceHealth, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.resourceID = r.string(); break;
      case 2: m.health = r.string(); break;
      case 6: m.message = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewResourceRequirements = function (this: Made<ResourceRequirements>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ResourceRequirements";
  this.limits = {};
  this.requests = {};
  this.claims = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ResourceRequirements;
function readResourceRequirements(m: ResourceRequirements, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: readMessageEntry(m.limits, r, depth, NewQuantity, readQuantity); break;
      case 2: readMessageEntry(m.requests, r, depth, NewQuantity, readQuantity); break;
      case 3: m.claims = readList(m.claims, NewResourceClaim, readResourceClaim, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewResourceStatus = function (this: Made<ResourceStatus>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ResourceStatus";
  this.name = "";
  this.resources = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ResourceStatus;
function readResourceStatus(m: ResourceStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.resources = readList(m.resources, NewResourceHealth, readResourceHealth, r, end, tag, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSELinuxOptions = function (this: Made<SELinuxOptions>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SELinuxOptions";
  this.user = "";
  this.role = "";
  this.type = "";
  this.level = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SELinuxOptions;
function readSELinuxOptions(m: SELinuxOptions, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.user = r.string(); break;
      case 2: m.role = r.string(); break;
      case 3: m.type = r.string(); break;
      case 4: m.level = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewScaleIOVolumeSource = function (this: Made<ScaleIOVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ScaleIOVolumeSource";
  this.gateway = "";
  this.system = "";
  this.sslEnabled = false;
  this.protectionDomain = "";
  this.storagePool = "";
  this.storageMode = "";
  this.volumeName = "";
  this.fsType = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ScaleIOVolumeSource;
function readScaleIOVolumeSource(m: ScaleIOVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.gateway = r.string(); break;
      case 2: m.system = r.string(); break;
      case 3: m.secretRef = readInto(m.secretRef ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 4: m.sslEnabled = r.bool(); break;
      case 5: m.protectionDomain = r.string(); break;
      case 6: m.storagePool = r.string(); break;
      case 7: m.storageMode = r.string(); break;
      case 8: m.volumeName = r.string(); break;
      case 9: m.fsType = r.string(); break;
      case 10: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSeccompProfile = function (this: Made<SeccompProfile>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SeccompProfile";
  this.type = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SeccompProfile;
function readSeccompProfile(m: SeccompProfile, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.type = r.string(); break;
      case 2: m.localhostProfile = r.string(); break;
      case 3: m.oci = readInto(m.oci ?? new NewSecurityProfileOCI(), readSecurityProfileOCI, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSecretEnvSource = function (this: Made<SecretEnvSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SecretEnvSource";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SecretEnvSource;
function readSecretEnvSource(m: SecretEnvSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSecretKeySelector = function (this: Made<SecretKeySelector>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SecretKeySelector";
  this.key = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SecretKeySelector;
function readSecretKeySelector(m: SecretKeySelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.key = r.string(); break;
      case 3: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSecretProjection = function (this: Made<SecretProjection>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SecretProjection";
  this.items = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SecretProjection;
function readSecretProjection(m: SecretProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.items = readList(m.items, NewKeyToPath, readKeyToPath, r, end, tag, depth); break;
      case 4: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSecretVolumeSource = function (this: Made<SecretVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SecretVolumeSource";
  this.secretName = "";
  this.items = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SecretVolumeSource;
function readSecretVolumeSource(m: SecretVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.secretName = r.string(); break;
      case 2: m.items = readList(m.items, NewKeyToPath, readKeyToPath, r, end, tag, depth); break;
      case 3: m.defaultMode = r.int32(); break;
      case 4: m.optional = r.bool(); break;
      case 5: m.defaultUser = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSecurityContext = function (this: Made<SecurityContext>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SecurityContext";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SecurityContext;
function readSecurityContext(m: SecurityContext, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.capabilities = readInto(m.capabilities ?? new NewCapabilities(), readCapabilities, r, depth); break;
      case 2: m.privileged = r.bool(); break;
      case 3: m.seLinuxOptions = readInto(m.seLinuxOptions ?? new NewSELinuxOptions(), readSELinuxOptions, r, depth); break;
      case 10: m.windowsOptions = readInto(m.windowsOptions ?? new NewWindowsSecurityContextOptions(), readWindowsSecurityContextOptions, r, depth); break;
      case 4: m.runAsUser = r.int64(); break;
      case 8: m.runAsGroup = r.int64(); break;
      case 5: m.runAsNonRoot = r.bool(); break;
      case 6: m.readOnlyRootFilesystem = r.bool(); break;
      case 7: m.allowPrivilegeEscalation = r.bool(); break;
      case 9: m.procMount = r.string(); break;
      case 11: m.seccompProfile = readInto(m.seccompProfile ?? new NewSeccompProfile(), readSeccompProfile, r, depth); break;
      case 12: m.appArmorProfile = readInto(m.appArmorProfile ?? new NewAppArmorProfile(), readAppArmorProfile, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSecurityProfileOCI = function (this: Made<SecurityProfileOCI>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SecurityProfileOCI";
  this.ref = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SecurityProfileOCI;
function readSecurityProfileOCI(m: SecurityProfileOCI, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.ref = r.string(); break;
      case 2: m.baseProfile = readInto(m.baseProfile ?? new NewSecurityProfileOCIBase(), readSecurityProfileOCIBase, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSecurityProfileOCIBase = function (this: Made<SecurityProfileOCIBase>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SecurityProfileOCIBase";
  this.type = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SecurityProfileOCIBase;
function readSecurityProfileOCIBase(m: SecurityProfileOCIBase, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.type = r.string(); break;
      case 2: m.localhostProfile = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewServiceAccountTokenProjection = function (this: Made<ServiceAccountTokenProjection>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.ServiceAccountTokenProjection";
  this.audience = "";
  this.path = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => ServiceAccountTokenProjection;
function readServiceAccountTokenProjection(m: ServiceAccountTokenProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.audience = r.string(); break;
      case 2: m.expirationSeconds = r.int64(); break;
      case 3: m.path = r.string(); break;
      case 4: m.user = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSleepAction = function (this: Made<SleepAction>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.SleepAction";
  this.seconds = 0n;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => SleepAction;
function readSleepAction(m: SleepAction, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.seconds = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewStorageOSVolumeSource = function (this: Made<StorageOSVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.StorageOSVolumeSource";
  this.volumeName = "";
  this.volumeNamespace = "";
  this.fsType = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => StorageOSVolumeSource;
function readStorageOSVolumeSource(m: StorageOSVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumeName = r.string(); break;
      case 2: m.volumeNamespace = r.string(); break;
      case 3: m.fsType = r.string(); break;
      case 4: m.readOnly = r.bool(); break;
      case 5: m.secretRef = readInto(m.secretRef ?? new NewLocalObjectReference(), readLocalObjectReference, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewSysctl = function (this: Made<Sysctl>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.Sysctl";
  this.name = "";
  this.value = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Sysctl;
function readSysctl(m: Sysctl, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.value = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewTCPSocketAction = function (this: Made<TCPSocketAction>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.TCPSocketAction";
  this.host = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => TCPSocketAction;
function readTCPSocketAction(m: TCPSocketAction, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.port = readInto(m.port ?? new NewIntOrString(), readIntOrString, r, depth); break;
      case 2: m.host = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewTime = function (this: Made<Time>, selected?: Selected): void {
  this.$typeName = "k8s.io.apimachinery.pkg.apis.meta.v1.Time";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Time;
function readTime(m: Time, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.seconds = r.int64(); break;
      case 2: m.nanos = r.int32(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewToleration = function (this: Made<Toleration>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.Toleration";
  this.key = "";
  this.operator = "";
  this.value = "";
  this.effect = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Toleration;
function readToleration(m: Toleration, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.key = r.string(); break;
      case 2: m.operator = r.string(); break;
      case 3: m.value = r.string(); break;
      case 4: m.effect = r.string(); break;
      case 5: m.tolerationSeconds = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewTopologySpreadConstraint = function (this: Made<TopologySpreadConstraint>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.TopologySpreadConstraint";
  this.maxSkew = 0;
  this.topologyKey = "";
  this.whenUnsatisfiable = "";
  this.matchLabelKeys = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => TopologySpreadConstraint;
function readTopologySpreadConstraint(m: TopologySpreadConstraint, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.maxSkew = r.int32(); break;
      case 2: m.topologyKey = r.string(); break;
      case 3: m.whenUnsatisfiable = r.string(); break;
      case 4: m.labelSelector = readInto(m.labelSelector ?? new NewLabelSelector(), readLabelSelector, r, depth); break;
      case 5: m.minDomains = r.int32(); break;
      case 6: m.nodeAffinityPolicy = r.string(); break;
      case 7: m.nodeTaintsPolicy = r.string(); break;
      case 8: m.matchLabelKeys.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewTypedLocalObjectReference = function (this: Made<TypedLocalObjectReference>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.TypedLocalObjectReference";
  this.kind = "";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => TypedLocalObjectReference;
function readTypedLocalObjectReference(m: TypedLocalObjectReference, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.apiGroup = r.string(); break;
      case 2: m.kind = r.string(); break;
      case 3: m.name = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewTypedObjectReference = function (this: Made<TypedObjectReference>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.TypedObjectReference";
  this.kind = "";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => TypedObjectReference;
function readTypedObjectReference(m: TypedObjectReference, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.apiGroup = r.string(); break;
      case 2: m.kind = r.string(); break;
      case 3: m.name = r.string(); break;
      case 4: m.namespace = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVolume = function (this: Made<Volume>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.Volume";
  this.name = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => Volume;
function readVolume(m: Volume, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.volumeSource = readInto(m.volumeSource ?? new NewVolumeSource(), readVolumeSource, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVolumeDevice = function (this: Made<VolumeDevice>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.VolumeDevice";
  this.name = "";
  this.devicePath = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => VolumeDevice;
function readVolumeDevice(m: VolumeDevice, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.devicePath = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVolumeHealthCondition = function (this: Made<VolumeHealthCondition>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.VolumeHealthCondition";
  this.status = "";
  this.reason = "";
  this.message = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => VolumeHealthCondition;
function readVolumeHealthCondition(m: VolumeHealthCondition, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.status = r.string(); break;
      case 2: m.reason = r.string(); break;
      case 3: m.message = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVolumeMount = function (this: Made<VolumeMount>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.VolumeMount";
  this.name = "";
  this.readOnly = false;
  this.mountPath = "";
  this.subPath = "";
  this.subPathExpr = "";
  this.bindMountOptions = [];
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => VolumeMount;
function readVolumeMount(m: VolumeMount, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.readOnly = r.bool(); break;
      case 7: m.recursiveReadOnly = r.string(); break;
      case 3: m.mountPath = r.string(); break;
      case 4: m.subPath = r.string(); break;
      case 5: m.mountPropagation = r.string(); break;
      case 6: m.subPathExpr = r.string(); break;
      case 8: m.bindMountOptions.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVolumeMountStatus = function (this: Made<VolumeMountStatus>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.VolumeMountStatus";
  this.name = "";
  this.mountPath = "";
  this.readOnly = false;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => VolumeMountStatus;
function readVolumeMountStatus(m: VolumeMountStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.mountPath = r.string(); break;
      case 3: m.readOnly = r.bool(); break;
      case 4: m.recursiveReadOnly = r.string(); break;
      case 5: m.volumeStatus = readInto(m.volumeStatus ?? new NewVolumeStatus(), readVolumeStatus, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVolumeProjection = function (this: Made<VolumeProjection>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.VolumeProjection";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => VolumeProjection;
function readVolumeProjection(m: VolumeProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.secret = readInto(m.secret ?? new NewSecretProjection(), readSecretProjection, r, depth); break;
      case 2: m.downwardAPI = readInto(m.downwardAPI ?? new NewDownwardAPIProjection(), readDownwardAPIProjection, r, depth); break;
      case 3: m.configMap = readInto(m.configMap ?? new NewConfigMapProjection(), readConfigMapProjection, r, depth); break;
      case 4: m.serviceAccountToken = readInto(m.serviceAccountToken ?? new NewServiceAccountTokenProjection(), readServiceAccountTokenProjection, r, depth); break;
      case 5: m.clusterTrustBundle = readInto(m.clusterTrustBundle ?? new NewClusterTrustBundleProjection(), readClusterTrustBundleProjection, r, depth); break;
      case 6: m.podCertificate = readInto(m.podCertificate ?? new NewPodCertificateProjection(), readPodCertificateProjection, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVolumeResourceRequirements = function (this: Made<VolumeResourceRequirements>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.VolumeResourceRequirements";
  this.limits = {};
  this.requests = {};
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => VolumeResourceRequirements;
function readVolumeResourceRequirements(m: VolumeResourceRequirements, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: readMessageEntry(m.limits, r, depth, NewQuantity, readQuantity); break;
      case 2: readMessageEntry(m.requests, r, depth, NewQuantity, readQuantity); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVolumeSource = function (this: Made<VolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.VolumeSource";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => VolumeSource;
function readVolumeSource(m: VolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.hostPath = readInto(m.hostPath ?? new NewHostPathVolumeSource(), readHostPathVolumeSource, r, depth); break;
      case 2: m.emptyDir = readInto(m.emptyDir ?? new NewEmptyDirVolumeSource(), readEmptyDirVolumeSource, r, depth); break;
      case 3: m.gcePersistentDisk = readInto(m.gcePersistentDisk ?? new NewGCEPersistentDiskVolumeSource(), readGCEPersistentDiskVolumeSource, r, depth); break;
      case 4: m.awsElasticBlockStore = readInto(m.awsElasticBlockStore ?? new NewAWSElasticBlockStoreVolumeSource(), readAWSElasticBlockStoreVolumeSource, r, depth); break;
      case 5: m.gitRepo = readInto(m.gitRepo ?? new NewGitRepoVolumeSource(), readGitRepoVolumeSource, r, depth); break;
      case 6: m.secret = readInto(m.secret ?? new NewSecretVolumeSource(), readSecretVolumeSource, r, depth); break;
      case 7: m.nfs = readInto(m.nfs ?? new NewNFSVolumeSource(), readNFSVolumeSource, r, depth); break;
      case 8: m.iscsi = readInto(m.iscsi ?? new NewISCSIVolumeSource(), readISCSIVolumeSource, r, depth); break;
      case 9: m.glusterfs = readInto(m.glusterfs ?? new NewGlusterfsVolumeSource(), readGlusterfsVolumeSource, r, depth); break;
      case 10: m.persistentVolumeClaim = readInto(m.persistentVolumeClaim ?? new NewPersistentVolumeClaimVolumeSource(), readPersistentVolumeClaimVolumeSource, r, depth); break;
      case 11: m.rbd = readInto(m.rbd ?? new NewRBDVolumeSource(), readRBDVolumeSource, r, depth); break;
      case 12: m.flexVolume = readInto(m.flexVolume ?? new NewFlexVolumeSource(), readFlexVolumeSource, r, depth); break;
      case 13: m.cinder = readInto(m.cinder ?? new NewCinderVolumeSource(), readCinderVolumeSource, r, depth); break;
      case 14: m.cephfs = readInto(m.cephfs ?? new NewCephFSVolumeSource(), readCephFSVolumeSource, r, depth); break;
      case 15: m.flocker = readInto(m.flocker ?? new NewFlockerVolumeSource(), readFlockerVolumeSource, r, depth); break;
      case 16: m.downwardAPI = readInto(m.downwardAPI ?? new NewDownwardAPIVolumeSource(), readDownwardAPIVolumeSource, r, depth); break;
      case 17: m.fc = readInto(m.fc ?? new NewFCVolumeSource(), readFCVolumeSource, r, depth); break;
      case 18: m.azureFile = readInto(m.azureFile ?? new NewAzureFileVolumeSource(), readAzureFileVolumeSource, r, depth); break;
      case 19: m.configMap = readInto(m.configMap ?? new NewConfigMapVolumeSource(), readConfigMapVolumeSource, r, depth); break;
      case 20: m.vsphereVolume = readInto(m.vsphereVolume ?? new NewVsphereVirtualDiskVolumeSource(), readVsphereVirtualDiskVolumeSource, r, depth); break;
      case 21: m.quobyte = readInto(m.quobyte ?? new NewQuobyteVolumeSource(), readQuobyteVolumeSource, r, depth); break;
      case 22: m.azureDisk = readInto(m.azureDisk ?? new NewAzureDiskVolumeSource(), readAzureDiskVolumeSource, r, depth); break;
      case 23: m.photonPersistentDisk = readInto(m.photonPersistentDisk ?? new NewPhotonPersistentDiskVolumeSource(), readPhotonPersistentDiskVolumeSource, r, depth); break;
      case 26: m.projected = readInto(m.projected ?? new NewProjectedVolumeSource(), readProjectedVolumeSource, r, depth); break;
      case 24: m.portworxVolume = readInto(m.portworxVolume ?? new NewPortworxVolumeSource(), readPortworxVolumeSource, r, depth); break;
      case 25: m.scaleIO = readInto(m.scaleIO ?? new NewScaleIOVolumeSource(), readScaleIOVolumeSource, r, depth); break;
      case 27: m.storageos = readInto(m.storageos ?? new NewStorageOSVolumeSource(), readStorageOSVolumeSource, r, depth); break;
      case 28: m.csi = readInto(m.csi ?? new NewCSIVolumeSource(), readCSIVolumeSource, r, depth); break;
      case 29: m.ephemeral = readInto(m.ephemeral ?? new NewEphemeralVolumeSource(), readEphemeralVolumeSource, r, depth); break;
      case 30: m.image = readInto(m.image ?? new NewImageVolumeSource(), readImageVolumeSource, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVolumeStatus = function (this: Made<VolumeStatus>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.VolumeStatus";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => VolumeStatus;
function readVolumeStatus(m: VolumeStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.image = readInto(m.image ?? new NewImageVolumeStatus(), readImageVolumeStatus, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewVsphereVirtualDiskVolumeSource = function (this: Made<VsphereVirtualDiskVolumeSource>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.VsphereVirtualDiskVolumeSource";
  this.volumePath = "";
  this.fsType = "";
  this.storagePolicyName = "";
  this.storagePolicyID = "";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => VsphereVirtualDiskVolumeSource;
function readVsphereVirtualDiskVolumeSource(m: VsphereVirtualDiskVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumePath = r.string(); break;
      case 2: m.fsType = r.string(); break;
      case 3: m.storagePolicyName = r.string(); break;
      case 4: m.storagePolicyID = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewWeightedPodAffinityTerm = function (this: Made<WeightedPodAffinityTerm>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.WeightedPodAffinityTerm";
  this.weight = 0;
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => WeightedPodAffinityTerm;
function readWeightedPodAffinityTerm(m: WeightedPodAffinityTerm, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.weight = r.int32(); break;
      case 2: m.podAffinityTerm = readInto(m.podAffinityTerm ?? new NewPodAffinityTerm(), readPodAffinityTerm, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const NewWindowsSecurityContextOptions = function (this: Made<WindowsSecurityContextOptions>, selected?: Selected): void {
  this.$typeName = "k8s.io.api.core.v1.WindowsSecurityContextOptions";
  if (selected !== undefined) this[SELECTED] = selected;
} as unknown as new (selected?: Selected) => WindowsSecurityContextOptions;
function readWindowsSecurityContextOptions(m: WindowsSecurityContextOptions, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.gmsaCredentialSpecName = r.string(); break;
      case 2: m.gmsaCredentialSpec = r.string(); break;
      case 3: m.runAsUserName = r.string(); break;
      case 4: m.hostProcess = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

/** Reads fields into a message, up to where it ends. `depth`: how deep messages may nest. */
type Read = (message: never, reader: WireReader, end: number, depth: number) => void;

/**
 * Returns the messages of the Pod schema: the constructor of an empty one, what reads one, and its fields. Of each field its number,
 * name and type (`[]`: a list, `{}`: a map with text keys), and letters: `p` absent and empty differ, `a` Go writes it into JSON
 * even where it is empty, `v` Go holds it by value, so that there is always one, `i` JSON has its keys in the message that holds it.
 *
 * @param prototype what all messages inherit from.
 */
export function podMessages(prototype: object): Readonly<Record<string, readonly [make: unknown, read: Read, fields: string]>> {
  const messages = {
    AWSElasticBlockStoreVolumeSource: [NewAWSElasticBlockStoreVolumeSource, readAWSElasticBlockStoreVolumeSource as Read, "1 volumeID string a;2 fsType string;3 partition int32;4 readOnly bool"],
    Affinity: [NewAffinity, readAffinity as Read, "1 nodeAffinity NodeAffinity;2 podAffinity PodAffinity;3 podAntiAffinity PodAntiAffinity"],
    AppArmorProfile: [NewAppArmorProfile, readAppArmorProfile as Read, "1 type string a;2 localhostProfile string p"],
    AzureDiskVolumeSource: [NewAzureDiskVolumeSource, readAzureDiskVolumeSource as Read, "1 diskName string a;2 diskURI string a;3 cachingMode string p;4 fsType string p;5 readOnly bool p;6 kind string p"],
    AzureFileVolumeSource: [NewAzureFileVolumeSource, readAzureFileVolumeSource as Read, "1 secretName string a;2 shareName string a;3 readOnly bool"],
    CSIVolumeSource: [NewCSIVolumeSource, readCSIVolumeSource as Read, "1 driver string a;2 readOnly bool p;3 fsType string p;4 volumeAttributes string{};5 nodePublishSecretRef LocalObjectReference"],
    Capabilities: [NewCapabilities, readCapabilities as Read, "1 add string[];2 drop string[]"],
    CephFSVolumeSource: [NewCephFSVolumeSource, readCephFSVolumeSource as Read, "1 monitors string[] a;2 path string;3 user string;4 secretFile string;5 secretRef LocalObjectReference;6 readOnly bool"],
    CinderVolumeSource: [NewCinderVolumeSource, readCinderVolumeSource as Read, "1 volumeID string a;2 fsType string;3 readOnly bool;4 secretRef LocalObjectReference"],
    ClusterTrustBundleProjection: [NewClusterTrustBundleProjection, readClusterTrustBundleProjection as Read, "1 name string p;2 signerName string p;3 labelSelector LabelSelector;5 optional bool p;4 path string a;6 user int64 p"],
    ConfigMapEnvSource: [NewConfigMapEnvSource, readConfigMapEnvSource as Read, "1 localObjectReference LocalObjectReference i;2 optional bool p"],
    ConfigMapKeySelector: [NewConfigMapKeySelector, readConfigMapKeySelector as Read, "1 localObjectReference LocalObjectReference i;2 key string a;3 optional bool p"],
    ConfigMapProjection: [NewConfigMapProjection, readConfigMapProjection as Read, "1 localObjectReference LocalObjectReference i;2 items KeyToPath[];4 optional bool p"],
    ConfigMapVolumeSource: [NewConfigMapVolumeSource, readConfigMapVolumeSource as Read, "1 localObjectReference LocalObjectReference i;2 items KeyToPath[];3 defaultMode int32 p;4 optional bool p;5 defaultUser int64 p"],
    Container: [NewContainer, readContainer as Read, "1 name string a;2 image string;3 command string[];4 args string[];5 workingDir string;6 ports ContainerPort[];19 envFrom EnvFromSource[];7 env EnvVar[];8 resources ResourceRequirements av;23 resizePolicy ContainerResizePolicy[];24 restartPolicy string p;25 restartPolicyRules ContainerRestartRule[];9 volumeMounts VolumeMount[];21 volumeDevices VolumeDevice[];10 livenessProbe Probe;11 readinessProbe Probe;22 startupProbe Probe;12 lifecycle Lifecycle;13 terminationMessagePath string;20 terminationMessagePolicy string;14 imagePullPolicy string;15 securityContext SecurityContext;16 stdin bool;17 stdinOnce bool;18 tty bool"],
    ContainerExtendedResourceRequest: [NewContainerExtendedResourceRequest, readContainerExtendedResourceRequest as Read, "1 containerName string a;2 resourceName string a;3 requestName string a"],
    ContainerPort: [NewContainerPort, readContainerPort as Read, "1 name string;2 hostPort int32;3 containerPort int32 a;4 protocol string;5 hostIP string"],
    ContainerResizePolicy: [NewContainerResizePolicy, readContainerResizePolicy as Read, "1 resourceName string a;2 restartPolicy string a"],
    ContainerRestartRule: [NewContainerRestartRule, readContainerRestartRule as Read, "1 action string;2 exitCodes ContainerRestartRuleOnExitCodes"],
    ContainerRestartRuleOnExitCodes: [NewContainerRestartRuleOnExitCodes, readContainerRestartRuleOnExitCodes as Read, "1 operator string;2 values int32[]"],
    ContainerState: [NewContainerState, readContainerState as Read, "1 waiting ContainerStateWaiting;2 running ContainerStateRunning;3 terminated ContainerStateTerminated"],
    ContainerStateRunning: [NewContainerStateRunning, readContainerStateRunning as Read, "1 startedAt Time av"],
    ContainerStateTerminated: [NewContainerStateTerminated, readContainerStateTerminated as Read, "1 exitCode int32 a;2 signal int32;3 reason string;4 message string;5 startedAt Time av;6 finishedAt Time av;7 containerID string"],
    ContainerStateWaiting: [NewContainerStateWaiting, readContainerStateWaiting as Read, "1 reason string;2 message string"],
    ContainerStatus: [NewContainerStatus, readContainerStatus as Read, "1 name string a;2 state ContainerState av;3 lastState ContainerState av;4 ready bool a;5 restartCount int32 a;6 image string a;7 imageID string a;8 containerID string;9 started bool p;10 allocatedResources Quantity{};11 resources ResourceRequirements;12 volumeMounts VolumeMountStatus[];13 user ContainerUser;14 allocatedResourcesStatus ResourceStatus[];15 stopSignal string p"],
    ContainerUser: [NewContainerUser, readContainerUser as Read, "1 linux LinuxContainerUser"],
    DownwardAPIProjection: [NewDownwardAPIProjection, readDownwardAPIProjection as Read, "1 items DownwardAPIVolumeFile[]"],
    DownwardAPIVolumeFile: [NewDownwardAPIVolumeFile, readDownwardAPIVolumeFile as Read, "1 path string a;2 fieldRef ObjectFieldSelector;3 resourceFieldRef ResourceFieldSelector;4 mode int32 p;5 user int64 p"],
    DownwardAPIVolumeSource: [NewDownwardAPIVolumeSource, readDownwardAPIVolumeSource as Read, "1 items DownwardAPIVolumeFile[];2 defaultMode int32 p;3 defaultUser int64 p"],
    EmptyDirVolumeSource: [NewEmptyDirVolumeSource, readEmptyDirVolumeSource as Read, "1 medium string;2 sizeLimit Quantity;3 mode int32 p"],
    EnvFromSource: [NewEnvFromSource, readEnvFromSource as Read, "1 prefix string;2 configMapRef ConfigMapEnvSource;3 secretRef SecretEnvSource"],
    EnvVar: [NewEnvVar, readEnvVar as Read, "1 name string a;2 value string;3 valueFrom EnvVarSource"],
    EnvVarSource: [NewEnvVarSource, readEnvVarSource as Read, "1 fieldRef ObjectFieldSelector;2 resourceFieldRef ResourceFieldSelector;3 configMapKeyRef ConfigMapKeySelector;4 secretKeyRef SecretKeySelector;5 fileKeyRef FileKeySelector"],
    EphemeralContainer: [NewEphemeralContainer, readEphemeralContainer as Read, "1 ephemeralContainerCommon EphemeralContainerCommon i;2 targetContainerName string"],
    EphemeralContainerCommon: [NewEphemeralContainerCommon, readEphemeralContainerCommon as Read, "1 name string a;2 image string;3 command string[];4 args string[];5 workingDir string;6 ports ContainerPort[];19 envFrom EnvFromSource[];7 env EnvVar[];8 resources ResourceRequirements av;23 resizePolicy ContainerResizePolicy[];24 restartPolicy string p;25 restartPolicyRules ContainerRestartRule[];9 volumeMounts VolumeMount[];21 volumeDevices VolumeDevice[];10 livenessProbe Probe;11 readinessProbe Probe;22 startupProbe Probe;12 lifecycle Lifecycle;13 terminationMessagePath string;20 terminationMessagePolicy string;14 imagePullPolicy string;15 securityContext SecurityContext;16 stdin bool;17 stdinOnce bool;18 tty bool"],
    EphemeralVolumeSource: [NewEphemeralVolumeSource, readEphemeralVolumeSource as Read, "1 volumeClaimTemplate PersistentVolumeClaimTemplate"],
    EvictionResponder: [NewEvictionResponder, readEvictionResponder as Read, "1 name string a;2 priority int32 pa"],
    ExecAction: [NewExecAction, readExecAction as Read, "1 command string[]"],
    FCVolumeSource: [NewFCVolumeSource, readFCVolumeSource as Read, "1 targetWWNs string[];2 lun int32 p;3 fsType string;4 readOnly bool;5 wwids string[]"],
    FieldsV1: [NewFieldsV1, readFieldsV1 as Read, "1 Raw bytes"],
    FileKeySelector: [NewFileKeySelector, readFileKeySelector as Read, "1 volumeName string a;2 path string a;3 key string a;4 optional bool p"],
    FlexVolumeSource: [NewFlexVolumeSource, readFlexVolumeSource as Read, "1 driver string a;2 fsType string;3 secretRef LocalObjectReference;4 readOnly bool;5 options string{}"],
    FlockerVolumeSource: [NewFlockerVolumeSource, readFlockerVolumeSource as Read, "1 datasetName string;2 datasetUUID string"],
    GCEPersistentDiskVolumeSource: [NewGCEPersistentDiskVolumeSource, readGCEPersistentDiskVolumeSource as Read, "1 pdName string a;2 fsType string;3 partition int32;4 readOnly bool"],
    GRPCAction: [NewGRPCAction, readGRPCAction as Read, "1 port int32 a;2 service string pa;3 mode string p"],
    GitRepoVolumeSource: [NewGitRepoVolumeSource, readGitRepoVolumeSource as Read, "1 repository string a;2 revision string;3 directory string"],
    GlusterfsVolumeSource: [NewGlusterfsVolumeSource, readGlusterfsVolumeSource as Read, "1 endpoints string a;2 path string a;3 readOnly bool"],
    HTTPGetAction: [NewHTTPGetAction, readHTTPGetAction as Read, "1 path string;2 port IntOrString av;3 host string;4 scheme string;5 httpHeaders HTTPHeader[];6 protocol string p"],
    HTTPHeader: [NewHTTPHeader, readHTTPHeader as Read, "1 name string a;2 value string a"],
    HostAlias: [NewHostAlias, readHostAlias as Read, "1 ip string a;2 hostnames string[]"],
    HostIP: [NewHostIP, readHostIP as Read, "1 ip string a"],
    HostPathVolumeSource: [NewHostPathVolumeSource, readHostPathVolumeSource as Read, "1 path string a;2 type string p"],
    ISCSIVolumeSource: [NewISCSIVolumeSource, readISCSIVolumeSource as Read, "1 targetPortal string a;2 iqn string a;3 lun int32 a;4 iscsiInterface string;5 fsType string;6 readOnly bool;7 portals string[];8 chapAuthDiscovery bool;11 chapAuthSession bool;10 secretRef LocalObjectReference;12 initiatorName string p"],
    ImageVolumeSource: [NewImageVolumeSource, readImageVolumeSource as Read, "1 reference string;2 pullPolicy string"],
    ImageVolumeStatus: [NewImageVolumeStatus, readImageVolumeStatus as Read, "1 imageRef string"],
    IntOrString: [NewIntOrString, readIntOrString as Read, "1 type int64;2 intVal int32;3 strVal string"],
    KeyToPath: [NewKeyToPath, readKeyToPath as Read, "1 key string a;2 path string a;3 mode int32 p;4 user int64 p"],
    LabelSelector: [NewLabelSelector, readLabelSelector as Read, "1 matchLabels string{};2 matchExpressions LabelSelectorRequirement[]"],
    LabelSelectorRequirement: [NewLabelSelectorRequirement, readLabelSelectorRequirement as Read, "1 key string a;2 operator string a;3 values string[]"],
    Lifecycle: [NewLifecycle, readLifecycle as Read, "1 postStart LifecycleHandler;2 preStop LifecycleHandler;3 stopSignal string p"],
    LifecycleHandler: [NewLifecycleHandler, readLifecycleHandler as Read, "1 exec ExecAction;2 httpGet HTTPGetAction;3 tcpSocket TCPSocketAction;4 sleep SleepAction"],
    LinuxContainerUser: [NewLinuxContainerUser, readLinuxContainerUser as Read, "1 uid int64 a;2 gid int64 a;3 supplementalGroups int64[]"],
    LocalObjectReference: [NewLocalObjectReference, readLocalObjectReference as Read, "1 name string"],
    ManagedFieldsEntry: [NewManagedFieldsEntry, readManagedFieldsEntry as Read, "1 manager string;2 operation string;3 apiVersion string;4 time Time;6 fieldsType string;7 fieldsV1 FieldsV1;8 subresource string"],
    NFSVolumeSource: [NewNFSVolumeSource, readNFSVolumeSource as Read, "1 server string a;2 path string a;3 readOnly bool"],
    NodeAffinity: [NewNodeAffinity, readNodeAffinity as Read, "1 requiredDuringSchedulingIgnoredDuringExecution NodeSelector;2 preferredDuringSchedulingIgnoredDuringExecution PreferredSchedulingTerm[]"],
    NodeAllocatableMappedResources: [NewNodeAllocatableMappedResources, readNodeAllocatableMappedResources as Read, "1 name string a;2 quantity Quantity a"],
    NodeAllocatableOverheadResources: [NewNodeAllocatableOverheadResources, readNodeAllocatableOverheadResources as Read, "1 name string a;2 perPod Quantity;3 perContainer Quantity"],
    NodeAllocatableResourceClaimStatus: [NewNodeAllocatableResourceClaimStatus, readNodeAllocatableResourceClaimStatus as Read, "1 resourceClaimName string a;2 containers string[];3 resources Quantity{};4 mapping NodeAllocatableMappedResources[];5 overhead NodeAllocatableOverheadResources[]"],
    NodeSelector: [NewNodeSelector, readNodeSelector as Read, "1 nodeSelectorTerms NodeSelectorTerm[] a"],
    NodeSelectorRequirement: [NewNodeSelectorRequirement, readNodeSelectorRequirement as Read, "1 key string a;2 operator string a;3 values string[]"],
    NodeSelectorTerm: [NewNodeSelectorTerm, readNodeSelectorTerm as Read, "1 matchExpressions NodeSelectorRequirement[];2 matchFields NodeSelectorRequirement[]"],
    ObjectFieldSelector: [NewObjectFieldSelector, readObjectFieldSelector as Read, "1 apiVersion string;2 fieldPath string a"],
    ObjectMeta: [NewObjectMeta, readObjectMeta as Read, "1 name string;2 generateName string;3 namespace string;4 selfLink string;5 uid string;6 resourceVersion string;7 generation int64;8 creationTimestamp Time v;9 deletionTimestamp Time;10 deletionGracePeriodSeconds int64 p;11 labels string{};12 annotations string{};13 ownerReferences OwnerReference[];14 finalizers string[];17 managedFields ManagedFieldsEntry[]"],
    OwnerReference: [NewOwnerReference, readOwnerReference as Read, "5 apiVersion string a;1 kind string a;3 name string a;4 uid string a;6 controller bool p;7 blockOwnerDeletion bool p"],
    PersistentVolumeClaimSpec: [NewPersistentVolumeClaimSpec, readPersistentVolumeClaimSpec as Read, "1 accessModes string[];4 selector LabelSelector;2 resources VolumeResourceRequirements av;3 volumeName string;5 storageClassName string p;6 volumeMode string p;7 dataSource TypedLocalObjectReference;8 dataSourceRef TypedObjectReference;9 volumeAttributesClassName string p"],
    PersistentVolumeClaimTemplate: [NewPersistentVolumeClaimTemplate, readPersistentVolumeClaimTemplate as Read, "1 metadata ObjectMeta av;2 spec PersistentVolumeClaimSpec av"],
    PersistentVolumeClaimVolumeSource: [NewPersistentVolumeClaimVolumeSource, readPersistentVolumeClaimVolumeSource as Read, "1 claimName string a;2 readOnly bool"],
    PhotonPersistentDiskVolumeSource: [NewPhotonPersistentDiskVolumeSource, readPhotonPersistentDiskVolumeSource as Read, "1 pdID string a;2 fsType string"],
    Pod: [NewPod, readPod as Read, "1 metadata ObjectMeta av;2 spec PodSpec av;3 status PodStatus av"],
    PodAffinity: [NewPodAffinity, readPodAffinity as Read, "1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[];2 preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[]"],
    PodAffinityTerm: [NewPodAffinityTerm, readPodAffinityTerm as Read, "1 labelSelector LabelSelector;2 namespaces string[];3 topologyKey string a;4 namespaceSelector LabelSelector;5 matchLabelKeys string[];6 mismatchLabelKeys string[]"],
    PodAntiAffinity: [NewPodAntiAffinity, readPodAntiAffinity as Read, "1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[];2 preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[]"],
    PodCertificateProjection: [NewPodCertificateProjection, readPodCertificateProjection as Read, "1 signerName string;2 keyType string;3 maxExpirationSeconds int32 p;4 credentialBundlePath string;5 keyPath string;6 certificateChainPath string;7 userAnnotations string{};8 user int64 p"],
    PodCondition: [NewPodCondition, readPodCondition as Read, "1 type string a;7 observedGeneration int64;2 status string a;3 lastProbeTime Time av;4 lastTransitionTime Time av;5 reason string;6 message string"],
    PodDNSConfig: [NewPodDNSConfig, readPodDNSConfig as Read, "1 nameservers string[];2 searches string[];3 options PodDNSConfigOption[]"],
    PodDNSConfigOption: [NewPodDNSConfigOption, readPodDNSConfigOption as Read, "1 name string;2 value string p"],
    PodExtendedResourceClaimStatus: [NewPodExtendedResourceClaimStatus, readPodExtendedResourceClaimStatus as Read, "1 requestMappings ContainerExtendedResourceRequest[] a;2 resourceClaimName string a"],
    PodIP: [NewPodIP, readPodIP as Read, "1 ip string a"],
    PodOS: [NewPodOS, readPodOS as Read, "1 name string a"],
    PodReadinessGate: [NewPodReadinessGate, readPodReadinessGate as Read, "1 conditionType string a"],
    PodResourceClaim: [NewPodResourceClaim, readPodResourceClaim as Read, "1 name string a;3 resourceClaimName string p;4 resourceClaimTemplateName string p"],
    PodResourceClaimStatus: [NewPodResourceClaimStatus, readPodResourceClaimStatus as Read, "1 name string a;2 resourceClaimName string p"],
    PodSchedulingGate: [NewPodSchedulingGate, readPodSchedulingGate as Read, "1 name string a"],
    PodSchedulingGroup: [NewPodSchedulingGroup, readPodSchedulingGroup as Read, "1 podGroupName string p"],
    PodSecurityContext: [NewPodSecurityContext, readPodSecurityContext as Read, "1 seLinuxOptions SELinuxOptions;8 windowsOptions WindowsSecurityContextOptions;2 runAsUser int64 p;6 runAsGroup int64 p;3 runAsNonRoot bool p;4 supplementalGroups int64[];12 supplementalGroupsPolicy string p;5 fsGroup int64 p;7 sysctls Sysctl[];9 fsGroupChangePolicy string p;10 seccompProfile SeccompProfile;11 appArmorProfile AppArmorProfile;13 seLinuxChangePolicy string p"],
    PodSpec: [NewPodSpec, readPodSpec as Read, "1 volumes Volume[];20 initContainers Container[];2 containers Container[] a;34 ephemeralContainers EphemeralContainer[];3 restartPolicy string;4 terminationGracePeriodSeconds int64 p;5 activeDeadlineSeconds int64 p;6 dnsPolicy string;7 nodeSelector string{};8 serviceAccountName string;9 serviceAccount string;21 automountServiceAccountToken bool p;10 nodeName string;11 hostNetwork bool;12 hostPID bool;13 hostIPC bool;27 shareProcessNamespace bool p;14 securityContext PodSecurityContext;15 imagePullSecrets LocalObjectReference[];16 hostname string;17 subdomain string;18 affinity Affinity;19 schedulerName string;22 tolerations Toleration[];23 hostAliases HostAlias[];24 priorityClassName string;25 priority int32 p;26 dnsConfig PodDNSConfig;28 readinessGates PodReadinessGate[];29 runtimeClassName string p;30 enableServiceLinks bool p;31 preemptionPolicy string p;32 overhead Quantity{};33 topologySpreadConstraints TopologySpreadConstraint[];35 setHostnameAsFQDN bool p;36 os PodOS;37 hostUsers bool p;38 schedulingGates PodSchedulingGate[];39 resourceClaims PodResourceClaim[];40 resources ResourceRequirements;41 hostnameOverride string p;43 schedulingGroup PodSchedulingGroup;44 evictionResponders EvictionResponder[]"],
    PodStatus: [NewPodStatus, readPodStatus as Read, "17 observedGeneration int64;1 phase string;2 conditions PodCondition[];3 message string;4 reason string;11 nominatedNodeName string;5 hostIP string;16 hostIPs HostIP[];6 podIP string;12 podIPs PodIP[];7 startTime Time;10 initContainerStatuses ContainerStatus[];8 containerStatuses ContainerStatus[];9 qosClass string;13 ephemeralContainerStatuses ContainerStatus[];14 resize string;15 resourceClaimStatuses PodResourceClaimStatus[];18 extendedResourceClaimStatus PodExtendedResourceClaimStatus;19 allocatedResources Quantity{};20 resources ResourceRequirements;21 nodeAllocatableResourceClaimStatuses NodeAllocatableResourceClaimStatus[];22 volumeHealth PodVolumeHealth[]"],
    PodVolumeHealth: [NewPodVolumeHealth, readPodVolumeHealth as Read, "1 name string a;2 healthConditions VolumeHealthCondition[];3 lastTransitionTime Time av"],
    PortworxVolumeSource: [NewPortworxVolumeSource, readPortworxVolumeSource as Read, "1 volumeID string a;2 fsType string;3 readOnly bool"],
    PreferredSchedulingTerm: [NewPreferredSchedulingTerm, readPreferredSchedulingTerm as Read, "1 weight int32 a;2 preference NodeSelectorTerm av"],
    Probe: [NewProbe, readProbe as Read, "1 handler ProbeHandler i;2 initialDelaySeconds int32;3 timeoutSeconds int32;4 periodSeconds int32;5 successThreshold int32;6 failureThreshold int32;7 terminationGracePeriodSeconds int64 p"],
    ProbeHandler: [NewProbeHandler, readProbeHandler as Read, "1 exec ExecAction;2 httpGet HTTPGetAction;3 tcpSocket TCPSocketAction;4 grpc GRPCAction"],
    ProjectedVolumeSource: [NewProjectedVolumeSource, readProjectedVolumeSource as Read, "1 sources VolumeProjection[] a;2 defaultMode int32 p;3 defaultUser int64 p"],
    Quantity: [NewQuantity, readQuantity as Read, "1 string string"],
    QuobyteVolumeSource: [NewQuobyteVolumeSource, readQuobyteVolumeSource as Read, "1 registry string a;2 volume string a;3 readOnly bool;4 user string;5 group string;6 tenant string"],
    RBDVolumeSource: [NewRBDVolumeSource, readRBDVolumeSource as Read, "1 monitors string[] a;2 image string a;3 fsType string;4 pool string;5 user string;6 keyring string;7 secretRef LocalObjectReference;8 readOnly bool"],
    ResourceClaim: [NewResourceClaim, readResourceClaim as Read, "1 name string a;2 request string"],
    ResourceFieldSelector: [NewResourceFieldSelector, readResourceFieldSelector as Read, "1 containerName string;2 resource string a;3 divisor Quantity av"],
    ResourceHealth: [NewResourceHealth, readResourceHealth as Read, "1 resourceID string a;2 health string;6 message string p"],
    ResourceRequirements: [NewResourceRequirements, readResourceRequirements as Read, "1 limits Quantity{};2 requests Quantity{};3 claims ResourceClaim[]"],
    ResourceStatus: [NewResourceStatus, readResourceStatus as Read, "1 name string a;2 resources ResourceHealth[]"],
    SELinuxOptions: [NewSELinuxOptions, readSELinuxOptions as Read, "1 user string;2 role string;3 type string;4 level string"],
    ScaleIOVolumeSource: [NewScaleIOVolumeSource, readScaleIOVolumeSource as Read, "1 gateway string a;2 system string a;3 secretRef LocalObjectReference a;4 sslEnabled bool;5 protectionDomain string;6 storagePool string;7 storageMode string;8 volumeName string;9 fsType string;10 readOnly bool"],
    SeccompProfile: [NewSeccompProfile, readSeccompProfile as Read, "1 type string a;2 localhostProfile string p;3 oci SecurityProfileOCI"],
    SecretEnvSource: [NewSecretEnvSource, readSecretEnvSource as Read, "1 localObjectReference LocalObjectReference i;2 optional bool p"],
    SecretKeySelector: [NewSecretKeySelector, readSecretKeySelector as Read, "1 localObjectReference LocalObjectReference i;2 key string a;3 optional bool p"],
    SecretProjection: [NewSecretProjection, readSecretProjection as Read, "1 localObjectReference LocalObjectReference i;2 items KeyToPath[];4 optional bool p"],
    SecretVolumeSource: [NewSecretVolumeSource, readSecretVolumeSource as Read, "1 secretName string;2 items KeyToPath[];3 defaultMode int32 p;4 optional bool p;5 defaultUser int64 p"],
    SecurityContext: [NewSecurityContext, readSecurityContext as Read, "1 capabilities Capabilities;2 privileged bool p;3 seLinuxOptions SELinuxOptions;10 windowsOptions WindowsSecurityContextOptions;4 runAsUser int64 p;8 runAsGroup int64 p;5 runAsNonRoot bool p;6 readOnlyRootFilesystem bool p;7 allowPrivilegeEscalation bool p;9 procMount string p;11 seccompProfile SeccompProfile;12 appArmorProfile AppArmorProfile"],
    SecurityProfileOCI: [NewSecurityProfileOCI, readSecurityProfileOCI as Read, "1 ref string a;2 baseProfile SecurityProfileOCIBase"],
    SecurityProfileOCIBase: [NewSecurityProfileOCIBase, readSecurityProfileOCIBase as Read, "1 type string a;2 localhostProfile string p"],
    ServiceAccountTokenProjection: [NewServiceAccountTokenProjection, readServiceAccountTokenProjection as Read, "1 audience string;2 expirationSeconds int64 p;3 path string a;4 user int64 p"],
    SleepAction: [NewSleepAction, readSleepAction as Read, "1 seconds int64 a"],
    StorageOSVolumeSource: [NewStorageOSVolumeSource, readStorageOSVolumeSource as Read, "1 volumeName string;2 volumeNamespace string;3 fsType string;4 readOnly bool;5 secretRef LocalObjectReference"],
    Sysctl: [NewSysctl, readSysctl as Read, "1 name string a;2 value string a"],
    TCPSocketAction: [NewTCPSocketAction, readTCPSocketAction as Read, "1 port IntOrString av;2 host string"],
    Time: [NewTime, readTime as Read, "1 seconds int64 p;2 nanos int32 p"],
    Toleration: [NewToleration, readToleration as Read, "1 key string;2 operator string;3 value string;4 effect string;5 tolerationSeconds int64 p"],
    TopologySpreadConstraint: [NewTopologySpreadConstraint, readTopologySpreadConstraint as Read, "1 maxSkew int32 a;2 topologyKey string a;3 whenUnsatisfiable string a;4 labelSelector LabelSelector;5 minDomains int32 p;6 nodeAffinityPolicy string p;7 nodeTaintsPolicy string p;8 matchLabelKeys string[]"],
    TypedLocalObjectReference: [NewTypedLocalObjectReference, readTypedLocalObjectReference as Read, "1 apiGroup string pa;2 kind string a;3 name string a"],
    TypedObjectReference: [NewTypedObjectReference, readTypedObjectReference as Read, "1 apiGroup string pa;2 kind string a;3 name string a;4 namespace string p"],
    Volume: [NewVolume, readVolume as Read, "1 name string a;2 volumeSource VolumeSource i"],
    VolumeDevice: [NewVolumeDevice, readVolumeDevice as Read, "1 name string a;2 devicePath string a"],
    VolumeHealthCondition: [NewVolumeHealthCondition, readVolumeHealthCondition as Read, "1 status string a;2 reason string a;3 message string"],
    VolumeMount: [NewVolumeMount, readVolumeMount as Read, "1 name string a;2 readOnly bool;7 recursiveReadOnly string p;3 mountPath string a;4 subPath string;5 mountPropagation string p;6 subPathExpr string;8 bindMountOptions string[]"],
    VolumeMountStatus: [NewVolumeMountStatus, readVolumeMountStatus as Read, "1 name string a;2 mountPath string a;3 readOnly bool;4 recursiveReadOnly string p;5 volumeStatus VolumeStatus"],
    VolumeProjection: [NewVolumeProjection, readVolumeProjection as Read, "1 secret SecretProjection;2 downwardAPI DownwardAPIProjection;3 configMap ConfigMapProjection;4 serviceAccountToken ServiceAccountTokenProjection;5 clusterTrustBundle ClusterTrustBundleProjection;6 podCertificate PodCertificateProjection"],
    VolumeResourceRequirements: [NewVolumeResourceRequirements, readVolumeResourceRequirements as Read, "1 limits Quantity{};2 requests Quantity{}"],
    VolumeSource: [NewVolumeSource, readVolumeSource as Read, "1 hostPath HostPathVolumeSource;2 emptyDir EmptyDirVolumeSource;3 gcePersistentDisk GCEPersistentDiskVolumeSource;4 awsElasticBlockStore AWSElasticBlockStoreVolumeSource;5 gitRepo GitRepoVolumeSource;6 secret SecretVolumeSource;7 nfs NFSVolumeSource;8 iscsi ISCSIVolumeSource;9 glusterfs GlusterfsVolumeSource;10 persistentVolumeClaim PersistentVolumeClaimVolumeSource;11 rbd RBDVolumeSource;12 flexVolume FlexVolumeSource;13 cinder CinderVolumeSource;14 cephfs CephFSVolumeSource;15 flocker FlockerVolumeSource;16 downwardAPI DownwardAPIVolumeSource;17 fc FCVolumeSource;18 azureFile AzureFileVolumeSource;19 configMap ConfigMapVolumeSource;20 vsphereVolume VsphereVirtualDiskVolumeSource;21 quobyte QuobyteVolumeSource;22 azureDisk AzureDiskVolumeSource;23 photonPersistentDisk PhotonPersistentDiskVolumeSource;26 projected ProjectedVolumeSource;24 portworxVolume PortworxVolumeSource;25 scaleIO ScaleIOVolumeSource;27 storageos StorageOSVolumeSource;28 csi CSIVolumeSource;29 ephemeral EphemeralVolumeSource;30 image ImageVolumeSource"],
    VolumeStatus: [NewVolumeStatus, readVolumeStatus as Read, "1 image ImageVolumeStatus"],
    VsphereVirtualDiskVolumeSource: [NewVsphereVirtualDiskVolumeSource, readVsphereVirtualDiskVolumeSource as Read, "1 volumePath string a;2 fsType string;3 storagePolicyName string;4 storagePolicyID string"],
    WeightedPodAffinityTerm: [NewWeightedPodAffinityTerm, readWeightedPodAffinityTerm as Read, "1 weight int32 a;2 podAffinityTerm PodAffinityTerm av"],
    WindowsSecurityContextOptions: [NewWindowsSecurityContextOptions, readWindowsSecurityContextOptions as Read, "1 gmsaCredentialSpecName string p;2 gmsaCredentialSpec string p;3 runAsUserName string p;4 hostProcess bool p"],
  } as const;
  for (const [make] of Object.values(messages)) make.prototype = prototype;
  return messages;
}
