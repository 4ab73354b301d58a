// How a container or a pod ended: a line for each row of docs/kubelet.md, End reasons.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromKubernetesJson, type PodJson } from "../../src/index.js";
import { newRecord, type PodRecord, takeVersion } from "../../src/known/record.js";
import { type ContainerExit, exitOf } from "../../src/pod/container-run.js";
import { END_ROWS, podEndOf as podEndBy, type RunEnd, runEndOf as runEndBy } from "../../src/pod/end.js";
import { OWN_MASK } from "../../src/pod/own-fields.js";
import { scanHead } from "../../src/pod/scan.js";
import { type EndingPod, STOPS, stopOf } from "../../src/pod/stop.js";
import { encodePod } from "../../src/testing/wire-pod.js";
import { markdownTable } from "../helpers/markdown.js";
import { root } from "../helpers/programs.js";
import { describe, test } from "../helpers/test.js";

type Version = ReturnType<typeof fromKubernetesJson>;

/** The ends by what this version alone shows. */
const endingOf = (pod: EndingPod) => ({ stop: stopOf(pod), deletion: undefined });
const runEndOf = (run: RunEnd, pod: EndingPod) => runEndBy(run, pod, endingOf(pod));
const podEndOf = (pod: EndingPod) => podEndBy(pod, endingOf(pod));

const AT = "2026-03-01T10:00:00Z";
const LATER = "2026-03-01T10:00:40Z";

interface About {
  metadata?: object;
  status?: object;
  restartPolicy?: string;
}

function podOf({ metadata = {}, status = {}, restartPolicy = "Always" }: About, ...exits: object[]) {
  const containerStatuses = exits.map((terminated, i) => ({ name: `c${i}`, state: { terminated } }));
  const json = {
    metadata: { name: "p", ...metadata },
    spec: { containers: [], restartPolicy },
    status: { ...status, containerStatuses },
  };
  return fromKubernetesJson(json as PodJson);
}

const exit = (exitCode: number, reason = "Error", finishedAt: string | undefined = AT) => ({
  exitCode,
  reason,
  finishedAt,
});
const low = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 8Ki. ";
const SHUTDOWN = "Pod was terminated in response to imminent node shutdown.";
const ended = (phase: string, reason: string, message = "") => ({
  status: { phase, conditions: [{ type: "DisruptionTarget", status: "True", reason, message }] },
});
const failed = (reason: string, message = "") => ({ status: { phase: "Failed", reason, message } });
/** To be deleted from 10:00:10 on. */
const deleted = { metadata: { deletionTimestamp: LATER, deletionGracePeriodSeconds: 30 } };

const LIVES = [
  ["OOMKilled", {}, exit(137, "OOMKilled")],
  ["OOMKilled", deleted, exit(137, "OOMKilled", "2026-03-01T10:00:39Z")],
  ["deleted", deleted, exit(137, "OOMKilled", LATER)],
  ["exited", {}, exit(0, "OOMKilled")],
  ["signalled", {}, exit(143, "OOMKilled")],
  ["not-started", {}, exit(128, "StartError")],
  ["exited", {}, exit(0, "Completed")],
  ["exited", {}, exit(128)],
  ["exited", {}, exit(193)],
  ["signalled", {}, exit(137)],
  ["signalled", {}, exit(192)],
  ["signalled", {}, { ...exit(0), signal: 9 }],
  ["signalled", deleted, exit(143, "Error", "2026-03-01T10:00:09Z")],
  ["deleted", deleted, exit(143, "Error", "2026-03-01T10:00:10Z")],
  ["deleted", deleted, exit(0, "Completed", LATER)],
  ["Evicted", failed("Evicted", low), exit(137)],
  ["Evicted", failed("Evicted", low), exit(137, "OOMKilled")],
  ["Evicted", ended("Succeeded", "TerminationByKubelet", low), exit(0, "Completed")],
  ["Evicted", ended("Succeeded", "TerminationByKubelet", "words of a later kubelet"), exit(0, "Completed")],
  ["shut-down", ended("Succeeded", "TerminationByKubelet", SHUTDOWN), exit(0, "Completed")],
  [
    "preempted",
    ended("Failed", "TerminationByKubelet", "Pod was preempted by Kubelet to accommodate a critical pod."),
    exit(7),
  ],
  ["exited", ended("Failed", "DeletionByTaintManager"), exit(7)],
  ["taint-evicted", { ...ended("Failed", "DeletionByTaintManager"), ...deleted }, exit(7, "Error", LATER)],
  ["exited", { ...ended("Failed", "DeletionByTaintManager"), ...deleted }, exit(7)],
  ["api-evicted", { ...ended("Succeeded", "EvictionByEvictionAPI"), ...deleted }, exit(0, "Completed", LATER)],
  ["preempted", { ...ended("Failed", "PreemptionByScheduler"), ...deleted }, exit(143, "Error", LATER)],
  ["deleted", { ...ended("Failed", "DeletionByPodGC"), ...deleted }, exit(143, "Error", LATER)],
  ["exited", { status: { phase: "Running", reason: "Evicted" } }, exit(1)],
  ["preempted", failed("Preempting"), exit(137)],
  ["shut-down", failed("Terminated"), exit(143)],
  ["deadline", failed("DeadlineExceeded"), exit(143)],
  ["rejected", failed("Evicted", "Pod was rejected: The node had condition: [MemoryPressure]. "), exit(0)],
  ["exited", failed("Elsewhere"), exit(1)],
  ["exited", failed("constructor"), exit(1)],
] as const;

test("docs/kubelet.md lists every end reason", () => {
  const page = join(root, "docs/kubelet.md");
  const text = readFileSync(page, "utf8");
  const lines = END_ROWS.map(({ reason, written, where }) => [`\`${reason}\``, written, where]);
  const table = markdownTable([["`reason`", "what the pod shows", "written by"], ...lines]);
  const made = text.replace(/(<!-- ends -->)[\s\S]*?(<!-- \/ends -->)/, `$1\n\n${table}\n\n$2`);
  if (process.env["UPDATE_ENDS"] === "1") writeFileSync(page, made);
  assert.equal(text, process.env["UPDATE_ENDS"] === "1" ? text : made, "UPDATE_ENDS=1 writes them");
});

test("the reason of a container's end follows the table", () => {
  for (const [reason, about, terminated] of LIVES) {
    const pod = podOf(about, terminated);
    const told = exitOf(pod.status.containerStatuses[0]?.state?.terminated ?? assert.fail());
    const end = runEndOf({ containerID: "", exit: told }, pod);
    assert.equal(end.reason, reason, JSON.stringify([about, terminated]));
    assert.equal(end.exitCode, terminated.exitCode);
    assert.deepEqual(end.reported, { exitCode: terminated.exitCode, reason: terminated.reason, message: "" });
  }
});

test("every row of the table decides at least one case", () => {
  const decisive = new Set<string>();
  const fits = END_ROWS.map((row) => row.fits);
  for (const row of END_ROWS) {
    const rowFits = row.fits;
    Object.assign(row, {
      fits: (facts: Parameters<typeof rowFits>[0]) => {
        const isSo = rowFits(facts);
        if (isSo) decisive.add(row.written); // the rest is not asked
        return isSo;
      },
    });
  }
  try {
    for (const [, about, terminated] of LIVES) {
      const pod = podOf(about, terminated);
      const told = exitOf(pod.status.containerStatuses[0]?.state?.terminated ?? assert.fail());
      runEndOf({ containerID: "", exit: told }, pod);
    }
    runEndOf({ containerID: "", exit: undefined }, podOf({}));
    runEndOf({ containerID: "", exit: undefined, reported: exitOf(restarting) }, podOf({}));
  } finally {
    for (const [i, row] of END_ROWS.entries()) Object.assign(row, { fits: fits[i] });
  }
  // Which of the kubelet's own rows it is, stopOf has decided: the first one of the reason fits.
  const ofStop = new Set(STOPS.filter((row) => row.in !== "deletion").map(({ reason }) => reason));
  const dead = END_ROWS.filter(({ written }) => !decisive.has(written));
  assert.deepEqual(
    dead.filter(({ reason, written }) => !ofStop.has(reason) || written.includes("end of a deletion")),
    [],
  );
});

/** What the kubelet writes for a container that it has removed to restart the pod in place. */
const restarting = fromKubernetesJson({
  metadata: {},
  spec: { containers: [] },
  status: {
    containerStatuses: [{ name: "c", state: { terminated: { exitCode: 137, reason: "RestartingAllContainers" } } }],
  },
} as never).status?.containerStatuses[0]?.state?.terminated as Parameters<typeof exitOf>[0];

test("the end of a container that RestartAllContainers removed has a reason of its own, and no code", () => {
  const end = runEndOf({ containerID: "a", exit: undefined, reported: exitOf(restarting) }, podOf({}));
  assert.deepEqual([end.reason, end.exitCode, end.signal], ["restarted", undefined, undefined]);
  assert.deepEqual(end.reported, { exitCode: 137, reason: "RestartingAllContainers", message: "" });
  const stopped = runEndOf(
    { containerID: "a", exit: undefined, reported: exitOf(restarting) },
    podOf(failed("Evicted", low)),
  );
  assert.equal(stopped.reason, "Evicted");
});

test("a pod has no exit code of an end that the kubelet made up", () => {
  const madeUp = { exitCode: 137, reason: "ContainerStatusUnknown" };
  const end = podEndOf(podOf({}, madeUp) as EndingPod);
  assert.deepEqual([end.reason, end.exitCode, end.signal], ["unknown", undefined, undefined]);
  assert.deepEqual(end.reported, { ...madeUp, message: "" });
  const other = podEndOf(podOf({ restartPolicy: "Never" }, madeUp, exit(0, "Completed")) as EndingPod);
  assert.equal(other.reason, "unknown", "one of its containers may have failed");
});

test("an end with only the kubelet's placeholder exit has the reason unknown", () => {
  const madeUp: ContainerExit = {
    exitCode: 255,
    signal: undefined,
    reason: "Unknown",
    message: "",
    startedAt: undefined,
    finishedAt: new Date(AT),
  };
  const end = runEndOf({ containerID: "", exit: undefined, reported: madeUp }, podOf({}));
  assert.deepEqual(
    [end.reason, end.exitCode, end.signal, end.finishedAt],
    ["unknown", undefined, undefined, undefined],
  );
  assert.deepEqual(end.reported, { exitCode: 255, reason: "Unknown", message: "" });
  assert.equal(runEndOf({ containerID: "", exit: undefined }, podOf(failed("Evicted"))).reported, undefined);
});

test("derives the signal from the exit code and the resource from the kubelet's message", () => {
  const of = (code: number, signal = 0) =>
    runEndOf(
      {
        containerID: "",
        exit: {
          exitCode: code,
          signal: signal || undefined,
          reason: "Error",
          message: "",
          startedAt: undefined,
          finishedAt: undefined,
        },
      },
      podOf({}),
    );
  assert.deepEqual(
    [of(137).signal, of(129).signal, of(192).signal, of(128).signal, of(1).signal, of(0, 15).signal],
    [9, 1, 64, undefined, undefined, 15],
  );
  for (const [message, resource] of [
    [low, "memory"],
    ["The node was low on resource: ephemeral-storage. ", "ephemeral-storage"],
    ["The node was low on resource: inodes. ", "inodes"],
    ['Container a exceeded its local ephemeral storage limit "1Gi". ', "ephemeral-storage"],
    ["Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ", "ephemeral-storage"],
    ['Usage of EmptyDir volume "v" exceeds the limit "1Gi". ', "ephemeral-storage"],
    ["words of a later kubelet", undefined],
  ] as const)
    assert.equal(podEndOf(podOf(failed("Evicted", message))).resource, resource, message);
});

test("a pod whose init container failed has the end of that container", () => {
  const initContainerStatuses = [{ name: "i", state: { terminated: exit(3) } }];
  const end = podEndOf(podOf({ status: { phase: "Failed", initContainerStatuses } }));
  assert.deepEqual([end.reason, end.exitCode, end.finishedAt], ["exited", 3, new Date(AT)]);
});

test("a pod's end is its stop reason, else its first failed or last ended container", () => {
  const finished = { status: { phase: "Succeeded" } };
  for (const [reason, exitCode, about, exits] of [
    ["Evicted", 137, failed("Evicted", low), [exit(137)]],
    ["Evicted", 137, failed("Evicted", low), [exit(137, "OOMKilled")]],
    ["unknown", undefined, { status: { phase: "Failed" } }, [exit(255, "Unknown")]],
    ["rejected", undefined, failed("OutOfcpu", "Pod was rejected: Node didn't have enough cpu"), []],
    ["rejected", undefined, failed("Evicted", "Pod was rejected: The node had condition: [MemoryPressure]. "), []],
    ["exited", 3, { status: { phase: "Failed" } }, [exit(0, "Completed"), exit(4, "Error", LATER), exit(3)]],
    ["exited", 0, finished, [exit(0, "Completed"), exit(0, "Completed", LATER)]],
    ["exited", 0, { ...deleted, ...finished, restartPolicy: "Never" }, [exit(0, "Completed", "2026-03-01T09:00:00Z")]],
    ["deleted", 0, { ...deleted, ...finished }, [exit(0, "Completed", "2026-03-01T09:00:00Z")]],
    ["deleted", 0, { ...deleted, ...finished }, [exit(0, "Completed", LATER)]],
    ["deleted", 137, deleted, [exit(137, "Error", LATER)]],
    ["deleted", 137, deleted, [exit(3, "Error", "2026-03-01T09:00:00Z"), exit(137, "Error", LATER)]],
    [
      "deleted",
      0,
      { ...deleted, restartPolicy: "Never" },
      [exit(3, "Error", "2026-03-01T09:00:00Z"), exit(0, "", LATER)],
    ],
    ["deleted", undefined, deleted, [exit(3, "Error", "2026-03-01T09:00:00Z"), exit(255, "Unknown", LATER)]],
    ["deleted", undefined, deleted, []],
    ["unknown", undefined, { status: { phase: "Running" } }, []],
  ] as const) {
    const end = podEndOf(podOf(about, ...exits));
    assert.deepEqual([end.reason, end.exitCode], [reason, exitCode], JSON.stringify([about, exits]));
  }
});

describe("a container that is restarted cannot end its pod", () => {
  const onCode = (action: string, ...values: number[]) => [{ action, exitCodes: { operator: "In", values } }];
  const ended = { exitCode: 42, reason: "Error", finishedAt: "2026-03-01T09:00:00Z" };

  /** How a pod with one container ended that was deleted at 10:00:10, after its container had ended by itself. */
  const reasonOf = (podPolicy: string, container: object, exitCode = 42, kind = "containers") => {
    const spec = { containers: [], restartPolicy: podPolicy, [kind]: [{ name: "c", ...container }] };
    const statuses = kind === "containers" ? "containerStatuses" : "initContainerStatuses";
    const status = { phase: "Failed", [statuses]: [{ name: "c", state: { terminated: { ...ended, exitCode } } }] };
    return podEndOf(fromKubernetesJson({ metadata: { name: "p", ...deleted.metadata }, spec, status } as never)).reason;
  };

  test("by its own policy and rules first, then by the policy of the pod", () => {
    for (const [expected, podPolicy, container, exitCode] of [
      ["deleted", "Always", {}],
      ["exited", "Never", {}],
      ["deleted", "OnFailure", {}],
      ["exited", "OnFailure", {}, 0],
      ["exited", "Always", { restartPolicy: "Never" }],
      ["deleted", "Never", { restartPolicy: "Always" }],
      ["deleted", "Never", { restartPolicy: "OnFailure" }],
      ["exited", "Always", { restartPolicy: "OnFailure" }, 0],
      ["deleted", "Never", { restartPolicy: "Never", restartPolicyRules: onCode("Restart", 41, 42) }],
      ["deleted", "Never", { restartPolicy: "Never", restartPolicyRules: onCode("RestartAllContainers", 42) }],
      ["exited", "Never", { restartPolicy: "Never", restartPolicyRules: onCode("Restart", 41) }],
      ["exited", "Always", { restartPolicy: "Never", restartPolicyRules: onCode("Ignore", 42) }],
      [
        "deleted",
        "Never",
        {
          restartPolicy: "Never",
          restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "NotIn", values: [1] } }],
        },
      ],
    ] as const)
      assert.equal(
        reasonOf(podPolicy, container, exitCode),
        expected,
        JSON.stringify([podPolicy, container, exitCode]),
      );
  });

  test("also an init container, unless it succeeded", () => {
    assert.equal(reasonOf("Always", { restartPolicy: "Never" }, 3, "initContainers"), "exited");
    assert.equal(reasonOf("Always", {}, 3, "initContainers"), "deleted");
    assert.equal(reasonOf("Always", {}, 0, "initContainers"), "exited");
  });

  const versionOf = (...statuses: object[]) =>
    fromKubernetesJson({
      metadata: { name: "p" },
      spec: { containers: [], restartPolicy: "Always" },
      status: { phase: "Running", containerStatuses: statuses.map((each, i) => ({ name: `c${i}`, ...each })) },
    } as never);
  const crashed = {
    containerID: "containerd://b",
    lastState: { terminated: { ...ended, containerID: "containerd://b" } },
  };

  test("beside one whose end is unknown", () => {
    const running = { containerID: "containerd://a", state: { running: {} } };
    for (const state of [{ terminated: crashed.lastState.terminated }, { waiting: { reason: "CrashLoopBackOff" } }]) {
      const { reason, exitCode } = podEndOf(versionOf(running, { ...crashed, state }));
      assert.deepEqual([reason, exitCode], ["unknown", undefined]);
    }
  });

  test("unless all of them are: then the end is in the last state of the one that waits", () => {
    const { reason, exitCode } = podEndOf(
      versionOf({ ...crashed, state: { waiting: { reason: "CrashLoopBackOff" } } }),
    );
    assert.deepEqual([reason, exitCode], ["exited", 42]);
  });
});

describe("the reason why the kubelet stops a pod", () => {
  const running = (id: string) => ({ containerID: `containerd://${id}`, state: { running: { startedAt: AT } } });
  const over = (id: string, exitCode = 0) => ({
    containerID: `containerd://${id}`,
    state: { terminated: { ...exit(exitCode), containerID: `containerd://${id}` } },
  });
  const versionOf = (status: object, ...statuses: object[]) => {
    const containerStatuses = statuses.map((each, i) => ({ name: `c${i}`, ...each }));
    return fromKubernetesJson({ metadata: { name: "p" }, status: { ...status, containerStatuses } } as PodJson);
  };
  const evicted = { phase: "Failed", reason: "Evicted", message: low };
  const endedIn = (...versions: Version[]) => [...(stopOf(versions[1] as Version, versions[0])?.ended ?? [])].sort();

  test("does not apply to containers that ended before", () => {
    const before = versionOf({ phase: "Running" }, running("a"), over("b", 3));
    assert.deepEqual(endedIn(before, versionOf(evicted, running("a"), over("b", 3))), ["b"]);
    assert.deepEqual(
      endedIn(before, versionOf(evicted, over("a"), over("b", 3))),
      ["b"],
      "the event in between was lost",
    );
    const replaced = { ...running("d"), lastState: over("c").state };
    assert.deepEqual(endedIn(before, versionOf(evicted, running("a"), replaced)), ["c"]);
    const stop = stopOf(versionOf(evicted, running("a"), over("b", 3)));
    const reasonOf = (containerID: string, isReplaced = false) =>
      runEndBy({ containerID, exit: exitOf(exit(3) as never), isReplaced }, before, { stop, deletion: undefined })
        .reason;
    assert.deepEqual([reasonOf("a"), reasonOf("b"), reasonOf("a", true)], ["Evicted", "exited", "exited"]);
    assert.deepEqual([stop?.reason, stop?.resource], ["Evicted", "memory"]);
  });

  test("does not apply to a container that the runtime had lost before", () => {
    const before = versionOf({ phase: "Running" }, running("a"), running("b"));
    const madeUp = { terminated: { exitCode: 137, reason: "ContainerStatusUnknown" } };
    for (const lost of [{ state: madeUp }, { state: { waiting: {} }, lastState: madeUp }])
      assert.deepEqual(endedIn(before, versionOf(evicted, running("a"), lost)), ["b"]);
    const both = versionOf(evicted, { state: madeUp }, { state: madeUp });
    assert.deepEqual(endedIn(before, both), [], "the stop ended all that were running");
  });

  test("does not apply to a container that exited in an earlier second, if the first version shows another one running", () => {
    const conditions = [
      { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", lastTransitionTime: AT },
    ];
    const first = (...statuses: object[]) => stopOf(versionOf({ ...evicted, conditions }, ...statuses));
    const reasonAt = (finishedAt: string | undefined, stop = first(running("a"), running("b"))) => {
      const ended = exitOf({ ...(exit(3) as object), finishedAt: undefined } as never);
      const at = finishedAt === undefined ? undefined : new Date(finishedAt);
      return runEndBy({ containerID: "b", exit: { ...ended, finishedAt: at } }, versionOf({}), {
        stop,
        deletion: undefined,
      }).reason;
    };
    assert.equal(reasonAt("2026-03-01T09:59:59Z"), "exited");
    assert.equal(reasonAt(AT), "Evicted", "in the same second, it may have ended by the stop");
    assert.equal(reasonAt(LATER), "Evicted");
    assert.equal(reasonAt(undefined), "Evicted");
    const late = first(over("a"), over("b", 3));
    assert.equal(reasonAt("2026-03-01T09:59:59Z", late), "Evicted", "the time of its condition is that of the end");
    const without = stopOf(versionOf(evicted, running("a"), running("b")));
    assert.equal(reasonAt("2026-03-01T09:59:59Z", without), "Evicted", "the stop has no time");
  });

  test("is kept when the last status omits it", () => {
    const entryOf = (pod: Version, number: number) => {
      const bytes = encodePod(pod);
      return { bytes, head: scanHead(bytes).head, retained: OWN_MASK, process: { number }, wallMs: Date.parse(LATER) };
    };
    const evict = (): PodRecord => {
      const record = newRecord(entryOf(versionOf({ phase: "Running" }, running("a")), 1), "event");
      takeVersion(record, entryOf(versionOf(evicted, running("a")), 1), "event", 0);
      return record;
    };
    /** Returns why an evicted pod is stopped once this version has come. */
    const then = (pod: Version, number: number) => {
      const record = evict();
      takeVersion(record, entryOf(pod, number), "event", 0);
      return record.stop?.reason;
    };
    assert.equal(evict().stop?.reason, "Evicted");
    assert.equal(then(versionOf({ phase: "Succeeded" }, over("a")), 1), "Evicted");
    assert.equal(then(versionOf({ phase: "Running" }, running("a")), 1), "Evicted", "an older version");
    assert.equal(then(versionOf({ phase: "Pending" }), 2), "Evicted", "the kubelet has not processed the pod yet");
    assert.equal(then(versionOf({ phase: "Running" }, running("a")), 2), undefined, "the pod continues to run");
  });
});
