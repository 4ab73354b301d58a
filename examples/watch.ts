// npm run example watch [LABEL-SELECTOR]
//
// Prints all pods, then every change, across kubelet restarts, until SIGINT or SIGTERM.

import { isReady, PodsClient, podMasks } from "kubelet-pods";

const [labelSelector] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

const pods = new PodsClient();
try {
  for await (const event of pods.watchPods({ mask: podMasks.readiness, labelSelector, signal: stop.signal })) {
    switch (event.type) {
      case "SYNCED":
        console.log(`SYNCED: ${event.count} pods`);
        break;
      case "DISCONNECTED": // the pods so far stay valid, but may be out of date
        console.log(`DISCONNECTED: ${event.error.message}`);
        break;
      case "DELETED":
        console.log(`DELETED ${event.pod.metadata.name} (${event.cause})`);
        break;
      default:
        console.log(`${event.type} ${event.pod.metadata.name} ${isReady(event.pod) ? "ready" : "not ready"}`);
    }
  }
} catch (error) {
  if (error !== stop.signal.reason) throw error;
} finally {
  await pods.close();
}
