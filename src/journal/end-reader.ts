import type { Change, KnownPods, LogEntry, LogReader } from "../known/log.js";
import { isActive, type PodRecord, podEndIn } from "../known/record.js";
import type { RunFact } from "../known/run-fold.js";
import { initialRuns } from "../known/runs.js";
import type { Version } from "../known/version.js";
import { decodeBy } from "../pod/decode.js";
import { podEndOf, runEndOf } from "../pod/end.js";
import { planOf, podMask } from "../pod/mask.js";
import type { Pod } from "../pod/pod.js";
import { readEnding } from "../pod/stop.js";
import { WORKLOAD_PATHS, workloadIn } from "../pod/workload.js";
import { type EndRecord, keyOf } from "./end-record.js";

/** The fields of a pod that records contain. */
const POD_MASK = podMask("metadata.uid", "metadata.namespace", "status.podIP", "status.podIPs", ...WORKLOAD_PATHS);
const POD_PLAN = planOf(POD_MASK);

/** The parts of a record that its reader adds. */
type About = Pick<EndRecord, "container" | "end">;

/** The journal of an {@link EndReader}. */
export interface EndSink {
  write(record: EndRecord): void;
  /** Returns true if an earlier writer has recorded the end with this key. False once the kubelet has shown all of its pods. */
  isRecorded(key: string): boolean;
  /** Returns the facts of a record that do not depend on the pod. */
  about(): Pick<EndRecord, "bootID" | "recordedAt">;
}

/** Makes a record of each end in the log. Pure: no clock, no I/O. */
export class EndReader implements LogReader {
  readonly #sink: EndSink;
  /** Pods whose end was written, until they run again. */
  readonly #ended = new WeakSet<PodRecord>();

  constructor(sink: EndSink) {
    this.#sink = sink;
  }

  /** Writes the ends that the kubelet still shows, unless they are recorded. */
  begin(pods: KnownPods): void {
    pods.readRuns();
    for (const record of pods.records()) {
      this.#runs(record, record.version, initialRuns(record));
      if (!isActive(record)) this.#podEnd(record, record.version, false);
    }
  }

  accept(entry: LogEntry): void {
    if (entry.type === "changes") for (const change of entry.changes) this.#changed(change);
    else if (entry.type === "listed")
      for (const { record, runs } of entry.settled) this.#runs(record, record.version, runs);
  }

  #changed({ record, version, isActive, isGone, runs = [] }: Change): void {
    this.#runs(record, version, runs);
    if (isActive) this.#ended.delete(record);
    else this.#podEnd(record, version, isGone);
  }

  #runs(record: PodRecord, version: Version, facts: readonly RunFact[]): void {
    for (const fact of facts) {
      if (fact.type !== "ENDED") continue;
      const { run, exit, reported, basis, stop } = fact;
      const { name, kind, containerID, restartCount } = run;
      const ended = { containerID, exit, reported, isReplaced: basis === "replacement" };
      const end = runEndOf(ended, readEnding(version.bytes), { stop, deletion: record.deletion });
      this.#add(record, version, { container: { name, kind, containerID, restartCount }, end });
    }
  }

  /** Writes the end of a pod once. An empty status does not show the end, unless the pod is gone and no other status will follow. */
  #podEnd(record: PodRecord, version: Version, isGone: boolean): void {
    if (this.#ended.has(record)) return;
    const end = podEndIn(record) ?? (isGone ? podEndOf(readEnding(version.bytes), record) : undefined);
    if (end === undefined) return;
    this.#ended.add(record);
    this.#add(record, version, { container: undefined, end });
  }

  #add(record: PodRecord, version: Version, about: About): void {
    const { uid } = record;
    if (this.#sink.isRecorded(keyOf({ uid, ...about }))) return;
    const pod = decodeBy(POD_PLAN, version.bytes) as Pod;
    const { namespace, name } = pod.metadata;
    const podIPs = pod.status.podIPs.map(({ ip }) => ip);
    const workload = workloadIn(pod);
    this.#sink.write({ uid, namespace, name, podIPs, workload, ...about, ...this.#sink.about() });
  }
}
