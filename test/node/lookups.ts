// Judges the answers of lookups by CNI's files, the runtime's labels and the API server's objects. Pure.

import { BOUNDS } from "./bounds.js";
import type { At, LookupLine } from "./journal.js";
import { longestSynced, syncedSpans, wasSynced } from "./told.js";
import { type ContainerTruth, type Span, statusesOf, type Truth, timeOf } from "./truth.js";
import type { Problem } from "./verdict.js";

/** How many questions of a kind were asked, and how they were answered. */
export interface LookupCounts {
  asked: number;
  right: number;
  /** How many of the right answers were how sure, of those that say so. */
  confirmed: number;
  reported: number;
  likely: number;
  /** Answers, none of them told or proved, with a pod that had the key within five seconds of the time asked about. */
  near: number;
  /** Without an answer, where there need not be one. */
  none: number;
  missed: number;
  wrong: number;
}

export interface LookupsJudgement {
  counts: Record<string, LookupCounts>;
  problems: Problem[];
  /** From the runtime's start of a container to the answer of a waitFor that was asked before. */
  waitMs: number[];
  /** From CNI's file of an address to the kubelet's report of it. */
  addressMs: number[];
  /** From the start of a pod's first container to the kubelet's report of its address. */
  usedMs: number[];
}

interface Holder extends Span {
  uid: string;
}

/** How long the suite's informers keep what has gone. */
const RETAIN_MS = 120_000;

export function judgeLookups(lines: readonly At[], truth: Truth): LookupsJudgement {
  const judge = new LookupsJudge(lines, truth);
  for (const line of lines) if (line.who === "lookup") judge.take(line as At<LookupLine>);
  const { counts, problems, waitMs } = judge;
  return { counts, problems, waitMs, ...judge.addresses() };
}

type Verdict = keyof Omit<LookupCounts, "asked" | "confirmed" | "reported" | "likely">;

class LookupsJudge {
  readonly counts: Record<string, LookupCounts> = {};
  readonly problems: Problem[] = [];
  readonly waitMs: number[] = [];
  readonly #truth: Truth;
  readonly #synced: Span[];
  readonly #names = new Map<string, Holder[]>();

  constructor(lines: readonly At[], truth: Truth) {
    this.#truth = truth;
    this.#synced = syncedSpans(lines, "informer");
    for (const [uid, { name, isMirror, boundMs, to }] of truth.api) {
      if (isMirror || boundMs === Number.POSITIVE_INFINITY) continue;
      this.#names.set(name, [...(this.#names.get(name) ?? []), { uid, from: boundMs, to }]);
    }
  }

  take(line: At<LookupLine>): void {
    const { key, type, answer } = line;
    const kind =
      key.ip !== undefined
        ? "address"
        : key.pid !== undefined
          ? "process"
          : key.name !== undefined
            ? "name"
            : "container";
    const row = `${type} by ${kind}${line.at === undefined ? "" : ", at"}`;
    let counts = this.counts[row];
    if (counts === undefined) {
      counts = { asked: 0, right: 0, confirmed: 0, reported: 0, likely: 0, near: 0, none: 0, missed: 0, wrong: 0 };
      this.counts[row] = counts;
    }
    counts.asked++;
    const verdict =
      kind === "process" ? this.#process(line) : kind === "container" ? this.#container(line) : this.#passing(line);
    counts[verdict]++;
    const confidence = answer?.confidence;
    if (verdict !== "right") return;
    if (confidence === "confirmed" || confidence === "reported" || confidence === "likely") counts[confidence]++;
  }

  /**
   * Returns how long the kubelet took to tell addresses, which the confidence of lookups rests on: since CNI gave them out, and since the
   * first container of the pod could use them.
   */
  addresses(): Pick<LookupsJudgement, "addressMs" | "usedMs"> {
    const [addressMs, usedMs]: [number[], number[]] = [[], []];
    for (const [ip, leases] of this.#truth.leases) {
      for (const { sandbox, from, to } of leases) {
        const uid = this.#truth.containers.get(sandbox)?.uid ?? "";
        const told = this.#truth.pods
          .get(uid)
          ?.versions.find((version) => version.brief.ips.includes(ip) && version.from >= from && version.from <= to);
        if (told === undefined || !wasSynced(this.#synced, { from, to: told.from })) continue;
        addressMs.push(told.from - from);
        const starts = this.#truth.containersOf(uid).map(({ startMs = Number.POSITIVE_INFINITY }) => startMs);
        const first = Math.min(...starts.filter((ms) => ms >= from));
        // It may be told before any container has started.
        if (first !== Number.POSITIVE_INFINITY) usedMs.push(Math.max(0, told.from - first));
      }
    }
    return { addressMs, usedMs };
  }

  /** A container's ID is one pod's for ever. */
  #container(line: At<LookupLine>): Verdict {
    const { key, answer, askedMs, atMs, type } = line;
    const real = this.#truth.containers.get(key.containerID ?? "");
    if (answer?.uid === undefined) return this.#isShown(real, line) ? this.#miss(line) : "none";
    if (real === undefined) return "none";
    if (answer.uid !== real.uid) return this.#wrong(line, real.uid);
    if (answer.containerID !== undefined && answer.containerID !== real.id) return this.#wrong(line, real.id);
    const { startMs } = real;
    if (
      type === "waitFor" &&
      startMs !== undefined &&
      askedMs <= startMs &&
      longestSynced(this.#synced, { from: askedMs, to: atMs }) >= atMs - askedMs
    )
      this.waitMs.push(atMs - startMs);
    return "right";
  }

  #process(line: At<LookupLine>): Verdict {
    const { key, answer, askedMs, atMs } = line;
    const real = [...this.#truth.containers.values()]
      .filter(({ pid, startMs }) => pid === key.pid && (startMs ?? Number.POSITIVE_INFINITY) <= askedMs + BOUNDS.clock)
      .at(-1);
    if (real === undefined) return "none";
    // The runtime stamps an exit after it has reaped the process, seconds later on a busy node.
    if (answer === undefined)
      return (real.exitMs ?? Number.POSITIVE_INFINITY) > atMs + BOUNDS.near ? this.#miss(line) : "none";
    if (answer.uid !== real.uid || answer.containerID !== real.id)
      return this.#wrong(line, `${real.uid} ${real.id.slice(0, 12)}`);
    return "right";
  }

  /** An address and a name pass from pod to pod. */
  #passing(line: At<LookupLine>): Verdict {
    const { key, answer, askedMs, at } = line;
    const holders = this.#holdersOf(key);
    const toMs = line.type === "waitFor" ? line.atMs : askedMs;
    const when: Span =
      at === undefined ? { from: askedMs, to: toMs } : { from: Math.min(at, askedMs), to: Math.min(at, askedMs) };
    const within = (slackMs: number) =>
      holders.filter(({ from, to }) => from - slackMs <= when.to && when.from <= to + slackMs);
    if (answer?.uid === undefined) {
      // That nobody had it is said of pods that the informer was asked for: those that had not ended, nor been rejected.
      const living = within(0).filter(({ uid }) => this.#lives(uid, when) && this.#wasUsed(uid, key, when));
      if (isSure(answer) && living.length > 0) return this.#wrong(line, living.map(({ uid }) => uid).join(", "));
      return this.#isOwed(line, when) ? this.#miss(line) : "none";
    }
    const named = holders.filter(({ uid }) => uid === answer.uid);
    if (named.length === 0)
      return this.#isKnown(key) ? this.#wrong(line, holders.map(({ uid }) => uid).join(", ")) : "none";
    // The record of the API server comes by kubectl.
    const slackMs = key.ip === undefined ? BOUNDS.lag : BOUNDS.clock;
    if (within(slackMs).some(({ uid }) => uid === answer.uid)) return "right";
    // Without a time the answer is what the kubelet says now, and it may say what was (docs/lookups.md, "Which pod had a key at a time").
    // A status that names no container says nothing: what was said before it stands.
    const versions = this.#truth.pods.get(answer.uid ?? "")?.versions ?? [];
    const said = [when.to, when.from - BOUNDS.lag].map(
      (ms) => versions.findLast(({ from, brief }) => from <= ms && brief.states !== "")?.brief.ips,
    );
    if (at === undefined && key.ip !== undefined && said.some((ips) => ips?.includes(key.ip ?? "") === true))
      return "near";
    // Nobody tells that an object is removed; the next list does (docs/watch.md, "Figures").
    const pod = this.#truth.pods.get(answer.uid ?? "");
    const isEnded = pod?.ends.some((ms) => ms < when.from - BOUNDS.lag) !== false;
    const isUntold = !isEnded && named.some(({ to }) => to > when.from - BOUNDS.list);
    if (at === undefined && key.ip === undefined && isUntold) return "near";
    // While the kubelet is away, what was told stands.
    if (!line.isSynced && !isSure(answer)) return "near";
    // Without a time: who lost it last, where nobody has it.
    const isLast =
      holders.at(-1)?.uid === answer.uid ||
      holders.findLast(({ from }) => from < when.from - BOUNDS.address)?.uid === answer.uid;
    if (isSure(answer)) return this.#wrong(line, `${within(0).length} others`);
    if (within(BOUNDS.recent).some(({ uid }) => uid === answer.uid)) return "near";
    // Of what is contested the answer is a guess; and of a name lists alone tell that nobody has it any more.
    if (answer.confidence === "uncertain" || (key.ip === undefined && within(0).length === 0)) return "near";
    if (line.type === "find" && isLast && within(0).every(({ from }) => from > when.from - BOUNDS.address))
      return at === undefined ? "right" : "near";
    return this.#wrong(line, holders.map(({ uid }) => uid).join(", "));
  }

  #holdersOf({ ip, namespace, name }: LookupLine["key"]): Holder[] {
    if (ip === undefined) return this.#names.get(`${namespace}/${name}`) ?? [];
    return (this.#truth.leases.get(ip) ?? []).flatMap(({ sandbox, from, to }) => {
      const uid = this.#truth.containers.get(sandbox)?.uid;
      return uid === undefined ? [] : [{ uid, from, to }];
    });
  }

  /**
   * Whether a pod used an address, as far as it is told at all: the kubelet had shown it, or shows it later and something ran by then. That of
   * a sandbox in which nothing has come to run it may never show.
   */
  #wasUsed(uid: string, { ip }: LookupLine["key"], { to }: Span): boolean {
    if (ip === undefined) return true;
    const told = this.#truth.pods.get(uid)?.versions.find(({ brief }) => brief.ips.includes(ip));
    if (told === undefined) return false;
    return told.from <= to || this.#truth.running(uid, to).some(({ kind }) => kind === "container");
  }

  #lives(uid: string, { from, to }: Span): boolean {
    const pod = this.#truth.pods.get(uid);
    return pod !== undefined && this.#truth.livingSpans(pod).some((span) => span.from <= to && span.to >= from);
  }

  /** Whether the key is one that CNI or the API server has ever had. */
  #isKnown(key: LookupLine["key"]): boolean {
    return this.#holdersOf(key).length > 0;
  }

  /** Whether a pod had the key for so long around that time that the kubelet has told it, and the informer was synced. */
  #isOwed(line: At<LookupLine>, when: Span): boolean {
    const { key, askedMs, atMs, isSynced, at, error } = line;
    if (!isSynced || (error !== undefined && error !== "deadline")) return false;
    const around =
      line.type === "waitFor"
        ? { from: atMs - BOUNDS.address * 2, to: atMs }
        : { from: when.from - BOUNDS.address, to: when.to };
    if (longestSynced(this.#synced, { from: around.from - BOUNDS.address, to: askedMs }) < askedMs - around.from)
      return false;
    // What is missing because the kubelet has none of its source is unconfirmed, and not waited for.
    const isBlind = this.#truth.blind.some((span) => span.from <= atMs && span.to >= around.from - BOUNDS.missing);
    if (isBlind && line.type === "waitFor") return false;
    return this.#holdersOf(key).some(({ uid, from, to }) => {
      if (from > around.from || to < around.to || Math.min(to, askedMs) < askedMs - RETAIN_MS / 2) return false;
      const pod = this.#truth.pods.get(uid);
      if (pod === undefined) return false;
      const versions = pod.versions.filter((version) => version.from <= around.to && version.to >= around.from);
      // What was used for longer before the kubelet told it is beyond what `at` reaches.
      const told = pod.versions.find(({ brief }) => this.#isSoundFor(key, brief));
      if (at !== undefined && (told?.notedMs ?? 0) > at + BOUNDS.address - BOUNDS.lag) return false;
      const hasKey = versions.length > 0 && versions.every(({ brief }) => this.#isSoundFor(key, brief));
      const isThere = this.#truth
        .livingSpans(pod)
        .some((span) => span.from <= around.from && span.to >= (at ?? askedMs));
      return hasKey && isThere;
    });
  }

  #isSoundFor(
    { ip }: LookupLine["key"],
    { ips, isDeleting, phase, states }: { ips: string[]; isDeleting: boolean; phase: string; states: string },
  ): boolean {
    // While nothing runs the sandbox may have ended, and the kubelet shows its address on.
    return (
      (ip === undefined || (ips.includes(ip) && /(^|,)R/.test(states))) &&
      !isDeleting &&
      phase !== "Failed" &&
      phase !== "Succeeded"
    );
  }

  /** Whether the kubelet had shown a container for so long that it is known. */
  #isShown(real: ContainerTruth | undefined, { atMs, isSynced, error }: At<LookupLine>): boolean {
    if (real === undefined || real.kind !== "container" || !isSynced) return false;
    if (error !== undefined && error !== "deadline") return false;
    const pod = this.#truth.pods.get(real.uid);
    // Pods that have ended are not the informer's, and what is retained is retained for a time.
    const isThere =
      pod !== undefined &&
      this.#truth.livingSpans(pod).some(({ from, to }) => from <= atMs - BOUNDS.event && to >= atMs);
    if (!isThere) return false;
    const { versions } = pod;
    const shown = versions.filter(({ brief, by }) => by === "list" && statusesOf(brief, real.id).length > 0);
    const last = this.#truth.versionAt(real.uid, atMs + BOUNDS.clock);
    if (last === undefined || statusesOf(last.brief, real.id).length === 0) return false;
    const isLong = shown.some(({ from, to }) => from <= atMs - BOUNDS.event && to >= atMs);
    return isLong && longestSynced(this.#synced, { from: atMs - BOUNDS.event, to: atMs }) >= BOUNDS.event;
  }

  #miss(line: At<LookupLine>): Verdict {
    this.#tell(line, "found nothing, and a pod had it");
    return "missed";
  }

  #wrong(line: At<LookupLine>, right: string): Verdict {
    const { answer } = line;
    const confidence = answer?.confidence === undefined ? "" : `, ${answer.confidence}`;
    this.#tell(
      line,
      `answered ${answer?.uid} ${answer?.containerID?.slice(0, 12) ?? ""}${confidence}, and it was ${right}`,
    );
    return "wrong";
  }

  #tell({ atMs, type, key, at }: At<LookupLine>, what: string): void {
    const words = Object.values(key).join("/");
    const when = at === undefined ? "" : ` at ${timeOf(at)}`;
    this.problems.push({
      atMs,
      text: `${timeOf(atMs)} ${type} ${words.slice(0, 40)}${when}: ${what}`,
      finding: undefined,
    });
  }
}

/** Whether an answer says that it is true, and not only that nothing speaks against it. */
function isSure(answer: LookupLine["answer"]): boolean {
  return answer?.confidence === "confirmed" || answer?.confidence === "reported";
}
