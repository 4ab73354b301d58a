import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import type { KubeletHttpOptions } from "../sources/kubelet-http/http-options.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { chooseSocket, isSocket, otherFile, podResourcesBeside, socketCandidates } from "../wire/socket-path.js";
import type { Finding, Outcome, Subject } from "./check.js";
import { CHECKS } from "./checks.js";
import { KubeletMetrics } from "./kubelet-metrics.js";
import { RawClient } from "./raw-client.js";
import { STRESS_CHECKS } from "./stress.js";

/** Between two unary calls: a kubelet lets 100 per second through, and half of them are left to others. */
const SPACING_MS = 20;

/** The most requests that are made of each API: an operator is promised fewer than 40 in all. */
const MAX_REQUESTS = 30;
const MAX_RESOURCES_REQUESTS = 9;

/** Options of {@link checkConformance}. */
export interface ConformanceOptions {
  /**
   * The kubelet's socket.
   *
   * @default where the client looks for it
   */
  socketPath?: string | undefined;
  /**
   * Whether to run checks that use up the limit of all clients, or get a connection expelled.
   *
   * @default false
   */
  stress?: boolean | undefined;
  /**
   * How long a watch is looked at, in milliseconds.
   *
   * @default 1,000
   */
  observeMs?: number | undefined;
  /**
   * How long the first events of a watch may take, in milliseconds.
   *
   * @default 30,000
   */
  markerTimeoutMs?: number | undefined;
  /**
   * The socket of the podresources API of the same kubelet.
   *
   * @default $KUBELET_PODRESOURCES_SOCKET, or the one below the same root directory
   */
  podResourcesSocketPath?: string | undefined;
  /**
   * Where the kubelet's metrics are read.
   *
   * @default not at all
   */
  metrics?: KubeletHttpOptions | undefined;
  /**
   * How many calls more are made to measure the service level, at half of the rate that the kubelet allows.
   *
   * @default 0
   */
  samples?: number | undefined;
}

/** The results of all checks of a kubelet. */
export interface ConformanceReport {
  socketPath: string;
  /** The versions that were seen: of the Pods API, and of the kubelet where its metrics say it. */
  versions: { api: string | undefined; kubelet: string | undefined };
  /** Why the kubelet could not be judged: it cannot be reached, or is not ready. */
  error?: PodsError;
  checks: (Finding & { name: string })[];
  counts: Record<Outcome, number>;
  requests: number;
  tookMs: number;
}

/** Reads from a live kubelet what the contract says, and nothing else; fewer than 40 requests, unless for stress or samples. */
export async function checkConformance(
  options: ConformanceOptions = {},
  clock: Clock = systemClock,
): Promise<ConformanceReport> {
  const { stress = false, observeMs = 1_000, markerTimeoutMs = 30_000, samples = 0 } = options;
  const metrics = options.metrics === undefined ? undefined : new KubeletMetrics(options.metrics, clock);
  const socketPath = chooseSocket(socketCandidates(options));
  const client = new RawClient({
    clock,
    socketPath,
    spacingMs: SPACING_MS,
    retries: 1,
    maxRequests: stress ? Number.POSITIVE_INFINITY : MAX_REQUESTS + samples,
  });
  const resourcesPath = options.podResourcesSocketPath ?? podResourcesBeside(socketPath);
  const resources =
    resourcesPath !== undefined && isSocket(resourcesPath)
      ? new RawClient({
          clock,
          socketPath: resourcesPath,
          spacingMs: SPACING_MS,
          retries: 1,
          maxRequests: MAX_RESOURCES_REQUESTS,
        })
      : undefined;
  const subject: Subject = {
    client,
    clock,
    socketPath,
    observeMs,
    markerTimeoutMs,
    version: undefined,
    list: [],
    resources,
    wantsResources: options.podResourcesSocketPath !== undefined,
    metrics,
    samples,
  };
  const startMs = clock.now();
  const checks: ConformanceReport["checks"] = [];
  let error: PodsError | undefined;
  try {
    error = await unready(subject);
    if (error === undefined) await metrics?.begin();
    client.timings.length = 0; // the first call connected, and was not counted
    for (const { name, run } of error === undefined ? [...CHECKS, ...(stress ? STRESS_CHECKS : [])] : []) {
      const finding = await run(subject).catch((thrown) => failed(thrown));
      checks.push({ name, outcome: finding.outcome, detail: printable(finding.detail, 300) });
      if (name !== "contract" || subject.version !== undefined) continue;
      if (finding.outcome === "skip")
        error = new PodsError({ code: "rate-limited", message: finding.detail, socketPath });
      break;
    }
  } finally {
    metrics?.close();
    await Promise.all([client[Symbol.asyncDispose](), resources?.[Symbol.asyncDispose]()]);
  }
  const counts = { ok: 0, note: 0, fail: 0, skip: 0 };
  for (const { outcome } of checks) counts[outcome]++;
  const tookMs = Math.round(clock.now() - startMs);
  const versions = { api: subject.version?.name, kubelet: metrics?.version };
  const requests = client.requests + (resources?.requests ?? 0);
  return { socketPath: printable(socketPath), versions, ...(error && { error }), checks, counts, requests, tookMs };
}

/** Returns what is in the way of every check; undefined where nothing is. */
async function unready({ client, socketPath }: Subject): Promise<PodsError | undefined> {
  const other = otherFile(socketPath);
  if (other !== undefined) {
    return new PodsError({ code: "not-a-socket", message: `${printable(socketPath)} is ${other}`, socketPath });
  }
  try {
    await client.connect();
  } catch (error) {
    return PodsError.from(error, { socketPath });
  }
  const answer = await client.get("");
  const waits = !answer.ok && ["initializing", "connection-lost", "wrong-peer", "deadline"].includes(answer.error.code);
  return waits ? answer.error : undefined;
}

function failed(thrown: unknown): Finding {
  return { outcome: "fail", detail: printable(thrown instanceof Error ? thrown.message : String(thrown)) };
}
