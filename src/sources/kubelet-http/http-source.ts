import { createHash } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { SharedRequest } from "../../calls/shared-request.js";
import { PodsError } from "../../errors/pods-error.js";
import { PodSchema } from "../../gen/k8s/io/api/core/v1/pod_pb.js";
import { fromKubernetesJson } from "../../pod/from-json.js";
import { MAX_PODS } from "../../pod/limits.js";
import { orAborted, untilAborted } from "../../timing/abort.js";
import { type Clock, systemClock } from "../../timing/clock.js";
import { Deadline } from "../../timing/deadline.js";
import { pause } from "../../timing/pause.js";
import type { AttemptOptions, ListTrust, PodSource, SourceEvent } from "../pod-source.js";
import { type KubeletHttpOptions, type ResolvedHttpOptions, resolveHttpOptions, shownUrl } from "./http-options.js";
import { HttpGet, type HttpTarget } from "./http-request.js";
import { excessOf, isOversized } from "./json-bounds.js";

const PODS: HttpTarget = {
  path: "/pods",
  right: "nodes/pods (kubelets of 1.33 and later); older kubelets and the API server's proxy need nodes/proxy",
};

/** A pod of a list. */
interface PodItem {
  readonly uid: string;
  readonly bytes: Uint8Array;
}

/** A list of pods, sorted by UID. */
interface Listed {
  readonly hash: string;
  readonly items: readonly PodItem[];
  /** The bytes of the items. */
  readonly pods: Uint8Array[];
}

/**
 * Makes a source for a kubelet without the Pods API. It sends `GET /pods` to the kubelet's HTTP server, directly or through the API
 * server's proxy. Watches and informers poll it. Each poll is a complete list, so events are the same as with the Pods API, up to
 * `pollIntervalMs` later. An unchanged answer costs only a hash.
 *
 * Needs `get` on nodes/pods (1.33 and later kubelets). Older kubelets and the API server's proxy require nodes/proxy, which is equivalent
 * to root on the node. The read-only port needs no token. If the port is disabled, any process on the host network can listen on it.
 *
 * @throws PodsError `invalid-argument` with the name of the option. It does not connect before the first call.
 * @example
 * ```ts
 * const pods = new PodsClient({ sources: [podsApi(), kubeletHttp({ url: "http://127.0.0.1:10255" })] });
 * ```
 */
export function kubeletHttp(options: KubeletHttpOptions): PodSource {
  return new KubeletHttpSource(resolveHttpOptions(options));
}

/** Source that {@link kubeletHttp} returns. Tests pass a clock of their own. */
export class KubeletHttpSource implements PodSource {
  readonly #options: ResolvedHttpOptions;
  readonly #http: HttpGet;
  readonly #clock: Clock;
  #last: Listed | undefined;
  /** Resolves when the last poll of a call is answered, or takes long. Calls that wait for it share the next poll. */
  #turn: Promise<void> = Promise.resolve();
  readonly #shared = new SharedRequest<Listed>(
    (signal) => orAborted(this.#turn, signal),
    ({ signal }) => {
      const answer = this.#poll(signal, undefined);
      this.#turn = new Promise((resolve) => {
        const cancel = this.#clock.after(SHARED_MS, resolve, { isIdle: true });
        const end = () => {
          cancel();
          resolve();
        };
        answer.then(end, end);
      });
      return answer;
    },
  );

  constructor(options: ResolvedHttpOptions, clock: Clock = systemClock) {
    this.#options = options;
    this.#http = new HttpGet(options, clock);
    this.#clock = clock;
  }

  get socketPath(): string {
    return shownUrl(this.#options.url);
  }

  get version(): string {
    return "http";
  }

  /** Resolves at once: each request connects by itself. */
  connect(): Promise<void> {
    return Promise.resolve();
  }

  /** Resolves only when `signal` aborts. Nothing reports that the server was started or replaced; the next poll notices it. */
  changed(signal: AbortSignal): Promise<void> {
    return untilAborted(signal);
  }

  server(): string {
    return this.socketPath;
  }

  get lists(): ListTrust {
    return this.#options.standalone ? "static" : "partial";
  }

  async list(options: AttemptOptions): Promise<Uint8Array[]> {
    return (await this.#pods(options)).pods;
  }

  async get(uid: string, options: AttemptOptions): Promise<Uint8Array> {
    const { items, pods } = await this.#pods(options);
    const found = items.find((item) => item.uid === uid);
    if (found !== undefined) return found.bytes;
    options.onList?.(pods);
    throw new PodsError({ code: "not-found", message: "there is no pod with this UID in the list", method: "GetPod" });
  }

  async *open(signal: AbortSignal): AsyncGenerator<SourceEvent, void, undefined> {
    const askedMs = this.#clock.now();
    const { items } = await this.#poll(signal, POLL_TIMEOUT_MS, true);
    const ageMs = this.#clock.now() - askedMs;
    // CONNECTED has no `connection`: the annotations of the pods show which kubelet process a list comes from.
    const { pollIntervalMs: resyncIntervalMs } = this.#options;
    const facts = { server: this.server(), resyncIntervalMs, reportsDeletions: false, lists: this.lists };
    yield { type: "CONNECTED", ...facts, ageMs };
    for (const { bytes } of items) yield { type: "ADDED", pod: bytes };
    yield { type: "SYNCED" };
    await pause(this.#clock, Number.POSITIVE_INFINITY, signal); // a watch keeps the process alive, also between two polls
    throw signal.reason;
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Returns the list of a poll that is sent after this call. */
  async #pods({ signal, timeoutMs }: AttemptOptions): Promise<Listed> {
    const reason = (deadline: Deadline) =>
      deadline.exceeded({ message: `${this.socketPath}/pods: no answer within ${timeoutMs} ms` });
    const deadline = new Deadline({ clock: this.#clock, signal, timeoutMs, reason });
    const progress = { sent: 0, isQueued: false };
    try {
      return await this.#shared.attempt({ signal: deadline.signal, timeoutMs, progress, mask: undefined });
    } finally {
      deadline.release();
    }
  }

  async #poll(signal: AbortSignal, timeoutMs: number | undefined, isWatch = false): Promise<Listed> {
    const body = await this.#http.get(PODS, signal, timeoutMs, isWatch);
    const hash = createHash("sha256").update(body).digest("base64");
    if (this.#last?.hash === hash) return this.#last;
    const items = await this.#read(body);
    this.#last = { hash, items, pods: items.map(({ bytes }) => bytes) };
    return this.#last;
  }

  async #read(body: Buffer): Promise<PodItem[]> {
    const refused = (code: "corrupt" | "too-large", what: string) =>
      new PodsError({ code, message: `${this.socketPath}/pods: ${what}`, hint: "is this the URL of a kubelet?" });
    const excess = excessOf(body, MAX_PODS);
    if (excess !== undefined) throw refused("too-large", `the answer has ${excess}`);
    const items = itemsOf(body);
    if (items === undefined) throw refused("corrupt", "the answer is not a list of pods");
    const read: PodItem[] = [];
    let sinceMs = performance.now();
    for (const item of items) {
      read.push(itemOf(item));
      if (performance.now() - sinceMs < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve)); // large lists let other work run
      sinceMs = performance.now();
    }
    return read.sort((a, b) => (a.uid < b.uid ? -1 : 1));
  }
}

/** Time for which items are read in one turn of the event loop, in milliseconds. */
const SLICE_MS = 8;

/** How long calls wait for a poll that others have sent. After that it may be stuck. */
const SHARED_MS = 1_000;

/** Time limit of a poll: the same as for the first message of a stream. */
const POLL_TIMEOUT_MS = 10_000;

function itemsOf(body: Buffer): readonly unknown[] | undefined {
  try {
    const { items, kind } = JSON.parse(body.toString().replace(/^\ufeff/, "")) as { items?: unknown; kind?: unknown };
    // Go writes an empty list as null.
    if (kind === "PodList" && (items === null || items === undefined)) return [];
    const isOfPods = kind === undefined || kind === "PodList" || kind === "List";
    return isOfPods && Array.isArray(items) ? items : undefined;
  } catch {
    return undefined; // the parser's message would quote the content
  }
}

/** Serializes a pod. A value that is not an object becomes unreadable bytes without a UID. */
function itemOf(item: unknown): PodItem {
  if (typeof item !== "object" || item === null) return NO_POD;
  const { uid, namespace, name } = identityOf(item);
  try {
    if (isOversized(item)) throw new RangeError("a pod has more values than a pod can have");
    return { uid, bytes: toBinary(PodSchema, fromKubernetesJson(item, { allowUnknownKeys: true })) };
  } catch {
    // The bytes contain the identity and then end too early, so that the pod counts as unreadable and not as deleted.
    const identity = toBinary(PodSchema, create(PodSchema, { metadata: { uid, namespace, name } }));
    return { uid, bytes: Buffer.concat([identity, BROKEN_OFF]) };
  }
}

/** Returns the identity of a pod from its JSON; missing parts are empty. */
function identityOf(item: object): { uid: string; namespace: string; name: string } {
  const { metadata } = item as { metadata?: unknown };
  const { uid, namespace, name } = (metadata ?? {}) as Record<string, unknown>;
  return { uid: text(uid), namespace: text(namespace), name: text(name) };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Start of field 2, with a length of 127 bytes that do not follow. */
const BROKEN_OFF = Uint8Array.of(0x12, 0x7f);

const NO_POD: PodItem = { uid: "", bytes: BROKEN_OFF };
