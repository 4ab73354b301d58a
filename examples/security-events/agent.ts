// Names the pod and the container of events that a sensor sees (eBPF, audit): each with a process and the time. A container that the
// kubelet has yet to tell is waited for; no event is lost for want of one.

import { type PodKey, PodsClient, parseCgroupPath, podMask, processIdentity } from "kubelet-pods";

const mask = podMask("metadata.uid", "metadata.namespace", "metadata.name", "metadata.labels");

/** An event as the sensor gives it. */
export interface SensorEvent {
  pid: number;
  /** The cgroup's number, as eBPF sees it, in decimal, or its path: where the sensor has neither, the process may have ended since. */
  cgroupID?: string;
  cgroup?: string;
  seenMs: number;
  binary: string;
}

/** The same with what it means. */
export interface NamedEvent extends SensorEvent {
  namespace?: string;
  pod?: string;
  container?: string;
  /** Whether the pod had gone by then. */
  gone?: boolean;
}

export interface NamerOptions {
  socketPath?: string;
  procRoot?: string;
  /** Where the cgroup file system of version 2 is mounted, for `cgroupID`. */
  cgroupRoot?: string;
  signal: AbortSignal;
  /** How long an event may wait for its container. The kubelet tells one within a second of its start. */
  waitMs?: number;
  emit(event: NamedEvent): void;
}

/** How many events may wait: what comes on top is emitted as it is known. */
const MAX_WAITING = 10_000;

/** Names events until the stream of them ends, and then those that still wait. */
export async function nameEvents(events: AsyncIterable<SensorEvent>, options: NamerOptions): Promise<void> {
  const { socketPath, procRoot, cgroupRoot, signal, waitMs = 3_000, emit } = options;
  await using client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  const informer = client.informer({ mask, retainMs: 120_000, cgroups: { root: cgroupRoot }, signal });
  type Name = ReturnType<typeof informer.find>;
  const waiting = new Set<Promise<void>>();

  /** What is known at once, or within the time; a pod without its container is better than nothing. */
  async function find(key: PodKey, at: number): Promise<Name | undefined> {
    const wanted = "cgroupID" in key || ("containerID" in key && key.containerID !== undefined);
    const isWhole = ({ pod, container }: Name) => pod !== undefined && (!wanted || container !== undefined);
    const known = informer.find(key, { at });
    if (isWhole(known) || waiting.size >= MAX_WAITING) return known;
    const wait = { at, timeoutMs: waitMs, signal, until: isWhole };
    return informer.waitFor(key, wait).catch(() => informer.find(key, { at }));
  }

  /** Returns undefined for a process of the host. Read at once: of a process that has ended nothing is left to read. */
  async function keyOf({ pid, cgroup, cgroupID }: SensorEvent): Promise<PodKey | undefined> {
    if (cgroupID !== undefined) return { cgroupID: BigInt(cgroupID) };
    if (cgroup !== undefined) return parseCgroupPath(cgroup);
    return (await processIdentity(pid, { procRoot }).catch(() => undefined))?.cgroup;
  }

  async function name(event: SensorEvent): Promise<void> {
    const key = await keyOf(event);
    const found = key && (await find(key, event.seenMs));
    emit({
      ...event,
      ...(found?.pod && {
        namespace: found.pod.metadata.namespace,
        pod: found.pod.metadata.name,
        gone: found.gone !== undefined,
        ...(found.container && { container: found.container.name }),
      }),
    });
  }

  // It goes on without: events are better late named than lost.
  await informer.synced({ timeoutMs: 30_000, signal }).catch(() => {});
  for await (const event of events) {
    const naming: Promise<void> = name(event).finally(() => waiting.delete(naming));
    waiting.add(naming);
  }
  await Promise.all(waiting);
}
