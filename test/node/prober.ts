// Asks an informer who has a key, now and then, and notes the answers: addresses that CNI gives out, containers that the runtime starts, names
// that the API server has, and the processes of containers.

import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Pod, type PodInformer, type PodKey, PodsError, processIdentity } from "../../src/index.js";
import { BOUNDS } from "./bounds.js";
import type { At, Journal, LookupLine } from "./journal.js";

/** How many questions wait at a time. */
const MAX_WAITS = 50;

/** Between two rounds of questions. */
const ROUND_MS = 500;
/** How many of the newest keys are asked for at all. */
const MAX_KEYS = 100;
/** How many keys are asked for in a round. */
const ROUND = 6;
/** How far back a question with `at` goes. */
const PAST_MS = 100_000;

type Asked = Omit<LookupLine, "who" | "askedMs" | "isSynced" | "answer" | "error">;

export class Prober {
  readonly #informer: PodInformer<Pod>;
  readonly #journal: Journal;
  readonly #stop = new AbortController();
  readonly #keys: LookupLine["key"][] = [];
  readonly #done: Promise<void>;
  #waits = 0;

  constructor(informer: PodInformer<Pod>, journal: Journal) {
    this.#informer = informer;
    this.#journal = journal;
    journal.heard = (line) => this.#take(line);
    this.#done = this.#ask();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #ask(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      for (let i = 0; i < ROUND; i++) this.#askAbout(this.#keys[random(this.#keys.length)]);
      await sleep(ROUND_MS);
    }
  }

  /** New keys come from what others have noted, and never from the client. */
  #take(line: At): void {
    if (line.who === "cni" && line.type === "HELD") this.#learn({ ip: line.ip });
    if (line.who === "api" && line.type === "ADDED" && line.isMirror !== true) {
      const [namespace = "", name = ""] = line.name?.split("/") ?? [];
      this.#learn({ namespace, name });
    }
    if (line.who !== "runtime") return;
    if (line.type === "info" && line.kind === "container") this.#learn({ containerID: line.id });
    const { pid } = line;
    if (pid !== undefined) void this.#note({ type: "processIdentity", key: { pid } }, () => processOf(pid));
  }

  #learn(key: LookupLine["key"]): void {
    this.#keys.push(key);
    if (this.#keys.length > MAX_KEYS) this.#keys.shift();
    if (this.#waits >= MAX_WAITS) return;
    this.#waits++;
    const at = key.ip !== undefined && Math.random() < 0.5 ? Date.now() : undefined;
    const options = { timeoutMs: BOUNDS.waitFor, signal: this.#stop.signal, at };
    const asked = { type: "waitFor", key, at } as const;
    void this.#note(asked, async () => answerOf(await this.#informer.waitFor(key as PodKey, options))).finally(() => {
      this.#waits--;
    });
  }

  #askAbout(key: LookupLine["key"] | undefined): void {
    if (key === undefined) return;
    const { ip, containerID } = key;
    const at = Math.random() < 0.7 ? Date.now() - random(PAST_MS) : undefined;
    void this.#note({ type: "find", key, at }, () => answerOf(this.#informer.find(key as PodKey, { at })));
    if (ip !== undefined) void this.#note({ type: "byIP", key }, () => podOf(this.#informer.get({ ip })));
    if (containerID !== undefined)
      void this.#note({ type: "byContainerID", key }, () => podOf(this.#informer.get({ containerID })));
  }

  async #note(asked: Asked, ask: () => LookupLine["answer"] | Promise<LookupLine["answer"]>): Promise<void> {
    const about = { who: "lookup" as const, askedMs: Date.now(), isSynced: this.#informer.state.phase === "synced" };
    try {
      this.#journal.write({ ...about, ...asked, answer: await ask() });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const code = error instanceof PodsError ? error.code : String(error);
      this.#journal.write({ ...about, ...asked, error: code });
    }
  }
}

function answerOf({ pod, container, confidence }: Answer<Pod>): LookupLine["answer"] {
  return { uid: pod?.metadata.uid, containerID: container?.containerID, confidence };
}

function podOf(pod: Pod | undefined): LookupLine["answer"] {
  return pod && { uid: pod.metadata.uid };
}

async function processOf(pid: number): Promise<LookupLine["answer"]> {
  const cgroup = (await processIdentity(pid))?.cgroup;
  return cgroup && { uid: cgroup.uid, containerID: cgroup.containerID };
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}
