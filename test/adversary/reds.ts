// What the adversary finds in today's code, by the name of the rule, and what is wrong. A red that is not here fails the run; so does one
// that is here and is not found any more: then it goes from here, with what mended it.

export const REDS: Readonly<Record<string, string>> = {
  F1: "certain, and wrong: an event was dropped, a kubelet that has just started lists a status from before, or an object has gone",
  F2: "certain, and wrong: the clock was set",
};

/** Of those that are hardly ever found, a life that shows each. */
export const RARE: Readonly<Record<string, number>> = {};
