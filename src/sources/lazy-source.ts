import { closedError, invalidArgument } from "../errors/pods-error.js";
import type { PodMask } from "../pod/mask.js";
import { untilAborted } from "../timing/abort.js";
import type { AttemptOptions, ListTrust, PodSource, SourceBatch, SourceEvent } from "./pod-source.js";

/** Number of transports named so far. */
let transports = 0;

/** Returns a unique name for a transport, so that streams of different transports do not count as streams of one server. */
export function transportName(): string {
  return `connect transport ${++transports}`;
}

/** Checks a Connect transport that the caller passed. @throws PodsError `invalid-argument`. */
export function checkTransport(transport: unknown, where: string): void {
  const { unary, stream } = (transport ?? {}) as { unary?: unknown; stream?: unknown };
  if (typeof unary === "function" && typeof stream === "function") return;
  const hint = "for example createGrpcTransport() or kubeletTransport()";
  throw invalidArgument(`${where}: transport must be a connect transport`, hint);
}

/** A source over a transport, whose code is loaded on first use. It has the name and the `lists` of the source that it loads. */
export class LazySource implements PodSource {
  readonly socketPath: string;
  readonly lists: ListTrust | undefined;
  readonly #load: () => Promise<PodSource>;
  #loading: Promise<PodSource> | undefined;
  #loaded: PodSource | undefined;
  #isClosed = false;

  constructor(socketPath: string, lists: ListTrust | undefined, load: () => Promise<PodSource>) {
    this.socketPath = socketPath;
    this.lists = lists;
    this.#load = load;
  }

  get version(): string | undefined {
    return this.#loaded?.version;
  }

  async connect(signal: AbortSignal): Promise<void> {
    await (await this.#source()).connect(signal);
  }

  changed(signal: AbortSignal): Promise<void> {
    return untilAborted(signal);
  }

  server(): string {
    return this.socketPath;
  }

  async list(options: AttemptOptions): Promise<Uint8Array[]> {
    return (await this.#source()).list(options);
  }

  async get(uid: string, options: AttemptOptions): Promise<Uint8Array> {
    return (await this.#source()).get(uid, options);
  }

  async *open(signal: AbortSignal, mask?: PodMask): AsyncGenerator<SourceEvent | SourceBatch, void, undefined> {
    yield* (await this.#source()).open(signal, mask);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const source = await this.#loading?.catch(() => undefined);
    await source?.close();
  }

  async #source(): Promise<PodSource> {
    if (this.#isClosed) throw closedError("client");
    this.#loading ??= this.#load();
    this.#loaded = await this.#loading;
    return this.#loaded;
  }
}
