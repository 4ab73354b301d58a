// "Which process a list comes from", "Which lists are complete" and "Unconfirmed pods" of docs/watch.md.

import { graceMs, isStatic, type Version } from "./messages.js";
import { type Change, isEnded, mayRun, type Pod, type Pods, type Reason, SLACK_MS } from "./pods.js";
import type { Received } from "./trace.js";

const APART_MS = 2_000;
const AGREE_MS = 5_000;
const MOST_MS = 60_000;
const HOURS_MS = 6 * 3_600_000;
const ENDING_MS = 10_000;
const TIMES_MS = [2_000, 5_000, 10_000, 20_000, 40_000, 60_000];

/** A stream, and its list once that is complete. */
export interface List {
  readonly connected: Extract<Received, { type: "CONNECTED" }>;
  readonly trust: "contract" | "complete" | "partial" | "static";
  readonly reportsDeletions: boolean;
  readonly askedMs: number;
  readonly askedWallMs: number;
  /** When the list was complete. */
  answeredMs: number;
  /** All pods of the list, touched ones included (B3). */
  versions: readonly Version[];
  /** The touched pods of a list beside the stream, with what it has of them (B2). */
  readonly touched: ReadonlyMap<string, Version | undefined> | undefined;
  process: "same" | "another" | "unknown";
  isProof: boolean;
  isTaken: boolean;
}

/** An entry of a list without a UID. */
export interface Nameless {
  readonly namespace: string;
  readonly name: string;
  /** True if it can be any pod. */
  readonly isAny: boolean;
}

const answeredWallMs = (list: List): number => list.askedWallMs + list.answeredMs - list.askedMs;
const apiPods = ({ versions }: List): readonly Version[] => versions.filter((version) => !isStatic(version));

export class Lists {
  /** All complete lists, in order. */
  readonly all: List[] = [];
  /** The number of the process of the last list (P4). */
  process = 0;
  /** The complete lists since A3 began to hold; undefined while it does not. */
  #guarded: { ms: number; missing: Set<string | undefined>; absent: Set<Pod> }[] | undefined;
  /** When an event of an API pod came, while the lists have none (R5). */
  apiEventMs: number | undefined;
  readonly #pods: Pods;
  readonly #by: (rule: string) => void;

  constructor(pods: Pods, by: (rule: string) => void) {
    this.#pods = pods;
    this.#by = by;
  }

  get last(): List | undefined {
    return this.all.at(-1);
  }

  get isTaken(): boolean {
    return this.last?.isTaken ?? false;
  }

  /** "more than 60 s while no pod is `absent` or `source`" (M3) */
  get isSettled(): boolean {
    const since = this.all.findLast(({ process }) => process !== "same") ?? this.all[0];
    return since !== undefined && this.#pods.nowMs - since.answeredMs >= MOST_MS && this.#guarded === undefined;
  }

  hasReported({ version }: Pod): boolean {
    return version.process === this.process;
  }

  /** "Which process a list comes from: the first rule that applies decides" (P1 to P4) */
  processOf(list: List): List["process"] {
    const isConnected =
      list.connected.connection !== undefined && list.connected.connection === this.last?.connected.connection;
    let isAnother = false;
    for (const version of list.versions) {
      const pod = this.#pods.known.get(version.uid);
      if (pod === undefined || pod.version === version || pod.version.stamp === "" || version.stamp === "") continue;
      if (pod.version.stamp === version.stamp) {
        this.#by("P1");
        return "same";
      }
      isAnother ||= this.hasReported(pod) && !(isConnected && isStatic(version));
    }
    this.#by(isAnother ? "P2" : "P3");
    return isAnother ? "another" : isConnected || list.touched !== undefined ? "same" : "unknown";
  }

  /** Judges a complete list: its process, whether it proves absences, and whether it is taken. Returns false if it is not used (B3). */
  add(list: List): boolean {
    const before = this.last;
    list.process = this.processOf(list);
    if (list.touched !== undefined) this.#by("B3");
    if (list.touched !== undefined && list.process !== "same") return false;
    const isSameServer = list.connected.server === before?.connected.server;
    if (list.process !== "same") this.#pods.anotherProcess();
    if (list.process !== "same" || !isSameServer) {
      this.#by("P4");
      this.process++;
    }
    this.all.push(list);
    this.apiEventMs = undefined;
    list.isProof = this.#isProof();
    const isYoung = ({ stamp }: Version) =>
      Date.parse(stamp) <= answeredWallMs(list) && list.askedWallMs - Date.parse(stamp) < 10_000;
    const isOld = list.trust === "static" && list.versions.length > 0 && !list.versions.some(isYoung);
    list.isTaken = (before?.isTaken ?? false) || list.trust === "contract" || list.isProof || isOld;
    if (!list.isTaken) this.#by("L5");
    return true;
  }

  /** "One proof is enough, also for later lists of the process" (L1) */
  #isProof(): boolean {
    const lists = this.#ofProcess();
    const last = lists.at(-1) as List;
    if (lists.some(({ trust }) => trust === "complete")) {
      this.#by("L2");
      return true;
    }
    if (lists.slice(0, -1).some(({ isProof }) => isProof)) return true;
    if (last.trust === "static") {
      this.#by("L4");
      return last.askedMs - (lists[0] as List).answeredMs >= 10_000;
    }
    const earlier = this.#compared().filter(({ answeredMs }) => last.askedMs - answeredMs >= APART_MS);
    if (earlier.length > 0) this.#by("L3");
    return earlier.some((first) => {
      const uids = new Set(apiPods(first).map(({ uid }) => uid));
      const isNew = ({ uid, createdSeconds = 0 }: Version) =>
        uids.has(uid) || createdSeconds * 1_000 >= answeredWallMs(first);
      return apiPods(last).length > 0 && apiPods(last).every(isNew);
    });
  }

  /** The lists before the last one that have API pods, since one had none. */
  #compared(): List[] {
    const lists = this.#ofProcess().slice(0, -1);
    return lists.slice(lists.findLastIndex((list) => apiPods(list).length === 0) + 1);
  }

  /** "A list of another process needs a new one. So does a list of an unknown process, unless ..." (L1) */
  #ofProcess(): List[] {
    const isStampless = ({ versions }: List, i: number) =>
      versions.every(({ stamp }) => stamp === "") && (versions.length > 0 || this.all[i - 1]?.versions.length === 0);
    const from = this.all.findLastIndex(
      (list, i) => list.process === "another" || (list.process === "unknown" && !isStampless(list, i)),
    );
    return this.all.slice(Math.max(from, 0));
  }

  /** When the next list can be a proof, while one is wanted (R5). */
  proofMs(): number | undefined {
    const last = this.last;
    const isWanted =
      !this.isTaken || [...this.#pods.known.values()].some(({ unconfirmed }) => unconfirmed !== undefined);
    if (last === undefined || last.isProof || !isWanted) return undefined;
    const withLast = apiPods(last).length === 0 ? [] : [...this.#compared(), last];
    const pairMs = withLast.map(({ answeredMs }) => answeredMs + APART_MS).find((ms) => ms > last.askedMs);
    if (pairMs !== undefined) return pairMs;
    const sinceMs = (this.#ofProcess()[0] as List).answeredMs;
    const times = last.trust === "contract" ? [] : TIMES_MS.map((ms) => sinceMs + ms);
    const event = withLast.length > 0 || this.apiEventMs === undefined ? [] : [this.apiEventMs + APART_MS];
    const least = Math.min(...times.filter((ms) => ms > last.askedMs).slice(0, 1), ...event);
    return Number.isFinite(least) ? least : undefined;
  }

  /** Returns true if the last list had no pod of a source, although pods of it are known (R4). */
  lacks(source: string | undefined): boolean {
    return this.#guarded?.at(-1)?.missing.has(source) ?? false;
  }

  /** When lists are due for A1 and A2 (R4). */
  guardMs(): number | undefined {
    const { nowMs } = this.#pods;
    const since = this.#agreeing()[0];
    if (since === undefined) return undefined;
    const next = TIMES_MS.map((ms) => since.ms + ms).find((ms) => ms > nowMs + SLACK_MS);
    const isAbsent = [...this.#pods.known.values()].some(({ unconfirmed }) => unconfirmed === "absent");
    return next ?? (isAbsent ? nowMs + AGREE_MS : undefined);
  }

  /** The lists of A3 that count for A2: "they begin anew with a list in which a source is back". */
  #agreeing(): { ms: number; absent: Set<Pod> }[] {
    const lists = this.#guarded ?? [];
    const isBack = (i: number) => [...(lists[i - 1]?.missing ?? [])].some((source) => !lists[i]?.missing.has(source));
    return lists.slice(
      Math.max(
        lists.findLastIndex((_, i) => isBack(i)),
        0,
      ),
    );
  }

  /** Decides which of the absent pods are unconfirmed. Returns the changes of those that are removed. */
  judge(
    list: List,
    isListed: (uid: string) => boolean,
    sources: ReadonlySet<string | undefined>,
    nameless: readonly Nameless[],
  ): Change[] {
    const { nowMs, known } = this.#pods;
    const all = [...known.values()];
    const absent = all.filter(({ uid }) => !isListed(uid) && !list.touched?.has(uid));
    const unread = new Set(absent.filter((pod) => !this.hasReported(pod)));
    const isNew = list.process === "another" || (list.process === "unknown" && list.connected.connection !== undefined);
    if (list.trust === "complete") this.#guarded = undefined;
    else if (list.process !== "same") this.#guarded = (isNew ? undefined : this.#guarded) ?? [];
    const guarded = this.#guardedOf(unread, all.length, sources);
    if (guarded.size === 0) this.#guarded = undefined;
    const since = this.all.findLast(({ process }) => process !== "same") ?? list;
    const isReading =
      (!list.isProof && nowMs - since.answeredMs < HOURS_MS) || [...guarded.values()].includes("source");
    const gone: Change[] = [];
    for (const pod of all) {
      if (list.touched?.has(pod.uid)) continue; // "the list says nothing about the pod"
      if (isNew || !absent.includes(pod)) pod.endingMs = undefined;
      pod.unconfirmed = undefined;
    }
    for (const pod of absent) {
      const before = pod.endingMs;
      pod.endingMs = undefined;
      const isName = ({ isAny, namespace, name }: Nameless) =>
        isAny || (namespace === pod.version.namespace && name === pod.version.name);
      const at = guarded.get(pod);
      if (at !== undefined) this.#set(pod, at, at === "source" ? "A1" : "A2");
      else if (nameless.some(isName)) this.#set(pod, "no-uid", "A4");
      else if (isReading && unread.has(pod) && mayRun(pod)) this.#set(pod, "ending", "A5");
      else if (!isEnded(pod)) {
        pod.endingMs = before ?? nowMs + this.#endingMs(pod, list.reportsDeletions && !unread.has(pod));
        if (nowMs < pod.endingMs - SLACK_MS) this.#set(pod, "ending", "A6");
      }
      if (pod.unconfirmed === undefined) gone.push(this.#pods.remove(pod, "missing"));
    }
    return gone;
  }

  #set(pod: Pod, reason: Reason, rule: string): void {
    this.#by(rule);
    pod.unconfirmed = reason;
  }

  /** "A1 and A2 hold for pods that the process has not reported" (A3) */
  #guardedOf(unread: Set<Pod>, count: number, sources: ReadonlySet<string | undefined>): Map<Pod, Reason> {
    const reasons = new Map<Pod, Reason>();
    if (this.#guarded === undefined) return reasons;
    const { nowMs } = this.#pods;
    const missing = new Set([...unread].map(({ version }) => version.source).filter((source) => !sources.has(source)));
    this.#guarded.push({ ms: nowMs, missing, absent: unread });
    this.#by("A3");
    const lists = this.#agreeing();
    const isMost = unread.size * 2 > count && nowMs - (lists[0]?.ms ?? nowMs) < MOST_MS - SLACK_MS;
    for (const pod of unread) {
      const sinceMs = lists[lists.findLastIndex(({ absent }) => !absent.has(pod)) + 1]?.ms ?? nowMs;
      if (missing.has(pod.version.source)) {
        if (nowMs - (this.#guarded[0]?.ms ?? nowMs) < HOURS_MS - SLACK_MS) reasons.set(pod, "source");
      } else if (isMost || nowMs - sinceMs < AGREE_MS - SLACK_MS) reasons.set(pod, "absent");
    }
    return reasons;
  }

  /** "The time of A6" (A7) */
  #endingMs(pod: Pod, isReported: boolean): number {
    this.#by("A7");
    if (mayRun(pod)) return graceMs(pod.version) + ENDING_MS;
    return isReported ? ENDING_MS : 0;
  }
}

/** "... the first list after 40 s that is complete, comes from the process that sent the pod, or from one that has listed for 60 s" (M3) */
export class Unreadable {
  readonly #of = new Map<string, { process: number; lackedMs?: number }>();
  readonly #by: (rule: string) => void;

  constructor(by: (rule: string) => void) {
    this.#by = by;
  }

  get uids(): string[] {
    return [...this.#of.keys()];
  }

  has(uid: string): boolean {
    return this.#of.has(uid);
  }

  add(uid: string, process: number): void {
    this.#by(uid === "" ? "M4" : "M2");
    this.#of.set(uid, { process });
  }

  delete(uid: string): void {
    this.#of.delete(uid);
  }

  /** Takes a complete list, without the pods that it has. */
  lacked(list: List, isHere: (uid: string) => boolean, process: number, isSettled: boolean, nowMs: number): void {
    for (const [uid, last] of this.#of) {
      if (isHere(uid)) continue;
      this.#by("M3");
      last.lackedMs = list.process !== "same" ? nowMs : (last.lackedMs ?? nowMs);
      const knows = list.trust === "complete" || isSettled || last.process === process;
      if (knows && nowMs - last.lackedMs >= 40_000 - SLACK_MS) this.#of.delete(uid);
    }
  }
}
