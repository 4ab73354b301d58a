import { sameBytes } from "../pod/equality.js";
import { isFinishedHead, isStaticHead, type PodHead } from "../pod/head.js";
import { MAX_PODS } from "../pod/limits.js";
import type { PodMask } from "../pod/mask.js";
import { type Scanned, scanHead } from "../pod/scan.js";
import { AbsenceJudge, type UnconfirmedPods } from "./absence.js";
import { Completeness } from "./completeness.js";
import {
  areWrittenAlike,
  type Change,
  type Entry,
  type KnownPods,
  type KubeletProcess,
  type LedgerCause,
  type ListProcess,
  nameOf,
  processOf,
  stopIn,
} from "./entry.js";
import { KeptBytes } from "./kept-bytes.js";
import { deleted, FINISHED, first, isActive, isEnded, next, type PodRecord, type Standing } from "./record.js";
import { newStaging, type Staging, type StreamFacts } from "./staging.js";
import { ENDING_MS, graceMs, REMOVED_AT_MS, SLACK_MS, UNCONFIRMED_AT_MOST_MS } from "./times.js";

/** The changes that one input makes, and whether a list is wanted. */
export interface Outcome {
  readonly changes: readonly Change[];
  /** True if something may have been missed, so that a new list is wanted. */
  readonly suspect: boolean;
  /** In how many milliseconds a new list is wanted for another reason; undefined if the usual resync is soon enough. */
  readonly listInMs?: number | undefined;
}

/** A pod that could not be read: the number of the last process that listed it, and when lists of one process began to lack it. */
interface Illegible {
  readonly by: number;
  readonly lackedMs?: number;
}

/** How long a pod may still run after it has left the lists, if its grace period could not be read. */
const ILLEGIBLE_MS = graceMs() + ENDING_MS;

/** More unreadable pods than any node has. A broken server must not make the collection grow without bound. */
const MAX_UNREADABLE = 1_000;

/** How many pods may come and go between two lists. A kubelet starts fewer in that time. */
const MAX_WENT = 100_000;

const NOTHING: Outcome = { changes: [], suspect: false };

/**
 * The known pods. A list is staged message by message and committed in one step; live events are applied at once. Each commit decides by
 * evidence whether the list comes from the same kubelet process as the last one. Pure: no clock, no I/O.
 */
export class Ledger implements KnownPods {
  readonly #known = new Map<string, PodRecord>();
  /** Deleted UIDs that no list has any more, each with the number of commits since. */
  readonly #tombstones = new Map<string, number>();
  /** UIDs of pods that cannot be read. */
  readonly #unreadable = new Map<string, Illegible>();
  #staging: Staging | undefined;
  /** How many pods the kubelet has finished since the last list. */
  #went = 0;
  /** An entry without a UID; undefined if there can be none any more. */
  #nameless: Illegible | undefined;
  readonly #kept = new KeptBytes();
  #processes = 0;
  #process: KubeletProcess = { number: 0 };
  /** When the first list of this process was complete. */
  processSinceMs = 0;
  /** The facts of the last stream whose list was committed. */
  #committed: StreamFacts | undefined;
  readonly #unconfirmed = new AbsenceJudge();
  readonly #completeness = new Completeness();
  /** True if a reader wants to be told soon that the object of a finished pod is gone. */
  tellsRemovals = false;
  /** The number of malformed or unknown messages so far. */
  malformed = 0;

  /** True once a list has been taken as all pods of the node. */
  get isComplete(): boolean {
    return this.#completeness.isTaken;
  }

  /** Returns the pods that the last list lacked without proving their end, of those that readers see, with finished pods or without. */
  unconfirmed(includeFinished: boolean): UnconfirmedPods {
    return this.#unconfirmed.summary((uid) => includeFinished || this.#isActive(uid));
  }

  isUnconfirmed(uid: string): boolean {
    return this.#unconfirmed.has(uid);
  }

  isUnreadable(uid: string): boolean {
    return this.#unreadable.has(uid);
  }

  /** The number of entries: known pods, and tombstones of deleted ones. */
  get size(): number {
    return this.#known.size + this.#tombstones.size + this.#unreadable.size + this.#unconfirmed.size;
  }

  /** True if more has been received than any node has. Nothing more must be taken then. */
  get isFull(): boolean {
    if (this.#staging !== undefined ? this.#staging.count > MAX_PODS : this.#hasTooMany) return true;
    return this.#kept.isTooMuch(() => this.#entries());
  }

  /** True if there are too many pods, or too many tombstones since the last list. */
  get #hasTooMany(): boolean {
    const all = this.#known.size + this.#tombstones.size;
    return all - Math.min(this.#went, MAX_WENT) > MAX_PODS;
  }

  /** How many more bytes of pods may be kept. */
  get freeBytes(): number {
    return this.#kept.free;
  }

  /** UIDs of pods whose last message could not be read, so that their known state is older. */
  get unreadable(): ReadonlySet<string> {
    return new Set(this.#unreadable.keys());
  }

  get hasUnreadable(): boolean {
    return this.#unreadable.size > 0 || !this.hasUIDs;
  }

  get isInDoubt(): boolean {
    return this.#unconfirmed.isInDoubt || !this.isRead;
  }

  /** True if the source sends deletions as events, and not only by lists. */
  get reportsDeletions(): boolean {
    return this.#committed?.reportsDeletions ?? true;
  }

  /** True if the kubelet of the last list has proved to have read all of its pods. */
  get isRead(): boolean {
    return this.#completeness.provesAbsence;
  }

  /** True if a pod that the last list lacks is proved not to exist: the kubelet has read all pods, and each listed one has a known UID. */
  get provesAbsence(): boolean {
    return this.isRead && this.hasUIDs;
  }

  /** True if each entry of the last list, and each that has left the lists lately, has a known UID. */
  get hasUIDs(): boolean {
    return this.#nameless === undefined;
  }

  *entries(): Generator<{ entry: Entry; active: boolean }, void, undefined> {
    for (const record of this.#known.values()) yield { entry: record.entry, active: isActive(record) };
  }

  get(uid: string): { entry: Entry; active: boolean } | undefined {
    const record = this.#known.get(uid);
    return record && { entry: record.entry, active: isActive(record) };
  }

  #isActive(uid: string): boolean {
    const record = this.#known.get(uid);
    return record !== undefined && isActive(record);
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

  /** Begins a new stream. Its messages are staged until {@link commit}. */
  begin(facts: StreamFacts): void {
    this.#staging = newStaging(facts, { number: ++this.#processes });
    this.#kept.begin();
  }

  /** Stages a message before the sync marker. */
  stage(type: "ADDED" | "MODIFIED" | "DELETED", bytes: Uint8Array): void {
    const staging = this.#begun();
    staging.count++;
    if (type === "DELETED") {
      staging.suspect = true;
      staging.entries.delete(scanHead(bytes).head.uid);
      return;
    }
    const scanned = this.#kept.scan(bytes);
    const { head } = scanned;
    if (head.uid === "") this.#stageNameless(staging, bytes);
    else {
      const wasUnreadable = this.#unreadable.has(head.uid);
      const entry = this.#read(scanned);
      if (entry === undefined) staging.illegible.add(head.uid);
      staging.suspect ||= entry === undefined && !wasUnreadable;
      // If a pod cannot be read, its known state is kept: that of this list, if an earlier message has it.
      const staged = entry ?? staging.entries.get(head.uid) ?? this.#known.get(head.uid)?.entry;
      if (staged !== undefined) staging.entries.set(head.uid, staged);
    }
  }

  /** Stages an entry without a UID. It may be any pod, or any pod of its name. */
  #stageNameless(staging: Staging, bytes: Uint8Array): void {
    this.#kept.drop();
    const { head, broken } = scanHead(bytes);
    this.malformed++;
    staging.suspect = true;
    if (broken || head.name === "" || head.namespace === "") staging.unnamed = true;
    else staging.named.add(nameOf(head));
  }

  /** Commits at the sync marker: the staged list replaces the known pods in one step. Deletions come first. */
  commit(nowMs: number): Outcome {
    const staging = this.#begun();
    const process = this.#processOf(staging);
    if (process !== "same") {
      this.#forgetProcess();
      this.processSinceMs = nowMs;
    }
    // Two servers may encode the same pod differently, even if both read it from one kubelet.
    if (process === "same" && staging.facts.server === this.#committed?.server)
      staging.process.number = this.#process.number;
    this.#process = staging.process;
    this.#completeness.judge(staging.facts, headsOf(staging.entries.values()), process);
    const absent = new Map([...this.#known].filter(([uid]) => !staging.entries.has(uid)));
    const { isRead } = this.#completeness;
    const { processSinceMs } = this;
    this.#unconfirmed.judge({ staging, known: this.#known, absent, process, isRead, processSinceMs, nowMs });
    const gone: Change[] = [];
    const puts: Change[] = [];
    for (const uid of absent.keys()) if (!this.#unconfirmed.has(uid)) gone.push(this.#drop(uid));
    for (const entry of staging.entries.values()) this.#commitEntry(entry, nowMs, gone, puts);
    this.#ageTombstones();
    this.#forgetUnreadable(staging, nowMs);
    this.#staging = undefined;
    this.#went = 0;
    this.#committed = staging.facts;
    this.#kept.settle(this.#entries());
    return { changes: [...gone, ...puts], suspect: staging.suspect };
  }

  /**
   * Returns in how many milliseconds the next list is due, because pods are unconfirmed, statuses name no container, objects are about to
   * go, or no list has been taken as complete yet. Undefined if the usual resync is soon enough.
   */
  nextListMs(nowMs: number): number | undefined {
    let leastMs = Math.min(
      this.#unconfirmed.nextListMs(nowMs) ?? Number.POSITIVE_INFINITY,
      this.#proofWantedInMs(nowMs) ?? Number.POSITIVE_INFINITY,
    );
    for (const { bareUntilMs, removalSinceMs } of this.#known.values()) {
      if (bareUntilMs !== undefined && bareUntilMs > nowMs) leastMs = Math.min(leastMs, bareUntilMs - nowMs);
      if (removalSinceMs === undefined) continue;
      const nextMs = REMOVED_AT_MS.find((ms) => removalSinceMs + ms > nowMs + SLACK_MS);
      if (nextMs !== undefined) leastMs = Math.min(leastMs, removalSinceMs + nextMs - nowMs);
    }
    return Number.isFinite(leastMs) ? Math.ceil(leastMs) : undefined;
  }

  /** Returns in how many milliseconds a list can prove absences; undefined if they are proved, or if no list can prove them yet. */
  proofInMs(nowMs: number): number | undefined {
    return this.#completeness.proofInMs(nowMs);
  }

  /** Returns {@link proofInMs} while lists are not taken, or pods are unconfirmed. Otherwise whoever needs a proof asks for it. */
  #proofWantedInMs(nowMs: number): number | undefined {
    const waits = !this.isComplete || this.#unconfirmed.size > 0;
    return waits ? this.proofInMs(nowMs) : undefined;
  }

  /** Applies a message after the sync marker. ADDED and MODIFIED mean the same: the pod as it is now. */
  apply(type: "ADDED" | "MODIFIED" | "DELETED", bytes: Uint8Array, nowMs: number): Outcome {
    if (type === "DELETED") return this.#deleted(scanHead(bytes).head, nowMs);
    const scanned = this.#kept.scan(bytes);
    const { head } = scanned;
    const wasUnreadable = this.#unreadable.has(head.uid);
    const entry = this.#read(scanned, this.#known.get(head.uid)?.entry);
    if (entry === undefined) return { changes: [], suspect: !wasUnreadable };
    this.#unconfirmed.release(head.uid);
    this.#completeness.note(head, nowMs);
    const isBack = this.#unconfirmed.lacks(head.source); // a missing source of pods
    const changes = this.#applyEntry(entry, nowMs);
    this.#kept.compact(() => this.#entries());
    const bareUntilMs = entry.isBare === true ? this.#known.get(head.uid)?.bareUntilMs : undefined;
    const bareMs = bareUntilMs === undefined ? undefined : Math.max(0, bareUntilMs - nowMs);
    return { changes, suspect: false, listInMs: isBack ? 0 : (bareMs ?? this.#proofWantedInMs(nowMs)) };
  }

  /** Returns the staged list of the current stream. @throws Error if a source sends pods before it is connected. */
  #begun(): Staging {
    if (this.#staging === undefined) throw new Error("the source has said something before CONNECTED");
    return this.#staging;
  }

  #applyEntry(entry: Entry, nowMs: number): Change[] {
    const { uid } = entry.head;
    if (this.#tombstones.has(uid)) return [];
    const known = this.#known.get(uid);
    if (known === undefined) return [this.#add(entry, first(entry, "event"))];
    const standing = next(known, entry, "event", nowMs);
    if (standing === "late") return [];
    if (standing === "another") return [this.#drop(uid), this.#add(entry, first(entry, "event"))];
    const wasActive = isActive(known);
    const isEqual = sameBytes(known.entry.bytes, entry.bytes);
    entry.stop = isEqual ? known.entry.stop : stopIn(entry, known.entry);
    known.standing = standing;
    const same = isActive(known) === wasActive && isEqual;
    // Another process sent the same bytes: it has read the pod, too.
    if (!same || !areWrittenAlike(known.entry, entry)) known.entry = entry;
    return same ? [] : [put(entry, isActive(known))];
  }

  #add(entry: Entry, standing: Standing): Change {
    entry.stop = stopIn(entry, undefined);
    const record: PodRecord = {
      entry,
      standing,
      removalSinceMs: undefined,
      hadStatuses: entry.head.hasStatuses,
      bareUntilMs: undefined,
    };
    this.#known.set(entry.head.uid, record);
    return put(entry, isActive(record));
  }

  #commitEntry(entry: Entry, nowMs: number, gone: Change[], puts: Change[]): void {
    const { uid } = entry.head;
    const known = this.#known.get(uid);
    if (known?.entry === entry) return; // listed, but unreadable: its known state is kept
    if (known === undefined) {
      puts.push(this.#add(entry, first(entry, "list", this.#tombstones.delete(uid))));
      this.#awaitRemoval(this.#known.get(uid) as PodRecord, nowMs);
      return;
    }
    const { entry: before } = known;
    const standing = next(known, entry, "list", nowMs);
    if (standing === "another") {
      gone.push(this.#drop(uid));
      puts.push(this.#add(entry, first(entry, "list")));
      return;
    }
    const wasActive = isActive(known);
    const hadEnded = isEnded(known.standing);
    known.standing = standing;
    // More fields may be retained now, though the bytes are equal: readers that wait for these fields are told now.
    const isLike = before.retained === entry.retained && sameBytes(before.bytes, entry.bytes);
    entry.stop = isLike ? before.stop : stopIn(entry, before);
    const same = isLike && (before.isBare === true) === (entry.isBare === true);
    // The copies of one list share a buffer. The old copy would keep an old buffer alive.
    if (same) before.bytes = entry.bytes;
    // Another process sent the same bytes: from now on the entry belongs to that process.
    if (!same || !areWrittenAlike(before, entry)) known.entry = entry;
    if (hadEnded && !isEnded(known.standing)) known.removalSinceMs = undefined;
    this.#awaitRemoval(known, nowMs);
    if (same && isActive(known) === wasActive) return;
    const ended = wasActive && !isActive(known);
    (ended ? gone : puts).push(put(known.entry, isActive(known)));
  }

  #deleted({ uid }: PodHead, nowMs: number): Outcome {
    if (uid === "") {
      this.malformed++;
      return { changes: [], suspect: true }; // it may be any pod, even one with the name of another
    }
    this.#unreadable.delete(uid);
    const known = this.#known.get(uid);
    if (known === undefined || known.standing.is === "deleted") return NOTHING;
    this.#unconfirmed.release(uid);
    const { head } = known.entry;
    // A static pod whose manifest is gone is listed no longer. A finished one is listed as long as its manifest stays.
    if (isStaticHead(head) && !isFinishedHead(head)) return { changes: [this.#drop(uid, "finished")], suspect: false };
    const wasActive = isActive(known);
    known.standing = deleted(known.standing);
    this.#went++;
    this.#awaitRemoval(known, nowMs);
    const changes = wasActive ? [put(known.entry, false)] : [];
    return { changes, suspect: false, listInMs: known.removalSinceMs === nowMs ? REMOVED_AT_MS[0] : undefined };
  }

  /** Notes that the removal of a pod's object is awaited. */
  #awaitRemoval(known: PodRecord, nowMs: number): void {
    const { terminating, hasFinalizers } = known.entry.head;
    if (this.tellsRemovals && isEnded(known.standing) && terminating && !hasFinalizers) known.removalSinceMs ??= nowMs;
  }

  #drop(uid: string, cause: LedgerCause = "missing"): Change {
    const known = this.#known.get(uid) as PodRecord;
    this.#known.delete(uid);
    this.#unreadable.delete(uid);
    if (isEnded(known.standing) && !isStaticHead(known.entry.head)) this.#tombstones.set(uid, 0);
    return { uid, entry: known.entry, active: false, gone: true, cause };
  }

  /**
   * Forgets unreadable pods that are gone: the process that lacks them had read them, or has read everything, and enough time has passed
   * for their containers to end.
   */
  #forgetUnreadable({ illegible, unnamed, named, facts }: Staging, nowMs: number): void {
    const isOld = nowMs - this.processSinceMs >= UNCONFIRMED_AT_MOST_MS && !this.#unconfirmed.isInDoubt;
    const { number } = this.#process;
    const isAnother = this.processSinceMs === nowMs;
    const next = (last: Illegible, isThere: boolean): Illegible | undefined => {
      if (isThere) return { by: number };
      const lackedMs = isAnother ? nowMs : (last.lackedMs ?? nowMs);
      const isRead = facts.complete || isOld || last.by === number;
      return isRead && nowMs - lackedMs >= ILLEGIBLE_MS - SLACK_MS ? undefined : { by: last.by, lackedMs };
    };
    for (const [uid, last] of this.#unreadable) {
      if (this.#known.has(uid) && !illegible.has(uid)) continue;
      const still = next(last, illegible.has(uid));
      if (still === undefined) this.#unreadable.delete(uid);
      else this.#unreadable.set(uid, still);
    }
    const isThere = unnamed || named.size > 0;
    if (isThere || this.#nameless !== undefined) this.#nameless = next(this.#nameless ?? { by: number }, isThere);
  }

  /** Ages the tombstones. A tombstone lapses two commits after the last list that had the pod. */
  #ageTombstones(): void {
    for (const [uid, age] of this.#tombstones) {
      if (age >= 2) this.#tombstones.delete(uid);
      else this.#tombstones.set(uid, age + 1);
    }
  }

  /** Returns whether the list comes from the kubelet process of the last one: by stamps, else by the connection. */
  #processOf({ entries, facts: { connection } }: Staging): ListProcess {
    const process = processOf(headsOf(entries.values()), (uid) => this.#known.get(uid)?.entry.head);
    if (process !== "unknown") return process;
    return connection !== undefined && connection === this.#committed?.connection ? "same" : "unknown";
  }

  /** Forgets which pods the last process had finished: that shows nothing about the pods of another process. */
  #forgetProcess(): void {
    this.#tombstones.clear();
    for (const known of this.#known.values()) if (isEnded(known.standing)) known.standing = FINISHED;
  }

  /** Yields all kept entries: those of the staged list and the known ones. */
  *#entries(): Generator<Entry, void, undefined> {
    if (this.#staging !== undefined) yield* this.#staging.entries.values();
    else for (const { entry } of this.#known.values()) yield entry;
  }

  /**
   * Returns the entry of a pod. If the pod cannot be read, notes that and returns undefined. Only this function decides it: every mask can
   * decode every entry. Bytes that are equal to the ones before are not copied.
   */
  #read({ head, isReadable }: Scanned, before?: Entry): Entry | undefined {
    if (isReadable && head.uid !== "") {
      this.#unreadable.delete(head.uid);
      const bytes = this.#kept.keep(before);
      return { head, bytes, retained: this.#kept.mask, process: this.#staging?.process ?? this.#process };
    }
    this.#kept.drop();
    this.malformed++;
    const last = { by: (this.#staging?.process ?? this.#process).number };
    if (head.uid !== "" && this.#unreadable.size < MAX_UNREADABLE) this.#unreadable.set(head.uid, last);
    // An unreadable pod that is not noted by its UID may be any pod.
    else if (this.#staging !== undefined && !this.#unreadable.has(head.uid)) this.#staging.unnamed = true;
    return undefined;
  }
}

function* headsOf(entries: Iterable<Entry>): Generator<PodHead, void, undefined> {
  for (const { head } of entries) yield head;
}

function put(entry: Entry, active: boolean): Change {
  return { uid: entry.head.uid, entry, active, gone: false, cause: "finished" };
}
