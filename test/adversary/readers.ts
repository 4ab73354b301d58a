// Everything that reads: all ways of the public face at once, on one client, which restarts as agents do. What they are told goes to the
// judge.

import type { Console } from "../../src/cli/command.js";
import { command as find } from "../../src/cli/find.js";
import { command as get } from "../../src/cli/get.js";
import { command as wait } from "../../src/cli/wait.js";
import {
  type ContainerEvent,
  type Pod,
  type PodEvent,
  type PodInformer,
  PodsClient,
  PodsError,
  podMask,
} from "../../src/index.js";
import type { Environment } from "../../src/timing/clock.js";
import type { VirtualClock } from "../helpers/virtual-clock.js";
import { type Judge, LifeReaderJudge, PodReaderJudge, type ReaderKind } from "./judge.js";
import type { Node } from "./node.js";
import { bandOf } from "./shown-pod.js";

const LABELS = podMask("metadata.uid", "metadata.labels");
type Told = { readonly metadata: Pick<Pod["metadata"], "uid" | "labels"> };

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
  #client: PodsClient;
  #informer: PodInformer<Pod>;
  #readers: Reader[] = [];
  #podJudges: PodReaderJudge[] = [];
  #lifeJudges: LifeReaderJudge[] = [];
  /** What the informer's events have told, by which its reads are judged. */
  #view: PodReaderJudge;
  /** The wall clock at times that have been, by which lookups are asked. */
  readonly #times: { readonly ms: number; readonly wallMs: number }[] = [];
  #joinedMs = 0;
  #snapshot: readonly Pod[] = [];
  #isClosing = false;
  readonly #waits: Promise<void>[] = [];

  constructor(node: Node, clock: VirtualClock, judge: Judge, random: () => number) {
    this.#node = node;
    this.#clock = clock;
    this.#judge = judge;
    this.#environment = { clock, random };
    [this.#client, this.#informer, this.#view] = this.#start();
  }

  /** The agent ends, and begins anew. */
  async restart(): Promise<void> {
    await this.close();
    [this.#client, this.#informer, this.#view] = this.#start();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#client.close();
    await Promise.all(this.#waits.splice(0));
    this.#isClosing = false;
  }

  #start(): [PodsClient, PodInformer<Pod>, PodReaderJudge] {
    this.#joinedMs = this.#clock.now();
    this.#readers = [];
    this.#podJudges = [];
    this.#lifeJudges = [];
    const client = new PodsClient({ sources: [this.#node.teller] }, this.#environment);
    const informer = client.informer({ retainMs: 300_000 });
    this.#pods("watch", client.watchPods(), { isEager: true });
    this.#pods("watch of finished pods", client.watchPods({ includeFinished: true, mask: LABELS }), {
      isEager: true,
      includeFinished: true,
    });
    const selects = (version: number) => bandOf(version) !== 1;
    this.#pods("selective watch", client.watchPods({ mask: LABELS, labelSelector: "band notin (1)" }), {
      selects,
      isEager: true,
    });
    this.#pods("slow watch", client.watchPods({ mask: LABELS }), {});
    const view = this.#pods("informer", informer[Symbol.asyncIterator](), { isEager: true });
    this.#lives("containers", client.watchContainers({ mask: LABELS }), true);
    this.#lives("slow containers", client.watchContainers({ mask: LABELS }), false);
    this.#snapshots(informer);
    return [client, informer, view];
  }

  /** One more reader, in the midst of things. */
  join(): void {
    if (this.#readers.length > 10) return;
    this.#pods("late watch", this.#client.watchPods(), { isEager: true });
    this.#lives("late containers", this.#client.watchContainers({ mask: LABELS }), true);
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
    for (const judge of this.#podJudges) judge.check();
    this.#judge.checkLists(this.#joinedMs);
    for (const { ip } of this.#node.truth.leases.slice(-8)) {
      const found = this.#informer.find({ ip });
      const answer = found && { uid: found.pod.metadata.uid, certain: found.certain };
      this.#judge.found(ip, answer, { ms: this.#clock.now(), isPast: false });
      if (this.#informer.state.phase === "synced") this.#judge.held(ip, answer?.uid, this.#view.view);
    }
  }

  /** Asks who had an address at a time. */
  ask(random: () => number): void {
    const { leases } = this.#node.truth;
    const ip = leases[Math.floor(random() * leases.length)]?.ip;
    const nowMs = this.#clock.now();
    const then = this.#times.filter(({ ms }) => nowMs - ms < 280_000);
    const at = then[Math.floor(random() * then.length)];
    if (ip === undefined || at === undefined) return;
    const found = this.#informer.find({ ip }, { at: at.wallMs });
    this.#judge.found(ip, found && { uid: found.pod.metadata.uid, certain: found.certain }, {
      ms: at.ms,
      isPast: true,
    });
  }

  /** Waits for whoever has an address. */
  wait(ip: string): void {
    const startMs = this.#clock.now();
    const { truth } = this.#node;
    const told = this.#informer.waitFor({ ip }, { timeoutMs: 5_000 }).then(
      ({ pod: { metadata } }) => {
        const holders = truth.holders(ip, startMs - 20_000, this.#clock.now());
        if (!holders.has(metadata.uid))
          this.#judge.found(ip, { uid: metadata.uid, certain: true }, { ms: this.#clock.now(), isPast: false });
      },
      (error) => this.#refused("waitFor", error, ["deadline"]),
    );
    this.#waits.push(told);
  }

  /** Asks as programs do that ask once. */
  async call(): Promise<void> {
    try {
      const pods = await this.#client.listPods({ mask: LABELS });
      this.#judge.answered(new Set(pods.map(({ metadata: { uid } }) => uid)), "listPods()");
    } catch (error) {
      this.#refused("listPods", error, ["connection-refused", "initializing", "corrupt", "deadline"]);
    }
  }

  /** Asks as people do. What says that a pod is not there, and nothing else, says something untrue of one that runs. */
  async command(uid: string, ip: string | undefined): Promise<void> {
    const name = `ns/${this.#node.truth.pods.get(uid)?.name}`;
    const waiting = this.#console();
    const values = { timeout: "3s", for: "delete" };
    if ((await wait.run(values, waiting.console, [name])) === 0) this.#judge.gone(uid, `wait ${name} --for=delete`);
    for (const [command, word] of [
      [get, name],
      [find, ip ?? ""],
    ] as const) {
      if (word === "") continue;
      const { console, errors } = this.#console();
      const code = await command.run({ timeout: "3s" }, console, [word]);
      if (code === 1 && errors.length === 1 && /no pod/i.test(errors[0] ?? ""))
        this.#judge.answered(new Set(this.#judge.settled().filter((each) => each !== uid)), errors[0] ?? "");
    }
  }

  /** Looks at what all readers have, when all has been well for long. */
  async final(settle: () => Promise<void>): Promise<void> {
    for (const reader of this.#readers) reader.drain(Number.POSITIVE_INFINITY);
    await settle();
    for (const judge of [...this.#podJudges, ...this.#lifeJudges]) judge.final();
    const has = new Set(this.#informer.list().map(({ metadata: { uid } }) => uid));
    for (const [what, uids] of [
      ["told", [...this.#view.view.keys()]],
      ["gave in a snapshot", this.#snapshot.map(({ metadata: { uid } }) => uid)],
    ] as const) {
      if ([...has].sort().join() !== [...uids].sort().join())
        this.#judge.fail("reads", `the informer has ${[...has].join()}, and ${what} ${uids.join()}`);
    }
  }

  #pods(name: string, stream: AsyncIterator<PodEvent<Told>>, kind: ReaderKind): PodReaderJudge {
    const judge = new PodReaderJudge(this.#judge, name, kind);
    this.#podJudges.push(judge);
    const hear = (event: PodEvent<Told>) => {
      if (event.type === "SYNCED") {
        const { initial, count } = event;
        const { unreadable = [] } = event as { unreadable?: readonly string[] };
        judge.hear({ type: "SYNCED", initial, count, unreadable });
      } else if (event.type === "DISCONNECTED") judge.hear({ type: "DISCONNECTED" });
      else {
        const { uid, labels } = event.pod.metadata;
        judge.hear({
          type: event.type,
          uid,
          version: Number(labels["version"]),
          cause: event.type === "DELETED" ? event.cause : "",
        });
      }
    };
    this.#follow(name, stream, hear, kind.isEager === true);
    return judge;
  }

  #lives(name: string, stream: AsyncIterator<ContainerEvent<Told>>, isEager: boolean): void {
    const judge = new LifeReaderJudge(this.#judge, name, { isEager });
    this.#lifeJudges.push(judge);
    const hear = (event: ContainerEvent<Told>) => {
      if (event.type === "SYNCED" || event.type === "DISCONNECTED") return;
      const { uid } = event.pod.metadata;
      if (event.type === "MISSED") {
        const [from, to] = event.restartCounts;
        judge.hear({ type: "MISSED", uid, name: event.container.name, from, to });
      } else if (event.type === "STARTED") judge.hear({ type: "STARTED", uid, id: event.container.containerID });
      else {
        const { container, cause, exit } = event;
        judge.hear({ type: "ENDED", uid, id: container.containerID, cause, exitCode: exit?.exitCode });
      }
    };
    this.#follow(name, stream, hear, isEager);
  }

  /** Lists as they change: each is what reads give then. */
  #snapshots(informer: PodInformer<Pod>): void {
    const hear = (pods: readonly Pod[]) => {
      this.#snapshot = pods;
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

  #console(): { console: Console; errors: string[] } {
    const errors: string[] = [];
    const console: Console = {
      environment: this.#environment,
      sources: [this.#node.teller.another],
      colours: false,
      ended: () => new AbortController().signal,
      out: () => {},
      write: () => {},
      err: (text) => errors.push(text),
    };
    return { console, errors };
  }
}
