// The record of what a kubelet said, as lines of JSON, and a kubelet that says it again.

import { GRPC, GrpcError } from "../../src/errors/grpc-error.js";
import { EventType, Pods, type WatchPodsEvent } from "../../src/gen/v1alpha1/pods_pb.js";
import type { GrpcRouter } from "../../src/serving/grpc-router.js";
import { SocketServer } from "../../src/testing/socket-server.js";
import type { Clock } from "../../src/timing/clock.js";
import type { Line } from "./teller.js";

/** Writes a record: a line of JSON for each, with pods in base64. */
export function written(lines: readonly Line[]): string {
  const text = lines.map((line) =>
    JSON.stringify(line, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value)),
  );
  return `${text.join("\n")}\n`;
}

/** Reads a record. */
export function read(text: string): Line[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) =>
      JSON.parse(line, (key, value) => (key === "pod" ? Uint8Array.from(Buffer.from(value, "base64")) : value)),
    );
}

type Said = Pick<WatchPodsEvent, "type"> & { readonly pod?: Uint8Array<ArrayBuffer> };

interface Watcher {
  readonly waiting: Said[];
  wake: () => void;
}

/** The reference kubelet's server, which answers from a record, at its times. */
export class Replay {
  readonly #server: SocketServer;
  readonly #pods = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #watchers = new Set<Watcher>();
  #isInitializing = false;
  #stop = () => {};
  #last: Promise<void> = Promise.resolve();
  readonly over: Promise<void>;

  constructor(socketPath: string, lines: readonly Line[], clock: Clock) {
    this.#server = new SocketServer(socketPath, (router) => this.#routes(router), clock);
    this.over = new Promise((resolve) => {
      const next = (at: number) => {
        const line = lines[at];
        if (line === undefined) return resolve();
        this.#stop = clock.after(Math.max(0, line.atMs - clock.now()), () => {
          this.#play(line);
          next(at + 1);
        });
      };
      next(0);
    });
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#last;
    await this.#server.kill();
    this.#server.removeFile();
  }

  #play(line: Line): void {
    if ("start" in line) {
      this.#isInitializing = line.initializing === true;
      if (line.servesApi !== false) this.#inTurn(() => this.#server.listen({ force: true }));
    } else if ("ready" in line) this.#isInitializing = false;
    else if ("stop" in line) this.#inTurn(() => this.#server.kill());
    else if ("cut" in line) this.#server.destroyConnections();
    else if ("list" in line) {
      if (line.pod === undefined) this.#pods.delete(line.list);
      else this.#pods.set(line.list, Uint8Array.from(line.pod));
    } else if ("tell" in line) this.#tell({ type: EventType[line.tell], pod: Uint8Array.from(line.pod) });
    else this.#tell({ type: 99 as EventType });
  }

  #inTurn(what: () => unknown): void {
    this.#last = this.#last.then(async () => {
      await what();
    });
  }

  #tell(said: Said): void {
    for (const watcher of this.#watchers) {
      watcher.waiting.push(said);
      watcher.wake();
    }
  }

  #routes(router: GrpcRouter): void {
    router.rpc(Pods.method.listPods, () => ({ pods: this.#listed() }));
    router.rpc(Pods.method.getPod, ({ podUID }) => {
      this.#checkReady();
      const pod = this.#pods.get(podUID);
      if (pod === undefined)
        throw new GrpcError({ status: GRPC.notFound, message: `pod with UID ${podUID} not found` });
      return { pod };
    });
    const watch = (signal: AbortSignal) => this.#watch(signal);
    router.rpc(Pods.method.watchPods, async function* (_, { signal }) {
      yield* watch(signal);
    });
  }

  #listed(): Uint8Array<ArrayBuffer>[] {
    this.#checkReady();
    return [...this.#pods].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pod]) => pod);
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<Said> {
    const pods = this.#listed();
    const watcher: Watcher = { waiting: [], wake: () => {} };
    this.#watchers.add(watcher);
    signal.addEventListener("abort", () => {
      this.#watchers.delete(watcher);
      watcher.wake();
    });
    for (const pod of pods) yield { type: EventType.ADDED, pod };
    yield { type: EventType.INITIAL_SYNC_COMPLETE };
    while (!signal.aborted) {
      const said = watcher.waiting.shift();
      if (said !== undefined) yield said;
      else {
        await new Promise<void>((resolve) => {
          watcher.wake = resolve;
        });
      }
    }
  }

  #checkReady(): void {
    if (this.#isInitializing)
      throw new GrpcError({ status: GRPC.failedPrecondition, message: "Kubelet is initializing" });
  }
}
