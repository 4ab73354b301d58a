import { invalidArgument, PodsError } from "../../errors/pods-error.js";
import { checkOptions, resolveTimeoutMs } from "../../option-checks.js";
import { fromKubernetesJson } from "../../pod/from-json.js";
import { MAX_PODS } from "../../pod/limits.js";
import type { Pod } from "../../pod/pod.js";
import { type Clock, systemClock } from "../../timing/clock.js";
import { type KubeletHttpOptions, type ResolvedHttpOptions, resolveHttpOptions, shownUrl } from "./http-options.js";
import { HttpGet, type HttpTarget } from "./http-request.js";
import { excessOf } from "./json-bounds.js";
import { configIn, corrupt, isObject, type KubeletConfig, type StatsSummary, summaryIn } from "./kubelet-answers.js";

/** Options of each call of a {@link KubeletHttpClient}. */
export interface HttpCallOptions {
  /** Ends the call, with its own reason. */
  signal?: AbortSignal | undefined;
  /**
   * How long the call may take, in milliseconds; for streams, until they begin. 0 and Infinity mean no limit.
   *
   * @default 10_000
   */
  timeoutMs?: number | undefined;
}

/** Options of {@link KubeletHttpClient.containerLogs}. */
export interface ContainerLogsOptions extends HttpCallOptions {
  /** The name of the container. */
  container: string;
  /** True to go on after the existing lines, until the container ends. */
  follow?: boolean | undefined;
  /** True for the log of the container's previous life. */
  previous?: boolean | undefined;
  /** True to begin each line with its time. */
  timestamps?: boolean | undefined;
  /** Only this many last lines. */
  tailLines?: number | undefined;
  /** Only lines that are not older than this, in whole seconds. */
  sinceSeconds?: number | undefined;
  /** The number of bytes after which the kubelet ends the answer. */
  limitBytes?: number | undefined;
}

/** The source of metrics: the kubelet itself, or others that it gathers from. */
export type KubeletMetricsOf = "kubelet" | "cadvisor" | "resource" | "probes";

const DEFAULT_TIMEOUT_MS = 10_000;

const FINE = "(kubelets of 1.33 and later); older ones, and the API server's proxy, want nodes/proxy";

/** The paths, and the right that each needs (pkg/kubelet/server/auth.go). */
const TARGETS = {
  configz: { path: "/configz", right: `nodes/configz ${FINE}` },
  healthz: { path: "/healthz", right: `nodes/healthz ${FINE}`, alsoStatus: 500 },
  runningPods: { path: "/runningpods/", right: `nodes/pods ${FINE}` },
  summary: { path: "/stats/summary", right: "nodes/stats" },
} satisfies Record<string, HttpTarget>;

const METRICS_PATHS: Readonly<Record<KubeletMetricsOf, string>> = {
  kubelet: "/metrics",
  cadvisor: "/metrics/cadvisor",
  resource: "/metrics/resource",
  probes: "/metrics/probes",
};

/**
 * Reads other answers of a kubelet's HTTP server than its pods: configuration, measurements, running pods, logs, metrics. Takes the options
 * of {@link kubeletHttp}; `pollIntervalMs` has no effect. Each method names the right that it needs. Nothing is retried, and nothing is
 * written.
 *
 * @example
 * ```ts
 * await using kubelet = new KubeletHttpClient({ url: "https://127.0.0.1:10250", tokenFile, caFile });
 * const { podLogsDir } = await kubelet.configz();
 * ```
 */
export class KubeletHttpClient implements AsyncDisposable {
  readonly #options: ResolvedHttpOptions;
  readonly #http: HttpGet;

  /** @throws PodsError `invalid-argument`, naming the option; nothing is dialled yet. */
  constructor(options: KubeletHttpOptions);
  /** @internal Tests pass a clock of their own. */
  constructor(options: KubeletHttpOptions, clock: Clock);
  constructor(options: KubeletHttpOptions, clock: Clock = systemClock) {
    this.#options = resolveHttpOptions(options);
    this.#http = new HttpGet(this.#options, clock);
  }

  /**
   * Returns the configuration that the kubelet runs with. Needs `get` on nodes/configz, or nodes/proxy before 1.33.
   *
   * @throws PodsError
   */
  async configz(options: HttpCallOptions = {}): Promise<KubeletConfig> {
    return configIn(await this.#json(TARGETS.configz, options), this.#where(TARGETS.configz));
  }

  /**
   * Returns the kubelet's measurements of its node and of each pod, by UID. Needs `get` on nodes/stats.
   *
   * @throws PodsError
   */
  async statsSummary(options: HttpCallOptions = {}): Promise<StatsSummary> {
    return summaryIn(await this.#json(TARGETS.summary, options), this.#where(TARGETS.summary));
  }

  /**
   * Returns the pods with running containers, as the runtime knows them: names, UIDs, containers with their images, and no status. It has
   * all of them even while a kubelet has not read its sources. Needs `get` on nodes/pods, or nodes/proxy before 1.33.
   *
   * @throws PodsError
   */
  async runningPods(options: HttpCallOptions = {}): Promise<Pod[]> {
    const where = this.#where(TARGETS.runningPods);
    const answer = await this.#json(TARGETS.runningPods, options);
    const { kind, items } = isObject(answer) ? answer : {};
    if (kind !== "PodList" || !(items === null || items === undefined || Array.isArray(items)))
      throw corrupt(where, "the answer is no list of pods");
    try {
      return ((items as object[] | null | undefined) ?? []).map((item) =>
        fromKubernetesJson(item, { allowUnknownKeys: true }),
      );
    } catch {
      throw corrupt(where, "a pod cannot be read"); // the original error could quote content
    }
  }

  /**
   * Yields a container's log as it comes: the bytes that the container wrote to both of its streams. It is read only as fast as it is
   * taken, and ending the loop ends the request. To read the file below `podLogsDir` is cheaper, and also works while the kubelet is away.
   * Needs `get` on nodes/proxy, which is as good as root on the node.
   *
   * @throws PodsError `not-found` if there is no such pod or container, and others.
   */
  containerLogs(
    pod: { readonly namespace: string; readonly name: string },
    options: ContainerLogsOptions,
  ): AsyncIterable<Uint8Array> {
    const types = {
      signal: "signal",
      timeoutMs: "number",
      container: "string",
      follow: "boolean",
      previous: "boolean",
      timestamps: "boolean",
      tailLines: "number",
      sinceSeconds: "number",
      limitBytes: "number",
    } as const;
    checkOptions(options, types, "containerLogs");
    const { container, signal, timeoutMs, ...asked } = options;
    const names = [pod?.namespace, pod?.name, container];
    const isNamed = names.every((name) => typeof name === "string" && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name));
    if (!isNamed) {
      const what = "containerLogs: a namespace, a pod's name and a container's are expected";
      throw invalidArgument(what, "pod.metadata has the first two, the option container is the third");
    }
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(asked)) {
      if (value === undefined) continue;
      if (typeof value === "number" && !(Number.isSafeInteger(value) && value >= 0))
        throw invalidArgument(`containerLogs: ${key} must be a whole number`);
      query.set(key, String(value));
    }
    const path = `/containerLogs/${names.join("/")}?${query}`;
    const target: HttpTarget = { path, right: "nodes/proxy", missing: "not-found" };
    return this.#stream(target, { signal, timeoutMs }, Number.POSITIVE_INFINITY);
  }

  /**
   * Yields metrics in Prometheus' text format as they come, at most `maxResponseBytes`. Needs `get` on nodes/metrics.
   *
   * @param of which metrics; by default the kubelet's own.
   * @throws PodsError
   */
  metrics(of: KubeletMetricsOf = "kubelet", options: HttpCallOptions = {}): AsyncIterable<Uint8Array> {
    if (!Object.hasOwn(METRICS_PATHS, of))
      throw invalidArgument(`metrics: the argument must be one of ${Object.keys(METRICS_PATHS).join(", ")}`);
    const target = { path: METRICS_PATHS[of], right: "nodes/metrics" };
    return this.#stream(target, options, this.#options.maxResponseBytes);
  }

  /**
   * Returns true if the kubelet reports itself healthy, and false if it reports that a check has failed. Needs `get` on nodes/healthz, or
   * nodes/proxy before 1.33.
   *
   * @throws PodsError if it does not answer or refuses, and if something else answers, such as a proxy that does not reach it.
   */
  async healthz(options: HttpCallOptions = {}): Promise<boolean> {
    const answer = (await this.#get(TARGETS.healthz, options)).toString().trimEnd();
    if (answer === "ok") return true;
    // The text of k8s.io/apiserver/pkg/server/healthz ends like this, after the failed checks.
    if (answer.endsWith("healthz check failed")) return false;
    throw corrupt(this.#where(TARGETS.healthz), "the answer is no kubelet's");
  }

  /** Ends running requests, and closes connections. */
  close(): Promise<void> {
    this.#http.close();
    return Promise.resolve();
  }

  /** Closes it, as {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #where({ path }: HttpTarget): string {
    return shownUrl(this.#options.url) + path;
  }

  #get(target: HttpTarget, options: HttpCallOptions): Promise<Buffer> {
    const { signal, timeoutMs } = callOf(options);
    return this.#http.get(target, signal, timeoutMs);
  }

  async *#stream(target: HttpTarget, options: HttpCallOptions, maxBytes: number): AsyncGenerator<Uint8Array> {
    const { signal, timeoutMs } = callOf(options);
    yield* this.#http.stream(target, signal, timeoutMs, maxBytes);
  }

  async #json(target: HttpTarget, options: HttpCallOptions): Promise<unknown> {
    const body = await this.#get(target, options);
    const where = this.#where(target);
    const excess = excessOf(body, MAX_PODS);
    if (excess !== undefined) throw new PodsError({ code: "too-large", message: `${where}: the answer has ${excess}` });
    try {
      return JSON.parse(body.toString());
    } catch {
      throw corrupt(where, "the answer is no JSON"); // the parser's message would quote the content
    }
  }
}

function callOf(options: HttpCallOptions): { signal: AbortSignal; timeoutMs: number | undefined } {
  checkOptions(options, { signal: "signal", timeoutMs: "number" }, "KubeletHttpClient");
  const { signal = new AbortController().signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return { signal, timeoutMs: resolveTimeoutMs(timeoutMs) };
}
