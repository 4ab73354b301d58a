// Plays inputs with a WatchCore, beside the specification, and finds the shortest inputs that show a difference.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PodsErrorCode } from "../../src/errors/error-code.js";
import { PodsError } from "../../src/errors/pods-error.js";
import type { SourceEvent } from "../../src/sources/pod-source.js";
import { WatchCore } from "../../src/stream/core.js";
import { seededRandom } from "../../src/testing/index.js";
import { root } from "../helpers/programs.js";
import { identityOf } from "./messages.js";
import { Recorder } from "./recorder.js";
import { Specification } from "./specification.js";
import type { Input, Received, Row } from "./trace.js";

/** An input with its time. The client's timer fires by itself. */
export interface Step {
  readonly ms: number;
  readonly wallMs: number;
  readonly input: Input;
}

/** A client without a shell: its streams are what the steps say. */
export class Client {
  readonly recorder: Recorder;
  readonly steps: Step[] = [];
  nowMs = 0;
  wallMs = 0;
  isConnected = false;
  list: "queued" | "sent" | undefined;

  constructor(seed: number) {
    this.recorder = new Recorder(new WatchCore(seededRandom(seed), () => this.wallMs));
  }

  get phase(): string {
    return this.recorder.core.phase;
  }

  /** Lets time pass, and fires the timer when it is due. Calls back after each. */
  advance(ms: number, fired: () => void = () => {}): void {
    const endMs = this.nowMs + ms;
    while (this.recorder.timerMs <= endMs) {
      this.#pass(this.recorder.timerMs - this.nowMs);
      this.recorder.step({ type: "timer" }, this.nowMs, this.wallMs);
      this.#note();
      fired();
    }
    this.#pass(endMs - this.nowMs);
  }

  #pass(ms: number): void {
    this.nowMs += Math.max(0, ms);
    this.wallMs += Math.max(0, ms);
  }

  /** Passes an input to the core if its streams allow it. */
  do(input: Input): void {
    if (!this.#isPossible(input)) return;
    this.steps.push({ ms: this.nowMs, wallMs: this.wallMs, input });
    const { recorder, nowMs, wallMs } = this;
    switch (input.do) {
      case "receive":
        if (input.message.type === "CONNECTED") this.isConnected = true;
        recorder.receive(sourceEventOf(input.message), nowMs, wallMs);
        break;
      case "sent":
        this.list = "sent";
        recorder.sent(nowMs, wallMs);
        break;
      case "bytes":
        recorder.step({ type: "bytes" }, nowMs, wallMs);
        break;
      case "listed":
        this.list = undefined;
        recorder.listed(input.pods, nowMs, wallMs);
        break;
      case "unlisted": {
        this.list = undefined;
        const error = input.code === undefined ? {} : { error: errorOf(input.code as PodsErrorCode) };
        recorder.step({ type: "unlisted", ...error }, nowMs, wallMs);
        break;
      }
      case "failed":
        recorder.step({ type: "failed", error: errorOf(input.code as PodsErrorCode) }, nowMs, wallMs);
        break;
      case "join":
        recorder.join(input.want, nowMs, wallMs);
        break;
      case "leave":
        recorder.leave(input.want.name, nowMs, wallMs);
        break;
      case "take":
        recorder.take(input.name, input.most, nowMs, wallMs);
        break;
      case "relist":
        recorder.step({ type: "relist", inMs: input.inMs }, nowMs, wallMs);
        break;
      case "socket":
        recorder.step({ type: "socket", replaced: input.replaced }, nowMs, wallMs);
        break;
      default:
        recorder.step({ type: input.do }, nowMs, wallMs);
    }
    this.#note();
  }

  #note(): void {
    const { opened, closed, listed } = this.recorder.rows.at(-1)?.requests ?? {};
    if (closed || opened !== undefined) {
      this.list = undefined;
      this.isConnected = false;
    }
    if (listed) this.list = "queued";
  }

  #isPossible(input: Input): boolean {
    const isOpen = ["opening", "burst", "live"].includes(this.phase);
    if (input.do === "sent") return this.list === "queued";
    if (input.do === "bytes" || input.do === "listed" || input.do === "unlisted") return this.list === "sent";
    if (input.do === "failed") return isOpen;
    if (input.do === "relist") return isOpen;
    if (input.do === "take") return this.recorder.readers.includes(input.name);
    if (input.do === "leave")
      return this.recorder.readers.length > 1 && this.recorder.readers.includes(input.want.name);
    if (input.do === "start") return this.recorder.readers.length > 0;
    if (input.do !== "receive") return true;
    return isOpen && (input.message.type === "CONNECTED" ? !this.isConnected : this.isConnected);
  }
}

/** Returns the event of a source. Without a shell, `list` is never called. */
function sourceEventOf(message: Received): SourceEvent {
  if (message.type !== "CONNECTED") return message;
  const { canList, ...connected } = message;
  return canList ? { ...connected, list: () => Promise.resolve(undefined) } : connected;
}

/** Plays steps with a new client. */
export function playSteps(seed: number, steps: readonly Step[]): Client {
  const client = new Client(seed);
  for (const { ms, wallMs, input } of steps) {
    client.advance(Math.max(0, ms - client.nowMs));
    client.wallMs = wallMs;
    client.do(input);
  }
  return client;
}

const errors = new Map<string, PodsError>();

function errorOf(code: PodsErrorCode): PodsError {
  const error = errors.get(code) ?? new PodsError({ code, message: "" });
  errors.set(code, error);
  return error;
}

export interface Difference {
  /** What differs, without names and numbers. */
  readonly kind: string;
  readonly row: number;
  readonly text: string;
}

/** Compares a trace with the specification. Returns the first difference, and adds the rules that have decided to `decided`. */
export function compare(
  rows: readonly Row[],
  isDueChecked = true,
  decided = new Set<string>(),
): Difference | undefined {
  const specification = new Specification(isDueChecked);
  for (const [i, row] of rows.entries()) {
    const { events, problem, rules } = specification.row(row);
    for (const rule of rules) decided.add(rule);
    const names = new Set([...events.keys(), ...row.events.keys()]);
    const differing = [...names].find((name) => events.get(name)?.join("\n") !== row.events.get(name)?.join("\n"));
    if (problem === undefined && differing === undefined) continue;
    const wanted = problem === undefined ? (events.get(differing ?? "") ?? []) : [problem];
    const is = problem === undefined ? (row.events.get(differing ?? "") ?? []) : [];
    const at = is.findIndex((text, n) => text !== wanted[n]);
    const n = at < 0 ? is.length : at;
    const [a, b] = [wanted[n] ?? "nothing", is[n] ?? "nothing"];
    const kind = problem?.replace(/\d+/g, "N") ?? `${wordOf(a)} | ${wordOf(b)}`;
    const cited = [...new Set([...(problem?.match(/^[A-Z]\d+/) ?? []), ...rules])].map(sentenceOf);
    const lines = [
      `row ${i}, reader ${differing}`,
      ...(problem === undefined
        ? [`specification: ${wanted.join("\n  ") || "nothing"}`, `client: ${is.join("\n  ") || "nothing"}`]
        : [problem]),
      ...cited,
    ];
    return { kind, row: i, text: lines.join("\n") };
  }
  return undefined;
}

const wordOf = (text: string): string => text.replace(/ \{.*/, "").replace(/\d+|u\w\w/g, "N");

let page: string | undefined;

/** Returns the words of docs/watch.md under a number. */
function sentenceOf(rule: string): string {
  page ??= readFileSync(join(root, "docs/watch.md"), "utf8");
  const lines = page.split("\n");
  const from = lines.findIndex((line) => line.includes(`**${rule}**`));
  const more = lines.slice(from + 1).findIndex((line) => !line.startsWith("  "));
  return lines.slice(from, from + 1 + more).join("\n");
}

/** Returns the shortest steps that still show a difference, and that difference. */
export function shorten(
  seed: number,
  steps: readonly Step[],
): { steps: readonly Step[]; difference: Difference } | undefined {
  const differs = (tried: readonly Step[]): Difference | undefined => {
    try {
      return compare(playSteps(seed, tried).recorder.rows);
    } catch {
      return undefined;
    }
  };
  let difference = differs(steps);
  if (difference === undefined) return undefined;
  let best = steps;
  const { kind } = difference;
  for (let size = best.length >> 1; size > 0; size >>= 1) {
    for (let from = 0; from < best.length; ) {
      const tried = [...best.slice(0, from), ...best.slice(from + size)];
      const shown = differs(tried);
      if (shown?.kind !== kind) from += size;
      else [best, difference] = [tried, shown];
    }
  }
  return { steps: best, difference };
}

/** Writes steps for people. */
export function describe(steps: readonly Step[]): string {
  return steps.map(({ ms, input }) => `  ${(ms / 1000).toFixed(3)} s  ${inputText(input)}`).join("\n");
}

function inputText(input: Input): string {
  if (input.do === "receive") return `receive ${messageText(input.message)}`;
  if (input.do === "listed")
    return `listed ${input.pods.map((pod) => messageText({ type: "ADDED", pod })).join("\n    ")}`;
  if (input.do === "join") {
    const { name, fields, includeFinished, isSlow, withoutBands } = input.want;
    const words = [
      includeFinished && "with finished pods",
      isSlow && "slow",
      withoutBands && `without bands ${withoutBands}`,
    ];
    return `join ${name}: ${fields?.join() ?? "all fields"} ${words.filter(Boolean).join(", ")}`;
  }
  if (input.do === "leave") return `leave ${input.want.name}`;
  return Object.values(input).join(" ");
}

function messageText(message: Received): string {
  if (!("pod" in message)) return JSON.stringify(message);
  return `${message.type} ${identityOf(message.pod).uid} ${describePod(message.pod)}`;
}

/** Set by the generator: what a message shows. */
export const described = new WeakMap<Uint8Array, string>();
const describePod = (pod: Uint8Array): string => described.get(pod) ?? `(${pod.length} bytes)`;
