// A reference kubelet in its own process, whose pods change at a rate.

import { ReferenceKubelet } from "../../src/testing/index.js";
import { podOfSize } from "./pods.js";

export interface KubeletOrder {
  op: "start" | "run" | "stop";
  pods: number;
  podBytes: number;
  rate: number;
}

/** Interval of the timer. Each time, all changes that are due are made at once. */
const TICK_MS = 10;

let kubelet: ReferenceKubelet | undefined;
let timer: NodeJS.Timeout | undefined;
let told = 0;

process.on("message", async ({ op, pods, podBytes, rate }: KubeletOrder) => {
  if (op === "start") {
    const all = Array.from({ length: pods }, (_, i) => podOfSize(podBytes, i));
    kubelet = await ReferenceKubelet.start({ pods: all });
    process.send?.({ socketPath: kubelet.socketPath });
  } else if (op === "run") {
    const startMs = performance.now();
    const all = kubelet?.pods ?? [];
    timer = setInterval(() => {
      for (const due = ((performance.now() - startMs) / 1000) * rate; told < due; told++) {
        const pod = all[told % pods];
        const container = pod?.status?.containerStatuses[0];
        if (pod === undefined || container === undefined) continue;
        container.restartCount++;
        pod.status.message = `at=${performance.timeOrigin + performance.now()}`;
        kubelet?.updatePod(pod);
      }
    }, TICK_MS);
  } else {
    clearInterval(timer);
    process.send?.({ told, dropped: kubelet?.dropped });
  }
});
