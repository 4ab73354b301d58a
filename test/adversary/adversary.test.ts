// Random lives of a node under all readers of the public face at once. $LIVES and $LIFE say how many, and from which on.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type ContainerEvent, PodsClient, podMask } from "../../src/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { TurnClock } from "../helpers/turn-clock.js";
import { FACTS, table } from "./facts.js";
import { ACTIONS, live, type Step, stepsOf } from "./life.js";
import { Replay, read, written } from "./record.js";
import { REDS } from "./reds.js";

const LIVES = Number(process.env["LIVES"] ?? 300);
const FIRST = Number(process.env["LIFE"] ?? 1);

test(`${LIVES} lives of a node: nothing untrue is told, and nothing is left out, but what reds.ts names`, async (t) => {
  const found = new Map<string, { life: number; times: number; text: string }>();
  const faults: number[] = [];
  for (let life = FIRST; life < FIRST + LIVES; life++) {
    const steps = stepsOf(life);
    const lived = await live(steps, life);
    faults.push(lived.faults);
    for (const rule of new Set(lived.violations.map(({ rule }) => rule))) {
      const { text } = lived.violations.find((each) => each.rule === rule) ?? { text: "" };
      if (!(rule in REDS)) await shrink(life, steps, rule);
      const known = found.get(rule);
      if (known === undefined) found.set(rule, { life, times: 1, text });
      else known.times++;
    }
  }
  for (const [rule, { life, times, text }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1)))
    t.diagnostic(`${rule}: in ${times} lives, first in life ${life}: ${text}`);
  faults.sort((a, b) => a - b);
  const median = faults[Math.floor(faults.length / 2)] ?? 0;
  t.diagnostic(`a life has ${median} faults, as a median`);
  assert.ok(median >= 3);
  if (LIVES < 300) return;
  const gone = Object.keys(REDS).filter((rule) => !found.has(rule));
  assert.deepEqual(gone, [], "red no more, and still in reds.ts");
});

/** Finds the fewest steps that lead to the same, and writes what the kubelet said in them. */
async function shrink(life: number, steps: readonly Step[], rule: string): Promise<never> {
  let last = await live(steps, life);
  const isSuch = async (some: readonly Step[]) => {
    const lived = await live(some, life);
    if (!lived.violations.some((each) => each.rule === rule)) return true;
    last = lived;
    return false;
  };
  const result = await fc.check(fc.asyncProperty(fc.subarray([...steps]), isSuch), {
    examples: [[[...steps]]],
    numRuns: 1,
    seed: life,
  });
  const record = join(mkdtempSync(join(tmpdir(), "adversary-")), `life-${life}.jsonl`); // kept, for who looks into it
  writeFileSync(record, written(last.lines));
  const few = result.counterexample?.[0] ?? steps;
  const text = last.violations.find((each) => each.rule === rule)?.text;
  return assert.fail(
    `${rule}: ${text}\nlife ${life}, after ${few.map(({ action }) => action).join(", ")}\nwhat the kubelet said: ${record}`,
  );
}

test("the judge imports nothing of the library", () => {
  for (const file of ["judge.ts", "truth.ts"]) {
    const text = readFileSync(join(root, "test/adversary", file), "utf8");
    const imported = [...text.matchAll(/(import[^;]*?from) "([^"]+)"/g)].map(([, how = "", from = ""]) => [
      how.startsWith("import type"),
      from,
    ]);
    for (const [isType, from] of imported)
      assert.ok(isType && ["./teller.js", "./truth.js"].includes(String(from)), `${file} imports ${from}`);
  }
});

test("each fact of docs/kubelet.md about telling has an action, and the page has them as facts.ts does", () => {
  const named = Object.values(ACTIONS).flatMap((action) => ("fact" in action ? [action.fact] : []));
  assert.deepEqual([...new Set(named)].sort(), Object.keys(FACTS).sort());
  const page = join(root, "docs/kubelet.md");
  const text = readFileSync(page, "utf8");
  const made = text.replace(/(<!-- facts -->)[\s\S]*?(<!-- \/facts -->)/, `$1\n\n${table()}\n\n$2`);
  if (process.env["UPDATE_FACTS"] === "1") writeFileSync(page, made);
  assert.equal(text, process.env["UPDATE_FACTS"] === "1" ? text : made, "UPDATE_FACTS=1 writes them");
});

test("what the kubelet said in a life that fails is written down, and the reference kubelet's server says it again", async (t) => {
  // The first life in which an old status ends a container that runs.
  const isSuch = ({ rule, text }: { rule: string; text: string }) =>
    rule === "V1" && text.startsWith("containers: ENDED");
  // What comes between a watch's registration and its list is nobody's to time on a socket.
  const swapped = (life: number) =>
    live(
      stepsOf(life).filter(({ action }) => action !== "listLate"),
      life,
    );
  let life = 1;
  let lived = await swapped(life);
  while (!lived.violations.some(isSuch)) lived = await swapped(++life);
  const text = lived.violations.find(isSuch)?.text ?? "";
  const [, cause, id] = /ENDED \((\w+)\) of (\w+)/.exec(text) ?? [];
  assert.deepEqual(read(written(lived.lines)), lived.lines);

  const clock = new TurnClock();
  const socketPath = join(temporaryDirectory(t), "replay.sock");
  const replay = new Replay(socketPath, read(written(lived.lines)), clock);
  const client = new PodsClient({ socketPath }, clock.environment);
  t.after(async () => {
    await client.close();
    await replay.close();
  });
  const ended = async () => {
    for await (const event of client.watchContainers({ mask: podMask("metadata.uid") }) as AsyncIterable<
      ContainerEvent<unknown>
    >) {
      if (event.type === "ENDED" && event.container.containerID === id) return event.cause;
    }
    return undefined;
  };
  assert.equal(await Promise.race([ended(), replay.over.then(() => "never")]), cause);
  assert.ok(existsSync(socketPath));
});
