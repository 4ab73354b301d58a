// The kubelets that a soak can be run against, each a process of its own.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PodJson } from "../../src/testing/index.js";
import { forkModule } from "../helpers/programs.js";
import { GoKubelet, type GoVersion } from "../interop/go-kubelet.js";
import type { Order } from "./kubelet-child.js";
import { Stamps } from "./stamps.js";
import type { Change, World } from "./world.js";

export type Profile = "1.38" | "1.37" | "1.36";

export interface StartOptions {
  /** Refuses calls until `ready()`, as 1.37 does. */
  initializing?: boolean;
  /** Has the first pods alone, and reads the others later, as 1.36 does. */
  firstPods?: number;
}

export interface Host extends AsyncDisposable {
  readonly socketPath: string;
  readonly profile: Profile;
  /** Faults that only this kind of process can have. */
  readonly reference: boolean;
  start(options?: StartOptions): Promise<void>;
  kill(): Promise<void>;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  ready(): Promise<void>;
  restart(downtimeMs: number): Promise<void>;
  /** The rest of the pods, where only the first were there at the start. */
  readRest(): Promise<void>;
  tell(change: Change): void;
  faults(op: "drop" | "corrupt", events: number): void;
  /** Resolves when everything it was told has been done. */
  flush(): Promise<void>;
}

/** The reference kubelet; it plays another version at each start. */
export class ReferenceHost implements Host {
  readonly reference = true;
  readonly #world: World;
  readonly #random: () => number;
  readonly #directory = mkdtempSync(join(tmpdir(), "soak-"));
  readonly socketPath: string = join(this.#directory, "pods-api.sock");
  readonly #stamps = new Stamps();
  readonly #waiting = new Map<number, () => void>();
  #child: ChildProcess | undefined;
  #id = 0;
  profile: Profile = "1.37";

  constructor(world: World, random: () => number) {
    this.#world = world;
    this.#random = random;
  }

  async start({ initializing = false, firstPods }: StartOptions = {}): Promise<void> {
    this.profile = firstPods !== undefined || (!initializing && this.#random() < 0.3) ? "1.36" : "1.37";
    const child = forkModule(import.meta, "kubelet-child", { serialization: "advanced" });
    this.#child = child;
    child.on("message", ({ id, error }: { id: number; error?: string }) => {
      if (error !== undefined && !error.includes("no pod")) console.error(`the kubelet says: ${error}`);
      this.#waiting.get(id)?.();
      this.#waiting.delete(id);
    });
    this.#stamps.restart();
    const pods = this.#pods().slice(0, firstPods);
    await this.#order({
      op: "start",
      options: { profile: this.profile, pods, initializing, socketPath: this.socketPath },
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    child.kill("SIGKILL");
    await once(child, "exit");
    for (const resolve of this.#waiting.values()) resolve();
    this.#waiting.clear();
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(signal);
  }

  ready(): Promise<void> {
    return this.#order({ op: "ready" });
  }

  restart(downtimeMs: number): Promise<void> {
    this.#stamps.restart();
    return this.#order({ op: "restart", downtimeMs });
  }

  async readRest(): Promise<void> {
    for (const pod of this.#pods()) void this.#order({ op: "update", pod });
    await this.flush();
  }

  tell(change: Change): void {
    void this.#order(this.#stamps.change(change));
  }

  #pods(): PodJson[] {
    return this.#world.list().map((pod) => this.#stamps.pod(pod));
  }

  faults(op: "drop" | "corrupt", events: number): void {
    void this.#order({ op, events });
  }

  flush(): Promise<void> {
    return this.#order({ op: "ping" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #order(order: Order): Promise<void> {
    const child = this.#child;
    if (child === undefined) return Promise.resolve();
    const id = ++this.#id;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      child.send({ id, ...order });
    });
  }
}

/** The kubelet's own Go code, in real mode. */
export class GoHost implements Host {
  readonly reference = false;
  readonly #world: World;
  readonly #directory = mkdtempSync(join(tmpdir(), "soak-"));
  readonly socketPath: string = join(this.#directory, "pods-api.sock");
  readonly profile: GoVersion;
  readonly #stamps = new Stamps();
  #kubelet: GoKubelet | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(world: World, version: GoVersion) {
    this.#world = world;
    this.profile = version;
  }

  async start({ initializing = false, firstPods }: StartOptions = {}): Promise<void> {
    this.#stamps.restart();
    this.#kubelet = await GoKubelet.start(this.profile, {
      mode: "real",
      ready: !initializing,
      directory: this.#directory,
    });
    await this.#introduce(this.#world.list().slice(0, firstPods));
  }

  async kill(): Promise<void> {
    const kubelet = this.#kubelet;
    this.#kubelet = undefined;
    await kubelet?.kill();
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#kubelet?.process.kill(signal);
  }

  async ready(): Promise<void> {
    await this.#kubelet?.do("ready", { value: true });
  }

  async restart(downtimeMs: number): Promise<void> {
    await this.#kubelet?.do("stop", { graceMs: 100 }).catch(() => {});
    await this.kill();
    await sleep(downtimeMs);
    await this.start();
  }

  readRest(): Promise<void> {
    return this.#introduce(this.#world.list());
  }

  tell(told: Change): void {
    const change = this.#stamps.change(told);
    const kubelet = this.#kubelet;
    if (kubelet === undefined) return;
    const done = async () => {
      if (change.op === "finish") await kubelet.do("terminate", { uid: change.uid });
      else if (change.op === "remove") await kubelet.do("remove", { uid: change.uid });
      else {
        // Both at once: a worker has told its last status before its pod ends.
        const ops = change.op === "label" ? (["update"] as const) : (["update", "status"] as const);
        await Promise.all(ops.map((op) => kubelet.do(op, { pods: [change.pod] })));
      }
    };
    // A pod that is gone already, or a process that is, has nothing to be told.
    this.#last = done().catch(() => {});
  }

  faults(): void {}

  async flush(): Promise<void> {
    await this.#last;
    await this.#kubelet?.do("forget");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** The pods' objects, then the first status of those that live. */
  async #introduce(given: PodJson[]): Promise<void> {
    const kubelet = this.#kubelet;
    if (kubelet === undefined) return;
    const pods = given.map((pod) => this.#stamps.pod(pod));
    const alive = pods.filter(({ status }) => status?.phase !== "Failed");
    // Both at once: what happens meanwhile must come after them.
    await Promise.all([kubelet.do("add", { pods }), kubelet.do("status", { pods: alive })]);
  }
}
