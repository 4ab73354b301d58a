import { fromBinary } from "@bufbuild/protobuf";
import { GrpcError, statusName } from "../errors/grpc-error.js";
import { PodsError } from "../errors/pods-error.js";
import { EventType, WatchPodsEventSchema } from "../gen/v1alpha1/pods_pb.js";
import { printable } from "../printable.js";
import { API_VERSIONS, type ApiVersion } from "../sources/api-versions.js";
import { getPod, listPods, type PodsCallOptions } from "../sources/pods-call.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { Deadline } from "../timing/deadline.js";
import { pause } from "../timing/pause.js";
import type { Connection } from "../wire/connection.js";
import { HEADERS } from "../wire/kubelet-socket.js";
import { ServerStream } from "../wire/server-stream.js";
import { UnixSession } from "../wire/session.js";
import { sendUnary } from "../wire/unary-call.js";

/** Result of a call: an answer, or the server's unchanged code and text. */
export type RawAnswer<T> = { ok: true; value: T } | { ok: false; code: string; text: string; error: PodsError };

/** A message of a watch. The last one reports how the stream ended. */
export type RawEvent =
  | { type: string; pod: Uint8Array }
  | { type: "END"; code: string; text: string; error: PodsError | undefined };

export interface RawClientOptions {
  socketPath: string;
  /** The clock; by default the process's own. */
  clock?: Clock;
  /**
   * Time limit of each call in milliseconds.
   *
   * @default 10,000
   */
  timeoutMs?: number;
  /**
   * Time between unary calls, in milliseconds, so that other clients get their share of the kubelet's limit.
   *
   * @default 0
   */
  spacingMs?: number;
  /**
   * Maximum number of requests. Further requests fail with `budget`.
   *
   * @default no limit
   */
  maxRequests?: number;
  /**
   * Maximum number of retries of a unary call that the rate limit rejected. All clients share that limit.
   *
   * @default 0
   */
  retries?: number;
}

const TYPE_NAMES = new Map<number, string>(Object.entries(EventType).map(([name, number]) => [number, name]));

/** The client's default limit. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Time in which the token bucket of a kubelet refills. */
const RETRY_MS = 150;

/** A client that returns answers unchanged, over one connection, without version negotiation and without a cache. */
export class RawClient implements AsyncDisposable {
  /** Number of requests so far. */
  requests = 0;
  readonly #session: UnixSession;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #spacingMs: number;
  readonly #retries: number;
  readonly #maxRequests: number;
  readonly socketPath: string;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({
    clock = systemClock,
    socketPath,
    timeoutMs = 10_000,
    spacingMs = 0,
    retries = 0,
    maxRequests,
  }: RawClientOptions) {
    this.socketPath = socketPath;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#spacingMs = spacingMs;
    this.#retries = retries;
    this.#session = new UnixSession({ socketPath: () => socketPath, clock, onEvent: () => {} });
    this.#maxRequests = maxRequests ?? Number.POSITIVE_INFINITY;
  }

  /** Resolves when there is a connection; rejects with the error of the dial. */
  async connect(): Promise<void> {
    await this.#session.connect();
  }

  /** Calls ListPods, with any metadata. */
  list(headers: Record<string, string> = {}, version: ApiVersion = API_VERSIONS[0]): Promise<RawAnswer<Uint8Array[]>> {
    return this.#unary((connection, options) => listPods(connection, version, options), headers);
  }

  get(podUID: string, version: ApiVersion = API_VERSIONS[0]): Promise<RawAnswer<Uint8Array>> {
    return this.#unary((connection, options) => getPod(connection, version, podUID, options));
  }

  /** Calls any method of any service. The value of the answer is the response message. */
  call(service: string, name: string, message: Uint8Array = new Uint8Array()): Promise<RawAnswer<Uint8Array>> {
    const path = `/${service}/${name}`;
    return this.#unary((connection, options) => sendUnary(connection, { ...options, path, message }));
  }

  /** Yields the events of a watch as they arrive, until it ends or `signal` aborts. */
  async *watch(
    { signal, headers = {} }: { signal?: AbortSignal; headers?: Record<string, string> } = {},
    version: ApiVersion = API_VERSIONS[0],
  ): AsyncGenerator<RawEvent, void, undefined> {
    if (this.requests >= this.#maxRequests) return yield { type: "END", ...SPENT };
    this.requests++;
    try {
      const stream = new ServerStream(await this.#session.connect(), {
        path: `/${version.service}/WatchPods`,
        message: new Uint8Array(),
        headers: { ...HEADERS, ...headers },
        signal,
        maxBytes: MAX_ANSWER_BYTES,
      });
      for await (const batch of stream) for (const message of batch) yield rawEvent(version, message);
      yield { type: "END", code: "OK", text: "", error: undefined };
    } catch (error) {
      yield { type: "END", ...this.#failure(error, "WatchPods") };
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#session.close();
  }

  #unary<T>(
    call: (connection: Connection, options: PodsCallOptions) => Promise<T>,
    headers: Record<string, string> = {},
  ): Promise<RawAnswer<T>> {
    const once = async (): Promise<RawAnswer<T>> => {
      if (this.requests >= this.#maxRequests) return { ok: false, ...SPENT };
      this.requests++;
      const timeoutMs = this.#timeoutMs;
      const reason = (deadline: Deadline) => deadline.exceeded({ grpcCode: 4 });
      const deadline = new Deadline({ clock: this.#clock, timeoutMs, reason });
      const { signal } = deadline;
      try {
        const connection = await this.#session.connect();
        const options = { headers: { ...HEADERS, ...headers }, signal, timeoutMs, maxBytes: MAX_ANSWER_BYTES };
        return { ok: true, value: await call(connection, options) };
      } catch (error) {
        return { ok: false, ...this.#failure(error) };
      } finally {
        deadline.release();
      }
    };
    const made = this.#turn.then(async () => {
      for (let i = 0; ; i++) {
        const answer = await once();
        if (answer.ok || answer.error.code !== "rate-limited" || i >= this.#retries) return answer;
        await pause(this.#clock, RETRY_MS);
      }
    });
    if (this.#spacingMs > 0) this.#turn = made.then(() => pause(this.#clock, this.#spacingMs));
    return made;
  }

  #failure(error: unknown, method?: string): { code: string; text: string; error: PodsError } {
    const described = PodsError.from(error, { socketPath: this.socketPath, ...(method && { method }) });
    if (described.code === "connection-lost" || described.grpcCode === undefined) {
      return { code: described.code, text: "", error: described };
    }
    const text = printable(error instanceof GrpcError ? error.message : described.rawMessage);
    return { code: statusName(described.grpcCode), text, error: described };
  }
}

/** Decodes a message of a watch, including one of an unknown type. */
function rawEvent({ relistMs, readEvent }: ApiVersion, message: Uint8Array): RawEvent {
  const read = readEvent(message);
  if (relistMs !== undefined) return { type: "CHANGED", pod: "pod" in read ? read.pod : new Uint8Array() };
  const { type, pod } = fromBinary(WatchPodsEventSchema, message);
  return { type: TYPE_NAMES.get(type) ?? `type ${type}`, pod };
}

const SPENT = {
  code: "budget",
  text: "",
  error: new PodsError({ code: "unknown", message: "the limit of requests is reached" }),
};
