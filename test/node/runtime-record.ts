// What the container runtime says of its containers, by its own client.

import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Journal } from "./journal.js";
import type { LiveNode } from "./live-node.js";

const TOPICS = {
  "/containers/create": "create",
  "/tasks/start": "start",
  "/tasks/exit": "exit",
  "/tasks/oom": "oom",
  "/containers/delete": "delete",
} as const;

/** How long `ctr events` takes until it listens. */
const LISTENS_MS = 500;

interface RuntimeEvent {
  id?: string;
  container_id?: string;
  exit_status?: number;
  pid?: number;
}

export class RuntimeRecord {
  readonly #node: LiveNode;
  readonly #journal: Journal;
  readonly #done: Promise<void>;
  #isOver = false;
  #end: () => unknown = () => {};

  constructor(node: LiveNode, journal: Journal) {
    this.#node = node;
    this.#journal = journal;
    this.#done = this.#follow();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#end();
    await this.#done;
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      const child = this.#node.runtime("events");
      // What ended while nobody listened runs no longer, and no event says so.
      setTimeout(() => void this.#tasks(), LISTENS_MS);
      // The driver may be a script: its children end with it. Without a number it has not begun, and 0 would be this group.
      this.#end = () => child.pid !== undefined && process.kill(-child.pid);
      for await (const line of createInterface({ input: child.stdout })) this.#take(line);
      await sleep(100);
    }
  }

  #take(line: string): void {
    const [, day, topic, json] = /^(\S+ \S+) \S+ \S+ \S+ (\/\S+) (\{.*\})/.exec(line) ?? [];
    const type = TOPICS[topic as keyof typeof TOPICS];
    if (type === undefined || day === undefined || json === undefined) return;
    const event = JSON.parse(json) as RuntimeEvent;
    // An exec in a container exits under its container's name, and an ID of its own.
    if (type === "exit" && event.id !== event.container_id) return;
    const id = event.container_id ?? event.id ?? "";
    const happenedMs = Date.parse(`${day.replace(" ", "T").slice(0, 23)}Z`);
    this.#journal.write({
      who: "runtime",
      type,
      id,
      happenedMs,
      ...(type === "exit" && { exitCode: event.exit_status ?? 0 }),
      ...(type === "start" && { pid: event.pid }),
    });
    if (type === "create") void this.#look(id);
  }

  async #tasks(): Promise<void> {
    const table = await this.#node.runtimeOutput("tasks", "ls").catch(() => undefined);
    if (table === undefined || this.#isOver) return;
    const running = [...table.matchAll(/^(\S+) +\d+ +RUNNING/gm)].map(([, id = ""]) => id);
    this.#journal.write({ who: "runtime", type: "TASKS", id: "", running });
  }

  async #look(id: string): Promise<void> {
    try {
      const { Labels } = JSON.parse(await this.#node.runtimeOutput("containers", "info", id)) as {
        Labels: Record<string, string>;
      };
      this.#journal.write({
        who: "runtime",
        type: "info",
        id,
        kind: Labels["io.cri-containerd.kind"],
        uid: Labels["io.kubernetes.pod.uid"],
        pod: `${Labels["io.kubernetes.pod.namespace"]}/${Labels["io.kubernetes.pod.name"]}`,
        name: Labels["io.kubernetes.container.name"],
      });
    } catch {
      // It has gone already: without its name nobody can say what it should have been told as.
    }
  }
}
