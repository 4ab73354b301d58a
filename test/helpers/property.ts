/**
 * How many cases a property is tried with, and from which seed: the same ones in every run, unless $PROPERTY_SEED or
 * $PROPERTY_FACTOR say otherwise.
 */
export function runs(numRuns: number): { numRuns: number; seed: number } {
  const factor = Number(process.env["PROPERTY_FACTOR"] ?? 1);
  return { numRuns: Math.ceil(numRuns * factor), seed: Number(process.env["PROPERTY_SEED"] ?? 1) };
}
