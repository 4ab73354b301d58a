// What a client has to do and what its readers have to be given, computed from what it received: docs/watch.md as a program. Naive on
// purpose: no function is fast, and none is shared with src but the generated schema.

import { type List, Lists, type Nameless, Unreadable } from "./lists.js";
import { covers, identityOf, isStatic, read, showsFinished, stateText, statusText, type Version } from "./messages.js";
import { type Change, Pods } from "./pods.js";
import { type Entry, Reader } from "./readers.js";
import { type Expected, StreamRules } from "./requests.js";
import type { Fields, Input, Received, Row } from "./trace.js";

type PodMessage = Extract<Received, { pod: Uint8Array }>;

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
  /** When the list beside the stream was sent, and the touched pods (B2). */
  #beside: (Pick<List, "askedMs" | "askedWallMs"> & { touched: Set<string> }) | undefined;
  /** When a list beside the stream was answered last (B4). */
  #besideMs = Number.NEGATIVE_INFINITY;
  /** When the first list was sent that had news, since the last event (B6). */
  #silentSinceMs: number | undefined;
  /** True if the last list changed the phase or a container of a pod (B6). */
  #hasNews = false;
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
    const { phase, list } = this.#streams;
    const entries: Entry[] = [];
    const early = input.do === "timer" ? this.#streams.tooSoon() : undefined;
    const expected = this.#take(input, entries, requests.retryMs);
    let problem = typeof expected === "string" ? expected : undefined;
    if (typeof expected !== "string") {
      if (requests.opened !== undefined) this.#open(requests.opened.fields);
      const isResync = input.do === "timer" && phase === "live" && list === undefined;
      if ((requests.opened ?? requests.listed) !== undefined && this.#isDueChecked) problem ??= early;
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
      case "sent":
        streams.sent();
        this.#beside = { askedMs: this.pods.nowMs, askedWallMs: this.#wallMs, touched: new Set() };
        return {};
      case "bytes":
        streams.bytes();
        return {};
      case "listed":
        return this.#listed(input.pods, entries);
      case "unlisted":
        return this.#unlisted(input.code, input.retryable, entries, retryMs);
      case "failed":
        return this.#fail(input.code, input.retryable, entries, retryMs);
      case "start":
        return streams.phase === "idle" ? { opened: true } : {};
      case "stop":
        if (streams.phase === "ended") return {};
        this.#close();
        streams.phase = "ended";
        return { closed: true };
      case "timer": {
        const { failed, ...expected } = streams.timer();
        return failed === undefined ? this.#closing(expected) : this.#fail(failed, true, entries, retryMs);
      }
      case "relist":
        return this.#closing(streams.atOnce(input.inMs, false));
      case "socket":
        if (streams.phase === "live") return this.#closing(streams.atOnce(0, true));
        if (streams.phase !== "waiting" || !(input.replaced || streams.outage === "unreachable")) return {};
        return streams.timer();
      case "join":
        streams.wants.push(input.want);
        this.pods.awaitsRemovals = streams.wants.some(({ includeFinished }) => includeFinished);
        streams.intervalChanged();
        return this.#join(new Reader(input.want, this.pods, this.#by));
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

  #join(reader: Reader): Expected {
    const { outage } = this.#streams;
    this.#readers.set(reader.want.name, reader);
    if (this.#listedFields !== "none" && covers(this.#listedFields, reader.want.fields)) this.#begin(reader);
    if (outage !== undefined) reader.accept({ type: "lost", code: this.#outageCode });
    const isAsked = this.#stream !== undefined && covers(this.#stream.fields, reader.want.fields);
    return isAsked || this.#stream === undefined ? {} : this.#closing(this.#streams.atOnce(0, true));
  }

  #closing(expected: Expected): Expected {
    if (expected.closed) this.#close();
    return expected;
  }

  #close(): void {
    this.#beside = this.#silentSinceMs = undefined;
  }

  #fail(code: string, retryable: boolean, entries: Entry[], retryMs: number | undefined): Expected | string {
    const { phase } = this.#streams;
    if (phase !== "opening" && phase !== "burst" && phase !== "live") return {};
    const connection = this.#stream?.connected?.connection;
    if (code === "initializing" && this.#stream?.connected !== undefined) this.#refusedBy = connection;
    const { isReported, isFatal, mostMs } = this.#streams.failed(code, retryable);
    this.#close();
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

  #open(fields: Fields): void {
    this.#besideMs = Number.NEGATIVE_INFINITY;
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
    this.#silentSinceMs = undefined;
    this.#beside?.touched.add(identityOf(message.pod).uid); // "an event of it came after the list was sent"
    this.#push(entries, this.#event(message, stream.fields));
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
    this.#streams.connected(message.canList ?? false);
  }

  /** An event of a live stream. Returns the changes. */
  #event({ type, pod: bytes }: PodMessage, fields: Fields): Change[] {
    const { pods } = this;
    const { uid } = identityOf(bytes);
    if (type === "DELETED") {
      if (uid === "") {
        this.#gap();
        return [];
      }
      this.#unreadable.delete(uid);
      const { changes, isGap } = pods.deleted(uid);
      if (isGap) this.#gap();
      if (pods.known.get(uid)?.removalSinceMs === pods.nowMs) this.#streams.due("R6", pods.nowMs + 500);
      return changes;
    }
    const version = read(bytes, fields);
    const isSoon = pods.nowMs - this.#besideMs <= 2_000;
    const wasLacked = isSoon && pods.known.get(uid)?.unconfirmed !== undefined;
    if (wasLacked) this.#streams.difference();
    if (version === undefined) {
      if (uid === "" || !this.#unreadable.has(uid)) this.#gap();
      if (uid !== "") this.#unreadable.add(uid, this.#lists.process);
      return [];
    }
    this.#unreadable.delete(uid);
    version.process = this.#lists.process;
    const isBack = this.#lists.lacks(version.source);
    const isWaiting = pods.known.get(uid) !== undefined && pods.isNextOf(version);
    const before = pods.known.get(uid)?.version;
    const { changes, isGap } = pods.event(version);
    if (isGap) this.#gap();
    const isOther = before === undefined || changes.length > 1 || statusText(before) !== statusText(version);
    if (isSoon && changes.length > 0 && isOther) this.#streams.difference();
    if (isWaiting) return changes;
    if (!isStatic(version)) this.#lists.apiEventMs ??= pods.nowMs;
    if (isBack) this.#streams.due("R4", pods.nowMs);
    const pod = pods.known.get(uid);
    if (pod?.isEmpty && version.containers.length === 0) this.#streams.due("R3", this.#later(pod.emptyUntilMs));
    this.#streams.due("R5", this.#lists.proofMs());
    return changes;
  }

  #push(entries: Entry[], changes: readonly Change[]): void {
    if (changes.length > 0) entries.push({ type: "changes", changes, unreadable: this.#unreadable.uids });
  }

  /** Something may have been missed. */
  #gap(): void {
    this.#streams.gap();
  }

  // Lists beside the stream

  #listed(pods: readonly Uint8Array[], entries: Entry[]): Expected {
    const [stream, beside] = [this.#stream, this.#beside];
    if (stream === undefined || beside === undefined) return {};
    this.#beside = undefined;
    const staged = pods.map((pod) => ({ type: "ADDED", pod }) as const);
    if (!this.#commit({ ...stream, staged }, entries, beside)) return this.#closing(this.#streams.restart());
    this.#besideMs = this.pods.nowMs;
    if (!this.#hasNews) return {};
    this.#silentSinceMs ??= beside.askedMs;
    if (beside.askedMs - this.#silentSinceMs < 10_000) return {};
    this.#by("B6");
    return this.#closing(this.#streams.atOnce(0, true));
  }

  #unlisted(code: string | undefined, retryable: boolean, entries: Entry[], retryMs: number | undefined) {
    this.#by(code === undefined ? "B1" : "B5");
    if (code === undefined || code === "too-large") return this.#closing(this.#streams.restart());
    if (code !== "rate-limited") return this.#fail(code, retryable, entries, retryMs);
    return this.#closing(this.#streams.refused());
  }

  /** "... if the last event of a touched pod differs from the list" (B4) */
  #differs(uid: string, listed: Version | undefined): boolean {
    const pod = this.pods.known.get(uid);
    if (pod === undefined || pod.state === "deleted") return false;
    return listed === undefined || statusText(listed) !== statusText(pod.version);
  }

  // Lists

  /** A list is complete. `beside`: when one beside the stream was sent. Returns false if the list is not used (B3). */
  #commit(
    stream: Stream,
    entries: Entry[],
    beside?: Pick<List, "askedMs" | "askedWallMs"> & { touched: ReadonlySet<string> },
  ): boolean {
    const { pods } = this;
    const touched = beside && new Map<string, Version | undefined>([...beside.touched].map((uid) => [uid, undefined]));
    const versions = new Map<string, Version>();
    const unreadable = new Set<string>();
    const nameless: Nameless[] = [];
    let gaps = false;
    for (const message of stream.staged) {
      const { uid, isWhole, ...name } = identityOf(message.pod);
      const version = message.type === "DELETED" ? undefined : read(message.pod, stream.fields);
      if (message.type === "DELETED")
        versions.delete(uid); // "removes only the version that was staged" (M5)
      else if (uid === "") nameless.push({ ...name, isAny: !isWhole || name.name === "" || name.namespace === "" });
      else if (touched?.has(uid)) {
        this.#by("B2"); // "The event wins: the list says nothing about the pod"
        touched.set(uid, version);
      } else {
        gaps ||= version === undefined && !this.#unreadable.has(uid) && !unreadable.has(uid);
        if (version === undefined) unreadable.add(uid);
        else unreadable.delete(uid);
        const staged = version ?? versions.get(uid) ?? pods.known.get(uid)?.version;
        if (staged !== undefined) versions.set(uid, staged);
      }
    }
    stream.isLive = true;
    const list: List = {
      ...(stream.list as Pick<List, "askedMs" | "askedWallMs" | "trust" | "reportsDeletions">),
      ...(beside && { askedMs: beside.askedMs, askedWallMs: beside.askedWallMs }),
      touched,
      connected: stream.connected as List["connected"],
      answeredMs: pods.nowMs,
      versions: [...versions.values(), ...[...(touched?.values() ?? [])].flatMap((version) => version ?? [])],
      process: "unknown",
      isProof: false,
      isTaken: false,
    };
    if (!this.#lists.add(list)) return false;
    if (touched !== undefined && (gaps || nameless.length > 0)) this.#gap(); // in that of a stream, each message has made one
    const states = new Map([...pods.known.values()].map((pod) => [pod, pod.version]));
    for (const version of versions.values())
      if (version !== pods.known.get(version.uid)?.version) version.process = this.#lists.process;
    for (const uid of versions.keys()) if (!unreadable.has(uid)) this.#unreadable.delete(uid);
    for (const uid of unreadable) this.#unreadable.add(uid, this.#lists.process);
    const changes = this.#judge(list, versions, nameless);
    this.#hasNews = changes.some(({ pod, version, isGone }) => {
      const before = states.get(pod);
      if (before === undefined || isGone || showsFinished(before)) return false;
      return stateText(before) !== stateText(version);
    });
    pods.countList();
    if (nameless.length > 0) this.#unreadable.add("", this.#lists.process);
    const isHere = (uid: string) =>
      uid === "" ? nameless.length > 0 : unreadable.has(uid) || pods.known.has(uid) || touched?.has(uid) === true;
    this.#unreadable.lacked(list, isHere, this.#lists.process, this.#lists.isSettled, pods.nowMs);
    this.#push(entries, changes);
    entries.push({ type: "listed", unreadable: this.#unreadable.uids });
    this.#listedFields = stream.fields;
    this.#isListed = true;
    const hasDifference = [...(touched ?? [])].some(([uid, listed]) => this.#differs(uid, listed));
    const news = this.#streams.listed(list.isTaken, hasDifference);
    this.#dueLists();
    if (news === "SYNCED") entries.push({ type: "synced", unreadable: this.#unreadable.uids });
    if (news === "DISCONNECTED") {
      this.#outageCode = "initializing";
      entries.push({ type: "lost", code: "initializing" });
    }
    return true;
  }

  /** What a list changes. "In a list of a source that sends deletions, [the next pod] counts as missing." (V9) */
  #judge(list: List, versions: Map<string, Version>, nameless: readonly Nameless[]): Change[] {
    const { pods } = this;
    const sources = new Set(list.versions.map(({ source }) => source));
    for (const uid of pods.waiting) if (!list.touched?.has(uid)) pods.waiting.delete(uid);
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
      const { fields } = reader.want;
      if (!reader.hasBegun && this.#isListed && this.#listedFields !== "none" && covers(this.#listedFields, fields))
        this.#begin(reader);
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
