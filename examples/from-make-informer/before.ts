// Before: an informer of client-node on the API server. Needs a service account that may list and watch pods of the whole
// cluster, and the API server.

import { CoreV1Api, KubeConfig, makeInformer, type V1Pod } from "@kubernetes/client-node";

const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CoreV1Api);
const fieldSelector = `spec.nodeName=${process.env["NODE_NAME"]}`;
const path = `/api/v1/pods?fieldSelector=${encodeURIComponent(fieldSelector)}`; // or the watch has the whole cluster
const informer = makeInformer(config, path, () => api.listPodForAllNamespaces({ fieldSelector }));

const line = ({ metadata, status }: V1Pod) => `${metadata?.namespace}/${metadata?.name} ${status?.phase}`;

informer.on("add", (pod) => console.log(`ADDED ${line(pod)}`));
informer.on("update", (pod) => console.log(`MODIFIED ${line(pod)}`));
informer.on("delete", (pod) => console.log(`DELETED ${line(pod)}`));
informer.on("error", () => setTimeout(() => void informer.start(), 5_000)); // it does not go on by itself

await informer.start();
console.log(`SYNCED ${informer.list().length} pods`);
