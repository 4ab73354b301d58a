/**
 * Names of attributes from OpenTelemetry's semantic conventions 1.45 for Kubernetes, containers and errors. Most of them are stable
 * there. Some can still change, so they are copied here, as OpenTelemetry asks of libraries. A test compares them with
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

/** Names of the attributes of a service, from the conventions for services. Annotations of pods have the same names. */
export const SERVICE = {
  name: "service.name",
  namespace: "service.namespace",
  version: "service.version",
  instanceID: "service.instance.id",
} as const;

/** Prefixes of the attributes of controllers, by API group and kind: `k8s.deployment` for `k8s.deployment.name` and `k8s.deployment.uid`. */
export const WORKLOADS: Readonly<Record<string, string>> = {
  "apps/DaemonSet": "k8s.daemonset",
  "apps/Deployment": "k8s.deployment",
  "apps/ReplicaSet": "k8s.replicaset",
  "apps/StatefulSet": "k8s.statefulset",
  "batch/CronJob": "k8s.cronjob",
  "batch/Job": "k8s.job",
  "/ReplicationController": "k8s.replicationcontroller",
};
