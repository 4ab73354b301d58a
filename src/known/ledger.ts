import { sameBytes } from "../pod/equality.js";
import { isFinishedHead, isStaticHead, type PodHead } from "../pod/head.js";
import { MAX_PODS } from "../pod/limits.js";
import type { PodMask } from "../pod/mask.js";
import { type Scanned, scanHead } from "../pod/scan.js";
import { withUID } from "../pod/with-uid.js";
import { type Change, type Entry, type KnownPods, type KubeletProcess, type LedgerCause, nameOf } from "./entry.js";
import { KeptBytes } from "./kept-bytes.js";
import { newStaging, type Staging, type StreamFacts } from "./staging.js";
import { type ListProcess, Unconfirmed, type UnconfirmedPods } from "./unconfirmed.js";

/** The changes that one input makes. */
export interface Outcome {
  readonly changes: readonly Change[];
  /** Something may have been missed: a new list is wanted. */
  readonly suspect: boolean;
  /** A source of pods is back that was missing: a new list is wanted at once. */
  readonly isBack?: boolean;
}

interface Known {
  entry: Entry;
  /** Whether consumers without finished pods see it. A pod whose final state came live is active until the kubelet's DELETED. */
  active: boolean;
  /** The kubelet has said DELETED, or a list showed it finished. The object may stay listed for days. */
  deleted: boolean;
  /** Complete lists in a row, of one process, that showed a container running though the pod is `deleted`. */
  revived: number;
}

/** More than any node has: what is listed must not grow with what a broken peer sends. */
const MAX_UNREADABLE = 1_000;

/** How many lists that show a deleted pod running it takes to believe that it runs again. */
const REVIVED_AFTER = 2;

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
  readonly #unreadable = new Set<string>();
  #staging: Staging | undefined;
  readonly #kept = new KeptBytes();
  #processes = 0;
  #process: KubeletProcess = { number: 0 };
  /** The facts of the last stream whose list was committed. */
  #committed: StreamFacts | undefined;
  readonly #unconfirmed = new Unconfirmed();
  /** Malformed or unknown messages so far. */
  malformed = 0;

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

  /** The number of entries: pods, and memories of those that went. */
  get size(): number {
    return this.#known.size + this.#tombstones.size + this.#unreadable.size + this.#unconfirmed.summary.count;
  }

  /** Whether what came is more than any node has: what comes then must not be taken. */
  get isFull(): boolean {
    if ((this.#staging?.count ?? this.#known.size + this.#tombstones.size) > MAX_PODS) return true;
    return this.#kept.isTooMuch(() => this.#entries());
  }

  /** How many more bytes of pods may be kept. */
  get freeBytes(): number {
    return this.#kept.free;
  }

  /** UIDs of pods whose last message could not be read; what is known of them is older. */
  get unreadable(): string[] {
    return [...this.#unreadable];
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

  /** Begins a new stream: what comes is staged until {@link commit}. */
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
    else staging.named.set(nameOf(head), { head, bytes: new Uint8Array(bytes) });
  }

  /** Commits at the sync marker: what was staged takes the place of what was known, in one turn. Deletions come first. */
  commit(nowMs: number): Outcome {
    const staging = this.#begun();
    const process = this.#processOf(staging);
    if (process !== "same") this.#forgetProcess();
    // Two servers may write the same pod in other bytes, also where they read it from one kubelet.
    if (process === "same" && staging.facts.server === this.#committed?.server)
      staging.process.number = this.#process.number;
    this.#process = staging.process;
    this.#identify(staging);
    const absent = new Map([...this.#known].filter(([uid]) => !staging.entries.has(uid)));
    this.#unconfirmed.judge({ staging, known: this.#known, absent, process, nowMs });
    const gone: Change[] = [];
    const puts: Change[] = [];
    for (const uid of absent.keys()) if (!this.#unconfirmed.has(uid)) gone.push(this.#drop(uid));
    for (const [uid, entry] of staging.entries) this.#commitEntry(uid, entry, gone, puts);
    this.#ageTombstones();
    for (const uid of this.#unreadable) {
      if (!this.#known.has(uid) && !staging.illegible.has(uid)) this.#unreadable.delete(uid);
    }
    this.#staging = undefined;
    this.#committed = staging.facts;
    this.#kept.settle(this.#entries());
    return { changes: [...gone, ...puts], suspect: staging.suspect };
  }

  /** Returns how long from now the next list is due because pods are unconfirmed; undefined where the usual one will do. */
  doubtMs(nowMs: number): number | undefined {
    return this.#unconfirmed.nextListMs(nowMs);
  }

  /** Applies a message after the sync marker. Its type says little: ADDED and MODIFIED are both the pod as it is now. */
  apply(type: "ADDED" | "MODIFIED" | "DELETED", bytes: Uint8Array): Outcome {
    if (type === "DELETED") return this.#deleted(scanHead(bytes).head);
    const scanned = this.#kept.scan(bytes);
    const { head } = scanned;
    const wasUnreadable = this.#unreadable.has(head.uid);
    const entry = this.#read(scanned, this.#known.get(head.uid)?.entry);
    if (entry === undefined) return { changes: [], suspect: !wasUnreadable };
    this.#unconfirmed.release(head.uid);
    const isBack = this.#unconfirmed.lacks(head.source);
    const changes = this.#applyEntry(entry);
    this.#kept.compact(() => this.#entries());
    return { changes, suspect: false, isBack };
  }

  /** Returns the staged list of the stream that has begun. @throws Error where a source speaks before it is connected. */
  #begun(): Staging {
    if (this.#staging === undefined) throw new Error("the source has said something before CONNECTED");
    return this.#staging;
  }

  #applyEntry(entry: Entry): Change[] {
    const { head } = entry;
    const { uid } = head;
    if (this.#tombstones.has(uid)) return [];
    const finished = isFinishedHead(head);
    const known = this.#known.get(uid);
    if (known === undefined) return [this.#add(entry, !finished)];
    // Of a deleted pod what comes is late, but for a static one, which may run again under its UID.
    if (known.deleted && (finished || !isStaticHead(head))) return [];
    if (known.deleted || isAnother(known.entry, entry)) return [this.#drop(uid), this.#add(entry, !finished)];
    const active = known.active || !finished;
    const same = active === known.active && sameBytes(known.entry.bytes, entry.bytes);
    // The same bytes of another process: that one has read the pod, too.
    if (!same || known.entry.process.number !== entry.process.number) known.entry = entry;
    known.active = active;
    return same ? [] : [put(entry, active)];
  }

  #add(entry: Entry, active: boolean, deleted = false): Change {
    this.#known.set(entry.head.uid, { entry, active, deleted, revived: 0 });
    return put(entry, active);
  }

  #commitEntry(uid: string, entry: Entry, gone: Change[], puts: Change[]): void {
    const known = this.#known.get(uid);
    if (known?.entry === entry) return; // listed, but not legible: it stands as it stood
    const active = !isFinishedHead(entry.head);
    // What a list shows finished is finished for good: an event that says otherwise is older than the list.
    const over = !active && !isStaticHead(entry.head);
    if (known === undefined) {
      const buried = this.#tombstones.delete(uid);
      puts.push(this.#add(entry, active && !buried, buried || over));
      this.#revive(uid);
      return;
    }
    // Of static pods a UID recurs: one that has run to its end, and does not end here, is another.
    if (isAnother(known.entry, entry) || (known.deleted && active && isStaticHead(entry.head))) {
      gone.push(this.#drop(uid));
      puts.push(this.#add(entry, active, over));
      return;
    }
    known.deleted ||= over;
    // What is kept may be more than before, though the bytes are the same: who waits for that is told now.
    const same = known.entry.retained === entry.retained && sameBytes(known.entry.bytes, entry.bytes);
    // Copies of one list lie together: where the old one lies, others may long be gone.
    if (same) known.entry.bytes = entry.bytes;
    // The same bytes of another process: what is known is of that one from now on.
    if (!same || known.entry.process.number !== entry.process.number) known.entry = entry;
    this.#revive(uid);
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
    Object.assign(known, { deleted: false, revived: 0 });
  }

  #deleted(identity: PodHead): Outcome {
    const uid = identity.uid !== "" ? identity.uid : this.#onlyNamed(identity);
    if (uid === undefined) {
      this.malformed++;
      return { changes: [], suspect: true };
    }
    this.#unreadable.delete(uid);
    const known = this.#known.get(uid);
    if (known === undefined || known.deleted) return NOTHING;
    this.#unconfirmed.release(uid);
    const { head } = known.entry;
    // A static pod whose manifest is gone is listed no longer. One that has run to its end is, as long as its manifest stays.
    if (isStaticHead(head) && !isFinishedHead(head)) return { changes: [this.#drop(uid, "finished")], suspect: false };
    const wasActive = known.active;
    known.active = false;
    known.deleted = true;
    return { changes: wasActive ? [put(known.entry, false)] : [], suspect: false };
  }

  #drop(uid: string, cause: LedgerCause = "missing"): Change {
    const known = this.#known.get(uid) as Known;
    this.#known.delete(uid);
    this.#unreadable.delete(uid);
    if (known.deleted && !isStaticHead(known.entry.head)) this.#tombstones.set(uid, 0);
    return { uid, entry: known.entry, active: false, gone: true, cause };
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
  #processOf({ entries, facts: { connection } }: Staging): ListProcess {
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

  /** Forgets what the last process has said of its pods' ends: it says nothing about those of another one. */
  #forgetProcess(): void {
    this.#tombstones.clear();
    for (const known of this.#known.values()) Object.assign(known, { deleted: false, revived: 0 });
  }

  /** Gives the entries that have a name alone to the pod that is missing from the list, where there is but one of that name. */
  #identify({ entries, named }: Staging): void {
    if (named.size === 0) return;
    const missing = new Map<string, string[]>();
    for (const [uid, { entry }] of this.#known) {
      if (entries.has(uid)) continue;
      const name = nameOf(entry.head);
      missing.set(name, [...(missing.get(name) ?? []), uid]);
    }
    for (const [name, { bytes }] of named) {
      const [uid, ...others] = missing.get(name) ?? [];
      if (uid === undefined || others.length > 0) continue;
      const entry = this.#read(this.#kept.scan(withUID(bytes, uid)));
      if (entry !== undefined) entries.set(uid, { ...entry, isRewritten: true });
    }
  }

  #onlyNamed(identity: PodHead): string | undefined {
    const name = nameOf(identity);
    const matches = [...this.#known].filter(([, { entry }]) => nameOf(entry.head) === name);
    return identity.name !== "" && matches.length === 1 ? matches[0]?.[0] : undefined;
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
    if (head.uid !== "" && this.#unreadable.size < MAX_UNREADABLE) this.#unreadable.add(head.uid);
    return undefined;
  }
}

function put(entry: Entry, active: boolean): Change {
  return { uid: entry.head.uid, entry, active, gone: false, cause: "finished" };
}

/**
 * Returns whether an entry is another pod under the same UID: its creation time differs, so it was deleted and created again
 * unseen.
 */
function isAnother({ head: a }: Entry, { head: b }: Entry): boolean {
  return a.created !== undefined && b.created !== undefined && a.created !== b.created;
}
