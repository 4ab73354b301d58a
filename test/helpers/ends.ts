import type { NewEnd } from "../../src/journal/journal.js";

const A = "2c4d8b1e-0000-4000-8000-00000000000a";

/** An end of a container, as a feed gives it. */
export function endOf(n: number, more: Partial<NewEnd["record"]> = {}): NewEnd {
  const end = {
    reason: "exited",
    exitCode: n,
    signal: undefined,
    resource: undefined,
    startedAt: undefined,
    finishedAt: new Date(n),
    reported: undefined,
  } as const;
  const container = { name: "app", kind: "regular", containerID: `c${n}`, restartCount: n } as const;
  const record = {
    uid: A,
    namespace: "shop",
    name: "web",
    workload: undefined,
    container,
    cause: "exited",
    end,
    learnedAt: new Date(1e12 + n),
    ...more,
  } as const;
  return { record, atMs: n, afterMs: n, pod: undefined, cgroups: [] };
}
