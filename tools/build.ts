// npm run build [-- --tests]
//
// Compiles src to dist. With --tests it compiles everything to build as well, from which the tests run. A file is replaced in one
// step, and only if it differs: a program that runs from dist meanwhile never finds a file missing or half written.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const tsc = join(root, "node_modules/typescript/bin/tsc");

/** Compiles a project into a directory of its own, and moves what came of it to where it belongs. */
async function build(project: string, directory: string): Promise<void> {
  const aside = mkdtempSync(join(root, ".build-"));
  try {
    const child = spawn(process.execPath, [tsc, "-p", project, "--outDir", aside], { cwd: root, stdio: "inherit" });
    const [code] = await once(child, "exit");
    if (code !== 0) {
      process.exitCode = 1;
      return;
    }
    const main = join(aside, "cli/main.js");
    if (existsSync(main)) chmodSync(main, 0o755);
    replace(aside, directory);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function replace(aside: string, directory: string): void {
  const built = new Set(filesOf(aside));
  for (const file of built) {
    const [from, to] = [join(aside, file), join(directory, file)];
    if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) continue;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
  if (existsSync(directory)) for (const file of filesOf(directory)) if (!built.has(file)) rmSync(join(directory, file));
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

await build("tsconfig.json", join(root, "dist"));
// Some tests and all examples import the package by its name, which is dist.
if (process.argv.includes("--tests") && process.exitCode === undefined) {
  await build("tsconfig.check.json", join(root, "build"));
}
