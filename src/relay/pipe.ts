import net from "node:net";
import { invalidArgument } from "../errors/pods-error.js";
import { checkOptions, type OptionTypes } from "../option-checks.js";
import { type DoorPlace, DoorSocket } from "../serving/door-socket.js";
import { type Clock, systemClock } from "../timing/clock.js";
import {
  chooseSocket,
  type SocketOptions,
  socketCandidates,
  socketIdentity,
  socketSinceMs,
} from "../wire/socket-path.js";
import { SocketWatch } from "../wire/socket-watch.js";

/** Options of {@link servePipe}. */
export interface PipeOptions extends DoorPlace, SocketOptions {
  /**
   * How many connections may be open. Further ones are closed at once.
   *
   * @default 64
   */
  readonly maxConnections?: number | undefined;
}

/** An open pipe. */
export interface Pipe extends AsyncDisposable {
  /** Where it listens. */
  readonly path: string;
  /** The number of open connections. */
  readonly connections: number;
  /** Accepts no more connections, and ends all open ones. The socket's file stays, for the next pipe to replace. */
  close(): Promise<void>;
}

const OPTIONS: OptionTypes<PipeOptions> = {
  path: "string",
  mode: "number",
  group: "group",
  socketPath: "string",
  rootDir: "string",
  maxConnections: "number",
};

/** How often the kubelet's socket is looked at, in case no event tells of its change. */
const LOOK_MS = 10_000;

/** How soon the pipe's socket is put in place again after a failure. */
const RETRY_MS = 1_000;

/**
 * Passes bytes between a socket of its own and the kubelet's, without looking at them. Only the pipe has to be root. To a client it looks
 * like the kubelet: whenever the kubelet's socket is replaced by another file, so is the pipe's, with the same age, and a connection never
 * outlives the kubelet's socket that it was made for.
 *
 * @throws PodsError `invalid-path`, `invalid-argument`, `not-permitted`.
 * @example
 * ```ts
 * import { servePipe } from "kubelet-pods/relay";
 *
 * await using pipe = await servePipe({ path: "/run/kubelet-pods/pipe/kubelet.sock", group: 65532 });
 * process.once("SIGTERM", () => void pipe.close());
 * ```
 */
export async function servePipe(options: PipeOptions): Promise<Pipe>;
/** @internal Tests pass a clock of their own. */
export async function servePipe(options: PipeOptions, clock: Clock): Promise<Pipe>;
export async function servePipe(options: PipeOptions, clock: Clock = systemClock): Promise<Pipe> {
  checkOptions(options, OPTIONS, "servePipe");
  const { maxConnections = 64 } = options;
  if (!Number.isInteger(maxConnections) || maxConnections < 1)
    throw invalidArgument("servePipe: maxConnections: a whole number from 1 is expected");
  const pipe = new KubeletPipe(options, maxConnections, clock);
  await pipe.open();
  return pipe;
}

class KubeletPipe implements Pipe {
  readonly #kubelet: readonly [string, ...string[]];
  readonly #door: DoorSocket;
  readonly #clock: Clock;
  readonly #watch: SocketWatch;
  readonly #over = new AbortController();
  /** The kubelet's socket that the pipe's socket stands for; undefined before it is in place. */
  #standsFor: string | undefined;
  #placing: Promise<void> | undefined;

  constructor(options: PipeOptions, maxConnections: number, clock: Clock) {
    this.#kubelet = socketCandidates(options);
    this.#clock = clock;
    this.#watch = new SocketWatch(this.#kubelet, () => {});
    this.#door = new DoorSocket(options, maxConnections, (socket) => this.#pass(socket));
    if (this.#kubelet.includes(this.#door.path)) throw invalidArgument("servePipe: path: that is the kubelet's socket");
  }

  get path(): string {
    return this.#door.path;
  }

  get connections(): number {
    return this.#door.connections;
  }

  /** Puts the pipe's socket in place, and replaces it whenever the kubelet's socket is replaced. */
  async open(): Promise<void> {
    await this.#place();
    void this.#follow();
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#door.stop();
    await this.#placing?.catch(() => {});
    this.#door.stop();
    this.#door.destroyConnections();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the name of the kubelet's socket that would be dialled now. */
  #present(): string {
    return socketIdentity(chooseSocket(this.#kubelet)) ?? "none";
  }

  /** Puts a socket in place that stands for the current socket of the kubelet. */
  #place(): Promise<void> {
    this.#placing ??= (async () => {
      const path = chooseSocket(this.#kubelet);
      const identity = this.#present();
      const sinceMs = socketSinceMs(path);
      this.#door.destroyConnections(); // they lead to the previous kubelet
      await this.#door.listen(sinceMs === undefined ? undefined : new Date(sinceMs));
      this.#standsFor = identity;
    })().finally(() => {
      this.#placing = undefined;
    });
    return this.#placing;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#over;
    let waitMs = LOOK_MS;
    while (!signal.aborted) {
      if (this.#present() === this.#standsFor) await this.#changed(waitMs);
      if (signal.aborted) return;
      waitMs = LOOK_MS;
      if (this.#present() === this.#standsFor) continue;
      await this.#place().catch(() => {
        waitMs = RETRY_MS;
        this.#standsFor = undefined;
        return this.#changed(waitMs);
      });
    }
  }

  /** Resolves when the kubelet's socket may have been replaced, and after `waitMs` in any case. */
  async #changed(waitMs: number): Promise<void> {
    const look = new AbortController();
    const end = () => look.abort();
    this.#over.signal.addEventListener("abort", end, { once: true });
    const cancel = this.#clock.after(waitMs, end, { isIdle: true });
    await this.#watch.changed(look.signal);
    cancel();
    this.#over.signal.removeEventListener("abort", end);
  }

  /** Connects a client to the kubelet, unless the kubelet's socket has been replaced meanwhile. */
  #pass(client: net.Socket): void {
    if (this.#present() !== this.#standsFor) {
      client.destroy();
      void this.#place().catch(() => {});
      return;
    }
    const kubelet = net.connect(chooseSocket(this.#kubelet));
    kubelet.on("error", () => {});
    kubelet.once("close", () => client.destroy());
    client.once("close", () => kubelet.destroy());
    kubelet.once("connect", () => {
      if (this.#present() !== this.#standsFor) return void client.destroy();
      client.pipe(kubelet).pipe(client);
    });
  }
}
