// node --expose-gc lookups.mjs '{"pods": 110, "retainMs": 0, "waiting": 0}': measures lookups by a key, with a source that has all pods in
// memory, and prints one line of JSON.

import { toBinary } from "@bufbuild/protobuf";
import { fromKubernetesJson, PodsClient } from "kubelet-pods";
import { PodSchema } from "kubelet-pods/schema";
import { sampleNode } from "kubelet-pods/testing";

const { pods: count, retainMs, waiting, gone } = JSON.parse(process.argv[2] ?? "{}");
const LOOKUPS = 400_000;
const EVENTS = 20_000;
const mask = ["metadata.uid", "metadata.name", "metadata.labels", "status.phase", "status.podIPs"];

const hex = (i, digits) => i.toString(16).padStart(digits, "0");
const uidOf = (i) => `bbbbbbbb-0000-4000-8000-${hex(i, 12)}`;
const ipOf = (i) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
const idOf = (i) => hex(i, 64);
const template = fromKubernetesJson(sampleNode().find(({ metadata }) => metadata?.name?.startsWith("web-")) ?? {});

function podBytes(i, version = 0) {
  Object.assign(template.metadata, { uid: uidOf(i), name: `web-${i}` });
  template.metadata.labels.version = String(version);
  Object.assign(template.status, { podIP: ipOf(i), podIPs: [{ $typeName: "k8s.io.api.core.v1.PodIP", ip: ipOf(i) }] });
  for (const [k, status] of template.status.containerStatuses.entries())
    status.containerID = `containerd://${idOf(i * 4 + k)}`;
  return toBinary(PodSchema, template);
}

let say = () => {};
const source = {
  socketPath: "/memory",
  server: () => "1",
  changed: () => new Promise(() => {}),
  connect: async () => {},
  close: async () => {},
  list: async () => [],
  get: async () => new Uint8Array(),
  async *open() {
    yield { type: "CONNECTED", server: "1", connection: "1" };
    yield [...Array.from({ length: count }, (_, i) => ({ type: "ADDED", pod: podBytes(i) })), { type: "SYNCED" }];
    for (;;)
      yield await new Promise((resolve) => {
        say = resolve;
      });
  },
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Microseconds of CPU time per call. */
function perCall(times, call) {
  for (let i = 0; i < times / 4; i++) call(i);
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) call(i);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

async function perEvent(batches) {
  const before = process.cpuUsage();
  for (const batch of batches) {
    say(batch);
    await turn();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / EVENTS;
}

const batchesOf = (from) =>
  Array.from({ length: EVENTS / 100 }, (_, b) =>
    Array.from({ length: 100 }, (_, k) => ({ type: "MODIFIED", pod: podBytes((b * 100 + k) % count, from + b) })),
  );

const client = new PodsClient({ sources: [source] });
const heap = () => {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
};
const lookupMask = [
  ...mask,
  "spec.hostNetwork",
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "status.podIP",
  ...["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"].flatMap((list) =>
    ["name", "state", "lastState", "restartCount", "image", "imageID", "containerID"].map(
      (field) => `status.${list}.${field}`,
    ),
  ),
];

// A watch keeps the same fields without an index. The difference is the index.
const bare = client.watchPods({ mask: lookupMask, resyncIntervalMs: 3_600_000 });
void (async () => {
  for await (const _ of bare);
})();
await turn();
await turn();
const bareBatches = [batchesOf(1), batchesOf(1_000)];
await perEvent(bareBatches[0]);
const withoutUs = await perEvent(bareBatches[1]);
bareBatches.length = 0;
const before = heap();
const informer = client.informer({ mask, retainMs, resyncIntervalMs: 3_600_000 });
await informer.synced();
const after = heap();
for (let i = 0; i < waiting; i++) informer.waitFor({ uid: `nobody-${i}` }).catch(() => {});
const batches = [batchesOf(2_000), batchesOf(3_000)];
await perEvent(batches[0]);
const withUs = await perEvent(batches[1]);
if (gone > 0) {
  // Static pods leave the lists when they end.
  template.metadata.annotations["kubernetes.io/config.source"] = "file";
  const batch = (from) =>
    Array.from({ length: 100 }, (_, k) => {
      const pod = podBytes(count + from + k);
      return [
        { type: "ADDED", pod },
        { type: "DELETED", pod },
      ];
    }).flat();
  const pass = async (from, to) => {
    for (let i = from; i < to; i += 100) {
      say(batch(i));
      await turn();
    }
  };
  await pass(0, 10_000);
  const then = heap();
  await pass(10_000, gone);
  console.log(JSON.stringify({ growth: (heap() - then) / 2 ** 20, retained: informer.state.retained }));
  process.exit();
}
const keys = Array.from({ length: 1_024 }, (_, i) => i % count);
for (const i of keys) informer.get({ ip: ipOf(i) });
const ips = keys.map(ipOf);
const mapped = ips.map((ip) => `::ffff:${ip}`);
const ids = keys.map((i) => ({ containerID: idOf(i * 4) }));
const AT = Date.now();
const ipKeys = ips.map((ip) => ({ ip }));
const results = {
  byIP: perCall(LOOKUPS, (i) => informer.get({ ip: ips[i & 1023] })),
  mapped: perCall(LOOKUPS, (i) => informer.get({ ip: mapped[i & 1023] })),
  miss: perCall(LOOKUPS, (i) => informer.get({ ip: i & 1 ? "10.255.255.254" : "fe80::1" })),
  find: perCall(LOOKUPS, (i) => informer.find(ids[i & 1023])),
  findAt: perCall(LOOKUPS, (i) => informer.find(ipKeys[i & 1023], { at: AT })),
  upkeep: withUs - withoutUs,
  event: withoutUs,
  heap: (after - before) / count,
};
console.log(JSON.stringify(results));
process.exit();
