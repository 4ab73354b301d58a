// What a client has to do and what its readers have to be given, computed from what it received: docs/watch.md as a program. Naive on
// purpose: no function is fast, and none is shared with src but the generated schema.

import { type List, Lists, type Nameless, Unreadable } from "./lists.js";
import { covers, identityOf, isStatic, read, type Version } from "./messages.js";
import { type Change, isLater, Pods } from "./pods.js";
import { type Entry, Reader } from "./readers.js";
import { type Expected, StreamRules } from "./requests.js";
import type { Fields, Input, Received, Row } from "./trace.js";

type PodMessage = Extract<Received, { pod: Uint8Array }>;

/** The last events of the previous stream about a pod (O1). */
interface Last {
  readonly fields: Fields;
  pod?: PodMessage;
  deleted?: PodMessage;
}

interface Stream {
  readonly fields: Fields;
  connected?: Extract<Received, { type: "CONNECTED" }>;
  list?: Pick<List, "askedMs" | "askedWallMs" | "trust" | "reportsDeletions">;
  /** The messages of the list. */
  readonly staged: PodMessage[];
  isLive: boolean;
}

/** What a row has to contain. */
export interface Answer {
  readonly events: ReadonlyMap<string, readonly string[]>;
  /** What is wrong about the requests of streams. */
  readonly problem: string | undefined;
  /** The rules that decided, in order. */
  readonly rules: readonly string[];
}

export class Specification {
  #rules: string[] = [];
  readonly #by = (rule: string): void => void this.#rules.push(rule);
  readonly pods = new Pods(this.#by);
  readonly #lists = new Lists(this.pods, this.#by);
  readonly #unreadable = new Unreadable(this.#by);
  readonly #streams = new StreamRules(this.#by);
  readonly #readers = new Map<string, Reader>();
  readonly #isDueChecked: boolean;
  #stream: Stream | undefined;
  /** The fields of the last complete list. */
  #listedFields: Fields | "none" = "none";
  /** True if this input has completed a list. */
  #isListed = false;
  #previousFields: Fields;
  #isOverlap = false;
  readonly #held = new Map<string, Last>();
  /** True if the last message of the previous stream has changed something. */
  #hasEnd = false;
  /** True while a list comes in that answers what may have been missed. */
  #isAnswered = false;
  /** The connection over which the kubelet has said that it initializes (L2). */
  #refusedBy: string | undefined;
  #types = new Set<number | undefined>();
  #server: string | undefined;
  /** The code of the failure that was reported last. */
  #outageCode = "";
  #wallMs = 0;

  /** @param isDueChecked false if streams may be opened for reasons that are not in the trace. */
  constructor(isDueChecked = true) {
    this.#isDueChecked = isDueChecked;
  }

  row({ ms, wallMs, input, requests }: Row): Answer {
    this.#rules = [];
    this.#isListed = false;
    this.pods.nowMs = this.#streams.nowMs = ms;
    this.#wallMs = wallMs;
    const { phase } = this.#streams;
    const entries: Entry[] = [];
    const expected = this.#take(input, entries, requests.retryMs);
    let problem = typeof expected === "string" ? expected : undefined;
    const isHandedOver = this.#handsOver(input);
    if (isHandedOver !== (requests.handedOver === true))
      problem ??= `O1: the previous stream has to be ${isHandedOver ? "closed" : "read"}`;
    if (typeof expected !== "string") {
      if (requests.opened !== undefined) this.#open(requests.opened.fields, requests.opened.isPlanned);
      const isResync = input.do === "timer" && phase === "live";
      problem ??= this.#streams.compare(expected, requests, isResync, this.#isDueChecked);
    }
    return { events: this.#give(input, entries), problem, rules: this.#rules };
  }

  /** Takes an input. Returns what has to be done about streams, or what is wrong. */
  #take(input: Input, entries: Entry[], retryMs: number | undefined): Expected | string {
    const streams = this.#streams;
    switch (input.do) {
      case "receive":
        this.#receive(input.message, entries);
        return {};
      case "previous":
        this.#receivePrevious(input.message, entries);
        return {};
      case "failed":
        return this.#fail(input.code, input.retryable, entries, retryMs);
      case "start":
        return streams.phase === "idle" ? { opened: "anew" } : {};
      case "stop":
        if (streams.phase === "ended") return {};
        this.#close(entries);
        streams.phase = "ended";
        return { closed: true };
      case "timer": {
        const { failed, ...expected } = streams.timer();
        return failed === undefined ? expected : this.#fail(failed, true, entries, retryMs);
      }
      case "relist":
        return this.#relist(input.inMs, entries);
      case "socket":
        if (streams.phase === "live") return this.#relist(0, entries);
        if (streams.phase !== "waiting" || !(input.replaced || streams.outage === "unreachable")) return {};
        return streams.timer();
      case "join":
        streams.wants.push(input.want);
        this.pods.awaitsRemovals = streams.wants.some(({ includeFinished }) => includeFinished);
        streams.intervalChanged();
        return this.#join(new Reader(input.want, this.pods, this.#by), entries);
      case "leave":
        streams.wants.splice(
          streams.wants.findIndex(({ name }) => name === input.want.name),
          1,
        );
        this.pods.awaitsRemovals = streams.wants.some(({ includeFinished }) => includeFinished);
        this.#readers.delete(input.want.name);
        streams.intervalChanged();
        return {};
      case "take":
        return {};
    }
  }

  #join(reader: Reader, entries: Entry[]): Expected {
    const { outage } = this.#streams;
    this.#readers.set(reader.want.name, reader);
    if (this.#listedFields !== "none" && covers(this.#listedFields, reader.want.fields)) this.#begin(reader);
    if (outage !== undefined) reader.accept({ type: "lost", code: this.#outageCode });
    const isAsked = this.#stream !== undefined && covers(this.#stream.fields, reader.want.fields);
    return isAsked || this.#stream === undefined ? {} : this.#relist(0, entries);
  }

  #relist(inMs: number, entries: Entry[]): Expected {
    const { phase } = this.#streams;
    const expected = this.#streams.atOnce(inMs);
    if (expected.closed) this.#close(entries, phase);
    return expected;
  }

  #fail(code: string, retryable: boolean, entries: Entry[], retryMs: number | undefined): Expected | string {
    const { phase } = this.#streams;
    if (phase !== "opening" && phase !== "burst" && phase !== "live") return {};
    const connection = this.#stream?.connected?.connection;
    if (code === "initializing" && this.#stream?.connected !== undefined) this.#refusedBy = connection;
    const { isReported, isFatal, mostMs } = this.#streams.failed(code, retryable);
    this.#close(entries, phase);
    if (isFatal) return { closed: true };
    if (isReported) {
      this.#by("Q5");
      this.#outageCode = code;
      entries.push({ type: "lost", code });
    }
    if (retryMs === undefined || retryMs < 10 || retryMs > mostMs + 1)
      return `R9: the delay after ${code} is ${retryMs}, and has to be from 10 to ${mostMs} ms`;
    return { closed: true };
  }

  // Streams and their messages

  #open(fields: Fields, isPlanned: boolean): void {
    if (isPlanned) {
      for (const uid of [...this.#held.keys()]) if (!this.#awaitsDeleted(uid)) this.#held.delete(uid);
      this.#isOverlap = true;
      this.#previousFields = this.#stream?.fields;
    }
    this.#stream = { fields, staged: [], isLive: false };
    this.#streams.opened();
  }

  #receive(message: Received, entries: Entry[]): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    if (message.type === "CONNECTED") this.#connect(stream, message);
    else if (message.type === "SYNCED") {
      if (!stream.isLive) this.#commit(stream, entries);
    } else this.#receiveOther(stream, message, entries);
  }

  #receiveOther(stream: Stream, message: Exclude<Received, { type: "CONNECTED" | "SYNCED" }>, entries: Entry[]): void {
    this.#streams.message();
    if (message.type === "UNKNOWN") {
      if (!this.#types.has(message.code)) this.#streams.gap();
      this.#types.add(message.code);
      return;
    }
    if (!stream.isLive) {
      const { uid } = identityOf(message.pod);
      const isUnreadable = message.type !== "DELETED" && read(message.pod, stream.fields) === undefined;
      const wasUnreadable = this.#unreadable.has(uid) || this.#isStagedUnreadable(stream, uid);
      stream.staged.push(message);
      // "DELETED within a list", "a message without a UID", "an unreadable message about a pod that was readable or unknown" (G1)
      if (message.type === "DELETED" || uid === "" || (isUnreadable && !wasUnreadable)) this.#streams.gap();
      return;
    }
    if (message.type === "DELETED" && this.#isOverlap) {
      const { uid } = identityOf(message.pod);
      const last = this.#held.get(uid);
      this.#held.delete(uid);
      // "Later, they are used with the DELETED of either stream, before it"
      if (last !== undefined && this.#awaitsDeleted(uid)) this.#useLast("O3", [last], entries);
    }
    this.#push(entries, this.#event(message, stream.fields, false));
  }

  #isStagedUnreadable({ staged, fields }: Stream, uid: string): boolean {
    const last = staged.findLast(({ type, pod }) => type !== "DELETED" && identityOf(pod).uid === uid);
    return last !== undefined && read(last.pod, fields) === undefined;
  }

  #connect(stream: Stream, message: Extract<Received, { type: "CONNECTED" }>): void {
    const { server, connection, lists = "contract", reportsDeletions = true, ageMs = 0 } = message;
    stream.connected = message;
    const isInitialized = connection !== undefined && connection === this.#refusedBy;
    const trust = isInitialized ? "complete" : lists;
    stream.list = { askedMs: this.pods.nowMs - ageMs, askedWallMs: this.#wallMs - ageMs, trust, reportsDeletions };
    if (this.#server !== server) this.#types = new Set();
    this.#server = server;
    this.#streams.sourceIntervalMs = message.resyncIntervalMs ?? Number.POSITIVE_INFINITY;
    this.#streams.connected();
  }

  /** An event of a live stream. Returns the changes. */
  #event({ type, pod: bytes }: PodMessage, fields: Fields, isPrevious: boolean): Change[] {
    const { pods } = this;
    const { uid } = identityOf(bytes);
    if (type === "DELETED") {
      if (uid === "") {
        this.#gap();
        return [];
      }
      this.#unreadable.delete(uid);
      const { changes, isGap } = pods.deleted(uid, isPrevious);
      if (isGap) this.#gap();
      if (!isPrevious && pods.known.get(uid)?.removalSinceMs === pods.nowMs) this.#streams.due("R6", pods.nowMs + 500);
      return changes;
    }
    const version = read(bytes, fields);
    if (version === undefined) {
      if (uid === "" || !this.#unreadable.has(uid)) this.#gap();
      if (uid !== "") this.#unreadable.add(uid, this.#lists.process);
      return [];
    }
    this.#unreadable.delete(uid);
    version.process = this.#lists.process;
    const isBack = this.#lists.lacks(version.source);
    const isWaiting = pods.known.get(uid) !== undefined && pods.isNextOf(version);
    const { changes, isGap } = pods.event(version);
    if (isGap) this.#gap();
    if (isWaiting) return changes;
    if (!isStatic(version)) this.#lists.apiEventMs ??= pods.nowMs;
    if (isPrevious) return changes; // "Of themselves they request no list" (O3)
    if (isBack) this.#streams.due("R4", pods.nowMs);
    const pod = pods.known.get(uid);
    if (pod?.isEmpty && version.containers.length === 0) this.#streams.due("R3", this.#later(pod.emptyUntilMs));
    this.#streams.due("R5", this.#lists.proofMs());
    return changes;
  }

  #push(entries: Entry[], changes: readonly Change[]): void {
    if (changes.length > 0) entries.push({ type: "changes", changes });
  }

  // Two streams

  #receivePrevious(message: Received, entries: Entry[]): void {
    this.#hasEnd = false;
    if (!("pod" in message)) return;
    const { uid } = identityOf(message.pod);
    const isLive = this.#stream?.isLive ?? false;
    if (uid !== "" && (!isLive || this.#awaitsDeleted(uid))) {
      this.#by("O1"); // "Of each pod, the last event before DELETED, and DELETED, are remembered"
      const last = this.#held.get(uid) ?? { fields: this.#previousFields };
      this.#held.delete(uid);
      this.#held.set(uid, last);
      if (message.type === "DELETED") last.deleted = message;
      else if (last.deleted === undefined && !isOfNext(message, last)) last.pod = message;
    }
    if (!isLive) return;
    this.#useLast(
      "O3",
      this.#takeHeld(() => true, true),
      entries,
    );
    if (this.#hasEnd) this.#dueLists();
  }

  /** Removes and returns what is remembered: of all pods, or of those with DELETED. */
  #takeHeld(counts: (uid: string) => boolean, onlyEnds: boolean): Last[] {
    const taken = [...this.#held].filter(([, { deleted }]) => !onlyEnds || deleted !== undefined);
    for (const [uid] of taken) this.#held.delete(uid);
    return taken.flatMap(([uid, last]) => (counts(uid) ? [last] : []));
  }

  #useLast(rule: string, lasts: readonly Last[], entries: Entry[]): void {
    if (lasts.length > 0) this.#by(rule);
    const changes = lasts.flatMap(({ pod, deleted, fields }) => [
      ...(pod === undefined ? [] : this.#event(pod, fields, true)),
      ...(deleted === undefined ? [] : this.#event(deleted, fields, true)),
    ]);
    this.#push(entries, changes);
    this.#hasEnd ||= changes.length > 0;
  }

  /** Something may have been missed. */
  #gap(): void {
    this.#hasEnd = true;
    if (!this.#isAnswered) this.#streams.gap();
  }

  #awaitsDeleted(uid: string): boolean {
    const pod = this.pods.known.get(uid);
    const reports = this.#lists.last?.reportsDeletions ?? true;
    return pod?.unconfirmed !== undefined && this.#lists.hasReported(pod) && reports;
  }

  #hasReported(uid: string): boolean {
    const pod = this.pods.known.get(uid);
    return pod !== undefined && this.#lists.hasReported(pod);
  }

  /** "... until the new list is complete", and "until the first message after ten seconds" */
  #handsOver(input: Input): boolean {
    const isMessage = input.do === "receive" || (input.do === "previous" && this.#hasEnd);
    if (!this.#isOverlap || !isMessage || this.#stream?.isLive !== true) return false;
    const isSoon = this.pods.nowMs - (this.#lists.last?.answeredMs ?? 0) < 10_000;
    if (isSoon && [...this.pods.known.keys()].some((uid) => this.#awaitsDeleted(uid))) return false;
    this.#isOverlap = false;
    this.#held.clear();
    return true;
  }

  /** "If the new stream fails, they are used of pods that the process has reported; once its list is complete, ..." (O5) */
  #close(entries: Entry[], phase: string = this.#streams.phase): void {
    const counts = (uid: string) => (phase === "live" ? this.#awaitsDeleted(uid) : this.#hasReported(uid));
    this.#useLast("O5", this.#takeHeld(counts, false), entries);
    this.#isOverlap = false;
    this.#held.clear();
  }

  // Lists

  #commit(stream: Stream, entries: Entry[]): void {
    const { pods } = this;
    const versions = new Map<string, Version>();
    const unreadable = new Set<string>();
    const nameless: Nameless[] = [];
    for (const message of stream.staged) {
      const { uid, isWhole, ...name } = identityOf(message.pod);
      const version = message.type === "DELETED" ? undefined : read(message.pod, stream.fields);
      if (message.type === "DELETED")
        versions.delete(uid); // "removes only the version that was staged" (M5)
      else if (uid === "") nameless.push({ ...name, isAny: !isWhole || name.name === "" || name.namespace === "" });
      else {
        if (version === undefined) unreadable.add(uid);
        else unreadable.delete(uid);
        const staged = version ?? versions.get(uid) ?? pods.known.get(uid)?.version;
        if (staged !== undefined) versions.set(uid, staged);
      }
    }
    const isListed = (uid: string) => {
      const version = versions.get(uid);
      return version !== undefined && (!isStatic(version) || version.stamp === pods.known.get(uid)?.version.stamp);
    };
    this.#isAnswered = true; // "The new list answers what they may have missed"
    this.#useLast(
      "O2",
      this.#takeHeld((uid) => this.#hasReported(uid) && !isListed(uid), true),
      entries,
    );
    this.#isAnswered = false;
    stream.isLive = true;
    const list: List = {
      ...(stream.list as Pick<List, "askedMs" | "askedWallMs" | "trust" | "reportsDeletions">),
      connected: stream.connected as List["connected"],
      answeredMs: pods.nowMs,
      versions: [...versions.values()],
      process: "unknown",
      isProof: false,
      isTaken: false,
    };
    this.#lists.add(list);
    for (const version of versions.values())
      if (version !== pods.known.get(version.uid)?.version) version.process = this.#lists.process;
    for (const uid of versions.keys()) if (!unreadable.has(uid)) this.#unreadable.delete(uid);
    for (const uid of unreadable) this.#unreadable.add(uid, this.#lists.process);
    const changes = this.#judge(list, versions, nameless);
    pods.countList();
    if (nameless.length > 0) this.#unreadable.add("", this.#lists.process);
    const isHere = (uid: string) => (uid === "" ? nameless.length > 0 : unreadable.has(uid) || pods.known.has(uid));
    this.#unreadable.lacked(list, isHere, this.#lists.process, this.#lists.isSettled, pods.nowMs);
    this.#push(entries, changes);
    this.#listedFields = stream.fields;
    this.#isListed = true;
    const news = this.#streams.listed(list.isTaken);
    this.#dueLists();
    if (news === "SYNCED") entries.push({ type: "synced", unreadable: this.#unreadable.uids });
    if (news === "DISCONNECTED") {
      this.#outageCode = "initializing";
      entries.push({ type: "lost", code: "initializing" });
    }
  }

  /** What a list changes. "In a list of a source that sends deletions, [the next pod] counts as missing." (V9) */
  #judge(list: List, versions: Map<string, Version>, nameless: readonly Nameless[]): Change[] {
    const { pods } = this;
    const sources = new Set(list.versions.map(({ source }) => source));
    pods.waiting.clear();
    const next = list.reportsDeletions ? [...versions.values()].filter((version) => pods.isNextOf(version)) : [];
    for (const { uid } of next) versions.delete(uid);
    const gone = this.#lists.judge(list, (uid) => versions.has(uid), sources, nameless);
    for (const { version } of gone) this.#unreadable.delete(version.uid);
    for (const version of next) {
      if (pods.known.has(version.uid)) pods.waiting.add(version.uid);
      else versions.set(version.uid, version);
    }
    const puts: Change[] = [];
    for (const version of versions.values()) pods.listed(version, gone, puts);
    return [...gone, ...puts];
  }

  /** When the next list is due (R3 to R6). */
  #dueLists(): void {
    const { nowMs, known } = this.pods;
    for (const pod of known.values()) {
      this.#streams.due("R3", this.#later(pod.endingMs));
      this.#streams.due("R3", this.#later(pod.emptyUntilMs));
      const since = pod.removalSinceMs;
      if (since !== undefined)
        this.#streams.due(
          "R6",
          [500, 2_000, 8_000].map((ms) => since + ms).find((ms) => ms > nowMs + 100),
        );
    }
    this.#streams.due("R4", this.#lists.guardMs());
    this.#streams.due("R5", this.#lists.proofMs());
  }

  #later(ms: number | undefined): number | undefined {
    return ms !== undefined && ms > this.pods.nowMs ? ms : undefined;
  }

  // Readers

  #begin(reader: Reader): void {
    reader.begin();
    if (this.#streams.outage === undefined) reader.accept({ type: "synced", unreadable: this.#unreadable.uids });
  }

  #give(input: Input, entries: readonly Entry[]): Map<string, string[]> {
    const events = new Map<string, string[]>();
    for (const [name, reader] of this.#readers) {
      for (const entry of entries) reader.accept(entry);
      if (!reader.hasBegun && this.#isListed) this.#begin(reader);
      const { isSlow } = reader.want;
      const given = isSlow
        ? input.do === "take" && input.name === name
          ? reader.take(input.most)
          : []
        : reader.take();
      if (given.length > 0) events.set(name, given);
    }
    return events;
  }
}

/** "An event of the next pod of a manifest does not count" (O1) */
function isOfNext({ pod }: PodMessage, last: Last): boolean {
  const [version, before] = [read(pod, []), last.pod && read(last.pod.pod, [])];
  if (version === undefined || before === undefined) return false;
  return isStatic(version) && isLater(version.stamp, before.stamp);
}
