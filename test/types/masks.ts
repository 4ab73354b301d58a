// Compiled, never run: what masks are to a compiler, on the package as it is published.

import { expectTypeOf } from "expect-type";
import {
  type MaskedPod,
  type MaskInput,
  type PartialPod,
  type Pod,
  type PodEvent,
  type PodInformer,
  type PodMask,
  type PodOf,
  PodsClient,
  podMask,
  podMasks,
  toKubernetesJson,
} from "kubelet-pods";
import type { PodCondition } from "kubelet-pods/schema";

const pods = new PodsClient();

// No mask: the full Pod.
expectTypeOf(await pods.listPods()).toEqualTypeOf<Pod[]>();
expectTypeOf(await pods.listPods({ timeoutMs: 1 })).toEqualTypeOf<Pod[]>();
expectTypeOf(await pods.getPod("uid")).toEqualTypeOf<Pod>();
expectTypeOf(pods.informer()).toEqualTypeOf<PodInformer<Pod>>();

// Exactly what was selected: optional where the message is optional, arrays where it repeats, a selected message whole.
const [pod] = await pods.listPods({
  mask: ["metadata.name", "metadata.labels", "status.podIPs", "status.conditions.type", "spec.containers.name"],
});
type Selected = NonNullable<typeof pod>;
expectTypeOf<Selected["metadata"]>().toEqualTypeOf<{
  readonly $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  name: string;
  labels: { [key: string]: string };
}>();
expectTypeOf<Selected["status"]["podIPs"]>().toEqualTypeOf<Pod["status"]["podIPs"]>();
expectTypeOf<Selected["status"]["conditions"][number]>().toEqualTypeOf<{
  readonly $typeName: "k8s.io.api.core.v1.PodCondition";
  type: string;
}>();
expectTypeOf<keyof Selected>().toEqualTypeOf<"$typeName" | "metadata" | "spec" | "status">();
expectTypeOf<keyof Selected["spec"]>().toEqualTypeOf<"$typeName" | "containers">();
// @ts-expect-error
pod?.spec.volumes;
// @ts-expect-error
pod?.metadata.uid;

// Overlapping paths: the whole field beats a part of it.
expectTypeOf<MaskedPod<["status.phase", "status"]>["status"]>().toEqualTypeOf<Pod["status"]>();
expectTypeOf<MaskedPod<["status.conditions", "status.conditions.type"]>["status"]>().toEqualTypeOf<{
  readonly $typeName: "k8s.io.api.core.v1.PodStatus";
  conditions: PodCondition[];
}>();

// Values: made once, used anywhere, joined.
const mask = podMask("metadata.name", "status.phase");
expectTypeOf(mask).toEqualTypeOf<PodMask<"metadata.name" | "status.phase">>();
expectTypeOf(await pods.getPod("uid", { mask })).toEqualTypeOf<MaskedPod<["metadata.name", "status.phase"]>>();
expectTypeOf<MaskedPod<typeof mask>>().toEqualTypeOf<MaskedPod<["status.phase", "metadata.name"]>>();
const joined = mask.union(podMask("spec.nodeName"), podMasks.identity);
expectTypeOf(await pods.getPod("uid", { mask: joined })).toHaveProperty("spec");
const AS_CONST = ["metadata.name"] as const;
expectTypeOf(await pods.listPods({ mask: AS_CONST })).toEqualTypeOf<MaskedPod<readonly ["metadata.name"]>[]>();

// Known at run time only: a deep partial.
const paths: string[] = process.argv.slice(2);
expectTypeOf(await pods.listPods({ mask: podMask(...paths) })).toEqualTypeOf<PartialPod[]>();
// @ts-expect-error podMask(...paths) takes paths that are known at run time only
void pods.listPods({ mask: paths });
expectTypeOf(await pods.listPods({ mask: podMask.parse("metadata.name") })).toEqualTypeOf<PartialPod[]>();
expectTypeOf<PartialPod["metadata"]>().toBeNullable();
const partial: PartialPod | undefined = (await pods.listPods({ mask: podMask(...paths) }))[0];
expectTypeOf(partial?.spec?.containers?.[0]?.image).toEqualTypeOf<string | undefined>();
const whole: Pod = await pods.getPod("uid");
const asPartial: PartialPod = whole;
void asPartial;

// Events and informers.
for await (const event of pods.watchPods({ mask: ["metadata.name"] })) {
  expectTypeOf(event).toEqualTypeOf<PodEvent<MaskedPod<["metadata.name"]>>>();
  if (event.type === "MODIFIED") expectTypeOf(event.previous).toEqualTypeOf<MaskedPod<["metadata.name"]>>();
}
const informer = pods.informer({ mask: podMasks.network, resyncIntervalMs: 1_000 });
expectTypeOf(informer.get({ uid: "uid" })?.status.podIP).toEqualTypeOf<string | undefined>();
expectTypeOf(informer).toEqualTypeOf<PodInformer<MaskedPod<typeof podMasks.network>>>();

// Nameable: functions take what a mask gives, and what gives more.
function nameOf(named: MaskedPod<["metadata.name"]>): string {
  return named.metadata.name;
}
nameOf(whole);
if (pod) nameOf(pod);

// A generic wrapper can be exported, with its types named.
export function byName<const P extends string = never>(client: PodsClient, name: string, mask: MaskInput<P>) {
  return client.listPods({ mask }).then((list): PodOf<P>[] => list.filter(({ $typeName }) => $typeName !== name));
}
expectTypeOf(await byName(pods, "web", ["metadata.name"])).toEqualTypeOf<MaskedPod<["metadata.name"]>[]>();

// Kubernetes' JSON: a pod knows its mask.
toKubernetesJson(whole);
if (pod) toKubernetesJson(pod);
if (pod) toKubernetesJson(pod, { mask: ["metadata.name"] });
for (const json of (await pods.listPods()).map(toKubernetesJson)) json.metadata?.name;

// Wrong paths are errors where they stand.
await pods.listPods({
  mask: [
    "metadata.name",
    // @ts-expect-error
    "metadata.nmae",
    "status.phase",
  ],
});
await pods.listPods({
  // @ts-expect-error
  mask: ["spec.containers.0.name"],
});
// @ts-expect-error
pods.watchPods({ mask: ["metadata.labels.app"] });
// @ts-expect-error
pods.informer({ mask: ["status.phase.x"] });
// @ts-expect-error
podMask("");
// @ts-expect-error
podMask("metadata.");
// @ts-expect-error
podMask("$typeName");
// @ts-expect-error
podMask("spec.volumes.configMap");
// @ts-expect-error
await pods.listPods({ mask: ["metadata.name"], retries: 1 });
