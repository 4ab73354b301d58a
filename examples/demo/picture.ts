// The demo's screen, as lines: pure.

import type { PodLine } from "./pod-line.js";

/** The contents of the screen. */
export interface Scene {
  readonly source: string;
  readonly pods: ReadonlyMap<string, Row>;
  /** The number of pods that the kubelet listed, including finished ones. */
  readonly listed: number;
  /** Why the watch is disconnected, and since when; undefined if it is not. */
  readonly away: { readonly reason: string; readonly sinceMs: number } | undefined;
  readonly isSynced: boolean;
  /** Number of pods that the last list lacks and that may still exist. */
  readonly unconfirmed: number;
  readonly counts: Readonly<Record<"ADDED" | "MODIFIED" | "DELETED", number>>;
  /** The last events, the newest at the end. */
  readonly recent: readonly string[];
  /** Pods that a hand-written watch has, and the deleted ones of them. */
  readonly naive: { readonly size: number; readonly ended: readonly string[] };
  readonly leftMs: number;
}

export interface Row {
  readonly line: PodLine;
  /** Its last event, and the time. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | undefined;
  readonly atMs: number;
}

/** How long a change has a colour. */
export const FRESH_MS = 1_200;

const COLUMNS: readonly (keyof PodLine)[] = ["namespace", "name", "phase", "ready", "restarts", "ip"];
const COLOURS = { ADDED: 32, MODIFIED: 33, DELETED: 31, dim: 90, bold: 1, bad: 31, good: 32 } as const;
/** Lines beside those of the table, and the number of events that are shown. */
const FRAME = 9;
const RECENT = 6;
/** Lower terminals show half of the events. */
const LOW_ROWS = 34;

/** Returns the lines of a scene for a terminal of this size. */
export function picture(
  scene: Scene,
  { columns, rows, colours }: { columns: number; rows: number; colours: boolean },
  nowMs: number,
): string[] {
  const paint = (text: string, colour: keyof typeof COLOURS) =>
    colours ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
  const cut = (text: string) => (text.length > columns ? `${text.slice(0, columns - 1)}~` : text);
  const sorted = [...scene.pods.values()].sort((a, b) => (nameOf(a.line) < nameOf(b.line) ? -1 : 1));
  const recent = scene.recent.slice(rows < LOW_ROWS ? -RECENT / 2 : -RECENT);
  const shown = sorted.slice(0, Math.max(1, rows - FRAME - recent.length));
  const cells = columnsFor(columns, sorted);
  const rowOf = (cellOf: (column: keyof PodLine) => string) =>
    cut(
      cells
        .map(([column, width]) => shortened(cellOf(column), width).padEnd(width))
        .join("  ")
        .trimEnd(),
    );
  const known = sorted.filter(({ type }) => type !== "DELETED").length;
  const finished = scene.listed - known;
  const state =
    scene.away === undefined
      ? scene.isSynced
        ? "synced"
        : "connecting"
      : `disconnected for ${((nowMs - scene.away.sinceMs) / 1_000).toFixed(1)} s: ${scene.away.reason}`;
  const unconfirmed = scene.unconfirmed > 0 && scene.away === undefined ? `, ${scene.unconfirmed} unconfirmed` : "";
  const why = finished > 0 && scene.away === undefined ? `; ${finished} finished` : "";
  return [
    paint(
      cut(`kubelet-pods  ${scene.source}  ${Math.max(0, scene.leftMs / 1_000).toFixed(0)} s left, Ctrl-C ends`),
      "bold",
    ),
    paint(cut(`${known} pods${why}; ${state}${unconfirmed}`), scene.away === undefined ? "good" : "bad"),
    "",
    paint(
      rowOf((column) => column.toUpperCase()),
      "dim",
    ),
    ...shown.map(({ line, type, atMs }) => {
      const text = rowOf((column) => line[column]);
      return type !== undefined && nowMs - atMs < FRESH_MS ? paint(text, type) : text;
    }),
    ...(shown.length < sorted.length ? [paint(`... ${sorted.length - shown.length} more`, "dim")] : []),
    "",
    `events  ${Object.entries(scene.counts)
      .map(([type, count]) => `${paint(type, type as "ADDED")} ${count}`)
      .join("  ")}`,
    naiveLine(scene, (text) => paint(text, "bad"), cut),
    "",
    ...recent.map(cut),
  ];
}

/** Returns the columns that fit on a terminal, with their widths. On a narrow one names are truncated, but not READY and IP. */
function columnsFor(columns: number, rows: readonly Row[]): [keyof PodLine, number][] {
  const all = COLUMNS.map((column): [keyof PodLine, number] => [
    column,
    Math.max(column.length, ...rows.map(({ line }) => line[column].length)),
  ]);
  let kept = all;
  const excess = () => kept.reduce((sum, [, width]) => sum + width + 2, -2) - columns;
  for (const less of ["restarts", "namespace"]) if (excess() > 0) kept = kept.filter(([column]) => column !== less);
  const name = kept.find(([column]) => column === "name");
  if (name !== undefined) name[1] = Math.min(name[1], Math.max(NARROWEST_NAME, name[1] - Math.max(0, excess())));
  return kept;
}

/** The minimum width of names. */
const NARROWEST_NAME = 8;

const shortened = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}~` : text;

function naiveLine({ naive }: Scene, bad: (text: string) => string, cut: (text: string) => string): string {
  const text = cut(`a hand-written watch has ${naive.size} pods, ${naive.ended.length} of them deleted`);
  return naive.ended.length > 0 ? bad(text) : text;
}

export const nameOf = ({ namespace, name }: PodLine): string => `${namespace}/${name}`;
