import { isIP } from "node:net";
import { PodsError } from "../errors/pods-error.js";
import type { EndRecord } from "../journal/end-record.js";
import { type JournalQuery, readJournal } from "../journal/read-journal.js";
import { printable } from "../printable.js";
import { type Command, EXIT, numberOf, textOf, UsageError, wantsJson } from "./command.js";
import { parseTime } from "./duration.js";
import { type Column, NONE, Table } from "./table.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods ended --directory DIR [KEY] [options]

Prints ends of containers and pods from the journal of an agent, the latest
first. It needs no kubelet: the pods may be gone. KEY is a pod's name,
NAMESPACE/NAME, UID or address, or a container ID.

  -d, --directory DIR   directory that the agent passes to openJournal()
  -n, --namespace NAME  only pods of this namespace
      --since TIME      omit earlier ends: RFC 3339, or a duration such as 1h
      --limit N         print N ends at most (default: 100)
  -o, --output json     print a JSON array (also --json)
      --no-headers      omit the header line
  -h, --help            print this help

OOM says whether the kernel killed the container's first process (container) or
another one (process) because memory ran out.

Exit codes: 0, 1 if the journal has no such end, 2 for wrong arguments or if DIR
contains no journal, 3 if nothing is recorded yet or the journal cannot be read.`;

const DEFAULT_LIMIT = 100;

const COLUMNS: readonly Column<EndRecord>[] = [
  {
    header: "ENDED",
    show: ({ end, recordedAt }) => (end.finishedAt ?? recordedAt).toISOString().replace(/\.\d+Z$/, "Z"),
  },
  { header: "NAMESPACE", show: ({ namespace }) => namespace },
  { header: "POD", show: ({ name }) => name },
  { header: "CONTAINER", show: ({ container }) => container?.name ?? "(pod)" },
  { header: "RUN", show: ({ container }) => (container === undefined ? NONE : String(container.restartCount)) },
  { header: "REASON", show: ({ end }) => end.reason },
  { header: "EXIT", show: ({ end }) => (end.exitCode === undefined ? NONE : String(end.exitCode)) },
  { header: "OOM", show: ({ end }) => end.oom ?? NONE },
];

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: {
    directory: { type: "string", short: "d" },
    namespace: { type: "string", short: "n" },
    since: { type: "string" },
    limit: { type: "string" },
    output: { type: "string", short: "o" },
    json: { type: "boolean" },
    "no-headers": { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
  async run(values, console, words) {
    const directory = textOf(values, "directory");
    if (directory === undefined) throw new UsageError("give --directory DIR, the journal of an agent");
    const [word, ...more] = words;
    if (more.length > 0) throw new UsageError("give at most one key");
    const isJson = wantsJson(values);
    const sinceMs = parseTime("since", textOf(values, "since"), console.environment.clock.wallMs());
    const since = sinceMs === undefined ? undefined : new Date(sinceMs);
    const limit = numberOf(values, "limit", { min: 1 }) ?? DEFAULT_LIMIT;
    const query = { directory, namespace: textOf(values, "namespace"), since, ...keyOf(word) };
    const ends: EndRecord[] = [];
    let isEmpty = true;
    try {
      for await (const end of readJournal({ ...query, limit })) ends.push(end);
      isEmpty = ends.length === 0 && (await readJournal({ directory, limit: 1 }).next()).done === true;
    } catch (error) {
      if (!PodsError.is(error)) throw error;
      console.err(`kubelet-pods ended: ${error.message}`);
      return error.code === "not-found" ? EXIT.usage : EXIT.unreachable;
    }
    if (ends.length === 0) {
      const what = isEmpty ? "nothing is recorded yet" : "has no such end";
      console.err(`kubelet-pods ended: the journal in ${printable(directory, 300)}${isEmpty ? ": " : " "}${what}`);
      return isEmpty ? EXIT.unreachable : EXIT.failed;
    }
    const lines = isJson ? [jsonText(ends, 4)] : new Table(COLUMNS, console).lines(ends, values["no-headers"] !== true);
    for (const line of lines) console.out(line.trimEnd());
    return EXIT.ok;
  },
};

const UID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/;
const CONTAINER_ID = /^(?:[a-z-]+:\/\/)?[0-9a-f]{64}$/;

/** Recognises a key by its form. */
function keyOf(word: string | undefined): Pick<JournalQuery, "uid" | "namespace" | "name" | "containerID" | "ip"> {
  if (word === undefined) return {};
  if (isIP(word) > 0) return { ip: word };
  if (UID.test(word)) return { uid: word };
  if (CONTAINER_ID.test(word)) return { containerID: word };
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(word) ?? [];
  return name === undefined ? { name: word } : { namespace, name };
}
