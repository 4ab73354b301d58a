import { dropOldest } from "../../drop-oldest.js";
import type { EndedRun } from "../../known/run-fold.js";
import type { ContainerKind, ContainerRun } from "../../pod/container-run.js";

/** A change of one container, as readers receive it. */
export type RunChange =
  | { readonly type: "STARTED"; readonly run: ContainerRun; readonly initial: boolean }
  | ({ readonly type: "ENDED"; readonly initial: boolean } & EndedRun)
  | { readonly type: "MISSED"; readonly from: number; readonly to: number };

/** A delivery of the queue. */
export type RunDelivery<C> =
  | { readonly type: "CONTROL"; readonly control: C }
  | { readonly type: "CHANGE"; readonly container: QueuedContainer; readonly change: RunChange };

/** The container of a change. The queue identifies it by this object. */
export interface QueuedContainer {
  readonly kind: ContainerKind;
  readonly name: string;
}

type Whole = {
  readonly type: "WHOLE";
  readonly run: ContainerRun;
  readonly initial: boolean;
  readonly end: EndedRun;
};
type Missed = Extract<RunChange, { type: "MISSED" }>;

/** The waiting changes of one container. */
interface RunSlot {
  /** The end of the run whose start the reader has received. It is never dropped. */
  end: Extract<RunChange, { type: "ENDED" }> | undefined;
  /** Later runs that have started and ended, and missed restarts between them. */
  past: (Whole | Missed)[];
  /** The start of the running run. */
  start: Extract<RunChange, { type: "STARTED" }> | undefined;
}

/** The most runs of one container that wait with start and end. Older runs become MISSED. */
const MAX_RUNS = 8;

/** The most waiting containers of ended pods of which the reader has received nothing. The oldest are dropped. */
export const MAX_UNDELIVERED = 1_000;

/**
 * The queue of one watch of containers. Of each container at most one end, {@link MAX_RUNS} runs and one start wait, regardless of the number
 * of runs. Slots keep their first position. Of control events, the queue has only the newest of each type, in its newest position.
 */
export class RunQueue<C extends { type: string }> {
  readonly #slots = new Map<QueuedContainer | symbol, RunSlot | { readonly control: C }>();
  /** Containers of which the reader has received an event. */
  readonly #delivered = new WeakSet<QueuedContainer>();
  /** Waiting containers of ended pods of which the reader has received nothing. */
  readonly #undelivered = new Set<QueuedContainer>();
  /** The remaining changes of the current slot. Later changes get a new slot at the end. */
  #delivering: { readonly container: QueuedContainer; readonly changes: RunChange[] } | undefined;

  /** The number of waiting slots. */
  get size(): number {
    return this.#slots.size + (this.#delivering === undefined ? 0 : 1);
  }

  /** Counts the waiting events. Tests check its bound. */
  get pending(): number {
    let count = this.#delivering?.changes.length ?? 0;
    for (const slot of this.#slots.values()) {
      if (!("control" in slot)) count += slot.past.length + (slot.end ? 1 : 0) + (slot.start ? 1 : 0);
    }
    return count;
  }

  /** Queues the start of a run. */
  started(container: QueuedContainer, run: ContainerRun, initial: boolean): void {
    this.#slot(container).start = { type: "STARTED", run, initial };
  }

  /** Queues the end of a run. If its start still waits, both are delivered together. */
  ended(container: QueuedContainer, end: EndedRun, initial: boolean): void {
    const slot = this.#slot(container);
    if (slot.start === undefined) slot.end = { type: "ENDED", initial, ...end };
    else {
      slot.past.push({ type: "WHOLE", run: slot.start.run, initial: slot.start.initial, end });
      slot.start = undefined;
      fold(slot.past);
    }
  }

  missed(container: QueuedContainer, from: number, to: number): void {
    const { past } = this.#slot(container);
    past.push({ type: "MISSED", from, to });
    fold(past);
  }

  /** Called when a container is no longer watched although it has not ended. Drops a waiting start. */
  forget(container: QueuedContainer): void {
    if (this.#delivering?.container === container && this.#delivering.changes.at(-1)?.type === "STARTED") {
      this.#delivering.changes.pop();
      if (this.#delivering.changes.length === 0) this.#delivering = undefined;
    }
    const slot = this.#slots.get(container) as RunSlot | undefined;
    if (slot === undefined) return;
    slot.start = undefined;
    if (slot.end === undefined && slot.past.length === 0) this.#slots.delete(container);
    else this.gone(container);
  }

  /** Called when the pod of a container has ended. The number of such containers is limited. */
  gone(container: QueuedContainer): void {
    const slot = this.#slots.get(container) as RunSlot | undefined;
    if (slot === undefined || this.#delivered.has(container)) return;
    this.#undelivered.add(container);
    for (const oldest of dropOldest(this.#undelivered, MAX_UNDELIVERED)) this.#slots.delete(oldest);
  }

  control(control: C): void {
    const key = Symbol.for(control.type);
    this.#slots.delete(key);
    this.#slots.set(key, { control });
  }

  /** Removes and returns the change that has waited longest; undefined if none waits. */
  next(): RunDelivery<C> | undefined {
    while (this.#delivering === undefined) {
      const first = this.#slots.entries().next();
      if (first.done) return undefined;
      const [key, slot] = first.value;
      this.#slots.delete(key);
      if ("control" in slot) return { type: "CONTROL", control: slot.control };
      const container = key as QueuedContainer;
      this.#undelivered.delete(container);
      const changes = [...changesOf(slot)];
      if (changes.length > 0) this.#delivering = { container, changes };
    }
    const { container, changes } = this.#delivering;
    const change = changes.shift() as RunChange;
    this.#delivered.add(container);
    if (changes.length === 0) this.#delivering = undefined;
    return { type: "CHANGE", container, change };
  }

  #slot(container: QueuedContainer): RunSlot {
    const known = this.#slots.get(container) as RunSlot | undefined;
    const slot = known ?? { end: undefined, past: [], start: undefined };
    if (known === undefined) this.#slots.set(container, slot);
    return slot;
  }
}

/** Turns the oldest runs into missed ones if too many wait. */
function fold(past: (Whole | Missed)[]): void {
  const runs = () => past.filter(({ type }) => type === "WHOLE").length;
  const areMissed = () => {
    const [first, second] = past;
    return first?.type === "MISSED" && second?.type === "MISSED" && second.from === first.to + 1;
  };
  while (areMissed() || past.length > 2 * MAX_RUNS + 1 || runs() > MAX_RUNS) {
    const isOne = past[0]?.type === "WHOLE";
    const [first, last] = past.splice(0, isOne ? 1 : 2).map(countsOf) as [Counts, Counts?];
    // If the restart count decreased between the two, no range covers both. Then the range of the later ones counts.
    const [from, to] = last === undefined ? first : [Math.min(first[0], last[0]), last[1]];
    past.unshift({ type: "MISSED", from, to });
  }
}

type Counts = readonly [from: number, to: number];

function countsOf(item: Whole | Missed): Counts {
  return item.type === "MISSED" ? [item.from, item.to] : [item.run.restartCount, item.run.restartCount];
}

function* changesOf({ end, past, start }: RunSlot): Generator<RunChange, void, undefined> {
  if (end !== undefined) yield end;
  for (const item of past) {
    if (item.type === "MISSED") yield item;
    else {
      const { run, initial, end } = item;
      yield { type: "STARTED", run, initial };
      yield { type: "ENDED", initial, ...end };
    }
  }
  if (start !== undefined) yield start;
}
