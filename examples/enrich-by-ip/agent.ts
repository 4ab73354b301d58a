// Adds pod attributes to spans, logs or metrics from pods on this node. Finds the pod by UID or container ID, otherwise by the sender's
// address. POST a JSON list of attributes to /enrich. /healthz and /metrics are for the operator.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { atLeast, type PodKey, PodsClient } from "kubelet-pods";
import { attributesMask, attributesOf } from "kubelet-pods/otel";

type Attributes = Record<string, unknown>;

/** Maximum size of a request body, because senders are not trusted. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export interface EnricherOptions {
  socketPath?: string;
  /** Ends the agent. */
  signal: AbortSignal;
}

/** Returns the server, which does not listen yet. Records without a known pod are returned unchanged. */
export function enricher({ socketPath, signal }: EnricherOptions): Server {
  const client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  const pods = client.informer({ mask: attributesMask, retainMs: 120_000, signal });
  const counts = { found: 0, missed: 0, uncertain: 0 };

  /** Returns the keys in a record, the most exact first. */
  function* keysOf(attributes: Attributes, peer: string): Generator<PodKey> {
    const text = (name: string) => (typeof attributes[name] === "string" ? (attributes[name] as string) : undefined);
    const [uid, containerID] = [text("k8s.pod.uid"), text("container.id")];
    const [namespace, name] = [text("k8s.namespace.name"), text("k8s.pod.name")];
    if (uid) yield { uid, containerID };
    if (containerID) yield { containerID };
    if (namespace && name) yield { namespace, name };
    yield { ip: peer };
  }

  function enrich(attributes: Attributes, peer: string, receivedMs: number): Attributes {
    for (const key of keysOf(attributes, peer)) {
      const answer = pods.find(key, { at: receivedMs });
      if (answer.pod === undefined) continue;
      counts.found++;
      // The sender's connection is open, so a likely answer is good enough.
      if (!atLeast(answer, "likely")) counts.uncertain++;
      return { ...attributesOf(answer.pod, answer.container), ...attributes };
    }
    counts.missed++;
    return attributes;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedMs = Date.now();
    const { method, url = "" } = request;
    if (method === "GET" && url === "/healthz") {
      // A kubelet that cannot be reached is no reason to restart the agent.
      const { phase } = pods.state;
      response.writeHead(phase === "closed" ? 503 : 200).end(`${phase}\n`);
    } else if (method === "GET" && url === "/metrics") response.end(metrics());
    else if (method === "POST" && url === "/enrich") {
      const records = JSON.parse(await bodyOf(request)) as unknown;
      if (!Array.isArray(records)) throw new Error("not a list");
      const peer = request.socket.remoteAddress ?? "";
      const enriched = records.map((record) => enrich({ ...(record as Attributes) }, peer, receivedMs));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(enriched));
    } else response.writeHead(404).end();
  }

  function metrics(): string {
    const { phase, retained } = pods.state;
    const lines = Object.entries(counts).map(([what, count]) => `enricher_records_total{result="${what}"} ${count}`);
    return `${[...lines, `enricher_pods ${pods.size}`, `enricher_retained ${retained}`, `enricher_synced ${Number(phase === "synced")}`].join("\n")}\n`;
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  signal.addEventListener("abort", () => {
    server.close();
    void client.close();
  });
  return server;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
