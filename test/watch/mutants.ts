// npm run test:mutants: bugs that watches in the wild have, and that findings have shown. Each is put into a copy of the sources,
// and a fixed test must find it there: not the model, which finds them by chance.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { root } from "../helpers/programs.js";

const copy = mkdtempSync(join(tmpdir(), "mutants-"));
after(() => rmSync(copy, { recursive: true, force: true }));
for (const part of ["src", "test", "package.json", "tsconfig.json"]) {
  cpSync(join(root, part), join(copy, part), { recursive: true, filter: (path) => !path.includes("interop") });
}
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

/** Returns whether some tests find something wrong with the copy. */
function killed(...files: string[]): boolean {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env; // a run of its own, not a part of this one
  const args = ["--import", "tsx", "--test", "--test-timeout=60000", ...files];
  return spawnSync(process.execPath, args, { cwd: copy, env }).status !== 0;
}

/** A text in a source below src/watch, what takes its place, and the test that must find it. */
type Mutant = [bug: string, file: string, from: string, to: string, test: string];

/** Bugs that findings have shown. */
const found: Mutant[] = [
  [
    "the name of the socket's file says which process a list is of",
    "ledger.ts",
    "connection !== undefined && connection === this.#committed?.connection",
    "server === this.#committed?.server",
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "stamps that are all new are no evidence",
    "ledger.ts",
    'if (stamps > 0) return "another";',
    "",
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "a stamp that is the same is no evidence",
    "ledger.ts",
    'if (before.seen === head.seen) return "same";',
    "",
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "a stream may run over another connection than it names",
    "../sources/pods-api.ts",
    "const request = [connection, version,",
    "const request = [await this.#connect(controller.signal), version,",
    "test/faults/processes-of-lists.test.ts",
  ],
  [
    "complete is bound to nothing",
    "machine.ts",
    "connection !== undefined && connection === state.initialized",
    "state.initialized !== undefined",
    "test/watch/machine.test.ts",
  ],
  [
    "absences of the same process are unconfirmed after an outage",
    "unconfirmed.ts",
    'else if (process !== "same") {',
    'else if (process !== "same" || !staging.facts.planned) {',
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "an entry without a UID is ignored",
    "ledger.ts",
    "staging.unnamed = true",
    "staging.suspect = true",
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "the agreement of two lists is not begun anew",
    "guard.ts",
    "if (isBack) {",
    "if (false) {",
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "a source that is missing is believed after a minute",
    "guard.ts",
    "SOURCE_UNCONFIRMED_AT_MOST_MS)) unconfirmed",
    "UNCONFIRMED_AT_MOST_MS)) unconfirmed",
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "what runs is told as gone",
    "unconfirmed.ts",
    'if (nowMs < dueMs - SLACK_MS) unconfirmed.set(uid, "ending");',
    "",
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "what has stopped is told as gone before the kubelet says so",
    "unconfirmed.ts",
    "else if (planned && tellsDeletions && !deleted",
    "else if (planned && tellsDeletions && head.running && !deleted",
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "what runs is unconfirmed after an outage too",
    "unconfirmed.ts",
    "else if (planned && tellsDeletions",
    "else if (tellsDeletions",
    "test/watch/unconfirmed.test.ts",
  ],
  [
    "a static pod that has ended leaves the lists",
    "ledger.ts",
    "isStaticHead(head) && !isFinishedHead(head)",
    "isStaticHead(head)",
    "test/watch/ledger.test.ts",
  ],
  [
    "a deleted pod never runs again",
    "ledger.ts",
    "    Object.assign(known, { deleted: false, revived: 0 });\n",
    "",
    "test/watch/ledger.test.ts",
  ],
  [
    "a slot is split around SYNCED",
    "queue.ts",
    '        this.#slots.set(key, { kind: "A", pod: slot.pod });',
    '        this.#slots.delete(key);\n        this.#slots.set(key, { kind: "A", pod: slot.pod });',
    "test/watch/queue.test.ts",
  ],
  [
    "initial is told by the newest SYNCED alone",
    "consumer.ts",
    "const initial = !this.#synced;",
    "const initial = false;",
    "test/watch/consumer.test.ts",
  ],
  [
    "the body of a whole pod is not looked at",
    "../pod/scan.ts",
    "if (kind === MESSAGE) checkStructure(bytes, structure.nested(number), at, stop, depth - 1);",
    "if (kind === MESSAGE) at = stop;",
    "test/watch/ledger.test.ts",
  ],
  [
    "what is kept of a pod is written over by the next one",
    "../pod/slab.ts",
    "  used = end;",
    "",
    "test/watch/ledger.test.ts",
  ],
  [
    "news is published before its effects",
    "upstream.ts",
    "if (watchChannel.hasSubscribers) this.#news.push(news);",
    "if (watchChannel.hasSubscribers) this.#publish(news);",
    "test/watch/upstream.test.ts",
  ],
  [
    "nothing limits how often a stream is asked for",
    "stream-budget.ts",
    "return this.#streams >= ONE ? 0 :",
    "return true ? 0 :",
    "test/watch/machine.test.ts",
  ],
];

/** Bugs that watches in the wild have. */
const wild: Mutant[] = [
  [
    "the sync marker is ignored: each message of a burst is the whole list",
    "core.ts",
    "      this.ledger.stage(event.type, event.pod);\n",
    '      this.ledger.stage(event.type, event.pod);\n      return [{ type: "changes", changes: this.ledger.commit(0).changes }];\n',
    "test/watch/core.test.ts",
  ],
  [
    "the cache is cleared on reconnect",
    "ledger.ts",
    "    this.#staging = newStaging(facts,",
    "    this.#known.clear();\n    this.#staging = newStaging(facts,",
    "test/watch/ledger.test.ts",
  ],
  [
    "what a new list lacks is kept for ever",
    "ledger.ts",
    "for (const uid of absent.keys()) if (!this.#unconfirmed.has(uid)) gone.push(this.#drop(uid));",
    "",
    "test/watch/ledger.test.ts",
  ],
  [
    "an empty list after a restart is believed",
    "ledger.ts",
    "if (!this.#unconfirmed.has(uid)) gone.push",
    "gone.push",
    "test/watch/ledger.test.ts",
  ],
  [
    "a live DELETED is ignored",
    "ledger.ts",
    'if (type === "DELETED") return this.#deleted(scanHead(bytes).head);',
    'if (type === "DELETED") return NOTHING;',
    "test/watch/ledger.test.ts",
  ],
  [
    "deleted pods come back by stale events",
    "ledger.ts",
    "if (known.deleted && (finished || !isStaticHead(head))) return [];",
    "",
    "test/watch/ledger.test.ts",
  ],
  [
    "phase alone says that a pod is finished",
    "../pod/lifecycle.ts",
    "return isFinalPhase(phase) && !running;",
    "return isFinalPhase(phase);",
    "test/watch/ledger.test.ts",
  ],
  [
    "DELETED and ADDED become MODIFIED",
    "queue.ts",
    'else if (slot.kind === "D") this.#slots.set(uid, { ...slot, kind: "DA", pod });',
    'else if (slot.kind === "D") this.#slots.set(uid, { kind: "M", pod });',
    "test/watch/queue.test.ts",
  ],
  [
    "a deletion takes a pending MODIFIED with it",
    "queue.ts",
    '    } else if (slot.kind === "M") {\n      this.#slots.set(uid, { kind: "D", last, cause });',
    '    } else if (slot.kind === "M") {\n      this.#slots.delete(uid);',
    "test/watch/queue.test.ts",
  ],
  [
    "equality is not checked",
    "consumer.ts",
    "if (sameContent(previous.bytes, entry.bytes, this.#plan, areWrittenAlike(previous, entry))) {",
    "if (previous === entry) {",
    "test/watch/consumer.test.ts",
  ],
  [
    "a consumer is told a pod of which less is known than it wants",
    "selection.ts",
    "    if (!this.#isEnough(entry.retained)) return undefined;\n",
    "",
    "test/watch/consumer.test.ts",
  ],
  [
    "a pod that leaves the selection is never told as gone",
    "consumer.ts",
    'else if (selected === false) this.#queue.delete(uid, entry, "deselected", isEmitted);',
    "",
    "test/watch/damage.test.ts",
  ],
  [
    "a pod that was told is told on, whether it is asked for or not",
    "consumer.ts",
    "if (selected) this.#queue.put(uid, entry, isEmitted);",
    "if (selected || isEmitted) this.#queue.put(uid, entry, isEmitted);",
    "test/watch/damage.test.ts",
  ],
  [
    "no resync repairs what was dropped",
    "machine.ts",
    "timer: (_, nowMs) => this.#resync(nowMs),",
    "timer: () => [],",
    "test/watch/machine.test.ts",
  ],
  [
    "the old stream is applied until the new one's marker",
    "upstream.ts",
    "    if (this.#stream !== stream) return;\n",
    "",
    "test/watch/upstream.test.ts",
  ],
];

test("the copy itself passes", () => {
  assert.equal(killed(...new Set([...wild, ...found].map(([, , , , killer]) => killer))), false);
});

describe("bugs seen in the wild", () => {
  for (const [bug, ...mutant] of wild) test(bug, () => tryOut(...mutant));
});

describe("bugs that findings have shown", () => {
  for (const [bug, ...mutant] of found) test(bug, () => tryOut(...mutant));
});

function tryOut(file: string, from: string, to: string, killer: string): void {
  const path = join(copy, "src/watch", file);
  const source = readFileSync(path, "utf8");
  assert.ok(source.includes(from), "the place is still there");
  writeFileSync(path, source.replace(from, to));
  try {
    assert.ok(killed(killer), "it is found");
  } finally {
    writeFileSync(path, source);
  }
}
