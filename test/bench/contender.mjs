// One client in a process of its own: ours, or one of those it is compared with. Plain JavaScript, so that nothing but
// the client is in the process.

import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** @type {{ kind: string, socketPath: string, mask?: string[] }} */
const { kind, socketPath, mask } = JSON.parse(process.argv[2] ?? "{}");

const LAST = "bbbbbbbb-0000-4000-8000-000000999999";

/**
 * Each client, until `onSynced` returns true: calls `onSynced` when everything is known, then `onPod` for each pod it is told of, with its UID and the
 * time in its label where the client decodes it.
 *
 * @type {Record<string, (onSynced: () => boolean, onPod: (uid: string, label: string) => void) => Promise<void>>}
 */
const kinds = {
  "kubelet-pods": async (onSynced, onPod) => {
    const { PodsClient } = await import("kubelet-pods");
    const pods = new PodsClient({ socketPath });
    begin();
    for await (const event of pods.watchPods(mask === undefined ? {} : { mask })) {
      if (event.type === "SYNCED" && onSynced()) break;
      else if ("pod" in event) onPod(event.pod.metadata?.uid ?? "", event.pod.metadata?.labels?.["state"] ?? "");
    }
  },
  connect: (onSynced, onPod) => connect(onSynced, onPod, false),
  "connect, decoding": (onSynced, onPod) => connect(onSynced, onPod, true),
  "grpc-js": (onSynced, onPod) => grpc(onSynced, onPod, false),
  "grpc-js, decoding": (onSynced, onPod) => grpc(onSynced, onPod, true),
};

/** The generated client on a bare connect-node transport. Without decoding it knows the last pod by its size. */
async function connect(onSynced, onPod, decoding) {
  const { createClient } = await import("@connectrpc/connect");
  const { createGrpcTransport } = await import("@connectrpc/connect-node");
  const { createConnection } = await import("node:net");
  const { fromBinary } = await import("@bufbuild/protobuf");
  const { Pods } = await import("../../dist/gen/v1alpha1/pods_pb.js");
  const { PodSchema } = await import("../../dist/gen/k8s/io/api/core/v1/pod_pb.js");
  const transport = createGrpcTransport({
    baseUrl: "http://localhost",
    nodeOptions: { createConnection: () => createConnection(socketPath) },
    readMaxBytes: 64 << 20,
  });
  begin();
  const end = new AbortController(); // to leave the loop does not end the call
  for await (const { type, pod } of createClient(Pods, transport).watchPods({}, { signal: end.signal })) {
    if (type === 4) {
      if (onSynced()) return end.abort();
    } else if (decoding) {
      const decoded = fromBinary(PodSchema, pod);
      onPod(decoded.metadata?.uid ?? "", decoded.metadata?.labels["state"] ?? "");
    } else onPod(pod.length < 4_000 ? LAST : "", "");
  }
}

/** @grpc/grpc-js with @grpc/proto-loader and the limit on messages lifted. */
async function grpc(onSynced, onPod, decoding) {
  const { default: grpcJs } = await import("@grpc/grpc-js");
  const { default: loader } = await import("@grpc/proto-loader");
  const proto = join(import.meta.dirname, "../../proto");
  const { v1alpha1 } = grpcJs.loadPackageDefinition(loader.loadSync("v1alpha1/pods.proto", { includeDirs: [proto] }));
  const client = new v1alpha1.Pods(`unix:${socketPath}`, grpcJs.credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
  });
  const { default: protobuf } = decoding ? await import("protobufjs") : { default: undefined };
  let Pod;
  if (protobuf !== undefined) {
    const root = new protobuf.Root();
    root.resolvePath = (_, target) => (target.startsWith(proto) ? target : join(proto, target));
    Pod = root.loadSync("k8s/io/api/core/v1/pod.proto").lookupType("k8s.io.api.core.v1.Pod");
  }
  begin();
  const call = client.watchPods({});
  for await (const { type, pod } of call) {
    if (type === 4) {
      if (onSynced()) {
        call.on("error", () => {}); // that it was cancelled
        call.cancel();
        return client.close();
      }
    } else if (Pod !== undefined) {
      const decoded = Pod.decode(pod);
      onPod(decoded.metadata?.uid ?? "", decoded.metadata?.labels["state"] ?? "");
    } else onPod(pod.length < 4_000 ? LAST : "", "");
  }
}

/** What is done, and what is reported when the last pod has come. */
const tell = (report) => process.send?.(report);

let synced = false;
let events = 0;
let startMs = 0;
let cpu = process.cpuUsage();
/** @type {number[]} */
const lateUs = [];
const loop = monitorEventLoopDelay({ resolution: 1 });
let openedMs = 0;

/** Everything is loaded: what is measured starts here. */
function begin() {
  openedMs = performance.now();
  loop.enable();
}

if (kind === "kubelet-pods") {
  const { subscribe } = await import("node:diagnostics_channel");
  subscribe("kubelet-pods:watch", (message) => {
    if (message.type === "synced" && !synced) startMs = performance.now();
  });
}

process.on("message", (message) => {
  if (message === "start") {
    events = 0;
    lateUs.length = 0;
    startMs = performance.now();
    cpu = process.cpuUsage();
  } else if (message === "memory") {
    globalThis.gc?.();
    setTimeout(() => tell({ rss: process.memoryUsage().rss }), 500);
  }
});

// The first connection of a process loads and compiles half of Node.js' HTTP: not what is measured here.
await kinds[kind](
  () => true,
  () => {},
);
loop.reset();
synced = false;
startMs = 0;

kinds[kind](
  () => {
    if (synced) return false;
    synced = true;
    const nowMs = performance.now();
    loop.disable();
    tell({
      synced: true,
      burstMs: nowMs - openedMs,
      sinceMarkerMs: startMs === 0 ? undefined : nowMs - startMs,
      longestBlockMs: loop.max / 1e6,
    });
    return false;
  },
  (uid, label) => {
    events++;
    if (uid === LAST) {
      const { user, system } = process.cpuUsage(cpu);
      lateUs.sort((a, b) => a - b);
      tell({
        ms: performance.now() - startMs,
        cpuUs: user + system,
        events,
        lateUs: [0.5, 0.99].map((q) => lateUs[Math.floor(lateUs.length * q)]),
      });
    } else if (label.length > 9) lateUs.push(Number(process.hrtime.bigint() - BigInt(label)) / 1e3);
  },
).catch((error) => tell({ error: String(error) }));
