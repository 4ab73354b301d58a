import { invalidArgument, PodsError } from "../../errors/pods-error.js";
import { checkOptions, resolveTimeoutMs } from "../../option-checks.js";
import { fromKubernetesJson } from "../../pod/from-json.js";
import { MAX_PODS } from "../../pod/limits.js";
import type { Pod } from "../../pod/pod.js";
import { type Clock, systemClock } from "../../timing/clock.js";
import { type KubeletHttpOptions, type ResolvedHttpOptions, resolveHttpOptions, shownUrl } from "./http-options.js";
import { HttpGet, type HttpTarget } from "./http-request.js";
import { excessOf, isOversized } from "./json-bounds.js";
import { configIn, corrupt, isObject, type KubeletConfig, type StatsSummary, summaryIn } from "./kubelet-answers.js";

/** Options of each call of a {@link KubeletHttpClient}. */
export interface HttpCallOptions {
  /** Ends the call. It then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Time limit of the call in milliseconds. For streams it applies only until the answer begins. 0 and Infinity mean no limit.
   *
   * @default 10_000
   */
  timeoutMs?: number | undefined;
}

/** Options of {@link KubeletHttpClient.containerLogs}. */
export interface ContainerLogsOptions extends HttpCallOptions {
  /** Name of the container. */
  container: string;
  /** True to continue with new lines after the existing ones, until the container ends. */
  follow?: boolean | undefined;
  /** True for the log of the previous container run. */
  previous?: boolean | undefined;
  /** True to prefix each line with its time. */
  timestamps?: boolean | undefined;
  /** Number of lines to return from the end of the log. */
  tailLines?: number | undefined;
  /** Maximum age of the lines, in whole seconds. */
  sinceSeconds?: number | undefined;
  /** Number of bytes after which the kubelet ends the answer. */
  limitBytes?: number | undefined;
}

/** Source of metrics: the kubelet itself, or another source that it collects metrics from. */
export type KubeletMetricsOf = "kubelet" | "cadvisor" | "resource" | "probes";

const DEFAULT_TIMEOUT_MS = 10_000;

const FINE = "(kubelets of 1.33 and later); older kubelets and the API server's proxy need nodes/proxy";

/** Paths, and the permission that each needs (pkg/kubelet/server/auth.go). */
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
 * Reads data other than pods from a kubelet's HTTP server: configuration, statistics, running pods, logs and metrics. Takes the options of
 * {@link kubeletHttp}; `pollIntervalMs` and `standalone` have no effect. Each method documents the permission that it needs. The client is
 * read-only and does not retry.
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

  /** @throws PodsError `invalid-argument` with the name of the option. It does not connect before the first call. */
  constructor(options: KubeletHttpOptions);
  /** @internal Tests pass a clock of their own. */
  constructor(options: KubeletHttpOptions, clock: Clock);
  constructor(options: KubeletHttpOptions, clock: Clock = systemClock) {
    this.#options = resolveHttpOptions(options);
    this.#http = new HttpGet(this.#options, clock);
  }

  /**
   * Returns the configuration of the running kubelet. Needs `get` on nodes/configz, or nodes/proxy before 1.33.
   *
   * @throws PodsError
   */
  async configz(options: HttpCallOptions = {}): Promise<KubeletConfig> {
    return configIn(await this.#json(TARGETS.configz, options), this.#where(TARGETS.configz));
  }

  /**
   * Returns the kubelet's statistics of the node, and of each pod by UID. Needs `get` on nodes/stats.
   *
   * @throws PodsError
   */
  async statsSummary(options: HttpCallOptions = {}): Promise<StatsSummary> {
    return summaryIn(await this.#json(TARGETS.summary, options), this.#where(TARGETS.summary));
  }

  /**
   * Returns the pods with running containers, as the container runtime reports them: names, UIDs and containers with their images, but no
   * status. The list is complete even while the kubelet has not read its pod sources. Needs `get` on nodes/pods, or nodes/proxy before
   * 1.33.
   *
   * @throws PodsError
   */
  async runningPods(options: HttpCallOptions = {}): Promise<Pod[]> {
    const where = this.#where(TARGETS.runningPods);
    const answer = await this.#json(TARGETS.runningPods, options);
    const { kind, items } = isObject(answer) ? answer : {};
    if (kind !== "PodList" || !(items === null || items === undefined || Array.isArray(items)))
      throw corrupt(where, "the answer is not a list of pods");
    const entries: readonly unknown[] = items ?? [];
    if (entries.some(isOversized)) throw corrupt(where, "a pod has more values than a pod can have");
    try {
      return entries.map((item) => fromKubernetesJson(item, { allowUnknownKeys: true }));
    } catch {
      throw corrupt(where, "a pod cannot be read"); // the original error could quote content
    }
  }

  /**
   * Yields a container's log as it arrives: the bytes that the container wrote to stdout and stderr. The client reads only as fast as the
   * loop consumes, and leaving the loop ends the request. Reading the file below `podLogsDir` is cheaper, and also works while the kubelet
   * is down. Needs `get` on nodes/proxy, which is equivalent to root on the node.
   *
   * @throws PodsError; `not-found` if there is no such pod or container.
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
    const { container, signal, timeoutMs, ...query } = options;
    const names = Object.entries({ "pod.namespace": pod?.namespace, "pod.name": pod?.name, container });
    for (const [key, name] of names)
      if (typeof name !== "string" || !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name))
        throw invalidArgument(
          `containerLogs: ${key} must be a valid Kubernetes name`,
          "pass pod.metadata, { container }",
        );
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) {
      if (value === undefined) continue;
      if (typeof value === "number" && !(Number.isSafeInteger(value) && value >= 0))
        throw invalidArgument(`containerLogs: ${key} must be a whole number`);
      search.set(key, String(value));
    }
    const path = `/containerLogs/${names.map(([, name]) => name).join("/")}?${search}`;
    const target: HttpTarget = { path, right: "nodes/proxy", missing: "not-found" };
    return this.#stream(target, { signal, timeoutMs }, Number.POSITIVE_INFINITY);
  }

  /**
   * Yields metrics in Prometheus' text format as they arrive, at most `maxResponseBytes`. Needs `get` on nodes/metrics.
   *
   * @param of the source of the metrics; by default the kubelet itself.
   * @throws PodsError
   */
  metrics(of: KubeletMetricsOf = "kubelet", options: HttpCallOptions = {}): AsyncIterable<Uint8Array> {
    if (!Object.hasOwn(METRICS_PATHS, of))
      throw invalidArgument(`metrics: the argument must be one of ${Object.keys(METRICS_PATHS).join(", ")}`);
    const target = { path: METRICS_PATHS[of], right: "nodes/metrics" };
    return this.#stream(target, options, this.#options.maxResponseBytes);
  }

  /**
   * Returns true if the kubelet reports that it is healthy, and false if it reports that a check has failed. Needs `get` on nodes/healthz,
   * or nodes/proxy before 1.33.
   *
   * @throws PodsError if the kubelet does not answer or refuses the request, and if another server answers, such as a proxy that cannot
   * reach the kubelet.
   */
  async healthz(options: HttpCallOptions = {}): Promise<boolean> {
    const answer = (await this.#get(TARGETS.healthz, options)).toString().trimEnd();
    if (answer === "ok") return true;
    // The text of k8s.io/apiserver/pkg/server/healthz ends like this, after the failed checks.
    if (answer.endsWith("healthz check failed")) return false;
    throw corrupt(this.#where(TARGETS.healthz), "the answer is not a kubelet's health check");
  }

  /** Ends running requests. Resolves once all connections are closed. */
  close(): Promise<void> {
    return this.#http.close();
  }

  /** Closes the client, like {@link close}. */
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

  #stream(target: HttpTarget, options: HttpCallOptions, maxBytes: number): AsyncIterable<Uint8Array> {
    const { signal, timeoutMs } = callOf(options);
    return this.#http.stream(target, signal, timeoutMs, maxBytes);
  }

  async #json(target: HttpTarget, options: HttpCallOptions): Promise<unknown> {
    const body = await this.#get(target, options);
    const where = this.#where(target);
    const excess = excessOf(body, MAX_PODS);
    if (excess !== undefined) throw new PodsError({ code: "too-large", message: `${where}: the answer has ${excess}` });
    try {
      return JSON.parse(body.toString());
    } catch {
      throw corrupt(where, "the answer is not JSON"); // the parser's message would quote the content
    }
  }
}

function callOf(options: HttpCallOptions): { signal: AbortSignal; timeoutMs: number | undefined } {
  checkOptions(options, { signal: "signal", timeoutMs: "number" }, "KubeletHttpClient");
  const { signal = new AbortController().signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return { signal, timeoutMs: resolveTimeoutMs(timeoutMs) };
}
