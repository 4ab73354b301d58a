// A relay in a process of its own.

import { PodsClient } from "../../src/index.js";
import { serveRelay } from "../../src/relay/index.js";

export type RelayOrder = { op: "serve"; socketPath: string; door: string } | { op: "cpu" };

process.on("message", async (order: RelayOrder) => {
  if (order.op === "serve") {
    const pods = new PodsClient({ socketPath: order.socketPath, standalone: true });
    const informer = pods.informer({ includeFinished: true, mask: ["metadata.uid"] });
    await serveRelay(informer, [{ path: order.door, serve: "grpc", maxRequestsPerSecond: 1_000 }]);
    await informer.synced();
    process.send?.({ ready: true });
  } else {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system });
  }
});
