import { invalidArgument } from "../errors/pods-error.js";

/** The longest path that Linux allows. */
export const MAX_PATH = 4_096;

/**
 * Returns a name, after checking that it can be one part of a path. Pods come from a peer, and agents run as root, so no name may lead to
 * another directory.
 *
 * @throws PodsError `invalid-argument` if the name cannot be one part of a path, for example because it has a slash.
 */
export function pathPart(name: string, what: string): string {
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name)) {
    throw invalidArgument(`${what} cannot be part of a path`, "pass pods as the kubelet sends them");
  }
  return name;
}
