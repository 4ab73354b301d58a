// What this package means to be, and whether it is, by what was measured in this run.

import { CLIENT_NODE, CONNECT, CONNECT_DECODING, GO, GRPC_JS, OURS, OURS_MASKED } from "./contenders.js";
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
  for (const pods of sizes) {
    const list = "listPods CPU";
    goal(`a masked list, ${pods} pods: of connect's`, ratio(list, OURS_MASKED, CONNECT, pods), "at most", 1.3);
    goal(`a masked list, ${pods} pods: less than grpc-js`, ratio(list, GRPC_JS, OURS_MASKED, pods), "at least", 3);
    goal(`a masked list, ${pods} pods: of Go's`, ratio(list, OURS_MASKED, GO, pods), "at most", 1);
    const get = "getPod CPU";
    goal(`getPod, ${pods} pods: whole, of connect's`, ratio(get, OURS, CONNECT_DECODING, pods), "at most", 1.1);
    goal(`getPod, ${pods} pods: masked, of connect's`, ratio(get, OURS_MASKED, CONNECT, pods), "at most", 1.1);
    for (const ours of [OURS, OURS_MASKED]) {
      const times = ratio("CPU per event", CLIENT_NODE, ours, pods);
      goal(`an event, ${pods} pods, ${ours.name}: less than client-node`, times, "at least", 5);
    }
    if (pods > 500) continue;
    const rss = "RSS at rest";
    const more = figures.median(rss, OURS_MASKED.name, pods) - figures.median(rss, CONNECT.name, pods);
    goal(`at rest, ${pods} pods, five fields: more than connect`, more, "at most", 10, "MiB");
  }
  goal("import: of connect's", ratio("import", OURS, CONNECT), "at most", 1.15);
  goal("import: of connect's and its messages'", ratio("import", OURS, CONNECT_DECODING), "at most", 1.15);
  const [least = 0, most = 0] = [Math.min(...sizes), Math.max(...sizes)];
  if (most > least) {
    for (const { name } of [OURS, OURS_MASKED]) {
      for (const figure of ["CPU per listed pod", "CPU per event"]) {
        const growth = figures.median(figure, name, most) / figures.median(figure, name, least);
        goal(`${figure}, ${name}: at ${most} pods, of that at ${least}`, growth, "at most", 1.1);
      }
    }
  }
  if (rows.length > 0) printTable([["goals", "is", "meant", ""], ...rows]);
}
