import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Maximum number of CPUs in Linux (NR_CPUS). */
const MAX_CPUS = 8_192;

/**
 * Returns the NUMA node of each CPU, from the kernel's list of each node. Empty if the lists cannot be read. In a container these are the
 * lists of the machine, unless `/sys` is hidden.
 *
 * @param sysRoot mount of sysfs, `/sys` by default.
 */
export async function numaNodesOfCpus(sysRoot = "/sys"): Promise<Map<number, number>> {
  const directory = join(sysRoot, "devices/system/node");
  const nodeOf = new Map<number, number>();
  for (const name of await readdir(directory).catch(() => [])) {
    const [, node] = /^node(\d{1,4})$/.exec(name) ?? [];
    if (node === undefined) continue;
    const list = await readFile(join(directory, name, "cpulist"), "utf8").catch(() => "");
    for (const cpu of cpusOf(list)) nodeOf.set(cpu, Number(node));
  }
  return nodeOf;
}

/** Parses the kernel's format of CPU lists: `0-3,8`. */
function cpusOf(list: string): number[] {
  return list.split(",").flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? [];
    const length = Number(last) - Number(first) + 1;
    return first === undefined || length < 1 || length > MAX_CPUS
      ? []
      : Array.from({ length }, (_, i) => Number(first) + i);
  });
}
