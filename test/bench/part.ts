import type { Figures } from "./figures.js";

/** What a part of the benchmark works with. */
export interface Bench {
  figures: Figures;
  rounds: number;
  /** How many pods the node has, one after the other. */
  sizes: readonly number[];
  directory: string;
  packages: Packages;
}

/** Where packages are installed as their users have them, by client. */
export interface Packages {
  ours: string;
  connect: string;
  grpcJs: string;
  niceGrpc: string;
  clientNode: string;
}
