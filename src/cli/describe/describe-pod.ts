import type { Pod } from "../../gen/pod-types.js";
import type { PodJson } from "../../pod/json-types.js";
import { isStatic } from "../../pod/pod-state.js";
import { workloadOf } from "../../pod/workload.js";
import { printable } from "../../printable.js";
import { age } from "../pod-columns.js";
import { describeContainers, describeResources } from "./describe-container.js";
import { describeVolumes } from "./describe-volume.js";
import { type Fact, fact, facts, list } from "./fact.js";
import { timeText } from "./time-text.js";

type Spec = NonNullable<PodJson["spec"]>;
type Conditions = NonNullable<NonNullable<PodJson["status"]>["conditions"]>;

/** Returns what there is to know of a pod, in the order and by the names of `kubectl describe pod`, and what a node knows besides. */
export function describePod(pod: Pod, json: PodJson, nowMs: number): Fact[] {
  const { metadata = {}, spec, status } = json;
  const { priority, priorityClassName, runtimeClassName, serviceAccountName, nodeName, securityContext } = spec ?? {};
  const workload = workloadOf(pod);
  // Of a mirror pod this is the node, which is no workload.
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  const ephemeral = spec?.ephemeralContainers as Spec["containers"];
  return [
    ...fact("Name", metadata?.name),
    ...fact("Namespace", metadata?.namespace),
    ...fact("UID", metadata?.uid),
    ...(isStatic(pod) ? fact("Static", "True") : []),
    ...fact("Priority", priority),
    ...fact("Priority Class Name", priorityClassName),
    ...fact("Runtime Class Name", runtimeClassName),
    ...fact("Service Account", serviceAccountName),
    ...fact("Node", nodeName ? `${nodeName}/${status?.hostIP ?? ""}` : "<none>"),
    ...(status?.startTime ? fact("Start Time", timeText(status.startTime)) : []),
    list("Labels", pairs(metadata?.labels)),
    list("Annotations", annotationLines(metadata?.annotations)),
    ...phaseFacts(pod, json, nowMs),
    ...fact("Reason", status?.reason),
    ...fact("Message", status?.message),
    ...fact("SeccompProfile", securityContext?.seccompProfile?.type),
    ...fact("LocalhostProfile", securityContext?.seccompProfile?.localhostProfile),
    { name: "IP", lines: [status?.podIP ?? ""] },
    ...(status?.podIPs?.length
      ? facts(
          "IPs",
          status.podIPs.flatMap(({ ip }) => fact("IP", ip)),
        )
      : [list("IPs", [])]),
    ...(owner === undefined ? [] : fact("Controlled By", `${owner.kind}/${owner.name}`)),
    ...(workload?.derived === true ? fact("Workload", `${workload.kind}/${workload.name}`) : []),
    ...fact("NominatedNodeName", status?.nominatedNodeName),
    ...facts("Resources", describeResources(spec?.resources)),
    ...describeContainers("Init Containers", spec?.initContainers, status?.initContainerStatuses),
    ...describeContainers("Containers", spec?.containers, status?.containerStatuses),
    ...describeContainers("Ephemeral Containers", ephemeral, status?.ephemeralContainerStatuses),
    ...gates(json),
    ...conditions(status?.conditions ?? [], nowMs),
    ...describeVolumes(spec?.volumes),
    ...fact("QoS Class", status?.qosClass),
    list("Node-Selectors", pairs(spec?.nodeSelector)),
    list("Tolerations", tolerations(spec?.tolerations)),
  ];
}

function phaseFacts(pod: Pod, { metadata, status }: PodJson, nowMs: number): Fact[] {
  const isEnding = metadata?.deletionTimestamp && status?.phase !== "Failed" && status?.phase !== "Succeeded";
  if (!isEnding) return fact("Status", status?.phase ?? "");
  return [
    ...fact("Status", `Terminating (lasts ${age(pod.metadata.deletionTimestamp, nowMs)})`),
    ...fact("Termination Grace Period", `${metadata.deletionGracePeriodSeconds ?? 0}s`),
  ];
}

/** Writes labels, sorted by key. */
function pairs(labels: Readonly<Record<string, string>> | null | undefined): string[] {
  return Object.keys(labels ?? {})
    .sort()
    .map((key) => `${key}=${labels?.[key]}`);
}

/** The whole object once more, as it was applied. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The length from which kubectl gives an annotation lines of its own, and cuts them. */
const LONG = 140;

/** Writes annotations as kubectl does, sorted by key: long ones and those of several lines below their key, and cut. */
function annotationLines(annotations: Readonly<Record<string, string>> | null | undefined): string[] {
  return Object.keys(annotations ?? {})
    .filter((key) => key !== LAST_APPLIED)
    .sort()
    .flatMap((key) => {
      const text = (annotations?.[key] ?? "").replace(/\n$/, "");
      if (`${key}: ${text}`.length <= LONG && !text.includes("\n")) return [`${key}: ${text}`];
      const cut = (line: string) => (line.length > LONG - 2 ? `${line.slice(0, LONG - 2)}...` : line);
      return [`${key}:`, ...text.split("\n").map((line) => `  ${cut(line)}`)];
    });
}

/** Types and reasons of conditions are short; what is longer is cut. */
const MAX_CELL = 100;

/** Writes cells below each other. */
function table(name: string, given: readonly (readonly string[])[]): Fact[] {
  const rows = given.map((row) => row.map((cell, i) => (i === row.length - 1 ? cell : printable(cell, MAX_CELL))));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, Math.min(cell.length, MAX_CELL));
  }
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return facts(name, [{ name: "", lines }]);
}

function gates({ spec, status }: PodJson): Fact[] {
  const rows = (spec?.readinessGates ?? []).map(({ conditionType }) => [
    conditionType ?? "",
    status?.conditions?.find(({ type }) => type === conditionType)?.status ?? "<none>",
  ]);
  return rows.length === 0 ? [] : table("Readiness Gates", [["Type", "Status"], ...rows]);
}

/** Conditions with what kubectl leaves out: since when, and why. */
function conditions(all: Conditions, nowMs: number): Fact[] {
  const rows = all.map(({ type, status, lastTransitionTime, reason, message }) => {
    const since = lastTransitionTime ? age(new Date(lastTransitionTime), nowMs) : "";
    return [type ?? "", status ?? "", since, reason ?? "", message?.replaceAll("\n", " ") ?? ""];
  });
  return rows.length === 0 ? [] : table("Conditions", [["Type", "Status", "Age", "Reason", "Message"], ...rows]);
}

function tolerations(all: Spec["tolerations"]): string[] {
  return [...(all ?? [])]
    .sort((a, b) => ((a.key ?? "") < (b.key ?? "") ? -1 : (a.key ?? "") > (b.key ?? "") ? 1 : 0))
    .map(({ key, operator, value, effect, tolerationSeconds }) => {
      const what = `${key ?? ""}${value ? `=${value}` : ""}${effect ? `:${effect}` : ""}`;
      const exists = operator === "Exists" && !value ? `${what === "" ? "" : " "}op=Exists` : "";
      return `${what}${exists}${tolerationSeconds == null ? "" : ` for ${tolerationSeconds}s`}`;
    });
}
