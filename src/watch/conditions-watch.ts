import type { PodOf } from "../pod/masked-pod.js";
import { type ConditionsPaths, conditionsOf, type PodConditions } from "../pod/pod-conditions.js";
import { ListWatch } from "./list-watch.js";
import type { PodWatch } from "./pod-watch.js";

/** How pods stand, out of a watch of them: the whole list whenever it is another. */
export function watchConditions(
  watch: PodWatch<PodOf<ConditionsPaths>>,
): ListWatch<PodOf<ConditionsPaths>, readonly PodConditions[]> {
  const pods = new Map<string, PodConditions>();
  return new ListWatch<PodOf<ConditionsPaths>, readonly PodConditions[]>(
    watch,
    ({ type, pod }) => {
      const conditions = conditionsOf(pod);
      const { uid } = conditions;
      if (type === "DELETED") return pods.delete(uid);
      // Annotations, which are read to tell static pods, may have changed alone.
      const before = pods.get(uid);
      pods.set(uid, conditions);
      return before === undefined || JSON.stringify(before) !== JSON.stringify(conditions);
    },
    () => [...pods.values()],
  );
}
