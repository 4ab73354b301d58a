import type { KnownPods } from "../known/log.js";
import type { Now } from "./anchors.js";
import { PodIndex } from "./pod-index.js";

/** The known pods of a node and their keys. */
export interface View {
  readonly pods: Pick<KnownPods, "records" | "hasUnreadable" | "isUncertain">;
  readonly index: PodIndex;
  readonly now: () => Now;
  /** True if the known pods are those of the kubelet. */
  readonly isSynced: boolean;
}

/** Copies the known pods, after which no stream updates them. */
export function frozen({ pods, now }: View): View {
  const known = new Map([...pods.records()].map((record) => [record.uid, { ...record }]));
  const { hasUnreadable, isUncertain } = pods;
  let index: PodIndex | undefined;
  return {
    pods: { records: () => known.values(), hasUnreadable, isUncertain },
    now,
    isSynced: false,
    get index() {
      if (index === undefined) {
        index = new PodIndex();
        index.begin(known.values(), now(), undefined);
      }
      return index;
    },
  };
}
