/**
 * How many cases a property is tried with, and from which seed: the same ones in every run, unless $PROPERTY_SEED or
 * $PROPERTY_FACTOR say otherwise. `npm test` tries half of them, `npm run test:with` all.
 */
export function runs(numRuns: number): { numRuns: number; seed: number } {
  return { numRuns: Math.ceil(numRuns * factor), seed: seed ?? 1 };
}

const factor = Number(process.env["PROPERTY_FACTOR"] ?? 0.5);
const seed = process.env["PROPERTY_SEED"] === undefined ? undefined : Number(process.env["PROPERTY_SEED"]);
