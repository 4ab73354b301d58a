// Every state that kubectl has a word for, as pods: what READY, STATUS and RESTARTS say of each.

import type { PodJson } from "../../src/index.js";

type Status = NonNullable<NonNullable<NonNullable<PodJson["status"]>["containerStatuses"]>[number]>;

/** Long ago, so that ages do not change while a test runs. */
const CREATED = "2020-01-01T00:00:00Z";
const RESTARTED = "2021-06-01T00:00:00Z";

const running: Status = { state: { running: { startedAt: CREATED } }, ready: true, started: true };
const notReady: Status = { ...running, ready: false };
const waiting = (reason: string): Status => ({ state: { waiting: { reason } } });
const ended = (exitCode: number, reason = "", signal = 0): Status => ({
  state: { terminated: { exitCode, reason, signal } },
});
const restarted = (status: Status, count: number, finishedAt: string | null = RESTARTED): Status => ({
  ...status,
  restartCount: count,
  lastState: { terminated: { exitCode: 1, finishedAt } },
});

interface Given {
  phase?: string;
  reason?: string;
  conditions?: Record<string, string | { status: string; reason: string }>;
  /** Regular containers. */
  run?: Status[];
  /** Init containers; those of `sidecars` start again for ever. */
  init?: Status[];
  sidecars?: number[];
  /** Containers in the spec that have no status yet. */
  more?: number;
  moreInit?: number;
  deleted?: boolean;
  created?: string | null;
  gates?: string[];
}

function pod(given: Given): PodJson {
  const { phase = "Running", reason = "", conditions = {}, run = [], init = [], sidecars = [] } = given;
  const named = (list: Status[], prefix: string) => list.map((status, i) => ({ ...status, name: `${prefix}${i}` }));
  const specs = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, i) => ({
      name: `${prefix}${i}`,
      image: "i",
      ...(prefix === "init" && sidecars.includes(i) ? { restartPolicy: "Always" } : {}),
    }));
  return {
    metadata: {
      name: "pod",
      namespace: "ns",
      uid: "uid",
      creationTimestamp: given.created === undefined ? CREATED : given.created,
      ...(given.deleted ? { deletionTimestamp: RESTARTED } : {}),
    },
    spec: {
      containers: specs(run.length + (given.more ?? 0), "run"),
      initContainers: specs(init.length + (given.moreInit ?? 0), "init"),
      ...(given.gates ? { readinessGates: given.gates.map((conditionType) => ({ conditionType })) } : {}),
    },
    status: {
      phase,
      reason,
      conditions: Object.entries(conditions).map(([type, value]) => ({
        type,
        ...(typeof value === "string" ? { status: value, reason: "" } : value),
      })),
      containerStatuses: named(run, "run"),
      initContainerStatuses: named(init, "init"),
    },
  };
}

const READY = { Ready: "True", Initialized: "True" };

/** What a state is called, a pod in it, and what is shown: READY, STATUS and RESTARTS without its time. */
export const POD_STATES: [name: string, pod: PodJson, ready: string, status: string, restarts: string][] = [
  ["runs", pod({ run: [running, running], conditions: READY }), "2/2", "Running", "0"],
  ["runs with one container not ready", pod({ run: [running, notReady] }), "1/2", "Running", "0"],
  ["has no status yet", pod({ phase: "Pending", more: 2 }), "0/2", "Pending", "0"],
  ["has no phase", pod({ phase: "", more: 1 }), "0/1", "", "0"],
  [
    "waits for a scheduling gate",
    pod({
      phase: "Pending",
      more: 1,
      conditions: { PodScheduled: { status: "False", reason: "SchedulingGated" } },
    }),
    "0/1",
    "SchedulingGated",
    "0",
  ],
  ["is being created", pod({ phase: "Pending", run: [waiting("ContainerCreating")] }), "0/1", "ContainerCreating", "0"],
  [
    "cannot pull its image",
    pod({ phase: "Pending", run: [waiting("ImagePullBackOff")] }),
    "0/1",
    "ImagePullBackOff",
    "0",
  ],
  ["waits without a reason", pod({ phase: "Pending", run: [waiting("")] }), "0/1", "Pending", "0"],
  [
    "is in CrashLoopBackOff",
    pod({ run: [restarted(waiting("CrashLoopBackOff"), 4)] }),
    "0/1",
    "CrashLoopBackOff",
    "4 (…)",
  ],
  [
    "is in CrashLoopBackOff without the time of its last exit",
    pod({ run: [restarted(waiting("CrashLoopBackOff"), 4, null)] }),
    "0/1",
    "CrashLoopBackOff",
    "4",
  ],
  ["has restarted containers", pod({ run: [restarted(running, 2), restarted(running, 3)] }), "2/2", "Running", "5 (…)"],
  ["has two waiting containers", pod({ run: [waiting("A"), waiting("B")] }), "0/2", "A", "0"],
  [
    "has a running and a waiting container",
    pod({ run: [running, waiting("CreateContainerConfigError")] }),
    "1/2",
    "CreateContainerConfigError",
    "0",
  ],
  ["has completed", pod({ phase: "Succeeded", run: [ended(0, "Completed")] }), "0/1", "Completed", "0"],
  ["has failed", pod({ phase: "Failed", run: [ended(1, "Error")] }), "0/1", "Error", "0"],
  ["has failed without a reason", pod({ phase: "Failed", run: [ended(3)] }), "0/1", "ExitCode:3", "0"],
  ["was killed by a signal", pod({ phase: "Failed", run: [ended(137, "", 9)] }), "0/1", "Signal:9", "0"],
  ["was killed for its memory use", pod({ run: [ended(137, "OOMKilled")] }), "0/1", "OOMKilled", "0"],
  ["was evicted", pod({ phase: "Failed", reason: "Evicted", more: 1 }), "0/1", "Evicted", "0"],
  [
    "was evicted while its container still runs",
    pod({ phase: "Failed", reason: "Evicted", run: [running] }),
    "1/1",
    "Evicted",
    "0",
  ],
  ["was not admitted", pod({ phase: "Failed", reason: "OutOfcpu", more: 1 }), "0/1", "OutOfcpu", "0"],
  [
    "was terminated by a node shutdown",
    pod({ phase: "Failed", reason: "Terminated", run: [ended(0, "Completed")] }),
    "0/1",
    "Completed",
    "0",
  ],
  [
    "has a completed and a ready container",
    pod({ run: [ended(0, "Completed"), running], conditions: READY }),
    "1/2",
    "Running",
    "0",
  ],
  [
    "has a completed and a running container, and is not ready",
    pod({ run: [ended(0, "Completed"), running], conditions: { Ready: "False" } }),
    "1/2",
    "NotReady",
    "0",
  ],
  [
    "has a completed and a failed container",
    pod({ run: [ended(0, "Completed"), ended(2, "Error")] }),
    "0/2",
    "Error",
    "0",
  ],
  [
    "has a completed, a failed and a running container",
    pod({ run: [ended(0, "Completed"), ended(2, ""), running] }),
    "1/3",
    "ExitCode:2",
    "0",
  ],
  [
    "runs the first of two init containers",
    pod({ phase: "Pending", init: [running], moreInit: 1, more: 1 }),
    "0/1",
    "Init:0/2",
    "0",
  ],
  [
    "has completed the first of two init containers",
    pod({
      phase: "Pending",
      init: [ended(0, "Completed"), waiting("PodInitializing")],
      run: [waiting("PodInitializing")],
    }),
    "0/1",
    "Init:1/2",
    "0",
  ],
  [
    "has a crashing init container",
    pod({ phase: "Pending", init: [restarted(waiting("CrashLoopBackOff"), 3)], run: [waiting("PodInitializing")] }),
    "0/1",
    "Init:CrashLoopBackOff",
    "3 (…)",
  ],
  [
    "has a failed init container",
    pod({ phase: "Failed", init: [ended(1, "Error")], more: 1 }),
    "0/1",
    "Init:Error",
    "0",
  ],
  [
    "has an init container that failed without a reason",
    pod({ phase: "Failed", init: [ended(7)], more: 1 }),
    "0/1",
    "Init:ExitCode:7",
    "0",
  ],
  [
    "has an init container killed by a signal",
    pod({ phase: "Failed", init: [ended(139, "", 11)], more: 1 }),
    "0/1",
    "Init:Signal:11",
    "0",
  ],
  [
    "has completed its init container",
    pod({ phase: "Pending", init: [ended(0, "Completed")], run: [waiting("PodInitializing")] }),
    "0/1",
    "PodInitializing",
    "0",
  ],
  [
    "runs its init container again after a restart of the sandbox",
    pod({ init: [restarted(running, 2)], run: [running], conditions: READY }),
    "1/1",
    "Init:0/1",
    "0",
  ],
  [
    "has a running sidecar",
    pod({ init: [running], sidecars: [0], run: [running], conditions: READY }),
    "2/2",
    "Running",
    "0",
  ],
  [
    "has a restarted sidecar",
    pod({ init: [restarted(running, 3)], sidecars: [0], run: [restarted(running, 1)], conditions: READY }),
    "2/2",
    "Running",
    "4 (…)",
  ],
  [
    "has a sidecar that is not ready",
    pod({ init: [{ ...running, ready: false }], sidecars: [0], run: [running] }),
    "1/2",
    "Running",
    "0",
  ],
  [
    "has a starting sidecar",
    pod({ phase: "Pending", init: [{ ...running, started: false }], sidecars: [0], more: 1 }),
    "0/2",
    "Init:0/1",
    "0",
  ],
  [
    "has a running sidecar and then a running init container",
    pod({ phase: "Pending", init: [running, running], sidecars: [0], more: 1 }),
    "1/2",
    "Init:1/2",
    "0",
  ],
  ["is terminating", pod({ run: [running], deleted: true, conditions: READY }), "1/1", "Terminating", "0"],
  ["is terminating and crashes", pod({ run: [waiting("CrashLoopBackOff")], deleted: true }), "0/1", "Terminating", "0"],
  [
    "is terminating and has completed",
    pod({ phase: "Succeeded", run: [ended(0, "Completed")], deleted: true }),
    "0/1",
    "Completed",
    "0",
  ],
  [
    "is terminating and has failed",
    pod({ phase: "Failed", run: [ended(1, "Error")], deleted: true }),
    "0/1",
    "Error",
    "0",
  ],
  [
    "is terminating on a lost node",
    pod({ phase: "Running", reason: "NodeLost", run: [running], deleted: true }),
    "1/1",
    "Unknown",
    "0",
  ],
  ["has no creation time", pod({ run: [running], created: null }), "1/1", "Running", "0"],
  [
    "has two readiness gates, one of them true",
    pod({
      run: [running],
      gates: ["example.com/a", "example.com/b"],
      conditions: { "example.com/a": "True", "example.com/b": "False" },
    }),
    "1/1",
    "Running",
    "0",
  ],
];
