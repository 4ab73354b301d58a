// Reports every end of a container on this node with its reason and its workload, and counts them for Prometheus.

import { type End, PodsClient, podMask, podMasks, workloadOf } from "kubelet-pods";

const MASK = podMasks.workloadOf.union(podMask("metadata.namespace", "metadata.name"));

/** An end of a container. */
export interface Exit {
  readonly namespace: string;
  readonly pod: string;
  /** The workload, such as `Deployment/web`; the pod itself if nothing controls it. */
  readonly workload: string;
  readonly container: string;
  readonly end: End;
}

export interface OomWatchOptions {
  socketPath?: string;
  signal: AbortSignal;
  report(exit: Exit): void;
}

/** Reports ends until the signal aborts. Ends before its start are left out: an earlier process may have reported them. */
export async function watchExits({ socketPath, signal, report }: OomWatchOptions): Promise<void> {
  await using client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  try {
    for await (const event of client.watchContainers({ mask: MASK, signal })) {
      if (event.type !== "ENDED" || event.initial) continue;
      const { namespace, name } = event.pod.metadata;
      const { kind, name: owner } = workloadOf(event.pod) ?? { kind: "Pod", name };
      const workload = `${kind}/${owner}`;
      report({ namespace, pod: name, workload, container: event.container.name, end: event.end });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Counts ends by workload, reason and lost processes, in Prometheus' text format. A lost child alone is no OOM kill of the container. */
export class ExitCounter {
  readonly #counts = new Map<string, number>();

  count({ namespace, workload, container, end: { reason, oom } }: Exit): void {
    const labels = Object.entries({ namespace, workload, container, reason, oom: oom ?? "" });
    const key = labels.map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, "_")}"`).join(",");
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  get metrics(): string {
    const lines = [...this.#counts].map(([labels, count]) => `container_exits_total{${labels}} ${count}\n`);
    return `# TYPE container_exits_total counter\n${lines.join("")}`;
  }
}
