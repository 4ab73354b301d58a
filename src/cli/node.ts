import { PodsClient } from "../client.js";
import type { PodsErrorCode } from "../errors/error-code.js";
import { PodsError } from "../errors/pods-error.js";
import { unproved } from "../known/completeness.js";
import type { ClientOptions } from "../options.js";
import { isStatic } from "../pod/pod-state.js";
import type { SelectorOptions } from "../pod/selector.js";
import { podMasks } from "../pod-masks.js";
import { type Console, EXIT, type Options, textOf, type Values } from "./command.js";
import { parseDuration } from "./duration.js";
import type { NamedPods } from "./named-pods.js";
import { Notice, withoutHint } from "./notice.js";

/** Options of every command that calls a kubelet. */
export const NODE_OPTIONS: Options = {
  socket: { type: "string" },
  timeout: { type: "string" },
  "kubelet-version": { type: "string" },
};

/** The lines of `--help` for these options. */
export const NODE_HELP = `  --socket PATH         path of the kubelet's socket (default:
                        $KUBELET_PODS_SOCKET, or below /var/lib/kubelet)
  --kubelet-version V   version of the kubelet, such as 1.37 (default:
                        $KUBELET_PODS_KUBELET_VERSION)
  --timeout DURATION    how long to wait for the kubelet: 500ms, 10s, 2m, or a
                        number of seconds; 0 for no limit`;

/** Options of commands that select pods. */
export const SELECTION_OPTIONS: Options = {
  namespace: { type: "string", short: "n" },
  "all-namespaces": { type: "boolean", short: "A" },
  selector: { type: "string", short: "l" },
};

/** Options of commands that show rows or JSON, once or as they change. */
export const ROWS_OPTIONS: Options = {
  watch: { type: "boolean", short: "w" },
  output: { type: "string", short: "o" },
  "no-headers": { type: "boolean" },
};

/** The lines of `--help` for these options. */
export const SELECTION_HELP = `  -n, --namespace NAME  only pods of this namespace
  -A, --all-namespaces  pods of all namespaces (default)
  -l, --selector QUERY  only pods with these labels, such as app=web,tier!=cache`;

/** Returns the selectors of the options. */
export function selectionOf(values: Values): SelectorOptions {
  return {
    namespace: values["all-namespaces"] === true ? undefined : textOf(values, "namespace"),
    labelSelector: textOf(values, "selector"),
  };
}

/** Runs a task on a client of the Pods API, like {@link onClient}. */
export function onNode(
  name: string,
  values: Values,
  console: Console,
  task: (pods: PodsClient, notice: Notice) => Promise<number>,
): Promise<number> {
  return onClient(name, values, console, ({ timeoutMs }) => clientOf(values, console, timeoutMs), task);
}

/** Makes a client from the options of a command, or from the sources of the console. @throws PodsError */
function clientOf(values: Values, { sources, environment }: Console, timeoutMs: number | undefined): PodsClient {
  if (sources !== undefined) return new PodsClient({ timeoutMs, sources }, environment);
  const socketPath = textOf(values, "socket");
  return new PodsClient({ timeoutMs, socketPath, kubeletVersion: textOf(values, "kubelet-version") }, environment);
}

/** Runs a task on a client. Errors become a line with a hint, and an exit code. */
export async function onClient<C extends { close(): Promise<void> }>(
  name: string,
  values: Values,
  console: Console,
  make: (options: ClientOptions) => C,
  task: (client: C, notice: Notice) => Promise<number>,
): Promise<number> {
  const timeout = textOf(values, "timeout");
  const timeoutMs = timeout === undefined ? undefined : parseDuration("timeout", timeout);
  let client: C | undefined;
  const notice = new Notice(console, timeoutMs);
  try {
    client = make({ socketPath: textOf(values, "socket"), timeoutMs });
    notice.start();
    return await task(client, notice);
  } catch (error) {
    if (!PodsError.is(error)) throw error;
    notice.stop();
    return fail(name, error, console);
  } finally {
    notice.stop();
    await client?.close();
  }
}

/** The named pods. `unproved` is the error of the missing names, if the kubelet may not have read their pods yet. */
export interface NamedList<P> {
  readonly found: readonly P[];
  readonly unproved: PodsError | undefined;
}

/** Returns true if the version of the kubelet is set. */
export function hasVersion(values: Values): boolean {
  return (textOf(values, "kubelet-version") ?? process.env["KUBELET_PODS_KUBELET_VERSION"] ?? "") !== "";
}

/** Lists the named pods. A kubelet that has just started may not list all pods, so a name counts as missing only when that is proved. */
export async function listNamed<P>(
  pods: PodsClient,
  values: Values,
  names: NamedPods<P>,
  notice: Notice,
  list: () => Promise<readonly P[]>,
): Promise<NamedList<P>> {
  const found = names.among(await list());
  notice.stop();
  if (names.missing(found).length === 0) return { found, unproved: undefined };
  await using informer = pods.informer({ mask: podMasks.identity });
  try {
    // Without a version only API pods are a proof, and a node without them may never have one.
    if (!hasVersion(values) && (await pods.listPods({ mask: podMasks.isStatic })).every(isStatic))
      return { found, unproved: unproved("ListPods") };
    await informer.confirmAbsent([]);
  } catch (error) {
    return { found, unproved: PodsError.from(error) };
  }
  return { found: names.among(await list()), unproved: undefined };
}

/** Writes an error and its hint. Returns the exit code. */
function fail(name: string, error: PodsError, console: Console): number {
  console.err(`kubelet-pods ${name}: ${withoutHint(error)}`);
  if (error.hint !== "") console.err(`hint: ${error.hint}`);
  return EXIT_CODES[error.code] ?? EXIT.unreachable;
}

const EXIT_CODES: Partial<Record<PodsErrorCode, number>> = {
  "not-found": EXIT.failed,
  "invalid-argument": EXIT.usage,
  "invalid-path": EXIT.usage,
  corrupt: EXIT.failed,
};
