// The packages of each client.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { transformSync } from "esbuild";
import { CLIENT_NODE, CONNECT, GRPC_JS, NICE_GRPC, OURS, type Packages } from "./contenders.js";
import type { Bench } from "./part.js";

const root = join(import.meta.dirname, "../..");
/** client-node 2 needs this major version of Node.js. */
const CLIENT_NODE_2 = 22;

/** Installs each client. `earlier` is the tarball of an earlier version of this package. */
export function installed(directory: string, earlier?: string): Packages {
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
    earlier: earlier && install("earlier", resolve(earlier), ...both),
    connect: install("connect", "@bufbuild/protobuf", ...both),
    grpcJs: install("grpc-js", "@grpc/grpc-js", "@grpc/proto-loader"),
    niceGrpc: generated(install("nice-grpc", "nice-grpc", "ts-proto")),
    clientNode: install("client-node", `@kubernetes/client-node@${clientNode}`),
  };
}

/** Runs ts-proto on the API's proto files, and writes JavaScript to `gen`. */
function generated(path: string): string {
  const proto = join(path, "proto");
  for (const from of ["proto/k8s", "proto/kubelet_pods", "docs/upstream/readable.proto"])
    cpSync(join(root, from), join(proto, from.split("/").at(-1) ?? ""), { recursive: true });
  writeFileSync(join(path, "buf.yaml"), JSON.stringify({ version: "v2", modules: [{ path: "proto" }] }));
  const opt = [
    "outputServices=nice-grpc",
    "outputServices=generic-definitions",
    "useExactTypes=false",
    "importSuffix=.js",
  ];
  const plugins = [{ local: "node_modules/.bin/protoc-gen-ts_proto", out: "gen", opt }];
  writeFileSync(join(path, "buf.gen.yaml"), JSON.stringify({ version: "v2", plugins }));
  execFileSync(join(root, "node_modules/.bin/buf"), ["generate"], {
    cwd: path,
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(join(path, "gen/package.json"), JSON.stringify({ type: "module" }));
  for (const name of readdirSync(join(path, "gen"), { recursive: true }).map(String)) {
    if (!name.endsWith(".ts")) continue;
    const file = join(path, "gen", name);
    const { code } = transformSync(readFileSync(file, "utf8"), { loader: "ts", format: "esm" });
    writeFileSync(file.replace(/ts$/, "js"), code);
    rmSync(file);
  }
  return path;
}

export async function packages({
  figures,
  packages: { ours, connect, grpcJs, niceGrpc, clientNode },
}: Bench): Promise<void> {
  const all = [
    { name: OURS.name, path: ours },
    { name: CONNECT.name, path: connect },
    { name: GRPC_JS.name, path: grpcJs },
    { name: NICE_GRPC.name, path: niceGrpc },
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
