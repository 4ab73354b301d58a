import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { forkModule } from "../helpers/programs.js";
import type { AgentOrder, Said } from "./agent.js";

/** Two agents with one journal at a time, each killed at a random moment and started again. */
export class KilledAgents {
  /** The exit code of each run whose end an agent has taken, by container ID. */
  readonly iterated = new Map<string, number | undefined>();
  spawned = 0;
  kills = 0;
  readonly #order: AgentOrder;
  readonly #random: () => number;
  readonly #agents = new Set<ChildProcess>();
  /** The number of the latest agent that has written what it was shown. */
  #syncedOf = -1;
  #isOver = false;
  #wake = () => {};

  constructor(order: AgentOrder, random: () => number) {
    this.#order = order;
    this.#random = random;
    this.#start();
    this.#start();
  }

  /** Resolves once an agent that starts from now on has written what it was shown. */
  shown(): Promise<void> {
    const since = this.spawned;
    return this.#until(() => this.#syncedOf >= since);
  }

  /** Kills both, and lets a last agent take all of these ends. */
  async finish(ids: () => Iterable<string>): Promise<void> {
    this.#isOver = true;
    await this.end();
    this.#start();
    await this.#until(() => [...ids()].every((id) => this.iterated.has(id)));
  }

  /** Kills all, and resolves when they have ended. */
  async end(): Promise<void> {
    const dying = [...this.#agents].map((agent) => once(agent, "exit"));
    this.kill();
    await Promise.all(dying);
  }

  kill(): void {
    this.#isOver = true;
    for (const agent of this.#agents) agent.kill("SIGKILL");
  }

  #start(): void {
    const number = this.spawned++;
    const agent = forkModule(import.meta, "agent", { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#agents.add(agent);
    const kill = () => {
      this.kills += agent.kill("SIGKILL") ? 1 : 0;
    };
    const [isEarly, earlyMs] = [this.#random() < 0.3, this.#random() * 600]; // perhaps before it is synced
    agent.on("message", (said: Said) => {
      if (said.type === "end") this.iterated.set(said.id, said.exitCode);
      else {
        this.#syncedOf = Math.max(this.#syncedOf, number);
        if (!this.#isOver) setTimeout(kill, this.#random() * 150);
      }
      this.#wake();
    });
    if (isEarly && !this.#isOver) setTimeout(kill, earlyMs);
    agent.once("exit", () => {
      this.#agents.delete(agent);
      if (!this.#isOver) this.#start();
    });
    agent.send({ ...this.#order, seed: number });
  }

  async #until(is: () => boolean): Promise<void> {
    while (!is())
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }
}
