// "Messages" and "Versions of a pod" of docs/watch.md: what a version, DELETED or a list makes of the known pods.

import { graceMs, hasFinalPhase, isRunning, isStatic, showsFinished, textOf, type Version } from "./messages.js";

/** Delays are not exact: what is due within this time counts as due. */
export const SLACK_MS = 100;

export type Reason = "absent" | "source" | "ending" | "no-uid";

/** A known pod. */
export interface Pod {
  readonly uid: string;
  version: Version;
  /** V1 to V4 */
  state: "active" | "finished" | "over" | "deleted";
  /** How many lists in a row have shown an ended pod running (V4). */
  listsRunning: number;
  /** Whether a status of the pod can be empty, because containers may have been started (V10). */
  mayHaveContainers: boolean;
  /** When an empty status counts (V10). */
  emptyUntilMs: number | undefined;
  isEmpty: boolean;
  unconfirmed: Reason | undefined;
  /** The end of the time of A6. */
  endingMs: number | undefined;
  /** Since when a list is awaited that lacks its object (R6). */
  removalSinceMs: number | undefined;
}

export interface Change {
  readonly pod: Pod;
  readonly version: Version;
  readonly isActive: boolean;
  readonly isGone: boolean;
  readonly cause: "finished" | "missing";
}

interface Remembered {
  readonly stamp: string;
  lists: number;
}

export const isEnded = ({ state }: Pod): boolean => state === "over" || state === "deleted";

/** "A pod may run if its last version shows a running container, names no container, or has another phase; or if that version is an empty status." */
export const mayRun = ({ version, isEmpty }: Pod): boolean =>
  isRunning(version) || version.containers.length === 0 || !hasFinalPhase(version) || isEmpty;

export class Pods {
  /** In the order in which they became known. */
  readonly known = new Map<string, Pod>();
  /** V6 */
  readonly remembered = new Map<string, Remembered>();
  /** Pods whose next one waits (V9). */
  readonly waiting = new Set<string>();
  /** True if a reader has finished pods (R6). */
  awaitsRemovals = false;
  nowMs = 0;
  /** Notes which rule decides. */
  readonly by: (rule: string) => void;

  constructor(by: (rule: string) => void) {
    this.by = by;
  }

  /** A version from an event. Returns the changes; `gap` if something may have been missed. */
  event(version: Version): { changes: Change[]; isGap: boolean } {
    const pod = this.known.get(version.uid);
    if (pod !== undefined && this.#isNext(pod, version)) {
      this.by("V9"); // "Its events are not used"
      const isNew = !this.waiting.has(pod.uid);
      this.waiting.add(pod.uid);
      return { changes: [], isGap: isNew };
    }
    if (pod !== undefined) this.confirm(pod);
    return { changes: this.#eventOf(pod, version), isGap: false };
  }

  /** "An event of a pod confirms it. It is no longer unconfirmed." (A8) */
  confirm(pod: Pod): void {
    pod.unconfirmed = undefined;
    pod.endingMs = undefined;
  }

  #eventOf(pod: Pod | undefined, version: Version): Change[] {
    const { uid } = version;
    const last = this.remembered.get(uid);
    if (last !== undefined && (!isStatic(version) || (version.stamp !== "" && version.stamp === last.stamp))) {
      this.by("V6"); // "Events of it are late; of a static pod, those with its stamp"
      return [];
    }
    if (pod === undefined) return [this.#add(version, "event")];
    const isSame = !this.#isAnother(pod.version, version);
    if (isSame && this.#goesBack(pod.version, version)) {
      this.by("V5");
      return [];
    }
    if (isEnded(pod) && isStatic(version)) {
      this.by("V8"); // "if an event does not show the same pod finished (that one is late)"
      return isSame && showsFinished(version) ? [] : this.#replace(pod, version, "event");
    }
    if (pod.state === "deleted") {
      this.by("V4"); // "every event for it is late"
      return [];
    }
    if (pod.state === "over" && !showsFinished(version)) {
      this.by("V3"); // "later events that show it active are late"
      return [];
    }
    if (!isSame) return this.#replace(pod, version, "event");
    const wasActive = pod.state === "active";
    const isChanged = this.#take(pod, version, "event");
    if (!isEnded(pod) && !showsFinished(version)) pod.state = "active";
    else this.by("V2"); // "An event does not end an active pod"
    return isChanged || wasActive !== (pod.state === "active") ? [changeOf(pod)] : [];
  }

  /** DELETED */
  deleted(uid: string): { changes: Change[]; isGap: boolean } {
    const pod = this.known.get(uid);
    const last = this.remembered.get(uid);
    if (pod === undefined) {
      this.by("V6"); // "a pod with DELETED that is not known"
      this.remembered.set(uid, { stamp: last?.stamp ?? "", lists: 0 });
      return { changes: [], isGap: false };
    }
    if (pod.state === "deleted") return { changes: [], isGap: false };
    this.confirm(pod);
    if (isStatic(pod.version) && !showsFinished(pod.version)) {
      this.by("V7"); // "removes it at once"
      const changes = [this.remove(pod, "finished")];
      this.remembered.set(uid, { stamp: pod.version.stamp, lists: 0 });
      return { changes, isGap: true };
    }
    this.by("V4");
    const wasActive = pod.state === "active";
    if (pod.state !== "over") pod.listsRunning = 0;
    pod.state = "deleted";
    this.#awaitRemoval(pod);
    return { changes: wasActive ? [changeOf(pod)] : [], isGap: false };
  }

  /** A version from a list. Deletions come first (M1). */
  listed(version: Version, gone: Change[], puts: Change[]): void {
    const { uid } = version;
    const pod = this.known.get(uid);
    if (pod?.version === version) return; // unreadable in this list: the last version is kept (M2)
    if (pod === undefined) {
      const last = this.remembered.get(uid);
      const added = this.#add(version, "list", last !== undefined && !isStatic(version));
      if (!isStatic(version) || version.stamp === last?.stamp) this.remembered.delete(uid);
      this.#awaitRemoval(added.pod);
      puts.push(added);
      return;
    }
    const replace = () => {
      const [end, start] = this.#replace(pod, version, "list");
      gone.push(end as Change);
      puts.push(start as Change);
    };
    if (this.#isAnother(pod.version, version)) {
      replace();
      return;
    }
    const { version: before } = pod;
    const wasActive = pod.state === "active";
    const isOfOther = before.process !== version.process;
    const isChanged = this.#take(pod, version, "list");
    const isActive = pod.isEmpty ? wasActive || (!showsFinished(version) && isOfOther) : !showsFinished(version);
    if (isEnded(pod)) {
      if (isActive && isStatic(version)) {
        pod.version = before;
        replace();
        return;
      }
      pod.listsRunning = isRunning(version) ? pod.listsRunning + 1 : 0;
      if (pod.listsRunning >= 2) {
        this.by("V4"); // "Two lists in a row that show a container running bring it back"
        pod.state = isActive ? "active" : "finished";
        pod.removalSinceMs = undefined;
      }
    } else Object.assign(pod, { state: isOver(version) ? "over" : isActive ? "active" : "finished", listsRunning: 0 });
    if (pod.state === "over") this.by("V3");
    this.#awaitRemoval(pod);
    const isEnd = wasActive && pod.state !== "active";
    if (isChanged || wasActive !== (pod.state === "active")) (isEnd ? gone : puts).push(changeOf(pod));
  }

  /** Returns true if a list has the next pod of a static pod that may still run (V9). */
  isNextOf(version: Version): boolean {
    const pod = this.known.get(version.uid);
    return pod !== undefined && this.#isNext(pod, version);
  }

  /** "Another process may run any pod again. Over and deleted pods become finished, and V6 is forgotten." (V11) */
  anotherProcess(): void {
    this.by("V11");
    this.remembered.clear();
    for (const pod of this.known.values()) if (isEnded(pod)) Object.assign(pod, { state: "finished", listsRunning: 0 });
  }

  /** "... stay remembered until the third list of the process" (V6) */
  countList(): void {
    for (const [uid, last] of this.remembered) if (++last.lists > 2) this.remembered.delete(uid);
  }

  remove(pod: Pod, cause: Change["cause"]): Change {
    this.known.delete(pod.uid);
    if (isEnded(pod)) this.remembered.set(pod.uid, { stamp: pod.version.stamp, lists: 0 });
    return { pod, version: pod.version, isActive: false, isGone: true, cause };
  }

  #add(version: Version, by: "event" | "list", hadEnded = false): Change {
    const shown = showsFinished(version) ? (by === "list" && isOver(version) ? "over" : "finished") : "active";
    this.by(hadEnded ? "V6" : shown === "over" ? "V3" : "V1");
    const pod: Pod = {
      uid: version.uid,
      version,
      state: hadEnded ? "over" : shown,
      listsRunning: hadEnded && isRunning(version) ? 1 : 0,
      mayHaveContainers: version.containers.length > 0,
      emptyUntilMs: undefined,
      isEmpty: false,
      unconfirmed: undefined,
      endingMs: undefined,
      removalSinceMs: undefined,
    };
    this.known.set(pod.uid, pod);
    this.waiting.delete(pod.uid);
    return changeOf(pod);
  }

  /** "The pod before is DELETED `missing`, and the next one ADDED." (V8) */
  #replace(pod: Pod, version: Version, by: "event" | "list"): Change[] {
    this.by("V8");
    const end = this.remove(pod, "missing");
    const last = this.remembered.get(pod.uid);
    if (!isStatic(version) || version.stamp === last?.stamp) this.remembered.delete(pod.uid);
    return [end, this.#add(version, by)];
  }

  /** "... another creation time; for a static pod of the same process, a later stamp instead" (V8) */
  #isAnother(before: Version, after: Version): boolean {
    if (isStatic(after) && before.process === after.process)
      return before.stamp !== "" && isLater(after.stamp, before.stamp);
    const [a, b] = [before.createdSeconds, after.createdSeconds];
    return a !== undefined && b !== undefined && a !== b;
  }

  /** V5 */
  #goesBack(before: Version, after: Version): boolean {
    return (
      hasFinalPhase(before) && !hasFinalPhase(after) && before.process === after.process && before.stamp === after.stamp
    );
  }

  /** V9 */
  #isNext(pod: Pod, after: Version): boolean {
    const { version: before } = pod;
    const hasEnded = isEnded(pod) || (showsFinished(before) && !pod.isEmpty);
    return !hasEnded && isStatic(after) && this.#isAnother(before, after) && !this.#hasStarted(before, after);
  }

  /** "... until one of the containers that it shows was started after its stamp, or in the same second with another address" (V9) */
  #hasStarted(before: Version, after: Version): boolean {
    const stampMs = Date.parse(after.stamp);
    const known = before.containers.map(({ id }) => id);
    const starts = after.containers
      .filter(({ id }) => !known.includes(id))
      .map(({ startedSeconds = 0 }) => startedSeconds);
    const isInSecond = Math.max(0, ...starts) === Math.floor(stampMs / 1_000);
    const hasOther = after.addresses.length > 0 && !after.addresses.some((ip) => before.addresses.includes(ip));
    return Math.max(0, ...starts) * 1_000 > stampMs || (isInSecond && hasOther);
  }

  /** V10: notes whether the status is empty, and takes the version. Returns true if it is news. */
  #take(pod: Pod, version: Version, by: "event" | "list"): boolean {
    const { version: before, isEmpty: wasEmpty } = pod;
    const repeats = isRepeat(before, version);
    const namesContainers = version.containers.length > 0;
    if (namesContainers || before.process !== version.process) {
      pod.mayHaveContainers = true;
      pod.emptyUntilMs = undefined; // "The time begins with the first such status of a process"
    }
    const ends = pod.state === "active" && showsFinished(version) && !showsFinished(before);
    const canBeEmpty = !namesContainers && (pod.mayHaveContainers || ends);
    if (canBeEmpty) {
      this.by("V10");
      pod.mayHaveContainers = true;
      pod.emptyUntilMs ??= this.nowMs + graceMs(version) + 10_000;
    }
    const isBefore = canBeEmpty && this.nowMs < (pod.emptyUntilMs ?? 0) - SLACK_MS;
    pod.isEmpty = isBefore || (by === "event" && repeats && wasEmpty); // "An event that repeats the status does not end it"
    pod.version = version;
    return !repeats || pod.isEmpty !== wasEmpty;
  }

  /** "a terminating pod without finalizers has ended" (R6) */
  #awaitRemoval(pod: Pod): void {
    const { isTerminating, hasFinalizers } = pod.version;
    if (this.awaitsRemovals && isEnded(pod) && isTerminating && !hasFinalizers) pod.removalSinceMs ??= this.nowMs;
  }
}

/** "... shows an API pod finished, with containers" (V3) */
function isOver(version: Version): boolean {
  return showsFinished(version) && version.containers.length > 0 && !isStatic(version);
}

function changeOf(pod: Pod): Change {
  return { pod, version: pod.version, isActive: pod.state === "active", isGone: false, cause: "finished" };
}

/** Returns true if nothing has changed that readers or these rules can see, the stamp included. */
function isRepeat(a: Version, b: Version): boolean {
  const facts = (version: Version) => {
    const { bytes: _, process: __, fields, labels: ___, addresses: ____, containers, ...rest } = version;
    const starts = containers.map(({ startedSeconds }) => startedSeconds ?? 0);
    return JSON.stringify([rest, fields, containers.length > 0, isRunning(version), Math.max(0, ...starts)]);
  };
  return facts(a) === facts(b) && textOf(a, a.fields) === textOf(b, b.fields);
}

function isLater(stamp: string, before: string): boolean {
  const byMs = Date.parse(stamp) - Date.parse(before);
  return Number.isNaN(byMs) || byMs === 0 ? stamp > before : byMs > 0;
}
