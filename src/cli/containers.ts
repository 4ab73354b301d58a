import type { PodsClient } from "../client.js";
import type { ContainerExit } from "../pod/container-run.js";
import { CONTAINERS_PATHS, containersOf, type PodContainer } from "../pod/containers.js";
import type { EndReason } from "../pod/end-reason.js";
import { podMask } from "../pod/mask.js";
import type { MaskedPod } from "../pod/masked-pod.js";
import type { Pod } from "../pod/pod.js";
import type { SelectorOptions } from "../pod/selector.js";
import { podMasks } from "../pod-masks.js";
import type { ContainerEvent } from "../readers/containers/container-event.js";
import type { ControlEvent } from "../readers/events.js";
import { type Command, type Console, EXIT, type Values, wantsJson } from "./command.js";
import { NamedPods, sayMissing } from "./named-pods.js";
import {
  listNamed,
  NODE_HELP,
  NODE_OPTIONS,
  onNode,
  ROWS_OPTIONS,
  SELECTION_HELP,
  SELECTION_OPTIONS,
  selectionOf,
} from "./node.js";
import type { Notice } from "./notice.js";
import { age } from "./pod-columns.js";
import { type Column, type Mood, NONE, Table } from "./table.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods containers [NAME|UID ...] [options]

Lists all containers of the pods on this node, including init, sidecar,
ephemeral and ended ones.

  -w, --watch           watch container runs: STARTED, ENDED with the exit, and
                        MISSED if the kubelet did not report every run
${SELECTION_HELP}
  -o, --output json     print a JSON array; with -w one line per event
  --no-headers          omit the header line
${NODE_HELP}
                        (default: 10s; with -w no limit)
  -h, --help            print this help

Exit codes: 0, 1 if there is no such pod, 2 for wrong arguments, 3 if the
kubelet cannot be reached or is not ready.`;

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: { ...NODE_OPTIONS, ...SELECTION_OPTIONS, ...ROWS_OPTIONS },
  run(values, console, words) {
    const request: ContainersRequest = {
      values,
      console,
      names: new NamedPods(words, ({ metadata }) => metadata),
      selection: selectionOf(values),
      isJson: wantsJson(values),
    };
    return onNode("containers", values, console, (pods, notice) =>
      values["watch"] === true ? watch(pods, request, notice) : list(pods, request, notice),
    );
  },
};

interface NamedContainer {
  readonly metadata: Pick<Pod["metadata"], "uid" | "namespace" | "name">;
}

interface ContainersRequest {
  values: Values;
  console: Console;
  names: NamedPods<NamedContainer>;
  selection: SelectorOptions;
  isJson: boolean;
}

const MASK = podMask(...CONTAINERS_PATHS).union(podMasks.identity);
type ContainerPod = MaskedPod<typeof MASK>;

interface ContainerRow {
  readonly pod: ContainerPod;
  readonly container: PodContainer<ContainerPod>;
}

/** The number of characters of an ID in the tables of container runtimes. */
const SHOWN_ID = 13;

const NAMESPACE: Column<ContainerRow> = { header: "NAMESPACE", show: ({ pod }) => pod.metadata.namespace };

const COLUMNS: readonly Column<ContainerRow>[] = [
  { header: "POD", show: ({ pod }) => pod.metadata.name },
  { header: "CONTAINER", show: ({ container }) => container.name },
  { header: "KIND", show: ({ container }) => container.kind },
  { header: "STATE", show: ({ container }) => stateOf(container), mood: moodOf },
  { header: "READY", show: ({ container }) => (container.ready ? "yes" : "no") },
  { header: "RESTARTS", show: ({ container }) => String(container.restartCount) },
  {
    header: "AGE",
    show: ({ container: { run } }, nowMs) => (run === undefined ? NONE : age(run.startedAt, nowMs)),
  },
  { header: "LAST EXIT", show: ({ container: { lastExit } }) => (lastExit === undefined ? NONE : exitText(lastExit)) },
  { header: "ID", show: ({ container: { run } }) => run?.containerID.slice(0, SHOWN_ID) || NONE },
];

type RunEvent = Exclude<ContainerEvent<NamedContainer>, ControlEvent>;

/** Whether the exit of the container alone shows the reason. */
const SHOWS_REASON: Readonly<Record<EndReason, boolean>> = {
  exited: true,
  signalled: true,
  OOMKilled: true,
  "not-started": true,
  Evicted: false,
  deleted: false,
  "api-evicted": false,
  "taint-evicted": false,
  deadline: false,
  preempted: false,
  "shut-down": false,
  rejected: false,
  restarted: false,
  unknown: false,
};

const RUN_COLUMNS: readonly Column<RunEvent>[] = [
  { header: "EVENT  ", show: ({ type }) => type }, // as wide as STARTED
  { header: "TIME", show: timeOf },
  { header: "NAMESPACE", show: ({ pod }) => pod.metadata.namespace },
  { header: "POD", show: ({ pod }) => pod.metadata.name },
  { header: "CONTAINER", show: ({ container }) => container.name },
  { header: "KIND", show: ({ container }) => container.kind },
  {
    header: "LIFE",
    show: (event) => (event.type === "MISSED" ? event.restartCounts.join("-") : String(event.container.restartCount)),
  },
  {
    header: "EXIT",
    show: (event) => {
      if (event.type !== "ENDED") return "";
      const { exitCode, reported, reason } = event.end;
      if (exitCode === undefined) return `unknown (${event.basis})`;
      const text = exitText({ exitCode, reason: reported?.reason ?? "" });
      // The kubelet's reason alone would hide what stopped the container, and whether OOMKilled concerns only a child process.
      return SHOWS_REASON[reason] ? text : `${text}, ${reason}`;
    },
  },
];

async function list(pods: PodsClient, request: ContainersRequest, notice: Notice): Promise<number> {
  const { values, console, names, selection, isJson } = request;
  const { found, unproved } = await listNamed<ContainerPod>(pods, values, names, notice, () =>
    pods.listPods({ ...selection, mask: MASK }),
  );
  const rows = found.flatMap((pod) => containersOf(pod).map((container) => ({ pod, container })));
  if (isJson) {
    const json = rows.map(({ pod, container: { spec: _, status: __, ...rest } }) => ({ ...identityOf(pod), ...rest }));
    console.out(jsonText(json, 4));
  } else if (rows.length > 0) {
    const table = new Table(selection.namespace === undefined ? [NAMESPACE, ...COLUMNS] : COLUMNS, console);
    for (const line of table.lines(rows, values["no-headers"] !== true)) console.out(line);
  }
  if (unproved !== undefined) throw unproved;
  return sayMissing("containers", found, names, { ...selection, console, quiet: isJson });
}

/** Returns the state of a container: why it waits, or how it ended. */
function stateOf({ state, status, exit, spec }: PodContainer<ContainerPod>): string {
  if (state === "running") return "Running";
  if (state === "ended") return exit === undefined ? "Ended" : exitText(exit);
  if (status === undefined) return spec === undefined ? NONE : "Unknown";
  return status.state?.waiting?.reason || "Waiting";
}

function exitText({ exitCode, reason }: Pick<ContainerExit, "exitCode" | "reason">): string {
  return `${reason || "Ended"} (${exitCode})`;
}

function moodOf(state: string): Mood {
  if (state === "Running") return "good";
  if (state === "Completed (0)") return "over";
  return /\(\d+\)$|Err|BackOff/.test(state) ? "bad" : "uncertain";
}

function identityOf({ metadata: { namespace, name, uid } }: NamedContainer) {
  return { namespace, pod: name, uid };
}

/** Returns the time of an event, to the second. */
function timeOf(event: RunEvent): string {
  if (event.type === "MISSED") return NONE;
  const time = event.type === "STARTED" ? event.container.startedAt : event.end.finishedAt;
  return time === undefined ? NONE : time.toISOString().replace(/\.\d+Z$/, "Z");
}

/** Writes the runs that the kubelet still reports, then new events. */
async function watch(pods: PodsClient, request: ContainersRequest, notice: Notice): Promise<number> {
  const { values, console, names, selection, isJson } = request;
  const table = new Table(RUN_COLUMNS, console);
  // The first runs are written together, so that columns are wide enough for all of them.
  let waiting: RunEvent[] | undefined = [];
  let code: number = EXIT.ok;
  await notice.watching(async (signal) => {
    for await (const event of pods.watchContainers({ ...selection, mask: podMasks.identity, signal })) {
      if (event.type === "DISCONNECTED") continue; // the notice shows it
      if (event.type !== "SYNCED") {
        if (!names.has(event.pod)) continue;
        const { pod, ...rest } = event;
        if (isJson) console.out(jsonText({ ...identityOf(pod), ...rest }));
        else if (waiting === undefined) console.out(table.line(event).trimEnd());
        else waiting.push(event);
        continue;
      }
      if (waiting === undefined) continue;
      notice.known();
      const lines = isJson ? [] : table.lines(waiting, values["no-headers"] !== true);
      for (const line of lines) console.out(line.trimEnd());
      waiting = undefined;
      if (names.isEmpty) continue;
      const found = await pods.listPods({ ...selection, mask: podMasks.identity });
      code = sayMissing("containers", found, names, { ...selection, console, quiet: isJson });
      if (code !== EXIT.ok) return;
    }
  });
  return code;
}
