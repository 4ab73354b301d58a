import { sameStatus } from "../pod/facts.js";
import { isFinishedHead, isStaticHead, type PodHead } from "../pod/head.js";
import { MAX_PODS } from "../pod/limits.js";
import type { PodMask } from "../pod/mask.js";
import { type Scanned, scanHead } from "../pod/scan.js";
import { AbsenceJudge, type UnconfirmedPods } from "./absence.js";
import { Completeness, type ListProof } from "./completeness.js";
import { KeptBytes } from "./kept-bytes.js";
import type { Change, GoneCause, KnownPods, ListFacts } from "./log.js";
import {
  isActive,
  isEnded,
  isNextPod,
  newRecord,
  type PodRecord,
  takeDeleted,
  takeGone,
  takeProcess,
  takeVersion,
} from "./record.js";
import { RunBook } from "./runs.js";
import { newStaging, type Staging, type StreamFacts } from "./staging.js";
import { REMOVED_AT_MS, SLACK_MS, UNCONFIRMED_AT_MOST_MS } from "./times.js";
import { Tombstones } from "./tombstones.js";
import { UnreadablePods } from "./unreadable-pods.js";
import { type KubeletProcess, type ListProcess, nameOf, processOf, type Version } from "./version.js";

/** The changes of one input, and whether a list is needed. */
export interface Outcome {
  readonly changes: readonly Change[];
  /** True if something may have been missed, so that a new list is needed. */
  readonly hasGap: boolean;
  /** True if the last event of a pod differs from the list. */
  readonly hasDifference?: boolean;
  /** Delay in milliseconds until a new list is needed for another reason; undefined if the usual resync is soon enough. */
  readonly listInMs?: number | undefined;
}

/** The most pods that may start and end between two lists. A kubelet starts fewer in that time. */
const MAX_WENT = 100_000;

const NO_OUTCOME: Outcome = { changes: [], hasGap: false };

/**
 * The known pods. A list is staged message by message and committed in one step; live events are applied at once. Each commit decides by
 * evidence whether the list comes from the same kubelet process as the last one. Pure: no clock, no I/O.
 */
export class Ledger implements KnownPods {
  readonly #known = new Map<string, PodRecord>();
  readonly #tombstones = new Tombstones();
  /** UIDs of static pods whose next pod was reported before their own end, until the next pod is added. */
  readonly #next = new Set<string>();
  readonly #unreadable = new UnreadablePods(this.#known);
  #staging: Staging | undefined;
  /** The number of pods that the kubelet has finished since the last list. */
  #went = 0;
  readonly #kept = new KeptBytes();
  /** The container runs of the known pods. */
  readonly runs: RunBook;
  #processes = 0;
  #process: KubeletProcess = { number: 0 };
  /** Time of the commit of the first list of the current kubelet process. */
  processSinceMs = 0;
  /** The facts and the time of the last committed list. */
  #committed: StreamFacts | undefined;
  #committedMs = 0;
  /** The pods about which the last list says nothing. */
  #touched: ReadonlySet<string> = new Set();
  readonly #wallMs: () => number;
  readonly #unconfirmed = new AbsenceJudge();
  readonly #completeness = new Completeness();
  /** True if a reader wants to know soon that the object of a finished pod was removed. */
  reportsRemovals = false;
  /** The number of malformed or unknown messages so far. */
  malformed = 0;

  /** @param wallMs returns the time of day. */
  constructor(wallMs: () => number) {
    this.#wallMs = wallMs;
    this.runs = new RunBook(this.#known, wallMs);
  }

  readRuns(): void {
    this.runs.begin();
  }

  /** The conclusions from the lists so far. */
  get proof(): ListProof {
    return this.#completeness.proof;
  }

  unconfirmed(includeFinished: boolean, has: (record: PodRecord) => boolean = () => true): UnconfirmedPods {
    return this.#unconfirmed.summary((record) => (includeFinished || isActive(record)) && has(record));
  }

  /** The number of all entries: known, deleted, unreadable and unconfirmed pods. Tests check its bound. */
  get size(): number {
    return this.#known.size + this.#tombstones.size + this.#unreadable.size + this.#unconfirmed.size;
  }

  /** True if more pods were received than any node has. The client must then stop reading. */
  get isFull(): boolean {
    if (this.#staging !== undefined ? this.#staging.count > MAX_PODS : this.#hasTooMany) return true;
    return this.#kept.isTooMuch(() => this.#versions());
  }

  /** True if there are too many pods, or too many tombstones since the last list. */
  get #hasTooMany(): boolean {
    const all = this.#known.size + this.#tombstones.size;
    return all - Math.min(this.#went, MAX_WENT) > MAX_PODS;
  }

  /** The number of bytes that are left for pods. */
  get freeBytes(): number {
    return this.#kept.free;
  }

  get unreadable(): ReadonlySet<string> {
    return this.#unreadable.uids;
  }

  get hasUnreadable(): boolean {
    return this.#unreadable.size > 0 || !this.hasUIDs;
  }

  get isUncertain(): boolean {
    return (
      this.#unconfirmed.isUncertain || !this.proof.provesAbsence || [...this.#next].some((uid) => this.awaitsNext(uid))
    );
  }

  /** Returns true if a static pod has ended, and the next pod of its manifest, which was reported, has not been added yet. */
  awaitsNext(uid: string): boolean {
    return this.#next.has(uid) && !this.#known.has(uid);
  }

  /** True if the source sends only lists, and no deletions as events. */
  get isPolled(): boolean {
    return this.#committed?.reportsDeletions === false;
  }

  /** The facts of the last list, as far as they are known now. */
  get list(): ListFacts {
    const mayLackPods = this.isUncertain || this.hasUnreadable;
    const { processSinceMs, isPolled } = this;
    const { isAccepted } = this.proof;
    const touched = this.#touched;
    return { atMs: this.#committedMs, processSinceMs, isAccepted, isPolled, mayLackPods, touched };
  }

  get hasUIDs(): boolean {
    return this.#unreadable.hasUIDs;
  }

  records(): Iterable<PodRecord> {
    return this.#known.values();
  }

  get(uid: string): PodRecord | undefined {
    return this.#known.get(uid);
  }

  /** Returns the number of listed pods, or of active ones only. */
  count(includeFinished: boolean): number {
    if (includeFinished) return this.#known.size;
    let active = 0;
    for (const record of this.#known.values()) if (isActive(record)) active++;
    return active;
  }

  /** Sets the mask of the fields that are retained of each pod from now on; undefined means all fields. */
  retain(mask: PodMask | undefined): void {
    this.#kept.mask = mask;
  }

  /**
   * Begins a list: that of a new stream, or one beside the live stream. Its messages are staged until {@link commit}.
   *
   * @param touched pods of which the live stream has sent an event since the list was sent. Undefined for a new stream.
   */
  begin(facts: StreamFacts, touched?: ReadonlySet<string>): void {
    this.#staging = newStaging(facts, { number: ++this.#processes }, touched);
    this.#kept.begin();
  }

  /** Stages a message before the sync marker. */
  stage(type: "ADDED" | "MODIFIED" | "DELETED", bytes: Uint8Array): void {
    const staging = this.#begun();
    staging.count++;
    if (type === "DELETED") {
      staging.hasGap = true;
      staging.versions.delete(scanHead(bytes).head.uid);
      return;
    }
    const scanned = this.#kept.scan(bytes);
    const { head } = scanned;
    if (head.uid === "") this.#stageNameless(staging, bytes);
    else if (staging.touched?.has(head.uid) === true)
      staging.touched.set(head.uid, this.#read(scanned, staging.process));
    else {
      const wasUnreadable = this.#unreadable.has(head.uid) || staging.unreadable.has(head.uid);
      const version = this.#read(scanned, staging.process);
      if (version === undefined) staging.unreadable.add(head.uid);
      else staging.unreadable.delete(head.uid);
      staging.hasGap ||= version === undefined && !wasUnreadable;
      // A pod that cannot be read keeps its last known state, which an earlier message of this list may have.
      const staged = version ?? staging.versions.get(head.uid) ?? this.#known.get(head.uid)?.version;
      if (staged !== undefined) staging.versions.set(head.uid, staged);
    }
  }

  /** Stages an entry without a UID. It may be any pod, or any pod of its name. */
  #stageNameless(staging: Staging, bytes: Uint8Array): void {
    this.#kept.drop();
    const { head, broken } = scanHead(bytes);
    this.malformed++;
    staging.hasGap = true;
    if (broken || head.name === "" || head.namespace === "") staging.unnamed = true;
    else staging.named.add(nameOf(head));
  }

  /** Returns true if the process of the last list has reported a pod. */
  #hasReported(uid: string): boolean {
    return this.#known.get(uid)?.version.process.number === this.#process.number;
  }

  /** Returns true if the staged list comes from the same kubelet process as the last one. */
  get isOfSameProcess(): boolean {
    return this.#processOf(this.#begun()) === "same";
  }

  /** Drops the staged list. */
  drop(): void {
    this.#staging = undefined;
    this.#kept.settle(this.#versions());
  }

  /** Commits the staged list: it replaces the known pods in one step. Deletions come first. */
  commit(nowMs: number): Outcome {
    const staging = this.#begun();
    const { touched } = staging;
    const process = this.#processOf(staging);
    if (process !== "same") {
      this.#forgetProcess();
      this.processSinceMs = nowMs;
    }
    // Two servers may encode the same pod differently, even if both read it from one kubelet.
    if (process === "same" && staging.facts.server === this.#committed?.server)
      staging.process.number = this.#process.number;
    this.#process = staging.process;
    // More unreadable pods than are noted may be any pods.
    if (!this.#unreadable.take(staging)) staging.unnamed = true;
    const heads = [...headsOf(listedIn(staging))];
    this.#completeness.judge({ ...staging.facts, answeredMs: nowMs }, heads, process);
    const sources = new Set(heads.map(({ source }) => source));
    const next = this.#takeNext(staging);
    const absent = [...this.#known.values()].filter(({ uid }) => !staging.versions.has(uid) && !touched?.has(uid));
    const { isRead } = this.proof;
    const { processSinceMs } = this;
    this.#unconfirmed.judge({ staging, known: this.#known, absent, sources, process, isRead, processSinceMs, nowMs });
    const gone: Change[] = [];
    const puts: Change[] = [];
    for (const record of absent) if (record.unconfirmed === undefined) gone.push(this.#drop(record));
    for (const [uid, version] of next) {
      if (this.#known.has(uid)) this.#next.add(uid);
      else staging.versions.set(uid, version);
    }
    for (const version of staging.versions.values()) this.#commitVersion(version, nowMs, gone, puts);
    this.#tombstones.age();
    const isNew = processSinceMs === nowMs;
    const isOld = nowMs - processSinceMs >= UNCONFIRMED_AT_MOST_MS && !this.#unconfirmed.isUncertain;
    this.#unreadable.commit(staging, { number: this.#process.number, isNew, isOld }, nowMs);
    this.#staging = undefined;
    this.#went = 0;
    this.#committed = staging.facts;
    this.#committedMs = nowMs;
    this.#touched = new Set(touched?.keys());
    this.#kept.settle(this.#versions());
    const hasDifference = [...(touched ?? [])].some(([uid, listed]) => this.#differs(uid, listed));
    return { changes: [...gone, ...puts], hasGap: staging.hasGap, hasDifference };
  }

  /** Returns true if the last event of a pod differs from a list. DELETED has no status. */
  #differs(uid: string, listed: Version | undefined): boolean {
    const known = this.#known.get(uid);
    if (known === undefined || known.standing.is === "deleted") return false;
    return listed === undefined || !sameStatus(known.version.bytes, listed.bytes);
  }

  /**
   * Removes the next pods of static pods that may still run from the list. Until their DELETED, these count as missing from it. A source
   * without such events shows their ends only in the status of the next pod.
   */
  #takeNext({ versions, facts, touched }: Staging): ReadonlyMap<string, Version> {
    for (const uid of this.#next) if (!touched?.has(uid)) this.#next.delete(uid);
    const next = new Map<string, Version>();
    if (!facts.reportsDeletions) return next;
    for (const [uid, version] of versions) {
      const known = this.#known.get(uid);
      if (known !== undefined && isNextPod(known, version)) next.set(uid, version);
    }
    for (const uid of next.keys()) versions.delete(uid);
    return next;
  }

  /**
   * Returns the delay in milliseconds until the next list is due, because pods are unconfirmed, statuses name no container, objects are about
   * to be removed, or no list was accepted as complete. Undefined if the usual resync is soon enough.
   */
  nextListMs(nowMs: number): number | undefined {
    let leastMs = Math.min(
      this.#unconfirmed.nextListMs(nowMs) ?? Number.POSITIVE_INFINITY,
      this.#proofWantedInMs(nowMs) ?? Number.POSITIVE_INFINITY,
    );
    for (const { names, removalSinceMs } of this.#known.values()) {
      if (typeof names === "object" && names.believedFromMs > nowMs)
        leastMs = Math.min(leastMs, names.believedFromMs - nowMs);
      if (removalSinceMs === undefined) continue;
      const nextMs = REMOVED_AT_MS.find((ms) => removalSinceMs + ms > nowMs + SLACK_MS);
      if (nextMs !== undefined) leastMs = Math.min(leastMs, removalSinceMs + nextMs - nowMs);
    }
    return Number.isFinite(leastMs) ? Math.ceil(leastMs) : undefined;
  }

  /** Returns the delay in milliseconds until a list can prove absences; undefined if they are proved, or no list can prove them yet. */
  proofInMs(nowMs: number): number | undefined {
    return this.#completeness.proofInMs(nowMs);
  }

  /** Returns {@link proofInMs} while no list was accepted, or pods are unconfirmed. Otherwise callers that need a proof request a list. */
  #proofWantedInMs(nowMs: number): number | undefined {
    const waits = !this.proof.isAccepted || this.#unconfirmed.size > 0;
    return waits ? this.proofInMs(nowMs) : undefined;
  }

  /**
   * Applies a message after the sync marker. ADDED and MODIFIED mean the same: the pod as it is now.
   */
  apply(type: "ADDED" | "MODIFIED" | "DELETED", bytes: Uint8Array, nowMs: number): Outcome {
    if (type === "DELETED") return this.#deleted(scanHead(bytes).head, nowMs);
    const scanned = this.#kept.scan(bytes);
    const { head } = scanned;
    const wasUnreadable = this.#unreadable.has(head.uid);
    const known = this.#known.get(head.uid);
    const version = this.#read(scanned, this.#process, known?.version);
    this.#noteRead(head.uid, version !== undefined);
    if (version === undefined) return { changes: [], hasGap: !wasUnreadable };
    if (known !== undefined && isNextPod(known, version)) {
      const isNews = !this.#next.has(head.uid);
      this.#next.add(head.uid);
      return { changes: [], hasGap: isNews };
    }
    if (known !== undefined) this.#unconfirmed.release(known);
    this.#completeness.note(head, nowMs);
    const isBack = this.#unconfirmed.lacks(head.source); // no pod of this source was listed
    const changes = this.#applyVersion(version, nowMs);
    this.#kept.compact(() => this.#versions());
    const inMs = [isBack ? 0 : undefined, this.#believedInMs(head, nowMs), this.#proofWantedInMs(nowMs)];
    const leastMs = Math.min(...inMs.map((ms) => ms ?? Number.POSITIVE_INFINITY));
    return { changes, hasGap: false, listInMs: Number.isFinite(leastMs) ? leastMs : undefined };
  }

  /** Returns the delay in milliseconds until the empty status of a pod counts; undefined if its status is not empty. */
  #believedInMs({ uid, hasStatuses }: PodHead, nowMs: number): number | undefined {
    const record = this.#known.get(uid);
    if (record === undefined || !record.hasEmptyStatus || hasStatuses || typeof record.names !== "object")
      return undefined;
    const { believedFromMs } = record.names;
    return believedFromMs > nowMs ? believedFromMs - nowMs : undefined;
  }

  /** Returns the staged list of the current stream. @throws Error if a source sends pods before it is connected. */
  #begun(): Staging {
    if (this.#staging === undefined) throw new Error("the source sent a message before CONNECTED");
    return this.#staging;
  }

  #applyVersion(version: Version, nowMs: number): Change[] {
    const { uid } = version.head;
    if (this.#tombstones.covers(version.head, "event")) return [];
    const known = this.#known.get(uid);
    if (known === undefined) return [this.#add(newRecord(version, "event"))];
    const before = known.version;
    const taken = takeVersion(known, version, "event", nowMs);
    if (taken === "another") return this.#replace(known, newRecord(version, "event"));
    return taken === "changed" ? [changeOf(known, before)] : [];
  }

  /** Replaces a pod by the next one with its UID, which may have the same stamp. */
  #replace(known: PodRecord, next: PodRecord): [end: Change, start: Change] {
    const isUnreadable = this.#unreadable.has(known.uid); // a later message of the list about the next pod
    const end = this.#drop(known);
    if (isUnreadable) this.#unreadable.add(known.uid, this.#process.number);
    this.#tombstones.remove(next.version.head);
    return [end, this.#add(next)];
  }

  #add(record: PodRecord): Change {
    this.#known.set(record.uid, record);
    this.#next.delete(record.uid);
    this.#unreadable.mark(record);
    return changeOf(record, undefined);
  }

  #commitVersion(version: Version, nowMs: number, gone: Change[], puts: Change[]): void {
    const { uid } = version.head;
    const known = this.#known.get(uid);
    if (known?.version === version) return; // listed, but unreadable: its last known state stays
    if (known === undefined) {
      const { head } = version;
      const record = newRecord(version, "list", this.#tombstones.covers(head, "list"));
      this.#tombstones.remove(head);
      puts.push(this.#add(record));
      this.#awaitRemoval(record, nowMs);
      return;
    }
    const before = known.version;
    const wasActive = isActive(known);
    const taken = takeVersion(known, version, "list", nowMs);
    if (taken === "another") {
      const [end, start] = this.#replace(known, newRecord(version, "list"));
      gone.push(end);
      puts.push(start);
      return;
    }
    this.#awaitRemoval(known, nowMs);
    if (taken === "changed") (wasActive && !isActive(known) ? gone : puts).push(changeOf(known, before));
  }

  #deleted({ uid }: PodHead, nowMs: number): Outcome {
    if (uid === "") {
      this.malformed++;
      return { changes: [], hasGap: true }; // it may be any pod, even one with the name of another
    }
    this.#unreadable.delete(uid);
    const known = this.#known.get(uid);
    if (known === undefined) {
      if (!this.#tombstones.has(uid)) this.#went++;
      this.#tombstones.add(uid); // an event of the pod can still follow
      return NO_OUTCOME;
    }
    if (known.standing.is === "deleted") return NO_OUTCOME;
    this.#unconfirmed.release(known);
    const { head } = known.version;
    // A static pod is listed until its manifest is removed, even if the pod has finished.
    if (isStaticHead(head) && !isFinishedHead(head)) {
      const changes = [this.#drop(known, "finished")];
      this.#tombstones.add(uid, head.seen);
      return { changes, hasGap: true }; // its manifest may have been put back
    }
    const wasActive = isActive(known);
    takeDeleted(known);
    this.#went++;
    this.#awaitRemoval(known, nowMs);
    const changes = wasActive ? [changeOf(known, known.version)] : [];
    return { changes, hasGap: false, listInMs: known.removalSinceMs === nowMs ? REMOVED_AT_MS[0] : undefined };
  }

  /** Notes that the pod's object will be removed. */
  #awaitRemoval(known: PodRecord, nowMs: number): void {
    const { terminating, hasFinalizers } = known.version.head;
    if (this.reportsRemovals && isEnded(known.standing) && terminating && !hasFinalizers)
      known.removalSinceMs ??= nowMs;
  }

  #drop(record: PodRecord, cause: GoneCause = "missing"): Change {
    const { uid, version, standing } = record;
    this.#unreadable.delete(uid);
    this.#known.delete(uid);
    if (isEnded(standing)) this.#tombstones.add(uid, version.head.seen);
    takeGone(record);
    return { record, before: version, version, isActive: false, isGone: true, cause };
  }

  /**
   * Returns whether the list comes from the same kubelet process as the last one, by stamps, otherwise by the connection. Over one connection,
   * the new stamp of a static pod rather means that its manifest was put back.
   */
  #processOf(staging: Staging): ListProcess {
    const { connection } = staging.facts;
    const isConnected = connection !== undefined && connection === this.#committed?.connection;
    const before = (uid: string) => this.#known.get(uid)?.version.head;
    const counts = (head: PodHead) => this.#hasReported(head.uid) && !(isConnected && isStaticHead(head));
    const process = processOf(headsOf(listedIn(staging)), before, counts);
    const isOfStream = isConnected || staging.touched !== undefined;
    return process === "unknown" && isOfStream ? "same" : process;
  }

  /** Forgets which pods the last process had finished, because another process may run them again. */
  #forgetProcess(): void {
    this.#tombstones.clear();
    for (const record of this.#known.values()) takeProcess(record);
  }

  /** Yields the versions of the staged list, or of the known pods if no list is staged. */
  *#versions(): Generator<Version, void, undefined> {
    if (this.#staging !== undefined) yield* this.#staging.versions.values();
    else for (const { version } of this.#known.values()) yield version;
  }

  /**
   * Returns the version of a pod; undefined if the pod cannot be read. Only this function decides that, so every mask can decode every
   * version. Bytes that equal those of the version before are not copied.
   */
  #read({ head, isReadable }: Scanned, process: KubeletProcess, before?: Version): Version | undefined {
    if (isReadable && head.uid !== "") {
      const bytes = this.#kept.keep(before);
      return { head, bytes, retained: this.#kept.mask, process, wallMs: this.#wallMs() };
    }
    this.#kept.drop();
    this.malformed++;
    return undefined;
  }

  /** Notes whether an event of a pod could be read. */
  #noteRead(uid: string, isRead: boolean): void {
    const staging = this.#staging;
    if (isRead) {
      this.#unreadable.delete(uid);
      staging?.unreadable.delete(uid);
    } else if (uid !== "" && this.#unreadable.add(uid, this.#process.number)) staging?.unreadable.add(uid);
    else if (staging !== undefined) staging.unnamed = true; // it may be any pod
  }
}

/** Yields all versions that a list has, those of touched pods included. */
function* listedIn({ versions, touched }: Staging): Generator<Version, void, undefined> {
  yield* versions.values();
  for (const version of touched?.values() ?? []) if (version !== undefined) yield version;
}

function* headsOf(versions: Iterable<Version>): Generator<PodHead, void, undefined> {
  for (const { head } of versions) yield head;
}

/** Returns the change of a listed pod. */
function changeOf(record: PodRecord, before: Version | undefined): Change {
  return { record, before, version: record.version, isActive: isActive(record), isGone: false, cause: "finished" };
}
