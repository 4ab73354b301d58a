// Follows the processes of this node: tells each one of a pod that it sees, with its pod and container, and when it has ended. A PID that
// is given again is another process. A container that the kubelet has yet to tell is waited for, also while the kubelet is away.

import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { PodsClient, podMask, processIdentity } from "kubelet-pods";

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
  /** How long a process may wait for its container to be told, in milliseconds; longer while the kubelet is away. */
  waitMs?: number;
  signal: AbortSignal;
  started(process: PodProcess): void;
  ended(process: PodProcess): void;
}

type Identity = NonNullable<Awaited<ReturnType<typeof processIdentity>>>;

/** A process that was seen. */
interface Seen {
  readonly identity: Identity;
  /** What was told of it; null if it is none of a pod's; undefined while that is not known. */
  told: PodProcess | null | undefined;
  /** How long it has waited while the pods were known, in milliseconds. */
  waitedMs: number;
  hasEnded: boolean;
}

/** How many files are open at once. */
const MAX_READS = 32;

/** How many processes may wait: what comes on top is told as it is known. */
const MAX_WAITING = 10_000;

/** Follows processes until the signal aborts. */
export async function followProcesses(options: FollowerOptions): Promise<void> {
  const { socketPath, procRoot = "/proc", pollMs = 1_000, waitMs = 3_000, signal, started, ended } = options;
  await using client = new PodsClient({ socketPath });
  const informer = client.informer({ mask, retainMs: 120_000, signal });
  const seen = new Map<string, Seen>();

  /** Reads all processes; one that cannot be read, or has just ended, is left out. */
  async function read(): Promise<Map<string, Identity>> {
    const pids = (await readdir(procRoot)).filter((entry) => /^\d+$/.test(entry));
    const found = new Map<string, Identity>();
    for (let i = 0; i < pids.length; i += MAX_READS) {
      const reads = pids.slice(i, i + MAX_READS).map((pid) => processIdentity(Number(pid), { procRoot }));
      for (const read of await Promise.allSettled(reads)) {
        const identity = read.status === "fulfilled" ? read.value : undefined;
        // Its number and start are the process. Runtimes move one into its cgroup after they have started it.
        if (identity) found.set(`${identity.pid} ${identity.startTicks} ${JSON.stringify(identity.cgroup)}`, identity);
      }
    }
    return found;
  }

  /** Returns what is to be told of a process; undefined if it has to wait. */
  function judge({ identity, waitedMs }: Seen): PodProcess | null | undefined {
    const { pid, cgroup } = identity;
    if (cgroup === undefined) return null; // a process of the host
    const { pod: found, container } = informer.find(cgroup);
    const mayWait = waitedMs < waitMs && seen.size < MAX_WAITING;
    if (container === undefined && mayWait) return undefined;
    if (found === undefined) return null; // of no pod that this kubelet has
    const { namespace, name: pod, uid } = found.metadata;
    return { pid, namespace, pod, uid, container: container?.name };
  }

  async function look(): Promise<void> {
    const present = await read();
    for (const [key, identity] of present) {
      if (!seen.has(key)) seen.set(key, { identity, told: undefined, waitedMs: 0, hasEnded: false });
    }
    for (const [key, each] of seen) {
      each.hasEnded = !present.has(key);
      if (each.told === undefined) {
        each.told = judge(each);
        if (each.told) started(each.told);
        // A kubelet that is away tells no container: that is no reason to give up.
        if (informer.state.phase === "synced") each.waitedMs += pollMs;
      }
      if (!each.hasEnded || each.told === undefined) continue;
      if (each.told) ended(each.told);
      seen.delete(key);
    }
  }

  // Nothing can be said before the pods are known; a kubelet that is away is waited for.
  await informer.synced({ signal });
  while (!signal.aborted) {
    await look();
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
}
