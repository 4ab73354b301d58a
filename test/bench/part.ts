import type { Contender, Packages } from "./contenders.js";
import type { Figures } from "./figures.js";

/** The input of each part of the benchmark. */
export interface Bench {
  figures: Figures;
  rounds: number;
  /** Numbers of pods. A part measures each of them. */
  sizes: readonly number[];
  directory: string;
  packages: Packages;
  clients: readonly Contender[];
}

/** Returns the clients in the order of a round: each second round is reversed, so that none always comes first or last. */
export function inTurn<T>(clients: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? clients : [...clients].reverse();
}
