// Writes an end, takes all descriptors, adds two ends, and frees the descriptors again. It says what happened.

import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { EndQueue } from "../../src/journal/end-queue.js";
import { JournalFiles } from "../../src/journal/journal-files.js";
import { VirtualClock } from "../helpers/virtual-clock.js";
import { endOf } from "./ends.js";

/** The error while there were no descriptors, how many ends waited then, and how many are left. */
export interface Starved {
  readonly error: string;
  readonly waiting: number;
  readonly left: number;
}

const DESCRIPTORS = "/proc/self/fd";

function hasOpen(directory: string): boolean {
  return readdirSync(DESCRIPTORS).some((fd) => {
    try {
      return readlinkSync(join(DESCRIPTORS, fd)).startsWith(directory);
    } catch {
      return false; // it has been closed meanwhile
    }
  });
}

process.once("message", async ({ directory }: { directory: string }) => {
  const clock = new VirtualClock();
  const queue = new EndQueue(new JournalFiles(directory, 1_048_576, () => clock.wallMs()), clock, () => {});
  const until = async (is: () => boolean) => {
    while (!is()) {
      await clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  queue.add(endOf(0));
  await until(() => queue.size === 0 && !hasOpen(directory)); // a descriptor that is closed later would be one for the next end
  spawnSync("prlimit", [`--pid=${process.pid}`, "--nofile=256:256"]);
  const taken: number[] = [];
  try {
    while (taken.length < 10_000) taken.push(openSync("/dev/null", "r"));
  } catch {}
  queue.add(endOf(1));
  queue.add(endOf(2));
  await until(() => queue.error !== undefined);
  const [error, waiting] = [String(queue.error), queue.size];
  for (const fd of taken) closeSync(fd);
  await until(() => queue.size === 0);
  const starved: Starved = { error, waiting, left: queue.size };
  process.send?.(starved, () => process.disconnect());
});
