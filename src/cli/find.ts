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
import { parseDuration } from "./duration.js";
import { NODE_HELP, NODE_OPTIONS, onNode } from "./node.js";
import { NONE, Table, textColumns } from "./table.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods find KEY [options]

Says which pod and container of this node something belongs to: an address, the
ID of a container or how it begins, the number of a process, the path of a log,
a volume or a cgroup, a UID, or the name of a pod.

  -o, --output json     one JSON object; --json is the same
${NODE_HELP}; without it 10s
  -h, --help

CONFIDENCE is proved for a UID and a container: nobody else can have them. By
address or name it is recent, or contested where another pod may have it by now:
this one is to go, has gone, or has not been confirmed.

Exit codes: 0, 1 where it belongs to no pod of this node, 2 for what is no key,
3 where the kubelet cannot be reached or is not ready.`;

const MASK = podMask(...CONTAINERS_PATHS, "spec.hostNetwork", "status.phase", "status.podIP", "status.podIPs").union(
  podMasks.identity,
);
type FoundPods = PodInformer<MaskedPod<typeof MASK>>;

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: { ...NODE_OPTIONS, output: { type: "string", short: "o" }, json: { type: "boolean" } },
  async run(values, console, words) {
    const [word, ...more] = words;
    if (word === undefined || more.length > 0) throw new UsageError("one key is expected");
    const isJson = wantsJson(values);
    const timeout = textOf(values, "timeout");
    const timeoutMs = timeout === undefined ? TIMEOUT_MS : parseDuration("timeout", timeout);
    const key = await keyOf(word.replace(/^pods?\//, ""));
    if (key === "no process") {
      console.err(`kubelet-pods find: there is no process ${word} here`);
      return EXIT.failed;
    }
    return onNode("find", values, console, async (pods, notice) => {
      const informer = pods.informer({ mask: MASK, includeFinished: true });
      await informer.synced({ timeoutMs });
      notice.stop();
      const search = () => {
        const keys = key === undefined ? [] : typeof key === "function" ? key(informer) : [key];
        return keys.map((key) => informer.find(key)).filter(isFound);
      };
      let found = search();
      if (found.length === 0 && key !== undefined) {
        await informer.confirmAbsent([], { timeoutMs }); // a kubelet that has just started may list only some of its pods
        found = search();
      }
      const [only] = found;
      if (only === undefined || found.length > 1) {
        console.err(`kubelet-pods find: ${printable(word, 300)} ${whyNot(word, found, informer)}`);
        const { size } = informer.state.unreadable;
        if (size > 0)
          console.err(
            `${size} ${size === 1 ? "pod" : "pods"} of this node cannot be read, and may be meant: see crictl pods`,
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

/** Returns the keys that a word can mean among the known pods. */
type Search = (pods: FoundPods) => PodKey[];

/** Recognises a key by its form. @throws UsageError for any other word; returns undefined for a process outside pods. */
async function keyOf(word: string): Promise<PodKey | Search | "no process" | undefined> {
  if (isIP(word.replace(/%.*$/, "")) > 0) return { ip: word };
  if (/^\d{1,10}$/.test(word)) {
    const process = await processIdentity(Number(word));
    return process === undefined ? "no process" : process.cgroup;
  }
  if (/^[\d.]+$/.test(word) && word.includes(".")) throw new UsageError(`${printable(word, 100)} is no address`);
  if (UID.test(word)) return { uid: word };
  if (CONTAINER_ID.test(word)) return { containerID: word };
  const path = parseLogPath(word) ?? parseVolumePath(word) ?? parseCgroupPath(word);
  if (path !== undefined) return path;
  const [, namespace, name] = NAME.exec(word) ?? [];
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  if (POD_NAME.test(word)) return (pods) => [...begunBy(pods, word), ...namedSo(pods, word)];
  throw new UsageError(`${printable(word, 100)} is none of an address, a container's ID, a PID, a path, a UID, a name`);
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

/** Returns why there is no answer: several pods match, or it is the node's own address. */
function whyNot(word: string, found: readonly FoundPod[], pods: FoundPods): string {
  const names = (list: readonly FoundPod["pod"][]) =>
    list.map(({ metadata: { namespace, name } }) => printable(`${namespace}/${name}`, 320)).join(", ");
  if (found.length > 1)
    return `may be of ${names(found.map(({ pod }) => pod))}: give NAMESPACE/NAME, or more of the ID`;
  const sharing = pods.list(({ spec, status }) => spec.hostNetwork && status.podIPs.some(({ ip }) => ip === word));
  if (sharing.length > 0) return `is the node's own address, which is that of ${names(sharing)}`;
  return "belongs to no pod of this node";
}

/** UIDs of the API server, and UIDs that kubelets make from manifests. */
const UID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32})$/;
const CONTAINER_ID = /^(?:[a-z-]+:\/\/)?[0-9a-f]{64}$/;
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
  const { uid, namespace, name, phase, container, confidence, gone } = factsOf(found);
  const table = new Table(textColumns(["NAMESPACE", "NAME", "UID", "PHASE", "CONTAINER", "CONFIDENCE"]), console);
  const shownPhase = gone === undefined ? phase : "Gone";
  const row = [namespace, name, uid, shownPhase, container?.name ?? NONE, confidence];
  return table.lines([row], true);
}
