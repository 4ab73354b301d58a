// Prometheus' targets on this node, over HTTP: GET /targets is for http_sd_configs, GET /healthz and /readyz for the kubelet's probes.
// Prometheus needs no access to the API server for it, and finds a pod as soon as the kubelet tells it.

import { createServer, type Server } from "node:http";
import { PodsClient } from "kubelet-pods";
import { targetsMask, targetsOf } from "./targets.js";

export interface TargetsOptions {
  socketPath?: string;
  /** Ends the watch with the process. */
  signal: AbortSignal;
}

/** Makes the server; it is to be told where to listen. */
export function targetsServer({ socketPath, signal }: TargetsOptions): Server {
  const client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  const pods = client.informer({ mask: targetsMask, signal });
  const server = createServer(({ method, url = "" }, response) => {
    const { live, ready, reason } = pods.health();
    const [path] = url.split("?", 1); // not `new URL`: it throws at `//`, which anybody may ask for
    if (method !== "GET" && method !== "HEAD") response.writeHead(405).end();
    else if (path === "/healthz") response.writeHead(live ? 200 : 503).end(`${reason}\n`);
    else if (path === "/readyz") response.writeHead(ready ? 200 : 503).end(`${reason}\n`);
    else if (path !== "/targets") response.writeHead(404).end();
    // Prometheus keeps the targets that it has where it is refused: an empty list would end them.
    else if (!ready) response.writeHead(503).end(`${reason}\n`);
    else response.setHeader("content-type", "application/json").end(JSON.stringify(targetsOf(pods.list())));
  });
  signal.addEventListener("abort", () => {
    server.close();
    void client.close();
  });
  return server;
}
