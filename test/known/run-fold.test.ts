// The runs that are reported for each container status that kubelets write (pkg/kubelet/kubelet_pods.go, v1.37.1).

import assert from "node:assert/strict";
import type { ContainerStatus } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { RunFold } from "../../src/known/run-fold.js";
import { describe, test } from "../helpers/test.js";
import { type EndGiven, report, type Shown, told } from "./reports.js";

const runs = (id: string, count: number, last?: EndGiven): Shown => ({
  id,
  count,
  running: true,
  ...(last && { last }),
});
const ended = (id: string, count: number, exitCode = 0): Shown => ({ id, count, ended: { id, exitCode } });
/** What the kubelet writes where it finds no container: 137 without an ID or a time. */
const unknown: EndGiven = { reason: "ContainerStatusUnknown" };

const MAIN = { kind: "regular", name: "main" } as const;

describe("a container run", () => {
  test("starts and ends once, even if several statuses show it", () => {
    assert.equal(told([{}, runs("a", 0), runs("a", 0), ended("a", 0, 1), ended("a", 0, 1)]), "| +a0 | | -a0 status 1");
  });

  test("ends by lastState before the next run starts", () => {
    assert.equal(told([runs("a", 0), runs("b", 1, { id: "a", exitCode: 2 })]), "+a0 | -a0 status 2 +b1 | -b1 removal");
  });

  test("is reported with start and end if only lastState shows it", () => {
    const statuses = [runs("a", 0), runs("c", 2, { id: "b", exitCode: 3 })];
    assert.equal(told(statuses), "+a0 | -a0 replacement +b1 -b1 status 3 +c2 | -c2 removal");
  });

  test("is reported with start and end if its first status is terminated", () => {
    assert.equal(told([ended("a", 0, 5)]), "+a0 -a0 status 5");
  });

  test("ends when its pod is removed, unless it ended before", () => {
    assert.equal(told([runs("a", 0)]), "+a0 | -a0 removal");
    assert.equal(told([runs("a", 0), ended("a", 0)]), "+a0 | -a0 status 0");
  });
});

describe("a waiting container with an ID", () => {
  test("does not start until a status shows it running or terminated", () => {
    assert.equal(
      told([{ id: "a", count: 0 }, runs("a", 0), { id: "b", count: 1, last: { id: "a" } }, ended("b", 1, 4)]),
      "| +a0 | -a0 status 0 | +b1 -b1 status 4",
    );
  });

  test("has the ID of the ended run while in CrashLoopBackOff", () => {
    const back = (id: string, count: number): Shown => ({ id, count, last: { id, exitCode: 1 } });
    assert.equal(
      told([runs("a", 0), back("a", 0), runs("b", 1, { id: "a" }), back("b", 1)]),
      "+a0 | -a0 status 1 | +b1 | -b1 status 1",
    );
    assert.equal(told([back("c", 2)], true), "+c2 -c2 status 1");
  });

  test("does not end the run with the same ID", () => {
    assert.equal(told([runs("a", 0), { id: "a", count: 0 }, ended("a", 0, 9)]), "+a0 | | -a0 status 9");
  });
});

describe("an end that the kubelet may have inferred", () => {
  test("ends the current run and reports no exit", () => {
    assert.equal(told([runs("a", 0), { id: "a", count: 1, ended: unknown }]), "+a0 | -a0 none");
    assert.equal(told([runs("a", 0), { count: 1, last: unknown }]), "+a0 | -a0 none");
  });

  test("reports no exit of an init container with reason Completed", () => {
    const completed = { exitCode: 0, reason: "Completed" };
    assert.equal(told([runs("a", 0), { id: "a", count: 0, ended: completed }], false, "init"), "+a0 | -a0 none");
    assert.equal(told([{ count: 0, ended: completed }], true, "init"), "");
  });

  test("does not end the next run while it stays in lastState", () => {
    assert.equal(
      told([runs("a", 0), { count: 1, last: unknown }, runs("b", 1, unknown), runs("b", 1, unknown)]),
      "+a0 | -a0 none | +b1 | | -b1 removal",
    );
  });

  test("is not the exit of the next run while it stays in lastState", () => {
    const lost: Shown[] = [runs("a", 0), { count: 1, last: unknown }];
    assert.equal(
      told([...lost, runs("b", 1, unknown), runs("c", 2, unknown)]),
      "+a0 | -a0 none | +b1 | -b1 replacement +c2 | -c2 removal",
    );
  });

  test("ends the current run if it has an exit code but no ID", () => {
    assert.equal(told([runs("a", 0), { id: "a", count: 0, ended: { exitCode: 3 } }]), "+a0 | -a0 none");
  });

  test("is an exit if it has the ID of the current run", () => {
    assert.equal(told([runs("a", 0), { id: "a", count: 0, ended: { id: "a", exitCode: 7 } }]), "+a0 | -a0 status 7");
  });

  test("is not replaced by the true exit in a later status", () => {
    assert.equal(
      told([runs("a", 0), { count: 1, last: unknown }, runs("b", 1, { id: "a", exitCode: 3 })]),
      "+a0 | -a0 none | +b1 | -b1 removal",
    );
  });
});

describe("a restart count that increases without a container", () => {
  test("makes no run missed if the next run has this count or one higher", () => {
    for (const count of [1, 2]) {
      assert.equal(
        told([runs("a", 0), { count: 1, last: unknown }, runs("b", count, unknown)]),
        `+a0 | -a0 none | +b${count} | -b${count} removal`,
      );
    }
  });

  test("makes no run missed if the next status shows the next run", () => {
    assert.equal(told([runs("a", 0), runs("b", 2, unknown)]), "+a0 | -a0 none +b2 | -b2 removal");
  });

  test("makes no run missed if it increases twice", () => {
    assert.equal(
      told([runs("a", 0), { count: 1, last: unknown }, { count: 2, last: unknown }, runs("b", 3, unknown)]),
      "+a0 | -a0 none | | +b3 | -b3 removal",
    );
  });

  test("does not hide runs that are missed after it", () => {
    assert.equal(
      told([runs("a", 0), { count: 1, last: unknown }, runs("d", 5, { id: "c", exitCode: 1 })]),
      "+a0 | -a0 none | missed 2-3 +c4 -c4 status 1 +d5 | -d5 removal",
    );
  });

  test("hides no missed run if an inferred end left the count unchanged", () => {
    const completed = { exitCode: 0, reason: "Completed" };
    assert.equal(
      told([runs("a", 0), { id: "a", count: 0, ended: completed }, runs("c", 2)], false, "init"),
      "+a0 | -a0 none | missed 1-1 +c2 | -c2 removal",
    );
  });

  test("starts no run of an evicted pod", () => {
    assert.equal(told([runs("a", 0), { count: 1 }, { count: 1, ended: unknown }]), "+a0 | -a0 none");
  });
});

describe("a run that replaces another", () => {
  test("ends the previous run if no status shows its end", () => {
    assert.equal(told([runs("a", 0), runs("b", 1)]), "+a0 | -a0 replacement +b1 | -b1 removal");
  });

  test("ends the previous run if lastState belongs to an earlier run", () => {
    const first = { id: "a", exitCode: 1 };
    assert.equal(
      told([runs("a", 0), runs("b", 1, first), runs("c", 2, first)]),
      "+a0 | -a0 status 1 +b1 | -b1 replacement +c2 | -c2 removal",
    );
  });

  test("ends the previous run when it is created but not started", () => {
    assert.equal(told([runs("a", 0), { id: "b", count: 1 }]), "+a0 | -a0 replacement");
  });

  test("ends once two lists show no container, and not by a lastState that was reported", () => {
    const first = { id: "a", exitCode: 1 };
    const statuses = [runs("a", 0), runs("b", 1, first), { count: 1, last: first }];
    assert.equal(told(statuses), "+a0 | -a0 status 1 +b1 | | -b1 removal");
    const present: Shown = { count: 1, last: first, evidence: "present" };
    assert.equal(told([...statuses, present]), "+a0 | -a0 status 1 +b1 | | -b1 none");
  });
});

describe("missed runs", () => {
  test("are reported as a range of restart counts", () => {
    assert.equal(
      told([runs("a", 0), runs("d", 4, { id: "c", exitCode: 1 })]),
      "+a0 | -a0 replacement missed 1-2 +c3 -c3 status 1 +d4 | -d4 removal",
    );
    assert.equal(told([runs("c", 2)]), "missed 0-1 +c2 | -c2 removal");
  });

  test("are not reported before the first status of an old container", () => {
    assert.equal(told([runs("d", 7, { id: "c" })], true), "+c6 -c6 status 0 +d7 | -d7 removal");
    assert.equal(told([{ count: 3 }, runs("d", 4)], true), "| missed 3-3 +d4 | -d4 removal");
  });

  test("are reported from count 0 if the count decreases because the runtime was wiped", () => {
    assert.equal(told([runs("g", 6), runs("a", 0)], true), "+g6 | -g6 replacement +a0 | -a0 removal");
    const [before, after] = [
      { ...runs("g", 6), at: 10n },
      { ...runs("c", 2), at: 20n },
    ];
    assert.equal(told([before, after], true), "+g6 | -g6 replacement missed 0-1 +c2 | -c2 removal");
    assert.equal(
      told([runs("g", 6), { count: 0, evidence: "present" }, runs("c", 2)], true),
      "+g6 | -g6 none | missed 0-1 +c2 | -c2 removal",
    );
  });

  test("are reported from count 0 if a list lacked the pod and its counts restarted", () => {
    const before: Shown = { id: "d", count: 3, ended: { id: "d", exitCode: 3 } };
    const waits: Shown = { id: "h", count: 3, last: { id: "h", exitCode: 3 }, wasAbsent: true };
    assert.equal(told([before, waits], true), "+d3 -d3 status 3 | missed 0-2 +h3 -h3 status 3");
    const runsAgain: Shown = { ...runs("h", 3, { id: "g", exitCode: 3 }), wasAbsent: true };
    assert.equal(told([before, runsAgain], true), "+d3 -d3 status 3 | missed 0-1 +g2 -g2 status 3 +h3 | -h3 removal");
    const runsOn: Shown = { ...runs("i", 4, { id: "h", exitCode: 3 }), wasAbsent: true };
    assert.equal(told([before, runsOn], true), "+d3 -d3 status 3 | missed 0-2 +h3 -h3 status 3 +i4 | -i4 removal");
    assert.equal(told([before, { ...waits, wasAbsent: false }], true), "+d3 -d3 status 3 | +h3 -h3 status 3");
    assert.equal(told([before, { ...runs("e", 4), wasAbsent: true }], true), "+d3 -d3 status 3 | +e4 | -e4 removal");
    const back: Shown = { ...before, wasAbsent: true };
    assert.equal(told([before, back, { ...waits, wasAbsent: false }], true), "+d3 -d3 status 3 | | +h3 -h3 status 3");
  });
});

describe("a status that is older than the reported state", () => {
  const ran = runs("b", 1, { id: "a", exitCode: 1 });

  test("ends no run and makes no run missed", () => {
    assert.equal(told([runs("a", 0), ran, runs("a", 0), ran]), "+a0 | -a0 status 1 +b1 | | | -b1 removal");
    assert.equal(
      told(
        [
          { ...runs("c", 2), at: 20n },
          { ...runs("b", 1), at: 10n },
        ],
        true,
      ),
      "+c2 | | -c2 removal",
    );
    assert.equal(told([ran, { count: 0 }, ran], true), "+a0 -a0 status 1 +b1 | | | -b1 removal");
  });

  test("is not assumed if its lastState names the current run", () => {
    assert.equal(
      told([
        { ...runs("a", 0), at: 20n },
        { ...runs("b", 0, { id: "a", exitCode: 4 }), at: 10n },
      ]),
      "+a0 | -a0 status 4 +b0 | -b0 removal",
    );
  });

  test("is accepted once two lists agree", () => {
    const again: Shown = { ...runs("z", 0), at: 1n };
    assert.equal(told([ran, again], true), "+a0 -a0 status 1 +b1 | | -b1 removal");
    assert.equal(
      told([ran, { ...again, evidence: "present" }], true),
      "+a0 -a0 status 1 +b1 | -b1 replacement +z0 | -z0 removal",
    );
  });

  test("is not assumed if its count is lower but its run started later", () => {
    assert.equal(
      told(
        [
          { ...runs("g", 6), at: 10n },
          { ...runs("a", 0), at: 20n },
        ],
        true,
      ),
      "+g6 | -g6 replacement +a0 | -a0 removal",
    );
  });
});

describe("an end that an event implies", () => {
  const next: Shown = { ...runs("b", 1), evidence: "event" };

  test("is reported when a later list or event confirms it", () => {
    assert.equal(told([runs("a", 0), next]), "+a0 | | -a0 removal");
    assert.equal(told([runs("a", 0), next, runs("b", 1)]), "+a0 | | -a0 replacement +b1 | -b1 removal");
    const ended: Shown = { id: "b", count: 1, ended: { id: "b", exitCode: 3 }, evidence: "event" };
    assert.equal(told([runs("a", 0), next, ended]), "+a0 | | -a0 replacement +b1 -b1 status 3");
  });

  test("is discarded if a list shows the run again", () => {
    assert.equal(told([runs("a", 0), next, runs("a", 1)]), "+a0 | | | -a0 removal");
  });

  test("is not discarded by an older event", () => {
    const older: Shown = { ...runs("a", 0), evidence: "event" };
    assert.equal(told([runs("a", 0), next, older, runs("b", 1)]), "+a0 | | | -a0 replacement +b1 | -b1 removal");
    const later: Shown = { ...runs("c", 2), evidence: "event" };
    assert.equal(told([runs("a", 0), next, older, later]), "+a0 | | | -a0 replacement +b1 | -b1 removal");
    assert.equal(told([runs("a", 0), next, runs("a", 0), later]), "+a0 | | | | -a0 removal", "a list is not older");
  });
});

test("an exit that the runtime invented is in `reported` and not in `exit`", () => {
  const fold = new RunFold(MAIN, 0);
  fold.fold(report({ id: "a", ended: { id: "a", exitCode: 255, reason: "Unknown" } }), "list");
  const [, end] = fold.takeFacts();
  assert.ok(end?.type === "ENDED");
  const { basis, exit, reported } = end;
  assert.deepEqual([basis, exit, reported?.exitCode, reported?.reason], ["none", undefined, 255, "Unknown"]);
  assert.equal(told([{ id: "a", ended: { id: "a", exitCode: 255, reason: "Error" } }]), "+a0 -a0 status 255");
});

test("an end keeps the stop reason known at its first status, even if reported later", () => {
  const stop = { reason: "Evicted", resource: "memory", ended: new Set<string>(), atMs: undefined } as const;
  for (const [before, expected] of [
    [undefined, undefined],
    [stop, "Evicted"],
  ] as const) {
    for (const settle of [
      (lives: RunFold) => lives.fold(report({ count: 1 }), "list", stop),
      (lives: RunFold) => lives.fold(report({ id: "b", running: true, count: 1 }), "event", stop),
      (lives: RunFold, waiting: ContainerStatus) => lives.fold(waiting, "list", stop),
    ]) {
      const fold = new RunFold(MAIN, 0);
      const waiting = report({ count: 1 });
      fold.fold(report(runs("a", 0)), "list");
      assert.equal(fold.fold(waiting, "event", before), "waiting");
      settle(fold, waiting);
      const reasons = fold.takeFacts().flatMap((fact) => (fact.type === "ENDED" ? [fact.stop?.reason] : []));
      assert.deepEqual(reasons, [expected]);
    }
  }
});

test("a container that was created but never ran is not reported as missed", () => {
  for (const last of [undefined, { id: "a" }])
    assert.equal(
      told([ended("a", 0), { id: "b", count: 1 }, runs("c", 2, last)]),
      "+a0 -a0 status 0 | | +c2 | -c2 removal",
    );
  assert.equal(told([ended("a", 0), runs("c", 2)]), "+a0 -a0 status 0 | missed 1-1 +c2 | -c2 removal");
  assert.equal(
    told([ended("a", 0), { id: "b", count: 1 }, runs("e", 4, { id: "a" })]),
    "+a0 -a0 status 0 | | missed 2-3 +e4 | -e4 removal",
  );
  assert.equal(
    told([ended("a", 0), { id: "b", count: 2, last: { id: "a" } }, runs("e", 4, { id: "a" })]),
    "+a0 -a0 status 0 | | missed 1-1 missed 3-3 +e4 | -e4 removal",
  );
});

test("a created container that never ran is not missed after its counts restarted", () => {
  const created: Shown = { id: "x", count: 1, last: { id: "g", exitCode: 1 }, wasAbsent: true };
  assert.equal(
    told([ended("a", 1), created, runs("h", 2, { id: "g", exitCode: 1 })], true),
    "+a1 -a1 status 0 | +g0 -g0 status 1 | +h2 | -h2 removal",
  );
});

test("a created container that may have run between two statuses is reported as missed", () => {
  assert.equal(
    told([ended("a", 0), { id: "b", count: 1 }, runs("c", 2, { exitCode: 137 })]),
    "+a0 -a0 status 0 | | missed 1-1 +c2 | -c2 removal",
  );
  assert.equal(
    told([ended("a", 0), { id: "b", count: 1 }, runs("d", 3, { id: "c" })]),
    "+a0 -a0 status 0 | | missed 1-1 +c2 -c2 status 0 +d3 | -d3 removal",
  );
});

test("an implied end takes its exit from an older status that arrives later", () => {
  const event = (shown: Shown): Shown => ({ ...shown, evidence: "event" });
  const killed = event({ id: "a", count: 0, ended: { id: "a", exitCode: 137, reason: "OOMKilled" } });
  assert.equal(told([runs("a", 0), event(runs("b", 1)), killed]), "+a0 | | -a0 status 137 +b1 | -b1 removal");
  assert.equal(told([runs("a", 0), event({ count: 0 }), killed]), "+a0 | | -a0 status 137");
});

test("a run that started and was lost between two statuses is reported as missed", () => {
  const first = { id: "a", exitCode: 1 };
  assert.equal(
    told([ended("a", 0), { count: 1, last: first }, runs("c", 2, { exitCode: 137 })]),
    "+a0 -a0 status 0 | | missed 1-1 +c2 | -c2 removal",
  );
});

test("a count that decreases below a reported run adds no run", () => {
  assert.equal(
    told([runs("a", 1), runs("a", 0), runs("b", 1, { id: "a" })], true),
    "+a1 | | -a1 status 0 +b1 | -b1 removal",
  );
  assert.equal(told([ended("a", 3), ended("a", 2), runs("b", 3)], true), "+a3 -a3 status 0 | | +b3 | -b3 removal");
});

test("an earlier run that lastState shows late is not reported", () => {
  assert.equal(told([runs("b", 1), runs("b", 1, { id: "a" }), ended("b", 1)], true), "+b1 | | -b1 status 0");
});

test("a negative restart count counts as 0", () => {
  assert.equal(told([runs("a", -3), runs("b", -2)]), "+a0 | -a0 replacement +b0 | -b0 removal");
});

test("a container that failed to start has a run with an end and no start time", () => {
  const status = report({ id: "a", count: 0, ended: { id: "a", exitCode: 128, reason: "StartError" } });
  const { terminated } = status.state ?? {};
  assert.ok(terminated?.startedAt);
  terminated.startedAt.seconds = 0n;
  const fold = new RunFold(MAIN, 0);
  fold.fold(status, "list");
  const [start, end] = fold.takeFacts();
  assert.ok(start?.type === "STARTED" && end?.type === "ENDED");
  assert.equal(start.run.startedAt, undefined);
  const { run, exit } = end;
  const shown = [run.startedAt, exit?.startedAt, exit?.signal, exit?.reason, run.ended];
  assert.deepEqual(shown, [undefined, undefined, undefined, "StartError", true]);
});

test("an ended run is reported once, even if forty later statuses show it", () => {
  const statuses: Shown[] = [runs("a", 0)];
  for (let n = 1; n < 40; n++) statuses.push(runs(`l${n}x`, n, { id: "a" }));
  assert.equal(told(statuses).match(/-a0/g)?.length, 1);
  // While nothing runs, an end that was forgotten and is still shown would be reported again.
  const ended: Shown[] = [runs("a", 0)];
  for (let n = 1; n < 40; n++) ended.push({ id: `l${n}x`, count: n, ended: { id: `l${n}x` }, last: { id: "a" } });
  assert.equal(told(ended).match(/-a/g)?.length, 1);
});

test("an end that the kubelet made up has no exit, and what it reports", () => {
  const removed: EndGiven = { reason: "RestartingAllContainers" };
  for (const shown of [{ last: removed }, { ended: removed }, { ended: unknown }, { last: unknown }]) {
    const fold = new RunFold({ kind: "regular", name: "main" }, 0);
    fold.fold(report({ id: "a", running: true }), "list");
    fold.takeFacts();
    fold.fold(report({ id: "a", count: 1, ...shown }), "list");
    const [end] = fold.takeFacts();
    assert.ok(end?.type === "ENDED");
    const { exit, basis, reported } = end;
    const { reason } = shown.last ?? shown.ended ?? {};
    assert.deepEqual([exit, basis, reported?.exitCode, reported?.reason], [undefined, "none", 137, reason]);
  }
});
