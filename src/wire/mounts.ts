import { readFileSync, realpathSync } from "node:fs";

/** Returns true if the path itself is a mount point: a container mounts the socket file instead of its directory. */
export function isMounted(path: string, mountinfo: string = readMountinfo()): boolean {
  const points = mountinfo.split("\n").map((line) => unescaped(line.split(" ")[4] ?? ""));
  return points.includes(real(path));
}

/** Returns Linux's list of this process's mounts (proc_pid_mountinfo(5)); empty if it cannot be read. */
function readMountinfo(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}

/** Replaces the octal escapes that stand for spaces, tabs, newlines and backslashes in mountinfo. */
function unescaped(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
