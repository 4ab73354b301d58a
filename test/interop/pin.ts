// Points test/interop/go at a release of Kubernetes: writes the module file and its sums.
//
//   node --import tsx test/interop/pin.ts 1.37.2
//   node --import tsx test/interop/pin.ts 1.38.0-beta.0
//
// k8s.io/kubernetes refers to its staging modules by path, which does not work from outside: each becomes the published
// module of the same release. The Go that a release needs is fetched as a module.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { moduleDirectory, runGo } from "./toolchain.js";

/** Modules that the registry lacks. stand-ins.sh makes them. */
const STAND_INS = [
  "\tsigs.k8s.io/structured-merge-diff/v7 => ./bin/stand-ins/structured-merge-diff",
  "\tsigs.k8s.io/iptables-wrappers => ./bin/stand-ins/iptables-wrappers",
];

const version = process.argv[2] ?? "";
const [, minor, patch] = /^1\.(\d+)\.(\d+(?:-(?:alpha|beta|rc)\.\d+)?)$/.exec(version) ?? [];
if (minor === undefined) {
  console.error("usage: pin.ts 1.MINOR.PATCH, or 1.MINOR.PATCH-beta.N");
  process.exit(2);
}

const file = minor === "37" ? "go.mod" : `go-1.${minor}.mod`;
const path = join(moduleDirectory, file);
const theirs = readFileSync(goModOf(version), "utf8");
const staging = [...theirs.matchAll(/^\s+(\S+) => \.\/staging\//gm)].map((match) => match[1]);
const lines = [
  "module kubelet-pods.test/interop",
  "",
  /^go .*$/m.exec(theirs)?.[0] ?? "",
  "",
  `require k8s.io/kubernetes v${version}`,
  "",
  "replace (",
  ...staging.map((module) => `\t${module} => ${module} v0.${minor}.${patch}`),
  ...(version === "1.38.0-beta.0" ? STAND_INS : []),
  ")",
  "",
];
writeFileSync(path, lines.join("\n"));
// -e, because tests of those packages import modules that the registry lacks.
runGo(file, ["mod", "tidy", "-e", `-modfile=${file}`]);

/** Returns the path of the go.mod of a release. It is fetched even if it requires a newer Go than this machine has. */
function goModOf(release: string): string {
  const env = { ...process.env, GOTOOLCHAIN: "local" };
  const args = ["list", "-m", "-json", `k8s.io/kubernetes@v${release}`];
  return (JSON.parse(execFileSync("go", args, { env, cwd: "/" }).toString()) as { GoMod: string }).GoMod;
}
