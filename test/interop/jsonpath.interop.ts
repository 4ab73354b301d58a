// Templates of -o jsonpath, judged by the code of kubectl.

import assert from "node:assert/strict";
import fc from "fast-check";
import { evaluateTemplate } from "../../src/cli/jsonpath/evaluate.js";
import { JsonPathError, parseTemplate } from "../../src/cli/jsonpath/parse.js";
import { sampleNode } from "../../src/testing/index.js";
import { ANSWERS, OBJECT, TEMPLATES } from "../cli/templates.js";
import { realPods } from "../helpers/fixtures.js";
import { describe, test } from "../helpers/test.js";
import { goVersions, noGo } from "./go-kubelet.js";
import { judge, type Question, sample } from "./judge.js";

function ours(template: string, object: unknown): { ok: boolean; text: string } {
  try {
    return { ok: true, text: evaluateTemplate(parseTemplate(template), object) };
  } catch (error) {
    assert.ok(error instanceof JsonPathError, String(error));
    return { ok: false, text: "" };
  }
}

/** Asserts that each template gives what kubectl makes of it, or is refused as kubectl refuses it. */
function compare(questions: readonly Question[]): number {
  let count = 0;
  for (const version of goVersions) {
    const answers = judge(version, questions);
    for (const [i, { template = "", object }] of questions.entries()) {
      const { ok, text = "", error } = answers[i] ?? { ok: false };
      // It applies the body of a range to nothing, too, where there is nothing: some bodies fail on that, some end it.
      if (/^panic: |<invalid reflect\.Value>/.test(error ?? "")) continue;
      // A descent goes through maps, whose order is random with kubectl.
      const inOrder = (words: string) => (template.includes("..") ? words.split(" ").sort().join(" ") : words);
      const found = ours(template, object);
      const isSame = found.ok === ok && (!ok || inOrder(found.text) === inOrder(text));
      assert.ok(
        isSame,
        `${version} ${template}: ${JSON.stringify(found)}, and kubectl ${error ?? JSON.stringify(text)}`.slice(
          0,
          1_000,
        ),
      );
      if (ok && text !== "") count++;
    }
  }
  return count;
}

const listOf = (items: unknown[]) => ({ apiVersion: "v1", items, kind: "List", metadata: { resourceVersion: "" } });

/** Each question `op: jsonpath`. */
const ask = (templates: readonly string[], object: unknown): Question[] =>
  templates.map((template) => ({ op: "jsonpath", template, object }));

describe("jsonpath as kubectl's own code", { skip: noGo }, () => {
  test("templates of its documentation, and others, on the sample node and on each pod of it", () => {
    const pods = sampleNode();
    const told = compare([listOf(pods), ...pods].flatMap((object) => ask(TEMPLATES, object)));
    assert.ok(told > 500, `${told}`);
  });

  test("the answers that test/cli has are kubectl's", () => {
    const templates = ANSWERS.map(([template]) => template);
    assert.ok(compare(ask(templates, OBJECT)) > 30);
    for (const [template, text] of ANSWERS) {
      assert.deepEqual(ours(template, OBJECT), { ok: text !== undefined, text: text ?? "" }, template);
    }
  });

  test("the same on real pods", () => {
    const pods = realPods().map(({ json }) => json);
    compare([listOf(pods), ...pods].flatMap((object) => ask(TEMPLATES, object)));
  });

  test("random templates", () => {
    const pod = sampleNode().find(({ metadata }) => metadata?.name === "payments-58dd4c7b9-k3vbp") ?? {};
    const told = compare(
      sample(templates, 3_000).flatMap((template) => ask([template], listOf([pod, ...sampleNode().slice(0, 2)]))),
    );
    assert.ok(told > 300, `${told}`);
  });
});

const name = fc.constantFrom(
  "items",
  "metadata",
  "name",
  "labels",
  "app",
  "spec",
  "status",
  "containers",
  "containerStatuses",
  "restartCount",
  "ready",
  "conditions",
  "type",
  "nope",
);
const index = fc.constantFrom(
  "[0]",
  "[-1]",
  "[*]",
  "[1:]",
  "[:1]",
  "[::2]",
  "[0:2]",
  "[-2:-1]",
  "[9]",
  "[0,1]",
  "[]",
  "[1:1]",
  "[x]",
  "[-]",
);
const keys = fc.constantFrom("['name']", "['metadata.name']", "['name','nope']", "['name', 'uid']", "['']");
const filter = fc.constantFrom(
  "[?(@.name)]",
  "[?(@.type=='Ready')]",
  '[?(@.type != "Ready")]',
  "[?(@.restartCount>0)]",
  "[?(@.restartCount >= 4)]",
  "[?(@.ready==true)]",
  "[?(@.nope==1)]",
  "[?(@.name<5)]",
  "[?(@.metadata.name=='payments-58dd4c7b9-k3vbp')]",
  "[?(@.type=~'R')]",
  "[?(@.type=='Ready']",
);
const step = fc.oneof(
  { weight: 6, arbitrary: name.map((word) => `.${word}`) },
  index,
  keys,
  filter,
  // Of a map kubectl's order is random: descents alone into keys that stand once in each object.
  name.filter((word) => word === "restartCount" || word === "nope").map((word) => `..${word}`),
);
const path = fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => steps.join(""));
const quoted = fc.constantFrom(
  '"\\n"',
  '"\\t"',
  "'x'",
  "'it\\'s'",
  '"a\\x41b"',
  '"\\q"',
  "3",
  "1.5",
  "true",
  "@",
  "$",
  "word",
  "#",
);
const expression = fc.oneof(
  { weight: 5, arbitrary: path },
  quoted,
  fc.tuple(path, quoted).map((both) => both.join(" ")),
  path.map((text) => `.items[*]${text}`),
);
const templates = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: expression.map((text) => `{${text}}`) },
      fc.constantFrom("text ", "\n", "}", "{", "{end}", "{ }"),
      fc.tuple(path, expression).map(([of, each]) => `{range .items[*]${of}}{${each}}{" "}{end}`),
      fc.tuple(expression, expression).map(([a, b]) => `{range .items[*]}${a}{range ${b}}{.name};{end}{end}`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(""));
