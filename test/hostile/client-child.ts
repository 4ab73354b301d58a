// Clients of a hostile peer, in a process of their own that has little memory: what they reject with must be an error of
// this package that can be shown on a terminal, and nothing may reach the process itself.

import { PodsClient, type PodsError, PodsError as PodsErrorClass } from "../../src/index.js";
import { PodResourcesClient } from "../../src/podresources/index.js";
import { kubeletHttp } from "../../src/sources/kubelet-http/index.js";

export interface HostileOrder {
  socketPath: string;
  url: string;
  rounds: number;
}

export interface HostileReport {
  /** How often each code was rejected with, or told; `answered` counts what came to an answer. */
  counts: Record<string, number>;
  /** What must not be. */
  wrong: string[];
  rssMiB: number;
}

const counts: Record<string, number> = {};
const wrong: string[] = [];
const count = (code: string) => {
  counts[code] = (counts[code] ?? 0) + 1;
};
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error) => wrong.push(`${event}: ${error instanceof Error ? error.stack : String(error)}`));
}

function judge(what: string, error: unknown): void {
  if (!PodsErrorClass.is(error)) {
    wrong.push(`${what} has failed with something else: ${error instanceof Error ? error.stack : String(error)}`);
    return;
  }
  const { code, message } = error as PodsError;
  count(code);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(message))
    wrong.push(`${what}: a control character in ${JSON.stringify(message)}`);
  if (message.length > 2_000) wrong.push(`${what}: a message of ${message.length} characters`);
}

async function call(what: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
    count("answered");
  } catch (error) {
    judge(what, error);
  }
}

/** Reads what is told, and looks at each pod, until it ends or time is up. */
async function read(pods: PodsClient, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of pods.watchPods({ signal, mask: ["metadata.name", "spec.containers", "status.phase"] })) {
      count(event.type);
      if (event.type === "DISCONNECTED") judge("watchPods", event.error);
      else if (event.type === "MODIFIED") event.previous.metadata?.name.length;
    }
  } catch (error) {
    if (error !== signal.reason) judge("watchPods", error);
  }
}

async function round({ socketPath, url }: HostileOrder): Promise<void> {
  const options = { timeoutMs: 250 };
  const pods = new PodsClient({ socketPath, maxMessageBytes: 1 << 20, ...options });
  const resources = new PodResourcesClient({ socketPath, ...options });
  const http = new PodsClient({ sources: [kubeletHttp({ url, maxResponseBytes: 1 << 20 })], ...options });
  const informer = pods.informer();
  await Promise.all([
    call("listPods", () => pods.listPods()),
    call("listPods", () => pods.listPods({ mask: ["metadata.name"], labelSelector: "app" })),
    call("getPod", () => pods.getPod("a-uid")),
    call("probe", () => pods.probe()),
    call("list", () => resources.list()),
    call("listPods over HTTP", () => http.listPods()),
    call("synced", () => informer.synced(options)),
    read(pods, AbortSignal.timeout(250)),
    read(http, AbortSignal.timeout(250)),
  ]);
  // A pod without a name is one of those that a hostile peer sends: that is no key, and says so.
  for (const { metadata } of informer.list()) {
    await call("get", async () => informer.get({ namespace: metadata.namespace, name: metadata.name }));
  }
  await Promise.all([pods.close(), resources.close(), http.close()]);
}

process.once("disconnect", () => process.exit(1));

process.on("message", async (order: HostileOrder) => {
  for (let i = 0; i < order.rounds; i++) await round(order);
  globalThis.gc?.();
  const rssMiB = process.memoryUsage().rss / 2 ** 20;
  process.send?.({ counts, wrong: wrong.splice(0), rssMiB } satisfies HostileReport);
});
