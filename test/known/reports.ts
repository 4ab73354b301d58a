// Statuses of a container, as kubelets write them, and what is told of them.

import { create } from "@bufbuild/protobuf";
import { type ContainerStatus, ContainerStatusSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type RunEvidence, type RunFact, RunFold } from "../../src/known/run-fold.js";
import type { ContainerKind } from "../../src/pod/container-run.js";

/** The end of a life; without an ID it is one that the kubelet has only inferred, which has no times either. */
export interface EndGiven {
  id?: string;
  exitCode?: number;
  reason?: string;
}

/** What a status shows: a state, the ID and the count beside it, and the end before. */
export interface Shown {
  id?: string;
  count?: number;
  running?: true;
  ended?: EndGiven;
  last?: EndGiven;
  /** Where it is from; a list where it does not say. */
  evidence?: RunEvidence;
  /** When it began, in seconds since 1970. */
  at?: bigint;
  /** A list before it lacked the pod. */
  wasAbsent?: boolean;
}

const terminated = ({ id, exitCode = id === undefined ? 137 : 0, reason = "" }: EndGiven) => ({
  terminated: {
    exitCode,
    reason,
    ...(id !== undefined && {
      containerID: `containerd://${id}`,
      startedAt: { seconds: 10n },
      finishedAt: { seconds: 20n },
    }),
  },
});

/** Makes a status. One that neither runs nor has ended waits. */
export function report({ id, count = 0, running, ended, last, at = 10n }: Shown): ContainerStatus {
  let state = {};
  if (running) state = { running: { startedAt: { seconds: at } } };
  else if (ended !== undefined) state = terminated(ended);
  return create(ContainerStatusSchema, {
    name: "main",
    image: "registry.example/main:1",
    restartCount: count,
    containerID: id === undefined ? "" : `containerd://${id}`,
    state,
    ...(last !== undefined && { lastState: terminated(last) }),
  });
}

function wordOf(fact: RunFact): string {
  if (fact.type === "MISSED") return `missed ${fact.from}-${fact.to}`;
  const run = `${fact.run.containerID}${fact.run.restartCount}`;
  if (fact.type === "STARTED") return `+${run}`;
  return `-${run} ${fact.basis}${fact.exit === undefined ? "" : ` ${fact.exit.exitCode}`}`;
}

/** Returns what is told of statuses that follow each other, in words: `+a0` a life has started, with its count. `isOld`: it was there before. */
export function told(statuses: readonly Shown[], isOld = false, kind: ContainerKind = "regular"): string {
  const words: string[] = [];
  const lives = new RunFold({ kind, name: "main" }, isOld ? undefined : 0);
  const reports = new Map(statuses.map((each) => [each, report(each)]));
  for (const each of statuses) {
    if (each.wasAbsent) lives.absent();
    lives.fold(reports.get(each) ?? report(each), each.evidence ?? "list");
    words.push(...lives.takeFacts().map(wordOf), "|");
  }
  lives.gone();
  words.push(...lives.takeFacts().map(wordOf));
  return words.join(" ").replace(/( ?\|)+$/, "");
}
