import type { PodsClient } from "../client.js";
import type { PodQuery } from "../options.js";
import type { PodMask } from "../pod/mask.js";
import type { Pod } from "../pod/pod.js";
import type { SelectorOptions } from "../pod/selector.js";
import { podMasks } from "../pod-masks.js";
import { type Command, type Console, EXIT, type Values } from "./command.js";
import { NamedPods, sayMissing } from "./named-pods.js";
import {
  hasVersion,
  listNamed,
  NODE_HELP,
  NODE_OPTIONS,
  onNode,
  SELECTION_HELP,
  SELECTION_OPTIONS,
  selectionOf,
} from "./node.js";
import type { Notice } from "./notice.js";
import { OUTPUT_OPTIONS, outputOf, type PodOutput } from "./pod-output.js";

const HELP = `Usage: kubelet-pods get [NAME|UID|NAMESPACE/NAME ...] [options]

Lists the pods on this node like kubectl get pods, or the pods with these names
or UIDs.

  -w, --watch           print each pod again when it changes or is deleted
  --watch-only          watch without printing the current pods first
${SELECTION_HELP}
  -o, --output FORM     wide, json, yaml or name
  --show-labels         add a column with labels
  --ignore-not-found    exit with 0 if there is no such pod
  --no-headers          omit the header line
  --output-watch-events with -w: print ADDED, MODIFIED or DELETED
  --show-managed-fields with json and yaml: include managed fields
${NODE_HELP}
                        (default: 10s; with -w no limit)
  -h, --help            print this help

The kubelet sends no event when only labels change, or when the object of a
finished pod is deleted: -w shows these changes up to 150 seconds late.

Exit codes: 0, 1 if there is no such pod or a pod cannot be written as JSON,
2 for wrong arguments, 3 if the kubelet cannot be reached or is not ready.`;

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: {
    ...NODE_OPTIONS,
    ...SELECTION_OPTIONS,
    ...OUTPUT_OPTIONS,
    watch: { type: "boolean", short: "w" },
    "watch-only": { type: "boolean" },
    "ignore-not-found": { type: "boolean" },
  },
  run(values, console, words) {
    const selection = selectionOf(values);
    return onNode("get", values, console, async (pods, notice) => {
      const output = await outputOf(values, console, selection.namespace !== undefined);
      const request: GetRequest = {
        values,
        names: new NamedPods(words, ({ metadata }) => metadata),
        selection,
        output,
        console,
        ignoreMissing: values["ignore-not-found"] === true,
        skipsFirst: values["watch-only"] === true,
      };
      return values["watch"] === true || request.skipsFirst
        ? watch(pods, request, notice)
        : list(pods, request, notice);
    });
  },
};

interface GetRequest {
  values: Values;
  names: NamedPods<Pod>;
  selection: SelectorOptions;
  output: PodOutput;
  console: Console;
  /** True if a missing pod is not a failure. */
  ignoreMissing: boolean;
  /** True to leave out the first pods of a watch. */
  skipsFirst: boolean;
}

/** Returns the query. Its mask has only the fields that the output reads, but the compiler takes the pods as complete. */
function queryOf({ selection, output }: GetRequest): PodQuery<never> {
  return { ...selection, mask: output.mask?.union(podMasks.identity) as PodMask<never> | undefined };
}

async function list(pods: PodsClient, request: GetRequest, notice: Notice): Promise<number> {
  const { values, selection, names, output, console } = request;
  const { found, unproved } = await listNamed(pods, values, names, notice, () => pods.listPods(queryOf(request)));
  if (found.length > 0 || names.isEmpty) write(request, output.list(found, names.isOne));
  if (unproved !== undefined) throw unproved;
  const code = ended(found, request);
  const isWhole = names.isEmpty && Object.values(selection).every((each) => each === undefined);
  if (found.length === 0 && isWhole && !output.isData && !hasVersion(values))
    console.err("A 1.36 kubelet may not have read its pods yet: with such a kubelet, pass --kubelet-version 1.36.");
  return code;
}

function write({ console }: GetRequest, texts: readonly string[]): void {
  for (const text of texts) console.out(text);
}

/** Reports missing pods, once all are known, and returns the exit code. */
function ended(found: readonly Pod[], { names, selection, output, console, ignoreMissing }: GetRequest): number {
  const code = sayMissing("get", found, names, { ...selection, console, quiet: output.isData, ignoreMissing });
  return output.failed ? EXIT.failed : code;
}

async function watch(pods: PodsClient, request: GetRequest, notice: Notice): Promise<number> {
  const { names, output } = request;
  let code: number = EXIT.ok;
  await notice.watching(async (signal) => {
    let first: Pod[] | undefined = [];
    for await (const event of pods.watchPods({ ...queryOf(request), includeFinished: true, signal })) {
      if (event.type === "DISCONNECTED") continue; // the notice shows it
      if (event.type !== "SYNCED") {
        if (first !== undefined) first.push(event.pod);
        else if (names.has(event.pod)) write(request, output.event(event.type, event.pod));
        continue;
      }
      if (first === undefined) continue;
      notice.known();
      const found = names.among(first);
      first = undefined;
      write(request, request.skipsFirst ? output.header(found) : output.begin(found));
      code = ended(found, request);
      if (code !== EXIT.ok) return;
    }
  });
  return code;
}
