// npm run test:mutants: bugs that watches in the wild have, and that findings have shown. Each is put into a copy of the sources,
// and a fixed test must find it there: not the model, which finds them by chance.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { after, describe, test } from "node:test";
import { transformSync } from "esbuild";
import { root } from "../helpers/programs.js";

const copy = mkdtempSync(join(tmpdir(), "mutants-"));
after(() => rmSync(copy, { recursive: true, force: true }));
// The compiled tests run, so that none is compiled for each bug.
for (const part of ["build", "package.json"]) cpSync(join(root, part), join(copy, part), { recursive: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

/** Returns whether a test of a file, or any of it, finds something wrong with the copy. */
function killed(file: string, name?: string): boolean {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env; // a run of its own, not a part of this one
  const named = name === undefined ? [] : ["--test-name-pattern", `^${name.replace(/[^\w ]/g, "\\$&")}$`];
  const compiled = join("build", file.replace(/\.ts$/, ".js"));
  return spawnSync(process.execPath, [...named, compiled], { cwd: copy, env, timeout: 60_000 }).status !== 0;
}

/** A text in a source below src/watch, what takes its place, and the test that must find it: its file and its name. */
type Mutant = [bug: string, file: string, from: string, to: string, test: string, name: string];

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

/** Bugs of agents that find pods by keys, one for each rule of docs/lookups.md. */
const lookups: Mutant[] = [
  [
    "what is known is taken for certain up to now",
    "../lookup/holding.ts",
    "export const SETTLED_MS = 5_000;",
    "export const SETTLED_MS = 0;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "an address is another pod's only from when it is told",
    "../lookup/pod-lives.ts",
    "const possibleFromMs = Math.max(beginningOf(life.entry.head, now), this.#certainUntilMs(life, now.nowMs));",
    "const possibleFromMs = now.nowMs;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "an address is a pod's since its creation, whatever was told meanwhile",
    "../lookup/pod-lives.ts",
    "const possibleFromMs = Math.max(beginningOf(life.entry.head, now), this.#certainUntilMs(life, now.nowMs));",
    "const possibleFromMs = beginningOf(life.entry.head, now);",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "a clock that is ahead makes pods begin after they were told",
    "../lookup/pod-lives.ts",
    "return Math.min(nowMs, startMs(head) - wallMs + nowMs);",
    "return startMs(head) - wallMs + nowMs;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "a finished pod keeps its address",
    "../lookup/pod-lives.ts",
    "const addresses = !active || isFinishedHead(entry.head) ? NO_KEYS.addresses : read.addresses;",
    "const { addresses } = read;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "a pod that is deleted and looks as if it ran keeps its address",
    "../lookup/pod-lives.ts",
    "const addresses = !active || isFinishedHead(entry.head) ? NO_KEYS.addresses : read.addresses;",
    "const addresses = isFinishedHead(entry.head) ? NO_KEYS.addresses : read.addresses;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "an outage is certain",
    "../lookup/pod-lives.ts",
    "Math.min(nowMs, this.#silentMs ?? nowMs, unconfirmedMs ?? nowMs)",
    "Math.min(nowMs, unconfirmedMs ?? nowMs)",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "an outage that is over is certain",
    "../lookup/pod-lives.ts",
    "!this.#gaps.some(isWithin) && ",
    "",
    "test/lookup/properties.test.ts",
  ],
  [
    "an unconfirmed pod is certain",
    "../lookup/pod-lives.ts",
    "else life.unconfirmedMs ??= Math.max(life.fromMs, silentMs);",
    "",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "the late end of an old holder takes the new one's address away",
    "../lookup/pod-lives.ts",
    "find((each) => each.life === life && each.end === undefined)",
    "find((each) => each.end === undefined)",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "two certain holders: the last of them",
    "../lookup/holding.ts",
    "if (sures === 1 && sure !== undefined)",
    "if (sure !== undefined)",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "what is retained hides who is there",
    "../lookup/pod-finder.ts",
    "const there = holdings.filter(({ end }) => end === undefined);",
    "const there: Holding[] = holdings.filter(({ end }) => end !== undefined);",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "whose key it is, is decided among the selected",
    "../lookup/pod-finder.ts",
    "const holding = atMs === undefined ? latest(holdings, view) : choice?.holding;",
    "const mine = holdings.filter(({ life }) => this.#isSelected(life, view));\n    const holding = atMs === undefined ? mine[0] && latest(mine, view) : choice?.holding;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "each informer sees what any of them retains",
    "../lookup/pod-finder.ts",
    "return now().nowMs - end.atMs < retainMs && lives.retention.ends - end.nth < maxRetained;",
    "return lives.retention.ends - end.nth < maxRetained || retainMs < 0 || now().nowMs < 0;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "each informer sees as many as any of them retains",
    "../lookup/pod-finder.ts",
    "return now().nowMs - end.atMs < retainMs && lives.retention.ends - end.nth < maxRetained;",
    "return now().nowMs - end.atMs < retainMs && lives.retention.ends >= maxRetained - maxRetained;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "byIP finds a former address",
    "../lookup/pod-finder.ts",
    "if (holding === undefined || holding.end !== undefined) return undefined;",
    "if (holding === undefined) return undefined;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "a container that its pod names no longer is forgotten at once",
    "../lookup/pod-lives.ts",
    "const last = this.retention.isOn ?",
    "const last = this.retention.size < 0 ?",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "who waits for an address gets the predecessor",
    "../lookup/pod-finder.ts",
    "if (meant === undefined || !(isExact || atMs !== undefined || meant.isPresent)) return undefined;",
    "if (meant === undefined) return undefined;",
    "test/lookup/waiting.test.ts",
  ],
  [
    "a stale view answers who waits for an address",
    "../lookup/pod-finder.ts",
    "if (!isExact && !view.isSynced) return undefined;",
    "",
    "test/lookup/waiting.test.ts",
  ],
  ["nobody is woken", "../lookup/lookups.ts", "this.waiters.wake(keys);", "", "test/lookup/waiting.test.ts"],
  [
    "who is aborted goes on waiting",
    "../lookup/key-wait.ts",
    "this.#waiters.delete(this);",
    "",
    "test/lookup/waiting.test.ts",
  ],
  [
    "what is retained lapses never",
    "../lookup/lookups.ts",
    "cancel: this.#clock.after(Math.max(0, dueMs - nowMs), again, { isIdle: true }) }",
    "cancel: () => again() }",
    "test/lookup/waiting.test.ts",
  ],
  [
    "IPv4 within IPv6 is another address",
    "../lookup/address.ts",
    "if (text.startsWith(MAPPED) && octetsOf(text, MAPPED.length) !== undefined) return text.slice(MAPPED.length);",
    "if (text.startsWith(MAPPED)) return text;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "a leading zero is passed over",
    "../lookup/address.ts",
    "if (value === 0) return undefined;",
    "",
    "test/lookup/address.test.ts",
  ],
  [
    "a pod on the host's network has the node's address",
    "../lookup/pod-keys.ts",
    "if (!spec.hostNetwork) {",
    "{",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "a planned resync makes all uncertain for ever",
    "upstream.ts",
    "        this.lookups.synced();\n",
    "",
    "test/lookup/waiting.test.ts",
  ],
  [
    "an informer that comes late is certain of what was before",
    "../lookup/lookups.ts",
    "this.#lives.begin(this.#pods, this.now(), this.#silentMs);",
    "this.#lives.begin(this.#pods, { ...this.now(), nowMs: 0 }, this.#silentMs);",
    "test/lookup/waiting.test.ts",
  ],
  [
    "who waits for an end is woken for present keys only",
    "../lookup/lookups.ts",
    'for (const text of former) yield keyText({ kind: "address", text });',
    "",
    "test/lookup/waiting.test.ts",
  ],
  [
    "a time in which a pod was unconfirmed is certain when it is over",
    "../lookup/pod-lives.ts",
    "else life.gaps.push(gap);",
    "",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "a pod that cannot be read is certain",
    "../lookup/pod-lives.ts",
    "if (end === undefined && pods.isUnreadable(life.uid) && atMs > life.toldMs) return false;",
    "",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "of two that have an address the later one is certain",
    "../lookup/pod-finder.ts",
    "!holdings.some((each) => each !== holding && isPresent(each, view))",
    "holdings.length > 0",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "a deleted pod hides a living one of its name",
    "../lookup/pod-finder.ts",
    "const present = active.length > 0 ? active : there;",
    "const present = active.length < 0 ? active : there;",
    "test/lookup/pod-lives.test.ts",
  ],
  [
    "the container of a former static pod is the present one's",
    "../lookup/pod-finder.ts",
    "return holder?.uid === text ? holder : lives.life(text);",
    "return lives.life(text);",
    "test/lookup/pod-lives.test.ts",
  ],
];

/** Bugs of agents that follow containers, one for each row of what kubelets show and each rule of the queue. */
const containers: Mutant[] = [
  [
    "a container that is created is taken for one that has started",
    "../containers/container-lives.ts",
    "if (state?.running !== undefined)\n        this.#start",
    "if (ended === undefined)\n        this.#start",
    "test/containers/container-lives.test.ts",
  ],
  [
    "an end that only lastState tells is not told",
    "../containers/container-lives.ts",
    "if (last !== undefined && this.#isNew(lastID)) {",
    "if (last !== undefined && this.#isNew(lastID) && false) {",
    "test/containers/container-lives.test.ts",
  ],
  [
    "a life is told again whenever its end is shown",
    "../containers/container-lives.ts",
    "this.#remember(life.containerID);",
    "",
    "test/containers/container-lives.test.ts",
  ],
  [
    "the end in lastState of the life that ran is not taken for its end",
    "../containers/container-lives.ts",
    'else if (last !== undefined && lastID === containerID) this.#end(exitOf(last), "exited");',
    "",
    "test/containers/container-lives.test.ts",
  ],
  [
    "an inferred end is given as an exit with 137",
    "../containers/container-lives.ts",
    "if (ended !== undefined && endedID === containerID) this",
    "if (ended !== undefined) this",
    "test/containers/container-lives.test.ts",
  ],
  [
    "an inferred end ends nothing",
    "../containers/container-lives.ts",
    'else if (isAnother || endedID === "") this.#end(undefined, "unknown");',
    "",
    "test/containers/container-lives.test.ts",
  ],
  [
    "an inferred end that stays as lastState is said of the next life too",
    "../containers/container-lives.ts",
    'else if (isAnother || endedID === "") this',
    "else if (isNameless) this",
    "test/containers/container-lives.test.ts",
  ],
  [
    "an inferred end is counted as a restart that was missed",
    "../containers/container-lives.ts",
    "+ this.#inferred) this.#inferred++;",
    "+ this.#inferred) this.#inferred += 0;",
    "test/containers/container-lives.test.ts",
  ],
  [
    "each inferred end hides a life, also where nothing was counted",
    "../containers/container-lives.ts",
    "if (isAnother && restartCount >= (this.#next ?? 0) + this.#inferred) this",
    "if (isAnother) this",
    "test/containers/container-lives.test.ts",
  ],
  [
    "an inferred end that is shown for long is counted again and again",
    "../containers/container-lives.ts",
    "(!this.#wasNameless || (restartCount > this.#count && !this.#isNew(id)))",
    "true",
    "test/containers/container-lives.test.ts",
  ],
  [
    "of inferred ends in a row one is counted",
    "../containers/container-lives.ts",
    "(!this.#wasNameless || (restartCount > this.#count && !this.#isNew(id)))",
    "!this.#wasNameless",
    "test/containers/container-lives.test.ts",
  ],
  [
    "a life that another took the place of never ends",
    "../containers/container-lives.ts",
    'else if (isNext) this.#end(undefined, "replaced");',
    "",
    "test/containers/container-lives.test.ts",
  ],
  [
    "a life without a container never ends",
    "../containers/container-lives.ts",
    'else if (id === "" && state?.running === undefined) this.#end(undefined, "unknown");',
    "",
    "test/containers/container-lives.test.ts",
  ],
  [
    "a container of which nothing is said has ended",
    "../containers/container-lives.ts",
    'else if (id === "" && state?.running === undefined) this',
    "else if (state?.running === undefined) this",
    "test/containers/container-lives.test.ts",
  ],
  [
    "a count that falls is lives that were missed",
    "../containers/container-lives.ts",
    "this.#next = undefined;\n      this.#inferred = 0;",
    "this.#inferred = 0;",
    "test/containers/container-lives.test.ts",
  ],
  [
    "what was before the first status is missed",
    "../containers/container-lives.ts",
    "(this.#next ?? restartCount) + this.#inferred",
    "(this.#next ?? 0) + this.#inferred",
    "test/containers/container-lives.test.ts",
  ],
  [
    "lives that were not shown are missed in silence",
    "../containers/container-lives.ts",
    "if (from < restartCount) this.listener.missed(from, restartCount - 1);",
    "",
    "test/containers/container-lives.test.ts",
  ],
  [
    "the life that waits for its next start has the count of the one before",
    "../containers/container-lives.ts",
    "lastID === id ? restartCount : Math.max(0, restartCount - 1)",
    "Math.max(0, restartCount - 1)",
    "test/containers/container-lives.test.ts",
  ],
  [
    "a container that could not be started began in 1970",
    "../pod/container-instance.ts",
    "return date !== undefined && date.getTime() > 0 ? date : undefined;",
    "return date;",
    "test/containers/container-lives.test.ts",
  ],
  [
    "the pod goes, and its containers run on",
    "../containers/container-lives.ts",
    'this.#end(undefined, "gone");',
    "",
    "test/containers/container-lives.test.ts",
  ],
  [
    "a life that is shown for long is forgotten",
    "../containers/container-lives.ts",
    "if (this.#ended.delete(shown)) this.#ended.add(shown);",
    "",
    "test/containers/container-lives.test.ts",
  ],
  [
    "a slow reader is not told the end that it is owed",
    "../containers/life-queue.ts",
    "if (owed !== undefined) yield owed;",
    "",
    "test/containers/life-queue.test.ts",
  ],
  [
    "what is folded is not told as missed",
    "../containers/life-queue.ts",
    'past.splice(0, 2, { type: "MISSED", from, to: countsOf(second)[1] });',
    "past.splice(0, 2, second);",
    "test/containers/life-queue.test.ts",
  ],
  [
    "everything waits for a slow reader",
    "../containers/life-queue.ts",
    "const MAX_LIVES = 8;",
    "const MAX_LIVES = 8_000;",
    "test/containers/life-queue.test.ts",
  ],
  [
    "a container that never rests keeps the others waiting",
    "../containers/life-queue.ts",
    'this.#slots.delete(key);\n      if ("control"',
    'if ("control" in slot || slot.start === undefined) this.#slots.delete(key);\n      if ("control"',
    "test/containers/life-queue.test.ts",
  ],
  [
    "pods that came and went wait without bound",
    "../containers/life-queue.ts",
    "if (this.#untold.size <= MAX_UNTOLD) break;",
    "break;",
    "test/containers/life-queue.test.ts",
  ],
  [
    "a start is told of a container that is watched no longer",
    "../containers/life-queue.ts",
    "slot.start = undefined;\n    if (slot.owed",
    "if (slot.owed",
    "test/containers/life-queue.test.ts",
  ],
  [
    "a pod that leaves the selection has ended",
    "../containers/container-consumer.ts",
    "else if (selected === false) this.#forget(uid, known);",
    "else if (selected === false) this.#end(uid, known);",
    "test/containers/container-watch.test.ts",
  ],
  [
    "a pod that came and ended in an outage is not told",
    "../containers/container-consumer.ts",
    "const isMeant = !isOver || (isNew && !isOld) || this.#former.has(uid);",
    "const isMeant = !isOver;",
    "test/containers/container-watch.test.ts",
  ],
  [
    "a pod that returns to the selection has missed lives",
    "../containers/container-consumer.ts",
    "const isOld = !isNew || this.#isOld(entry);",
    "const isOld = this.#isOld(entry);",
    "test/containers/container-watch.test.ts",
  ],
  [
    "pods that were finished before are told when they change",
    "../containers/container-consumer.ts",
    "this.#pods.set(uid, undefined);\n      if (this.#scope.has(entry, active))",
    "if (this.#scope.has(entry, active))",
    "test/containers/container-consumer.test.ts",
  ],
  [
    "a pod that comes again has its lives told again",
    "../containers/container-consumer.ts",
    "of this.#former.get(uid) ?? []",
    "of [] as [string, FormerContainer][]",
    "test/containers/container-consumer.test.ts",
  ],
  [
    "a pod that the first list lacked has missed lives",
    "../containers/container-consumer.ts",
    "const isOld = !isNew || this.#isOld(entry);",
    "const isOld = !isNew;",
    "test/containers/container-consumer.test.ts",
  ],
  [
    "a finished pod's containers run on, where it is watched",
    "../containers/container-consumer.ts",
    "if (selected && !active) this.#gone(known);",
    "if (selected && isOver) this.#gone(known);",
    "test/containers/container-consumer.test.ts",
  ],
  [
    "a count that falls under a life that was told invents one",
    "../containers/container-lives.ts",
    'this.#next ??= id !== "" && !this.#isNew(id) ? restartCount + 1 : restartCount;',
    "this.#next ??= restartCount;",
    "test/containers/container-lives.test.ts",
  ],
  [
    "a life that is shown late is told within the next",
    "../containers/container-lives.ts",
    "this.#isNew(lastID) && this.#running !== undefined) {",
    "this.#isNew(lastID) && false) {",
    "test/containers/container-lives.test.ts",
  ],
  [
    "what a reader knows is dropped for pods that it does not",
    "../containers/life-queue.ts",
    "if (slot === undefined || this.#told.has(container)) return;",
    "if (slot === undefined || slot.owed !== undefined) return;",
    "test/containers/life-queue.test.ts",
  ],
  [
    "what was there before is not initial",
    "../containers/container-consumer.ts",
    "this.#initial = true;",
    "",
    "test/containers/container-watch.test.ts",
  ],
];

test("the copy itself passes", () => {
  const files = new Set([...wild, ...found, ...lookups, ...containers].map(([, , , , killer]) => killer));
  assert.deepEqual(
    [...files].filter((file) => killed(file)),
    [],
  );
});

describe("bugs seen in the wild", () => {
  for (const [bug, ...mutant] of wild) test(bug, () => tryOut(...mutant));
});

describe("bugs that findings have shown", () => {
  for (const [bug, ...mutant] of found) test(bug, () => tryOut(...mutant));
});

describe("bugs of those who find pods by keys", () => {
  for (const [bug, ...mutant] of lookups) test(bug, () => tryOut(...mutant));
});

describe("bugs of those who follow containers", () => {
  for (const [bug, ...mutant] of containers) test(bug, () => tryOut(...mutant));
});

function tryOut(file: string, from: string, to: string, killer: string, name: string): void {
  const path = normalize(join("src/watch", file));
  const compiled = join(copy, "build", path.replace(/\.ts$/, ".js"));
  const before = readFileSync(compiled);
  const source = readFileSync(join(root, path), "utf8");
  assert.ok(source.includes(from), "the place is still there");
  writeFileSync(compiled, transformSync(source.replace(from, to), { loader: "ts", target: "es2022" }).code);
  try {
    assert.ok(killed(killer, name), `"${name}" finds it`);
  } finally {
    writeFileSync(compiled, before);
  }
}
