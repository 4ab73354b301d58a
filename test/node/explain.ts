// Judges what was told of pods: each content is one that the kubelet sent, each pod is there as long as it is, and nothing is late. Pure.

import { BOUNDS } from "./bounds.js";
import type { MaskName } from "./content.js";
import { type At, CONSUMERS, type Consumer } from "./journal.js";
import { longestSynced, type Stay, syncedSpans, toldBy, wasSynced } from "./told.js";
import { FINAL, type PodTruth, partOf, type Span, type Truth, timeOf, type Version } from "./truth.js";
import type { Problem } from "./verdict.js";

export interface PodsJudgement {
  /** How many DELETED were told. */
  deletions: number;
  problems: Problem[];
  /** How many things are yet to be told, and in time. */
  open: number;
  /** From a pod's end, by kubelet and runtime, to DELETED. */
  deleteMs: number[];
  /** From the removal of a pod's object to DELETED with includeFinished. */
  removeMs: number[];
}

export function explain(lines: readonly At[], truth: Truth): PodsJudgement {
  const { stays, contradictions, deletions } = toldBy(lines);
  const judge = new PodsJudge(lines, truth);
  for (const [atMs, text] of contradictions) judge.tell(atMs, text);
  const byReader = new Map<string, Stay[]>();
  for (const stay of stays) {
    const key = `${stay.who} ${stay.uid}`;
    const all = byReader.get(key);
    if (all === undefined) byReader.set(key, [stay]);
    else all.push(stay);
    judge.contents(stay);
    judge.end(stay);
  }
  for (const pod of truth.pods.values()) {
    for (const who of CONSUMERS) judge.presence(who, pod, byReader.get(`${who} ${pod.uid}`) ?? []);
  }
  for (const stay of stays) {
    if (!truth.pods.has(stay.uid))
      judge.tell(stay.from, `${stay.who}: ADDED ${stay.name} (${stay.uid}), which the kubelet never sent`);
  }
  return { deletions, problems: judge.problems, open: judge.open, deleteMs: judge.deleteMs, removeMs: judge.removeMs };
}

/** How long a kubelet or a pod begins. */
const EARLY_MS = 10_000;

class PodsJudge {
  readonly problems: Problem[] = [];
  readonly deleteMs: number[] = [];
  readonly removeMs: number[] = [];
  open = 0;
  readonly #truth: Truth;
  readonly #synced: Map<Consumer, Span[]>;
  /** When a reader was first told of a pod. */
  readonly #firstMs = new Map<Consumer, number>();

  constructor(lines: readonly At[], truth: Truth) {
    this.#truth = truth;
    this.#synced = new Map(CONSUMERS.map((who) => [who, syncedSpans(lines, who)]));
    for (const line of lines) {
      const who = line.who as Consumer;
      if ("content" in line && !this.#firstMs.has(who)) this.#firstMs.set(who, line.atMs);
    }
  }

  tell(atMs: number, text: string, finding?: string): void {
    this.problems.push({ atMs, text: `${timeOf(atMs)} ${text}`, finding });
  }

  /** Each content was sent when it was told, and is followed by the next one in time. */
  contents(stay: Stay): void {
    const pod = this.#truth.pods.get(stay.uid);
    if (pod === undefined) return;
    const mask: MaskName = stay.who === "readiness" ? "readiness" : "whole";
    const synced = this.#synced.get(stay.who) ?? [];
    stay.contents.forEach(({ atMs, content }, i) => {
      const toMs = Math.min(stay.contents[i + 1]?.atMs ?? stay.to, this.#truth.nowMs);
      const what = `${stay.who}: ${i === 0 ? "ADDED" : "MODIFIED"} ${stay.name} (${stay.uid})`;
      content.split(".").forEach((hash, part) => {
        const valid = pod.versions.filter(({ brief }) => partOf(brief, mask, part) === hash);
        // The recorder may note a message later, above all if this process gets no CPU time.
        const isBefore = (ms: number) =>
          ms - BOUNDS.event <= atMs && longestSynced(synced, { from: atMs, to: ms }) <= BOUNDS.near;
        const isSent = valid.some(({ from, to }) => isBefore(from) && atMs <= to + BOUNDS.event);
        const name = ["metadata", "spec", "status"][part];
        // What a list shows for a moment the recorder's own may miss: at the start of a kubelet, of a pod, and at its end.
        const begun = [pod.versions[0]?.from ?? 0, ...this.#truth.breaks];
        const isJust = (times: readonly number[]) =>
          times.some((ms) => ms < atMs + BOUNDS.near && ms > atMs - EARLY_MS);
        // Where a kubelet reads a pod late, lists begin with what the API server last said: a state from before.
        // Finished pods are shown until their object goes. No event has the metadata of its deletion, and a list may have it for a moment.
        const hasEnded =
          pod.ends.some((ms) => ms < atMs) ||
          pod.versions.some(({ from, brief }) => from < atMs && /Failed|Succeeded/.test(brief.phase)); // it was rejected
        const isLast = stay.who === "all" && (isJust(pod.ends) || (part === 0 && hasEnded));
        const isEarly = valid.length === 0 ? isJust(begun) || isLast : !isSent && isJust(pod.readMs);
        const isKept = i === 0 && this.#isKept(stay.who, pod, valid, atMs);
        if (isEarly || isKept) this.#overstay(stay, pod, valid, { from: atMs, to: toMs }, `${what}: its ${name}`);
        else if (!isSent) {
          const why = valid.length === 0 ? "which the kubelet did not send" : "which the kubelet did not send then";
          this.tell(atMs, `${what} with a ${name}, ${why}`);
        } else this.#overstay(stay, pod, valid, { from: atMs, to: toMs }, `${what}: its ${name}`);
      });
    });
  }

  /**
   * Whether a reader that has been told nothing yet is told of a pod as it was when the kubelet went: no list since has it, and it is
   * unconfirmed until two lists agree (docs/watch.md, "Unconfirmed pods").
   */
  #isKept(who: Consumer, pod: PodTruth, valid: readonly Version[], atMs: number): boolean {
    const lastMs = this.#truth.breaks.findLast((ms) => ms < atMs) ?? Number.NEGATIVE_INFINITY;
    return (
      lastMs > atMs - BOUNDS.restart &&
      (this.#firstMs.get(who) ?? 0) > lastMs &&
      valid.some(({ from, to }) => from < lastMs && to > lastMs - BOUNDS.near) &&
      !pod.versions.some(({ from }) => from > lastMs)
    );
  }

  /** A content is not told any longer when the kubelet has sent another one. */
  #overstay(stay: Stay, pod: PodTruth, valid: readonly Version[], { from, to }: Span, what: string): void {
    let heldMs = Math.max(from, ...valid.filter((v) => v.from <= from + BOUNDS.near).map((v) => v.to));
    for (const version of valid) if (version.from <= heldMs) heldMs = Math.max(heldMs, version.to);
    if (heldMs >= to) return;
    const backMs = Math.min(to, ...valid.map((v) => v.from).filter((ms) => ms > heldMs));
    // A pod that has ended is shown as it was.
    const living = stay.who === "all" ? this.#truth.presentSpans(pod) : this.#truth.livingSpans(pod);
    const endMs = Math.min(backMs, living.find((span) => span.to > heldMs)?.to ?? heldMs);
    // What is sent of a pod that has ended comes with the next list (docs/watch.md, "Convergence").
    const hasEnded = !this.#truth.livingSpans(pod).some((span) => span.from <= heldMs && span.to > heldMs);
    const isTold = pod.versions.some((v) => v.by === "event" && Math.abs(v.from - heldMs) < BOUNDS.near);
    const boundMs = isTold && !hasEnded ? BOUNDS.event : BOUNDS.list;
    // While lists lacked it the kubelet sent nothing else of it: a static pod's UID is another one with another release.
    const sinceMs = Math.min(endMs, ...pod.versions.map((v) => v.from).filter((ms) => ms >= heldMs));
    const ms = longestSynced(this.#synced.get(stay.who) ?? [], { from: sinceMs, to: endMs });
    if (ms > boundMs) this.tell(heldMs, `${what} is old: the kubelet has sent another one since ${timeOf(heldMs)}`);
    else if (ms > 0 && endMs === this.#truth.nowMs) this.open++;
  }

  /** A DELETED has its evidence. */
  end({ who, uid, name, end }: Stay): void {
    const pod = this.#truth.pods.get(uid);
    if (end === undefined || pod === undefined) return;
    const { atMs } = end;
    const cause = end.cause ?? "finished or missing";
    const isAbsent =
      !pod.spans.some(({ from, to }) => from <= atMs - BOUNDS.near && to > atMs + BOUNDS.near) && pod.spans.length > 0;
    // The kubelet's lists are looked at once a second: the removal of the object may be known before.
    const isRemoved = (this.#truth.api.get(uid)?.to ?? Number.POSITIVE_INFINITY) <= atMs + BOUNDS.clock;
    const isEnded = pod.ends.some(
      (ms) => ms <= atMs + BOUNDS.lag && ms > (pod.spans.findLast((s) => s.from < atMs)?.from ?? 0) - BOUNDS.near,
    );
    const running = this.#truth.running(uid, atMs + BOUNDS.clock);
    const version = this.#truth.versionAt(uid, atMs + BOUNDS.near);
    const isFinal = version !== undefined && FINAL.includes(version.brief.phase);
    const isFinished = who === "all" ? isEnded && isAbsent : isEnded || (isFinal && running.length === 0);
    const isDeselected = who === "selected" && version?.brief.isSelected !== true;
    const isRight =
      (cause.includes("finished") && isFinished) ||
      (cause.includes("missing") && (isAbsent || isRemoved)) ||
      (cause === "deselected" && isDeselected);
    if (isRight) return;
    const around = { from: atMs - BOUNDS.near, to: atMs + BOUNDS.near };
    const isBare = running.length > 0 && this.#truth.isBare(uid, around);
    const which = running.map(({ name, id }) => `${name} ${id.slice(0, 12)}`).join(", ");
    this.tell(
      atMs,
      `${who}: DELETED ${cause} of ${name} (${uid}), ${running.length > 0 ? `which runs ${which}` : "which the kubelet had"}`,
      isBare ? "V2" : undefined,
    );
  }

  /** A pod is told as there for as long as it is. */
  presence(who: Consumer, pod: PodTruth, stays: readonly Stay[]): void {
    const { uid, name } = pod;
    const synced = this.#synced.get(who) ?? [];
    const expected = this.#expected(who, pod);
    for (const span of expected) {
      for (const gap of gaps(span, stays, this.#truth.nowMs)) {
        const boundMs = this.#startBound(who, pod, gap.from);
        const ms = longestSynced(synced, gap);
        const ended = stays.findLast(({ to }) => to === gap.from)?.end;
        // What was deleted falsely has been told by then.
        if (ended === undefined && ms > boundMs)
          this.tell(gap.from, `${who}: ${name} (${uid}) is there since ${timeOf(gap.from)}, and not told`);
        else if (ms > 0 && gap.to >= this.#truth.nowMs) this.open++;
      }
    }
    stays.forEach((stay, i) => {
      if (i > 0 && !pod.isStatic && who !== "selected")
        this.tell(stay.from, `${who}: ADDED ${name} (${uid}) again, DELETED at ${timeOf(stays[i - 1]?.to ?? 0)}`);
      for (const gap of gaps(stay, expected, this.#truth.nowMs)) {
        // Before a pod is there it cannot be late.
        if (!expected.some((span) => span.to <= gap.from + 1)) continue;
        this.#late(who, pod, stay, gap, longestSynced(synced, gap));
      }
    });
  }

  #late(who: Consumer, pod: PodTruth, stay: Stay, gap: Span, ms: number): void {
    const boundMs = this.#endBound(who, pod, gap.from);
    const isOpen = stay.end === undefined;
    if (!isOpen && stay.to === gap.to && wasSynced(this.#synced.get(who) ?? [], gap)) {
      (who === "all" ? this.removeMs : who === "live" ? this.deleteMs : []).push(gap.to - gap.from);
    }
    const what = `${who}: ${pod.name} (${pod.uid}) is gone since ${timeOf(gap.from)}, and told so ${isOpen ? "not yet" : `${Math.round((gap.to - gap.from) / 1000)} s later`}`;
    // Of a pod that had ended long before its deletion no event says that it goes.
    const isShown = pod.versions.some(({ brief }) => brief.isDeleting);
    const isSlow = who === "all" && !isOpen && !pod.isStatic && isShown && ms > BOUNDS.removed;
    if (ms > boundMs) this.tell(gap.from, what);
    else if (isSlow && !this.#isRestart(gap.from)) this.tell(gap.from, what, "A6");
    if (gap.to >= this.#truth.nowMs && ms > 0 && ms <= boundMs) this.open++;
  }

  #expected(who: Consumer, pod: PodTruth): Span[] {
    if (who === "all") return this.#truth.presentSpans(pod);
    const living = this.#truth.livingSpans(pod);
    if (who !== "selected") return living;
    const chosen = pod.versions.filter(({ brief }) => brief.isSelected);
    return living
      .flatMap((span) =>
        joined(chosen).map((v) => ({ from: Math.max(v.from, span.from), to: Math.min(v.to, span.to) })),
      )
      .filter(({ from, to }) => to > from);
  }

  #startBound(who: Consumer, pod: PodTruth, fromMs: number): number {
    const isTold = pod.versions.some((v) => v.by === "event" && Math.abs(v.from - fromMs) < 1_000);
    return isTold && who !== "selected" ? BOUNDS.event : BOUNDS.list;
  }

  #endBound(who: Consumer, pod: PodTruth, fromMs: number): number {
    if (this.#isRestart(fromMs)) {
      const mayRun =
        pod.isStatic && !FINAL.includes(pod.versions.findLast(({ from }) => from <= fromMs)?.brief.phase ?? "");
      if (mayRun && this.#truth.isUnread(fromMs + BOUNDS.restart)) return BOUNDS.unread;
      return Math.max(BOUNDS.restart, BOUNDS.missing);
    }
    if (who === "selected") return BOUNDS.list;
    if (who === "all") return pod.isStatic ? BOUNDS.missing : BOUNDS.list;
    const isTold = pod.ends.some((ms) => Math.abs(ms - fromMs) < 1_000) || this.#isFinalBy(pod, fromMs);
    return isTold ? BOUNDS.event : BOUNDS.missing;
  }

  #isFinalBy(pod: PodTruth, atMs: number): boolean {
    const version = pod.versions.findLast(({ from }) => from <= atMs + 1);
    return version?.by === "event" && FINAL.includes(version.brief.phase);
  }

  #isRestart(atMs: number): boolean {
    return this.#truth.breaks.some((ms) => ms > atMs - BOUNDS.restart * 2 && ms < atMs + BOUNDS.near * 10);
  }
}

/** Returns the parts of a span that none of others covers. */
function gaps(span: Span, others: readonly Span[], nowMs: number): Span[] {
  const end = Math.min(span.to, nowMs);
  const found: Span[] = [];
  let from = span.from;
  for (const other of [...others].sort((a, b) => a.from - b.from)) {
    if (other.to <= from) continue;
    if (other.from >= end) break;
    if (other.from > from) found.push({ from, to: other.from });
    from = Math.max(from, other.to);
  }
  if (from < end) found.push({ from, to: end });
  return found;
}

/** Joins spans that overlap. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}
