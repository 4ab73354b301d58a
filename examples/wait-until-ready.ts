// npm run example wait-until-ready NAMESPACE NAME [SECONDS]
//
// Waits until a pod on this node is ready, also while the API server cannot be reached.

import { isReady, type MaskedPod, PodsClient, podMasks, toDate } from "kubelet-pods";

const [namespace = "", name = "", seconds = "60"] = process.argv.slice(2);
if (!/^[a-z0-9.-]+$/.test(name) || !(Number(seconds) > 0 && Number(seconds) < 86_400)) {
  console.error("usage: wait-until-ready NAMESPACE NAME [SECONDS]");
  process.exit(2);
}
console.log(`waiting for ${namespace}/${name}`);

async function waitUntilReady(pods: PodsClient): Promise<MaskedPod<typeof podMasks.readiness>> {
  const signal = AbortSignal.timeout(Number(seconds) * 1000);
  for await (const event of pods.watchPods({ mask: podMasks.readiness, namespace, signal })) {
    if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
    if (event.pod.metadata.name === name && isReady(event.pod)) return event.pod;
  }
  throw new Error("not reached: the watch ends by return, or throws");
}

const pods = new PodsClient();
try {
  const { status } = await waitUntilReady(pods);
  const since = toDate(status.conditions.find(({ type }) => type === "Ready")?.lastTransitionTime);
  console.log(`${namespace}/${name} is ready${since === undefined ? "" : ` since ${since.toISOString()}`}`);
} catch (error) {
  if ((error as Error).name !== "TimeoutError") throw error;
  console.error(`${namespace}/${name} is not ready after ${seconds} s`);
  process.exitCode = 1;
} finally {
  await pods.close();
}
