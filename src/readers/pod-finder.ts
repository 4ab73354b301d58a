import { isActive, type PodRecord, podEndIn } from "../known/record.js";
import type { Version } from "../known/version.js";
import type { Time } from "../lookup/anchors.js";
import type { Answer, Found, UncertainReason } from "../lookup/answer.js";
import { isPresent } from "../lookup/candidates.js";
import type { Departure, PodLife } from "../lookup/key-interval.js";
import { holderOf, type Whose, whose } from "../lookup/key-owner.js";
import type { LookupKey } from "../lookup/pod-key.js";
import { KINDS } from "../lookup/pod-key.js";
import { runsIn } from "../lookup/pod-keys.js";
import type { RetentionWant } from "../lookup/retention.js";
import type { View } from "../lookup/view.js";
import type { ContainerRun } from "../pod/container-run.js";
import { FACTS_MASK } from "../pod/facts.js";
import type { PodMask } from "../pod/mask.js";
import { END_MASK } from "../pod/stop.js";
import { decoding } from "./consumer.js";
import { Scope, type Selection } from "./selection.js";

/**
 * Finds pods by keys for one informer: applies its selection, its mask and its retention of deleted pods to the shared index. Pods are
 * decoded when they are read, once per state.
 */
export class PodFinder<P> {
  /** The fields that lookups need besides those of the mask. */
  readonly lookup: PodMask;
  readonly #scope: Scope;
  readonly #includeFinished: boolean;
  readonly #read: (version: Version) => P;
  readonly #window: RetentionWant;
  readonly #decoded = new WeakMap<Version, P>();

  constructor(selection: Selection, window: RetentionWant) {
    this.lookup = window.retainMs > 0 ? FACTS_MASK.union(END_MASK) : FACTS_MASK;
    this.#scope = new Scope({ ...selection, lookup: this.lookup });
    this.#includeFinished = selection.includeFinished;
    this.#read = decoding<P>(selection.mask).read;
    this.#window = window;
  }

  /** The fields that must be known of each pod; undefined means all fields. */
  get neededMask(): PodMask | undefined {
    return this.#scope.neededMask;
  }

  /** Counts the pods. */
  count(records: Iterable<PodRecord>): number {
    return this.#scope.count(records);
  }

  /** Returns all pods. */
  list(records: Iterable<PodRecord>): P[] {
    const list: P[] = [];
    for (const record of records)
      if (this.#scope.has(record.version, isActive(record))) list.push(this.#decode(record.version));
    return list;
  }

  /** Returns the pod that has a key now. */
  present(lookupKey: LookupKey, view: View): P | undefined {
    const holding = holderOf(lookupKey, view);
    if (holding === undefined || holding.end !== undefined || this.#isSelected(holding.life, view) !== true)
      return undefined;
    return this.#endOf(holding.life) === undefined ? this.#decode(holding.life.record.version) : undefined;
  }

  /** Returns the answer to a key, now or at a time. */
  find(lookupKey: LookupKey, at: Time | undefined, view: View): Answer<P> {
    const answer = whose(lookupKey, at, view);
    return this.#found(answer, lookupKey, view) ?? this.#nobody(answer, at, view);
  }

  /**
   * Returns what {@link find} would if a wait for the key may end with it. By address and name that is a pod that is neither terminating nor
   * unconfirmed; with a time, one that may have had the key then. While the view is stale, only UIDs and IDs of containers end a wait.
   */
  awaited(lookupKey: LookupKey, at: Time | undefined, view: View): Found<P> | undefined {
    const isExact = !KINDS[lookupKey.kind].passesOn;
    if (!isExact && !view.isSynced) return undefined;
    const answer = whose(lookupKey, at, view);
    const { holding } = answer;
    if (holding === undefined) return undefined;
    if (!isExact && (at === undefined ? !isPresent(holding, lookupKey.kind, view) : answer.reason === "idle"))
      return undefined;
    return this.#found(answer, lookupKey, view);
  }

  /**
   * Returns true if a pod is selected, and exists or ended within the informer's `retainMs`; undefined if too little is known of it to
   * select it.
   */
  #isSelected(life: PodLife, view: View): boolean | undefined {
    const { version } = life.record;
    const isSeen = isActive(life.record);
    if (isSeen || (this.#includeFinished && life.gone === undefined)) return this.#scope.has(version, isSeen);
    const wasThere = this.#includeFinished || life.wasActive;
    return wasThere && this.#isRetained(this.#endOf(life), view) && this.#scope.has(version, true);
  }

  #isRetained(end: Departure | undefined, { lives, now }: View): boolean {
    if (end === undefined) return true;
    const { retainMs, maxRetained } = this.#window;
    return now().nowMs - end.atMs < retainMs && lives.retention.ends - end.nth < maxRetained;
  }

  /** Returns the end of a pod as the informer sees it. Without `includeFinished` a finished pod has ended. */
  #endOf({ gone, finished }: PodLife): Departure | undefined {
    return this.#includeFinished ? gone : (finished ?? gone);
  }

  /** Returns an answer with the pod of the holding, if the pod is selected, and exists or ended within `retainMs`. */
  #found({ holding, confidence, reason, others }: Whose, lookupKey: LookupKey, view: View): Found<P> | undefined {
    if (holding === undefined || this.#isSelected(holding.life, view) !== true || !this.#isRetained(holding.end, view))
      return undefined;
    const { life } = holding;
    const end = this.#endOf(life);
    const container = this.#containerOf(life, lookupKey, view);
    const pod = this.#decode(life.record.version);
    if (end === undefined) return { pod, container, confidence, reason, others, gone: undefined };
    const { nowMs, wallMs } = view.now();
    const toDate = (ms: number) => new Date(ms - nowMs + wallMs);
    const after = toDate(Math.max(end.untilMs, life.fromMs)); // it existed when it was told
    const gone = { at: toDate(end.atMs), after, cause: end.cause, end: podEndIn(life.record) };
    return { pod, container, confidence, reason, others, gone };
  }

  /** Returns the answer without a pod. It is uncertain if a forgotten pod may have had the key. */
  #nobody({ holding, confidence, reason, others }: Whose, at: Time | undefined, view: View): Answer<P> {
    const nobody = { pod: undefined, container: undefined, others, gone: undefined };
    const isPast = at !== undefined && at.ms < view.now().nowMs;
    const isForgotten =
      holding === undefined
        ? isPast && !this.#reaches(at.ms, view)
        : !this.#isRetained(holding.end, view) || !this.#isRetained(this.#endOf(holding.life), view);
    if (isForgotten && reason !== "clock") return { ...nobody, confidence: "uncertain", reason: "before-start" };
    if (holding !== undefined && this.#isSelected(holding.life, view) === undefined)
      return { ...nobody, confidence: "uncertain", reason: unknownBecause(holding.life) };
    return { ...nobody, confidence: confidence === "confirmed" ? "reported" : confidence, reason };
  }

  /** Returns true if all ends since a time are retained. */
  #reaches(ms: number, { lives: { retention }, now }: View): boolean {
    const { retainMs, maxRetained } = this.#window;
    return maxRetained > 0 && ms > now().nowMs - retainMs && ms > retention.forgottenMs;
  }

  /** Returns the container that a key names. Without a restart count it is the latest run of that name. */
  #containerOf(
    life: PodLife,
    { containerID, containerName, restartCount }: LookupKey,
    view: View,
  ): ContainerRun | undefined {
    if (containerID === undefined && containerName === undefined) return undefined;
    const isWhose = (each: ContainerRun) =>
      containerID === undefined
        ? each.name === containerName && (restartCount === undefined || each.restartCount === restartCount)
        : each.containerID === containerID;
    const known = runsIn(life.newest ?? life.record.version).find(isWhose);
    if (known !== undefined) return life.gone === undefined || known.ended ? known : { ...known, ended: true };
    for (const { instance, end } of life.ended ?? [])
      if (isWhose(instance) && this.#isRetained(end, view)) return instance;
    return undefined;
  }

  #decode(version: Version): P {
    let pod = this.#decoded.get(version);
    if (pod === undefined) {
      pod = this.#read(version);
      this.#decoded.set(version, pod);
    }
    return pod;
  }
}

/** Returns why too little is known of a pod to select it: its last version has fewer fields than the informer needs. */
function unknownBecause({ gone, record }: PodLife): UncertainReason {
  if (gone !== undefined) return "before-start";
  return record.isUnreadable ? "unreadable" : "unconfirmed";
}
