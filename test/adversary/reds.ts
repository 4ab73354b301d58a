// What the adversary finds in today's code, by the name of the rule, and what is wrong. A red that is not here fails the run; so does one
// that is here and is not found any more: then it goes from here, with what mended it.

export const REDS: Readonly<Record<string, string>> = {};

/** Of those that are hardly ever found, a life that shows each. */
export const RARE: Readonly<Record<string, number>> = {};

/** The same of readers behind a relay's door, which is nothing untrue. */
export const OF_RELAYS: Readonly<Record<string, string>> = {
  late: "two clients, one behind the other, have two backoffs after an outage",
  A7: "the same, of a finished pod",
  exit: "a state that was shown shortly before an outage is not sent on: the next list has the one after it",
  "lost life": "the same",
  "late end": "the same, of a container",
  A6: "the same, of a pod's object",
  A4: "the same as find, below",
  content: "where the kubelet told an older version last, a relay has it until its next list",
  waitFor: "the same, of an address",
  V4: "between two streams of a door lives may be told by number alone",
  V5: "the same",
  find: "while a relay has not read everything its readers are told nothing, where the kubelet tells what it has: nobody is found, contested",
  outage: "a watch at a door ends where another kubelet process answers, and where a list takes long",
  "V2 late": "the same, of a pod that is rejected",
};
