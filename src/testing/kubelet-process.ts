import { dirname, join } from "node:path";
import { invalidArgument } from "../errors/pods-error.js";
import { resolve } from "../option-checks.js";
import { toKubernetesJson } from "../pod/to-json.js";
import { RateLimiter } from "../serving/rate-limiter.js";
import type { Clock } from "../timing/clock.js";
import { pause } from "../timing/pause.js";
import { socketCandidates } from "../wire/socket-path.js";
import { Broadcaster } from "./broadcaster.js";
import { Faults } from "./faults.js";
import { HttpServer } from "./http-server.js";
import {
  RESTART_OPTIONS,
  type ReferenceKubeletOptions,
  type RestartOptions,
  START_OPTIONS,
} from "./kubelet-options.js";
import { type SocketPlace, socketPlace } from "./own-socket.js";
import { PodResourcesService } from "./pod-resources-service.js";
import { type PodChange, PodStore } from "./pod-store.js";
import { type KubeletProfile, PROFILES, type ProfileFacts } from "./profile.js";
import { type KubeletState, routes } from "./services.js";
import { SocketServer } from "./socket-server.js";

/** Time that a kubelet's process outlives its shutdown while watches are open, in milliseconds. */
const GRACE_MS = 100;

/**
 * The same time if the kubelet has ended the watches itself. It is longer, because sending their status can take time on a busy machine.
 */
const EXPELLED_GRACE_MS = 2_000;

/**
 * A kubelet's process: it listens, reads its sources, reports the first status of its pods, pauses, ends and starts again. Only
 * {@link ServedProcess.#settle} decides whether it listens.
 */
export class ServedProcess {
  readonly socketPath: string;
  readonly faults: Faults;
  readonly store: PodStore;
  readonly broadcaster: Broadcaster = new Broadcaster();
  readonly #state: KubeletState;
  readonly #server: SocketServer;
  /** The server of the podresources API, if it is served. */
  readonly #resourcesServer: SocketServer | undefined;
  readonly #http: HttpServer | undefined;
  readonly resources: PodResourcesService;
  /** The socket of the podresources API; undefined if it is not served. */
  readonly podResourcesSocketPath: string | undefined;
  /** The place of the socket. A directory that was created for it is removed at the end. */
  readonly #place: SocketPlace;
  readonly #force: boolean;
  readonly #clock: Clock;
  /** The functions that cancel the timers. */
  readonly #timers = new Set<() => void>();
  #firstProbesMs = 0;
  #gate: boolean;
  #initializing: boolean;
  #up = false;
  /** Promise of the last queued step. Restarts and changes of listening run one after the other. */
  #last: Promise<void> = Promise.resolve();
  readonly #ended = new AbortController();
  #closing: Promise<void> | undefined;

  constructor(options: ReferenceKubeletOptions, clock: Clock) {
    this.#clock = clock;
    const resolved = resolve(options, START_OPTIONS, "ReferenceKubelet.start");
    const { profile, pods, initializing, gate, allowUnknownKeys, http, force } = resolved;
    if (typeof (pods as Partial<Iterable<unknown>>)?.[Symbol.iterator] !== "function" || typeof pods === "string")
      throw invalidArgument("ReferenceKubelet.start: pods must be a list of pods", "for example sampleNode()");
    this.store = new PodStore(factsOf(profile), { allowUnknownKeys }, clock);
    for (const pod of pods) this.store.add(pod, { reported: !initializing, before: true });
    this.store.sources = { file: !initializing, api: !initializing };
    this.#initializing = initializing;
    this.#gate = gate;
    this.#force = force;
    this.#place = socketPlace(options.socketPath);
    this.socketPath = this.#place.socketPath;
    this.#server = new SocketServer(
      this.socketPath,
      (router) => routes(router, this.#state),
      clock,
      (socket) => this.faults.dealWith(socket),
    );
    this.faults = new Faults({
      server: this.#server,
      clock,
      publish: (change) => this.broadcaster.offer(change),
      expelWatchers: () => this.broadcaster.expelAll(),
      settle: () => this.#inTurn(() => this.#settle()),
    });
    this.resources = new PodResourcesService(this.store, clock);
    if (resolved.podResources) {
      const path = join(dirname(this.socketPath), RESOURCES_SOCKET);
      [this.podResourcesSocketPath] = socketCandidates({ socketPath: path });
      this.#resourcesServer = new SocketServer(
        path,
        (router) => this.resources.routes(router, this.faults),
        clock,
        (socket) => this.faults.dealWith(socket),
      );
    }
    if (http) {
      this.#http = new HttpServer(() =>
        this.store.entries().map((entry) => toKubernetesJson(this.store.served(entry))),
      );
    }
    const { store, broadcaster, faults } = this;
    this.#state = { store, broadcaster, faults, limiter: new RateLimiter(clock) };
  }

  /** The URL of the HTTP server; undefined if there is none. */
  get httpURL(): string | undefined {
    return this.#http?.url;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  start(): Promise<void> {
    this.#up = true;
    return this.#inTurn(() => this.#settle(this.#force));
  }

  publish(changes: PodChange[]): void {
    for (const change of changes) this.faults.publish(change);
  }

  setInitializing(initializing: boolean): void {
    // Such a kubelet lists the pods that it has read so far. Nothing makes it forget them.
    if (initializing && !this.#initializing && !this.store.facts.refusesUntilReady)
      throw invalidArgument(
        "setInitializing: a running 1.36 kubelet does not lose its pods",
        "restart({ initializingMs }) begins a process that has not read them",
      );
    this.#initializing = initializing;
    this.#read({ file: true, api: true });
    this.#firstReports();
  }

  pause(): void {
    this.faults.pause();
    this.broadcaster.paused = true;
  }

  resume(): void {
    this.faults.resume();
    this.broadcaster.paused = false;
  }

  async restart(options: RestartOptions): Promise<void> {
    const resolved = resolve(options, RESTART_OPTIONS, "restart");
    const { downtimeMs, initializingMs, firstStatusMs, kill, profile, gate } = resolved;
    const { firstProbesMs = firstStatusMs === 0 ? 0 : 100 } = resolved;
    const facts = profile === undefined ? undefined : factsOf(profile);
    await this.#inTurn(async () => {
      await this.#stop(kill);
      const { signal } = this.#ended;
      await pause(this.#clock, downtimeMs, signal);
      if (signal.aborted) return;
      this.store.facts = facts ?? this.store.facts;
      this.#gate = gate ?? this.#gate;
      this.#state.limiter = new RateLimiter(this.#clock);
      this.resources.restart();
      this.store.restart();
      const read = initializingMs === 0;
      this.#read({ file: read, api: read });
      this.#firstProbesMs = firstProbesMs;
      if (firstStatusMs === 0) this.store.firstReports(firstProbesMs === 0);
      this.resume(); // the pause ended with the old process
      this.#up = true;
      await this.#settle();
      this.#later(initializingMs / 2, () => this.#read({ file: true, api: read }));
      this.#later(initializingMs, () => this.#read({ file: true, api: true }));
      this.#later(initializingMs + firstStatusMs, () => this.#firstReports());
    });
  }

  close(): Promise<void> {
    this.#ended.abort();
    this.#closing ??= this.#inTurn(async () => {
      await this.#stop(true);
      this.#server.removeFile();
      this.#resourcesServer?.removeFile();
      this.#place.remove();
    });
    return this.#closing;
  }

  /** Starts or stops listening, as the state requires. */
  async #settle(force = false): Promise<void> {
    const wanted = this.#up && this.#gate && !this.faults.isRefusing;
    if (wanted && !this.#server.isListening) {
      const { maxStreams } = this.store.facts;
      await this.#server.listen({ force, since: this.store.since, maxStreams });
    }
    if (!wanted) this.#server.stopListening();
    // The podresources API and the HTTP server have no feature gate.
    const resources = this.#resourcesServer;
    const othersWanted = this.#up && !this.faults.isRefusing;
    if (othersWanted && resources?.isListening === false) await resources.listen({ force });
    if (!othersWanted) resources?.stopListening();
    if (othersWanted) await this.#http?.listen();
    else this.#http?.stop();
  }

  async #stop(kill: boolean): Promise<void> {
    this.#up = false;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    this.faults.forgetEvents();
    this.broadcaster.clear();
    this.#resourcesServer?.kill();
    this.#http?.stop();
    this.store.stop();
    if (kill) return this.#server.kill();
    const { endsWatchesAtShutdown } = this.store.facts;
    if (endsWatchesAtShutdown) this.broadcaster.expelAll();
    await this.#server.stop(endsWatchesAtShutdown ? EXPELLED_GRACE_MS : GRACE_MS);
  }

  /** Records which sources have been read: none while a test keeps the kubelet initializing. */
  #read({ file, api }: PodStore["sources"]): void {
    this.store.sources = { file: file && !this.#initializing, api: api && !this.#initializing };
  }

  /** Sends the first status of all pods that have none in this process, in batches, so that no events are lost. */
  #firstReports(): void {
    const changes = this.store.firstReports(this.#firstProbesMs === 0);
    this.#later(this.#firstProbesMs, () => this.publish(this.store.firstProbes()));
    const publishSome = () => {
      if (this.broadcaster.waiting <= REPORTS_PER_TURN) this.publish(changes.splice(0, REPORTS_PER_TURN));
      if (changes.length > 0) this.#later(1, publishSome);
    };
    publishSome();
  }

  #later(delayMs: number, what: () => void): void {
    const cancel = this.#clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      what();
    });
    this.#timers.add(cancel);
  }

  #inTurn(what: () => Promise<void>): Promise<void> {
    const done = this.#last.then(what);
    this.#last = done.catch(() => {});
    return done;
  }
}

const RESOURCES_SOCKET = "pod-resources.sock";

/** Number of events in a batch. It is much less than the 1,000 events that may wait. */
const REPORTS_PER_TURN = 200;

function factsOf(profile: KubeletProfile): ProfileFacts {
  const facts = Object.hasOwn(PROFILES, profile) ? PROFILES[profile] : undefined;
  if (facts === undefined) throw invalidArgument(`profile must be one of ${Object.keys(PROFILES).join(", ")}`);
  return facts;
}
