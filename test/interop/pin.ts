// Points test/interop/go at a release of Kubernetes: writes the module file and its sums.
//
//   node --import tsx test/interop/pin.ts 1.37.1
//
// k8s.io/kubernetes refers to its staging modules by path, which does not work from outside: each becomes the published
// module of the same release.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../helpers/programs.js";

const version = process.argv[2] ?? "";
const [, minor, patch] = /^1\.(\d+)\.(\d+)$/.exec(version) ?? [];
if (minor === undefined) {
  console.error("usage: pin.ts 1.MINOR.PATCH");
  process.exit(2);
}
const directory = join(root, "test/interop/go");
const env = { ...process.env, GOTOOLCHAIN: "local" };
const go = (...args: string[]) => execFileSync("go", args, { cwd: directory, env }).toString();

const { GoMod } = JSON.parse(go("mod", "download", "-json", `k8s.io/kubernetes@v${version}`)) as { GoMod: string };
const theirs = readFileSync(GoMod, "utf8");
const staging = [...theirs.matchAll(/^\s+(\S+) => \.\/staging\//gm)].map((match) => match[1]);
const file = minor === "37" ? "go.mod" : `go-1.${minor}.mod`;
const lines = [
  "module kubelet-pods.test/interop",
  "",
  /^go .*$/m.exec(theirs)?.[0] ?? "",
  "",
  `require k8s.io/kubernetes v${version}`,
  "",
  "replace (",
  ...staging.map((module) => `\t${module} => ${module} v0.${minor}.${patch}`),
  ")",
  "",
];
writeFileSync(join(directory, file), lines.join("\n"));
go("mod", "tidy", `-modfile=${file}`);
