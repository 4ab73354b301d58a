// Compiled only: a whole pod goes where client-node's V1Pod is asked for, and a masked one does not.

import type { V1Pod } from "@kubernetes/client-node";
import { type PodsClient, toV1Pod } from "kubelet-pods";

type Status = NonNullable<ReturnType<typeof toV1Pod>["status"]>;
type Item<T> = NonNullable<T> extends (infer Each)[] ? NonNullable<Each> : never;
type Mount = Item<Item<Status["containerStatuses"]>["volumeMounts"]>;

/** What client-node 2 has as always there besides. */
export function second(
  { volumeStatus }: Mount,
  { resources }: Item<Status["nodeAllocatableResourceClaimStatuses"]>,
): [imageRef: string | undefined, resources: { [key: string]: string }] {
  const image: { imageRef: string } | undefined = volumeStatus?.image;
  return [image?.imageRef, resources];
}

export async function example(pods: PodsClient, use: (pod: V1Pod) => void): Promise<void> {
  for (const pod of await pods.listPods()) use(toV1Pod(pod));
  for (const pod of await pods.listPods({ mask: ["metadata.name"] })) {
    // @ts-expect-error: the mask leaves out what a V1Pod has
    use(toV1Pod(pod));
  }
}
