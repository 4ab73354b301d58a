import { PodsError } from "../errors/pods-error.js";
import { type KubeletHttpOptions, resolveHttpOptions } from "../sources/kubelet-http/http-options.js";
import { HttpGet } from "../sources/kubelet-http/http-request.js";
import type { Clock } from "../timing/clock.js";

/** The counters of the Pods API, by method (pkg/kubelet/metrics/metrics.go of v1.37.1); 1.36 has none. */
const COUNTERS = {
  ListPods: "kubelet_pod_requests_list_total",
  GetPod: "kubelet_pod_requests_get_total",
  WatchPods: "kubelet_pod_requests_watch_total",
} as const;

/** The kubelet's count of calls of each method. */
export type Counts = Readonly<Record<keyof typeof COUNTERS, number>>;

/** How long `/metrics` may take: the kubelet collects the metrics during the request. */
const TIMEOUT_MS = 10_000;

/** Reads `/metrics` of a kubelet. */
export class KubeletMetrics {
  readonly #http: HttpGet;
  /** The counts at the start; undefined if the kubelet has none; the error if they could not be read. */
  before: Counts | PodsError | undefined;
  /** The kubelet's version, from its metrics. */
  version: string | undefined;

  /** @throws PodsError `invalid-argument`, naming the option. */
  constructor(options: KubeletHttpOptions, clock: Clock) {
    this.#http = new HttpGet(resolveHttpOptions(options), clock);
  }

  /** Notes the counts before the first call. */
  async begin(): Promise<void> {
    this.before = await this.read();
  }

  /** Returns the current counts; undefined if the kubelet has none. */
  async read(): Promise<Counts | PodsError | undefined> {
    let text: string;
    try {
      text = (
        await this.#http.get({ path: "/metrics", right: "nodes/metrics" }, new AbortController().signal, TIMEOUT_MS)
      ).toString("latin1");
    } catch (error) {
      return PodsError.from(error);
    }
    this.version = /^kubernetes_build_info\{[^}\n]*git_version="(v[\w.+-]{1,40})"/m.exec(text)?.[1] ?? this.version;
    if (!text.includes("kubelet_pod_requests_")) return undefined;
    const [ListPods, GetPod, WatchPods] = Object.values(COUNTERS).map((name) => sumOf(text, name)) as [
      number,
      number,
      number,
    ];
    return { ListPods, GetPod, WatchPods };
  }

  /** Ends connections. */
  close(): void {
    this.#http.close();
  }
}

/** Adds up all series of one metric. */
function sumOf(text: string, name: string): number {
  const series = text.matchAll(new RegExp(`^${name}(?:\\{[^}\\n]*\\})? ([\\d.e+]+)`, "gm"));
  return [...series].reduce((sum, [, value]) => sum + Number(value), 0);
}
