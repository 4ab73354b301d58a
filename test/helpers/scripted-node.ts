// A node whose lists and events the test sets, and a client on it with a virtual clock.

import { toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type ClientOptions, fromKubernetesJson, type PodJson, PodsClient, PodsError } from "../../src/index.js";
import type { ListTrust, PodSource, SourceEvent } from "../../src/sources/pod-source.js";
import type { TestContext } from "./test.js";
import { VirtualClock } from "./virtual-clock.js";

export class ScriptedNode {
  readonly clock = new VirtualClock();
  /** What the next list has. */
  pods: readonly Uint8Array[] = [];
  server = "socket 1";
  connection = "connection 1";
  lists: ListTrust | undefined = "complete";
  reportsDeletions = true;
  /** True if the next stream fails before its sync marker. */
  failsNext = false;
  /** Called before such a stream fails. */
  onFailure: () => void = () => {};
  /** Times of the requests of streams. */
  readonly requestsMs: number[] = [];
  readonly client: PodsClient;
  readonly #queue: (SourceEvent | Error)[] = [];
  #wake = () => {};

  constructor(t: TestContext, options: ClientOptions = {}) {
    const source: PodSource = {
      socketPath: "/script",
      lists: undefined,
      version: undefined,
      server: () => this.server,
      changed: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
      connect: async () => {},
      close: async () => {},
      list: async () => [...this.pods],
      get: async () => {
        throw new PodsError({ code: "not-found", message: "none" });
      },
      open: (signal) => this.#stream(signal),
    };
    this.client = new PodsClient({ sources: [source], ...options }, { clock: this.clock, random: () => 0.5 });
    t.after(() => this.client.close());
  }

  /** Sends an event, and lets everything happen that follows from it at once. */
  async send(type: "ADDED" | "MODIFIED" | "DELETED", pod: Uint8Array): Promise<void> {
    await this.#push({ type, pod });
  }

  /** Ends the stream with an error; the client then opens the next one. */
  async drop(): Promise<void> {
    await this.#push(lost());
    await this.clock.advance(500);
  }

  /** Another kubelet process listens at the socket from now on. */
  async restart(pods: readonly Uint8Array[]): Promise<void> {
    this.pods = pods;
    this.server = `${this.server}'`;
    this.connection = `${this.connection}'`;
    await this.drop();
  }

  async #push(next: SourceEvent | Error): Promise<void> {
    this.#queue.push(next);
    this.#wake();
    await this.clock.advance(0);
  }

  async *#stream(signal: AbortSignal): AsyncGenerator<SourceEvent, void, undefined> {
    signal.addEventListener("abort", () => this.#wake());
    this.requestsMs.push(Math.round(this.clock.now()));
    const { server, connection, lists, reportsDeletions } = this;
    yield { type: "CONNECTED", server, connection, lists, reportsDeletions };
    for (const pod of this.pods) yield { type: "ADDED", pod };
    if (this.failsNext) {
      this.failsNext = false;
      this.onFailure();
      throw lost();
    }
    yield { type: "SYNCED" };
    while (!signal.aborted) {
      const next = this.#queue.shift();
      if (next instanceof Error) throw next;
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

function lost(): PodsError {
  return new PodsError({ code: "connection-lost", message: "the test ends the stream", method: "WatchPods" });
}

export const bytesOf = (pod: PodJson): Uint8Array => toBinary(PodSchema, fromKubernetesJson(pod));

/** Collects the events of a watch, each with its time in seconds. */
export function eventsOf(
  node: ScriptedNode,
  options: Parameters<PodsClient["watchPods"]>[0] = {},
  isWanted: (type: string) => boolean = () => true,
): string[] {
  const events: string[] = [];
  const read = async () => {
    for await (const event of node.client.watchPods(options as { includeFinished?: boolean })) {
      if (!isWanted(event.type)) continue;
      const at = `${(node.clock.now() / 1_000).toFixed(1)} s ${event.type}`;
      if (event.type === "SYNCED")
        events.push(`${at} ${event.count} ${event.unconfirmed.count} ${event.unconfirmed.reasons}`);
      else if (event.type === "DISCONNECTED") events.push(`${at} ${event.error.code}`);
      else events.push(`${at} ${event.pod.metadata.uid}${event.type === "DELETED" ? ` ${event.cause}` : ""}`);
    }
  };
  read().catch(() => {}); // the client was closed
  return events;
}
