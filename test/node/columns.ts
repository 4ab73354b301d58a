// kubectl's table beside the command's.

const COLUMNS = [
  "NAMESPACE",
  "NAME",
  "READY",
  "STATUS",
  "RESTARTS",
  "AGE",
  "IP",
  "NODE",
  "NOMINATED NODE",
  "READINESS GATES",
];

/**
 * Compares two tables of `get pods -A -o wide` by kubectl, and ours from between them. A row counts where kubectl showed the same
 * before and after. Ages and the times of restarts are those of different moments. Returns how many rows were compared.
 *
 * @param pods How many pods the API server has had for some time: a table with fewer rows proves nothing.
 */
export function compareColumns(
  before: string,
  ours: string,
  after: string,
  pods: number,
): { rows: number; problems: string[] } {
  const [a, b, c] = [rowsOf(before), rowsOf(ours), rowsOf(after)];
  const problems: string[] = [];
  if (pods === 0 && a.size > 0) problems.push(`the record of the API server has none of kubectl's ${a.size} pods`);
  if (a.size < pods) problems.push(`kubectl's table has ${a.size} rows, and the API server ${pods} pods`);
  if (headOf(before) !== headOf(ours)) problems.push(`the head is ${headOf(ours)}, kubectl's ${headOf(before)}`);
  let rows = 0;
  for (const [name, kubectl] of a) {
    if (plain(kubectl) !== plain(c.get(name) ?? [])) continue;
    rows++;
    const row = b.get(name);
    // Nobody has told a kubelet of a pod without a node.
    if (row === undefined && kubectl[7] !== "<none>") problems.push(`${name}: lacks here (kubectl: ${plain(kubectl)})`);
    for (const [i, column] of COLUMNS.entries()) {
      const [theirs, here] = [kubectl[i] ?? "", row?.[i] ?? ""];
      // A kubelet does not know since when the mirror pod of a static pod is there.
      if (column === "AGE" && here === "<unknown>") continue;
      if (row !== undefined && withoutAge(theirs) !== withoutAge(here)) {
        problems.push(`${name}: ${column} is "${here}", kubectl's "${theirs}"`);
      }
    }
  }
  if (rows * 2 < pods) problems.push(`${rows} rows were compared, of ${pods} pods`);
  for (const [name, row] of b) {
    if (!a.has(name) && !c.has(name)) problems.push(`${name}: here only (${plain(row)})`);
  }
  return { rows, problems };
}

function headOf(table: string): string {
  return (table.split("\n")[0] ?? "").trim().replace(/ {2,}/g, "  ");
}

function rowsOf(table: string): Map<string, string[]> {
  const [head = "", ...lines] = table.trimEnd().split("\n");
  const starts = COLUMNS.map((column, i) => (i === 0 ? 0 : head.indexOf(`  ${column}`) + 2));
  return new Map(
    lines.map((line) => {
      const cells = starts.map((start, i) => line.slice(start, starts[i + 1]).trim());
      return [`${cells[0]}/${cells[1]}`, cells];
    }),
  );
}

function withoutAge(cell: string): string {
  return cell.replace(/\d+[smhd](\d+[smhd])?/g, "~");
}

function plain(row: readonly string[]): string {
  return withoutAge(row.join(" | "));
}
