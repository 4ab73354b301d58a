import type { PodJson } from "../pod/json-types.js";
import { HASH_ANNOTATION, SEEN_ANNOTATION, SOURCE_ANNOTATION } from "../pod/lifecycle.js";

const NODE = "node-1";
const NODE_IP = "10.0.0.11";
/** The node has addresses of both families, and so have its pods. */
const NODE_IPS = [{ ip: NODE_IP }, { ip: "fd00:10::11" }];
const SEEN = "2025-11-20T08:00:00.000000000Z";

type Meta = NonNullable<PodJson["metadata"]>;
type Spec = NonNullable<PodJson["spec"]>;
type Status = NonNullable<PodJson["status"]>;
type Container = NonNullable<NonNullable<Spec["containers"]>[number]>;
type ContainerStatus = NonNullable<NonNullable<Status["containerStatuses"]>[number]>;
type State = NonNullable<ContainerStatus["state"]>;

const at = (minutes: number): string => new Date(Date.UTC(2026, 10, 20, 8, minutes)).toISOString().replace(".000", "");

const running = (minutes = 1): State => ({ running: { startedAt: at(minutes) } });
const waiting = (reason: string, message?: string): State => ({
  waiting: { ...(message === undefined ? {} : { message }), reason },
});
const terminated = (exitCode: number, reason: string, minutes = 5): State => ({
  terminated: { exitCode, finishedAt: at(minutes), reason, startedAt: at(1) },
});

function container(name: string, more: Partial<Container> = {}): Container {
  return { image: `registry.example/${name}:1.4`, imagePullPolicy: "IfNotPresent", name, resources: {}, ...more };
}

/** Makes a container's status; its ID is made of pod and container names, so that the sample is the same each time. */
function containerStatus(
  pod: string,
  name: string,
  state: State,
  more: Partial<ContainerStatus> = {},
): ContainerStatus {
  const started = state.waiting === undefined || more.lastState !== undefined;
  const containerID = `containerd://${hex(`${pod}/${name}`, 64)}`;
  if (state.terminated) state.terminated.containerID = containerID;
  // What waits for its next start bears the ID of the one that has ended.
  if (more.lastState?.terminated) more.lastState.terminated.containerID = containerID;
  return {
    ...(started ? { containerID } : {}),
    image: `registry.example/${name}:1.4`,
    imageID: started ? `registry.example/${name}@sha256:${hex(name, 64)}` : "",
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

let addresses = 0;

/** Makes a running pod of the API server; `more` overlays it. */
function pod(namespace: string, name: string, more: { metadata?: Meta; spec?: Spec; status?: Status } = {}): PodJson {
  const podIP = `10.244.1.${++addresses + 9}`;
  const podIPs = [{ ip: podIP }, { ip: `fd00:10:244:1::${(addresses + 9).toString(16)}` }];
  const { status = {} } = more;
  const phase = status.phase ?? "Running";
  const started = phase !== "Pending" || status.initContainerStatuses !== undefined;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      creationTimestamp: at(0),
      name,
      namespace,
      resourceVersion: String(4000 + addresses),
      uid: uid(`${namespace}/${name}`),
      ...more.metadata,
      annotations: {
        [SEEN_ANNOTATION]: SEEN,
        [SOURCE_ANNOTATION]: "api",
        ...more.metadata?.annotations,
      },
    },
    spec: {
      containers: [container(name.split("-")[0] ?? name)],
      nodeName: NODE,
      restartPolicy: "Always",
      schedulerName: "default-scheduler",
      serviceAccountName: "default",
      terminationGracePeriodSeconds: 30,
      ...more.spec,
    },
    status: {
      conditions: conditions(),
      containerStatuses: [containerStatus(name, name.split("-")[0] ?? name, running())],
      hostIP: NODE_IP,
      hostIPs: NODE_IPS,
      phase,
      ...(started ? { podIP, podIPs } : {}),
      qosClass: "BestEffort",
      startTime: at(0),
      ...status,
    },
  };
}

/** Makes a static pod: read by the kubelet from a file, host network, its UID a hash of the manifest. */
function staticPod(name: string, port: number): PodJson {
  const hash = hex(`manifest of ${name}`, 32);
  const source = { [HASH_ANNOTATION]: hash, [SOURCE_ANNOTATION]: "file" };
  const host = { podIP: NODE_IP, podIPs: NODE_IPS };
  const made = pod("kube-system", `${name}-${NODE}`, {
    metadata: { annotations: source, labels: { component: name, tier: "control-plane" }, uid: hash },
    spec: {
      containers: [
        container(name, {
          livenessProbe: { failureThreshold: 8, httpGet: { host: "127.0.0.1", path: "/livez", port, scheme: "HTTPS" } },
          readinessProbe: {
            failureThreshold: 3,
            httpGet: { host: "127.0.0.1", path: "/readyz", port, scheme: "HTTPS" },
            periodSeconds: 1,
            timeoutSeconds: 15,
          },
          resources: { requests: { cpu: "200m", memory: "512Mi" } },
        }),
      ],
      hostNetwork: true,
      nodeName: NODE,
      priorityClassName: "system-node-critical",
      restartPolicy: "Always",
      tolerations: [{ effect: "NoExecute", operator: "Exists" }],
    },
    status: { ...host, containerStatuses: [containerStatus(name, name, running())], qosClass: "Burstable" },
  });
  // A static pod has no creation time of the API server, and no resource version.
  delete made.metadata?.creationTimestamp;
  delete made.metadata?.resourceVersion;
  return made;
}

function owned(kind: string, name: string, app: string): Meta {
  const owner = { apiVersion: kind === "Job" ? "batch/v1" : "apps/v1", blockOwnerDeletion: true, controller: true };
  // A ReplicaSet's name ends with the hash of its template, which its pods have for a label.
  const hash = kind === "ReplicaSet" ? { "pod-template-hash": name.slice(app.length + 1) } : {};
  return { labels: { app, ...hash }, ownerReferences: [{ ...owner, kind, name, uid: uid(`${kind}/${name}`) }] };
}

/**
 * Returns the pods of a small, believable node, one of each kind that an agent meets: static pods, DaemonSets, a Deployment, a
 * finished and a running Job, a crash loop, an image that cannot be pulled, an init container in progress, a sidecar, an
 * ephemeral container, an evicted pod, a pod that terminates, one that no probe has found ready. New objects at each
 * call, equal each time.
 */
export function sampleNode(): PodJson[] {
  addresses = 0;
  return [
    staticPod("etcd", 2381),
    staticPod("kube-apiserver", 6443),
    pod("kube-system", "kube-proxy-x7k2p", {
      metadata: owned("DaemonSet", "kube-proxy", "kube-proxy"),
      spec: {
        containers: [container("kube-proxy", { securityContext: { privileged: true } })],
        hostNetwork: true,
        nodeName: NODE,
      },
      status: {
        containerStatuses: [containerStatus("kube-proxy-x7k2p", "kube-proxy", running())],
        podIP: NODE_IP,
        podIPs: NODE_IPS,
      },
    }),
    pod("kube-system", "coredns-5d78c9869d-qv9tw", {
      metadata: owned("ReplicaSet", "coredns-5d78c9869d", "coredns"),
      spec: {
        containers: [
          container("coredns", {
            ports: [{ containerPort: 53, name: "dns", protocol: "UDP" }],
            readinessProbe: { httpGet: { path: "/ready", port: 8181, scheme: "HTTP" }, periodSeconds: 10 },
            resources: { limits: { memory: "170Mi" }, requests: { cpu: "100m", memory: "70Mi" } },
          }),
        ],
        nodeName: NODE,
        volumes: [{ configMap: { defaultMode: 420, name: "coredns" }, name: "config-volume" }],
      },
    }),
    pod("monitoring", "node-exporter-9fj4c", {
      metadata: owned("DaemonSet", "node-exporter", "node-exporter"),
      status: nodeExporter(),
    }),
    pod("shop", "web-6bf9d8c7d5-2lm8z", { metadata: owned("ReplicaSet", "web-6bf9d8c7d5", "web") }),
    pod("shop", "web-6bf9d8c7d5-hq6rn", {
      metadata: owned("ReplicaSet", "web-6bf9d8c7d5", "web"),
      status: {
        conditions: conditions({ ready: false }),
        containerStatuses: [containerStatus("web-6bf9d8c7d5-hq6rn", "web", running(), { ready: false })],
      },
    }),
    crashLoop(),
    pod("shop", "cart-7c5f6b9d4-zz1kx", {
      metadata: owned("ReplicaSet", "cart-7c5f6b9d4", "cart"),
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
    pod("batch", "report-29384710-w8d6m", {
      metadata: owned("Job", "report-29384710", "report"),
      spec: { containers: [container("report")], nodeName: NODE, restartPolicy: "Never" },
      status: {
        conditions: conditions({ ready: false, reason: "PodCompleted" }),
        containerStatuses: [containerStatus("report-29384710-w8d6m", "report", terminated(0, "Completed"))],
        phase: "Succeeded",
      },
    }),
    pod("batch", "import-29384720-4tq9s", {
      metadata: owned("Job", "import-29384720", "import"),
      spec: { containers: [container("import")], nodeName: NODE, restartPolicy: "OnFailure" },
    }),
    pod("batch", "cache-warmer-77f5d", {
      metadata: { labels: { app: "cache-warmer" } },
      spec: { containers: [container("cache")], nodeName: NODE },
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
}

function nodeExporter(): Status {
  return { containerStatuses: [containerStatus("node-exporter-9fj4c", "node", running(), { restartCount: 0 })] };
}

function crashLoop(): PodJson {
  const name = "payments-58dd4c7b9-k3vbp";
  const lastState = terminated(1, "Error", 8);
  return pod("shop", name, {
    metadata: owned("ReplicaSet", "payments-58dd4c7b9", "payments"),
    status: {
      conditions: conditions({ ready: false }),
      containerStatuses: [
        containerStatus(name, "payments", waiting("CrashLoopBackOff", "back-off 40s restarting failed container"), {
          lastState,
          restartCount: 4,
        }),
      ],
    },
  });
}

function initInProgress(): PodJson {
  const name = "orders-66b4f8d7c-n5xqj";
  return pod("shop", name, {
    metadata: owned("ReplicaSet", "orders-66b4f8d7c", "orders"),
    spec: {
      containers: [container("orders")],
      initContainers: [container("migrate"), container("seed")],
      nodeName: NODE,
    },
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

function withSidecar(): PodJson {
  const name = "gateway-5f9c6d7b8-p2wls";
  return pod("edge", name, {
    metadata: owned("ReplicaSet", "gateway-5f9c6d7b8", "gateway"),
    spec: {
      containers: [container("gateway", { ports: [{ containerPort: 8443, hostPort: 443, protocol: "TCP" }] })],
      initContainers: [container("proxy", { restartPolicy: "Always" })],
      nodeName: NODE,
    },
    status: {
      containerStatuses: [containerStatus(name, "gateway", running())],
      initContainerStatuses: [containerStatus(name, "proxy", running())],
    },
  });
}

function withEphemeral(): PodJson {
  const name = "ledger-1";
  const debug = {
    image: "registry.example/shell:2",
    imagePullPolicy: "IfNotPresent",
    name: "debugger-7xk",
    resources: {},
  };
  return pod("shop", name, {
    metadata: owned("StatefulSet", "ledger", "ledger"),
    spec: {
      containers: [container("ledger")],
      ephemeralContainers: [{ ...debug, stdin: true, targetContainerName: "ledger", tty: true }],
      nodeName: NODE,
    },
    status: {
      containerStatuses: [containerStatus(name, "ledger", running())],
      ephemeralContainerStatuses: [containerStatus(name, "debugger-7xk", running(7), { ready: false })],
    },
  });
}

/** Makes a text of hexadecimal digits that depends on the seed alone (FNV-1a, repeated). */
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
