// What the package exports, as its users' compilers see it, beside test/api/*.d.ts: a change of the public face shows in
// a commit. After one that is meant:
//
//   UPDATE_API=1 node --import tsx --test test/package/api.test.ts

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

const golden = join(root, "test/api");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, { types: string } | string>;
};

test("the public API matches test/api", async () => {
  const input: Record<string, string> = {};
  for (const [name, entry] of Object.entries(exports)) {
    if (typeof entry === "object") input[name === "." ? "index" : name.slice(2)] = join(root, entry.types);
  }
  const bundle = await rollup({
    input,
    // The generated messages are judged by their proto files.
    external: (id) => !/^[./]/.test(id) || id.includes("/gen/"),
    plugins: [dts()],
  });
  const { output } = await bundle.generate({
    format: "es",
    entryFileNames: "[name].d.ts",
    chunkFileNames: "[name].d.ts",
    minifyInternalExports: false,
    manualChunks: (id) => (Object.values(input).includes(id) ? undefined : "all"),
  });
  for (const file of output) {
    assert.equal(file.type, "chunk");
    const path = join(golden, file.fileName);
    // Names each on a line; without comments, which another test asks for.
    const code = file.code.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "").replace(/(?<=^export \{ .*), /gm, ",\n  ");
    if (process.env["UPDATE_API"]) writeFileSync(path, code);
    assert.equal(code, readFileSync(path, "utf8"), `${path}: see UPDATE_API at the head of this test`);
  }
});
