// What happened on a node, in the order in which it was seen: what the kubelet sent, what the runtime ran, what the API server and CNI had,
// what the client told and answered, what was done. A file of it is judged again by judge-file.ts.

import { createReadStream, createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import type { Contents } from "./content.js";

/** A container's status, as the kubelet sent it. */
export interface StatusBrief {
  name: string;
  id: string;
  count: number;
  /** R(unning), T(erminated) or W(aiting). */
  state: "R" | "T" | "W";
  reason: string;
  lastId: string;
}

/** A pod that the kubelet sent, as far as judges look at it. */
export interface Brief {
  uid: string;
  name: string;
  phase: string;
  /** Why the pod is in its phase, such as Evicted; empty without a reason. */
  reason: string;
  /** Of the file source. Its UID comes back with its manifest. */
  isStatic: boolean;
  isDeleting: boolean;
  /** Has the label judge=one, which one of the watches selects. */
  isSelected: boolean;
  /** Its own addresses; none on the host's network. */
  ips: string[];
  /** A word for each container: R, T or W, with restart counts and reasons. */
  states: string;
  statuses: StatusBrief[];
  contents: Contents;
}

/** A list. Only what has changed since the list before is in it. */
interface ListLine {
  who: "raw";
  type: "LIST";
  /** What was sent after that may be newer, although it was noted before. */
  askedMs?: number | undefined;
  set: Brief[];
  gone: string[];
}

/** The pods that a stream began with, all of them. */
interface BurstLine {
  who: "raw";
  type: "BURST";
  pods: Brief[];
}

/** A message of the recorder's stream. */
export interface RawLine {
  who: "raw";
  type: "ADDED" | "MODIFIED" | "DELETED";
  pod: Brief;
}

/** The end of the recorder's stream, or one that could not be had. */
interface EndLine {
  who: "raw";
  type: "END";
  why: string;
}

/** An event of one of the client's readers; what is polled is told as what has changed. */
export interface ToldLine {
  who: Consumer;
  type: "ADDED" | "MODIFIED" | "DELETED";
  uid: string;
  name: string;
  cause?: string | undefined;
  /** Of the pod that was told: `metadata.spec.status`. */
  content: string;
}

/** A watch is synced. */
interface SyncedLine {
  who: Consumer;
  type: "SYNCED";
  initial: boolean;
  count: number;
  unconfirmed: number;
}

interface DisconnectedLine {
  who: Consumer;
  type: "DISCONNECTED";
  code: string;
}

/** A reader has ended, or thrown. */
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
  id?: string | undefined;
  restartCount: number;
  initial?: boolean | undefined;
  cause?: string | undefined;
  exitCode?: number | undefined;
  reason?: string | undefined;
  /** The first and the last number of a range that was missed. */
  missed?: readonly [number, number] | undefined;
}

/** An event of the container runtime. TASKS: its events are heard again, and these containers run. */
export interface RuntimeLine {
  who: "runtime";
  type: "create" | "info" | "start" | "exit" | "oom" | "delete" | "TASKS";
  id: string;
  /** By the runtime's own clock. */
  happenedMs?: number | undefined;
  exitCode?: number | undefined;
  pid?: number | undefined;
  running?: string[] | undefined;
  /** Of `info`: `container` or `sandbox`. */
  kind?: string | undefined;
  uid?: string | undefined;
  pod?: string | undefined;
  name?: string | undefined;
}

/** A pod of the API server; LIST has the UIDs of all that are there when the watch begins anew. */
interface ApiLine {
  who: "api";
  type: "ADDED" | "MODIFIED" | "DELETED" | "LIST";
  uid: string;
  name?: string | undefined;
  /** Empty before it is given to a node. */
  node?: string | undefined;
  /** Whether it is the mirror of a static pod. */
  isMirror?: boolean | undefined;
  isDeleting?: boolean | undefined;
  phase?: string | undefined;
  uids?: string[] | undefined;
}

/** A file of the CNI plugin host-local: a sandbox has an address. */
interface LeaseLine {
  who: "cni";
  type: "HELD" | "FREE";
  ip: string;
  sandbox?: string | undefined;
  /** By the file's own time. */
  happenedMs?: number | undefined;
}

/** A question to an informer, or to processIdentity, and its answer. */
export interface LookupLine {
  who: "lookup";
  type: "find" | "byIP" | "byContainerID" | "waitFor" | "processIdentity";
  key: { ip?: string; containerID?: string; namespace?: string; name?: string; pid?: number };
  /** The time that was asked about; undefined for now. */
  at?: number | undefined;
  /** When it was asked. The line is written when the answer is there. */
  askedMs: number;
  /** Whether the informer was synced when it was asked. */
  isSynced: boolean;
  answer?: { uid?: string | undefined; containerID?: string | undefined; confidence?: string | undefined } | undefined;
  error?: string | undefined;
}

/** What the agent of the recipe for CNI helpers does. */
interface RulesLine {
  who: "rules";
  type: "MADE" | "REMOVED";
  uid: string;
  ip: string;
}

/** kubectl's tables and lists beside the command's. */
export interface KubectlLine {
  who: "kubectl";
  type: "TABLE" | "JSON";
  before: string;
  ours: string;
  after: string;
}

/** This process had no processor: what was to be read then waited. */
interface StarvedLine {
  who: "stage";
  type: "STARVED";
  fromMs: number;
  toMs: number;
}

interface NoteLine {
  who: "stage";
  type: "NOTE";
  text: string;
}

export const CONSUMERS = ["live", "all", "readiness", "selected", "informer", "list", "snapshots"] as const;
export type Consumer = (typeof CONSUMERS)[number];

export type Line =
  | ListLine
  | BurstLine
  | RawLine
  | EndLine
  | ToldLine
  | SyncedLine
  | DisconnectedLine
  | BugLine
  | LifeLine
  | { who: "lives"; type: "SYNCED" | "DISCONNECTED" | "BUG"; what?: string }
  | RuntimeLine
  | ApiLine
  | LeaseLine
  | LookupLine
  | RulesLine
  | KubectlLine
  | StarvedLine
  | NoteLine;

/** A line with the time at which it was written. */
export type At<L extends Line = Line> = L extends Line ? L & { atMs: number } : never;

/** All lines, in memory and in a file. */
export class Journal {
  readonly lines: At[] = [];
  /** Called with each line. */
  heard: (line: At) => void = () => {};
  readonly #file: WriteStream;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#file = createWriteStream(path, { flags: "w" });
  }

  write(line: Line): void {
    const at = { atMs: Date.now(), ...line } as At;
    this.lines.push(at);
    this.#file.write(`${JSON.stringify(at)}\n`);
    this.heard(at);
  }

  close(): void {
    this.#file.end();
  }
}

/** Reads a journal's file. */
export async function readJournal(path: string): Promise<At[]> {
  const lines: At[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) lines.push(JSON.parse(line) as At);
  return lines;
}
