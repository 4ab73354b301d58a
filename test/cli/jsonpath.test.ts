// -o jsonpath of `get`. That templates give what kubectl makes of them is judged by its own code: test/interop.

import assert from "node:assert/strict";
import { evaluateTemplate } from "../../src/cli/jsonpath/evaluate.js";
import { JsonPathError, parseTemplate } from "../../src/cli/jsonpath/parse.js";
import { sampleNode } from "../../src/testing/index.js";
import { describe, test } from "../helpers/test.js";
import { kubeletOf, ran, running } from "./console.js";
import { ANSWERS, OBJECT } from "./templates.js";

const get = (template: string, ...more: string[]) => ["get", "-o", `jsonpath=${template}`, ...more];

test("a list, and one pod that is named, without the end of a line", async (t) => {
  const kubelet = await kubeletOf(t);
  const { code, output } = await ran(kubelet, get("{.items[*].metadata.name}", "-n", "shop"));
  assert.equal(code, 0);
  const names = sampleNode().flatMap(({ metadata }) => (metadata?.namespace === "shop" ? [metadata.name ?? ""] : []));
  assert.equal(output, names.sort().join(" "));
  const one = await ran(kubelet, get("{.kind} {.metadata.name}\n", "ledger-1"));
  assert.equal(one.output, "Pod ledger-1\n");
  const rows = '{range .items[*]}{.metadata.name}{"\\t"}{.spec.containers[0].image}{"\\n"}{end}';
  assert.match((await ran(kubelet, get(rows))).output, /^ledger-1\tregistry\.example\/ledger:1\.4$/m);
});

test("what is no template, or does not fit, is told with its reason", async (t) => {
  const kubelet = await kubeletOf(t);
  for (const [template, reason] of [
    ["{.items[*}", "brackets have no end: ]"],
    ["{.items", "an expression has no end: }"],
    ["{range .items[*]}{.kind}", "{range} without {end}"],
    ["{end}", "{end} without {range}"],
    ["{nope}", "there is no word nope"],
    ["{.items[?(@.kind='Pod')]}", "there is no operator ="],
    ["{.items[99]}", "no element 99 in a list of 16"],
    ["{.kind[0]}", "what has an index or a filter is no list"],
    ['{.items[?(@.kind=="Pod"].kind}', "a filter has no end: )]"],
    ["{'\\q'}", "not an escape: \\q"],
  ] as const) {
    const { code, errors, output } = await ran(kubelet, get(template));
    assert.deepEqual([code, output], [2, ""], template);
    assert.ok(errors.includes(`-o jsonpath: ${reason}\n`), errors);
  }
  assert.match((await ran(kubelet, ["get", "-o", "jsonpath"])).errors, /a template is missing/);
});

test("no control character of a pod reaches the terminal, and lines of it stay lines", async (t) => {
  const pod = sampleNode()[0];
  assert.ok(pod);
  const kubelet = await kubeletOf(t, [{ ...pod, status: { ...pod.status, message: "a\u001b[2Jb\nc" } }]);
  const { output } = await ran(kubelet, get("{.items[0].status.message}"));
  assert.equal(output, "a\\u001b[2Jb\nc");
});

test("templates give what kubectl makes of them", () => {
  for (const [template, expected] of ANSWERS) {
    let text: string | undefined;
    try {
      text = evaluateTemplate(parseTemplate(template), OBJECT);
    } catch (error) {
      assert.ok(error instanceof JsonPathError);
    }
    assert.equal(text, expected, template);
  }
});

describe("a watch", () => {
  test("writes each pod by the template", async (t) => {
    const kubelet = await kubeletOf(t);
    const watch = running(t, kubelet, get("{.metadata.name} {.status.phase};", "ledger-1", "-w"));
    await watch.until(({ output }) => output === "ledger-1 Running;");
    kubelet.finishPod(sampleNode().find(({ metadata }) => metadata?.name === "ledger-1")?.metadata?.uid ?? "");
    await watch.until(({ output }) => output.includes("ledger-1 Succeeded;"));
  });
});
