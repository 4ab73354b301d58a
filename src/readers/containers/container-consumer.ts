import { dropOldest } from "../../drop-oldest.js";
import type { Change, KnownPods, ListFacts, LogEntry } from "../../known/log.js";
import { isActive, type PodRecord } from "../../known/record.js";
import { type Evidence, RunFold, type RunListener } from "../../known/run-fold.js";
import { AGREE_AFTER_MS, YOUNG_MS } from "../../known/times.js";
import type { Version } from "../../known/version.js";
import type { ContainerKind } from "../../pod/container-run.js";
import { decodeBy, type Plan } from "../../pod/decode.js";
import { runEndOf } from "../../pod/end.js";
import { CONTAINERS_MASK, type ContainerFacts, newFacts } from "../../pod/facts.js";
import { enoughFor, type PodMask, planOf } from "../../pod/mask.js";
import type { Pod } from "../../pod/pod.js";
import { END_MASK, readEnding } from "../../pod/stop.js";
import type { EventQueue } from "../event-stream.js";
import { type ControlEvent, syncedControl, type WaitingControl } from "../events.js";
import { Scope, type Selection } from "../selection.js";
import type { ContainerEvent } from "./container-event.js";
import { type QueuedContainer, type RunDelivery, RunQueue } from "./run-queue.js";

/** A container in the queue, with the pod that its events name. */
interface WatchedContainer<P> extends QueuedContainer {
  readonly pod: WatchedPod<P>;
}

/** A pod whose containers are watched. */
interface WatchedPod<P> {
  readonly record: PodRecord;
  /** The pod as it is, or as it was last known. */
  version: Version;
  /** The version whose containers were folded last. */
  foldedFrom: Version | undefined;
  decoded: { readonly version: Version; readonly pod: P } | undefined;
  /** The runs of its containers, and their places in the queue, by list and name. */
  readonly containers: Map<string, { readonly fold: RunFold; readonly queued: WatchedContainer<P> }>;
  /** True if nothing can have been missed before the pod was first seen. */
  readonly isOld: boolean;
  /** Defined while a status of it waits for a list. */
  unsettled: UnsettledStatuses | undefined;
}

/** The statuses of a pod's containers, one of which waits for a list. */
interface UnsettledStatuses {
  readonly statuses: readonly ContainerFacts[];
  /** When lists of one process began to show these statuses. */
  listedMs: number | undefined;
}

/** A container of an ended pod that may come back: a static pod can come back under its UID. */
interface FormerContainer {
  readonly kind: ContainerKind;
  readonly name: string;
  readonly fold: RunFold;
}

const isEnough = enoughFor(CONTAINERS_MASK);
const RUNS_MASK = CONTAINERS_MASK.union(END_MASK);

const NO_LISTENER: RunListener = { started: () => {}, ended: () => {}, missed: () => {} };

/** How many pods that have ended are remembered. */
const MAX_FORMER = 1_000;

/** How many containers of a pod are followed: more than any pod has. */
const MAX_CONTAINERS = 1_000;

/** How much the clock of the API server, which stamps the creation of pods, may differ from this one. */
const SKEW_MS = 60_000;

/**
 * The consumer of one watch of containers. It folds each change of a pod when it is received, so that no run is lost however slowly the
 * events are taken. Events are made when they are taken.
 */
export class ContainerConsumer<P = Pod> implements EventQueue<ContainerEvent<P>> {
  readonly #scope: Scope;
  readonly #includeFinished: boolean;
  readonly #plan: Plan;
  readonly #onReady: () => void;
  /** The listed pods; undefined for those that are not watched, or not any more. */
  readonly #pods = new Map<string, WatchedPod<P> | undefined>();
  /** The runs of pods that have ended, by UID. */
  readonly #former = new Map<string, Map<string, FormerContainer>>();
  readonly #wallMs: () => number;
  /** The known pods, once the reader has begun. */
  #known: KnownPods | undefined;
  /** When the first list was complete, as a time of day. */
  #sinceMs = 0;
  readonly #queue = new RunQueue<WaitingControl>();
  #watched = 0;
  /** Pods with a status that waits for a list. */
  readonly #unsettled = new Set<WatchedPod<P>>();
  /** True while the events describe the state at the opening of the stream. */
  #initial = false;
  /** True once its first SYNCED has been taken. */
  #synced = false;

  /** @param onReady is called when there may be something to take. @param wallMs returns the time of day. */
  constructor(selection: Selection, onReady: () => void, wallMs: () => number) {
    this.#wallMs = wallMs;
    const lookup: PodMask = selection.lookup?.union(RUNS_MASK) ?? RUNS_MASK;
    this.#scope = new Scope({ ...selection, lookup });
    this.#includeFinished = selection.includeFinished;
    this.#plan = planOf(selection.mask);
    this.#onReady = onReady;
  }

  get neededMask(): PodMask | undefined {
    return this.#scope.neededMask;
  }

  /** How many events wait. Tests check its bound. */
  get pending(): number {
    return this.#queue.pending;
  }

  /** True while a status waits for a list. */
  get wantsList(): boolean {
    return this.#unsettled.size > 0;
  }

  /** Queues the known runs. */
  begin(pods: KnownPods): void {
    this.#known = pods;
    this.#initial = true;
    this.#sinceMs = this.#wallMs();
    for (const record of pods.records()) {
      const { version } = record;
      this.#pods.set(record.uid, undefined);
      if (this.#scope.has(version, isActive(record))) this.#fold(this.#watch(record, true), version, "list");
    }
    this.#initial = false;
    this.#onReady();
  }

  accept(entry: LogEntry): void {
    if (entry.type === "changes") for (const change of entry.changes) this.#accept(change, entry.by);
    else if (entry.type === "listed") this.#listed(entry.list);
    // SYNCED and DISCONNECTED come behind all waiting events.
    else if (entry.type === "synced" && this.#known !== undefined)
      this.#control(syncedControl(this.#known, this.#scope));
    else if (entry.type === "lost") this.#control({ type: "DISCONNECTED", error: entry.error });
    if (this.#queue.size > 0) this.#onReady();
  }

  /** Takes what a list shows of statuses that waited for it. */
  #listed({ atMs, processSinceMs }: ListFacts): void {
    for (const pod of this.#pods.values())
      if (pod?.record.unconfirmed !== undefined) for (const { fold } of pod.containers.values()) fold.absent();
    const isSettled = atMs - processSinceMs >= YOUNG_MS;
    for (const pod of this.#unsettled) {
      if (pod.record.unconfirmed !== undefined || pod.record.isUnreadable) continue; // the list does not show this pod
      const unsettled = pod.unsettled as UnsettledStatuses;
      if (!isSettled) unsettled.listedMs = undefined; // only lists of the same process count as agreeing
      const isPresent = unsettled.listedMs !== undefined && atMs - unsettled.listedMs >= AGREE_AFTER_MS;
      if (isSettled) unsettled.listedMs ??= atMs;
      this.#settle(pod, unsettled.statuses, isPresent ? "present" : "list");
    }
  }

  /** Takes the next event; undefined if there is none now. */
  take(): ContainerEvent<P> | undefined {
    const delivery = this.#queue.next();
    if (delivery === undefined) return undefined;
    return delivery.type === "CONTROL" ? this.#controlOf(delivery.control) : this.#eventOf(delivery);
  }

  #accept({ record, version, isActive, isGone }: Change, evidence: Evidence): void {
    const { uid } = record;
    const isNew = !this.#pods.has(uid);
    const known = this.#pods.get(uid);
    const isOver = !isActive && (isGone || !this.#includeFinished);
    if (known !== undefined) {
      const selected = isOver || this.#scope.has(version, true);
      if (selected) this.#fold(known, version, evidence);
      else if (selected === false) this.#forget(uid, known); // undefined: too little is known, and the told state is kept
      if (selected && !isActive) this.#gone(known);
      if (isOver) this.#end(uid, known);
    } else {
      this.#pods.set(uid, undefined);
      const isOld = !isNew || this.#isOld(version);
      // The runs of a pod that came and ended unseen, for example in an outage, are told, too.
      const isMeant = !isOver || (isNew && !isOld) || this.#former.has(uid);
      if (isMeant && this.#scope.has(version, true)) {
        const pod = this.#watch(record, isOld);
        this.#fold(pod, version, evidence);
        if (!isActive) this.#gone(pod);
        if (isOver) this.#end(uid, pod);
      }
    }
    if (isGone) this.#pods.delete(uid);
  }

  /** Returns true if a pod is older than the stream though it is told only now: the first list of a kubelet may be partial. */
  #isOld({ head: { created } }: Version): boolean {
    return created !== undefined && Number(created) * 1_000 < this.#sinceMs - SKEW_MS;
  }

  #watch(record: PodRecord, isOld: boolean): WatchedPod<P> {
    const { uid, version } = record;
    const pod: WatchedPod<P> = {
      record,
      version,
      foldedFrom: undefined,
      decoded: undefined,
      containers: new Map(),
      isOld,
      unsettled: undefined,
    };
    // Runs that were told before the pod came back are not told again.
    for (const [key, { kind, name, fold }] of this.#former.get(uid) ?? []) this.#follow(pod, key, kind, name, fold);
    this.#former.delete(uid);
    this.#pods.set(uid, pod);
    this.#watched++;
    return pod;
  }

  #fold(pod: WatchedPod<P>, version: Version, evidence: Evidence): void {
    pod.version = version;
    if (pod.record.hasEmptyStatus || !isEnough(version.retained)) return;
    const facts = newFacts(version.bytes, pod.foldedFrom?.bytes);
    pod.foldedFrom = version;
    if (facts?.hasNewContainers !== true) return;
    pod.unsettled = undefined;
    this.#settle(pod, facts.containers, evidence);
  }

  /** Folds the statuses of a pod's containers, and notes whether one of them waits for a list. */
  #settle(pod: WatchedPod<P>, statuses: readonly ContainerFacts[], evidence: Evidence): void {
    let isSettled = true;
    for (const status of statuses) {
      const verdict = this.#foldOf(pod, status.kind, status.name)?.fold(status, evidence, pod.record.stop);
      if (verdict === "waiting" || verdict === "older") isSettled = false;
    }
    if (isSettled) {
      pod.unsettled = undefined;
      this.#unsettled.delete(pod);
    } else {
      pod.unsettled ??= { statuses, listedMs: undefined };
      this.#unsettled.add(pod);
    }
  }

  #foldOf(pod: WatchedPod<P>, kind: ContainerKind, name: string): RunFold | undefined {
    // A container stays the same if a requested change of the spec makes it a sidecar, or no sidecar any more (KEP-5972).
    const key = `${kind === "sidecar" ? "init" : kind} ${name}`;
    const known = pod.containers.get(key);
    if (known !== undefined) return known.fold;
    if (pod.containers.size >= MAX_CONTAINERS) return undefined;
    const fold = new RunFold(kind, name, pod.isOld ? undefined : 0, NO_LISTENER);
    this.#follow(pod, key, kind, name, fold);
    return fold;
  }

  /** Begins to queue the changes of a pod's container. */
  #follow(pod: WatchedPod<P>, key: string, kind: ContainerKind, name: string, fold: RunFold): void {
    const queued = { kind, name, pod };
    fold.listener = {
      started: (run) => this.#queue.started(queued, run, this.#initial),
      ended: (end) => this.#queue.ended(queued, end, this.#initial),
      missed: (from, to) => this.#queue.missed(queued, from, to),
    };
    pod.containers.set(key, { fold, queued });
  }

  /** Ends the containers of a pod that has ended. */
  #gone(pod: WatchedPod<P>): void {
    if (pod.unsettled !== undefined) this.#settle(pod, pod.unsettled.statuses, "list"); // no list will come
    this.#unsettled.delete(pod);
    for (const { fold } of pod.containers.values()) fold.gone(pod.record.stop);
  }

  /** Drops a pod that has ended, and remembers which runs were reported. */
  #end(uid: string, pod: WatchedPod<P>): void {
    const former = new Map<string, FormerContainer>();
    for (const [key, { fold, queued }] of pod.containers) {
      this.#queue.gone(queued);
      fold.listener = NO_LISTENER;
      former.set(key, { kind: queued.kind, name: queued.name, fold });
    }
    this.#former.set(uid, former);
    dropOldest(this.#former, MAX_FORMER);
    this.#unwatch(uid);
  }

  /** Drops a pod that is not selected any more: none of its containers has ended by that. */
  #forget(uid: string, pod: WatchedPod<P>): void {
    this.#unsettled.delete(pod);
    for (const { queued } of pod.containers.values()) this.#queue.forget(queued);
    this.#unwatch(uid);
  }

  #unwatch(uid: string): void {
    this.#pods.set(uid, undefined);
    this.#watched--;
  }

  #control(control: WaitingControl): void {
    this.#queue.control(control);
  }

  /** Fills in `initial` and `count`, which depend on the reader. */
  #controlOf(control: WaitingControl): ControlEvent {
    if (control.type === "DISCONNECTED") return control;
    const initial = !this.#synced;
    this.#synced = true;
    return { ...control, initial, count: this.#watched };
  }

  #eventOf({ container, change }: Extract<RunDelivery<WaitingControl>, { type: "CHANGE" }>): ContainerEvent<P> {
    const { kind, name, pod: watched } = container as WatchedContainer<P>;
    const pod = this.#decode(watched);
    if (change.type === "MISSED")
      return { type: "MISSED", pod, container: { kind, name }, restartCounts: [change.from, change.to] };
    if (change.type === "STARTED") return { type: "STARTED", pod, container: change.run, initial: change.initial };
    const { exit, reported, basis, stop, initial } = change;
    const { containerID } = change.run;
    const run = { containerID, exit, reported, isReplaced: basis === "replacement" };
    return {
      type: "ENDED",
      pod,
      container: change.run,
      end: runEndOf(run, readEnding(watched.version.bytes), stop),
      basis,
      initial,
    };
  }

  /** Decodes each state of a pod once for all of its events. */
  #decode(pod: WatchedPod<P>): P {
    if (pod.decoded?.version !== pod.version) {
      pod.decoded = { version: pod.version, pod: decodeBy(this.#plan, pod.version.bytes) as P };
    }
    return pod.decoded.pod;
  }
}
