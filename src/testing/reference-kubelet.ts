import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pod } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { socketCandidates } from "../wire/socket-path.js";
import { type FinishedPhase, type PodInput, PodStore } from "./pod-store.js";
import { type KubeletProfile, type KubeletState, routes } from "./services.js";
import { SocketServer } from "./socket-server.js";
import { Watchers } from "./watchers.js";

/** Options of {@link ReferenceKubelet.start}. */
export interface ReferenceKubeletOptions {
  /** Which kubelet to play. Defaults to `"1.37"`; `"documented"` serves what the documentation prints. */
  profile?: KubeletProfile;
  /** The pods there are at first. Defaults to none. Mirror pods are served as the static pods behind them. */
  pods?: Iterable<PodInput>;
  /** Where to listen. Defaults to a socket in a new directory below the system's temporary one. */
  socketPath?: string;
  /** Start as a kubelet that has not read its pod sources. Defaults to false. */
  initializing?: boolean;
}

/**
 * A kubelet without a node: serves the Pods API on a Unix socket from pods that a test gives it. Needs no root and no
 * cluster.
 */
export class ReferenceKubelet implements AsyncDisposable {
  /** The socket, for `new PodsClient({ socketPath })`. */
  readonly socketPath: string;
  readonly #state: KubeletState;
  readonly #server: SocketServer;
  /** A directory of our own, removed at the end. */
  readonly #directory: string | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: ReferenceKubeletOptions) {
    this.#directory = options.socketPath === undefined ? mkdtempSync(join(tmpdir(), "kubelet-")) : undefined;
    [this.socketPath] = socketCandidates({
      socketPath: options.socketPath ?? join(this.#directory ?? "", "pods-api.sock"),
    });
    this.#state = {
      profile: options.profile ?? "1.37",
      store: new PodStore(),
      watchers: new Watchers(),
      initializing: options.initializing ?? false,
    };
    for (const pod of options.pods ?? []) this.#state.store.put(pod);
    this.#server = new SocketServer(this.socketPath, (router) => routes(router, this.#state));
  }

  /** A kubelet that listens. */
  static async start(options: ReferenceKubeletOptions = {}): Promise<ReferenceKubelet> {
    const kubelet = new ReferenceKubelet(options);
    await kubelet.#server.listen();
    return kubelet;
  }

  /** The pods as ListPods answers them now, sorted by UID. */
  get pods(): readonly Pod[] {
    return this.#state.store.list();
  }

  /** How many watches are open. */
  get watchers(): number {
    return this.#state.watchers.size;
  }

  /** Adds a pod and tells the watchers ADDED; MODIFIED for a UID that is there already. */
  addPod(pod: PodInput): void {
    this.#state.watchers.tell(this.#state.store.put(pod));
  }

  /** Puts a pod in the place of the one with its UID and tells the watchers MODIFIED. */
  updatePod(pod: PodInput): void {
    this.addPod(pod);
  }

  /**
   * Ends a pod's containers and tells the watchers DELETED, with its identity only. The pod stays listed, as Succeeded
   * (the default) or Failed, until {@link removePod}.
   */
  finishPod(uid: string, phase: FinishedPhase = "Succeeded"): void {
    this.#state.watchers.tell(this.#state.store.finish(uid, phase, new Date()));
  }

  /** Removes a pod's object. Kubelets tell nobody. */
  removePod(uid: string): void {
    this.#state.store.remove(uid);
  }

  /** Whether the kubelet has yet to read its pod sources: 1.37 then refuses every call, 1.36 answers with what it has. */
  setInitializing(initializing: boolean): void {
    this.#state.initializing = initializing;
  }

  /** Ends all connections as a killed kubelet does, and serves again after `downtimeMs` (0 by default) on a new socket. */
  async restart({ downtimeMs = 0 }: { downtimeMs?: number } = {}): Promise<void> {
    await this.#server.kill();
    if (downtimeMs > 0) await sleep(downtimeMs);
    if (this.#closing === undefined) await this.#server.listen();
  }

  /** Ends the server and leaves nothing behind. Calling it again gives the same promise. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#server.kill();
      this.#server.removeFile();
      if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true });
    })();
    return this.#closing;
  }

  /** As {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
