// npm run oracle                                    40 lives against the digest in digest.json
// npm run oracle -- --update                        records the digest anew; the commit says why
// npm run oracle -- --lives 300 --out FILE          every observation, as JSON lines
// npm run oracle -- --lives 300 --against FILE      compares with such a file, per reader
//
// Shows whether anything observable has changed: plays lives of the adversary, and notes every event of every reader and every answer with
// its virtual time. It does not say what is right; the adversary's judge does.

import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { live, stepsOf } from "../adversary/life.js";
import { root } from "../helpers/programs.js";

/** What was observed in a life: the lines of each stream, in their order. */
type Streams = Map<string, string[]>;
/** A hash for each reader of each life. */
type Digest = Record<string, Record<string, string>>;

const DIGEST = join(root, "test/oracle/digest.json");
const LETTERS = 10;

const { values } = parseArgs({
  options: {
    lives: { type: "string", default: "40" },
    from: { type: "string", default: "1" },
    out: { type: "string" },
    against: { type: "string" },
    update: { type: "boolean" },
  },
});
const first = Number(values.from);
const last = first + Number(values.lives) - 1;

/** The lives of one thread, each a message to the main one. */
async function observeIn({ from, step }: { from: number; step: number }): Promise<void> {
  Error.stackTraceLimit = 0; // each outage is an error, whose stack is not used
  for (let life = from; life <= last; life += step) parentPort?.postMessage([life, await observed(life)]);
}

/** The fewest lives for which a second thread saves more than it takes to start. */
const MANY = 100;

/** Yields what was observed in each life, in their order. Of many lives a thread for each core lives through every n-th. */
async function* observedLives(): AsyncGenerator<[life: number, streams: Streams]> {
  if (last - first < MANY) {
    Error.stackTraceLimit = 0;
    for (let life = first; life <= last; life++) yield [life, await observed(life)];
    return;
  }
  const step = availableParallelism();
  const done = new Map<number, Streams>();
  let notify = () => {};
  let failed: Error | undefined;
  for (let nth = 0; nth < step; nth++) {
    const worker = new Worker(import.meta.filename, {
      argv: process.argv.slice(2),
      workerData: { from: first + nth, step },
    });
    worker.on("message", ([life, streams]: [number, Streams]) => {
      done.set(life, streams);
      notify();
    });
    worker.on("error", (error) => {
      failed = error;
      notify();
    });
  }
  for (let life = first; life <= last; life++) {
    while (!done.has(life)) {
      if (failed !== undefined) throw failed;
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
    yield [life, done.get(life) as Streams];
    done.delete(life);
  }
}

async function observed(life: number): Promise<Streams> {
  const streams: Streams = new Map();
  const answers = new Map<string, string>();
  await live(stepsOf(life), life, (stream, ms, observation, question) => {
    const text = JSON.stringify(observation);
    if (question !== undefined) {
      const key = `${stream} ${question}`;
      if (answers.get(key) === text) return;
      answers.set(key, text);
    }
    const lines = streams.get(stream) ?? [];
    streams.set(stream, lines);
    lines.push(`[${Math.round(ms * 1_000) / 1_000},${text}]`);
  });
  return streams;
}

/** The streams of a reader over all agents of a life have one hash. */
function digestOf(streams: Streams): Record<string, string> {
  const hashes = new Map<string, Hash>();
  for (const [stream, lines] of [...streams].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const reader = stream.slice(stream.indexOf(" ") + 1);
    const hash = hashes.get(reader) ?? createHash("sha256");
    hashes.set(reader, hash.update(`${stream}\n${lines.join("\n")}\n`));
  }
  return Object.fromEntries([...hashes].map(([reader, hash]) => [reader, hash.digest("hex").slice(0, LETTERS)]));
}

/** Reads a file that --out has written. */
async function recorded(file: string): Promise<Map<number, Streams>> {
  const lives = new Map<number, Streams>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    // `[1,"2 watch",[45000,{...}]]`: the observation is compared as text.
    const [, life = "", stream = "", observation = ""] = /^\[(\d+),"([^"]*)",(.*)\]$/.exec(line) ?? [];
    const streams = lives.get(Number(life)) ?? new Map();
    lives.set(Number(life), streams);
    const lines = streams.get(stream) ?? [];
    streams.set(stream, lines);
    lines.push(observation);
  }
  return lives;
}

/** Returns where the streams of a life differ. */
function compared(life: number, was: Streams, is: Streams): string[] {
  const differences: string[] = [];
  for (const stream of new Set([...was.keys(), ...is.keys()])) {
    const [a = [], b = []] = [was.get(stream), is.get(stream)];
    const at = a.findIndex((line, i) => line !== b[i]);
    if (at < 0 && a.length === b.length) continue;
    const place = at < 0 ? a.length : at;
    differences.push(`life ${life}: ${stream}, line ${place + 1}\n  was ${a[place] ?? "-"}\n  is  ${b[place] ?? "-"}`);
  }
  return differences;
}

/** A line for each life, so that a difference is a line in git. */
function written(lives: Digest): string {
  return `{\n${Object.entries(lives)
    .map(([life, each]) => `"${life}": ${JSON.stringify(each)}`)
    .join(",\n")}\n}\n`;
}

async function main(): Promise<void> {
  const startMs = performance.now();
  let lines = 0;
  const differences: string[] = [];
  const digest: Digest = {};
  const expected: Digest = JSON.parse(readFileSync(DIGEST, "utf8"));
  const before = values.against === undefined ? undefined : await recorded(values.against);
  const out = values.out === undefined ? undefined : createWriteStream(values.out);
  for await (const [life, streams] of observedLives()) {
    for (const [stream, observations] of streams) {
      lines += observations.length;
      for (const text of observations) out?.write(`[${life},${JSON.stringify(stream)},${text}]\n`);
    }
    const own = digestOf(streams);
    digest[life] = own;
    if (before !== undefined) differences.push(...compared(life, before.get(life) ?? new Map(), streams));
    else if (out === undefined && values.update !== true)
      for (const reader of new Set([...Object.keys(own), ...Object.keys(expected[life] ?? {})]))
        if (own[reader] !== expected[life]?.[reader]) differences.push(`life ${life}: ${reader}`);
  }
  if (values.update === true) writeFileSync(DIGEST, written(digest));
  if (out !== undefined) await new Promise<void>((resolve) => out.end(resolve));

  for (const difference of differences.slice(0, 20)) console.log(difference);
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  console.log(`${lines} observations of ${last - first + 1} lives in ${seconds} s: ${differences.length} differences`);
  if (differences.length > 0) {
    console.log("npm run oracle -- --out FILE on the commit before, and --against FILE here, show what differs.");
    process.exitCode = 1;
  }
}

await (isMainThread ? main() : observeIn(workerData));
