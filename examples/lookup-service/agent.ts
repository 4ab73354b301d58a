// Serves lookups to other programs on this node, over HTTP on a Unix socket:
//
//   curl --unix-socket /run/kubelet-pods/lookup.sock 'http://node/find?ip=10.244.1.15&at=1764160000000'
//   curl --unix-socket /run/kubelet-pods/lookup.sock 'http://node/pods'
//
// Readers do not need root, only the group of the socket. They get only the fields of MASK. An answer has its confidence, which a reader must
// check before it acts: see "Confidence of an answer" in docs/lookups.md.

import { chmodSync, chownSync, renameSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { PodsClient, PodsError, podMask, toKubernetesJson } from "kubelet-pods";

const MASK = podMask(
  "metadata.uid",
  "metadata.namespace",
  "metadata.name",
  "metadata.labels",
  "status.phase",
  "status.podIPs",
);

/** The URL parameters of /find. */
const KEYS = ["ip", "uid", "containerID"] as const;

export interface LookupServiceOptions {
  /** Path of the socket. An existing socket is replaced. Only root may write to its directory. */
  path: string;
  /** Mode of the socket; 0o660 by default. */
  mode?: number;
  /** GID of the group whose members may connect; by default that of this process. */
  group?: number;
  /** Path of the kubelet's socket; by default that of the client. */
  socketPath?: string;
  /** Time limit for sending a request or reading its response, in milliseconds; 5,000 by default. */
  timeoutMs?: number;
  /** Ends the service. */
  signal: AbortSignal;
}

/** The most idle connections. A further one replaces the oldest. */
const MAX_WAITING = 64;

/** Starts the service. It is listening when the promise resolves. */
export async function lookupService(options: LookupServiceOptions): Promise<Server> {
  const { path, mode = 0o660, group, socketPath, timeoutMs = 5_000, signal } = options;
  const client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  const informer = client.informer({ mask: MASK, retainMs: 300_000, signal });

  /** Idle connections, the oldest first. */
  const waiting = new Set<Socket>();
  const server = createServer({
    connectionsCheckingInterval: Math.min(1_000, timeoutMs),
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    keepAliveTimeout: timeoutMs,
    maxHeaderSize: 8_192,
  });
  server.timeout = timeoutMs; // also for clients that do not read
  server.maxConnections = 4 * MAX_WAITING;
  server.on("connection", (socket) => {
    waiting.add(socket);
    socket.once("close", () => waiting.delete(socket));
    const [oldest] = waiting;
    if (waiting.size > MAX_WAITING) oldest?.destroy();
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    waiting.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) waiting.add(socket);
    });
    const [status, body] = answerOf(request);
    response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
  });

  function answerOf({ method, url = "/" }: IncomingMessage): [status: number, body: unknown] {
    if (method !== "GET") return [405, { error: "only GET is served" }];
    const [path, query] = url.split("?", 2);
    const { phase } = informer.state;
    if (phase === "connecting") return [503, { error: "the kubelet has not listed its pods yet; try again" }];
    try {
      // While the kubelet cannot be reached, the phase is `stale`: pods may have changed since.
      if (path === "/pods") return [200, { phase, pods: informer.list().map(jsonOf) }];
      if (path === "/find") return [200, found(new URLSearchParams(query))];
    } catch (error) {
      return PodsError.is(error) ? [400, { error: error.message }] : [500, { error: "internal error" }];
    }
    return [404, { error: "ask for /find or /pods" }];
  }

  function found(query: URLSearchParams): object {
    const key = Object.fromEntries(KEYS.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : [])));
    const at = query.get("at");
    const { pod, container, confidence, reason, others, gone } = informer.find(
      key as never,
      at === null ? {} : { at: Number(at) },
    );
    return { pod: pod && jsonOf(pod), container: container?.name, confidence, reason, others, goneAt: gone?.at };
  }

  const jsonOf = (pod: Parameters<typeof toKubernetesJson>[0]) => toKubernetesJson(pod, { mask: MASK });

  // The rename makes the socket visible only after its permissions are set, and leaves no moment without a socket.
  rmSync(`${path}.new`, { force: true }); // from a process that was killed
  const umask = process.umask(0o177);
  server.listen(`${path}.new`);
  process.umask(umask);
  await new Promise((resolve, reject) => server.once("listening", resolve).once("error", reject));
  if (group !== undefined) chownSync(`${path}.new`, -1, group);
  chmodSync(`${path}.new`, mode);
  renameSync(`${path}.new`, path);

  signal.addEventListener("abort", () => {
    server.close();
    server.closeAllConnections();
    void client.close();
  });
  return server;
}
