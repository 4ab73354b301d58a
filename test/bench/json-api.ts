// List, get and watch of pods over HTTP, as the API server serves them, from prepared text.

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Pod } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { toKubernetesJson } from "../../src/pod/to-json.js";

/** The resource version of each list. No client requests an older one. */
const METADATA = { resourceVersion: "1" };

export class JsonApi {
  readonly watches: Set<ServerResponse> = new Set();
  /** Number of connections and requests since the start. */
  readonly counts: { connections: number; requests: number } = { connections: 0, requests: 0 };
  /** Cuts new connections at once, or refuses requests like a server that cannot serve yet. */
  mode: "well" | "cutting" | "initializing" = "well";
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => {
    this.counts.requests++;
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const name = /^\/api\/v1\/namespaces\/bench\/pods\/(.*)$/.exec(pathname)?.[1];
    if (this.mode === "initializing") {
      response.writeHead(503).end(JSON.stringify({ kind: "Status", code: 503 }));
      return;
    }
    response.setHeader("content-type", "application/json");
    if (name !== undefined) response.end(this.#pods.get(name));
    else if (!searchParams.has("watch")) response.end(this.#list);
    else {
      this.watches.add(response);
      response.on("close", () => this.watches.delete(response));
      response.flushHeaders();
    }
  });
  #pods: Map<string, string> = new Map();
  #list = "";

  constructor() {
    this.#server.on("connection", (socket) => {
      this.counts.connections++;
      this.#sockets.add(socket);
      if (this.mode === "cutting") socket.destroy();
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  serve(pods: readonly Pod[]): void {
    this.#pods = new Map(pods.map((pod) => [pod.metadata?.name ?? "", JSON.stringify(toKubernetesJson(pod))]));
    const items = [...this.#pods.values()].join(",");
    this.#list = `{"kind":"PodList","apiVersion":"v1","metadata":${JSON.stringify(METADATA)},"items":[${items}]}`;
  }

  /** Listens again at the same address after `down()`. */
  async up(port = 0): Promise<string> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async down(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** One line of a watch. */
  static event(type: "ADDED" | "MODIFIED", pod: Pod): Buffer {
    return Buffer.from(`${JSON.stringify({ type, object: toKubernetesJson(pod) })}\n`);
  }
}
