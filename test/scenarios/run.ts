// Plays a scenario on a kubelet and compares what is on the wire.

import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import type http2 from "node:http2";
import { setImmediate as turn } from "node:timers/promises";
import { endSession } from "../helpers/hostile.js";
import { pod, restarted } from "./pods.js";
import { openRaw, restartCounts } from "./raw-watch.js";
import { linesFor, type Player, type Scenario, type Step } from "./scenario.js";
import { Wire } from "./wire.js";

/** How long a message may take that must come: far longer than it does. */
const WAIT_MS = 10_000;

/** What stands at the end of a scenario: if it is the next that a watch is told, nothing else was. */
const SENTINEL = pod("sentinel", { uid: "zz-sentinel" });

export async function play(scenario: Scenario, player: Player): Promise<void> {
  await using wire = new Wire(player.socketPath);
  const stage = new Stage(player, wire);
  for (const [i, step] of scenario.steps.entries()) {
    await stage.step(step).catch((error: Error) => {
      error.message = `step ${i + 1}, ${JSON.stringify(step).slice(0, 200)}: ${error.message}`;
      throw error;
    });
  }
  await stage.end();
}

class Stage {
  readonly #player: Player;
  readonly #wire: Wire;
  #watch: AsyncGenerator<string> | undefined;
  #abort = new AbortController();

  constructor(player: Player, wire: Wire) {
    this.#player = player;
    this.#wire = wire;
  }

  async step(step: Step): Promise<void> {
    const player = this.#player;
    if ("do" in step) {
      const taken = await player.do(step.do);
      assert.equal(taken, step.refused !== true, "whether the kubelet takes it");
      if (step.told !== undefined) await this.#told(linesFor(step.told, player.version));
    } else if ("watch" in step) {
      this.#abort.abort();
      this.#abort = new AbortController();
      this.#watch = this.#wire.watch(step.headers, this.#abort.signal);
      await this.#told(linesFor(step.watch, player.version));
    } else if ("list" in step) {
      assert.deepEqual(await this.#wire.list(step.headers), linesFor(step.list, player.version));
    } else {
      const gives = linesFor(step.gives, player.version);
      if ("get" in step) assert.deepEqual(await this.#wire.get(step.get), gives);
      else if ("call" in step) assert.deepEqual(await this.#wire.call(step.call), gives);
      else if ("burst" in step) assert.deepEqual(await this.#burst(step.burst, step.connections), gives);
      else if ("watches" in step) assert.deepEqual(await this.#watches(step.watches, step.connections), gives);
      else if ("streams" in step) assert.deepEqual(await this.#streams(), gives);
      else if ("pings" in step) assert.deepEqual(await this.#pings(step.pings), gives);
      else if ("pingsWhileReading" in step) {
        assert.deepEqual(await this.#pingsWhileReading(step.pingsWhileReading), gives);
      } else assert.deepEqual(await this.#stalled(step.stalled), gives);
    }
  }

  async end(): Promise<void> {
    if (this.#watch !== undefined) {
      await this.#player.do({ op: "addPod", pod: SENTINEL });
      await this.#told(["ADDED sentinel Running Ready=True running #sentinel"]);
    }
    this.#abort.abort();
  }

  /** Exactly these are the next messages; the stream is over where one of them says so. */
  async #told(lines: readonly string[]): Promise<void> {
    const told: string[] = [];
    for (const _ of lines) {
      const line = await this.#next();
      told.push(line);
      if (isEnd(line)) {
        this.#watch = undefined;
        break;
      }
    }
    assert.deepEqual(told, lines);
  }

  async #next(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, WAIT_MS, `(nothing came within ${WAIT_MS} ms)`);
    });
    const next = this.#watch?.next().then(({ value }) => value ?? "(over)");
    const line = await Promise.race([next ?? "(no watch)", late]);
    clearTimeout(timer);
    return line;
  }

  async #burst(count: number, connections: number): Promise<string[]> {
    const wires = Array.from({ length: connections }, () => new Wire(this.#player.socketPath));
    const answers = await Promise.all(Array.from({ length: count }, (_, i) => wires[i % connections]?.get("nobody")));
    await Promise.all(wires.map((wire) => wire[Symbol.asyncDispose]()));
    return [...new Set(answers.flat().map((line) => line ?? ""))].sort();
  }

  async #watches(count: number, connections: number): Promise<string[]> {
    const wires = Array.from({ length: connections }, () => new Wire(this.#player.socketPath));
    const end = new AbortController();
    setMaxListeners(count, end.signal);
    const watches = Array.from({ length: count }, (_, i) => wires[i % connections]?.watch({}, end.signal));
    const first = await Promise.all(watches.map((watch) => watch?.next()));
    end.abort();
    await Promise.all(wires.map((wire) => wire[Symbol.asyncDispose]()));
    return [...new Set(first.map((each) => each?.value ?? ""))].sort();
  }

  async #streams(): Promise<string[]> {
    const { session, stream } = openRaw(this.#player.socketPath);
    await new Promise((resolve) => stream.once("data", resolve));
    const { maxConcurrentStreams = 0 } = session.remoteSettings;
    endSession(session);
    return [maxConcurrentStreams > 1_000_000 ? "no limit" : String(maxConcurrentStreams)];
  }

  async #pings(count: number): Promise<string[]> {
    const { session, stream } = openRaw(this.#player.socketPath);
    await new Promise((resolve) => stream.once("data", resolve));
    const goaway = new Promise<string>((resolve) => {
      session.once("goaway", (code: number, _last: number, data: Buffer) => resolve(`GOAWAY ${code} ${data}`));
    });
    for (let i = 0; i < count && !session.destroyed; i++) {
      await new Promise((resolve) => {
        session.once("close", resolve);
        if (!session.ping(resolve)) resolve(undefined);
      });
    }
    const alive = turn("(stays)");
    const told = await Promise.race([goaway, session.destroyed ? goaway : alive]);
    endSession(session);
    return [told];
  }

  async #pingsWhileReading(count: number): Promise<string[]> {
    const { session, stream } = openRaw(this.#player.socketPath);
    let told = "(stays)";
    session.once("goaway", (code: number, _last: number, data: Buffer) => {
      told = `GOAWAY ${code} ${data}`;
    });
    let pings = 0;
    let isAnswered = true;
    await new Promise<void>((resolve) => {
      session.once("close", resolve);
      stream.on("data", () => {
        if (!isAnswered) return;
        if (pings === count) return resolve();
        pings++;
        isAnswered = false;
        session.ping(() => {
          isAnswered = true;
        });
      });
    });
    endSession(session);
    return [`${pings} pings, ${told}`];
  }

  /** What a watcher gets that reads again after the events: how many in a row, and how it ends. */
  async #stalled(count: number): Promise<string[]> {
    const json = pod("busy");
    const { session, stream } = openRaw(this.#player.socketPath);
    await new Promise((resolve) => stream.once("readable", resolve)); // the marker; from here on nothing is read
    await this.#player.do({ op: "addPod", pod: json });
    for (let i = 1; i <= count; i++) {
      await this.#player.do({ op: "updatePod", pod: restarted(json, i) });
      if (i % 20 === 0) await turn();
    }
    let trailers: http2.IncomingHttpHeaders = {};
    stream.on("trailers", (headers: http2.IncomingHttpHeaders) => {
      trailers = headers;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    endSession(session);
    const counts = restartCounts(Buffer.concat(chunks));
    const first = counts[0] ?? 0;
    const gap = counts.find((value, i) => value !== first + i);
    const events = counts.length < 100 ? "too few" : counts.length < count ? "some" : "all";
    const message = decodeURIComponent(String(trailers["grpc-message"]));
    return [
      `${events}, ${gap === undefined ? "without a gap" : `a gap at ${gap}`}`,
      `${trailers["grpc-status"]}: ${message}`,
    ];
  }
}

function isEnd(line: string): boolean {
  return line.startsWith("(") || /^[A-Z][A-Za-z]*:/.test(line) || line === "OK";
}
