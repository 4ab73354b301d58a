import type { Version } from "../known/version.js";
import { type ContainerRun, runsOf, splitID } from "../pod/container-run.js";
import { factsOf } from "../pod/facts.js";
import { addressOf } from "./address.js";

/** The keys of one state of a pod, except its UID and its name. */
export interface PodKeys {
  /** Its addresses, in the canonical spelling; none if it shares the node's network. */
  readonly addresses: readonly string[];
  /** The IDs of its containers, and of the runs before them. */
  readonly containerIDs: readonly string[];
}

/** The keys of a pod that nothing is known about. */
export const NO_KEYS: PodKeys = { addresses: [], containerIDs: [] };

/** Reads the keys of a version. */
export function keysIn({ bytes }: Version): PodKeys {
  const { isOnHost, ips, containers } = factsOf(bytes);
  const addresses: string[] = [];
  if (!isOnHost) for (const ip of ips) add(addresses, addressOf(ip));
  const containerIDs: string[] = [];
  for (const { containerID, lastState } of containers) {
    add(containerIDs, splitID(containerID)[1]);
    add(containerIDs, splitID(lastState?.terminated?.containerID ?? "")[1]);
  }
  return { addresses, containerIDs };
}

/** Whether each of the keys is equal. The compiler asks for all of them: a key that is not compared would never be found. */
const COMPARISONS: Readonly<Record<keyof PodKeys, (a: PodKeys, b: PodKeys) => boolean>> = {
  addresses: (a, b) => isEqual(a.addresses, b.addresses),
  containerIDs: (a, b) => isEqual(a.containerIDs, b.containerIDs),
};
const COMPARED = Object.values(COMPARISONS);

export function areEqual(a: PodKeys, b: PodKeys): boolean {
  return a === b || COMPARED.every((isSame) => isSame(a, b));
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}

function add(keys: string[], key: string | undefined): void {
  if (key !== undefined && key !== "" && !keys.includes(key)) keys.push(key);
}

/** Returns true if a container that ran in one state of a pod still runs in a later state. */
export function runsOn(before: Version, after: Version): boolean {
  const isRunning = ({ ended, startedAt }: ContainerRun) => !ended && startedAt !== undefined;
  const ran = runsIn(before).filter(isRunning);
  return runsIn(after).some(
    (each) => isRunning(each) && ran.some(({ containerID }) => containerID === each.containerID),
  );
}

const runs = new WeakMap<Version, readonly ContainerRun[]>();

/** Returns the container runs that a version shows. They are computed at the first call. */
export function runsIn(version: Version): readonly ContainerRun[] {
  let known = runs.get(version);
  if (known === undefined) {
    known = factsOf(version.bytes).containers.flatMap((status) =>
      [...runsOf(status, status.kind)].map((run) => Object.freeze(run)),
    );
    runs.set(version, known);
  }
  return known;
}
