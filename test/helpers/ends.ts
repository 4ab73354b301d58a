import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { EndedQuery, EndedRecord } from "../../src/index.js";
import { type Ended, endedIn } from "../../src/journal/ended.js";
import { Journal } from "../../src/journal/journal.js";
import type { NewEnd } from "../../src/journal/pending-ends.js";
import { Segments } from "../../src/journal/segments.js";
import type { Clock } from "../../src/timing/clock.js";
import { environmentOf } from "./kubelet.js";

const A = "2c4d8b1e-0000-4000-8000-00000000000a";

/** An end of a container, as a feed gives it. */
export function endOf(n: number, more: Partial<NewEnd["record"]> = {}): NewEnd {
  const end = {
    reason: "exited",
    exitCode: n,
    signal: undefined,
    resource: undefined,
    startedAt: undefined,
    finishedAt: new Date(n),
    reported: undefined,
  } as const;
  const container = { name: "app", kind: "regular", containerID: `c${n}`, restartCount: n } as const;
  const record = {
    uid: A,
    namespace: "shop",
    name: "web",
    workload: undefined,
    container,
    cause: "exited",
    end,
    learnedAt: new Date(1e12 + n),
    ...more,
  } as const;
  return { record, atMs: n, afterMs: n, pod: undefined, cgroups: [] };
}

/** A directory that a journal may make, for one test. */
export function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "ends");
}

/** A journal by itself, as a process has it. */
export function journalOf(
  t: TestContext,
  directory: string,
  { clock = environmentOf(t).clock, ...more }: { clock?: Clock; maxBytes?: number; maxAgeMs?: number } = {},
): Journal {
  return new Journal({ directory, maxBytes: 8 * 1024 * 1024, maxAgeMs: Number.POSITIVE_INFINITY, ...more }, clock);
}

/** Reads a journal as somebody does who does not write it. */
export function endsIn(t: TestContext, directory: string, query: EndedQuery = {}): Ended {
  const { clock } = environmentOf(t);
  return endedIn({ segments: new Segments(directory), clock, written: () => undefined }, query, "ended");
}

/** Writes ends by a process of their own. */
export async function writtenIn(t: TestContext, directory: string, count: number, more = {}): Promise<void> {
  const journal = journalOf(t, directory, more);
  await journal.open();
  for (let n = 0; n < count; n++) journal.append(endOf(n));
  await journal.close();
}

export async function taken(ended: AsyncIterable<EndedRecord>): Promise<EndedRecord[]> {
  const records: EndedRecord[] = [];
  for await (const record of ended) records.push(record);
  return records;
}
