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
  "V2 late": "the same, of a pod that is rejected",
};
