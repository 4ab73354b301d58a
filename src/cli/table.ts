import { printable } from "../printable.js";

/** Spaces between columns, as in kubectl's tables. */
const GAP = "   ";

/** Longer than any name in Kubernetes: a cell is no place for more, but for the last one. */
const MAX_CELL = 253;
const MAX_LAST_CELL = 16_384;

/** Colours the text of a cell for a terminal. */
export type Paint = (row: readonly string[], column: number, text: string) => string;

/**
 * A table that is printed row by row: columns are as wide as their widest cell so far, at least as their names. Cells are
 * text from outside: no control character of theirs reaches the terminal.
 */
export class Table {
  readonly #columns: readonly string[];
  readonly #widths: number[];
  readonly #paint: Paint | undefined;

  /** @param widest cells that are to come, so that the columns are wide enough for them. */
  constructor(columns: readonly string[], paint?: Paint, widest: readonly string[] = []) {
    this.#columns = columns;
    this.#widths = columns.map((name, i) => Math.max(name.length, widest[i]?.length ?? 0));
    this.#paint = paint;
  }

  /** Writes the names of the columns, as wide as the rows that are printed with them. */
  header(rows: readonly (readonly string[])[] = []): string {
    this.#fit(rows.map(shown));
    return this.#line(this.#columns, undefined);
  }

  row(cells: readonly string[]): string {
    const row = shown(cells);
    this.#fit([row]);
    return this.#line(row, this.#paint);
  }

  #fit(rows: readonly (readonly string[])[]): void {
    for (const row of rows) {
      for (const [i, cell] of row.entries()) this.#widths[i] = Math.max(this.#widths[i] ?? 0, cell.length);
    }
  }

  #line(row: readonly string[], paint: Paint | undefined): string {
    return row
      .map((cell, i) => {
        const fill = i === row.length - 1 ? "" : " ".repeat((this.#widths[i] ?? 0) - cell.length);
        return (paint?.(row, i, cell) ?? cell) + fill;
      })
      .join(GAP);
  }
}

function shown(cells: readonly string[]): string[] {
  return cells.map((cell, i) => printable(cell, i === cells.length - 1 ? MAX_LAST_CELL : MAX_CELL));
}

/** Colours of a terminal, by what they say. */
const CODES = { good: 32, doubtful: 33, bad: 31, over: 90 } as const;

/** Colours a text. */
export function coloured(text: string, says: keyof typeof CODES): string {
  return `\u001b[${CODES[says]}m${text}\u001b[0m`;
}
