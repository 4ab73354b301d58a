// The time that each client takes to import, each time in a new process.

import { execFileSync } from "node:child_process";
import { CLIENT_NODE, CONNECT, CONNECT_DECODING, EARLIER, GRPC_JS, OURS, RAW } from "./contenders.js";
import type { Bench } from "./part.js";

/** Number of imports of each client. */
const IMPORTS = 20;

export async function importing({
  figures,
  packages: { ours, earlier, connect, grpcJs, clientNode },
}: Bench): Promise<void> {
  const bare = ["@connectrpc/connect", "@connectrpc/connect-node"];
  const all = [
    { name: RAW.name, path: ours, modules: ["node:http2"] },
    { name: OURS.name, path: ours, modules: ["kubelet-pods"] },
    ...(earlier === undefined ? [] : [{ name: EARLIER.name, path: earlier, modules: ["kubelet-pods"] }]),
    { name: "@bufbuild/protobuf", path: ours, modules: ["@bufbuild/protobuf"] },
    { name: CONNECT.name, path: connect, modules: bare },
    { name: CONNECT_DECODING.name, path: ours, modules: [...bare, "kubelet-pods/schema"] },
    { name: GRPC_JS.name, path: grpcJs, modules: ["@grpc/grpc-js", "@grpc/proto-loader"] },
    { name: CLIENT_NODE.name, path: clientNode, modules: ["@kubernetes/client-node"] },
  ];
  for (let i = 0; i < IMPORTS; i++) {
    for (const { name, path, modules } of all) {
      const code = `const startMs = performance.now();
        for (const module of ${JSON.stringify(modules)}) await import(module);
        console.log(JSON.stringify([performance.now() - startMs, process.memoryUsage().rss]));`;
      const output = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: path });
      const [ms, rss] = JSON.parse(output.toString()) as [number, number];
      figures.add("import", "ms", name, undefined, ms);
      figures.add("RSS after", "MiB", name, undefined, rss / 2 ** 20);
    }
  }
  const names = all.map(({ name }) => name);
  figures.print(`import, ${IMPORTS} starts each`, names, ["import", "RSS after"]);
}
