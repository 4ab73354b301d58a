import { EndQueue } from "../../src/journal/end-queue.js";
import type { EndRecord } from "../../src/journal/end-record.js";
import { JournalFiles } from "../../src/journal/journal-files.js";
import { VirtualClock } from "../helpers/virtual-clock.js";

/** An end of a container, one of a kind for each code. */
export function endOf(exitCode: number, { namespace = "shop" } = {}): EndRecord {
  const at = new Date(Date.UTC(2026, 0) + exitCode * 1_000);
  return {
    uid: "9f0a6c1e-0f63-4dcb-93a4-6f3ad4cbd0f6",
    namespace,
    name: "web-1",
    podIPs: ["10.0.0.1"],
    workload: { kind: "Deployment", name: "web", derived: true, owner: undefined },
    container: {
      name: "main",
      kind: "regular",
      containerID: String(exitCode).padStart(64, "0"),
      restartCount: exitCode,
    },
    end: {
      reason: "exited",
      exitCode,
      signal: undefined,
      oom: undefined,
      resource: undefined,
      startedAt: at,
      finishedAt: at,
      reported: { exitCode, reason: "Error", message: "m".repeat(300) },
    },
    bootID: "6a0f",
    recordedAt: at,
  };
}

/** Makes a journal with these ends. */
export async function writeJournal(directory: string, ends: readonly EndRecord[]): Promise<void> {
  const clock = new VirtualClock();
  const files = new JournalFiles(directory, 1_048_576, () => clock.wallMs());
  await files.check();
  await files.saveCursor(files.writer, 0);
  const queue = new EndQueue(files, clock, () => {});
  for (const end of ends) queue.add(end);
  await queue.close();
}
