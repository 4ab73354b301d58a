// Numbers on pages that are the code's own: each sentence below is put together from constants, and has to stand on its page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACING } from "../../src/calls/pacing.js";
import { RetryPlan } from "../../src/calls/retry.js";
import { PodsError } from "../../src/errors/pods-error.js";
import { LIST_LAG_MS, SETTLED_MS } from "../../src/lookup/key-interval.js";
import { MAX_WAITERS } from "../../src/lookup/waiters.js";
import { resolveInformerOptions, resolveOptions } from "../../src/options.js";
import { MAX_PODS, MAX_RETAINED_BYTES } from "../../src/pod/limits.js";
import { printable } from "../../src/printable.js";
import { MAX_DEPTH } from "../../src/protobuf/reader.js";
import { API_VERSIONS } from "../../src/sources/api-versions.js";
import { LONGEST_RESYNC, STREAM_RATE } from "../../src/stream/machine.js";
import { sampleNode } from "../../src/testing/index.js";
import { MAX_SOCKET_PATH_BYTES } from "../../src/wire/socket-path.js";
import { root } from "../helpers/programs.js";
import { constant, constants } from "../helpers/source-text.js";
import { describe, test } from "../helpers/test.js";

const n = (value: number) => value.toLocaleString("en-US");
const seconds = (ms: number) => n(ms / 1_000);
const minutes = (ms: number) => n(ms / 60_000);
const mib = (bytes: number) => n(bytes / 1024 / 1024);
const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const word = (value: number) => WORDS[value] ?? n(value);
/** A time as tables write it. */
const time = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${seconds(ms)} s`);

const DEFAULTS = { ...resolveOptions({}), ...resolveInformerOptions({}, "informer") };
const known = (name: string) => constant("known/times.ts", name);
const machine = (name: string) => constant("stream/machine.ts", name);
const record = (name: string) => constant("known/record.ts", name);
const bound = (name: string) => constant("calls/backoff.ts", `BACKOFF_BOUNDS.${name}`);
const backoff = readFileSync(join(root, "src/calls/backoff.ts"), "utf8");
const CLASSES = [...backoff.matchAll(/^ {2}(\w+): \{ baseMs/gm)].map(([, name = ""]) => name);
const class_ = (name: string) =>
  [...new Set([bound(`${name}.baseMs`), bound(`${name}.capMs`)])].map((ms) => time(ms)).join(" → ");
const double = { rate: "serving/rate-limiter.ts", events: "testing/broadcaster.ts", pings: "serving/ping-policy.ts" };
const callsPerSecond = constant(double.rate, "KUBELET_RATE.perSecond");
const buffered = n(constant(double.events, "BUFFERED_EVENTS"));
const resyncMs = DEFAULTS.resyncIntervalMs;
const relistMs = Math.max(...API_VERSIONS.map((version) => version.relistMs ?? 0));
const agree = seconds(known("AGREE_AFTER_MS"));
const atMost = known("UNCONFIRMED_AT_MOST_MS");
const sourceHours = known("SOURCE_UNCONFIRMED_AT_MOST_MS") / 3_600_000;
const endingMs = known("ENDING_MS");
const pollMs = constant("sources/kubelet-http/http-options.ts", "HTTP_OPTIONS.pollIntervalMs.default");
const silenceMs = resyncMs * LONGEST_RESYNC + machine("FIRST_MESSAGE_MS");
const text = constant("option-checks.ts", "MAX_TEXT_OPTION");
const lists = constants("known/times.ts", "LISTS_AT_MS").map(seconds);
const removed = constants("known/times.ts", "REMOVED_AT_MS").map(seconds);
const listsSaid = `${lists.slice(0, -1).join(", ")} and ${lists.at(-1)} s`;

/** The longest delay behind a lost connection that comes after other failures of a call. */
function lostAfter(failures: number): number {
  const plan = new RetryPlan(() => 1);
  const failed = (code: "initializing" | "connection-lost") => plan.delayMs(new PodsError({ code, message: "x" }), 0);
  for (let i = 0; i < failures; i++) failed("initializing");
  return failed("connection-lost") ?? 0;
}

/** A change that only a resync tells; pages round it up to half a minute. */
const late = resyncMs * LONGEST_RESYNC <= 150_000 && resyncMs * LONGEST_RESYNC > 120_000;
const halfMinutes = late ? "two and a half minutes" : "another time";

const SAID: Readonly<Record<string, readonly string[]>> = {
  ".github/SECURITY.md": [
    `\`maxMessageBytes\`, ${mib(DEFAULTS.maxMessageBytes)} MiB`,
    `| ${n(MAX_PODS)} pods and ${mib(MAX_RETAINED_BYTES)} MiB of their bytes`,
    `| a UID or a name in a pod | ${n(constant("pod/head-reader.ts", "MAX_TEXT"))} characters`,
    `| ${n(MAX_DEPTH)}: \`corrupt\`; of managed fields as JSON ${n(constant("pod/json-writer.ts", "MAX_JSON_DEPTH"))} |`,
    `| pods that could not be read, by name | ${n(constant("known/unreadable-pods.ts", "MAX_UNREADABLE"))} |`,
    `| ${seconds(constant("wire/session.ts", "HANDSHAKE_TIMEOUT_MS"))} s; a stream without its first message ${seconds(machine("FIRST_MESSAGE_MS"))} s, ` +
      `without its next one before SYNCED ${seconds(machine("BURST_PAUSE_MS"))} s |`,
    `| whatever a watch waits for before it connects | ${seconds(machine("CONNECT_MS"))} s,`,
    `| ${word(STREAM_RATE.burst)} at once, ${word(STREAM_RATE.perSecond)} a second in the long run`,
    `| pods in an answer | ${n(MAX_PODS)}, counted`,
    `| requests for pods | ${n(PACING.ratePerSecond)} a second, ${n(PACING.burst)} at once`,
    `| ${n(constant("wire/server-stream.ts", "MAX_WAITING_MESSAGES"))}, or ${mib(constant("wire/server-stream.ts", "MAX_WAITING_BYTES"))} MiB, and what one read ` +
      `of the socket brings; then one HTTP/2 window of ${mib(constant("wire/connection.ts", "WINDOW_BYTES"))} MiB |`,
    `| ${n(constant("wire/grpc-answer.ts", "MAX_MESSAGE_CHARACTERS"))} and ${n(constant("wire/grpc-answer.ts", "MAX_DETAILS_CHARACTERS"))} characters |`,
    `| texts of the kubelet in errors | ${printable("x".repeat(10_000)).length - 1} characters |`,
    `| ${n(constant("pod/mask.ts", "MAX_PATHS"))} paths of ${n(constant("pod/mask-path.ts", "MAX_PATH_LENGTH"))} characters |`,
    `| selectors | ${n(constant("pod/selector-text.ts", "MAX_SELECTOR"))} characters each |`,
    `| a UID, a namespace or a name that is asked for | ${n(text)} characters |`,
    `| ${n(constant("lookup/pod-key.ts", "MAX_KEY"))} characters, an address ${n(constant("lookup/address.ts", "MAX_ADDRESS"))};`,
    `| who waits for a key | ${n(MAX_WAITERS)} in a client`,
    `| \`retainMs\` and \`maxRetained\`, ${n(constant("options.ts", "INFORMER_OPTIONS.maxRetained.most"))} at most`,
    `| ${n(constant("identity/path-part.ts", "MAX_PATH"))} characters, ${n(constant("identity/cgroup-path.ts", "MAX_LINES"))} lines of a`,
    `| a socket's path | ${MAX_SOCKET_PATH_BYTES} bytes`,
    `| \`timeoutMs\` | ${n(constant("option-checks.ts", "MAX_TIMEOUT_MS"))}, which`,
    `\`maxResponseBytes\`, ${mib(constant("sources/kubelet-http/http-options.ts", "HTTP_OPTIONS.maxResponseBytes.default"))} MiB; ${n(MAX_PODS)} entries, ` +
      `${n(constant("sources/kubelet-http/json-bounds.ts", "MAX_ANSWER_VALUES"))} values and ${n(constant("sources/kubelet-http/json-bounds.ts", "MAX_ANSWER_DEPTH"))} levels, counted before it is parsed; ` +
      `${n(constant("sources/kubelet-http/json-bounds.ts", "MAX_ENTRY_VALUES"))} values per pod |`,
    `| ${mib(constant("sources/kubelet-http/secret-files.ts", "MAX_SECRET_BYTES"))} MiB, a regular file`,
  ],
  "README.md": [`up to ${halfMinutes} late`],
  "docs/guides/retries.md": [
    `sends at most ${PACING.ratePerSecond} per second and ${PACING.burst} at once`,
    `${seconds(Number(DEFAULTS.timeoutMs))} seconds. \`signal\` ends a call`,
    `recovers by ${Math.round((PACING.recovery - 1) * 100)} % per second`,
    `lost after four other failures is retried after up to ${seconds(lostAfter(4))} s`,
    `live for ${seconds(constant("stream/outage-backoff.ts", "HEALTHY_AFTER_MS"))} seconds`,
    `most ${word(STREAM_RATE.burst)} streams and lists at once, and ${word(STREAM_RATE.perSecond)} per second in the long run`,
  ],
  "docs/architecture.md": [
    `at most ${n(constant("sources/event-batches.ts", "MAX_EVENTS"))} events. A sync marker ends the batch`,
  ],
  "docs/guides/containers.md": [
    `the last ${word(constant("readers/containers/run-queue.ts", "MAX_RUNS"))} runs of each container are kept`,
    "At most a thousand containers of a pod are followed",
  ],
  "docs/kubelet.md": [
    `more than ${n(callsPerSecond)} calls per second, all clients together`,
    `${word(constant(double.rate, "KUBELET_RATE.burst"))} may come at once`,
    `a watcher for which ${buffered} events are buffered`,
    `lists again every ${seconds(relistMs)} s`,
  ],
  "docs/lookups.md": [
    `or ${word(SETTLED_MS / 1_000)} seconds before the first report with this key`,
    `${word(SETTLED_MS / 1_000)} seconds before its end was reported; while the pod has the key, ${word(SETTLED_MS / 1_000)} seconds before now`,
    "within an outage of more than a second",
    `the loss of a key within ${word(SETTLED_MS / 1_000)} seconds. This is an assumption`,
    `a list at least ${word(LIST_LAG_MS / 1_000)} seconds later shows the key`,
    `For ${word(known("YOUNG_MS") / 1_000)} seconds its lists confirm nothing`,
    `if ${n(MAX_WAITERS)} calls are pending`,
    `120,000 and ${n(DEFAULTS.maxRetained)} suit most agents`,
  ],
  "docs/watch.md": [
    `its queue of ${n(constant(double.events, "INCOMING_EVENTS"))} is full`,
    `a watcher whose buffer of ${buffered} events is full`,
    `more often than every ${word(constant(double.pings, "MIN_INTERVAL_MS") / 60_000)} minutes`,
    `DISCONNECTED comes after ${seconds(machine("CONNECT_MS"))} s at the latest`,
    `${seconds(machine("CONNECT_MS"))} s without a connection, ${seconds(machine("FIRST_MESSAGE_MS"))} s without a message`,
    `waiting: a failure, or ${seconds(machine("BURST_PAUSE_MS"))} s without a message`,
    `A list follows after ${word(machine("GAP_RESYNC_MS") / 1_000)} seconds, then after four, eight and so on`,
    `two lists agree, at least ${agree} s apart; ${seconds(atMost)} s if more than half`,
    `${seconds(atMost)} s if more than half of all known pods are missing`,
    `contains the source again; ${n(sourceHours)} h at most`,
    `the proof; ${n(sourceHours)} h after the first list of the process at most`,
    `The time of A6 is ${seconds(endingMs)} s; if the pod may run, its grace period (${n(known("DEFAULT_GRACE_SECONDS"))} s without one, ` +
      `at most ${minutes(known("MAX_GRACE_SECONDS") * 1_000)} min) more`,
    `${listsSaid} after the first list; then ${agree} s after each, while a pod is \`absent\``,
    `when a list can be a proof (L3, L4). Without API pods, ${seconds(known("APART_MS"))} s after the event of an API pod`,
    `also ${listsSaid} after the first list of the process`,
    `${removed.slice(0, -1).join(", ")} and ${removed.at(-1)} s after a terminating pod`,
    `requested at least ${seconds(known("APART_MS"))} s after an earlier one was answered`,
    `requested at least ${seconds(known("STATIC_READ_MS"))} s after the first list of the process was answered`,
    `stamped in the ${seconds(known("STATIC_READ_MS"))} s before the request`,
    `not within ${n(machine("SHORTEST_STREAM_MS"))} ms after a list`,
    `${seconds(machine("FIRST_MESSAGE_MS"))} s after a list beside it was sent without a byte of an answer, ` +
      `${seconds(machine("BURST_PAUSE_MS"))} s after the last byte, and ${seconds(machine("LIST_MS"))} s after it was sent`,
    `an event within ${word(constant("stream/core.ts", "DIFFERENCE_MS") / 1_000)} seconds after the answer`,
    `two lists, sent at least ${word(constant("stream/core.ts", "WEDGED_AFTER_MS") / 1_000)} seconds apart`,
    `a random time from 0 to min(${time(bound("limited.capMs"))}, ${time(bound("limited.baseMs"))} × 2ⁿ), and at least ` +
      `${n(constant("calls/backoff.ts", "FLOOR_MS"))} ms`,
    `two resyncs with news (${minutes(2 * resyncMs * LONGEST_RESYNC)} min)`,
    `fails ${seconds(machine("CONNECT_MS"))} s after it was requested without a connection, ${seconds(machine("FIRST_MESSAGE_MS"))} s after its ` +
      `connection without a message, and ${seconds(machine("BURST_PAUSE_MS"))} s after the last message`,
    `A list follows ${machine("SHORTEST_RESYNC")} to ${LONGEST_RESYNC} times the resync interval after the last one`,
    "Two lists in a row that show a container",
    `requests at most ${word(STREAM_RATE.burst)} streams and lists at once, ` +
      `and ${word(STREAM_RATE.perSecond)} per second in the long run`,
    `and at least ${n(constant("calls/backoff.ts", "FLOOR_MS"))} ms`,
    `live for ${seconds(constant("stream/outage-backoff.ts", "HEALTHY_AFTER_MS"))} s`,
    ...CLASSES.filter((name) => name !== "initializing" && name !== "bug").map((name) => `${class_(name)} |`),
    `${class_("initializing")}; → ${time(bound("initializing.lateCapMs"))} after one minute`,
    `the second \`too-large\` within a minute | ${time(bound("bug.capMs"))} |`,
    `one resync (${minutes(resyncMs * LONGEST_RESYNC)} min)`,
    `one resync and ${seconds(endingMs)} s; a pod that may be running also its grace period |`,
    `reported at SYNCED, or ${seconds(endingMs)} s after |`,
    `their grace period and ${seconds(endingMs)} s |`,
    `until the grace period plus ${seconds(known("EMPTY_STATUS_MS"))} s has passed`,
    `${agree} s more, or ${seconds(atMost)} s |`,
    `if no pod of its source is left | ${n(sourceHours)} h |`,
    `is noticed | ${(silenceMs / 60_000).toFixed(1)} min |`,
  ],
  "docs/nodes-proxy.md": [`up to ${halfMinutes} late`],
  "docs/guides/first-agent.md": [`a node of ${sampleNode().length} pods`],
  "docs/guides/informer.md": [`If ${n(MAX_WAITERS)} calls are pending`],
  "docs/guides/masks.md": [
    `A mask over ${constant("sources/negotiation.ts", "MAX_MASK_BYTES") / 1024} KiB is not sent`,
  ],
  "docs/guides/older-kubelets.md": [`polls \`/pods\` every ${seconds(pollMs)} seconds`],
  "docs/guides/operating.md": [
    `the path of a Unix socket has at most ${MAX_SOCKET_PATH_BYTES} bytes`,
    `its buffer of ${buffered} events for this watch`,
    `share ${callsPerSecond} calls per second`,
    `${n(MAX_WAITERS)} calls wait for keys`,
    `after \`--timeout\` (${seconds(constant("cli/find.ts", "TIMEOUT_MS"))} s, ${seconds(constant("cli/wait.ts", "DEFAULT_TIMEOUT_MS"))} s for \`wait\`;`,
  ],
  "docs/guides/testing.md": [
    `lists every ${seconds(relistMs)} s to find deletions`,
    `after \`firstStatusMs\` (${constant("testing/kubelet-options.ts", "RESTART_OPTIONS.firstStatusMs.default")})`,
    "`firstProbesMs` (100) after",
  ],
  "docs/guides/watch.md": [
    `every ${word(resyncMs / 60_000)} minutes (\`resyncIntervalMs\`, ±${Math.round((LONGEST_RESYNC - 1) * 100)} %)`,
    `two lists agree, ${word(Number(agree))} seconds apart; if more than half of the pods are missing, ${atMost === 60_000 ? "a minute" : "another time"}`,
    `two lists agree; at most ${word(sourceHours)} hours`,
    `the first list after ${word(endingMs / 1_000)} seconds, plus the grace period`,
    `when the kubelet has read all its pods, after ${word(sourceHours)} hours at most`,
    `within ${(silenceMs / 60_000).toFixed(1)} minutes`,
  ],
};

/** A page's text, with one space for any white space. */
const flat = (page: string) => readFileSync(join(root, page), "utf8").replace(/\s+/g, " ");

for (const [page, sentences] of Object.entries(SAID)) {
  describe(`the numbers of ${page} match the code`, () => {
    for (const sentence of sentences)
      test(sentence, () => assert.ok(flat(page).includes(sentence), "the page says otherwise"));
  });
}

test("numbers written as words in the docs match the code", () => {
  assert.equal(constant("known/runs.ts", "MAX_CONTAINERS"), 1_000);
  assert.equal(constant("lookup/evidence.ts", "SHORT_MS"), 1_000);
  assert.equal(constant("calls/backoff.ts", "LATE_AFTER_MS"), 60_000);
  assert.equal(constant("stream/outage-backoff.ts", "AGAIN_MS"), 60_000);
  assert.equal(record("RUNNING_AGAIN_AFTER"), 2);
  assert.equal(machine("SHORTEST_RESYNC"), 2 - LONGEST_RESYNC);
});

describe("every number in these tables is checked", () => {
  for (const [page, from, to] of [
    [".github/SECURITY.md", "| input ", "What a peer can still do"],
    ["docs/watch.md", "| rule ", "### Versions of a pod"],
    ["docs/watch.md", "| class ", "In a simulation of"],
    ["docs/watch.md", "## Figures", "Random simulations"],
  ] as const) {
    test(`${page}: ${from.replace(/[|#] */g, "")}`, () => {
      const whole = flat(page);
      let left = whole.slice(whole.indexOf(from), whole.indexOf(to));
      assert.ok(left.length > 100);
      for (const sentence of SAID[page] ?? []) left = left.replaceAll(sentence, "");
      // Versions of the kubelet, HTTP/2, numbers of rules, and the exit codes, which another test compares.
      const numbers = left.replace(/\b1\.3\d\b|HTTP\/2|\| \d \||\b[A-Z]\d\b/g, "").match(/[^|]*\d[^|]*/g) ?? [];
      assert.deepEqual(numbers, []);
    });
  }
});
