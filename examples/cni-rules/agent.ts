// Keeps what a node has for its pods (rules, routes, reservations of addresses) in step with them. What it finds at its start may be from
// a process before it. Nothing of a living pod is ever removed.

import type { PodInformer } from "kubelet-pods";

/** The fields that are read of each pod, as a mask. */
export const RULES_MASK = ["metadata.uid", "status.podIPs"] as const;

interface NodePod {
  readonly metadata: { readonly uid: string };
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

/** Keeps rules until the informer ends; rejects with the reason. Leave pods on the host's network out of its selection. */
export async function keepRules<P extends NodePod>(informer: PodInformer<P>, rules: Rules): Promise<void> {
  const removeAll = (gone: (rule: Rule) => boolean) => {
    for (const rule of [...rules.list()]) if (gone(rule)) rules.remove(rule);
  };
  for await (const event of informer) {
    if (event.type === "ADDED" || event.type === "MODIFIED") {
      const { metadata, status } = event.pod;
      const wanted = new Set(status.podIPs.map(({ ip }) => ip));
      if (wanted.size === 0) continue; // it says nothing: the pod may run, and have the addresses that it had
      removeAll(({ uid, ip }) => uid === metadata.uid && !wanted.has(ip));
      for (const ip of wanted) rules.add({ uid: metadata.uid, ip });
    } else if (event.type === "DELETED") {
      removeAll(({ uid }) => uid === event.pod.metadata.uid);
    } else if (event.type === "SYNCED") {
      // What was made by this process, or by one before it, of pods that are proved gone; and nothing that no event has told.
      const owners = new Set([...rules.list()].map(({ uid }) => uid));
      const gone = new Set(await informer.lacking(owners));
      removeAll(({ uid }) => gone.has(uid));
    } // at DISCONNECTED nothing: the pods run on
  }
}
