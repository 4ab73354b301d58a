// A node in virtual time: what happens on it, and a kubelet that tells it as kubelets do. What is so stands in truth.ts; what the
// kubelet has understood of it lags behind, and what it says of that can be lost, swapped or damaged on its way.

import type { Clock } from "../../src/timing/clock.js";
import { Messages } from "./messages.js";
import { bytesOf, type Damage, GRACE_MS, type Shown, type StatusShown, saidOf } from "./shown-pod.js";
import { statusesOf } from "./statuses.js";
import { BY_KUBELET, DELETIONS, REJECTED, STOPS, type Stop } from "./stops.js";
import { streamOf } from "./streams.js";
import { type EventType, Teller } from "./teller.js";
import { type Run, type TruePod, Truth } from "./truth.js";

/** How long the agents of the node compete for the rate limit of a kubelet that has started. */
const CROWDED_MS = 3_000;

export type Release = "1.36" | "1.37" | "1.38";

/** What the kubelet knows of a pod. */
interface Known {
  readonly pod: TruePod;
  shown: Shown;
  /** When it next looks at the pod, at the earliest: what is told of a pod is told in its order. */
  dueMs: number;
  /** It has a sandbox, perhaps without an address. */
  hasSandbox: boolean;
  /** It was listed as finished, and DELETED was told. */
  isOver: boolean;
}

const NAMES = ["web-0", "web-1", "web-2", "web-3", "web-4"];
/** How programs end on SIGTERM; the last one ignores it, and is killed. */
const EXIT_CODES = [0, 7, 143, 137];
const ADDRESSES = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"];
/** How late a kubelet sees what its runtime does, and how late it tells an address or its loss (docs/kubelet.md). */
const LOOK_MS = 1_000;
const ADDRESS_MS = 3_200;
/** How long a kubelet of 1.36 waits for its API pods, when the API server answers, and in what time the whole set comes (measured: T9). */
const READING_MS = 2_200;
const SET_MS = 430;

/** Why a container that ends now is stopped, as it is to be reported; undefined if it ends by itself. */
function stoppedBy({ phase, reason, condition, isDeleted }: Shown): string | undefined {
  const stop = [REJECTED, ...STOPS].find((each) => phase === "Failed" && each.reason === reason);
  if (stop !== undefined) return stop.is;
  return isDeleted ? DELETIONS[condition?.reason ?? ""] : undefined;
}

export class Node {
  readonly truth: Truth = new Truth();
  readonly teller: Teller;
  readonly messages: Messages;
  readonly #clock: Clock;
  readonly #life: number;
  /** What each pod draws its delays and exit codes from. */
  readonly #draws = new Map<string, () => number>();
  readonly #known = new Map<string, Known>();
  /** Pods that have left the lists, and run on: the process ends them, or the next one does. */
  /** How many lists or watches are refused next. */
  #refusals = 0;
  readonly #gaps: () => number;
  readonly #lingering = new Set<string>();
  /** The stamps of the next pods of manifests that were put back before their pods had ended, by UID. */
  readonly #next = new Map<string, string>();
  readonly #left = new Set<string>();
  release: Release = "1.37";
  #process = 0;
  /** Since when the process runs, and when those before it began. */
  startMs = 0;
  readonly starts: number[] = [];
  /** When the API server was back for a process that had not read its pods. Like after a start, their statuses are old at first. */
  readonly returns: number[] = [];
  /** Pods of the API that this process has not read. */
  readonly unread: Set<string> = new Set();
  /** A process of 1.36 has not read its API pods yet: those that come meanwhile come with them. */
  #isReading = false;
  isApiAway = false;
  #isHealed = false;
  /** What waits for a kubelet that has read a pod, or for the API server. */
  readonly #waiting: { known: Known; act: () => void; byApi: boolean }[] = [];
  /** Pods that lists have damaged. */
  readonly damaged: Set<string> = new Set();
  readonly nameless: Set<string> = new Set();

  constructor(clock: Clock, life: number) {
    this.#clock = clock;
    this.#life = life;
    // Half of the clients are told that the kubelet may be older than 1.37.
    this.teller = new Teller(clock, streamOf(life, "kubelet version")() < 0.5 ? "partial" : undefined);
    const pauses = streamOf(life, "pauses");
    this.#gaps = streamOf(life, "gaps");
    this.teller.pauseMs = () => (pauses() < 0.3 ? 400 * pauses() : undefined);
    this.teller.onOverflow = () => this.truth.note("T19");
    const crowd = streamOf(life, "crowd");
    this.teller.isLimited = () => {
      if (this.#refusals > 0) {
        this.#refusals--;
        this.truth.note("T31");
        return true;
      }
      // Every agent of the node opens a watch once the kubelet is ready, and some call it again and again.
      const isCrowded = this.release === "1.38" && this.nowMs - this.startMs < CROWDED_MS;
      if (!isCrowded || crowd() >= 0.6) return false;
      this.truth.note("T31");
      return true;
    };
    this.messages = new Messages(this.teller, this.truth, clock);
    this.start("1.37", { initializingMs: 0 });
  }

  /** The kubelet answers the next list beside a stream so late, also if that is beyond the time limit of its client. */
  freezeList(ms: number): void {
    this.teller.frozenMs = ms;
    this.truth.pauses.push(this.nowMs);
  }

  /** Another client of a 1.38 kubelet uses up its rate limit, before the next lists or watches. */
  refuse(times: number): void {
    if (this.release === "1.38") this.#refusals = times;
  }

  get nowMs(): number {
    return this.#clock.now();
  }

  get isUp(): boolean {
    return this.teller.isUp;
  }

  get process(): number {
    return this.#process;
  }

  /** What the kubelet shows of a pod that it has read; undefined where it shows none. */
  shown(uid: string): Shown | undefined {
    return this.unread.has(uid) ? undefined : this.#known.get(uid)?.shown;
  }

  /** The pods that are there, of the sources that are asked for. */
  pods(isStatic?: boolean): TruePod[] {
    const known = [...this.#known.values()].map(({ pod }) => pod);
    return known.filter((pod) => isStatic === undefined || pod.isStatic === isStatic);
  }

  /** The pods that the kubelet lists. */
  listed(): Map<string, { version: number; isOver: boolean }> {
    const read = [...this.#known].filter(([uid]) => !this.unread.has(uid));
    return new Map(read.map(([uid, { shown, isOver }]) => [uid, { version: shown.version, isOver }]));
  }

  /** Pods whose containers run. */
  living(): TruePod[] {
    return this.pods().filter(({ uid }) => this.truth.running(uid).length > 0);
  }

  // Pods.

  /** A pod is created, or a manifest is written: that of a static pod which was there before brings its UID back. */
  add(
    isStatic: boolean,
    {
      random,
      again = false,
      waitMs,
      next,
    }: { random: () => number; again?: boolean; waitMs?: number; next?: { pod: TruePod; seen: string } },
  ): void {
    if (this.isApiAway && !isStatic) return;
    const isStill = ({ uid }: TruePod) => this.#lingering.has(uid) || this.#left.has(uid);
    const gone = [...this.truth.pods.values()].find((pod) => pod.isStatic && !pod.exists && !isStill(pod));
    const former = next?.pod ?? (isStatic && again ? gone : undefined);
    const drawn = Math.floor(random() * 36 ** 4);
    const uid = former?.uid ?? `${isStatic ? "s" : "a"}${drawn.toString(36).padStart(4, "0")}`;
    // Names come again with other UIDs, as a StatefulSet's do, when no object has them.
    const name = NAMES.find((each) => this.truth.named(each, this.nowMs, this.nowMs).size === 0);
    const pod: TruePod = former ?? {
      uid,
      name: isStatic || name === undefined ? `n-${uid}` : name,
      isStatic,
      containers: random() < 0.3 ? ["main", "side"] : ["main"],
      life: 0,
      beganMs: 0,
      ends: [],
      overMs: undefined,
      leaves: [],
      spans: [],
      exists: true,
      isRejected: false,
      // No two pods have a version in common.
      version: drawn * 1_000,
    };
    Object.assign(pod, { exists: true, life: pod.life + 1, beganMs: this.nowMs, overMs: undefined });
    if (former !== undefined && next === undefined) this.truth.note("T21");
    pod.spans.push({ fromMs: this.nowMs, toMs: undefined });
    this.truth.pods.set(uid, pod);
    const shown: Shown = {
      uid,
      name: pod.name,
      isStatic,
      createdS: Math.floor(this.#clock.wallMs() / 1_000),
      seen: next?.seen ?? this.#stamp(),
      version: ++pod.version,
      phase: "Pending",
      reason: "",
      isDeleted: false,
      ip: undefined,
      names: pod.containers,
      containers: [],
    };
    const known: Known = { pod, shown, dueMs: 0, hasSandbox: false, isOver: false };
    this.#known.set(uid, known);
    if (!this.#reads(pod) || (this.#isReading && !isStatic)) this.unread.add(uid);
    else this.#tell("ADDED", known, { ...shown, version: shown.version });
    this.#whenReady(known, waitMs ?? 100 + 500 * this.#draw(uid), () => this.#sandbox(known, waitMs !== undefined));
  }

  /** A pod goes, and another that has waited for a volume meanwhile gets the address that was free last. */
  handOver(uid: string, random: () => number): void {
    const waitMs = 2_000 + 12_000 * random();
    this.add(false, { random, waitMs });
    this.#clock.after(0.7 * waitMs * random(), () => this.delete(uid));
  }

  /** Labels change: no event says so. */
  label(uid: string): void {
    this.#with(uid, (known) => {
      this.truth.note("T1");
      this.#show(known, { ...known.shown, version: ++known.pod.version });
    });
  }

  /** A container's process ends. Returns its name. */
  exit(
    uid: string,
    exitCode: number,
    more: Partial<Pick<Run, "isInvented" | "isLost" | "oom">> = {},
  ): string | undefined {
    const known = this.#known.get(uid);
    const runs = this.truth.running(uid);
    const run = runs.length > 1 ? runs[Math.floor(runs.length * this.#draw(uid))] : runs[0];
    if (known === undefined || run === undefined) return undefined;
    Object.assign(run, { toMs: this.nowMs, exitCode, stoppedBy: stoppedBy(known.shown), ...more });
    if (more.isInvented === true) this.truth.note("T6");
    if (more.isLost === true) this.truth.note("T7");
    if ((known.shown.isEnding === true || known.pod.isRejected) && runs.length === 1) known.pod.ends.push(this.nowMs);
    this.#look(known);
    if (known.pod.exists && !known.shown.isDeleted && known.shown.phase !== "Failed")
      this.#whenReady(known, 1_500 + 3_000 * this.#draw(uid), () => this.#restart(known, run.name));
    return run.name;
  }

  /** A container exits again and again, so that more runs wait for a slow reader than it is owed. */
  crashLoop(uid: string, times: number): void {
    for (let i = 0; i < times; i++) this.#clock.after(i * 6_000, () => void this.exit(uid, i % 3));
  }

  /** The OOM killer takes the process of a container, which ends, or a child of it, of which nothing is told. */
  killForMemory(uid: string, isChild: boolean): void {
    this.truth.note("T27");
    const [run] = this.truth.running(uid);
    if (run !== undefined && isChild) run.oom = "process";
    if (!isChild) this.exit(uid, 137, { oom: "container" });
  }

  /** Somebody wants to delete a pod, and says so in a condition, and then does not. */
  disrupt(uid: string, reason: string): void {
    this.#with(uid, (known) => {
      const { isDeleted, condition } = known.shown;
      if (known.pod.isStatic || known.isOver || isDeleted || condition !== undefined) return;
      this.truth.note("T28");
      this.#show(known, { ...known.shown, condition: { reason, message: "" }, version: ++known.pod.version });
    });
  }

  /** The runtime is away for a while: the next container is created, removed before it starts, and another one is made. */
  createInVain(uid: string): void {
    const name = this.exit(uid, 1);
    const known = this.#known.get(uid);
    if (known === undefined || name === undefined || !this.#isWanted(known) || !known.hasSandbox) return;
    const run = this.#create(known, name);
    this.truth.note("T5");
    this.#look(known);
    this.#clock.after(1_500, () => {
      run.toMs = this.nowMs;
    });
  }

  /** The runtime was away: what ended meanwhile ended at its start, with 255. */
  inventExits(): void {
    for (const { uid } of this.living())
      for (const _ of this.truth.running(uid)) this.exit(uid, Math.floor(3 * this.#draw(uid)), { isInvented: true });
  }

  /** A new sandbox, with another address, soon or when one can be made: all containers are made anew. */
  resandbox(uid: string, lateMs = 0): void {
    this.#withRead(uid, (known) => {
      const lease = this.truth.leaseOf(uid);
      if (lease === undefined || !this.#isWanted(known)) return;
      for (const run of this.truth.running(uid))
        Object.assign(run, { toMs: this.nowMs, exitCode: 137, isUntold: true });
      lease.toMs = this.nowMs;
      known.hasSandbox = false;
      this.truth.note(lateMs > 0 ? "T26" : "T4");
      this.#look(known, ADDRESS_MS);
      this.#whenReady(known, lateMs + 500 * this.#draw(uid), () => this.#sandbox(known));
    });
  }

  /** All containers end, and do not come again: the kubelet is through with the pod, whose object stays. */
  finish(uid: string, stop?: Stop): void {
    this.#withRead(uid, (known) => {
      const { isDeleted, isEnding } = known.shown;
      const isStopping = isEnding === true || known.pod.isRejected;
      if (isDeleted || known.isOver || (stop !== undefined && isStopping)) return;
      this.truth.note("T23");
      if (stop !== undefined) {
        const { reason, message, condition } = stop;
        const how = {
          phase: "Failed",
          reason,
          message,
          condition: condition === undefined ? known.shown.condition : { reason: BY_KUBELET, message: condition },
        };
        this.#show(known, { ...known.shown, ...this.#understood(known), ...how, version: ++known.pod.version }, true);
      }
      known.shown = { ...known.shown, isEnding: true };
      if (stop !== undefined && this.truth.running(uid).length === 0) known.pod.ends.push(this.nowMs);
      const phase = stop === undefined ? "Succeeded" : "Failed";
      this.#whenReady(known, stop === undefined ? 0 : GRACE_MS * this.#draw(uid), () => this.#endOf(known, phase));
    });
  }

  /** The API is asked to delete a pod, by somebody who says so or not: it is ended, DELETED is told, and its object goes soon after. */
  delete(uid: string, { lateMs = 0, by = "" } = {}): void {
    this.#with(uid, (known) => {
      if (known.pod.isStatic || known.shown.isDeleted) return;
      if (known.isOver) {
        this.#forget(known);
        return;
      }
      if (lateMs > 0) this.truth.note("T2");
      if (by !== "") this.truth.note("T28");
      known.pod.deletedMs = this.nowMs;
      const condition = by === "" ? known.shown.condition : { reason: by, message: "" };
      const deleted = { isDeleted: true, deletedMs: this.nowMs, condition };
      this.#show(known, { ...known.shown, ...deleted, version: ++known.pod.version }, true);
      const exitCode = this.#exitCode(uid);
      // A program that ignores SIGTERM is killed at the end of the grace period.
      const graceMs = exitCode === 137 ? GRACE_MS : GRACE_MS * this.#draw(uid);
      this.#whenReady(known, graceMs, () => this.#endOf(known, "Failed", lateMs, exitCode));
    });
  }

  /**
   * A manifest is removed, or a pod deleted by force: it leaves the lists first, and ends within its grace period. With a short one all of
   * that may happen while the next watch is asked for: only the watch before has the end.
   */
  withdraw(uid: string): void {
    if (this.#gaps() < 0.7) {
      this.#withdraw(uid);
      return;
    }
    this.teller.onAsked = () => {
      this.teller.onAsked = () => undefined;
      this.#withdraw(uid, true);
      return 100;
    };
  }

  /** The same, and the kubelet writes the end into the watch before only after the list of the next one. */
  withdrawBehindList(uid: string): void {
    this.teller.onAsked = () => {
      this.teller.onAsked = () => undefined;
      this.truth.note("T29");
      this.teller.hold();
      this.#withdraw(uid, true);
      return 100;
    };
  }

  /** The same, and the manifest is put back before the pod has ended: lists have the next pod, with the status of this one. */
  putBackSoon(uid: string): void {
    const known = this.#known.get(uid);
    if (known === undefined || !known.pod.isStatic || known.isOver || !this.#reads(known.pod)) return;
    if (known.shown.seen === this.#stamp()) return; // it was added at this moment
    if (!this.teller.servesApi) return; // docs/support.md, known limits
    this.#withdraw(uid);
    if (!this.#lingering.has(uid)) return;
    this.truth.note("T30");
    const next = { ...known.shown, seen: this.#stamp() };
    this.#next.set(uid, next.seen);
    this.#showNext(next);
    if (this.#draw(uid) < 0.5) this.messages.send("MODIFIED", next);
  }

  /** Lists have the next pod of a manifest that was put back, with the status of the one before. */
  #showNext(shown: Shown): void {
    const seen = this.#next.get(shown.uid);
    if (seen === undefined) return;
    const next = { ...shown, seen };
    this.teller.put(shown.uid, { pod: bytesOf(next), said: saidOf(next) }, true);
  }

  /** The next pod of a manifest that was put back begins. */
  #begin(pod: TruePod): void {
    const seen = this.#next.get(pod.uid);
    if (!this.#next.delete(pod.uid) || seen === undefined) return;
    this.teller.put(pod.uid, undefined, true);
    this.add(true, { random: () => this.#draw(pod.uid), next: { pod, seen } });
  }

  #withdraw(uid: string, isShort = false): void {
    this.#with(uid, (known) => {
      if (known.isOver) {
        this.#forget(known);
        return;
      }
      const isRead = this.#reads(known.pod);
      if (isRead) this.#update(known); // what it has seen by then
      this.#leave(known);
      if (!isRead) {
        this.truth.note("T24");
        this.#left.add(uid);
        if (this.isUp && !this.isApiAway) this.#endLeft();
        return;
      }
      this.#lingering.add(uid);
      this.truth.note("T3");
      // The grace period of an earlier deletion goes on.
      const { deletedMs } = known.shown;
      const usualMs = 3_000 + 15_000 * this.#draw(uid);
      const graceMs = deletedMs === undefined ? usualMs : Math.max(100, deletedMs + GRACE_MS - this.nowMs);
      this.#clock.after(isShort ? 0 : graceMs, () => {
        if (!this.#lingering.has(uid)) return;
        this.#stopAll(known);
        known.pod.ends.push(this.nowMs);
        this.#clock.after(isShort ? 30 : 1_000, () => {
          if (!this.#lingering.delete(uid)) return;
          const said = { ...known.shown, ...this.#understood(known), version: ++known.pod.version };
          this.messages.send("ADDED", said);
          this.messages.send("DELETED", said);
          this.#showNext(said);
          this.#clock.after(500, () => this.#begin(known.pod));
        });
      });
    });
  }

  // The kubelet.

  kill(): void {
    if (!this.isUp) return;
    for (const uid of this.#lingering) this.#left.add(uid);
    this.#lingering.clear();
    for (const uid of this.#next.keys()) this.teller.put(uid, undefined, true);
    this.#next.clear();
    this.teller.stop();
  }

  /** A process that has read its sources ends what runs and is not of them, and tells nothing. */
  #endLeft(): void {
    for (const uid of this.#left) {
      this.#clock.after(1_000 + 2_000 * this.#draw(uid), () => {
        if (!this.#left.delete(uid)) return;
        const known = { pod: this.truth.pods.get(uid) as TruePod };
        this.#stopRuns(uid);
        known.pod.ends.push(this.nowMs);
      });
    }
  }

  /** Another process. One of 1.36 answers before it has read its sources; one of 1.37 says that it initializes. */
  start(
    release: Release,
    { initializingMs = 500, apiAway = false, rejects = false, servesApi = this.teller.servesApi } = {},
  ): void {
    if (this.isUp) return;
    this.release = release;
    this.#process++;
    this.startMs = this.nowMs;
    this.starts.push(this.nowMs);
    this.isApiAway = apiAway;
    this.messages.begin();
    const process = this.#process;
    this.#isReading = release === "1.36";
    for (const known of this.#known.values()) this.#restamp(known);
    const api = this.pods(false).map(({ uid }) => uid);
    this.unread.clear();
    if (release === "1.36" || apiAway) for (const uid of api) this.unread.add(uid);
    const isInitializing = release !== "1.36" && (initializingMs > 0 || apiAway);
    for (const uid of this.#known.keys()) this.#publish(uid);
    if (isInitializing) this.truth.note("T8");
    if (this.unread.size > 0) this.truth.note(apiAway ? "T10" : "T9");
    if (rejects) this.#reject();
    if (servesApi !== this.teller.servesApi) this.truth.note("T25");
    this.teller.start(process, isInitializing, servesApi);
    const later = (ms: number, fn: () => void) =>
      this.#clock.after(ms, () => {
        if (this.#process === process && this.isUp) fn();
      });
    if (apiAway) {
      this.#lookAgain();
      return; // until apiBack
    }
    if (isInitializing) later(initializingMs, () => this.teller.ready());
    else if (release === "1.36")
      later(READING_MS * streamOf(this.#life, `reading ${process}`)(), () => this.#readSet());
    if (release !== "1.36") this.#endLeft();
    this.#lookAgain();
  }

  /** The API server goes away: the kubelet goes on with the pods that it has read, and nobody is told how they are but by it. */
  apiAway(): void {
    if (this.isUp && this.unread.size === 0 && !this.#isHealed) this.isApiAway = true;
  }

  /** The API server is back: its pods are read within seconds. */
  apiBack(): void {
    if (!this.isApiAway) return;
    this.isApiAway = false;
    if (this.unread.size > 0) this.returns.push(this.nowMs);
    for (const uid of this.#known.keys()) if (!this.unread.has(uid)) this.#publish(uid);
    // The process sees the pods of the API server now, and stamps them.
    for (const uid of this.unread) {
      const known = this.#known.get(uid);
      if (known !== undefined) this.#restamp(known);
    }
    this.#goOn();
    if (!this.isUp) return;
    if (this.release !== "1.36") {
      this.unread.clear();
      for (const uid of this.#known.keys()) this.#publish(uid);
      this.teller.ready();
      this.#lookAgain();
      this.#endLeft();
      return;
    }
    this.#readSet();
  }

  // What lists have, and what comes with them.

  /** The connection breaks. */
  cut(): void {
    if (this.teller.streams > 0) this.truth.note("T12");
    this.teller.cut();
  }

  /** Lists have a pod damaged until it changes. */
  damageListed(uid: string, how: Damage): void {
    if (this.#known.has(uid) && !this.unread.has(uid)) {
      this.messages.fault(uid);
      this.truth.note("T16");
      this.#publish(uid, how);
    }
  }

  repeat(uid: string): void {
    const known = this.#known.get(uid);
    if (known === undefined || !this.#reads(known.pod)) return;
    this.truth.note("T18");
    this.messages.send(known.isOver ? "DELETED" : "ADDED", known.shown);
  }

  /** More is said at once than a watcher's buffer holds. */
  flood(uid: string): void {
    this.#withRead(uid, ({ pod, shown }) => {
      for (let i = 0; i < 120 && this.#reads(pod); i++) this.messages.send("MODIFIED", shown);
    });
  }

  /** A pod changes, or ends, between a watcher's registration and its list: events of it are older than the list. */
  changeWhileListed(uid: string, ends: boolean): void {
    this.teller.onRegistered = () => {
      this.teller.onRegistered = () => {};
      const known = this.#known.get(uid);
      if (known === undefined || !this.#reads(known.pod)) return;
      const before = known.shown;
      this.messages.fault(uid);
      if (this.truth.running(uid).length === 0) return;
      this.truth.note("T15");
      this.messages.send("MODIFIED", before);
      if (ends && this.#isWanted(known)) {
        known.shown = { ...before, isEnding: true };
        this.#stopAll(known);
        known.pod.ends.push(this.nowMs);
        this.#through(known, "Succeeded");
        return;
      }
      this.#restart(known, this.exit(uid, 1));
      this.#update(known);
    };
  }

  /** Everything is well from now on. */
  heal(): void {
    this.#isHealed = true;
    this.apiBack();
    this.messages.heal();
    for (const uid of this.#known.keys()) this.#publish(uid);
    if (!this.isUp) this.start("1.37");
  }

  // How pods live.

  #sandbox(known: Known, takesOver = false): void {
    if (!this.#isWanted(known)) return;
    known.hasSandbox = true;
    const isFree = (each: string) => this.truth.holder(each) === undefined;
    const ended = this.truth.leases.filter(({ ip }) => takesOver && isFree(ip));
    const [last] = ended.sort((a, b) => (b.toMs ?? 0) - (a.toMs ?? 0));
    const ip = last?.ip ?? ADDRESSES.find(isFree);
    if (ip !== undefined) {
      this.truth.leases.push({ uid: known.pod.uid, ip, fromMs: this.nowMs, toMs: undefined });
    }
    this.#whenReady(known, 300 * this.#draw(known.pod.uid), () => {
      for (const name of known.pod.containers) this.#restart(known, name);
    });
    this.#look(known, ADDRESS_MS);
  }

  #restart(known: Known, name: string | undefined): void {
    const { uid } = known.pod;
    if (name === undefined || !this.#isWanted(known) || !known.hasSandbox) return;
    const open = this.truth.runsOf(uid, name).filter(({ toMs }) => toMs === undefined);
    if (open.some(({ fromMs }) => fromMs !== undefined)) return;
    if (open.length > 0) {
      this.#clock.after(500, () => this.#restart(known, name));
      return;
    }
    const run = this.#create(known, name);
    run.fromMs = this.nowMs;
    this.#look(known);
  }

  #create(known: Known, name: string): Run {
    const { uid } = known.pod;
    const { life } = known.pod;
    const count = this.truth.runsOf(uid, name).filter((run) => run.life === life).length;
    const id = `${uid}x${this.truth.runsOf(uid).length + 1}`;
    const run: Run = {
      uid,
      life,
      name,
      id,
      count,
      fromMs: undefined,
      toMs: undefined,
      exitCode: 0,
      isInvented: false,
      isLost: false,
    };
    this.truth.runs.set(id, run);
    return run;
  }

  /** Its containers end, then its sandbox; then the kubelet has finished it. */
  #endOf(known: Known, phase: string, lateMs = 0, exitCode = this.#exitCode(known.pod.uid)): void {
    if (this.#known.get(known.pod.uid) !== known || known.isOver) return;
    this.#stopAll(known, exitCode, stoppedBy(known.shown));
    known.pod.ends.push(this.nowMs);
    this.#look(known);
    this.#whenReady(known, 1_200 + 1_000 * this.#draw(known.pod.uid) + lateMs, () => this.#through(known, phase));
  }

  /** The kubelet is through with a pod: it says so, and lists it until its object goes. */
  #through(known: Known, phase: string): void {
    if (known.isOver || this.#known.get(known.pod.uid) !== known) return;
    known.isOver = true;
    known.pod.overMs = this.nowMs;
    // If its containers have ended well, a kubelet takes back that it has stopped the pod, unless it was too late.
    const { uid, containers } = known.pod;
    const isWell = containers.every((name) => this.truth.runsOf(uid, name).at(-1)?.exitCode === 0);
    const { reason } = known.shown;
    const isTakenBack =
      this.release !== "1.38" &&
      isWell &&
      reason !== "DeadlineExceeded" &&
      STOPS.some((stop) => stop.reason === reason);
    const how = isTakenBack ? { phase: "Succeeded", reason: "", message: "" } : { phase };
    this.#show(known, { ...known.shown, ...this.#understood(known), ...how, version: ++known.pod.version }, true);
    this.messages.send("DELETED", known.shown);
    if (known.shown.isDeleted)
      this.#whenReady(known, 100 + 300 * this.#draw(known.pod.uid), () => this.#forget(known), true);
  }

  #stopAll(known: Known, exitCode: number = this.#exitCode(known.pod.uid), reason?: string): void {
    const { uid } = known.pod;
    this.#stopRuns(uid, exitCode, reason);
    known.hasSandbox = false;
    known.pod.isRejected = false;
  }

  #stopRuns(uid: string, exitCode: number = this.#exitCode(uid), reason?: string): void {
    const isUntold = reason === undefined;
    for (const run of this.truth.runsOf(uid))
      if (run.toMs === undefined) Object.assign(run, { toMs: this.nowMs, exitCode, stoppedBy: reason, isUntold });
    const lease = this.truth.leaseOf(uid);
    if (lease !== undefined) lease.toMs = this.nowMs;
  }

  #exitCode(uid: string): number {
    return EXIT_CODES[Math.floor(EXIT_CODES.length * this.#draw(uid))] ?? 0;
  }

  /** Its object goes: it leaves the lists, and nobody is told. */
  #forget(known: Known): void {
    this.truth.note("T22");
    this.#leave(known);
  }

  #leave(known: Known): void {
    const { uid } = known.pod;
    if (this.#known.get(uid) !== known) return;
    this.#known.delete(uid);
    this.unread.delete(uid);
    known.pod.exists = false;
    known.pod.leaves.push(this.nowMs);
    Object.assign(known.pod.spans.at(-1) ?? {}, { toMs: this.nowMs });
    this.teller.put(uid, undefined, true);
  }

  /** A new process rejects a pod that runs: it is listed as failed, without statuses, and its containers run on for a second. */
  #reject(): void {
    const known = [...this.#known.values()].find(
      ({ pod, isOver, shown }) =>
        !pod.isStatic &&
        !isOver &&
        !shown.isDeleted &&
        shown.isEnding !== true &&
        this.truth.running(pod.uid).length > 0,
    );
    if (known === undefined) return;
    known.pod.isRejected = true;
    this.truth.note("T11");
    const shown = {
      ...known.shown,
      phase: "Failed",
      reason: REJECTED.reason,
      message: REJECTED.message,
      containers: [],
      ip: undefined,
    };
    this.#show(known, { ...shown, version: ++known.pod.version });
    known.dueMs = this.nowMs + 4_000;
    this.#whenReady(known, 1_100, () => this.#endOf(known, "Failed"));
  }

  // How the kubelet understands, and tells.

  /** The next draw of a pod. */
  #draw(uid: string): number {
    const draws = this.#draws.get(uid) ?? streamOf(this.#life, `pod ${uid}`);
    this.#draws.set(uid, draws);
    return draws();
  }

  #isWanted(known: Known): boolean {
    const { pod, shown } = known;
    if (this.#known.get(pod.uid) !== known) return false;
    return pod.exists && !shown.isDeleted && shown.phase !== "Failed" && shown.isEnding !== true && !known.isOver;
  }

  #reads(pod: TruePod): boolean {
    return this.isUp && !this.unread.has(pod.uid);
  }

  #with(uid: string, change: (known: Known) => void): void {
    const known = this.#known.get(uid);
    if (known === undefined || (this.isApiAway && !known.pod.isStatic)) return;
    change(known);
  }

  /** Something happens on the node to a pod that its kubelet has read. */
  #withRead(uid: string, change: (known: Known) => void): void {
    const known = this.#known.get(uid);
    if (known !== undefined && !this.unread.has(uid)) change(known);
  }

  /** Does something once there is a kubelet that has read the pod, or an API server. */
  #whenReady(known: Known, delayMs: number, act: () => void, byApi = false): void {
    this.#clock.after(delayMs, () => {
      if (byApi ? !this.isApiAway : this.#reads(known.pod)) act();
      else this.#waiting.push({ known, act, byApi });
    });
  }

  #goOn(): void {
    for (const { known, act, byApi } of this.#waiting.splice(0))
      this.#whenReady(known, 500 * this.#draw(known.pod.uid), act, byApi);
  }

  /** The kubelet looks at a pod, some time later. */
  #look(known: Known, mostMs = LOOK_MS): void {
    known.dueMs = Math.max(known.dueMs, this.nowMs + mostMs * this.#draw(known.pod.uid));
    this.#whenReady(known, known.dueMs - this.nowMs, () => this.#update(known));
  }

  /** After its start a kubelet looks at each pod within seconds. */
  #lookAgain(): void {
    this.#goOn();
    for (const known of this.#known.values()) this.#look(known, known.pod.isStatic ? 2_000 : 8_000);
  }

  #update(known: Known): void {
    if (this.#known.get(known.pod.uid) !== known || known.isOver || known.pod.isRejected) return;
    const shown = { ...known.shown, ...this.#understood(known) };
    if (JSON.stringify(shown) === JSON.stringify(known.shown)) return;
    this.#show(known, { ...shown, version: ++known.pod.version }, true);
  }

  /** What a kubelet that looks at a pod now says of it. */
  #understood(known: Known): Pick<Shown, "phase" | "ip" | "containers"> {
    const { pod, shown } = known;
    const { uid } = pod;
    const statuses = pod.containers.map((name) =>
      statusesOf(
        this.truth
          .runsOf(uid, name)
          .filter((run) => run.life === pod.life)
          .map(({ ...run }) => {
            if (run.fromMs !== undefined) run.fromMs = this.truth.shownBy(run.fromMs);
            if (run.toMs !== undefined) run.toMs = this.truth.shownBy(run.toMs);
            return run;
          }),
      ),
    );
    const hasBegun = statuses.some(([status]) => status !== undefined);
    const isOver = hasBegun && statuses.every(([status]) => status?.state !== "running");
    let { phase } = shown;
    if (phase !== "Failed") phase = hasBegun ? "Running" : "Pending";
    if (phase === "Failed" && shown.reason === "" && !isOver) phase = "Running";
    // It shows each container that is in the manifest, also before there is any.
    const containers = statuses.map(
      ([status], i): StatusShown => status ?? { name: pod.containers[i] ?? "", id: "", count: 0, state: "waiting" },
    );
    // Where no sandbox is ready the address stands that was shown before (getPodIPs in pkg/kubelet/pleg/generic.go).
    const ip = this.truth.leaseOf(uid)?.ip ?? (known.hasSandbox ? undefined : shown.ip);
    return { phase, ip, containers };
  }

  #stamp(): string {
    return new Date(this.#clock.wallMs()).toISOString();
  }

  /** Another process has seen the pod: a static one is listed with an empty status until it has been looked at. */
  #restamp(known: Known): void {
    const empty =
      known.pod.isStatic && !known.isOver
        ? { containers: [], ip: undefined, phase: "Pending", reason: "", message: "", condition: undefined }
        : {};
    known.shown = { ...known.shown, seen: this.#stamp(), ...empty, version: ++known.pod.version };
    known.dueMs = this.nowMs;
  }

  /** A kubelet of 1.36 reads its API pods: the first, and the others soon after. */
  #readSet(): void {
    const [first] = this.unread;
    if (first !== undefined) this.#read(first);
    const process = this.#process;
    this.#clock.after(SET_MS * streamOf(this.#life, `set ${process}`)(), () => {
      if (this.#process === process && this.isUp) this.#readAll();
    });
  }

  #readAll(): void {
    this.#isReading = false;
    for (const uid of [...this.unread]) this.#read(uid);
    this.#lookAgain();
    this.#endLeft();
  }

  #read(uid: string): void {
    this.unread.delete(uid);
    const known = this.#known.get(uid);
    if (known === undefined) return;
    this.#publish(uid);
    if (!known.isOver) this.messages.send("ADDED", known.shown);
  }

  /** Writes what lists have of a pod. */
  #publish(uid: string, isDamaged: Damage | undefined = undefined): void {
    const known = this.#known.get(uid);
    const isRead = known !== undefined && !this.unread.has(uid);
    if (isDamaged === undefined) this.damaged.delete(uid);
    else this.damaged.add(uid);
    if (isDamaged === "uid" || isDamaged === "all") this.nameless.add(uid);
    else this.nameless.delete(uid);
    this.teller.put(
      uid,
      isRead ? { pod: bytesOf(known.shown, isDamaged), said: saidOf(known.shown, isDamaged) } : undefined,
      known?.pod.isStatic === true || !this.isApiAway,
    );
  }

  #show(known: Known, shown: Shown, isTold = false): void {
    known.shown = shown;
    if (!this.isUp) return;
    this.#publish(known.pod.uid);
    if (isTold && this.#reads(known.pod)) this.messages.send("MODIFIED", shown);
  }

  #tell(type: EventType, known: Known, shown: Shown): void {
    known.shown = shown;
    this.#publish(known.pod.uid);
    this.messages.send(type, shown);
  }
}
