// Follows the processes of this node: tells each one that runs in a pod when it is first seen, with its pod and container, and when it
// has ended. A PID that is given again is another process. A container that the kubelet has yet to tell is waited for.

import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { PodsClient, type ProcessIdentity, podMask, processIdentity } from "kubelet-pods";

const mask = podMask("metadata.uid", "metadata.namespace", "metadata.name");

/** A process of a pod. */
export interface PodProcess {
  readonly pid: number;
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  /** Undefined for the pod's sandbox, whose cgroup no status names. */
  readonly container: string | undefined;
}

export interface FollowerOptions {
  socketPath?: string;
  /** The host's `/proc`. */
  procRoot?: string;
  /** How often `/proc` is read, in milliseconds. A process that comes and goes in between is not seen: for those take eBPF. */
  pollMs?: number;
  /** How long a process may wait for its container to be told, in milliseconds. */
  waitMs?: number;
  signal: AbortSignal;
  started(process: PodProcess): void;
  ended(process: PodProcess): void;
}

/** Follows processes until the signal aborts. */
export async function followProcesses(options: FollowerOptions): Promise<void> {
  const { socketPath, procRoot = "/proc", pollMs = 1_000, waitMs = 3_000, signal, started, ended } = options;
  await using client = new PodsClient({ socketPath });
  const informer = client.informer({ mask, retainMs: 120_000, signal });
  /** Each process by PID and start: what it is, undefined while that is looked up, null if it is none of a pod's. */
  const known = new Map<string, PodProcess | null | undefined>();
  const keyOf = ({ pid, startTicks }: ProcessIdentity) => `${pid} ${startTicks}`;

  async function name(identity: ProcessIdentity): Promise<PodProcess | null> {
    const { pid, cgroup } = identity;
    if (cgroup === undefined) return null; // a process of the host
    let found = informer.find(cgroup);
    if (found?.container === undefined) {
      // A container that has just started, or the pod's sandbox: no status will ever name that.
      const until = (now: NonNullable<typeof found>) => now.container !== undefined;
      found = await informer.waitFor(cgroup, { timeoutMs: waitMs, signal, until }).catch(() => informer.find(cgroup));
    }
    if (found === undefined) return null; // not of a pod that this kubelet has
    const { namespace, name: pod, uid } = found.pod.metadata;
    return { pid, namespace, pod, uid, container: found.container?.name };
  }

  async function look(): Promise<void> {
    const pids = (await readdir(procRoot)).filter((entry) => /^\d+$/.test(entry));
    const identities = await Promise.all(pids.map((pid) => processIdentity(Number(pid), { procRoot })));
    const present = new Set<string>();
    for (const identity of identities) {
      if (identity === undefined) continue; // it has just ended
      const key = keyOf(identity);
      present.add(key);
      if (known.has(key)) continue;
      known.set(key, undefined);
      void name(identity).then((process) => {
        if (!known.has(key) || signal.aborted) return; // it has ended while it was looked up
        known.set(key, process);
        if (process !== null) started(process);
      });
    }
    for (const [key, process] of known) {
      if (present.has(key)) continue;
      known.delete(key);
      if (process) ended(process);
    }
  }

  // Nothing can be said before the pods are known; a kubelet that is away is waited for.
  await informer.synced({ signal });
  while (!signal.aborted) {
    await look();
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
}
