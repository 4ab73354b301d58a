// What was so on a node, by what kubelet, runtime, API server and CNI said, and never by what the client told. Pure.

import type { MaskName } from "./content.js";
import type { At, Brief, RuntimeLine, StatusBrief } from "./journal.js";

/** A time from which, and one until which. */
export interface Span {
  from: number;
  to: number;
}

/** What the kubelet sent of a pod, and for how long it held. */
export interface Version extends Span {
  /** When it was noted: later than `from` where a list was asked for before an event and came after it. */
  notedMs: number;
  brief: Brief;
  by: "list" | "event";
}

export interface PodTruth {
  uid: string;
  name: string;
  isStatic: boolean;
  /** Lists hold until the first one with something else, events until the next event or another list. */
  versions: Version[];
  /** While lists had it, or events told of it. */
  spans: Span[];
  /** When the kubelet said DELETED. */
  ends: number[];
  /** When an event told it as ADDED: read by a process that has listed without it. */
  readMs: number[];
}

export interface ContainerTruth {
  id: string;
  kind?: string | undefined;
  uid: string;
  pod: string;
  name: string;
  createdMs: number;
  pid?: number | undefined;
  startMs?: number | undefined;
  exitMs?: number | undefined;
  exitCode?: number | undefined;
  /** Whether it ended while nobody heard the runtime: when, and with which code, is not known. */
  isLost?: boolean | undefined;
}

export interface Lease extends Span {
  sandbox: string;
}

export interface ApiTruth extends Span {
  name: string;
  isMirror: boolean;
  /** When it was given to the node. */
  boundMs: number;
}

/** How long a list may take. */
const ASKED_MS = 500;

/** Phases of pods that run no more. */
export const FINAL: readonly string[] = ["Failed", "Succeeded"];

export class Truth {
  readonly nowMs: number;
  readonly pods = new Map<string, PodTruth>();
  readonly containers = new Map<string, ContainerTruth>();
  readonly leases = new Map<string, Lease[]>();
  readonly api = new Map<string, ApiTruth>();
  /** When a stream of the recorder ended: the kubelet may be another process since. */
  readonly breaks: number[] = [];
  /** While lists had none of the pods that the API server has. */
  readonly blind: Span[] = [];
  /** When kubelets were started, and of which release. */
  readonly starts: { readonly atMs: number; readonly version: string }[] = [];
  readonly #byPod = new Map<string, ContainerTruth[]>();
  readonly #listed = new Set<string>();
  /** Pods that an event told, and no list yet, and when. */
  readonly #unlisted = new Map<string, number>();

  constructor(lines: readonly At[]) {
    this.nowMs = lines.at(-1)?.atMs ?? 0;
    for (const line of lines) {
      if (line.who === "raw") this.#takeRaw(line);
      else if (line.who === "runtime") this.#takeRuntime(line);
      else if (line.who === "cni") this.#takeLease(line);
      else if (line.who === "api") this.#takeApi(line);
      else if (line.who === "stage" && line.type === "NOTE") {
        const [, version] = /^start (\d\S*)/.exec(line.text) ?? [];
        if (version !== undefined) this.starts.push({ atMs: line.atMs, version });
      }
    }
  }

  containersOf(uid: string): readonly ContainerTruth[] {
    return this.#byPod.get(uid) ?? [];
  }

  /** Returns how many pods the API server had at a time, and ten seconds before. */
  apiPods(atMs: number): number {
    return [...this.api.values()].filter(({ from, to }) => from <= atMs - 10_000 && to > atMs).length;
  }

  /**
   * Returns true if a kubelet that has started by then never proves that it has read all pods: before 1.37 it refuses no call, and without an
   * API server no pod of one is listed.
   */
  isUnread(atMs: number): boolean {
    const [, minor = "0"] = this.starts.findLast((start) => start.atMs <= atMs)?.version.split(".") ?? [];
    return this.api.size === 0 && Number(minor) > 0 && Number(minor) < 37;
  }

  /** Returns the containers of a pod that ran at a time. */
  running(uid: string, atMs: number): ContainerTruth[] {
    return this.containersOf(uid).filter(
      ({ startMs, exitMs }) => startMs !== undefined && startMs <= atMs && (exitMs ?? Number.POSITIVE_INFINITY) > atMs,
    );
  }

  /** Returns whether the kubelet showed a pod in a final phase without statuses around a time, as one that it has rejected (V2). */
  isBare(uid: string, { from, to }: Span): boolean {
    return (this.pods.get(uid)?.versions ?? []).some(
      (version) =>
        FINAL.includes(version.brief.phase) &&
        version.brief.statuses.length === 0 &&
        version.from <= to &&
        version.to > from,
    );
  }

  /** Returns what the kubelet had sent last of a pod by a time. */
  versionAt(uid: string, atMs: number): Version | undefined {
    return this.pods.get(uid)?.versions.findLast(({ from }) => from <= atMs);
  }

  /**
   * Returns the spans in which a pod was there and had not ended: DELETED, or in a final phase with no container that runs, neither by its
   * statuses nor by the runtime. A static pod comes again under its UID.
   */
  livingSpans({ uid, versions, ends, spans }: PodTruth): Span[] {
    const living: Span[] = [];
    let open: Span | undefined;
    const close = (to: number) => {
      if (open !== undefined && to > open.from) living.push({ from: open.from, to });
      open = undefined;
    };
    const events = [
      ...versions.map((version) => ({ atMs: version.from, version })),
      ...ends.map((atMs) => ({ atMs, version: undefined })),
    ].sort((a, b) => a.atMs - b.atMs);
    let deletedMs: number | undefined;
    for (const { atMs, version } of events) {
      if (version === undefined) {
        close(atMs);
        deletedMs = atMs;
        continue;
      }
      const { phase, statuses } = version.brief;
      const isFinal = FINAL.includes(phase) && !statuses.some(({ state }) => state === "R");
      if (!isFinal) {
        // Lists go on having a pod that the kubelet has finished; only an event, or a list that lacked it before, brings it back.
        const isBack = version.by === "event" || spans.some(({ from }) => Math.abs(from - atMs) < 1);
        if (open === undefined && (deletedMs === undefined || isBack)) open = { from: atMs, to: atMs };
      } else if (open !== undefined) close(this.#lastExit(uid, atMs));
    }
    close(Number.POSITIVE_INFINITY);
    // What left the lists is not there, whatever its phase.
    return living.flatMap(({ from, to }) =>
      spans
        .map((span) => ({ from: Math.max(from, span.from), to: Math.min(to, this.#endOf(span, ends)) }))
        .filter((span) => span.to > span.from),
    );
  }

  /** Returns the spans in which a pod was listed, or was about to end after it had left the lists. */
  presentSpans({ spans, ends }: PodTruth): Span[] {
    return spans.map((span) => ({ from: span.from, to: this.#endOf(span, ends) }));
  }

  /** A pod that is deleted by force leaves the lists first: the kubelet says DELETED when its containers have ended. */
  #endOf({ from, to }: Span, ends: readonly number[]): number {
    const end = ends.find((atMs) => atMs > from && atMs >= to && atMs - to < 60_000);
    return end === undefined ? to : Math.max(to, end);
  }

  #lastExit(uid: string, atMs: number): number {
    return Math.max(atMs, ...this.running(uid, atMs).map(({ exitMs }) => exitMs ?? Number.POSITIVE_INFINITY));
  }

  #podOf({ uid, name, isStatic }: Brief): PodTruth {
    let pod = this.pods.get(uid);
    if (pod === undefined) {
      pod = { uid, name, isStatic, versions: [], spans: [], ends: [], readMs: [] };
      this.pods.set(uid, pod);
    }
    return pod;
  }

  #send(brief: Brief, by: Version["by"], atMs: number, isNew: boolean, askedMs = atMs): void {
    const pod = this.#podOf(brief);
    // What was sent while the list was asked for may be newer than it.
    const newer =
      by === "list" ? pod.versions.findIndex((version) => version.by === "event" && version.from >= askedMs) : -1;
    // A list holds until another list, and an event until whatever comes next.
    for (const version of pod.versions) {
      const isOver = version.by === "event" ? newer < 0 : by === "list";
      if (version.to === Number.POSITIVE_INFINITY && isOver) version.to = atMs;
    }
    const version = { from: newer < 0 ? atMs : askedMs, to: Number.POSITIVE_INFINITY, notedMs: atMs, brief, by };
    if (newer < 0) pod.versions.push(version);
    else pod.versions.splice(newer, 0, version);
    if (by === "list") this.#unlisted.delete(brief.uid);
    // The last status of a pod may come when lists lack it already: it is about to end, and not back.
    if (pod.spans.at(-1)?.to === Number.POSITIVE_INFINITY || !isNew) return;
    pod.spans.push({ from: atMs, to: Number.POSITIVE_INFINITY });
    if (by === "event") this.#unlisted.set(brief.uid, atMs);
  }

  #end(brief: Brief, atMs: number): void {
    const pod = this.#podOf(brief);
    pod.ends.push(atMs);
    // It may come as ADDED, too.
    const span = pod.spans.at(-1);
    if (this.#unlisted.delete(brief.uid) && span !== undefined) span.to = Math.min(span.to, atMs);
  }

  #takeRaw(line: At & { who: "raw" }): void {
    const { atMs } = line;
    if (line.type === "END") this.breaks.push(atMs);
    else if (line.type === "BURST") for (const pod of line.pods) this.#send(pod, "event", atMs, true);
    else if (line.type === "DELETED") this.#end(line.pod, atMs);
    else if (line.type !== "LIST") {
      if (line.type === "ADDED") this.#podOf(line.pod).readMs.push(atMs);
      this.#send(line.pod, "event", atMs, line.type === "ADDED");
    } else {
      for (const pod of line.set) this.#send(pod, "list", atMs, true, line.askedMs);
      for (const { uid } of line.set) this.#listed.add(uid);
      // What a list lacks that was asked for after the event does not come again.
      const lacking = [...this.#unlisted].filter(([, toldMs]) => toldMs < atMs - ASKED_MS).map(([uid]) => uid);
      for (const uid of lacking) this.#unlisted.delete(uid);
      for (const uid of line.gone) this.#listed.delete(uid);
      // Without the API server a kubelet that has just started has none of its pods, and that says nothing of them.
      const isBlind = ![...this.#listed].some((uid) => this.pods.get(uid)?.isStatic === false);
      const wasBlind = this.blind.at(-1)?.to === Number.POSITIVE_INFINITY;
      const hides = line.gone.some((uid) => this.pods.get(uid)?.isStatic === false && this.#apiHas(uid));
      if (isBlind && hides && !wasBlind) this.blind.push({ from: atMs, to: Number.POSITIVE_INFINITY });
      if (!isBlind && wasBlind) (this.blind.at(-1) as Span).to = atMs;
      for (const uid of [...line.gone, ...lacking]) {
        const pod = this.pods.get(uid);
        const span = pod?.spans.at(-1);
        if (pod === undefined || span === undefined || (isBlind && !pod.isStatic && this.#apiHas(pod.uid))) continue;
        span.to = Math.min(span.to, atMs);
        for (const version of pod.versions) version.to = Math.min(version.to, atMs);
      }
    }
  }

  #apiHas(uid: string): boolean {
    return this.api.get(uid)?.to === Number.POSITIVE_INFINITY;
  }

  #takeRuntime(line: At<RuntimeLine>): void {
    const { id, atMs, happenedMs = atMs } = line;
    if (line.type === "TASKS") {
      const running = new Set(line.running);
      for (const container of this.containers.values()) {
        if (container.startMs === undefined || container.exitMs !== undefined || running.has(container.id)) continue;
        Object.assign(container, { exitMs: atMs, isLost: true });
      }
      return;
    }
    let container = this.containers.get(id);
    if (container === undefined) {
      if (line.type !== "create") return;
      container = { id, uid: "", pod: "", name: "", createdMs: happenedMs };
      this.containers.set(id, container);
    }
    if (line.type === "start") Object.assign(container, { startMs: happenedMs, pid: line.pid });
    else if (line.type === "exit")
      Object.assign(container, { exitMs: happenedMs, exitCode: line.exitCode, isLost: false });
    else if (line.type === "info") {
      const { kind, uid = "", pod = "", name = "" } = line;
      Object.assign(container, { kind, uid, pod, name });
      if (kind !== "container") return;
      const all = this.#byPod.get(uid);
      if (all === undefined) this.#byPod.set(uid, [container]);
      else all.push(container);
    }
  }

  #takeLease({ type, ip, sandbox = "", atMs, happenedMs = atMs }: At & { who: "cni" }): void {
    const leases = this.leases.get(ip) ?? [];
    const last = leases.at(-1);
    if (last !== undefined && last.to === Number.POSITIVE_INFINITY) last.to = atMs;
    if (type === "HELD") leases.push({ from: Math.min(happenedMs, atMs), to: Number.POSITIVE_INFINITY, sandbox });
    this.leases.set(ip, leases);
  }

  #takeApi({ type, uid, name = "", node, isMirror = false, uids, atMs }: At & { who: "api" }): void {
    if (type === "LIST") {
      const there = new Set(uids);
      for (const [uid, pod] of this.api) if (!there.has(uid)) pod.to = Math.min(pod.to, atMs);
      return;
    }
    let pod = this.api.get(uid);
    if (pod === undefined) {
      pod = { name, isMirror, from: atMs, to: Number.POSITIVE_INFINITY, boundMs: Number.POSITIVE_INFINITY };
      this.api.set(uid, pod);
    }
    if (node !== "") pod.boundMs = Math.min(pod.boundMs, atMs);
    if (type === "DELETED") pod.to = atMs;
  }
}

/** Returns one part of a pod's content: 0 metadata, 1 spec, 2 status. */
export function partOf(brief: Brief, mask: MaskName, part: number): string {
  return brief.contents[mask].split(".")[part] ?? "";
}

/** Returns the statuses that name a container, as the present life or as the one before. */
export function statusesOf(brief: Brief, id: string): StatusBrief[] {
  return brief.statuses.filter((status) => status.id === id || status.lastId === id);
}

export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 23);
}
