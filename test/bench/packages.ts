// What is installed with each client.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_NODE, CONNECT, GRPC_JS, OURS } from "./contenders.js";
import type { Bench, Packages } from "./part.js";

const root = join(import.meta.dirname, "../..");
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
  const all = [
    { name: OURS.name, path: ours },
    { name: CONNECT.name, path: connect },
    { name: GRPC_JS.name, path: grpcJs },
    { name: CLIENT_NODE.name, path: clientNode },
  ];
  for (const { name, path } of all) {
    const lock = JSON.parse(readFileSync(join(path, "node_modules/.package-lock.json"), "utf8"));
    const kib = Number(execFileSync("du", ["-sk", "node_modules"], { cwd: path }).toString().split("\t")[0]);
    figures.add("packages", "", name, undefined, Object.keys(lock.packages).length);
    figures.add("installed", "MB", name, undefined, (kib * 1_024) / 1e6);
  }
  const names = all.map(({ name }) => name);
  figures.print("what is installed", names, ["packages", "installed"]);
}
