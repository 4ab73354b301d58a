// The status of a pod's container, by what its runtime has done.

import type { StatusShown } from "./shown-pod.js";
import type { Run } from "./truth.js";

/** The status of a pod's container, as a kubelet writes it (docs/kubelet.md, Containers). */
export function statusesOf(runs: readonly Run[]): StatusShown[] {
  const current = runs.at(-1);
  if (current === undefined) return [];
  const before = runs.slice(0, -1).findLast(({ fromMs }) => fromMs !== undefined);
  const { name, id, count, fromMs, toMs } = current;
  const last = before === undefined ? undefined : endOf(before);
  if (fromMs === undefined) {
    // Removed before it started: the status names the one before again.
    if (toMs !== undefined && before !== undefined) return [{ name, id: before.id, count, state: "waiting", last }];
    return [{ name, id, count, state: "waiting", last }];
  }
  if (toMs === undefined) return [{ name, id, count, state: "running", startedMs: fromMs, last }];
  if (current.isLost)
    return [{ name, id: "", count: last === undefined ? count + 1 : count, state: "waiting", last: last ?? {} }];
  return [{ name, id, count, state: "terminated", end: endOf(current), last }];
}

function endOf(run: Run): NonNullable<StatusShown["end"]> {
  if (run.isLost) return {};
  const { id, fromMs, toMs, exitCode, isInvented, oom } = run;
  return {
    id,
    startedMs: fromMs,
    finishedMs: toMs,
    exitCode: isInvented ? 255 : exitCode,
    reason: isInvented ? "Unknown" : oom === undefined ? "Error" : "OOMKilled",
  };
}
