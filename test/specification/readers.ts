// "Readers" of docs/watch.md: what each reader is given, and when.

import { covers, textOf, type Version, withoutStamp } from "./messages.js";
import type { Change, Pods } from "./pods.js";
import type { Want } from "./trace.js";

/** An entry of the log that all readers get. */
export type Entry =
  | { readonly type: "changes"; readonly changes: readonly Change[]; readonly unreadable: readonly string[] }
  | { readonly type: "listed"; readonly unreadable: readonly string[] }
  | { readonly type: "synced"; readonly unreadable: readonly string[] }
  | { readonly type: "lost"; readonly code: string };

type Slot =
  | { kind: "A" | "M"; version: Version }
  | { kind: "D"; last: Version; cause: string }
  | { kind: "DA"; last: Version; cause: string; version: Version }
  | { kind: "SYNCED"; unconfirmed: ReadonlyMap<string, string>; unreadable: readonly string[] }
  | { kind: "DISCONNECTED"; code: string };

export class Reader {
  readonly want: Want;
  readonly #pods: Pods;
  readonly #by: (rule: string) => void;
  readonly #slots = new Map<string, Slot>();
  readonly #emitted = new Map<string, Version>();
  hasBegun = false;
  #hasSynced = false;
  #isLost = false;
  /** "If pods that the reader has were unconfirmed at its last SYNCED" (Q6) */
  #isOpen = false;

  constructor(want: Want, pods: Pods, by: (rule: string) => void) {
    this.want = want;
    this.#pods = pods;
    this.#by = by;
  }

  begin(): void {
    this.#by("Q1");
    this.hasBegun = true;
    for (const pod of this.#pods.known.values())
      if (
        (this.want.includeFinished || pod.state === "active") &&
        this.#knows(pod.version) &&
        this.#selects(pod.version)
      )
        this.#put(pod.uid, pod.version);
  }

  accept(entry: Entry): void {
    if (!this.hasBegun && entry.type !== "lost") return;
    if (entry.type === "changes") for (const change of entry.changes) this.#change(change);
    if (entry.type === "changes" || entry.type === "listed") this.#decide(entry.unreadable);
    else if (entry.type === "lost") {
      this.#isLost = true;
      this.#control({ kind: "DISCONNECTED", code: entry.code });
    } else if (entry.type === "synced") this.#sync(entry.unreadable);
  }

  /** "... and none is after a list or a change, another SYNCED follows, unless a failure lasts" (Q6) */
  #decide(unreadable: readonly string[]): void {
    if (!this.#isOpen || this.#isLost || [...this.#unconfirmed().keys()].some((uid) => this.#emitted.has(uid))) return;
    this.#by("Q6");
    this.#sync(unreadable);
  }

  #sync(unreadable: readonly string[]): void {
    this.#isOpen = this.#isLost = false;
    const all = [...this.#pods.known.values()];
    const unknown = all.filter(({ version }) => !this.#knows(version)).map(({ uid }) => uid);
    this.#control({
      kind: "SYNCED",
      unconfirmed: this.#unconfirmed(),
      unreadable: [...new Set([...unreadable, ...unknown])].sort(),
    });
  }

  /** The unconfirmed pods, with their reasons. */
  #unconfirmed(): Map<string, string> {
    const mine = [...this.#pods.known.values()].filter(({ state }) => this.want.includeFinished || state === "active");
    return new Map(
      mine.flatMap(({ uid, unconfirmed }) => (unconfirmed === undefined ? [] : [[uid, unconfirmed] as const])),
    );
  }

  #control(slot: Slot): void {
    this.#slots.delete(slot.kind);
    this.#slots.set(slot.kind, slot);
  }

  #change({ pod, version, isActive, isGone, cause }: Change): void {
    if (!isActive && (isGone || !this.want.includeFinished)) this.#delete(pod.uid, version, cause);
    else if (!this.#selects(version)) {
      this.#by("Q3");
      this.#delete(pod.uid, version, "deselected");
    } else if (this.#knows(version)) this.#put(pod.uid, version);
  }

  #knows({ fields }: Version): boolean {
    return covers(fields, this.want.fields);
  }

  #selects({ labels }: Version): boolean {
    return this.want.withoutBands?.includes(labels["band"] ?? "") !== true;
  }

  /** The table of the queue: "ADDED or MODIFIED, pod p" */
  #put(uid: string, version: Version): void {
    const slot = this.#slots.get(`pod ${uid}`);
    if (slot === undefined) this.#set(uid, { kind: this.#emitted.has(uid) ? "M" : "A", version });
    else if (slot.kind === "A" || slot.kind === "M") this.#set(uid, { kind: slot.kind, version });
    else if (slot.kind === "D" || slot.kind === "DA") this.#set(uid, { ...slot, kind: "DA", version });
  }

  /** The table of the queue: "DELETED, last version l" */
  #delete(uid: string, last: Version, cause: string): void {
    const slot = this.#slots.get(`pod ${uid}`);
    if (slot === undefined) {
      if (this.#emitted.has(uid)) this.#set(uid, { kind: "D", last, cause });
    } else if (slot.kind === "A") this.#slots.delete(`pod ${uid}`);
    else if (slot.kind === "M") this.#set(uid, { kind: "D", last, cause });
    else if (slot.kind === "DA") this.#set(uid, { kind: "D", last: slot.last, cause: slot.cause });
  }

  #set(uid: string, slot: Slot): void {
    this.#slots.set(`pod ${uid}`, slot);
  }

  /** Takes so many events, as text. */
  take(most = Number.POSITIVE_INFINITY): string[] {
    const events: string[] = [];
    for (const [key, slot] of this.#slots) {
      if (events.length >= most) break;
      const uid = key.slice("pod ".length);
      if (slot.kind === "DA") {
        events.push(this.#deleted(uid, slot.last, slot.cause));
        this.#set(uid, { kind: "A", version: slot.version });
        if (events.length >= most) break;
      }
      this.#slots.delete(key);
      if (slot.kind === "SYNCED") {
        const reasons = [...slot.unconfirmed].flatMap(([uid, reason]) => (this.#emitted.has(uid) ? [reason] : []));
        const unconfirmed = `${reasons.length} ${[...new Set(reasons)].sort()}`;
        events.push(syncedText(!this.#hasSynced, this.#emitted.size, unconfirmed, slot.unreadable));
        this.#hasSynced = true;
        this.#isOpen = reasons.length > 0;
      } else if (slot.kind === "DISCONNECTED") events.push(`DISCONNECTED ${slot.code}`);
      else if (slot.kind === "D") events.push(this.#deleted(uid, slot.last, slot.cause));
      else events.push(...this.#news(uid, slot.version));
    }
    return events;
  }

  #deleted(uid: string, last: Version, cause: string): string {
    this.#emitted.delete(uid);
    return `DELETED ${cause} ${textOf(last, this.want.fields)}`;
  }

  /** "A reader receives MODIFIED if the fields of its mask differ from those that it has, the stamp excepted" (Q2) */
  #news(uid: string, version: Version): string[] {
    const { fields } = this.want;
    const before = this.#emitted.get(uid);
    this.#emitted.set(uid, version);
    const text = textOf(version, fields);
    if (before === undefined) return [`ADDED ${text}`];
    const previous = textOf(before, fields);
    return withoutStamp(text) === withoutStamp(previous) ? [] : [`MODIFIED ${text} from ${previous}`];
  }
}

export function syncedText(
  isInitial: boolean,
  count: number,
  unconfirmed: string,
  unreadable: readonly string[],
): string {
  return `SYNCED ${isInitial ? "initial " : ""}${count} unconfirmed ${unconfirmed} unreadable ${unreadable}`;
}
