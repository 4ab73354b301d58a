import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { invalidArgument } from "../errors/pods-error.js";
import { socketCandidates } from "../wire/socket-path.js";

const SOCKET = "pods-api.sock";

/** Directories that are removed at the end of the process. */
const directories = new Set<string>();
process.once("exit", () => {
  for (const directory of directories) removeDirectory(directory);
});

function removeDirectory(directory: string): void {
  directories.delete(directory);
  rmSync(directory, { recursive: true, force: true });
}

/** Where a played kubelet listens, and how that is removed. */
export interface SocketPlace {
  readonly socketPath: string;
  /** Removes the directory that was made for it, if one was. */
  remove(): void;
}

/**
 * Returns the place of a socket: the given path, or one in a new directory (0700) below the temporary one, which is removed at the end of
 * the process at the latest.
 *
 * @throws PodsError `invalid-path`, and `invalid-argument` where no directory can be made.
 */
export function socketPlace(asked: string | undefined): SocketPlace {
  if (asked !== undefined) {
    const [socketPath] = socketCandidates({ socketPath: asked });
    return { socketPath, remove: () => {} };
  }
  const place = join(tmpdir(), "kubelet-");
  socketCandidates({ socketPath: join(`${place}XXXXXX`, SOCKET) }); // checks the path before a directory is made
  let directory: string;
  try {
    directory = mkdtempSync(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalidArgument(`cannot make a directory in ${tmpdir()} (${code})`, "give socketPath, or set TMPDIR");
  }
  directories.add(directory);
  return { socketPath: join(directory, SOCKET), remove: () => removeDirectory(directory) };
}
