// npm test [-- [--concurrency N] [--processes] [PATH...]]
//
// Runs the tests, and reports them as Node.js does: for a terminal, or else in TAP. A test that is defined and does not run fails the run.
// PATH is a part of the path of a test file, such as `cli/` or `readers/queue`; --processes means the files that start child processes.
// The other suites are `node --import tsx test/run.ts SUITE`: `long`, `interop` (needs Go), `runtimes` (needs the registry) and `node`
// (needs a node, and is in no check).

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { run } from "node:test";
import { spec, tap } from "node:test/reporters";
import { parseArgs } from "node:util";
import { root } from "./helpers/programs.js";

interface Suite {
  readonly directory: string;
  readonly files: RegExp;
  readonly concurrency: number;
  /** The time limit of a test that names none. */
  readonly timeoutMs: number;
  /** The time limit of a file: it ends a process whose event loop is blocked, or whose child processes keep its output open. */
  readonly fileTimeoutMs: number;
}

const MINUTE_MS = 60_000;

const SUITES: Readonly<Record<string, Suite>> = {
  test: {
    directory: "build/groups",
    files: /\.test\.js$/,
    concurrency: 4,
    timeoutMs: 3 * MINUTE_MS,
    fileTimeoutMs: 20 * MINUTE_MS,
  },
  long: {
    directory: "build/test",
    files: /\.long\.js$/,
    concurrency: 4,
    timeoutMs: 15 * MINUTE_MS,
    fileTimeoutMs: 25 * MINUTE_MS,
  },
  interop: {
    directory: "test/interop",
    files: /\.interop\.ts$/,
    concurrency: 2,
    timeoutMs: 15 * MINUTE_MS,
    fileTimeoutMs: 25 * MINUTE_MS,
  },
  runtimes: {
    directory: "test/runtimes",
    files: /\.runtime\.ts$/,
    concurrency: 2,
    timeoutMs: 5 * MINUTE_MS,
    fileTimeoutMs: 20 * MINUTE_MS,
  },
  node: {
    directory: "test/node",
    files: /\.node\.ts$/,
    concurrency: 2,
    timeoutMs: 180 * MINUTE_MS,
    fileTimeoutMs: 600 * MINUTE_MS,
  },
};

/** What the runner reports, as far as it is looked at. */
interface Event {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly message?: string;
    readonly skip?: string | boolean;
    readonly details?: { readonly type?: string };
    file?: string | undefined;
  };
}

/** Counts the tests that ran, and adds to the summary why tests were skipped and how many did not run. */
async function* counted(events: AsyncIterable<Event>, countDefined: () => number): AsyncGenerator<Event> {
  const reasons = new Map<string, number>();
  let ran = 0;
  /** Tests of examples, which use node:test itself, as a user does. */
  let ofExamples = 0;
  for await (const event of events) {
    const { type, data } = event;
    if (type === "test:fail") process.exitCode = 1;
    if (type === "test:pass" || type === "test:fail") {
      // A file that fails as a whole is reported as a test that has its path as name.
      const isTest = data.details?.type !== "suite" && !paths.has(data.name ?? "");
      if (isTest) ran++;
      if (isTest && data.file?.includes("/examples/")) ofExamples++;
      if (typeof data.skip === "string") reasons.set(data.skip, (reasons.get(data.skip) ?? 0) + 1);
      if (data.file?.includes("helpers/test.")) data.file = undefined; // the diagnostic `defined at` names the place
    }
    if (type === "test:diagnostic" && /^tests \d+$/.test(data.message ?? "")) {
      const skipped = [...reasons].map(([reason, count]) => `${count} for ${reason}`);
      yield diagnostic(`skipped by reason: ${skipped.join(", ") || "none"}`);
      const defined = countDefined() + ofExamples;
      if (ran !== defined) process.exitCode = 1;
      yield diagnostic(
        `${ran} of ${defined} tests that are defined ran${ran === defined ? "" : ": the run has FAILED"}`,
      );
    }
    yield event;
  }
}

function diagnostic(message: string): Event {
  return { type: "test:diagnostic", data: { nesting: 0, message } as Event["data"] };
}

function filesBelow(directory: string, pattern: RegExp): string[] {
  return readdirSync(join(root, directory), { recursive: true })
    .map((name) => join(root, directory, String(name)))
    .filter((file) => pattern.test(file))
    .sort();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: "string" }, processes: { type: "boolean" } },
});
const [suiteName = "test", ...more] = Object.hasOwn(SUITES, positionals[0] ?? "")
  ? positionals
  : ["test", ...positionals];
const suite = SUITES[suiteName] as Suite;
let files = filesBelow(suite.directory, suite.files);
if (more.length > 0 || values.processes === true) {
  // Parts of the suite: files by themselves, and not the groups that the build has made of them.
  if (suiteName === "test") files = ["build/test", "build/examples"].flatMap((part) => filesBelow(part, suite.files));
  if (more.length > 0)
    files = files.filter((file) => more.some((part) => file.slice(root.length).includes(part.replace(/\.[jt]s$/, ""))));
  if (values.processes === true)
    files = files.filter((file) => /node:child_process|helpers\/programs/.test(readFileSync(file, "utf8")));
}
if (files.length === 0) {
  console.error(`no test file matches ${more.join(" ")}`);
  process.exit(2);
}
const paths = new Set(files);

const counts = mkdtempSync(join(tmpdir(), "test-counts-"));
process.once("exit", () => rmSync(counts, { recursive: true, force: true }));
process.env["TEST_COUNTS"] = counts;
process.env["TEST_TIMEOUT_MS"] = String(suite.timeoutMs);
const countDefined = () => readdirSync(counts).reduce((sum, name) => sum + Number(readFileSync(join(counts, name))), 0);

const concurrency = Number(values.concurrency ?? suite.concurrency);
const events = counted(run({ files, concurrency, timeout: suite.fileTimeoutMs }) as AsyncIterable<Event>, countDefined);
const report = process.stdout.isTTY
  ? Readable.from(events).pipe(new spec())
  : (tap(events as never) as AsyncIterable<string>);
for await (const text of report) process.stdout.write(String(text));
