// npm run test:mutation [-- src/readers/queue.ts...] [--base HEAD~1] [--tests 'watch/*,client/masks'] [--report FILE]
// npm run test:mutation -- src/readers --sample 25 [--seed 1]
//
// Finds changes of the code that no test notices. Stryker changes each place of the given files or lines (`src/a.ts:10-20`), and
// runs the tests that reach it. By default these are the sources that differ from the last commit, or from --base, and the tests of
// their directories. It takes seconds to minutes per file. With --sample so many lines of code are drawn from a folder, which is about
// two changes for each. Stryker is no dependency of the package: npx fetches the last version
// that runs on Node.js 20.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { inWorkingCopy, root } from "./working-copy.js";

const STRYKER = "9.6.1";

/** Where else tests of a directory's code are than in the directory of its name. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  wire: ["errors", "faults/socket"],
  errors: ["calls", "client", "cli/errors"],
  pod: ["client", "lookup", "cli"],
  protobuf: ["pod", "wire", "podresources"],
  known: ["watch", "lookup", "containers"],
  stream: ["watch", "faults/watch"],
  lookup: ["watch"],
  readers: ["watch", "containers", "lookup", "client"],
  sources: ["client", "errors", "faults/socket", "watch"],
  conformance: ["cli/conformance"],
  identity: ["lookup"],
  timing: ["calls", "client", "watch"],
  calls: ["client"],
  connect: ["wire"],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: "string", default: "HEAD" },
    tests: { type: "string" },
    report: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});

/** Sources that differ, new ones too. */
function changed(): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root }).toString().split("\n");
  const files = [
    ...git("diff", "--name-only", "--diff-filter=d", values.base),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  return files.filter((file) => file.startsWith("src/") && file.endsWith(".ts") && !file.startsWith("src/gen/"));
}

/** Draws lines of code: no imports, comments and types. */
function drawn(files: readonly string[], count: number, seed: string): string[] {
  const lines = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8").split("\n");
    return text.flatMap((line, i) =>
      /^\s+[^\s/*}]|^export (const|function)/.test(line) ? `${file}:${i + 1}-${i + 1}` : [],
    );
  });
  const rank = (line: string) => createHash("sha256").update(`${seed} ${line}`).digest("hex");
  return lines.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, count);
}

/** Gives the sources of a folder, and a file itself. */
function within(path: string): string[] {
  if (path.includes(".ts")) return [path];
  return readdirSync(join(root, path), { recursive: true }).flatMap((name) =>
    String(name).endsWith(".ts") ? join(path, String(name)) : [],
  );
}

const given = positionals.length > 0 ? positionals.flatMap(within) : changed();
const mutate = values.sample === undefined ? given : drawn(given, Number(values.sample), values.seed);
if (mutate.length === 0) {
  console.error(`no source differs from ${values.base}: name some, as src/readers/queue.ts`);
  process.exit(2);
}
const directories = [...new Set(mutate.map((file) => file.split("/")[1] ?? ""))];
const tests = values.tests?.split(",") ?? directories.flatMap((name) => [name, ...(ELSEWHERE[name] ?? [])]);

inWorkingCopy((copy) => {
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  execFileSync("npm", ["run", "-s", "build", "--", "--tests"], { cwd: copy, stdio: "inherit" });
  const config = {
    testRunner: "tap",
    plugins: ["@stryker-mutator/tap-runner"],
    tap: {
      testFiles: tests.map((name) => `build/test/${name.includes("/") ? name : `${name}/*`}.test.js`),
      nodeArgs: ["-r", "{{hookFile}}", "--test-reporter=tap", "{{testFile}}"],
    },
    mutate,
    inPlace: true,
    // What Stryker puts into the sources has no types.
    buildCommand: "npm exec -- tsc -p tsconfig.check.json --isolatedDeclarations false",
    // TypeScript 7 has no interface for programs, by which Stryker would read this file.
    tsconfigFile: "none.json",
    coverageAnalysis: "perTest",
    // What is done once as a module is loaded would take all tests for each change.
    ignoreStatic: true,
    timeoutMS: 20_000,
    concurrency: 2,
    clearTextReporter: { reportTests: false, logTests: false, reportScoreTable: true },
    reporters: ["clear-text", "progress-append-only", "json"],
    jsonReporter: { fileName: "mutation.json" },
  };
  writeFileSync(join(copy, "stryker.config.json"), JSON.stringify(config));
  const packages = ["core", "tap-runner"].flatMap((name) => ["-p", `@stryker-mutator/${name}@${STRYKER}`]);
  const { status } = spawnSync("npx", ["-y", ...packages, "--", "stryker", "run"], { cwd: copy, stdio: "inherit" });
  process.exitCode = status ?? 1;
  if (status === 0 && values.report !== undefined) cpSync(join(copy, "mutation.json"), resolve(values.report));
});
