import { PodsError } from "../errors/pods-error.js";
import { type Finding, fail, note, ok, type Subject, skip } from "./check.js";

/** The service level of KEP-4188: 99 % of ListPods and GetPod within 5 ms, 99.9 % of all calls answered. */
const GOAL_MS = 5;
const GOAL_SHARE = 0.999;

/** Measures how long calls take, and how many are answered. A missed goal is only a note, because the load of the node matters, too. */
export async function checkServiceLevel({ client, version, samples }: Subject): Promise<Finding> {
  for (let i = 0; i < samples; i++) await (i % 2 === 0 ? client.list({}, version) : client.get("", version));
  const { timings } = client;
  if (timings.length === 0) return skip("nothing was called");
  const took = timings.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const [median, late] = [0.5, 0.99].map(
    (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0,
  ) as [number, number];
  const answered = timings.filter(({ code }) => code === "OK").length / timings.length;
  const detail =
    `${timings.length} calls: half within ${median.toFixed(1)} ms, 99 % within ${late.toFixed(1)} ms (goal ${GOAL_MS}), ` +
    `${(answered * 100).toFixed(1)} % answered (goal ${GOAL_SHARE * 100})`;
  return late <= GOAL_MS && answered >= GOAL_SHARE ? ok(detail) : note(detail);
}

/** Compares the kubelet's counts with the calls that were made. */
export async function checkMetrics({ client, metrics }: Subject): Promise<Finding> {
  if (metrics === undefined) return skip("not asked for");
  const { before } = metrics;
  const after = await metrics.read();
  const named = metrics.version === undefined ? "" : `${metrics.version}: `;
  for (const counts of [before, after]) {
    if (PodsError.is(counts)) return note(`cannot be read: ${counts.message}`);
    if (counts === undefined) return note(`${named}there is no kubelet_pod_requests_total, as before 1.37`);
  }
  const [first, last] = [before, after] as Exclude<typeof after, PodsError | undefined>[];
  const lines: string[] = [];
  for (const method of ["ListPods", "GetPod"] as const) {
    const made = client.timings.filter((timing) => timing.method === method && timing.code === "OK").length;
    const counted = (last?.[method] ?? 0) - (first?.[method] ?? 0);
    if (counted < 0) return note(`${named}it has begun to count anew: the kubelet was restarted`);
    if (counted < made) return fail(`${named}${method} counted ${counted} times, and answered ${made} times`);
    lines.push(`${method} +${counted} (${made} from here)`);
  }
  return ok(`${named}${lines.join(", ")}`);
}
