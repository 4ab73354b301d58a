// Changes of a pod as the ledger reports them, for tests of readers without a ledger.

import type { Change, GoneCause, LogEntry } from "../../src/known/log.js";
import { newRecord, type PodRecord } from "../../src/known/record.js";
import type { Version } from "../../src/known/version.js";

interface How {
  isActive?: boolean;
  isGone?: boolean;
  cause?: GoneCause;
  hasEmptyStatus?: boolean;
}

/** Returns the record of a pod that was not known. */
export function recordOf(version: Version, isActive = true): PodRecord {
  return { ...newRecord(version, "event"), standing: { is: isActive ? "active" : "finished" } };
}

/** Makes a record take a version, and returns the change. */
export function changeTo(record: PodRecord, version: Version, how: How = {}): Change {
  const { isActive = true, isGone = false, cause = "finished", hasEmptyStatus = false } = how;
  const before = record.version;
  Object.assign(record, {
    version,
    hasEmptyStatus,
    standing: { is: isGone ? "gone" : isActive ? "active" : "finished" },
  });
  return { record, before, version, isActive, isGone, cause };
}

/** Returns the entry of the log with these changes. */
export function changesBy(by: "event" | "list", changes: readonly Change[]): LogEntry {
  return { type: "changes", by, changes };
}
