import { PodsError } from "../errors/pods-error.js";
import type { PodJson } from "../pod/json-types.js";
import { type PodMask, podMask, unionOf } from "../pod/mask.js";
import type { Pod } from "../pod/pod.js";
import { toKubernetesJson } from "../pod/to-json.js";
import { printable } from "../printable.js";
import { type Console, textOf, UsageError, type Values } from "./command.js";
import { LABELS, NAMESPACE, NARROW, type PodColumn, WIDE } from "./pod-columns.js";
import { type Column, Table } from "./table.js";
import { jsonText, loadYaml } from "./text.js";

type EventType = "ADDED" | "MODIFIED" | "DELETED";

export interface PodOutput {
  /** The fields that it reads; undefined means all fields. */
  readonly mask: PodMask | undefined;
  /** True for data formats, which write a list even if it is empty. */
  readonly isData: boolean;
  /** True after a pod could not be written, which has been reported. */
  readonly failed?: boolean;
  /** Returns all pods as lines. `one`: a single pod was named. */
  list(pods: readonly Pod[], one: boolean): string[];
  /** Returns the header lines, with columns wide enough for these pods. */
  header(pods: readonly Pod[]): string[];
  /** Returns the first pods of a watch as lines. */
  begin(pods: readonly Pod[]): string[];
  /** Returns an event of a pod as lines. */
  event(type: EventType, pod: Pod): string[];
}

export const OUTPUT_OPTIONS = {
  output: { type: "string", short: "o" },
  "no-headers": { type: "boolean" },
  "output-watch-events": { type: "boolean" },
  "show-managed-fields": { type: "boolean" },
  "show-labels": { type: "boolean" },
} as const;

/** The options of an output format, besides its name. */
interface OutputContext {
  values: Values;
  console: Console;
  namespaced: boolean;
  /** True to write the type of each event, too. */
  withEvents: boolean;
}

/** Returns the output format of -o. @throws UsageError for an unknown one. */
export async function outputOf(values: Values, console: Console, namespaced: boolean): Promise<PodOutput> {
  const name = textOf(values, "output") ?? "";
  const context = { values, console, namespaced, withEvents: values["output-watch-events"] === true };
  switch (name) {
    case "":
      return tableOutput(NARROW, context);
    case "wide":
      return tableOutput([...NARROW, ...WIDE], context);
    case "name":
      return nameOutput(context);
    case "json":
      return wholeOutput(context, (value) => jsonText(value, 4));
    case "yaml":
      return wholeOutput(context, await loadYaml(), "\n---");
    default:
      throw new UsageError(`-o must be wide, json, yaml or name, not ${printable(name, 50)}`);
  }
}

interface PodRow {
  readonly type: EventType;
  readonly pod: Pod;
}

/** The column of `--output-watch-events`, as wide as its longest word. */
const EVENT: Column<PodRow> = { header: "EVENT   ", show: ({ type }) => type };

function tableOutput(
  columns: readonly PodColumn[],
  { values, console, namespaced, withEvents }: OutputContext,
): PodOutput {
  const shown = [...(namespaced ? [] : [NAMESPACE]), ...columns, ...(values["show-labels"] === true ? [LABELS] : [])];
  const podColumns = shown.map(
    ({ show, mood, ...column }): Column<PodRow> => ({
      ...column,
      show: ({ pod }, nowMs) => show(pod, nowMs),
      mood: mood && ((text, { pod }) => mood(text, pod)),
    }),
  );
  const table = new Table(withEvents ? [EVENT, ...podColumns] : podColumns, console);
  const begin = (pods: readonly Pod[]) =>
    table.lines(
      pods.map((pod) => ({ type: "ADDED", pod })),
      values["no-headers"] !== true,
    );
  return {
    // As in kubectl, a change of a column of -o wide counts in every table.
    mask: unionOf([...NARROW, ...WIDE, ...shown].map(({ mask }) => mask)),
    isData: false,
    list: (pods) => (pods.length === 0 ? [] : begin(pods)),
    header: (pods) => begin(pods).slice(0, values["no-headers"] === true ? 0 : 1),
    begin,
    event: (type, pod) => [table.line({ type, pod })],
  };
}

/** Makes a format with one line for each pod. */
function lineOutput(
  mask: PodMask,
  line: (pod: Pod) => string,
  withEvents: boolean,
  eventLine: (type: EventType, pod: Pod) => string,
): PodOutput {
  const event = (type: EventType, pod: Pod) => (withEvents ? eventLine(type, pod) : line(pod));
  return {
    mask,
    isData: false,
    list: (pods) => pods.map(line),
    header: () => [],
    begin: (pods) => pods.map((pod) => event("ADDED", pod)),
    event: (type, pod) => [event(type, pod)],
  };
}

function nameOutput({ withEvents }: OutputContext): PodOutput {
  const line = ({ metadata }: Pod) => `pod/${printable(metadata?.name ?? "", 253)}`;
  return lineOutput(podMask("metadata.name"), line, withEvents, (type, pod) => `${type} ${line(pod)}`);
}

/** Returns an object, or an event with it, in kubectl's format. */
const eventJson = (type: EventType, object: unknown, withEvents: boolean) => (withEvents ? { type, object } : object);

const listJson = (items: unknown[]) => ({ apiVersion: "v1", items, kind: "List", metadata: { resourceVersion: "" } });

/** Makes a format of whole pods. `after` follows each pod of a watch. A pod that cannot be written is left out and reported. */
function wholeOutput(
  { values, console, withEvents }: OutputContext,
  text: (value: unknown) => string,
  after = "",
): PodOutput {
  const output = { failed: false };
  const jsonOf = (pod: Pod): PodJson[] => {
    try {
      const json = toKubernetesJson(pod);
      if (values["show-managed-fields"] !== true) delete json.metadata?.managedFields;
      return [json];
    } catch (error) {
      if (!PodsError.is(error)) throw error;
      output.failed = true;
      const { namespace, name } = pod.metadata ?? {};
      console.err(`kubelet-pods get: ${printable(`${namespace}/${name}`, 300)} cannot be shown: ${error.message}`);
      return [];
    }
  };
  const event = (type: EventType, pod: Pod) =>
    jsonOf(pod).map((json) => text(eventJson(type, json, withEvents)) + after);
  return Object.assign(output, {
    mask: undefined,
    isData: true,
    list: (pods: readonly Pod[], one: boolean) => {
      const items = pods.flatMap(jsonOf);
      return [text(one && items.length === 1 ? items[0] : listJson(items))];
    },
    header: () => [],
    begin: (pods: readonly Pod[]) => pods.flatMap((pod) => event("ADDED", pod)),
    event,
  });
}
