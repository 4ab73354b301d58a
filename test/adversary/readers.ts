// Everything that reads: all ways of the public face at once, on one client, which restarts as agents do. What they are told goes to the
// judge.

import { keepRules, RULES_MASK, type Rule } from "../../examples/cni-rules/agent.js";
import type { Console } from "../../src/cli/command.js";
import { command as find } from "../../src/cli/find.js";
import { command as get } from "../../src/cli/get.js";
import { command as wait } from "../../src/cli/wait.js";
import {
  type Answer,
  atLeast,
  type ContainerEvent,
  type Pod,
  type PodEvent,
  type PodInformer,
  type PodKey,
  PodsClient,
  PodsError,
  podMask,
} from "../../src/index.js";
import { EndReader } from "../../src/journal/end-reader.js";
import { keyOf } from "../../src/journal/end-record.js";
import type { At } from "../../src/lookup/answer.js";
import { OWN_MASK } from "../../src/pod/own-fields.js";
import { hostOf } from "../../src/readers/event-stream.js";
import type { Environment } from "../../src/timing/clock.js";
import type { VirtualClock } from "../helpers/virtual-clock.js";
import {
  type Observation,
  type Observe,
  ofAnswer,
  ofContainerEvent,
  ofError,
  ofPodEvent,
  ofState,
} from "../oracle/observations.js";
import type { Key } from "./evidence.js";
import { type Judge, LifeReaderJudge, PodReaderJudge, type ReaderKind } from "./judge.js";
import type { Node } from "./node.js";
import { bandOf, spellingsOf } from "./shown-pod.js";
import { pick, streamOf } from "./streams.js";

/** Half of the agents want little of each pod at first: a late reader who wants more has it asked for anew. */
const NARROW = podMask("metadata", "status.phase", "status.podIPs", "status.containerStatuses");
const LABELS = podMask("metadata.uid", "metadata.labels");
const CHOSEN = "band notin (1)";
const selects = (version: number) => bandOf(version) !== 1;
type Told = { readonly metadata: Pick<Pod["metadata"], "uid" | "labels"> };

const SURENESS = ["uncertain", "likely", "reported", "confirmed"] as const;

/** For how long, and of how many, ended pods are kept. */
const RETENTIONS: readonly (readonly [retainMs?: number, maxRetained?: number])[] = [
  [],
  [],
  [],
  [20_000],
  [300_000, 3],
  [300_000, 10],
];

/** One stream, read as fast as it comes, or as slowly as the life says. */
class Reader {
  /** How many more events it takes. */
  #wanted: number;
  #isReading = false;
  readonly #take: () => Promise<boolean>;

  constructor(take: () => Promise<boolean>, isEager: boolean) {
    this.#take = take;
    this.#wanted = isEager ? Number.POSITIVE_INFINITY : 0;
    void this.#read();
  }

  drain(events: number): void {
    this.#wanted += events;
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#wanted > 0) {
      this.#wanted--;
      if (!(await this.#take())) return;
    }
    this.#isReading = false;
  }
}

export class Readers {
  readonly #node: Node;
  readonly #clock: VirtualClock;
  readonly #judge: Judge;
  readonly #environment: Environment;
  readonly #commands: Environment;
  readonly #observe: Observe;
  /** The number of the agent: each restart is another one. */
  #agent = 0;
  /** Draws what an agent wants of each pod. */
  readonly #agents: () => number;
  /** Draws what lookups are asked. */
  readonly #asks: () => number;
  /** Draws the mistakes of calls. */
  readonly #mistakes: () => number;
  /** Draws how addresses are written. */
  readonly #spellings: () => number;
  #client: PodsClient;
  #informer: PodInformer<Pod>;
  /** Has the pods of some bands, with finished ones in half of the agents. */
  #chosen: PodInformer<Pod>;
  #readers: Reader[] = [];
  #podJudges: PodReaderJudge[] = [];
  #lifeJudges: LifeReaderJudge[] = [];
  /** What the informer's events have told, by which its reads are judged. */
  #view: PodReaderJudge;
  /** The wall clock at times that have been, by which lookups are asked. */
  readonly #times: { readonly ms: number; readonly wallMs: number }[] = [];
  #joinedMs = 0;
  #isRetained = true;
  #withFinished = false;
  /** What the events of a watch of all pods, with finished ones, have told. */
  #finished: PodReaderJudge | undefined;
  #retainMs = 0;
  #maxRetained = 0;
  /** How many wait, and those of them that wait without a limit. */
  #waiting = 0;
  readonly #patient = new Set<{ readonly ip: string; readonly startMs: number }>();
  #snapshot: readonly Pod[] = [];
  /** The ends that the journal has, and those that the watch of containers has emitted. */
  readonly #journal = new Set<string>();
  readonly #ends = new Set<string>();
  /** What an agent has made for the addresses of pods: it outlives the agent. */
  readonly #rules = new Map<string, Rule>();
  /** Rules of living pods that were removed since the last look: whose pod went and came again has them anew at once. */
  readonly #removed = new Set<Rule>();
  #isClosing = false;
  readonly #waits: Promise<void>[] = [];

  constructor(node: Node, clock: VirtualClock, judge: Judge, life: number, observe: Observe) {
    this.#node = node;
    this.#clock = clock;
    this.#judge = judge;
    this.#environment = { clock, random: streamOf(life, "client") };
    this.#observe = observe;
    this.#commands = { clock, random: streamOf(life, "commands") };
    this.#agents = streamOf(life, "agents");
    this.#asks = streamOf(life, "asks");
    this.#spellings = streamOf(life, "spellings");
    this.#mistakes = streamOf(life, "mistakes");
    [this.#client, this.#informer, this.#chosen, this.#view] = this.#start();
  }

  /** The agent ends, and begins anew. */
  async restart(): Promise<void> {
    await this.close();
    [this.#client, this.#informer, this.#chosen, this.#view] = this.#start();
    // Some wait before anything is known.
    if (this.#agents() < 0.5) this.wait(`10.0.0.${1 + Math.floor(4 * this.#agents())}`, this.#agents);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const before = namesOf(this.#informer.list());
    await this.#client.close();
    const { list, health } = { list: namesOf(this.#informer.list()), health: this.#informer.health() };
    if (list !== before) this.#judge.fail("closed", `the informer had ${before}, and has ${list} since it was closed`);
    if (this.#informer.state.phase !== "closed" || health.live || health.ready)
      this.#judge.fail("closed", `the informer is closed, and ${health.reason}`);
    await Promise.all(this.#waits.splice(0));
    this.#isClosing = false;
  }

  #start(): [PodsClient, PodInformer<Pod>, PodInformer<Pod>, PodReaderJudge] {
    this.#agent++;
    this.#joinedMs = this.#clock.now();
    this.#judge.reasons.clear();
    this.#readers = [];
    this.#podJudges = [];
    this.#lifeJudges = [];
    const client = new PodsClient({ sources: [this.#node.teller, this.#node.teller.http(true)] }, this.#environment);
    const isNarrow = this.#agents() < 0.5;
    // Some keep little of what has ended.
    const [retainMs = 300_000, maxRetained = 1_000] = pick(RETENTIONS, this.#agents) ?? [];
    this.#retainMs = retainMs;
    this.#maxRetained = maxRetained;
    this.#withFinished = this.#agents() < 0.5;
    this.#isRetained = retainMs === 300_000 && maxRetained === 1_000;
    const informer = client.informer({
      retainMs,
      maxRetained,
      ...(isNarrow && { mask: NARROW }),
    }) as unknown as PodInformer<Pod>;
    this.#pods("watch", isNarrow ? client.watchPods({ mask: NARROW }) : client.watchPods(), {
      isEager: true,
      isWhole: !isNarrow,
    });
    this.#finished = this.#pods("watch of finished pods", client.watchPods({ includeFinished: true, mask: LABELS }), {
      isEager: true,
      includeFinished: true,
    });
    this.#pods("selective watch", client.watchPods({ mask: LABELS, labelSelector: CHOSEN }), {
      selects,
      isEager: true,
    });
    this.#pods("slow watch", client.watchPods({ mask: LABELS }), {});
    const view = this.#pods("informer", informer[Symbol.asyncIterator](), { isEager: true });
    const ofInformer = this.#agents() < 0.5;
    const containers = ofInformer ? informer.watchContainers() : client.watchContainers({ mask: LABELS });
    this.#lives("containers", containers, true);
    this.#lives("slow containers", client.watchContainers({ mask: LABELS }), false);
    this.#snapshots(informer);
    this.#keepJournal(client);
    this.#keepRules(client);
    const chosen = client.informer({
      mask: NARROW,
      labelSelector: CHOSEN,
      includeFinished: this.#withFinished,
      retainMs,
      maxRetained,
    }) as unknown as PodInformer<Pod>;
    return [client, informer, chosen, view];
  }

  /** One more reader, in the midst of things. */
  join(): void {
    if (this.#readers.length > 10) return;
    this.#pods("late watch", this.#client.watchPods(), { isEager: true, isWhole: true, isLate: true });
    this.#lives("late containers", this.#client.watchContainers({ mask: LABELS }), true);
  }

  /** The reader of a journal. Its records outlive the agent, as files do. */
  #keepJournal(client: PodsClient): void {
    const ends = new EndReader({
      write: (record) => {
        const { uid, container, end } = record;
        this.#journal.add(keyOf(record));
        if (container !== undefined) this.#judge.recorded(uid, container.containerID, end.exitCode);
      },
      isRecorded: (key) => this.#journal.has(key),
      about: () => ({ bootID: "", recordedAt: new Date(this.#clock.wallMs()) }),
    });
    const host = hostOf(client);
    const upstream = host?.upstream();
    const want = { mask: OWN_MASK, resyncIntervalMs: 120_000, includeFinished: true };
    const listener = { reader: ends, ...want, onFatal: () => {} };
    const controller = new AbortController();
    controller.signal.addEventListener("abort", () => upstream?.remove(listener));
    host?.enter(controller);
    upstream?.add(listener);
  }

  /** An agent that keeps rules of addresses: nothing of a living pod may be removed. */
  #keepRules(client: PodsClient): void {
    const judge = this.#judge;
    const joinedMs = this.#joinedMs;
    const kept = this.#rules;
    const wrong = this.#removed;
    const rules = {
      list: () => kept.values(),
      add: (rule: Rule) => void kept.set(`${rule.uid} ${rule.ip}`, rule),
      remove(rule: Rule) {
        kept.delete(`${rule.uid} ${rule.ip}`);
        if (!judge.mayRemove(rule, joinedMs)) wrong.add(rule);
      },
    };
    // Those that run on in no list have an allowance in the judge, and no clock of ours is virtual there.
    const ended = keepRules(client.informer({ mask: RULES_MASK }) as never, rules, { graceMs: 0 });
    this.#waits.push(ended.catch((error) => this.#refused("keepRules", error, [])));
  }

  drain(reader: number, events: number): void {
    this.#readers[reader % this.#readers.length]?.drain(events);
  }

  /** Notes the time, by which lookups are asked later. */
  note(): void {
    this.#times.push({ ms: this.#clock.now(), wallMs: this.#clock.wallMs() });
    if (this.#times.length > 200) this.#times.shift();
  }

  check(): void {
    this.#note("state", ofState(this.#informer.state), "state");
    for (const judge of [...this.#podJudges, ...this.#lifeJudges]) judge.check();
    this.#judge.checkLists(this.#joinedMs);
    this.#judge.checkDoubt();
    if (this.#informer.health().ready && !this.#view.isSynced)
      this.#judge.fail("A2", "the informer is ready, and has not told SYNCED yet");
    for (const id of this.#ends)
      if (!this.#journal.has(id))
        this.#judge.fail("J1", `the journal lacks the end of ${id}, which a watch has emitted`);
    this.#ends.clear();
    for (const { uid, ip } of this.#removed) {
      if (!this.#rules.has(`${uid} ${ip}`))
        this.#judge.fail("X1", `the rule of ${uid} for ${ip} was removed, and it runs`);
    }
    this.#removed.clear();
    const { phase, since, error, unconfirmed, unreadable, retained, waiting } = this.#informer.state;
    const agoMs = this.#clock.wallMs() - since.getTime();
    if (agoMs < -1 || agoMs > this.#clock.now() - this.#joinedMs + 1)
      this.#judge.fail("state", `${phase} for ${agoMs} ms, and the agent began at ${this.#joinedMs} ms`);
    const health = this.#informer.health();
    this.#judge.details.standing({ phase, error: error?.code, ...health }, this.#view.firstSyncedMs);
    if (waiting !== this.#waiting) this.#judge.fail("state", `${waiting} waits are counted, and ${this.#waiting} wait`);
    if (retained > 6 * this.#maxRetained)
      this.#judge.fail("state", `${retained} ends are retained, of ${this.#maxRetained}`);
    for (const { ip, startMs } of this.#patient) this.#judge.details.patience(ip, startMs, undefined);
    const state = { phase, unconfirmed: unconfirmed.count, unreadable: unreadable.size };
    this.#judge.calm.state(state, this.#view.firstSyncedMs);
    this.#judge.calm.phase(phase, this.#joinedMs);
    this.#judge.calm.unconfirmed(unconfirmed.count, this.#joinedMs);
    this.#compareReads();
    this.#askWrongly();
    this.#waitBriefly();
    this.#askHealth();
    this.#askAround();
    this.#ask();
    const { truth } = this.#node;
    for (const { ip } of truth.leases.slice(-8)) {
      const answer = this.#find({ ip });
      if (this.#informer.state.phase === "synced") this.#judge.held(ip, answer?.uid, this.#view.view, this.#joinedMs);
    }
    for (const { uid, name } of [...truth.pods.values()].slice(-4)) {
      this.#find({ uid });
      const containerName = pick(truth.pods.get(uid)?.containers ?? [], this.#spellings);
      if (containerName !== undefined) this.#find({ uid, containerName });
      this.#find({ name });
      const id = truth.runsOf(uid).at(-1)?.id;
      if (id !== undefined) this.#find({ containerID: id });
    }
  }

  /** Looks up who has a key, or had it at a time. */
  #find(key: Key, at?: { readonly ms: number; readonly wallMs: number | undefined }) {
    let asked: PodKey = "name" in key ? { namespace: "ns", name: key.name } : key;
    if ("ip" in key) asked = { ip: pick(spellingsOf(key.ip), this.#spellings) ?? key.ip };
    const written = at && this.#written(at);
    const found = this.#informer.find(asked, { at: written });
    if (at === undefined) this.#note("find", { ...key, ...ofAnswer(found) }, Object.values(key)[0]);
    else this.#note("find at", { ...key, at: at.ms, as: kindOf(written), ...ofAnswer(found) });
    const { pod, confidence, reason: doubt, others, gone, container } = found;
    if (gone?.end !== undefined && typeof gone.end.reason !== "string")
      this.#judge.fail("why", `${pod?.metadata.uid} has ended for no reason`);
    const isDay = at?.wallMs !== undefined && !(typeof written === "object" && "monotonicNs" in written);
    const wasMs = (time: Date) => time.getTime() - this.#clock.wallMs() + this.#clock.now();
    const answer = {
      uid: pod?.metadata.uid,
      confidence,
      others,
      doubt,
      reason: gone?.end?.reason,
      gone: gone && { afterMs: wasMs(gone.after), atMs: wasMs(gone.at) },
      run: container && { id: container.containerID, count: container.restartCount },
    };
    this.#judge.found(key, answer, {
      ms: at?.ms ?? this.#clock.now(),
      isPast: at !== undefined,
      dayMs: isDay ? at.wallMs - this.#clock.wallMs() + this.#clock.now() : undefined,
      isRetained: this.#isRetained,
      retainMs: this.#retainMs,
      joinedMs: this.#joinedMs,
      syncedMs: this.#view.firstSyncedMs,
    });
    this.#compare(asked, found, at !== undefined);
    return answer;
  }

  /** Whom one informer finds, another one of the same client finds, too, if it has asked for the pod. */
  #compare(asked: PodKey, { pod, gone, confidence }: Answer, isPast: boolean): void {
    for (const least of SURENESS) {
      const isEnough = SURENESS.indexOf(confidence) >= SURENESS.indexOf(least);
      if (atLeast({ confidence }, least) !== isEnough) this.#judge.fail("atLeast", `${confidence} is not ${least}`);
    }
    if (isPast || this.#informer.state.phase !== "synced" || this.#chosen.state.phase !== "synced") return;
    const other = this.#chosen.find(asked);
    // A key of which no pod is left, or that its pod has lost, find() knows as well.
    const present = this.#informer.get(asked);
    const isSame =
      present === undefined ? gone !== undefined || !("uid" in asked) || pod === undefined : present === pod;
    if (!isSame) this.#judge.fail("reads", `get() gives ${present?.metadata.uid}, and find() ${pod?.metadata.uid}`);
    const ips = present?.status.podIPs.map(({ ip }) => ip);
    // Where events are swapped, a pod keeps the address of its newest container, and its last version shows an older one.
    const isSwapped = this.#judge.facts.dropped.some(({ uid }) => uid === present?.metadata.uid);
    if (ips?.length && "ip" in asked && /^[\d.]+$/.test(asked.ip) && !ips.includes(asked.ip) && !isSwapped)
      this.#judge.fail("reads", `get() gives ${present?.metadata.uid} for ${asked.ip}, and it has ${ips.join()}`);
    if ("uid" in asked && this.#chosen.get(asked) !== undefined && other.gone !== undefined)
      this.#judge.fail("reads", `${asked.uid} has ended, and an informer of some bands has it`);
    if (other.pod !== undefined && other.gone === undefined && !selects(versionOf(other.pod)))
      this.#judge.fail("selection", `${other.pod.metadata.uid} is found, and was not asked for`);
    if (pod === undefined || gone !== undefined || confidence === "uncertain" || !selects(versionOf(pod))) return;
    if (other.pod?.metadata.uid !== pod.metadata.uid || other.confidence !== confidence)
      this.#judge.fail(
        "selection",
        `${pod.metadata.uid} is ${confidence}, and ${other.pod?.metadata.uid ?? "nobody"} is ${other.confidence} where some are selected`,
      );
  }

  /** What an informer has of a pod is what was said of it, and two informers have the same. */
  #compareReads(): void {
    const idsOf = (pod: Pod) =>
      pod.status.containerStatuses.flatMap((each) => (each.state?.running ? [each.containerID] : []));
    const pods = this.#informer.list();
    if (this.#informer.size !== pods.length)
      this.#judge.fail("reads", `the informer counts ${this.#informer.size} pods, and has ${pods.length}`);
    for (const pod of pods) {
      const { uid } = pod.metadata;
      const said = this.#judge.wire
        .get(uid)
        ?.findLast((each) => each.version === versionOf(pod) && each.isDamaged !== true);
      if (said === undefined || said.isGone === true) continue;
      const has = [pod.status.podIPs[0]?.ip, ...idsOf(pod)].join();
      const was = [said.ip, ...said.running.map((id) => `containerd://${id}`)].join();
      if (has !== was) this.#judge.fail("content", `the informer has ${uid} as ${has}, and it was said as ${was}`);
    }
    if (this.#informer.state.phase !== "synced" || this.#chosen.state.phase !== "synced") return;
    const view = [...((this.#withFinished ? this.#finished : this.#view)?.view ?? [])];
    const all = view.flatMap(([uid, { version }]) => (selects(version) ? [`${uid} ${version}`] : []));
    const some = namesOf(this.#chosen.list());
    if (all.sort().join() !== some)
      this.#judge.fail("reads", `an informer of some bands has ${some}, and it should have ${all.join()}`);
  }

  /** Waits for what is there, with options that end the wait at once. */
  #waitBriefly(): void {
    const [pod] = this.#informer.list();
    if (pod === undefined || this.#informer.state.phase === "closed") return;
    const key = { uid: pod.metadata.uid };
    const mine = new Error("mine");
    const until = () => {
      throw mine;
    };
    for (const options of [{ signal: AbortSignal.abort(mine) }, { until }])
      this.#informer.waitFor(key, options).then(
        () => this.#judge.fail("wait", `${Object.keys(options).join()} does not end a wait`),
        (error: Error) => {
          if (error !== mine)
            this.#judge.fail("wait", `${Object.keys(options).join()} ends a wait with ${error.message}`);
        },
      );
  }

  /** Makes a call with a mistake: the error has to name the call and the mistake, and nothing else may change. */
  #askWrongly(): void {
    const informer = this.#informer;
    const wrongs: readonly (readonly [call: () => unknown, words: RegExp])[] = [
      [() => informer.get({ ip: "10.0.0" }), /get: ip must be an IP address/],
      [() => informer.get({} as never), /get: the key names no pod/],
      [() => informer.find({ uid: undefined } as never), /find: uid is undefined/],
      [() => informer.find({ containerName: "main" } as never), /find: the key names no pod/],
      [() => informer.find({ containerID: "0123456789abc" }), /find: containerID is truncated/],
      [() => informer.waitFor({ namespace: "ns" } as never), /waitFor: .*namespace/],
      [() => informer.waitFor({ ip: "10.0.0.1" }, { until: 1 } as never), /waitFor: until must be a function/],
      [() => informer.health({ maxAgeMs: 1_000 }), /health: maxAgeMs must be at least 1[2-9]\d{4}/],
    ];
    const wrong = pick(wrongs, this.#mistakes);
    const check = (error: unknown) => {
      const text = PodsError.is(error) ? error.message : String(error);
      if (!PodsError.is(error) || error.code !== "invalid-argument" || !wrong[1].test(text))
        this.#judge.fail("mistake", `${wrong[1].source} is what is wrong, and it says ${text}`);
    };
    try {
      const answer = wrong[0]();
      if (answer instanceof Promise) void answer.then(() => check("nothing"), check);
      else check("nothing");
    } catch (error) {
      check(error);
    }
  }

  /** A view that is older than the agent allows is not ready, and says how old it is. */
  #askHealth(): void {
    const maxAgeMs = pick([150_000, 200_000, 400_000], this.#mistakes);
    const { ready, live, ageMs, reason } = this.#informer.health();
    const limited = this.#informer.health({ maxAgeMs });
    const isYoung = ageMs !== undefined && ageMs <= maxAgeMs;
    if (limited.ready !== (ready && isYoung) || limited.live !== live || limited.ageMs !== ageMs)
      this.#judge.fail("health", `${ageMs} ms of ${maxAgeMs} are ${limited.reason}, and without a limit ${reason}`);
    const words = reason.replace(/ \([a-z-]+\)$/, "");
    const { phase, error } = this.#informer.state;
    const age = ageMs === undefined ? "" : ` for ${Math.round(ageMs / 1_000)} s`;
    if (words !== (phase === "synced" ? phase : `${phase}${age}`) || (error !== undefined) !== (words !== reason))
      this.#judge.fail("health", `${phase} for ${ageMs} ms by ${error?.code} is called ${reason}`);
  }

  /** Writes a time in one of the ways in which it may be given. */
  #written({ ms, wallMs }: { readonly ms: number; readonly wallMs: number | undefined }): At {
    if (wallMs === undefined) return { monotonicNs: BigInt(Math.round(ms * 1e6)) };
    // Whoever has started since the clock was set cannot know what it said before.
    const isBefore = this.#node.truth.clockSteps.some((atMs) => atMs >= ms && atMs <= this.#joinedMs);
    const draw = isBefore ? 2 : Math.floor(this.#asks() * 4);
    if (draw === 0) return new Date(Math.round(wallMs));
    if (draw === 1) return BigInt(Math.round(wallMs * 1_000)) * 1_000n;
    return draw === 2 ? { monotonicNs: BigInt(Math.round(ms * 1e6)) } : wallMs;
  }

  /** Asks about an address now. */
  look(): void {
    this.#find({ ip: "10.0.0.1" }, { ms: this.#clock.now(), wallMs: this.#clock.wallMs() });
  }

  /** Asks about times around which an address, or a name, was got or lost. */
  #askAround(): void {
    const { truth } = this.#node;
    const nowMs = this.#clock.now();
    const draw = this.#asks;
    const spans = [
      ...truth.leases.slice(-12).map(({ ip, fromMs, toMs }) => ({ key: { ip }, fromMs, toMs })),
      ...[...truth.pods.values()]
        .slice(-6)
        .flatMap(({ name, spans }) => spans.map((span) => ({ key: { name }, ...span }))),
    ];
    for (let i = 0; i < 6; i++) {
      const span = spans[Math.floor(draw() * spans.length)];
      if (span === undefined) return;
      const edgeMs = draw() < 0.5 ? span.fromMs : (span.toMs ?? nowMs);
      const ms = edgeMs + (draw() - 0.5) * 60_000;
      if (ms <= this.#joinedMs || ms > nowMs || nowMs - ms > 280_000 || truth.stoodStill(ms)) continue;
      this.#find(span.key, { ms, wallMs: undefined });
    }
  }

  /** Asks who had an address, or a name, at a time. */
  #ask(): void {
    const random = this.#asks;
    const { truth } = this.#node;
    const { leases, pods } = truth;
    const ip = random() < 0.1 ? "10.0.0.9" : leases[Math.floor(random() * leases.length)]?.ip;
    const name = [...pods.values()][Math.floor(random() * pods.size)]?.name;
    const nowMs = this.#clock.now();
    const then = this.#times.filter(({ ms }) => nowMs - ms < 280_000 && !truth.stoodStill(ms));
    const steps = truth.clockSteps;
    const nearStep = then.filter(({ ms }) => steps.some((atMs) => Math.abs(atMs - ms) < 5_000));
    const some = nearStep.length > 0 && random() < 0.5 ? nearStep : then;
    const at = some[Math.floor(random() * some.length)];
    if (ip === undefined || name === undefined || at === undefined) return;
    const found = this.#find({ ip }, at);
    if (this.#isRetained) this.#judge.remembered(ip, found?.uid, at.ms, this.#joinedMs);
    this.#find({ name }, at);
    // An address of no pod, which differs in one part alone.
    const strange =
      pick([`fd01::${ip.split(".").at(-1)}`, `fd00:1::${ip.split(".").at(-1)}`, "10.0.1.1"], random) ?? "";
    const stranger = this.#informer.find({ ip: strange });
    if (stranger.pod !== undefined)
      this.#judge.fail("find", `${strange} is no pod's, and ${stranger.pod.metadata.uid} is found`);
    const never = this.#neverMs(random());
    if (never === undefined || truth.timesOf(never - this.#clock.wallMs() + nowMs, this.#joinedMs, nowMs) > 0) return;
    const { confidence, others } = this.#informer.find({ ip }, { at: never });
    this.#judge.details.never({ ip }, { uid: undefined, confidence, others });
  }

  /** A time of day that the clock was set over, and that it has not shown since. */
  #neverMs(draw: number): number | undefined {
    const { steps } = this.#node.truth;
    const nowMs = this.#clock.now();
    const step = steps.at(-1);
    if (step === undefined || step.byMs < 0 || step.atMs < this.#joinedMs || nowMs - step.atMs > 200_000)
      return undefined;
    const lastMs = this.#clock.wallMs() - (nowMs - step.atMs) - 2;
    return lastMs - draw * (step.byMs - 4);
  }

  /** Waits for whoever has an address. */
  wait(ip: string, random: () => number): void {
    const startMs = this.#clock.now();
    const joinedMs = this.#joinedMs;
    const wasClean = this.#judge.isClean && this.#view.isSynced;
    const { truth } = this.#node;
    const draw = random();
    const timeoutMs = draw < 0.7 ? (draw < 0.4 ? 5_000 : 60_000) : undefined;
    const pending = { ip, startMs };
    const waiting = this.#informer.waitFor({ ip }, { timeoutMs });
    const isWaiting = this.#informer.state.waiting > this.#waiting;
    if (isWaiting) this.#waiting++;
    if (timeoutMs === undefined) this.#patient.add(pending);
    const told = waiting.then(
      (found) => {
        if (isWaiting) this.#waiting--;
        this.#patient.delete(pending);
        const { metadata } = found.pod;
        this.#note("waitFor", { ip, sinceMs: startMs, ...ofAnswer(found) });
        const holders = truth.holders(ip, startMs - 20_000, this.#clock.now());
        if (!holders.has(metadata.uid)) this.#judge.waited(ip, metadata.uid);
      },
      (error) => {
        if (isWaiting) this.#waiting--;
        this.#note("waitFor", { ip, sinceMs: startMs, ...ofError(error) });
        const isPatient = this.#patient.delete(pending);
        if (isPatient && PodsError.is(error) && error.code !== "closed") {
          this.#judge.details.patience(ip, startMs, error.code);
          return;
        }
        this.#refused("waitFor", error, ["deadline"]);
        if (!PodsError.is(error) || error.code !== "deadline") return;
        if (wasClean) this.#judge.waitedInVain(ip, startMs, joinedMs);
        if (wasClean) this.#judge.toldInVain(ip, startMs);
      },
    );
    this.#waits.push(told);
  }

  /** Asks as programs do that ask once. */
  async call(): Promise<void> {
    try {
      const pods = await this.#client.listPods({ mask: LABELS });
      this.#note("list", { pods: pods.map(({ metadata }) => `${metadata.uid} ${metadata.labels["version"]}`).sort() });
      this.#judge.answered(new Set(pods.map(({ metadata: { uid } }) => uid)), "listPods()", false);
      const settled = this.#judge.settled();
      const lacking = await this.#informer.confirmAbsent(settled, { timeoutMs: 20_000 });
      this.#note("absent", { pods: [...lacking].sort() });
      for (const uid of lacking) if (settled.includes(uid)) this.#judge.confirmAbsent(uid);
      await this.#mistake();
    } catch (error) {
      this.#note("list", ofError(error));
      this.#refused("listPods", error, [
        "connection-refused",
        "connection-lost",
        "initializing",
        "corrupt",
        "deadline",
        "dropped",
      ]);
    }
  }

  /** Passes what is no UID of any pod, and would be proved absent while its pod runs. */
  async #mistake(): Promise<void> {
    const pod = this.#informer.list()[0]?.metadata;
    if (pod === undefined) return;
    const texts = [pod.name, `${pod.namespace}/${pod.name}`, ` ${pod.uid}`, pod.uid.toUpperCase()];
    const text = pick(texts, this.#asks) ?? "";
    try {
      const lacking = await this.#informer.confirmAbsent([text], { timeoutMs: 10_000 });
      if (lacking.length > 0 && this.#informer.get({ uid: pod.uid }) !== undefined)
        this.#judge.fail("mistake", `${text} is proved absent, and is a pod`);
    } catch (error) {
      this.#refused("confirmAbsent", error, [
        "invalid-argument",
        "connection-refused",
        "connection-lost",
        "initializing",
        "deadline",
      ]);
    }
  }

  /** Asks as people do. What says that a pod is not there, and nothing else, says something untrue of one that runs. */
  async command(uid: string, ip: string | undefined): Promise<void> {
    const name = `ns/${this.#node.truth.pods.get(uid)?.name}`;
    const waiting = this.#console();
    const values = { timeout: "3s", for: "delete" };
    const waited = await wait.run(values, waiting.console, [name]);
    this.#note("command", { runs: "wait", pod: uid, code: waited });
    if (waited === 0) this.#judge.gone(uid, `wait ${name} --for=delete`);
    for (const [command, word] of [
      [get, name],
      [find, ip ?? ""],
    ] as const) {
      if (word === "") continue;
      const { console, errors } = this.#console();
      const code = await command.run({ timeout: "3s" }, console, [word]);
      this.#note("command", { runs: command === find ? "find" : "get", word, code });
      // Over HTTP a status, and so an address, is as the API server confirmed it last, and stands still while that is away.
      if (command === find && this.#judge.facts.isPolled) continue;
      if (code === 1 && errors.length === 1 && /no pod/i.test(errors[0] ?? ""))
        this.#judge.answered(new Set(this.#judge.settled().filter((each) => each !== uid)), errors[0] ?? "", true);
    }
  }

  /** Looks at what all readers have, when all has been well for long. */
  async final(settle: () => Promise<void>): Promise<void> {
    for (const reader of this.#readers) reader.drain(Number.POSITIVE_INFINITY);
    await settle();
    for (const judge of [...this.#podJudges, ...this.#lifeJudges]) judge.final();
    const has = namesOf(this.#informer.list());
    const told = [...this.#view.view].map(([uid, { version }]) => `${uid} ${version}`).sort();
    for (const [what, pods] of [
      ["told", told.join()],
      ["gave in a snapshot", namesOf(this.#snapshot)],
    ] as const) {
      if (has !== pods) this.#judge.fail("reads", `the informer has ${has}, and ${what} ${pods}`);
    }
  }

  #pods(name: string, stream: AsyncIterator<PodEvent<Told>>, kind: ReaderKind): PodReaderJudge {
    const judge = new PodReaderJudge(this.#judge, name, kind);
    this.#podJudges.push(judge);
    const hear = (event: PodEvent<Told>) => {
      this.#note(name, ofPodEvent(event as PodEvent<Partial<Pod>>));
      if (event.type === "SYNCED") {
        const { initial, count, unreadable } = event;
        judge.hear({ type: "SYNCED", initial, count, unreadable });
      } else if (event.type === "DISCONNECTED") judge.hear({ type: "DISCONNECTED" });
      else {
        const { uid, labels } = event.pod.metadata;
        if (kind.isWhole === true) judge.whole(uid, (event.pod as Pod).spec.containers.length);
        judge.hear({
          type: event.type,
          uid,
          version: Number(labels["version"]),
          ...(event.type === "MODIFIED" && { before: Number(event.previous.metadata.labels["version"]) }),
          cause: event.type === "DELETED" ? event.cause : "",
        });
      }
    };
    this.#follow(name, stream, hear, kind.isEager === true);
    return judge;
  }

  #lives(name: string, stream: AsyncIterator<ContainerEvent<Told>>, isEager: boolean): void {
    const judge = new LifeReaderJudge(this.#judge, name, { isEager, first: this.#lifeJudges[0] });
    this.#lifeJudges.push(judge);
    const hear = (event: ContainerEvent<Told>) => {
      this.#note(name, ofContainerEvent(event as ContainerEvent<Partial<Pod>>));
      if (event.type === "SYNCED") judge.synced(event.initial);
      if (event.type === "SYNCED" || event.type === "DISCONNECTED") return;
      const { uid } = event.pod.metadata;
      if (event.type === "MISSED") {
        const [from, to] = event.restartCounts;
        judge.hear({ type: "MISSED", uid, name: event.container.name, from, to });
        return;
      }
      const { container, initial } = event;
      if (typeof initial !== "boolean")
        this.#judge.fail("initial", `${event.type} of ${container.containerID}: ${initial}`);
      const { name: of, restartCount: count, startedAt, ended: isOver, containerID: id } = container;
      const run = { name: of, count, startedAt, isOver, isInitial: initial };
      if (event.type === "STARTED") judge.hear({ type: "STARTED", uid, id, run });
      else {
        this.#ends.add(id);
        const { exitCode, reason, oom, signal, finishedAt, reported } = event.end;
        if (reported !== undefined && typeof reported.reason !== "string")
          this.#judge.fail("why", `${id} is reported to have ended for no reason`);
        judge.hear({ type: "ENDED", uid, id, run, basis: event.basis, exitCode, reason, oom, signal, finishedAt });
      }
    };
    this.#follow(name, stream, hear, isEager);
  }

  /** Lists as they change: each is what reads give then. */
  #snapshots(informer: PodInformer<Pod>): void {
    const hear = (pods: readonly Pod[]) => {
      this.#snapshot = pods;
      this.#note("snapshots", { pods: pods.map(({ metadata: { uid } }) => uid).sort() });
    };
    this.#follow("snapshots", informer.snapshots(), hear, true);
  }

  #follow<E>(name: string, stream: AsyncIterator<E>, hear: (event: E) => void, isEager: boolean): void {
    const take = async () => {
      try {
        const { done, value } = await stream.next();
        if (done !== true) hear(value);
        return done !== true;
      } catch (error) {
        this.#refused(name, error, []);
        return false;
      }
    };
    this.#readers.push(new Reader(take, isEager));
  }

  #refused(what: string, error: unknown, codes: readonly string[]): void {
    if (!PodsError.is(error)) throw error;
    if (codes.includes(error.code) || error.code === "closed" || this.#isClosing) return;
    this.#judge.fail("error", `${what}: ${error.code}: ${error.message}`);
  }

  #note(stream: string, observation: Observation, question?: string): void {
    this.#observe(`${this.#agent} ${stream}`, this.#clock.now(), observation, question);
  }

  #console(): { console: Console; errors: string[] } {
    const errors: string[] = [];
    const console: Console = {
      environment: this.#commands,
      sources: [this.#node.teller.another, this.#node.teller.http(false)],
      colours: false,
      ended: () => new AbortController().signal,
      out: () => {},
      err: (text) => errors.push(text),
    };
    return { console, errors };
  }
}

function versionOf({ metadata }: Pod): number {
  return Number(metadata.labels["version"]);
}

function namesOf(pods: readonly Pod[]): string {
  const names = pods.map((pod) => `${pod.metadata.uid} ${versionOf(pod)}`);
  return names.sort().join();
}

function kindOf(at: At | undefined): string {
  return at instanceof Date ? "date" : typeof at;
}
