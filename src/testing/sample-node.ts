import type { PodJson } from "../pod/json-types.js";
import { HASH_ANNOTATION, SEEN_ANNOTATION, SOURCE_ANNOTATION } from "../pod/lifecycle.js";
import { NODE_IP } from "./pod-status.js";

const NODE = "node-1";
/** Node and pods are dual-stack. */
const nodeIPs = () => [{ ip: NODE_IP }, { ip: "fd00:10::11" }];

type Meta = NonNullable<PodJson["metadata"]>;
type Spec = NonNullable<PodJson["spec"]>;
type SampleStatus = NonNullable<PodJson["status"]>;
type SampleContainer = NonNullable<NonNullable<Spec["containers"]>[number]>;
type ContainerStatus = NonNullable<NonNullable<SampleStatus["containerStatuses"]>[number]>;
type SampleState = NonNullable<ContainerStatus["state"]>;

const at = (minutes: number): string => new Date(Date.UTC(2025, 10, 20, 8, minutes)).toISOString().replace(".000", "");

const running = (minutes = 1): SampleState => ({ running: { startedAt: at(minutes) } });
const waiting = (reason: string, message?: string): SampleState => ({
  waiting: { ...(message === undefined ? {} : { message }), reason },
});
const terminated = (exitCode: number, reason: string, minutes = 5): SampleState => ({
  terminated: { exitCode, finishedAt: at(minutes), reason, startedAt: at(1) },
});

function container(name: string, more: Partial<SampleContainer> = {}): SampleContainer {
  return { image: `registry.example/${name}:1.4`, imagePullPolicy: "IfNotPresent", name, resources: {}, ...more };
}

/** Makes the status of a container. Its ID is a hash of the names of pod and container. */
function containerStatus(
  pod: string,
  name: string,
  state: SampleState,
  more: Partial<ContainerStatus> = {},
): ContainerStatus {
  const hasStarted = state.waiting === undefined || more.lastState !== undefined;
  const containerID = `containerd://${hex(`${pod}/${name}`, 64)}`;
  // While a container waits for its restart, its status has the ID of the previous run.
  for (const each of [state, more.lastState]) if (each?.terminated) each.terminated.containerID = containerID;
  return {
    ...(hasStarted ? { containerID } : {}),
    image: `registry.example/${name}:1.4`,
    imageID: hasStarted ? `registry.example/${name}@sha256:${hex(name, 64)}` : "",
    lastState: {},
    name,
    ready: state.running !== undefined,
    restartCount: 0,
    started: state.running !== undefined,
    state,
    ...more,
  };
}

interface Conditions {
  ready?: boolean;
  initialized?: boolean;
  reason?: string;
}

function conditions({ ready = true, initialized = true, reason = "ContainersNotReady" }: Conditions = {}) {
  const condition = (type: string, yes: boolean) => ({
    lastProbeTime: null,
    lastTransitionTime: at(1),
    ...(yes ? {} : { reason }),
    status: yes ? "True" : "False",
    type,
  });
  return [
    condition("PodReadyToStartContainers", true),
    condition("Initialized", initialized),
    condition("Ready", ready),
    condition("ContainersReady", ready),
    condition("PodScheduled", true),
  ];
}

/** Differences from a running API pod with one container. */
interface Difference {
  metadata?: Meta;
  spec?: Spec;
  status?: SampleStatus;
}

/** Makes the pod at this index of the sample. */
type Sample = (index: number) => PodJson;

/** Makes an API pod. `main` is the name of its first container; the default is the first part of the pod's name. */
function pod(namespace: string, name: string, { metadata, spec, status }: Difference, main?: string): Sample {
  return (index) => {
    const podIP = `10.244.1.${index + 10}`;
    const podIPs = [{ ip: podIP }, { ip: `fd00:10:244:1::${(index + 10).toString(16)}` }];
    const hasSandbox = status?.phase !== "Pending" || status.initContainerStatuses !== undefined;
    const first = main ?? (name.split("-")[0] as string);
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        creationTimestamp: at(0),
        name,
        namespace,
        resourceVersion: String(4001 + index),
        uid: uid(`${namespace}/${name}`),
        ...metadata,
        annotations: {
          [SEEN_ANNOTATION]: "2025-11-20T08:00:00.000000000Z",
          [SOURCE_ANNOTATION]: "api",
          ...metadata?.annotations,
        },
      },
      spec: {
        containers: [container(first)],
        nodeName: NODE,
        restartPolicy: "Always",
        schedulerName: "default-scheduler",
        serviceAccountName: "default",
        terminationGracePeriodSeconds: 30,
        ...spec,
      },
      status: {
        conditions: conditions(),
        containerStatuses: [containerStatus(name, first, running())],
        hostIP: NODE_IP,
        hostIPs: nodeIPs(),
        phase: "Running",
        ...(hasSandbox ? { podIP, podIPs } : {}),
        qosClass: "BestEffort",
        startTime: at(0),
        ...status,
      },
    };
  };
}

/** Makes a static pod: on the host's network, with the hash of its manifest as UID, and without what the API server sets. */
function staticPod(name: string, port: number): Sample {
  const hash = hex(`manifest of ${name}`, 32);
  const get = (path: string) => ({ httpGet: { host: "127.0.0.1", path, port, scheme: "HTTPS" } });
  const main = container(name, {
    livenessProbe: { ...get("/livez"), failureThreshold: 8 },
    readinessProbe: { ...get("/readyz"), failureThreshold: 3, periodSeconds: 1, timeoutSeconds: 15 },
    resources: { requests: { cpu: "200m", memory: "512Mi" } },
  });
  const metadata: Meta = {
    annotations: { [HASH_ANNOTATION]: hash, [SOURCE_ANNOTATION]: "file" },
    labels: { component: name, tier: "control-plane" },
    uid: hash,
  };
  const spec: Spec = {
    containers: [main],
    hostNetwork: true,
    priorityClassName: "system-node-critical",
    tolerations: [{ effect: "NoExecute", operator: "Exists" }],
  };
  const containerStatuses = [containerStatus(name, name, running())];
  const status: SampleStatus = { containerStatuses, podIP: NODE_IP, podIPs: nodeIPs(), qosClass: "Burstable" };
  return (index) => {
    const made = pod("kube-system", `${name}-${NODE}`, { metadata, spec, status }, name)(index);
    delete made.metadata?.creationTimestamp;
    delete made.metadata?.resourceVersion;
    return made;
  };
}

function owned(kind: string, name: string, app: string): Meta {
  const owner = { apiVersion: kind === "Job" ? "batch/v1" : "apps/v1", blockOwnerDeletion: true, controller: true };
  // A ReplicaSet's name ends with the hash of its template, which is a label of its pods.
  const hash = kind === "ReplicaSet" ? { "pod-template-hash": name.slice(app.length + 1) } : {};
  return { labels: { app, ...hash }, ownerReferences: [{ ...owner, kind, name, uid: uid(`${kind}/${name}`) }] };
}

/** Makes a pod of a Deployment. */
function replica(
  namespace: string,
  app: string,
  suffix: string,
  difference: Omit<Difference, "metadata"> = {},
): Sample {
  const owner = `${app}-${suffix.slice(0, suffix.lastIndexOf("-"))}`;
  return pod(namespace, `${app}-${suffix}`, { metadata: owned("ReplicaSet", owner, app), ...difference });
}

function job(name: string, suffix: string, difference: Omit<Difference, "metadata">): Sample {
  const app = name.split("-")[0] as string;
  return pod("batch", `${name}-${suffix}`, { metadata: owned("Job", name, app), ...difference });
}

/**
 * Returns the pods of a small, realistic node, with one of each kind that an agent encounters: static pods, DaemonSets, a Deployment, a
 * finished and a running Job, a crash loop, an image that cannot be pulled, an init container in progress, a sidecar, an ephemeral
 * container, an evicted pod, a terminating pod, and a pod whose readiness probe has not succeeded. Each call returns new, equal objects.
 */
export function sampleNode(): PodJson[] {
  const made = [
    staticPod("etcd", 2381),
    staticPod("kube-apiserver", 6443),
    kubeProxy(),
    coredns(),
    pod("monitoring", "node-exporter-9fj4c", { metadata: owned("DaemonSet", "node-exporter", "node-exporter") }),
    replica("shop", "web", "6bf9d8c7d5-2lm8z"),
    replica("shop", "web", "6bf9d8c7d5-hq6rn", {
      status: {
        conditions: conditions({ ready: false }),
        containerStatuses: [containerStatus("web-6bf9d8c7d5-hq6rn", "web", running(), { ready: false })],
      },
    }),
    crashLoop(),
    replica("shop", "cart", "7c5f6b9d4-zz1kx", {
      status: {
        conditions: conditions({ ready: false }),
        containerStatuses: [
          containerStatus("cart-7c5f6b9d4-zz1kx", "cart", waiting("ImagePullBackOff", "Back-off pulling image")),
        ],
        phase: "Pending",
      },
    }),
    initInProgress(),
    withSidecar(),
    withEphemeral(),
    job("report-29384710", "w8d6m", {
      spec: { restartPolicy: "Never" },
      status: {
        conditions: conditions({ ready: false, reason: "PodCompleted" }),
        containerStatuses: [containerStatus("report-29384710-w8d6m", "report", terminated(0, "Completed"))],
        phase: "Succeeded",
      },
    }),
    withGpu(),
    pod("batch", "cache-warmer-77f5d", {
      metadata: { labels: { app: "cache-warmer" } },
      status: {
        conditions: conditions({ ready: false }),
        containerStatuses: [containerStatus("cache-warmer-77f5d", "cache", terminated(137, "Error"))],
        message: "The node was low on resource: memory.",
        phase: "Failed",
        reason: "Evicted",
      },
    }),
    pod("shop", "search-0", {
      metadata: {
        ...owned("StatefulSet", "search", "search"),
        deletionGracePeriodSeconds: 30,
        deletionTimestamp: at(9),
      },
    }),
  ];
  return made.map((make, index) => make(index));
}

function kubeProxy(): Sample {
  const name = "kube-proxy";
  const difference: Difference = {
    metadata: owned("DaemonSet", name, name),
    spec: { containers: [container(name, { securityContext: { privileged: true } })], hostNetwork: true },
    status: { podIP: NODE_IP, podIPs: nodeIPs() },
  };
  return pod("kube-system", `${name}-x7k2p`, difference, name);
}

function coredns(): Sample {
  const main = container("coredns", {
    ports: [{ containerPort: 53, name: "dns", protocol: "UDP" }],
    readinessProbe: { httpGet: { path: "/ready", port: 8181, scheme: "HTTP" }, periodSeconds: 10 },
    resources: { limits: { memory: "170Mi" }, requests: { cpu: "100m", memory: "70Mi" } },
  });
  const volumes = [{ configMap: { defaultMode: 420, name: "coredns" }, name: "config-volume" }];
  return replica("kube-system", "coredns", "5d78c9869d-qv9tw", { spec: { containers: [main], volumes } });
}

function crashLoop(): Sample {
  const waits = waiting("CrashLoopBackOff", "back-off 40s restarting failed container");
  const more = { lastState: terminated(1, "Error", 8), restartCount: 4 };
  const containerStatuses = [containerStatus("payments-58dd4c7b9-k3vbp", "payments", waits, more)];
  const status = { conditions: conditions({ ready: false }), containerStatuses };
  return replica("shop", "payments", "58dd4c7b9-k3vbp", { status });
}

function initInProgress(): Sample {
  const name = "orders-66b4f8d7c-n5xqj";
  return replica("shop", "orders", "66b4f8d7c-n5xqj", {
    spec: { initContainers: [container("migrate"), container("seed")] },
    status: {
      conditions: conditions({ ready: false, initialized: false, reason: "ContainersNotInitialized" }),
      containerStatuses: [containerStatus(name, "orders", waiting("PodInitializing"))],
      initContainerStatuses: [
        containerStatus(name, "migrate", terminated(0, "Completed"), { ready: true }),
        containerStatus(name, "seed", running(6), { ready: false, started: true }),
      ],
      phase: "Pending",
    },
  });
}

function withSidecar(): Sample {
  const ports = [{ containerPort: 8443, hostPort: 443, protocol: "TCP" }];
  return replica("edge", "gateway", "5f9c6d7b8-p2wls", {
    spec: {
      containers: [container("gateway", { ports })],
      initContainers: [container("proxy", { restartPolicy: "Always" })],
    },
    status: { initContainerStatuses: [containerStatus("gateway-5f9c6d7b8-p2wls", "proxy", running())] },
  });
}

function withEphemeral(): Sample {
  const name = "debugger-7xk";
  const shell = container(name, { image: "registry.example/shell:2", stdin: true, tty: true });
  return pod("shop", "ledger-1", {
    metadata: owned("StatefulSet", "ledger", "ledger"),
    spec: { ephemeralContainers: [{ ...shell, targetContainerName: "ledger" }] },
    status: { ephemeralContainerStatuses: [containerStatus("ledger-1", name, running(7), { ready: false })] },
  });
}

/** Makes a pod with exclusive CPUs and a device. */
function withGpu(): Sample {
  const amounts = { cpu: "2", memory: "4Gi", "nvidia.com/gpu": "1" };
  const main = container("import", { resources: { limits: amounts, requests: { ...amounts } } });
  return job("import-29384720", "4tq9s", {
    spec: { containers: [main], restartPolicy: "OnFailure" },
    status: { qosClass: "Guaranteed" },
  });
}

/** Returns hexadecimal digits that depend only on the seed (FNV-1a, repeated). */
function hex(seed: string, length: number): string {
  let digits = "";
  for (let round = 0; digits.length < length; round++) {
    let hash = 0x811c9dc5 ^ round;
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    digits += (hash >>> 0).toString(16).padStart(8, "0");
  }
  return digits.slice(0, length);
}

function uid(seed: string): string {
  const h = hex(seed, 32);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20)}`;
}
