import { scanHead } from "../pod/head.js";
import { type Finding, fail, note, ok, type Subject, skip } from "./check.js";
import { count, firstUnsorted, relist, said, TRIES, uidOf } from "./compare.js";
import type { RawEvent } from "./raw-client.js";

export async function checkBurst(subject: Subject): Promise<Finding> {
  if (subject.version?.relistMs !== undefined) return skip("the printed watch has none");
  for (let i = 1; ; i++) {
    const before = await relist(subject);
    const burst = await readBurst(subject);
    const after = await relist(subject);
    if (!before.ok) return fail(said(before));
    if (!after.ok) return fail(said(after));
    if ("outcome" in burst) return burst;
    const uids = burst.pods.map(uidOf);
    const [old, now] = [new Set(before.value.map(uidOf)), new Set(after.value.map(uidOf))];
    const missing = [...old].some((uid) => now.has(uid) && !uids.includes(uid));
    const strange = uids.some((uid) => !old.has(uid) && !now.has(uid));
    if (!missing && !strange) {
      const text = `${count(uids.length, "pod")} as ADDED, then the marker, in ${burst.tookMs} ms; as the lists have them`;
      return firstUnsorted(uids) === undefined ? ok(text) : note(`${text}; not sorted by UID`);
    }
    // A pod may come and go between two lists, but hardly each time.
    if (i === TRIES) return fail(missing ? "a pod that is listed is missing" : "a pod comes that no list has");
  }
}

/** The pods before the marker, or what is wrong with them. */
async function readBurst({ client, version, markerTimeoutMs }: Subject) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), markerTimeoutMs);
  const startMs = performance.now();
  const events: RawEvent[] = [];
  for await (const event of client.watch({ signal: controller.signal }, version)) {
    events.push(event);
    if (!("pod" in event) || event.type === "INITIAL_SYNC_COMPLETE") break;
  }
  clearTimeout(timer);
  controller.abort();
  const tookMs = Math.round(performance.now() - startMs);
  const marker = events.pop();
  if (marker === undefined || !("pod" in marker)) return fail(`ended before the marker: ${said(marker ?? {})}`);
  if (marker.pod.length > 0) return fail("the marker carries a pod");
  const other = events.find(({ type }) => type !== "ADDED");
  if (other !== undefined) return fail(`${other.type} before the marker`);
  const pods = events.flatMap((event) => ("pod" in event ? [event.pod] : []));
  if (new Set(pods.map(uidOf)).size < pods.length) return fail("a pod comes twice before the marker");
  return { pods, tookMs };
}

export async function checkLive({ client, version, observeMs }: Subject): Promise<Finding> {
  const counts = new Map<string, number>();
  let live = version?.relistMs !== undefined;
  const signal = AbortSignal.timeout(observeMs);
  for await (const event of client.watch({ signal }, version)) {
    if (!("pod" in event)) {
      if (signal.aborted) break;
      return fail(`the watch ended: ${said(event)}`);
    }
    if (event.type === "INITIAL_SYNC_COMPLETE") live = true;
    else if (live) {
      if (uidOf(event.pod) === "") return fail(`${event.type} without a UID`);
      if (scanHead(event.pod).broken) return fail(`${event.type} with a pod that cannot be decoded`);
      counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
    }
  }
  const seconds = (observeMs / 1000).toFixed(1);
  const what = [...counts].map(([type, n]) => `${n} ${type}`).join(", ");
  return ok(`${what === "" ? "none" : what} within ${seconds} s`);
}
