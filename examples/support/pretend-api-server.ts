import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { PodJson } from "kubelet-pods";

const INVALID = JSON.stringify({ apiVersion: "v1", kind: "Status", status: "Failure", reason: "Invalid", code: 422 });

/** As much of an API server as an informer needs: list and watch of the pods that it is given, as it knows them. */
export class PretendApiServer {
  readonly #server: Server;
  readonly #pods = new Map<string, PodJson>();
  readonly #watches = new Set<ServerResponse>();
  #version = 1;

  private constructor() {
    this.#server = createServer((request, response) => {
      const [pathname, query] = (request.url ?? "/").split("?", 2);
      const searchParams = new URLSearchParams(query);
      response.setHeader("content-type", "application/json");
      if (pathname !== "/api/v1/pods") response.writeHead(404).end("{}");
      // As a server that has no lists in watches: clients of Go list then.
      else if (searchParams.has("sendInitialEvents")) response.writeHead(422).end(INVALID);
      else if (searchParams.has("watch")) this.#watch(response);
      else response.end(JSON.stringify(this.#list()));
    });
  }

  static async start(pods: readonly PodJson[] = []): Promise<PretendApiServer> {
    const api = new PretendApiServer();
    for (const pod of pods) api.put(pod);
    api.#server.listen(0, "localhost");
    await once(api.#server, "listening");
    return api;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://localhost:${typeof address === "object" ? address?.port : ""}`;
  }

  /** A kubeconfig that leads here. */
  get kubeconfig(): string {
    const server = this.url;
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster: { server, "insecure-skip-tls-verify": true } }],
      users: [{ name: "u", user: {} }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    });
  }

  /** The pod is there, or is another now. */
  put(pod: PodJson): void {
    const known = asKnown({ ...pod, metadata: { ...pod.metadata, resourceVersion: String(++this.#version) } });
    const key = `${known.metadata?.namespace}/${known.metadata?.name}`;
    const type = this.#pods.has(key) ? "MODIFIED" : "ADDED";
    this.#pods.set(key, known);
    this.#tell(type, known);
  }

  remove(namespace: string, name: string): void {
    const pod = this.#pods.get(`${namespace}/${name}`);
    if (pod === undefined) return;
    this.#pods.delete(`${namespace}/${name}`);
    this.#tell("DELETED", { ...pod, metadata: { ...pod.metadata, resourceVersion: String(++this.#version) } });
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #list(): object {
    const metadata = { resourceVersion: String(this.#version) };
    return { apiVersion: "v1", kind: "PodList", metadata, items: [...this.#pods.values()] };
  }

  #watch(response: ServerResponse): void {
    this.#watches.add(response);
    response.on("close", () => this.#watches.delete(response));
    response.flushHeaders();
  }

  #tell(type: string, object: PodJson): void {
    for (const response of this.#watches) response.write(`${JSON.stringify({ type, object })}\n`);
  }
}

/** Of a static pod the API server knows the mirror pod: its UID is another, and the kubelet's is in an annotation. */
function asKnown(pod: PodJson): PodJson {
  const { annotations, uid } = pod.metadata ?? {};
  if (annotations?.["kubernetes.io/config.source"] !== "file") return pod;
  const mirror = { ...annotations, "kubernetes.io/config.hash": uid ?? "", "kubernetes.io/config.mirror": uid ?? "" };
  return { ...pod, metadata: { ...pod.metadata, uid: `mirror-${uid}`, annotations: mirror } };
}
