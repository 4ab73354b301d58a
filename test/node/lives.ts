// Judges the lives of containers that were told by those that the runtime ran. Pure.

import { BOUNDS } from "./bounds.js";
import type { At, LifeLine } from "./journal.js";
import { longestSynced, syncedSpans, wasSynced } from "./told.js";
import { type ContainerTruth, type Span, statusesOf, type Truth, timeOf } from "./truth.js";
import type { Problem } from "./verdict.js";

export interface LivesJudgement {
  /** How many lives were told of those that the runtime ran, and how many of each kind of end. */
  counts: Record<string, number>;
  problems: Problem[];
  /** How many things are yet to be told, and in time. */
  open: number;
  /** From the runtime's event to what was told, in milliseconds. */
  startMs: number[];
  endMs: number[];
}

interface Life {
  start: At<LifeLine>;
  end?: At<LifeLine>;
}

/** Compares all lines; containers that were there before the runtime was recorded are left out. */
export function compareLives(lines: readonly At[], truth: Truth): LivesJudgement {
  const judge = new LivesJudge(lines, truth);
  judge.put(lines);
  for (const [id, life] of judge.lives) judge.life(id, life);
  judge.untold();
  const { counts, problems, open, startMs, endMs } = judge;
  return { counts, problems, open, startMs, endMs };
}

/** How the ends without an exit code are counted, by the basis of ENDED. */
const BASES: Readonly<Record<string, string>> = {
  removal: "by removal",
  replacement: "by replacement",
  none: "without evidence",
};

class LivesJudge {
  readonly counts: Record<string, number> = {};
  readonly problems: Problem[] = [];
  readonly startMs: number[] = [];
  readonly endMs: number[] = [];
  readonly lives = new Map<string, Life>();
  readonly #missed = new Map<string, At<LifeLine>[]>();
  readonly #truth: Truth;
  readonly #synced: Span[];
  open = 0;

  constructor(lines: readonly At[], truth: Truth) {
    this.#truth = truth;
    this.#synced = syncedSpans(lines, "lives");
  }

  /** Puts what was told together by container. */
  put(lines: readonly At[]): void {
    for (const line of lines) {
      if (line.who !== "lives") continue;
      if (line.type === "BUG") this.#tell(line.atMs, `lives: ${line.what}`);
      if (!("uid" in line)) continue;
      const told = line as At<LifeLine>;
      const { id = "", type, atMs } = told;
      const life = this.lives.get(id);
      if (type === "MISSED") {
        const key = `${told.uid} ${told.name}`;
        this.#missed.set(key, [...(this.#missed.get(key) ?? []), told]);
      } else if (type === "STARTED") {
        if (life !== undefined) this.#tell(atMs, `${nameOf(told)}: STARTED twice`);
        else this.lives.set(id, { start: told });
      } else if (life === undefined) this.#tell(atMs, `${nameOf(told)}: ENDED, and not STARTED`);
      else if (life.end !== undefined) this.#tell(atMs, `${nameOf(told)}: ENDED twice`);
      else life.end = told;
    }
  }

  /** Judges a life that was told. */
  life(id: string, { start, end }: Life): void {
    const real = this.#truth.containers.get(id);
    const name = nameOf(start);
    if (real === undefined) {
      if (start.initial !== true) this.#tell(start.atMs, `${name}: told, and the runtime has none`);
      return;
    }
    if (real.uid === "") return; // the runtime was away, and nobody has heard whose it is
    if (real.uid !== start.uid || real.name !== start.name)
      this.#tell(start.atMs, `${name}: told of ${start.uid}, and is ${real.pod} ${real.name} (${real.uid})`);
    if (real.startMs === undefined) {
      if (end?.reason === "StartError" || end?.cause !== "status")
        this.#count("never started, reported by its StartError");
      else this.#tell(start.atMs, `${name}: told to have started, and did not`);
      return;
    }
    this.#count("runs");
    this.#took(this.startMs, real.startMs, start);
    if (start.atMs < real.startMs - BOUNDS.clock)
      this.#tell(start.atMs, `${name}: STARTED ${real.startMs - start.atMs} ms before it started`);
    const shown = this.#shownMs(real, () => true);
    this.#inTime(shown, start.atMs, BOUNDS.life, `${name}: STARTED`);
    this.#countIs(real, start);
    this.#end(real, start, end);
  }

  /** Judges what was told of the end of a life, or that nothing was. */
  #end(real: ContainerTruth, start: At<LifeLine>, end: At<LifeLine> | undefined): void {
    const name = nameOf(start);
    const shown = this.#shownMs(
      real,
      ({ state, lastId, id }) => lastId === real.id || (state === "T" && id === real.id),
    );
    if (end === undefined) {
      if (real.exitMs === undefined) this.#count("still running");
      this.#inTime(Math.min(shown, this.#goneMs(real)), undefined, BOUNDS.life + BOUNDS.gone, `${name}: ENDED`);
      return;
    }
    const { atMs, cause, exitCode, reason } = end;
    this.#count(cause === "status" ? "ended with an exit code" : `ended ${BASES[cause ?? "none"]}`);
    // A kubelet that has just started kills what it no longer has, a second after it has been told gone (docs/guides/containers.md, `removal`).
    if (cause === "removal" && exitMs(real) > atMs && this.#isDropped(real.uid, atMs)) {
      this.#count("ended by removal after a restart, and killed by the kubelet after that");
      return;
    }
    if (end.atMs < start.atMs) this.#tell(atMs, `${name}: ENDED before it STARTED`);
    if (exitMs(real) > atMs + BOUNDS.clock && real.isLost !== true) {
      const runs = real.exitMs === undefined ? "and it runs on" : `${Math.round(exitMs(real) - atMs)} ms before it did`;
      this.#tell(
        atMs,
        `${name}: ENDED ${cause}, ${runs}`,
        this.#truth.isBare(real.uid, { from: atMs - BOUNDS.near, to: atMs + BOUNDS.near }) ? "V2" : undefined,
      );
      return;
    }
    if (cause === "status" && exitCode === 255 && reason === "Unknown") {
      this.#tell(atMs, `${name}: told to have exited with 255, which the runtime invented`, "V3");
    } else if (cause === "status" && real.exitCode !== undefined && exitCode !== real.exitCode) {
      this.#tell(atMs, `${name}: told to have ended with ${exitCode}, and did with ${real.exitCode}`);
    }
    if (real.isLost !== true) this.#took(this.endMs, exitMs(real), end);
    this.#inTime(Math.min(shown, this.#goneMs(real)), atMs, BOUNDS.life + BOUNDS.gone, `${name}: ENDED`);
  }

  /** What was not told one by one was told as MISSED, and no more than that. */
  untold(): void {
    const unseen = new Map<string, ContainerTruth[]>();
    const unstarted = new Map<string, number>();
    // One that was made, never ran, and was in no status may have run, as far as anybody knows.
    const unshown = new Map<string, number>();
    for (const real of this.#truth.containers.values()) {
      if (real.kind !== "container" || this.lives.has(real.id)) continue;
      const key = `${real.uid} ${real.name}`;
      if (real.startMs === undefined) {
        const whose = this.#isSeen(real) ? unstarted : unshown;
        whose.set(key, (whose.get(key) ?? 0) + 1);
      } else if (!this.#truth.pods.has(real.uid))
        this.#count("of pods that came and went while the kubelet showed none");
      else unseen.set(key, [...(unseen.get(key) ?? []), real]);
    }
    for (const [key, reals] of unseen) {
      const told = sum(this.#missed.get(key));
      const owed = reals.length - told;
      if (owed <= 0) this.#count("runs reported as MISSED");
      for (const real of owed > 0 ? reals.slice(-owed) : []) {
        const shown = this.#shownMs(real, () => true);
        const later = this.#laterMs(real);
        if (!this.#isSeen(real) && later === Number.POSITIVE_INFINITY) {
          this.#count("of pods that went while the client was not synced");
          continue;
        }
        this.#inTime(
          Math.min(shown, later),
          undefined,
          BOUNDS.life,
          `${real.pod} ${real.name} ${real.id.slice(0, 12)}: its life`,
        );
        if (Math.min(shown, later) === Number.POSITIVE_INFINITY) this.#count("not shown by any status");
      }
    }
    for (const [key, told] of this.#missed) {
      const untold = sum(told) - (unseen.get(key)?.length ?? 0);
      const excess = untold - (unshown.get(key) ?? 0);
      if (untold > 0 && excess < untold) this.#count("never started and in no status, reported as MISSED");
      if (excess <= 0) continue;
      const at = told.at(-1)?.atMs ?? 0;
      const invented = Math.max(0, excess - (unstarted.get(key) ?? 0));
      const name = `${told[0]?.pod} ${told[0]?.name}`;
      if (excess > invented)
        this.#tell(at, `${name} (${key}): ${excess - invented} containers that never ran told as MISSED`, "V4");
      // A kubelet may count a start that the runtime was never asked for.
      const isCounted = this.#hasCounted(key, at, Math.max(...told.map(({ missed }) => missed?.[1] ?? 0)));
      const why = isCounted ? ", which the kubelet has counted" : "";
      if (invented > 0)
        this.#tell(
          at,
          `${name} (${key}): ${invented} lives MISSED that the runtime did not run${why}`,
          isCounted ? "V4" : undefined,
        );
    }
  }

  /** Returns whether a status has counted a restart behind this one. */
  #hasCounted(key: string, atMs: number, count: number): boolean {
    const [uid = "", name] = key.split(" ");
    const versions = this.#truth.pods.get(uid)?.versions ?? [];
    const sent = versions.filter(({ from }) => from <= atMs + BOUNDS.near);
    return sent.some(({ brief }) => brief.statuses.some((status) => status.name === name && status.count > count));
  }

  /** Returns when the kubelet first sent a status that names a container, and that says so. */
  #shownMs(real: ContainerTruth, says: (status: { id: string; lastId: string; state: string }) => boolean): number {
    const versions = this.#truth.pods.get(real.uid)?.versions ?? [];
    // What is created and not started has an ID, too.
    const isShown = versions.find(({ brief }) =>
      statusesOf(brief, real.id).some((status) => (status.state !== "W" || status.lastId === real.id) && says(status)),
    );
    return isShown?.from ?? Number.POSITIVE_INFINITY;
  }

  /** Returns whether the kubelet showed a container while the client was synced. */
  #isSeen(real: ContainerTruth): boolean {
    const versions = this.#truth.pods.get(real.uid)?.versions ?? [];
    // The recorder's next list says seconds late that the object has gone.
    const goneMs = this.#truth.api.get(real.uid)?.to ?? Number.POSITIVE_INFINITY;
    return versions.some(
      ({ brief, from, to }) =>
        statusesOf(brief, real.id).length > 0 &&
        this.#synced.some((span) => span.from <= Math.min(to, goneMs) && span.to >= from),
    );
  }

  /** Returns when the kubelet showed a later container in the place of one, so that it must have been missed. */
  #laterMs(real: ContainerTruth): number {
    const later = this.#truth
      .containersOf(real.uid)
      .filter(({ name, createdMs }) => name === real.name && createdMs > real.createdMs);
    return Math.min(...later.map((each) => this.#shownMs(each, () => true)), Number.POSITIVE_INFINITY);
  }

  /** Returns when the pod of a container had ended, after which no status shows anything. */
  #goneMs(real: ContainerTruth): number {
    const pod = this.#truth.pods.get(real.uid);
    if (pod === undefined || real.exitMs === undefined) return Number.POSITIVE_INFINITY;
    const endMs = this.#truth.livingSpans(pod).at(-1)?.to ?? pod.spans.at(-1)?.to ?? 0;
    if (endMs === Number.POSITIVE_INFINITY) return endMs;
    let missedMs = Math.max(endMs, real.exitMs);
    // The client waits anew after each restart of the kubelet, since the new process may have to end the container.
    for (const { from } of this.#synced) if (from > missedMs && from < missedMs + BOUNDS.missing) missedMs = from;
    const isUnread = pod.isStatic && this.#truth.isUnread(missedMs + BOUNDS.restart);
    return missedMs + (isUnread ? BOUNDS.unread : BOUNDS.missing);
  }

  /** Something was to be told within a bound of the time at which it could be, as far as the reader was synced then. */
  #inTime(dueMs: number, toldMs: number | undefined, boundMs: number, what: string): void {
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const to = Math.min(toldMs ?? Number.POSITIVE_INFINITY, this.#truth.nowMs);
    const ms = longestSynced(this.#synced, { from: dueMs, to });
    if (ms > boundMs) {
      const late = toldMs === undefined ? "not told" : `told ${Math.round((toldMs - dueMs) / 1000)} s late`;
      this.#tell(toldMs ?? dueMs, `${what}: ${late}, the kubelet showed it at ${timeOf(dueMs)}`);
    } else if (toldMs === undefined && ms > 0) this.open++;
  }

  /** The restart count of a life is the one that statuses show for it. */
  #countIs(real: ContainerTruth, start: At<LifeLine>): void {
    const { atMs, restartCount } = start;
    const counts = (this.#truth.pods.get(real.uid)?.versions ?? []).flatMap(({ brief }) =>
      brief.statuses.flatMap(({ id, lastId, count }) => {
        // The count of the life before is one less, if none was missed or made in vain between them.
        if (lastId === real.id && id !== real.id) return Array.from({ length: count }, (_, i) => i);
        return id === real.id ? [count, ...(lastId === real.id ? [count - 1] : [])] : [];
      }),
    );
    if (counts.length > 0 && !counts.includes(restartCount))
      this.#tell(atMs, `${nameOf(start)}: told with the restart count ${restartCount}, which no status shows`);
  }

  /** Returns whether a kubelet that started in the last minutes lists a pod no longer. */
  #isDropped(uid: string, atMs: number): boolean {
    const isListed = this.#truth.pods.get(uid)?.spans.some(({ from, to }) => from <= atMs && to > atMs + BOUNDS.near);
    const hasStarted = this.#truth.breaks.some((ms) => ms <= atMs && ms > atMs - BOUNDS.missing - BOUNDS.restart);
    return isListed === false && hasStarted;
  }

  /** Notes how long the telling took, where no outage was in between. */
  #took(into: number[], fromMs: number, { atMs, initial }: At<LifeLine>): void {
    if (initial !== true && wasSynced(this.#synced, { from: fromMs, to: atMs })) into.push(atMs - fromMs);
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  #tell(atMs: number, text: string, finding?: string): void {
    this.problems.push({ atMs, text: `${timeOf(atMs)} ${text}`, finding });
  }
}

function exitMs(real: ContainerTruth): number {
  return real.exitMs ?? Number.POSITIVE_INFINITY;
}

function nameOf({ pod, name, id }: LifeLine): string {
  return `${pod} ${name} ${id?.slice(0, 12) ?? ""}`.trim();
}

function sum(told: readonly LifeLine[] | undefined): number {
  return (told ?? []).reduce((all, { missed }) => all + (missed === undefined ? 0 : missed[1] - missed[0] + 1), 0);
}
