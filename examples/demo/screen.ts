// Draws the demo in place on a terminal.

/** Switches to the alternate screen of a terminal and hides the cursor. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const REST_OF_LINE = "\u001b[K";
const REST_OF_SCREEN = "\u001b[J";

/** A terminal on which frames are drawn. */
export class Screen {
  readonly #out: NodeJS.WriteStream;
  #isOpen = false;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  get size(): { columns: number; rows: number; colours: boolean } {
    const { columns = 80, rows = 24 } = this.#out;
    return { columns, rows, colours: !process.env["NO_COLOR"] };
  }

  draw(lines: readonly string[]): void {
    const head = this.#isOpen ? "" : ENTER;
    this.#isOpen = true;
    this.#out.write(`${head}${HOME}${lines.map((line) => line + REST_OF_LINE).join("\n")}${REST_OF_SCREEN}`);
  }

  /** Restores the terminal. */
  close(): void {
    if (this.#isOpen) this.#out.write(LEAVE);
    this.#isOpen = false;
  }
}

/** Returns true if the output is a terminal that can show frames. */
export const canDraw = (out: NodeJS.WriteStream): boolean => out.isTTY === true && process.env["TERM"] !== "dumb";
