// What the kubelet sends, by grpc-js and protobuf-es: neither our wire nor our decoder. Reconnects for as long as it runs.

import { setTimeout as sleep } from "node:timers/promises";
import { fromBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { EventType, ListPodsResponseSchema, WatchPodsEventSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import type { Brief, Journal } from "./journal.js";

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

export class RawRecord {
  readonly #socketPath: string;
  readonly #journal: Pick<Journal, "write">;
  readonly #stop = new AbortController();
  readonly #done: Promise<unknown>;
  /** When the kubelet last sent an event, or a stream began or ended. */
  lastEventMs = Date.now();

  constructor(socketPath: string, journal: Pick<Journal, "write">) {
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
      this.lastEventMs = Date.now();
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
        this.lastEventMs = Date.now();
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

  async #list(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const pods = await this.list().catch(() => undefined);
      if (pods !== undefined) {
        const briefs = [...pods.values()].map((bytes) => briefOf(fromBinary(PodSchema, bytes)));
        this.#journal.write({ who: "raw", type: "LIST", pods: briefs });
      }
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

interface Status {
  readonly restartCount?: number;
  readonly state?:
    | {
        readonly running?: unknown;
        readonly terminated?: { readonly reason: string } | undefined;
        readonly waiting?: { readonly reason: string } | undefined;
      }
    | undefined;
}

/** The parts of a pod that a brief is made of, as far as a mask has them. */
export interface Briefable {
  readonly metadata?:
    | {
        readonly uid?: string;
        readonly namespace?: string;
        readonly name?: string;
        readonly annotations?: Readonly<Record<string, string>>;
      }
    | undefined;
  readonly status?:
    | {
        readonly phase?: string;
        readonly conditions?: readonly { readonly type: string; readonly status: string }[];
        readonly initContainerStatuses?: readonly Status[];
        readonly containerStatuses?: readonly Status[];
        readonly ephemeralContainerStatuses?: readonly Status[];
      }
    | undefined;
}

export function briefOf({ metadata, status }: Briefable): Brief {
  const statuses = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  const isFinal = status?.phase === "Succeeded" || status?.phase === "Failed";
  return {
    uid: metadata?.uid ?? "",
    name: `${metadata?.namespace}/${metadata?.name}`,
    phase: status?.phase ?? "",
    isStatic: metadata?.annotations?.["kubernetes.io/config.source"] === "file",
    isFinished: isFinal && !statuses.some(({ state }) => state?.running !== undefined),
    ready: status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false,
    states: statuses
      .map(({ state, restartCount }) => {
        if (state?.running !== undefined) return `R${restartCount}`;
        if (state?.terminated !== undefined) return `T${restartCount}:${state.terminated.reason}`;
        return `W${restartCount}:${state?.waiting?.reason ?? ""}`;
      })
      .join(","),
  };
}
