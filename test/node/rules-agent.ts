// The agent of the recipe for CNI helpers on a node. Its rules outlive it: it ends and begins anew each minute. What it does is noted.

import { keepRules, RULES_MASK, type Rule } from "../../examples/cni-rules/agent.js";
import { PodsClient } from "../../src/index.js";
import type { Journal } from "./journal.js";

/** For how long each of them runs. */
const LIFE_MS = 60_000;

export class RulesAgent {
  readonly #socketPath: string;
  readonly #journal: Journal;
  readonly #kept = new Map<string, Rule>();
  readonly #timer: NodeJS.Timeout;
  #client: PodsClient;

  constructor(socketPath: string, journal: Journal) {
    this.#socketPath = socketPath;
    this.#journal = journal;
    this.#client = this.#begin();
    this.#timer = setInterval(() => {
      void this.#client.close();
      this.#client = this.#begin();
    }, LIFE_MS);
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#client.close();
  }

  #begin(): PodsClient {
    const client = new PodsClient({ socketPath: this.#socketPath });
    const kept = this.#kept;
    const rules = {
      list: () => kept.values(),
      add: (rule: Rule) => {
        const name = `${rule.uid} ${rule.ip}`;
        if (!kept.has(name)) this.#journal.write({ who: "rules", type: "MADE", ...rule });
        kept.set(name, rule);
      },
      remove: (rule: Rule) => {
        kept.delete(`${rule.uid} ${rule.ip}`);
        this.#journal.write({ who: "rules", type: "REMOVED", ...rule });
      },
    };
    // It ends when its client does.
    keepRules(client.informer({ mask: RULES_MASK }) as never, rules).catch(() => {});
    return client;
  }
}
