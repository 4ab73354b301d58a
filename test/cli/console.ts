// The command, as a shell sees it.

import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Console } from "../../src/cli/command.js";
import { run } from "../../src/cli/run.js";
import type { PodJson } from "../../src/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { type Clock, type Environment, systemClock } from "../../src/timing/clock.js";
import { AutoAdvanceClock } from "../helpers/auto-advance-clock.js";
import { root } from "../helpers/programs.js";

/** What a command is started with beside its arguments. */
interface Surroundings {
  signal?: AbortSignal;
  colours?: boolean;
  environment?: Environment;
}

/** A console that keeps what is written. Its time passes with the turns of the event loop. */
export function consoleOf({
  signal = new AbortController().signal,
  colours = false,
  environment = new AutoAdvanceClock().environment,
}: Surroundings = {}) {
  const console = {
    environment,
    output: "",
    errors: "",
    ended: () => signal,
    colours,
    out(text: string) {
      console.output += `${text}\n`;
    },
    write(text: string) {
      console.output += text;
    },
    err(text: string) {
      console.errors += `${text}\n`;
    },
  };
  return console satisfies Console;
}

/** Surroundings in which time passes, for a command that waits for it. */
export const passing = (): Surroundings => ({ environment: new AutoAdvanceClock().environment });

/** The program that is published. */
export const main: string = join(root, "dist/cli/main.js");

/** The process's own clock, with a time of day that is before that of commands: what a kubelet has stamped is old to them. */
const earlier: Clock = {
  now: () => systemClock.now(),
  wallMs: () => Date.UTC(2025, 11, 31) + systemClock.now(),
  busyMs: () => systemClock.busyMs(),
  after: (...given) => systemClock.after(...given),
};

/** A node, for as long as the test runs; on a clock of its own unless it is given one. */
export async function kubeletOf(
  t: TestContext,
  pods: PodJson[] = sampleNode(),
  { environment }: Surroundings = {},
): Promise<ReferenceKubelet> {
  const kubelet = await ReferenceKubelet.start({ pods }, environment?.clock ?? earlier);
  t.after(() => kubelet.close());
  return kubelet;
}

/** What a command line prints, to its end. */
export async function ran(kubelet: ReferenceKubelet | string, args: string[], surroundings: Surroundings = {}) {
  const console = consoleOf(surroundings);
  const socket = typeof kubelet === "string" ? kubelet : kubelet.socketPath;
  const code = await run([...args, "--socket", socket], console);
  return { code, output: console.output, errors: console.errors, lines: console.output.trimEnd().split("\n") };
}

/** A command line that goes on, of a kubelet unless it asks none; `until` resolves when what it has printed is such. */
export function running(
  t: TestContext,
  kubelet: ReferenceKubelet | undefined,
  args: string[],
  surroundings: Surroundings = {},
) {
  const end = new AbortController();
  const console = consoleOf({ ...surroundings, signal: end.signal });
  const changes = new Set<() => void>();
  const told =
    <F extends (text: string) => void>(write: F) =>
    (text: string) => {
      write(text);
      for (const change of changes) change();
    };
  t.signal.addEventListener("abort", () => told(() => {})(""), { once: true });
  console.out = told(console.out);
  console.write = told(console.write);
  console.err = told(console.err);
  const code = run([...args, ...(kubelet === undefined ? [] : ["--socket", kubelet.socketPath])], console);
  t.after(async () => {
    end.abort();
    await code;
  });
  const until = async (is: (printed: { output: string; errors: string }) => boolean) => {
    while (!is(console)) {
      await new Promise<void>((resolve) => {
        changes.add(resolve);
      });
      changes.clear();
      if (t.signal.aborted) assert.fail(`${console.output}\n${console.errors}`);
    }
  };
  return { console, end, code, until };
}
