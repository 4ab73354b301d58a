import { splitID, timeOf } from "../pod/container-run.js";
import { factsOf, type StatusFacts } from "../pod/facts.js";
import type { Version } from "./version.js";

/** The parts of a container status that show its place among the statuses of the container. */
export interface StatusPlace {
  /** The IDs of the container and of the one before; empty if there is none. */
  readonly id: string;
  readonly lastID: string;
  readonly count: number;
  /** Start of the run that the status shows, in milliseconds; undefined if it shows none that has started. */
  readonly startedMs: number | undefined;
  readonly isRunning: boolean;
}

/** The state of a container that its newest status showed. */
export interface NewestStatus {
  readonly count: number;
  /** ID of the running container; undefined if none is running. */
  readonly running: string | undefined;
  /** Start of the last run, in milliseconds; -Infinity if none has started. */
  readonly startedMs: number;
  /** Returns true if no status has shown a run with this ID. */
  isNew(id: string): boolean;
}

export function placeOf({ containerID, restartCount, state, lastState }: StatusFacts): StatusPlace {
  return {
    id: splitID(containerID)[1],
    lastID: splitID(lastState?.terminated?.containerID ?? "")[1],
    count: Math.max(0, restartCount),
    startedMs: timeOf((state?.running ?? state?.terminated)?.startedAt)?.getTime(),
    isRunning: state?.running !== undefined,
  };
}

/**
 * Returns true if a status is older than the newest one: the kubelet may send two updates in the wrong order, and after a start it lists the
 * state that the API server had. A higher restart count is never older. Starts within the same second count as equal.
 */
export function isOlderStatus({ id, lastID, count, startedMs }: StatusPlace, newest: NewestStatus): boolean {
  const { running } = newest;
  if (count > newest.count) return false;
  if (running !== undefined && (id === running || (lastID === running && count === newest.count))) return false;
  if (newest.isNew(id)) return startedMs !== undefined ? startedMs < newest.startedMs : count < newest.count;
  return running !== undefined || count < newest.count;
}

/** Returns true if a version of a pod shows an older status of a container than another version does. */
export function isOlderVersion(version: Version, than: Version): boolean {
  const { containers } = factsOf(version.bytes);
  return factsOf(than.bytes).containers.some((last) => {
    const status = containers.find(({ kind, name }) => kind === last.kind && name === last.name);
    return status !== undefined && isOlderStatus(placeOf(status), newestOf(placeOf(last)));
  });
}

function newestOf({ id, lastID, count, startedMs, isRunning }: StatusPlace): NewestStatus {
  return {
    count,
    running: isRunning ? id : undefined,
    startedMs: startedMs ?? Number.NEGATIVE_INFINITY,
    isNew: (each) => each !== "" && each !== id && each !== lastID,
  };
}
