import assert from "node:assert/strict";
import { Ledger } from "../../src/known/ledger.js";
import { podMask } from "../../src/pod/mask.js";
import { OWN_MASK } from "../../src/pod/own-fields.js";
import { PodSelector } from "../../src/pod/selector.js";
import { Scope } from "../../src/readers/selection.js";
import { test } from "../helpers/test.js";
import { burst, pod } from "../known/lists.js";

test("counts the selected pods", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("a"), pod("b"), pod("c", { finished: true })]);
  assert.equal(new Scope({ includeFinished: false }).count(ledger.records()), 2);
  assert.equal(new Scope({ includeFinished: true }).count(ledger.records()), 3);
  const none = new PodSelector({ namespace: "none" });
  assert.equal(new Scope({ includeFinished: true, selector: none }).count(ledger.records()), 0);
});

test("a pod is shown if all fields of the mask are known, and selected by the library's own fields", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  ledger.retain(OWN_MASK);
  burst(ledger, [pod("a")]);
  const version = ledger.get("a")?.version;
  assert.ok(version);
  const selector = new PodSelector({ namespace: "none" });
  for (const [selection, isShown, isSelected] of [
    [{ includeFinished: false }, false, true],
    [{ includeFinished: false, mask: podMask("spec.volumes") }, false, true],
    [{ includeFinished: false, mask: podMask("metadata.labels") }, true, true],
    [{ includeFinished: false, mask: podMask("metadata.labels"), selector }, false, false],
  ] as const) {
    const scope = new Scope(selection);
    assert.deepEqual([scope.shows(version, true), scope.has(version, true)], [isShown, isSelected]);
    assert.equal(scope.has(version, false), false, "a finished one is out");
  }
});
