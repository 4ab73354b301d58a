import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** The repository: tests run from what they are compiled to below build/, or from their sources. */
export const root: string = repository(import.meta.dirname);

function repository(directory: string): string {
  return existsSync(join(directory, "package.json")) ? directory : repository(dirname(directory));
}

/** The URL of a file of the package as it is published, to import. */
export function published(file: string): string {
  return pathToFileURL(join(root, "dist", file)).href;
}

/** Starts a module in the folder of the one that asks as a process of its own: compiled, or from its source, as that one is. */
export function forkModule(asking: ImportMeta, name: string, options: ForkOptions = {}): ChildProcess {
  const extension = extname(asking.filename);
  const loader = extension === ".ts" ? ["--import", "tsx"] : [];
  return fork(join(asking.dirname, `${name}${extension}`), {
    ...options,
    execArgv: [...loader, ...(options.execArgv ?? [])],
  });
}
