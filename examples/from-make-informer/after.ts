// After: an informer of kubelet-pods on the kubelet. Needs the kubelet's socket, and nobody else.

import { PodsClient, toV1Pod, type V1PodLike } from "kubelet-pods";

const pods = new PodsClient();
const informer = pods.informer();

const line = ({ metadata, status }: V1PodLike) => `${metadata.namespace}/${metadata.name} ${status.phase}`;

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void informer.close());
try {
  for await (const event of informer) {
    if (event.type === "SYNCED") console.log(`SYNCED ${informer.size} pods`);
    else if (event.type !== "DISCONNECTED") console.log(`${event.type} ${line(toV1Pod(event.pod))}`);
  }
} catch (error) {
  if (informer.state.phase !== "closed") throw error;
} finally {
  await pods.close();
}
