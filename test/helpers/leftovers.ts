/** How many entries there are, in sets and maps. */
interface Growth {
  /** By how much all sets and maps that something was added to have grown. */
  readonly entries: number;
  /** By how many the timers have grown that keep the process alive. */
  readonly timers: number;
}

/** Nothing has grown. */
export const NOTHING_LEFT: Growth = { entries: 0, timers: 0 };

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

/**
 * Returns what an operation leaves behind, also in private fields: whatever is added to any set or map while it runs is counted. It runs once
 * before, so that what is made at first use is there.
 */
export async function leftBy(run: () => unknown): Promise<Growth> {
  await run();
  const sizes: [collection: Set<unknown> | Map<unknown, unknown>, before: number][] = [];
  const seen = new WeakSet();
  const { add } = Set.prototype;
  const { set } = Map.prototype;
  const note = (collection: Set<unknown> | Map<unknown, unknown>) => {
    if (seen.has(collection)) return;
    seen.add(collection);
    sizes.push([collection, collection.size]);
  };
  const before = timers();
  Set.prototype.add = function (value) {
    note(this);
    return add.call(this, value);
  };
  Map.prototype.set = function (key, value) {
    note(this);
    return set.call(this, key, value);
  };
  try {
    await run();
  } finally {
    Set.prototype.add = add;
    Map.prototype.set = set;
  }
  const entries = sizes.reduce((sum, [{ size }, was]) => sum + Math.max(0, size - was), 0);
  return { entries, timers: timers() - before };
}
