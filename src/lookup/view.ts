import type { KnownPods } from "../known/log.js";
import type { Now } from "./anchors.js";
import type { PodLives } from "./pod-lives.js";

/** The known pods of a node and their keys. */
export interface View {
  readonly pods: Pick<KnownPods, "records" | "hasUnreadable" | "isInDoubt">;
  readonly lives: PodLives;
  readonly now: () => Now;
  /** True if the known pods are those of the kubelet. */
  readonly isSynced: boolean;
}
