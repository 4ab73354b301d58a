import type { NewEnd } from "../journal/pending-ends.js";
import type { WrittenLine } from "../journal/segments.js";
import type { Change, DeleteCause, Entry } from "../known/entry.js";
import type { Ledger } from "../known/ledger.js";
import type { Now } from "../lookup/anchors.js";
import { LOOKUP_MASK } from "../lookup/pod-keys.js";
import type { PastEnd, PodLives } from "../lookup/pod-lives.js";
import { statusPaths } from "../pod/container-instance.js";
import { decodeBy } from "../pod/decode.js";
import { END_PATHS, podEndOf } from "../pod/end.js";
import { type PodMask, podMask } from "../pod/mask.js";
import type { MaskedPod } from "../pod/masked-pod.js";
import { project } from "../pod/project.js";
import { scanHead } from "../pod/scan.js";
import { WORKLOAD_PATHS, workloadOf } from "../pod/workload.js";
import type { Sink } from "../stream/upstream.js";
import type { Clock } from "../timing/clock.js";
import { ContainerConsumer } from "./containers/container-consumer.js";
import { Scope, type Selection } from "./selection.js";

/** The fields of a pod that a journal keeps: never its environment, arguments or annotations. */
export const JOURNAL_MASK: PodMask = podMask(
  ...(["metadata.uid", "metadata.namespace", "metadata.name", "metadata.labels", "metadata.ownerReferences"] as const),
  ...(["metadata.creationTimestamp", "spec.nodeName", "spec.hostNetwork", "spec.initContainers.name"] as const),
  ...(["spec.initContainers.image", "spec.initContainers.restartPolicy", "spec.initContainers.resources"] as const),
  ...(["spec.containers.name", "spec.containers.image", "spec.containers.resources"] as const),
  ...(["status.phase", "status.reason", "status.message", "status.conditions", "status.qosClass"] as const),
  ...(["status.podIP", "status.podIPs", "status.startTime"] as const),
  ...statusPaths("name", "restartCount", "image", "imageID", "containerID", "state", "lastState"),
).union(LOOKUP_MASK, podMask(...END_PATHS));

const READ_MASK = podMask("metadata.uid", "metadata.namespace", ...WORKLOAD_PATHS, ...END_PATHS);
const FEED_MASK = JOURNAL_MASK.union(READ_MASK);
type ReadPod = MaskedPod<typeof READ_MASK>;

/** Makes records of the ends of an informer's pods and containers, when they are received. */
export class EndedFeed implements Sink {
  readonly #containers: ContainerConsumer<ReadPod>;
  readonly #scope: Scope;
  readonly #includeFinished: boolean;
  readonly #clock: Clock;
  readonly #lives: () => PodLives;
  readonly #append: (end: NewEnd) => void;
  /** The listed pods, including those that have ended. */
  readonly #present = new Set<string>();
  readonly #over = new Set<string>();

  /** @param append takes ends, in their order. */
  constructor(selection: Selection, clock: Clock, lives: () => PodLives, append: (end: NewEnd) => void) {
    const asked: Selection = { ...selection, mask: FEED_MASK, lookup: undefined };
    this.#scope = new Scope(asked);
    this.#includeFinished = selection.includeFinished;
    this.#clock = clock;
    this.#lives = lives;
    this.#append = append;
    this.#containers = new ContainerConsumer(
      asked,
      () => {},
      () => clock.wallMs(),
    );
  }

  get neededMask(): PodMask | undefined {
    return this.#containers.neededMask;
  }

  /** Takes the known pods. Ends that are still shown and not written yet are written. */
  snapshot(ledger: Ledger): void {
    this.#containers.snapshot(ledger);
    this.#drain();
    for (const { entry, active } of ledger.entries()) {
      this.#pod({ uid: entry.head.uid, entry, active, gone: false, cause: "finished" });
    }
  }

  accept(changes: readonly Change[], isListed: boolean): boolean {
    const isInDoubt = this.#containers.accept(changes, isListed);
    this.#drain();
    for (const change of changes) this.#pod(change);
    return isInDoubt;
  }

  listed(ledger: Ledger, nowMs: number): boolean {
    const isInDoubt = this.#containers.listed(ledger, nowMs);
    this.#drain();
    return isInDoubt;
  }

  synced(): void {}

  lost(): void {}

  #drain(): void {
    for (let event = this.#containers.take(); event !== undefined; event = this.#containers.take()) {
      if (event.type !== "ENDED") continue;
      const { pod, container, cause, end } = event;
      const { name, kind, containerID, restartCount } = container;
      const nowMs = this.#clock.now();
      this.#append({
        record: { ...this.#about(pod), container: { name, kind, containerID, restartCount }, cause, end },
        atMs: nowMs,
        afterMs: nowMs,
        pod: undefined,
        cgroups: [],
      });
    }
  }

  /** Takes a change of a pod, and writes its end. A listed pod that has already finished when it is first told is written, too. */
  #pod({ uid, entry, active, gone, cause }: Change): void {
    const isOver = !active && (gone || !this.#includeFinished);
    if (!isOver) {
      this.#present.add(uid);
      this.#over.delete(uid);
      return;
    }
    const isNews = this.#present.delete(uid) || !(gone || this.#over.has(uid));
    if (gone) this.#over.delete(uid);
    else this.#over.add(uid);
    if (isNews && this.#scope.has(entry, true) === true) this.#write(uid, entry, cause);
  }

  #write(uid: string, entry: Entry, cause: Change["cause"]): void {
    const pod = decodeBy(READ_MASK.plan, entry.bytes) as ReadPod;
    const nowMs = this.#clock.now();
    const life = this.#lives().life(uid);
    const departure = this.#includeFinished ? life?.gone : (life?.finished ?? life?.gone);
    this.#append({
      record: { ...this.#about(pod), container: undefined, cause, end: podEndOf(pod) },
      atMs: nowMs,
      afterMs: Math.min(nowMs, Math.max(departure?.untilMs ?? nowMs, life?.fromMs ?? nowMs)),
      pod: project(entry.bytes, JOURNAL_MASK.plan),
      cgroups: [...(life?.looked?.cgroups ?? [])],
    });
  }

  #about(pod: ReadPod) {
    const { uid, namespace, name } = pod.metadata;
    const workload = workloadOf(pod);
    const learnedAt = new Date(this.#clock.wallMs());
    return { uid, namespace, name, workload: workload && { kind: workload.kind, name: workload.name }, learnedAt };
  }
}

/** The kubelet process of pods from a journal: it equals no process that will be seen. */
const PAST = { number: -1 };

/** Returns the ends of a journal since a time, in the form that lookups take. */
export function pastEnds(lines: readonly WrittenLine[], bootID: string, now: Now, sinceMs: number): PastEnd[] {
  return lines.flatMap(({ record, atMs, afterMs, pod, cgroups }) => {
    // Another boot had another monotonic clock and other numbers of cgroups.
    const isBefore = record.bootID !== bootID;
    const learnedMs = isBefore ? now.nowMs - (now.wallMs - record.learnedAt.getTime()) : atMs;
    const { uid, container, cause, end } = record;
    if (learnedMs < sinceMs || learnedMs > now.nowMs || (container === undefined && pod === undefined)) return [];
    return {
      uid,
      entry: pod && { bytes: pod, head: scanHead(pod).head, retained: JOURNAL_MASK, process: PAST },
      instance: container && {
        ...container,
        runtime: "",
        image: "",
        imageID: "",
        startedAt: end.startedAt,
        ended: true,
      },
      cause: container === undefined ? (cause as DeleteCause) : "finished",
      atMs: learnedMs,
      afterMs: Math.min(learnedMs, learnedMs - (atMs - afterMs)),
      cgroups: new Map(isBefore ? [] : cgroups),
    };
  });
}
