// @kubernetes/client-node on an HTTP server that speaks the API server's list and watch. `packages` is where it is
// installed: 1.4 for Node.js 20, 2 for newer ones.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** As in the example of its documentation. */
const AGAIN_MS = 5_000;

/** @type {import("../client.mjs").Open} */
export async function open({ url, packages }) {
  const require = createRequire(pathToFileURL(join(packages, "x.js")));
  const entry = require.resolve("@kubernetes/client-node");
  const { CoreV1Api, KubeConfig, makeInformer } = await import(pathToFileURL(entry).href);
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "c", server: url, skipTLSVerify: true }],
    users: [{ name: "u" }],
    contexts: [{ name: "x", cluster: "c", user: "u" }],
    currentContext: "x",
  });
  const api = config.makeApiClient(CoreV1Api);
  let informer;
  return {
    get: (_, name) => api.readNamespacedPod({ namespace: "bench", name }),
    list: async () => (await api.listPodForAllNamespaces({})).items.length,
    async watch(told) {
      await informer?.stop();
      informer = makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces({}));
      const tell = ({ metadata }) => told.pod(metadata.uid, metadata.labels?.state);
      for (const verb of ["add", "update"]) informer.on(verb, tell);
      const start = () => informer.start().then(told.synced, () => setTimeout(start, AGAIN_MS));
      informer.on("error", () => setTimeout(start, AGAIN_MS));
      await start();
    },
  };
}
