// Keeps what a node has for its pods (rules, routes, reservations of addresses) in step with them. What it finds at its start may be from
// a process before it. Nothing of a living pod is ever removed.

import { setTimeout } from "node:timers/promises";
import type { PodInformer } from "kubelet-pods";

/** The fields that are read of each pod, as a mask. */
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

/** What the node has: nftables or routes in an agent. */
export interface Rules {
  /** Gives all rules there are, those of a process before this one too. */
  list(): Iterable<Rule>;
  /** Makes a rule, if it is not there. */
  add(rule: Rule): void;
  remove(rule: Rule): void;
}

/**
 * How long a pod may run on that no list has, and that nobody told this process of: its grace period, which is 30 s as a rule, and the
 * kubelet's look. A manifest that is removed leaves the lists at once, and so does a pod that is deleted by force.
 */
const GRACE_MS = 40_000;

/**
 * How often what was removed untold is looked for. A pod that had finished before this process began, and stayed listed, is such a one:
 * nobody tells its removal.
 */
const SWEEP_INTERVAL_MS = 600_000;

/** Keeps rules until the informer ends; rejects with the reason. Pods on the host's network have none. */
export async function keepRules<P extends NodePod>(
  informer: PodInformer<P>,
  rules: Rules,
  { graceMs = GRACE_MS, sweepIntervalMs = SWEEP_INTERVAL_MS }: { graceMs?: number; sweepIntervalMs?: number } = {},
): Promise<void> {
  const removeAll = (gone: (rule: Rule) => boolean) => {
    for (const rule of [...rules.list()]) if (gone(rule)) rules.remove(rule);
  };
  /** Removes what was made, by this process or by one before it, of pods that are proved gone, and were so long ago that none runs. */
  const removeLacking = async () => {
    const uids = new Set([...rules.list()].map(({ uid }) => uid));
    let gone = await informer.confirmAbsent(uids, { timeoutMs: 0 }); // a kubelet without its API server may prove nothing for hours
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
      events.return?.(); // the loop ends, and the reason is told below
    });
  };
  const sweeps = setInterval(sweep, sweepIntervalMs).unref();
  try {
    for await (const event of events) {
      if (event.type === "ADDED" || event.type === "MODIFIED") {
        const { metadata, spec, status } = event.pod;
        if (spec.hostNetwork === true) continue; // its address is the node's
        const wanted = new Set(status.podIPs.map(({ ip }) => ip));
        if (wanted.size === 0) continue; // it says nothing: the pod may run, and have the addresses that it had
        removeAll(({ uid, ip }) => uid === metadata.uid && !wanted.has(ip));
        for (const ip of wanted) rules.add({ uid: metadata.uid, ip });
      } else if (event.type === "DELETED") {
        removeAll(({ uid }) => uid === event.pod.metadata.uid);
      } else if (event.type === "SYNCED") {
        sweep();
      } // at DISCONNECTED nothing: the pods run on
    }
  } finally {
    clearInterval(sweeps);
  }
  if (failure !== undefined) throw failure.error;
}
