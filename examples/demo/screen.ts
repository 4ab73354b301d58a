// Where the demo is shown: in place on a terminal, else as lines.

/** The other screen of a terminal, which leaves what was there as it was; the cursor is hidden on it. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const REST_OF_LINE = "\u001b[K";
const REST_OF_SCREEN = "\u001b[J";

/** A terminal on which a picture is drawn again and again. */
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

  /** Gives the terminal back as it was. */
  close(): void {
    if (this.#isOpen) this.#out.write(LEAVE);
    this.#isOpen = false;
  }
}

/** Whether a terminal can be drawn on. */
export const canDraw = (out: NodeJS.WriteStream): boolean => out.isTTY === true && process.env["TERM"] !== "dumb";
