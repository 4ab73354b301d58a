import type { PodsClient } from "../client.js";
import type { Pod } from "../gen/pod-types.js";
import type { ContainerExit, ContainerInstance } from "../pod/container-instance.js";
import { CONTAINERS_PATHS, containersOf, type PodContainer } from "../pod/containers.js";
import { podMask } from "../pod/mask.js";
import type { SelectorOptions } from "../pod/selector.js";
import { podMasks } from "../pod-masks.js";
import type { ContainerEvent } from "../readers/containers/container-event.js";
import type { ControlEvent } from "../readers/events.js";
import { type Command, type Console, EXIT, type Values, wantsJson } from "./command.js";
import { NamedPods, sayMissing } from "./named-pods.js";
import {
  NODE_HELP,
  NODE_OPTIONS,
  onNode,
  ROWS_OPTIONS,
  SELECTION_HELP,
  SELECTION_OPTIONS,
  selectionOf,
} from "./node.js";
import type { Notice } from "./notice.js";
import { age } from "./pod-row.js";
import { coloured, Table } from "./table.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods containers [NAME|UID ...] [options]

Shows the containers of the pods of this node, of every kind, ended ones too.

  -w, --watch           tell each life of a container instead: STARTED, ENDED
                        with its exit, MISSED where the kubelet showed too
                        little
${SELECTION_HELP}
  -o, --output json     a JSON array; with -w a line for each life
  --no-headers          leave out the names of the columns
${NODE_HELP};
                        without it 10s, and with -w for ever
  -h, --help

Exit codes: 0, 1 where there is no such pod, 2 for options that it does not
take, 3 where the kubelet cannot be reached or is not ready.`;

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: { ...NODE_OPTIONS, ...SELECTION_OPTIONS, ...ROWS_OPTIONS },
  run(values, console, words) {
    const asked: Asked = {
      values,
      console,
      names: new NamedPods(words, ({ metadata }) => metadata),
      selection: selectionOf(values),
      isJson: wantsJson(values),
    };
    return onNode("containers", values, console, (pods, notice) =>
      values["watch"] === true ? watch(pods, asked, notice) : list(pods, asked, notice),
    );
  },
};

interface Named {
  readonly metadata: Pick<Pod["metadata"], "uid" | "namespace" | "name">;
}

/** The options that were given. */
interface Asked {
  values: Values;
  console: Console;
  names: NamedPods<Named>;
  selection: SelectorOptions;
  isJson: boolean;
}

const MASK = podMask(...CONTAINERS_PATHS).union(podMasks.identity);
const COLUMNS = ["POD", "CONTAINER", "KIND", "STATE", "READY", "RESTARTS", "AGE", "LAST EXIT", "ID"];
const LIVES = ["EVENT", "TIME", "NAMESPACE", "POD", "CONTAINER", "KIND", "LIFE", "EXIT"];
const NONE = "<none>";

async function list(pods: PodsClient, asked: Asked, notice: Notice): Promise<number> {
  const { console, names, selection, isJson } = asked;
  const found = names.among((await pods.listPods({ ...selection, mask: MASK })) as unknown as Pod[]) as Pod[];
  notice.stop();
  const rows = found.flatMap((pod) => containersOf(pod).map((container) => [pod, container] as const));
  if (isJson) {
    console.out(
      jsonText(
        rows.map(([pod, { spec: _, status: __, ...container }]) => ({ ...identityOf(pod), ...container })),
        4,
      ),
    );
  } else print(rows, asked);
  return sayMissing("containers", found, names, { ...selection, console, quiet: isJson });
}

function print(rows: readonly (readonly [Pod, PodContainer])[], { values, console, selection }: Asked): void {
  if (rows.length === 0) return;
  const isOne = selection.namespace !== undefined;
  const columns = isOne ? COLUMNS : ["NAMESPACE", ...COLUMNS];
  const at = columns.indexOf("STATE");
  const paint = (_: readonly string[], column: number, text: string) =>
    column === at ? coloured(text, moodOf(text)) : text;
  const table = new Table(columns, console.colours ? paint : undefined);
  const cells = rows.map(([pod, container]) => [
    ...(isOne ? [] : [pod.metadata.namespace]),
    ...cellsOf(pod, container, console.environment.clock.wallMs()),
  ]);
  const header = table.header(cells);
  if (values["no-headers"] !== true) console.out(header);
  for (const row of cells) console.out(table.row(row));
}

function cellsOf({ metadata }: Pod, container: PodContainer, nowMs: number): string[] {
  const { kind, name, ready, restartCount, instance, lastExit } = container;
  return [
    metadata.name,
    name,
    kind,
    stateOf(container),
    ready ? "yes" : "no",
    String(restartCount),
    instance === undefined ? NONE : age(instance.startedAt, nowMs),
    lastExit === undefined ? NONE : exitText(lastExit),
    instance?.containerID.slice(0, SHOWN_ID) || NONE,
  ];
}

/** The number of characters of an ID that the tables of container runtimes show. */
const SHOWN_ID = 13;

/** Writes the state of a container: why it waits, or how it ended. */
function stateOf({ state, status, exit, spec }: PodContainer): string {
  if (state === "running") return "Running";
  if (state === "ended") return exit === undefined ? "Ended" : exitText(exit);
  if (status === undefined) return spec === undefined ? NONE : "Unknown";
  return status.state?.waiting?.reason || "Waiting";
}

function exitText({ exitCode, reason }: ContainerExit): string {
  return `${reason || "Ended"} (${exitCode})`;
}

function moodOf(state: string): "good" | "doubtful" | "bad" | "over" {
  if (state === "Running") return "good";
  if (state === "Completed (0)") return "over";
  return /\(\d+\)$|Err|BackOff/.test(state) ? "bad" : "doubtful";
}

function identityOf({ metadata: { namespace, name, uid } }: Named) {
  return { namespace, pod: name, uid };
}

/** Writes when a life started or ended, to the second. */
function timeOf(event: Exclude<ContainerEvent<Named>, ControlEvent>): string {
  if (event.type === "MISSED") return NONE;
  const time = event.type === "STARTED" ? event.container.startedAt : event.exit?.finishedAt;
  return time === undefined ? NONE : time.toISOString().replace(/\.\d+Z$/, "Z");
}

/** Tells lives as they come, those first that the kubelet still shows. */
async function watch(pods: PodsClient, asked: Asked, notice: Notice): Promise<number> {
  const { values, console, names, selection, isJson } = asked;
  const table = new Table(LIVES, undefined, ["STARTED"]);
  // The first lives wait for each other, so that columns are wide enough for them.
  let waiting: string[][] | undefined = [];
  let code: number = EXIT.ok;
  await notice.watching(async (signal) => {
    for await (const event of pods.watchContainers({ ...selection, mask: podMasks.identity, signal })) {
      if (event.type === "DISCONNECTED") continue; // the notice tells it
      if (event.type === "SYNCED") {
        if (waiting === undefined) continue;
        notice.known();
        const header = table.header(waiting);
        if (!isJson && values["no-headers"] !== true) console.out(header);
        for (const row of waiting) console.out(table.row(row).trimEnd());
        waiting = undefined;
        if (names.isEmpty) continue;
        const found = await pods.listPods({ ...selection, mask: podMasks.identity });
        code = sayMissing("containers", found, names, { ...selection, console, quiet: isJson });
        if (code !== EXIT.ok) return;
        continue;
      }
      if (!names.has(event.pod)) continue;
      const { type, pod, container } = event;
      const life =
        "restartCounts" in event
          ? event.restartCounts.join("-")
          : String((container as ContainerInstance).restartCount);
      if (isJson) {
        const { pod: _, ...rest } = event;
        console.out(jsonText({ ...identityOf(pod), ...rest }));
        continue;
      }
      const exit =
        event.type !== "ENDED" ? "" : event.exit === undefined ? `unknown (${event.cause})` : exitText(event.exit);
      const { namespace, name } = pod.metadata;
      const row = [type, timeOf(event), namespace, name, container.name, container.kind, life, exit];
      if (waiting === undefined) console.out(table.row(row).trimEnd());
      else waiting.push(row);
    }
  });
  return code;
}
