/** Returns a table in Markdown, with columns as wide as their cells. The first row is its head. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [head = [], ...rest] = rows;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rest.map(line)].join("\n");
}
