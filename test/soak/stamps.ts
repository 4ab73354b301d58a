import type { PodJson } from "../../src/testing/index.js";
import type { Change } from "./world.js";

/** Stamps pods with the time at which a kubelet's process first saw them: a new process sees them all anew. */
export class Stamps {
  #process = 0;

  /** A new process. */
  restart(): void {
    this.#process++;
  }

  /** The pod as the present process has it. */
  pod(pod: PodJson): PodJson {
    const seen = new Date(1_700_000_000_000 + this.#process * 1_000).toISOString();
    const annotations = { ...pod.metadata?.annotations, "kubernetes.io/config.seen": seen };
    return { ...pod, metadata: { ...pod.metadata, annotations } };
  }

  /** The change with its pod so. */
  change(change: Change): Change {
    return "pod" in change ? { ...change, pod: this.pod(change.pod) } : change;
  }
}
