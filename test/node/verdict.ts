// What judges find.

/** Something that is not as it was promised. */
export interface Problem {
  atMs: number;
  text: string;
  /** The number of a known defect: `V2`. What has none is new. */
  finding: string | undefined;
}

/** Returns the share below which so many of the values are; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
