import type { CountByCode, Counters, EndedCall } from "../counters.js";
import { invalidArgument } from "../errors/pods-error.js";
import { checkOptions } from "../option-checks.js";
import { PodInformer } from "../readers/informer.js";
import { NAMES } from "./attribute-names.js";

type Attributes = Record<string, string>;

/**
 * The part of a `Meter` of `@opentelemetry/api` that metrics need. It is declared here, so that programs that only use attributes do not
 * need an OpenTelemetry package, not even for types.
 */
export interface MetricMeter {
  /** Makes the histogram of durations. */
  createHistogram(
    name: string,
    options: { description: string; unit: string; advice: { explicitBucketBoundaries: number[] } },
  ): { record(value: number, attributes: Attributes): void };
  /** Makes an instrument for values that are not summed. */
  createObservableGauge(name: string, options: { description: string; unit: string }): object;
  /** Makes an instrument for counts, which only grow. */
  createObservableCounter(name: string, options: { description: string; unit: string }): object;
  /** Makes an instrument for sums that can also fall. */
  createObservableUpDownCounter(name: string, options: { description: string; unit: string }): object;
  /** Registers a function that observes these instruments at each export. */
  addBatchObservableCallback(callback: (result: MetricResult) => void, observables: object[]): void;
}

/** Receives the values of a {@link MetricMeter}'s instruments at each export. */
export interface MetricResult {
  /** Records the value of an instrument. */
  observe(instrument: object, value: number, attributes: Attributes): void;
}

/** Options of {@link registerMetrics}. */
export interface MetricsOptions {
  /**
   * Value of the attribute `kubelet_pods.informer` of the metrics. Informers of the same client need different names.
   *
   * @default "0", "1" and so on, in the order in which a client's informers are registered
   */
  name?: string | undefined;
}

/** Attributes that distinguish the clients and informers of one process. */
const CLIENT = "kubelet_pods.client";
const INFORMER = "kubelet_pods.informer";
const EVENT_TYPE = "kubelet_pods.event.type";

/**
 * Registers the metrics of an informer, and of its client's stream and calls. An export reads them without calling the kubelet. Durations
 * are recorded when calls end. Values that informers of one client share are exported once. A closed informer is exported as not synced.
 * Registering an informer again adds no metrics; the registration ends when all returned objects are disposed.
 *
 * @param meter a meter of `@opentelemetry/api`, as `metrics.getMeter("my-agent")` returns it.
 * @returns an object whose `Symbol.dispose` ends the registration. The informer is exported once more, as not synced, because the
 * JavaScript SDK repeats the last values of ended series.
 * @throws PodsError `invalid-argument` if another informer of the client has this name.
 * @example
 * ```ts
 * import { metrics } from "@opentelemetry/api";
 * import { registerMetrics } from "kubelet-pods/otel";
 *
 * await using informer = pods.informer();
 * using registered = registerMetrics(informer, metrics.getMeter("my-agent"));
 * ```
 */
export function registerMetrics<P>(
  informer: PodInformer<P>,
  meter: MetricMeter,
  options: MetricsOptions = {},
): Disposable {
  checkOptions(options, { name: "string" }, "registerMetrics");
  if (!(informer instanceof PodInformer)) {
    throw invalidArgument("registerMetrics: informer must be an informer of a PodsClient", "pass pods.informer()");
  }
  let metrics = registered.get(meter);
  if (metrics === undefined) {
    metrics = new Metrics(meter);
    registered.set(meter, metrics);
  }
  return metrics.add(informer, options.name);
}

const registered = new WeakMap<MetricMeter, Metrics>();

/** The part of an informer that metrics read. */
type Informer = Pick<PodInformer, "counters" | "health" | "size" | "state">;

interface Client {
  readonly attributes: Attributes;
  /** Registered informers, each with its name and the number of its registrations. */
  readonly informers: Map<Informer, { readonly name: string; times: number }>;
  readonly onCall: (call: EndedCall) => void;
  /** Number for the next informer without a name. */
  count: number;
}

/** The instruments of one meter, and the registered informers. */
class Metrics {
  readonly #instruments: ReturnType<typeof instrumentsOf>;
  readonly #durations: ReturnType<MetricMeter["createHistogram"]>;
  readonly #clients = new Map<Counters, Client>();
  /** Number of each client, also while it has no registered informers. */
  readonly #numbers = new WeakMap<Counters, string>();
  #count = 0;
  /** Attributes of informers whose registration has ended since the last export. */
  readonly #ended: Attributes[] = [];

  constructor(meter: MetricMeter) {
    this.#instruments = instrumentsOf(meter);
    this.#durations = meter.createHistogram("kubelet_pods.call.duration", {
      description: "Duration of Pods API calls, including retries.",
      unit: "s",
      advice: { explicitBucketBoundaries: BUCKETS_SECONDS },
    });
    meter.addBatchObservableCallback((result) => this.#observe(result), Object.values(this.#instruments));
  }

  add(informer: Informer, name: string | undefined): Disposable {
    const { counters } = informer;
    const client = this.#clients.get(counters) ?? this.#enter(counters);
    let entry = client.informers.get(informer);
    if (entry === undefined) {
      const taken = new Set([...client.informers.values()].map(({ name }) => name));
      while (taken.has(String(client.count))) client.count++;
      const chosen = name ?? String(client.count);
      if (taken.has(chosen)) {
        throw invalidArgument(
          "registerMetrics: another informer of the client already has this name",
          "give each informer its own name",
        );
      }
      client.count++;
      entry = { name: chosen, times: 0 };
      client.informers.set(informer, entry);
    }
    entry.times++;
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        if (--entry.times > 0) return;
        client.informers.delete(informer);
        // If nothing is exported, the list must not grow forever.
        if (this.#ended.length < MAX_COUNTED_PODS) this.#ended.push({ ...client.attributes, [INFORMER]: entry.name });
        if (client.informers.size === 0) this.#leave(counters, client);
      },
    };
  }

  #enter(counters: Counters): Client {
    const number = this.#numbers.get(counters) ?? String(this.#count++);
    this.#numbers.set(counters, number);
    const attributes = { [CLIENT]: number };
    const hear = ({ method, durationMs, error }: EndedCall) => {
      const outcome = error === undefined ? {} : { [NAMES.errorType]: error };
      this.#durations.record(durationMs / 1_000, { ...attributes, [NAMES.rpcMethod]: method, ...outcome });
    };
    const client: Client = { attributes, informers: new Map(), onCall: hear, count: 0 };
    counters.observers.add(hear);
    this.#clients.set(counters, client);
    return client;
  }

  #leave(counters: Counters, { onCall: hear }: Client): void {
    counters.observers.delete(hear);
    this.#clients.delete(counters);
  }

  #observe(result: MetricResult): void {
    for (const attributes of this.#ended.splice(0)) result.observe(this.#instruments.synced, 0, attributes);
    for (const [counters, client] of this.#clients) {
      this.#observeClient(result, counters, client);
      for (const [informer, { name }] of client.informers) {
        this.#observeInformer(result, informer, { ...client.attributes, [INFORMER]: name });
      }
    }
  }

  #observeClient(result: MetricResult, { counts }: Counters, { attributes, informers }: Client): void {
    const { streams, resyncs, wedged, malformed, events, losses, retries, retained, waiting } = this.#instruments;
    const { evicted, journalFailures, lostEnds } = this.#instruments;
    result.observe(streams, counts.streams, attributes);
    result.observe(resyncs, counts.resyncs, attributes);
    result.observe(wedged, counts.wedged, attributes);
    result.observe(malformed, counts.malformed, attributes);
    result.observe(journalFailures, counts.journals.failures, attributes);
    result.observe(lostEnds, counts.journals.lostEnds, attributes);
    for (const [type, count] of Object.entries(counts.events)) {
      result.observe(events, count, { ...attributes, [EVENT_TYPE]: type });
    }
    const observeCodes = (instrument: object, counts: CountByCode) => {
      for (const [code, count] of Object.entries(counts)) {
        result.observe(instrument, count, { ...attributes, [NAMES.errorType]: code });
      }
    };
    observeCodes(losses, counts.losses);
    observeCodes(retries, counts.retries);
    // The informers of a client share these values, which are read from the last open one.
    const shared = [...informers.keys()].map(({ state }) => state).findLast(({ phase }) => phase !== "closed");
    result.observe(retained, shared?.retained ?? 0, attributes);
    result.observe(evicted, shared?.evicted ?? 0, attributes);
    result.observe(waiting, shared?.waiting ?? 0, attributes);
  }

  #observeInformer(result: MetricResult, informer: Informer, attributes: Attributes): void {
    const { synced, age, listAge, pods, unconfirmed, unreadable } = this.#instruments;
    const { state } = informer;
    const { ageMs } = informer.health();
    result.observe(synced, state.phase === "synced" ? 1 : 0, attributes);
    if (ageMs !== undefined) result.observe(age, ageMs / 1_000, attributes);
    if (state.listAgeMs !== undefined) result.observe(listAge, state.listAgeMs / 1_000, attributes);
    result.observe(pods, informer.size, attributes);
    result.observe(unconfirmed, state.unconfirmed.count, attributes);
    result.observe(unreadable, state.unreadable.size, attributes);
  }
}

/** Maximum number of informers that end between two exports and are exported as not synced. */
const MAX_COUNTED_PODS = 1_000;

/** Bucket boundaries of durations, in seconds. The kubelet answers within milliseconds; by default, calls may take ten seconds. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function instrumentsOf(meter: MetricMeter) {
  const gauge = (name: string, description: string, unit: string) =>
    meter.createObservableGauge(`kubelet_pods.${name}`, { description, unit });
  const upDown = (name: string, description: string, unit: string) =>
    meter.createObservableUpDownCounter(`kubelet_pods.${name}`, { description, unit });
  const counter = (name: string, description: string, unit: string) =>
    meter.createObservableCounter(`kubelet_pods.${name}`, { description, unit });
  return {
    synced: gauge("informer.synced", "1 if the informer is synced, otherwise 0.", "1"),
    age: gauge("informer.age", "Time since the informer's pods were last confirmed.", "s"),
    listAge: gauge("informer.list_age", "Time since the last complete list.", "s"),
    pods: upDown("informer.pods", "Pods that the informer has.", "{pod}"),
    unconfirmed: upDown("informer.unconfirmed", "Pods that the last list lacks and that may still exist.", "{pod}"),
    unreadable: upDown("informer.unreadable", "Pods whose last message could not be decoded.", "{pod}"),
    retained: upDown("retained", "Ends of pods, addresses and containers that are retained for lookups.", "{end}"),
    evicted: counter(
      "evicted",
      "Retained ends that were dropped because more than maxRetained were retained.",
      "{end}",
    ),
    waiting: upDown("waiting", "Pending waitFor calls.", "{caller}"),
    streams: counter("watch.streams", "Streams opened.", "{stream}"),
    resyncs: counter("watch.resyncs", "Complete lists after the first.", "{list}"),
    wedged: counter("watch.wedged", "Streams that were replaced because lists had news that they lacked.", "{stream}"),
    malformed: counter("watch.malformed", "Messages that could not be decoded, or have an unknown type.", "{message}"),
    events: counter("watch.events", "Pod events received.", "{message}"),
    losses: counter("watch.losses", "Streams that were lost or could not be opened.", "{stream}"),
    retries: counter("call.retries", "Failed attempts that were retried.", "{attempt}"),
    journalFailures: counter("journal.failures", "Writes and reads of journals that failed.", "{operation}"),
    lostEnds: counter("journal.lost_ends", "Ends that journals lost because writes failed.", "{end}"),
  };
}
