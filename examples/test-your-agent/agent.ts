// An agent that reports the addresses of the ready pods on this node.

import { isReady, type MaskedPod, PodsClient, podMask, podMasks, readinessUnverifiedUntil } from "kubelet-pods";

const mask = podMasks.readiness.union(podMask("status.podIPs"));

export interface AgentOptions {
  socketPath?: string;
  resyncIntervalMs?: number;
  signal: AbortSignal;
  /** Called when the addresses change, and when they may be out of date. */
  report(addresses: readonly string[], state: "current" | "stale"): void;
}

export async function agent({ report, signal, resyncIntervalMs = 120_000, ...where }: AgentOptions): Promise<void> {
  const pods = new PodsClient(where);
  const targets = new Map<string, string>();
  /** Pods whose readiness is not verified yet. No event follows, so a timer checks them again. */
  const unverified = new Map<string, NodeJS.Timeout>();
  let synced = false;
  const update = (state: "current" | "stale") => report([...targets.values()].sort(), state);
  const change = ({ type, pod }: PodChange): boolean => {
    const uid = pod.metadata?.uid ?? "";
    clearTimeout(unverified.get(uid));
    unverified.delete(uid);
    const leftMs = type === "DELETED" ? 0 : (readinessUnverifiedUntil(pod)?.getTime() ?? 0) - Date.now();
    if (leftMs > 0) {
      const again = setTimeout(() => change({ type, pod }) && update("current"), leftMs);
      unverified.set(uid, again);
      return false; // the kubelet has just started: the last readiness stays
    }
    const ip = type !== "DELETED" && isReady(pod) ? pod.status?.podIPs[0]?.ip : undefined;
    if (ip === targets.get(uid)) return false;
    if (ip === undefined) targets.delete(uid);
    else targets.set(uid, ip);
    return true;
  };
  try {
    for await (const event of pods.watchPods({ mask, signal, resyncIntervalMs })) {
      if (event.type === "SYNCED") synced = true;
      if (event.type === "DISCONNECTED") update("stale");
      else if (event.type === "SYNCED" || (change(event) && synced)) update("current");
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    for (const again of unverified.values()) clearTimeout(again);
    await pods.close();
  }
}

type PodChange = { type: "ADDED" | "MODIFIED" | "DELETED"; pod: MaskedPod<typeof mask> };
