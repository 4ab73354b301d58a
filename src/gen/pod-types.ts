// Written by proto/pod-types.ts: change pod-fields.json, pod-docs.yaml or the script, not this file.

/** A field that this version does not know, as it came. */
export interface UnknownField {
  /** Its number. */
  readonly no: number;
  /** How it is written, as in the low three bits of its tag. */
  readonly wireType: number;
  /** Its value, behind the tag. */
  readonly data: Uint8Array;
}

/**
 * A disk of AWS, which CSI has replaced.
 */
export interface AWSElasticBlockStoreVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.AWSElasticBlockStoreVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * ID of the disk.
   */
  readonly volumeID: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * Number of the partition. 0 for the whole disk.
   */
  readonly partition: number;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * Nodes and pods that a pod wants to be near, or away from.
 */
export interface Affinity {
  readonly $typeName: "k8s.io.api.core.v1.Affinity";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Nodes, by their labels.
   */
  readonly nodeAffinity?: NodeAffinity | undefined;

  /**
   * Pods it wants to be near.
   */
  readonly podAffinity?: PodAffinity | undefined;

  /**
   * Pods it wants to be away from.
   */
  readonly podAntiAffinity?: PodAntiAffinity | undefined;
}

/**
 * An AppArmor profile.
 */
export interface AppArmorProfile {
  readonly $typeName: "k8s.io.api.core.v1.AppArmorProfile";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Kind of profile. The runtime's, none, or one of the node.
   * Known values: Unconfined, RuntimeDefault, Localhost.
   */
  readonly type: string;

  /**
   * Name of a profile that is loaded on the node.
   */
  readonly localhostProfile?: string | undefined;
}

/**
 * A disk of Azure, which CSI has replaced.
 */
export interface AzureDiskVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.AzureDiskVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the disk.
   */
  readonly diskName: string;

  /**
   * Address of the disk.
   */
  readonly diskURI: string;

  /**
   * How the node caches it.
   * Known values: None, ReadOnly, ReadWrite.
   */
  readonly cachingMode?: string | undefined;

  /**
   * File system on it.
   */
  readonly fsType?: string | undefined;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly?: boolean | undefined;

  /**
   * Kind of disk.
   * Known values: Shared, Dedicated, Managed.
   */
  readonly kind?: string | undefined;
}

/**
 * A share of Azure Files, which CSI has replaced.
 */
export interface AzureFileVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.AzureFileVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Secret with the account and its key.
   */
  readonly secretName: string;

  /**
   * Name of the share.
   */
  readonly shareName: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * A volume that a CSI driver makes for this pod.
 */
export interface CSIVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.CSIVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the driver.
   */
  readonly driver: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly?: boolean | undefined;

  /**
   * File system that is made.
   */
  readonly fsType?: string | undefined;

  /**
   * Settings for the driver.
   */
  readonly volumeAttributes: { readonly [key: string]: string };

  /**
   * Secret that the driver is given.
   */
  readonly nodePublishSecretRef?: LocalObjectReference | undefined;
}

/**
 * Changes to the capabilities that the runtime gives by default.
 */
export interface Capabilities {
  readonly $typeName: "k8s.io.api.core.v1.Capabilities";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Capabilities that are added, such as `NET_ADMIN`, or `ALL`.
   */
  readonly add: readonly string[];

  /**
   * Capabilities that are taken away, or `ALL`.
   */
  readonly drop: readonly string[];
}

/**
 * A volume of CephFS, which is no longer supported.
 */
export interface CephFSVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.CephFSVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Addresses of the monitors.
   */
  readonly monitors: readonly string[];

  /**
   * Path that is mounted.
   */
  readonly path: string;

  /**
   * User of Ceph.
   */
  readonly user: string;

  /**
   * File with the user's key.
   */
  readonly secretFile: string;

  /**
   * Secret with the user's key.
   */
  readonly secretRef?: LocalObjectReference | undefined;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * A disk of OpenStack, which CSI has replaced.
 */
export interface CinderVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.CinderVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * ID of the disk.
   */
  readonly volumeID: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;

  /**
   * Secret with the connection.
   */
  readonly secretRef?: LocalObjectReference | undefined;
}

/**
 * Certificates of one or more ClusterTrustBundles.
 */
export interface ClusterTrustBundleProjection {
  readonly $typeName: "k8s.io.api.core.v1.ClusterTrustBundleProjection";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the bundle, if it is one.
   */
  readonly name?: string | undefined;

  /**
   * Signer of the bundles, if they are chosen by labels.
   */
  readonly signerName?: string | undefined;

  /**
   * Labels of the bundles of that signer.
   */
  readonly labelSelector?: LabelSelector | undefined;

  /**
   * True if there may be none.
   */
  readonly optional?: boolean | undefined;

  /**
   * Path of the file.
   */
  readonly path: string;

  /**
   * Owner of the file.
   */
  readonly user?: bigint | undefined;
}

/**
 * A ConfigMap whose keys become variables.
 */
export interface ConfigMapEnvSource {
  readonly $typeName: "k8s.io.api.core.v1.ConfigMapEnvSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Its name. In YAML this key stands at the level above.
   */
  readonly localObjectReference?: LocalObjectReference | undefined;

  /**
   * True if it may be missing.
   */
  readonly optional?: boolean | undefined;
}

/**
 * One key of a ConfigMap.
 */
export interface ConfigMapKeySelector {
  readonly $typeName: "k8s.io.api.core.v1.ConfigMapKeySelector";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Its name. In YAML this key stands at the level above.
   */
  readonly localObjectReference?: LocalObjectReference | undefined;

  /**
   * The key.
   */
  readonly key: string;

  /**
   * True if it may be missing.
   */
  readonly optional?: boolean | undefined;
}

/**
 * Keys of a ConfigMap in a projected volume.
 */
export interface ConfigMapProjection {
  readonly $typeName: "k8s.io.api.core.v1.ConfigMapProjection";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Its name. In YAML this key stands at the level above.
   */
  readonly localObjectReference?: LocalObjectReference | undefined;

  /**
   * Keys that become files. Where empty, all.
   */
  readonly items: readonly KeyToPath[];

  /**
   * True if the ConfigMap or its keys may be missing.
   */
  readonly optional?: boolean | undefined;
}

/**
 * Keys of a ConfigMap as files.
 */
export interface ConfigMapVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.ConfigMapVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Its name. In YAML this key stands at the level above.
   */
  readonly localObjectReference?: LocalObjectReference | undefined;

  /**
   * Keys that become files. Where empty, all.
   */
  readonly items: readonly KeyToPath[];

  /**
   * Permissions of files that say no other.
   */
  readonly defaultMode?: number | undefined;

  /**
   * True if the ConfigMap or its keys may be missing.
   */
  readonly optional?: boolean | undefined;

  /**
   * Owner of files that say no other.
   */
  readonly defaultUser?: bigint | undefined;
}

/**
 * A container that was asked for.
 */
export interface Container {
  readonly $typeName: "k8s.io.api.core.v1.Container";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name, unique among all containers of the pod.
   */
  readonly name: string;

  /**
   * Image that was asked for. The status has the one that runs.
   */
  readonly image: string;

  /**
   * Program and first arguments, in the place of the image's entry point.
   */
  readonly command: readonly string[];

  /**
   * Arguments, in the place of the image's.
   */
  readonly args: readonly string[];

  /**
   * Directory that it starts in.
   */
  readonly workingDir: string;

  /**
   * Ports that it declares. It may listen on others.
   */
  readonly ports: readonly ContainerPort[];

  /**
   * Sources of many environment variables at once.
   */
  readonly envFrom: readonly EnvFromSource[];

  /**
   * Environment variables. Values may be secret; do not log them.
   */
  readonly env: readonly EnvVar[];

  /**
   * Requests and limits. During a resize they may be ahead of what the status has.
   */
  readonly resources?: ResourceRequirements | undefined;

  /**
   * Resources that can be resized without a restart, and those that cannot.
   */
  readonly resizePolicy: readonly ContainerResizePolicy[];

  /**
   * Own rule for restarts. `Always` makes an init container a sidecar.
   * Known values: Always, Never, OnFailure.
   */
  readonly restartPolicy?: string | undefined;

  /**
   * Rules for restarts by exit code.
   */
  readonly restartPolicyRules: readonly ContainerRestartRule[];

  /**
   * Where volumes are mounted.
   */
  readonly volumeMounts: readonly VolumeMount[];

  /**
   * Where volumes are put as block devices.
   */
  readonly volumeDevices: readonly VolumeDevice[];

  /**
   * Check whose failure has it killed.
   */
  readonly livenessProbe?: Probe | undefined;

  /**
   * Check whose failure makes it not ready.
   */
  readonly readinessProbe?: Probe | undefined;

  /**
   * Check that must pass before the others begin.
   */
  readonly startupProbe?: Probe | undefined;

  /**
   * Hooks after the start and before the end.
   */
  readonly lifecycle?: Lifecycle | undefined;

  /**
   * File in the container whose text becomes the termination message.
   */
  readonly terminationMessagePath: string;

  /**
   * Where the termination message comes from.
   * Known values: File, FallbackToLogsOnError.
   */
  readonly terminationMessagePolicy: string;

  /**
   * When the image is pulled.
   * Known values: Always, Never, IfNotPresent.
   */
  readonly imagePullPolicy: string;

  /**
   * User, capabilities and more. It wins over that of the pod.
   */
  readonly securityContext?: SecurityContext | undefined;

  /**
   * True if its standard input is kept open.
   */
  readonly stdin: boolean;

  /**
   * True if standard input is closed after the first client has gone.
   */
  readonly stdinOnce: boolean;

  /**
   * True if it has a terminal.
   */
  readonly tty: boolean;
}

/**
 * A request of a claim that stands for an extended resource of a container.
 */
export interface ContainerExtendedResourceRequest {
  readonly $typeName: "k8s.io.api.core.v1.ContainerExtendedResourceRequest";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the container.
   */
  readonly containerName: string;

  /**
   * Name of the extended resource.
   */
  readonly resourceName: string;

  /**
   * Name of the request in the claim.
   */
  readonly requestName: string;
}

/**
 * A port that a container declares.
 */
export interface ContainerPort {
  readonly $typeName: "k8s.io.api.core.v1.ContainerPort";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name by which Services and probes can mean it.
   */
  readonly name: string;

  /**
   * Port of the node that leads to it. 0 if there is none.
   */
  readonly hostPort: number;

  /**
   * Port on the pod's address.
   */
  readonly containerPort: number;

  /**
   * Protocol of the port. Kubernetes fills in `TCP`.
   * Known values: TCP, UDP, SCTP.
   */
  readonly protocol: string;

  /**
   * Address of the node on which `hostPort` is bound. Empty for all.
   */
  readonly hostIP: string;
}

/**
 * Effect of a resize of one resource on the container.
 */
export interface ContainerResizePolicy {
  readonly $typeName: "k8s.io.api.core.v1.ContainerResizePolicy";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Resource that is resized, `cpu` or `memory`.
   * Known values: cpu, memory, storage, ephemeral-storage, pods, services, replicationcontrollers, resourcequotas,
   * secrets, configmaps, persistentvolumeclaims, services.nodeports, services.loadbalancers, requests.cpu,
   * requests.memory, requests.storage, requests.ephemeral-storage, limits.cpu, limits.memory, limits.ephemeral-storage.
   */
  readonly resourceName: string;

  /**
   * Whether the container is restarted for it.
   * Known values: NotRequired, RestartContainer.
   */
  readonly restartPolicy: string;
}

/**
 * One rule for restarts. The first that matches decides.
 */
export interface ContainerRestartRule {
  readonly $typeName: "k8s.io.api.core.v1.ContainerRestartRule";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Action that is taken where the rule matches.
   * Known values: Restart, RestartAllContainers.
   */
  readonly action: string;

  /**
   * Exit codes that it matches.
   */
  readonly exitCodes?: ContainerRestartRuleOnExitCodes | undefined;
}

/**
 * A set of exit codes, or all others.
 */
export interface ContainerRestartRuleOnExitCodes {
  readonly $typeName: "k8s.io.api.core.v1.ContainerRestartRuleOnExitCodes";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Whether the codes are in the set or not.
   * Known values: In, NotIn.
   */
  readonly operator: string;

  /**
   * The codes.
   */
  readonly values: readonly number[];
}

/**
 * One state of a container. Exactly one member is set; none means waiting.
 */
export interface ContainerState {
  readonly $typeName: "k8s.io.api.core.v1.ContainerState";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * It is not running yet, or not again.
   */
  readonly waiting?: ContainerStateWaiting | undefined;

  /**
   * It runs.
   */
  readonly running?: ContainerStateRunning | undefined;

  /**
   * It has ended.
   */
  readonly terminated?: ContainerStateTerminated | undefined;
}

/**
 * A container that runs.
 */
export interface ContainerStateRunning {
  readonly $typeName: "k8s.io.api.core.v1.ContainerStateRunning";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * When it was started.
   */
  readonly startedAt?: Time | undefined;
}

/**
 * How a container ended.
 */
export interface ContainerStateTerminated {
  readonly $typeName: "k8s.io.api.core.v1.ContainerStateTerminated";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Exit code of the first process; 128 plus the number of the signal where one ended it. With the reason
   * `ContainerStatusUnknown` it is an invention of the kubelet, and no code of a process.
   */
  readonly exitCode: number;

  /**
   * Number of the signal that ended it. Runtimes of today leave it at 0.
   */
  readonly signal: number;

  /**
   * One word, such as `Completed`, `Error` or `OOMKilled`.
   */
  readonly reason: string;

  /**
   * Termination message that the container wrote, or a sentence of the kubelet.
   */
  readonly message: string;

  /**
   * When it was started. It is 1970 where the container never ran.
   */
  readonly startedAt?: Time | undefined;

  /**
   * When it ended.
   */
  readonly finishedAt?: Time | undefined;

  /**
   * ID of the container that ended. It is empty where the runtime has no such container any more.
   */
  readonly containerID: string;
}

/**
 * Why a container does not run.
 */
export interface ContainerStateWaiting {
  readonly $typeName: "k8s.io.api.core.v1.ContainerStateWaiting";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * One word, such as `ContainerCreating`, `ImagePullBackOff` or `CrashLoopBackOff`.
   */
  readonly reason: string;

  /**
   * A sentence for people.
   */
  readonly message: string;
}

/**
 * The present life of a container, and the one before.
 */
export interface ContainerStatus {
  readonly $typeName: "k8s.io.api.core.v1.ContainerStatus";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the container in the spec.
   */
  readonly name: string;

  /**
   * The present state. It is exactly one of waiting, running and terminated.
   */
  readonly state?: ContainerState | undefined;

  /**
   * How the life before the present one ended. Older lives are not told.
   */
  readonly lastState?: ContainerState | undefined;

  /**
   * True if the readiness probe passes; without one, true while it runs and its startup probe has passed. Of an init
   * container, true once it has ended well.
   */
  readonly ready: boolean;

  /**
   * How often it was started again. It may fall when the runtime has lost its containers.
   */
  readonly restartCount: number;

  /**
   * Image that runs, as the runtime names it. It may differ from the name in the spec.
   */
  readonly image: string;

  /**
   * Digest or ID of the image that runs.
   */
  readonly imageID: string;

  /**
   * Runtime and ID of the present container, such as `containerd://4c1f…`. Each life has another one. It is empty
   * before the first container is made.
   */
  readonly containerID: string;

  /**
   * True once the startup probe has passed and the postStart hook has ended.
   */
  readonly started?: boolean | undefined;

  /**
   * Requests that the kubelet has made room for. During a resize they differ from the spec.
   */
  readonly allocatedResources: { readonly [key: string]: Quantity };

  /**
   * Requests and limits that are in effect for the running container.
   */
  readonly resources?: ResourceRequirements | undefined;

  /**
   * Mounts as they are, with the effective mode.
   */
  readonly volumeMounts: readonly VolumeMountStatus[];

  /**
   * User and groups with which the first process of the container was started.
   */
  readonly user?: ContainerUser | undefined;

  /**
   * Health of the devices that the container has.
   */
  readonly allocatedResourcesStatus: readonly ResourceStatus[];

  /**
   * Signal with which the runtime asks the container to end.
   * Known values: SIGABRT, SIGALRM, SIGBUS, SIGCHLD, SIGCLD, SIGCONT, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGIO, SIGIOT,
   * SIGKILL, SIGPIPE, SIGPOLL, SIGPROF, SIGPWR, SIGQUIT, SIGSEGV, SIGSTKFLT, SIGSTOP, SIGSYS, SIGTERM, SIGTRAP,
   * SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ, SIGRTMIN, SIGRTMIN+1,
   * SIGRTMIN+2, SIGRTMIN+3, SIGRTMIN+4, SIGRTMIN+5, SIGRTMIN+6, SIGRTMIN+7, SIGRTMIN+8, SIGRTMIN+9, SIGRTMIN+10,
   * SIGRTMIN+11, SIGRTMIN+12, SIGRTMIN+13, SIGRTMIN+14, SIGRTMIN+15, SIGRTMAX-14, SIGRTMAX-13, SIGRTMAX-12,
   * SIGRTMAX-11, SIGRTMAX-10, SIGRTMAX-9, SIGRTMAX-8, SIGRTMAX-7, SIGRTMAX-6, SIGRTMAX-5, SIGRTMAX-4, SIGRTMAX-3,
   * SIGRTMAX-2, SIGRTMAX-1, SIGRTMAX.
   */
  readonly stopSignal?: string | undefined;
}

/**
 * User of a container.
 */
export interface ContainerUser {
  readonly $typeName: "k8s.io.api.core.v1.ContainerUser";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * User and groups on Linux.
   */
  readonly linux?: LinuxContainerUser | undefined;
}

/**
 * Fields of the pod in a projected volume.
 */
export interface DownwardAPIProjection {
  readonly $typeName: "k8s.io.api.core.v1.DownwardAPIProjection";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The files.
   */
  readonly items: readonly DownwardAPIVolumeFile[];
}

/**
 * A file with a field of the pod.
 */
export interface DownwardAPIVolumeFile {
  readonly $typeName: "k8s.io.api.core.v1.DownwardAPIVolumeFile";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Path of the file.
   */
  readonly path: string;

  /**
   * A field of the pod.
   */
  readonly fieldRef?: ObjectFieldSelector | undefined;

  /**
   * A request or limit of a container.
   */
  readonly resourceFieldRef?: ResourceFieldSelector | undefined;

  /**
   * Its permissions.
   */
  readonly mode?: number | undefined;

  /**
   * Its owner.
   */
  readonly user?: bigint | undefined;
}

/**
 * Fields of the pod as files.
 */
export interface DownwardAPIVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.DownwardAPIVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The files.
   */
  readonly items: readonly DownwardAPIVolumeFile[];

  /**
   * Permissions of files that say no other.
   */
  readonly defaultMode?: number | undefined;

  /**
   * Owner of files that say no other.
   */
  readonly defaultUser?: bigint | undefined;
}

/**
 * A directory that is empty at first, and lives as long as the pod.
 */
export interface EmptyDirVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.EmptyDirVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Where it lies. Empty for the node's disk, `Memory` for a tmpfs.
   * Known values: (empty), Memory, HugePages, HugePages-.
   */
  readonly medium: string;

  /**
   * The most that may be in it; the pod is evicted where there is more.
   */
  readonly sizeLimit?: Quantity | undefined;

  /**
   * Permissions of the directory.
   */
  readonly mode?: number | undefined;
}

/**
 * A ConfigMap or Secret each of whose keys becomes a variable.
 */
export interface EnvFromSource {
  readonly $typeName: "k8s.io.api.core.v1.EnvFromSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Text in front of each key.
   */
  readonly prefix: string;

  /**
   * The ConfigMap.
   */
  readonly configMapRef?: ConfigMapEnvSource | undefined;

  /**
   * The Secret.
   */
  readonly secretRef?: SecretEnvSource | undefined;
}

/**
 * One environment variable.
 */
export interface EnvVar {
  readonly $typeName: "k8s.io.api.core.v1.EnvVar";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the variable.
   */
  readonly name: string;

  /**
   * Its value, with references to other variables not yet replaced. It may be secret; do not log it.
   */
  readonly value: string;

  /**
   * Where its value comes from, if it is not written here.
   */
  readonly valueFrom?: EnvVarSource | undefined;
}

/**
 * Where the value of a variable comes from. One member is set.
 */
export interface EnvVarSource {
  readonly $typeName: "k8s.io.api.core.v1.EnvVarSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * A field of the pod.
   */
  readonly fieldRef?: ObjectFieldSelector | undefined;

  /**
   * A request or limit of a container.
   */
  readonly resourceFieldRef?: ResourceFieldSelector | undefined;

  /**
   * A key of a ConfigMap.
   */
  readonly configMapKeyRef?: ConfigMapKeySelector | undefined;

  /**
   * A key of a Secret.
   */
  readonly secretKeyRef?: SecretKeySelector | undefined;

  /**
   * A key in a file that an init container has written.
   */
  readonly fileKeyRef?: FileKeySelector | undefined;
}

/**
 * A container that was added to a running pod for debugging.
 */
export interface EphemeralContainer {
  readonly $typeName: "k8s.io.api.core.v1.EphemeralContainer";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Settings that all containers have. In YAML these keys stand at the level above.
   */
  readonly ephemeralContainerCommon?: EphemeralContainerCommon | undefined;

  /**
   * Container whose processes it sees.
   */
  readonly targetContainerName: string;
}

/**
 * Settings of a debug container. Probes, ports and resources are not allowed.
 */
export interface EphemeralContainerCommon {
  readonly $typeName: "k8s.io.api.core.v1.EphemeralContainerCommon";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name, unique among all containers of the pod.
   */
  readonly name: string;

  /**
   * Image that was asked for.
   */
  readonly image: string;

  /**
   * Program and first arguments, in the place of the image's entry point.
   */
  readonly command: readonly string[];

  /**
   * Arguments, in the place of the image's.
   */
  readonly args: readonly string[];

  /**
   * Directory that it starts in.
   */
  readonly workingDir: string;

  /**
   * Not allowed.
   */
  readonly ports: readonly ContainerPort[];

  /**
   * Sources of many environment variables at once.
   */
  readonly envFrom: readonly EnvFromSource[];

  /**
   * Environment variables. Values may be secret; do not log them.
   */
  readonly env: readonly EnvVar[];

  /**
   * Not allowed.
   */
  readonly resources?: ResourceRequirements | undefined;

  /**
   * Not allowed.
   */
  readonly resizePolicy: readonly ContainerResizePolicy[];

  /**
   * Not allowed.
   * Known values: Always, Never, OnFailure.
   */
  readonly restartPolicy?: string | undefined;

  /**
   * Not allowed.
   */
  readonly restartPolicyRules: readonly ContainerRestartRule[];

  /**
   * Where volumes are mounted.
   */
  readonly volumeMounts: readonly VolumeMount[];

  /**
   * Where volumes are put as block devices.
   */
  readonly volumeDevices: readonly VolumeDevice[];

  /**
   * Not allowed.
   */
  readonly livenessProbe?: Probe | undefined;

  /**
   * Not allowed.
   */
  readonly readinessProbe?: Probe | undefined;

  /**
   * Not allowed.
   */
  readonly startupProbe?: Probe | undefined;

  /**
   * Not allowed.
   */
  readonly lifecycle?: Lifecycle | undefined;

  /**
   * File in the container whose text becomes the termination message.
   */
  readonly terminationMessagePath: string;

  /**
   * Where the termination message comes from.
   * Known values: File, FallbackToLogsOnError.
   */
  readonly terminationMessagePolicy: string;

  /**
   * When the image is pulled.
   * Known values: Always, Never, IfNotPresent.
   */
  readonly imagePullPolicy: string;

  /**
   * User, capabilities and more. It wins over that of the pod.
   */
  readonly securityContext?: SecurityContext | undefined;

  /**
   * True if its standard input is kept open.
   */
  readonly stdin: boolean;

  /**
   * True if standard input is closed after the first client has gone.
   */
  readonly stdinOnce: boolean;

  /**
   * True if it has a terminal.
   */
  readonly tty: boolean;
}

/**
 * A PersistentVolumeClaim that is made with the pod, and goes with it.
 */
export interface EphemeralVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.EphemeralVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The claim. Its name is that of the pod, a hyphen, and that of the volume.
   */
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate | undefined;
}

/**
 * A program that is asked before the pod is evicted.
 */
export interface EvictionResponder {
  readonly $typeName: "k8s.io.api.core.v1.EvictionResponder";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the program.
   */
  readonly name: string;

  /**
   * Order in which they are asked, the highest first.
   */
  readonly priority?: number | undefined;
}

/**
 * A command that is run in a container, without a shell.
 */
export interface ExecAction {
  readonly $typeName: "k8s.io.api.core.v1.ExecAction";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Program and arguments.
   */
  readonly command: readonly string[];
}

/**
 * A disk over Fibre Channel.
 */
export interface FCVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.FCVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Names of the target.
   */
  readonly targetWWNs: readonly string[];

  /**
   * Number of the unit.
   */
  readonly lun?: number | undefined;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;

  /**
   * IDs of the disk, in the place of target and unit.
   */
  readonly wwids: readonly string[];
}

/**
 * One key in a file of variables.
 */
export interface FileKeySelector {
  readonly $typeName: "k8s.io.api.core.v1.FileKeySelector";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Volume that has the file.
   */
  readonly volumeName: string;

  /**
   * Path of the file in that volume.
   */
  readonly path: string;

  /**
   * The key.
   */
  readonly key: string;

  /**
   * True if it may be missing.
   */
  readonly optional?: boolean | undefined;
}

/**
 * A volume of a FlexVolume driver, which CSI has replaced.
 */
export interface FlexVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.FlexVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the driver.
   */
  readonly driver: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * Secret that the driver is given.
   */
  readonly secretRef?: LocalObjectReference | undefined;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;

  /**
   * Settings for the driver.
   */
  readonly options: { readonly [key: string]: string };
}

/**
 * A volume of Flocker, which is no longer supported.
 */
export interface FlockerVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.FlockerVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the dataset.
   */
  readonly datasetName: string;

  /**
   * UUID of the dataset.
   */
  readonly datasetUUID: string;
}

/**
 * A disk of Google Compute Engine, which CSI has replaced.
 */
export interface GCEPersistentDiskVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.GCEPersistentDiskVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the disk.
   */
  readonly pdName: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * Number of the partition. 0 for the whole disk.
   */
  readonly partition: number;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * A question to gRPC's health service.
 */
export interface GRPCAction {
  readonly $typeName: "k8s.io.api.core.v1.GRPCAction";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Port of the pod.
   */
  readonly port: number;

  /**
   * Service that is asked about.
   */
  readonly service?: string | undefined;

  /**
   * Whether TLS is used.
   * Known values: Plaintext, TLS.
   */
  readonly mode?: string | undefined;
}

/**
 * A git repository, which kubelets of today refuse.
 */
export interface GitRepoVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.GitRepoVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Address of the repository.
   */
  readonly repository: string;

  /**
   * Commit that is checked out.
   */
  readonly revision: string;

  /**
   * Directory that it goes into.
   */
  readonly directory: string;
}

/**
 * A volume of GlusterFS, which is no longer supported.
 */
export interface GlusterfsVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.GlusterfsVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the Endpoints object with its servers.
   */
  readonly endpoints: string;

  /**
   * Name of the volume.
   */
  readonly path: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * A request over HTTP.
 */
export interface HTTPGetAction {
  readonly $typeName: "k8s.io.api.core.v1.HTTPGetAction";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Path that is asked for.
   */
  readonly path: string;

  /**
   * Port, by number or by name.
   */
  readonly port?: IntOrString | undefined;

  /**
   * Host that is asked. Where empty, the pod.
   */
  readonly host: string;

  /**
   * Whether TLS is used. Certificates are not verified.
   * Known values: HTTP, HTTPS.
   */
  readonly scheme: string;

  /**
   * Headers that are sent.
   */
  readonly httpHeaders: readonly HTTPHeader[];

  /**
   * Version of HTTP.
   * Known values: HTTP1, HTTP2.
   */
  readonly protocol?: string | undefined;
}

/**
 * One header of a request.
 */
export interface HTTPHeader {
  readonly $typeName: "k8s.io.api.core.v1.HTTPHeader";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the header.
   */
  readonly name: string;

  /**
   * Its value. It may be secret; do not log it.
   */
  readonly value: string;
}

/**
 * A line of the hosts file.
 */
export interface HostAlias {
  readonly $typeName: "k8s.io.api.core.v1.HostAlias";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Address.
   */
  readonly ip: string;

  /**
   * Names of that address.
   */
  readonly hostnames: readonly string[];
}

/**
 * One address of a node.
 */
export interface HostIP {
  readonly $typeName: "k8s.io.api.core.v1.HostIP";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The address, IPv4 or IPv6.
   */
  readonly ip: string;
}

/**
 * A file or directory of the node.
 */
export interface HostPathVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.HostPathVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Path on the node.
   */
  readonly path: string;

  /**
   * Kind of file that must be there, or is made.
   * Known values: (empty), DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice, BlockDevice.
   */
  readonly type?: string | undefined;
}

/**
 * A disk over iSCSI.
 */
export interface ISCSIVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.ISCSIVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Address and port of the target.
   */
  readonly targetPortal: string;

  /**
   * Name of the target.
   */
  readonly iqn: string;

  /**
   * Number of the unit.
   */
  readonly lun: number;

  /**
   * Interface of the initiator.
   */
  readonly iscsiInterface: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;

  /**
   * Further addresses of the target.
   */
  readonly portals: readonly string[];

  /**
   * True if discovery is authenticated.
   */
  readonly chapAuthDiscovery: boolean;

  /**
   * True if sessions are authenticated.
   */
  readonly chapAuthSession: boolean;

  /**
   * Secret for that.
   */
  readonly secretRef?: LocalObjectReference | undefined;

  /**
   * Name of the initiator.
   */
  readonly initiatorName?: string | undefined;
}

/**
 * The files of an image, read-only.
 */
export interface ImageVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.ImageVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the image.
   */
  readonly reference: string;

  /**
   * When it is pulled.
   * Known values: Always, Never, IfNotPresent.
   */
  readonly pullPolicy: string;
}

/**
 * Image behind a volume of kind image.
 */
export interface ImageVolumeStatus {
  readonly $typeName: "k8s.io.api.core.v1.ImageVolumeStatus";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Digest of the image.
   */
  readonly imageRef: string;
}

/**
 * A key that becomes a file.
 */
export interface KeyToPath {
  readonly $typeName: "k8s.io.api.core.v1.KeyToPath";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The key.
   */
  readonly key: string;

  /**
   * Path of the file.
   */
  readonly path: string;

  /**
   * Its permissions.
   */
  readonly mode?: number | undefined;

  /**
   * Its owner.
   */
  readonly user?: bigint | undefined;
}

/**
 * Hooks of a container.
 */
export interface Lifecycle {
  readonly $typeName: "k8s.io.api.core.v1.Lifecycle";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Done after it was started. A failure kills the container.
   */
  readonly postStart?: LifecycleHandler | undefined;

  /**
   * Done before it is asked to end. It takes time of the grace period.
   */
  readonly preStop?: LifecycleHandler | undefined;

  /**
   * Signal with which it is asked to end, in the place of the image's.
   * Known values: SIGABRT, SIGALRM, SIGBUS, SIGCHLD, SIGCLD, SIGCONT, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGIO, SIGIOT,
   * SIGKILL, SIGPIPE, SIGPOLL, SIGPROF, SIGPWR, SIGQUIT, SIGSEGV, SIGSTKFLT, SIGSTOP, SIGSYS, SIGTERM, SIGTRAP,
   * SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ, SIGRTMIN, SIGRTMIN+1,
   * SIGRTMIN+2, SIGRTMIN+3, SIGRTMIN+4, SIGRTMIN+5, SIGRTMIN+6, SIGRTMIN+7, SIGRTMIN+8, SIGRTMIN+9, SIGRTMIN+10,
   * SIGRTMIN+11, SIGRTMIN+12, SIGRTMIN+13, SIGRTMIN+14, SIGRTMIN+15, SIGRTMAX-14, SIGRTMAX-13, SIGRTMAX-12,
   * SIGRTMAX-11, SIGRTMAX-10, SIGRTMAX-9, SIGRTMAX-8, SIGRTMAX-7, SIGRTMAX-6, SIGRTMAX-5, SIGRTMAX-4, SIGRTMAX-3,
   * SIGRTMAX-2, SIGRTMAX-1, SIGRTMAX.
   */
  readonly stopSignal?: string | undefined;
}

/**
 * Action of a hook. One member is set.
 */
export interface LifecycleHandler {
  readonly $typeName: "k8s.io.api.core.v1.LifecycleHandler";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Runs a command in the container.
   */
  readonly exec?: ExecAction | undefined;

  /**
   * Asks over HTTP.
   */
  readonly httpGet?: HTTPGetAction | undefined;

  /**
   * No longer supported.
   */
  readonly tcpSocket?: TCPSocketAction | undefined;

  /**
   * Waits.
   */
  readonly sleep?: SleepAction | undefined;
}

/**
 * User and groups of the first process of a container.
 */
export interface LinuxContainerUser {
  readonly $typeName: "k8s.io.api.core.v1.LinuxContainerUser";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * User ID.
   */
  readonly uid: bigint;

  /**
   * Primary group ID.
   */
  readonly gid: bigint;

  /**
   * Further group IDs, with those from the image.
   */
  readonly supplementalGroups: readonly bigint[];
}

/**
 * An object in the namespace of the pod.
 */
export interface LocalObjectReference {
  readonly $typeName: "k8s.io.api.core.v1.LocalObjectReference";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the object.
   */
  readonly name: string;
}

/**
 * A directory of an NFS server.
 */
export interface NFSVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.NFSVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Host name or address.
   */
  readonly server: string;

  /**
   * Path on the server.
   */
  readonly path: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * Nodes that a pod wants, by their labels. Changes after it was scheduled have no effect.
 */
export interface NodeAffinity {
  readonly $typeName: "k8s.io.api.core.v1.NodeAffinity";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Labels that a node must have.
   */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;

  /**
   * Labels that make a node better, by weight.
   */
  readonly preferredDuringSchedulingIgnoredDuringExecution: readonly PreferredSchedulingTerm[];
}

/**
 * An amount of one resource that a claim takes.
 */
export interface NodeAllocatableMappedResources {
  readonly $typeName: "k8s.io.api.core.v1.NodeAllocatableMappedResources";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the resource, such as `cpu`.
   * Known values: cpu, memory, storage, ephemeral-storage, pods, services, replicationcontrollers, resourcequotas,
   * secrets, configmaps, persistentvolumeclaims, services.nodeports, services.loadbalancers, requests.cpu,
   * requests.memory, requests.storage, requests.ephemeral-storage, limits.cpu, limits.memory, limits.ephemeral-storage.
   */
  readonly name: string;

  /**
   * Amount of the resource.
   */
  readonly quantity?: Quantity | undefined;
}

/**
 * An amount of one resource that a claim takes besides.
 */
export interface NodeAllocatableOverheadResources {
  readonly $typeName: "k8s.io.api.core.v1.NodeAllocatableOverheadResources";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the resource, such as `memory`.
   * Known values: cpu, memory, storage, ephemeral-storage, pods, services, replicationcontrollers, resourcequotas,
   * secrets, configmaps, persistentvolumeclaims, services.nodeports, services.loadbalancers, requests.cpu,
   * requests.memory, requests.storage, requests.ephemeral-storage, limits.cpu, limits.memory, limits.ephemeral-storage.
   */
  readonly name: string;

  /**
   * Amount for the pod.
   */
  readonly perPod?: Quantity | undefined;

  /**
   * Amount for each container that uses the claim.
   */
  readonly perContainer?: Quantity | undefined;
}

/**
 * Allocatable resources of the node that one resource claim takes.
 */
export interface NodeAllocatableResourceClaimStatus {
  readonly $typeName: "k8s.io.api.core.v1.NodeAllocatableResourceClaimStatus";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the ResourceClaim object.
   */
  readonly resourceClaimName: string;

  /**
   * Names of the containers that use the claim.
   */
  readonly containers: readonly string[];

  /**
   * Amounts by resource, in kubelets of 1.36. Later ones have `mapping`.
   */
  readonly resources: { readonly [key: string]: Quantity };

  /**
   * Amounts by resource.
   */
  readonly mapping: readonly NodeAllocatableMappedResources[];

  /**
   * Amounts that are taken besides, by resource.
   */
  readonly overhead: readonly NodeAllocatableOverheadResources[];
}

/**
 * Nodes of which at least one term is true.
 */
export interface NodeSelector {
  readonly $typeName: "k8s.io.api.core.v1.NodeSelector";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The terms.
   */
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/**
 * A statement about one label or field of a node.
 */
export interface NodeSelectorRequirement {
  readonly $typeName: "k8s.io.api.core.v1.NodeSelectorRequirement";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Key of the label or field.
   */
  readonly key: string;

  /**
   * How it is compared.
   * Known values: In, NotIn, Exists, DoesNotExist, Gt, Lt.
   */
  readonly operator: string;

  /**
   * Values to compare with.
   */
  readonly values: readonly string[];
}

/**
 * Nodes for which all is true that stands here.
 */
export interface NodeSelectorTerm {
  readonly $typeName: "k8s.io.api.core.v1.NodeSelectorTerm";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * About labels of the node.
   */
  readonly matchExpressions: readonly NodeSelectorRequirement[];

  /**
   * About fields of the node, of which there is `metadata.name`.
   */
  readonly matchFields: readonly NodeSelectorRequirement[];
}

/**
 * A field of the pod.
 */
export interface ObjectFieldSelector {
  readonly $typeName: "k8s.io.api.core.v1.ObjectFieldSelector";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Version of the API in which the path is written.
   */
  readonly apiVersion: string;

  /**
   * Path of the field, such as `metadata.name`.
   */
  readonly fieldPath: string;
}

/**
 * Size, class and access that a PersistentVolumeClaim asks for.
 */
export interface PersistentVolumeClaimSpec {
  readonly $typeName: "k8s.io.api.core.v1.PersistentVolumeClaimSpec";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Ways in which nodes and pods may mount the volume.
   * Known values: ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod.
   */
  readonly accessModes: readonly string[];

  /**
   * Labels of volumes that come into question.
   */
  readonly selector?: LabelSelector | undefined;

  /**
   * Size.
   */
  readonly resources?: VolumeResourceRequirements | undefined;

  /**
   * Volume that is meant.
   */
  readonly volumeName: string;

  /**
   * StorageClass that makes it.
   */
  readonly storageClassName?: string | undefined;

  /**
   * Whether it is a file system or a block device.
   * Known values: Block, Filesystem.
   */
  readonly volumeMode?: string | undefined;

  /**
   * Object that it is filled from.
   */
  readonly dataSource?: TypedLocalObjectReference | undefined;

  /**
   * Object that it is filled from, of more kinds.
   */
  readonly dataSourceRef?: TypedObjectReference | undefined;

  /**
   * VolumeAttributesClass that sets its properties.
   */
  readonly volumeAttributesClassName?: string | undefined;
}

/**
 * A claim that is to be made.
 */
export interface PersistentVolumeClaimTemplate {
  readonly $typeName: "k8s.io.api.core.v1.PersistentVolumeClaimTemplate";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Labels and annotations of the claim.
   */
  readonly metadata?: ObjectMeta | undefined;

  /**
   * Size, class and access of the claim.
   */
  readonly spec?: PersistentVolumeClaimSpec | undefined;
}

/**
 * The volume of a PersistentVolumeClaim.
 */
export interface PersistentVolumeClaimVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.PersistentVolumeClaimVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the claim, in the namespace of the pod.
   */
  readonly claimName: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * A disk of Photon, which is no longer supported.
 */
export interface PhotonPersistentDiskVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.PhotonPersistentDiskVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * ID of the disk.
   */
  readonly pdID: string;

  /**
   * File system on it.
   */
  readonly fsType: string;
}

/**
 * One pod as the kubelet knows it, which is what was asked for and what has become of it.
 */
export interface Pod {
  readonly $typeName: "k8s.io.api.core.v1.Pod";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Identity of the pod. Its name, UID, labels, annotations and owner.
   */
  readonly metadata: ObjectMeta;

  /**
   * Desired state. After a resize that the kubelet has not allocated yet, it may be ahead of what runs.
   */
  readonly spec: PodSpec;

  /**
   * Observed state. Believe it, and not the spec, about what runs.
   */
  readonly status: PodStatus;
}

/**
 * Pods that a pod wants to be near. Changes after it was scheduled have no effect.
 */
export interface PodAffinity {
  readonly $typeName: "k8s.io.api.core.v1.PodAffinity";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Terms that must be true.
   */
  readonly requiredDuringSchedulingIgnoredDuringExecution: readonly PodAffinityTerm[];

  /**
   * Terms that make a node better, by weight.
   */
  readonly preferredDuringSchedulingIgnoredDuringExecution: readonly WeightedPodAffinityTerm[];
}

/**
 * A set of pods, and what near means.
 */
export interface PodAffinityTerm {
  readonly $typeName: "k8s.io.api.core.v1.PodAffinityTerm";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Labels of the pods.
   */
  readonly labelSelector?: LabelSelector | undefined;

  /**
   * Namespaces of the pods. Where this is empty and `namespaceSelector` is absent, that of the pod.
   */
  readonly namespaces: readonly string[];

  /**
   * Label of nodes that are near where its value is the same.
   */
  readonly topologyKey: string;

  /**
   * Namespaces of the pods, by their labels. An empty one means all namespaces.
   */
  readonly namespaceSelector?: LabelSelector | undefined;

  /**
   * Labels whose value must be that of this pod.
   */
  readonly matchLabelKeys: readonly string[];

  /**
   * Labels whose value must not be that of this pod.
   */
  readonly mismatchLabelKeys: readonly string[];
}

/**
 * Pods that a pod wants to be away from. Changes after it was scheduled have no effect.
 */
export interface PodAntiAffinity {
  readonly $typeName: "k8s.io.api.core.v1.PodAntiAffinity";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Pods that must not be near.
   */
  readonly requiredDuringSchedulingIgnoredDuringExecution: readonly PodAffinityTerm[];

  /**
   * Pods that make a node worse, by weight.
   */
  readonly preferredDuringSchedulingIgnoredDuringExecution: readonly WeightedPodAffinityTerm[];
}

/**
 * A key and a certificate that is issued for the pod and renewed.
 */
export interface PodCertificateProjection {
  readonly $typeName: "k8s.io.api.core.v1.PodCertificateProjection";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Signer that issues it.
   */
  readonly signerName: string;

  /**
   * Kind of key.
   */
  readonly keyType: string;

  /**
   * The longest validity that is accepted.
   */
  readonly maxExpirationSeconds?: number | undefined;

  /**
   * File with key and certificates.
   */
  readonly credentialBundlePath: string;

  /**
   * File with the key alone.
   */
  readonly keyPath: string;

  /**
   * File with the certificates alone.
   */
  readonly certificateChainPath: string;

  /**
   * Further statements for the signer.
   */
  readonly userAnnotations: { readonly [key: string]: string };

  /**
   * Owner of the files.
   */
  readonly user?: bigint | undefined;
}

/**
 * One statement about a pod that is true, false or unknown.
 */
export interface PodCondition {
  readonly $typeName: "k8s.io.api.core.v1.PodCondition";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Subject of the condition, such as `Ready`, or a name that a readiness gate has.
   * Known values: ContainersReady, Initialized, Ready, PodScheduled, DisruptionTarget, PodReadyToStartContainers,
   * PodResizePending, PodResizeInProgress, AllContainersRestarting.
   */
  readonly type: string;

  /**
   * Generation of the spec that the condition is about.
   */
  readonly observedGeneration: bigint;

  /**
   * Whether it holds.
   * Known values: True, False, Unknown.
   */
  readonly status: string;

  /**
   * Hardly ever set.
   */
  readonly lastProbeTime?: Time | undefined;

  /**
   * When the status last changed. For a static pod it begins anew with each kubelet process.
   */
  readonly lastTransitionTime?: Time | undefined;

  /**
   * One word on why, such as `ContainersNotReady`.
   */
  readonly reason: string;

  /**
   * A sentence for people on why.
   */
  readonly message: string;
}

/**
 * DNS settings of a pod.
 */
export interface PodDNSConfig {
  readonly $typeName: "k8s.io.api.core.v1.PodDNSConfig";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Addresses of DNS servers.
   */
  readonly nameservers: readonly string[];

  /**
   * Domains that are searched.
   */
  readonly searches: readonly string[];

  /**
   * Options of the resolver.
   */
  readonly options: readonly PodDNSConfigOption[];
}

/**
 * One option of the resolver.
 */
export interface PodDNSConfigOption {
  readonly $typeName: "k8s.io.api.core.v1.PodDNSConfigOption";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the option.
   */
  readonly name: string;

  /**
   * Its value, if it has one.
   */
  readonly value?: string | undefined;
}

/**
 * The ResourceClaim that was made for extended resources of the pod.
 */
export interface PodExtendedResourceClaimStatus {
  readonly $typeName: "k8s.io.api.core.v1.PodExtendedResourceClaimStatus";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Requests of the claim, with the resource and the container that each stands for.
   */
  readonly requestMappings: readonly ContainerExtendedResourceRequest[];

  /**
   * Name of the ResourceClaim object.
   */
  readonly resourceClaimName: string;
}

/**
 * One address of a pod.
 */
export interface PodIP {
  readonly $typeName: "k8s.io.api.core.v1.PodIP";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The address, IPv4 or IPv6.
   */
  readonly ip: string;
}

/**
 * An operating system.
 */
export interface PodOS {
  readonly $typeName: "k8s.io.api.core.v1.PodOS";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Its name.
   * Known values: linux, windows.
   */
  readonly name: string;
}

/**
 * A condition that must be True for the pod to be Ready.
 */
export interface PodReadinessGate {
  readonly $typeName: "k8s.io.api.core.v1.PodReadinessGate";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Type of the condition.
   * Known values: ContainersReady, Initialized, Ready, PodScheduled, DisruptionTarget, PodReadyToStartContainers,
   * PodResizePending, PodResizeInProgress, AllContainersRestarting.
   */
  readonly conditionType: string;
}

/**
 * A claim of dynamic resource allocation.
 */
export interface PodResourceClaim {
  readonly $typeName: "k8s.io.api.core.v1.PodResourceClaim";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name by which containers mean it.
   */
  readonly name: string;

  /**
   * ResourceClaim object that it is.
   */
  readonly resourceClaimName?: string | undefined;

  /**
   * Template from which a ResourceClaim is made for the pod.
   */
  readonly resourceClaimTemplateName?: string | undefined;
}

/**
 * The ResourceClaim behind one claim of the spec.
 */
export interface PodResourceClaimStatus {
  readonly $typeName: "k8s.io.api.core.v1.PodResourceClaimStatus";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the claim in the spec of the pod.
   */
  readonly name: string;

  /**
   * Name of the ResourceClaim object. It is absent where none was needed.
   */
  readonly resourceClaimName?: string | undefined;
}

/**
 * A reason not to schedule the pod yet.
 */
export interface PodSchedulingGate {
  readonly $typeName: "k8s.io.api.core.v1.PodSchedulingGate";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the gate.
   */
  readonly name: string;
}

/**
 * A group of pods that are scheduled together.
 */
export interface PodSchedulingGroup {
  readonly $typeName: "k8s.io.api.core.v1.PodSchedulingGroup";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the PodGroup object.
   */
  readonly podGroupName?: string | undefined;
}

/**
 * User and rights of all containers of a pod.
 */
export interface PodSecurityContext {
  readonly $typeName: "k8s.io.api.core.v1.PodSecurityContext";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * SELinux label.
   */
  readonly seLinuxOptions?: SELinuxOptions | undefined;

  /**
   * Settings on Windows.
   */
  readonly windowsOptions?: WindowsSecurityContextOptions | undefined;

  /**
   * User ID.
   */
  readonly runAsUser?: bigint | undefined;

  /**
   * Primary group ID.
   */
  readonly runAsGroup?: bigint | undefined;

  /**
   * True if no container is started as user 0.
   */
  readonly runAsNonRoot?: boolean | undefined;

  /**
   * Further group IDs.
   */
  readonly supplementalGroups: readonly bigint[];

  /**
   * Whether groups from the image are added.
   * Known values: Merge, Strict.
   */
  readonly supplementalGroupsPolicy?: string | undefined;

  /**
   * Group that owns the volumes.
   */
  readonly fsGroup?: bigint | undefined;

  /**
   * Kernel settings of the pod's namespaces.
   */
  readonly sysctls: readonly Sysctl[];

  /**
   * When the owner of files in volumes is changed.
   * Known values: OnRootMismatch, Always.
   */
  readonly fsGroupChangePolicy?: string | undefined;

  /**
   * System calls that are allowed.
   */
  readonly seccompProfile?: SeccompProfile | undefined;

  /**
   * AppArmor profile.
   */
  readonly appArmorProfile?: AppArmorProfile | undefined;

  /**
   * How volumes get the SELinux label.
   * Known values: Recursive, MountOption.
   */
  readonly seLinuxChangePolicy?: string | undefined;
}

/**
 * Desired state of a pod.
 */
export interface PodSpec {
  readonly $typeName: "k8s.io.api.core.v1.PodSpec";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Volumes that containers may mount.
   */
  readonly volumes: readonly Volume[];

  /**
   * Containers that run one after the other before the main ones. With `restartPolicy` `Always` they are sidecars,
   * which run on.
   */
  readonly initContainers: readonly Container[];

  /**
   * Main containers.
   */
  readonly containers: readonly Container[];

  /**
   * Containers that were added to the running pod for debugging.
   */
  readonly ephemeralContainers: readonly EphemeralContainer[];

  /**
   * Whether containers are started again when they end.
   * Known values: Always, OnFailure, Never.
   */
  readonly restartPolicy: string;

  /**
   * Seconds that containers have to end after SIGTERM, before SIGKILL.
   */
  readonly terminationGracePeriodSeconds?: bigint | undefined;

  /**
   * Seconds after which the pod is failed, whatever it does.
   */
  readonly activeDeadlineSeconds?: bigint | undefined;

  /**
   * Where containers find DNS.
   * Known values: ClusterFirstWithHostNet, ClusterFirst, Default, None.
   */
  readonly dnsPolicy: string;

  /**
   * Labels that a node must have to be chosen.
   */
  readonly nodeSelector: { readonly [key: string]: string };

  /**
   * Service account as which the pod speaks to the API server.
   */
  readonly serviceAccountName: string;

  /**
   * Old name of `serviceAccountName`, with the same value.
   */
  readonly serviceAccount: string;

  /**
   * False if no token of the service account is mounted.
   */
  readonly automountServiceAccountToken?: boolean | undefined;

  /**
   * Node that the pod runs on.
   */
  readonly nodeName: string;

  /**
   * True if the pod has the network of the node, and no address of its own.
   */
  readonly hostNetwork: boolean;

  /**
   * True if its processes see those of the node.
   */
  readonly hostPID: boolean;

  /**
   * True if it shares IPC with the node.
   */
  readonly hostIPC: boolean;

  /**
   * True if its containers see each other's processes.
   */
  readonly shareProcessNamespace?: boolean | undefined;

  /**
   * User, groups and more for all containers.
   */
  readonly securityContext?: PodSecurityContext | undefined;

  /**
   * Secrets with which images are pulled.
   */
  readonly imagePullSecrets: readonly LocalObjectReference[];

  /**
   * Host name in the pod. Where empty, the name of the pod.
   */
  readonly hostname: string;

  /**
   * Domain of the pod below its namespace, for a headless Service.
   */
  readonly subdomain: string;

  /**
   * Nodes and pods that it wants to be near, or away from.
   */
  readonly affinity?: Affinity | undefined;

  /**
   * Scheduler that places it.
   */
  readonly schedulerName: string;

  /**
   * Taints of nodes that it bears.
   */
  readonly tolerations: readonly Toleration[];

  /**
   * Lines that the kubelet adds to the pod's hosts file.
   */
  readonly hostAliases: readonly HostAlias[];

  /**
   * Name of its priority class.
   */
  readonly priorityClassName: string;

  /**
   * Number of that priority class. Static pods have none here.
   */
  readonly priority?: number | undefined;

  /**
   * DNS settings that are added to those of `dnsPolicy`.
   */
  readonly dnsConfig?: PodDNSConfig | undefined;

  /**
   * Conditions that must be True for the pod to be Ready, besides its containers.
   */
  readonly readinessGates: readonly PodReadinessGate[];

  /**
   * RuntimeClass with which it runs, such as one of a sandboxed runtime.
   */
  readonly runtimeClassName?: string | undefined;

  /**
   * False if no environment variables for Services are made, but for those of `kubernetes`.
   */
  readonly enableServiceLinks?: boolean | undefined;

  /**
   * Whether it may push pods of lower priority out.
   * Known values: PreemptLowerPriority, Never.
   */
  readonly preemptionPolicy?: string | undefined;

  /**
   * Resources that the runtime takes for the pod itself.
   */
  readonly overhead: { readonly [key: string]: Quantity };

  /**
   * How it is spread over zones, nodes or the like.
   */
  readonly topologySpreadConstraints: readonly TopologySpreadConstraint[];

  /**
   * True if the host name in the pod is the whole domain name.
   */
  readonly setHostnameAsFQDN?: boolean | undefined;

  /**
   * Operating system that it needs.
   */
  readonly os?: PodOS | undefined;

  /**
   * False if it has a user namespace of its own.
   */
  readonly hostUsers?: boolean | undefined;

  /**
   * Names that must go before it is scheduled.
   */
  readonly schedulingGates: readonly PodSchedulingGate[];

  /**
   * Claims of dynamic resource allocation that containers can use.
   */
  readonly resourceClaims: readonly PodResourceClaim[];

  /**
   * Requests and limits of the pod as a whole.
   */
  readonly resources?: ResourceRequirements | undefined;

  /**
   * Host name in the pod, taken as it is.
   */
  readonly hostnameOverride?: string | undefined;

  /**
   * Group of pods that are scheduled together.
   */
  readonly schedulingGroup?: PodSchedulingGroup | undefined;

  /**
   * Programs that are asked before the pod is evicted.
   */
  readonly evictionResponders: readonly EvictionResponder[];
}

/**
 * Observed state of a pod, as this kubelet sees it now.
 */
export interface PodStatus {
  readonly $typeName: "k8s.io.api.core.v1.PodStatus";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Generation of the spec that the status is about.
   */
  readonly observedGeneration: bigint;

  /**
   * Where the pod stands as a whole. `Succeeded` and `Failed` are final by contract, but containers may still run for a
   * moment; take `isFinished`.
   * Known values: Pending, Running, Succeeded, Failed, Unknown.
   */
  readonly phase: string;

  /**
   * Statements about the pod that are true or false at the moment, such as `Ready`.
   */
  readonly conditions: readonly PodCondition[];

  /**
   * A sentence for people on why the pod stands as it does.
   */
  readonly message: string;

  /**
   * One word on why it stands as it does, such as `Evicted`.
   */
  readonly reason: string;

  /**
   * Node on which the scheduler is making room for the pod.
   */
  readonly nominatedNodeName: string;

  /**
   * Address of the node.
   */
  readonly hostIP: string;

  /**
   * Addresses of the node, one of each family.
   */
  readonly hostIPs: readonly HostIP[];

  /**
   * First of `podIPs`. A pod on the host's network has the address of the node.
   */
  readonly podIP: string;

  /**
   * Addresses of the pod, one of each family at most. They stay here after the pod has finished, when other pods may
   * have them; take an informer's `find` for whose an address is.
   */
  readonly podIPs: readonly PodIP[];

  /**
   * When the kubelet acknowledged the pod. For a static pod it begins anew with each kubelet process.
   */
  readonly startTime?: Time | undefined;

  /**
   * State of each init container and sidecar.
   */
  readonly initContainerStatuses: readonly ContainerStatus[];

  /**
   * State of each main container.
   */
  readonly containerStatuses: readonly ContainerStatus[];

  /**
   * Class by which the pod is evicted when resources run out. It never changes.
   * Known values: Guaranteed, Burstable, BestEffort.
   */
  readonly qosClass: string;

  /**
   * State of each container that was added for debugging.
   */
  readonly ephemeralContainerStatuses: readonly ContainerStatus[];

  /**
   * How far a resize is. Kubelets of today tell it by conditions.
   * Known values: InProgress, Deferred, Infeasible.
   */
  readonly resize: string;

  /**
   * ResourceClaims that were made for the claims that the spec has by template.
   */
  readonly resourceClaimStatuses: readonly PodResourceClaimStatus[];

  /**
   * The claim that dynamic resource allocation made for the pod's extended resources.
   */
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;

  /**
   * Resources that the pod as a whole has been allocated, where its spec has resources for the whole pod.
   */
  readonly allocatedResources: { readonly [key: string]: Quantity };

  /**
   * Resources that are in effect for the pod as a whole, where its spec has resources for the whole pod.
   */
  readonly resources?: ResourceRequirements | undefined;

  /**
   * CPUs and memory of the node that resource claims take.
   */
  readonly nodeAllocatableResourceClaimStatuses: readonly NodeAllocatableResourceClaimStatus[];

  /**
   * Health of the volumes of the pod, where a driver reports it.
   */
  readonly volumeHealth: readonly PodVolumeHealth[];
}

/**
 * Health of one volume.
 */
export interface PodVolumeHealth {
  readonly $typeName: "k8s.io.api.core.v1.PodVolumeHealth";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the volume in the spec.
   */
  readonly name: string;

  /**
   * Problems of the volume.
   */
  readonly healthConditions: readonly VolumeHealthCondition[];

  /**
   * When that last changed.
   */
  readonly lastTransitionTime?: Time | undefined;
}

/**
 * A volume of Portworx, which CSI has replaced.
 */
export interface PortworxVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.PortworxVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * ID of the volume.
   */
  readonly volumeID: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * Nodes that are better than others.
 */
export interface PreferredSchedulingTerm {
  readonly $typeName: "k8s.io.api.core.v1.PreferredSchedulingTerm";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * How much better, from 1 to 100.
   */
  readonly weight: number;

  /**
   * Labels of the better nodes.
   */
  readonly preference?: NodeSelectorTerm | undefined;
}

/**
 * A check that the kubelet makes of a container.
 */
export interface Probe {
  readonly $typeName: "k8s.io.api.core.v1.Probe";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Action of the probe. In YAML its keys stand at the level above.
   */
  readonly handler?: ProbeHandler | undefined;

  /**
   * Seconds after the start of the container before the first check.
   */
  readonly initialDelaySeconds: number;

  /**
   * Seconds that a check may take. Kubernetes fills in 1.
   */
  readonly timeoutSeconds: number;

  /**
   * Seconds between two checks. Kubernetes fills in 10.
   */
  readonly periodSeconds: number;

  /**
   * Number of checks in a row that must pass after a failure. Kubernetes fills in 1.
   */
  readonly successThreshold: number;

  /**
   * Number of checks in a row that must fail. Kubernetes fills in 3.
   */
  readonly failureThreshold: number;

  /**
   * Grace period where this check has the container killed. Absent for that of the pod.
   */
  readonly terminationGracePeriodSeconds?: bigint | undefined;
}

/**
 * Action of a probe. One member is set.
 */
export interface ProbeHandler {
  readonly $typeName: "k8s.io.api.core.v1.ProbeHandler";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Runs a command in the container.
   */
  readonly exec?: ExecAction | undefined;

  /**
   * Asks over HTTP.
   */
  readonly httpGet?: HTTPGetAction | undefined;

  /**
   * Opens a connection.
   */
  readonly tcpSocket?: TCPSocketAction | undefined;

  /**
   * Asks gRPC's health service.
   */
  readonly grpc?: GRPCAction | undefined;
}

/**
 * Several sources in one directory.
 */
export interface ProjectedVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.ProjectedVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The sources.
   */
  readonly sources: readonly VolumeProjection[];

  /**
   * Permissions of files that say no other.
   */
  readonly defaultMode?: number | undefined;

  /**
   * Owner of files that say no other.
   */
  readonly defaultUser?: bigint | undefined;
}

/**
 * A volume of Quobyte, which is no longer supported.
 */
export interface QuobyteVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.QuobyteVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Addresses of the registry.
   */
  readonly registry: string;

  /**
   * Name of the volume.
   */
  readonly volume: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;

  /**
   * User that it is mounted as.
   */
  readonly user: string;

  /**
   * Group that it is mounted as.
   */
  readonly group: string;

  /**
   * Tenant that owns it.
   */
  readonly tenant: string;
}

/**
 * A block device of Ceph, which is no longer supported.
 */
export interface RBDVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.RBDVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Addresses of the monitors.
   */
  readonly monitors: readonly string[];

  /**
   * Name of the image.
   */
  readonly image: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * Pool of the image.
   */
  readonly pool: string;

  /**
   * User of Ceph.
   */
  readonly user: string;

  /**
   * File with the user's key.
   */
  readonly keyring: string;

  /**
   * Secret with the user's key.
   */
  readonly secretRef?: LocalObjectReference | undefined;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * A claim of the pod that a container uses.
 */
export interface ResourceClaim {
  readonly $typeName: "k8s.io.api.core.v1.ResourceClaim";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the claim in the spec of the pod.
   */
  readonly name: string;

  /**
   * One request of the claim. Where empty, all of it.
   */
  readonly request: string;
}

/**
 * A request or limit of a container.
 */
export interface ResourceFieldSelector {
  readonly $typeName: "k8s.io.api.core.v1.ResourceFieldSelector";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Container it is of. Variables may leave it out, for their own.
   */
  readonly containerName: string;

  /**
   * Request or limit that is meant, such as `limits.cpu`.
   */
  readonly resource: string;

  /**
   * Unit in which it is given.
   */
  readonly divisor?: Quantity | undefined;
}

/**
 * Health of one device.
 */
export interface ResourceHealth {
  readonly $typeName: "k8s.io.api.core.v1.ResourceHealth";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * ID of the device, as its driver names it.
   */
  readonly resourceID: string;

  /**
   * Whether the device works.
   * Known values: Healthy, Unhealthy, Unknown.
   */
  readonly health: string;

  /**
   * A sentence for people.
   */
  readonly message?: string | undefined;
}

/**
 * Amounts that a container, or a pod, asks for and may not exceed.
 */
export interface ResourceRequirements {
  readonly $typeName: "k8s.io.api.core.v1.ResourceRequirements";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The most it may use, by resource.
   */
  readonly limits: { readonly [key: string]: Quantity };

  /**
   * Amounts that the scheduler sets aside for it, by resource.
   */
  readonly requests: { readonly [key: string]: Quantity };

  /**
   * Claims of the pod that this container uses.
   */
  readonly claims: readonly ResourceClaim[];
}

/**
 * Health of the devices of one resource that a container has.
 */
export interface ResourceStatus {
  readonly $typeName: "k8s.io.api.core.v1.ResourceStatus";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Resource of a device plugin, such as `nvidia.com/gpu`, or `claim:NAME/REQUEST` for dynamic resource allocation.
   * Known values: cpu, memory, storage, ephemeral-storage, pods, services, replicationcontrollers, resourcequotas,
   * secrets, configmaps, persistentvolumeclaims, services.nodeports, services.loadbalancers, requests.cpu,
   * requests.memory, requests.storage, requests.ephemeral-storage, limits.cpu, limits.memory, limits.ephemeral-storage.
   */
  readonly name: string;

  /**
   * Health of each device.
   */
  readonly resources: readonly ResourceHealth[];
}

/**
 * The parts of an SELinux label.
 */
export interface SELinuxOptions {
  readonly $typeName: "k8s.io.api.core.v1.SELinuxOptions";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * User of the label.
   */
  readonly user: string;

  /**
   * Role of the label.
   */
  readonly role: string;

  /**
   * Type of the label, such as `spc_t`.
   */
  readonly type: string;

  /**
   * Level of the label.
   */
  readonly level: string;
}

/**
 * A volume of ScaleIO, which is no longer supported.
 */
export interface ScaleIOVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.ScaleIOVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Address of the gateway.
   */
  readonly gateway: string;

  /**
   * Name of the system.
   */
  readonly system: string;

  /**
   * Secret with the login.
   */
  readonly secretRef?: LocalObjectReference | undefined;

  /**
   * True if the gateway is spoken to over TLS.
   */
  readonly sslEnabled: boolean;

  /**
   * Name of the protection domain.
   */
  readonly protectionDomain: string;

  /**
   * Name of the pool.
   */
  readonly storagePool: string;

  /**
   * Whether it is thick or thin.
   */
  readonly storageMode: string;

  /**
   * Name of the volume.
   */
  readonly volumeName: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;
}

/**
 * A seccomp profile.
 */
export interface SeccompProfile {
  readonly $typeName: "k8s.io.api.core.v1.SeccompProfile";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Kind of profile. The runtime's, none, or one of the node.
   * Known values: Unconfined, RuntimeDefault, Localhost.
   */
  readonly type: string;

  /**
   * File below the kubelet's directory of profiles.
   */
  readonly localhostProfile?: string | undefined;
}

/**
 * A Secret whose keys become variables.
 */
export interface SecretEnvSource {
  readonly $typeName: "k8s.io.api.core.v1.SecretEnvSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Its name. In YAML this key stands at the level above.
   */
  readonly localObjectReference?: LocalObjectReference | undefined;

  /**
   * True if it may be missing.
   */
  readonly optional?: boolean | undefined;
}

/**
 * One key of a Secret.
 */
export interface SecretKeySelector {
  readonly $typeName: "k8s.io.api.core.v1.SecretKeySelector";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Its name. In YAML this key stands at the level above.
   */
  readonly localObjectReference?: LocalObjectReference | undefined;

  /**
   * The key.
   */
  readonly key: string;

  /**
   * True if it may be missing.
   */
  readonly optional?: boolean | undefined;
}

/**
 * Keys of a Secret in a projected volume.
 */
export interface SecretProjection {
  readonly $typeName: "k8s.io.api.core.v1.SecretProjection";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Its name. In YAML this key stands at the level above.
   */
  readonly localObjectReference?: LocalObjectReference | undefined;

  /**
   * Keys that become files. Where empty, all.
   */
  readonly items: readonly KeyToPath[];

  /**
   * True if the Secret or its keys may be missing.
   */
  readonly optional?: boolean | undefined;
}

/**
 * Keys of a Secret as files.
 */
export interface SecretVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.SecretVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the Secret.
   */
  readonly secretName: string;

  /**
   * Keys that become files. Where empty, all.
   */
  readonly items: readonly KeyToPath[];

  /**
   * Permissions of files that say no other.
   */
  readonly defaultMode?: number | undefined;

  /**
   * True if the Secret or its keys may be missing.
   */
  readonly optional?: boolean | undefined;

  /**
   * Owner of files that say no other.
   */
  readonly defaultUser?: bigint | undefined;
}

/**
 * User and rights of a container. Settings that are absent are as in the pod's, or as in the image.
 */
export interface SecurityContext {
  readonly $typeName: "k8s.io.api.core.v1.SecurityContext";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Capabilities that are added to or taken from those of the runtime.
   */
  readonly capabilities?: Capabilities | undefined;

  /**
   * True if it may do nearly all that root on the node may.
   */
  readonly privileged?: boolean | undefined;

  /**
   * SELinux label.
   */
  readonly seLinuxOptions?: SELinuxOptions | undefined;

  /**
   * Settings on Windows.
   */
  readonly windowsOptions?: WindowsSecurityContextOptions | undefined;

  /**
   * User ID.
   */
  readonly runAsUser?: bigint | undefined;

  /**
   * Primary group ID.
   */
  readonly runAsGroup?: bigint | undefined;

  /**
   * True if it is not started as user 0.
   */
  readonly runAsNonRoot?: boolean | undefined;

  /**
   * True if its root is read-only.
   */
  readonly readOnlyRootFilesystem?: boolean | undefined;

  /**
   * False if its processes cannot gain privileges, by setuid for example.
   */
  readonly allowPrivilegeEscalation?: boolean | undefined;

  /**
   * Whether parts of `/proc` are hidden.
   * Known values: Default, Unmasked.
   */
  readonly procMount?: string | undefined;

  /**
   * System calls that are allowed.
   */
  readonly seccompProfile?: SeccompProfile | undefined;

  /**
   * AppArmor profile.
   */
  readonly appArmorProfile?: AppArmorProfile | undefined;
}

/**
 * A token of the pod's service account, which the kubelet renews.
 */
export interface ServiceAccountTokenProjection {
  readonly $typeName: "k8s.io.api.core.v1.ServiceAccountTokenProjection";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Receiver that the token is for. Where empty, the API server.
   */
  readonly audience: string;

  /**
   * How long a token is valid.
   */
  readonly expirationSeconds?: bigint | undefined;

  /**
   * Path of the file.
   */
  readonly path: string;

  /**
   * Owner of the file.
   */
  readonly user?: bigint | undefined;
}

/**
 * A pause.
 */
export interface SleepAction {
  readonly $typeName: "k8s.io.api.core.v1.SleepAction";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Seconds that it waits.
   */
  readonly seconds: bigint;
}

/**
 * A volume of StorageOS, which is no longer supported.
 */
export interface StorageOSVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.StorageOSVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the volume.
   */
  readonly volumeName: string;

  /**
   * Namespace of the volume.
   */
  readonly volumeNamespace: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * True if it is mounted read-only.
   */
  readonly readOnly: boolean;

  /**
   * Secret with the login.
   */
  readonly secretRef?: LocalObjectReference | undefined;
}

/**
 * One kernel setting.
 */
export interface Sysctl {
  readonly $typeName: "k8s.io.api.core.v1.Sysctl";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the setting.
   */
  readonly name: string;

  /**
   * Its value.
   */
  readonly value: string;
}

/**
 * A connection over TCP.
 */
export interface TCPSocketAction {
  readonly $typeName: "k8s.io.api.core.v1.TCPSocketAction";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Port, by number or by name.
   */
  readonly port?: IntOrString | undefined;

  /**
   * Host that is dialled. Where empty, the pod.
   */
  readonly host: string;
}

/**
 * A taint of nodes that the pod bears.
 */
export interface Toleration {
  readonly $typeName: "k8s.io.api.core.v1.Toleration";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Key of the taint. Where empty, with `Exists`, all keys.
   */
  readonly key: string;

  /**
   * How the value is compared.
   * Known values: Exists, Equal, Lt, Gt.
   */
  readonly operator: string;

  /**
   * Value of the taint.
   */
  readonly value: string;

  /**
   * Effect of the taint. Where empty, all effects.
   * Known values: NoSchedule, PreferNoSchedule, NoExecute.
   */
  readonly effect: string;

  /**
   * Seconds that the pod may stay after a NoExecute taint came. Absent for as long as it likes.
   */
  readonly tolerationSeconds?: bigint | undefined;
}

/**
 * How evenly pods are spread.
 */
export interface TopologySpreadConstraint {
  readonly $typeName: "k8s.io.api.core.v1.TopologySpreadConstraint";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * How many more pods one domain may have than another.
   */
  readonly maxSkew: number;

  /**
   * Label of nodes whose values are the domains.
   */
  readonly topologyKey: string;

  /**
   * Action where the constraint cannot be kept.
   * Known values: DoNotSchedule, ScheduleAnyway.
   */
  readonly whenUnsatisfiable: string;

  /**
   * Pods that are counted.
   */
  readonly labelSelector?: LabelSelector | undefined;

  /**
   * Number of domains to spread over. Where there are fewer, the missing ones count as empty.
   */
  readonly minDomains?: number | undefined;

  /**
   * Whether nodes that the affinity excludes count.
   * Known values: Ignore, Honor.
   */
  readonly nodeAffinityPolicy?: string | undefined;

  /**
   * Whether nodes whose taints the pod does not bear count.
   * Known values: Ignore, Honor.
   */
  readonly nodeTaintsPolicy?: string | undefined;

  /**
   * Labels whose value must be that of this pod.
   */
  readonly matchLabelKeys: readonly string[];
}

/**
 * An object of any kind in the namespace of the pod.
 */
export interface TypedLocalObjectReference {
  readonly $typeName: "k8s.io.api.core.v1.TypedLocalObjectReference";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * API group of its kind. Absent for the core group.
   */
  readonly apiGroup?: string | undefined;

  /**
   * Its kind.
   */
  readonly kind: string;

  /**
   * Name of the object.
   */
  readonly name: string;
}

/**
 * An object of any kind.
 */
export interface TypedObjectReference {
  readonly $typeName: "k8s.io.api.core.v1.TypedObjectReference";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * API group of its kind. Absent for the core group.
   */
  readonly apiGroup?: string | undefined;

  /**
   * Its kind.
   */
  readonly kind: string;

  /**
   * Name of the object.
   */
  readonly name: string;

  /**
   * Namespace of the object. Absent for that of the pod.
   */
  readonly namespace?: string | undefined;
}

/**
 * A volume that containers of the pod may mount.
 */
export interface Volume {
  readonly $typeName: "k8s.io.api.core.v1.Volume";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the volume, unique in the pod.
   */
  readonly name: string;

  /**
   * Kind and settings of the volume. In YAML its keys stand at the level above.
   */
  readonly volumeSource?: VolumeSource | undefined;
}

/**
 * A volume as a block device in a container.
 */
export interface VolumeDevice {
  readonly $typeName: "k8s.io.api.core.v1.VolumeDevice";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the volume.
   */
  readonly name: string;

  /**
   * Path of the device in the container.
   */
  readonly devicePath: string;
}

/**
 * One thing that is wrong with a volume.
 */
export interface VolumeHealthCondition {
  readonly $typeName: "k8s.io.api.core.v1.VolumeHealthCondition";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Kind of problem, as one of a few words.
   * Known values: Inaccessible, DataLoss, Degraded.
   */
  readonly status: string;

  /**
   * One word of the driver.
   */
  readonly reason: string;

  /**
   * A sentence for people.
   */
  readonly message: string;
}

/**
 * A volume, or a part of one, in a container.
 */
export interface VolumeMount {
  readonly $typeName: "k8s.io.api.core.v1.VolumeMount";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the volume.
   */
  readonly name: string;

  /**
   * True if the container cannot write to it.
   */
  readonly readOnly: boolean;

  /**
   * Whether mounts below it are read-only, too.
   * Known values: Disabled, IfPossible, Enabled.
   */
  readonly recursiveReadOnly?: string | undefined;

  /**
   * Where it is in the container.
   */
  readonly mountPath: string;

  /**
   * Path in the volume that is mounted. Where empty, its root.
   */
  readonly subPath: string;

  /**
   * Whether mounts that are made later are passed between node and container.
   * Known values: None, HostToContainer, Bidirectional.
   */
  readonly mountPropagation?: string | undefined;

  /**
   * Path in the volume, with variables to be replaced.
   */
  readonly subPathExpr: string;

  /**
   * Further options of the mount.
   */
  readonly bindMountOptions: readonly string[];
}

/**
 * One mount as it is in effect.
 */
export interface VolumeMountStatus {
  readonly $typeName: "k8s.io.api.core.v1.VolumeMountStatus";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the volume.
   */
  readonly name: string;

  /**
   * Where it is mounted in the container.
   */
  readonly mountPath: string;

  /**
   * True if the mount is read-only.
   */
  readonly readOnly: boolean;

  /**
   * Whether mounts below it are read-only, too.
   * Known values: Disabled, IfPossible, Enabled.
   */
  readonly recursiveReadOnly?: string | undefined;

  /**
   * More on volumes of some kinds.
   */
  readonly volumeStatus?: VolumeStatus | undefined;
}

/**
 * One source of a projected volume. One member is set.
 */
export interface VolumeProjection {
  readonly $typeName: "k8s.io.api.core.v1.VolumeProjection";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Keys of a Secret.
   */
  readonly secret?: SecretProjection | undefined;

  /**
   * Fields of the pod.
   */
  readonly downwardAPI?: DownwardAPIProjection | undefined;

  /**
   * Keys of a ConfigMap.
   */
  readonly configMap?: ConfigMapProjection | undefined;

  /**
   * A token of the service account.
   */
  readonly serviceAccountToken?: ServiceAccountTokenProjection | undefined;

  /**
   * Certificates of a ClusterTrustBundle.
   */
  readonly clusterTrustBundle?: ClusterTrustBundleProjection | undefined;

  /**
   * A certificate that is issued for the pod.
   */
  readonly podCertificate?: PodCertificateProjection | undefined;
}

/**
 * Size of a volume that is asked for.
 */
export interface VolumeResourceRequirements {
  readonly $typeName: "k8s.io.api.core.v1.VolumeResourceRequirements";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The most.
   */
  readonly limits: { readonly [key: string]: Quantity };

  /**
   * The least, as `storage`.
   */
  readonly requests: { readonly [key: string]: Quantity };
}

/**
 * Kind and settings of a volume. One member is set.
 */
export interface VolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.VolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * A file or directory of the node.
   */
  readonly hostPath?: HostPathVolumeSource | undefined;

  /**
   * A directory that lives as long as the pod.
   */
  readonly emptyDir?: EmptyDirVolumeSource | undefined;

  /**
   * A disk of Google Compute Engine, which CSI has replaced.
   */
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;

  /**
   * A disk of AWS, which CSI has replaced.
   */
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;

  /**
   * A git repository. Kubelets of today refuse it.
   */
  readonly gitRepo?: GitRepoVolumeSource | undefined;

  /**
   * Keys of a Secret as files.
   */
  readonly secret?: SecretVolumeSource | undefined;

  /**
   * A directory of an NFS server.
   */
  readonly nfs?: NFSVolumeSource | undefined;

  /**
   * A disk over iSCSI.
   */
  readonly iscsi?: ISCSIVolumeSource | undefined;

  /**
   * A volume of GlusterFS, which is no longer supported.
   */
  readonly glusterfs?: GlusterfsVolumeSource | undefined;

  /**
   * The volume of a PersistentVolumeClaim.
   */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;

  /**
   * A block device of Ceph, which is no longer supported.
   */
  readonly rbd?: RBDVolumeSource | undefined;

  /**
   * A volume of a FlexVolume driver, which CSI has replaced.
   */
  readonly flexVolume?: FlexVolumeSource | undefined;

  /**
   * A disk of OpenStack, which CSI has replaced.
   */
  readonly cinder?: CinderVolumeSource | undefined;

  /**
   * A volume of CephFS, which is no longer supported.
   */
  readonly cephfs?: CephFSVolumeSource | undefined;

  /**
   * A volume of Flocker, which is no longer supported.
   */
  readonly flocker?: FlockerVolumeSource | undefined;

  /**
   * Fields of the pod as files.
   */
  readonly downwardAPI?: DownwardAPIVolumeSource | undefined;

  /**
   * A disk over Fibre Channel.
   */
  readonly fc?: FCVolumeSource | undefined;

  /**
   * A share of Azure Files, which CSI has replaced.
   */
  readonly azureFile?: AzureFileVolumeSource | undefined;

  /**
   * Keys of a ConfigMap as files.
   */
  readonly configMap?: ConfigMapVolumeSource | undefined;

  /**
   * A disk of vSphere, which CSI has replaced.
   */
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;

  /**
   * A volume of Quobyte, which is no longer supported.
   */
  readonly quobyte?: QuobyteVolumeSource | undefined;

  /**
   * A disk of Azure, which CSI has replaced.
   */
  readonly azureDisk?: AzureDiskVolumeSource | undefined;

  /**
   * A disk of Photon, which is no longer supported.
   */
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;

  /**
   * Several sources in one directory. The token of the service account comes with one.
   */
  readonly projected?: ProjectedVolumeSource | undefined;

  /**
   * A volume of Portworx, which CSI has replaced.
   */
  readonly portworxVolume?: PortworxVolumeSource | undefined;

  /**
   * A volume of ScaleIO, which is no longer supported.
   */
  readonly scaleIO?: ScaleIOVolumeSource | undefined;

  /**
   * A volume of StorageOS, which is no longer supported.
   */
  readonly storageos?: StorageOSVolumeSource | undefined;

  /**
   * A volume that a CSI driver makes for this pod.
   */
  readonly csi?: CSIVolumeSource | undefined;

  /**
   * A PersistentVolumeClaim that is made with the pod, and goes with it.
   */
  readonly ephemeral?: EphemeralVolumeSource | undefined;

  /**
   * The files of an image.
   */
  readonly image?: ImageVolumeSource | undefined;
}

/**
 * State of a volume that is mounted.
 */
export interface VolumeStatus {
  readonly $typeName: "k8s.io.api.core.v1.VolumeStatus";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * For a volume of kind image.
   */
  readonly image?: ImageVolumeStatus | undefined;
}

/**
 * A disk of vSphere, which CSI has replaced.
 */
export interface VsphereVirtualDiskVolumeSource {
  readonly $typeName: "k8s.io.api.core.v1.VsphereVirtualDiskVolumeSource";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Path of the disk.
   */
  readonly volumePath: string;

  /**
   * File system on it.
   */
  readonly fsType: string;

  /**
   * Name of its storage policy.
   */
  readonly storagePolicyName: string;

  /**
   * ID of its storage policy.
   */
  readonly storagePolicyID: string;
}

/**
 * A set of pods that are better, or worse, company than others.
 */
export interface WeightedPodAffinityTerm {
  readonly $typeName: "k8s.io.api.core.v1.WeightedPodAffinityTerm";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * How much, from 1 to 100.
   */
  readonly weight: number;

  /**
   * Set of pods, and the meaning of near.
   */
  readonly podAffinityTerm?: PodAffinityTerm | undefined;
}

/**
 * User and rights of a container on Windows.
 */
export interface WindowsSecurityContextOptions {
  readonly $typeName: "k8s.io.api.core.v1.WindowsSecurityContextOptions";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the credential spec of a group managed service account.
   */
  readonly gmsaCredentialSpecName?: string | undefined;

  /**
   * The credential spec itself.
   */
  readonly gmsaCredentialSpec?: string | undefined;

  /**
   * User name.
   */
  readonly runAsUserName?: string | undefined;

  /**
   * True if it runs as a process of the node.
   */
  readonly hostProcess?: boolean | undefined;
}

/**
 * A set of fields, as JSON in a format of its own.
 */
export interface FieldsV1 {
  readonly $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The bytes of that JSON.
   */
  readonly Raw: Uint8Array;
}

/**
 * A set of objects by their labels. All that stands here must be true.
 */
export interface LabelSelector {
  readonly $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelector";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Labels and the value that each must have.
   */
  readonly matchLabels: { readonly [key: string]: string };

  /**
   * Further statements.
   */
  readonly matchExpressions: readonly LabelSelectorRequirement[];
}

/**
 * A statement about one label.
 */
export interface LabelSelectorRequirement {
  readonly $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Key of the label.
   */
  readonly key: string;

  /**
   * How its value is compared.
   * Known values: In, NotIn, Exists, DoesNotExist.
   */
  readonly operator: string;

  /**
   * Values to compare with.
   */
  readonly values: readonly string[];
}

/**
 * One program that has set fields of the pod.
 */
export interface ManagedFieldsEntry {
  readonly $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the program.
   */
  readonly manager: string;

  /**
   * How the program wrote, by server-side apply or otherwise.
   * Known values: Apply, Update.
   */
  readonly operation: string;

  /**
   * Version of the API in which the fields are named.
   */
  readonly apiVersion: string;

  /**
   * When the entry was last changed.
   */
  readonly time?: Time | undefined;

  /**
   * Format of the fields, always `FieldsV1`.
   */
  readonly fieldsType: string;

  /**
   * The fields that it has set.
   */
  readonly fieldsV1?: FieldsV1 | undefined;

  /**
   * Part of the object that it wrote to, such as `status`. It is empty for the object itself.
   */
  readonly subresource: string;
}

/**
 * The identity of a pod, and what was attached to it.
 */
export interface ObjectMeta {
  readonly $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Name of the pod, unique in its namespace at any one time. A later pod may have it again.
   */
  readonly name: string;

  /**
   * Prefix from which the API server made the name. It is empty where the name was given.
   */
  readonly generateName: string;

  /**
   * Namespace of the pod.
   */
  readonly namespace: string;

  /**
   * Unused since Kubernetes 1.20.
   */
  readonly selfLink: string;

  /**
   * Identity of the pod for its whole life. The UID of a pod of the API server never comes again. That of a static pod
   * is a hash of its manifest, so it comes again with the manifest, and differs from the UID of its mirror pod.
   */
  readonly uid: string;

  /**
   * Version of the object when this kubelet process first saw it. Nothing refreshes it. A static pod has none.
   */
  readonly resourceVersion: string;

  /**
   * Counts changes of the spec. A static pod has none.
   */
  readonly generation: bigint;

  /**
   * When the API server made the object. A static pod has none.
   */
  readonly creationTimestamp?: Time | undefined;

  /**
   * When the pod must have ended, which is the time of its deletion plus the grace period. Set means that somebody has
   * deleted it; its containers may still run.
   */
  readonly deletionTimestamp?: Time | undefined;

  /**
   * Seconds that the containers have to end after the deletion.
   */
  readonly deletionGracePeriodSeconds?: bigint | undefined;

  /**
   * Labels of the pod. The kubelet sends no event when they alone change, so they may be as old as the last list.
   */
  readonly labels: { readonly [key: string]: string };

  /**
   * Annotations of the pod, with those that the kubelet adds. `kubernetes.io/config.source` says where the pod comes
   * from, `kubernetes.io/config.seen` when this kubelet process first saw it.
   */
  readonly annotations: { readonly [key: string]: string };

  /**
   * Objects that own the pod, such as its ReplicaSet. They are as old as the kubelet's first sight of the pod.
   */
  readonly ownerReferences: readonly OwnerReference[];

  /**
   * Names that must go before the object can. They are as old as the kubelet's first sight of the pod.
   */
  readonly finalizers: readonly string[];

  /**
   * Programs that have set fields of the pod. They are as old as the kubelet's first sight of the pod.
   */
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/**
 * An object that owns the pod and with which the pod is deleted.
 */
export interface OwnerReference {
  readonly $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.OwnerReference";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * API group and version of the owner, such as `apps/v1`.
   */
  readonly apiVersion: string;

  /**
   * Kind of the owner, such as `ReplicaSet`, `DaemonSet` or `Job`.
   */
  readonly kind: string;

  /**
   * Name of the owner, in the namespace of the pod unless it is cluster-wide.
   */
  readonly name: string;

  /**
   * UID of the owner.
   */
  readonly uid: string;

  /**
   * True for the one owner that manages the pod.
   */
  readonly controller?: boolean | undefined;

  /**
   * True if the owner stays, in a foreground deletion, until the pod is gone.
   */
  readonly blockOwnerDeletion?: boolean | undefined;
}

/**
 * A moment. Take `toDate` to have it as a Date.
 */
export interface Time {
  readonly $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.Time";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Seconds since 1970. It is absent for Go's zero time.
   */
  readonly seconds?: bigint | undefined;

  /**
   * Nanoseconds within the second. Kubernetes writes whole seconds.
   */
  readonly nanos?: number | undefined;
}

/**
 * An amount with a unit, such as `500m` or `1536Mi`. Take `quantityToNumber` to have it as a number.
 */
export interface Quantity {
  readonly $typeName: "k8s.io.apimachinery.pkg.api.resource.Quantity";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * The amount as it is written.
   */
  readonly string: string;
}

/**
 * A number or a name, such as the port of a probe. Take `intOrString` to have the one that it is.
 */
export interface IntOrString {
  readonly $typeName: "k8s.io.apimachinery.pkg.util.intstr.IntOrString";
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;

  /**
   * Kind of the value. 0 is the number, 1 the name.
   */
  readonly type: bigint;

  /**
   * The number.
   */
  readonly intVal: number;

  /**
   * The name.
   */
  readonly strVal: string;
}
