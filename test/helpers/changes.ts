// Changes of a pod as the ledger reports them, for tests of readers without a ledger.

import type { Entry } from "../../src/known/entry.js";
import type { Change, GoneCause } from "../../src/known/log.js";
import { newRecord, type PodRecord } from "../../src/known/record.js";

interface How {
  isActive?: boolean;
  isGone?: boolean;
  cause?: GoneCause;
  hasEmptyStatus?: boolean;
}

/** Returns the record of a pod that was not known. */
export function recordOf(entry: Entry, isActive = true): PodRecord {
  return { ...newRecord(entry, "event"), standing: { is: isActive ? "active" : "finished" } };
}

/** Makes a record take a version, and returns the change. */
export function changeTo(record: PodRecord, entry: Entry, how: How = {}): Change {
  const { isActive = true, isGone = false, cause = "finished", hasEmptyStatus = false } = how;
  const before = record.entry;
  Object.assign(record, {
    entry,
    hasEmptyStatus,
    standing: { is: isGone ? "gone" : isActive ? "active" : "finished" },
  });
  return { record, before, entry, isActive, isGone, cause };
}
