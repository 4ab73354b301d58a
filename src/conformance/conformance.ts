import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { chooseSocket, otherFile, socketCandidates } from "../wire/socket-path.js";
import type { CheckOutcome, Finding, Subject } from "./check.js";
import { CHECKS } from "./checks.js";
import { RawClient } from "./raw-client.js";

/** Time between two unary calls. It leaves half of the kubelet's limit of 100 calls per second to other clients. */
const SPACING_MS = 20;

/** The documentation promises fewer than 40 requests. */
const MAX_REQUESTS = 39;

/** Options of {@link checkConformance}. */
export interface ConformanceOptions {
  /**
   * Path of the kubelet's socket.
   *
   * @default the socket that the client would dial
   */
  socketPath?: string | undefined;
  /**
   * Time for which a watch is observed after its first events, in milliseconds.
   *
   * @default 1,000
   */
  observeMs?: number | undefined;
  /**
   * Time limit for the first events of a watch, in milliseconds.
   *
   * @default 30,000
   */
  markerTimeoutMs?: number | undefined;
}

/** Results of all checks of a kubelet. */
export interface ConformanceReport {
  socketPath: string;
  /** Version of the Pods API; undefined if the kubelet serves no known version, or if `error` prevented the check. */
  apiVersion: string | undefined;
  /** Error that prevented the checks: the kubelet cannot be reached, is not ready, or limits the rate. */
  error?: PodsError;
  checks: (Finding & { name: string })[];
  counts: Record<CheckOutcome, number>;
  requests: number;
  tookMs: number;
}

/** Checks a running kubelet against the contract. It only reads, and makes fewer than 40 requests. */
export async function checkConformance(
  options: ConformanceOptions = {},
  clock: Clock = systemClock,
): Promise<ConformanceReport> {
  const { observeMs = 1_000, markerTimeoutMs = 30_000 } = options;
  const socketPath = chooseSocket(socketCandidates(options));
  const client = new RawClient({ clock, socketPath, spacingMs: SPACING_MS, retries: 1, maxRequests: MAX_REQUESTS });
  const subject: Subject = {
    client,
    clock,
    socketPath,
    observeMs,
    markerTimeoutMs,
    version: undefined,
    list: [],
  };
  const startMs = clock.now();
  const checks: ConformanceReport["checks"] = [];
  let error: PodsError | undefined;
  try {
    error = await unready(subject);
    for (const { name, run } of error === undefined ? CHECKS : []) {
      const finding = await run(subject).catch((thrown) => failed(thrown));
      checks.push({ name, outcome: finding.outcome, detail: printable(finding.detail, 300) });
      if (name !== "contract" || subject.version !== undefined) continue;
      if (finding.outcome === "skip")
        error = new PodsError({ code: "rate-limited", message: finding.detail, socketPath });
      break;
    }
  } finally {
    await client[Symbol.asyncDispose]();
  }
  const counts = { ok: 0, note: 0, fail: 0, skip: 0 };
  for (const { outcome } of checks) counts[outcome]++;
  const tookMs = Math.round(clock.now() - startMs);
  const { requests } = client;
  const apiVersion = subject.version?.name;
  return { socketPath: printable(socketPath), apiVersion, ...(error && { error }), checks, counts, requests, tookMs };
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
