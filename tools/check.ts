// npm run check [-- --all] [-- NAME...] [-- --without NAME,NAME] [-- --list]
//
// The one list of what a change has to pass; `.ci/run` and the workflows call it. Without arguments: what takes two minutes.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

interface Check {
  readonly name: string;
  /** What it shows. */
  readonly what: string;
  readonly command: readonly string[];
  /** It takes minutes, or needs more than Node.js. */
  readonly slow?: boolean;
}

const checks: readonly Check[] = [
  { name: "lint", what: "biome, buf and the list of banned words", command: ["npm", "run", "-s", "lint"] },
  { name: "words", what: "pages of docs/ are short", command: ["npm", "run", "-s", "words"] },
  { name: "types", what: "sources, tests and examples compile", command: ["npm", "run", "-s", "types"] },
  {
    name: "package",
    what: "the package as it is published, its types as others see them, nothing unused",
    command: ["npm", "run", "-s", "lint:package"],
  },
  {
    name: "generated",
    what: "generated files are what their sources give",
    command: ["sh", "-c", "npm run -s generate && git diff --exit-code --stat -- src/gen proto"],
  },
  { name: "test", what: "the tests", command: ["npm", "test"] },
  {
    name: "terminal",
    what: "the tests that start child processes, under a pseudo-terminal; needs script",
    command: ["script", "-qec", "node --enable-source-maps build/test/run.js --processes", "/dev/null"],
    slow: true,
  },
  {
    name: "long",
    what: "tests that wait, compile, or run examples: npm run test:long",
    command: ["npm", "run", "-s", "test:long"],
    slow: true,
  },
  {
    name: "interop",
    what: "the kubelet's and kubectl's own Go code; needs go",
    command: ["npm", "run", "-s", "test:interop"],
    slow: true,
  },
  {
    name: "docs",
    what: "the site, and its links",
    command: ["npm", "run", "-s", "docs"],
    slow: true,
  },
  {
    name: "rehearse",
    what: "what the workflow of a release runs, up to npm publish",
    command: ["npm", "run", "-s", "rehearse"],
    slow: true,
  },
  {
    name: "runtimes",
    what: "an agent on each Node.js, in a bundle, and its tests under vitest and jest",
    command: ["sh", "-c", "npm run -s build && node --import tsx test/run.ts runtimes"],
    slow: true,
  },
  {
    name: "oracle",
    what: "what readers observe in 40 lives of a node is what digest.json has",
    command: ["npm", "run", "-s", "oracle"],
  },
  {
    name: "mutations",
    what: "bugs that are put into a copy are found",
    command: ["npm", "run", "-s", "mutation"],
    slow: true,
  },
  {
    name: "newest",
    what: "the tests on the newest Node.js with the newest connect, and how much of all of src they take",
    command: ["npm", "run", "-s", "test:with", "--", "--node", "26", "--connect", "newest", "--coverage"],
    slow: true,
  },
  {
    name: "audit",
    what: "no known hole in what users install; needs the registry's list of them",
    command: ["npm", "audit", "--omit=dev"],
    slow: true,
  },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean" }, list: { type: "boolean" }, without: { type: "string", default: "" } },
});
const without = values.without.split(",").filter(Boolean);
const unknown = [...positionals, ...without].filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`no such check: ${unknown.join(", ")}; there are ${checks.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
const wanted = checks.filter(({ name, slow }) => {
  if (without.includes(name)) return false;
  return positionals.length > 0 ? positionals.includes(name) : values.all === true || slow !== true;
});

for (const { name, what, command } of wanted) {
  const [program = "", ...args] = command;
  console.log(values.list ? `${name.padEnd(10)} ${what}` : `\n== ${name}: ${what}`);
  if (values.list) continue;
  const startMs = performance.now();
  const { status } = spawnSync(program, args, { cwd: join(import.meta.dirname, ".."), stdio: "inherit" });
  console.log(
    `== ${name}: ${status === 0 ? "passed" : "FAILED"} in ${Math.round((performance.now() - startMs) / 1_000)} s`,
  );
  if (status !== 0) process.exit(1);
}
