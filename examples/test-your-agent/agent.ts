// An agent that knows which pods of its node may be sent traffic: running, ready, with an address.

import { isReady, type MaskedPod, PodsClient, podMask, readinessUnverified } from "kubelet-pods";

const mask = podMask("metadata.uid", "status.phase", "status.conditions", "status.podIPs");

export interface AgentOptions {
  socketPath?: string;
  resyncIntervalMs?: number;
  signal: AbortSignal;
  /** Told when the addresses change, and when what is known may be out of date. */
  report(addresses: readonly string[], state: "current" | "stale"): void;
}

export async function agent({ report, signal, resyncIntervalMs = 120_000, ...where }: AgentOptions): Promise<void> {
  const pods = new PodsClient(where);
  const targets = new Map<string, string>();
  let synced = false;
  const tell = (state: "current" | "stale") => report([...targets.values()].sort(), state);
  try {
    for await (const event of pods.watchPods({ mask, signal, resyncIntervalMs })) {
      if (event.type === "SYNCED") synced = true;
      if (event.type === "DISCONNECTED") tell("stale");
      else if (event.type === "SYNCED" || (change(targets, event) && synced)) tell("current");
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await pods.close();
  }
}

type Told = { type: "ADDED" | "MODIFIED" | "DELETED"; pod: MaskedPod<typeof mask> };

/** Whether the event makes a difference. */
function change(targets: Map<string, string>, { type, pod }: Told): boolean {
  const uid = pod.metadata?.uid ?? "";
  if (type !== "DELETED" && readinessUnverified(pod)) return false; // the kubelet has just started: what it was stands
  const ip = type !== "DELETED" && isReady(pod) ? pod.status?.podIPs[0]?.ip : undefined;
  if (ip === targets.get(uid)) return false;
  if (ip === undefined) targets.delete(uid);
  else targets.set(uid, ip);
  return true;
}
