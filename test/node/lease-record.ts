// Who has which address, by the files of the CNI plugin host-local: one for each address, with the sandbox in it.

import { type FSWatcher, watch } from "node:fs";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Journal } from "./journal.js";

export class LeaseRecord {
  readonly #directory: string | null;
  readonly #journal: Journal;
  readonly #held = new Map<string, string>();
  #watcher: FSWatcher | undefined;

  private constructor(directory: string | null, journal: Journal) {
    this.#directory = directory;
    this.#journal = journal;
  }

  static async open(directory: string | null, journal: Journal): Promise<LeaseRecord> {
    const record = new LeaseRecord(directory, journal);
    if (directory !== null) {
      await mkdir(directory, { recursive: true });
      record.#watcher = watch(directory, (_, name) => void record.#look(name ?? ""));
      for (const name of await readdir(directory)) await record.#look(name);
    }
    return record;
  }

  close(): void {
    this.#watcher?.close();
  }

  async #look(ip: string): Promise<void> {
    if (isIP(ip) === 0) return;
    const path = join(this.#directory ?? "", ip);
    const [text, stats] = await Promise.all([readFile(path, "utf8"), stat(path)]).catch(() => []);
    // A file without content is one that is being written.
    const sandbox = text === undefined ? undefined : /^[0-9a-f]{64}/.exec(text)?.[0];
    const before = this.#held.get(ip);
    if (sandbox === before) return;
    if (sandbox === undefined) {
      this.#held.delete(ip);
      this.#journal.write({ who: "cni", type: "FREE", ip });
    } else {
      this.#held.set(ip, sandbox);
      this.#journal.write({ who: "cni", type: "HELD", ip, sandbox, happenedMs: stats?.mtimeMs });
    }
  }
}
