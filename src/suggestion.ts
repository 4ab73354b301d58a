/** Maximum number of letters that are compared. No known word has as many. */
const MAX_WORD = 60;

/**
 * Returns up to three words that are close to a misspelt one, closest first. Ignores case. A word that starts with the misspelt one is
 * closest.
 */
export function closest(misspelt: string, words: readonly string[]): string[] {
  const wanted = misspelt.slice(0, MAX_WORD).toLowerCase();
  const distances = words.map((word) => {
    const isBegun = wanted.length > 2 && word.toLowerCase().startsWith(wanted);
    return { word, distance: isBegun ? 0 : editDistance(wanted, word.toLowerCase()) };
  });
  const close = distances.filter(({ word, distance }) => distance <= Math.max(2, word.length / 2.5));
  const sorted = close.sort((a, b) => a.distance - b.distance);
  return sorted.slice(0, 3).map(({ word }) => word);
}

/** Returns the edit distance: the minimum number of letters to insert, delete, replace or swap with a neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before[j - 2] ?? Infinity) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
