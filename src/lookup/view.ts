import type { KnownPods } from "../known/log.js";
import type { Now } from "./anchors.js";
import { PodLives } from "./pod-index.js";

/** The known pods of a node and their keys. */
export interface View {
  readonly pods: Pick<KnownPods, "records" | "hasUnreadable" | "isInDoubt">;
  readonly lives: PodLives;
  readonly now: () => Now;
  /** True if the known pods are those of the kubelet. */
  readonly isSynced: boolean;
}

/** Copies the known pods, after which no stream updates them. */
export function frozen({ pods, now }: View): View {
  const known = new Map([...pods.records()].map((record) => [record.uid, { ...record }]));
  const { hasUnreadable, isInDoubt } = pods;
  let lives: PodLives | undefined;
  return {
    pods: { records: () => known.values(), hasUnreadable, isInDoubt },
    now,
    isSynced: false,
    get lives() {
      if (lives === undefined) {
        lives = new PodLives();
        lives.begin(known.values(), now(), undefined);
      }
      return lives;
    },
  };
}
