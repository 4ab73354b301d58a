// A node of a model for the index: pods, their addresses and containers, as the ledger would tell them.

import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import type { Change, ListFacts } from "../../src/known/log.js";
import type { PodRecord } from "../../src/known/record.js";
import type { Version } from "../../src/known/version.js";
import type { Answer, Found } from "../../src/lookup/answer.js";
import { PodIndex } from "../../src/lookup/pod-index.js";
import { lookupKeyOf, type PodKey } from "../../src/lookup/pod-key.js";
import type { RetentionWant } from "../../src/lookup/retention.js";
import type { View } from "../../src/lookup/view.js";
import type { Pod } from "../../src/pod/pod.js";
import { scanHead } from "../../src/pod/scan.js";
import { PodFinder } from "../../src/readers/pod-finder.js";
import type { Selection } from "../../src/readers/selection.js";
import { changeTo, recordOf } from "../helpers/changes.js";

export interface NodePod {
  uid: string;
  name?: string;
  ip?: string | undefined;
  hostNetwork?: boolean;
  /** Seconds since 1970 on the API server's clock; undefined for a static pod. */
  created?: number | undefined;
  seen?: string;
  phase?: string;
  running?: boolean;
  terminating?: boolean;
  labels?: Record<string, string>;
  /** IDs of the container's present life and of the one before. */
  id?: string;
  lastID?: string;
  restartCount?: number;
  /** When the present life began, in seconds since 1970. */
  startedS?: number;
}

export const WALL_MS: number = Date.UTC(2026, 0);
const process = { number: 1 };

/** The version of a pod as the ledger has it. */
export function versionOf(pod: NodePod): Version {
  const { uid, name = uid, ip = "", hostNetwork = false, created, seen, phase = "Running", labels = {} } = pod;
  const { running = phase === "Running", terminating = false, id, lastID, restartCount = 0, startedS } = pod;
  const startedAt = startedS === undefined ? {} : { startedAt: { seconds: BigInt(startedS) } };
  const bytes = toBinary(
    PodSchema,
    create(PodSchema, {
      metadata: {
        uid,
        name,
        namespace: "ns",
        labels,
        ...(created !== undefined && { creationTimestamp: { seconds: BigInt(created) } }),
        ...(terminating && { deletionTimestamp: { seconds: 1n } }),
        annotations: {
          "kubernetes.io/config.source": created === undefined ? "file" : "api",
          ...(seen && { "kubernetes.io/config.seen": seen }),
        },
      },
      spec: { hostNetwork, containers: [{ name: "main" }] },
      status: {
        phase,
        podIP: ip,
        ...(ip && { podIPs: [{ ip }] }),
        containerStatuses: [
          {
            name: "main",
            image: "image",
            restartCount,
            ...(id && { containerID: `containerd://${id}` }),
            state: running ? { running: startedAt } : { terminated: { exitCode: 1, containerID: id ?? "" } },
            ...(lastID && { lastState: { terminated: { exitCode: 1, containerID: `containerd://${lastID}` } } }),
          },
        ],
      },
    }),
  );
  return { bytes, head: scanHead(bytes).head, retained: undefined, process, wallMs: 0 };
}

/** The index of one node, and time that passes when the test says so. */
export class Node {
  readonly lives: PodIndex = new PodIndex();
  readonly #known = new Map<string, PodRecord>();
  nowMs = 1_000_000;
  isSynced = true;

  constructor(want: RetentionWant = { retainMs: 600_000, maxRetained: 1_000 }) {
    this.lives.want(want);
    this.lives.listed(this.#list, this.nowMs);
  }

  get now(): { nowMs: number; wallMs: number } {
    return { nowMs: this.nowMs, wallMs: WALL_MS + this.nowMs };
  }

  readonly pods = { hasUnreadable: false, isUncertain: false, processSinceMs: 0, isPolled: false };

  /** The facts of a list that is committed now. */
  get #list(): ListFacts {
    const { hasUnreadable, isUncertain, ...facts } = this.pods;
    const mayLackPods = hasUnreadable || isUncertain;
    return { ...facts, atMs: this.nowMs, isAccepted: true, mayLackPods, touched: new Set() };
  }

  /** Tells pods as they are now. One that is not `active` has been finished, and is listed. */
  put(pod: NodePod, isActive = true, isListed = false): void {
    const version = versionOf(pod);
    const record = this.#known.get(pod.uid) ?? recordOf(version);
    this.#known.set(pod.uid, record);
    this.#accept(changeTo(record, version, { isActive }), isListed);
  }

  /** Tells a pod whose status names no container. */
  empty(uid: string): void {
    const record = this.record(uid);
    this.#accept(changeTo(record, { ...record.version }, { hasEmptyStatus: true }), false);
  }

  record(uid: string): PodRecord {
    return this.#known.get(uid) as PodRecord;
  }

  drop(uid: string, cause: "finished" | "missing" = "missing", isListed = false): void {
    const record = this.record(uid);
    this.#known.delete(uid);
    this.#accept(changeTo(record, record.version, { isActive: false, isGone: true, cause }), isListed);
  }

  /** A list is complete. */
  list(touched: ReadonlySet<string> = new Set()): void {
    this.lives.listed({ ...this.#list, touched }, this.nowMs);
  }

  /** Finds what a key means, for an informer with this selection and window. */
  find(key: PodKey, atMs?: number, selection: Partial<Selection> = {}, window?: RetentionWant): Answer<Pod> {
    return finder(selection, window).find(lookupKeyOf(key, "test"), clear(atMs), this.view);
  }

  /** Returns the UID of the pod that has a key now, as `byIP` and its like find it. */
  present(key: PodKey, selection: Partial<Selection> = {}): string | undefined {
    return finder(selection).present(lookupKeyOf(key, "test"), this.view)?.metadata.uid;
  }

  awaited(key: PodKey, atMs?: number): Found<Pod> | undefined {
    return finder({}).awaited(lookupKeyOf(key, "test"), clear(atMs), this.view);
  }

  get view(): View {
    return {
      pods: { ...this.pods, records: () => this.#known.values() },
      index: this.lives,
      now: () => this.now,
      isSynced: this.isSynced,
    };
  }

  #accept(change: Change, isListed: boolean): void {
    this.lives.accept([change], this.now, isListed);
    this.lives.retention.evict(this.nowMs, Number.POSITIVE_INFINITY);
  }
}

function finder(selection: Partial<Selection>, window: RetentionWant = { retainMs: 600_000, maxRetained: 1_000 }) {
  return new PodFinder<Pod>({ includeFinished: false, ...selection }, window);
}

function clear(ms: number | undefined) {
  return ms === undefined ? undefined : { ms, isClear: true };
}

/** Returns the UID that was found, how sure that is, why it is not where it is contested, and `gone` where the pod is. */
export function told(answer: Answer<Pod> | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const { pod, confidence, reason, gone } = answer;
  return [pod?.metadata.uid ?? "nobody", reason ?? confidence, ...(gone ? ["gone"] : [])].join(" ");
}
