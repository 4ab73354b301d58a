// Reports every container end on this node with its reason and workload, and counts them for Prometheus. Ends that occur while the agent is
// down are reported at its next start, if the kubelet still shows them. After a crash, the last end can be reported twice.

import { PodsClient } from "kubelet-pods";
import { type EndRecord, openJournal } from "kubelet-pods/journal";

export interface OomWatchOptions {
  socketPath?: string;
  /** Directory of the journal, which remembers the reported ends. */
  directory: string;
  signal: AbortSignal;
  report(record: EndRecord): void;
}

/** Reports ends until the signal aborts. */
export async function watchEnds({ socketPath, directory, signal, report }: OomWatchOptions): Promise<void> {
  await using client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  try {
    const journal = await openJournal(client, { directory, signal });
    for await (const record of journal) if (record.container !== undefined) report(record);
  } catch (error) {
    if (error !== signal.reason) throw error;
  }
}

/** Returns the workload of an end, such as `Deployment/web`; the pod itself if nothing controls it. */
export function workloadText({ workload, name }: EndRecord): string {
  return workload === undefined ? `Pod/${name}` : `${workload.kind}/${workload.name}`;
}

/** Counts ends by workload, reason and OOM kill, in Prometheus' text format. The kill of a child process is not one of the container. */
export class ExitCounter {
  readonly #counts = new Map<string, number>();

  count(record: EndRecord): void {
    const { namespace, container, end } = record;
    const workload = workloadText(record);
    const labels = { namespace, workload, container: container?.name ?? "", reason: end.reason, oom: end.oom ?? "" };
    const key = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, "_")}"`);
    this.#counts.set(key.join(","), (this.#counts.get(key.join(",")) ?? 0) + 1);
  }

  get metrics(): string {
    const lines = [...this.#counts].map(([labels, count]) => `container_exits_total{${labels}} ${count}\n`);
    return `# TYPE container_exits_total counter\n${lines.join("")}`;
  }
}
