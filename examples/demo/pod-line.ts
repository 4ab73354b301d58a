import { isReady, isTerminating, type MaskedPod, podMask } from "kubelet-pods";

/** A row of the table. */
export const LINE_MASK = podMask(
  "metadata.namespace",
  "metadata.name",
  "metadata.deletionTimestamp",
  "status.phase",
  "status.podIP",
  "status.conditions",
  "status.containerStatuses.restartCount",
);

/** Returns the state of a pod in a few words. `npx kubelet-pods get` uses kubectl's words. */
export interface PodLine {
  namespace: string;
  name: string;
  phase: string;
  ready: string;
  restarts: string;
  ip: string;
}

export function podLine(pod: MaskedPod<typeof LINE_MASK>): PodLine {
  const { metadata, status } = pod;
  const restarts = status?.containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return {
    namespace: safe(metadata?.namespace),
    name: safe(metadata?.name),
    phase: isTerminating(pod) ? "Terminating" : safe(status?.phase),
    ready: isReady(pod) ? "yes" : "no",
    restarts: String(restarts ?? 0),
    ip: safe(status?.podIP) || "-",
  };
}

/** Returns the rows under their column names. Each column is as wide as its widest cell. */
export function table(rows: PodLine[]): string {
  const columns: (keyof PodLine)[] = ["namespace", "name", "phase", "ready", "restarts", "ip"];
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

/** Replaces control characters, because anybody who may create pods chooses the names. */
function safe(text = ""): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}
