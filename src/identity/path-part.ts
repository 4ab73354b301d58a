import { invalidArgument } from "../errors/pods-error.js";

/**
 * Returns a name as a part of a path. Pods come from a peer, and agents run as root: no name leads elsewhere.
 *
 * @throws PodsError `invalid-argument` where it is none, as one with a slash.
 */
export function pathPart(name: string, what: string): string {
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name)) {
    throw invalidArgument(`${what} is no part of a path`, "as kubelets tell pods, it always is");
  }
  return name;
}
