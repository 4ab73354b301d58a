import { isIP } from "node:net";
import { parseCgroupPath } from "../identity/cgroup-path.js";
import { parseLogPath } from "../identity/log-path.js";
import { processIdentity } from "../identity/process-identity.js";
import { parseVolumePath } from "../identity/volume-path.js";
import type { Answer, Found } from "../lookup/answer.js";
import type { PodKey } from "../lookup/pod-key.js";
import { CONTAINERS_PATHS, containersOf } from "../pod/containers.js";
import { podMask } from "../pod/mask.js";
import type { MaskedPod } from "../pod/masked-pod.js";
import { podMasks } from "../pod-masks.js";
import { printable } from "../printable.js";
import type { PodInformer } from "../readers/informer.js";
import { type Command, type Console, EXIT, textOf, UsageError, wantsJson } from "./command.js";
import { parseDuration, parseTime } from "./duration.js";
import { NODE_HELP, NODE_OPTIONS, onNode } from "./node.js";
import { NONE, Table, textColumns } from "./table.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods find KEY [options]

Finds the pod and container on this node that have an IP address, a container
ID (or its first characters), a PID, the path of a log, volume or cgroup, a UID,
or a pod's name. IP:PORT and containerd://ID work, too.

  --at TIME             the owner at a past time: RFC 3339, or a duration before
                        now, such as 10m
  -o, --output json     print one JSON object (also --json)
${NODE_HELP} (default: 10s)
  -h, --help            print this help

CONFIDENCE of UIDs and container IDs is confirmed. For addresses and names it is
likely, or uncertain if another pod may have the key by now: this pod is
terminating, deleted or unconfirmed. For a past time it is uncertain: this
command knows only the pods that exist now.

Exit codes: 0, 1 if no pod on this node has the key, 2 for wrong arguments,
3 if the kubelet cannot be reached or is not ready.`;

const MASK = podMask(...CONTAINERS_PATHS, "spec.hostNetwork", "status.phase", "status.podIP", "status.podIPs").union(
  podMasks.identity,
);
type FoundPods = PodInformer<MaskedPod<typeof MASK>>;

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: {
    ...NODE_OPTIONS,
    at: { type: "string" },
    output: { type: "string", short: "o" },
    json: { type: "boolean" },
  },
  async run(values, console, words) {
    const [word, ...more] = words;
    if (word === undefined || more.length > 0)
      throw new UsageError("give one key: an address, container ID, PID, path, UID or name");
    const isJson = wantsJson(values);
    const at = parseTime("at", textOf(values, "at"), console.environment.clock.wallMs());
    const timeout = textOf(values, "timeout");
    const timeoutMs = timeout === undefined ? TIMEOUT_MS : parseDuration("timeout", timeout);
    const key = await keyOf(word.replace(/^pods?\//, ""));
    if (key === "no process") {
      console.err(`kubelet-pods find: no process ${word} on this node`);
      return EXIT.failed;
    }
    return onNode("find", values, console, async (pods, notice) => {
      const informer = pods.informer({ mask: MASK, includeFinished: true });
      await informer.synced({ timeoutMs });
      notice.stop();
      const search = () => {
        const keys = key === undefined ? [] : typeof key === "function" ? key(informer) : [key];
        return keys.map((key) => informer.find(key, { at })).filter(isFound);
      };
      let found = search();
      if (found.length === 0 && key !== undefined) {
        await informer.confirmAbsent([], { timeoutMs }); // a kubelet that has just started may list only some of its pods
        found = search();
      }
      const [only] = found;
      if (only === undefined || found.length > 1) {
        console.err(`kubelet-pods find: ${printable(word, 300)} ${whyNot(word, found, informer, at !== undefined)}`);
        const { size } = informer.state.unreadable;
        if (size > 0)
          console.err(
            `${size} ${size === 1 ? "pod" : "pods"} of this node cannot be read and may match; see crictl pods`,
          );
        return EXIT.failed;
      }
      for (const line of isJson ? [jsonText(factsOf(only), 4)] : linesOf(only, console)) console.out(line);
      return EXIT.ok;
    });
  },
};

/** How long to wait for the kubelet without --timeout, as in a call. */
const TIMEOUT_MS = 10_000;

/** Returns the keys of the known pods that an argument can mean. */
type Search = (pods: FoundPods) => PodKey[];

/** Recognises a key by its form. @throws UsageError for any other word; returns undefined for a process outside pods. */
async function keyOf(word: string): Promise<PodKey | Search | "no process" | undefined> {
  const ip = word.replace(/%.*$/, "");
  if (isIP(ip) > 0) return { ip: word };
  const [, six, four] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(ip) ?? [];
  const address = six ?? four ?? "";
  if (isIP(address) > 0) return { ip: address };
  if (/^\d{1,10}$/.test(word)) {
    const process = await processIdentity(Number(word));
    return process === undefined ? "no process" : process.cgroup;
  }
  if (/^[\d.]+$/.test(word) && word.includes(".")) throw new UsageError(`${printable(word, 100)} is not an IP address`);
  if (UID.test(word)) return { uid: word };
  if (CONTAINER_ID.test(word)) return { containerID: word };
  const short = SHORT_ID.exec(word)?.[1];
  if (short !== undefined) return (pods) => begunBy(pods, short);
  const path = parseLogPath(word) ?? parseVolumePath(word) ?? parseCgroupPath(word);
  if (path !== undefined) return path;
  const [, namespace, name] = NAME.exec(word) ?? [];
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  if (POD_NAME.test(word)) return (pods) => [...begunBy(pods, word), ...namedSo(pods, word)];
  throw new UsageError(`${printable(word, 100)} is not an address, container ID, PID, path, UID or name`);
}

/** Returns the containers whose ID begins with a text, as tables show IDs. */
function begunBy(pods: FoundPods, start: string): PodKey[] {
  if (!/^[0-9a-f]{6,63}$/.test(start)) return [];
  const runs = pods.list().flatMap((pod) => containersOf(pod).map(({ run }) => run));
  return runs.flatMap((run) => (run?.containerID.startsWith(start) ? [{ containerID: run.containerID }] : []));
}

function namedSo(pods: FoundPods, word: string): PodKey[] {
  const named = pods.list(({ metadata }) => metadata.name === word);
  return named.map(({ metadata: { namespace, name } }) => ({ namespace, name }));
}

/** Returns why no pod is shown: several pods match, or it is the node's own address. */
function whyNot(word: string, found: readonly FoundPod[], pods: FoundPods, isPast: boolean): string {
  const names = (list: readonly FoundPod["pod"][]) =>
    list.map(({ metadata: { namespace, name } }) => printable(`${namespace}/${name}`, 320)).join(", ");
  if (found.length > 1) return `matches ${names(found.map(({ pod }) => pod))}; use NAMESPACE/NAME, or more of the ID`;
  const sharing = pods.list(({ spec, status }) => spec.hostNetwork && status.podIPs.some(({ ip }) => ip === word));
  if (sharing.length > 0) return `is the node's address, which ${names(sharing)} share`;
  return isPast ? "belonged to no pod that exists now" : "belongs to no pod on this node";
}

/** UIDs of the API server, and UIDs that kubelets make from manifests. */
const UID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/;
const CONTAINER_ID = /^(?:[a-z-]+:\/\/)?[0-9a-f]{64}$/;
/** The beginning of a container ID after the name of the runtime, as in `containerd://4c1f0a`. */
const SHORT_ID = /^[a-z-]+:\/\/([0-9a-f]{6,63})$/;
const POD_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const NAME = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/;

function isFound<P>(answer: Answer<P>): answer is Found<P> {
  return answer.pod !== undefined;
}

type FoundPod = Found<{ metadata: { uid: string; namespace: string; name: string }; status: { phase: string } }>;

function factsOf({ pod, container, confidence, reason, others, gone }: FoundPod) {
  const { uid, namespace, name } = pod.metadata;
  return { uid, namespace, name, phase: pod.status.phase, container, confidence, reason, others, gone };
}

function linesOf(found: FoundPod, console: Console): string[] {
  const { uid, namespace, name, phase, container, confidence, reason, gone } = factsOf(found);
  const table = new Table(textColumns(["NAMESPACE", "NAME", "UID", "PHASE", "CONTAINER", "CONFIDENCE"]), console);
  const shownPhase = gone === undefined ? phase : "Gone";
  const sure = reason === undefined ? confidence : `${confidence} (${reason})`;
  const row = [namespace, name, uid, shownPhase, container?.name ?? NONE, sure];
  return table.lines([row], true);
}
