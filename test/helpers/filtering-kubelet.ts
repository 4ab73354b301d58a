import type { TestContext } from "node:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { EventType, Pods } from "../../src/gen/v1alpha1/pods_pb.js";
import { podMask } from "../../src/index.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { project } from "../../src/pod/project.js";
import { sampleNode } from "../../src/testing/index.js";
import { encodePod } from "../../src/testing/wire-pod.js";
import { serve } from "./kubelet.js";

/** A kubelet that applies masks to what it sends, as revisions before 1.36 did, or refuses them. */
export async function filtering(
  t: TestContext,
  { refuse = false } = {},
): Promise<{ socketPath: string; masks: string[]; pods: Uint8Array[]; dropWatches: () => void }> {
  const masks: string[] = [];
  const pods = sampleNode().map((json) => encodePod(fromKubernetesJson(json)));
  const watches = new Set<() => void>();
  const masked = ({ requestHeader }: { requestHeader: Headers }) => {
    const mask = requestHeader.get("x-kubernetes-fieldmask") ?? "";
    masks.push(mask);
    if (refuse && mask !== "") throw new ConnectError("invalid field mask", Code.InvalidArgument);
    return mask === "" ? pods : pods.map((pod) => project(pod, podMask.parse(mask).plan));
  };
  const socketPath = await serve(t, (router) => {
    router.service(Pods, {
      listPods: (_, context) => ({ pods: masked(context) }),
      getPod: ({ podUID }, context) => ({
        pod: masked(context).find((_, i) => sampleNode()[i]?.metadata?.uid === podUID) ?? new Uint8Array(),
      }),
      watchPods: async function* (_, context) {
        for (const pod of masked(context)) yield { type: EventType.ADDED, pod };
        yield { type: EventType.INITIAL_SYNC_COMPLETE };
        await new Promise<void>((resolve) => {
          watches.add(resolve);
          context.signal.addEventListener("abort", () => resolve(), { once: true });
        });
        throw new ConnectError("the kubelet ends", Code.Unavailable);
      },
    });
  });
  /** Ends the watches that are open, as a kubelet that stops. */
  const dropWatches = () => {
    for (const end of watches) end();
    watches.clear();
  };
  return { socketPath, masks, pods, dropWatches };
}
