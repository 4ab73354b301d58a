// What the kubelet sends, by grpc-js and protobuf-es: neither our wire nor our decoder. Reconnects for as long as it runs.

import { setTimeout as sleep } from "node:timers/promises";
import { fromBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { EventType, ListPodsResponseSchema, WatchPodsEventSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import { briefOf } from "./brief.js";
import type { Brief, Line } from "./journal.js";

const TYPES: Partial<Record<number, "ADDED" | "MODIFIED" | "DELETED">> = {
  [EventType.ADDED]: "ADDED",
  [EventType.MODIFIED]: "MODIFIED",
  [EventType.DELETED]: "DELETED",
};
const NOTHING = Buffer.alloc(0);
const asIs = (bytes: Buffer) => bytes;

/** Between two lists, and between two attempts to connect. */
const LIST_MS = 2_000;
const RETRY_MS = 100;

/** Where what is seen is written to. */
interface Sink {
  write(line: Line): void;
}

export class RawRecord {
  readonly #socketPath: string;
  readonly #journal: Sink;
  /** The last list, by UID. */
  #listed = new Map<string, { bytes: Uint8Array; brief: Brief }>();
  readonly #stop = new AbortController();
  readonly #done: Promise<unknown>;

  constructor(socketPath: string, journal: Sink) {
    this.#socketPath = socketPath;
    this.#journal = journal;
    this.#done = Promise.all([this.#watch(), this.#list()]);
  }

  /** Lists the pods, as bytes by UID. */
  async list(): Promise<Map<string, Uint8Array>> {
    const client = this.#client();
    try {
      const answer = await unary(client, "/v1alpha1.Pods/ListPods");
      const { pods } = fromBinary(ListPodsResponseSchema, answer);
      return new Map(pods.map((bytes) => [fromBinary(PodSchema, bytes).metadata?.uid ?? "", bytes]));
    } finally {
      client.close();
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  #client(): Client {
    return new Client(`unix:${this.#socketPath}`, credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
      "grpc.use_local_subchannel_pool": 1,
      "grpc.enable_retries": 0,
    });
  }

  async #watch(): Promise<void> {
    let last = "";
    while (!this.#stop.signal.aborted) {
      const client = this.#client();
      const why = await this.#stream(client).catch((error) => `${error.code}: ${error.details}`);
      client.close();
      if (why !== last) this.#journal.write({ who: "raw", type: "END", why });
      last = why;
      await sleep(RETRY_MS);
    }
  }

  async #stream(client: Client): Promise<string> {
    const call = client.makeServerStreamRequest("/v1alpha1.Pods/WatchPods", asIs, asIs, NOTHING);
    const abort = () => call.cancel();
    this.#stop.signal.addEventListener("abort", abort, { once: true });
    let burst: Brief[] | undefined = [];
    try {
      for await (const message of call as AsyncIterable<Buffer>) {
        const { type, pod } = fromBinary(WatchPodsEventSchema, message);
        if (type === EventType.INITIAL_SYNC_COMPLETE) {
          this.#journal.write({ who: "raw", type: "BURST", pods: burst ?? [] });
          burst = undefined;
          continue;
        }
        const brief = briefOf(fromBinary(PodSchema, pod));
        if (burst !== undefined) burst.push(brief);
        else this.#journal.write({ who: "raw", type: TYPES[type] ?? "MODIFIED", pod: brief });
      }
      return "ended";
    } finally {
      this.#stop.signal.removeEventListener("abort", abort);
    }
  }

  #take(pods: ReadonlyMap<string, Uint8Array>, askedMs: number): void {
    const listed = new Map<string, { bytes: Uint8Array; brief: Brief }>();
    const set: Brief[] = [];
    for (const [uid, bytes] of pods) {
      let entry = this.#listed.get(uid);
      if (entry === undefined || Buffer.compare(entry.bytes, bytes) !== 0) {
        entry = { bytes, brief: briefOf(fromBinary(PodSchema, bytes)) };
        set.push(entry.brief);
      }
      listed.set(uid, entry);
    }
    const gone = [...this.#listed.keys()].filter((uid) => !listed.has(uid));
    this.#listed = listed;
    this.#journal.write({ who: "raw", type: "LIST", askedMs, set, gone });
  }

  async #list(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const askedMs = Date.now();
      const pods = await this.list().catch(() => undefined);
      if (pods !== undefined) this.#take(pods, askedMs);
      await sleep(LIST_MS);
    }
  }
}

function unary(client: Client, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + 5_000;
    client.makeUnaryRequest(path, asIs, asIs, NOTHING, { deadline }, (error, answer) => {
      if (error !== null) reject(error);
      else resolve(answer ?? NOTHING);
    });
  });
}
