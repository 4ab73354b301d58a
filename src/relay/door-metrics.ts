import type { DoorView } from "./door-view.js";

/** Writes the counts of a door for Prometheus. Only pods that the door shows are counted. */
export function doorMetrics(view: DoorView): string {
  const { counts, watchers, staleSince, unready } = view;
  const rows: readonly (readonly [name: string, type: "counter" | "gauge", help: string, value: number])[] = [
    ["requests_total", "counter", "Requests that have come.", counts.requests],
    [
      "refused_total",
      "counter",
      "Requests that were refused: too many, not ready, or for what is not shown.",
      counts.refused + counts.denied,
    ],
    ["watches_total", "counter", "Watches that have begun.", counts.watches],
    ["watches", "gauge", "Watches that are open.", watchers],
    ["waiting", "gauge", "Readers that wait for a key.", counts.waiting],
    ["pods", "gauge", "Pods that are shown.", unready === undefined ? view.pods.list().length : 0],
    ["ready", "gauge", "Whether calls are answered.", unready === undefined ? 1 : 0],
    ["stale", "gauge", "Whether the kubelet is away.", staleSince === undefined ? 0 : 1],
  ];
  return rows
    .map(([name, type, help, value]) => {
      const full = `kubelet_pods_door_${name}`;
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`;
    })
    .join("");
}
