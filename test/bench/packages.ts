// What is installed with each client, and how long it takes to import.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_NODE, CONNECT, CONNECT_DECODING, GRPC_JS, OURS } from "./contenders.js";
import type { Bench, Packages } from "./part.js";

const root = join(import.meta.dirname, "../..");
/** Imports of each, in turn. */
const IMPORTS = 15;
/** The major version of Node.js from which on client-node 2 can be used. */
const CLIENT_NODE_2 = 22;

export function installed(directory: string): Packages {
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync("npm", args, { cwd, stdio: ["ignore", "pipe", "ignore"] }).toString();
  const install = (name: string, ...packages: string[]) => {
    const path = join(directory, name);
    mkdirSync(path);
    writeFileSync(join(path, "package.json"), "{}");
    npm(path, "install", "--no-audit", "--no-fund", ...packages);
    return path;
  };
  const [{ filename }] = JSON.parse(npm(root, "pack", "--json", "--ignore-scripts", "--pack-destination", directory));
  const connect = JSON.parse(readFileSync(join(root, "node_modules/@connectrpc/connect-node/package.json"), "utf8"));
  const version = connect.version as string;
  const clientNode = Number(process.versions.node.split(".")[0]) >= CLIENT_NODE_2 ? "2" : "1.4";
  const both = [`@connectrpc/connect@${version}`, `@connectrpc/connect-node@${version}`];
  return {
    ours: install("ours", join(directory, filename), ...both),
    connect: install("connect", "@bufbuild/protobuf", ...both),
    grpcJs: install("grpc-js", "@grpc/grpc-js", "@grpc/proto-loader"),
    clientNode: install("client-node", `@kubernetes/client-node@${clientNode}`),
  };
}

export async function packages({ figures, packages: { ours, connect, grpcJs, clientNode } }: Bench): Promise<void> {
  const bare = ["@connectrpc/connect", "@connectrpc/connect-node"];
  const generated = join(ours, "node_modules/kubelet-pods/dist/gen");
  const messages = [join(generated, "v1alpha1/pods_pb.js"), join(generated, "k8s/io/api/core/v1/pod_pb.js")];
  const all = [
    { name: OURS.name, path: ours, modules: ["kubelet-pods"] },
    { name: CONNECT.name, path: connect, modules: bare },
    { name: CONNECT_DECODING.name, path: ours, modules: [...bare, ...messages] },
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
  for (const { name, path } of all) {
    if (name === CONNECT_DECODING.name) continue; // as the one without messages, or as ours: as they are counted
    const lock = JSON.parse(readFileSync(join(path, "node_modules/.package-lock.json"), "utf8"));
    const kib = Number(execFileSync("du", ["-sk", "node_modules"], { cwd: path }).toString().split("\t")[0]);
    figures.add("packages", "", name, undefined, Object.keys(lock.packages).length);
    figures.add("installed", "MB", name, undefined, (kib * 1_024) / 1e6);
  }
  figures.print(
    "what is installed, and its import",
    all.map(({ name }) => name),
    ["packages", "installed", "import", "RSS after"],
  );
}
