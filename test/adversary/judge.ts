// Judges what readers are told by what is so. Its rules are its own: nothing here is of the library but what it told, and nothing of a
// rule is read from its code. A violation bears the name of its rule, or that of a known defect, which reds.ts has.

import type { Said } from "./teller.js";
import type { TruePod, Truth } from "./truth.js";

export type ToldPod =
  | { readonly type: "ADDED" | "MODIFIED"; readonly uid: string; readonly version: number }
  | { readonly type: "DELETED"; readonly uid: string; readonly version: number; readonly cause: string }
  | {
      readonly type: "SYNCED";
      readonly initial: boolean;
      readonly count: number;
      readonly unreadable: readonly string[];
    }
  | { readonly type: "DISCONNECTED" };

export type ToldLife =
  | { readonly type: "STARTED"; readonly uid: string; readonly id: string }
  | {
      readonly type: "ENDED";
      readonly uid: string;
      readonly id: string;
      readonly cause: string;
      readonly exitCode?: number | undefined;
    }
  | {
      readonly type: "MISSED";
      readonly uid: string;
      readonly name: string;
      readonly from: number;
      readonly to: number;
    };

/** What is so beside the truth about pods: how the kubelet stands, and what reached the readers. */
export interface Facts {
  readonly truth: Truth;
  readonly nowMs: number;
  /** Pods that the process has not read. */
  readonly unread: ReadonlySet<string>;
  /** Pods that lists have damaged. */
  readonly damaged: ReadonlySet<string>;
  /** Since when the process runs. */
  readonly startMs: number;
  readonly isLive: boolean;
  /** When a stream was lost last, and when something was done to a message. */
  readonly lostMs: number;
  readonly faultMs: number;
  /** An event of a type that is not known was told. */
  readonly hadNewType: boolean;
  /** Events that were lost, swapped or damaged. */
  readonly dropped: readonly { readonly atMs: number; readonly uid: string }[];
  /** When each list was given. */
  readonly lists: readonly number[];
  /** The pods that the kubelet lists, by UID, and whether each is finished; undefined where it shows none. */
  listed(): ReadonlyMap<string, { readonly version: number; readonly isOver: boolean }>;
}

export interface Violation {
  readonly rule: string;
  readonly text: string;
}

/** After so long a pod has been told, whatever lags. */
const SETTLED_MS = 15_000;
/** How late the kubelet tells an address, or its loss. */
const ADDRESS_MS = 10_000;
/** In so long a sandbox is made anew. */
const REMADE_MS = 7_000;
/** How late the removal of an object is told to readers of finished pods: the longest pause between three lists behind DELETED. */
const REMOVED_MS = 6_500;
/** The most lists that are asked for in so long, where nothing happens to the kubelet. */
const MOST_LISTS = 30;
const LISTS_MS = 300_000;
/** For so long a kubelet's socket is young: what lists lack then proves nothing. */
const YOUNG_MS = 30_000;

export class Judge {
  readonly facts: Facts;
  readonly violations: Violation[] = [];
  /** What reached the readers of each pod, in order. */
  readonly wire: Map<string, Said[]> = new Map();
  /** When what was shown of a container first reached them. */
  readonly shownMs: Map<string, number> = new Map();
  readonly waitingShown: Set<string> = new Set();
  /** Damaged in the last list. */
  #damaged: ReadonlySet<string> = new Set();
  listedMs = 0;
  lastList: ReadonlySet<string> = new Set();
  #listing: Set<string> = new Set();

  constructor(facts: Facts) {
    this.facts = facts;
  }

  fail(rule: string, text: string): void {
    this.violations.push({ rule, text: `${text} (at ${Math.round(this.facts.nowMs)} ms)` });
  }

  /** Hears what reached the readers. */
  said(said: Said, isListed: boolean): void {
    const { uid, running, waiting, isDamaged } = said;
    const known = this.wire.get(uid);
    if (known === undefined) this.wire.set(uid, [said]);
    else known.push(said);
    if (isListed && isDamaged) this.#listing.add(uid);
    if (isDamaged) return;
    for (const id of running) if (!this.shownMs.has(id)) this.shownMs.set(id, this.facts.nowMs);
    for (const id of waiting) this.waitingShown.add(id);
  }

  listed(uids: ReadonlySet<string>): void {
    this.listedMs = this.facts.nowMs;
    this.lastList = uids;
    this.#damaged = this.#listing;
    this.#listing = new Set();
  }

  /** Whether something was done to a message about a pod since the last list. */
  hasFault(uid: string): boolean {
    return this.facts.dropped.some((each) => each.uid === uid && each.atMs >= this.listedMs);
  }

  isDamaged(uid: string): boolean {
    return this.#damaged.has(uid);
  }

  /** Pods that have run for long enough to be told, whatever lags. */
  settled(): string[] {
    const { truth, nowMs } = this.facts;
    const hasRun = (uid: string) => truth.running(uid).some(({ fromMs = nowMs }) => nowMs - fromMs > SETTLED_MS);
    return [...truth.pods.values()]
      .filter(({ uid, exists, isRejected }) => exists && !isRejected && hasRun(uid))
      .map(({ uid }) => uid);
  }

  /** Nothing has been done to a message since the last list, and none is under way. */
  get isClean(): boolean {
    const { isLive, faultMs, lostMs, startMs } = this.facts;
    return isLive && this.listedMs > Math.max(faultMs, lostMs, startMs);
  }

  /** Looks at how often the kubelet was asked. */
  checkLists(sinceMs: number): void {
    const { nowMs, lists: given, lostMs, startMs } = this.facts;
    const fromMs = Math.max(nowMs - LISTS_MS, lostMs, startMs, sinceMs);
    const lists = given.filter((atMs) => atMs > fromMs).length;
    if (lists > MOST_LISTS)
      this.fail(
        this.facts.hadNewType ? "S1" : "lists",
        `${lists} lists within ${Math.round((nowMs - fromMs) / 1_000)} s`,
      );
  }

  /** An answer of a lookup by address, for the present or for a time. */
  found(ip: string, found: { uid: string; certain: boolean } | undefined, at: { ms: number; isPast: boolean }): void {
    if (found === undefined || !found.certain) return;
    const { truth, nowMs, startMs, dropped } = this.facts;
    const span = at.isPast ? 0 : ADDRESS_MS;
    const holders = truth.holders(ip, at.ms - span, at.ms);
    if (holders.has(found.uid)) return;
    // A pod that has the same address again with a new sandbox: nobody else had it between.
    const around = truth.holders(ip, at.ms - REMADE_MS, at.ms + REMADE_MS);
    if (at.isPast && around.size === 1 && around.has(found.uid) && truth.isRemade(ip, at.ms, REMADE_MS)) return;
    const what = at.isPast ? `${Math.round(nowMs - at.ms)} ms ago` : "now";
    const stepped = truth.clockSteps.some((atMs) => atMs >= at.ms);
    let rule = "find";
    if (at.isPast && stepped) rule = "F2";
    else if (dropped.some(({ uid }) => uid === found.uid || truth.everHeld(ip).has(uid))) rule = "F1";
    else if (nowMs - startMs < YOUNG_MS) rule = "F1"; // a new process lists a status from before
    this.fail(rule, `${ip} is certainly of ${found.uid} ${what}, and was of ${[...holders].join() || "nobody"}`);
  }

  /** What lookups say of an address that a pod has had for long, and that the kubelet has told. */
  held(ip: string, found: string | undefined, view: { has(uid: string): boolean }): void {
    const lease = this.facts.truth.holder(ip);
    if (lease === undefined || found === lease.uid || !this.isClean || !view.has(lease.uid)) return;
    if (this.facts.nowMs - lease.fromMs < SETTLED_MS || this.facts.truth.running(lease.uid).length === 0) return;
    // Where the kubelet says it of both, any of them may be found.
    if (found !== undefined && this.wire.get(found)?.at(-1)?.ip === ip) return;
    const last = this.wire.get(lease.uid)?.at(-1);
    if (last?.isDamaged === true) return;
    const isEmpty = last !== undefined && last.running.length + last.ended.length + last.waiting.length === 0;
    const wasTold = this.wire.get(lease.uid)?.some((said) => said.ip === ip && !said.isDamaged) ?? false;
    if (!wasTold || (last?.ip !== ip && !isEmpty)) return;
    this.fail(isEmpty ? "A4" : "find", `${ip} is of ${lease.uid}, which was told, and ${found ?? "nobody"} is found`);
  }

  /** A list that was given to a call: what runs and is listed is in it, and what has not been read is no proof of anything. */
  answered(uids: ReadonlySet<string>, what: string): void {
    const { nowMs, startMs, unread } = this.facts;
    const listed = this.facts.listed();
    for (const uid of this.settled()) {
      if (uids.has(uid)) continue;
      if (listed.has(uid))
        this.fail(this.facts.damaged.has(uid) ? "A3" : "lost", `${what} lacks ${uid}, which is listed`);
      else if (unread.has(uid) && nowMs - startMs < YOUNG_MS) this.fail("A2", `${what} lacks ${uid}`);
    }
  }

  /** A command that said that a pod has gone. */
  gone(uid: string, what: string): void {
    const { truth } = this.facts;
    if (truth.running(uid).length === 0) return;
    this.fail(truth.pods.get(uid)?.isRejected ? "V2" : "A2", `${what}: ${uid} has gone, and it runs`);
  }
}

/** What a reader asked for, and how it reads. */
export interface ReaderKind {
  readonly includeFinished?: boolean;
  /** Whether it asked for a pod of this version; for all where it is undefined. */
  readonly selects?: (version: number) => boolean;
  /** Whether it takes each event as it comes. */
  readonly isEager?: boolean;
}

/** Judges one reader of pods. */
export class PodReaderJudge {
  readonly #judge: Judge;
  readonly #name: string;
  readonly #kind: ReaderKind;
  readonly view: Map<string, { version: number; addedMs: number; at: number }> = new Map();
  readonly #joinedMs: number;
  readonly #at = new Map<string, number>();
  /** Pods of which something wrong was told: what follows from it is not judged. */
  readonly #spoilt = new Set<string>();
  #isSynced = false;

  constructor(judge: Judge, name: string, kind: ReaderKind) {
    this.#judge = judge;
    this.#name = name;
    this.#kind = kind;
    this.#joinedMs = judge.facts.nowMs;
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  #fail(rule: string, text: string, uid?: string): void {
    if (uid !== undefined && this.#spoilt.has(uid)) return;
    if (uid !== undefined) this.#spoilt.add(uid);
    this.#judge.fail(rule, `${this.#name}: ${text}`);
  }

  hear(told: ToldPod): void {
    if (told.type === "DISCONNECTED") return;
    if (told.type === "SYNCED") {
      this.#synced(told);
      return;
    }
    const { uid, version } = told;
    const known = this.view.get(uid);
    if (told.type === "DELETED") {
      if (known === undefined) this.#fail("order", `DELETED of ${uid}, which is not there`, uid);
      else if (told.cause !== "deselected") this.#ended(uid, known.addedMs, told.cause);
      this.view.delete(uid);
      return;
    }
    const { selects = () => true } = this.#kind;
    if (!selects(version)) this.#fail("selection", `version ${version} of ${uid} was not asked for`, uid);
    const said = this.#judge.wire.get(uid) ?? [];
    const at = said.findIndex((each, i) => i >= (this.#at.get(uid) ?? 0) && each.version === version);
    if (at < 0) this.#fail("content", `version ${version} of ${uid} comes after a later one, or was never said`, uid);
    else this.#at.set(uid, at + 1);
    if (told.type === "ADDED") {
      if (known !== undefined) this.#fail("order", `ADDED of ${uid}, which is there`, uid);
      this.view.set(uid, { version, addedMs: this.#judge.facts.nowMs, at });
    } else {
      if (known === undefined) this.#fail("order", `MODIFIED of ${uid}, which is not there`, uid);
      this.view.set(uid, { version, addedMs: known?.addedMs ?? this.#judge.facts.nowMs, at });
    }
  }

  #ended(uid: string, addedMs: number, cause: string): void {
    const { truth } = this.#judge.facts;
    const pod = truth.pods.get(uid);
    if (this.#kind.includeFinished === true) {
      const isThrough = pod?.isStatic === true && (truth.hasEnded(uid) || truth.endedSince(uid, addedMs)); // a static one may be listed on
      if (pod?.exists !== false && !isThrough && !truth.leftSince(uid, addedMs))
        this.#fail("false end", `DELETED (${cause}) of ${uid}, which is listed`, uid);
      return;
    }
    const hasEnded = pod?.exists === false || truth.hasEnded(uid);
    if (truth.endedSince(uid, addedMs) || (hasEnded && truth.running(uid).length === 0)) return;
    this.#fail(
      falseEndOf(pod, this.#judge.facts, this.#judge.wire.get(uid)?.at(-1)),
      `DELETED (${cause}) of ${uid}, which has not ended`,
      uid,
    );
  }

  #synced({ initial, count, unreadable }: Extract<ToldPod, { type: "SYNCED" }>): void {
    if (initial === this.#isSynced) this.#fail("order", "initial is told once, at first");
    if (count !== this.view.size) this.#fail("order", `SYNCED counts ${count}, and ${this.view.size} were told`);
    this.#isSynced = true;
    if (this.#kind.selects !== undefined || this.#kind.isEager !== true) return;
    for (const uid of this.#judge.settled()) {
      if (this.view.has(uid) || unreadable.includes(uid)) continue;
      const { unread } = this.#judge.facts;
      // An event that was lost is made good by the next list, and not before.
      if (this.#judge.hasFault(uid)) continue;
      let rule = "lost";
      if (!this.#judge.facts.isLive) rule = "A9";
      else if (unread.has(uid)) rule = "A1";
      else if (this.#judge.isDamaged(uid)) rule = "A3";
      this.#fail(rule, `SYNCED, and ${uid}, which runs, was not told`, uid);
    }
  }

  /** Looks at what an eager reader has by now. */
  check(): void {
    if (this.#kind.isEager !== true || !this.#isSynced || !this.#judge.isClean) return;
    this.#removed();
    if (this.#joinedMs > this.#judge.listedMs) return;
    for (const [uid, { isOver }] of this.#judge.facts.listed()) {
      const last = this.#judge.wire.get(uid)?.at(-1);
      if (last?.isDamaged === true) continue;
      const has = this.view.get(uid)?.version;
      const { truth } = this.#judge.facts;
      if (!isOver && has === undefined && truth.hasEnded(uid)) continue; // it has ended by its status
      const { includeFinished, selects = () => true } = this.#kind;
      const isMeant = (includeFinished === true || !isOver) && (last === undefined || selects(last.version));
      const isLate = isMeant && (has === undefined || (last !== undefined && has !== last.version));
      const wasListedFinished =
        includeFinished === true && (truth.hasEnded(uid) || truth.pods.get(uid)?.isRejected === true);
      let rule = wasListedFinished ? "A7" : "late";
      if (has === undefined && truth.pods.get(uid)?.isRejected === true) rule = "V2";
      if (isLate) this.#fail(rule, `${uid} is told as ${has}, and was said as ${last?.version}`, uid);
      else if (!isMeant && has !== undefined && this.#judge.lastList.has(uid))
        this.#fail("late", `${uid} has finished, and is there`, uid);
    }
  }

  /** The removal of an object is told some seconds after DELETED. */
  #removed(): void {
    if (this.#kind.includeFinished !== true) return;
    const { truth, nowMs } = this.#judge.facts;
    for (const uid of this.view.keys()) {
      const pod = truth.pods.get(uid);
      const leftMs = pod?.leaves.at(-1);
      const endedMs = pod?.overMs;
      if (pod?.exists !== false || leftMs === undefined || endedMs === undefined || pod.isStatic) continue;
      if (leftMs - endedMs > 2_000 || nowMs - leftMs < REMOVED_MS) continue;
      this.#fail("A6", `${uid} was removed ${Math.round(nowMs - leftMs)} ms ago, and is there`, uid);
    }
  }

  /** Looks at what a reader has in the end, when all has been well for long. */
  final(): void {
    if (!this.#isSynced) {
      this.#fail("end", "not synced");
      return;
    }
    const { selects = () => true, includeFinished = false } = this.#kind;
    const listed = [...this.#judge.facts.listed()].filter(
      ([, { version, isOver }]) => selects(version) && (includeFinished || !isOver),
    );
    const wanted = new Map(listed.map(([uid, { version }]) => [uid, version]));
    for (const uid of new Set([...wanted.keys(), ...this.view.keys()])) {
      const [has, wants] = [this.view.get(uid)?.version, wanted.get(uid)];
      if (has !== wants) this.#fail("end", `${uid} is ${wants} in the end, and told as ${has}`, uid);
    }
  }
}

/** Names the defect by which a pod is told as ended that has not. */
function falseEndOf(pod: TruePod | undefined, { lostMs, lists }: Facts, last: Said | undefined): string {
  if (pod?.isRejected === true) return "V2";
  const leftMs = pod?.leaves.at(-1);
  if (pod?.exists !== false || leftMs === undefined) return "false end";
  // It left the lists while no stream was live, or one was lost before its end.
  const wasAway = lostMs >= leftMs || !lists.some((atMs) => atMs > lostMs && atMs <= leftMs);
  // No status has shown that anything runs.
  const isBare = last !== undefined && last.running.length + last.waiting.length + last.ended.length === 0;
  return wasAway || isBare ? "A8" : "false end";
}

/** Judges one reader of containers. */
export class LifeReaderJudge {
  readonly #judge: Judge;
  readonly #name: string;
  readonly #isEager: boolean;
  readonly #joinedMs: number;
  readonly #told = new Map<string, "STARTED" | "ENDED">();
  readonly #spoilt = new Set<string>();

  constructor(judge: Judge, name: string, { isEager }: { isEager: boolean }) {
    this.#judge = judge;
    this.#name = name;
    this.#isEager = isEager;
    this.#joinedMs = judge.facts.nowMs;
  }

  #fail(rule: string, text: string, uid: string): void {
    if (this.#spoilt.has(uid)) return;
    this.#spoilt.add(uid);
    this.#judge.fail(rule, `${this.#name}: ${text}`);
  }

  hear(told: ToldLife): void {
    const { truth } = this.#judge.facts;
    const { uid } = told;
    if (told.type === "MISSED") {
      this.#missed(told);
      return;
    }
    const run = truth.runs.get(told.id);
    const before = this.#told.get(told.id);
    this.#told.set(told.id, told.type);
    if (told.type === "STARTED") {
      if (before !== undefined) this.#fail("order", `STARTED of ${told.id}, which was told`, uid);
      if (run?.fromMs === undefined) this.#fail("false start", `STARTED of ${told.id}, which never ran`, uid);
      return;
    }
    if (before !== "STARTED") this.#fail("order", `ENDED of ${told.id}, which does not run`, uid);
    if (run === undefined) return;
    if (run.toMs === undefined) {
      // Only a status behind one that showed it, and that does not, can have misled anybody.
      const said = this.#judge.wire.get(uid)?.filter(({ isDamaged }) => isDamaged !== true) ?? [];
      const shown = said.findIndex(({ running }) => running.includes(told.id));
      const isMisled = said.slice(shown + 1).some(({ running }) => !running.includes(told.id));
      const replaced = isMisled ? "V1" : "false end of a life";
      const rule =
        told.cause === "gone"
          ? falseEndOf(truth.pods.get(uid), this.#judge.facts, this.#judge.wire.get(uid)?.at(-1))
          : replaced;
      this.#fail(rule, `ENDED (${told.cause}) of ${told.id}, which runs`, uid);
    } else if (told.cause === "exited" && run.isInvented) {
      this.#fail("V3", `${told.id} exited ${told.exitCode}, which the runtime has made up`, uid);
    } else if (told.cause === "exited" && told.exitCode !== run.exitCode) {
      this.#fail("exit", `${told.id} exited ${told.exitCode}, and in truth ${run.exitCode}`, uid);
    }
  }

  #missed({ uid, name, from, to }: Extract<ToldLife, { type: "MISSED" }>): void {
    for (const run of this.#judge.facts.truth.runsOf(uid, name)) {
      if (run.count < from || run.count > to) continue;
      // A slow reader hears of it when the life that was taken back has ended in truth.
      const wasSwapped = this.#judge.facts.dropped.some((each) => each.uid === uid);
      if (this.#told.has(run.id))
        this.#fail(wasSwapped ? "V1" : "missed", `MISSED ${from} to ${to}, and ${run.id} was told`, uid);
      else if (run.fromMs === undefined && this.#judge.waitingShown.has(run.id))
        this.#fail("V4", `MISSED ${from} to ${to}, and ${run.id} never ran, as was shown`, uid);
    }
  }

  final(): void {
    const { truth } = this.#judge.facts;
    for (const run of truth.runs.values()) {
      const { id, uid, fromMs, toMs } = run;
      if (fromMs === undefined) continue;
      const told = this.#told.get(id);
      const isThere = truth.pods.get(uid)?.exists === true && toMs === undefined;
      if (isThere && told !== "STARTED")
        this.#fail(
          told === undefined ? "lost life" : "V1",
          `${id} runs in the end, and is told as ${told ?? "nothing"}`,
          uid,
        );
      if (!this.#isEager) continue;
      const shownMs = this.#judge.shownMs.get(id);
      if (shownMs !== undefined && shownMs > this.#joinedMs && told === undefined)
        this.#fail("lost life", `${id} was shown, and is not told`, uid);
      if (toMs !== undefined && told === "STARTED")
        this.#fail("lost end", `${id} has ended, and its end is not told`, uid);
    }
  }
}
