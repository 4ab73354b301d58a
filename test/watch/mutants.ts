// npm run test:mutants: bugs that watches in the wild have, each put into a copy of the sources; the model must kill it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

const root = join(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "mutants-"));
after(() => rmSync(copy, { recursive: true, force: true }));
for (const part of ["src", "test", "package.json", "tsconfig.json"]) {
  cpSync(join(root, part), join(copy, part), { recursive: true, filter: (path) => !path.includes("interop") });
}
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

/** Whether the model finds something wrong with the copy. */
function killed(): boolean {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env; // a run of its own, not a part of this one
  const env = { ...inherited, PROPERTY_FACTOR: "1" };
  const args = ["--import", "tsx", "--test", "--test-timeout=60000", "test/watch/model.test.ts"];
  return spawnSync(process.execPath, args, { cwd: copy, env }).status !== 0;
}

const mutants: [bug: string, file: string, from: string, to: string][] = [
  [
    "the sync marker is ignored: each message of a burst is the whole list",
    "core.ts",
    "      this.ledger.stage(event.type, event.pod);\n",
    '      this.ledger.stage(event.type, event.pod);\n      return [{ type: "changes", changes: this.ledger.commit(0).changes }];\n',
  ],
  [
    "the cache is cleared on reconnect",
    "ledger.ts",
    "    if (!replaced) return;\n",
    "    this.#known.clear();\n    if (!replaced) return;\n",
  ],
  [
    "what a new list lacks is kept for ever",
    "ledger.ts",
    "for (const uid of absent) if (!held.has(uid)) gone.push(this.#drop(uid));",
    "",
  ],
  [
    "an empty list after a restart is believed",
    "ledger.ts",
    "this.#unkeyed ? absent : this.#judge(absent, nowMs)",
    "new Set<string>()",
  ],
  [
    "a live DELETED is ignored",
    "ledger.ts",
    'if (type === "DELETED") return this.#deleted(head);',
    'if (type === "DELETED") return NOTHING;',
  ],
  [
    "deleted pods come back by stale events",
    "ledger.ts",
    "if (this.#tombstones.has(uid) || known?.deleted) return NOTHING;",
    "",
  ],
  [
    "phase alone says that a pod is finished",
    "../pod/head.ts",
    '(phase === "Succeeded" || phase === "Failed") && !running',
    'phase === "Succeeded" || phase === "Failed"',
  ],
  [
    "DELETED and ADDED become MODIFIED",
    "queue.ts",
    'else if (slot.kind === "D" || slot.kind === "DA") this.#slots.set(POD + uid, { ...slot, kind: "DA", pod });',
    'else if (slot.kind === "D" || slot.kind === "DA") this.#slots.set(POD + uid, { kind: "M", pod });',
  ],
  [
    "a deletion takes a pending MODIFIED with it",
    "queue.ts",
    '    } else if (slot.kind === "M") {\n      this.#slots.set(POD + uid, { kind: "D", last, cause });',
    '    } else if (slot.kind === "M") {\n      this.#slots.delete(POD + uid);',
  ],
  [
    "equality is not checked",
    "consumer.ts",
    "if (sameContent(previous.bytes, entry.bytes, this.#plan, previous.epoch === entry.epoch)) {",
    "if (previous === entry) {",
  ],
  [
    "a consumer is told a pod of which less is known than it wants",
    "selection.ts",
    "    if (!this.#isEnough(entry.kept)) return undefined;\n",
    "",
  ],
  [
    "a pod that leaves the selection is never told as gone",
    "consumer.ts",
    'else if (selected === false) this.#queue.delete(uid, entry, "deselected", told);',
    "",
  ],
  [
    "a pod that was told is told on, whether it is asked for or not",
    "consumer.ts",
    "if (selected) this.#queue.put(uid, entry, told);",
    "if (selected || told) this.#queue.put(uid, entry, told);",
  ],
  ["no resync repairs what was dropped", "machine.ts", "timer: () => this.#replace(),", "timer: () => [],"],
  [
    "the old stream is applied until the new one's marker",
    "upstream.ts",
    "    if (this.#stream !== stream) return;\n",
    "",
  ],
];

test("the copy itself passes", () => assert.equal(killed(), false));

describe("bugs seen in the wild", () => {
  for (const [bug, file, from, to] of mutants) {
    test(bug, () => {
      const path = join(copy, "src/watch", file);
      const source = readFileSync(path, "utf8");
      assert.ok(source.includes(from), "the place is still there");
      writeFileSync(path, source.replace(from, to));
      try {
        assert.ok(killed(), "the model finds it");
      } finally {
        writeFileSync(path, source);
      }
    });
  }
});
