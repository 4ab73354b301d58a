import { endedIn } from "../journal/ended.js";
import type { EndedRecord } from "../journal/ended-record.js";
import { Segments } from "../journal/segments.js";
import { printable } from "../printable.js";
import { type Command, EXIT, textOf, UsageError, wantsJson } from "./command.js";
import { parseDuration } from "./duration.js";
import { NamedPods } from "./named-pods.js";
import { age } from "./pod-columns.js";
import { type Column, type Mood, NONE, Table } from "./table.js";
import { jsonText } from "./text.js";

const DIRECTORY = "/var/lib/kubelet-pods/ended";

const HELP = `Usage: kubelet-pods ended [NAME|UID ...] [options]

Shows how containers and pods of this node ended, the newest first, by the
journal of an agent that writes one. It asks no kubelet and needs no agent.
What ended while no agent ran, of a pod that has gone, too, no journal has.

  -n, --namespace NAME  the pods of this namespace
  --since DURATION      what was learned since then: 30s, 5m, 2h, 7d
  -f, --follow          the oldest first, and go on with what comes
  -o, --output json     a line of JSON for each end
  --no-headers          leave out the names of the columns
  --directory DIRECTORY the journal; without it $KUBELET_PODS_JOURNAL, or
                        ${DIRECTORY}
  -h, --help

Exit codes: 0, 1 where the journal has no such end or cannot be read, 2 for
options that it does not take.`;

const COLUMNS: readonly Column<EndedRecord>[] = [
  { header: "ENDED", show: ({ end, learnedAt }, nowMs) => age(end.finishedAt ?? learnedAt, nowMs) },
  { header: "NAMESPACE", show: ({ namespace }) => namespace },
  { header: "POD", show: ({ name }) => name },
  { header: "CONTAINER", show: ({ container }) => container?.name ?? "(pod)" },
  { header: "LIFE", show: ({ container }) => (container === undefined ? "" : String(container.restartCount)) },
  {
    header: "REASON",
    show: ({ end }) => (end.resource === undefined ? end.reason : `${end.reason} (${end.resource})`),
    mood: moodOf,
  },
  { header: "CODE", show: ({ end }) => (end.exitCode === undefined ? NONE : String(end.exitCode)) },
  { header: "WORKLOAD", show: ({ workload }) => (workload === undefined ? NONE : `${workload.kind}/${workload.name}`) },
];

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: {
    output: { type: "string", short: "o" },
    "no-headers": { type: "boolean" },
    namespace: { type: "string", short: "n" },
    since: { type: "string" },
    follow: { type: "boolean", short: "f" },
    directory: { type: "string" },
  },
  async run(values, console, words) {
    const isJson = wantsJson(values);
    const { clock } = console.environment;
    const directory = textOf(values, "directory") ?? (process.env["KUBELET_PODS_JOURNAL"] || DIRECTORY);
    const since = textOf(values, "since");
    const follow = values["follow"] === true;
    if (directory === "") throw new UsageError("--directory: the path of a journal is expected");
    const query = {
      namespace: textOf(values, "namespace"),
      since: since === undefined ? undefined : clock.wallMs() - parseDuration("since", since),
      ...(follow && { follow, signal: console.ended() }),
    };
    const segments = new Segments(directory);
    const names = new NamedPods<EndedRecord>(words, (record) => record);
    const ended = endedIn({ segments, clock, written: () => undefined }, query, "ended");
    const table = new Table(COLUMNS, console);
    const isHeaded = values["no-headers"] !== true;
    const shown: EndedRecord[] = [];
    const show = (records: readonly EndedRecord[], isFirst: boolean) => {
      if (isJson) for (const record of records) console.out(jsonText(record));
      else for (const line of table.lines(records, isHeaded && isFirst)) console.out(line);
    };
    try {
      for await (const record of ended) {
        if (!names.has(record)) continue;
        if (follow) show([record], shown.length === 0);
        if (!follow || shown.length === 0) shown.push(record);
      }
    } catch (error) {
      if (query.signal === undefined || error !== query.signal.reason) throw error;
      return EXIT.ok; // the process was asked to end
    }
    if (shown.length > 0) show(shown, true);
    if (await ended.truncated) {
      const oldest = (await ended.oldest)?.toISOString() ?? "now";
      console.err(`kubelet-pods ended: the journal goes back to ${oldest}; what was before has been removed`);
    }
    const missing = names.isEmpty && shown.length === 0 ? ["any pod"] : names.missing(shown);
    for (const name of missing) {
      console.err(`kubelet-pods ended: no such end of ${printable(name, 300)} in ${printable(directory, 300)}`);
    }
    return missing.length > 0 ? EXIT.failed : EXIT.ok;
  },
};

function moodOf(reason: string): Mood {
  if (reason === "exited" || reason === "deleted") return "over";
  return reason.startsWith("unknown") ? "doubtful" : "bad";
}
