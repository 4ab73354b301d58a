// Judges what readers are told by what is so. Its rules are its own: nothing here is of the library but what it told, and nothing of a
// rule is read from its code. A violation bears the name of its rule, or that of a known defect, which reds.ts has.

import { Calm } from "./calm.js";
import { Details } from "./details.js";
import type { Answered, Asked, Facts, Heard, Key, ToldLife, ToldPod } from "./evidence.js";
import type { Said } from "./teller.js";
import type { Lease, Run, TruePod } from "./truth.js";

export interface Violation {
  readonly rule: string;
  readonly text: string;
}

/** After so long a pod has been told, whatever lags. */
const SETTLED_MS = 15_000;
/** In so long a sandbox is made anew. */
const REMADE_MS = 7_000;
/** How late a kubelet tells an address, at most (T4), with its look at the runtime. */
const TOLD_MS = 4_500;
/** How long the next pod of a manifest may wait for the end of the one before: grace period, ten seconds, and a list. */
const HELD_MS = 65_000;

/** How many ended runs of a container wait for who reads slowly, at least (docs/guides/containers.md). */
const WAITING_RUNS = 8;

/** How late the removal of an object is told to readers of finished pods: the longest pause between three lists behind DELETED. */
const REMOVED_MS = 6_500;
/** How long a pod may take to end, whose grace period is twenty seconds. */
const ENDING_MS = 40_000;
/** The most lists that are asked for in so long, where nothing happens to the kubelet. */
const MOST_LISTS = 30;
const LISTS_MS = 300_000;
/** How soon a list comes after a message that cannot be read (docs/faults.md), and how long a stream lasts at most. */
const DOUBT_MS = 3_000;
const RESYNC_MS = 150_000;
/** How long before a kubelet says so a pod may have got an address. */
const GAINED_MS = 1_001;
/** How long a program has that is asked to end. */
const GRACE_MS = 2_000;
/** For so long a kubelet's socket is young: what lists lack then proves nothing. */
const YOUNG_MS = 30_000;

const NO_LIST: Made = { atMs: 0, unread: new Set(), nameless: new Set(), over: new Set() };

/** A list as it was made: when, and what the process had not read then, had without a UID, and was through with. */
interface Made {
  readonly atMs: number;
  readonly unread: ReadonlySet<string>;
  readonly nameless: ReadonlySet<string>;
  readonly over: ReadonlySet<string>;
}

export class Judge {
  readonly facts: Facts;
  readonly violations: Violation[] = [];
  /** How many answers about a time that is past were how sure. */
  readonly grades: Map<string, number> = new Map();
  /** What reached the readers of each pod, in order. */
  readonly wire: Map<string, Heard[]> = new Map();
  /** When what was shown of a container first reached them. */
  readonly shownMs: Map<string, number> = new Map();
  /** When a container was last shown created, and not started. */
  readonly waitingShown: Map<string, number> = new Map();
  /** Damaged in the last list. */
  #damaged: ReadonlySet<string> = new Set();
  /** When the last list was made that had something damaged. */
  #damagedMs = Number.NEGATIVE_INFINITY;
  listedMs = 0;
  lastList: ReadonlySet<string> = new Set();
  #listing: Set<string> = new Set();
  /** The list that was made last, which may still be on its way. */
  #made = NO_LIST;
  /** Pods that the process had not read when it gave the last list. */
  unreadInList: ReadonlySet<string> = new Set();
  /** Those that it had, and that the kubelet was through with. */
  overInList: ReadonlySet<string> = new Set();
  /** Those that a list had without a UID, and that have not been read since. */
  readonly nameless: Set<string> = new Set();

  /** Why the containers of each pod have ended, as the first reader of an agent was told. */
  readonly reasons: Map<string, Set<string>> = new Map();
  readonly calm: Calm;
  readonly details: Details;

  constructor(facts: Facts) {
    this.facts = facts;
    this.calm = new Calm(facts, this.wire, this.reasons, (rule, text) => this.fail(rule, text));
    this.details = new Details(facts, (rule, text) => this.fail(rule, text));
  }

  fail(rule: string, text: string): void {
    this.violations.push({ rule, text: `${text} (at ${Math.round(this.facts.nowMs)} ms)` });
  }

  /** A journal has recorded the end of a container's run. */
  recorded(uid: string, id: string, exitCode: number | undefined): void {
    const run = this.facts.truth.runs.get(id);
    if (run === undefined) this.fail("J2", `the journal has the end of ${id}, which never was`);
    else if (exitCode === undefined)
      return; // nobody saw how it ended
    else if (run.toMs === undefined) this.fail("J2", `the journal has the exit of ${id} of ${uid}, which runs`);
    else if (run.isInvented || exitCode !== run.exitCode)
      this.fail("J2", `the journal has exit code ${exitCode} of ${id}, and in truth it is ${run.exitCode}`);
  }

  /** Hears what reached the readers. */
  said(said: Said, isListed: boolean): void {
    const { uid, running, waiting, isDamaged } = said;
    const heard = { ...said, atMs: this.facts.nowMs };
    const known = this.wire.get(uid);
    if (known === undefined) this.wire.set(uid, [heard]);
    else known.push(heard);
    if (isListed && isDamaged) this.#listing.add(uid);
    if (isDamaged) return;
    for (const id of running) if (!this.shownMs.has(id)) this.shownMs.set(id, this.facts.nowMs);
    for (const id of waiting) this.waitingShown.set(id, this.facts.nowMs);
  }

  /** Hears that a list is made. */
  listing(): void {
    const { nowMs, unread, nameless } = this.facts;
    const over = [...this.facts.listed()].flatMap(([uid, { isOver }]) => (isOver ? [uid] : []));
    this.#made = { atMs: nowMs, unread: new Set(unread), nameless: new Set(nameless), over: new Set(over) };
  }

  /** Hears that the readers have it whole. */
  listed(uids: ReadonlySet<string>): void {
    this.listedMs = this.#made.atMs;
    this.lastList = uids;
    this.unreadInList = this.#made.unread;
    this.overInList = this.#made.over;
    for (const uid of this.nameless) if (!this.unreadInList.has(uid)) this.nameless.delete(uid);
    for (const uid of this.#made.nameless) this.nameless.add(uid);
    this.#damaged = this.#listing;
    if (this.#damaged.size > 0 || this.nameless.size > 0) this.#damagedMs = this.listedMs;
    if (this.#damagedMs === this.listedMs || this.unreadInList.size > 0) this.calm.incompleteMs = this.listedMs;
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

  /**
   * Whether the next pod of a static pod's manifest may wait for the end of the one before: if something was lost, it may be the DELETED, and
   * containers may run for the grace period. If the clock was set, the stamps of the two may be in the wrong order.
   */
  isHeld(uid: string): boolean {
    const { truth, losses, dropped, nowMs } = this.facts;
    const pod = truth.pods.get(uid);
    const leftMs = pod?.leaves.at(-1);
    if (pod?.isStatic !== true || leftMs === undefined) return false;
    if (nowMs - Math.max(leftMs, pod.beganMs) > HELD_MS) return false;
    const faults = [...losses, ...truth.clockSteps, ...dropped.flatMap((each) => (each.uid === uid ? each.atMs : []))];
    return faults.some((atMs) => atMs > leftMs - HELD_MS);
  }

  /** Whether the clock was set between the kubelet's start and that of an agent: then nobody can say how old the kubelet is. */
  isSetBefore(joinedMs: number): boolean {
    const { startMs, truth } = this.facts;
    return truth.clockSteps.some((atMs) => atMs >= startMs && atMs <= joinedMs);
  }

  /** Looks whether a list was asked for soon after a message that nobody can read: it may have been any pod's end. */
  checkDoubt(): void {
    const { illegible, newTypes, hadNewType } = this.facts;
    const [damagedMs, newMs] = [illegible.at(-1), newTypes.at(-1)];
    if (damagedMs !== undefined && !hadNewType) this.#checkListed(damagedMs, "a message that cannot be read");
    if (newMs !== undefined) this.#checkListed(newMs, "the first event of an unknown type");
  }

  #checkListed(atMs: number, what: string): void {
    const { nowMs, lists, illegible, losses, starts, polled, dropped, damaged, truth } = this.facts;
    if (nowMs - atMs < DOUBT_MS) return;
    // Where there was another within a resync interval it takes longer, and a stream that was lost begins with a list.
    const others = [...dropped.map((each) => each.atMs), ...illegible].filter((ms) => ms !== atMs);
    const isBusy = [...others, ...losses, ...starts, ...polled, ...truth.pauses].some(
      (ms) => Math.abs(atMs - ms) < RESYNC_MS,
    );
    // Nor where a list was asked for out of turn, as for a container whose end is not known.
    const before = lists.filter((ms) => ms > atMs - RESYNC_MS && ms < atMs);
    const wasDamaged = damaged.size > 0 || atMs - this.#damagedMs < RESYNC_MS;
    if (isBusy || wasDamaged || before.length > 1) return;
    if (!lists.some((ms) => ms >= atMs && ms <= atMs + DOUBT_MS))
      this.fail("doubt", `no list within ${DOUBT_MS} ms of ${what}`);
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

  /** Whose a key was at some time of a span. */
  #holders(key: Key, fromMs: number, toMs: number): ReadonlySet<string> {
    const { truth } = this.facts;
    if ("ip" in key) return truth.holders(key.ip, fromMs, toMs);
    if ("name" in key) return truth.named(key.name, fromMs, toMs);
    if ("uid" in key) return new Set([key.uid]);
    return new Set([...truth.runs.values()].filter(({ id }) => id === key.containerID).map(({ uid }) => uid));
  }

  /** An answer of a lookup, for the present or for a time: what is sure has to be true, by how sure it says it is. */
  found(key: Key, answer: Answered, at: Asked): void {
    const { uid, confidence } = answer;
    this.calm.answered(key, answer, at);
    this.details.why(key, answer, at);
    const passesOn = "ip" in key || "name" in key;
    if (at.isPast && passesOn) this.#grade(confidence);
    if (at.isPast && at.isRetained && "ip" in key && uid !== undefined) this.#handedOver(key.ip, uid, at);
    if (confidence !== "confirmed" && confidence !== "reported") return;
    const { truth, nowMs, dropped } = this.facts;
    const holders = this.#holders(key, at.ms, at.ms);
    // That nobody has it is said of those who were asked for: not of pods that had ended, or are rejected.
    const isMeant = (each: string) => {
      const pod = truth.pods.get(each);
      // One that has left the lists, and runs on, nobody can know who has started since.
      const isTold = this.wire
        .get(each)
        ?.some(({ atMs, isGone }) => atMs >= at.joinedMs && atMs <= at.ms && isGone !== true);
      const isLeft = pod?.spans.some(({ fromMs, toMs = at.ms + 1 }) => fromMs <= at.ms && at.ms < toMs) !== true;
      return pod?.ends.every((atMs) => atMs > at.ms) === true && !pod.isRejected && !(isLeft && isTold !== true);
    };
    // Times of day are whole milliseconds: who lost it in this one need not have had it.
    const isStill = (each: string) => [-1, 1].every((ms) => this.#holders(key, at.ms + ms, at.ms + ms).has(each));
    if (uid === undefined ? ![...holders].some((each) => isMeant(each) && isStill(each)) : holders.has(uid)) return;
    // A pod that has the same address again with a new sandbox: nobody else had it between.
    if ("ip" in key && uid !== undefined && at.isPast && truth.isRemade(uid, key.ip, at.ms, REMADE_MS)) return;
    const ever = this.#holders(key, 0, nowMs);
    const isDropped = dropped.some((each) => each.uid === uid || ever.has(each.uid));
    if (confidence === "reported" && isDropped) {
      this.#grade("told, and wrong where a message was lost");
      return;
    }
    // An address that a pod had for less than the kubelet takes to tell it, and that was never told, nobody can know.
    const isShort = ({ uid: each, fromMs, toMs = nowMs }: Lease) =>
      holders.has(each) &&
      toMs - fromMs < TOLD_MS &&
      !this.wire.get(each)?.some(({ ip }) => "ip" in key && ip === key.ip);
    if (confidence === "reported" && uid === undefined && truth.leases.some(isShort)) return;
    const isStepped = at.isPast && truth.clockSteps.some((atMs) => atMs >= at.ms);
    const what = at.isPast ? `${Math.round(nowMs - at.ms)} ms ago` : "now";
    this.fail(
      isStepped ? "F2" : "F1",
      `${textOf(key)} is ${confidence} to be of ${uid ?? "nobody"} ${what}, and was of ${[...holders].join() || "nobody"}`,
    );
  }

  /** The next owner is named, however unsure, for no time more than a second before it got the address, if the one before was reported. */
  #handedOver(ip: string, uid: string, { ms: atMs, joinedMs }: { ms: number; joinedMs: number }): void {
    const { truth, dropped, lists, losses, starts, polled } = this.facts;
    const own = truth.leases.filter((each) => each.ip === ip && each.uid === uid);
    const gotMs = Math.min(...own.map(({ fromMs }) => fromMs));
    if (own.length === 0 || gotMs <= atMs + GAINED_MS) return;
    if (truth.clockSteps.some((eachMs) => eachMs >= atMs)) return; // the time of day that was asked for may be another
    const [owner] = truth.holders(ip, atMs, atMs);
    // What an earlier process said of the owner may be old: the one that runs may not have read it yet.
    const sinceMs = Math.max(joinedMs, ...starts.filter((eachMs) => eachMs < atMs));
    // Times of day are whole milliseconds: what was said in this one may have been said before the time that is asked for.
    const said = this.wire.get(owner ?? "")?.filter((each) => each.atMs >= sinceMs && each.atMs < atMs + 1);
    const last = said?.at(-1);
    if (last?.ip !== ip || last.running.length === 0) return; // one without a running container may have ended
    const troubles = [...losses, ...starts, ...polled, ...truth.clockSteps, ...truth.pauses];
    const troubledMs = Math.max(joinedMs, ...troubles.filter((eachMs) => eachMs < gotMs + SETTLED_MS));
    if (!lists.some((eachMs) => eachMs > troubledMs && eachMs < atMs - SETTLED_MS)) return;
    if (dropped.some((each) => each.uid === uid)) return;
    this.fail("early", `${ip} is said to be of ${uid} ${Math.round(gotMs - atMs)} ms before it got it`);
  }

  #grade(grade: string): void {
    this.grades.set(grade, (this.grades.get(grade) ?? 0) + 1);
  }

  /** Whom a lookup has to find for a time that is past: who alone had the address around it, told before and shown since. */
  remembered(ip: string, found: string | undefined, atMs: number, joinedMs: number): void {
    const { truth, nowMs, dropped, losses, starts } = this.facts;
    const lease = truth.leases.find((each) => each.ip === ip && each.fromMs <= atMs && (each.toMs ?? nowMs) >= atMs);
    if (lease === undefined || found === lease.uid) return;
    const fromMs = Math.max(joinedMs, lease.fromMs) + SETTLED_MS;
    const wasRunning = ({ fromMs: sinceMs = nowMs, toMs = nowMs }: Run) => sinceMs < atMs && toMs > atMs;
    if (!truth.runsOf(lease.uid).some(wasRunning)) return;
    if (atMs < fromMs || truth.holders(ip, atMs - 2 * SETTLED_MS, atMs + SETTLED_MS).size > 1) return;
    const isTroubled = (eachMs: number) => eachMs > atMs - 2 * SETTLED_MS;
    if ([...losses, ...starts, ...this.facts.polled, ...truth.clockSteps].some(isTroubled)) return;
    if (dropped.some((each) => isTroubled(each.atMs) || each.uid === lease.uid)) return;
    const said = this.wire.get(lease.uid)?.filter((each) => each.atMs >= joinedMs && each.atMs < atMs - 1_000) ?? [];
    if (!said.some((each) => each.ip === ip && !each.isDamaged)) return;
    // Where the kubelet says it of both, any of them may be found.
    if (this.wire.get(found ?? "")?.some((each) => each.ip === ip && each.atMs <= atMs)) return;
    const rule = said.at(-1)?.isBare === true ? "A4" : "find";
    this.fail(rule, `${ip} was of ${lease.uid} ${Math.round(nowMs - atMs)} ms ago, and ${found ?? "nobody"} is found`);
  }

  /** A wait was given a pod that did not have the address: what a kubelet tells that has just started, or in lists alone, may be old. */
  waited(ip: string, uid: string): void {
    const { nowMs, starts, returns, polled, dropped } = this.facts;
    const isOld = [...starts, ...returns, ...polled].some((atMs) => nowMs - atMs < YOUNG_MS);
    if (!isOld && !dropped.some((each) => each.uid === uid))
      this.fail("waitFor", `${ip} is waited for, and ${uid} is given, which did not have it`);
  }

  /** Nobody was waited for in vain whose address had been told. */
  waitedInVain(ip: string, sinceMs: number, joinedMs: number): void {
    const { truth, dropped, losses, starts } = this.facts;
    const lease = truth.holder(ip);
    if (lease === undefined || this.facts.unread.has(lease.uid)) return;
    if (truth.pods.get(lease.uid)?.exists === false) return; // it has left the lists, and is about to go
    if (lease.fromMs > sinceMs - SETTLED_MS || truth.running(lease.uid).length === 0) return;
    if ([...losses, ...starts, ...dropped.map(({ atMs }) => atMs)].some((atMs) => atMs > sinceMs - 2 * SETTLED_MS))
      return;
    const last = this.wire.get(lease.uid)?.at(-1);
    if (
      last === undefined ||
      last.atMs < joinedMs ||
      last.ip !== ip ||
      last.isDamaged ||
      dropped.some(({ uid }) => uid === lease.uid)
    )
      return;
    const others = [...this.wire].filter(([uid, said]) => uid !== lease.uid && said.at(-1)?.ip === ip);
    if (others.length === 0)
      this.fail("waitFor", `${ip} is of ${lease.uid}, which was told, and was waited for in vain`);
  }

  /** Nobody was waited for in vain whose address was told meanwhile. */
  toldInVain(ip: string, sinceMs: number): void {
    const { truth, nowMs, losses, starts, dropped, polled } = this.facts;
    if ([...losses, ...starts, ...polled, ...dropped.map(({ atMs }) => atMs)].some((atMs) => atMs > sinceMs - 1_000))
      return;
    const lease = truth.holder(ip);
    const pod = lease && truth.pods.get(lease.uid);
    if (lease === undefined || pod === undefined || !pod.exists || truth.running(lease.uid).length === 0) return;
    if (this.facts.damaged.size > 0 || this.nameless.size > 0) return;
    const said = this.wire.get(lease.uid) ?? [];
    const told = said.find((each) => each.ip === ip && each.atMs >= lease.fromMs && each.running.length > 0);
    if (told === undefined || told.atMs < sinceMs || told.atMs > nowMs - 200 || said.some(({ isDeleted }) => isDeleted))
      return;
    this.fail("waitFor", `${ip} was told of ${lease.uid} meanwhile, and is waited for in vain`);
  }

  /** What lookups say of an address that a pod has had for long, and that the kubelet has told. */
  held(ip: string, found: string | undefined, view: { has(uid: string): boolean }, joinedMs: number): void {
    const lease = this.facts.truth.holder(ip);
    if (lease === undefined || found === lease.uid || !this.isClean || !view.has(lease.uid)) return;
    if (this.facts.nowMs - lease.fromMs < SETTLED_MS || this.facts.truth.running(lease.uid).length === 0) return;
    // Where the kubelet says it of both, any of them may be found.
    if (found !== undefined && this.wire.get(found)?.at(-1)?.ip === ip) return;
    const last = this.wire.get(lease.uid)?.at(-1);
    if (last?.isDamaged === true) return;
    const isEmpty = last?.isBare === true;
    if (isEmpty && found !== undefined && this.wire.get(found)?.at(-1)?.isBare === true) return; // nothing is said of both
    const wasTold =
      this.wire.get(lease.uid)?.some((said) => said.ip === ip && !said.isDamaged && said.atMs >= joinedMs) ?? false;
    if (!wasTold || (last?.ip !== ip && !isEmpty)) return;
    this.fail(isEmpty ? "A4" : "find", `${ip} is of ${lease.uid}, which was told, and ${found ?? "nobody"} is found`);
  }

  /**
   * A list that was given to a call: what runs and is listed is in it, and what has not been read is no proof of anything.
   *
   * @param isProof it was said that nothing else is there.
   */
  answered(uids: ReadonlySet<string>, what: string, isProof: boolean): void {
    const { nowMs, startMs, unread } = this.facts;
    const listed = this.facts.listed();
    for (const uid of this.settled()) {
      if (uids.has(uid) || this.facts.nameless.has(uid)) continue; // it is there, and has no UID
      if (listed.has(uid))
        this.fail(this.facts.damaged.has(uid) ? "A3" : "lost", `${what} lacks ${uid}, which is listed`);
      else if (this.isSetBefore(nowMs)) continue;
      else if (unread.has(uid) && (isProof || this.facts.isPartial) && nowMs - startMs < YOUNG_MS)
        this.fail("A2", `${what} lacks ${uid}`);
    }
  }

  /** What an agent may remove: nothing of a pod that has run for long, and runs. */
  confirmAbsent(uid: string): void {
    const { truth, unread } = this.facts;
    if (truth.running(uid).length === 0 || !this.settled().includes(uid)) return;
    this.fail(
      unread.has(uid) || this.unreadInList.has(uid) ? "A1" : "confirmAbsent",
      `the informer lacks ${uid}, which runs`,
    );
  }

  /** Whether an agent may remove what it made for an address: nothing of a pod that runs, and has it, but where a status came that is older. */
  mayRemove({ uid, ip }: { readonly uid: string; readonly ip: string }, joinedMs: number): boolean {
    const { truth, starts, polled, nowMs } = this.facts;
    const lease = truth.holder(ip);
    if (lease?.uid !== uid || truth.running(uid).length === 0 || this.isSetBefore(joinedMs)) return true;
    // Of a pod whose object has gone, and that runs on for its grace period, an agent cannot know that was never told of it.
    const isTold = this.wire.get(uid)?.some(({ atMs }) => atMs >= joinedMs) === true;
    if (truth.pods.get(uid)?.exists === false && !isTold) return true;
    const said = this.wire.get(uid) ?? [];
    // A static pod that was put back has its address again before the kubelet says so.
    const saidMs = said.findLast((each) => each.ip === ip)?.atMs;
    if (saidMs !== undefined && truth.endedSince(uid, saidMs)) return true;
    const isOld = [...starts, ...polled].some((atMs) => nowMs - atMs < YOUNG_MS) || this.hasFault(uid);
    const last = said.findLast(({ isGone }) => isGone !== true);
    if (isOld && last?.ip !== undefined && last.ip !== ip) return true;
    return false;
  }

  /** A command that said that a pod has gone. */
  gone(uid: string, what: string): void {
    const { truth, nowMs } = this.facts;
    if (truth.running(uid).length === 0 || this.isSetBefore(nowMs)) return;
    this.fail(truth.pods.get(uid)?.isRejected ? "V2" : "A2", `${what}: ${uid} has gone, and it runs`);
  }
}

function textOf(key: Key): string {
  return Object.values(key).join();
}

/** What a reader asked for, and how it reads. */
export interface ReaderKind {
  readonly includeFinished?: boolean;
  /** Whether it asked for a pod of this version; for all where it is undefined. */
  readonly selects?: (version: number) => boolean;
  /** Whether it asked for all of each pod. */
  readonly isWhole?: boolean;
  /** Whether it takes each event as it comes. */
  readonly isEager?: boolean;
  /** Whether it is one more of a client that has others. */
  readonly isLate?: boolean;
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
  #syncedMs = 0;
  firstSyncedMs: number = Number.POSITIVE_INFINITY;

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
    if (told.type === "DISCONNECTED") {
      this.#disconnected();
      return;
    }
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
    const { truth } = this.#judge.facts;
    const name = truth.pods.get(uid)?.name;
    // Of another pod of that name, whose UID could not be read.
    const isAnothers = [...this.#judge.wire].some(
      ([other, heard]) =>
        other !== uid && truth.pods.get(other)?.name === name && heard.some((each) => each.version === version),
    );
    if (said[at]?.running.length !== 0 && at >= 0 && this.#isOver(uid, said[at]?.atMs ?? 0))
      this.#fail("order", `version ${version} of ${uid} shows that it runs, and the last list that it had ended`, uid);
    const rule = isAnothers ? "A10" : "content";
    if (at < 0) this.#fail(rule, `version ${version} of ${uid} comes after a later one, or was never said`, uid);
    else this.#at.set(uid, at + 1);
    const saidMs = said[at]?.atMs ?? this.#judge.facts.nowMs; // a slow reader hears it later
    if (told.type === "ADDED") {
      if (known !== undefined) this.#fail("order", `ADDED of ${uid}, which is there`, uid);
      this.view.set(uid, { version, addedMs: saidMs, at });
    } else {
      if (known === undefined) this.#fail("order", `MODIFIED of ${uid}, which is not there`, uid);
      else this.#modified(uid, known, version, saidMs);
      if (known !== undefined && told.before !== known.version)
        this.#fail("previous", `${uid} was ${known.version}, and ${told.before} is the previous one`, uid);
      this.view.set(uid, { version, addedMs: known?.addedMs ?? saidMs, at });
    }
  }

  /** What comes behind a list that shows a pod through with may be older than that. Static pods come again. */
  #isOver(uid: string, saidMs: number): boolean {
    const { overInList, listedMs, facts } = this.#judge;
    return overInList.has(uid) && saidMs > listedMs && facts.truth.pods.get(uid)?.isStatic === false;
  }

  /** A change is one of what a reader asked for, and of one and the same life of a pod. */
  #modified(uid: string, known: { version: number; addedMs: number }, version: number, saidMs: number): void {
    if (known.version === version) this.#fail("no change", `MODIFIED of ${uid}, of which nothing has changed`, uid);
    const { truth, dropped, losses } = this.#judge.facts;
    const isSince = (atMs: number) => atMs >= known.addedMs;
    const pod = truth.pods.get(uid);
    if (losses.some(isSince) || dropped.some((each) => each.uid === uid) || pod === undefined) return;
    if (pod.leaves.some((atMs) => isSince(atMs) && atMs < pod.beganMs) && pod.beganMs <= saidMs && pod.life > 1)
      this.#fail("order", `MODIFIED of ${uid}, which has gone and come again`, uid);
  }

  /** A pod has what was asked for: each has a container in its spec. */
  whole(uid: string, containers: number): void {
    const wasDamaged = this.#judge.wire.get(uid)?.some(({ isDamaged }) => isDamaged) ?? false;
    if (containers !== this.#judge.facts.truth.pods.get(uid)?.containers.length && !wasDamaged)
      this.#fail("content", `${uid} is told with ${containers} containers`, uid);
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
    // Where the kubelet has sent DELETED, a list is no reason: not even where that came while the next list did.
    const said = this.#judge.wire.get(uid) ?? [];
    const isGone = said.some((each) => each.isGone === true && each.isDamaged !== true && each.atMs >= addedMs);
    const wasDamaged = said.some((each) => each.isDamaged === true && each.atMs >= addedMs);
    if (cause === "missing" && this.#kind.isEager === true && isGone && !wasDamaged && pod?.isStatic === false)
      this.#fail("gap", `DELETED (missing) of ${uid}, whose end was said`, uid);
    const hasEnded = pod?.exists === false || truth.hasEnded(uid);
    if (truth.endedSince(uid, addedMs) || (hasEnded && truth.running(uid).length === 0)) return;
    // A static pod that was put back: a slow reader was given the former one, all of whose containers have ended.
    const isFormer = (run: Run) => run.life !== pod?.life;
    if (truth.leftSince(uid, addedMs - TOLD_MS) && truth.runsOf(uid).every((run) => !isFormer(run) || run.toMs)) return;
    const last = this.#judge.wire.get(uid)?.at(-1);
    this.#fail(falseEndOf(pod, this.#judge.facts, last), `DELETED (${cause}) of ${uid}, which has not ended`, uid);
  }

  /**
   * That nobody says how the pods are is told where a stream was lost, and not of one that only was read late. If the client stood still before
   * its request was sent, and the kubelet is slow to answer, the time for the answer is over before it comes.
   */
  #disconnected(): void {
    const { losses, starts, polled, truth, nowMs, slowMs } = this.#judge.facts;
    const sinceMs = Math.min(this.#syncedMs, this.#judge.listedMs); // who joins is told what the last list had
    // A kubelet that begins to serve the Pods API, and initializes, takes the place of its HTTP server.
    const isLost = [...losses, ...starts, ...polled].some((atMs) => atMs >= sinceMs);
    const isUnsent = truth.stalls.some(({ toMs }) => toMs >= nowMs - 1 && slowMs >= toMs - 1);
    if (this.#kind.isEager === true && this.#isSynced && !isLost && !isUnsent)
      this.#fail("outage", "DISCONNECTED, and nothing was lost");
  }

  #synced({ initial, count, unreadable }: Extract<ToldPod, { type: "SYNCED" }>): void {
    if (initial === this.#isSynced) this.#fail("order", "initial is told once, at first");
    if (count !== this.view.size) this.#fail("order", `SYNCED counts ${count}, and ${this.view.size} were told`);
    this.#isSynced = true;
    this.#syncedMs = this.#judge.facts.nowMs;
    if (initial) this.firstSyncedMs = this.#syncedMs;
    if (this.#kind.selects !== undefined || this.#kind.isEager !== true) return;
    for (const uid of this.#judge.settled()) {
      if (this.view.has(uid) || unreadable.has(uid)) continue;
      // The HTTP server can have the entry without a UID longer than the Pods API.
      const isNameless = this.#judge.nameless.has(uid) || this.#judge.wire.get(uid)?.at(-1)?.isDamaged === true;
      if (unreadable.has("") && isNameless) continue;
      const { unread } = this.#judge.facts;
      // An event that was lost is made good by the next list, and not before.
      if (this.#judge.hasFault(uid)) continue;
      // Of what a process has not read yet those are unconfirmed, over its start, who were told. Who was not cannot know of it.
      const isUnread = unread.has(uid) || this.#judge.unreadInList.has(uid);
      // By contract a list is taken as it is, and who reads it is told of the others when they are read.
      if (isUnread && !this.#judge.facts.isPartial && !this.#judge.facts.isPolled) continue;
      if (isUnread && (!initial || this.#kind.isLate === true || this.#judge.isSetBefore(this.#joinedMs))) continue;
      let rule = "lost";
      if (!this.#judge.facts.isLive && !this.#judge.facts.isPolled) rule = "A9";
      else if (isUnread) rule = "A1";
      else if (this.#judge.isDamaged(uid)) rule = "A3";
      this.#fail(rule, `SYNCED, and ${uid}, which runs, was not told`, uid);
    }
  }

  /** Looks at what an eager reader has by now. */
  check(): void {
    if (this.#kind.isEager !== true || !this.#isSynced || !this.#judge.isClean) return;
    if (this.#judge.isSetBefore(this.#joinedMs)) return; // it may have been told too soon that this is all there is
    this.#removed();
    if (this.#joinedMs > this.#judge.listedMs) return;
    for (const [uid, { isOver }] of this.#judge.facts.listed()) {
      const last = this.#judge.wire.get(uid)?.findLast(({ isGone }) => isGone !== true);
      if (last?.isDamaged === true) continue;
      // Of a finished pod that a kubelet of 1.36 reads after its first list no event comes: the next list has it.
      const isSaid = last !== undefined && last.atMs >= Math.max(this.#joinedMs, this.#judge.facts.startMs);
      if (isOver && !isSaid && !this.view.has(uid) && this.#judge.unreadInList.has(uid)) continue;
      // What comes behind DELETED may be older than what came before it: the next list has what is so.
      const goneMs = this.#judge.wire.get(uid)?.findLast(({ isGone }) => isGone === true)?.atMs;
      const isListedSince = goneMs !== undefined && goneMs < this.#judge.listedMs && this.#judge.lastList.has(uid);
      if (isOver && goneMs !== undefined && !isListedSince) continue;
      const has = this.view.get(uid)?.version;
      const { truth } = this.#judge.facts;
      if (!isOver && has === undefined && truth.hasEnded(uid)) continue; // it has ended by its status
      const { includeFinished, selects = () => true } = this.#kind;
      const isMeant = (includeFinished === true || !isOver) && (last === undefined || selects(last.version));
      const isLate = isMeant && (has === undefined || (last !== undefined && has !== last.version));
      if (!isLate && isMeant === (has !== undefined)) this.#spoilt.delete(uid); // it is told as it is again
      const wasListedFinished =
        includeFinished === true && (truth.hasEnded(uid) || truth.pods.get(uid)?.isRejected === true);
      // Who sees it first as it is rejected takes it for finished: no status says that anything ran.
      const pod = truth.pods.get(uid);
      if (this.#judge.isHeld(uid)) continue;
      const isBare = last?.isBare === true && this.#judge.facts.nowMs - last.atMs < ENDING_MS;
      if (isBare && has === undefined && (pod?.isRejected === true || pod?.ends.length !== 0)) continue;
      let rule = wasListedFinished ? "A7" : "late";
      if (has === undefined && truth.pods.get(uid)?.isRejected === true) rule = "V2 late";
      if (isLate) this.#fail(rule, `${uid} is told as ${has}, and was said as ${last?.version}`, uid);
      // A status without containers proves no end, for as long as one may take.
      else if (last?.isBare === true && this.#judge.facts.nowMs - (last?.atMs ?? 0) < ENDING_MS) continue;
      else if (!isMeant && has !== undefined && this.#judge.lastList.has(uid))
        this.#fail("late", `${uid} has finished, and is there`, uid);
    }
  }

  /** The removal of an object is told some seconds after DELETED. */
  #removed(): void {
    const { truth, nowMs, damaged, lostMs } = this.#judge.facts;
    // Where a list has an entry without a UID, nothing is proved absent.
    if (this.#kind.includeFinished !== true || damaged.size > 0 || this.#judge.nameless.size > 0) return;
    for (const uid of this.view.keys()) {
      const pod = truth.pods.get(uid);
      const leftMs = pod?.leaves.at(-1);
      const endedMs = pod?.overMs;
      if (pod?.exists !== false || leftMs === undefined || endedMs === undefined || pod.isStatic) continue;
      if (lostMs > endedMs - ENDING_MS || this.#judge.facts.dropped.some((each) => each.uid === uid)) continue; // what was seen last may be that it runs
      // Lists are asked for where the pod was shown as deleted: else nothing says that its object is about to go.
      if (this.#judge.wire.get(uid)?.some(({ isDeleted }) => isDeleted) !== true) continue;
      if (!this.#judge.wire.get(uid)?.some(({ isGone }) => isGone)) continue; // nobody has said that it has ended
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
  return wasAway || last?.isBare === true ? "A8" : "false end";
}

/** Clocks that are further apart are noticed when the kubelet sends a deletion, also in a list of the HTTP server, which is late. */
const APART_MS = 15_000;

/** The reasons of kubelets' own stops. */
const OF_KUBELET: ReadonlySet<string> = new Set(["Evicted", "preempted", "shut-down", "deadline", "rejected"]);

/** Judges one reader of containers. */
export class LifeReaderJudge {
  readonly #judge: Judge;
  readonly #name: string;
  readonly #isEager: boolean;
  readonly #joinedMs: number;
  readonly #told = new Map<string, "STARTED" | "ENDED">();
  /** The reader that joined first. */
  readonly #first: LifeReaderJudge | undefined;
  /** When it was first told anything: it watches since then, at the latest. */
  #heardMs: number | undefined;
  #isSynced = false;
  #isCompared = true;
  /** The lives of which it was told that they were missed, by pod and container. */
  readonly #missing = new Map<string, (readonly [from: number, to: number])[]>();
  readonly #spoilt = new Set<string>();

  constructor(
    judge: Judge,
    name: string,
    { isEager, first }: { isEager: boolean; first?: LifeReaderJudge | undefined },
  ) {
    this.#judge = judge;
    this.#name = name;
    this.#isEager = isEager;
    this.#first = first;
    this.#joinedMs = judge.facts.nowMs;
  }

  #fail(rule: string, text: string, uid: string): void {
    if (this.#spoilt.has(uid)) return;
    this.#spoilt.add(uid);
    this.#judge.fail(rule, `${this.#name}: ${text}`);
  }

  /** All readers of one client know the same runs: who joins while a status is empty receives what runs, too. */
  synced(initial: boolean): void {
    if (initial === this.#isSynced) this.#fail("order", "initial is told once, at first", "");
    if (!this.#isSynced && this.#isEager) this.#isCompared = false;
    this.#isSynced = true;
  }

  /** Compares what has been told with what the first reader has been told, once both have read everything. */
  #compare(): void {
    if (this.#isCompared) return;
    this.#isCompared = true;
    for (const [id, type] of this.#first === undefined ? [] : this.#first.#told)
      if (type === "STARTED" && !this.#told.has(id))
        this.#fail(
          "unlike",
          `${id} runs, as the first reader knows, and is not told`,
          this.#judge.facts.truth.runs.get(id)?.uid ?? "",
        );
  }

  hear(told: ToldLife): void {
    const { truth, nowMs } = this.#judge.facts;
    this.#heardMs ??= nowMs;
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
      else this.#judge.details.run(told.id, told.run, run, this.#wasShownRunning(run));
      if (told.run.isOver) this.#fail("run", `STARTED of ${told.id} as one that has ended`, uid);
      if (told.run.isInitial === true && this.#isSynced) this.#fail("initial", `STARTED of ${told.id}`, uid);
      return;
    }
    if (this.#first === undefined) {
      const reasons = this.#judge.reasons.get(uid) ?? new Set();
      this.#judge.reasons.set(uid, reasons.add(told.reason));
    }
    if (before !== "STARTED") this.#fail("order", `ENDED of ${told.id}, which does not run`, uid);
    if (run === undefined) return;
    this.#checkReason(told, run);
    this.#judge.details.run(told.id, told.run, run, this.#wasShownRunning(run));
    this.#judge.details.end(told, run);
    if (told.run.isInitial === true && this.#isSynced) this.#fail("initial", `ENDED of ${told.id}`, uid);
    if (run.toMs === undefined) {
      // Only a status behind one that showed it, and that does not, can have misled anybody.
      const said = this.#judge.wire.get(uid)?.filter(({ isDamaged }) => isDamaged !== true) ?? [];
      const shown = said.findIndex(({ running }) => running.includes(told.id));
      const isMisled = said.slice(shown + 1).some(({ running }) => !running.includes(told.id));
      const replaced = isMisled ? "V1" : "false end of a life";
      const rule =
        told.basis === "removal"
          ? falseEndOf(truth.pods.get(uid), this.#judge.facts, this.#judge.wire.get(uid)?.at(-1))
          : replaced;
      this.#fail(rule, `ENDED (${told.basis}) of ${told.id}, which runs`, uid);
    } else if (told.basis === "status" && run.isInvented) {
      this.#fail("V3", `${told.id} exited ${told.exitCode}, which the runtime has made up`, uid);
    } else if (this.#isEager && told.basis !== "status" && this.#wasShown(run) && !this.#judge.isHeld(uid)) {
      this.#fail("exit", `${told.id} has ended (${told.basis}), and was shown with its exit code`, uid);
    } else if (told.basis === "status" && told.exitCode !== run.exitCode) {
      this.#fail("exit", `${told.id} exited ${told.exitCode}, and in truth ${run.exitCode}`, uid);
    }
  }

  /** Why a container has ended: what stopped it, whatever the last status says, and otherwise how it ended itself. */
  #checkReason(told: Extract<ToldLife, { type: "ENDED" }>, run: Run): void {
    const { id, uid, reason, basis, oom } = told;
    const all = this.#judge.wire.get(uid) ?? [];
    const said = all.filter((each) => each.isDamaged !== true && each.atMs >= this.#joinedMs);
    const first = said.findIndex(({ isStopped }) => isStopped);
    const before = said.slice(0, Math.max(0, first));
    // Where messages are swapped, the stop may be said of a pod that has left.
    const wasGone = before.some(({ isGone }) => isGone);
    // A pod that is rejected is shown without its containers.
    const shown = said[first]?.isBare === true ? said[first - 1] : said[first];
    const wasRunning = shown?.running.includes(id) === true && !wasGone;
    const isOfKubelet = OF_KUBELET.has(run.stoppedBy ?? "");
    // Another process knows nothing of the stop of a static pod, and shows that it runs.
    const { truth, starts } = this.#judge.facts;
    const isForgotten =
      truth.pods.get(uid)?.isStatic === true && starts.some((atMs) => atMs >= (said[first]?.atMs ?? Infinity));
    const wasOver = before.some(({ ended }) => ended.includes(id));
    if (isOfKubelet && wasRunning && !wasOver && !isForgotten && basis !== "replacement" && reason !== run.stoppedBy)
      this.#fail("why", `${id} was stopped (${run.stoppedBy}), and is said to be ${reason}`, uid);
    if (this.#judge.facts.dropped.some((each) => each.uid === uid)) return;
    if (wasOver && run.stoppedBy === undefined && OF_KUBELET.has(reason))
      this.#fail("why", `${id} had ended before its pod was stopped, and is said to be ${reason}`, uid);
    if (basis !== "status" || isOfKubelet || all.some(({ isStopped }) => isStopped)) return;
    const own = run.stoppedBy ?? (run.exitCode > 128 ? "signalled" : "exited");
    const what = run.oom === "container" ? "OOMKilled" : own;
    // Times are whole seconds, and a kill that nobody explains is one for memory if there was one, but at the end of a grace period.
    const { deletedMs = Number.POSITIVE_INFINITY } = this.#judge.facts.truth.pods.get(uid) ?? {};
    const isNear = deletedMs - (run.toMs ?? 0) < 1_000;
    const isKilled = run.isUntold === true && run.oom === "process" && run.exitCode === 137;
    const isLate = run.oom === "container" && (run.toMs ?? 0) >= deletedMs + GRACE_MS - 1_000;
    if (isKilled || isLate || (run.stoppedBy === undefined && isNear)) return;
    // Only times show whether a kill for memory came before the end of a grace period.
    const isTimed = run.oom !== undefined || !this.#isOrdered(said, run, deletedMs);
    if (isTimed && this.#areClocksApart(run, deletedMs)) return;
    if (reason !== what) this.#fail("why", `${id} ended (${what}), and is said to be ${reason}`, uid);
    if (oom !== run.oom) this.#fail("oom", `${id}: the OOM killer took ${run.oom}, and ${oom} is said`, uid);
  }

  /** Whether the clock of the node, which exits are timed by, differs from that of the API server, which deletions are timed by. */
  #areClocksApart({ toMs = 0 }: Run, deletedMs: number): boolean {
    const { truth, nowMs } = this.#judge.facts;
    return [toMs, deletedMs, nowMs].some((ms) => Number.isFinite(ms) && truth.shownBy(ms) !== ms);
  }

  /** Whether messages alone show which came first, the exit or the deletion: the exit before the deletion, or the deletion well before it. */
  #isOrdered(said: readonly Heard[], { id, toMs = 0 }: Run, deletedMs: number): boolean {
    const first = said.findIndex(({ isDeleted }) => isDeleted);
    if (first < 0) return false; // lists of the HTTP server are not heard here
    if (said[first - 1]?.ended.includes(id) === true) return true;
    const shownMs = this.#judge.facts.truth.shownBy(toMs);
    return said[first]?.running.includes(id) === true && toMs > deletedMs && Math.abs(shownMs - deletedMs) > APART_MS;
  }

  /** Whether the exit of a container was shown, and nothing was done to a message about its pod. */
  #wasShown({ id, uid, isInvented, isLost }: Run): boolean {
    if (isInvented || isLost || this.#judge.facts.dropped.some((each) => each.uid === uid)) return false;
    return this.#judge.wire.get(uid)?.some(({ ended, atMs }) => ended.includes(id) && atMs >= this.#joinedMs) === true;
  }

  #wasShownRunning({ id, uid }: Run): boolean {
    const sinceMs = (this.#first ?? this).#joinedMs;
    const said = this.#judge.wire.get(uid)?.filter((each) => each.atMs >= sinceMs && each.isDamaged !== true) ?? [];
    return said.some(({ running }) => running.includes(id));
  }

  /** Looks whether ends are told that were shown with their exits. */
  check(): void {
    const { truth, nowMs, dropped } = this.#judge.facts;
    this.#compare();
    if (!this.#isEager || !this.#judge.isClean || this.#judge.isSetBefore(this.#joinedMs)) return;
    for (const [id, type] of this.#told) {
      const { uid = "", toMs } = truth.runs.get(id) ?? {};
      if (type !== "STARTED" || toMs === undefined || dropped.some((each) => each.uid === uid)) continue;
      if (this.#judge.isHeld(uid)) continue;
      const said = this.#judge.wire.get(uid) ?? [];
      const shown = said.find(({ isDamaged, ended }) => isDamaged !== true && ended.includes(id));
      if (shown !== undefined && nowMs - shown.atMs > 1_000)
        this.#fail("late end", `${id} has ended, and the end is not told`, uid);
    }
  }

  #missed({ uid, name, from, to }: Extract<ToldLife, { type: "MISSED" }>): void {
    const key = `${uid}/${name}`;
    this.#missing.set(key, [...(this.#missing.get(key) ?? []), [from, to]]);
    const runs = this.#judge.facts.truth.runsOf(uid, name).filter(({ count }) => count >= from && count <= to);
    if (runs.length === 0) this.#fail("missed", `MISSED ${from} to ${to}, and nothing ran between`, uid);
    const known = runs.findLast(({ id }) => this.#told.has(id))?.life ?? 0;
    for (const run of runs) {
      // The UID of a static pod comes again, and counts begin anew: another life of it may be meant.
      if (run.life <= known && runs.some(({ life }) => life > known)) continue;
      // A slow reader hears of it when the life that was taken back has ended in truth.
      const wasSwapped = this.#judge.facts.dropped.some((each) => each.uid === uid);
      if (this.#told.has(run.id))
        this.#fail(wasSwapped ? "V1" : "missed", `MISSED ${from} to ${to}, and ${run.id} was told`, uid);
      const waitingMs = this.#judge.waitingShown.get(run.id) ?? Number.NEGATIVE_INFINITY;
      // Where the runtime has lost a container, no status shows which one it was: one that was created may have run.
      const isLost = this.#judge.facts.truth.runsOf(uid, name).some((each) => each.isLost);
      // Nor is it shown by a status whose last end is that of a container after it.
      const countOf = (id: string) => {
        const its = this.#judge.facts.truth.runs.get(id);
        return its?.name === name ? its.count : 0;
      };
      const after = this.#judge.wire.get(uid)?.filter(({ atMs }) => atMs > waitingMs) ?? [];
      const next = after.find(({ running, ended }) => [...running, ...ended].some((id) => countOf(id) > run.count));
      const isHidden = isLost || next?.ended.some((id) => countOf(id) > run.count) === true;
      const wasShown = waitingMs >= this.#joinedMs && !wasSwapped && !isHidden;
      if (!this.#told.has(run.id) && run.fromMs === undefined && wasShown)
        this.#fail("V4", `MISSED ${from} to ${to}, and ${run.id} never ran, as was shown`, uid);
    }
  }

  final(): void {
    const { truth } = this.#judge.facts;
    if (!this.#isSynced) this.#judge.fail("end", `${this.#name}: not synced`);
    if (!this.#isEager && this.#first !== undefined) this.#compareEnds(this.#first);
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
      // What an update shows that comes behind a newer list is over, and is missed.
      const isLate = this.#judge.facts.dropped.some((each) => each.uid === uid);
      if (shownMs !== undefined && shownMs > this.#joinedMs && told === undefined && !isLate)
        this.#fail("lost life", `${id} was shown, and is not told`, uid);
      if (told === undefined && fromMs > this.#joinedMs) this.#confirmAbsent(run);
      if (toMs !== undefined && told === "STARTED")
        this.#fail("lost end", `${id} has ended, and its end is not told`, uid);
    }
  }

  /** Who reads slowly is told each run that the first reader was told, or that it was missed; and the last ones of a container as they were. */
  #compareEnds(first: LifeReaderJudge): void {
    const lives = new Map<string, Run[]>();
    for (const [id, type] of first.#told) {
      const run = type === "ENDED" ? this.#judge.facts.truth.runs.get(id) : undefined;
      const key = `${run?.uid}/${run?.name}`;
      if (run === undefined || first.#missing.has(key) || !((run.fromMs ?? 0) > (this.#heardMs ?? Infinity))) continue;
      const life = `${key} ${run.life}`;
      lives.set(life, [...(lives.get(life) ?? []), run]);
    }
    for (const runs of lives.values())
      for (const [i, { id, uid, name, count }] of runs.entries()) {
        const ranges = this.#missing.get(`${uid}/${name}`) ?? [];
        if (this.#told.has(id)) continue;
        if (i >= runs.length - WAITING_RUNS)
          this.#fail("last runs", `${id} is one of the last runs, and is not told`, uid);
        else if (!ranges.some(([from, to]) => from <= count && count <= to))
          this.#fail("not missed", `${id} is told neither as it ran nor as missed`, uid);
      }
  }

  /** A life that no event has told, between two that were: it was missed, and that is told. */
  #confirmAbsent({ uid, name, life, count, id }: Run): void {
    const lives = this.#judge.facts.truth.runsOf(uid, name).filter((each) => each.life === life);
    const isTold = (isBefore: boolean) =>
      lives.some((each) => (isBefore ? each.count < count : each.count > count) && this.#told.has(each.id));
    const ranges = this.#missing.get(`${uid}/${name}`) ?? [];
    if (!isTold(true) || !isTold(false) || ranges.some(([from, to]) => from <= count && count <= to)) return;
    const isLost = lives.some((each) => each.count === count && each.isLost);
    // Between the one that ran before and the one that comes after nothing was shown: the count may be of an end that was not seen.
    const said = this.#judge.wire.get(uid) ?? [];
    const legible = said.filter(({ isBare, isDamaged }) => !isBare && isDamaged !== true);
    const later = legible.findIndex(({ running, ended, waiting }) =>
      lives.some((each) => each.count > count && [...running, ...ended, ...waiting].includes(each.id)),
    );
    const before =
      legible
        .slice(0, later)
        .findLast(({ running, ended }) => lives.some((each) => [...running, ...ended].includes(each.id)))?.running ??
      [];
    if (isLost && lives.some((run) => run.count < count && before.includes(run.id))) return;
    // The kubelet counts a restart more where it has lost one (T7): it may be this one.
    const told = lives.filter((each) => this.#told.has(each.id)).map((each) => each.count);
    const sinceCount = Math.max(...told.filter((each) => each < count));
    const untilCount = Math.min(...told.filter((each) => each > count));
    const isBetween = (each: Run) => each.count >= sinceCount && each.count < untilCount && each.count !== count;
    if (lives.some((each) => each.isLost && isBetween(each))) return;
    this.#fail(
      isLost ? "V5" : "not missed",
      `${id} ran between others, and is told neither as it ran nor as missed`,
      uid,
    );
  }
}
