// What each entry loads, against the table of docs/support.md.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

/** Adds the files that a file imports at once, and the packages; Node.js' own are not counted. */
function reach(file: string, files: Set<string>, packages: Set<string>): void {
  if (files.has(file)) return;
  files.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, bound, from = bound ?? ""] of text.matchAll(
    /^(?:import|export)\b[^;]*?\bfrom ['"]([^'"]+)['"]|^import ['"]([^'"]+)['"]/gm,
  )) {
    if (from.startsWith(".")) reach(join(dirname(file), from), files, packages);
    else if (!from.startsWith("node:"))
      packages.add(
        from
          .split("/")
          .slice(0, from.startsWith("@") ? 2 : 1)
          .join("/"),
      );
  }
}

test("each entry point loads the files and packages that docs/support.md lists", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const page = readFileSync(join(root, "docs/support.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(kubelet-pods[\w/-]*)` +\| (\d+) +\| (\d+) kB +\| (.*?) +\|$/gm)];
  const said = Object.fromEntries(
    rows.map(([, name = "", files, kB, packages = ""]) => [name, { files, kB, packages }]),
  );
  const entries = Object.entries<string | { default: string }>(exports).filter(
    ([, entry]) => typeof entry !== "string",
  );
  assert.deepEqual(Object.keys(said).sort(), entries.map(([path]) => path.replace(".", "kubelet-pods")).sort());
  for (const [path, entry] of entries) {
    const [files, packages] = [new Set<string>(), new Set<string>()];
    reach(join(root, (entry as { default: string }).default), files, packages);
    const bytes = [...files].reduce((sum, file) => sum + statSync(file).size, 0);
    const row = said[path.replace(".", "kubelet-pods")];
    const names = [...packages].sort().join(", ") || "none";
    const stands = `${path} loads ${files.size} files, ${bytes} bytes, ${names}`;
    assert.deepEqual([row?.files, row?.packages], [String(files.size), names], stands);
    const budget = Number(row?.kB) * 1_000;
    const advice = `${stands}; docs/support.md says at most ${row?.kB} kB: make it smaller, or correct the page`;
    assert.ok(bytes <= budget && (bytes > budget * 0.85 || budget === 1_000), advice);
  }
});
