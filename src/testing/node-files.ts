import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { invalidArgument } from "../errors/pods-error.js";
import type { Pod } from "../gen/pod-types.js";
import { type CgroupLayout, cgroupPathOf } from "../identity/cgroup-layout.js";
import { parseCgroupPath } from "../identity/cgroup-path.js";
import type { ContainerInstance } from "../pod/container-instance.js";
import { printable } from "../printable.js";

/** How most nodes lay out their cgroups. */
const LAYOUT: CgroupLayout = { driver: "systemd", version: 2, root: "/kubepods.slice" };

/** The first number of a process that is given. */
const FIRST_PID = 1_000;

/** The files of a node that belong to its pods: logs, and what `/proc` has of their processes. */
export class NodeFiles {
  readonly #logRoot: string | undefined;
  readonly #procRoot: string | undefined;
  readonly #pids = new Set<number>();
  #lastPid = FIRST_PID - 1;
  #ticks = 0;

  constructor(logRoot: string | undefined, procRoot: string | undefined) {
    this.#logRoot = logRoot;
    this.#procRoot = procRoot;
  }

  /** Appends lines to the log of a container's life, as a runtime writes them (the CRI logging format). */
  writeLog({ metadata }: Pod, { name, restartCount }: ContainerInstance, text: string, now: Date): void {
    if (this.#logRoot === undefined) throw invalidArgument("writeLog: the kubelet was started without logRoot");
    const directory = join(this.#logRoot, `${metadata.namespace}_${metadata.name}_${metadata.uid}`, name);
    mkdirSync(directory, { recursive: true });
    const lines = text.split("\n");
    const last = lines.pop();
    const written = lines.map((line) => `${now.toISOString()} stdout F ${line}\n`);
    if (last) written.push(`${now.toISOString()} stdout P ${last}\n`);
    appendFileSync(join(directory, `${restartCount}.log`), written.join(""));
  }

  /** Makes a process in a container. Returns its number. */
  addProcess(pod: Pod, container: ContainerInstance, pid: number = this.#freePid()): number {
    if (this.#procRoot === undefined) throw invalidArgument("addProcess: the kubelet was started without procRoot");
    if (!(Number.isSafeInteger(pid) && pid > 0)) throw invalidArgument("addProcess: pid: not a number of a process");
    const cgroup = cgroupPathOf(pod, container, LAYOUT);
    if (parseCgroupPath(cgroup) === undefined) {
      const uid = printable(pod.metadata.uid, 100);
      throw invalidArgument(
        `addProcess: no cgroup can name the UID ${uid}`,
        "give the pod a UUID, as every pod of a cluster has",
      );
    }
    const directory = join(this.#procRoot, String(pid));
    rmSync(directory, { recursive: true, force: true }); // the number is taken over
    mkdirSync(directory, { recursive: true });
    const { name } = container;
    writeFileSync(join(directory, "cgroup"), `0::${cgroup}\n`);
    writeFileSync(join(directory, "comm"), `${name.slice(0, 15)}\n`);
    const zeros = "0 ".repeat(17);
    writeFileSync(join(directory, "stat"), `${pid} (${name.slice(0, 15)}) S ${zeros}0 ${++this.#ticks * 100} 0\n`);
    this.#pids.add(pid);
    return pid;
  }

  #freePid(): number {
    do this.#lastPid++;
    while (this.#pids.has(this.#lastPid));
    return this.#lastPid;
  }
}
