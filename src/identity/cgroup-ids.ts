import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { PodsError } from "../errors/pods-error.js";
import type { ContainerRun } from "../pod/container-run.js";
import type { Needs } from "../pod/needs.js";
import type { Pod } from "../pod/pod.js";
import { type CGROUP_PATHS, type CgroupLayout, cgroupPathOf } from "./cgroup-layout.js";

/** Maximum depth below a container's directory, and maximum number of directories there. A container can create any number. */
const MAX_CGROUP_DEPTH = 2;
const MAX_LEAVES = 32;

/**
 * Returns the IDs of a container's cgroup directory and of the directories below it, the container's own first. They are the inode numbers,
 * which `bpf_get_current_cgroup_id` returns for its processes. Reads at most two levels and 32 directories below. Empty if the container
 * has no directory, because it has not started or has ended. An ID is not used again until the machine reboots.
 *
 * @param layout result of {@link cgroupLayout}. Its `root` is below the mount of the cgroup file system.
 * @throws PodsError `invalid-argument`; `unsupported-platform` for cgroup version 1, which has no such IDs; `not-permitted` or `unknown` if
 * a directory cannot be read.
 * @example
 * ```ts
 * const layout = await cgroupLayout({ cgroupRoot: "/host/sys/fs/cgroup" });
 * for await (const event of pods.watchContainers({ mask: podMasks.cgroupPathOf })) {
 *   if (event.type === "STARTED") console.log(await cgroupIDsOf(event.pod, event.container, layout));
 * }
 * ```
 */
export async function cgroupIDsOf<P>(
  pod: Pod | (P & Needs<P, (typeof CGROUP_PATHS)[number]>),
  container: Pick<ContainerRun, "containerID" | "runtime">,
  layout: CgroupLayout,
): Promise<bigint[]> {
  const path = cgroupPathOf(pod as Pod, container, layout);
  if (layout.version !== 2) {
    const message = "cgroupIDsOf: cgroup version 1 has no cgroup IDs";
    throw new PodsError({ code: "unsupported-platform", message, hint: "use a node with cgroup version 2" });
  }
  const directories = [path];
  let level = directories;
  for (let depth = 0; depth < MAX_CGROUP_DEPTH && level.length > 0; depth++) {
    const below = (await Promise.all(level.map(directoriesIn))).flat();
    level = below.slice(0, MAX_LEAVES + 1 - directories.length);
    directories.push(...level);
  }
  const numbers = await Promise.all(
    directories.map(async (each) => (await reading(lstat(each, { bigint: true })))?.ino),
  );
  return numbers.filter((number) => number !== undefined);
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = (await reading(readdir(directory, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
}

/** Waits for a read. Returns undefined if the directory does not exist. @throws PodsError */
async function reading<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (cause) {
    const { code, path } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENODEV") return undefined;
    const isForbidden = code === "EACCES" || code === "EPERM";
    const message = `${path} cannot be read (${code})`;
    throw new PodsError({ code: isForbidden ? "not-permitted" : "unknown", message, cause });
  }
}
