// npm run example list [NAMESPACE]
//
// The pods of this node, with the fields that a mask selects and no others.

import { PodsClient } from "kubelet-pods";

const [namespace] = process.argv.slice(2);
const pods = new PodsClient();
try {
  const mask = ["metadata.namespace", "metadata.name", "status.phase", "status.podIPs"] as const;
  for (const { metadata, status } of await pods.listPods({ mask, namespace })) {
    const addresses = status.podIPs.map(({ ip }) => ip).join(", ");
    console.log(`${metadata.namespace}/${metadata.name} ${status.phase} ${addresses || "without an address"}`);
  }
} finally {
  await pods.close();
}
