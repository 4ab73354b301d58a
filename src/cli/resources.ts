import type { ContainerResources, DeviceGroup, MemoryBlock, PodResources } from "../podresources/pod-resources.js";
import { PodResourcesClient } from "../podresources/pod-resources-client.js";
import { type Command, type Console, EXIT, textOf, type Values, wantsJson } from "./command.js";
import { NamedPods, sayMissing } from "./named-pods.js";
import { onClient } from "./node.js";
import type { Notice } from "./notice.js";
import { NONE, Table, textColumns } from "./table.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods resources [NAME ...] [options]

Shows which container of this node has been given which devices, CPUs, memory
and claims, by the kubelet's podresources API.

  -a, --all             containers too that have been given nothing
  --allocatable         what the node can give instead, given or not
  -n, --namespace NAME  pods of one namespace; without it all of them, with a
                        column for it
  -o, --output json     a JSON array, or object, with all of it
  --no-headers          leave out the names of the columns
  --socket PATH         the kubelet's socket; without it
                        $KUBELET_PODRESOURCES_SOCKET, or the one of the kubelet
                        that $KUBELET_PODS_SOCKET names, or the one below
                        /var/lib/kubelet
  --timeout DURATION    how long to wait for the kubelet: 500ms, 10s, 2m, or a
                        number of seconds; 0 for ever; without it 10s
  -h, --help

Exit codes: 0, 1 where there is no such pod, 2 for options that it does not
take, 3 where the kubelet cannot be reached or is not ready.`;

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: {
    socket: { type: "string" },
    timeout: { type: "string" },
    all: { type: "boolean", short: "a" },
    allocatable: { type: "boolean" },
    namespace: { type: "string", short: "n" },
    output: { type: "string", short: "o" },
    "no-headers": { type: "boolean" },
  },
  run(values, console, words) {
    const asked: Asked = { values, console, words, isJson: wantsJson(values) };
    return onClient(
      "resources",
      values,
      console,
      (options) => new PodResourcesClient(options, console.environment),
      (client, notice) =>
        values["allocatable"] === true ? showAllocatable(client, asked, notice) : showGiven(client, asked, notice),
    );
  },
};

/** The given options. */
interface Asked {
  values: Values;
  console: Console;
  words: readonly string[];
  isJson: boolean;
}

async function showGiven(client: PodResourcesClient, asked: Asked, notice: Notice): Promise<number> {
  const { values, console, words, isJson } = asked;
  const namespace = textOf(values, "namespace");
  const names = new NamedPods<PodResources>(words, (pod) => ({ uid: "", ...pod }));
  const pods = names.among(
    (await client.list()).filter((pod) => namespace === undefined || pod.namespace === namespace),
  );
  notice.stop();
  if (isJson) console.out(jsonText(pods, 4));
  else if (pods.length > 0)
    print(
      pods.flatMap((pod) => rowsOf(pod, asked)),
      GIVEN,
      namespace !== undefined,
      asked,
    );
  return sayMissing("resources", pods, names, { console, namespace, quiet: isJson });
}

async function showAllocatable(client: PodResourcesClient, asked: Asked, notice: Notice): Promise<number> {
  const found = await client.getAllocatableResources();
  notice.stop();
  if (asked.isJson) asked.console.out(jsonText(found, 4));
  else print([[nodesOf([...found.devices, ...found.memory]), ...cellsOf(found)]], ALLOCATABLE, true, asked);
  return EXIT.ok;
}

const ALLOCATABLE = ["NUMA", "CPUS", "MEMORY", "DEVICES"];
const GIVEN = ["POD", "CONTAINER", ...ALLOCATABLE, "CLAIMS"];

/** Prints rows. They begin with the namespace, unless one namespace is selected. */
function print(rows: readonly string[][], columns: readonly string[], namespaced: boolean, { values, console }: Asked) {
  if (rows.length === 0) {
    console.err("Nothing has been given to any of these containers; --all shows them.");
    return;
  }
  const table = new Table(textColumns(namespaced ? columns : ["NAMESPACE", ...columns]), console);
  for (const line of table.lines(rows, values["no-headers"] !== true)) console.out(line);
}

function rowsOf(pod: PodResources, { values }: Asked): string[][] {
  const all = values["all"] === true;
  const name = [...(values["namespace"] === undefined ? [pod.namespace] : []), pod.name];
  const own: ContainerResources = {
    name: "(the pod)",
    devices: [],
    claims: [],
    cpuIds: pod.cpuIds,
    memory: pod.memory,
  };
  const shown = [own, ...pod.containers].filter((given) => hasAny(given) || (all && given !== own));
  return shown.map((given) => [
    ...name,
    given.name,
    nodesOf([...given.devices, ...given.memory]),
    ...cellsOf(given),
    given.claims.map((claim) => `${claim.name}=${claim.devices.map(({ device }) => device).join(",")}`).join(" ") ||
      NONE,
  ]);
}

function hasAny({ devices, cpuIds, memory, claims }: ContainerResources): boolean {
  return devices.length + cpuIds.length + memory.length + claims.length > 0;
}

/** Writes CPUs, memory and devices. */
function cellsOf({ cpuIds, memory, devices }: Pick<ContainerResources, "cpuIds" | "memory" | "devices">): string[] {
  return [
    ranges(cpuIds),
    memory.map(({ type, sizeBytes }) => `${type}=${humanBytes(sizeBytes)}`).join(" ") || NONE,
    devices.map(({ resourceName, deviceIDs }) => `${resourceName}=${deviceIDs.join(",")}`).join(" ") || NONE,
  ];
}

function nodesOf(groups: readonly Pick<DeviceGroup | MemoryBlock, "numaNodes">[]): string {
  return ranges([...new Set(groups.flatMap(({ numaNodes }) => numaNodes))]);
}

/** Writes numbers in the kernel's form of lists of CPUs: `0-3,8`. */
function ranges(numbers: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(",") || NONE;
}

const UNITS = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

/** Writes a size in the largest unit that gives a whole number. */
function humanBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1024 && size % 1024 === 0 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${size}${UNITS[unit]}`;
}
