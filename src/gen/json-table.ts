// Written by proto/json-table.ts: change pod-fields.json or the script, not this file.

/** Fields that Go writes even where they are empty, by message. */
export const ALWAYS_WRITTEN: Readonly<Record<string, string>> = {
  "k8s.io.api.core.v1.AWSElasticBlockStoreVolumeSource": "volumeID",
  "k8s.io.api.core.v1.AppArmorProfile": "type",
  "k8s.io.api.core.v1.AzureDiskVolumeSource": "diskName diskURI",
  "k8s.io.api.core.v1.AzureFileVolumeSource": "secretName shareName",
  "k8s.io.api.core.v1.CSIVolumeSource": "driver",
  "k8s.io.api.core.v1.CephFSVolumeSource": "monitors",
  "k8s.io.api.core.v1.CinderVolumeSource": "volumeID",
  "k8s.io.api.core.v1.ClusterTrustBundleProjection": "path",
  "k8s.io.api.core.v1.ConfigMapKeySelector": "key",
  "k8s.io.api.core.v1.Container": "name resources",
  "k8s.io.api.core.v1.ContainerExtendedResourceRequest": "containerName resourceName requestName",
  "k8s.io.api.core.v1.ContainerPort": "containerPort",
  "k8s.io.api.core.v1.ContainerResizePolicy": "resourceName restartPolicy",
  "k8s.io.api.core.v1.ContainerStateRunning": "startedAt",
  "k8s.io.api.core.v1.ContainerStateTerminated": "exitCode startedAt finishedAt",
  "k8s.io.api.core.v1.ContainerStatus": "name state lastState ready restartCount image imageID",
  "k8s.io.api.core.v1.DownwardAPIVolumeFile": "path",
  "k8s.io.api.core.v1.EnvVar": "name",
  "k8s.io.api.core.v1.EphemeralContainerCommon": "name resources",
  "k8s.io.api.core.v1.EvictionResponder": "name priority",
  "k8s.io.api.core.v1.FileKeySelector": "volumeName path key",
  "k8s.io.api.core.v1.FlexVolumeSource": "driver",
  "k8s.io.api.core.v1.GCEPersistentDiskVolumeSource": "pdName",
  "k8s.io.api.core.v1.GRPCAction": "port service",
  "k8s.io.api.core.v1.GitRepoVolumeSource": "repository",
  "k8s.io.api.core.v1.GlusterfsVolumeSource": "endpoints path",
  "k8s.io.api.core.v1.HTTPGetAction": "port",
  "k8s.io.api.core.v1.HTTPHeader": "name value",
  "k8s.io.api.core.v1.HostAlias": "ip",
  "k8s.io.api.core.v1.HostIP": "ip",
  "k8s.io.api.core.v1.HostPathVolumeSource": "path",
  "k8s.io.api.core.v1.ISCSIVolumeSource": "targetPortal iqn lun",
  "k8s.io.api.core.v1.KeyToPath": "key path",
  "k8s.io.api.core.v1.LinuxContainerUser": "uid gid",
  "k8s.io.api.core.v1.NFSVolumeSource": "server path",
  "k8s.io.api.core.v1.NodeAllocatableMappedResources": "name quantity",
  "k8s.io.api.core.v1.NodeAllocatableOverheadResources": "name",
  "k8s.io.api.core.v1.NodeAllocatableResourceClaimStatus": "resourceClaimName",
  "k8s.io.api.core.v1.NodeSelector": "nodeSelectorTerms",
  "k8s.io.api.core.v1.NodeSelectorRequirement": "key operator",
  "k8s.io.api.core.v1.ObjectFieldSelector": "fieldPath",
  "k8s.io.api.core.v1.PersistentVolumeClaimSpec": "resources",
  "k8s.io.api.core.v1.PersistentVolumeClaimTemplate": "metadata spec",
  "k8s.io.api.core.v1.PersistentVolumeClaimVolumeSource": "claimName",
  "k8s.io.api.core.v1.PhotonPersistentDiskVolumeSource": "pdID",
  "k8s.io.api.core.v1.Pod": "metadata spec status",
  "k8s.io.api.core.v1.PodAffinityTerm": "topologyKey",
  "k8s.io.api.core.v1.PodCondition": "type status lastProbeTime lastTransitionTime",
  "k8s.io.api.core.v1.PodExtendedResourceClaimStatus": "requestMappings resourceClaimName",
  "k8s.io.api.core.v1.PodIP": "ip",
  "k8s.io.api.core.v1.PodOS": "name",
  "k8s.io.api.core.v1.PodReadinessGate": "conditionType",
  "k8s.io.api.core.v1.PodResourceClaim": "name",
  "k8s.io.api.core.v1.PodResourceClaimStatus": "name",
  "k8s.io.api.core.v1.PodSchedulingGate": "name",
  "k8s.io.api.core.v1.PodSpec": "containers",
  "k8s.io.api.core.v1.PodVolumeHealth": "name lastTransitionTime",
  "k8s.io.api.core.v1.PortworxVolumeSource": "volumeID",
  "k8s.io.api.core.v1.PreferredSchedulingTerm": "weight preference",
  "k8s.io.api.core.v1.ProjectedVolumeSource": "sources",
  "k8s.io.api.core.v1.QuobyteVolumeSource": "registry volume",
  "k8s.io.api.core.v1.RBDVolumeSource": "monitors image",
  "k8s.io.api.core.v1.ResourceClaim": "name",
  "k8s.io.api.core.v1.ResourceFieldSelector": "resource divisor",
  "k8s.io.api.core.v1.ResourceHealth": "resourceID",
  "k8s.io.api.core.v1.ResourceStatus": "name",
  "k8s.io.api.core.v1.ScaleIOVolumeSource": "gateway system secretRef",
  "k8s.io.api.core.v1.SeccompProfile": "type",
  "k8s.io.api.core.v1.SecretKeySelector": "key",
  "k8s.io.api.core.v1.ServiceAccountTokenProjection": "path",
  "k8s.io.api.core.v1.SleepAction": "seconds",
  "k8s.io.api.core.v1.Sysctl": "name value",
  "k8s.io.api.core.v1.TCPSocketAction": "port",
  "k8s.io.api.core.v1.TopologySpreadConstraint": "maxSkew topologyKey whenUnsatisfiable",
  "k8s.io.api.core.v1.TypedLocalObjectReference": "apiGroup kind name",
  "k8s.io.api.core.v1.TypedObjectReference": "apiGroup kind name",
  "k8s.io.api.core.v1.Volume": "name",
  "k8s.io.api.core.v1.VolumeDevice": "name devicePath",
  "k8s.io.api.core.v1.VolumeHealthCondition": "status reason",
  "k8s.io.api.core.v1.VolumeMount": "name mountPath",
  "k8s.io.api.core.v1.VolumeMountStatus": "name mountPath",
  "k8s.io.api.core.v1.VsphereVirtualDiskVolumeSource": "volumePath",
  "k8s.io.api.core.v1.WeightedPodAffinityTerm": "weight podAffinityTerm",
  "k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement": "key operator",
  "k8s.io.apimachinery.pkg.apis.meta.v1.OwnerReference": "apiVersion kind name uid",
};

/** Message fields that are no pointer in Go: there is always one, empty or not. */
export const BY_VALUE: Readonly<Record<string, string>> = {
  "k8s.io.api.core.v1.Container": "resources",
  "k8s.io.api.core.v1.ContainerStateRunning": "startedAt",
  "k8s.io.api.core.v1.ContainerStateTerminated": "startedAt finishedAt",
  "k8s.io.api.core.v1.ContainerStatus": "state lastState",
  "k8s.io.api.core.v1.EphemeralContainerCommon": "resources",
  "k8s.io.api.core.v1.HTTPGetAction": "port",
  "k8s.io.api.core.v1.PersistentVolumeClaimSpec": "resources",
  "k8s.io.api.core.v1.PersistentVolumeClaimTemplate": "metadata spec",
  "k8s.io.api.core.v1.Pod": "metadata spec status",
  "k8s.io.api.core.v1.PodCondition": "lastProbeTime lastTransitionTime",
  "k8s.io.api.core.v1.PodVolumeHealth": "lastTransitionTime",
  "k8s.io.api.core.v1.PreferredSchedulingTerm": "preference",
  "k8s.io.api.core.v1.ResourceFieldSelector": "divisor",
  "k8s.io.api.core.v1.TCPSocketAction": "port",
  "k8s.io.api.core.v1.WeightedPodAffinityTerm": "podAffinityTerm",
  "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta": "creationTimestamp",
};

/** Message fields whose keys stand in the parent; each is held by value. */
export const INLINED: Readonly<Record<string, string>> = {
  "k8s.io.api.core.v1.ConfigMapEnvSource": "localObjectReference",
  "k8s.io.api.core.v1.ConfigMapKeySelector": "localObjectReference",
  "k8s.io.api.core.v1.ConfigMapProjection": "localObjectReference",
  "k8s.io.api.core.v1.ConfigMapVolumeSource": "localObjectReference",
  "k8s.io.api.core.v1.EphemeralContainer": "ephemeralContainerCommon",
  "k8s.io.api.core.v1.Probe": "handler",
  "k8s.io.api.core.v1.SecretEnvSource": "localObjectReference",
  "k8s.io.api.core.v1.SecretKeySelector": "localObjectReference",
  "k8s.io.api.core.v1.SecretProjection": "localObjectReference",
  "k8s.io.api.core.v1.Volume": "volumeSource",
};

/** As ALWAYS_WRITTEN, for the compiler. */
export interface AlwaysWritten {
  "k8s.io.api.core.v1.AWSElasticBlockStoreVolumeSource": "volumeID";
  "k8s.io.api.core.v1.AppArmorProfile": "type";
  "k8s.io.api.core.v1.AzureDiskVolumeSource": "diskName" | "diskURI";
  "k8s.io.api.core.v1.AzureFileVolumeSource": "secretName" | "shareName";
  "k8s.io.api.core.v1.CSIVolumeSource": "driver";
  "k8s.io.api.core.v1.CephFSVolumeSource": "monitors";
  "k8s.io.api.core.v1.CinderVolumeSource": "volumeID";
  "k8s.io.api.core.v1.ClusterTrustBundleProjection": "path";
  "k8s.io.api.core.v1.ConfigMapKeySelector": "key";
  "k8s.io.api.core.v1.Container": "name" | "resources";
  "k8s.io.api.core.v1.ContainerExtendedResourceRequest": "containerName" | "resourceName" | "requestName";
  "k8s.io.api.core.v1.ContainerPort": "containerPort";
  "k8s.io.api.core.v1.ContainerResizePolicy": "resourceName" | "restartPolicy";
  "k8s.io.api.core.v1.ContainerStateRunning": "startedAt";
  "k8s.io.api.core.v1.ContainerStateTerminated": "exitCode" | "startedAt" | "finishedAt";
  "k8s.io.api.core.v1.ContainerStatus": "name" | "state" | "lastState" | "ready" | "restartCount" | "image" | "imageID";
  "k8s.io.api.core.v1.DownwardAPIVolumeFile": "path";
  "k8s.io.api.core.v1.EnvVar": "name";
  "k8s.io.api.core.v1.EphemeralContainerCommon": "name" | "resources";
  "k8s.io.api.core.v1.EvictionResponder": "name" | "priority";
  "k8s.io.api.core.v1.FileKeySelector": "volumeName" | "path" | "key";
  "k8s.io.api.core.v1.FlexVolumeSource": "driver";
  "k8s.io.api.core.v1.GCEPersistentDiskVolumeSource": "pdName";
  "k8s.io.api.core.v1.GRPCAction": "port" | "service";
  "k8s.io.api.core.v1.GitRepoVolumeSource": "repository";
  "k8s.io.api.core.v1.GlusterfsVolumeSource": "endpoints" | "path";
  "k8s.io.api.core.v1.HTTPGetAction": "port";
  "k8s.io.api.core.v1.HTTPHeader": "name" | "value";
  "k8s.io.api.core.v1.HostAlias": "ip";
  "k8s.io.api.core.v1.HostIP": "ip";
  "k8s.io.api.core.v1.HostPathVolumeSource": "path";
  "k8s.io.api.core.v1.ISCSIVolumeSource": "targetPortal" | "iqn" | "lun";
  "k8s.io.api.core.v1.KeyToPath": "key" | "path";
  "k8s.io.api.core.v1.LinuxContainerUser": "uid" | "gid";
  "k8s.io.api.core.v1.NFSVolumeSource": "server" | "path";
  "k8s.io.api.core.v1.NodeAllocatableMappedResources": "name" | "quantity";
  "k8s.io.api.core.v1.NodeAllocatableOverheadResources": "name";
  "k8s.io.api.core.v1.NodeAllocatableResourceClaimStatus": "resourceClaimName";
  "k8s.io.api.core.v1.NodeSelector": "nodeSelectorTerms";
  "k8s.io.api.core.v1.NodeSelectorRequirement": "key" | "operator";
  "k8s.io.api.core.v1.ObjectFieldSelector": "fieldPath";
  "k8s.io.api.core.v1.PersistentVolumeClaimSpec": "resources";
  "k8s.io.api.core.v1.PersistentVolumeClaimTemplate": "metadata" | "spec";
  "k8s.io.api.core.v1.PersistentVolumeClaimVolumeSource": "claimName";
  "k8s.io.api.core.v1.PhotonPersistentDiskVolumeSource": "pdID";
  "k8s.io.api.core.v1.Pod": "metadata" | "spec" | "status";
  "k8s.io.api.core.v1.PodAffinityTerm": "topologyKey";
  "k8s.io.api.core.v1.PodCondition": "type" | "status" | "lastProbeTime" | "lastTransitionTime";
  "k8s.io.api.core.v1.PodExtendedResourceClaimStatus": "requestMappings" | "resourceClaimName";
  "k8s.io.api.core.v1.PodIP": "ip";
  "k8s.io.api.core.v1.PodOS": "name";
  "k8s.io.api.core.v1.PodReadinessGate": "conditionType";
  "k8s.io.api.core.v1.PodResourceClaim": "name";
  "k8s.io.api.core.v1.PodResourceClaimStatus": "name";
  "k8s.io.api.core.v1.PodSchedulingGate": "name";
  "k8s.io.api.core.v1.PodSpec": "containers";
  "k8s.io.api.core.v1.PodVolumeHealth": "name" | "lastTransitionTime";
  "k8s.io.api.core.v1.PortworxVolumeSource": "volumeID";
  "k8s.io.api.core.v1.PreferredSchedulingTerm": "weight" | "preference";
  "k8s.io.api.core.v1.ProjectedVolumeSource": "sources";
  "k8s.io.api.core.v1.QuobyteVolumeSource": "registry" | "volume";
  "k8s.io.api.core.v1.RBDVolumeSource": "monitors" | "image";
  "k8s.io.api.core.v1.ResourceClaim": "name";
  "k8s.io.api.core.v1.ResourceFieldSelector": "resource" | "divisor";
  "k8s.io.api.core.v1.ResourceHealth": "resourceID";
  "k8s.io.api.core.v1.ResourceStatus": "name";
  "k8s.io.api.core.v1.ScaleIOVolumeSource": "gateway" | "system" | "secretRef";
  "k8s.io.api.core.v1.SeccompProfile": "type";
  "k8s.io.api.core.v1.SecretKeySelector": "key";
  "k8s.io.api.core.v1.ServiceAccountTokenProjection": "path";
  "k8s.io.api.core.v1.SleepAction": "seconds";
  "k8s.io.api.core.v1.Sysctl": "name" | "value";
  "k8s.io.api.core.v1.TCPSocketAction": "port";
  "k8s.io.api.core.v1.TopologySpreadConstraint": "maxSkew" | "topologyKey" | "whenUnsatisfiable";
  "k8s.io.api.core.v1.TypedLocalObjectReference": "apiGroup" | "kind" | "name";
  "k8s.io.api.core.v1.TypedObjectReference": "apiGroup" | "kind" | "name";
  "k8s.io.api.core.v1.Volume": "name";
  "k8s.io.api.core.v1.VolumeDevice": "name" | "devicePath";
  "k8s.io.api.core.v1.VolumeHealthCondition": "status" | "reason";
  "k8s.io.api.core.v1.VolumeMount": "name" | "mountPath";
  "k8s.io.api.core.v1.VolumeMountStatus": "name" | "mountPath";
  "k8s.io.api.core.v1.VsphereVirtualDiskVolumeSource": "volumePath";
  "k8s.io.api.core.v1.WeightedPodAffinityTerm": "weight" | "podAffinityTerm";
  "k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement": "key" | "operator";
  "k8s.io.apimachinery.pkg.apis.meta.v1.OwnerReference": "apiVersion" | "kind" | "name" | "uid";
}

/** As INLINED, for the compiler. */
export interface Inlined {
  "k8s.io.api.core.v1.ConfigMapEnvSource": "localObjectReference";
  "k8s.io.api.core.v1.ConfigMapKeySelector": "localObjectReference";
  "k8s.io.api.core.v1.ConfigMapProjection": "localObjectReference";
  "k8s.io.api.core.v1.ConfigMapVolumeSource": "localObjectReference";
  "k8s.io.api.core.v1.EphemeralContainer": "ephemeralContainerCommon";
  "k8s.io.api.core.v1.Probe": "handler";
  "k8s.io.api.core.v1.SecretEnvSource": "localObjectReference";
  "k8s.io.api.core.v1.SecretKeySelector": "localObjectReference";
  "k8s.io.api.core.v1.SecretProjection": "localObjectReference";
  "k8s.io.api.core.v1.Volume": "volumeSource";
}
