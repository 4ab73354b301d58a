import { isFinishedHead, isStaticHead, type PodHead, scanHead } from "../pod/head.js";
import type { PodMask } from "../pod/mask.js";
import { project } from "../pod/project.js";
import { sameBytes } from "../pod/same.js";
import { Guard } from "./guard.js";

/** A pod as it was last seen: what is kept of its bytes, our own copy, and its head. Never changed. */
export interface Entry {
  readonly bytes: Uint8Array;
  readonly head: PodHead;
  /** What of the pod `bytes` has; everything where it is undefined. */
  readonly kept: PodMask | undefined;
  /** The kubelet process that it came from, counted. */
  readonly epoch: number;
}

/** Why a pod went: the kubelet finished it, or a complete burst lacked it. */
export type LedgerCause = "finished" | "missing";

/** What became of one pod. */
export interface Change {
  readonly uid: string;
  /** The pod as it is now, or as it was last known. */
  readonly entry: Entry;
  /** It belongs to those that the kubelet has not finished. */
  readonly active: boolean;
  /** It is listed no longer. */
  readonly gone: boolean;
  /** Why it is not active. */
  readonly cause: LedgerCause;
}

/** What one input came to. */
export interface Outcome {
  readonly changes: readonly Change[];
  /** Something may have been missed: a new burst is wanted. */
  readonly suspect: boolean;
}

interface Known {
  entry: Entry;
  /** What consumers without finished pods see. A pod whose final state came live is active until the kubelet's DELETED. */
  active: boolean;
  /** The kubelet has said DELETED, or a list showed it finished. The object may stay listed for days. */
  deleted: boolean;
}

/** More than any node has: what is listed must not grow with what a broken peer sends. */
const MAX_DEGRADED = 1_000;

/**
 * More than any node has, again: kubelets are made for 110 pods (maxPods, pkg/kubelet/apis/config/v1beta1/defaults.go,
 * v1.37.1), and the largest nodes have some hundred.
 */
export const MAX_PODS = 20_000;

/** What may be kept of all of them. At the size that the API server takes at most, 1.5 MiB, that is 170 pods. */
export const MAX_KEPT_BYTES: number = 256 * 1024 * 1024;

const NOTHING: Outcome = { changes: [], suspect: false };

/**
 * What the server is known to have. Bursts are staged and committed in one turn; live events are applied as they come.
 * Pure: no clock, no I/O.
 */
export class Ledger {
  readonly #known = new Map<string, Known>();
  /** UIDs that were deleted and that no burst has any more, with the commits since then. */
  readonly #tombstones = new Map<string, number>();
  readonly #degraded = new Set<string>();
  #staging = new Map<string, Entry>();
  #kept: PodMask | undefined;
  #epoch = 0;
  /** An entry of the burst could not be keyed: then nothing can be proved absent. */
  #unkeyed = false;
  #stagedDelete = false;
  /** Between `begin` and `commit`: what comes is staged. */
  #staged = false;
  /** At least the bytes of all entries that are staged, or known: those at the last count, and what came since. */
  #bytes = 0;
  #guard: Guard | undefined;
  /** Malformed or unknown messages so far. */
  malformed = 0;

  /** Absences that are held in doubt. */
  get held(): number {
    return this.#guard?.held ?? 0;
  }

  /** How much is kept: pods, and what is remembered of those that went. */
  get kept(): number {
    return this.#known.size + this.#tombstones.size + this.#degraded.size + this.held;
  }

  /** Whether what came is more than any node has: what comes then must not be taken. */
  get isFull(): boolean {
    const count = this.#staged ? this.#staging.size : this.#known.size + this.#tombstones.size;
    if (count > MAX_PODS) return true;
    if (this.#bytes > MAX_KEPT_BYTES) this.#bytes = this.#countBytes(); // of a pod that changed, it is the last state only
    return this.#bytes > MAX_KEPT_BYTES;
  }

  /** UIDs of pods whose last message could not be read; what is known of them is older. */
  get degraded(): string[] {
    return [...this.#degraded];
  }

  /** Every pod that is listed, with whether it is active. */
  *entries(): Generator<{ entry: Entry; active: boolean }, void, undefined> {
    for (const { entry, active } of this.#known.values()) yield { entry, active };
  }

  get(uid: string): { entry: Entry; active: boolean } | undefined {
    return this.#known.get(uid);
  }

  /** How many pods are listed, or active. */
  count(includeFinished: boolean): number {
    if (includeFinished) return this.#known.size;
    let active = 0;
    for (const known of this.#known.values()) if (known.active) active++;
    return active;
  }

  /** From now on so much of each pod is kept; everything where it is undefined. */
  keep(mask: PodMask | undefined): void {
    this.#kept = mask;
  }

  /**
   * A new stream. `replaced`: it goes to another kubelet process than the last one. `complete`: that process has said
   * that it initializes, so its burst is complete by contract, and absences need no confirming.
   */
  begin({ replaced, complete, nowMs }: { replaced: boolean; complete: boolean; nowMs: number }): void {
    this.#staging = new Map();
    this.#staged = true;
    this.#bytes = 0;
    this.#unkeyed = false;
    this.#stagedDelete = false;
    for (const uid of this.#degraded) if (!this.#known.has(uid)) this.#degraded.delete(uid);
    if (complete) this.#guard = undefined;
    if (!replaced) return;
    this.#epoch++;
    this.#tombstones.clear();
    for (const known of this.#known.values()) known.deleted = false;
    this.#guard = complete || this.#known.size === 0 ? undefined : new Guard(nowMs);
  }

  /** A message before the sync marker. */
  stage(type: "ADDED" | "MODIFIED" | "DELETED", bytes: Uint8Array): void {
    const { head, broken } = scanHead(bytes);
    if (type === "DELETED") {
      this.#stagedDelete = true;
      if (head.uid !== "") this.#staging.delete(head.uid);
      return;
    }
    // Of a pod that cannot be read what is known stays.
    const entry = this.#read(head, broken, bytes) ?? this.#known.get(head.uid)?.entry;
    if (entry !== undefined) this.#staging.set(head.uid, entry);
    else if (head.uid === "") this.#unkeyed = true;
  }

  /** The sync marker: what was staged takes the place of what was known, in one turn. Deletions come first. */
  commit(nowMs: number): Outcome {
    const staged = this.#staging;
    this.#staging = new Map();
    const absent = new Set([...this.#known.keys()].filter((uid) => !staged.has(uid)));
    const held = this.#unkeyed ? absent : this.#judge(absent, nowMs);
    const gone: Change[] = [];
    const puts: Change[] = [];
    for (const uid of absent) if (!held.has(uid)) gone.push(this.#drop(uid));
    for (const [uid, entry] of staged) this.#commitEntry(uid, entry, gone, puts);
    this.#ageTombstones(staged);
    this.#staged = false;
    this.#bytes = this.#countBytes();
    return { changes: [...gone, ...puts], suspect: this.#stagedDelete || this.#unkeyed };
  }

  /** How long from now the next burst is due because absences are in doubt; undefined where none are. */
  doubtMs(nowMs: number): number | undefined {
    return this.held > 0 ? this.#guard?.nextBurstMs(nowMs) : undefined;
  }

  /** A message after the sync marker. Its type says little: ADDED and MODIFIED are both the pod as it is now. */
  apply(type: "ADDED" | "MODIFIED" | "DELETED", bytes: Uint8Array): Outcome {
    const { head, broken } = scanHead(bytes);
    if (type === "DELETED") return this.#deleted(head);
    const wasDegraded = this.#degraded.has(head.uid);
    const entry = this.#read(head, broken, bytes);
    if (entry === undefined) return { changes: [], suspect: !wasDegraded };
    const { uid } = head;
    const known = this.#known.get(uid);
    if (this.#tombstones.has(uid) || known?.deleted) return NOTHING;
    if (known === undefined) {
      const finished = isFinishedHead(head);
      this.#known.set(uid, { entry, active: !finished, deleted: false });
      return { changes: [put(entry, !finished)], suspect: false };
    }
    const active = known.active || !isFinishedHead(head);
    if (active === known.active && sameBytes(known.entry.bytes, entry.bytes)) return NOTHING;
    const changes: Change[] = [];
    if (isAnother(known.entry, entry)) {
      changes.push(this.#drop(uid));
      this.#known.set(uid, { entry, active: !isFinishedHead(head), deleted: false });
    } else {
      known.entry = entry;
      known.active = active;
    }
    return { changes: [...changes, put(entry, this.#known.get(uid)?.active ?? false)], suspect: false };
  }

  #commitEntry(uid: string, entry: Entry, gone: Change[], puts: Change[]): void {
    const known = this.#known.get(uid);
    if (known?.entry === entry) return; // listed, but not legible: it stands as it stood
    const active = !isFinishedHead(entry.head);
    // What a list shows finished is finished for good: an event that says otherwise is older than the list.
    const over = !active && !isStaticHead(entry.head);
    if (known === undefined) {
      const buried = this.#tombstones.has(uid);
      this.#known.set(uid, { entry, active: active && !buried, deleted: buried || over });
      puts.push(put(entry, active && !buried));
      return;
    }
    if (isAnother(known.entry, entry)) {
      gone.push(this.#drop(uid));
      this.#known.set(uid, { entry, active, deleted: over });
      puts.push(put(entry, active));
      return;
    }
    known.deleted ||= over;
    const nowActive = active && !known.deleted;
    // What is kept may be more than before, though the bytes are the same: who waits for that is told now.
    const same = known.entry.kept === entry.kept && sameBytes(known.entry.bytes, entry.bytes);
    if (same && nowActive === known.active) return;
    const ended = known.active && !nowActive;
    if (!same) known.entry = entry;
    known.active = nowActive;
    (ended ? gone : puts).push(put(known.entry, nowActive));
  }

  #deleted(identity: PodHead): Outcome {
    const uid = identity.uid !== "" ? identity.uid : this.#onlyNamed(identity);
    if (uid === undefined) {
      this.malformed++;
      return { changes: [], suspect: true };
    }
    this.#degraded.delete(uid);
    const known = this.#known.get(uid);
    if (known === undefined || known.deleted) return NOTHING;
    const wasActive = known.active;
    known.active = false;
    known.deleted = true;
    if (isStaticHead(known.entry.head)) return { changes: [this.#drop(uid, "finished")], suspect: false };
    return { changes: wasActive ? [put(known.entry, false)] : [], suspect: false };
  }

  #drop(uid: string, cause: LedgerCause = "missing"): Change {
    const known = this.#known.get(uid) as Known;
    this.#known.delete(uid);
    this.#degraded.delete(uid);
    if (known.deleted && !isStaticHead(known.entry.head)) this.#tombstones.set(uid, 0);
    return { uid, entry: known.entry, active: false, gone: true, cause };
  }

  /** A tombstone lapses two commits after the last burst that still had the pod. */
  #ageTombstones(staged: ReadonlyMap<string, Entry>): void {
    for (const [uid, age] of this.#tombstones) {
      if (staged.has(uid)) this.#tombstones.set(uid, 0);
      else if (age >= 2) this.#tombstones.delete(uid);
      else this.#tombstones.set(uid, age + 1);
    }
  }

  #judge(absent: ReadonlySet<string>, nowMs: number): ReadonlySet<string> {
    if (this.#guard === undefined) return new Set();
    const heads = new Map([...this.#known].map(([uid, { entry }]) => [uid, entry.head]));
    const held = this.#guard.judge(heads, absent, nowMs);
    if (held.size === 0) this.#guard = undefined;
    return held;
  }

  #onlyNamed({ namespace, name }: PodHead): string | undefined {
    const matches = [...this.#known].filter(
      ([, { entry }]) => entry.head.name === name && entry.head.namespace === namespace,
    );
    return name !== "" && matches.length === 1 ? matches[0]?.[0] : undefined;
  }

  #countBytes(): number {
    let bytes = 0;
    if (this.#staged) for (const entry of this.#staging.values()) bytes += entry.bytes.length;
    else for (const { entry } of this.#known.values()) bytes += entry.bytes.length;
    return bytes;
  }

  /** The entry of a pod; undefined where it cannot be read, which is noted. */
  #read(head: PodHead, broken: boolean, bytes: Uint8Array): Entry | undefined {
    const copy = broken || head.uid === "" ? undefined : this.#copy(bytes);
    if (copy !== undefined) {
      this.#degraded.delete(head.uid);
      this.#bytes += copy.length;
      return { head, bytes: copy, kept: this.#kept, epoch: this.#epoch };
    }
    this.malformed++;
    if (head.uid !== "" && this.#degraded.size < MAX_DEGRADED) this.#degraded.add(head.uid);
    return undefined;
  }

  /** What is kept of a pod, in bytes of its own; undefined where it cannot be read. */
  #copy(bytes: Uint8Array): Uint8Array | undefined {
    try {
      return this.#kept === undefined ? new Uint8Array(bytes) : project(bytes, this.#kept.plan);
    } catch {
      return undefined;
    }
  }
}

function put(entry: Entry, active: boolean): Change {
  return { uid: entry.head.uid, entry, active, gone: false, cause: "finished" };
}

/** Same UID, and another creation time: deleted and created again unseen. */
function isAnother({ head: a }: Entry, { head: b }: Entry): boolean {
  return a.created !== undefined && b.created !== undefined && a.created !== b.created;
}
