// What one who watches containers is told of pods that come, go, and come again: changes by hand, as the ledger makes them.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type Pod, podMask } from "../../../src/index.js";
import type { Change, KnownPods } from "../../../src/known/log.js";
import type { PodRecord } from "../../../src/known/record.js";
import { RunBook } from "../../../src/known/runs.js";
import type { Version } from "../../../src/known/version.js";
import { scanHead } from "../../../src/pod/scan.js";
import { resolveSelector } from "../../../src/pod/selector.js";
import { ContainerConsumer } from "../../../src/readers/containers/container-consumer.js";
import { changesBy, changeTo, recordOf } from "../../helpers/changes.js";
import { describe, test } from "../../helpers/test.js";
import { report, type Shown } from "../../known/reports.js";

const WALL_MS = Date.UTC(2026, 10, 22);

/** The version of a pod with these statuses; `ageS` is how long before the stream it was created. */
function versionOf(shown: readonly Shown[], ageS?: number, names: readonly string[] = ["main"], version = ""): Version {
  const created = ageS === undefined ? {} : { creationTimestamp: { seconds: BigInt(WALL_MS / 1_000 - ageS) } };
  const statuses = shown.map((each, i) => ({ ...report(each), name: names[i % names.length] ?? "main" }));
  const pod = create(PodSchema, {
    metadata: { uid: "u", namespace: "ns", name: "pod", labels: { version }, ...created },
    status: { phase: "Running", containerStatuses: statuses },
  });
  const bytes = toBinary(PodSchema, pod);
  return { bytes, head: scanHead(bytes).head, retained: undefined, process: { number: 1 }, wallMs: WALL_MS };
}

function consumer({
  includeFinished = false,
  labelSelector,
}: {
  includeFinished?: boolean;
  labelSelector?: string;
} = {}) {
  const selector = resolveSelector({ labelSelector });
  const selection = { includeFinished, mask: podMask("metadata.uid", "metadata.labels"), selector };
  const consumer = new ContainerConsumer<Pick<Pod, "metadata">>(
    selection,
    () => {},
    () => WALL_MS,
  );
  let record: PodRecord | undefined;
  let known: PodRecord[] = [];
  const records = { values: () => (record === undefined ? known : [record]).values() };
  const book = new RunBook(records as unknown as ReadonlyMap<string, PodRecord>, () => WALL_MS);
  /** Returns the change of the pod to this version. */
  const to = (version: Version, isActive = true, isGone = false) => {
    const isNew = record === undefined;
    record ??= recordOf(version);
    const change = changeTo(record, version, { isActive, isGone });
    if (isGone) record = undefined;
    return isNew ? { ...change, before: undefined } : change;
  };
  const begin = (records: PodRecord[]) => {
    known = records;
    record = records.at(-1);
    book.begin();
    consumer.begin({ records: () => known, readRuns() {} } as unknown as KnownPods);
  };
  const snapshot = (...versions: Version[]) => begin(versions.map((version) => recordOf(version)));
  /** Tells the reader changes with their runs. */
  const accept = (by: "event" | "list", ...changes: Change[]) => {
    book.accept(changes, by);
    consumer.accept(changesBy(by, changes));
  };
  const told = () => wordsOf(consumer);
  /** Returns another reader, which joins now. */
  const joined = () => {
    const other = new ContainerConsumer(
      { ...selection, includeFinished: true },
      () => {},
      () => WALL_MS,
    );
    other.begin({ records: () => (record === undefined ? known : [record]), readRuns() {} } as unknown as KnownPods);
    return other;
  };
  const join = () => wordsOf(joined());
  const change = (version: Version, active: boolean, gone = false) => {
    accept("list", to(version, active, gone));
    return told();
  };
  /** Returns the version of the pod that each event has. */
  const versions = () => {
    const words: string[] = [];
    for (let event = consumer.take(); event !== undefined; event = consumer.take()) {
      if ("pod" in event) words.push(`${event.type} ${event.pod.metadata?.labels["version"]}`);
    }
    return words;
  };
  return { consumer, book, begin, snapshot, accept, change, to, told, join, joined, versions };
}

/** Takes all events, and returns them in words. */
function wordsOf(reader: ContainerConsumer<Pick<Pod, "metadata">>): string {
  const words: string[] = [];
  for (let event = reader.take(); event !== undefined; event = reader.take()) {
    if (event.type === "MISSED") words.push(`missed ${event.restartCounts.join("-")}`);
    else if (event.type === "STARTED") words.push(`+${event.container.containerID}`);
    else if (event.type === "ENDED") words.push(`-${event.container.containerID} ${event.end.exitCode ?? event.basis}`);
  }
  return words.join(" ");
}

const runs = (id: string, count: number, last?: string): Shown => ({
  id,
  count,
  running: true,
  ...(last !== undefined && { last: { id: last, exitCode: 3 } }),
});
const over: Shown = { id: "a", count: 0, ended: { id: "a", exitCode: 3 } };

test("reports no run twice if a pod returns with its UID", () => {
  const { snapshot, change } = consumer();
  snapshot();
  assert.equal(change(versionOf([runs("a", 0)]), true), "+a");
  assert.equal(change(versionOf([over]), true), "-a 3");
  assert.equal(change(versionOf([over]), false, true), "");
  assert.equal(change(versionOf([runs("b", 1, "a")]), true), "+b");
  assert.equal(change(versionOf([runs("b", 1, "a")]), false, true), "-b removal");
  assert.equal(
    change(versionOf([{ id: "b", count: 1, ended: { id: "b" } }]), false),
    "",
    "listed once more, and finished",
  );
  assert.equal(change(versionOf([runs("b", 1)]), true), "", "its end was reported");
  assert.equal(change(versionOf([runs("c", 2, "b")]), true), "+c");
});

test("reports missed runs if a list lacked the pod and its restart counts restarted", () => {
  const { book, snapshot, change, to } = consumer();
  snapshot();
  const d: Shown = { id: "d", count: 1, ended: { id: "d", exitCode: 3 } };
  assert.equal(change(versionOf([d]), true), "missed 0-0 +d -d 3");
  to(versionOf([d])).record.unconfirmed = "ending";
  const facts = {
    processSinceMs: 0,
    isAccepted: true,
    isPolled: false,
    mayLackPods: false,
    touched: new Set<string>(),
  };
  const list = { ...facts, atMs: 60_000 };
  assert.deepEqual([book.listed(list), book.wantsList], [[], false]);
  const h: Shown = { id: "h", count: 1, last: { id: "h", exitCode: 3 } };
  assert.equal(change(versionOf([h]), true), "missed 0-0 +h -h 3");
});

test("each event has the current version of the pod", () => {
  const { snapshot, accept: acceptAll, to, versions } = consumer();
  const as = (version: string, ...shown: Shown[]) => versionOf(shown, undefined, ["main"], version);
  const accept = (version: Version, active = true, gone = false) => acceptAll("list", to(version, active, gone));
  snapshot(as("1", runs("a", 0)));
  assert.deepEqual(versions(), ["STARTED 1"]);
  accept(as("2", runs("a", 0)));
  accept(as("3", runs("b", 1, "a")));
  assert.deepEqual(versions(), ["ENDED 3", "STARTED 3"]);
  accept(as("4", runs("d", 4)));
  assert.deepEqual(versions(), ["ENDED 4", "MISSED 4", "STARTED 4"]);
  accept(as("5", runs("d", 4)));
  assert.deepEqual(versions(), [], "a label change starts no run");
  accept(as("6", runs("d", 4)), false, true);
  assert.deepEqual(versions(), ["ENDED 6"], "the last known version of the pod");
  accept(as("7", runs("e", 5, "d")));
  assert.deepEqual(versions(), ["STARTED 7"], "the pod that came again with its UID");
});

test("waiting events have the pod's version at delivery, decoded once per version", () => {
  const { consumer: reader, snapshot, accept, to } = consumer();
  const as = (version: string, ...shown: Shown[]) => versionOf(shown, undefined, ["main", "second"], version);
  snapshot(as("1", runs("a", 0), runs("s", 0)));
  accept("list", to(as("2", runs("a", 0), runs("s", 0))));
  const [first, second] = [reader.take(), reader.take()];
  assert.ok(first?.type === "STARTED" && second?.type === "STARTED");
  assert.equal(first.pod.metadata?.labels["version"], "2");
  assert.equal(second.pod, first.pod);
});

test("reports no missed runs from before the stream, even if the first list lacked the pod", () => {
  const { snapshot, change } = consumer();
  snapshot();
  assert.equal(change(versionOf([runs("j", 49, "i")], 3_600), true), "+i -i 3 +j");
  const late = consumer();
  late.snapshot();
  assert.equal(late.change(versionOf([over], 3_600), false), "", "and it ended long ago");
  const young = consumer();
  young.snapshot();
  assert.equal(young.change(versionOf([runs("c", 2)], -5), true), "missed 0-1 +c");
  const ended = consumer();
  ended.snapshot();
  assert.equal(ended.change(versionOf([over], -5), false), "+a -a 3");
});

test("emits nothing for a pod that was finished before", () => {
  const { consumer: each, begin, change } = consumer();
  begin([recordOf(versionOf([over]), false)]);
  each.take(); // SYNCED
  assert.equal(change(versionOf([over]), false), "");
  const again: Shown = { id: "b", count: 1, ended: { id: "b", exitCode: 3 }, last: { id: "a", exitCode: 3 } };
  assert.equal(change(versionOf([again]), false), "", "nor of what it ran before it was seen");
  assert.equal(change(versionOf([over]), false, true), "");
});

test("ends the containers of a finished pod with includeFinished", () => {
  const { snapshot, change } = consumer({ includeFinished: true });
  snapshot(versionOf([runs("a", 0)]));
  assert.equal(change(versionOf([runs("a", 0)]), false), "+a -a removal");
  assert.equal(change(versionOf([over]), false), "");
  assert.equal(change(versionOf([over]), false, true), "");
});

test("bounds the events of statuses with duplicate or ever new container names", () => {
  const { consumer: each, snapshot, accept, change, to } = consumer();
  snapshot();
  const twice = versionOf([runs("a", 0), runs("b", 0)]);
  assert.equal(change(twice, true), "+a", "of two with one name the first");
  assert.equal(change(twice, true), "");
  for (let round = 0; round < 30; round++) {
    const names = Array.from({ length: 100 }, (_, i) => `c-${round}-${i}`);
    const statuses = names.map((name) => runs(name, 0));
    const version = versionOf(statuses, undefined, names);
    accept("list", to(version));
  }
  assert.ok(each.pending <= 1_000);
});

test("reports a running container again when its pod returns to the selection", () => {
  const { snapshot, change } = consumer({ labelSelector: "version=in" });
  const as = (version: string, ...shown: Shown[]) => versionOf(shown, undefined, ["main"], version);
  snapshot();
  assert.equal(change(as("in", runs("a", 0)), true), "+a");
  assert.equal(change(as("out", runs("a", 0)), true), "", "a pod that leaves the selection has not ended");
  assert.equal(change(as("in", runs("a", 0)), true), "+a", "and is a new pod of the selection when it comes back");
  assert.equal(change(as("in", over), true), "-a 3");
});

test("does not report an end again when its pod returns to the selection", () => {
  const { snapshot, change } = consumer({ labelSelector: "version=in" });
  const as = (version: string, ...shown: Shown[]) => versionOf(shown, undefined, ["main"], version);
  snapshot();
  assert.equal(change(as("in", runs("b", 1, "a")), true), "+a -a 3 +b");
  assert.equal(change(as("out", runs("b", 1, "a")), true), "");
  assert.equal(change(as("in", runs("b", 1, "a")), true), "+b");
  assert.equal(change(as("out", runs("c", 2, "b")), true), "");
  assert.equal(change(as("in", runs("c", 2, "b")), true), "+b -b 3 +c", "an end that was not reported is");
});

test("runs in events are frozen", () => {
  const { consumer: reader, snapshot, change } = consumer();
  snapshot(versionOf([runs("b", 1, "a")]));
  for (let event = reader.take(); event !== undefined; event = reader.take())
    if (event.type === "STARTED" || event.type === "ENDED") assert.ok(Object.isFrozen(event.container));
  assert.equal(change(versionOf([runs("c", 2, "b")]), true), "-b 3 +c");
});

test("drops a waiting start when its pod leaves the selection", () => {
  const { snapshot, accept, to, told } = consumer({ labelSelector: "version=in" });
  snapshot();
  for (const version of ["in", "out"]) accept("event", to(versionOf([runs("a", 0)], undefined, ["main"], version)));
  assert.equal(told(), "");
});

describe("a reader that joins", () => {
  test("receives the running containers, even while the status of the pod is empty", () => {
    const { snapshot, accept, to, told, join } = consumer();
    snapshot(versionOf([runs("b", 1, "a")]));
    assert.equal(told(), "+a -a 3 +b");
    assert.equal(join(), "+a -a 3 +b", "and a run that has ended, if the status still shows it");
    const empty = to(versionOf([]));
    empty.record.hasEmptyStatus = true;
    accept("event", empty);
    assert.deepEqual([told(), join()], ["", "+b"]);
  });

  test("receives no start of an ended run that the status still shows as running", () => {
    const { snapshot, change, join } = consumer({ includeFinished: true });
    snapshot(versionOf([runs("b", 1, "a")]));
    assert.equal(change(versionOf([runs("b", 1, "a")]), false), "+a -a 3 +b -b removal");
    assert.equal(join(), "+a -a 3");
  });

  test("receives the known restart count of a run, not one derived from the next run", () => {
    const { snapshot, change, joined } = consumer();
    snapshot(versionOf([runs("a", 0)]));
    change(versionOf([runs("c", 2, "a")]), true); // another one was created in between, and never started
    const other = joined();
    const counts: string[] = [];
    for (let event = other.take(); event !== undefined; event = other.take())
      if ("initial" in event && "container" in event)
        counts.push(`${event.type} ${event.container.containerID} ${event.container.restartCount}`);
    assert.deepEqual(counts, ["STARTED a 0", "ENDED a 0", "STARTED c 2"]);
  });
});

test("reports each run once for a pod that ends and runs again", () => {
  const { snapshot, change, join } = consumer();
  snapshot(versionOf([runs("a", 0)]));
  assert.equal(change(versionOf([over]), false), "+a -a 3");
  assert.equal(change(versionOf([runs("b", 1, "a")]), false), "", "one list that shows it running proves nothing");
  assert.equal(change(versionOf([runs("b", 1, "a")], undefined, ["main"], "2"), true), "+b", "the next one does");
  assert.equal(join(), "+a -a 3 +b");
  assert.equal(change(versionOf([runs("c", 2, "b")]), true), "-b 3 +c");
});

test("reports an unreported run of a deleted pod with its end", () => {
  const { snapshot, change } = consumer();
  snapshot(versionOf([runs("a", 0)]));
  assert.equal(change(versionOf([over]), false), "+a -a 3");
  assert.equal(change(versionOf([runs("b", 1, "a")]), false), "");
  assert.equal(change(versionOf([runs("b", 1, "a")]), false, true), "+b -b removal");
});
