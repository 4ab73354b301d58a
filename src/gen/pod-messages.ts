// Written by proto/pod-messages.ts: change pod-fields.json or the script, not this file.

import type { AWSElasticBlockStoreVolumeSource, Affinity, AppArmorProfile, AzureDiskVolumeSource, AzureFileVolumeSource, CSIVolumeSource, Capabilities, CephFSVolumeSource, CinderVolumeSource, ClusterTrustBundleProjection, ConfigMapEnvSource, ConfigMapKeySelector, ConfigMapProjection, ConfigMapVolumeSource, Container, ContainerExtendedResourceRequest, ContainerPort, ContainerResizePolicy, ContainerRestartRule, ContainerRestartRuleOnExitCodes, ContainerState, ContainerStateRunning, ContainerStateTerminated, ContainerStateWaiting, ContainerStatus, ContainerUser, DownwardAPIProjection, DownwardAPIVolumeFile, DownwardAPIVolumeSource, EmptyDirVolumeSource, EnvFromSource, EnvVar, EnvVarSource, EphemeralContainer, EphemeralContainerCommon, EphemeralVolumeSource, EvictionResponder, ExecAction, FCVolumeSource, FileKeySelector, FlexVolumeSource, FlockerVolumeSource, GCEPersistentDiskVolumeSource, GRPCAction, GitRepoVolumeSource, GlusterfsVolumeSource, HTTPGetAction, HTTPHeader, HostAlias, HostIP, HostPathVolumeSource, ISCSIVolumeSource, ImageVolumeSource, ImageVolumeStatus, KeyToPath, Lifecycle, LifecycleHandler, LinuxContainerUser, LocalObjectReference, NFSVolumeSource, NodeAffinity, NodeAllocatableMappedResources, NodeAllocatableOverheadResources, NodeAllocatableResourceClaimStatus, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, ObjectFieldSelector, PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate, PersistentVolumeClaimVolumeSource, PhotonPersistentDiskVolumeSource, Pod, PodAffinity, PodAffinityTerm, PodAntiAffinity, PodCertificateProjection, PodCondition, PodDNSConfig, PodDNSConfigOption, PodExtendedResourceClaimStatus, PodIP, PodOS, PodReadinessGate, PodResourceClaim, PodResourceClaimStatus, PodSchedulingGate, PodSchedulingGroup, PodSecurityContext, PodSpec, PodStatus, PodVolumeHealth, PortworxVolumeSource, PreferredSchedulingTerm, Probe, ProbeHandler, ProjectedVolumeSource, QuobyteVolumeSource, RBDVolumeSource, ResourceClaim, ResourceFieldSelector, ResourceHealth, ResourceRequirements, ResourceStatus, SELinuxOptions, ScaleIOVolumeSource, SeccompProfile, SecretEnvSource, SecretKeySelector, SecretProjection, SecretVolumeSource, SecurityContext, ServiceAccountTokenProjection, SleepAction, StorageOSVolumeSource, Sysctl, TCPSocketAction, Toleration, TopologySpreadConstraint, TypedLocalObjectReference, TypedObjectReference, Volume, VolumeDevice, VolumeHealthCondition, VolumeMount, VolumeMountStatus, VolumeProjection, VolumeResourceRequirements, VolumeSource, VolumeStatus, VsphereVirtualDiskVolumeSource, WeightedPodAffinityTerm, WindowsSecurityContextOptions } from "./k8s/io/api/core/v1/pod_pb.js";
import type { Quantity } from "./k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";
import type { FieldsV1, LabelSelector, LabelSelectorRequirement, ManagedFieldsEntry, ObjectMeta, OwnerReference, Time } from "./k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { IntOrString } from "./k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";
import { tooDeep, type WireReader } from "../protobuf/reader.js";
import { readInto, readMessageEntry, readNumbers, readTextEntry, readUnknown } from "../protobuf/wire-fields.js";

const newAWSElasticBlockStoreVolumeSource = (): AWSElasticBlockStoreVolumeSource => ({ $typeName: "k8s.io.api.core.v1.AWSElasticBlockStoreVolumeSource", volumeID: "", fsType: "", partition: 0, readOnly: false });
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

const newAffinity = (): Affinity => ({ $typeName: "k8s.io.api.core.v1.Affinity" });
function readAffinity(m: Affinity, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.nodeAffinity = readInto(m.nodeAffinity ?? newNodeAffinity(), readNodeAffinity, r, depth); break;
      case 2: m.podAffinity = readInto(m.podAffinity ?? newPodAffinity(), readPodAffinity, r, depth); break;
      case 3: m.podAntiAffinity = readInto(m.podAntiAffinity ?? newPodAntiAffinity(), readPodAntiAffinity, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newAppArmorProfile = (): AppArmorProfile => ({ $typeName: "k8s.io.api.core.v1.AppArmorProfile", type: "" });
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

const newAzureDiskVolumeSource = (): AzureDiskVolumeSource => ({ $typeName: "k8s.io.api.core.v1.AzureDiskVolumeSource", diskName: "", diskURI: "" });
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

const newAzureFileVolumeSource = (): AzureFileVolumeSource => ({ $typeName: "k8s.io.api.core.v1.AzureFileVolumeSource", secretName: "", shareName: "", readOnly: false });
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

const newCSIVolumeSource = (): CSIVolumeSource => ({ $typeName: "k8s.io.api.core.v1.CSIVolumeSource", driver: "", volumeAttributes: {} });
function readCSIVolumeSource(m: CSIVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.driver = r.string(); break;
      case 2: m.readOnly = r.bool(); break;
      case 3: m.fsType = r.string(); break;
      case 4: readTextEntry(m.volumeAttributes, r, depth); break;
      case 5: m.nodePublishSecretRef = readInto(m.nodePublishSecretRef ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newCapabilities = (): Capabilities => ({ $typeName: "k8s.io.api.core.v1.Capabilities", add: [], drop: [] });
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

const newCephFSVolumeSource = (): CephFSVolumeSource => ({ $typeName: "k8s.io.api.core.v1.CephFSVolumeSource", monitors: [], path: "", user: "", secretFile: "", readOnly: false });
function readCephFSVolumeSource(m: CephFSVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.monitors.push(r.string()); break;
      case 2: m.path = r.string(); break;
      case 3: m.user = r.string(); break;
      case 4: m.secretFile = r.string(); break;
      case 5: m.secretRef = readInto(m.secretRef ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 6: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newCinderVolumeSource = (): CinderVolumeSource => ({ $typeName: "k8s.io.api.core.v1.CinderVolumeSource", volumeID: "", fsType: "", readOnly: false });
function readCinderVolumeSource(m: CinderVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumeID = r.string(); break;
      case 2: m.fsType = r.string(); break;
      case 3: m.readOnly = r.bool(); break;
      case 4: m.secretRef = readInto(m.secretRef ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newClusterTrustBundleProjection = (): ClusterTrustBundleProjection => ({ $typeName: "k8s.io.api.core.v1.ClusterTrustBundleProjection", path: "" });
function readClusterTrustBundleProjection(m: ClusterTrustBundleProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.signerName = r.string(); break;
      case 3: m.labelSelector = readInto(m.labelSelector ?? newLabelSelector(), readLabelSelector, r, depth); break;
      case 5: m.optional = r.bool(); break;
      case 4: m.path = r.string(); break;
      case 6: m.user = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newConfigMapEnvSource = (): ConfigMapEnvSource => ({ $typeName: "k8s.io.api.core.v1.ConfigMapEnvSource" });
function readConfigMapEnvSource(m: ConfigMapEnvSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newConfigMapKeySelector = (): ConfigMapKeySelector => ({ $typeName: "k8s.io.api.core.v1.ConfigMapKeySelector", key: "" });
function readConfigMapKeySelector(m: ConfigMapKeySelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.key = r.string(); break;
      case 3: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newConfigMapProjection = (): ConfigMapProjection => ({ $typeName: "k8s.io.api.core.v1.ConfigMapProjection", items: [] });
function readConfigMapProjection(m: ConfigMapProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.items.push(readInto(newKeyToPath(), readKeyToPath, r, depth)); break;
      case 4: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newConfigMapVolumeSource = (): ConfigMapVolumeSource => ({ $typeName: "k8s.io.api.core.v1.ConfigMapVolumeSource", items: [] });
function readConfigMapVolumeSource(m: ConfigMapVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.items.push(readInto(newKeyToPath(), readKeyToPath, r, depth)); break;
      case 3: m.defaultMode = r.int32(); break;
      case 4: m.optional = r.bool(); break;
      case 5: m.defaultUser = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newContainer = (): Container => ({ $typeName: "k8s.io.api.core.v1.Container", name: "", image: "", command: [], args: [], workingDir: "", ports: [], envFrom: [], env: [], resizePolicy: [], restartPolicyRules: [], volumeMounts: [], volumeDevices: [], terminationMessagePath: "", terminationMessagePolicy: "", imagePullPolicy: "", stdin: false, stdinOnce: false, tty: false });
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
      case 6: m.ports.push(readInto(newContainerPort(), readContainerPort, r, depth)); break;
      case 19: m.envFrom.push(readInto(newEnvFromSource(), readEnvFromSource, r, depth)); break;
      case 7: m.env.push(readInto(newEnvVar(), readEnvVar, r, depth)); break;
      case 8: m.resources = readInto(m.resources ?? newResourceRequirements(), readResourceRequirements, r, depth); break;
      case 23: m.resizePolicy.push(readInto(newContainerResizePolicy(), readContainerResizePolicy, r, depth)); break;
      case 24: m.restartPolicy = r.string(); break;
      case 25: m.restartPolicyRules.push(readInto(newContainerRestartRule(), readContainerRestartRule, r, depth)); break;
      case 9: m.volumeMounts.push(readInto(newVolumeMount(), readVolumeMount, r, depth)); break;
      case 21: m.volumeDevices.push(readInto(newVolumeDevice(), readVolumeDevice, r, depth)); break;
      case 10: m.livenessProbe = readInto(m.livenessProbe ?? newProbe(), readProbe, r, depth); break;
      case 11: m.readinessProbe = readInto(m.readinessProbe ?? newProbe(), readProbe, r, depth); break;
      case 22: m.startupProbe = readInto(m.startupProbe ?? newProbe(), readProbe, r, depth); break;
      case 12: m.lifecycle = readInto(m.lifecycle ?? newLifecycle(), readLifecycle, r, depth); break;
      case 13: m.terminationMessagePath = r.string(); break;
      case 20: m.terminationMessagePolicy = r.string(); break;
      case 14: m.imagePullPolicy = r.string(); break;
      case 15: m.securityContext = readInto(m.securityContext ?? newSecurityContext(), readSecurityContext, r, depth); break;
      case 16: m.stdin = r.bool(); break;
      case 17: m.stdinOnce = r.bool(); break;
      case 18: m.tty = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newContainerExtendedResourceRequest = (): ContainerExtendedResourceRequest => ({ $typeName: "k8s.io.api.core.v1.ContainerExtendedResourceRequest", containerName: "", resourceName: "", requestName: "" });
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

const newContainerPort = (): ContainerPort => ({ $typeName: "k8s.io.api.core.v1.ContainerPort", name: "", hostPort: 0, containerPort: 0, protocol: "", hostIP: "" });
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

const newContainerResizePolicy = (): ContainerResizePolicy => ({ $typeName: "k8s.io.api.core.v1.ContainerResizePolicy", resourceName: "", restartPolicy: "" });
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

const newContainerRestartRule = (): ContainerRestartRule => ({ $typeName: "k8s.io.api.core.v1.ContainerRestartRule", action: "" });
function readContainerRestartRule(m: ContainerRestartRule, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.action = r.string(); break;
      case 2: m.exitCodes = readInto(m.exitCodes ?? newContainerRestartRuleOnExitCodes(), readContainerRestartRuleOnExitCodes, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newContainerRestartRuleOnExitCodes = (): ContainerRestartRuleOnExitCodes => ({ $typeName: "k8s.io.api.core.v1.ContainerRestartRuleOnExitCodes", operator: "", values: [] });
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

const newContainerState = (): ContainerState => ({ $typeName: "k8s.io.api.core.v1.ContainerState" });
function readContainerState(m: ContainerState, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.waiting = readInto(m.waiting ?? newContainerStateWaiting(), readContainerStateWaiting, r, depth); break;
      case 2: m.running = readInto(m.running ?? newContainerStateRunning(), readContainerStateRunning, r, depth); break;
      case 3: m.terminated = readInto(m.terminated ?? newContainerStateTerminated(), readContainerStateTerminated, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newContainerStateRunning = (): ContainerStateRunning => ({ $typeName: "k8s.io.api.core.v1.ContainerStateRunning" });
function readContainerStateRunning(m: ContainerStateRunning, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.startedAt = readInto(newTime(), readTime, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newContainerStateTerminated = (): ContainerStateTerminated => ({ $typeName: "k8s.io.api.core.v1.ContainerStateTerminated", exitCode: 0, signal: 0, reason: "", message: "", containerID: "" });
function readContainerStateTerminated(m: ContainerStateTerminated, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.exitCode = r.int32(); break;
      case 2: m.signal = r.int32(); break;
      case 3: m.reason = r.string(); break;
      case 4: m.message = r.string(); break;
      case 5: m.startedAt = readInto(newTime(), readTime, r, depth); break;
      case 6: m.finishedAt = readInto(newTime(), readTime, r, depth); break;
      case 7: m.containerID = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newContainerStateWaiting = (): ContainerStateWaiting => ({ $typeName: "k8s.io.api.core.v1.ContainerStateWaiting", reason: "", message: "" });
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

const newContainerStatus = (): ContainerStatus => ({ $typeName: "k8s.io.api.core.v1.ContainerStatus", name: "", ready: false, restartCount: 0, image: "", imageID: "", containerID: "", allocatedResources: {}, volumeMounts: [], allocatedResourcesStatus: [] });
function readContainerStatus(m: ContainerStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.state = readInto(m.state ?? newContainerState(), readContainerState, r, depth); break;
      case 3: m.lastState = readInto(m.lastState ?? newContainerState(), readContainerState, r, depth); break;
      case 4: m.ready = r.bool(); break;
      case 5: m.restartCount = r.int32(); break;
      case 6: m.image = r.string(); break;
      case 7: m.imageID = r.string(); break;
      case 8: m.containerID = r.string(); break;
      case 9: m.started = r.bool(); break;
      case 10: readMessageEntry(m.allocatedResources, r, depth, newQuantity, readQuantity); break;
      case 11: m.resources = readInto(m.resources ?? newResourceRequirements(), readResourceRequirements, r, depth); break;
      case 12: m.volumeMounts.push(readInto(newVolumeMountStatus(), readVolumeMountStatus, r, depth)); break;
      case 13: m.user = readInto(m.user ?? newContainerUser(), readContainerUser, r, depth); break;
      case 14: m.allocatedResourcesStatus.push(readInto(newResourceStatus(), readResourceStatus, r, depth)); break;
      case 15: m.stopSignal = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newContainerUser = (): ContainerUser => ({ $typeName: "k8s.io.api.core.v1.ContainerUser" });
function readContainerUser(m: ContainerUser, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.linux = readInto(m.linux ?? newLinuxContainerUser(), readLinuxContainerUser, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newDownwardAPIProjection = (): DownwardAPIProjection => ({ $typeName: "k8s.io.api.core.v1.DownwardAPIProjection", items: [] });
function readDownwardAPIProjection(m: DownwardAPIProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.items.push(readInto(newDownwardAPIVolumeFile(), readDownwardAPIVolumeFile, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newDownwardAPIVolumeFile = (): DownwardAPIVolumeFile => ({ $typeName: "k8s.io.api.core.v1.DownwardAPIVolumeFile", path: "" });
function readDownwardAPIVolumeFile(m: DownwardAPIVolumeFile, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.path = r.string(); break;
      case 2: m.fieldRef = readInto(m.fieldRef ?? newObjectFieldSelector(), readObjectFieldSelector, r, depth); break;
      case 3: m.resourceFieldRef = readInto(m.resourceFieldRef ?? newResourceFieldSelector(), readResourceFieldSelector, r, depth); break;
      case 4: m.mode = r.int32(); break;
      case 5: m.user = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newDownwardAPIVolumeSource = (): DownwardAPIVolumeSource => ({ $typeName: "k8s.io.api.core.v1.DownwardAPIVolumeSource", items: [] });
function readDownwardAPIVolumeSource(m: DownwardAPIVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.items.push(readInto(newDownwardAPIVolumeFile(), readDownwardAPIVolumeFile, r, depth)); break;
      case 2: m.defaultMode = r.int32(); break;
      case 3: m.defaultUser = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newEmptyDirVolumeSource = (): EmptyDirVolumeSource => ({ $typeName: "k8s.io.api.core.v1.EmptyDirVolumeSource", medium: "" });
function readEmptyDirVolumeSource(m: EmptyDirVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.medium = r.string(); break;
      case 2: m.sizeLimit = readInto(m.sizeLimit ?? newQuantity(), readQuantity, r, depth); break;
      case 3: m.mode = r.int32(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newEnvFromSource = (): EnvFromSource => ({ $typeName: "k8s.io.api.core.v1.EnvFromSource", prefix: "" });
function readEnvFromSource(m: EnvFromSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.prefix = r.string(); break;
      case 2: m.configMapRef = readInto(m.configMapRef ?? newConfigMapEnvSource(), readConfigMapEnvSource, r, depth); break;
      case 3: m.secretRef = readInto(m.secretRef ?? newSecretEnvSource(), readSecretEnvSource, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newEnvVar = (): EnvVar => ({ $typeName: "k8s.io.api.core.v1.EnvVar", name: "", value: "" });
function readEnvVar(m: EnvVar, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.value = r.string(); break;
      case 3: m.valueFrom = readInto(m.valueFrom ?? newEnvVarSource(), readEnvVarSource, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newEnvVarSource = (): EnvVarSource => ({ $typeName: "k8s.io.api.core.v1.EnvVarSource" });
function readEnvVarSource(m: EnvVarSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.fieldRef = readInto(m.fieldRef ?? newObjectFieldSelector(), readObjectFieldSelector, r, depth); break;
      case 2: m.resourceFieldRef = readInto(m.resourceFieldRef ?? newResourceFieldSelector(), readResourceFieldSelector, r, depth); break;
      case 3: m.configMapKeyRef = readInto(m.configMapKeyRef ?? newConfigMapKeySelector(), readConfigMapKeySelector, r, depth); break;
      case 4: m.secretKeyRef = readInto(m.secretKeyRef ?? newSecretKeySelector(), readSecretKeySelector, r, depth); break;
      case 5: m.fileKeyRef = readInto(m.fileKeyRef ?? newFileKeySelector(), readFileKeySelector, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newEphemeralContainer = (): EphemeralContainer => ({ $typeName: "k8s.io.api.core.v1.EphemeralContainer", targetContainerName: "" });
function readEphemeralContainer(m: EphemeralContainer, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.ephemeralContainerCommon = readInto(m.ephemeralContainerCommon ?? newEphemeralContainerCommon(), readEphemeralContainerCommon, r, depth); break;
      case 2: m.targetContainerName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newEphemeralContainerCommon = (): EphemeralContainerCommon => ({ $typeName: "k8s.io.api.core.v1.EphemeralContainerCommon", name: "", image: "", command: [], args: [], workingDir: "", ports: [], envFrom: [], env: [], resizePolicy: [], restartPolicyRules: [], volumeMounts: [], volumeDevices: [], terminationMessagePath: "", terminationMessagePolicy: "", imagePullPolicy: "", stdin: false, stdinOnce: false, tty: false });
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
      case 6: m.ports.push(readInto(newContainerPort(), readContainerPort, r, depth)); break;
      case 19: m.envFrom.push(readInto(newEnvFromSource(), readEnvFromSource, r, depth)); break;
      case 7: m.env.push(readInto(newEnvVar(), readEnvVar, r, depth)); break;
      case 8: m.resources = readInto(m.resources ?? newResourceRequirements(), readResourceRequirements, r, depth); break;
      case 23: m.resizePolicy.push(readInto(newContainerResizePolicy(), readContainerResizePolicy, r, depth)); break;
      case 24: m.restartPolicy = r.string(); break;
      case 25: m.restartPolicyRules.push(readInto(newContainerRestartRule(), readContainerRestartRule, r, depth)); break;
      case 9: m.volumeMounts.push(readInto(newVolumeMount(), readVolumeMount, r, depth)); break;
      case 21: m.volumeDevices.push(readInto(newVolumeDevice(), readVolumeDevice, r, depth)); break;
      case 10: m.livenessProbe = readInto(m.livenessProbe ?? newProbe(), readProbe, r, depth); break;
      case 11: m.readinessProbe = readInto(m.readinessProbe ?? newProbe(), readProbe, r, depth); break;
      case 22: m.startupProbe = readInto(m.startupProbe ?? newProbe(), readProbe, r, depth); break;
      case 12: m.lifecycle = readInto(m.lifecycle ?? newLifecycle(), readLifecycle, r, depth); break;
      case 13: m.terminationMessagePath = r.string(); break;
      case 20: m.terminationMessagePolicy = r.string(); break;
      case 14: m.imagePullPolicy = r.string(); break;
      case 15: m.securityContext = readInto(m.securityContext ?? newSecurityContext(), readSecurityContext, r, depth); break;
      case 16: m.stdin = r.bool(); break;
      case 17: m.stdinOnce = r.bool(); break;
      case 18: m.tty = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newEphemeralVolumeSource = (): EphemeralVolumeSource => ({ $typeName: "k8s.io.api.core.v1.EphemeralVolumeSource" });
function readEphemeralVolumeSource(m: EphemeralVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumeClaimTemplate = readInto(m.volumeClaimTemplate ?? newPersistentVolumeClaimTemplate(), readPersistentVolumeClaimTemplate, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newEvictionResponder = (): EvictionResponder => ({ $typeName: "k8s.io.api.core.v1.EvictionResponder", name: "" });
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

const newExecAction = (): ExecAction => ({ $typeName: "k8s.io.api.core.v1.ExecAction", command: [] });
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

const newFCVolumeSource = (): FCVolumeSource => ({ $typeName: "k8s.io.api.core.v1.FCVolumeSource", targetWWNs: [], fsType: "", readOnly: false, wwids: [] });
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

const newFieldsV1 = (): FieldsV1 => ({ $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1", Raw: new Uint8Array(0) });
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

const newFileKeySelector = (): FileKeySelector => ({ $typeName: "k8s.io.api.core.v1.FileKeySelector", volumeName: "", path: "", key: "" });
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

const newFlexVolumeSource = (): FlexVolumeSource => ({ $typeName: "k8s.io.api.core.v1.FlexVolumeSource", driver: "", fsType: "", readOnly: false, options: {} });
function readFlexVolumeSource(m: FlexVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.driver = r.string(); break;
      case 2: m.fsType = r.string(); break;
      case 3: m.secretRef = readInto(m.secretRef ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 4: m.readOnly = r.bool(); break;
      case 5: readTextEntry(m.options, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newFlockerVolumeSource = (): FlockerVolumeSource => ({ $typeName: "k8s.io.api.core.v1.FlockerVolumeSource", datasetName: "", datasetUUID: "" });
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

const newGCEPersistentDiskVolumeSource = (): GCEPersistentDiskVolumeSource => ({ $typeName: "k8s.io.api.core.v1.GCEPersistentDiskVolumeSource", pdName: "", fsType: "", partition: 0, readOnly: false });
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

const newGRPCAction = (): GRPCAction => ({ $typeName: "k8s.io.api.core.v1.GRPCAction", port: 0 });
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

const newGitRepoVolumeSource = (): GitRepoVolumeSource => ({ $typeName: "k8s.io.api.core.v1.GitRepoVolumeSource", repository: "", revision: "", directory: "" });
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

const newGlusterfsVolumeSource = (): GlusterfsVolumeSource => ({ $typeName: "k8s.io.api.core.v1.GlusterfsVolumeSource", endpoints: "", path: "", readOnly: false });
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

const newHTTPGetAction = (): HTTPGetAction => ({ $typeName: "k8s.io.api.core.v1.HTTPGetAction", path: "", host: "", scheme: "", httpHeaders: [] });
function readHTTPGetAction(m: HTTPGetAction, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.path = r.string(); break;
      case 2: m.port = readInto(m.port ?? newIntOrString(), readIntOrString, r, depth); break;
      case 3: m.host = r.string(); break;
      case 4: m.scheme = r.string(); break;
      case 5: m.httpHeaders.push(readInto(newHTTPHeader(), readHTTPHeader, r, depth)); break;
      case 6: m.protocol = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newHTTPHeader = (): HTTPHeader => ({ $typeName: "k8s.io.api.core.v1.HTTPHeader", name: "", value: "" });
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

const newHostAlias = (): HostAlias => ({ $typeName: "k8s.io.api.core.v1.HostAlias", ip: "", hostnames: [] });
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

const newHostIP = (): HostIP => ({ $typeName: "k8s.io.api.core.v1.HostIP", ip: "" });
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

const newHostPathVolumeSource = (): HostPathVolumeSource => ({ $typeName: "k8s.io.api.core.v1.HostPathVolumeSource", path: "" });
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

const newISCSIVolumeSource = (): ISCSIVolumeSource => ({ $typeName: "k8s.io.api.core.v1.ISCSIVolumeSource", targetPortal: "", iqn: "", lun: 0, iscsiInterface: "", fsType: "", readOnly: false, portals: [], chapAuthDiscovery: false, chapAuthSession: false });
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
      case 10: m.secretRef = readInto(m.secretRef ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 12: m.initiatorName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newImageVolumeSource = (): ImageVolumeSource => ({ $typeName: "k8s.io.api.core.v1.ImageVolumeSource", reference: "", pullPolicy: "" });
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

const newImageVolumeStatus = (): ImageVolumeStatus => ({ $typeName: "k8s.io.api.core.v1.ImageVolumeStatus", imageRef: "" });
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

const newIntOrString = (): IntOrString => ({ $typeName: "k8s.io.apimachinery.pkg.util.intstr.IntOrString", type: 0n, intVal: 0, strVal: "" });
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

const newKeyToPath = (): KeyToPath => ({ $typeName: "k8s.io.api.core.v1.KeyToPath", key: "", path: "" });
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

const newLabelSelector = (): LabelSelector => ({ $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelector", matchLabels: {}, matchExpressions: [] });
function readLabelSelector(m: LabelSelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: readTextEntry(m.matchLabels, r, depth); break;
      case 2: m.matchExpressions.push(readInto(newLabelSelectorRequirement(), readLabelSelectorRequirement, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newLabelSelectorRequirement = (): LabelSelectorRequirement => ({ $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement", key: "", operator: "", values: [] });
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

const newLifecycle = (): Lifecycle => ({ $typeName: "k8s.io.api.core.v1.Lifecycle" });
function readLifecycle(m: Lifecycle, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.postStart = readInto(m.postStart ?? newLifecycleHandler(), readLifecycleHandler, r, depth); break;
      case 2: m.preStop = readInto(m.preStop ?? newLifecycleHandler(), readLifecycleHandler, r, depth); break;
      case 3: m.stopSignal = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newLifecycleHandler = (): LifecycleHandler => ({ $typeName: "k8s.io.api.core.v1.LifecycleHandler" });
function readLifecycleHandler(m: LifecycleHandler, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.exec = readInto(m.exec ?? newExecAction(), readExecAction, r, depth); break;
      case 2: m.httpGet = readInto(m.httpGet ?? newHTTPGetAction(), readHTTPGetAction, r, depth); break;
      case 3: m.tcpSocket = readInto(m.tcpSocket ?? newTCPSocketAction(), readTCPSocketAction, r, depth); break;
      case 4: m.sleep = readInto(m.sleep ?? newSleepAction(), readSleepAction, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newLinuxContainerUser = (): LinuxContainerUser => ({ $typeName: "k8s.io.api.core.v1.LinuxContainerUser", uid: 0n, gid: 0n, supplementalGroups: [] });
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

const newLocalObjectReference = (): LocalObjectReference => ({ $typeName: "k8s.io.api.core.v1.LocalObjectReference", name: "" });
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

const newManagedFieldsEntry = (): ManagedFieldsEntry => ({ $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry", manager: "", operation: "", apiVersion: "", fieldsType: "", subresource: "" });
function readManagedFieldsEntry(m: ManagedFieldsEntry, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.manager = r.string(); break;
      case 2: m.operation = r.string(); break;
      case 3: m.apiVersion = r.string(); break;
      case 4: m.time = readInto(newTime(), readTime, r, depth); break;
      case 6: m.fieldsType = r.string(); break;
      case 7: m.fieldsV1 = readInto(m.fieldsV1 ?? newFieldsV1(), readFieldsV1, r, depth); break;
      case 8: m.subresource = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newNFSVolumeSource = (): NFSVolumeSource => ({ $typeName: "k8s.io.api.core.v1.NFSVolumeSource", server: "", path: "", readOnly: false });
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

const newNodeAffinity = (): NodeAffinity => ({ $typeName: "k8s.io.api.core.v1.NodeAffinity", preferredDuringSchedulingIgnoredDuringExecution: [] });
function readNodeAffinity(m: NodeAffinity, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.requiredDuringSchedulingIgnoredDuringExecution = readInto(m.requiredDuringSchedulingIgnoredDuringExecution ?? newNodeSelector(), readNodeSelector, r, depth); break;
      case 2: m.preferredDuringSchedulingIgnoredDuringExecution.push(readInto(newPreferredSchedulingTerm(), readPreferredSchedulingTerm, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newNodeAllocatableMappedResources = (): NodeAllocatableMappedResources => ({ $typeName: "k8s.io.api.core.v1.NodeAllocatableMappedResources", name: "" });
function readNodeAllocatableMappedResources(m: NodeAllocatableMappedResources, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.quantity = readInto(m.quantity ?? newQuantity(), readQuantity, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newNodeAllocatableOverheadResources = (): NodeAllocatableOverheadResources => ({ $typeName: "k8s.io.api.core.v1.NodeAllocatableOverheadResources", name: "" });
function readNodeAllocatableOverheadResources(m: NodeAllocatableOverheadResources, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.perPod = readInto(m.perPod ?? newQuantity(), readQuantity, r, depth); break;
      case 3: m.perContainer = readInto(m.perContainer ?? newQuantity(), readQuantity, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newNodeAllocatableResourceClaimStatus = (): NodeAllocatableResourceClaimStatus => ({ $typeName: "k8s.io.api.core.v1.NodeAllocatableResourceClaimStatus", resourceClaimName: "", containers: [], resources: {}, mapping: [], overhead: [] });
function readNodeAllocatableResourceClaimStatus(m: NodeAllocatableResourceClaimStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.resourceClaimName = r.string(); break;
      case 2: m.containers.push(r.string()); break;
      case 3: readMessageEntry(m.resources, r, depth, newQuantity, readQuantity); break;
      case 4: m.mapping.push(readInto(newNodeAllocatableMappedResources(), readNodeAllocatableMappedResources, r, depth)); break;
      case 5: m.overhead.push(readInto(newNodeAllocatableOverheadResources(), readNodeAllocatableOverheadResources, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newNodeSelector = (): NodeSelector => ({ $typeName: "k8s.io.api.core.v1.NodeSelector", nodeSelectorTerms: [] });
function readNodeSelector(m: NodeSelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.nodeSelectorTerms.push(readInto(newNodeSelectorTerm(), readNodeSelectorTerm, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newNodeSelectorRequirement = (): NodeSelectorRequirement => ({ $typeName: "k8s.io.api.core.v1.NodeSelectorRequirement", key: "", operator: "", values: [] });
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

const newNodeSelectorTerm = (): NodeSelectorTerm => ({ $typeName: "k8s.io.api.core.v1.NodeSelectorTerm", matchExpressions: [], matchFields: [] });
function readNodeSelectorTerm(m: NodeSelectorTerm, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.matchExpressions.push(readInto(newNodeSelectorRequirement(), readNodeSelectorRequirement, r, depth)); break;
      case 2: m.matchFields.push(readInto(newNodeSelectorRequirement(), readNodeSelectorRequirement, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newObjectFieldSelector = (): ObjectFieldSelector => ({ $typeName: "k8s.io.api.core.v1.ObjectFieldSelector", apiVersion: "", fieldPath: "" });
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

const newObjectMeta = (): ObjectMeta => ({ $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta", name: "", generateName: "", namespace: "", selfLink: "", uid: "", resourceVersion: "", generation: 0n, labels: {}, annotations: {}, ownerReferences: [], finalizers: [], managedFields: [] });
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
      case 8: m.creationTimestamp = readInto(newTime(), readTime, r, depth); break;
      case 9: m.deletionTimestamp = readInto(newTime(), readTime, r, depth); break;
      case 10: m.deletionGracePeriodSeconds = r.int64(); break;
      case 11: readTextEntry(m.labels, r, depth); break;
      case 12: readTextEntry(m.annotations, r, depth); break;
      case 13: m.ownerReferences.push(readInto(newOwnerReference(), readOwnerReference, r, depth)); break;
      case 14: m.finalizers.push(r.string()); break;
      case 17: m.managedFields.push(readInto(newManagedFieldsEntry(), readManagedFieldsEntry, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newOwnerReference = (): OwnerReference => ({ $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.OwnerReference", apiVersion: "", kind: "", name: "", uid: "" });
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

const newPersistentVolumeClaimSpec = (): PersistentVolumeClaimSpec => ({ $typeName: "k8s.io.api.core.v1.PersistentVolumeClaimSpec", accessModes: [], volumeName: "" });
function readPersistentVolumeClaimSpec(m: PersistentVolumeClaimSpec, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.accessModes.push(r.string()); break;
      case 4: m.selector = readInto(m.selector ?? newLabelSelector(), readLabelSelector, r, depth); break;
      case 2: m.resources = readInto(m.resources ?? newVolumeResourceRequirements(), readVolumeResourceRequirements, r, depth); break;
      case 3: m.volumeName = r.string(); break;
      case 5: m.storageClassName = r.string(); break;
      case 6: m.volumeMode = r.string(); break;
      case 7: m.dataSource = readInto(m.dataSource ?? newTypedLocalObjectReference(), readTypedLocalObjectReference, r, depth); break;
      case 8: m.dataSourceRef = readInto(m.dataSourceRef ?? newTypedObjectReference(), readTypedObjectReference, r, depth); break;
      case 9: m.volumeAttributesClassName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPersistentVolumeClaimTemplate = (): PersistentVolumeClaimTemplate => ({ $typeName: "k8s.io.api.core.v1.PersistentVolumeClaimTemplate" });
function readPersistentVolumeClaimTemplate(m: PersistentVolumeClaimTemplate, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.metadata = readInto(m.metadata ?? newObjectMeta(), readObjectMeta, r, depth); break;
      case 2: m.spec = readInto(m.spec ?? newPersistentVolumeClaimSpec(), readPersistentVolumeClaimSpec, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPersistentVolumeClaimVolumeSource = (): PersistentVolumeClaimVolumeSource => ({ $typeName: "k8s.io.api.core.v1.PersistentVolumeClaimVolumeSource", claimName: "", readOnly: false });
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

const newPhotonPersistentDiskVolumeSource = (): PhotonPersistentDiskVolumeSource => ({ $typeName: "k8s.io.api.core.v1.PhotonPersistentDiskVolumeSource", pdID: "", fsType: "" });
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

const newPod = (): Pod => ({ $typeName: "k8s.io.api.core.v1.Pod" });
function readPod(m: Pod, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.metadata = readInto(m.metadata ?? newObjectMeta(), readObjectMeta, r, depth); break;
      case 2: m.spec = readInto(m.spec ?? newPodSpec(), readPodSpec, r, depth); break;
      case 3: m.status = readInto(m.status ?? newPodStatus(), readPodStatus, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodAffinity = (): PodAffinity => ({ $typeName: "k8s.io.api.core.v1.PodAffinity", requiredDuringSchedulingIgnoredDuringExecution: [], preferredDuringSchedulingIgnoredDuringExecution: [] });
function readPodAffinity(m: PodAffinity, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.requiredDuringSchedulingIgnoredDuringExecution.push(readInto(newPodAffinityTerm(), readPodAffinityTerm, r, depth)); break;
      case 2: m.preferredDuringSchedulingIgnoredDuringExecution.push(readInto(newWeightedPodAffinityTerm(), readWeightedPodAffinityTerm, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodAffinityTerm = (): PodAffinityTerm => ({ $typeName: "k8s.io.api.core.v1.PodAffinityTerm", namespaces: [], topologyKey: "", matchLabelKeys: [], mismatchLabelKeys: [] });
function readPodAffinityTerm(m: PodAffinityTerm, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.labelSelector = readInto(m.labelSelector ?? newLabelSelector(), readLabelSelector, r, depth); break;
      case 2: m.namespaces.push(r.string()); break;
      case 3: m.topologyKey = r.string(); break;
      case 4: m.namespaceSelector = readInto(m.namespaceSelector ?? newLabelSelector(), readLabelSelector, r, depth); break;
      case 5: m.matchLabelKeys.push(r.string()); break;
      case 6: m.mismatchLabelKeys.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodAntiAffinity = (): PodAntiAffinity => ({ $typeName: "k8s.io.api.core.v1.PodAntiAffinity", requiredDuringSchedulingIgnoredDuringExecution: [], preferredDuringSchedulingIgnoredDuringExecution: [] });
function readPodAntiAffinity(m: PodAntiAffinity, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.requiredDuringSchedulingIgnoredDuringExecution.push(readInto(newPodAffinityTerm(), readPodAffinityTerm, r, depth)); break;
      case 2: m.preferredDuringSchedulingIgnoredDuringExecution.push(readInto(newWeightedPodAffinityTerm(), readWeightedPodAffinityTerm, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodCertificateProjection = (): PodCertificateProjection => ({ $typeName: "k8s.io.api.core.v1.PodCertificateProjection", signerName: "", keyType: "", credentialBundlePath: "", keyPath: "", certificateChainPath: "", userAnnotations: {} });
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

const newPodCondition = (): PodCondition => ({ $typeName: "k8s.io.api.core.v1.PodCondition", type: "", observedGeneration: 0n, status: "", reason: "", message: "" });
function readPodCondition(m: PodCondition, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.type = r.string(); break;
      case 7: m.observedGeneration = r.int64(); break;
      case 2: m.status = r.string(); break;
      case 3: m.lastProbeTime = readInto(newTime(), readTime, r, depth); break;
      case 4: m.lastTransitionTime = readInto(newTime(), readTime, r, depth); break;
      case 5: m.reason = r.string(); break;
      case 6: m.message = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodDNSConfig = (): PodDNSConfig => ({ $typeName: "k8s.io.api.core.v1.PodDNSConfig", nameservers: [], searches: [], options: [] });
function readPodDNSConfig(m: PodDNSConfig, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.nameservers.push(r.string()); break;
      case 2: m.searches.push(r.string()); break;
      case 3: m.options.push(readInto(newPodDNSConfigOption(), readPodDNSConfigOption, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodDNSConfigOption = (): PodDNSConfigOption => ({ $typeName: "k8s.io.api.core.v1.PodDNSConfigOption", name: "" });
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

const newPodExtendedResourceClaimStatus = (): PodExtendedResourceClaimStatus => ({ $typeName: "k8s.io.api.core.v1.PodExtendedResourceClaimStatus", requestMappings: [], resourceClaimName: "" });
function readPodExtendedResourceClaimStatus(m: PodExtendedResourceClaimStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.requestMappings.push(readInto(newContainerExtendedResourceRequest(), readContainerExtendedResourceRequest, r, depth)); break;
      case 2: m.resourceClaimName = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodIP = (): PodIP => ({ $typeName: "k8s.io.api.core.v1.PodIP", ip: "" });
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

const newPodOS = (): PodOS => ({ $typeName: "k8s.io.api.core.v1.PodOS", name: "" });
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

const newPodReadinessGate = (): PodReadinessGate => ({ $typeName: "k8s.io.api.core.v1.PodReadinessGate", conditionType: "" });
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

const newPodResourceClaim = (): PodResourceClaim => ({ $typeName: "k8s.io.api.core.v1.PodResourceClaim", name: "" });
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

const newPodResourceClaimStatus = (): PodResourceClaimStatus => ({ $typeName: "k8s.io.api.core.v1.PodResourceClaimStatus", name: "" });
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

const newPodSchedulingGate = (): PodSchedulingGate => ({ $typeName: "k8s.io.api.core.v1.PodSchedulingGate", name: "" });
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

const newPodSchedulingGroup = (): PodSchedulingGroup => ({ $typeName: "k8s.io.api.core.v1.PodSchedulingGroup" });
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

const newPodSecurityContext = (): PodSecurityContext => ({ $typeName: "k8s.io.api.core.v1.PodSecurityContext", supplementalGroups: [], sysctls: [] });
function readPodSecurityContext(m: PodSecurityContext, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.seLinuxOptions = readInto(m.seLinuxOptions ?? newSELinuxOptions(), readSELinuxOptions, r, depth); break;
      case 8: m.windowsOptions = readInto(m.windowsOptions ?? newWindowsSecurityContextOptions(), readWindowsSecurityContextOptions, r, depth); break;
      case 2: m.runAsUser = r.int64(); break;
      case 6: m.runAsGroup = r.int64(); break;
      case 3: m.runAsNonRoot = r.bool(); break;
      case 4: readNumbers(m.supplementalGroups, r, tag, () => r.int64()); break;
      case 12: m.supplementalGroupsPolicy = r.string(); break;
      case 5: m.fsGroup = r.int64(); break;
      case 7: m.sysctls.push(readInto(newSysctl(), readSysctl, r, depth)); break;
      case 9: m.fsGroupChangePolicy = r.string(); break;
      case 10: m.seccompProfile = readInto(m.seccompProfile ?? newSeccompProfile(), readSeccompProfile, r, depth); break;
      case 11: m.appArmorProfile = readInto(m.appArmorProfile ?? newAppArmorProfile(), readAppArmorProfile, r, depth); break;
      case 13: m.seLinuxChangePolicy = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodSpec = (): PodSpec => ({ $typeName: "k8s.io.api.core.v1.PodSpec", volumes: [], initContainers: [], containers: [], ephemeralContainers: [], restartPolicy: "", dnsPolicy: "", nodeSelector: {}, serviceAccountName: "", serviceAccount: "", nodeName: "", hostNetwork: false, hostPID: false, hostIPC: false, imagePullSecrets: [], hostname: "", subdomain: "", schedulerName: "", tolerations: [], hostAliases: [], priorityClassName: "", readinessGates: [], overhead: {}, topologySpreadConstraints: [], schedulingGates: [], resourceClaims: [], evictionResponders: [] });
function readPodSpec(m: PodSpec, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumes.push(readInto(newVolume(), readVolume, r, depth)); break;
      case 20: m.initContainers.push(readInto(newContainer(), readContainer, r, depth)); break;
      case 2: m.containers.push(readInto(newContainer(), readContainer, r, depth)); break;
      case 34: m.ephemeralContainers.push(readInto(newEphemeralContainer(), readEphemeralContainer, r, depth)); break;
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
      case 14: m.securityContext = readInto(m.securityContext ?? newPodSecurityContext(), readPodSecurityContext, r, depth); break;
      case 15: m.imagePullSecrets.push(readInto(newLocalObjectReference(), readLocalObjectReference, r, depth)); break;
      case 16: m.hostname = r.string(); break;
      case 17: m.subdomain = r.string(); break;
      case 18: m.affinity = readInto(m.affinity ?? newAffinity(), readAffinity, r, depth); break;
      case 19: m.schedulerName = r.string(); break;
      case 22: m.tolerations.push(readInto(newToleration(), readToleration, r, depth)); break;
      case 23: m.hostAliases.push(readInto(newHostAlias(), readHostAlias, r, depth)); break;
      case 24: m.priorityClassName = r.string(); break;
      case 25: m.priority = r.int32(); break;
      case 26: m.dnsConfig = readInto(m.dnsConfig ?? newPodDNSConfig(), readPodDNSConfig, r, depth); break;
      case 28: m.readinessGates.push(readInto(newPodReadinessGate(), readPodReadinessGate, r, depth)); break;
      case 29: m.runtimeClassName = r.string(); break;
      case 30: m.enableServiceLinks = r.bool(); break;
      case 31: m.preemptionPolicy = r.string(); break;
      case 32: readMessageEntry(m.overhead, r, depth, newQuantity, readQuantity); break;
      case 33: m.topologySpreadConstraints.push(readInto(newTopologySpreadConstraint(), readTopologySpreadConstraint, r, depth)); break;
      case 35: m.setHostnameAsFQDN = r.bool(); break;
      case 36: m.os = readInto(m.os ?? newPodOS(), readPodOS, r, depth); break;
      case 37: m.hostUsers = r.bool(); break;
      case 38: m.schedulingGates.push(readInto(newPodSchedulingGate(), readPodSchedulingGate, r, depth)); break;
      case 39: m.resourceClaims.push(readInto(newPodResourceClaim(), readPodResourceClaim, r, depth)); break;
      case 40: m.resources = readInto(m.resources ?? newResourceRequirements(), readResourceRequirements, r, depth); break;
      case 41: m.hostnameOverride = r.string(); break;
      case 43: m.schedulingGroup = readInto(m.schedulingGroup ?? newPodSchedulingGroup(), readPodSchedulingGroup, r, depth); break;
      case 44: m.evictionResponders.push(readInto(newEvictionResponder(), readEvictionResponder, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodStatus = (): PodStatus => ({ $typeName: "k8s.io.api.core.v1.PodStatus", observedGeneration: 0n, phase: "", conditions: [], message: "", reason: "", nominatedNodeName: "", hostIP: "", hostIPs: [], podIP: "", podIPs: [], initContainerStatuses: [], containerStatuses: [], qosClass: "", ephemeralContainerStatuses: [], resize: "", resourceClaimStatuses: [], allocatedResources: {}, nodeAllocatableResourceClaimStatuses: [], volumeHealth: [] });
function readPodStatus(m: PodStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 17: m.observedGeneration = r.int64(); break;
      case 1: m.phase = r.string(); break;
      case 2: m.conditions.push(readInto(newPodCondition(), readPodCondition, r, depth)); break;
      case 3: m.message = r.string(); break;
      case 4: m.reason = r.string(); break;
      case 11: m.nominatedNodeName = r.string(); break;
      case 5: m.hostIP = r.string(); break;
      case 16: m.hostIPs.push(readInto(newHostIP(), readHostIP, r, depth)); break;
      case 6: m.podIP = r.string(); break;
      case 12: m.podIPs.push(readInto(newPodIP(), readPodIP, r, depth)); break;
      case 7: m.startTime = readInto(newTime(), readTime, r, depth); break;
      case 10: m.initContainerStatuses.push(readInto(newContainerStatus(), readContainerStatus, r, depth)); break;
      case 8: m.containerStatuses.push(readInto(newContainerStatus(), readContainerStatus, r, depth)); break;
      case 9: m.qosClass = r.string(); break;
      case 13: m.ephemeralContainerStatuses.push(readInto(newContainerStatus(), readContainerStatus, r, depth)); break;
      case 14: m.resize = r.string(); break;
      case 15: m.resourceClaimStatuses.push(readInto(newPodResourceClaimStatus(), readPodResourceClaimStatus, r, depth)); break;
      case 18: m.extendedResourceClaimStatus = readInto(m.extendedResourceClaimStatus ?? newPodExtendedResourceClaimStatus(), readPodExtendedResourceClaimStatus, r, depth); break;
      case 19: readMessageEntry(m.allocatedResources, r, depth, newQuantity, readQuantity); break;
      case 20: m.resources = readInto(m.resources ?? newResourceRequirements(), readResourceRequirements, r, depth); break;
      case 21: m.nodeAllocatableResourceClaimStatuses.push(readInto(newNodeAllocatableResourceClaimStatus(), readNodeAllocatableResourceClaimStatus, r, depth)); break;
      case 22: m.volumeHealth.push(readInto(newPodVolumeHealth(), readPodVolumeHealth, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPodVolumeHealth = (): PodVolumeHealth => ({ $typeName: "k8s.io.api.core.v1.PodVolumeHealth", name: "", healthConditions: [] });
function readPodVolumeHealth(m: PodVolumeHealth, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.healthConditions.push(readInto(newVolumeHealthCondition(), readVolumeHealthCondition, r, depth)); break;
      case 3: m.lastTransitionTime = readInto(newTime(), readTime, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newPortworxVolumeSource = (): PortworxVolumeSource => ({ $typeName: "k8s.io.api.core.v1.PortworxVolumeSource", volumeID: "", fsType: "", readOnly: false });
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

const newPreferredSchedulingTerm = (): PreferredSchedulingTerm => ({ $typeName: "k8s.io.api.core.v1.PreferredSchedulingTerm", weight: 0 });
function readPreferredSchedulingTerm(m: PreferredSchedulingTerm, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.weight = r.int32(); break;
      case 2: m.preference = readInto(m.preference ?? newNodeSelectorTerm(), readNodeSelectorTerm, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newProbe = (): Probe => ({ $typeName: "k8s.io.api.core.v1.Probe", initialDelaySeconds: 0, timeoutSeconds: 0, periodSeconds: 0, successThreshold: 0, failureThreshold: 0 });
function readProbe(m: Probe, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.handler = readInto(m.handler ?? newProbeHandler(), readProbeHandler, r, depth); break;
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

const newProbeHandler = (): ProbeHandler => ({ $typeName: "k8s.io.api.core.v1.ProbeHandler" });
function readProbeHandler(m: ProbeHandler, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.exec = readInto(m.exec ?? newExecAction(), readExecAction, r, depth); break;
      case 2: m.httpGet = readInto(m.httpGet ?? newHTTPGetAction(), readHTTPGetAction, r, depth); break;
      case 3: m.tcpSocket = readInto(m.tcpSocket ?? newTCPSocketAction(), readTCPSocketAction, r, depth); break;
      case 4: m.grpc = readInto(m.grpc ?? newGRPCAction(), readGRPCAction, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newProjectedVolumeSource = (): ProjectedVolumeSource => ({ $typeName: "k8s.io.api.core.v1.ProjectedVolumeSource", sources: [] });
function readProjectedVolumeSource(m: ProjectedVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.sources.push(readInto(newVolumeProjection(), readVolumeProjection, r, depth)); break;
      case 2: m.defaultMode = r.int32(); break;
      case 3: m.defaultUser = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newQuantity = (): Quantity => ({ $typeName: "k8s.io.apimachinery.pkg.api.resource.Quantity", string: "" });
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

const newQuobyteVolumeSource = (): QuobyteVolumeSource => ({ $typeName: "k8s.io.api.core.v1.QuobyteVolumeSource", registry: "", volume: "", readOnly: false, user: "", group: "", tenant: "" });
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

const newRBDVolumeSource = (): RBDVolumeSource => ({ $typeName: "k8s.io.api.core.v1.RBDVolumeSource", monitors: [], image: "", fsType: "", pool: "", user: "", keyring: "", readOnly: false });
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
      case 7: m.secretRef = readInto(m.secretRef ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 8: m.readOnly = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newResourceClaim = (): ResourceClaim => ({ $typeName: "k8s.io.api.core.v1.ResourceClaim", name: "", request: "" });
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

const newResourceFieldSelector = (): ResourceFieldSelector => ({ $typeName: "k8s.io.api.core.v1.ResourceFieldSelector", containerName: "", resource: "" });
function readResourceFieldSelector(m: ResourceFieldSelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.containerName = r.string(); break;
      case 2: m.resource = r.string(); break;
      case 3: m.divisor = readInto(m.divisor ?? newQuantity(), readQuantity, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newResourceHealth = (): ResourceHealth => ({ $typeName: "k8s.io.api.core.v1.ResourceHealth", resourceID: "", health: "" });
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

const newResourceRequirements = (): ResourceRequirements => ({ $typeName: "k8s.io.api.core.v1.ResourceRequirements", limits: {}, requests: {}, claims: [] });
function readResourceRequirements(m: ResourceRequirements, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: readMessageEntry(m.limits, r, depth, newQuantity, readQuantity); break;
      case 2: readMessageEntry(m.requests, r, depth, newQuantity, readQuantity); break;
      case 3: m.claims.push(readInto(newResourceClaim(), readResourceClaim, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newResourceStatus = (): ResourceStatus => ({ $typeName: "k8s.io.api.core.v1.ResourceStatus", name: "", resources: [] });
function readResourceStatus(m: ResourceStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.resources.push(readInto(newResourceHealth(), readResourceHealth, r, depth)); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newSELinuxOptions = (): SELinuxOptions => ({ $typeName: "k8s.io.api.core.v1.SELinuxOptions", user: "", role: "", type: "", level: "" });
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

const newScaleIOVolumeSource = (): ScaleIOVolumeSource => ({ $typeName: "k8s.io.api.core.v1.ScaleIOVolumeSource", gateway: "", system: "", sslEnabled: false, protectionDomain: "", storagePool: "", storageMode: "", volumeName: "", fsType: "", readOnly: false });
function readScaleIOVolumeSource(m: ScaleIOVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.gateway = r.string(); break;
      case 2: m.system = r.string(); break;
      case 3: m.secretRef = readInto(m.secretRef ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
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

const newSeccompProfile = (): SeccompProfile => ({ $typeName: "k8s.io.api.core.v1.SeccompProfile", type: "" });
function readSeccompProfile(m: SeccompProfile, r: WireReader, end: number, depth: number): void {
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

const newSecretEnvSource = (): SecretEnvSource => ({ $typeName: "k8s.io.api.core.v1.SecretEnvSource" });
function readSecretEnvSource(m: SecretEnvSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newSecretKeySelector = (): SecretKeySelector => ({ $typeName: "k8s.io.api.core.v1.SecretKeySelector", key: "" });
function readSecretKeySelector(m: SecretKeySelector, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.key = r.string(); break;
      case 3: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newSecretProjection = (): SecretProjection => ({ $typeName: "k8s.io.api.core.v1.SecretProjection", items: [] });
function readSecretProjection(m: SecretProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.localObjectReference = readInto(m.localObjectReference ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      case 2: m.items.push(readInto(newKeyToPath(), readKeyToPath, r, depth)); break;
      case 4: m.optional = r.bool(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newSecretVolumeSource = (): SecretVolumeSource => ({ $typeName: "k8s.io.api.core.v1.SecretVolumeSource", secretName: "", items: [] });
function readSecretVolumeSource(m: SecretVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.secretName = r.string(); break;
      case 2: m.items.push(readInto(newKeyToPath(), readKeyToPath, r, depth)); break;
      case 3: m.defaultMode = r.int32(); break;
      case 4: m.optional = r.bool(); break;
      case 5: m.defaultUser = r.int64(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newSecurityContext = (): SecurityContext => ({ $typeName: "k8s.io.api.core.v1.SecurityContext" });
function readSecurityContext(m: SecurityContext, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.capabilities = readInto(m.capabilities ?? newCapabilities(), readCapabilities, r, depth); break;
      case 2: m.privileged = r.bool(); break;
      case 3: m.seLinuxOptions = readInto(m.seLinuxOptions ?? newSELinuxOptions(), readSELinuxOptions, r, depth); break;
      case 10: m.windowsOptions = readInto(m.windowsOptions ?? newWindowsSecurityContextOptions(), readWindowsSecurityContextOptions, r, depth); break;
      case 4: m.runAsUser = r.int64(); break;
      case 8: m.runAsGroup = r.int64(); break;
      case 5: m.runAsNonRoot = r.bool(); break;
      case 6: m.readOnlyRootFilesystem = r.bool(); break;
      case 7: m.allowPrivilegeEscalation = r.bool(); break;
      case 9: m.procMount = r.string(); break;
      case 11: m.seccompProfile = readInto(m.seccompProfile ?? newSeccompProfile(), readSeccompProfile, r, depth); break;
      case 12: m.appArmorProfile = readInto(m.appArmorProfile ?? newAppArmorProfile(), readAppArmorProfile, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newServiceAccountTokenProjection = (): ServiceAccountTokenProjection => ({ $typeName: "k8s.io.api.core.v1.ServiceAccountTokenProjection", audience: "", path: "" });
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

const newSleepAction = (): SleepAction => ({ $typeName: "k8s.io.api.core.v1.SleepAction", seconds: 0n });
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

const newStorageOSVolumeSource = (): StorageOSVolumeSource => ({ $typeName: "k8s.io.api.core.v1.StorageOSVolumeSource", volumeName: "", volumeNamespace: "", fsType: "", readOnly: false });
function readStorageOSVolumeSource(m: StorageOSVolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.volumeName = r.string(); break;
      case 2: m.volumeNamespace = r.string(); break;
      case 3: m.fsType = r.string(); break;
      case 4: m.readOnly = r.bool(); break;
      case 5: m.secretRef = readInto(m.secretRef ?? newLocalObjectReference(), readLocalObjectReference, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newSysctl = (): Sysctl => ({ $typeName: "k8s.io.api.core.v1.Sysctl", name: "", value: "" });
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

const newTCPSocketAction = (): TCPSocketAction => ({ $typeName: "k8s.io.api.core.v1.TCPSocketAction", host: "" });
function readTCPSocketAction(m: TCPSocketAction, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.port = readInto(m.port ?? newIntOrString(), readIntOrString, r, depth); break;
      case 2: m.host = r.string(); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newTime = (): Time => ({ $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.Time" });
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

const newToleration = (): Toleration => ({ $typeName: "k8s.io.api.core.v1.Toleration", key: "", operator: "", value: "", effect: "" });
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

const newTopologySpreadConstraint = (): TopologySpreadConstraint => ({ $typeName: "k8s.io.api.core.v1.TopologySpreadConstraint", maxSkew: 0, topologyKey: "", whenUnsatisfiable: "", matchLabelKeys: [] });
function readTopologySpreadConstraint(m: TopologySpreadConstraint, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.maxSkew = r.int32(); break;
      case 2: m.topologyKey = r.string(); break;
      case 3: m.whenUnsatisfiable = r.string(); break;
      case 4: m.labelSelector = readInto(m.labelSelector ?? newLabelSelector(), readLabelSelector, r, depth); break;
      case 5: m.minDomains = r.int32(); break;
      case 6: m.nodeAffinityPolicy = r.string(); break;
      case 7: m.nodeTaintsPolicy = r.string(); break;
      case 8: m.matchLabelKeys.push(r.string()); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newTypedLocalObjectReference = (): TypedLocalObjectReference => ({ $typeName: "k8s.io.api.core.v1.TypedLocalObjectReference", kind: "", name: "" });
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

const newTypedObjectReference = (): TypedObjectReference => ({ $typeName: "k8s.io.api.core.v1.TypedObjectReference", kind: "", name: "" });
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

const newVolume = (): Volume => ({ $typeName: "k8s.io.api.core.v1.Volume", name: "" });
function readVolume(m: Volume, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.volumeSource = readInto(m.volumeSource ?? newVolumeSource(), readVolumeSource, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newVolumeDevice = (): VolumeDevice => ({ $typeName: "k8s.io.api.core.v1.VolumeDevice", name: "", devicePath: "" });
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

const newVolumeHealthCondition = (): VolumeHealthCondition => ({ $typeName: "k8s.io.api.core.v1.VolumeHealthCondition", status: "", reason: "", message: "" });
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

const newVolumeMount = (): VolumeMount => ({ $typeName: "k8s.io.api.core.v1.VolumeMount", name: "", readOnly: false, mountPath: "", subPath: "", subPathExpr: "", bindMountOptions: [] });
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

const newVolumeMountStatus = (): VolumeMountStatus => ({ $typeName: "k8s.io.api.core.v1.VolumeMountStatus", name: "", mountPath: "", readOnly: false });
function readVolumeMountStatus(m: VolumeMountStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.name = r.string(); break;
      case 2: m.mountPath = r.string(); break;
      case 3: m.readOnly = r.bool(); break;
      case 4: m.recursiveReadOnly = r.string(); break;
      case 5: m.volumeStatus = readInto(m.volumeStatus ?? newVolumeStatus(), readVolumeStatus, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newVolumeProjection = (): VolumeProjection => ({ $typeName: "k8s.io.api.core.v1.VolumeProjection" });
function readVolumeProjection(m: VolumeProjection, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.secret = readInto(m.secret ?? newSecretProjection(), readSecretProjection, r, depth); break;
      case 2: m.downwardAPI = readInto(m.downwardAPI ?? newDownwardAPIProjection(), readDownwardAPIProjection, r, depth); break;
      case 3: m.configMap = readInto(m.configMap ?? newConfigMapProjection(), readConfigMapProjection, r, depth); break;
      case 4: m.serviceAccountToken = readInto(m.serviceAccountToken ?? newServiceAccountTokenProjection(), readServiceAccountTokenProjection, r, depth); break;
      case 5: m.clusterTrustBundle = readInto(m.clusterTrustBundle ?? newClusterTrustBundleProjection(), readClusterTrustBundleProjection, r, depth); break;
      case 6: m.podCertificate = readInto(m.podCertificate ?? newPodCertificateProjection(), readPodCertificateProjection, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newVolumeResourceRequirements = (): VolumeResourceRequirements => ({ $typeName: "k8s.io.api.core.v1.VolumeResourceRequirements", limits: {}, requests: {} });
function readVolumeResourceRequirements(m: VolumeResourceRequirements, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: readMessageEntry(m.limits, r, depth, newQuantity, readQuantity); break;
      case 2: readMessageEntry(m.requests, r, depth, newQuantity, readQuantity); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newVolumeSource = (): VolumeSource => ({ $typeName: "k8s.io.api.core.v1.VolumeSource" });
function readVolumeSource(m: VolumeSource, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.hostPath = readInto(m.hostPath ?? newHostPathVolumeSource(), readHostPathVolumeSource, r, depth); break;
      case 2: m.emptyDir = readInto(m.emptyDir ?? newEmptyDirVolumeSource(), readEmptyDirVolumeSource, r, depth); break;
      case 3: m.gcePersistentDisk = readInto(m.gcePersistentDisk ?? newGCEPersistentDiskVolumeSource(), readGCEPersistentDiskVolumeSource, r, depth); break;
      case 4: m.awsElasticBlockStore = readInto(m.awsElasticBlockStore ?? newAWSElasticBlockStoreVolumeSource(), readAWSElasticBlockStoreVolumeSource, r, depth); break;
      case 5: m.gitRepo = readInto(m.gitRepo ?? newGitRepoVolumeSource(), readGitRepoVolumeSource, r, depth); break;
      case 6: m.secret = readInto(m.secret ?? newSecretVolumeSource(), readSecretVolumeSource, r, depth); break;
      case 7: m.nfs = readInto(m.nfs ?? newNFSVolumeSource(), readNFSVolumeSource, r, depth); break;
      case 8: m.iscsi = readInto(m.iscsi ?? newISCSIVolumeSource(), readISCSIVolumeSource, r, depth); break;
      case 9: m.glusterfs = readInto(m.glusterfs ?? newGlusterfsVolumeSource(), readGlusterfsVolumeSource, r, depth); break;
      case 10: m.persistentVolumeClaim = readInto(m.persistentVolumeClaim ?? newPersistentVolumeClaimVolumeSource(), readPersistentVolumeClaimVolumeSource, r, depth); break;
      case 11: m.rbd = readInto(m.rbd ?? newRBDVolumeSource(), readRBDVolumeSource, r, depth); break;
      case 12: m.flexVolume = readInto(m.flexVolume ?? newFlexVolumeSource(), readFlexVolumeSource, r, depth); break;
      case 13: m.cinder = readInto(m.cinder ?? newCinderVolumeSource(), readCinderVolumeSource, r, depth); break;
      case 14: m.cephfs = readInto(m.cephfs ?? newCephFSVolumeSource(), readCephFSVolumeSource, r, depth); break;
      case 15: m.flocker = readInto(m.flocker ?? newFlockerVolumeSource(), readFlockerVolumeSource, r, depth); break;
      case 16: m.downwardAPI = readInto(m.downwardAPI ?? newDownwardAPIVolumeSource(), readDownwardAPIVolumeSource, r, depth); break;
      case 17: m.fc = readInto(m.fc ?? newFCVolumeSource(), readFCVolumeSource, r, depth); break;
      case 18: m.azureFile = readInto(m.azureFile ?? newAzureFileVolumeSource(), readAzureFileVolumeSource, r, depth); break;
      case 19: m.configMap = readInto(m.configMap ?? newConfigMapVolumeSource(), readConfigMapVolumeSource, r, depth); break;
      case 20: m.vsphereVolume = readInto(m.vsphereVolume ?? newVsphereVirtualDiskVolumeSource(), readVsphereVirtualDiskVolumeSource, r, depth); break;
      case 21: m.quobyte = readInto(m.quobyte ?? newQuobyteVolumeSource(), readQuobyteVolumeSource, r, depth); break;
      case 22: m.azureDisk = readInto(m.azureDisk ?? newAzureDiskVolumeSource(), readAzureDiskVolumeSource, r, depth); break;
      case 23: m.photonPersistentDisk = readInto(m.photonPersistentDisk ?? newPhotonPersistentDiskVolumeSource(), readPhotonPersistentDiskVolumeSource, r, depth); break;
      case 26: m.projected = readInto(m.projected ?? newProjectedVolumeSource(), readProjectedVolumeSource, r, depth); break;
      case 24: m.portworxVolume = readInto(m.portworxVolume ?? newPortworxVolumeSource(), readPortworxVolumeSource, r, depth); break;
      case 25: m.scaleIO = readInto(m.scaleIO ?? newScaleIOVolumeSource(), readScaleIOVolumeSource, r, depth); break;
      case 27: m.storageos = readInto(m.storageos ?? newStorageOSVolumeSource(), readStorageOSVolumeSource, r, depth); break;
      case 28: m.csi = readInto(m.csi ?? newCSIVolumeSource(), readCSIVolumeSource, r, depth); break;
      case 29: m.ephemeral = readInto(m.ephemeral ?? newEphemeralVolumeSource(), readEphemeralVolumeSource, r, depth); break;
      case 30: m.image = readInto(m.image ?? newImageVolumeSource(), readImageVolumeSource, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newVolumeStatus = (): VolumeStatus => ({ $typeName: "k8s.io.api.core.v1.VolumeStatus" });
function readVolumeStatus(m: VolumeStatus, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.image = readInto(m.image ?? newImageVolumeStatus(), readImageVolumeStatus, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newVsphereVirtualDiskVolumeSource = (): VsphereVirtualDiskVolumeSource => ({ $typeName: "k8s.io.api.core.v1.VsphereVirtualDiskVolumeSource", volumePath: "", fsType: "", storagePolicyName: "", storagePolicyID: "" });
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

const newWeightedPodAffinityTerm = (): WeightedPodAffinityTerm => ({ $typeName: "k8s.io.api.core.v1.WeightedPodAffinityTerm", weight: 0 });
function readWeightedPodAffinityTerm(m: WeightedPodAffinityTerm, r: WireReader, end: number, depth: number): void {
  if (depth <= 0) throw tooDeep();
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag >>> 3) {
      case 1: m.weight = r.int32(); break;
      case 2: m.podAffinityTerm = readInto(m.podAffinityTerm ?? newPodAffinityTerm(), readPodAffinityTerm, r, depth); break;
      default: readUnknown(m, r, tag, depth);
    }
  }
}

const newWindowsSecurityContextOptions = (): WindowsSecurityContextOptions => ({ $typeName: "k8s.io.api.core.v1.WindowsSecurityContextOptions" });
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
 * The messages of the Pod schema: what makes an empty one, as protobuf-es makes it, what reads one, and its fields. Of each field
 * its number, name and type (`[]`: a list, `{}`: a map with text keys), and letters: `p` absent and empty differ, `a` Go writes
 * it into JSON even where it is empty, `v` Go holds it by value, so that there is always one, `i` JSON has its keys in the message
 * that holds it.
 */
export const POD_MESSAGES: Readonly<Record<string, readonly [make: () => object, read: Read, fields: string]>> = {
  AWSElasticBlockStoreVolumeSource: [newAWSElasticBlockStoreVolumeSource, readAWSElasticBlockStoreVolumeSource as Read, "1 volumeID string a;2 fsType string;3 partition int32;4 readOnly bool"],
  Affinity: [newAffinity, readAffinity as Read, "1 nodeAffinity NodeAffinity;2 podAffinity PodAffinity;3 podAntiAffinity PodAntiAffinity"],
  AppArmorProfile: [newAppArmorProfile, readAppArmorProfile as Read, "1 type string a;2 localhostProfile string p"],
  AzureDiskVolumeSource: [newAzureDiskVolumeSource, readAzureDiskVolumeSource as Read, "1 diskName string a;2 diskURI string a;3 cachingMode string p;4 fsType string p;5 readOnly bool p;6 kind string p"],
  AzureFileVolumeSource: [newAzureFileVolumeSource, readAzureFileVolumeSource as Read, "1 secretName string a;2 shareName string a;3 readOnly bool"],
  CSIVolumeSource: [newCSIVolumeSource, readCSIVolumeSource as Read, "1 driver string a;2 readOnly bool p;3 fsType string p;4 volumeAttributes string{};5 nodePublishSecretRef LocalObjectReference"],
  Capabilities: [newCapabilities, readCapabilities as Read, "1 add string[];2 drop string[]"],
  CephFSVolumeSource: [newCephFSVolumeSource, readCephFSVolumeSource as Read, "1 monitors string[] a;2 path string;3 user string;4 secretFile string;5 secretRef LocalObjectReference;6 readOnly bool"],
  CinderVolumeSource: [newCinderVolumeSource, readCinderVolumeSource as Read, "1 volumeID string a;2 fsType string;3 readOnly bool;4 secretRef LocalObjectReference"],
  ClusterTrustBundleProjection: [newClusterTrustBundleProjection, readClusterTrustBundleProjection as Read, "1 name string p;2 signerName string p;3 labelSelector LabelSelector;5 optional bool p;4 path string a;6 user int64 p"],
  ConfigMapEnvSource: [newConfigMapEnvSource, readConfigMapEnvSource as Read, "1 localObjectReference LocalObjectReference i;2 optional bool p"],
  ConfigMapKeySelector: [newConfigMapKeySelector, readConfigMapKeySelector as Read, "1 localObjectReference LocalObjectReference i;2 key string a;3 optional bool p"],
  ConfigMapProjection: [newConfigMapProjection, readConfigMapProjection as Read, "1 localObjectReference LocalObjectReference i;2 items KeyToPath[];4 optional bool p"],
  ConfigMapVolumeSource: [newConfigMapVolumeSource, readConfigMapVolumeSource as Read, "1 localObjectReference LocalObjectReference i;2 items KeyToPath[];3 defaultMode int32 p;4 optional bool p;5 defaultUser int64 p"],
  Container: [newContainer, readContainer as Read, "1 name string a;2 image string;3 command string[];4 args string[];5 workingDir string;6 ports ContainerPort[];19 envFrom EnvFromSource[];7 env EnvVar[];8 resources ResourceRequirements av;23 resizePolicy ContainerResizePolicy[];24 restartPolicy string p;25 restartPolicyRules ContainerRestartRule[];9 volumeMounts VolumeMount[];21 volumeDevices VolumeDevice[];10 livenessProbe Probe;11 readinessProbe Probe;22 startupProbe Probe;12 lifecycle Lifecycle;13 terminationMessagePath string;20 terminationMessagePolicy string;14 imagePullPolicy string;15 securityContext SecurityContext;16 stdin bool;17 stdinOnce bool;18 tty bool"],
  ContainerExtendedResourceRequest: [newContainerExtendedResourceRequest, readContainerExtendedResourceRequest as Read, "1 containerName string a;2 resourceName string a;3 requestName string a"],
  ContainerPort: [newContainerPort, readContainerPort as Read, "1 name string;2 hostPort int32;3 containerPort int32 a;4 protocol string;5 hostIP string"],
  ContainerResizePolicy: [newContainerResizePolicy, readContainerResizePolicy as Read, "1 resourceName string a;2 restartPolicy string a"],
  ContainerRestartRule: [newContainerRestartRule, readContainerRestartRule as Read, "1 action string;2 exitCodes ContainerRestartRuleOnExitCodes"],
  ContainerRestartRuleOnExitCodes: [newContainerRestartRuleOnExitCodes, readContainerRestartRuleOnExitCodes as Read, "1 operator string;2 values int32[]"],
  ContainerState: [newContainerState, readContainerState as Read, "1 waiting ContainerStateWaiting;2 running ContainerStateRunning;3 terminated ContainerStateTerminated"],
  ContainerStateRunning: [newContainerStateRunning, readContainerStateRunning as Read, "1 startedAt Time av"],
  ContainerStateTerminated: [newContainerStateTerminated, readContainerStateTerminated as Read, "1 exitCode int32 a;2 signal int32;3 reason string;4 message string;5 startedAt Time av;6 finishedAt Time av;7 containerID string"],
  ContainerStateWaiting: [newContainerStateWaiting, readContainerStateWaiting as Read, "1 reason string;2 message string"],
  ContainerStatus: [newContainerStatus, readContainerStatus as Read, "1 name string a;2 state ContainerState av;3 lastState ContainerState av;4 ready bool a;5 restartCount int32 a;6 image string a;7 imageID string a;8 containerID string;9 started bool p;10 allocatedResources Quantity{};11 resources ResourceRequirements;12 volumeMounts VolumeMountStatus[];13 user ContainerUser;14 allocatedResourcesStatus ResourceStatus[];15 stopSignal string p"],
  ContainerUser: [newContainerUser, readContainerUser as Read, "1 linux LinuxContainerUser"],
  DownwardAPIProjection: [newDownwardAPIProjection, readDownwardAPIProjection as Read, "1 items DownwardAPIVolumeFile[]"],
  DownwardAPIVolumeFile: [newDownwardAPIVolumeFile, readDownwardAPIVolumeFile as Read, "1 path string a;2 fieldRef ObjectFieldSelector;3 resourceFieldRef ResourceFieldSelector;4 mode int32 p;5 user int64 p"],
  DownwardAPIVolumeSource: [newDownwardAPIVolumeSource, readDownwardAPIVolumeSource as Read, "1 items DownwardAPIVolumeFile[];2 defaultMode int32 p;3 defaultUser int64 p"],
  EmptyDirVolumeSource: [newEmptyDirVolumeSource, readEmptyDirVolumeSource as Read, "1 medium string;2 sizeLimit Quantity;3 mode int32 p"],
  EnvFromSource: [newEnvFromSource, readEnvFromSource as Read, "1 prefix string;2 configMapRef ConfigMapEnvSource;3 secretRef SecretEnvSource"],
  EnvVar: [newEnvVar, readEnvVar as Read, "1 name string a;2 value string;3 valueFrom EnvVarSource"],
  EnvVarSource: [newEnvVarSource, readEnvVarSource as Read, "1 fieldRef ObjectFieldSelector;2 resourceFieldRef ResourceFieldSelector;3 configMapKeyRef ConfigMapKeySelector;4 secretKeyRef SecretKeySelector;5 fileKeyRef FileKeySelector"],
  EphemeralContainer: [newEphemeralContainer, readEphemeralContainer as Read, "1 ephemeralContainerCommon EphemeralContainerCommon i;2 targetContainerName string"],
  EphemeralContainerCommon: [newEphemeralContainerCommon, readEphemeralContainerCommon as Read, "1 name string a;2 image string;3 command string[];4 args string[];5 workingDir string;6 ports ContainerPort[];19 envFrom EnvFromSource[];7 env EnvVar[];8 resources ResourceRequirements av;23 resizePolicy ContainerResizePolicy[];24 restartPolicy string p;25 restartPolicyRules ContainerRestartRule[];9 volumeMounts VolumeMount[];21 volumeDevices VolumeDevice[];10 livenessProbe Probe;11 readinessProbe Probe;22 startupProbe Probe;12 lifecycle Lifecycle;13 terminationMessagePath string;20 terminationMessagePolicy string;14 imagePullPolicy string;15 securityContext SecurityContext;16 stdin bool;17 stdinOnce bool;18 tty bool"],
  EphemeralVolumeSource: [newEphemeralVolumeSource, readEphemeralVolumeSource as Read, "1 volumeClaimTemplate PersistentVolumeClaimTemplate"],
  EvictionResponder: [newEvictionResponder, readEvictionResponder as Read, "1 name string a;2 priority int32 pa"],
  ExecAction: [newExecAction, readExecAction as Read, "1 command string[]"],
  FCVolumeSource: [newFCVolumeSource, readFCVolumeSource as Read, "1 targetWWNs string[];2 lun int32 p;3 fsType string;4 readOnly bool;5 wwids string[]"],
  FieldsV1: [newFieldsV1, readFieldsV1 as Read, "1 Raw bytes"],
  FileKeySelector: [newFileKeySelector, readFileKeySelector as Read, "1 volumeName string a;2 path string a;3 key string a;4 optional bool p"],
  FlexVolumeSource: [newFlexVolumeSource, readFlexVolumeSource as Read, "1 driver string a;2 fsType string;3 secretRef LocalObjectReference;4 readOnly bool;5 options string{}"],
  FlockerVolumeSource: [newFlockerVolumeSource, readFlockerVolumeSource as Read, "1 datasetName string;2 datasetUUID string"],
  GCEPersistentDiskVolumeSource: [newGCEPersistentDiskVolumeSource, readGCEPersistentDiskVolumeSource as Read, "1 pdName string a;2 fsType string;3 partition int32;4 readOnly bool"],
  GRPCAction: [newGRPCAction, readGRPCAction as Read, "1 port int32 a;2 service string pa;3 mode string p"],
  GitRepoVolumeSource: [newGitRepoVolumeSource, readGitRepoVolumeSource as Read, "1 repository string a;2 revision string;3 directory string"],
  GlusterfsVolumeSource: [newGlusterfsVolumeSource, readGlusterfsVolumeSource as Read, "1 endpoints string a;2 path string a;3 readOnly bool"],
  HTTPGetAction: [newHTTPGetAction, readHTTPGetAction as Read, "1 path string;2 port IntOrString av;3 host string;4 scheme string;5 httpHeaders HTTPHeader[];6 protocol string p"],
  HTTPHeader: [newHTTPHeader, readHTTPHeader as Read, "1 name string a;2 value string a"],
  HostAlias: [newHostAlias, readHostAlias as Read, "1 ip string a;2 hostnames string[]"],
  HostIP: [newHostIP, readHostIP as Read, "1 ip string a"],
  HostPathVolumeSource: [newHostPathVolumeSource, readHostPathVolumeSource as Read, "1 path string a;2 type string p"],
  ISCSIVolumeSource: [newISCSIVolumeSource, readISCSIVolumeSource as Read, "1 targetPortal string a;2 iqn string a;3 lun int32 a;4 iscsiInterface string;5 fsType string;6 readOnly bool;7 portals string[];8 chapAuthDiscovery bool;11 chapAuthSession bool;10 secretRef LocalObjectReference;12 initiatorName string p"],
  ImageVolumeSource: [newImageVolumeSource, readImageVolumeSource as Read, "1 reference string;2 pullPolicy string"],
  ImageVolumeStatus: [newImageVolumeStatus, readImageVolumeStatus as Read, "1 imageRef string"],
  IntOrString: [newIntOrString, readIntOrString as Read, "1 type int64;2 intVal int32;3 strVal string"],
  KeyToPath: [newKeyToPath, readKeyToPath as Read, "1 key string a;2 path string a;3 mode int32 p;4 user int64 p"],
  LabelSelector: [newLabelSelector, readLabelSelector as Read, "1 matchLabels string{};2 matchExpressions LabelSelectorRequirement[]"],
  LabelSelectorRequirement: [newLabelSelectorRequirement, readLabelSelectorRequirement as Read, "1 key string a;2 operator string a;3 values string[]"],
  Lifecycle: [newLifecycle, readLifecycle as Read, "1 postStart LifecycleHandler;2 preStop LifecycleHandler;3 stopSignal string p"],
  LifecycleHandler: [newLifecycleHandler, readLifecycleHandler as Read, "1 exec ExecAction;2 httpGet HTTPGetAction;3 tcpSocket TCPSocketAction;4 sleep SleepAction"],
  LinuxContainerUser: [newLinuxContainerUser, readLinuxContainerUser as Read, "1 uid int64 a;2 gid int64 a;3 supplementalGroups int64[]"],
  LocalObjectReference: [newLocalObjectReference, readLocalObjectReference as Read, "1 name string"],
  ManagedFieldsEntry: [newManagedFieldsEntry, readManagedFieldsEntry as Read, "1 manager string;2 operation string;3 apiVersion string;4 time Time;6 fieldsType string;7 fieldsV1 FieldsV1;8 subresource string"],
  NFSVolumeSource: [newNFSVolumeSource, readNFSVolumeSource as Read, "1 server string a;2 path string a;3 readOnly bool"],
  NodeAffinity: [newNodeAffinity, readNodeAffinity as Read, "1 requiredDuringSchedulingIgnoredDuringExecution NodeSelector;2 preferredDuringSchedulingIgnoredDuringExecution PreferredSchedulingTerm[]"],
  NodeAllocatableMappedResources: [newNodeAllocatableMappedResources, readNodeAllocatableMappedResources as Read, "1 name string a;2 quantity Quantity a"],
  NodeAllocatableOverheadResources: [newNodeAllocatableOverheadResources, readNodeAllocatableOverheadResources as Read, "1 name string a;2 perPod Quantity;3 perContainer Quantity"],
  NodeAllocatableResourceClaimStatus: [newNodeAllocatableResourceClaimStatus, readNodeAllocatableResourceClaimStatus as Read, "1 resourceClaimName string a;2 containers string[];3 resources Quantity{};4 mapping NodeAllocatableMappedResources[];5 overhead NodeAllocatableOverheadResources[]"],
  NodeSelector: [newNodeSelector, readNodeSelector as Read, "1 nodeSelectorTerms NodeSelectorTerm[] a"],
  NodeSelectorRequirement: [newNodeSelectorRequirement, readNodeSelectorRequirement as Read, "1 key string a;2 operator string a;3 values string[]"],
  NodeSelectorTerm: [newNodeSelectorTerm, readNodeSelectorTerm as Read, "1 matchExpressions NodeSelectorRequirement[];2 matchFields NodeSelectorRequirement[]"],
  ObjectFieldSelector: [newObjectFieldSelector, readObjectFieldSelector as Read, "1 apiVersion string;2 fieldPath string a"],
  ObjectMeta: [newObjectMeta, readObjectMeta as Read, "1 name string;2 generateName string;3 namespace string;4 selfLink string;5 uid string;6 resourceVersion string;7 generation int64;8 creationTimestamp Time v;9 deletionTimestamp Time;10 deletionGracePeriodSeconds int64 p;11 labels string{};12 annotations string{};13 ownerReferences OwnerReference[];14 finalizers string[];17 managedFields ManagedFieldsEntry[]"],
  OwnerReference: [newOwnerReference, readOwnerReference as Read, "5 apiVersion string a;1 kind string a;3 name string a;4 uid string a;6 controller bool p;7 blockOwnerDeletion bool p"],
  PersistentVolumeClaimSpec: [newPersistentVolumeClaimSpec, readPersistentVolumeClaimSpec as Read, "1 accessModes string[];4 selector LabelSelector;2 resources VolumeResourceRequirements av;3 volumeName string;5 storageClassName string p;6 volumeMode string p;7 dataSource TypedLocalObjectReference;8 dataSourceRef TypedObjectReference;9 volumeAttributesClassName string p"],
  PersistentVolumeClaimTemplate: [newPersistentVolumeClaimTemplate, readPersistentVolumeClaimTemplate as Read, "1 metadata ObjectMeta av;2 spec PersistentVolumeClaimSpec av"],
  PersistentVolumeClaimVolumeSource: [newPersistentVolumeClaimVolumeSource, readPersistentVolumeClaimVolumeSource as Read, "1 claimName string a;2 readOnly bool"],
  PhotonPersistentDiskVolumeSource: [newPhotonPersistentDiskVolumeSource, readPhotonPersistentDiskVolumeSource as Read, "1 pdID string a;2 fsType string"],
  Pod: [newPod, readPod as Read, "1 metadata ObjectMeta av;2 spec PodSpec av;3 status PodStatus av"],
  PodAffinity: [newPodAffinity, readPodAffinity as Read, "1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[];2 preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[]"],
  PodAffinityTerm: [newPodAffinityTerm, readPodAffinityTerm as Read, "1 labelSelector LabelSelector;2 namespaces string[];3 topologyKey string a;4 namespaceSelector LabelSelector;5 matchLabelKeys string[];6 mismatchLabelKeys string[]"],
  PodAntiAffinity: [newPodAntiAffinity, readPodAntiAffinity as Read, "1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[];2 preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[]"],
  PodCertificateProjection: [newPodCertificateProjection, readPodCertificateProjection as Read, "1 signerName string;2 keyType string;3 maxExpirationSeconds int32 p;4 credentialBundlePath string;5 keyPath string;6 certificateChainPath string;7 userAnnotations string{};8 user int64 p"],
  PodCondition: [newPodCondition, readPodCondition as Read, "1 type string a;7 observedGeneration int64;2 status string a;3 lastProbeTime Time av;4 lastTransitionTime Time av;5 reason string;6 message string"],
  PodDNSConfig: [newPodDNSConfig, readPodDNSConfig as Read, "1 nameservers string[];2 searches string[];3 options PodDNSConfigOption[]"],
  PodDNSConfigOption: [newPodDNSConfigOption, readPodDNSConfigOption as Read, "1 name string;2 value string p"],
  PodExtendedResourceClaimStatus: [newPodExtendedResourceClaimStatus, readPodExtendedResourceClaimStatus as Read, "1 requestMappings ContainerExtendedResourceRequest[] a;2 resourceClaimName string a"],
  PodIP: [newPodIP, readPodIP as Read, "1 ip string a"],
  PodOS: [newPodOS, readPodOS as Read, "1 name string a"],
  PodReadinessGate: [newPodReadinessGate, readPodReadinessGate as Read, "1 conditionType string a"],
  PodResourceClaim: [newPodResourceClaim, readPodResourceClaim as Read, "1 name string a;3 resourceClaimName string p;4 resourceClaimTemplateName string p"],
  PodResourceClaimStatus: [newPodResourceClaimStatus, readPodResourceClaimStatus as Read, "1 name string a;2 resourceClaimName string p"],
  PodSchedulingGate: [newPodSchedulingGate, readPodSchedulingGate as Read, "1 name string a"],
  PodSchedulingGroup: [newPodSchedulingGroup, readPodSchedulingGroup as Read, "1 podGroupName string p"],
  PodSecurityContext: [newPodSecurityContext, readPodSecurityContext as Read, "1 seLinuxOptions SELinuxOptions;8 windowsOptions WindowsSecurityContextOptions;2 runAsUser int64 p;6 runAsGroup int64 p;3 runAsNonRoot bool p;4 supplementalGroups int64[];12 supplementalGroupsPolicy string p;5 fsGroup int64 p;7 sysctls Sysctl[];9 fsGroupChangePolicy string p;10 seccompProfile SeccompProfile;11 appArmorProfile AppArmorProfile;13 seLinuxChangePolicy string p"],
  PodSpec: [newPodSpec, readPodSpec as Read, "1 volumes Volume[];20 initContainers Container[];2 containers Container[] a;34 ephemeralContainers EphemeralContainer[];3 restartPolicy string;4 terminationGracePeriodSeconds int64 p;5 activeDeadlineSeconds int64 p;6 dnsPolicy string;7 nodeSelector string{};8 serviceAccountName string;9 serviceAccount string;21 automountServiceAccountToken bool p;10 nodeName string;11 hostNetwork bool;12 hostPID bool;13 hostIPC bool;27 shareProcessNamespace bool p;14 securityContext PodSecurityContext;15 imagePullSecrets LocalObjectReference[];16 hostname string;17 subdomain string;18 affinity Affinity;19 schedulerName string;22 tolerations Toleration[];23 hostAliases HostAlias[];24 priorityClassName string;25 priority int32 p;26 dnsConfig PodDNSConfig;28 readinessGates PodReadinessGate[];29 runtimeClassName string p;30 enableServiceLinks bool p;31 preemptionPolicy string p;32 overhead Quantity{};33 topologySpreadConstraints TopologySpreadConstraint[];35 setHostnameAsFQDN bool p;36 os PodOS;37 hostUsers bool p;38 schedulingGates PodSchedulingGate[];39 resourceClaims PodResourceClaim[];40 resources ResourceRequirements;41 hostnameOverride string p;43 schedulingGroup PodSchedulingGroup;44 evictionResponders EvictionResponder[]"],
  PodStatus: [newPodStatus, readPodStatus as Read, "17 observedGeneration int64;1 phase string;2 conditions PodCondition[];3 message string;4 reason string;11 nominatedNodeName string;5 hostIP string;16 hostIPs HostIP[];6 podIP string;12 podIPs PodIP[];7 startTime Time;10 initContainerStatuses ContainerStatus[];8 containerStatuses ContainerStatus[];9 qosClass string;13 ephemeralContainerStatuses ContainerStatus[];14 resize string;15 resourceClaimStatuses PodResourceClaimStatus[];18 extendedResourceClaimStatus PodExtendedResourceClaimStatus;19 allocatedResources Quantity{};20 resources ResourceRequirements;21 nodeAllocatableResourceClaimStatuses NodeAllocatableResourceClaimStatus[];22 volumeHealth PodVolumeHealth[]"],
  PodVolumeHealth: [newPodVolumeHealth, readPodVolumeHealth as Read, "1 name string a;2 healthConditions VolumeHealthCondition[];3 lastTransitionTime Time av"],
  PortworxVolumeSource: [newPortworxVolumeSource, readPortworxVolumeSource as Read, "1 volumeID string a;2 fsType string;3 readOnly bool"],
  PreferredSchedulingTerm: [newPreferredSchedulingTerm, readPreferredSchedulingTerm as Read, "1 weight int32 a;2 preference NodeSelectorTerm av"],
  Probe: [newProbe, readProbe as Read, "1 handler ProbeHandler i;2 initialDelaySeconds int32;3 timeoutSeconds int32;4 periodSeconds int32;5 successThreshold int32;6 failureThreshold int32;7 terminationGracePeriodSeconds int64 p"],
  ProbeHandler: [newProbeHandler, readProbeHandler as Read, "1 exec ExecAction;2 httpGet HTTPGetAction;3 tcpSocket TCPSocketAction;4 grpc GRPCAction"],
  ProjectedVolumeSource: [newProjectedVolumeSource, readProjectedVolumeSource as Read, "1 sources VolumeProjection[] a;2 defaultMode int32 p;3 defaultUser int64 p"],
  Quantity: [newQuantity, readQuantity as Read, "1 string string"],
  QuobyteVolumeSource: [newQuobyteVolumeSource, readQuobyteVolumeSource as Read, "1 registry string a;2 volume string a;3 readOnly bool;4 user string;5 group string;6 tenant string"],
  RBDVolumeSource: [newRBDVolumeSource, readRBDVolumeSource as Read, "1 monitors string[] a;2 image string a;3 fsType string;4 pool string;5 user string;6 keyring string;7 secretRef LocalObjectReference;8 readOnly bool"],
  ResourceClaim: [newResourceClaim, readResourceClaim as Read, "1 name string a;2 request string"],
  ResourceFieldSelector: [newResourceFieldSelector, readResourceFieldSelector as Read, "1 containerName string;2 resource string a;3 divisor Quantity av"],
  ResourceHealth: [newResourceHealth, readResourceHealth as Read, "1 resourceID string a;2 health string;6 message string p"],
  ResourceRequirements: [newResourceRequirements, readResourceRequirements as Read, "1 limits Quantity{};2 requests Quantity{};3 claims ResourceClaim[]"],
  ResourceStatus: [newResourceStatus, readResourceStatus as Read, "1 name string a;2 resources ResourceHealth[]"],
  SELinuxOptions: [newSELinuxOptions, readSELinuxOptions as Read, "1 user string;2 role string;3 type string;4 level string"],
  ScaleIOVolumeSource: [newScaleIOVolumeSource, readScaleIOVolumeSource as Read, "1 gateway string a;2 system string a;3 secretRef LocalObjectReference a;4 sslEnabled bool;5 protectionDomain string;6 storagePool string;7 storageMode string;8 volumeName string;9 fsType string;10 readOnly bool"],
  SeccompProfile: [newSeccompProfile, readSeccompProfile as Read, "1 type string a;2 localhostProfile string p"],
  SecretEnvSource: [newSecretEnvSource, readSecretEnvSource as Read, "1 localObjectReference LocalObjectReference i;2 optional bool p"],
  SecretKeySelector: [newSecretKeySelector, readSecretKeySelector as Read, "1 localObjectReference LocalObjectReference i;2 key string a;3 optional bool p"],
  SecretProjection: [newSecretProjection, readSecretProjection as Read, "1 localObjectReference LocalObjectReference i;2 items KeyToPath[];4 optional bool p"],
  SecretVolumeSource: [newSecretVolumeSource, readSecretVolumeSource as Read, "1 secretName string;2 items KeyToPath[];3 defaultMode int32 p;4 optional bool p;5 defaultUser int64 p"],
  SecurityContext: [newSecurityContext, readSecurityContext as Read, "1 capabilities Capabilities;2 privileged bool p;3 seLinuxOptions SELinuxOptions;10 windowsOptions WindowsSecurityContextOptions;4 runAsUser int64 p;8 runAsGroup int64 p;5 runAsNonRoot bool p;6 readOnlyRootFilesystem bool p;7 allowPrivilegeEscalation bool p;9 procMount string p;11 seccompProfile SeccompProfile;12 appArmorProfile AppArmorProfile"],
  ServiceAccountTokenProjection: [newServiceAccountTokenProjection, readServiceAccountTokenProjection as Read, "1 audience string;2 expirationSeconds int64 p;3 path string a;4 user int64 p"],
  SleepAction: [newSleepAction, readSleepAction as Read, "1 seconds int64 a"],
  StorageOSVolumeSource: [newStorageOSVolumeSource, readStorageOSVolumeSource as Read, "1 volumeName string;2 volumeNamespace string;3 fsType string;4 readOnly bool;5 secretRef LocalObjectReference"],
  Sysctl: [newSysctl, readSysctl as Read, "1 name string a;2 value string a"],
  TCPSocketAction: [newTCPSocketAction, readTCPSocketAction as Read, "1 port IntOrString av;2 host string"],
  Time: [newTime, readTime as Read, "1 seconds int64 p;2 nanos int32 p"],
  Toleration: [newToleration, readToleration as Read, "1 key string;2 operator string;3 value string;4 effect string;5 tolerationSeconds int64 p"],
  TopologySpreadConstraint: [newTopologySpreadConstraint, readTopologySpreadConstraint as Read, "1 maxSkew int32 a;2 topologyKey string a;3 whenUnsatisfiable string a;4 labelSelector LabelSelector;5 minDomains int32 p;6 nodeAffinityPolicy string p;7 nodeTaintsPolicy string p;8 matchLabelKeys string[]"],
  TypedLocalObjectReference: [newTypedLocalObjectReference, readTypedLocalObjectReference as Read, "1 apiGroup string pa;2 kind string a;3 name string a"],
  TypedObjectReference: [newTypedObjectReference, readTypedObjectReference as Read, "1 apiGroup string pa;2 kind string a;3 name string a;4 namespace string p"],
  Volume: [newVolume, readVolume as Read, "1 name string a;2 volumeSource VolumeSource i"],
  VolumeDevice: [newVolumeDevice, readVolumeDevice as Read, "1 name string a;2 devicePath string a"],
  VolumeHealthCondition: [newVolumeHealthCondition, readVolumeHealthCondition as Read, "1 status string a;2 reason string a;3 message string"],
  VolumeMount: [newVolumeMount, readVolumeMount as Read, "1 name string a;2 readOnly bool;7 recursiveReadOnly string p;3 mountPath string a;4 subPath string;5 mountPropagation string p;6 subPathExpr string;8 bindMountOptions string[]"],
  VolumeMountStatus: [newVolumeMountStatus, readVolumeMountStatus as Read, "1 name string a;2 mountPath string a;3 readOnly bool;4 recursiveReadOnly string p;5 volumeStatus VolumeStatus"],
  VolumeProjection: [newVolumeProjection, readVolumeProjection as Read, "1 secret SecretProjection;2 downwardAPI DownwardAPIProjection;3 configMap ConfigMapProjection;4 serviceAccountToken ServiceAccountTokenProjection;5 clusterTrustBundle ClusterTrustBundleProjection;6 podCertificate PodCertificateProjection"],
  VolumeResourceRequirements: [newVolumeResourceRequirements, readVolumeResourceRequirements as Read, "1 limits Quantity{};2 requests Quantity{}"],
  VolumeSource: [newVolumeSource, readVolumeSource as Read, "1 hostPath HostPathVolumeSource;2 emptyDir EmptyDirVolumeSource;3 gcePersistentDisk GCEPersistentDiskVolumeSource;4 awsElasticBlockStore AWSElasticBlockStoreVolumeSource;5 gitRepo GitRepoVolumeSource;6 secret SecretVolumeSource;7 nfs NFSVolumeSource;8 iscsi ISCSIVolumeSource;9 glusterfs GlusterfsVolumeSource;10 persistentVolumeClaim PersistentVolumeClaimVolumeSource;11 rbd RBDVolumeSource;12 flexVolume FlexVolumeSource;13 cinder CinderVolumeSource;14 cephfs CephFSVolumeSource;15 flocker FlockerVolumeSource;16 downwardAPI DownwardAPIVolumeSource;17 fc FCVolumeSource;18 azureFile AzureFileVolumeSource;19 configMap ConfigMapVolumeSource;20 vsphereVolume VsphereVirtualDiskVolumeSource;21 quobyte QuobyteVolumeSource;22 azureDisk AzureDiskVolumeSource;23 photonPersistentDisk PhotonPersistentDiskVolumeSource;26 projected ProjectedVolumeSource;24 portworxVolume PortworxVolumeSource;25 scaleIO ScaleIOVolumeSource;27 storageos StorageOSVolumeSource;28 csi CSIVolumeSource;29 ephemeral EphemeralVolumeSource;30 image ImageVolumeSource"],
  VolumeStatus: [newVolumeStatus, readVolumeStatus as Read, "1 image ImageVolumeStatus"],
  VsphereVirtualDiskVolumeSource: [newVsphereVirtualDiskVolumeSource, readVsphereVirtualDiskVolumeSource as Read, "1 volumePath string a;2 fsType string;3 storagePolicyName string;4 storagePolicyID string"],
  WeightedPodAffinityTerm: [newWeightedPodAffinityTerm, readWeightedPodAffinityTerm as Read, "1 weight int32 a;2 podAffinityTerm PodAffinityTerm av"],
  WindowsSecurityContextOptions: [newWindowsSecurityContextOptions, readWindowsSecurityContextOptions as Read, "1 gmsaCredentialSpecName string p;2 gmsaCredentialSpec string p;3 runAsUserName string p;4 hostProcess bool p"],
};
