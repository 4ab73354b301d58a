// Counts the files and functions of this package that an event, a lookup and a call run through. Generated code does not count. This code
// has to come back into the processor's caches with each event of an idle agent.

import { type Profiler, Session } from "node:inspector/promises";
import { join } from "node:path";
import { PodsClient } from "../../src/index.js";
import type { FirehoseOrder, Served } from "./firehose.js";
import type { Bench } from "./part.js";
import { Process, printTable } from "./processes.js";

const SOURCES = /\/(?:build\/)?src\/(?!gen\/|testing\/)(.+)\.[jt]s$/;

export async function way({ directory }: Bench): Promise<void> {
  const socketPath = join(directory, "way.sock");
  await using server = Process.fork("firehose");
  const order: FirehoseOrder = { op: "listen", socketPath, pods: 110 };
  const served = await server.ask<Served>(order);
  const client = new PodsClient({ socketPath });
  const informer = client.informer();
  const events = client.watchPods()[Symbol.asyncIterator]();
  const containers = client.watchContainers()[Symbol.asyncIterator]();
  await informer.synced();
  for (;;) if ((await events.next()).value?.type === "SYNCED") break;
  for (;;) if ((await containers.next()).value?.type === "SYNCED") break;
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const taken = async () => (await session.post("Profiler.takePreciseCoverage")).result;

  const [pod] = informer.list();
  const ip = informer.list().find(({ status }) => status.podIP !== "")?.status.podIP ?? "";
  const changed = async () => {
    server.send({ op: "trickle", events: 1, perSecond: 1_000 } satisfies FirehoseOrder);
    await events.next(); // the change; a new pod follows
    const result = await taken();
    await events.next();
    await server.report();
    return result;
  };
  const uid = pod?.metadata.uid ?? served.pods[0]?.uid ?? "";
  const ways: readonly [what: string, run: () => Promise<readonly Profiler.ScriptCoverage[]>][] = [
    ["an event, to watch, informer and containers", changed],
    [
      "get({ ip }), decoded before",
      () => {
        informer.get({ ip });
        return taken();
      },
    ],
    [
      "find({ ip })",
      () => {
        informer.find({ ip });
        return taken();
      },
    ],
    [
      "getPod",
      async () => {
        await client.getPod(uid);
        return taken();
      },
    ],
  ];
  const rows: string[][] = [["one of", "files", "folders", "functions", "calls", "scans"]];
  for (const [what, run] of ways) {
    await run(); // the first run loads and compiles code
    await new Promise((resolve) => setTimeout(resolve, 50));
    await taken();
    rows.push([what, ...measured(await run(), what)]);
  }
  printTable(rows);
  await client.close();
  session.disconnect();
}

function measured(scripts: readonly Profiler.ScriptCoverage[], what: string): string[] {
  const files = new Map<string, { functions: number; calls: number }>();
  let scans = 0;
  for (const { url, functions } of scripts) {
    const name = SOURCES.exec(url)?.[1];
    if (name === undefined) continue;
    for (const { functionName, ranges } of functions) {
      const calls = ranges[0]?.count ?? 0;
      if (calls === 0 || functionName === "") continue;
      const file = files.get(name) ?? { functions: 0, calls: 0 };
      files.set(name, { functions: file.functions + 1, calls: file.calls + calls });
      if (name === "pod/scan" && functionName === "#scan") scans += calls;
    }
  }
  if (process.env["WAY_FILES"] !== undefined) console.log(what, [...files]);
  const sum = (of: "functions" | "calls") => [...files.values()].reduce((all, each) => all + each[of], 0);
  const folders = new Set([...files.keys()].map((name) => name.split("/")[0]));
  const figures = [files.size, folders.size, sum("functions"), sum("calls"), scans];
  return figures.map(String);
}
