/**
 * The names of attributes and metrics, by OpenTelemetry's semantic conventions 1.45 for Kubernetes, containers and errors. Most of them
 * may still change there, so they are copied, as OpenTelemetry asks of libraries; a test compares them with
 * `@opentelemetry/semantic-conventions/incubating`.
 */
export const NAMES = {
  containerID: "container.id",
  imageID: "container.image.id",
  imageName: "container.image.name",
  imageRepoDigests: "container.image.repo_digests",
  imageTags: "container.image.tags",
  runtimeName: "container.runtime.name",
  errorType: "error.type",
  containerName: "k8s.container.name",
  restartCount: "k8s.container.restart_count",
  namespaceName: "k8s.namespace.name",
  nodeName: "k8s.node.name",
  podHostname: "k8s.pod.hostname",
  podIP: "k8s.pod.ip",
  podName: "k8s.pod.name",
  podStartTime: "k8s.pod.start_time",
  podUID: "k8s.pod.uid",
  rpcMethod: "rpc.method",
} as const;

/** The labels and annotations that name a pod's service, by the conventions for services. */
export const SERVICE = {
  name: "service.name",
  namespace: "service.namespace",
  version: "service.version",
  instanceID: "service.instance.id",
} as const;

/** The kinds of controllers that the conventions name, by the group of their API: `k8s.deployment.name`, `k8s.deployment.uid`. */
export const WORKLOADS: Readonly<Record<string, string>> = {
  "apps/DaemonSet": "k8s.daemonset",
  "apps/Deployment": "k8s.deployment",
  "apps/ReplicaSet": "k8s.replicaset",
  "apps/StatefulSet": "k8s.statefulset",
  "batch/CronJob": "k8s.cronjob",
  "batch/Job": "k8s.job",
  "/ReplicationController": "k8s.replicationcontroller",
};
