// What is so on a node, whatever a kubelet tells of it: containers that run, addresses that are held, pods that the kubelet is through
// with. Times are milliseconds of the monotonic clock.

/** A container of the runtime. */
export interface Run {
  readonly uid: string;
  /** The number of its pod's life: the UID of a static pod comes again. */
  readonly life: number;
  readonly name: string;
  readonly id: string;
  /** The restart count that the kubelet gives it. */
  readonly count: number;
  /** When its process began; undefined of one that is created and has not started. */
  fromMs: number | undefined;
  /** When its process ended, or it was removed. */
  toMs: number | undefined;
  /** The exit code of its process. */
  exitCode: number;
  /** Nobody saw the process end, and the runtime has made up how: 255, at the runtime's own start. */
  isInvented: boolean;
  /** Why it was ended with its pod, as it is to be reported; undefined if it ended by itself, or if nobody says why. */
  stoppedBy?: string | undefined;
  /** Its pod had left the lists, or was to end by itself: how it ended is told by its exit alone. */
  isUntold?: boolean;
  /** What the OOM killer took: the process of the container, or a child before. */
  oom?: "container" | "process" | undefined;
  /** The runtime has lost it: no status names its end. */
  isLost: boolean;
}

/** The time for which a pod's sandbox had an address. */
export interface Lease {
  readonly uid: string;
  readonly ip: string;
  readonly fromMs: number;
  toMs: number | undefined;
}

export interface TruePod {
  readonly uid: string;
  readonly name: string;
  readonly isStatic: boolean;
  /** The names of its containers. */
  readonly containers: readonly string[];
  /** How often its UID has come, and since when it is there. */
  life: number;
  beganMs: number;
  /** The times at which all of its containers had ended for good. */
  readonly ends: number[];
  /** When the kubelet was through with it, and told DELETED. */
  overMs: number | undefined;
  /** When its deletion was asked for. */
  deletedMs?: number;
  /** The times at which it left the lists. */
  readonly leaves: number[];
  /** The spans for which its object was there, or its manifest: so long it had its name. */
  readonly spans: { readonly fromMs: number; toMs: number | undefined }[];
  /** Whether the API has its object, or the node its manifest. */
  exists: boolean;
  /** A kubelet has rejected it, and its containers have yet to end. */
  isRejected: boolean;
  /** The number of its last state. */
  version: number;
}

/** So long before a machine stood still somebody may have lost a key, and not been told of yet (docs/lookups.md). */
const STALL_MS = 10_000;
/** What is nearer to an edge may be on either side of it: times of day are whole milliseconds. */
const EDGE_MS = 2;
/** So late a kubelet may be. */
const LATE_MS = 5_000;

export class Truth {
  readonly pods: Map<string, TruePod> = new Map();
  readonly runs: Map<string, Run> = new Map();
  readonly leases: Lease[] = [];
  /** When the machine's clock was set, and by how much. */
  readonly clockSteps: number[] = [];
  readonly steps: { readonly atMs: number; readonly byMs: number }[] = [];
  /** When the whole machine stood still, for longer than a kubelet may be late. */
  readonly stalls: { readonly fromMs: number; readonly toMs: number }[] = [];
  /** When the machine went on after it had stood still, however shortly. */
  readonly pauses: number[] = [];
  /** How often each fact about telling has been so, by its ID. */
  readonly happened: Map<string, number> = new Map();

  /** Notes that a fact about telling has been so. */
  note(fact: `T${number}`): void {
    this.happened.set(fact, (this.happened.get(fact) ?? 0) + 1);
  }

  /** Notes that the clock was set. */
  setClock(atMs: number, byMs: number): void {
    this.clockSteps.push(atMs);
    this.steps.push({ atMs, byMs });
  }

  /** How often since `sinceMs` the time of day came that the present clock would have shown at `ms`. */
  timesOf(ms: number, sinceMs: number, nowMs: number): number {
    const allMs = this.steps.reduce((sum, { byMs: eachMs }) => sum + eachMs, 0);
    let fromMs = 0;
    let byMs = 0;
    const spans = [...this.clockSteps, nowMs].map((toMs, i) => {
      const thenMs = ms + allMs - byMs;
      const isIn = thenMs > Math.max(fromMs, sinceMs) + EDGE_MS && thenMs < toMs - EDGE_MS;
      fromMs = toMs;
      byMs += this.steps[i]?.byMs ?? 0;
      return isIn;
    });
    return spans.filter(Boolean).length;
  }

  /** Whether the machine stood still then, or soon after: what was so is told later than it may be, and nobody can know that. */
  stoodStill(atMs: number): boolean {
    return this.stalls.some(({ fromMs, toMs }) => atMs > fromMs - STALL_MS && atMs <= toMs);
  }

  /** What the machine's clock showed at a time, as statuses have it, less the first offset. */
  shownBy(ms: number): number {
    return this.steps.reduce((sum, { byMs }, i) => ((this.clockSteps[i] ?? 0) <= ms ? sum + byMs : sum), ms);
  }

  /** Notes that the machine stood still. */
  stall(fromMs: number, toMs: number): void {
    this.pauses.push(toMs);
    if (toMs - fromMs > LATE_MS) this.stalls.push({ fromMs, toMs });
  }

  runsOf(uid: string, name?: string): Run[] {
    return [...this.runs.values()].filter((run) => run.uid === uid && (name === undefined || run.name === name));
  }

  /** The containers of a pod whose processes live. */
  running(uid: string): Run[] {
    return this.runsOf(uid).filter(({ fromMs, toMs }) => fromMs !== undefined && toMs === undefined);
  }

  /** Whether a pod has ended for good since then. */
  endedSince(uid: string, sinceMs: number): boolean {
    return this.pods.get(uid)?.ends.some((atMs) => atMs >= sinceMs) ?? false;
  }

  /** Whether a pod has ended for good in its present life. */
  hasEnded(uid: string): boolean {
    const pod = this.pods.get(uid);
    return pod !== undefined && this.endedSince(uid, pod.beganMs);
  }

  leftSince(uid: string, sinceMs: number): boolean {
    return this.pods.get(uid)?.leaves.some((atMs) => atMs >= sinceMs) ?? false;
  }

  /** Who had an address at some time of a span. */
  holders(ip: string, fromMs: number, toMs: number): ReadonlySet<string> {
    const then = this.leases.filter((each) => each.ip === ip && each.fromMs <= toMs && (each.toMs ?? toMs) >= fromMs);
    return new Set(then.map(({ uid }) => uid));
  }

  /** Whose name it was at some time of a span. */
  named(name: string, fromMs: number, toMs: number): ReadonlySet<string> {
    const isThen = (span: { fromMs: number; toMs: number | undefined }) =>
      span.fromMs <= toMs && (span.toMs ?? toMs) >= fromMs;
    const pods = [...this.pods.values()].filter((pod) => pod.name === name && pod.spans.some(isThen));
    return new Set(pods.map(({ uid }) => uid));
  }

  /** All who ever had an address. */
  everHeld(ip: string): ReadonlySet<string> {
    return new Set(this.leases.filter((each) => each.ip === ip).map(({ uid }) => uid));
  }

  /** Whether a pod had an address before and after a time, within so long, and nobody else between. */
  isRemade(uid: string, ip: string, atMs: number, withinMs: number): boolean {
    const own = this.leases.filter((each) => each.uid === uid && each.ip === ip);
    return own.some(({ toMs = Number.POSITIVE_INFINITY }, i) => {
      const next = own[i + 1];
      if (next === undefined || toMs > atMs || next.fromMs < atMs || next.fromMs - toMs > withinMs) return false;
      return [...this.holders(ip, toMs, next.fromMs)].every((each) => each === uid);
    });
  }

  /** Who has an address. */
  holder(ip: string): Lease | undefined {
    return this.leases.find((each) => each.ip === ip && each.toMs === undefined);
  }

  leaseOf(uid: string): Lease | undefined {
    return this.leases.find((each) => each.uid === uid && each.toMs === undefined);
  }
}
