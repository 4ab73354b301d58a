// Keeps rules, routes or address reservations in step with the pods of this node, also those that an earlier process made. Never removes
// those of a running pod.

import { setTimeout } from "node:timers/promises";
import type { PodInformer } from "kubelet-pods";

/** The fields of a pod that the agent reads. */
export const RULES_MASK = ["metadata.uid", "spec.hostNetwork", "status.podIPs"] as const;

interface NodePod {
  readonly metadata: { readonly uid: string };
  readonly spec: { readonly hostNetwork?: boolean | undefined };
  readonly status: { readonly podIPs: readonly { readonly ip: string }[] };
}

/** A rule for an address of a pod. */
export interface Rule {
  readonly uid: string;
  readonly ip: string;
}

/** The rules of the node, for example in nftables. */
export interface Rules {
  /** Returns all rules, also those of earlier processes. */
  list(): Iterable<Rule>;
  /** Adds a rule, unless it exists. */
  add(rule: Rule): void;
  remove(rule: Rule): void;
}

/**
 * How long an unknown pod may run after it has left the lists: its grace period, usually 30 s, and some time for the kubelet. A static pod
 * leaves the lists at once when its manifest is removed, and so does a pod that is deleted by force.
 */
const GRACE_MS = 40_000;

/**
 * Interval of the check for pods that were removed without an event, such as pods that had finished before this process started.
 */
const SWEEP_INTERVAL_MS = 600_000;

/** Keeps the rules until the informer ends, and rejects with the reason. Pods on the host network have no rules. */
export async function keepRules<P extends NodePod>(
  informer: PodInformer<P>,
  rules: Rules,
  { graceMs = GRACE_MS, sweepIntervalMs = SWEEP_INTERVAL_MS }: { graceMs?: number; sweepIntervalMs?: number } = {},
): Promise<void> {
  const removeAll = (gone: (rule: Rule) => boolean) => {
    for (const rule of [...rules.list()]) if (gone(rule)) rules.remove(rule);
  };
  /** Removes the rules of pods that are confirmed absent, and have been for so long that none can be running. */
  const removeLacking = async () => {
    const uids = new Set([...rules.list()].map(({ uid }) => uid));
    let gone = await informer.confirmAbsent(uids, { timeoutMs: 0 }); // a 1.36 kubelet without its API server may prove nothing for hours
    if (gone.length > 0 && graceMs > 0) {
      await setTimeout(graceMs, undefined, { ref: false });
      gone = await informer.confirmAbsent(gone, { timeoutMs: 0 });
    }
    removeAll(({ uid }) => gone.includes(uid));
  };
  const events = informer[Symbol.asyncIterator]();
  let isSweeping = false;
  let failure: { error: unknown } | undefined;
  const sweep = () => {
    if (isSweeping) return;
    isSweeping = true;
    const done = () => {
      isSweeping = false;
    };
    removeLacking().then(done, (error) => {
      failure = { error };
      events.return?.(); // the loop ends, and the error is thrown below
    });
  };
  const sweeps = setInterval(sweep, sweepIntervalMs).unref();
  try {
    for await (const event of events) {
      if (event.type === "ADDED" || event.type === "MODIFIED") {
        const { metadata, spec, status } = event.pod;
        if (spec.hostNetwork === true) continue; // its address is the node's
        const wanted = new Set(status.podIPs.map(({ ip }) => ip));
        if (wanted.size === 0) continue; // an empty status: the pod may still have its addresses
        removeAll(({ uid, ip }) => uid === metadata.uid && !wanted.has(ip));
        for (const ip of wanted) rules.add({ uid: metadata.uid, ip });
      } else if (event.type === "DELETED") {
        removeAll(({ uid }) => uid === event.pod.metadata.uid);
      } else if (event.type === "SYNCED") {
        sweep();
      } // at DISCONNECTED the pods are still running
    }
  } finally {
    clearInterval(sweeps);
  }
  if (failure !== undefined) throw failure.error;
}
