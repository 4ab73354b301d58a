import type { Pod } from "kubelet-pods";

/** What a pod is doing, in a few words for a table. */
export interface PodLine {
  namespace: string;
  name: string;
  ready: string;
  status: string;
  restarts: string;
  ip: string;
}

export function podLine({ metadata, status }: Pod): PodLine {
  const containers = status?.containerStatuses ?? [];
  const waiting = [...(status?.initContainerStatuses ?? []), ...containers].find((c) => c.state?.waiting?.reason);
  let text = status?.reason || waiting?.state?.waiting?.reason || status?.phase || "Unknown";
  if (status?.phase === "Succeeded") text = "Completed";
  if (metadata?.deletionTimestamp !== undefined) text = "Terminating";
  return {
    namespace: safe(metadata?.namespace),
    name: safe(metadata?.name),
    ready: `${containers.filter((c) => c.ready).length}/${containers.length}`,
    status: safe(text),
    restarts: String(containers.reduce((sum, c) => sum + c.restartCount, 0)),
    ip: safe(status?.podIP) || "-",
  };
}

/** Rows under their column names, each column as wide as its widest cell. */
export function table(rows: PodLine[]): string {
  const columns: (keyof PodLine)[] = ["namespace", "name", "ready", "status", "restarts", "ip"];
  const lines = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => columns.map((c) => row[c]))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Names come from whoever may create pods: no control character of theirs reaches the terminal. */
function safe(text = ""): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}
