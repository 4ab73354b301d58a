import assert from "node:assert/strict";
import { Ledger } from "../../src/known/ledger.js";
import { podMask } from "../../src/pod/mask.js";
import { PodSelector } from "../../src/pod/selector.js";
import { Scope } from "../../src/readers/selection.js";
import { test } from "../helpers/test.js";
import { burst, pod } from "../known/lists.js";

const uid = podMask("metadata.uid");

test("needed fields are those of the mask, the selector and the lookups", () => {
  const selector = new PodSelector({ labelSelector: "app=web" });
  const lookup = podMask("status.podIP");
  const paths = (scope: Scope) => scope.neededMask?.toString();
  assert.equal(paths(new Scope({ includeFinished: false, mask: uid })), "metadata.uid");
  assert.equal(
    paths(new Scope({ includeFinished: false, mask: uid, selector, lookup })),
    uid.union(selector.mask, lookup).toString(),
  );
  assert.equal(paths(new Scope({ includeFinished: false, selector, lookup })), undefined, "everything");
});

test("counts the selected pods", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("a"), pod("b"), pod("c", { finished: true })]);
  assert.equal(new Scope({ includeFinished: false }).count(ledger.records()), 2);
  assert.equal(new Scope({ includeFinished: true }).count(ledger.records()), 3);
  const none = new PodSelector({ namespace: "none" });
  assert.equal(new Scope({ includeFinished: true, selector: none }).count(ledger.records()), 0);
});

test("has() is undefined for a pod with too few retained fields", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  ledger.retain(uid);
  burst(ledger, [pod("a")]);
  const entry = ledger.get("a")?.version;
  assert.ok(entry);
  assert.equal(new Scope({ includeFinished: false }).has(entry, true), undefined);
  assert.equal(new Scope({ includeFinished: false, mask: uid }).has(entry, true), true);
  assert.equal(new Scope({ includeFinished: false }).has(entry, false), false, "a finished one is out");
});
