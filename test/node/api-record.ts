// What the API server has, by kubectl.

import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Journal } from "./journal.js";
import type { LiveNode } from "./live-node.js";

/** What is printed of each event. No tabs: kubectl makes columns of them, and holds lines back for it. */
const FIELDS = [
  ".type",
  ".object.metadata.uid",
  ".object.metadata.namespace",
  ".object.metadata.name",
  ".object.metadata.deletionTimestamp",
  ".object.metadata.annotations.kubernetes\\.io/config\\.mirror",
  ".object.spec.nodeName",
  ".object.status.phase",
];
const TEMPLATE = `jsonpath=${FIELDS.map((field) => `{${field}}{"|"}`).join("")}{"\\n"}`;

export class ApiRecord {
  readonly #node: LiveNode;
  readonly #journal: Journal;
  readonly #done: Promise<void>;
  #isOver = false;
  #end: () => void = () => {};

  constructor(node: LiveNode, journal: Journal) {
    this.#node = node;
    this.#journal = journal;
    this.#done = node.mode === "cluster" ? this.#follow() : Promise.resolve();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#end();
    await this.#done;
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      const uids = await this.#node
        .kubectl("get", "pods", "-A", "-o", "jsonpath={.items[*].metadata.uid}")
        .then((text) => text.split(" "))
        .catch(() => undefined);
      if (uids !== undefined) {
        this.#journal.write({ who: "api", type: "LIST", uid: "", uids });
        const child = this.#node.kubectlStream("get", "pods", "-A", "--watch", "--output-watch-events", "-o", TEMPLATE);
        this.#end = () => child.kill();
        for await (const line of createInterface({ input: child.stdout })) this.#take(line);
      }
      await sleep(300);
    }
  }

  #take(line: string): void {
    const [type, uid, namespace, name, deletionTimestamp, mirror, node, phase] = line.split("|");
    if (uid === undefined) return;
    this.#journal.write({
      who: "api",
      type: type as "ADDED" | "MODIFIED" | "DELETED",
      uid,
      name: `${namespace}/${name}`,
      node,
      isMirror: mirror !== "",
      isDeleting: deletionTimestamp !== "",
      phase,
    });
  }
}
