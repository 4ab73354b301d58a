import { readFile } from "node:fs/promises";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import { type CgroupPath, parseCgroupPath } from "./cgroup-path.js";

/** A process, and the pod and container that it runs in. */
export interface ProcessIdentity {
  /** PID, in the namespace of the `/proc` that was read. */
  readonly pid: number;
  /** Start time, in clock ticks since the boot. A later process with the same PID has another value. */
  readonly startTicks: number;
  /** Pod and container of the process: a key for lookups. Undefined for the host's own processes. */
  readonly cgroup: CgroupPath | undefined;
}

/** The index of starttime among the fields after the name in `/proc/PID/stat` (proc_pid_stat(5)). */
const START_TICKS = 19;

/**
 * Maximum number of attempts. One fails if the PID passes to another process, or the start time is NaN because the file is not a stat file.
 */
const MAX_LOOKS = 3;

/**
 * Returns the pod and container of a process, and its start time, which distinguishes it from a later process with the same PID. In a
 * container, mount the host's `/proc` or use the host's PID namespace.
 *
 * @param options `procRoot` is the path of `/proc` (default `/proc`).
 * @returns undefined if there is no such process.
 * @throws PodsError `not-permitted` if this process may not read it.
 */
export async function processIdentity(
  pid: number,
  options: { procRoot?: string | undefined } = {},
): Promise<ProcessIdentity | undefined> {
  const { procRoot = "/proc" } = options;
  if (typeof pid !== "number") throw invalidArgument("processIdentity: pid must be a number");
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const startTicks = await startTicksOf(`${procRoot}/${pid}`);
      const cgroup = parseCgroupPath(await readFile(`${procRoot}/${pid}/cgroup`, "utf8"));
      // Another process may have got the PID between the two reads.
      if (startTicks === (await startTicksOf(`${procRoot}/${pid}`))) return { pid, startTicks, cgroup };
    }
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    const message = `the process ${pid} cannot be read below ${procRoot} (${code})`;
    throw new PodsError({
      code: code === "EACCES" || code === "EPERM" ? "not-permitted" : "unknown",
      message,
      hint: "",
      cause: error,
    });
  }
}

async function startTicksOf(directory: string): Promise<number> {
  const stat = await readFile(`${directory}/stat`, "utf8");
  // The name is in parentheses, and may contain parentheses itself.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_TICKS]);
}
