// The judges of the node's suite find what is wrong: a record that is well passes, and each that is bent fails.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { root } from "../helpers/programs.js";
import { compareColumns } from "./columns.js";
import { explain } from "./explain.js";
import type { At, Brief, Line } from "./journal.js";
import { compareJson, isKnown, KNOWN_DIFFERENCES } from "./json.js";
import { compareLives } from "./lives.js";
import { compareStories, wordsOf } from "./stories.js";

const NONE = { deletions: 0, problems: [] };
const BEGIN_MS = 1_000_000_000_000;

const pod = (uid: string, more: Partial<Brief> = {}): Brief => ({
  uid,
  name: `n/${uid}`,
  phase: "Running",
  isStatic: false,
  isFinished: false,
  ready: true,
  states: "R0",
  ...more,
});

/** Lines at seconds after the beginning. */
const record = (...lines: [seconds: number, line: Line][]): At[] =>
  lines.map(([seconds, line]) => ({ atMs: BEGIN_MS + seconds * 1000, ...line }) as At);

const listed = (...pods: Brief[]): Line => ({ who: "raw", type: "LIST", pods });
const sent = (type: "ADDED" | "MODIFIED" | "DELETED", each: Brief): Line => ({ who: "raw", type, pod: each });
const told = (type: "ADDED" | "MODIFIED" | "DELETED", each: Brief, cause?: string): Line => ({
  who: "live",
  type,
  pod: each,
  ...(cause !== undefined && { cause }),
});
const synced = (view: string[], unconfirmed = 0): Line => ({
  who: "live",
  type: "SYNCED",
  initial: true,
  view,
  unconfirmed,
});

const [A, B] = [pod("a"), pod("b")];
const problemsOf = (lines: At[], fromMs = BEGIN_MS) => explain(lines, fromMs).problems.map((each) => each.slice(13));

describe("explain: what was told of pods", () => {
  test("DELETED finished needs the kubelet's DELETED at that time, or a list with the pod finished", () => {
    const finished = told("DELETED", A, "finished");
    assert.deepEqual(explain(record([9, sent("DELETED", A)], [10, finished]), BEGIN_MS), { ...NONE, deletions: 1 });
    const ended = pod("a", { isFinished: true });
    assert.deepEqual(problemsOf(record([9, listed(ended)], [10, finished])), []);
    for (const evidence of [
      [1, sent("DELETED", A)],
      [9, sent("DELETED", B)],
      [9, listed(A)],
      [9, listed()],
    ] as [number, Line][]) {
      const problems = problemsOf(record([...evidence], [10, finished]));
      assert.deepEqual(problems, ["live: DELETED finished of n/a (a), which the kubelet had"]);
    }
  });

  test("DELETED missing needs a list without the pod, of the last minute and a quarter", () => {
    const missing = told("DELETED", A, "missing");
    assert.deepEqual(problemsOf(record([100, listed(B)], [160, missing])), []);
    for (const evidence of [
      [80, listed(B)],
      [150, listed(A, B)],
      [150, sent("DELETED", A)],
    ] as [number, Line][]) {
      assert.equal(problemsOf(record([...evidence], [160, missing])).length, 1);
    }
  });

  test("a pod that is ADDED again was deleted falsely, unless it is static", () => {
    const again = (each: Brief) =>
      record(
        [1, listed(each)],
        [2, told("ADDED", each)],
        [3, listed()],
        [4, told("DELETED", each, "missing")],
        [5, listed(each)],
        [6, told("ADDED", each)],
      );
    assert.deepEqual(problemsOf(again(A)), ["live: ADDED n/a (a) again, DELETED missing at 01:46:44.000"]);
    assert.deepEqual(problemsOf(again(pod("a", { isStatic: true }))), []);
    assert.deepEqual(problemsOf(again(A), BEGIN_MS + 10_000), [], "what was before is judged already");
  });

  test("a picture at SYNCED lacks no pod that is listed before and after, and has none that is in neither", () => {
    const around = (line: Line, before = listed(A, B), after = listed(A, B)) =>
      problemsOf(record([9, before], [10, line], [11, after]));
    assert.deepEqual(around(synced(["a", "b"])), []);
    assert.deepEqual(around(synced(["a"])), ["live: SYNCED, and n/b (b) is missing"]);
    assert.deepEqual(around(synced(["a"]), listed(A), listed(A, B)), [], "it came meanwhile");
    assert.deepEqual(around(synced(["a"]), listed(A, pod("b", { isFinished: true }))), []);
    assert.deepEqual(around(synced(["a", "b", "c"])), ["live: SYNCED, and 1 pods too many"]);
    assert.deepEqual(around(synced(["a", "b", "c"], 1)), [], "it is told as unconfirmed");
    const without = problemsOf(record([1, listed(A)], [10, synced([])], [19, listed(A)]));
    assert.deepEqual(without, [], "nobody looked at that time");
  });

  test("what contradicts itself is told as it was found", () => {
    assert.deepEqual(problemsOf(record([1, { who: "all", type: "BUG", what: "ADDED twice" }])), ["all: ADDED twice"]);
  });
});

describe("compareLives: what was told of containers", () => {
  const runtime = (type: "create" | "info" | "start" | "exit", more: object = {}): Line =>
    ({
      who: "runtime",
      type,
      id: "c1",
      ...(type === "info" && { kind: "container", uid: "u", pod: "p", name: "main" }),
      ...more,
    }) as Line;
  const life = (type: "STARTED" | "ENDED" | "MISSED", more: object = {}): Line =>
    ({
      who: "lives",
      type,
      uid: "u",
      pod: "p",
      name: "main",
      kind: "regular",
      restartCount: 0,
      id: "c1",
      ...more,
    }) as Line;
  const REAL: [number, Line][] = [
    [1, runtime("create")],
    [1, runtime("info")],
    [2, runtime("start", { happenedMs: BEGIN_MS + 2_000 })],
    [5, runtime("exit", { exitCode: 3, happenedMs: BEGIN_MS + 5_000 })],
  ];
  const TOLD: [number, Line][] = [
    [3, life("STARTED", { initial: false })],
    [6, life("ENDED", { cause: "exited", exitCode: 3 })],
  ];
  const SHOWN: [number, Line] = [0, listed(pod("u"))];
  const judged = (...lines: [number, Line][]) => compareLives(record(SHOWN, ...lines));

  test("a life with its start, its end and its exit code is well", () => {
    assert.deepEqual(judged(...REAL, ...TOLD), {
      counts: { lives: 1, "ended with the exit code": 1 },
      problems: [],
      startMs: [1_000],
      endMs: [1_000],
    });
  });

  test("one that runs on, and one whose end nobody knows, are counted", () => {
    assert.deepEqual(judged(...REAL.slice(0, 3), ...TOLD.slice(0, 1)).counts, { lives: 1, "run on": 1 });
    const gone = judged(...REAL, TOLD[0] ?? [0, life("STARTED")], [6, life("ENDED", { cause: "gone" })]);
    assert.deepEqual([gone.counts, gone.problems], [{ lives: 1, "ended as gone": 1 }, []]);
  });

  for (const [what, problem, lines] of [
    ["a life that is not told", "p u main: 1 lives of the runtime not told, 0 as MISSED", REAL],
    ["an end that is not told", "p main c1: the end with 3 was not told", [...REAL, ...TOLD.slice(0, 1)]],
    [
      "another exit code",
      "p main c1: told to have ended with 0, and did with 3",
      [...REAL, ...TOLD.slice(0, 1), [6, life("ENDED", { cause: "exited", exitCode: 0 })]],
    ],
    ["a start that is told twice", "p main c1: STARTED twice", [...REAL, ...TOLD.slice(0, 1), ...TOLD]],
    ["an end that is told twice", "p main c1: ENDED twice", [...REAL, ...TOLD, ...TOLD.slice(1)]],
    ["an end without a start", "p main c1: ENDED, and not STARTED", [...REAL, ...TOLD.slice(1), ...TOLD]],
    ["a life that nobody ran", "p main c1: told, and the runtime has none", TOLD],
    [
      "a loss that was none",
      "u main: 1 lives MISSED that the runtime did not run",
      [...REAL, ...TOLD, [7, life("MISSED", { missed: [1, 1] })]],
    ],
  ] as [string, string, [number, Line][]][]) {
    test(`${what} is a problem`, () => assert.deepEqual(judged(...lines).problems, [problem]));
  }

  test("a container that could not be started is a restart to the kubelet, which it may have missed", () => {
    const failed = [1, 1].map((at, i): [number, Line] => [at, runtime(i === 0 ? "create" : "info")]);
    assert.deepEqual(judged(...failed, [7, life("MISSED", { missed: [0, 0] })]).problems, []);
    assert.equal(judged(...failed, [7, life("MISSED", { missed: [0, 1] })]).problems.length, 1);
  });

  test("nobody can tell of a pod that came and went while the kubelet showed none", () => {
    const { counts, problems } = compareLives(record(...REAL));
    assert.deepEqual([counts, problems], [{ "of pods that came and went while the kubelet showed none": 1 }, []]);
  });

  test("lives told as MISSED are not lacking, and those from before the record not told in vain", () => {
    assert.deepEqual(judged(...REAL, [7, life("MISSED", { missed: [0, 0] })]).problems, []);
    assert.deepEqual(judged([3, life("STARTED", { initial: true })]).problems, []);
  });
});

describe("compareColumns: kubectl's table and ours", () => {
  const HEAD =
    "NAMESPACE   NAME   READY   STATUS    RESTARTS      AGE   IP       NODE   NOMINATED NODE   READINESS GATES";
  const row = (name: string, status = "Running", age = "3m", node = "n1   ") =>
    `shop        ${name.padEnd(4)}   1/1     ${status.padEnd(7)}   1 (2m ago)    ${age.padEnd(3)}   10.0.0.1 ${node.padEnd(4)}<none>           <none>`;
  const table = (...rows: string[]) => `${[HEAD, ...rows].join("\n")}\n`;
  const same = table(row("web"));

  test("ages may differ, what is pending without a node may lack, and so may what changed meanwhile", () => {
    assert.deepEqual(compareColumns(same, table(row("web", "Running", "4m")), same), { rows: 1, problems: [] });
    const changed = compareColumns(table(row("web", "Pending")), table(row("web", "Running")), same);
    assert.deepEqual(changed, { rows: 0, problems: [] });
  });

  test("another status, a row too few and a row too many are problems", () => {
    const other = compareColumns(same, table(row("web", "Error")), same).problems;
    assert.deepEqual(other, ['shop/web: STATUS is "Error", kubectl\'s "Running"']);
    assert.match(compareColumns(same, table(), same).problems[0] ?? "", /^shop\/web: lacks here/);
    assert.match(compareColumns(table(), same, table()).problems[0] ?? "", /^shop\/web: here only/);
  });
});

describe("compareJson: kubectl's JSON and ours", () => {
  const metadata = { namespace: "n", name: "a" };
  const list = (more: object, meta: object = {}) =>
    JSON.stringify({ items: [{ metadata: { ...metadata, ...meta }, spec: {}, ...more }] });
  const mirror = { annotations: { "kubernetes.io/config.mirror": "h" } };

  test("other values and keys that only one has are differences; those that a kubelet cannot know are known", () => {
    const { pods, differences } = compareJson(
      list({ status: { phase: "Running" } }),
      list({ status: { podIP: "1.2.3.4" } }),
    );
    assert.equal(pods, 1);
    assert.deepEqual(
      differences.map(({ path }) => path),
      [".status.phase", ".status.podIP"],
    );
    assert.ok(differences.every((difference) => !isKnown(difference)));
    const empty = compareJson(list({ spec: { volumes: [{ emptyDir: {} }] } }), list({ spec: { volumes: [{}] } }));
    assert.deepEqual(
      empty.differences.map(({ path }) => path),
      [".spec.volumes[0].emptyDir"],
    );
    const aged = compareJson(
      list({}, { resourceVersion: "2", uid: "x" }),
      list({}, { resourceVersion: "1", uid: "y" }),
    ).differences;
    assert.deepEqual(
      aged.map((each) => [each.path, isKnown(each)]),
      [
        [".metadata.resourceVersion", true],
        [".metadata.uid", false],
      ],
    );
    const statics = compareJson(list({}, { ...mirror, uid: "x" }), list({}, { uid: "h" })).differences;
    assert.deepEqual(statics.map(isKnown), [true, true]);
  });

  test("docs/kubelet.md has each key that is known to differ, and no other", () => {
    const text = readFileSync(join(root, "docs/kubelet.md"), "utf8");
    const section = text.slice(text.indexOf("## Which keys are other"), text.indexOf("## Containers"));
    const documented = [...section.matchAll(/^\| `([^`]+)` +\| (all|static) /gm)].map(
      ([, path, of]) => `.${path} ${of}`,
    );
    assert.deepEqual(documented.sort(), KNOWN_DIFFERENCES.map(({ path, of }) => `${path} ${of}`).sort());
  });
});

describe("compareStories: the life of a pod, by a kubelet and by the reference kubelet", () => {
  const NODE = [
    "ADDED Pending W0:ContainerCreating",
    "MODIFIED Running R0",
    "MODIFIED Succeeded T0:Completed",
    "DELETED",
  ];

  test("the reference kubelet may say less, and nothing else, nor in another order", () => {
    assert.deepEqual(compareStories(NODE, NODE), []);
    assert.deepEqual(compareStories(NODE, ["ADDED Pending W0:ContainerCreating", "DELETED"]), []);
    assert.equal(compareStories(NODE, ["ADDED Pending ", "MODIFIED Running R0"]).length, 1);
    assert.equal(compareStories(NODE, ["DELETED", "MODIFIED Running R0"]).length, 1);
  });

  test("the words are the recorder's of this pod, each once where it comes again at once", () => {
    const running = pod("a", { name: "shop/a" });
    const lines = record(
      [1, sent("ADDED", running)],
      [2, sent("MODIFIED", B)],
      [3, sent("MODIFIED", running)],
      [4, sent("MODIFIED", running)],
      [5, sent("DELETED", running)],
    );
    assert.deepEqual(wordsOf(lines, "shop/a"), ["ADDED Running R0", "MODIFIED Running R0", "DELETED"]);
  });
});
