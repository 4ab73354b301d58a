import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { invalidArgument } from "../errors/pods-error.js";
import { type CgroupLayout, cgroupPathOf } from "../identity/cgroup-layout.js";
import { parseCgroupPath } from "../identity/cgroup-path.js";
import type { ContainerRun } from "../pod/container-run.js";
import { containersOf } from "../pod/containers.js";
import type { Pod } from "../pod/pod.js";
import type { ReferenceKubeletOptions } from "./kubelet-options.js";

/** The usual layout of a node's cgroups. */
const LAYOUT: CgroupLayout = { driver: "systemd", version: 2, root: "/kubepods.slice" };

/** The first PID that is assigned. */
const FIRST_PID = 1_000;

/** The fields of a container that determine the path of its cgroup. */
type NamedRun = Pick<ContainerRun, "name" | "containerID" | "runtime">;

/** The sandbox of a pod. A new address means a new sandbox. */
interface Sandbox {
  readonly ip: string;
  readonly container: NamedRun;
  /** The cgroup directory and the processes of each container, by container ID. */
  readonly containers: Map<string, { readonly directory: string; readonly pids: number[] }>;
  readonly directory: string;
}

/** Maintains the files of a node's pods: their cgroups, and the `/proc` files of their processes. */
export class NodeFiles {
  readonly #procRoot: string | undefined;
  readonly #cgroupRoot: string | undefined;
  readonly #sandboxes = new Map<string, Sandbox>();
  readonly #pids = new Set<number>();
  #made = 0;
  #buried = 0;
  #lastPid = FIRST_PID - 1;
  #ticks = 0;

  constructor({ procRoot, cgroupRoot }: Pick<ReferenceKubeletOptions, "procRoot" | "cgroupRoot">) {
    this.#procRoot = procRoot;
    this.#cgroupRoot = cgroupRoot;
  }

  /** Creates and removes the cgroups of pods, to match the running containers. */
  follow(pods: readonly { readonly pod: Pod; readonly finished: boolean }[]): void {
    const root = this.#cgroupRoot;
    if (root === undefined) return;
    if (this.#made++ === 0) {
      mkdirSync(join(root, LAYOUT.root), { recursive: true });
      writeFileSync(join(root, "cgroup.controllers"), "cpu memory pids\n"); // this file exists only in version 2
    }
    const there = new Set<string>();
    for (const { pod, finished } of pods) {
      const running = containersOf(pod).flatMap(({ state, run }) => (state === "running" ? (run ?? []) : []));
      const known = this.#sandboxes.get(pod.metadata.uid);
      const isThere = !finished && (running.length > 0 || known !== undefined);
      if (!isThere || parseCgroupPath(cgroupPathOf(pod, undefined, LAYOUT)) === undefined) continue;
      there.add(pod.metadata.uid);
      this.#followPod(root, pod, running);
    }
    for (const uid of this.#sandboxes.keys()) if (!there.has(uid)) this.#end(uid);
  }

  #followPod(root: string, pod: Pod, running: readonly ContainerRun[]): void {
    const { uid } = pod.metadata;
    if (running.length > 0 && this.#sandboxes.get(uid)?.ip !== pod.status.podIP) this.#end(uid);
    const sandbox = this.#sandboxes.get(uid) ?? this.#begin(root, pod);
    for (const [id, { directory, pids }] of sandbox.containers) {
      if (id === sandbox.container.containerID || running.some(({ containerID }) => containerID === id)) continue;
      sandbox.containers.delete(id);
      this.#remove(directory, pids);
    }
    for (const container of running) {
      if (!sandbox.containers.has(container.containerID)) this.#makeContainer(root, pod, container, sandbox);
    }
  }

  #begin(root: string, pod: Pod): Sandbox {
    const { uid } = pod.metadata;
    const containerID = createHash("sha256").update(`${uid} ${this.#made}`).digest("hex");
    const container = { name: "pause", containerID, runtime: "containerd" };
    const directory = join(root, cgroupPathOf(pod, undefined, LAYOUT));
    const sandbox = { ip: pod.status.podIP, container, containers: new Map(), directory };
    this.#sandboxes.set(uid, sandbox);
    this.#makeContainer(root, pod, container, sandbox);
    return sandbox;
  }

  #makeContainer(root: string, pod: Pod, container: NamedRun, { containers }: Sandbox): void {
    const directory = join(root, cgroupPathOf(pod, container, LAYOUT));
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "cgroup.procs"), "");
    containers.set(container.containerID, { directory, pids: [] });
    if (this.#procRoot !== undefined) this.#makeProcess(this.#procRoot, pod, container, this.#freePid());
  }

  #end(uid: string): void {
    const sandbox = this.#sandboxes.get(uid);
    if (sandbox === undefined) return;
    this.#sandboxes.delete(uid);
    for (const { directory, pids } of sandbox.containers.values()) this.#remove(directory, pids);
    this.#bury(sandbox.directory);
  }

  #remove(directory: string, pids: readonly number[]): void {
    this.#bury(directory);
    for (const pid of pids) rmSync(join(String(this.#procRoot), String(pid)), { recursive: true, force: true });
  }

  /**
   * Moves a directory away instead of removing it. Most file systems would reuse its inode number for the next directory, which cgroup v2
   * never does.
   */
  #bury(directory: string): void {
    const graves = join(String(this.#cgroupRoot), ".ended");
    mkdirSync(graves, { recursive: true });
    if (existsSync(directory)) renameSync(directory, join(graves, String(++this.#buried)));
  }

  /** Creates the files of a process in a container. Returns its PID. */
  addProcess(pod: Pod, container: ContainerRun, pid: number = this.#freePid()): number {
    if (this.#procRoot === undefined)
      throw invalidArgument(
        "addProcess: the kubelet was started without procRoot",
        "ReferenceKubelet.start({ procRoot, cgroupRoot })",
      );
    if (!(Number.isSafeInteger(pid) && pid > 0))
      throw invalidArgument("addProcess: pid must be a positive whole number");
    return this.#makeProcess(this.#procRoot, pod, container, pid);
  }

  #makeProcess(procRoot: string, pod: Pod, container: NamedRun, pid: number): number {
    const cgroup = cgroupPathOf(pod, container, LAYOUT);
    const directory = join(procRoot, String(pid));
    rmSync(directory, { recursive: true, force: true }); // the new process takes over the PID
    mkdirSync(directory, { recursive: true });
    const { name } = container;
    writeFileSync(join(directory, "cgroup"), `0::${cgroup}\n`);
    writeFileSync(join(directory, "comm"), `${name.slice(0, 15)}\n`);
    const zeros = "0 ".repeat(17);
    writeFileSync(join(directory, "stat"), `${pid} (${name.slice(0, 15)}) S ${zeros}0 ${++this.#ticks * 100} 0\n`);
    const there = this.#sandboxes.get(pod.metadata.uid)?.containers.get(container.containerID);
    there?.pids.push(pid);
    if (there !== undefined) writeFileSync(join(there.directory, "cgroup.procs"), `${there.pids.join("\n")}\n`);
    this.#pids.add(pid);
    return pid;
  }

  #freePid(): number {
    do this.#lastPid++;
    while (this.#pids.has(this.#lastPid));
    return this.#lastPid;
  }
}
