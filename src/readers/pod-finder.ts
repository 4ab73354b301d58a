import type { Entry, KnownPods } from "../known/entry.js";
import { inOrder, rankOf } from "../lookup/candidates.js";
import type { Found } from "../lookup/found.js";
import { type Choice, type End, type EndedContainer, type Holding, heldAt, type PodLife } from "../lookup/holding.js";
import type { Sought } from "../lookup/pod-key.js";
import { instancesIn, LOOKUP_MASK } from "../lookup/pod-keys.js";
import type { Now, PodLives } from "../lookup/pod-lives.js";
import type { RetentionWant } from "../lookup/retention.js";
import type { ContainerInstance } from "../pod/container-instance.js";
import { decodeBy, type Plan } from "../pod/decode.js";
import { type PodMask, planOf } from "../pod/mask.js";
import { Scope, type Selection } from "./selection.js";

/** The view that a finder reads, at one time. */
export interface View {
  readonly pods: KnownPods;
  readonly lives: PodLives;
  readonly now: () => Now;
  /** Whether what is known is what the kubelet has. */
  readonly isSynced: boolean;
}

/** The pod that a key means, before it is decoded. */
interface Meant extends Choice {
  /** Whether the pod is there to whom asks, and not one that is about to go: what may be waited for. */
  readonly isPresent: boolean;
}

/**
 * Finds pods by keys for one informer: its selection, its window of what has gone, and its mask are applied to what the index has.
 * Pods are decoded when somebody looks, once per version.
 */
export class PodFinder<P> {
  readonly #scope: Scope;
  readonly #includeFinished: boolean;
  readonly #plan: Plan;
  readonly #window: RetentionWant;
  readonly #decoded = new WeakMap<Entry, P>();

  constructor(selection: Selection, window: RetentionWant) {
    this.#scope = new Scope({ ...selection, lookup: LOOKUP_MASK });
    this.#includeFinished = selection.includeFinished;
    this.#plan = planOf(selection.mask);
    this.#window = window;
  }

  /** The fields that must be known of each pod; everything where it is undefined. */
  get neededMask(): PodMask | undefined {
    return this.#scope.neededMask;
  }

  /** Counts the pods. */
  count(pods: KnownPods): number {
    return this.#scope.count(pods);
  }

  /** Returns the pod with this UID. */
  get(pods: KnownPods, uid: string): P | undefined {
    const known = pods.get(uid);
    return known !== undefined && this.#scope.has(known.entry, known.active) ? this.#decode(known.entry) : undefined;
  }

  /** Returns all pods. */
  list(pods: KnownPods): P[] {
    const list: P[] = [];
    for (const { entry, active } of pods.entries()) if (this.#scope.has(entry, active)) list.push(this.#decode(entry));
    return list;
  }

  /** Returns the pod that has a key now. */
  present(sought: Sought, view: View): P | undefined {
    const holding = this.#meant(sought, undefined, view)?.holding;
    if (holding === undefined || holding.end !== undefined) return undefined;
    return this.#endOf(holding.life) === undefined ? this.#decode(holding.life.entry) : undefined;
  }

  /** Returns what a key means now, or meant at a time on the monotonic clock. */
  find(sought: Sought, atMs: number | undefined, view: View): Found<P> | undefined {
    const meant = this.#meant(sought, atMs, view);
    return meant && this.#found(meant, sought, view);
  }

  /**
   * Returns what {@link find} would, where that may be what is waited for: by address and name only a pod that is there to stay, or
   * whose the key may have been at that time. What a stale view has is known of UIDs and IDs of containers alone.
   */
  awaited(sought: Sought, atMs: number | undefined, view: View): Found<P> | undefined {
    const isExact = sought.kind === "uid" || sought.kind === "container";
    if (!isExact && !view.isSynced) return undefined;
    const meant = this.#meant(sought, atMs, view);
    if (meant === undefined || !(isExact || atMs !== undefined || meant.isPresent)) return undefined;
    return this.#found(meant, sought, view);
  }

  #meant(sought: Sought, atMs: number | undefined, view: View): Meant | undefined {
    const { lives } = view;
    switch (sought.kind) {
      case "uid":
        return this.#exactly(lifeOf(sought, lives), undefined, view);
      case "container": {
        const life = lives.byContainerID(sought.text);
        return this.#exactly(life, life && endedIn(life, sought.text)?.end, view);
      }
      case "name":
        return this.#ofSeveral(lives.byName(sought.text), atMs, view);
      case "address":
        return this.#ofSeveral(lives.byAddress(sought.text), atMs, view);
    }
  }

  #exactly(life: PodLife | undefined, end: End | undefined, view: View): Meant | undefined {
    if (life === undefined || !this.#isSelected(life, view) || !this.#isRetained(end, view)) return undefined;
    const { fromMs } = life;
    return { holding: { life, possibleFromMs: fromMs, fromMs, end }, certain: true, isPresent: true };
  }

  /** Decides whose a key is among all pods of the node, and only then whether that one is selected. */
  #ofSeveral(holdings: readonly Holding[], atMs: number | undefined, view: View): Meant | undefined {
    if (holdings.length === 0) return undefined;
    const choice = atMs === undefined ? undefined : before(holdings, atMs, view);
    const holding = atMs === undefined ? latest(holdings, view) : choice?.holding;
    if (holding === undefined) return undefined;
    const { life, end } = holding;
    if (!this.#isSelected(life, view) || !this.#isRetained(end, view)) return undefined;
    const isStaying = isPresent(holding, view);
    // It is there to stay, and no other is: then it has the key, as far as the view is what the kubelet has.
    const isAlone = () => !holdings.some((each) => each !== holding && isPresent(each, view));
    const isCertain = () => isStaying && view.isSynced && !view.pods.isUnreadable(life.uid) && isAlone();
    return { holding, certain: choice?.certain ?? isCertain(), isPresent: isStaying };
  }

  /** Returns whether a pod is selected, and is there, or went no longer ago than the informer wants to know. */
  #isSelected(life: PodLife, view: View): boolean {
    if (life.active || (this.#includeFinished && life.gone === undefined))
      return this.#scope.has(life.entry, life.active) === true;
    const wasThere = this.#includeFinished || life.wasActive;
    return wasThere && this.#isRetained(this.#endOf(life), view) && this.#scope.has(life.entry, true) === true;
  }

  #isRetained(end: End | undefined, { lives, now }: View): boolean {
    if (end === undefined) return true;
    const { retainMs, maxRetained } = this.#window;
    return now().nowMs - end.atMs < retainMs && lives.retention.ends - end.nth < maxRetained;
  }

  /** Returns the end of a pod as the informer sees it: finished pods are gone to one that leaves them out. */
  #endOf({ gone, finished }: PodLife): End | undefined {
    return this.#includeFinished ? gone : (finished ?? gone);
  }

  #found({ holding, certain }: Meant, sought: Sought, view: View): Found<P> {
    const { life } = holding;
    const end = this.#endOf(life);
    const container = this.#containerOf(life, sought, view);
    const pod = this.#decode(life.entry);
    if (end === undefined) return { pod, container, certain, gone: undefined };
    const { nowMs, wallMs } = view.now();
    const toDate = (ms: number) => new Date(ms - nowMs + wallMs);
    const after = toDate(Math.max(end.untilMs, life.fromMs)); // it was there when it was told
    return { pod, container, certain, gone: { at: toDate(end.atMs), after, cause: end.cause } };
  }

  /** Returns the container of a pod that is meant: of several lives of one name the latest, where no number is given. */
  #containerOf(
    life: PodLife,
    { containerID, containerName, restartCount }: Sought,
    view: View,
  ): ContainerInstance | undefined {
    if (containerID === undefined && containerName === undefined) return undefined;
    const isMeant = (each: ContainerInstance) =>
      containerID === undefined
        ? each.name === containerName && (restartCount === undefined || each.restartCount === restartCount)
        : each.containerID === containerID;
    const known = instancesIn(life.entry).find(isMeant);
    if (known !== undefined) return life.gone === undefined || known.ended ? known : { ...known, ended: true };
    for (const { instance, end } of life.ended) if (isMeant(instance) && this.#isRetained(end, view)) return instance;
    return undefined;
  }

  #decode(entry: Entry): P {
    let pod = this.#decoded.get(entry);
    if (pod === undefined) {
      pod = decodeBy(this.#plan, entry.bytes) as P;
      this.#decoded.set(entry, pod);
    }
    return pod;
  }
}

/** Returns the container with this ID that a pod's status names no longer. */
function endedIn({ ended }: PodLife, containerID: string): EndedContainer | undefined {
  for (const container of ended) if (container.instance.containerID === containerID) return container;
  return undefined;
}

/** Returns who has a key now: of several the one that it most likely means; else who lost it last. */
function latest(holdings: readonly Holding[], view: View): Holding | undefined {
  const [only] = holdings;
  if (holdings.length === 1) return only;
  const there = holdings.filter(({ end }) => end === undefined);
  const active = there.filter(({ life }) => life.active);
  const present = active.length > 0 ? active : there;
  if (present.length === 0) return holdings.reduce((a, b) => ((b.end as End).nth >= (a.end as End).nth ? b : a));
  const [first] = inOrder(
    present.map(({ life }) => life.entry),
    view.pods,
  );
  return present.find(({ life }) => life.entry === first);
}

function before(holdings: readonly Holding[], atMs: number, { lives, now, pods }: View): Choice | undefined {
  const { nowMs } = now();
  const thenMs = Math.min(atMs, nowMs);
  return heldAt(holdings, thenMs, (holding) => lives.isCertain(holding, thenMs, nowMs, pods));
}

/** Returns whether a pod has a key, and is there to stay. */
function isPresent({ life, end }: Holding, { pods }: View): boolean {
  return end === undefined && life.active && rankOf(life.entry.head, pods) === 0;
}

/** Returns the pod with a UID: of static pods, whose UIDs recur, the one that has the container that is meant. */
function lifeOf({ text, containerID }: Sought, lives: PodLives): PodLife | undefined {
  const holder = containerID === undefined ? undefined : lives.byContainerID(containerID);
  return holder?.uid === text ? holder : lives.life(text);
}
