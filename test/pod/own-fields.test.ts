import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HEAD_MASK } from "../../src/pod/head.js";
import { podMask } from "../../src/pod/mask.js";
import { OWN_MASK } from "../../src/pod/own-fields.js";
import { PodSelector } from "../../src/pod/selector.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";
import { OWN } from "../specification/messages.js";

test("the library's own fields contain those of heads and selectors, and are those of the specification", () => {
  assert.ok(OWN_MASK.covers(HEAD_MASK));
  assert.ok(OWN_MASK.covers(new PodSelector({ namespace: "shop", labelSelector: "app=web" }).mask));
  assert.equal(podMask.parse(OWN.join()).toString(), OWN_MASK.toString());
});

test("each mask of the layers that decide is within the library's own fields", () => {
  const masks: string[] = [];
  for (const file of ["pod/facts.ts", "pod/stop.ts", "pod/workload.ts", "journal/end-reader.ts"]) {
    const text = readFileSync(join(root, "src", file), "utf8");
    for (const [, path = ""] of text.matchAll(/"((?:metadata|spec|status)\.[\w.]+)"/g)) masks.push(path);
  }
  assert.ok(masks.length > 30, `${masks.length} paths`);
  assert.deepEqual(
    masks.filter((path) => !OWN_MASK.covers(podMask.parse(path))),
    [],
  );
  assert.ok(
    readdirSync(join(root, "src/known")).every(
      (file) => !readFileSync(join(root, "src/known", file), "utf8").includes("podMask("),
    ),
  );
});
