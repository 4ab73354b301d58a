// `test` of node:test as every test file uses it: with a time limit of its own, counted, in an environment without colours.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, type TestOptions, test as testOfNode } from "node:test";

export { after, before, describe, type TestContext } from "node:test";

type TestFunction = (t: TestContext) => void | Promise<void>;

/** The limit of a test that names none. It is for tests that hang: on a busy core a test may take ten times as long as on a quiet one. */
const timeout = Number(process.env["TEST_TIMEOUT_MS"] ?? 180_000);

/** Time for the process to end after its last test, in milliseconds. */
const LEFTOVER_MS = 60_000;

/** Whether the first test that fails ends this process, so that no other test has to hang first. */
const isFailFast = process.env["TEST_FAIL_FAST"] === "1";

/** The file in which this process counts the tests that it defines, for the runner. */
const countFile = process.env["TEST_COUNTS"] && join(process.env["TEST_COUNTS"], String(process.pid));

// Node.js sets FORCE_COLOR for test files if their output goes to a terminal. Programs that tests start would inherit it.
for (const name of ["FORCE_COLOR", "NO_COLOR"]) delete process.env[name];

// A warning, such as one about too many listeners, fails the run.
process.on("warning", (warning) => {
  if (warning.name === "ExperimentalWarning") return; // about the Node.js release, not about what is tested
  throw warning;
});

let defined = 0;
let isCounted = true;
/** Tests that have not ended. */
let open = 0;
let isHung = false;
// Also if a test leaves by process.exit(): Node.js then reports its file as passed.
if (countFile) process.once("exit", () => writeCount(countFile));

/** Defines a test. */
export function test(name: string, fn: TestFunction): void;
export function test(name: string, options: TestOptions, fn: TestFunction): void;
export function test(name: string, options: TestOptions | TestFunction, fn?: TestFunction): void {
  const [given, run] = typeof options === "function" ? [{}, options] : [options, fn as TestFunction];
  const place: { stack?: string } = {};
  Error.captureStackTrace(place, test);
  defined++;
  if (!given.skip) open++;
  if (isCounted && countFile) setImmediate(writeCount, countFile);
  isCounted = false;
  void testOfNode(name, { timeout, ...given }, async (t) => {
    // A test that hangs never closes its servers and child processes. They would keep this process, and the whole run, alive.
    const end = () => {
      open--;
      if (open === 0) setTimeout(endProcess, isHung ? 10_000 : LEFTOVER_MS).unref();
    };
    const hang = () => {
      if (isFailFast) process.exit(1);
      isHung = true;
      end();
    };
    t.signal.addEventListener("abort", hang, { once: true });
    try {
      await run(t);
    } catch (error) {
      if (isFailFast) process.exit(1);
      // The runner would name this file.
      t.diagnostic(`defined ${place.stack?.split("\n")[1]?.trim()}`);
      throw error;
    } finally {
      if (!t.signal.aborted) {
        t.signal.removeEventListener("abort", hang);
        end();
      }
    }
  });
}

/** Ends a process that something keeps alive although all its tests have ended: the runner would wait for it for ever. */
function endProcess(): void {
  if (open > 0) return;
  process.stderr.write(`still open after the last test: ${process.getActiveResourcesInfo().join(", ")}\n`);
  process.exit(1);
}

/** Writes the count as soon as the files are loaded: the runner has it also if this process is killed. */
function writeCount(file: string): void {
  isCounted = true;
  writeFileSync(file, String(defined));
}
