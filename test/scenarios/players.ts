// The kubelets that scenarios are played on.

import { RawClient } from "../../src/conformance/raw-client.js";
import { type PodJson, ReferenceKubelet } from "../../src/testing/index.js";
import { AutoAdvanceClock } from "../helpers/auto-advance-clock.js";
import { GoKubelet, type GoVersion } from "../interop/go-kubelet.js";
import { deleting, ended, evicted, withCpu } from "./pods.js";
import type { Action, Player, Scenario, Version } from "./scenario.js";

export async function referencePlayer(
  version: Version,
  { pods = [], initializing = false }: Scenario,
): Promise<Player> {
  const kubelet = await ReferenceKubelet.start({ profile: version, pods, initializing }, new AutoAdvanceClock());
  return {
    version,
    socketPath: kubelet.socketPath,
    [Symbol.asyncDispose]: () => kubelet.close(),
    async do(action) {
      switch (action.op) {
        case "addPod":
          kubelet.addPod(action.pod, { status: action.status ?? true });
          break;
        case "updatePod":
          try {
            kubelet.updatePod(action.pod);
          } catch {
            return false;
          }
          break;
        case "deletePod":
        case "evictPod":
        case "removePod":
        case "allocate":
          kubelet[action.op](action.uid);
          break;
        case "finishPod": {
          const { status } = kubelet.pods.find(({ metadata }) => metadata?.uid === action.uid) ?? {};
          kubelet.finishPod(action.uid, status?.phase === "Failed" ? "Failed" : "Succeeded");
          break;
        }
        case "rejectPod":
          kubelet.rejectPod(action.pod, { reason: "OutOfcpu" });
          break;
        case "setLabels":
          kubelet.setLabels(action.uid, action.labels);
          break;
        case "resizePod":
          kubelet.resizePod(action.uid, "main", { requests: { cpu: action.cpu } });
          break;
        case "setInitializing":
          kubelet.setInitializing(action.value);
          break;
        case "firstStatuses":
          kubelet.setInitializing(false);
          break;
        case "restart":
          await kubelet.restart({ kill: action.kill, firstStatusMs: 3_600_000 });
      }
      return true;
    },
  };
}

/** The kubelet's own pod manager, status manager and pods server; what a pod worker computes is computed here. */
export async function goPlayer(version: GoVersion, { pods = [], initializing = false }: Scenario): Promise<Player> {
  const go = new GoPlayer(version, pods);
  await go.start(!initializing);
  if (!initializing) await go.begun();
  return go;
}

class GoPlayer implements Player {
  readonly version: GoVersion;
  /** What the sources have, with the status that the worker told last. */
  readonly #pods: Map<string, PodJson>;
  /** As their workers have them: pods whose object is gone, or asks for other resources than they have. */
  readonly #workers = new Map<string, PodJson>();
  readonly #ended = new Set<string>();
  #kubelet: GoKubelet | undefined;
  #directory: string | undefined;
  #last: GoKubelet[] = [];

  constructor(version: GoVersion, pods: readonly PodJson[]) {
    this.version = version;
    this.#pods = new Map(pods.map((pod) => [pod.metadata?.uid ?? "", pod]));
  }

  get socketPath(): string {
    return this.#go.socketPath;
  }

  get #go(): GoKubelet {
    if (this.#kubelet === undefined) throw new Error("not started");
    return this.#kubelet;
  }

  async start(ready: boolean): Promise<void> {
    const directory = this.#directory === undefined ? {} : { directory: this.#directory };
    this.#kubelet = await GoKubelet.start(this.version, { mode: "real", ready, ...directory });
    this.#last.push(this.#kubelet);
    this.#directory = this.socketPath.replace(/\/[^/]*$/, "");
    if (ready) await this.#go.do("add", { pods: [...this.#pods.values()] });
  }

  /**
   * The workers have looked at what is there, and the broadcaster has handed that out: it does so by itself, and a watch that
   * is opened before would be told.
   */
  async begun(): Promise<void> {
    const probe = new RawClient({ socketPath: this.socketPath });
    const controller = new AbortController();
    let first: Promise<void> | undefined;
    let missing = [...this.#pods.values()].reduce((sum, pod) => sum + (isEnded(pod) ? 2 : 1), 0);
    for await (const event of probe.watch({ signal: controller.signal })) {
      if (first !== undefined) missing--;
      if (event.type === "INITIAL_SYNC_COMPLETE") first = this.firstStatuses();
      if (first !== undefined && missing === 0) break;
    }
    await first;
    controller.abort();
    await probe[Symbol.asyncDispose]();
  }

  async firstStatuses(): Promise<void> {
    for (const [uid, pod] of this.#pods) {
      await this.#go.do("status", { pods: [pod] });
      if (this.#ended.has(uid) || isEnded(pod)) await this.#go.do("terminate", { uid });
    }
  }

  async do(action: Action): Promise<boolean> {
    switch (action.op) {
      case "addPod":
        this.#workers.delete(action.pod.metadata?.uid ?? "");
        await this.#know("add", action.pod);
        if (action.status !== false) await this.#report(action.pod);
        return true;
      case "updatePod":
        await this.#know("update", action.pod);
        return this.#report(action.pod);
      case "rejectPod": {
        const rejected = { ...action.pod, status: { phase: "Failed", reason: "OutOfcpu" } };
        await this.#know("add", action.pod);
        return this.#report(rejected);
      }
      case "deletePod": {
        const pod = deleting(this.#pod(action.uid));
        await this.#know("update", pod);
        return this.#report(pod);
      }
      case "evictPod":
        return this.#report(evicted(this.#pod(action.uid)));
      case "finishPod": {
        const { uid } = action;
        if (!this.#ended.has(uid)) await this.#report(ended(this.#pod(uid)));
        await this.#go.do("terminate", { uid });
        this.#ended.add(uid);
        if (!this.#pods.has(uid)) await this.#go.do("forget");
        return true;
      }
      case "removePod":
        await this.#go.do("remove", { uid: action.uid });
        this.#workers.set(action.uid, this.#pod(action.uid));
        this.#pods.delete(action.uid);
        if (this.#ended.delete(action.uid)) await this.#go.do("forget");
        return true;
      case "setLabels": {
        const pod = this.#pod(action.uid);
        await this.#know("update", { ...pod, metadata: { ...pod.metadata, labels: action.labels } });
        return true;
      }
      case "resizePod": {
        const pod = this.#pod(action.uid);
        this.#workers.set(action.uid, pod); // the worker keeps the resources that are allocated
        await this.#know("update", withCpu(pod, action.cpu));
        return true;
      }
      case "allocate": {
        const pod = this.#pod(action.uid);
        this.#workers.delete(action.uid);
        const statuses = pod.status?.containerStatuses ?? [];
        const { resources } = pod.spec?.containers?.[0] ?? {};
        const containerStatuses = statuses.map((status) => ({ ...status, resources: resources ?? {} }));
        return this.#report({ ...pod, status: { ...pod.status, containerStatuses } });
      }
      case "setInitializing":
        await this.#go.do("ready", { value: !action.value });
        if (!action.value) {
          await this.#go.do("add", { pods: [...this.#pods.values()] });
          await this.firstStatuses();
        }
        return true;
      case "firstStatuses":
        await this.firstStatuses();
        return true;
      case "restart":
        if (!action.kill) await this.#go.do("stop", { graceMs: 100 });
        if (action.kill) await this.#go.kill();
        else await this.#go.exited();
        await this.start(true);
        return true;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const kubelet of this.#last) await kubelet[Symbol.asyncDispose]();
  }

  #pod(uid: string): PodJson {
    return this.#pods.get(uid) ?? this.#workers.get(uid) ?? {};
  }

  async #know(op: "add" | "update", pod: PodJson): Promise<void> {
    await this.#go.do(op, { pods: [pod] });
    this.#pods.set(pod.metadata?.uid ?? "", pod);
  }

  /** A worker tells a status; of a pod whose resize is not allocated yet, with the resources that it has. */
  async #report(pod: PodJson): Promise<boolean> {
    const uid = pod.metadata?.uid ?? "";
    const worker = this.#workers.get(uid);
    const told = worker === undefined ? pod : { ...pod, spec: worker.spec ?? {} };
    const { refused } = await this.#go.do("status", { pods: [told], value: worker !== undefined });
    if (refused !== undefined) return false;
    if (this.#pods.has(uid)) this.#pods.set(uid, { ...this.#pods.get(uid), status: pod.status ?? {} });
    return true;
  }
}

function isEnded({ status }: PodJson): boolean {
  const terminal = status?.phase === "Failed" || status?.phase === "Succeeded";
  return terminal && !status?.containerStatuses?.some(({ state }) => state?.running !== undefined);
}
