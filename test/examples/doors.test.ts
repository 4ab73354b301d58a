// Requests of any kind against the servers of the examples, which live in this process: none may end it.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { enricher } from "../../examples/enrich-by-ip/agent.js";
import { gpuMetrics } from "../../examples/gpu-metrics/agent.js";
import { targetsServer } from "../../examples/prometheus-targets/agent.js";
import { PretendApiServer } from "../../examples/support/pretend-api-server.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { attackHttp } from "../hostile/attacker.js";

interface Door {
  port: number;
  close(): unknown;
}

type Open = (options: { socketPath: string; signal: AbortSignal }) => Server;

const examples: Record<string, Open> = {
  "enrich-by-ip": enricher,
  "prometheus-targets": targetsServer,
  "gpu-metrics": (options) => {
    const podResourcesSocketPath = `${options.socketPath}.resources`;
    return gpuMetrics({ ...options, podResourcesSocketPath, readGpus: async () => [] });
  },
};

async function opened(t: TestContext, open: Open): Promise<Door> {
  const end = new AbortController();
  const server = open({ socketPath: join(temporaryDirectory(t), "s.sock"), signal: end.signal });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => end.abort() };
}

const doors: Record<string, (t: TestContext) => Promise<Door>> = {
  ...Object.fromEntries(Object.entries(examples).map(([name, open]) => [name, (t: TestContext) => opened(t, open)])),
  support: async () => {
    const api = await PretendApiServer.start();
    return { port: Number(new URL(api.url).port), close: () => api.close() };
  },
};

for (const [name, open] of Object.entries(doors)) {
  test(`no request ends examples/${name}`, async (t) => {
    const { port, close } = await open(t);
    await attackHttp(port, 1, 100);
    const answer = await fetch(`http://localhost:${port}//`);
    assert.ok(answer.status >= 400 || name === "gpu-metrics");
    await close();
  });
}
