import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { invalidArgument } from "../errors/pods-error.js";
import { socketCandidates } from "../wire/socket-path.js";

const SOCKET = "pods-api.sock";

/** Directories to remove when the process exits. */
const directories = new Set<string>();
process.once("exit", () => {
  for (const directory of directories) removeDirectory(directory);
});

function removeDirectory(directory: string): void {
  directories.delete(directory);
  rmSync(directory, { recursive: true, force: true });
}

/** The socket path of a reference kubelet, and the removal of its directory. */
export interface SocketPlace {
  readonly socketPath: string;
  /** Removes the directory if it was created for the socket. */
  remove(): void;
}

/**
 * Returns the place of a socket: the given path, or a path in a new directory (mode 0700) below the system's temporary directory. The new
 * directory is removed when the process exits, at the latest.
 *
 * @throws PodsError `invalid-path`, or `invalid-argument` if no directory can be created.
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
    throw invalidArgument(`cannot create a directory in ${tmpdir()} (${code})`, "pass socketPath, or set TMPDIR");
  }
  directories.add(directory);
  return { socketPath: join(directory, SOCKET), remove: () => removeDirectory(directory) };
}
