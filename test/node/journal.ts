// What happened on a node, in the order in which it was seen: what the kubelet sent, what the client told, what was done.

import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { dirname } from "node:path";

/** A pod, as far as judges look at it. */
export interface Brief {
  uid: string;
  name: string;
  phase: string;
  /** Of the file source. Its UID comes back with its manifest. */
  isStatic: boolean;
  /** In a final phase, and no container runs. */
  isFinished: boolean;
  ready: boolean;
  /** A word for each container: R(unning), T(erminated), W(aiting), with restart counts and reasons. */
  states: string;
}

/** The pods that a list or the first events of a stream showed. */
export interface ListLine {
  who: "raw";
  type: "LIST" | "BURST";
  pods: Brief[];
}

/** A message of the recorder's stream. */
export interface RawLine {
  who: "raw";
  type: "ADDED" | "MODIFIED" | "DELETED";
  pod: Brief;
}

/** The end of the recorder's stream, or a list that failed. */
interface EndLine {
  who: "raw";
  type: "END";
  why: string;
}

/** An event of one of the client's watches. */
export interface ToldLine {
  who: Consumer;
  type: "ADDED" | "MODIFIED" | "DELETED";
  cause?: string | undefined;
  pod: Brief;
}

/** A watch is synced, and what it has told of by then. */
export interface SyncedLine {
  who: Consumer;
  type: "SYNCED";
  initial: boolean;
  view: string[];
  unconfirmed: number;
}

interface DisconnectedLine {
  who: Consumer;
  type: "DISCONNECTED";
  code: string;
}

/** Something that can never be right: an event that contradicts those before. */
interface BugLine {
  who: Consumer;
  type: "BUG";
  what: string;
}

/** An event of watchContainers. */
export interface LifeLine {
  who: "lives";
  type: "STARTED" | "ENDED" | "MISSED";
  uid: string;
  pod: string;
  name: string;
  kind: string;
  id?: string | undefined;
  restartCount: number;
  initial?: boolean | undefined;
  cause?: string | undefined;
  exitCode?: number | undefined;
  /** The first and the last number of a range that was missed. */
  missed?: readonly [number, number] | undefined;
}

/** An event of the container runtime. */
export interface RuntimeLine {
  who: "runtime";
  type: "create" | "info" | "start" | "exit" | "oom" | "delete";
  id: string;
  /** By the runtime's own clock. */
  happenedMs?: number | undefined;
  exitCode?: number | undefined;
  /** Of `info`: `container` or `sandbox`. */
  kind?: string | undefined;
  uid?: string | undefined;
  pod?: string | undefined;
  name?: string | undefined;
}

interface NoteLine {
  who: "stage";
  type: "NOTE";
  text: string;
}

export type Consumer = "live" | "all" | "readiness" | "selected" | "informer" | "lives";

export type Line =
  | ListLine
  | RawLine
  | EndLine
  | ToldLine
  | SyncedLine
  | DisconnectedLine
  | BugLine
  | LifeLine
  | RuntimeLine
  | NoteLine;

/** A line with the time at which it was written. */
export type At<L extends Line = Line> = L extends Line ? L & { atMs: number } : never;

/** All lines, in memory for the judges and in a file for people. */
export class Journal {
  readonly lines: At[] = [];
  readonly #file: WriteStream;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#file = createWriteStream(path, { flags: "w" });
  }

  write(line: Line): void {
    const at = { atMs: Date.now(), ...line };
    this.lines.push(at);
    const { atMs, ...rest } = at;
    const shown = rest.type === "LIST" ? { ...rest, pods: rest.pods.length } : rest;
    this.#file.write(`${JSON.stringify({ at: new Date(atMs).toISOString().slice(11, 23), ...shown })}\n`);
  }

  close(): void {
    this.#file.end();
  }
}
