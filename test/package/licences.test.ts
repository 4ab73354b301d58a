import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** What users install with the package asks for no more than that its notices are kept. */
const AT_RUN_TIME = new Set(["Apache-2.0", "(Apache-2.0 AND BSD-3-Clause)", "MIT", "ISC"]);
/** What development takes besides: nothing of it is passed on. */
const IN_DEVELOPMENT = new Set([
  ...AT_RUN_TIME,
  "0BSD",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "LGPL-3.0-only",
  "MPL-2.0",
  "Python-2.0",
  "Unlicense",
]);

test("each installed package has an accepted licence", () => {
  const { packages } = read("node_modules/.package-lock.json") as { packages: Record<string, { dev?: boolean }> };
  const unfit = Object.entries(packages).flatMap(([path, { dev }]) => {
    const { license } = read(join(path, "package.json")) as { license?: string };
    const known = license === "MIT OR Apache-2.0" ? "MIT" : (license ?? "none");
    return (dev ? IN_DEVELOPMENT : AT_RUN_TIME).has(known) ? [] : [`${path}: ${known}`];
  });
  assert.deepEqual(unfit, []);
  assert.ok(Object.keys(packages).length > 100);
});
