// A relay's gRPC door as a source of pods, without a socket: what it answers and what of it our client makes are those of src.

import { GrpcError } from "../../src/errors/grpc-error.js";
import { PodsError } from "../../src/errors/pods-error.js";
import { type PodInformer, type PodMask, parsePodMask } from "../../src/index.js";
import { checkDoor } from "../../src/relay/door.js";
import { DoorView } from "../../src/relay/door-view.js";
import { grpcRoutes } from "../../src/relay/grpc-door.js";
import { type Call, GrpcRouter } from "../../src/serving/grpc-router.js";
import { API_VERSIONS } from "../../src/sources/api-versions.js";
import type { AttemptOptions, PodSource, SourceBatch, SourceEvent } from "../../src/sources/pod-source.js";
import { checkShown, type ShownNow, shownBy } from "../../src/sources/shown.js";
import type { Clock } from "../../src/timing/clock.js";
import { ENDS_HEADER } from "../../src/wire/kubelet-socket.js";

const MASK = "x-kubernetes-fieldmask";

export class DoorSource implements PodSource {
  readonly socketPath = "/door";
  shown: ShownNow | undefined;
  readonly #router = new GrpcRouter();
  readonly #view: DoorView;
  readonly #close: () => Promise<void>;

  constructor(informer: PodInformer<unknown>, clock: Clock, close: () => Promise<void>) {
    const mask = parsePodMask("metadata,spec,status");
    this.#view = new DoorView(
      checkDoor({ path: "/door", serve: "grpc", mask, maxRequestsPerSecond: 1e6 }),
      informer,
      clock,
    );
    grpcRoutes(this.#router, this.#view);
    this.#close = close;
  }

  async connect(): Promise<void> {}

  async close(): Promise<void> {
    this.#view.close();
    await this.#close();
  }

  server(): string {
    return "relay";
  }

  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  async list(options: AttemptOptions): Promise<Uint8Array[]> {
    return (await this.#call("ListPods", {}, options))["pods"] as Uint8Array[];
  }

  async get(podUID: string, options: AttemptOptions): Promise<Uint8Array> {
    return (await this.#call("GetPod", { podUID }, options))["pod"] as Uint8Array;
  }

  async *open(signal: AbortSignal, mask?: PodMask): AsyncGenerator<SourceEvent | SourceBatch, void, undefined> {
    const call = callOf(signal, mask);
    yield { type: "CONNECTED", server: "relay", connection: "relay" };
    try {
      const events = this.#answer("WatchPods", {}, call) as AsyncIterable<Uint8Array>;
      let isFirst = true;
      for await (const message of events) {
        if (isFirst) {
          this.#show(call, mask, "WatchPods");
          if (this.shown !== undefined) yield [{ type: "RELAYED", shown: this.shown }];
        }
        isFirst = false;
        yield [API_VERSIONS[0].readEvent(message)];
      }
    } catch (error) {
      throw described(error, "WatchPods");
    }
  }

  async #call(method: string, request: object, { signal, mask }: AttemptOptions): Promise<Record<string, unknown>> {
    const call = callOf(signal, mask);
    try {
      const answer = (await this.#answer(method, request, call)) as Record<string, unknown>;
      this.#show(call, mask, method);
      return answer;
    } catch (error) {
      throw described(error, method);
    }
  }

  #answer(method: string, request: object, call: Call): unknown {
    const route = this.#router.find("v1alpha1.Pods", method);
    if (typeof route === "string") throw new Error(route);
    return route.answer(request, call);
  }

  #show(call: Call, mask: PodMask | undefined, method: string): void {
    this.shown = shownBy(call.responseHeader);
    if (this.shown !== undefined) checkShown(this.shown, mask, method, this.socketPath);
  }
}

function callOf(signal: AbortSignal, mask: PodMask | undefined): Call {
  const requestHeader = new Headers({ [ENDS_HEADER]: "ends", ...(mask !== undefined && { [MASK]: mask.toString() }) });
  return { signal, requestHeader, responseHeader: {}, stream: undefined as never };
}

function described(error: unknown, method: string): unknown {
  if (!(error instanceof GrpcError)) return error;
  return PodsError.from(error, { method });
}
