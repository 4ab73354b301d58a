// A test is skipped where the machine truly lacks something, and says what: under CI=true too nothing else is.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

/** What a machine may lack, by the condition in the code. */
const LACKS: Readonly<Record<string, RegExp>> = {
  "root, or mounts of its own": /^!(?:canMount|isRoot) && "needs root(?: and unshare)?"$/,
  "/dev/full": /^existsSync\("\/dev\/full"\) \? false : "no \/dev\/full"$/,
  "Go, which CI has to have": /^noGo(?:, concurrency: true)?$/,
  Prometheus: /^noPrometheus$/,
  "prlimit of util-linux": /^noLimits$/,
  "a node, or what a node of its kind has":
    /^foreign$|^"?`?(?:the driver has no|these are for the local driver|there is no|no \$\{place\} kubelet)/,
};

test("tests are skipped only if the machine lacks a requirement", () => {
  const files = ["test", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:test|long|interop|node|runtime)\.ts$/.test(file))
      .map((file) => join(folder, file)),
  );
  const skips = files
    .filter((file) => !file.endsWith("package/skips.test.ts"))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const found = [
        ...text.matchAll(/\bskip: ([^{}]+?),?\s*\}|\bt\.skip\((.*)\);|\b(?:test|describe)\.(?:skip|todo|only)\b.*/g),
      ];
      return found.map(([all, option, call]) => ({ file, why: (option ?? call ?? all).trim() }));
    });
  assert.ok(files.length > 100 && skips.length > 15, `${skips.length} in ${files.length}`);
  const others = skips.filter(({ why }) => !Object.values(LACKS).some((lacks) => lacks.test(why)));
  assert.deepEqual(others, []);
});
