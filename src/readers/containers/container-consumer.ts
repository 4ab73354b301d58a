import { dropOldest } from "../../drop-oldest.js";
import type { Change, KnownPods, LogEntry } from "../../known/log.js";
import { isActive, type PodRecord } from "../../known/record.js";
import type { Container, RunFact } from "../../known/run-fold.js";
import { initialRuns, isOlderThan } from "../../known/runs.js";
import type { Version } from "../../known/version.js";
import { decodeBy, type Plan } from "../../pod/decode.js";
import { runEndOf } from "../../pod/end.js";
import { planOf } from "../../pod/mask.js";
import type { Pod } from "../../pod/pod.js";
import { readEnding } from "../../pod/stop.js";
import type { EventQueue } from "../event-stream.js";
import { SyncedEvents, type WaitingControl } from "../events.js";
import { Scope, type Selection } from "../selection.js";
import type { ContainerEvent } from "./container-event.js";
import { type QueuedContainer, type RunDelivery, RunQueue } from "./run-queue.js";

/** A container in the queue, with the pod of its events. */
interface WatchedContainer<P> extends QueuedContainer {
  readonly pod: WatchedPod<P>;
}

/** A pod whose containers are watched. */
interface WatchedPod<P> {
  readonly record: PodRecord;
  /** The last known state of the pod. */
  version: Version;
  decoded: { readonly version: Version; readonly pod: P } | undefined;
  /** Its containers that were queued at least once. They stay here after delivery. */
  readonly queued: Map<Container, WatchedContainer<P>>;
}

/** How a reader sees a pod that it does not watch yet. */
interface FirstSight {
  readonly hasEnded: boolean;
  /** The reader has watched the pod, and it had ended. */
  readonly hadEnded: boolean;
  /** No version of the pod was known before. */
  readonly isFirst: boolean;
  /** The same, and the pod was created since the reader began. */
  readonly isNew: boolean;
}

/**
 * The facts that are reported about a pod that was not watched before. The first row that applies counts. `change` means the facts of the
 * change, `shown` all runs that its status shows, unless they were reported before the pod left the selection, and `return` the facts of the
 * change and the running containers. Without a row, nothing is reported.
 */
const FIRST_FACTS: readonly { readonly when: Partial<FirstSight>; readonly report: "change" | "shown" | "return" }[] = [
  { when: { hasEnded: true, isNew: true }, report: "change" }, // it started and ended during an outage
  { when: { hasEnded: true, hadEnded: true }, report: "change" },
  { when: { hasEnded: false, isFirst: true }, report: "change" },
  { when: { hasEnded: false, hadEnded: false }, report: "shown" },
  { when: { hasEnded: false }, report: "return" }, // it runs again
];

/** The number of ended pods that are remembered. */
const MAX_ENDED_PODS = 1_000;

/** The log reader of one watch of containers. Queues facts about the runs of the selected pods. `take()` makes the events. */
export class ContainerConsumer<P = Pod> implements EventQueue<ContainerEvent<P>> {
  readonly #scope: Scope;
  readonly #includeFinished: boolean;
  readonly #plan: Plan;
  readonly #onReady: () => void;
  readonly #watched = new Map<PodRecord, WatchedPod<P>>();
  /** The UIDs of ended pods. If such a pod comes back, its reported runs are not reported again. */
  readonly #ended = new Set<string>();
  readonly #wallMs: () => number;
  /** The IDs of ended runs of pods that left the selection. If such a pod returns, these ends are not reported again. */
  readonly #left = new WeakMap<PodRecord, ReadonlySet<string>>();
  #sinceMs = 0;
  readonly #queue = new RunQueue<WaitingControl>();
  readonly #synced: SyncedEvents;

  /** @param onReady is called when an event may be ready. @param wallMs returns the time of day. */
  constructor(selection: Selection, onReady: () => void, wallMs: () => number) {
    this.#wallMs = wallMs;
    this.#scope = new Scope(selection);
    this.#includeFinished = selection.includeFinished;
    this.#plan = planOf(selection.mask);
    this.#onReady = onReady;
    this.#synced = new SyncedEvents(this.#scope, (record) => this.#watched.has(record));
  }

  /** The number of waiting events. Tests check its bound. */
  get pending(): number {
    return this.#queue.pending;
  }

  begin(pods: KnownPods): void {
    this.#synced.begin(pods);
    this.#sinceMs = this.#wallMs();
    pods.readRuns();
    for (const record of pods.records())
      if (this.#scope.shows(record.version, isActive(record)))
        this.#put(this.#watch(record, record.version), initialRuns(record), true);
    this.#onReady();
  }

  accept(entry: LogEntry): void {
    if (entry.type === "changes") for (const change of entry.changes) this.#changed(change);
    else if (entry.type === "listed") {
      for (const { record, runs } of entry.settled) {
        const pod = this.#watched.get(record);
        if (pod !== undefined) this.#put(pod, runs);
      }
    }
    // SYNCED and DISCONNECTED follow all waiting events.
    const control = this.#synced.after(entry);
    if (control !== undefined) this.#queue.control(control);
    if (this.#queue.size > 0) this.#onReady();
  }

  /** Takes the next event; undefined if there is none now. */
  take(): ContainerEvent<P> | undefined {
    const delivery = this.#queue.next();
    if (delivery === undefined) return undefined;
    return delivery.type === "CONTROL"
      ? this.#synced.take(delivery.control, this.#watched.size)
      : this.#eventOf(delivery);
  }

  #changed(change: Change): void {
    const { record, version, isActive, isGone, runs = [] } = change;
    const hasEnded = !isActive && (isGone || !this.#includeFinished);
    const known = this.#watched.get(record);
    if (known === undefined) {
      const facts = this.#scope.shows(version, true) ? this.#firstFacts(change, hasEnded) : undefined;
      if (facts === undefined) return;
      const pod = this.#watch(record, version);
      this.#put(pod, facts);
      if (hasEnded) this.#end(pod);
      return;
    }
    if (!hasEnded && !this.#scope.has(version, true)) {
      this.#forget(known, runs);
      return;
    }
    if (hasEnded || this.#scope.knows(version)) known.version = version;
    this.#put(known, runs);
    if (hasEnded) this.#end(known);
  }

  /** Returns the facts to report about a pod that was not watched before; undefined if it is not watched now. */
  #firstFacts({ record, before, version, runs = [] }: Change, hasEnded: boolean): readonly RunFact[] | undefined {
    const isFirst = before === undefined;
    const isNew = isFirst && !isOlderThan(version, this.#sinceMs);
    const sight: FirstSight = { hasEnded, hadEnded: this.#ended.has(record.uid), isFirst, isNew };
    const row = FIRST_FACTS.find(({ when }) =>
      Object.entries(when).every(([is, so]) => sight[is as keyof FirstSight] === so),
    );
    switch (row?.report) {
      case "change":
        return runs;
      case "shown": {
        const reported = this.#left.get(record);
        return initialRuns(record).filter(
          (fact) => fact.type === "MISSED" || reported?.has(fact.run.containerID) !== true,
        );
      }
      case "return":
        return [...runs, ...runningBeside(runs, record)];
      default:
        return undefined;
    }
  }

  #watch(record: PodRecord, version: Version): WatchedPod<P> {
    const pod: WatchedPod<P> = { record, version, decoded: undefined, queued: new Map() };
    this.#ended.delete(record.uid);
    this.#watched.set(record, pod);
    return pod;
  }

  #put(pod: WatchedPod<P>, facts: readonly RunFact[], isInitial = false): void {
    for (const fact of facts) {
      const { container } = fact;
      const queued = pod.queued.get(container) ?? { ...container, pod };
      pod.queued.set(container, queued);
      if (fact.type === "STARTED") this.#queue.started(queued, fact.run, isInitial);
      else if (fact.type === "ENDED") this.#queue.ended(queued, fact, isInitial);
      else this.#queue.missed(queued, fact.from, fact.to);
    }
  }

  /** Drops a pod that has ended. */
  #end(pod: WatchedPod<P>): void {
    for (const queued of pod.queued.values()) this.#queue.gone(queued);
    this.#watched.delete(pod.record);
    this.#ended.add(pod.record.uid);
    dropOldest(this.#ended, MAX_ENDED_PODS);
  }

  /** Drops a pod that is no longer selected. Its containers have not ended. */
  #forget(pod: WatchedPod<P>, unreported: readonly RunFact[]): void {
    for (const queued of pod.queued.values()) this.#queue.forget(queued);
    this.#watched.delete(pod.record);
    const reported = new Set(endsIn(initialRuns(pod.record)));
    for (const id of endsIn(unreported)) reported.delete(id);
    this.#left.set(pod.record, reported);
  }

  #eventOf({ container, change }: Extract<RunDelivery<WaitingControl>, { type: "CHANGE" }>): ContainerEvent<P> {
    const { kind, name, pod: watched } = container as WatchedContainer<P>;
    const pod = this.#decode(watched);
    if (change.type === "MISSED")
      return { type: "MISSED", pod, container: { kind, name }, restartCounts: [change.from, change.to] };
    if (change.type === "STARTED") return { type: "STARTED", pod, container: change.run, initial: change.initial };
    const { run, exit, reported, basis, stop, initial } = change;
    const ended = { containerID: run.containerID, exit, reported, isReplaced: basis === "replacement" };
    const end = runEndOf(ended, readEnding(watched.version.bytes), { stop, deletion: watched.record.deletion });
    return { type: "ENDED", pod, container: run, end, basis, initial };
  }

  /** Returns the decoded version of a pod, which all of its events share. */
  #decode(pod: WatchedPod<P>): P {
    if (pod.decoded?.version !== pod.version) {
      pod.decoded = { version: pod.version, pod: decodeBy(this.#plan, pod.version.bytes) as P };
    }
    return pod.decoded.pod;
  }
}

/** Returns the starts of running containers that are not among these facts. */
function runningBeside(runs: readonly RunFact[], record: PodRecord): RunFact[] {
  const started = new Set(runs.flatMap((fact) => (fact.type === "STARTED" ? fact.run.containerID : [])));
  return [...(record.runs?.folds.values() ?? [])].flatMap(({ container, running: run }): RunFact[] =>
    run === undefined || started.has(run.containerID) ? [] : [{ type: "STARTED", container, run }],
  );
}

/** Returns the IDs of the runs that have ended, by these facts. */
function endsIn(facts: readonly RunFact[]): string[] {
  return facts.flatMap((fact) => (fact.type === "ENDED" ? [fact.run.containerID] : []));
}
