// Answers other programs of this node, in any language, over HTTP on a Unix socket:
//
//   curl --unix-socket /run/kubelet-pods/lookup.sock 'http://node/find?ip=10.244.1.15&at=1764160000000'
//   curl --unix-socket /run/kubelet-pods/lookup.sock 'http://node/pods'
//
// Readers do not need root, only the socket's group. They get the fields of MASK and no others.

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

/** Keys of /find, each a parameter of the URL. */
const KEYS = ["ip", "uid", "containerID"] as const;

export interface LookupServiceOptions {
  /** Where to listen. A socket that is there already is replaced. Only root may write to its directory. */
  path: string;
  /** The permissions of the socket; 0o660 by default. */
  mode?: number;
  /** The number of the group whose members may connect; the group of this process by default. */
  group?: number;
  /** The kubelet's socket; by default the one that the client finds. */
  socketPath?: string;
  /** How long a client may take to send a request or to read its answer, in milliseconds; 5,000 by default. */
  timeoutMs?: number;
  /** Ends the service. */
  signal: AbortSignal;
}

/** The most connections that wait for a request. A further one takes the place of the oldest. */
const MAX_WAITING = 64;

/** Starts the service; it listens when the promise resolves. */
export async function lookupService(options: LookupServiceOptions): Promise<Server> {
  const { path, mode = 0o660, group, socketPath, timeoutMs = 5_000, signal } = options;
  const client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  const informer = client.informer({ mask: MASK, retainMs: 300_000, signal });

  /** Connections that wait for a request, oldest first. */
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
      // While the kubelet is away, `stale` says that pods may have come and gone since.
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
    const { pod, container, confidence, reason, gone } = informer.find(
      key as never,
      at === null ? {} : { at: Number(at) },
    );
    return { pod: pod && jsonOf(pod), container: container?.name, confidence, reason, goneAt: gone?.at };
  }

  const jsonOf = (pod: Parameters<typeof toKubernetesJson>[0]) => toKubernetesJson(pod, { mask: MASK });

  // No client may connect before the permissions are set, and none finds the path without a socket.
  rmSync(`${path}.new`, { force: true }); // of a process that was killed here
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
