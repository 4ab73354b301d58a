// The facts about how kubelets tell what happens, which stand as a table in docs/kubelet.md. Each is named by an
// action of life.ts, which the lives of adversary.test.ts draw.

import { markdownTable } from "../helpers/markdown.js";

/** What the kubelet does, and what is told of it then. A fact keeps its number for ever; a new one takes the next. */
export type Fact = readonly [what: string, told: string];

export const FACTS: Readonly<Record<`T${number}`, Fact>> = {
  T1: ["labels or annotations change", "no event; the next list has them"],
  T2: ["110 pods are deleted at once", "DELETED comes up to 14 s after the last container's end, p50 8.7 s"],
  T3: [
    "a manifest is removed, a pod is deleted by force",
    "it leaves the lists at once and runs for its grace period; its last status may come as ADDED; then DELETED",
  ],
  T4: [
    "a sandbox is made anew",
    "the address is lost, and another is there: both are told up to 3.2 s late; all containers are new",
  ],
  T5: [
    "a container is created, and removed before it starts",
    "`waiting` with its ID, or nothing; the next one counts one more",
  ],
  T6: [
    "a container ends while containerd is away",
    "exit code 255, reason Unknown, finished at containerd's own start: made up",
  ],
  T7: [
    "the runtime loses a container",
    "137 without an ID and without times, and a restart more; where there was a last state, no end at all",
  ],
  T8: [
    "a kubelet of 1.37 starts",
    "FAILED_PRECONDITION, then a complete list: statuses of API pods as the API server has them, static pods without any until they are looked at",
  ],
  T9: [
    "a kubelet of 1.36 starts",
    "lists of what it has read so far, also none, with a sync marker; then ADDED for the others",
  ],
  T10: [
    "it starts while the API server is away",
    "1.36 lists static pods alone, 1.37 answers FAILED_PRECONDITION, for as long as that lasts",
  ],
  T11: [
    "a kubelet that has just started rejects a pod that runs",
    "it is listed as Failed, without container statuses, for a second or more while they run on",
  ],
  T12: ["a connection breaks", "the stream ends; only the list of the next one tells what happens until then"],
  T13: ["more than 1,000 events wait to be handed out", "events are dropped for all watchers, and no stream ends"],
  T14: [
    "two updates of a pod are broadcast at once",
    "the older one may come last, and stands until the next event or list",
  ],
  T15: ["a pod changes while a watch lists", "events that are older than the list come behind its marker"],
  T16: ["a message cannot be read", "nothing, a part, or a pod without a UID"],
  T17: ["a later kubelet has a new type of event", "an event of an unknown type"],
  T18: ["an update changes nothing", "ADDED again, or DELETED again"],
  T19: ["a watcher has 100 events before it", "RESOURCE_EXHAUSTED, behind those"],
  T20: ["the machine's clock is set", "times in statuses and stamps jump; the kubelet does not tell it"],
  T21: ["a manifest is put back", "ADDED with the UID that the pod had before"],
  T22: ["the object of a finished pod goes", "no event; the next list lacks it"],
  T23: [
    "a pod is evicted, preempted or ended for a shutdown or its deadline, or runs to its end",
    "Failed with the reason while its containers run, and Succeeded without it if they end with 0, except for a deadline; DELETED when the kubelet has finished it; it stays listed, with its address, until its object is removed",
  ],
  T24: [
    "a pod goes while the kubelet is away",
    "nothing: the next process never lists it, and ends its containers 1 to 3 s after it has read its sources",
  ],
  T25: [
    "the Pods API is switched off, or on again",
    "its socket is gone; `/pods` of the kubelet's HTTP server has lists alone, with statuses as the API server has them",
  ],
  T26: [
    "a sandbox ends, and no other can be made",
    "its pod is shown with the address that it had, and without a running container: the address may be another's by now",
  ],
  T27: [
    "the OOM killer takes the process of a container, or a child of it",
    "the reason OOMKilled: with 137 at once, or at the end of a container that runs on, whatever its exit code",
  ],
  T28: [
    "a pod is deleted through the Eviction API, by the scheduler, or for a taint",
    "the condition DisruptionTarget, which is set before, and stays if the deletion fails",
  ],
};

/** The table of them, as the page has it. */
export function table(): string {
  const rows = Object.entries(FACTS).map(([id, [what, told]]) => [id, what, told]);
  return markdownTable([["", "what happens", "what is told"], ...rows]);
}
