import type { PodsClient } from "../client.js";
import type { PodConditions } from "../pod/pod-conditions.js";
import type { SelectorOptions } from "../pod/selector.js";
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
import { age } from "./pod-columns.js";
import { type Column, type Mood, NONE, Table } from "./table.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods conditions [NAME|UID ...] [options]

Shows whether the pods of this node are ready, since when, and why not: static
pods too, and with the API server away.

  -w, --watch           go on, and show each pod again when a condition changes,
                        or it goes
${SELECTION_HELP}
  -o, --output json     a JSON array of KEP-4188's PodInfo; with -w the whole
                        array on a line, whenever it changes
  --no-headers          leave out the names of the columns
${NODE_HELP};
                        without it 10s, and with -w for ever
  -h, --help

READY is the condition. Unverified: the kubelet has started again, and has not
looked at the pod, or probed it, yet.

Exit codes: 0, 1 where there is no such pod, 2 for options that it does not
take, 3 where the kubelet cannot be reached or is not ready.`;

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: { ...NODE_OPTIONS, ...SELECTION_OPTIONS, ...ROWS_OPTIONS },
  run(values, console, words) {
    const selection = selectionOf(values);
    const asked: Asked = {
      names: new NamedPods(words, ({ uid, namespace, name }) => ({
        uid,
        namespace,
        name,
      })),
      selection,
      console,
      screen: wantsJson(values) ? undefined : new Screen(values, console, selection.namespace !== undefined),
    };
    return onNode("conditions", values, console, (pods, notice) =>
      values["watch"] === true ? watch(pods, asked, notice) : list(pods, asked, notice),
    );
  },
};

/** The given options. */
interface Asked {
  names: NamedPods<PodConditions>;
  selection: SelectorOptions;
  console: Console;
  /** The table; undefined for JSON. */
  screen: Screen | undefined;
}

async function list(pods: PodsClient, { names, selection, console, screen }: Asked, notice: Notice): Promise<number> {
  const found = names.among(await pods.listPodConditions(selection));
  notice.stop();
  if (screen === undefined) console.out(jsonText(found, 4));
  else if (found.length > 0) screen.begin(found);
  return sayMissing("conditions", found, names, { ...selection, console, quiet: screen === undefined });
}

async function watch(pods: PodsClient, { names, selection, console, screen }: Asked, notice: Notice): Promise<number> {
  let code: number = EXIT.ok;
  await notice.watching(async (signal) => {
    let isFirst = true;
    for await (const all of pods.watchPodConditions({ ...selection, includeFinished: true, signal })) {
      const found = names.among(all);
      if (screen === undefined) console.out(jsonText(found));
      else if (isFirst) screen.begin(found);
      else screen.update(found);
      if (!isFirst) continue;
      isFirst = false;
      notice.known();
      code = sayMissing("conditions", found, names, { ...selection, console, quiet: screen === undefined });
      if (code !== EXIT.ok) return;
    }
  });
  return code;
}

/** A pod's conditions, or that it is gone. */
interface Shown {
  readonly info: PodConditions;
  readonly isGone?: boolean;
}

/** Conditions with a column of their own. Others are shown in OTHERS if they are True, except one that is True for every healthy pod. */
const OWN: readonly string[] = ["PodScheduled", "Initialized", "ContainersReady", "Ready", "PodReadyToStartContainers"];

const of = (info: PodConditions, type: string) => info.conditions.find((condition) => condition.type === type);
const condition = (header: string, type: string): Column<Shown> => ({
  header,
  show: ({ info }) => of(info, type)?.status ?? NONE,
});

const NAMESPACE: Column<Shown> = { header: "NAMESPACE", show: ({ info }) => info.namespace };

const COLUMNS: readonly Column<Shown>[] = [
  { header: "NAME", show: ({ info }) => info.name },
  { header: "STATIC", show: ({ info }) => (info.static ? "yes" : "no") },
  condition("SCHEDULED", "PodScheduled"),
  condition("INITIALIZED", "Initialized"),
  condition("CONTAINERS", "ContainersReady"),
  {
    header: "READY",
    show: ({ info, isGone }) => (isGone ? "Gone" : (of(info, "Ready")?.status ?? NONE)),
    mood: (text) => MOODS[text] ?? "doubtful",
  },
  { header: "SINCE", show: ({ info }, nowMs) => age(of(info, "Ready")?.lastTransitionTime, nowMs) },
  { header: "REASON", show: ({ info }, nowMs) => reasonOf(info, nowMs) },
  {
    header: "OTHERS",
    show: ({ info }) => {
      const others = info.conditions.filter(({ type, status }) => !OWN.includes(type) && status === "True");
      return others.map(({ type }) => type).join(",") || NONE;
    },
  },
];

const MOODS: Readonly<Record<string, Mood>> = { True: "good", False: "bad", Gone: "over" };

/** Returns why a pod is not ready, or that this is not known yet. */
function reasonOf(info: PodConditions, nowMs: number): string {
  if ((info.readinessUnverifiedUntil?.getTime() ?? 0) > nowMs) return "Unverified";
  if (info.deletionTimestamp !== undefined) return "Terminating";
  return of(info, "Ready")?.reason || NONE;
}

/** A table of the conditions of pods, and below it their changes. */
class Screen {
  readonly #console: Console;
  readonly #isHeaded: boolean;
  readonly #table: Table<Shown>;
  #shown = new Map<string, { info: PodConditions; text: string }>();

  constructor(values: Values, console: Console, namespaced: boolean) {
    this.#console = console;
    this.#isHeaded = values["no-headers"] !== true;
    this.#table = new Table(namespaced ? COLUMNS : [NAMESPACE, ...COLUMNS], console);
  }

  begin(pods: readonly PodConditions[]): void {
    const rows = pods.map((info) => ({ info }));
    for (const line of this.#table.lines(rows, this.#isHeaded)) this.#console.out(line);
    this.#remember(pods);
  }

  /** Shows changed pods, and pods that are gone. */
  update(pods: readonly PodConditions[]): void {
    const before = this.#shown;
    this.#remember(pods);
    const gone = [...before].filter(([uid]) => !this.#shown.has(uid)).map(([, { info }]) => ({ info, isGone: true }));
    const changed = [...this.#shown].filter(([uid, { text }]) => before.get(uid)?.text !== text);
    for (const row of [...gone, ...changed.map(([, { info }]) => ({ info }))]) this.#console.out(this.#table.line(row));
  }

  #remember(pods: readonly PodConditions[]): void {
    this.#shown = new Map(pods.map((info) => [info.uid, { info, text: JSON.stringify(info) }]));
  }
}
