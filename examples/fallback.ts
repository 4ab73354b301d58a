// npm run example fallback
//
// The pods of this node from its kubelet, and from the API server as long as the node has no kubelet with the Pods API, or
// its kubelet is away. Whoever they come from, they come as whole lists: so a change of the source deletes nothing. It needs
// NODE_NAME, from the DaemonSet's `fieldRef: { fieldPath: spec.nodeName }`, and a token that may list and watch pods.

import { setTimeout as sleep } from "node:timers/promises";
import { CoreV1Api, KubeConfig, makeInformer, type V1Pod } from "@kubernetes/client-node";
import { PodsClient, toV1Pod } from "kubelet-pods";

/** How long the kubelet may be away: a restart is no reason to go elsewhere. */
const PATIENCE_MS = Number(process.env["FALLBACK_AFTER_MS"] ?? 10_000);

/** How long until a kubelet that does not serve the API is asked again: it may have been upgraded. */
const ASK_AGAIN_MS = 30_000;

/** How long a kubelet may lack pods that the API server has: one of 1.36 answers before it has read its pods. */
const DOUBT_MS = 60_000;

const nodeName = process.env["NODE_NAME"];
if (!nodeName) throw new Error("NODE_NAME is not set: the API server would be asked for the pods of no node");

type Source = "kubelet" | "API server";
type Take = (source: Source, pods: readonly V1Pod[]) => void;

/** What the program knows, and does with whole lists: says what has come and gone. */
class Report {
  #known = new Map<string, V1Pod>();
  #source: Source | undefined;

  take(source: Source, pods: readonly V1Pod[]): void {
    const now = unfinished(pods);
    if (source !== this.#source) console.log(`from the ${source}: ${now.size} pods`);
    this.#source = source;
    for (const [uid, pod] of this.#known) if (!now.has(uid)) console.log(`- ${nameOf(pod)}`);
    for (const [uid, pod] of now) if (!this.#known.has(uid)) console.log(`+ ${nameOf(pod)}`);
    this.#known = now;
  }

  /** Whether a list lacks none of the pods that are known. */
  isCoveredBy(pods: readonly V1Pod[]): boolean {
    const now = unfinished(pods);
    return [...this.#known.keys()].every((uid) => now.has(uid));
  }
}

const unfinished = (pods: readonly V1Pod[]) =>
  new Map(pods.filter((pod) => !isOver(pod)).map((pod) => [uidOf(pod), pod]));

const nameOf = ({ metadata }: V1Pod) => `${metadata?.namespace}/${metadata?.name}`;

/** The UID that the kubelet knows the pod by: a mirror pod of the API server stands for a static pod. */
function uidOf({ metadata }: V1Pod): string {
  const isMirror = metadata?.annotations?.["kubernetes.io/config.mirror"] !== undefined;
  return (isMirror ? metadata?.annotations?.["kubernetes.io/config.hash"] : metadata?.uid) ?? "";
}

/** As kubelet-pods' isFinished, for pods of the API server. */
function isOver({ status }: V1Pod): boolean {
  const running = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return /^(Succeeded|Failed)$/.test(status?.phase ?? "") && !running.some(({ state }) => state?.running);
}

/** Tells the lists of the kubelet as long as there are any, and when it is away. Ends with the signal. */
async function followKubelet(take: Take, away: (why: string) => void, signal: AbortSignal): Promise<void> {
  const pods = new PodsClient();
  while (!signal.aborted) {
    const list = new Map<string, V1Pod>();
    let synced = false;
    try {
      for await (const event of pods.watchPods({ signal })) {
        if (event.type === "DISCONNECTED") away(event.error.message);
        else if (event.type === "DELETED") list.delete(event.pod.metadata?.uid ?? "");
        else if (event.type !== "SYNCED") list.set(event.pod.metadata?.uid ?? "", toV1Pod(event.pod));
        if (event.type === "DISCONNECTED") synced = false;
        else if (event.type === "SYNCED") synced = true;
        if (synced) take("kubelet", [...list.values()]);
      }
    } catch (error) {
      if (signal.aborted) break;
      away((error as Error).message); // it cannot or may not serve the API, and no waiting mends that
      await sleep(ASK_AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
  await pods.close();
}

/** Tells the lists of the API server until the function is called that it returns. */
function followApiServer(take: Take): () => void {
  const config = new KubeConfig();
  config.loadFromDefault();
  const api = config.makeApiClient(CoreV1Api);
  const fieldSelector = `spec.nodeName=${nodeName}`;
  const path = `/api/v1/pods?fieldSelector=${encodeURIComponent(fieldSelector)}`;
  const informer = makeInformer(config, path, () => api.listPodForAllNamespaces({ fieldSelector }));
  let listed = false;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  const tell = () => {
    if (listed && !stopped) take("API server", informer.list());
  };
  const start = async () => {
    let failed = false;
    const onError = () => {
      failed = true;
      informer.off("error", onError);
      if (!stopped) retry = setTimeout(() => void start(), 5_000);
    };
    informer.on("error", onError);
    await informer.start();
    if (failed || stopped) return;
    listed = true;
    tell();
  };
  informer.on("change", tell);
  void start();
  return () => {
    stopped = true;
    clearTimeout(retry);
    void informer.stop();
  };
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

const report = new Report();
let timer: NodeJS.Timeout | undefined;
let leaveApiServer: (() => void) | undefined;
/** Since when the kubelet has answered again, where its lists are not taken yet. */
let backSinceMs: number | undefined;
let newest: readonly V1Pod[] = [];

function away(why: string): void {
  console.error(why);
  backSinceMs = undefined;
  timer ??= setTimeout(() => {
    leaveApiServer ??= followApiServer((source, pods) => {
      report.take(source, pods);
      if (backSinceMs !== undefined) back("kubelet", newest); // what it lacked may be gone from here too
    });
  }, PATIENCE_MS);
}

function back(source: Source, pods: readonly V1Pod[]): void {
  newest = pods;
  clearTimeout(timer);
  if (leaveApiServer !== undefined) {
    backSinceMs ??= performance.now();
    if (!report.isCoveredBy(pods) && performance.now() - backSinceMs < DOUBT_MS) {
      timer = setTimeout(() => back(source, newest), DOUBT_MS);
      return;
    }
  }
  timer = undefined;
  backSinceMs = undefined;
  leaveApiServer?.();
  leaveApiServer = undefined;
  report.take(source, pods);
}

await followKubelet(back, away, stop.signal);
clearTimeout(timer);
leaveApiServer?.();
