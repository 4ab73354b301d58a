// Tells every end of a container on this node, with its reason and its workload, also those that came while nobody took them: the informer
// writes them down before it tells them. Counts them for Prometheus. The last one may be told twice after a restart.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { type EndedRecord, PodsClient } from "kubelet-pods";

export interface OomWatchOptions {
  socketPath?: string;
  /** The directory of the journal, and of the file that says which ends were told. */
  directory: string;
  signal: AbortSignal;
  tell(record: EndedRecord): void;
}

/** Tells ends until the signal aborts. */
export async function watchExits({ socketPath, directory, signal, tell }: OomWatchOptions): Promise<void> {
  await using client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  await using informer = client.informer({ journal: { directory: `${directory}/ends` } });
  const cursor = `${directory}/cursor`;
  try {
    for await (const record of informer.ended({ after: readAt(cursor), follow: true, signal })) {
      if (record.container !== undefined) tell(record);
      writeFileSync(`${cursor}.new`, record.seq);
      renameSync(`${cursor}.new`, cursor);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function readAt(cursor: string): string | undefined {
  try {
    return readFileSync(cursor, "utf8");
  } catch {
    return undefined; // the first time
  }
}

/** Returns the workload of an end: the pod itself where nothing controls it. */
export function workloadOf({ workload, name }: EndedRecord): string {
  return workload === undefined ? `Pod/${name}` : `${workload.kind}/${workload.name}`;
}

/** Counts ends by workload and reason, in Prometheus' text format. */
export class ExitCounter {
  readonly #counts = new Map<string, number>();

  count(record: EndedRecord): void {
    const { namespace, container, end } = record;
    const labels = { namespace, workload: workloadOf(record), container: container?.name ?? "", reason: end.reason };
    const text = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, "_")}"`);
    const key = text.join(",");
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  get metrics(): string {
    const lines = [...this.#counts].map(([labels, count]) => `container_exits_total{${labels}} ${count}\n`);
    return `# TYPE container_exits_total counter\n${lines.join("")}`;
  }
}
