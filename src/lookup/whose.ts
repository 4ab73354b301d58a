import type { KnownPods } from "../known/entry.js";
import { inOrder, rankOf } from "./candidates.js";
import type { End, Holding, TimedHolding } from "./holding.js";
import { KINDS } from "./key-kind.js";
import type { Sought } from "./pod-key.js";
import type { Now, PodLives } from "./pod-lives.js";

/** The pods of a node and their keys, as they are known at one time. */
export interface View {
  readonly pods: KnownPods;
  readonly lives: PodLives;
  readonly now: () => Now;
  /** Whether what is known is what the kubelet has. */
  readonly isSynced: boolean;
}

/** Whose a key is, or was. */
export interface Whose {
  readonly holding: Holding;
  /** Whether nobody else may have had the key at that time. */
  readonly certain: boolean;
  /** Whether the pod is there, and not one that is about to go: what may be waited for. */
  readonly isPresent: boolean;
}

/**
 * Says who has a key, or had it at a time on the monotonic clock, and how sure that is: among all pods of the node, whoever asks. Whether
 * one holding was certain at that time {@link PodLives.isCertain} says, which knows the outages; nobody else decides any of it.
 */
export function whose(sought: Sought, atMs: number | undefined, view: View): Whose | undefined {
  const { lives } = view;
  const holdings = lives.holdings(sought.kind, sought.text);
  if (!KINDS[sought.kind].passesOn) {
    const holding = exactly(sought, holdings, lives);
    return holding && { holding, certain: true, isPresent: true };
  }
  if (atMs !== undefined) {
    const { nowMs } = view.now();
    const thenMs = Math.min(atMs, nowMs);
    const choice = heldAt(holdings as readonly TimedHolding[], thenMs, (holding) =>
      lives.isCertain(holding, thenMs, nowMs, view.pods),
    );
    return choice && { ...choice, isPresent: isPresent(choice.holding, view) };
  }
  const holding = latest(holdings, view);
  if (holding === undefined) return undefined;
  const isStaying = isPresent(holding, view);
  // It is there to stay, and no other is: then it has the key, as far as the view is what the kubelet has.
  const isAlone = () => !holdings.some((each) => each !== holding && isPresent(each, view));
  const isRead = !view.pods.isUnreadable(holding.life.uid);
  return { holding, certain: isStaying && view.isSynced && isRead && isAlone(), isPresent: isStaying };
}

/** Returns who has a key that never passes on: of static pods, whose UIDs recur, the one that has the container that is meant. */
function exactly({ kind, containerID }: Sought, holdings: readonly Holding[], lives: PodLives): Holding | undefined {
  const last = holdings.at(-1);
  if (kind !== "uid" || containerID === undefined) return last;
  const holder = lives.holdings("container", containerID).at(-1)?.life;
  return holdings.find(({ life }) => life === holder) ?? last;
}

/** Returns who has a key now: of several the one that it most likely means; else who lost it last. */
function latest(holdings: readonly Holding[], view: View): Holding | undefined {
  const [only] = holdings;
  if (holdings.length < 2) return only;
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

/** Returns whether a pod has a key, and is there to stay. */
function isPresent({ life, end }: Holding, { pods }: View): boolean {
  return end === undefined && life.active && rankOf(life.entry, pods) === 0;
}

/**
 * Chooses whose key it was at a time: the one holding that is certain then. Else the one that may have begun last: of those that were
 * told later the first, and else of those that had been told by then the last, so that it is a neighbour of the true one in time.
 *
 * @param isCertain says whether a holding that had been told by then, and whose end was not, is certain at that time.
 */
function heldAt(
  holdings: readonly TimedHolding[],
  atMs: number,
  isCertain: (holding: Holding) => boolean,
): Pick<Whose, "holding" | "certain"> | undefined {
  let known: TimedHolding | undefined;
  let next: TimedHolding | undefined;
  let sure: TimedHolding | undefined;
  let sures = 0;
  for (const holding of holdings) {
    const { possibleFromMs, fromMs, end } = holding;
    if (atMs < possibleFromMs || (end !== undefined && atMs > end.atMs)) continue;
    if (atMs < fromMs) {
      if (next === undefined || fromMs < next.fromMs) next = holding;
      continue;
    }
    if (known === undefined || possibleFromMs >= known.possibleFromMs) known = holding;
    if (!isCertain(holding)) continue;
    sure = holding;
    sures++;
  }
  if (sures === 1 && sure !== undefined) return { holding: sure, certain: true };
  const isNext = next !== undefined && next.possibleFromMs >= (known?.possibleFromMs ?? Number.NEGATIVE_INFINITY);
  const holding = isNext ? next : known;
  return holding && { holding, certain: false };
}
