// What the adversary finds in today's code, by the name of the rule, and what is wrong. A red that is not here fails the run; so does one
// that is here and is not found any more: then it goes from here, with what mended it.

export const REDS: Readonly<Record<string, string>> = {
  A1: "SYNCED, though a kubelet of 1.36 has not read its sources: a pod that runs was not told",
  A2: "a call or a command says of a pod that runs that it is not there",
  A3: "SYNCED, though a pod of the list could not be read, and the event does not say so",
  A4: "an address is forgotten where a static pod is listed without a status",
  A6: "with includeFinished the removal of an object is told at the next resync only",
  A7: "with includeFinished the events of a pod that a list showed finished are not told",
  A8: "a pod that was deleted by force is told as gone while it runs its grace period: after an outage, or before a status showed it run",
  A9: "a watch that begins in an outage is told SYNCED of what was known before it",
  V1: "an old status ends a container that runs",
  V2: "a rejected pod is told as finished while its containers run",
  V3: "an exit that the runtime has made up is told as the container's",
  V4: "a container that never ran is told as MISSED, though a status showed it",
  F1: "certain, and wrong: an event was dropped, or a kubelet that has just started lists a status from before",
  F2: "certain, and wrong: the clock was set",
  S1: "an event type that is not known makes the client list for ever",
};
