import { create } from "@bufbuild/protobuf";
import { type ContainerStatus, PodConditionSchema, type PodStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { Pod } from "../pod/pod.js";
import { isStatic } from "../pod/pod-state.js";
import { isRestarted } from "../pod/restart-policy.js";

type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** The state of a pod apart from the state of its containers. */
export interface Derivation {
  /** Whether the pod has a sandbox; undefined if that has not changed. */
  readonly sandbox?: boolean | undefined;
  /** True if the kubelet states why a pod has no sandbox. */
  readonly explainsSandbox: boolean;
  /** True if a pod that is Failed stays Failed, whatever the exit codes of its containers are. */
  readonly keepsFailed: boolean;
  /** True if the kubelet starts no more of the pod's containers. */
  readonly isTerminal?: boolean;
}

/**
 * Sets the phase, reason and conditions of a pod from the status of its containers (generateAPIPodStatus in pkg/kubelet/kubelet_pods.go). A
 * final phase stays final. A change of the phase clears the reason and the message.
 */
export function derive(status: PodStatus, pod: Pod, derivation: Derivation): void {
  for (const container of pod.spec.initContainers) {
    if (container.restartPolicy === "Always") continue;
    const known = status.initContainerStatuses.find(({ name }) => name === container.name);
    if (known !== undefined) known.ready = known.state?.terminated?.exitCode === 0;
  }
  const isTerminal = derivation.isTerminal === true && !isStatic(pod);
  const before = status.phase;
  const isFinal = before === "Failed" || before === "Succeeded";
  const found = phaseIn(status, pod, isTerminal);
  const stays = before === "Failed" && derivation.keepsFailed;
  const phase = stays || (isFinal && (found === "Pending" || found === "Running")) ? before : found;
  if (status.reason === DEADLINE) status.phase = "Failed";
  else if (phase !== before) Object.assign(status, { phase, reason: "", message: "" });
  setConditions(status, pod, derivation);
}

/** The reason of a pod that ran longer than its deadline. Such a pod is Failed, whatever the exit codes of its containers are. */
const DEADLINE = "DeadlineExceeded";

/** Returns the phase that follows from the containers (getPhase in pkg/kubelet/kubelet_pods.go). */
function phaseIn({ initContainerStatuses, containerStatuses }: PodStatus, pod: Pod, isTerminal: boolean): PodPhase {
  const { initContainers, containers, restartPolicy } = pod.spec;
  const isInitialized = containerStatuses.some(hasStarted);
  let [pending, running, waiting, unknown] = [0, 0, 0, 0];
  for (const container of initContainers) {
    const status = initContainerStatuses.find(({ name }) => name === container.name);
    const end = endOf(status);
    if (container.restartPolicy === "Always") {
      if (status?.state?.running !== undefined) running++;
      if (isInitialized || end !== undefined) continue;
      if (status?.state?.running === undefined || status.started !== true) pending++;
    } else if (end === undefined) pending++;
    else if (end.exitCode !== 0 && !isRestarted(end.exitCode, restartPolicy, container)) return "Failed";
  }
  const ends: { exitCode: number; isForGood: boolean }[] = [];
  for (const container of containers) {
    const status = containerStatuses.find(({ name }) => name === container.name);
    const end = endOf(status);
    if (status?.state === undefined) unknown++;
    else if (status.state.running !== undefined) running++;
    else if (end === undefined) waiting++;
    else
      ends.push({
        exitCode: end.exitCode,
        isForGood: isTerminal || !isRestarted(end.exitCode, restartPolicy, container),
      });
  }
  if (pending > 0 || waiting > 0 || unknown > 0 || running + ends.length === 0) return "Pending";
  if (running > 0 || ends.some(({ isForGood }) => !isForGood)) return "Running";
  return ends.every(({ exitCode }) => exitCode === 0) ? "Succeeded" : "Failed";
}

/** Returns the last exit of a container; undefined if the container is running or has not run. */
function endOf(status: ContainerStatus | undefined): { exitCode: number } | undefined {
  if (status?.state?.running !== undefined) return undefined;
  return status?.state?.terminated ?? status?.lastState?.terminated;
}

function hasStarted({ state, lastState }: ContainerStatus): boolean {
  return (state?.running ?? state?.terminated ?? lastState?.terminated) !== undefined;
}

const SANDBOX = "PodReadyToStartContainers";
const CREATED = "no pod sandbox exists";
const STOPPED = "pod sandbox is not ready";

/** A condition without its type and times. */
interface PhaseFacts {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

const HOLDS: PhaseFacts = { status: "True", reason: "", message: "" };

function fails(reason: string, message = ""): PhaseFacts {
  return { status: "False", reason, message };
}

/** Sets the conditions that the kubelet computes (pkg/kubelet/status/generate.go). settle() sets their times. */
function setConditions(status: PodStatus, pod: Pod, { sandbox, explainsSandbox }: Derivation): void {
  const of = (type: string) => status.conditions.find((each) => each.type === type);
  const known = of(SANDBOX);
  const hadSandbox = known === undefined ? status.containerStatuses.some(hasStarted) : known.status === "True";
  const lacks = fails("PodSandboxNotReady", hadSandbox || known?.message === STOPPED ? STOPPED : CREATED);
  const ready = readinessOf(status, pod);
  const gate = pod.spec.readinessGates.find(({ conditionType }) => of(conditionType)?.status !== "True");
  const facts: Readonly<Record<string, PhaseFacts>> = {
    [SANDBOX]: (sandbox ?? hadSandbox) ? HOLDS : explainsSandbox ? lacks : fails(""),
    Initialized: initializationOf(status, pod, of("Initialized")?.status === "True"),
    Ready: ready === HOLDS && gate !== undefined ? fails("ReadinessGatesNotReady") : ready,
    ContainersReady: ready,
    PodScheduled: HOLDS,
  };
  for (const [type, each] of Object.entries(facts)) {
    const condition = of(type);
    if (condition !== undefined) Object.assign(condition, each);
    else status.conditions.push(create(PodConditionSchema, { type, ...each }));
  }
}

function readinessOf({ phase, initContainerStatuses, containerStatuses }: PodStatus, { spec }: Pod): PhaseFacts {
  if (phase === "Succeeded") return fails("PodCompleted");
  if (phase === "Failed") return fails("PodFailed");
  const isReady = (name: string) =>
    [...initContainerStatuses, ...containerStatuses].some((each) => each.name === name && each.ready);
  const needed = [...spec.initContainers.filter(({ restartPolicy }) => restartPolicy === "Always"), ...spec.containers];
  const unready = needed.filter(({ name }) => !isReady(name)).map(({ name }) => name);
  if (unready.length === 0) return HOLDS;
  return fails("ContainersNotReady", `containers with unready status: [${unready.join(" ")}]`);
}

function initializationOf(status: PodStatus, { spec }: Pod, was: boolean): PhaseFacts {
  if (status.phase === "Succeeded") return { ...HOLDS, reason: "PodCompleted" };
  const isDone = ({ name, restartPolicy }: { name: string; restartPolicy?: string | undefined }) => {
    const known = status.initContainerStatuses.find((each) => each.name === name);
    return restartPolicy === "Always" ? known?.started === true : known?.ready === true;
  };
  const incomplete = spec.initContainers.filter((each) => !isDone(each)).map(({ name }) => name);
  const hasRun = status.containerStatuses.some(({ state }) => (state?.running ?? state?.terminated) !== undefined);
  if (incomplete.length === 0 || hasRun || was) return HOLDS;
  return fails("ContainersNotInitialized", `containers with incomplete status: [${incomplete.join(" ")}]`);
}
