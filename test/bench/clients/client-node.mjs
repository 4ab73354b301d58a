// @kubernetes/client-node on an HTTP server with the list and watch of the API server. `packages` is the directory in which it is
// installed: version 1.4 for Node.js 20, and 2 for newer versions.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { read } from "./read.mjs";

/** The delay in the example of its documentation. */
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
    get: async (_, name) => read(await api.readNamespacedPod({ namespace: "bench", name }), false),
    list: async () => (await api.listPodForAllNamespaces({})).items.reduce((sum, pod) => sum + read(pod, false), 0),
    async watch(told) {
      const before = informer;
      const mine = makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces({}));
      informer = mine;
      await before?.stop();
      const tell = (pod) => {
        read(pod, false);
        told.pod(pod.metadata.uid, pod.metadata.labels?.state);
      };
      for (const verb of ["add", "update"]) mine.on(verb, tell);
      const again = () => setTimeout(() => mine === informer && start(), AGAIN_MS);
      const start = () => mine.start().then(told.synced, again);
      mine.on("error", again);
      await start();
    },
  };
}
