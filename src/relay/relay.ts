import type net from "node:net";
import { invalidArgument } from "../errors/pods-error.js";
import type { PodInformer } from "../readers/informer.js";
import { DoorSocket } from "../serving/door-socket.js";
import { GrpcServer } from "../serving/grpc-server.js";
import { onAbort } from "../timing/abort.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { pause } from "../timing/pause.js";
import { type CheckedDoor, checkDoor, type Door } from "./door.js";
import { DoorView } from "./door-view.js";
import { grpcRoutes } from "./grpc-door.js";
import { HttpServer } from "./http-server.js";

/** A relay whose doors are open. */
export interface Relay extends AsyncDisposable {
  /** Resolves when the relay is closed, or its informer has ended. From then on no connections are accepted. */
  readonly closed: Promise<void>;
  /**
   * Accepts no more connections, and ends watches with UNAVAILABLE. Connections end when their requests have been answered, or after two
   * seconds. The files of the doors stay, for the next relay to replace. The informer goes on.
   */
  close(): Promise<void>;
}

/** More doors than any node has readers for. */
const MAX_DOORS = 64;

/** How long running answers may take when a relay closes. */
const GRACE_MS = 2_000;

/** How long a client may take until its first bytes. */
const SILENT_MS = 10_000;

/** The preface of HTTP/2, which is shorter than any request of HTTP/1. */
const PREFACE_BYTES = 24;

/**
 * Shows an informer's pods to readers that are not root, on Unix sockets of their own. Experimental: its options may change in any
 * release.
 *
 * @param informer its selector applies to the doors, too; its mask does not.
 * @throws PodsError `invalid-argument`, `invalid-path`, `not-permitted`: no door is open then.
 * @example
 * ```ts
 * import { serveRelay } from "kubelet-pods/relay";
 *
 * const informer = pods.informer({ includeFinished: true });
 * const relay = await serveRelay(informer, [
 *   { path: "/run/kubelet-pods/pods.sock", serve: "grpc", group: 4317 },
 *   { path: "/run/kubelet-pods/shop.sock", serve: "http", group: 4318, namespaces: ["shop"] },
 * ]);
 * process.once("SIGTERM", () => void relay.close());
 * await relay.closed;
 * ```
 */
export async function serveRelay<P>(informer: PodInformer<P>, doors: readonly Door[]): Promise<Relay>;
/** @internal Tests pass a clock of their own. */
export async function serveRelay<P>(informer: PodInformer<P>, doors: readonly Door[], clock: Clock): Promise<Relay>;
export async function serveRelay<P>(
  informer: PodInformer<P>,
  doors: readonly Door[],
  clock: Clock = systemClock,
): Promise<Relay> {
  if (!Array.isArray(doors) || doors.length === 0 || doors.length > MAX_DOORS)
    throw invalidArgument(`serveRelay: from 1 to ${MAX_DOORS} doors are expected`);
  informer.over.throwIfAborted();
  const checked = doors.map(checkDoor);
  const paths = new Set(checked.map(({ place }) => place.path));
  if (paths.size < checked.length) throw invalidArgument("serveRelay: two doors at one path");
  const open = checked.map((door) => new OpenDoor(new DoorView(door, informer as PodInformer<unknown>, clock), clock));
  const relay = new OpenRelay(open, clock);
  const release = onAbort(informer.over, () => void relay.close());
  void relay.closed.then(release);
  try {
    for (const door of open) await door.listen();
  } catch (error) {
    await relay.close();
    throw error;
  }
  return relay;
}

class OpenRelay implements Relay {
  readonly closed: Promise<void>;
  readonly #doors: readonly OpenDoor[];
  readonly #clock: Clock;
  #resolve: () => void = () => {};
  #closing: Promise<void> | undefined;

  constructor(doors: readonly OpenDoor[], clock: Clock) {
    this.#doors = doors;
    this.#clock = clock;
    this.closed = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      for (const door of this.#doors) door.stop();
      const drained = Promise.all(this.#doors.map((door) => door.drained())).then(() => {});
      await pause(this.#clock, GRACE_MS, undefined, () => drained);
      for (const door of this.#doors) door.destroy();
      this.#resolve();
    })();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A door, and the server behind it. */
class OpenDoor {
  readonly #view: DoorView;
  readonly #socket: DoorSocket;
  readonly #server: { serve(socket: net.Socket): void; close(): Promise<void> };

  constructor(view: DoorView, clock: Clock) {
    this.#view = view;
    const { place, maxConnections } = view.door;
    this.#server = serverOf(view, clock);
    this.#socket = new DoorSocket(place, maxConnections, (socket) => {
      const cancel = clock.after(SILENT_MS, () => void (socket.bytesRead < PREFACE_BYTES && socket.destroy()));
      socket.once("close", cancel);
      this.#server.serve(socket);
    });
  }

  listen(): Promise<void> {
    return this.#socket.listen();
  }

  stop(): void {
    this.#socket.stop();
    this.#view.close();
  }

  /** Resolves when all running requests are answered. */
  drained(): Promise<void> {
    return this.#server.close();
  }

  destroy(): void {
    this.#socket.destroyConnections();
  }
}

/** Returns the server behind a door. Its limits are low, since readers send few and small requests. */
function serverOf(view: DoorView, clock: Clock) {
  const { serve, stallMs }: CheckedDoor = view.door;
  if (serve === "http") return new HttpServer(view, clock);
  return new GrpcServer((router) => grpcRoutes(router, view), clock, {
    maxSessionMegabytes: 64,
    maxHeaders: 64,
    maxHeaderBytes: 16 * 1024,
    maxRequestBytes: 16 * 1024,
    maxStreams: 32,
    stallMs,
  });
}
