// The draws of a life. Each purpose has a stream of its own: an action that is added or removed leaves the draws of all others as they are.

import { seededRandom } from "../../src/testing/random.js";

/** Returns the stream of a life that has this name. */
export function streamOf(life: number, name: string): () => number {
  // FNV-1a: names that differ in one letter have unrelated seeds.
  let hash = 0x811c9dc5;
  for (const letter of `${life} ${name}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return seededRandom(hash);
}

/** Returns one of a list. */
export function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}
