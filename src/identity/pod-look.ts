import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { PodsError } from "../errors/pods-error.js";
import { parseCgroupPath } from "./cgroup-path.js";

/** The kinds of keys that are looked for. */
export interface LookWant {
  /** True if the numbers of cgroup directories are wanted. */
  readonly cgroups: boolean;
  /** Where `/proc` is; undefined if no network namespace is wanted. */
  readonly procRoot: string | undefined;
}

/** The keys of a pod that were found in the node's files. */
export interface PodLook {
  /**
   * The numbers of its cgroup directories, in decimal, each with the ID of its container. The ID of a sandbox is in no status. The ID is
   * undefined for the pod's own directory, and for other directories in it.
   */
  readonly cgroups: ReadonlyMap<string, string | undefined>;
  /** The number of its network namespace, in decimal; empty if it is the node's, undefined if no process was found. */
  readonly netns: string | undefined;
  /** Why no namespace could be read; undefined without an error. */
  readonly error: PodsError | undefined;
  /** The IDs of containers whose directories exist. */
  readonly containerIDs: ReadonlySet<string>;
  /** How many further directories were not looked at. */
  readonly beyond: number;
}

/** How deep below a container's directory is looked. A container can make any number of directories. */
const MAX_DEPTH = 2;
const MAX_LEAVES = 32;

/** How many directories of a pod are looked at. No pod has as many containers. */
const MAX_DIRECTORIES = 1_000;
const AT_ONCE = 16;

/**
 * Looks at the cgroup directories of a pod, and at the network namespace of the first process in them. The sandbox's process is preferred,
 * since a container may leave the network of its pod.
 *
 * @param path the directory of the pod's cgroup.
 * @param isOfStatus returns true if a status has a container's ID.
 * @throws PodsError `not-permitted`, `unknown`. A missing directory is no error.
 */
export async function lookAtPod(
  path: string,
  isOfStatus: (containerID: string) => boolean,
  { cgroups: wantsCgroups, procRoot }: LookWant,
): Promise<PodLook> {
  const cgroups = new Map<string, string | undefined>();
  const containerIDs = new Set<string>();
  let beyond = 0;
  const note = async (directory: string, id: string | undefined) => {
    if (wantsCgroups) cgroups.set(String((await lstat(directory, { bigint: true })).ino), id);
  };
  /** Returns the directories of a container, its own first. */
  const leavesOf = async (directory: string, id: string | undefined): Promise<string[]> => {
    const leaves = [directory];
    let level = leaves;
    for (let depth = 0; level.length > 0; depth++) {
      const below = await Promise.all(level.map(directoriesIn));
      const next = below.flat();
      const room = depth < MAX_DEPTH ? Math.max(0, MAX_LEAVES + 1 - leaves.length) : 0;
      beyond += Math.max(0, next.length - room);
      level = next.slice(0, room);
      leaves.push(...level);
    }
    await Promise.all(leaves.map((leaf) => ignoringGone(note(leaf, id))));
    return leaves;
  };
  return named(path, async () => {
    const [all] = await Promise.all([directoriesIn(path), ignoringGone(note(path, undefined))]);
    beyond += Math.max(0, all.length - MAX_DIRECTORIES);
    const sandboxes: string[] = [];
    const others: string[] = [];
    const look = async (directory: string) => {
      const id = parseCgroupPath(directory)?.containerID;
      const leaves = await leavesOf(directory, id);
      if (id === undefined) return; // a process of the runtime, such as cri-o's monitor, which is on the node's network
      containerIDs.add(id);
      if (isOfStatus(id)) others.push(...leaves);
      else sandboxes.push(...leaves);
    };
    for (let i = 0; i < Math.min(all.length, MAX_DIRECTORIES); i += AT_ONCE) {
      await Promise.all(all.slice(i, Math.min(i + AT_ONCE, MAX_DIRECTORIES)).map(look));
    }
    if (procRoot === undefined) return { cgroups, netns: undefined, error: undefined, containerIDs, beyond };
    const namespace = named(path, () => netnsIn([...sandboxes, ...others], path, procRoot));
    const ofProcesses = await namespace.catch((error: PodsError) => ({ netns: undefined, error }));
    return { cgroups, ...ofProcesses, containerIDs, beyond };
  });
}

/** Returns the network namespace of the first process that is found in some cgroups. */
async function netnsIn(
  directories: readonly string[],
  path: string,
  procRoot: string,
): Promise<Pick<PodLook, "netns" | "error">> {
  const uid = parseCgroupPath(path)?.uid;
  let error: PodsError | undefined;
  for (const directory of directories) {
    const text = (await ignoringGone(readFile(join(directory, "cgroup.procs"), "utf8"))) ?? "";
    const pids = text.split("\n").map(Number);
    if (text.startsWith("0\n")) error = blind(procRoot);
    const pid = pids.reduce((least, each) => (each > 0 && each < least ? each : least), Number.POSITIVE_INFINITY);
    if (pid === Number.POSITIVE_INFINITY) continue;
    const netns = await ignoringGone(readlink(`${procRoot}/${pid}/ns/net`));
    const cgroup = (await ignoringGone(readFile(`${procRoot}/${pid}/cgroup`, "utf8"))) ?? "";
    // Another process may have got the number between the two reads.
    if (netns === undefined || parseCgroupPath(cgroup)?.uid !== uid) continue;
    // If the namespace of the node's first process may not be read, the pod's spec still shows whether it shares the node's network.
    const ofNode = await readlink(`${procRoot}/1/ns/net`).catch(() => undefined);
    return { netns: netns === ofNode ? "" : /^net:\[(\d+)\]$/.exec(netns)?.[1], error: undefined };
  }
  return { netns: undefined, error };
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = (await ignoringGone(readdir(directory, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
}

/** Waits for a read of a file; undefined if the file is missing. */
async function ignoringGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH" || code === "ENODEV") return undefined;
    throw error;
  }
}

/** Adds the path to an error of reading. */
async function named<T>(path: string, reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (cause) {
    const { code, path: where = path } = cause as NodeJS.ErrnoException;
    const isForbidden = code === "EACCES" || code === "EPERM";
    const hint = isForbidden ? "uid 0, and for namespaces CAP_SYS_PTRACE" : "";
    const message = `${where} cannot be read (${code})`;
    throw new PodsError({ code: isForbidden ? "not-permitted" : "unknown", message, hint, cause });
  }
}

/** Makes the error for processes without numbers: `cgroup.procs` has 0 for processes outside this process's PID namespace. */
function blind(procRoot: string): PodsError {
  const message = `the processes of pods have no numbers here, by which ${procRoot} would have them`;
  return new PodsError({ code: "not-permitted", message, hint: "hostPID: true" });
}
