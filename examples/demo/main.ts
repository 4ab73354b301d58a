import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { PodsClient, podMask } from "kubelet-pods";
import { parsePods, ReferenceKubelet, sampleNode } from "kubelet-pods/testing";
import { MEASURED, maskCost } from "./mask-cost.js";
import { type NaiveView, watchNaively } from "./naive-watch.js";
import { FRESH_MS, nameOf, picture, type Row, type Scene } from "./picture.js";
import { LINE_MASK, podLine, table } from "./pod-line.js";
import { canDraw, Screen } from "./screen.js";
import { svgOf } from "./still.js";
import { play } from "./story.js";

const HELP = `usage: npm run demo -- [--pods FILE | --socket PATH] [--seconds N] [--still FILE]

Shows the pods of a node as they change, a kubelet outage, and what a simple
hand-written watch makes of it.

  --pods FILE    serve these pods, as kubectl get pods -A -o json prints them;
                 by default a sample
  --socket PATH  watch a real kubelet, without an outage
  --seconds N    duration; 30 by default
  --still FILE   write an SVG of the screen after the outage`;

const MASK = LINE_MASK.union(podMask("metadata.uid"));

/** Delay of the still after the end of the outage. */
const STILL_MS = 7_000;

/** Interval of the frames on a terminal, in milliseconds. */
const FRAME_MS = 100;

/** The state of the demo: the events of the client, and the pods of the hand-written watch. */
class Demo {
  readonly pods = new Map<string, Row>();
  readonly counts = { ADDED: 0, MODIFIED: 0, DELETED: 0 };
  readonly recent: string[] = [];
  readonly #naive: NaiveView;
  readonly #source: string;
  readonly #print: (line: string) => void;
  readonly #onRecovered: () => void;
  readonly #endMs: number;
  #listed = 0;
  #isSynced = false;
  #unconfirmed = 0;
  /** Pods whose DELETED was received. */
  readonly #gone = new Set<string>();
  #away: Scene["away"];
  outages = 0;
  /** Deletions without an event: an outage hid them, and the next list lacks the pod. */
  found = 0;

  constructor(source: string, naive: NaiveView, endMs: number, print: (line: string) => void, onRecovered: () => void) {
    this.#source = source;
    this.#naive = naive;
    this.#endMs = endMs;
    this.#print = print;
    this.#onRecovered = onRecovered;
  }

  async watch(client: PodsClient, signal: AbortSignal): Promise<void> {
    for await (const event of client.watchPods({ mask: MASK, signal })) {
      if (event.type === "SYNCED") {
        this.#listed = (await client.listPods({ mask: ["metadata.uid"], signal })).length;
        this.#away = undefined;
        this.#unconfirmed = event.unconfirmed.count;
        const missing = this.#unconfirmed > 0 ? `, ${this.#unconfirmed} unconfirmed` : "";
        this.#say(`SYNCED    ${event.count} pods${event.initial ? "" : " after the outage"}${missing}`);
        if (!event.initial) this.#onRecovered();
        this.#isSynced = true;
      } else if (event.type === "DISCONNECTED") {
        if (this.#away === undefined) this.outages++;
        this.#away = { reason: event.error.code, sinceMs: this.#away?.sinceMs ?? performance.now() };
        this.#say(`DISCONNECTED  ${event.error.code}; the known pods may be stale`);
      } else {
        const line = podLine(event.pod);
        const type = this.#isSynced ? event.type : undefined;
        this.pods.set(event.pod.metadata.uid, { line, type, atMs: performance.now() });
        if (type === undefined) continue;
        this.counts[type]++;
        const cause = event.type === "DELETED" ? event.cause : "";
        if (cause === "missing") this.found++;
        if (type === "DELETED") this.#gone.add(event.pod.metadata.uid);
        if (type === "DELETED" && this.#unconfirmed > 0) this.#unconfirmed--;
        const ready = line.ready === "yes" ? "ready" : "not ready";
        const state = type === "DELETED" ? cause : `${line.phase}, ${ready}, restarts ${line.restarts}`;
        this.#say(`${type.padEnd(8)}  ${nameOf(line)}  ${state}`);
      }
    }
  }

  #say(line: string): void {
    this.recent.push(line);
    this.#print(line);
  }

  /** Returns the scene. Deleted pods are shown for a moment longer. */
  scene(nowMs: number): Scene {
    for (const [uid, { type, atMs }] of this.pods) {
      if (type === "DELETED" && nowMs - atMs >= FRESH_MS) this.pods.delete(uid);
    }
    const ended = [...this.#naive].flatMap(([uid, name]) => (this.#gone.has(uid) ? [name] : []));
    const { pods, counts, recent } = this;
    return {
      source: this.#source,
      pods,
      listed: this.#listed,
      away: this.#away,
      isSynced: this.#isSynced,
      unconfirmed: this.#unconfirmed,
      counts,
      recent,
      naive: { size: this.#naive.size, ended },
      leftMs: this.#endMs - nowMs,
    };
  }
}

async function main(): Promise<void> {
  const { file, socket, seconds, still } = readArguments();
  const end = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => end.abort());
  // A reader that closes the pipe, such as `head`, ends the demo.
  process.stdout.on("error", () => end.abort());
  const kubelet = socket === undefined ? await startKubelet(file) : undefined;
  const socketPath = socket ?? kubelet?.socketPath ?? "";
  const screen = canDraw(process.stdout) ? new Screen(process.stdout) : undefined;
  const client = new PodsClient({ socketPath });
  const timer = setTimeout(() => end.abort(), seconds * 1_000);
  const source = kubelet === undefined ? `the kubelet on ${socketPath}` : "a reference kubelet of 1.37";
  try {
    const whole = await client.listPods({ signal: end.signal });
    if (screen === undefined) {
      const lines = whole.map(podLine).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
      console.log(`${source}: ${whole.length} pods\n\n${table(lines)}\n`);
    }
    const print = screen === undefined ? (line: string) => console.log(line) : () => {};
    const naive = watchNaively(socketPath, end.signal);
    const size = { columns: 88, rows: 40, colours: true };
    const drawn = () => picture(demo.scene(performance.now()), size, performance.now());
    const save = (path: string) =>
      writeFile(path, svgOf(drawn(), size.columns)).catch((error: Error) => {
        console.error(`--still: ${error.message}. Name a file that can be written`);
        process.exitCode = 1;
      });
    const writeStill = () => still !== undefined && setTimeout(save, STILL_MS, still);
    const demo = new Demo(source, naive, performance.now() + seconds * 1_000, print, writeStill);
    const draw = () => screen?.draw(picture(demo.scene(performance.now()), screen.size, performance.now()));
    const frames = setInterval(draw, FRAME_MS);
    let failure: unknown;
    if (kubelet !== undefined) {
      play(kubelet, seconds * 1_000, end.signal).catch((error: unknown) => {
        failure = error;
        end.abort();
      });
    }
    try {
      await demo.watch(client, end.signal);
    } catch (error) {
      if (error !== end.signal.reason) throw error;
    } finally {
      clearInterval(frames);
      screen?.close();
    }
    if (failure !== undefined) throw failure;
    await sum(demo, socketPath);
  } finally {
    clearTimeout(timer);
    end.abort();
    await client.close();
    await kubelet?.close();
  }
}

/** Prints a summary at the end: events, what the hand-written watch still has, and what masks save. */
async function sum(demo: Demo, socketPath: string): Promise<void> {
  const { ADDED, MODIFIED, DELETED } = demo.counts;
  const { naive } = demo.scene(performance.now());
  const outages = `${demo.outages} outage${demo.outages === 1 ? "" : "s"}`;
  console.log(`\n${ADDED} added, ${MODIFIED} modified, ${DELETED} deleted over ${outages}.`);
  if (demo.found > 0) console.log(`${demo.found} of the deleted pods ended during the outage, without an event.`);
  if (naive.ended.length > 0) {
    const some = naive.ended.length === 1 ? "1 deleted pod" : `${naive.ended.length} deleted pods`;
    console.log(`A hand-written watch still has ${some}:`);
    for (const name of naive.ended) console.log(`  ${name}`);
  }
  const { wholeMs, maskedMs } = await maskCost(socketPath);
  if (maskedMs > 0) {
    const ratio = Math.round(wholeMs / maskedMs);
    console.log(
      `\nDecoding ${MEASURED} such pods: ${wholeMs.toFixed(0)} ms whole, ${maskedMs.toFixed(0)} ms with a mask of five fields: about ${ratio} times less.`,
    );
  }
}

interface Arguments {
  readonly file: string | undefined;
  readonly socket: string | undefined;
  readonly seconds: number;
  readonly still: string | undefined;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      pods: { type: "string" },
      socket: { type: "string" },
      seconds: { type: "string", default: "30" },
      still: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    console.log(HELP);
    process.exit(0);
  }
  const seconds = Number(values.seconds);
  if (!(seconds > 0 && seconds <= 86_400)) throw new Error(`--seconds: not a number of seconds up to a day\n${HELP}`);
  if (values.pods !== undefined && values.socket !== undefined)
    throw new Error(`--pods and --socket: one of them\n${HELP}`);
  return { file: values.pods, socket: values.socket, seconds, still: values.still };
}

async function startKubelet(file: string | undefined): Promise<ReferenceKubelet> {
  const pods = file === undefined ? sampleNode() : await parsePods(await readFile(file, "utf8"));
  return ReferenceKubelet.start({ pods, allowUnknownKeys: true });
}

main().catch((error: Error & { code?: string }) => {
  console.error(error.code?.startsWith("ERR_PARSE_ARGS") ? `${error.message}\n${HELP}` : error.message);
  process.exitCode = 1;
});
