import { GRPC, GrpcError } from "../errors/grpc-error.js";
import { invalidArgument } from "../errors/pods-error.js";
import { EventType, Pods, type WatchPodsEvent } from "../gen/v1alpha1/pods_pb.js";
import { checkOptions } from "../option-checks.js";
import { scanHead } from "../pod/scan.js";
import type { GrpcRouter } from "../serving/grpc-router.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { type SocketPlace, socketPlace } from "./own-socket.js";
import type { RecordingLine } from "./recording.js";
import { SocketServer } from "./socket-server.js";

/** Options of {@link Replay.start}. */
export interface ReplayOptions {
  /**
   * Absolute path of the socket.
   *
   * @default a socket in a new directory below the system's temporary directory
   */
  readonly socketPath?: string | undefined;
  /**
   * Speed of the replay. With 10 it is ten times as fast as the recording.
   *
   * @default 1
   */
  readonly speed?: number | undefined;
  /**
   * True to replace a socket that another process listens on.
   *
   * @default false
   */
  readonly force?: boolean | undefined;
}

type ReplayedEvent = Pick<WatchPodsEvent, "type"> & { readonly pod?: Uint8Array<ArrayBuffer> };

interface ReplayWatcher {
  readonly waiting: ReplayedEvent[];
  wake: () => void;
}

/**
 * Replays a recording of a kubelet, with the recorded times between lines: lists, events, refusals, lost connections and restarts. Like a
 * kubelet, it ignores masks; unlike a kubelet, it has no rate limit. Clients compare the times in pods with the current time, so a kubelet
 * that had just started when it was recorded looks like one that has been up for long.
 *
 * @example
 * ```ts
 * import { readFileSync } from "node:fs";
 * import { parseRecording, Replay } from "kubelet-pods/testing";
 *
 * const lines = parseRecording(readFileSync("ticket-4711.jsonl", "utf8"));
 * await using replay = await Replay.start(lines, { speed: 10 });
 * await using pods = new PodsClient({ socketPath: replay.socketPath });
 * await replay.finished;
 * ```
 */
export class Replay implements AsyncDisposable {
  /** The socket, for `new PodsClient({ socketPath })`. */
  readonly socketPath: string;
  /** Resolves after the last line, or when the replay is closed. After the last line the replay continues to serve the last state. */
  readonly finished: Promise<void>;
  readonly #place: SocketPlace;
  readonly #server: SocketServer;
  readonly #pods = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #watchers = new Set<ReplayWatcher>();
  readonly #clock: Clock;
  /** True to replace a socket that is in use. After the first start, that socket is the replay's own. */
  #force: boolean;
  #isInitializing = false;
  #isClosed = false;
  #cancel = () => {};
  /** Resolves {@link finished}. */
  #end = () => {};
  #listens = () => {};
  readonly #listening = new Promise<void>((resolve) => {
    this.#listens = resolve;
  });
  /** Promise of the last queued start or stop of the server. */
  #last: Promise<void> = Promise.resolve();

  private constructor(lines: readonly RecordingLine[], options: ReplayOptions, clock: Clock) {
    const { speed = 1, force = false } = options;
    if (!(speed > 0 && speed <= 10_000))
      throw invalidArgument("Replay.start: speed must be greater than 0 and at most 10,000");
    this.#clock = clock;
    this.#force = force;
    this.#place = socketPlace(options.socketPath);
    this.socketPath = this.#place.socketPath;
    this.#server = new SocketServer(this.socketPath, (router) => this.#routes(router), clock);
    this.finished = this.#play(lines, speed);
    this.finished.catch(() => {}); // the caller of `start` gets the error
  }

  /**
   * Starts the replay. Resolves when the recorded kubelet listens for the first time, or after the last line.
   *
   * @throws PodsError `invalid-argument`, `invalid-path`, `not-a-socket`.
   */
  static start(lines: readonly RecordingLine[], options?: ReplayOptions): Promise<Replay>;
  /** @internal Tests pass a clock of their own. */
  static start(lines: readonly RecordingLine[], options: ReplayOptions, clock: Clock): Promise<Replay>;
  static async start(
    lines: readonly RecordingLine[],
    options: ReplayOptions = {},
    clock: Clock = systemClock,
  ): Promise<Replay> {
    checkOptions(options, { socketPath: "string", speed: "number", force: "boolean" }, "Replay.start");
    if (!Array.isArray(lines))
      throw invalidArgument("Replay.start: lines must be a list of lines", "pass parseRecording(text)");
    const replay = new Replay(lines, options, clock);
    try {
      await Promise.race([replay.finished, replay.#listening]);
      return replay;
    } catch (error) {
      await replay.close();
      throw error;
    }
  }

  /** Stops the replay, closes all connections, and removes the socket. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    this.#end();
    await this.#last.catch(() => {});
    await this.#server.kill();
    this.#server.removeFile();
    this.#place.remove();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #play(lines: readonly RecordingLine[], speed: number): Promise<void> {
    const beganMs = this.#clock.now();
    const firstMs = lines[0]?.atMs ?? 0;
    return new Promise((resolve, reject) => {
      this.#end = resolve;
      const next = (from: number) => {
        for (let at = from; !this.#isClosed; at++) {
          const line = lines[at];
          if (line === undefined) return void this.#last.then(resolve, reject);
          const inMs = (line.atMs - firstMs) / speed - (this.#clock.now() - beganMs);
          if (inMs > 0) {
            this.#cancel = this.#clock.after(inMs, () => next(at));
            return;
          }
          this.#say(line, reject);
        }
      };
      next(0);
    });
  }

  #say(line: RecordingLine, failed: (error: unknown) => void): void {
    if ("start" in line) {
      this.#isInitializing = line.initializing === true;
      if (line.servesApi !== false) this.#inTurn(() => this.#listen(), failed);
    } else if ("ready" in line) this.#isInitializing = false;
    else if ("stop" in line) this.#inTurn(() => this.#server.kill(), failed);
    else if ("cut" in line) this.#server.destroyConnections();
    else if ("list" in line) {
      if (line.pod === undefined) this.#pods.delete(line.list);
      else this.#pods.set(line.list, Uint8Array.from(line.pod));
    } else if ("event" in line) {
      const pod = Uint8Array.from(line.pod);
      // The recording lists a new pod some time after its event. A watch that opens in between must not miss the pod.
      const { uid } = scanHead(pod).head;
      if (line.event === "ADDED" && uid !== "" && !this.#pods.has(uid)) this.#pods.set(uid, pod);
      this.#send({ type: EventType[line.event], pod });
    } else if ("unknown" in line) this.#send({ type: UNKNOWN_TYPE });
  }

  async #listen(): Promise<void> {
    await this.#server.listen({ force: this.#force });
    this.#force = true; // the socket of the previous process is the replay's own
    this.#listens();
  }

  #inTurn(what: () => Promise<void>, failed: (error: unknown) => void): void {
    this.#last = this.#last.then(what);
    this.#last.catch(failed);
  }

  #send(event: ReplayedEvent): void {
    for (const watcher of this.#watchers) {
      watcher.waiting.push(event);
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

  async *#watch(signal: AbortSignal): AsyncGenerator<ReplayedEvent> {
    const pods = this.#listed();
    const watcher: ReplayWatcher = { waiting: [], wake: () => {} };
    this.#watchers.add(watcher);
    signal.addEventListener("abort", () => {
      this.#watchers.delete(watcher);
      watcher.wake();
    });
    for (const pod of pods) yield { type: EventType.ADDED, pod };
    yield { type: EventType.INITIAL_SYNC_COMPLETE };
    while (!signal.aborted) {
      const event = watcher.waiting.shift();
      if (event !== undefined) yield event;
      else {
        await new Promise<void>((resolve) => {
          watcher.wake = resolve;
        });
      }
    }
  }

  #listed(): Uint8Array<ArrayBuffer>[] {
    this.#checkReady();
    return [...this.#pods].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pod]) => pod);
  }

  #checkReady(): void {
    if (this.#isInitializing)
      throw new GrpcError({ status: GRPC.failedPrecondition, message: "Kubelet is initializing" });
  }
}

/** An event type that no release has. */
const UNKNOWN_TYPE = 99 as EventType;
