// npm run example informer ADDRESS...
//
// Finds the pods with these addresses in a cache, also while the kubelet cannot be reached.

import { PodsClient } from "kubelet-pods";

const addresses = process.argv.slice(2);
const pods = new PodsClient();
const informer = pods.informer({ mask: ["metadata.namespace", "metadata.name"] });
try {
  await informer.synced({ timeoutMs: 30_000 });
  console.log(`${informer.size} pods, ${informer.state.phase}`);
  for (const address of addresses) {
    const pod = informer.get({ ip: address });
    const names = pod ? [`${pod.metadata.namespace}/${pod.metadata.name}`] : [];
    console.log(`${address}: ${names.join(", ") || "no pod of this node"}`);
  }
} finally {
  await pods.close();
}
