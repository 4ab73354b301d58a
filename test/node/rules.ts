// The rules that an agent keeps for addresses: one of a living pod is never removed, whatever the kubelet does meanwhile.

import type { At } from "./journal.js";
import type { Truth } from "./truth.js";
import type { Problem } from "./verdict.js";

/** Judges removals by the runtime's containers and by CNI's files: nothing of the client's is asked. */
export function judgeRules(lines: readonly At[], truth: Truth): { problems: Problem[]; removed: number } {
  const problems: Problem[] = [];
  let removed = 0;
  for (const line of lines) {
    if (line.who !== "rules" || line.type !== "REMOVED") continue;
    removed++;
    const { atMs, uid, ip } = line;
    const holds = (truth.leases.get(ip) ?? []).some(
      ({ sandbox, from, to }) => from <= atMs && to > atMs && truth.containers.get(sandbox)?.uid === uid,
    );
    const [running] = truth.running(uid, atMs).filter(({ kind, isLost }) => kind === "container" && isLost !== true);
    if (holds && running !== undefined)
      problems.push({ atMs, text: `${running.pod}: its rule for ${ip} was removed, and it runs`, finding: "X1" });
  }
  return { problems, removed };
}
