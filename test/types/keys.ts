// Lookups accept the keys that parsers and identities return, and reject incomplete keys.

import {
  containerOf,
  containersOf,
  type PodKey,
  type PodsClient,
  parseCgroupPath,
  parseLogPath,
  parseVolumePath,
  podMask,
  podMasks,
  processIdentity,
  selfIdentity,
} from "kubelet-pods";

declare const client: PodsClient;
const informer = client.informer({ retainMs: 120_000, maxRetained: 1_000 });

const identities = [
  parseCgroupPath("x"),
  parseLogPath("x"),
  parseVolumePath("x"),
  await selfIdentity(),
  (await processIdentity(1))?.cgroup,
];
// @ts-expect-error undefined means that the path belongs to no pod; the caller must check it
informer.find(parseCgroupPath("x"));

export const found = [
  ...identities.map((key) => key && informer.find(key).pod?.metadata.uid),
  informer.find({ ip: "::1" }, { at: Date.now() }),
  await informer.waitFor({ containerID: "x" }, { at: new Date(), timeoutMs: 1, until: (one) => one.pod.spec.hostPID }),
];

// @ts-expect-error a namespace alone is not a key
export const half: PodKey = { namespace: "x" };
// @ts-expect-error an empty object is not a key
export const none: PodKey = {};

const names = podMask(
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "spec.containers.name",
  "spec.containers.image",
  "spec.ephemeralContainers.ephemeralContainerCommon.name",
  "status.initContainerStatuses",
  "status.containerStatuses",
  "status.ephemeralContainerStatuses",
);
for (const pod of client.informer({ mask: names }).list()) {
  for (const row of containersOf(pod)) {
    console.log(row.spec?.image, row.status?.containerID, row.run?.imageID);
    // @ts-expect-error the mask leaves resources out
    console.log(row.spec?.resources);
  }
}
for (const pod of client.informer().list()) console.log(containersOf(pod)[0]?.spec?.resources);
for (const pod of client.informer({ mask: podMasks.containersOf }).list()) containerOf(pod, "x");
// @ts-expect-error the mask lacks the container names of the spec
for (const pod of client.informer({ mask: podMasks.containers }).list()) containersOf(pod);
// @ts-expect-error the mask has only the names of the statuses
for (const pod of client.informer({ mask: ["status.containerStatuses.name"] }).list()) containerOf(pod, "x");
