// What one who watches containers is told of pods that come, go, and come again: changes by hand, as the ledger makes them.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type Pod, podMask } from "../../src/index.js";
import type { KnownPods } from "../../src/known/log.js";
import type { PodRecord } from "../../src/known/record.js";
import type { Version } from "../../src/known/version.js";
import { scanHead } from "../../src/pod/scan.js";
import { resolveSelector } from "../../src/pod/selector.js";
import { ContainerConsumer } from "../../src/readers/containers/container-consumer.js";
import { changesBy, changeTo, recordOf } from "../helpers/changes.js";
import { test } from "../helpers/test.js";
import { report, type Shown } from "./reports.js";

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
  return { bytes, head: scanHead(bytes).head, retained: undefined, process: { number: 1 } };
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
  /** Returns the change of the pod to this version. */
  const to = (version: Version, isActive = true, isGone = false) => {
    record ??= recordOf(version);
    const change = changeTo(record, version, { isActive, isGone });
    if (isGone) record = undefined;
    return change;
  };
  const snapshot = (...entries: Version[]) => {
    const known = entries.map((version) => recordOf(version));
    record = known.at(-1);
    consumer.begin({ records: () => known } as unknown as KnownPods);
  };
  const told = () => {
    const words: string[] = [];
    for (let event = consumer.take(); event !== undefined; event = consumer.take()) {
      if (event.type === "MISSED") words.push(`missed ${event.restartCounts.join("-")}`);
      else if (event.type === "STARTED") words.push(`+${event.container.containerID}`);
      else if (event.type === "ENDED")
        words.push(`-${event.container.containerID} ${event.end.exitCode ?? event.basis}`);
    }
    return words.join(" ");
  };
  const change = (version: Version, active: boolean, gone = false) => {
    consumer.accept(changesBy("list", [to(version, active, gone)]));
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
  return { consumer, snapshot, change, to, told, versions };
}

const runs = (id: string, count: number, last?: string): Shown => ({
  id,
  count,
  running: true,
  ...(last !== undefined && { last: { id: last, exitCode: 3 } }),
});
const over: Shown = { id: "a", count: 0, ended: { id: "a", exitCode: 3 } };

test("a pod that comes again with its UID has none of its lives told twice", () => {
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
  assert.equal(change(versionOf([runs("b", 1)]), true), "", "it was told as gone, and that stands");
  assert.equal(change(versionOf([runs("c", 2, "b")]), true), "+c");
});

test("lives are missed of a pod that a list lacked, and whose counts began again: a kubelet of another release removed it", () => {
  const { consumer: reader, snapshot, change, to } = consumer();
  snapshot();
  const d: Shown = { id: "d", count: 1, ended: { id: "d", exitCode: 3 } };
  assert.equal(change(versionOf([d]), true), "missed 0-0 +d -d 3");
  to(versionOf([d])).record.unconfirmed = "ending";
  const list = { atMs: 60_000, processSinceMs: 0, isComplete: true, isPolled: false, mayLackPods: false };
  reader.accept({ type: "listed", list, changes: 0 });
  assert.equal(reader.wantsList, false);
  const h: Shown = { id: "h", count: 1, last: { id: "h", exitCode: 3 } };
  assert.equal(change(versionOf([h]), true), "missed 0-0 +h -h 3");
});

test("each event has the pod as it is then, and not as it was first seen [T3]", () => {
  const { consumer: reader, snapshot, to, versions } = consumer();
  const as = (version: string, ...shown: Shown[]) => versionOf(shown, undefined, ["main"], version);
  const accept = (version: Version, active = true, gone = false) =>
    reader.accept(changesBy("list", [to(version, active, gone)]));
  snapshot(as("1", runs("a", 0)));
  assert.deepEqual(versions(), ["STARTED 1"]);
  accept(as("2", runs("a", 0)));
  accept(as("3", runs("b", 1, "a")));
  assert.deepEqual(versions(), ["ENDED 3", "STARTED 3"]);
  accept(as("4", runs("d", 4)));
  assert.deepEqual(versions(), ["ENDED 4", "MISSED 4", "STARTED 4"]);
  accept(as("5", runs("d", 4)));
  assert.deepEqual(versions(), [], "a label is no life");
  accept(as("6", runs("d", 4)), false, true);
  assert.deepEqual(versions(), ["ENDED 6"], "the pod as it was told last, though its containers were the same");
  accept(as("7", runs("e", 5, "d")));
  assert.deepEqual(versions(), ["STARTED 7"], "the pod that came again with its UID");
});

test("events that wait have the pod as it is when they are taken, decoded once for all of one version [T3]", () => {
  const { consumer: reader, snapshot, to } = consumer();
  const as = (version: string, ...shown: Shown[]) => versionOf(shown, undefined, ["main", "second"], version);
  snapshot(as("1", runs("a", 0), runs("s", 0)));
  reader.accept(changesBy("list", [to(as("2", runs("a", 0), runs("s", 0)))]));
  const [first, second] = [reader.take(), reader.take()];
  assert.ok(first?.type === "STARTED" && second?.type === "STARTED");
  assert.equal(first.pod.metadata?.labels["version"], "2");
  assert.equal(second.pod, first.pod);
});

test("what was there before the stream is nobody's loss, though the first list lacked it", () => {
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

test("a pod that was finished before is told nothing of, whatever it says of its age", () => {
  const { consumer: each, change } = consumer();
  const known = [recordOf(versionOf([over]), false)];
  each.begin({ records: () => known } as unknown as KnownPods);
  each.take(); // SYNCED
  assert.equal(change(versionOf([over]), false), "");
  assert.equal(change(versionOf([over]), false, true), "");
});

test("the containers of a pod that has finished have ended, where it is watched on", () => {
  const { snapshot, change } = consumer({ includeFinished: true });
  snapshot(versionOf([runs("a", 0)]));
  assert.equal(change(versionOf([runs("a", 0)]), false), "+a -a removal");
  assert.equal(change(versionOf([over]), false), "");
  assert.equal(change(versionOf([over]), false, true), "");
});

test("statuses that no kubelet writes are bounded", () => {
  const { consumer: each, snapshot, change, to } = consumer();
  snapshot();
  const twice = versionOf([runs("a", 0), runs("b", 0)]);
  assert.equal(change(twice, true), "+a", "of two with one name the first");
  assert.equal(change(twice, true), "");
  for (let round = 0; round < 30; round++) {
    const names = Array.from({ length: 100 }, (_, i) => `c-${round}-${i}`);
    const statuses = names.map((name) => runs(name, 0));
    const version = versionOf(statuses, undefined, names);
    each.accept(changesBy("list", [to(version)]));
  }
  assert.ok(each.pending <= 1_000);
});

test("reports a container again when its pod comes back into the selection", () => {
  const { snapshot, change } = consumer({ labelSelector: "version=in" });
  const as = (version: string, ...shown: Shown[]) => versionOf(shown, undefined, ["main"], version);
  snapshot();
  assert.equal(change(as("in", runs("a", 0)), true), "+a");
  assert.equal(change(as("out", runs("a", 0)), true), "", "a pod that leaves the selection has not ended");
  assert.equal(change(as("in", runs("a", 0)), true), "+a", "and is a new pod of the selection when it comes back");
  assert.equal(change(as("in", over), true), "-a 3");
});

test("does not report a start that waits when its pod leaves the selection", () => {
  const { consumer: reader, snapshot, to, told } = consumer({ labelSelector: "version=in" });
  snapshot();
  for (const version of ["in", "out"])
    reader.accept(changesBy("event", [to(versionOf([runs("a", 0)], undefined, ["main"], version))]));
  assert.equal(told(), "");
});
