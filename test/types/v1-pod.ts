// Compiled only: a whole pod goes where client-node's V1Pod is asked for, and a masked one does not.

import type { V1Pod } from "@kubernetes/client-node";
import { type PodsClient, toV1Pod } from "kubelet-pods";

export async function example(pods: PodsClient, use: (pod: V1Pod) => void): Promise<void> {
  for (const pod of await pods.listPods()) use(toV1Pod(pod));
  for (const pod of await pods.listPods({ mask: ["metadata.name"] })) {
    // @ts-expect-error: the mask leaves out what a V1Pod has
    use(toV1Pod(pod));
  }
}
