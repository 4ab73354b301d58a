import { invalidArgument, PodsError } from "../../errors/pods-error.js";
import type { Pod } from "../../gen/pod-types.js";
import { checkOptions, resolveTimeoutMs } from "../../option-checks.js";
import { fromKubernetesJson } from "../../pod/from-json.js";
import { MAX_PODS } from "../../pod/limits.js";
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
   * How long it may take, in milliseconds; for streams, until they begin. 0 or Infinity for ever.
   *
   * @default 10_000
   */
  timeoutMs?: number | undefined;
}

/** Options of {@link KubeletHttpClient.containerLogs}. */
export interface ContainerLogsOptions extends HttpCallOptions {
  /** The name of the container. */
  container: string;
  /** Whether to go on when all that is there has come, until the container ends. */
  follow?: boolean | undefined;
  /** Whether the container before the present one is meant. */
  previous?: boolean | undefined;
  /** Whether each line begins with its time. */
  timestamps?: boolean | undefined;
  /** The last lines alone, so many. */
  tailLines?: number | undefined;
  /** The lines that are not older than that alone, in whole seconds. */
  sinceSeconds?: number | undefined;
  /** Where the kubelet breaks off, in bytes. */
  limitBytes?: number | undefined;
}

/** Metrics in Prometheus' text format: the kubelet's own, or those that it gathers. */
export type KubeletMetricsOf = "kubelet" | "cadvisor" | "resource" | "probes";

const DEFAULT_TIMEOUT_MS = 10_000;

const FINE = "(kubelets of 1.33 and later); older ones, and the API server's proxy, want nodes/proxy";

/** Each answer has its right (pkg/kubelet/server/auth.go). */
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
 * Reads what a kubelet's HTTP server tells beside its pods: configuration, measurements, what the runtime has, logs. Takes the options of
 * {@link kubeletHttp}, of which `pollIntervalMs` has no effect here. Each method says which right it needs; nothing is tried again, and
 * nothing is written.
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
   * Returns what the kubelet measures of its node and of each pod, by UID. Needs `get` on nodes/stats.
   *
   * @throws PodsError
   */
  async statsSummary(options: HttpCallOptions = {}): Promise<StatsSummary> {
    return summaryIn(await this.#json(TARGETS.summary, options), this.#where(TARGETS.summary));
  }

  /**
   * Returns the pods of which the runtime has containers that run, as it knows them: names, UIDs, containers with their images, and no
   * status. It has them also while a kubelet has not read its sources, and would list a part. Needs `get` on nodes/pods, or nodes/proxy
   * before 1.33.
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
      throw corrupt(where, "a pod cannot be read"); // what cannot be read would be quoted
    }
  }

  /**
   * Gives a container's log as it comes: bytes as the container wrote them, of both its streams. It is read no faster than it is taken;
   * ending the loop ends it. Where a file below `podLogsDir` can be read, that is cheaper, and goes on while the kubelet is away. Needs
   * `get` on nodes/proxy, which is as good as root on the node.
   *
   * @throws PodsError `not-found`, where there is no such pod or container, and others.
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
        throw invalidArgument(`containerLogs: ${key}: a whole number is expected`);
      query.set(key, String(value));
    }
    const path = `/containerLogs/${names.join("/")}?${query}`;
    const target: HttpTarget = { path, right: "nodes/proxy", missing: "not-found" };
    return this.#stream(target, { signal, timeoutMs }, Number.POSITIVE_INFINITY);
  }

  /**
   * Gives metrics in Prometheus' text format as they come, at most `maxResponseBytes` of them. Needs `get` on nodes/metrics.
   *
   * @param of whose: the kubelet's own by default.
   * @throws PodsError
   */
  metrics(of: KubeletMetricsOf = "kubelet", options: HttpCallOptions = {}): AsyncIterable<Uint8Array> {
    if (!Object.hasOwn(METRICS_PATHS, of))
      throw invalidArgument(`metrics: one of ${Object.keys(METRICS_PATHS).join(", ")} is expected`);
    const target = { path: METRICS_PATHS[of], right: "nodes/metrics" };
    return this.#stream(target, options, this.#options.maxResponseBytes);
  }

  /**
   * Returns whether the kubelet finds itself healthy: false where it says that its check has failed. Needs `get` on nodes/healthz, or nodes/proxy
   * before 1.33.
   *
   * @throws PodsError where it does not answer, or refuses to, and where somebody else answers, as a proxy that does not reach it.
   */
  async healthz(options: HttpCallOptions = {}): Promise<boolean> {
    const answer = (await this.#get(TARGETS.healthz, options)).toString().trimEnd();
    if (answer === "ok") return true;
    // k8s.io/apiserver/pkg/server/healthz ends so, with what has failed before it.
    if (answer.endsWith("healthz check failed")) return false;
    throw corrupt(this.#where(TARGETS.healthz), "the answer is no kubelet's");
  }

  /** Ends what is under way, and connections. */
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
