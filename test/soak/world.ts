// What is so on the node, whatever the kubelet is doing: the truth that consumers are compared with.

import { type MaskedPod, podMask } from "../../src/index.js";
import { type PodJson, sampleNode } from "../../src/testing/index.js";

/** What a kubelet is told. */
export type Change =
  | { op: "add" | "update" | "label"; pod: PodJson }
  | { op: "finish"; uid: string }
  | { op: "remove"; uid: string };

interface Entry {
  json: PodJson;
  finished: boolean;
}

const TEMPLATE = sampleNode().find((pod) => pod.metadata?.name?.startsWith("web-")) as PodJson;

/** What the oracle looks at. */
export const SOAK_MASK = podMask(
  "metadata.uid",
  "metadata.labels",
  "spec.containers.name",
  "status.containerStatuses.restartCount",
);
export type SoakPod = MaskedPod<typeof SOAK_MASK>;

/** What tells two states of a pod apart: restarts stand for its status, a label for its object. */
export function stateOf(pod: SoakPod): string {
  return `${pod.status?.containerStatuses[0]?.restartCount}/${pod.metadata?.labels["soak"]}`;
}

export class World {
  readonly #pods = new Map<string, Entry>();
  readonly #random: () => number;
  readonly #target: number;
  #made = 0;

  constructor(random: () => number, target: number) {
    this.#random = random;
    this.#target = target;
    for (let i = 0; i < target; i++) this.#add();
  }

  list(): PodJson[] {
    return [...this.#pods.values()].map(({ json }) => json);
  }

  /** Whether the kubelet may say that it has finished this pod, or have it no more. */
  hasEnded(uid: string): boolean {
    return this.#pods.get(uid)?.finished ?? true;
  }

  /** What a watch must know at a quiet point: with finished pods, of which it counts only that they are there. */
  expected(includeFinished: boolean): Map<string, string> {
    const expected = new Map<string, string>();
    for (const [uid, { json, finished }] of this.#pods) {
      if (finished && !includeFinished) continue;
      expected.set(uid, finished ? "finished" : `${restarts(json)}/${json.metadata?.labels?.["soak"]}`);
    }
    return expected;
  }

  /** One thing happens on the node. */
  next(): Change {
    const draw = this.#random();
    const [uid, entry] = this.#pick();
    if (entry === undefined || this.#pods.size < this.#target || draw < 0.04) return { op: "add", pod: this.#add() };
    if (entry.finished) {
      this.#pods.delete(uid);
      return { op: "remove", uid };
    }
    if (draw < 0.1) {
      Object.assign(entry, { finished: true, json: finished(entry.json) });
      return { op: "finish", uid };
    }
    const relabel = draw < 0.15;
    entry.json = relabel ? relabelled(entry.json) : restarted(entry.json);
    return { op: relabel ? "label" : "update", pod: entry.json };
  }

  #pick(): [string, Entry | undefined] {
    const uids = [...this.#pods.keys()];
    const uid = uids[Math.floor(this.#random() * uids.length)] ?? "";
    return [uid, this.#pods.get(uid)];
  }

  #add(): PodJson {
    const uid = `00000000-soak-${String(++this.#made).padStart(8, "0")}`;
    const { metadata } = TEMPLATE;
    // The kubelet marshals it: messages of every length around those where the number before them takes a byte more.
    const message = "x".repeat(this.#made % 50 === 0 ? 16_370 + (this.#made % 13) : 100 + (this.#made % 31));
    const waiting = { name: "filled", state: { waiting: { message } } };
    const pod = {
      ...TEMPLATE,
      metadata: { ...metadata, uid, name: `soak-${this.#made}`, labels: { soak: "0" } },
      status: { ...TEMPLATE.status, ephemeralContainerStatuses: [waiting] },
    };
    this.#pods.set(uid, { json: pod, finished: false });
    return pod;
  }
}

function restarts(pod: PodJson): number {
  return pod.status?.containerStatuses?.[0]?.restartCount ?? 0;
}

function withContainers(pod: PodJson, change: object, status: object = {}): PodJson {
  const containerStatuses = pod.status?.containerStatuses?.map((c) => ({ ...c, ...change })) ?? [];
  return { ...pod, status: { ...pod.status, ...status, containerStatuses } };
}

function restarted(pod: PodJson): PodJson {
  return withContainers(pod, { restartCount: restarts(pod) + 1 });
}

function finished(pod: PodJson): PodJson {
  const terminated = { exitCode: 0, reason: "Completed", startedAt: null, finishedAt: null };
  return withContainers(pod, { state: { terminated }, ready: false }, { phase: "Failed" });
}

function relabelled(pod: PodJson): PodJson {
  const soak = String(Number(pod.metadata?.labels?.["soak"] ?? 0) + 1);
  return { ...pod, metadata: { ...pod.metadata, labels: { soak } } };
}
