import { printable } from "../printable.js";
import type { Console } from "./command.js";

/** Spaces between columns, as in kubectl's tables. */
const GAP = "   ";

/** The longest cell, except in the last column: longer than any name in Kubernetes. */
const MAX_CELL = 253;
const MAX_LAST_CELL = 16_384;

/** The text of an empty cell. */
export const NONE = "<none>";

/** Colours of a terminal, by their meaning. */
const CODES = { good: 32, uncertain: 33, bad: 31, over: 90 } as const;

/** The meaning of a cell, which decides its colour. */
export type Mood = keyof typeof CODES;

/** A column of a table: its header, and the text of its cells. */
export interface Column<R> {
  readonly header: string;
  /** Returns the text of a cell. The table escapes control characters. */
  readonly show: (row: R, nowMs: number) => string;
  /** Returns the meaning of a text. Columns without this function have no colour. */
  readonly mood?: ((text: string, row: R) => Mood) | undefined;
}

/** A table that is printed row by row. Each column is as wide as its widest cell so far, and at least as its header. */
export class Table<R> {
  readonly #columns: readonly Column<R>[];
  readonly #console: Pick<Console, "colours" | "environment">;
  readonly #widths: number[];

  constructor(columns: readonly Column<R>[], console: Pick<Console, "colours" | "environment">) {
    this.#columns = columns;
    this.#console = console;
    this.#widths = columns.map(({ header }) => header.length);
  }

  /** Returns the lines of several rows, after the headers unless they are left out. */
  lines(rows: readonly R[], isHeaded: boolean): string[] {
    const cells = rows.map((row) => this.#fitted(row));
    const headers = this.#columns.map(({ header }) => header);
    return [...(isHeaded ? [this.#line(headers)] : []), ...rows.map((row, i) => this.#line(cells[i] ?? [], row))];
  }

  /** Returns the line of one more row. */
  line(row: R): string {
    return this.#line(this.#fitted(row), row);
  }

  #fitted(row: R): string[] {
    const nowMs = this.#console.environment.clock.wallMs();
    const last = this.#columns.length - 1;
    const cells = this.#columns.map(({ show }, i) =>
      printable(show(row, nowMs), i === last ? MAX_LAST_CELL : MAX_CELL),
    );
    for (const [i, cell] of cells.entries()) this.#widths[i] = Math.max(this.#widths[i] ?? 0, cell.length);
    return cells;
  }

  #line(cells: readonly string[], row?: R): string {
    const line = cells.map((cell, i) => {
      const fill = i === cells.length - 1 ? "" : " ".repeat((this.#widths[i] ?? 0) - cell.length);
      const { mood } = this.#columns[i] ?? {};
      if (row === undefined || mood === undefined || !this.#console.colours) return cell + fill;
      return `\u001b[${CODES[mood(cell, row)]}m${cell}\u001b[0m${fill}`;
    });
    return line.join(GAP);
  }
}

/** Makes columns for rows of strings. */
export function textColumns(headers: readonly string[]): Column<readonly string[]>[] {
  return headers.map((header, i) => ({ header, show: (row) => row[i] ?? "" }));
}
