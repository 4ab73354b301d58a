import { type BigIntStats, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";

/** The kubelet's own default for `--root-dir`, which k3s has too; k0s and microk8s use others. */
export const DEFAULT_ROOT_DIR = "/var/lib/kubelet";

/** Where kubelets serve, below the root directory (pkg/kubelet/kubeletconfig/defaults.go and apis/pods/constants.go). */
const SERVED = "pods-api/pods-api.sock";

/** Where kubelets serve the podresources API (pkg/kubelet/apis/podresources/constants.go). */
const POD_RESOURCES = "pod-resources/kubelet.sock";

/** The path that KEP-4188 and the documentation of 1.35 print. */
const PRINTED = "pods/kubelet.sock";

/**
 * The longest path of a socket in Linux: sockaddr_un has 108 bytes, one of them NUL. Some versions of Node.js cut longer paths, and connect
 * to another path.
 */
export const MAX_SOCKET_PATH_BYTES = 107;

/** Where to look for the kubelet's socket. */
export interface SocketOptions {
  socketPath?: string | undefined;
  rootDir?: string | undefined;
}

/**
 * Returns the paths to try, best first: only `socketPath` if it is given; otherwise only $KUBELET_PODS_SOCKET if it is set; otherwise,
 * below `rootDir`, the path that kubelets serve and the path that the documentation prints.
 *
 * @throws PodsError `invalid-path` for an empty path, one over 107 bytes, one with a NUL.
 */
export function socketCandidates(options: SocketOptions, env: NodeJS.ProcessEnv = process.env): [string, ...string[]] {
  const chosen = options.socketPath ?? (env["KUBELET_PODS_SOCKET"] || undefined);
  if (chosen !== undefined) return [checkPath(chosen)];
  const rootDir = options.rootDir || DEFAULT_ROOT_DIR;
  return [checkPath(join(rootDir, SERVED)), checkPath(join(rootDir, PRINTED))];
}

/**
 * Returns the path of the podresources API: `socketPath`, else $KUBELET_PODRESOURCES_SOCKET, else below `rootDir`, else that of the
 * kubelet which $KUBELET_PODS_SOCKET names.
 *
 * @throws PodsError `invalid-path`, as {@link socketCandidates}, and if that kubelet's root directory is not known.
 */
export function podResourcesSocket(options: SocketOptions, env: NodeJS.ProcessEnv = process.env): [string] {
  const chosen = options.socketPath ?? (env["KUBELET_PODRESOURCES_SOCKET"] || undefined);
  if (chosen !== undefined) return [checkPath(chosen)];
  const pods = env["KUBELET_PODS_SOCKET"] || undefined;
  if (options.rootDir || pods === undefined)
    return [checkPath(join(options.rootDir || DEFAULT_ROOT_DIR, POD_RESOURCES))];
  const beside = podResourcesBeside(checkPath(pods), env);
  if (beside !== undefined) return [beside];
  // The default path could lead to another kubelet of the node.
  const message = "where podresources is served is not known: $KUBELET_PODS_SOCKET is not below a root directory";
  throw invalid(
    message,
    pods,
    "name the socket, or set $KUBELET_PODRESOURCES_SOCKET, which serve --pod-resources prints",
  );
}

/**
 * Returns the path of the podresources API of the kubelet whose Pods API is at `socketPath`: $KUBELET_PODRESOURCES_SOCKET, else below the
 * same root directory; undefined if neither is known.
 */
function podResourcesBeside(socketPath: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = env["KUBELET_PODRESOURCES_SOCKET"] || undefined;
  if (chosen !== undefined) return checkPath(chosen);
  return socketPath.endsWith(`/${SERVED}`) ? join(socketPath.slice(0, -SERVED.length), POD_RESOURCES) : undefined;
}

/** Returns the candidate that exists now, else the first. Asked before every dial: sockets come and go. */
export function chooseSocket(candidates: readonly [string, ...string[]]): string {
  return candidates.find((path) => existsSync(path)) ?? candidates[0];
}

/**
 * Returns a text that differs for each socket file at the same path; undefined if there is none. The inode alone is not enough: file
 * systems may give it to the next file at once.
 */
export function socketIdentity(path: string): string | undefined {
  const stat = statOf(path);
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}

/** Returns the kind of another file at the path, for which the kernel answers ECONNREFUSED, too; undefined for a socket. */
export function otherFile(path: string): "a directory" | "a regular file" | "a special file" | undefined {
  const stat = statOf(path);
  if (stat === undefined || stat.isSocket()) return undefined;
  if (stat.isDirectory()) return "a directory";
  return stat.isFile() ? "a regular file" : "a special file";
}

/** Returns undefined if the file does not exist, or cannot be examined. The error of the connection then says why. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns the path of a path or of a `unix:` URL, after checking it. */
function checkPath(given: string): string {
  const path = given.replace(/^unix:(?:\/\/(?=\/))?(?!\/\/)/i, "");
  const bytes = Buffer.byteLength(path);
  const shown = printable(path, 200);
  if (bytes === 0) throw invalid("the socket's path is empty", path, "leave the option out for the kubelet's own path");
  if (path.includes("\0")) throw invalid("the socket's path holds a NUL", path, "");
  if (/^[a-z+]+:/i.test(path))
    throw invalid(`the socket's path is a URL: ${shown}`, path, "give the path, or unix:// and the path");
  if (bytes > MAX_SOCKET_PATH_BYTES) throw invalid(`the socket's path has ${bytes} bytes: ${shown}`, path, undefined);
  return path;
}

function invalid(message: string, socketPath: string, hint: string | undefined): PodsError {
  return new PodsError({ code: "invalid-path", message, socketPath, hint });
}
