// Writes a frame of the demo as SVG, with the colours of a terminal.

const WIDTH = 8;
const HEIGHT = 18;
const PADDING = 16;

/** The colours of the escape sequences that picture.ts writes, on a dark background. */
const FILLS: Readonly<Record<string, string>> = {
  0: "#d0d7de",
  1: "#ffffff",
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  90: "#8b949e",
};

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function spansOf(line: string): string {
  let fill = FILLS[0];
  // The parts are texts with colour numbers between them.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  const parts = line.split(/\u001b\[(\d+)m/);
  return parts
    .map((part, i) => {
      if (i % 2 === 0) return part === "" ? "" : `<tspan fill="${fill}">${escaped(part)}</tspan>`;
      fill = FILLS[part] ?? FILLS[0];
      return "";
    })
    .join("");
}

/** Returns an SVG of a frame with colours. */
export function svgOf(lines: readonly string[], columns: number): string {
  const [width, height] = [columns * WIDTH + 2 * PADDING, lines.length * HEIGHT + 2 * PADDING];
  const texts = lines.map((line, i) => {
    const y = PADDING + (i + 0.75) * HEIGHT;
    return `<text x="${PADDING}" y="${y}" xml:space="preserve">${spansOf(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    "<title>The demo of kubelet-pods after an outage of the kubelet</title>",
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">`,
    ...texts,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}
