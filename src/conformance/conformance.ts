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

/** The time between two unary calls. A kubelet allows 100 per second, and half of them are left to others. */
const SPACING_MS = 20;

/** The most requests to each API. The documentation promises fewer than 40 in all. */
const MAX_REQUESTS = 30;
const MAX_RESOURCES_REQUESTS = 9;

/** Options of {@link checkConformance}. */
export interface ConformanceOptions {
  /**
   * The kubelet's socket.
   *
   * @default the socket that the client would dial
   */
  socketPath?: string | undefined;
  /**
   * True to run checks that use up the limit of all clients, or get a connection expelled.
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
   * The HTTP server to read the kubelet's metrics from.
   *
   * @default metrics are not read
   */
  metrics?: KubeletHttpOptions | undefined;
  /**
   * How many additional calls are made to measure the service level, at half of the rate that the kubelet allows.
   *
   * @default 0
   */
  samples?: number | undefined;
}

/** The results of all checks of a kubelet. */
export interface ConformanceReport {
  socketPath: string;
  /** The versions of the Pods API, and of the kubelet if its metrics tell it. */
  versions: { api: string | undefined; kubelet: string | undefined };
  /** Why the kubelet could not be judged: it cannot be reached, or is not ready. */
  error?: PodsError;
  checks: (Finding & { name: string })[];
  counts: Record<Outcome, number>;
  requests: number;
  tookMs: number;
}

/** Checks a live kubelet against the contract, by reads only. It makes fewer than 40 requests without `stress` and `samples`. */
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
    client.timings.length = 0; // the first call included the connection, and does not count
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

/** Returns the error that prevents all checks; undefined if there is none. */
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
