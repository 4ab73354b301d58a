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
