// npm run test:with -- [--node 24] [--connect newest] [--coverage]
//
// The whole test suite on another Node.js, with another connect, on a copy of the working tree. The lock file has the
// oldest connect that is supported, which npm chooses on Node 20. Each property is tried with all of its cases. With --coverage the run
// says how much of all of src it has taken, too, by this Node.js: c8 on Node 26 was not seen to end.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inWorkingCopy } from "./working-copy.js";

const { values } = parseArgs({
  options: { node: { type: "string" }, connect: { type: "string" }, coverage: { type: "boolean" } },
});
/** The npm package `node` has the binaries of each release. */
const on = values.node === undefined ? [] : ["npx", "-y", "-p", `node@${values.node}`, "--"];
inWorkingCopy((copy) => {
  const env = { PROPERTY_FACTOR: "1", ...process.env };
  const run = (...args: string[]) => {
    const [command = "", ...rest] = [...on, ...args];
    execFileSync(command, rest, { cwd: copy, stdio: "inherit", env });
  };
  const versions = values.connect === undefined ? [] : [values.connect === "newest" ? "latest" : values.connect];
  run(
    "npm",
    "install",
    ...versions.flatMap((version) => [`@connectrpc/connect@${version}`, `@connectrpc/connect-node@${version}`]),
  );
  run("node", "--version");
  if (values.coverage !== true) return run("npm", "test");
  const taken = join(copy, "coverage");
  Object.assign(env, { NODE_V8_COVERAGE: taken });
  run("npm", "test");
  const report = ["c8", "report", "--temp-directory", taken];
  return execFileSync("npx", report, { cwd: copy, stdio: "inherit" });
});
