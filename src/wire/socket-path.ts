import { type BigIntStats, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";

/** Default of the kubelet's `--root-dir`, also in k3s. k0s and microk8s use other directories. */
export const DEFAULT_ROOT_DIR = "/var/lib/kubelet";

/** Path of the Pods API socket below the root directory (pkg/kubelet/kubeletconfig/defaults.go and apis/pods/constants.go). */
const SERVED = "pods-api/pods-api.sock";

/** Path of the podresources socket below the root directory (pkg/kubelet/apis/podresources/constants.go). */
const POD_RESOURCES = "pod-resources/kubelet.sock";

/** Path of the Pods API socket in KEP-4188 and in the Kubernetes 1.35 documentation. */
const PRINTED = "pods/kubelet.sock";

/**
 * Maximum length of a socket path on Linux: sockaddr_un has 108 bytes, including the NUL. Some versions of Node.js truncate longer paths
 * and connect to a different path.
 */
export const MAX_SOCKET_PATH_BYTES = 107;

export interface SocketOptions {
  socketPath?: string | undefined;
  rootDir?: string | undefined;
}

/**
 * Returns the socket paths to try, best first.
 *
 * - Only `socketPath`, if it is given.
 * - Otherwise only $KUBELET_PODS_SOCKET, if it is set.
 * - Otherwise two paths below `rootDir`: the one that kubelets serve, then the one in the KEP and the 1.35 documentation.
 *
 * @throws PodsError `invalid-path` if a path is empty, is a URL other than `unix:`, contains a NUL, begins or ends with white space, or is
 * longer than 107 bytes.
 */
export function socketCandidates(options: SocketOptions, env: NodeJS.ProcessEnv = process.env): [string, ...string[]] {
  const chosen = options.socketPath ?? (env["KUBELET_PODS_SOCKET"] || undefined);
  if (chosen !== undefined) return [checkPath(chosen)];
  const rootDir = options.rootDir || DEFAULT_ROOT_DIR;
  return [checkPath(join(rootDir, SERVED)), checkPath(join(rootDir, PRINTED))];
}

/**
 * Returns the path of the podresources API. In order of preference: `socketPath`, $KUBELET_PODRESOURCES_SOCKET, the path below `rootDir`,
 * the path of the kubelet at $KUBELET_PODS_SOCKET, the default path.
 *
 * @throws PodsError `invalid-path` as {@link socketCandidates} does, and if the root directory of the kubelet at $KUBELET_PODS_SOCKET is
 * unknown.
 */
export function podResourcesSocket(options: SocketOptions, env: NodeJS.ProcessEnv = process.env): [string] {
  const chosen = options.socketPath ?? (env["KUBELET_PODRESOURCES_SOCKET"] || undefined);
  if (chosen !== undefined) return [checkPath(chosen)];
  const pods = env["KUBELET_PODS_SOCKET"] || undefined;
  if (options.rootDir || pods === undefined)
    return [checkPath(join(options.rootDir || DEFAULT_ROOT_DIR, POD_RESOURCES))];
  const beside = podResourcesBeside(checkPath(pods), env);
  if (beside !== undefined) return [beside];
  // The default path could belong to another kubelet on the node.
  const message =
    "the podresources socket cannot be derived: $KUBELET_PODS_SOCKET is not in a kubelet's root directory";
  throw invalid(
    message,
    pods,
    "pass socketPath, or set $KUBELET_PODRESOURCES_SOCKET as serve --pod-resources prints it",
  );
}

/**
 * Returns the podresources path of the kubelet whose Pods API is at `socketPath`: $KUBELET_PODRESOURCES_SOCKET, otherwise the path below
 * the same root directory. Undefined if neither is known.
 */
function podResourcesBeside(socketPath: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = env["KUBELET_PODRESOURCES_SOCKET"] || undefined;
  if (chosen !== undefined) return checkPath(chosen);
  return socketPath.endsWith(`/${SERVED}`) ? join(socketPath.slice(0, -SERVED.length), POD_RESOURCES) : undefined;
}

/** Returns the first candidate that exists, otherwise the first one. Called before every dial, because sockets come and go. */
export function chooseSocket(candidates: readonly [string, ...string[]]): string {
  return candidates.find((path) => existsSync(path)) ?? candidates[0];
}

/**
 * Returns the identity of the socket file at the path, to notice that it was replaced; undefined if there is none. The inode alone is not
 * enough, because file systems may reuse it at once.
 */
export function socketIdentity(path: string): string | undefined {
  const stat = statOf(path);
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}

/** Returns the kind of a file at the path that is not a socket; undefined otherwise. The kernel returns ECONNREFUSED for such files, too. */
export function otherFile(path: string): "a directory" | "a regular file" | "a special file" | undefined {
  const stat = statOf(path);
  if (stat === undefined || stat.isSocket()) return undefined;
  if (stat.isDirectory()) return "a directory";
  return stat.isFile() ? "a regular file" : "a special file";
}

/** Returns undefined if there is no file, or if it cannot be accessed. The error of the dial then has the reason. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Checks a path or a `unix:` URL, and returns the path. */
function checkPath(given: string): string {
  const path = given.replace(/^unix:(?:\/\/(?=\/))?(?!\/\/)/i, "");
  const bytes = Buffer.byteLength(path);
  const shown = printable(path, 200);
  if (bytes === 0) throw invalid("the socket path is empty", path, "omit the option for the kubelet's default path");
  if (path.includes("\0")) throw invalid("the socket path contains a NUL character", path, "");
  if (path.trim() !== path)
    throw invalid(`the socket path begins or ends with white space: ${JSON.stringify(shown)}`, path, "remove it");
  if (/^[a-z+]+:/i.test(path))
    throw invalid(`the socket path is a URL: ${shown}`, path, "give the path, or unix:// and the path");
  if (bytes > MAX_SOCKET_PATH_BYTES) throw invalid(`the socket path has ${bytes} bytes: ${shown}`, path, undefined);
  return path;
}

function invalid(message: string, socketPath: string, hint: string | undefined): PodsError {
  return new PodsError({ code: "invalid-path", message, socketPath, hint });
}
