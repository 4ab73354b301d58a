import { scanHead } from "../pod/scan.js";
import { type Finding, fail, note, ok, type Subject, skip } from "./check.js";
import { count, firstUnsorted, relist, TRIES, uidOf, unanswered } from "./compare.js";

export async function checkBurst(subject: Subject): Promise<Finding> {
  if (subject.version?.relistMs !== undefined) return skip("the watch of this version has no INITIAL_SYNC_COMPLETE");
  for (let i = 1; ; i++) {
    const before = await relist(subject);
    const burst = await readBurst(subject);
    const after = await relist(subject);
    if (!before.ok) return unanswered(before);
    if (!after.ok) return unanswered(after);
    if ("outcome" in burst) return burst;
    const uids = burst.pods.map(uidOf);
    const received = new Set(uids);
    const [old, now] = [new Set(before.value.map(uidOf)), new Set(after.value.map(uidOf))];
    const missing = [...old].some((uid) => now.has(uid) && !received.has(uid));
    const strange = uids.some((uid) => !old.has(uid) && !now.has(uid));
    if (!missing && !strange) {
      const text = `${count(uids.length, "pod")} as ADDED and INITIAL_SYNC_COMPLETE in ${burst.tookMs} ms; equal to the lists`;
      return firstUnsorted(uids) === undefined ? ok(text) : note(`${text}; not sorted by UID`);
    }
    // A pod may appear and disappear between two lists, but not in every attempt.
    if (i === TRIES) return fail(missing ? "a listed pod is missing" : "the watch sent a pod that no list has");
  }
}

/** Reads the pods before the marker. Returns them, or a finding. */
async function readBurst({ client, version, markerTimeoutMs, clock }: Subject): Promise<Burst | Finding> {
  const controller = new AbortController();
  const cancelTimer = clock.after(markerTimeoutMs, () => controller.abort());
  const startMs = clock.now();
  const pods: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const event of client.watch({ signal: controller.signal }, version)) {
      if (!("pod" in event)) {
        if (controller.signal.aborted) return fail(`no INITIAL_SYNC_COMPLETE within ${markerTimeoutMs / 1000} s`);
        return unanswered(event, "ended before INITIAL_SYNC_COMPLETE");
      }
      if (event.type === "INITIAL_SYNC_COMPLETE") {
        if (event.pod.length > 0) return fail("INITIAL_SYNC_COMPLETE has a pod");
        if (new Set(pods.map(uidOf)).size < pods.length)
          return fail("the watch sent a pod twice before INITIAL_SYNC_COMPLETE");
        return { pods, tookMs: Math.round(clock.now() - startMs) };
      }
      if (event.type !== "ADDED") return fail(`${event.type} before INITIAL_SYNC_COMPLETE`);
      pods.push(event.pod);
      bytes += event.pod.length;
      if (bytes > MAX_BURST_BYTES) return fail(`no INITIAL_SYNC_COMPLETE after ${count(pods.length, "pod")}`);
    }
    return fail("ended before INITIAL_SYNC_COMPLETE");
  } finally {
    cancelTimer();
    controller.abort();
  }
}

interface Burst {
  pods: Uint8Array[];
  tookMs: number;
}

/** Maximum size of a burst, far more than the pods of a node. A longer burst might never end. */
const MAX_BURST_BYTES = 512 * 1024 * 1024;

/** Types of the events that may follow the marker. */
const LIVE: ReadonlySet<string> = new Set(["ADDED", "MODIFIED", "DELETED", "CHANGED"]);

export async function checkLive({ client, version, observeMs, markerTimeoutMs, clock }: Subject): Promise<Finding> {
  const counts = new Map<string, number>();
  const controller = new AbortController();
  let live = version?.relistMs !== undefined;
  const endIn = (delayMs: number) => clock.after(delayMs, () => controller.abort());
  let cancelTimer = endIn(live ? observeMs : markerTimeoutMs);
  try {
    for await (const event of client.watch({ signal: controller.signal }, version)) {
      if (!("pod" in event)) {
        if (controller.signal.aborted) break;
        if (event.error?.code === "dropped")
          return note("the kubelet dropped the watch: this check reads events too slowly");
        return unanswered(event, "the watch ended");
      }
      if (event.type === "INITIAL_SYNC_COMPLETE" && !live) {
        live = true;
        cancelTimer();
        cancelTimer = endIn(observeMs);
      } else if (live) {
        if (!LIVE.has(event.type)) return fail(`${event.type} after INITIAL_SYNC_COMPLETE`);
        if (uidOf(event.pod) === "") return fail(`${event.type} without a UID`);
        if (scanHead(event.pod).broken) return fail(`${event.type} with a pod that cannot be decoded`);
        counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
      }
    }
  } finally {
    cancelTimer();
    controller.abort();
  }
  if (!live) return skip("no INITIAL_SYNC_COMPLETE received");
  const what = [...counts].map(([type, n]) => `${n} ${type}`).join(", ");
  return ok(`${what === "" ? "none" : what} within ${(observeMs / 1000).toFixed(1)} s`);
}
