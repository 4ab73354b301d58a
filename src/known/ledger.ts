import { sameBytes } from "../pod/equality.js";
import { isFinishedHead, isStaticHead, type PodHead } from "../pod/head.js";
import { MAX_PODS } from "../pod/limits.js";
import type { PodMask } from "../pod/mask.js";
import { type Scanned, scanHead } from "../pod/scan.js";
import type { ShownNow } from "../sources/shown.js";
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
} from "./entry.js";
import { SLACK_MS, UNCONFIRMED_AT_MOST_MS } from "./guard.js";
import { KeptBytes } from "./kept-bytes.js";
import { newStaging, type Staging, type StreamFacts } from "./staging.js";
import { ENDING_MS, graceMs, Unconfirmed, type UnconfirmedPods } from "./unconfirmed.js";

/** The changes that one input makes. */
export interface Outcome {
  readonly changes: readonly Change[];
  /** Something may have been missed: a new list is wanted. */
  readonly suspect: boolean;
  /** How long from now a new list is wanted besides; undefined where the usual one will do. */
  readonly listInMs?: number | undefined;
}

interface Known {
  entry: Entry;
  /** Whether consumers without finished pods see it. A pod whose final state came live is active until the kubelet's DELETED. */
  active: boolean;
  /** The kubelet has said DELETED, or a list showed it finished. The object may stay listed for days. */
  deleted: boolean;
  /** The kubelet has said DELETED: what comes of the pod then is late. */
  isTold: boolean;
  /** When that was first known, where the removal of the object is waited for. */
  toldMs: number | undefined;
  /** A status has named a container, or may have. */
  hadStatuses: boolean;
  /** Until when a status that names none says nothing; undefined where the last one named some. */
  bareUntilMs: number | undefined;
  /** Complete lists in a row, of one process, that showed a container running though the pod is `deleted`. */
  revived: number;
}

/** A pod that could not be read: the number of the process that said it last, and since when the lists of one process lack it. */
interface Illegible {
  readonly by: number;
  readonly lackedMs?: number;
}

/** For so long a pod may run on that has left the lists, and of which nobody could read for how long. */
const ILLEGIBLE_MS = graceMs() + ENDING_MS;

/** More than any node has: what is listed must not grow with what a broken peer sends. */
const MAX_UNREADABLE = 1_000;

/** How many pods may come and go between two lists: more than a kubelet starts in that time. */
const MAX_WENT = 100_000;

/** How many lists that show a deleted pod running it takes to believe that it runs again. */
const REVIVED_AFTER = 2;

/**
 * When lists are asked for after DELETED, for the removal of a pod's object, which no event tells. The API server removes it within
 * half a second as a rule.
 */
const REMOVED_AT_MS: readonly number[] = [500, 2_000, 8_000];

const NOTHING: Outcome = { changes: [], suspect: false };

/**
 * The pods that the server is known to have. Lists are staged and committed in one turn; live events are applied as they
 * come. Decides at each commit, by evidence, whether the list is of the same kubelet process as the last one. Pure: no clock,
 * no I/O.
 */
export class Ledger implements KnownPods {
  readonly #known = new Map<string, Known>();
  /** UIDs that were deleted and that no list has any more, with the commits since then. */
  readonly #tombstones = new Map<string, number>();
  /** UIDs of pods that cannot be read. */
  readonly #unreadable = new Map<string, Illegible>();
  #staging: Staging | undefined;
  /** Whether a kubelet that may not have read all of its pods lists none of the API server. */
  #lacksSource = false;
  /** How many pods the kubelet has been through with since the last list. */
  #went = 0;
  /** An entry without a UID; undefined where none may be there any more. */
  #nameless: Illegible | undefined;
  readonly #kept = new KeptBytes();
  #processes = 0;
  #process: KubeletProcess = { number: 0 };
  /** When the first list of this process was complete. */
  processSinceMs = 0;
  /** The facts of the last stream whose list was committed. */
  #committed: StreamFacts | undefined;
  readonly #unconfirmed = new Unconfirmed();
  readonly #completeness: Completeness;
  readonly #standalone: boolean;
  /** Whether anybody wants to be told soon that the object of a finished pod has gone. */
  tellsRemovals = false;
  /** Malformed or unknown messages so far. */
  malformed = 0;

  /** @param standalone whether there is no API server, so that a list without pods of it may be complete. */
  constructor(standalone = false) {
    this.#completeness = new Completeness(standalone);
    this.#standalone = standalone;
  }

  /** Whether it is proved that everything there is has been listed. */
  get isComplete(): boolean {
    return this.#completeness.isProved;
  }

  /** The pods that the last list lacked without proving their end. */
  get unconfirmed(): UnconfirmedPods {
    return this.#unconfirmed.summary;
  }

  isUnconfirmed(uid: string): boolean {
    return this.#unconfirmed.has(uid);
  }

  isUnreadable(uid: string): boolean {
    return this.#unreadable.has(uid);
  }

  /** The number of entries: known pods, and tombstones of deleted ones. */
  get size(): number {
    return this.#known.size + this.#tombstones.size + this.#unreadable.size + this.#unconfirmed.summary.count;
  }

  /** Whether what came is more than any node has: what comes then must not be taken. */
  get isFull(): boolean {
    if (this.#staging !== undefined ? this.#staging.count > MAX_PODS : this.#hasTooMany) return true;
    return this.#kept.isTooMuch(() => this.#entries());
  }

  /** Whether there are too many pods, or too many tombstones since the last list. */
  get #hasTooMany(): boolean {
    const all = this.#known.size + this.#tombstones.size;
    return all - Math.min(this.#went, MAX_WENT) > MAX_PODS;
  }

  /** How many more bytes of pods may be kept. */
  get freeBytes(): number {
    return this.#kept.free;
  }

  /** UIDs of pods whose last message could not be read; what is known of them is older. */
  get unreadable(): ReadonlySet<string> {
    return new Set(this.#unreadable.keys());
  }

  get hasUnreadable(): boolean {
    return this.#unreadable.size > 0 || !this.hasUIDs;
  }

  get isInDoubt(): boolean {
    return this.#unconfirmed.isInDoubt || !this.isComplete || this.#lacksSource;
  }

  /** Whether deletions are told as they come, and not by lists alone. */
  get tellsDeletions(): boolean {
    return this.#committed?.tellsDeletions ?? true;
  }

  /** Whether lists may be older than when they are given: they are polled, or a relay's. */
  get isSecondHand(): boolean {
    return !this.tellsDeletions || this.#committed?.relayed !== undefined;
  }

  /** Whether the last list proves that what it lacks is not there: all has been read, and the UID of each of its entries is known. */
  get provesAbsence(): boolean {
    return this.#completeness.isProvedHere && !this.#lacksSource && this.hasUIDs;
  }

  /** Whether the UID of each entry of the last list is known, and of what has left the lists lately. */
  get hasUIDs(): boolean {
    return this.#nameless === undefined;
  }

  *entries(): Generator<{ entry: Entry; active: boolean }, void, undefined> {
    for (const { entry, active } of this.#known.values()) yield { entry, active };
  }

  get(uid: string): { entry: Entry; active: boolean } | undefined {
    return this.#known.get(uid);
  }

  /** Returns how many pods are listed, or active. */
  count(includeFinished: boolean): number {
    if (includeFinished) return this.#known.size;
    let active = 0;
    for (const known of this.#known.values()) if (known.active) active++;
    return active;
  }

  /** Sets what is retained of each pod from now on; everything where it is undefined. */
  retain(mask: PodMask | undefined): void {
    this.#kept.mask = mask;
  }

  #hasApi(): boolean {
    for (const { head } of this.#begun().entries.values()) if (!isStaticHead(head)) return true;
    return false;
  }

  /** Begins a new stream: what comes is staged until {@link commit}. */
  begin(facts: StreamFacts): void {
    this.#staging = newStaging(facts, { number: ++this.#processes });
    this.#kept.begin();
  }

  /**
   * Notes that the list that comes is a relay's, which says whether it has everything there is. Its connection and its socket are the
   * relay's: they say nothing of the kubelet's process.
   */
  relayed({ isComplete, process }: ShownNow): void {
    const staging = this.#begun();
    const none = { connection: undefined, sinceMs: undefined, complete: false };
    staging.facts = { ...staging.facts, ...none, refuses: isComplete, relayed: process };
  }

  /** The number of the kubelet process of the last list. */
  get processNumber(): number {
    return this.#process.number;
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
      // Of a pod that cannot be read what is known stays.
      const staged = entry ?? this.#known.get(head.uid)?.entry;
      if (staged !== undefined) staging.entries.set(head.uid, staged);
    }
  }

  /** Stages an entry that names no UID: it may be any pod, or any of its name. */
  #stageNameless(staging: Staging, bytes: Uint8Array): void {
    this.#kept.drop();
    const { head, broken } = scanHead(bytes);
    this.malformed++;
    staging.suspect = true;
    if (broken || head.name === "" || head.namespace === "") staging.unnamed = true;
    else staging.named.add(nameOf(head));
  }

  /** Commits at the sync marker: what was staged takes the place of what was known, in one turn. Deletions come first. */
  commit(nowMs: number): Outcome {
    const staging = this.#begun();
    const process = this.#processOf(staging);
    if (process !== "same") {
      this.#forgetProcess();
      this.processSinceMs = nowMs;
    }
    // Two servers may write the same pod in other bytes, also where they read it from one kubelet.
    if (process === "same" && staging.facts.server === this.#committed?.server)
      staging.process.number = this.#process.number;
    this.#process = staging.process;
    this.#completeness.judge(staging.facts, headsOf(staging.entries.values()), process);
    const absent = new Map([...this.#known].filter(([uid]) => !staging.entries.has(uid)));
    const isRead = this.#completeness.isProvedHere;
    this.#unconfirmed.judge({ staging, known: this.#known, absent, process, isRead, nowMs });
    const gone: Change[] = [];
    const puts: Change[] = [];
    for (const uid of absent.keys()) if (!this.#unconfirmed.has(uid)) gone.push(this.#drop(uid));
    for (const entry of staging.entries.values()) this.#commitEntry(entry, nowMs, gone, puts);
    this.#ageTombstones();
    this.#forgetUnreadable(staging, nowMs);
    const { complete, refuses } = staging.facts;
    this.#lacksSource = !complete && !refuses && !this.#standalone && !this.#hasApi();
    this.#staging = undefined;
    this.#went = 0;
    this.#committed = staging.facts;
    this.#kept.settle(this.#entries());
    return { changes: [...gone, ...puts], suspect: staging.suspect };
  }

  /**
   * Returns how long from now the next list is due: because pods are unconfirmed, statuses say nothing, objects go, or lists have proved
   * nothing yet. Undefined where the usual one will do.
   */
  nextListMs(nowMs: number): number | undefined {
    let leastMs = Math.min(
      this.#unconfirmed.nextListMs(nowMs) ?? Number.POSITIVE_INFINITY,
      this.#completeness.nextListMs(nowMs) ?? Number.POSITIVE_INFINITY,
    );
    for (const { bareUntilMs, toldMs } of this.#known.values()) {
      if (bareUntilMs !== undefined && bareUntilMs > nowMs) leastMs = Math.min(leastMs, bareUntilMs - nowMs);
      if (toldMs === undefined) continue;
      const next = REMOVED_AT_MS.find((ms) => toldMs + ms > nowMs + SLACK_MS);
      if (next !== undefined) leastMs = Math.min(leastMs, toldMs + next - nowMs);
    }
    return Number.isFinite(leastMs) ? Math.ceil(leastMs) : undefined;
  }

  /** Applies a message after the sync marker. Its type says little: ADDED and MODIFIED are both the pod as it is now. */
  apply(type: "ADDED" | "MODIFIED" | "DELETED", bytes: Uint8Array, nowMs: number): Outcome {
    if (type === "DELETED") return this.#deleted(scanHead(bytes).head, nowMs);
    const scanned = this.#kept.scan(bytes);
    const { head } = scanned;
    const wasUnreadable = this.#unreadable.has(head.uid);
    const entry = this.#read(scanned, this.#known.get(head.uid)?.entry);
    if (entry === undefined) return { changes: [], suspect: !wasUnreadable };
    this.#unconfirmed.release(head.uid);
    const isBack = this.#unconfirmed.lacks(head.source); // a source of pods that was missing
    const changes = this.#applyEntry(entry, nowMs);
    this.#kept.compact(() => this.#entries());
    const bareUntilMs = entry.isBare === true ? this.#known.get(head.uid)?.bareUntilMs : undefined;
    const bareMs = bareUntilMs === undefined ? undefined : Math.max(0, bareUntilMs - nowMs);
    return { changes, suspect: false, listInMs: isBack ? 0 : bareMs };
  }

  /** Returns the staged list of the stream that has begun. @throws Error where a source speaks before it is connected. */
  #begun(): Staging {
    if (this.#staging === undefined) throw new Error("the source has said something before CONNECTED");
    return this.#staging;
  }

  #applyEntry(entry: Entry, nowMs: number): Change[] {
    const { head } = entry;
    const { uid } = head;
    if (this.#tombstones.has(uid)) return [];
    const known = this.#known.get(uid);
    if (known === undefined) return [this.#add(entry, !isFinishedHead(head))];
    const isOver = isFinishedHead(head);
    // Of a pod that the kubelet is through with what comes is late, but for a static one, which may run again under its UID. An event
    // that lets a pod run which a list showed finished is older than the list.
    if (known.deleted && !isStaticHead(head) && (known.isTold || !isOver)) return [];
    if (known.deleted && isStaticHead(head) && isOver) return [];
    if ((known.deleted && isStaticHead(head)) || this.#isAnother(known.entry, entry))
      return [this.#drop(uid), this.#add(entry, !isOver)];
    judgeBare(known, entry, nowMs);
    const active = !known.deleted && (known.active || !isOver);
    const same = active === known.active && sameBytes(known.entry.bytes, entry.bytes);
    // The same bytes of another process: that one has read the pod, too.
    if (!same || known.entry.process.number !== entry.process.number) known.entry = entry;
    known.active = active;
    return same ? [] : [put(entry, active)];
  }

  #add(entry: Entry, active: boolean, deleted = false): Change {
    const { uid, hasStatuses: hadStatuses } = entry.head;
    const isNew = { isTold: false, toldMs: undefined, bareUntilMs: undefined, revived: 0 };
    this.#known.set(uid, { entry, active, deleted, hadStatuses, ...isNew });
    return put(entry, active);
  }

  #commitEntry(entry: Entry, nowMs: number, gone: Change[], puts: Change[]): void {
    const { uid } = entry.head;
    const known = this.#known.get(uid);
    if (known?.entry === entry) return; // listed, but not legible: it stands as it stood
    const isOver = isFinishedHead(entry.head);
    const isStatic = isStaticHead(entry.head);
    if (known === undefined) {
      const buried = this.#tombstones.delete(uid);
      // What a list shows finished is finished for good: an event that says otherwise is older than the list.
      puts.push(this.#add(entry, !isOver && !buried, buried || isThrough(entry)));
      this.#revive(uid);
      this.#awaitRemoval(this.#known.get(uid) as Known, nowMs);
      return;
    }
    const wasBare = known.entry.isBare === true;
    if (!this.#isAnother(known.entry, entry)) judgeBare(known, entry, nowMs);
    // A process that has not looked at a pod yet lists it as pending: one that has run to its end may have been put back meanwhile.
    const mayRunAgain = !isOver && !areWrittenAlike(known.entry, entry);
    const active = entry.isBare === true ? known.active || mayRunAgain : !isOver;
    // Of static pods a UID recurs: one that has run to its end, and does not end here, is another.
    if (this.#isAnother(known.entry, entry) || (known.deleted && active && isStatic)) {
      gone.push(this.#drop(uid));
      puts.push(this.#add(entry, !isOver, isThrough(entry)));
      return;
    }
    known.deleted ||= !active && isThrough(entry);
    // What is kept may be more than before, though the bytes are the same: who waits for that is told now.
    const isLike = known.entry.retained === entry.retained && sameBytes(known.entry.bytes, entry.bytes);
    const same = isLike && wasBare === (entry.isBare === true);
    // Copies of one list lie together: where the old one lies, others may long be gone.
    if (same) known.entry.bytes = entry.bytes;
    // The same bytes of another process: what is known is of that one from now on.
    if (!same || known.entry.process.number !== entry.process.number) known.entry = entry;
    this.#revive(uid);
    this.#awaitRemoval(known, nowMs);
    const nowActive = active && !known.deleted;
    if (same && nowActive === known.active) return;
    const ended = known.active && !nowActive;
    known.active = nowActive;
    (ended ? gone : puts).push(put(known.entry, nowActive));
  }

  /**
   * Revives a deleted pod that lists show running: removed from the kubelet's configuration and added again it has the same
   * UID, and runs again (pkg/kubelet/pod_workers.go). Running containers are proof, a phase is none.
   */
  #revive(uid: string): void {
    const known = this.#known.get(uid) as Known;
    if (!known.deleted) return;
    known.revived = known.entry.head.running ? known.revived + 1 : 0;
    if (known.revived < REVIVED_AFTER) return;
    Object.assign(known, { deleted: false, isTold: false, toldMs: undefined, revived: 0 });
  }

  #deleted({ uid }: PodHead, nowMs: number): Outcome {
    if (uid === "") {
      this.malformed++;
      return { changes: [], suspect: true }; // it may be any pod, also one that has the name of another
    }
    this.#unreadable.delete(uid);
    const known = this.#known.get(uid);
    if (known === undefined || known.isTold) return NOTHING;
    this.#unconfirmed.release(uid);
    const { head } = known.entry;
    // A static pod whose manifest is gone is listed no longer. One that has run to its end is, as long as its manifest stays.
    if (isStaticHead(head) && !isFinishedHead(head)) return { changes: [this.#drop(uid, "finished")], suspect: false };
    const wasActive = known.active;
    Object.assign(known, { active: false, deleted: true, isTold: true });
    this.#went++;
    this.#awaitRemoval(known, nowMs);
    const changes = wasActive ? [put(known.entry, false)] : [];
    return { changes, suspect: false, listInMs: known.toldMs === nowMs ? REMOVED_AT_MS[0] : undefined };
  }

  /** Notes that a pod's object is about to go. */
  #awaitRemoval(known: Known, nowMs: number): void {
    const { terminating, hasFinalizers } = known.entry.head;
    if (this.tellsRemovals && known.deleted && terminating && !hasFinalizers) known.toldMs ??= nowMs;
  }

  #drop(uid: string, cause: LedgerCause = "missing"): Change {
    const known = this.#known.get(uid) as Known;
    this.#known.delete(uid);
    this.#unreadable.delete(uid);
    if (known.deleted && !isStaticHead(known.entry.head)) this.#tombstones.set(uid, 0);
    return { uid, entry: known.entry, active: false, gone: true, cause };
  }

  /**
   * Forgets of pods that could not be read those that have gone: the process that lacks them has read them, or all that there is, and what
   * has left the lists has had the time to end.
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

  /** Ages the tombstones: one lapses two commits after the last list that still had the pod. */
  #ageTombstones(): void {
    for (const [uid, age] of this.#tombstones) {
      if (age >= 2) this.#tombstones.delete(uid);
      else this.#tombstones.set(uid, age + 1);
    }
  }

  /**
   * Returns of which kubelet process a list is, compared with the last one. Each process stamps the pods when it first sees
   * them: one stamp that is the same proves the same process, stamps that are all new prove another. Where no pod can be
   * compared, the same connection proves the same process.
   */
  #processOf({ entries, facts: { connection, relayed } }: Staging): ListProcess {
    // A relay's list has pods as they were under several processes, those that are unconfirmed; it says itself which one it is.
    if (relayed !== undefined) return relayed === this.#committed?.relayed ? "same" : "another";
    let stamps = 0;
    for (const [uid, { head }] of entries) {
      const before = this.#known.get(uid)?.entry.head;
      if (before === undefined || before === head || before.seen === "" || head.seen === "") continue;
      if (before.seen === head.seen) return "same";
      stamps++;
    }
    if (stamps > 0) return "another";
    return connection !== undefined && connection === this.#committed?.connection ? "same" : "unknown";
  }

  /** Returns whether a pod is another one than before, under its UID. A relay says itself when it is: its pods may be of several processes. */
  #isAnother(before: Entry, after: Entry): boolean {
    const isRelayed = (this.#staging?.facts ?? this.#committed)?.relayed !== undefined;
    return !(isRelayed && isStaticHead(after.head)) && isAnother(before, after);
  }

  /** Forgets what the last process has said of its pods' ends: it says nothing about those of another one. */
  #forgetProcess(): void {
    this.#tombstones.clear();
    for (const known of this.#known.values()) Object.assign(known, { deleted: false, isTold: false, revived: 0 });
  }

  /** Gives all entries that are kept: those of the list that comes in, or else the known ones. */
  *#entries(): Generator<Entry, void, undefined> {
    if (this.#staging !== undefined) yield* this.#staging.entries.values();
    else for (const { entry } of this.#known.values()) yield entry;
  }

  /**
   * Returns the entry of a pod; undefined where it cannot be read, which is noted. This is the one place that decides it:
   * what is in an entry can be decoded by every mask. What it says as before is not copied.
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
    // One that is not named may be any pod that is asked about.
    else if (this.#staging !== undefined && !this.#unreadable.has(head.uid)) this.#staging.unnamed = true;
    return undefined;
  }
}

/**
 * Says whether a new version of a known pod is bare. A kubelet that has just started lists static pods so, and one that it rejects
 * while its containers run: for a time that suffices for their end, or for a look at them, what was known of them stands.
 */
function judgeBare(known: Known, entry: Entry, nowMs: number): void {
  const { hasStatuses, graceSeconds } = entry.head;
  if (known.entry.process.number !== entry.process.number) {
    // What an earlier process has told may have started since, and what it was to end may run on.
    known.hadStatuses = true;
    known.bareUntilMs = undefined;
  }
  // One that was pending may have been started by a process that was killed before it said so.
  const endsUnseen = known.active && isFinishedHead(entry.head) && !isFinishedHead(known.entry.head);
  if (hasStatuses || !(known.hadStatuses || endsUnseen || known.bareUntilMs !== undefined)) {
    Object.assign(known, { hadStatuses: known.hadStatuses || hasStatuses, bareUntilMs: undefined });
    return;
  }
  known.bareUntilMs ??= nowMs + graceMs(graceSeconds) + ENDING_MS;
  if (nowMs < known.bareUntilMs - SLACK_MS) entry.isBare = true;
  else known.hadStatuses = false;
}

/** Returns whether a list shows that a pod's containers have ended for good. A status that names none does not, nor one of a static pod. */
function isThrough({ head }: Entry): boolean {
  return isFinishedHead(head) && head.hasStatuses && !isStaticHead(head);
}

function* headsOf(entries: Iterable<Entry>): Generator<PodHead, void, undefined> {
  for (const { head } of entries) yield head;
}

function put(entry: Entry, active: boolean): Change {
  return { uid: entry.head.uid, entry, active, gone: false, cause: "finished" };
}

/**
 * Returns whether an entry is another pod under the same UID, so that the first one was deleted and another created unseen: its creation
 * time differs, or one process has first seen it twice, as a static pod whose manifest was removed and put back.
 */
function isAnother(before: Entry, after: Entry): boolean {
  const [a, b] = [before.head, after.head];
  if (isStaticHead(b) && areWrittenAlike(before, after)) return a.seen !== "" && b.seen !== "" && a.seen !== b.seen;
  return a.created !== undefined && b.created !== undefined && a.created !== b.created;
}
