// npm run test:with -- [--node 24] [--connect newest]
//
// The whole test suite on another Node.js, with another connect, on a copy of the working tree. The lock file has the
// oldest connect that is supported, which npm chooses on Node 20.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { node: { type: "string" }, connect: { type: "string" } } });
const root = join(import.meta.dirname, "..");
const copy = join(mkdtempSync(join(tmpdir(), "with-versions-")), "main");
/** The npm package `node` has the binaries of each release. */
const on = values.node === undefined ? [] : ["npx", "-y", "-p", `node@${values.node}`, "--"];
function run(...args: string[]): void {
  const [command = "", ...rest] = [...on, ...args];
  execFileSync(command, rest, { cwd: copy, stdio: "inherit" });
}
try {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of listed.toString().split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  const shared = join(root, "../shared");
  if (existsSync(shared)) symlinkSync(shared, join(dirname(copy), "shared"));
  const versions = values.connect === undefined ? [] : [values.connect === "newest" ? "latest" : values.connect];
  run(
    "npm",
    "install",
    ...versions.flatMap((version) => [`@connectrpc/connect@${version}`, `@connectrpc/connect-node@${version}`]),
  );
  run("node", "--version");
  run("npm", "test");
} finally {
  rmSync(dirname(copy), { recursive: true, force: true });
}
