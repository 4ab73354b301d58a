// Random lives of a node through the pure core alone: machine, ledger, queues, without a promise or a timer.

import assert from "node:assert/strict";
import { PodsError } from "../../src/errors/pods-error.js";
import type { LogEntry } from "../../src/known/log.js";
import { podMask } from "../../src/pod/mask.js";
import type { SourceEvent } from "../../src/sources/pod-source.js";
import { WatchCore } from "../../src/stream/core.js";
import type { Effect } from "../../src/stream/effect.js";
import { seededRandom } from "../../src/testing/index.js";
import { isStatic, LAST, Reader, UIDS } from "./model-reader.js";
import { ModelServer } from "./model-server.js";

const LABELS = podMask("metadata.uid", "metadata.labels");
/** What readers want of each pod: versions are labels. */
const MASKS = [undefined, undefined, LABELS, LABELS.union(podMask("metadata.namespace", "status.phase"))];

/** What a shell does, at once. */
class Driver {
  readonly server: ModelServer;
  readonly readers: Reader[] = [];
  readonly #core: WatchCore;
  readonly #random: () => number;
  /** Readers that wait for more of each pod than is known. */
  readonly #pending = new Set<Reader>();
  #lost: PodsError | undefined;
  #isSynced = false;
  #nowMs = 0;
  #timerMs = Number.POSITIVE_INFINITY;
  #stream: Generator<SourceEvent | undefined, void, undefined> | undefined;
  #connectedTo: string | undefined;

  constructor(random: () => number) {
    this.server = new ModelServer({ sameFile: random() < 0.3, withoutStamps: random() < 0.2 });
    this.#core = new WatchCore(random, () => Number.POSITIVE_INFINITY);
    this.#random = random;
    this.join();
    this.#do(this.#core.step({ type: "start" }, 0));
  }

  get timers(): number {
    return this.#timerMs === Number.POSITIVE_INFINITY ? 0 : 1;
  }

  /** One more reader, at any moment: also within a burst, and with more of each pod than the stream was asked for. */
  join(): void {
    const mask = MASKS[Math.floor(this.#random() * MASKS.length)];
    const reader = new Reader(this.server, mask, { includeFinished: this.readers.length === 2 });
    this.readers.push(reader);
    const { listener } = reader;
    const effects = this.#core.want(listener, this.#nowMs);
    if (this.#core.knows(listener.mask)) this.#introduce(reader);
    else this.#pending.add(reader);
    if (this.#lost !== undefined) listener.reader.accept({ type: "lost", error: this.#lost });
    this.#do(effects);
  }

  leave(): void {
    const reader = this.readers.pop();
    if (reader === undefined) return;
    this.#pending.delete(reader);
    this.#do(this.#core.unwant(reader.listener, this.#nowMs));
  }

  stop(): void {
    this.#do(this.#core.step({ type: "stop" }, this.#nowMs));
  }

  /** Another socket lies at the path. */
  socketChanged(): void {
    const { phase } = this.#core;
    const replaced = this.server.server() !== this.#connectedTo;
    if (phase === "waiting" || (phase === "live" && replaced))
      this.#do(this.#core.step({ type: "socket", replaced }, this.#nowMs));
  }

  /** Reads so many messages, as far as there are. */
  deliver(most = Number.POSITIVE_INFINITY): void {
    for (let i = 0; i < most && this.#stream !== undefined; i++) {
      try {
        const { value } = this.#stream.next();
        if (value === undefined) return;
        if (value.type === "CONNECTED") this.#connectedTo = value.server;
        this.#do(this.#core.receive(value, this.#nowMs, this.#nowMs));
      } catch (error) {
        if (!PodsError.is(error)) throw error;
        this.#do(this.#core.step({ type: "failed", error }, this.#nowMs));
      }
    }
  }

  /** A list beside the stream, whose events may come before the answer. */
  #list(): void {
    const stream = this.#stream;
    this.#do(this.#core.sent(this.#nowMs, this.#nowMs));
    const answer = this.server.answer();
    if (this.#random() < 0.5) this.deliver(1 + Math.floor(this.#random() * 5));
    if (stream !== this.#stream || stream === undefined) return;
    if (PodsError.is(answer)) this.#do(this.#core.step({ type: "unlisted", error: answer }, this.#nowMs));
    else this.#do(this.#core.listed(answer, this.#nowMs));
  }

  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      this.deliver();
      if (this.#timerMs > endMs) break;
      this.#nowMs = this.#timerMs;
      this.#timerMs = Number.POSITIVE_INFINITY;
      this.#do(this.#core.step({ type: "timer" }, this.#nowMs));
    }
    this.#nowMs = endMs;
  }

  #do(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.type === "open") {
        this.#stream = this.server.messages();
      } else if (effect.type === "list") this.#list();
      else if (effect.type === "close") {
        this.#stream?.return();
        this.#stream = undefined;
      } else if (effect.type === "timer") {
        this.#timerMs = effect.delayMs === undefined ? Number.POSITIVE_INFINITY : this.#nowMs + effect.delayMs;
      } else if (effect.type === "fatal") throw effect.error;
      else if (effect.type !== "begin") this.#log(effect);
    }
    if (!effects.some(({ type }) => type === "listed")) return;
    for (const reader of this.#pending) {
      if (!this.#core.knows(reader.listener.mask)) continue;
      this.#pending.delete(reader);
      this.#introduce(reader);
    }
  }

  /** Gives a reader what is known, and whether that is all there is. */
  #introduce({ listener: { reader } }: Reader): void {
    reader.begin(this.#core.ledger);
    if (this.#isSynced) reader.accept({ type: "synced" });
  }

  #log(entry: LogEntry): void {
    if (entry.type === "synced") this.#lost = undefined;
    else if (entry.type === "lost") this.#lost = entry.error;
    if (entry.type === "synced" || entry.type === "lost") this.#isSynced = entry.type === "synced";
    for (const reader of this.readers) {
      if (entry.type === "lost" || !this.#pending.has(reader)) reader.listener.reader.accept(entry);
    }
  }
}

/** Something happens; which thing is a draw from 0 to 1. */
function step(driver: Driver, random: () => number): void {
  const { server, readers } = driver;
  const draw = Math.floor(random() * 44);
  const uid = UIDS[Math.floor(random() * UIDS.length)] ?? "";
  if (draw < 4) server.add(uid, isStatic(uid));
  else if (draw < 8) server.modify(uid);
  else if (draw < 9) server.modify(uid, true);
  else if (draw < 10) server.evict(uid);
  else if (draw < 12) server.finish(uid);
  else if (draw < 14) server.remove(uid);
  else if (draw < 15) server.repeat(uid);
  else if (draw < 21) driver.deliver(1 + Math.floor(random() * 20));
  else if (draw < 22) server.swap();
  else if (draw < 23) server.cut();
  else if (draw < 25) server.isUp ? server.kill() : start(driver, random);
  else if (draw < 26) server.ready();
  else if (draw < 27) server.unknown();
  else if (draw < 28) random() < 0.7 ? server.dropSilently(1 + Math.floor(random() * 3)) : damage(server, random);
  else if (draw < 29) readers.length < 4 ? driver.join() : driver.leave();
  else if (draw < 30) for (let i = 0; i < 120; i++) server.modify(uid);
  else if (draw < 35) readers[Math.floor(random() * readers.length)]?.drain(1 + Math.floor(random() * 6));
  else if (draw < 36) server.complete(uid);
  else if (draw < 37) server.rerun(uid);
  else if (draw < 38) server.withdraw(uid);
  else if (draw < 39) server.apiBack();
  else for (const ms of server.passing([10, 500, 3_000, 31_000, 150_000][draw - 39] ?? 0)) driver.advance(ms);
  for (const reader of readers) reader.checkBound(server.pods.size + UIDS.length);
}

function damage(server: ModelServer, random: () => number): void {
  server.damage((["tail", "all", "body", "uid"] as const)[Math.floor(random() * 4)] ?? "all");
}

function start(driver: Driver, random: () => number): void {
  const early = random() < 0.5;
  const unread = early ? UIDS.filter(() => random() < 0.5) : [];
  driver.server.start({ initializing: !early && random() < 0.5, unread, apiAway: random() < 0.3 });
  driver.socketChanged();
}

/** Lives through one schedule, which its number says. Returns how many steps it had. @throws AssertionError */
export function runSchedule(schedule: number): number {
  const random = seededRandom(schedule);
  const driver = new Driver(random);
  const { server, readers } = driver;
  const steps = 10 + Math.floor(random() * 50);
  for (let i = 0; i < steps; i++) step(driver, random);
  if (!server.isUp) start(driver, () => 1);
  server.ready();
  // A source that is wholly missing stays unconfirmed for hours: there is a pod of each.
  for (const uid of LAST) server.add(uid, isStatic(uid));
  for (const ms of server.passing(600_000)) driver.advance(ms);
  for (const reader of readers) {
    reader.drain();
    assert.ok(reader.synced, "synced");
    assert.deepEqual([...reader.view].sort(), reader.wanted().sort(), "the view is what the server has");
  }
  driver.stop();
  assert.deepEqual([server.streams, driver.timers], [0, 0], "nothing is left");
  return steps;
}

/** The number of a seed's schedule. */
export function scheduleOf(seed: number, nth: number): number {
  return seed * 0x9e3779b1 + nth;
}
