// npm run bench -- [import] [packages] [calls] [watch] [cold] [rest] [large] [lookups] [recovery] [outage] [stalled] [way] [--rounds 3] [--pods 110,500,5000] [--json FILE] [--earlier TARBALL] [--clients REGEX]
//
// Compares this package with other clients. Each client runs in its own process, and all clients read from one server in turn. Without
// names, all parts run, which takes 40 minutes. The client in Go needs `go`. `--earlier` adds an earlier version of this package,
// and `--clients` selects clients by their names.
//
// npm run bench -- decode | kubelet: measures the decoder alone, or the reference kubelet. Their files list their options.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { calls } from "./calls.js";
import { cold, rest } from "./cold.js";
import { ALL, EARLIER, EARLIER_MASKED } from "./contenders.js";
import { Figures } from "./figures.js";
import { goals } from "./goals.js";
import { importing } from "./importing.js";
import { large } from "./large.js";
import { lookups } from "./lookups.js";
import { outage } from "./outage.js";
import { installed, packages } from "./packages.js";
import type { Bench } from "./part.js";
import { recovery } from "./recovery.js";
import { stalled } from "./stalled.js";
import { watch } from "./watching.js";
import { way } from "./way.js";

const [alone = "", ...options] = process.argv.slice(2);
if (alone === "decode" || alone === "kubelet") {
  process.argv.splice(2, process.argv.length, ...options);
  await import(`./${alone}.js`);
  process.exit();
}
const { values, positionals } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    pods: { type: "string", default: "110,500,5000" },
    json: { type: "string", default: "bench.json" },
    earlier: { type: "string" },
    clients: { type: "string", default: "" },
  },
  allowPositionals: true,
});
const parts: Record<string, (bench: Bench) => Promise<void>> = {
  import: importing,
  packages,
  calls,
  watch,
  cold,
  rest,
  large,
  lookups,
  recovery,
  outage,
  stalled,
  way,
};
const wanted = positionals.length > 0 ? positionals : Object.keys(parts);
for (const name of wanted) {
  if (parts[name] === undefined) throw new Error(`${name}: there are ${Object.keys(parts).join(", ")}`);
}

const directory = mkdtempSync(join(tmpdir(), "bench-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})`);
const bench: Bench = {
  figures: new Figures(),
  rounds: Number(values.rounds),
  sizes: values.pods.split(",").map(Number),
  directory,
  packages: installed(directory, values.earlier),
  clients: [...ALL, ...(values.earlier === undefined ? [] : [EARLIER, EARLIER_MASKED])].filter(({ name }) =>
    new RegExp(values.clients).test(name),
  ),
};
console.log(`medians of ${bench.rounds} rounds, and from the least to the most\n`);
for (const name of wanted) await parts[name]?.(bench);
goals(bench);
const about = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, date: new Date().toISOString() };
writeFileSync(values.json, `${JSON.stringify({ ...about, figures: bench.figures }, undefined, 2)}\n`);
console.log(`all figures: ${values.json}`);
process.exit();
