// Compiled, never run: helpers take each pod whose mask has what they read, and refuse all others.

import { create } from "@bufbuild/protobuf";
import { expectTypeOf } from "expect-type";
import {
  conditionsOf,
  decodePod,
  fromKubernetesJson,
  isFinished,
  isReady,
  isStatic,
  isTerminating,
  logDirectoryOf,
  logPathOf,
  type MaskedPod,
  type PartialPod,
  type Pod,
  type PodMask,
  PodsClient,
  podMask,
  podMasks,
  qosOf,
  readinessUnverifiedUntil,
  resourcesOf,
  toKubernetesJson,
  toV1Pod,
  volumesDirectoryOf,
  workloadOf,
} from "kubelet-pods";
import { PodSchema } from "kubelet-pods/schema";

const client = new PodsClient();
const whole = client.informer();

// metadata, spec and status are there wherever a pod comes from, and where a mask has something of them.
for (const pod of whole.list()) pod.metadata.name.concat(pod.spec.nodeName, pod.status.phase);
decodePod(new Uint8Array()).metadata.name;
fromKubernetesJson({}).status.phase;
for (const event of [await client.watchPods({ mask: ["status.podIPs"] }).next()]) {
  if (event.value && "pod" in event.value) event.value.pod.status.podIPs[0]?.ip;
}
expectTypeOf<keyof MaskedPod<["status.podIPs"]>>().toEqualTypeOf<"$typeName" | "status">();
expectTypeOf<MaskedPod<["metadata.deletionTimestamp"]>["metadata"]["deletionTimestamp"]>().toBeNullable();

// Taken: whole pods, those of a mask that has it, of several, of one that is wider, and messages made by hand.
const [pod] = whole.list() as [Pod];
isReady(pod);
conditionsOf(pod);
isReady(create(PodSchema, { status: { phase: "Running" } }));
const joined = podMasks.identity.union(podMasks.isReady, podMasks.network);
const ready = client.informer({ mask: joined }).list();
ready.filter(isReady).map(({ metadata }) => metadata.name);
(await client.listPods({ mask: ["status", "metadata"] })).map(isReady);
(await client.listPods({ mask: podMasks.conditionsOf })).map(conditionsOf);
client.informer({ mask: podMasks.readiness }).list(isTerminating).map(readinessUnverifiedUntil);
client.informer({ mask: podMasks.isFinished }).list(isFinished);
client.informer({ mask: podMasks.isStatic }).list(isStatic);
client.informer({ mask: podMasks.workloadOf }).list().map(workloadOf);
for (const pod of await client.listPods({ mask: podMasks.resourcesOf.union(podMasks.qosOf) })) {
  resourcesOf(pod, { actual: true }).requests["cpu"]?.toFixed(qosOf(pod) === "BestEffort" ? 0 : 3);
}
for await (const event of client.watchContainers({ mask: podMasks.logPathOf })) {
  if (event.type === "STARTED") logPathOf(event.pod, event.container).concat(volumesDirectoryOf(event.pod));
}

// Refused: the compiler names the paths that the mask lacks.
const [identity] = client.informer({ mask: podMasks.identity }).list() as [MaskedPod<typeof podMasks.identity>];
// @ts-expect-error: lacks status.phase, status.conditions
isReady(identity);
// @ts-expect-error: lacks metadata.ownerReferences and others
workloadOf(identity);
// @ts-expect-error: lacks spec.containers.resources and others
resourcesOf(identity);
// @ts-expect-error: lacks status.qosClass
qosOf(identity);
// @ts-expect-error: lacks metadata.name
for (const pod of await client.listPods({ mask: ["metadata.uid", "metadata.namespace"] })) logDirectoryOf(pod);
// @ts-expect-error: lacks metadata.deletionTimestamp
isTerminating(identity);
// @ts-expect-error: lacks metadata.annotations
isStatic(identity);
// @ts-expect-error: lacks six paths
conditionsOf(identity);
// @ts-expect-error: also as a callback
client.informer({ mask: podMasks.identity }).list(isReady);

// A path into what is read whole is not enough.
const [part] = await client.listPods({ mask: ["status.phase", "status.conditions.type"] });
// @ts-expect-error: lacks status.conditions
if (part) isReady(part);

// A mask that is known at run time only may have it, or not.
const [partial] = await client.listPods({ mask: podMask.parse("status") });
// @ts-expect-error
if (partial) isReady(partial);
// @ts-expect-error
if (partial) isTerminating(partial);
const [loose] = await client.listPods({ mask: podMask("metadata" as string) });
// @ts-expect-error
if (loose) isStatic(loose);

// Functions of agents: a pod of some paths, and what has more.
function own(pod: MaskedPod<["metadata.deletionTimestamp", "status.phase", "status.conditions"]>): boolean {
  return isReady(pod);
}
own(pod);
if (ready[0]) own(ready[0]);
// @ts-expect-error
own(identity);

// Whichever of two masks it is, the pod has what both select, and no type promises more.
declare const verbose: boolean;
const either = verbose ? podMask("metadata.name", "status.phase") : podMask("metadata.name");
// @ts-expect-error: name both in one mask, or ask twice
await client.listPods({ mask: either });
// @ts-expect-error: it has fewer paths
const wider: PodMask<"metadata.name" | "status.phase"> = podMask("metadata.name");
const anyMask: PodMask = wider;
expectTypeOf(await client.listPods({ mask: anyMask })).toEqualTypeOf<PartialPod[]>();
const joinedLate = podMasks.identity.union(verbose ? podMasks.isReady : podMasks.isStatic);
expectTypeOf(joinedLate).toEqualTypeOf<PodMask<string>>();

// Generic code over whole pods.
export function readyOf<P extends Pod>(list: P[]): P[] {
  return list.filter(isReady);
}
export function isGoing<P extends Pod>(each: P): boolean {
  return isTerminating(each);
}

// JSON of any pod.
toKubernetesJson(pod);
toKubernetesJson(create(PodSchema));
// @ts-expect-error: no pod
toKubernetesJson({});
const [half] = await client.listPods({ mask: ["metadata", "status"] });
if (half) toKubernetesJson(half);
// @ts-expect-error: lacks spec
if (half) toV1Pod(half);
if (half) toKubernetesJson(half, { mask: ["metadata", "status"] });
