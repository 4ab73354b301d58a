// Tells every end of a container on this node once, with its reason and its workload; counts them for Prometheus. A kill by the OOM
// killer that the kubelet showed between two events, or while it or the agent was away, is told too. A pod that went meanwhile took its last
// ends with it.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { type ContainerEvent, type EndReason, type MaskedPod, PodsClient, podMasks, workloadOf } from "kubelet-pods";

const mask = podMasks.identity.union(podMasks.workloadOf);
type Ended = Extract<ContainerEvent<MaskedPod<typeof mask>>, { type: "ENDED" }>;

/** An end as it is told. */
export interface Exit {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly containerID: string;
  readonly workload: string;
  readonly reason: EndReason;
  readonly exitCode: number | undefined;
  readonly finishedAt: Date | undefined;
}

export interface OomWatchOptions {
  socketPath?: string;
  /** Where it is written down which ends were told, so that a restart of the agent tells none again; nothing by default. */
  stateFile?: string;
  signal: AbortSignal;
  tell(exit: Exit): void;
}

/** How many containers are remembered: more than any node has. */
const MAX_CONTAINERS = 10_000;

/** Tells ends until the signal aborts. */
export async function watchExits({ socketPath, stateFile, signal, tell }: OomWatchOptions): Promise<void> {
  await using client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  // Of each container the last two lives: more the kubelet does not show.
  const told = new Map(stateFile === undefined ? [] : toldIn(stateFile));
  try {
    for await (const event of client.watchContainers({ mask, signal })) {
      if (event.type === "MISSED") {
        const [from, to] = event.restartCounts;
        const { namespace, name } = event.pod.metadata;
        console.error(
          `${namespace}/${name} ${event.container.name}: the ends of restarts ${from} to ${to} were not shown`,
        );
      }
      if (event.type !== "ENDED") continue;
      const { kind, name, containerID } = event.container;
      const key = `${event.pod.metadata.uid} ${kind} ${name}`;
      const before = told.get(key) ?? [];
      told.delete(key); // those that were seen last are behind
      told.set(key, before.includes(containerID) ? before : [...before, containerID].slice(-2));
      if (before.includes(containerID)) continue;
      tell(exitOf(event));
      for (const oldest of told.keys()) {
        if (told.size <= MAX_CONTAINERS) break;
        told.delete(oldest);
      }
      if (stateFile === undefined) continue;
      writeFileSync(`${stateFile}.new`, JSON.stringify([...told]));
      renameSync(`${stateFile}.new`, stateFile);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function exitOf({ pod, container, end }: Ended): Exit {
  const { kind, name } = workloadOf(pod) ?? { kind: "Pod", name: pod.metadata.name };
  return {
    namespace: pod.metadata.namespace,
    pod: pod.metadata.name,
    container: container.name,
    containerID: container.containerID,
    workload: `${kind}/${name}`,
    reason: end.reason,
    exitCode: end.exitCode,
    finishedAt: end.finishedAt,
  };
}

function toldIn(stateFile: string): [string, string[]][] {
  try {
    return JSON.parse(readFileSync(stateFile, "utf8")) as [string, string[]][];
  } catch {
    return []; // the first time
  }
}

/** Counts ends by workload and reason, in Prometheus' text format. */
export class ExitCounter {
  readonly #counts = new Map<string, number>();

  count({ namespace, workload, container, reason }: Exit): void {
    const labels = { namespace, workload, container, reason };
    const text = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, "_")}"`);
    const key = text.join(",");
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  get metrics(): string {
    const lines = [...this.#counts].map(([labels, count]) => `container_exits_total{${labels}} ${count}\n`);
    return `# TYPE container_exits_total counter\n${lines.join("")}`;
  }
}
