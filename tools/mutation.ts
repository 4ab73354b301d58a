// npm run mutation                                          the named bugs of test/mutations.ts
// npm run mutation -- src/readers --sample 40 [--seed 1]    some changes of a folder's functions, drawn at random
// npm run power                                             300 changes of the rules, and 300 lives of the adversary alone
//
// Puts small changes (tools/mutate.ts) into a copy of the compiled code, one at a time, and runs tests on it. A change is killed if a test
// fails. It survived if all passed. It timed out if a test did not end, which is an error: a test that hangs says nothing.
// Named bugs run the test or the life of the adversary that they name. Drawn ones run the tests of their folder, the closest first, with
// --all whatever else `npm test` runs behind them, and with --lives N instead so many lives of the adversary.

import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { transformSync } from "esbuild";
import { LIFE_MUTATIONS, type Place, TEST_MUTATIONS } from "../test/mutations.js";
import { mutated, type Site, sitesOf } from "./mutate.js";
import { root } from "./working-copy.js";

/** How long a test file may take. The slowest takes a quarter of it. */
const LIMIT_MS = 60_000;

/** The first failure ends a test file. A change can make many tests hang: each would take its limit, which fits a busy core otherwise. */
const FAIL_FAST = { TEST_FAIL_FAST: "1", TEST_TIMEOUT_MS: "20000" };

/** How long 300 lives or all tests may take. */
const LONG_LIMIT_MS = 600_000;

/** Where tests of a folder are besides the folder of its name. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  wire: ["errors", "faults", "timing", "client"],
  errors: ["calls", "client", "cli"],
  pod: ["client", "lookup", "cli"],
  protobuf: ["pod", "wire", "podresources"],
  known: ["schedules", "lookup", "readers"],
  stream: ["schedules", "faults", "readers"],
  lookup: ["readers", "client"],
  readers: ["lookup", "client", "schedules"],
  sources: ["client", "errors", "faults", "readers"],
  serving: ["testing", "wire"],
  testing: ["podresources", "identity", "client"],
  conformance: ["cli"],
  identity: ["lookup"],
  timing: ["calls", "client", "readers"],
  calls: ["client"],
  connect: ["wire"],
};

type Outcome = "killed" | "SURVIVED" | "TIMED OUT";

/** A change, and what has to notice it: the arguments of Node.js for each run, of which one has to fail. */
interface Mutation {
  readonly what: string;
  readonly file: string;
  readonly site: Site;
  readonly runs: readonly (readonly string[])[];
  /** How long a run may take. */
  readonly limitMs?: number;
  /** True if a run prints what it has found and exits with 0: need.ts, which compares two lives. */
  readonly isPrinted?: boolean;
}

const modules = readdirSync(join(root, "src"), { recursive: true })
  .map(String)
  .filter((file) => file.endsWith(".ts") && !file.startsWith("gen/"))
  .sort();
const sites = new Map<string, Site[]>();

function sitesIn(file: string): Site[] {
  const known = sites.get(file) ?? sitesOf(readFileSync(join(root, "src", file), "utf8"));
  sites.set(file, known);
  return known;
}

/** Finds a named place. @throws Error if there is none, or more than one */
function find(place: Place): { file: string; site: Site } {
  const [nth, operator, name, inFile] = place.split(" ").reverse();
  const found = modules.flatMap((file) => {
    if (inFile !== undefined && file !== inFile) return [];
    return sitesIn(file).flatMap((site) => (site.name === name ? [{ file, site }] : []));
  });
  const files = [...new Set(found.map(({ file }) => file))];
  if (files.length > 1) throw new Error(`${name} is in ${files.join(" and ")}: write "${files[0]} ${place}"`);
  const there = found.filter(({ site }) => site.operator === operator);
  const site = there.find((each) => each.site.nth === Number(nth));
  if (site !== undefined) return site;
  const hint = files.length === 0 ? "there is no such function" : `it has ${there.length} places for ${operator}`;
  throw new Error(`${place}: ${hint}`);
}

/** Every bug of test/mutations.ts, with the test or life that it names. */
function named(): Mutation[] {
  const byTests = Object.entries(TEST_MUTATIONS).flatMap(([file, rows]) =>
    rows.map(([bug, place, test]) => {
      const runs = [["--test-name-pattern", `^${test.replace(/[^\w ]/g, "\\$&")}$`, compiled(file)]];
      return { what: bug, ...find(place), runs };
    }),
  );
  const byLives = Object.entries(LIFE_MUTATIONS).map(([action, [bug, place, life]]) => {
    const runs = [["--stack-trace-limit=0", "build/test/adversary/need.js", action, String(life)]];
    return { what: `${bug} (${action}, life ${life})`, ...find(place), runs, isPrinted: true };
  });
  return [...byTests, ...byLives];
}

function compiled(test: string): string {
  return join("build", test.replace(/\.ts$/, ".js"));
}

/** Changes of the functions of folders and files, drawn by a seed. */
function drawn(folders: readonly string[], count: number, seed: string): Omit<Mutation, "runs">[] {
  const inside = folders.flatMap((folder) => {
    const start = relative(root, folder).replace(/\/?$/, folder.endsWith(".ts") ? "" : "/");
    const found = modules.filter((file) => join("src", file).startsWith(start));
    if (found.length === 0) throw new Error(`${folder}: no module of src is there`);
    return found;
  });
  const all = inside.flatMap((file) => sitesIn(file).map((site) => ({ file, site })));
  const rank = ({ file, site: { name, operator, nth } }: (typeof all)[number]) =>
    createHash("sha256").update(`${seed} ${file} ${name} ${operator} ${nth}`).digest("hex");
  const ranked = all.map((each) => [rank(each), each] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return ranked.slice(0, count).map(([, { file, site }]) => {
    return { what: `${site.name} ${site.operator} ${site.nth}`, file, site };
  });
}

/** The test files of a module's folder, those that import it first: directly, or by as few modules as possible. */
function testsOf(file: string): string[] {
  const folder = file.includes("/") ? (file.split("/")[0] ?? "") : "client";
  const tests = [folder, ...(ELSEWHERE[folder] ?? [])].flatMap((name) => {
    const directory = join("test", name);
    const entries = readdirSync(join(root, "test")).includes(name)
      ? readdirSync(join(root, directory), { recursive: true })
      : [];
    return entries.map(String).flatMap((entry) => (entry.endsWith(".test.ts") ? [join(directory, entry)] : []));
  });
  const far = (test: string) => distances(test).get(join("src", file)) ?? Number.POSITIVE_INFINITY;
  return tests.sort((a, b) => far(a) - far(b)).filter((test) => Number.isFinite(far(test)));
}

const known = new Map<string, Map<string, number>>();

/** How many imports each module is away from a test. */
function distances(test: string): Map<string, number> {
  const before = known.get(test);
  if (before !== undefined) return before;
  const found = new Map([[test, 0]]);
  for (const [file, distance] of found) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, path = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g)) {
      const imported = join(dirname(file), `${path}.ts`);
      if (!found.has(imported)) found.set(imported, distance + 1);
    }
  }
  known.set(test, found);
  return found;
}

/** The runs that go on. A change can make one endless, so they end with this process. */
const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) kill(child);
});

/** Kills a run with the programs that its tests have started. They would keep its output open. */
function kill({ pid = 0 }: ChildProcess): void {
  try {
    if (pid > 0) process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** A copy of the compiled code, in which one change is made at a time. */
class Copy {
  readonly #directory = mkdtempSync(join(tmpdir(), "mutation-"));

  constructor() {
    const linked = ["node_modules", "src", "test", "tools"];
    for (const entry of readdirSync(root)) {
      const [from, to] = [join(root, entry), join(this.#directory, entry)];
      if (linked.includes(entry)) symlinkSync(from, to);
      else if (entry !== ".git") cpSync(from, to, { recursive: true }); // npm packs no links
    }
    process.once("exit", () => rmSync(this.#directory, { recursive: true, force: true }));
  }

  async try({ file, site, runs, isPrinted, limitMs }: Mutation): Promise<Outcome> {
    const path = join(this.#directory, "build/src", file.replace(/\.ts$/, ".js"));
    const before = readFileSync(path);
    const source = readFileSync(join(root, "src", file), "utf8");
    writeFileSync(path, transformSync(mutated(source, site), { loader: "ts", target: "es2022" }).code);
    try {
      for (const args of runs) {
        const { status, stdout } = await this.run(args, limitMs);
        if (status === null || (isPrinted && status !== 0)) return "TIMED OUT";
        if (status !== 0 || (isPrinted && stdout !== "")) return "killed";
      }
      return "SURVIVED";
    } finally {
      writeFileSync(path, before);
    }
  }

  /** Runs Node.js. The status is null if it did not end in time, or was killed by a signal. */
  run(args: readonly string[], limitMs = LIMIT_MS): Promise<{ status: number | null; stdout: string }> {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env; // a run of its own, not a part of another
    const child = spawn(process.execPath, args, {
      cwd: this.#directory,
      env: { ...env, ...FAIL_FAST },
      detached: true, // with a process group of its own
    });
    children.add(child);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill(child);
    }, limitMs);
    child.once("exit", () => {
      clearTimeout(timer);
      children.delete(child);
      kill(child);
    });
    let stdout = "";
    child.stdout.on("data", (data) => {
      stdout += data;
    });
    child.stderr.resume();
    return new Promise((resolve) => child.on("close", (status) => resolve({ status: isLate ? null : status, stdout })));
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    lives: { type: "string" },
    all: { type: "boolean", default: false },
  },
});
const isNamed = positionals.length === 0;
const mutations = isNamed
  ? named()
  : drawn(positionals, Number(values.sample), values.seed).map((each): Mutation => {
      if (values.lives !== undefined) {
        return { ...each, runs: [["build/test/adversary/first-red.js", values.lives]], limitMs: LONG_LIMIT_MS };
      }
      const runs = testsOf(each.file).map((test) => [compiled(test)]);
      return values.all
        ? { ...each, runs: [...runs, ["build/test/run.js"]], limitMs: LONG_LIMIT_MS }
        : { ...each, runs };
    });
const counts: Record<Outcome, number> = { killed: 0, SURVIVED: 0, "TIMED OUT": 0 };
const copies = Array.from({ length: availableParallelism() }, () => new Copy());

/** Works off a list with all copies at once. */
async function withCopies<T>(list: readonly T[], use: (copy: Copy, each: T) => Promise<void>): Promise<void> {
  const left = [...list];
  const work = async (copy: Copy) => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) await use(copy, each);
  };
  await Promise.all(copies.map(work));
}

// Without a change all tests pass; else each change would be found by a test that is broken.
const unchanged = new Map<string, Mutation["runs"][number]>();
for (const { runs, isPrinted } of mutations) {
  if (isPrinted) continue;
  for (const args of runs) {
    const whole = args[0] === "--test-name-pattern" ? args.slice(2) : args;
    unchanged.set(whole.join(" "), whole);
  }
}
await withCopies([...unchanged.values()], async (copy, args) => {
  if ((await copy.run(args, LONG_LIMIT_MS)).status === 0) return;
  console.error(`${args.join(" ")} fails without any change`);
  process.exit(1);
});
await withCopies(mutations, async (copy, mutation) => {
  const outcome = await copy.try(mutation);
  counts[outcome]++;
  const { what, file, site } = mutation;
  console.log(`${outcome.padEnd(9)} ${what}: src/${file}:${site.line}`);
});
console.log(`${counts.killed} killed, ${counts.SURVIVED} survived, ${counts["TIMED OUT"]} timed out`);
if (counts["TIMED OUT"] > 0 || (isNamed && counts.SURVIVED > 0)) process.exitCode = 1;
