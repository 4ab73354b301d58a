// What this package means to be, and whether it is, by what was measured in this run.

import { CLIENT_NODE, GO, OURS, OURS_MASKED, RAW } from "./contenders.js";
import { short } from "./figures.js";
import type { Bench } from "./part.js";
import { printTable } from "./processes.js";

/** Prints each goal of which both sides were measured. */
export function goals({ figures, sizes }: Bench): void {
  const rows: string[][] = [];
  /** `value` is to be at most, or at least, `limit`. */
  const goal = (what: string, value: number, is: "at most" | "at least", limit: number, unit = "times") => {
    if (Number.isNaN(value)) return;
    const reached = is === "at most" ? value <= limit : value >= limit;
    rows.push([what, `${short(value)} ${unit}`, `${is} ${limit}`, reached ? "reached" : "missed"]);
  };
  const ratio = (figure: string, above: { name: string }, below: { name: string }, pods?: number) =>
    figures.median(figure, above.name, pods) / figures.median(figure, below.name, pods);
  const ofLimit = (what: string, figure: string, ours: { name: string }, most: number, pods?: number) =>
    goal(what, ratio(figure, ours, RAW, pods), "at most", most);
  for (const pods of sizes) {
    const node = `${pods} pods`;
    ofLimit(`an event, five fields, ${node}`, "CPU per event", OURS_MASKED, 4, pods);
    ofLimit(`an event, whole pods, ${node}`, "CPU per event", OURS, 8, pods);
    goal(
      `an event, five fields, ${node}: of client-node's`,
      ratio("CPU per event", OURS_MASKED, CLIENT_NODE, pods),
      "at most",
      0.25,
    );
    ofLimit(`getPod, whole, ${node}`, "getPod CPU", OURS, 1.3, pods);
    ofLimit(`listPods, five fields, ${node}`, "listPods CPU", OURS_MASKED, 1.3, pods);
    ofLimit(`listPods, whole, ${node}`, "listPods CPU", OURS, 3, pods);
    goal(`listPods, five fields, ${node}: of Go's`, ratio("listPods CPU", OURS_MASKED, GO, pods), "at most", 0.6);
    if (pods > 500) continue;
    const rss = "RSS at rest";
    const more = figures.median(rss, OURS_MASKED.name, pods) - figures.median(rss, RAW.name, pods);
    goal(`at rest, five fields, ${node}: more than the limit`, more, "at most", 8, "MiB");
  }
  ofLimit("an event of 20 kB, five fields", "CPU per event of 20 kB", OURS_MASKED, 3, 110);
  ofLimit("import", "import", OURS, 3);
  if (rows.length > 0) printTable([["goals, as multiples of raw http2", "is", "meant", ""], ...rows]);
}
