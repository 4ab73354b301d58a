// A reference kubelet in a process of its own, which the soak can kill and stop.

import { ReferenceKubelet, type ReferenceKubeletOptions } from "../../src/testing/index.js";
import type { Change } from "./world.js";

export type Order =
  | { op: "start"; options: ReferenceKubeletOptions }
  | Change
  | { op: "ready" }
  | { op: "restart"; downtimeMs: number }
  | { op: "drop" | "corrupt"; events: number }
  | { op: "ping" };

let kubelet: ReferenceKubelet | undefined;
/** UIDs of the pods it has; a change that came before its start may be about another one. */
const uids = new Set<string>();

async function carryOut(order: Order): Promise<void> {
  if (order.op === "start") {
    kubelet = await ReferenceKubelet.start(order.options);
    for (const { metadata } of order.options.pods ?? []) uids.add(metadata?.uid ?? "");
    return;
  }
  if (kubelet === undefined) throw new Error("not started");
  switch (order.op) {
    case "add":
    case "update":
    case "label": {
      const uid = order.pod.metadata?.uid ?? "";
      const labels = order.pod.metadata?.labels ?? {};
      if (!uids.has(uid)) kubelet.addPod(order.pod);
      else if (order.op === "label") kubelet.setLabels(uid, labels);
      else kubelet.updatePod(order.pod);
      uids.add(uid);
      return;
    }
    case "finish":
      if (uids.has(order.uid)) kubelet.finishPod(order.uid, "Failed");
      return;
    case "remove":
      if (uids.delete(order.uid)) kubelet.removePod(order.uid);
      return;
    case "ready":
      kubelet.setInitializing(false);
      return;
    case "restart":
      await kubelet.restart({ downtimeMs: order.downtimeMs });
      return;
    case "drop":
      kubelet.faults.dropEvents(order.events);
      return;
    case "corrupt":
      kubelet.faults.corruptEvents(order.events);
  }
}

let last: Promise<unknown> = Promise.resolve();

process.on("message", ({ id, ...order }: Order & { id: number }) => {
  last = last
    .then(() => carryOut(order as Order))
    .then(
      () => process.send?.({ id }),
      (error) => process.send?.({ id, error: String(error) }),
    );
});
process.on("disconnect", () => process.exit());
