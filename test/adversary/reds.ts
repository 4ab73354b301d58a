// What the adversary finds in today's code, by the name of the rule, and what is wrong. A red that is not here fails the run; so does one
// that is here and is not found any more: then it goes from here, with what mended it.

export const REDS: Readonly<Record<string, string>> = {};

/** Of those that are hardly ever found, a life that shows each. */
export const RARE: Readonly<Record<string, number>> = {};
