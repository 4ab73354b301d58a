import { createHash } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodsError } from "../errors/pods-error.js";
import { type Pod, PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { fromKubernetesJson } from "../pod/from-json.js";
import { SEEN_ANNOTATION } from "../pod/lifecycle.js";
import type { AttemptOptions, PodSource, SourceEvent } from "../source.js";
import { type KubeletHttpOptions, type ResolvedHttpOptions, resolveHttpOptions, shownUrl } from "./options.js";
import { HttpGet } from "./request.js";

/** A pod of a list. */
interface Item {
  readonly uid: string;
  /** When the kubelet's process first saw it. */
  readonly seen: string;
  readonly bytes: Uint8Array;
}

/** What a list of pods came to, sorted by UID. */
interface Listed {
  readonly hash: string;
  readonly items: readonly Item[];
}

/**
 * The pods of a kubelet without the Pods API, from `GET /pods` of its HTTP server or of its proxy in the API server. Watches
 * and informers poll it: each poll is a complete list, so that the same is told as of the Pods API, up to `pollIntervalMs`
 * late. An answer that is the same as the last one costs a hash.
 *
 * Needs `get` on nodes/proxy, or on nodes/pods where kubelets have fine-grained authorization; the read-only port needs
 * nothing, and is often closed.
 *
 * @throws PodsError `invalid-argument`, naming the option; nothing is dialled yet.
 */
export function kubeletHttp(options: KubeletHttpOptions): PodSource {
  return new KubeletHttpSource(resolveHttpOptions(options));
}

class KubeletHttpSource implements PodSource {
  readonly #options: ResolvedHttpOptions;
  readonly #http: HttpGet;
  #last: Listed | undefined;
  /** Processes of the kubelet that have been seen, counted. */
  #processes = 1;
  /** Polls so far, and the one that `#last` answers. */
  #polls = 0;
  #newest = 0;

  constructor(options: ResolvedHttpOptions) {
    this.#options = options;
    this.#http = new HttpGet(options);
  }

  get socketPath(): string {
    return shownUrl(this.#options.url);
  }

  get version(): string {
    return "http";
  }

  /** Each request dials for itself. */
  connect(): Promise<void> {
    return Promise.resolve();
  }

  /** Nothing says that anything changes: the next poll finds out. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  server(): string | undefined {
    return `${this.socketPath} ${this.#processes}`;
  }

  async list({ signal, timeoutMs }: AttemptOptions): Promise<Uint8Array[]> {
    return (await this.#poll(signal, timeoutMs)).items.map(({ bytes }) => bytes);
  }

  async get(uid: string, { signal, timeoutMs }: AttemptOptions): Promise<Uint8Array> {
    const found = (await this.#poll(signal, timeoutMs)).items.find((item) => item.uid === uid);
    if (found !== undefined) return found.bytes;
    throw new PodsError({ code: "not-found", message: "there is no pod with this UID in the list", method: "GetPod" });
  }

  async *open(signal: AbortSignal): AsyncGenerator<SourceEvent, void, undefined> {
    const { items } = await this.#poll(signal, POLL_TIMEOUT_MS);
    yield { type: "CONNECTED", server: this.server() ?? "", resyncIntervalMs: this.#options.pollIntervalMs };
    for (const { bytes } of items) yield { type: "ADDED", pod: bytes };
    yield { type: "SYNCED" };
    const alive = setInterval(() => {}, MAX_TIMER_MS); // a watch keeps the process alive, also between two polls
    try {
      await this.changed(signal);
    } finally {
      clearInterval(alive);
    }
    throw signal.reason;
  }

  close(): Promise<void> {
    this.#http.close();
    return Promise.resolve();
  }

  async #poll(signal: AbortSignal, timeoutMs: number | undefined): Promise<Listed> {
    const begun = ++this.#polls;
    const body = await this.#http.get("/pods", signal, timeoutMs);
    const hash = createHash("sha256").update(body).digest("base64");
    if (this.#last?.hash === hash) return this.#last;
    const listed = { hash, items: this.#read(body) };
    const isNewer = begun > this.#newest;
    if (isNewer && this.#last !== undefined && isAnotherProcess(this.#last.items, listed.items)) this.#processes++;
    // An answer to what was asked before the last one is older than that.
    if (isNewer) {
      this.#last = listed;
      this.#newest = begun;
    }
    return listed;
  }

  #read(body: Buffer): Item[] {
    const items = itemsOf(body);
    if (items === undefined) {
      const message = `${this.socketPath}/pods: the answer is no list of pods`;
      throw new PodsError({ code: "corrupt", message, hint: "is this the URL of a kubelet?" });
    }
    const read = items.map((item) => ({ ...identityOf(item), bytes: bytesOf(item) }));
    return read.sort((a, b) => (a.uid < b.uid ? -1 : 1));
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** As long as a stream may take to its first message. */
const POLL_TIMEOUT_MS = 10_000;

/**
 * A kubelet stamps each pod with the time at which its process first saw it: where no stamp is the same, it is another
 * process, which may not have read all of its pods yet. So may be one that all of a sudden has none.
 */
function isAnotherProcess(before: readonly Item[], now: readonly Item[]): boolean {
  if (now.length === 0) return before.length > 0;
  const seenBefore = new Map(before.map(({ uid, seen }) => [uid, seen]));
  const stamped = now.filter(({ seen }) => seen !== "");
  return stamped.length > 0 && !stamped.some(({ uid, seen }) => seenBefore.get(uid) === seen);
}

function itemsOf(body: Buffer): readonly unknown[] | undefined {
  try {
    const { items, kind } = JSON.parse(body.toString()) as { items?: unknown; kind?: unknown };
    // Go writes a list of none as null.
    if (kind === "PodList" && (items === null || items === undefined)) return [];
    const isOfPods = kind === undefined || kind === "PodList" || kind === "List";
    return isOfPods && Array.isArray(items) ? items : undefined;
  } catch {
    return undefined; // the parser's message would quote the content
  }
}

/** Of what a pod is, as much as can be told of anything. */
function identityOf(item: unknown): { uid: string; namespace: string; name: string; seen: string } {
  const { metadata } = (item ?? {}) as { metadata?: unknown };
  const { uid, namespace, name, annotations } = (metadata ?? {}) as Record<string, unknown>;
  const seen = (annotations as Record<string, unknown> | null | undefined)?.[SEEN_ANNOTATION];
  return { uid: text(uid), namespace: text(namespace), name: text(name), seen: text(seen) };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A serialized pod. Of one that cannot be read, bytes that say who it is and then break off: it is not taken for gone. */
function bytesOf(item: unknown): Uint8Array {
  try {
    return toBinary(PodSchema, fromKubernetesJson(item, { allowUnknownKeys: true }));
  } catch {
    const { uid, namespace, name } = identityOf(item);
    const identity: Pod = create(PodSchema, { metadata: { uid, namespace, name } });
    return Uint8Array.from([...toBinary(PodSchema, identity), ...BROKEN_OFF]);
  }
}

/** A field 2 of 127 bytes that are not there. */
const BROKEN_OFF = [0x12, 0x7f];
