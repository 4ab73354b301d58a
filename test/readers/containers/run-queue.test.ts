// What waits for a slow reader: bounded, in order, and no end that is owed is dropped.

import assert from "node:assert/strict";
import type { ContainerRun } from "../../../src/pod/container-run.js";
import { MAX_UNDELIVERED, type QueuedContainer, RunQueue } from "../../../src/readers/containers/run-queue.js";
import { test } from "../../helpers/test.js";

const main: QueuedContainer = { kind: "regular", name: "main" };
const life = (restartCount: number, ended = false): ContainerRun => ({
  ...main,
  containerID: `id-${restartCount}`,
  runtime: "containerd",
  image: "",
  imageID: "",
  restartCount,
  startedAt: undefined,
  ended,
});
type Control = { type: "SYNCED" | "DISCONNECTED"; n?: number };

function queue() {
  const queue = new RunQueue<Control>();
  const start = (n: number, of = main) => queue.started(of, life(n), false);
  const end = (n: number, of = main) =>
    queue.ended(of, { run: life(n, true), exit: undefined, basis: "status" }, false);
  const live = (from: number, to: number, of = main) => {
    for (let n = from; n <= to; n++) {
      start(n, of);
      end(n, of);
    }
  };
  const next = () => {
    const delivery = queue.next();
    if (delivery === undefined || delivery.type === "CONTROL") return delivery?.control.type;
    const { change, container } = delivery;
    const of = container === main ? "" : `${container.name} `;
    if (change.type === "MISSED") return `${of}missed ${change.from}-${change.to}`;
    return `${of}${change.type === "STARTED" ? "+" : "-"}${change.run.restartCount}`;
  };
  const all = () => {
    const told: (string | undefined)[] = [];
    for (let each = next(); each !== undefined; each = next()) told.push(each);
    return told.join(" ");
  };
  return { queue, start, end, live, next, all };
}

test("changes are delivered in order, and only once", () => {
  const { queue: q, start, end, live, all } = queue();
  start(0);
  assert.equal(all(), "+0");
  end(0);
  live(1, 2);
  start(3);
  q.control({ type: "SYNCED" });
  assert.equal(all(), "-0 +1 -1 +2 -2 +3 SYNCED");
  assert.equal(q.size, 0);
});

test("joins adjacent ranges of missed runs and no others", () => {
  const { queue: q, start, all } = queue();
  for (const [from, to] of [
    [1, 1],
    [2, 3],
    [5, 6],
  ] as const)
    q.missed(main, from, to);
  start(7);
  assert.equal(all(), "missed 1-3 missed 5-6 +7", "the container with count 4 never ran");
});

test("turns the oldest runs beyond the limit into missed ones, but keeps the started run's end", () => {
  const { queue: q, start, end, live, next, all } = queue();
  start(0);
  assert.equal(next(), "+0");
  end(0);
  live(1, 40);
  start(41);
  assert.equal(q.pending, 11, "an end, a range, eight runs and a start");
  assert.equal(q.size, 1);
  assert.equal(next(), "-0");
  assert.equal(q.size, 1, "the rest of the slot that is being delivered");
  assert.equal(all(), `missed 1-32 ${[33, 34, 35, 36, 37, 38, 39, 40].map((n) => `+${n} -${n}`).join(" ")} +41`);
  assert.equal(q.size, 0);
  live(42, 50);
  assert.equal(all(), `missed 42-42 ${[43, 44, 45, 46, 47, 48, 49, 50].map((n) => `+${n} -${n}`).join(" ")}`);
});

test("joins missed ranges with dropped runs", () => {
  const { queue: q, live, all } = queue();
  for (let n = 0; n < 60; n += 2) {
    q.missed(main, n, n);
    live(n + 1, n + 1);
  }
  assert.ok(q.pending <= 19);
  assert.match(all(), /^missed 0-\d+ \+/);
});

test("if the restart count decreased, the range of dropped runs is that of the later ones", () => {
  const { live, all } = queue();
  live(70, 75);
  live(0, 8);
  assert.equal(all(), `missed 0-0 ${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `+${n} -${n}`).join(" ")}`);
});

test("changes that arrive during the delivery of a container wait behind the others", () => {
  const other: QueuedContainer = { kind: "init", name: "other" };
  const { live, start, next, all } = queue();
  live(0, 1);
  start(0, other);
  assert.equal(next(), "+0");
  live(2, 3);
  assert.equal(all(), "-0 +1 -1 other +0 +2 -2 +3 -3");
});

test("delivers only the newest control event of a type, in its position", () => {
  const { queue: q, start, all } = queue();
  q.control({ type: "SYNCED" });
  start(0);
  q.control({ type: "DISCONNECTED" });
  q.control({ type: "SYNCED" });
  assert.equal(all(), "+0 DISCONNECTED SYNCED");
});

test("delivers no start of a forgotten container, only the end of its started run", () => {
  const { queue: q, start, end, next, all } = queue();
  start(0);
  q.forget(main);
  assert.equal(all(), "");
  start(1);
  assert.equal(next(), "+1");
  end(1);
  start(2);
  q.forget(main);
  assert.equal(all(), "-1");
  q.forget(main);
  assert.equal(q.size, 0);
});

test("keeps the last 1000 undelivered containers of deleted pods and all ends of started runs", () => {
  const { queue: q, live, start, end, next, all } = queue();
  const owing: QueuedContainer = { kind: "regular", name: "owing" };
  start(0, owing);
  assert.equal(next(), "owing +0");
  end(0, owing);
  q.gone(owing);
  for (let n = 0; n < 3 * MAX_UNDELIVERED; n++) {
    const container: QueuedContainer = { kind: "regular", name: String(n) };
    live(0, 0, container);
    q.gone(container);
  }
  assert.equal(q.size, MAX_UNDELIVERED + 1);
  const told = all().split(" ");
  assert.equal(told[0], "owing");
  assert.deepEqual(told.slice(2, 5), [String(2 * MAX_UNDELIVERED), "+0", String(2 * MAX_UNDELIVERED)]);
});

test("drops a waiting start of a forgotten container after its run's end", () => {
  const { queue: q, start, live, next, all } = queue();
  live(0, 0);
  start(1);
  assert.equal(next(), "+0");
  q.forget(main);
  assert.equal(all(), "-0");
});

test("drops no container that the reader knows in favour of unknown ones", () => {
  const known: QueuedContainer = { kind: "regular", name: "known" };
  const { queue: q, live, all } = queue();
  live(0, 0, known);
  assert.equal(all(), "known +0 known -0");
  live(1, 1, known);
  q.gone(known);
  for (let n = 0; n < 2 * MAX_UNDELIVERED; n++) {
    const container: QueuedContainer = { kind: "regular", name: String(n) };
    live(0, 0, container);
    q.gone(container);
  }
  assert.ok(all().startsWith("known +1 known -1 "));
});
