import type { PodsClient } from "../client.js";
import { PodsError } from "../errors/pods-error.js";
import { unproved } from "../known/completeness.js";
import { podMask } from "../pod/mask.js";
import type { Pod } from "../pod/pod.js";
import type { SelectorOptions } from "../pod/selector.js";
import { printable } from "../printable.js";
import { Deadline } from "../timing/deadline.js";
import { type Command, type Console, EXIT, textOf, UsageError } from "./command.js";
import { parseDuration } from "./duration.js";
import { NamedPods, sayMissing } from "./named-pods.js";
import { NODE_OPTIONS, onNode, SELECTION_HELP, SELECTION_OPTIONS, selectionOf } from "./node.js";
import type { Notice } from "./notice.js";

const HELP = `Usage: kubelet-pods wait [NAME|UID|NAMESPACE/NAME ...] --for=CONDITION [options]

Waits until all selected pods have a condition or are deleted. Select pods by
name or UID, or with the options below. If the kubelet is down,
the command waits for it.

  --for condition=TYPE[=STATUS]
                        such as condition=Ready (default status: True)
  --for delete          until the pods have ended and are no longer listed
  --all                 all pods that the other options select
${SELECTION_HELP}
  --socket PATH         path of the kubelet's socket (default:
                        $KUBELET_PODS_SOCKET, or below /var/lib/kubelet)
  --kubelet-version V   version of the kubelet, such as 1.37 (default:
                        $KUBELET_PODS_KUBELET_VERSION)
  --timeout DURATION    time limit: 500ms, 10s, 1m30s, or a number of seconds;
                        0 to check once (default: 30s)
  -h, --help            print this help

Exit codes: 0, 1 after a timeout or an interrupt, or if a pod is deleted or
none is selected, 2 for wrong arguments, 3 if the kubelet cannot be reached.`;

/** Time limit of the kubelet's answer with --timeout=0. */
const ANSWER_TIMEOUT_MS = 10_000;

/** The same default as in kubectl wait. */
const DEFAULT_TIMEOUT_MS = 30_000;

const MASK = podMask("metadata.uid", "metadata.namespace", "metadata.name", "status.conditions");

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: { ...NODE_OPTIONS, ...SELECTION_OPTIONS, for: { type: "string" }, all: { type: "boolean" } },
  run(values, console, words) {
    const timeout = textOf(values, "timeout");
    const timeoutMs = timeout === undefined ? DEFAULT_TIMEOUT_MS : parseDuration("timeout", timeout);
    const selection = selectionOf(values);
    const isAll = values["all"] === true || values["all-namespaces"] === true;
    const isSelected = selection.labelSelector !== undefined;
    if (words.length === 0 && !isSelected && !isAll) {
      throw new UsageError("pass the names of pods, --selector or --all");
    }
    if (words.length > 0 && values["all"] === true) throw new UsageError("--all cannot be combined with names");
    const request: WaitRequest = {
      names: new NamedPods(words, ({ metadata }) => metadata),
      selection,
      console,
      goal: goalOf(textOf(values, "for")),
      timeoutMs,
    };
    // The timeout also covers the time until the kubelet can be reached.
    return onNode("wait", { ...values, timeout: "0" }, console, (pods, notice) => wait(pods, request, notice));
  },
};

/** The end of the wait: a condition with a status, or the deletion of the pod. */
type Goal = "delete" | { readonly type: string; readonly status: string };

type Waited = Pick<Pod["metadata"], "uid" | "namespace" | "name">;

interface WaitRequest {
  names: NamedPods<{ readonly metadata: Waited }>;
  selection: SelectorOptions;
  console: Console;
  goal: Goal;
  /** Time limit of the whole wait; 0 checks once. */
  timeoutMs: number;
}

async function wait(pods: PodsClient, request: WaitRequest, notice: Notice): Promise<number> {
  const { console, timeoutMs } = request;
  const reason = (deadline: Deadline) =>
    deadline.exceeded({ message: `not within ${timeoutMs} ms`, method: "WatchPods" });
  const ended = console.ended();
  const limitMs = timeoutMs === 0 ? ANSWER_TIMEOUT_MS : timeoutMs;
  const { clock } = console.environment;
  const deadline = new Deadline({ clock, signal: ended, timeoutMs: limitMs, reason });
  const waiting = new Map<string, string>();
  let isKnown = false;
  try {
    return await until(pods, request, waiting, deadline.signal, () => {
      isKnown = true;
      notice.known();
    });
  } catch (error) {
    if (ended.aborted) return EXIT.failed;
    if (!deadline.isUp || !isKnown) throw error;
    sayTimedOut(waiting, console);
    return EXIT.failed;
  } finally {
    deadline.release();
  }
}

function sayTimedOut(waiting: ReadonlyMap<string, string>, console: Console): void {
  for (const name of waiting.values()) {
    console.err(`kubelet-pods wait: timed out waiting for the condition on ${name}`);
  }
}

/** Waits until each pod meets the condition. `waiting` has the names of the other pods, by UID. */
async function until(
  pods: PodsClient,
  { names, selection, console, goal, timeoutMs }: WaitRequest,
  waiting: Map<string, string>,
  signal: AbortSignal,
  onKnown: () => void,
): Promise<number> {
  const isDelete = goal === "delete";
  const first: { readonly metadata: Waited }[] = [];
  let isKnown = false;
  let isUncertain = false;
  const met = (uid: string) => {
    const name = waiting.get(uid);
    if (name !== undefined) console.out(`${name} condition met`);
    waiting.delete(uid);
  };
  const options = { ...selection, mask: MASK, includeFinished: true, signal };
  for await (const event of pods.watchPods(options)) {
    if (event.type === "DISCONNECTED") continue; // the notice reports it
    if (event.type === "SYNCED" && !isKnown) {
      // A missing pod may be one that cannot be read.
      if (isDelete && event.unreadable.size > 0 && names.missing(first).length > 0) {
        console.err(
          "kubelet-pods wait: a pod on this node cannot be read and may be the one to wait for; see crictl pods",
        );
        isUncertain = true;
      }
      if (isDelete && names.missing(first).length > 0) {
        for (const { metadata } of await provedPods(pods, names, selection, signal))
          waiting.set(metadata.uid, `pod/${printable(metadata.name, 253)}`);
      }
      isKnown = true;
      onKnown();
      const code = isDelete ? EXIT.ok : sayMissing("wait", first, names, { ...selection, console, quiet: false });
      const isNone = !isDelete && first.length === 0;
      if (code !== EXIT.ok || isNone) return EXIT.failed;
    } else if (event.type !== "SYNCED") {
      const { metadata, status } = event.pod;
      if (!names.has(event.pod)) continue;
      const { uid } = metadata;
      if (!isKnown) {
        first.push(event.pod);
        waiting.set(uid, `pod/${printable(metadata.name, 253)}`);
      }
      const isMet =
        !isDelete &&
        status.conditions.some(({ type, status }) => isSame(type, goal.type) && isSame(status, goal.status));
      if (event.type === "DELETED" && !isDelete && waiting.has(uid)) {
        console.err(`kubelet-pods wait: ${waiting.get(uid)} was deleted`);
        return EXIT.failed;
      }
      if (isMet || event.type === "DELETED") met(uid);
    }
    if (isKnown && waiting.size === 0 && !isUncertain) return EXIT.ok;
    if (isKnown && timeoutMs === 0) {
      sayTimedOut(waiting, console);
      return EXIT.failed;
    }
  }
  return EXIT.failed;
}

/** Returns the named pods once it is proved that the kubelet lists all of its pods. @throws PodsError; the signal's reason. */
async function provedPods(
  pods: PodsClient,
  names: WaitRequest["names"],
  selection: SelectorOptions,
  signal: AbortSignal,
): Promise<readonly { readonly metadata: Waited }[]> {
  await using informer = pods.informer({ ...selection, mask: MASK, includeFinished: true });
  await informer.confirmAbsent([], { signal, timeoutMs: 0 }).catch((error) => {
    throw PodsError.is(error) && error.code === "deadline" ? unproved("WatchPods") : error;
  });
  return names.among(informer.list());
}

/** Compares without regard to case, like kubectl. */
function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function goalOf(text: string | undefined): Goal {
  if (text === "delete") return "delete";
  const [, type, status = "True"] = /^condition=([A-Za-z0-9./_-]{1,316})(?:=([A-Za-z]{1,20}))?$/.exec(text ?? "") ?? [];
  if (type === undefined) throw new UsageError("--for must be condition=TYPE, condition=TYPE=STATUS or delete");
  return { type, status };
}
