// What the readers of a life observe, as records with field names of their own: a rename in src changes a line here and no record.

import { type ContainerEvent, type Pod, type PodEvent, PodsError } from "../../src/index.js";
import type { Answer } from "../../src/lookup/answer.js";
import type { ContainerRun } from "../../src/pod/container-run.js";
import type { End } from "../../src/pod/end.js";
import type { InformerState } from "../../src/readers/informer-state.js";

/** One observation. Its fields are in a fixed order, and absent ones are left out. */
export type Observation = Readonly<Record<string, unknown>>;

/**
 * Receives what a reader observes. `stream` is the reader's name, behind the number of its agent. An answer that is asked for again and again
 * has the `question`: it counts only if it differs from the last one.
 */
export type Observe = (stream: string, ms: number, observation: Observation, question?: string) => void;

const EVENTS = {
  ADDED: "added",
  MODIFIED: "changed",
  DELETED: "removed",
  SYNCED: "synced",
  DISCONNECTED: "lost",
} as const;
const RUNS = { STARTED: "run", ENDED: "end", MISSED: "missed" } as const;
type Synced = Extract<PodEvent<unknown>, { type: "SYNCED" }>;

/** How sure an answer is, best first. */
const SURE = { confirmed: 3, reported: 2, likely: 1, uncertain: 0 } as const;
/** What the end of a run is known from. */
const KNOWN_FROM = { status: "status", replacement: "next run", removal: "removal", none: "nothing" } as const;

export function ofPodEvent(event: PodEvent<Partial<Pod>>): Observation {
  const is = EVENTS[event.type];
  if (event.type === "SYNCED") return { is, ...ofSync(event) };
  if (event.type === "DISCONNECTED") return { is, error: event.error.code };
  return { is, ...ofPod(event.pod), ...(event.type === "DELETED" && { why: event.cause }) };
}

export function ofContainerEvent(event: ContainerEvent<Partial<Pod>>): Observation {
  if (event.type === "SYNCED" || event.type === "DISCONNECTED") return ofPodEvent(event);
  const is = RUNS[event.type];
  const pod = ofPod(event.pod);
  if (event.type === "MISSED") return { is, ...pod, name: event.container.name, counts: event.restartCounts };
  const run = ofRun(event.container);
  if (event.type === "STARTED") return { is, ...pod, run, first: event.initial };
  return { is, ...pod, run, first: event.initial, from: KNOWN_FROM[event.basis], end: ofEnd(event.end) };
}

export function ofAnswer(answer: Answer<unknown>): Observation {
  const { pod, container, confidence, reason, others, gone } = answer as Answer<Pod>;
  return {
    ...(pod && { ...ofPod(pod) }),
    ...(container && { run: ofRun(container) }),
    sure: SURE[confidence],
    ...(reason && { because: reason }),
    ...(others > 0 && { others }),
    ...(gone && { gone: [gone.after.getTime(), gone.at.getTime(), gone.cause], end: gone.end && ofEnd(gone.end) }),
  };
}

export function ofState({ phase, error, unconfirmed, unreadable, waiting }: InformerState): Observation {
  return { phase, ...(error && { error: error.code }), ...ofGaps(unconfirmed, unreadable), waiting };
}

export function ofError(error: unknown): Observation {
  return { error: PodsError.is(error) ? error.code : String(error) };
}

function ofSync({ initial, count, unconfirmed, unreadable }: Synced): Observation {
  return { first: initial, count, ...ofGaps(unconfirmed, unreadable) };
}

function ofGaps({ count, reasons }: Synced["unconfirmed"], unreadable: ReadonlySet<string>): Observation {
  return { unconfirmed: count, because: [...reasons].sort(), unreadable: [...unreadable].sort() };
}

function ofPod({ metadata, status }: Partial<Pod>): Observation {
  return {
    pod: metadata?.uid,
    version: metadata?.labels?.["version"],
    ...(status && {
      phase: status.phase,
      ips: status.podIPs?.map(({ ip }) => ip),
      containers: status.containerStatuses?.map(({ containerID }) => containerID),
    }),
  };
}

function ofRun({ kind, name, containerID, runtime, restartCount, startedAt, ended }: ContainerRun): Observation {
  return { kind, name, id: containerID, runtime, count: restartCount, startMs: startedAt?.getTime(), ended };
}

function ofEnd({ reason, exitCode, signal, resource, startedAt, finishedAt, reported }: End): Observation {
  const times = { startMs: startedAt?.getTime(), endMs: finishedAt?.getTime() };
  return { reason, code: exitCode, signal, resource, ...times, written: reported };
}
