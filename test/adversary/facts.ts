// How kubelets report what happens: the table of docs/kubelet.md. Each fact is named by an action of life.ts, which the lives of
// adversary.test.ts draw.

import { markdownTable } from "../helpers/markdown.js";

/** What happens on a node, and what clients receive. A fact keeps its number for ever; a new one takes the next. */
export type Fact = readonly [what: string, received: string];

export const FACTS: Readonly<Record<`T${number}`, Fact>> = {
  T1: ["labels or annotations change", "no event; the next list has the change"],
  T2: ["110 pods are deleted at once", "DELETED up to 14 s after the end of the last container, p50 8.7 s"],
  T3: [
    "the manifest of a static pod is removed, or a pod is force-deleted",
    "the pod leaves the lists at once and runs for its grace period; its last status may come as ADDED; then DELETED",
  ],
  T4: [
    "a pod gets a new sandbox",
    "loss of the old address and the new address, each up to 3.2 s late; all containers are new",
  ],
  T5: [
    "a container is created, and removed before it starts",
    "`waiting` with its ID, or nothing; the restart count of the next container is one higher",
  ],
  T6: [
    "a container ends while containerd is down",
    "exit code 255, reason Unknown, and the start of containerd as finish time; containerd invents these values",
  ],
  T7: [
    "the runtime loses a container",
    "exit code 137 without ID and times, and a higher restart count; if there was a last state, no end at all",
  ],
  T8: [
    "a kubelet of 1.37 starts",
    "FAILED_PRECONDITION, then a complete list: API pods with the status of the API server, static pods without status until the kubelet syncs them",
  ],
  T9: [
    "a kubelet of 1.36 starts",
    "lists of what it has read so far, possibly empty, with a sync marker; then ADDED for the others",
  ],
  T10: [
    "it starts while the API server is unreachable",
    "1.36 lists only static pods, 1.37 answers FAILED_PRECONDITION, until the API server is back",
  ],
  T11: [
    "a kubelet that has just started rejects a running pod",
    "the pod is listed as Failed without container statuses; its containers run for a second or more",
  ],
  T12: ["a connection breaks", "the stream ends; only the next list shows what happened until then"],
  T13: ["more than 1,000 events wait in the broadcaster", "it drops events for all watchers, and no stream ends"],
  T14: [
    "two updates of a pod are sent at once",
    "the older one may come last, and is valid until the next event or list",
  ],
  T15: ["a pod changes while a watch lists", "events that are older than the list come after its marker"],
  T16: ["a message cannot be decoded", "no pod, part of a pod, or a pod without a UID"],
  T17: ["a later kubelet has a new event type", "an event of an unknown type"],
  T18: ["an update changes nothing", "ADDED again, or DELETED again"],
  T19: ["100 events wait for a watcher", "these events, then RESOURCE_EXHAUSTED"],
  T20: ["the clock of the node is set", "times in statuses and stamps jump; no message says so"],
  T21: ["the manifest of a static pod is put back", "ADDED with the same UID as before"],
  T22: ["the object of a finished pod is removed", "no event; the next list lacks the pod"],
  T23: [
    "a pod is evicted, preempted or ended by a shutdown or its deadline, or completes",
    "Failed with the reason while its containers run; if they exit with 0, then up to 1.37 Succeeded without a reason, except after a deadline; DELETED when its containers have terminated; the pod stays listed, with its address, until its object is removed",
  ],
  T24: [
    "a pod is deleted while the kubelet is down",
    "nothing: the next process never lists it, and kills its containers 1 to 3 s after it has read its sources",
  ],
  T25: [
    "the Pods API is turned off, or on again",
    "its socket is removed; `/pods` of the kubelet's HTTP server has only lists, with statuses of the API server",
  ],
  T26: [
    "a sandbox ends, and no new one can be created",
    "the pod is shown with its old address and without a running container: another pod may have the address by then",
  ],
  T27: [
    "the OOM killer kills the process of a container, or a child of it",
    "the reason OOMKilled: at once with exit code 137, or, if the container continues, later with any exit code",
  ],
  T28: [
    "a pod is deleted through the Eviction API, by the scheduler, or because of a taint",
    "the condition DisruptionTarget, which is set first, and stays if the deletion fails",
  ],
  T29: [
    "a client lists over the connection of its watch",
    "events of the watch may come after the list, although they are older",
  ],
  T30: [
    "the manifest of a static pod is put back while the pod is terminating",
    "lists have the next pod, with the status of the previous one, until DELETED",
  ],
  T31: [
    "a kubelet of 1.38 starts beside many agents",
    "RESOURCE_EXHAUSTED for watches that exceed the rate limit; a pod that is Failed stays Failed, with its reason, whatever its exit codes are",
  ],
};

/** The table of them, as the page has it. */
export function table(): string {
  const rows = Object.entries(FACTS).map(([id, [what, received]]) => [id, what, received]);
  return markdownTable([["", "what happens", "what clients receive"], ...rows]);
}
