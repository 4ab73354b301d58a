import fs from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { printable } from "../printable.js";
import { DEFAULT_ROOT_DIR } from "../wire/socket-path.js";
import { UsageError } from "./command.js";

/**
 * Returns the path without links and dots, as the kernel resolves it, so that the checked path is the one that is used. Missing directories
 * stay as they are.
 */
export async function placeOf(path: string): Promise<string> {
  const file = basename(path);
  if (printable(path, path.length) !== path) throw new UsageError("--socket must not have control characters");
  if (file === "" || file === "." || file === "..") throw new UsageError("--socket must be the path of a file");
  const rest: string[] = [];
  for (
    let directory = isAbsolute(path) ? dirname(path) : `${process.cwd()}/${dirname(path)}`;
    ;
    directory = dirname(directory)
  ) {
    const real = await realpath(directory);
    if (real !== undefined) return join(real, ...rest, file);
    if (basename(directory) === "..") throw new UsageError("--socket has .. below a directory that does not exist");
    rest.unshift(basename(directory));
  }
}

/** Returns true if the path is below the kubelet's directory, with links resolved. */
export async function isKubeletsOwn(place: string): Promise<boolean> {
  const roots = [DEFAULT_ROOT_DIR, await realpath(DEFAULT_ROOT_DIR)];
  return roots.some((root) => root !== undefined && place.startsWith(`${root}/`));
}

/** Resolves a path as the kernel does, and not textually; undefined if there is no file. */
async function realpath(path: string): Promise<string | undefined> {
  return promisify(fs.realpath.native)(path).catch(() => undefined);
}
