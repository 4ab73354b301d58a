/** The callbacks of each user's signal. The signal itself has only one listener of ours, however many calls share it. */
const hearers = new WeakMap<AbortSignal, { all: Set<() => void>; listener: () => void }>();

/**
 * Calls `hear` once when `signal` aborts; it must not have aborted yet. The returned function takes that back, and must be called so that
 * no listener stays on the signal.
 */
export function onAbort(signal: AbortSignal, hear: () => void): () => void {
  let entry = hearers.get(signal);
  if (entry === undefined) {
    const all = new Set<() => void>();
    entry = {
      all,
      listener: () => {
        for (const each of [...all]) each();
      },
    };
    hearers.set(signal, entry);
    signal.addEventListener("abort", entry.listener, { once: true });
  }
  const { all, listener } = entry;
  const own = () => hear(); // the same function may be registered twice
  all.add(own);
  return () => {
    if (!all.delete(own) || all.size > 0) return;
    signal.removeEventListener("abort", listener);
    hearers.delete(signal);
  };
}

/**
 * Makes a controller that `signal` aborts, too, with its reason. Call `release` when the work is over, so that no listener stays on the
 * signal.
 */
export function follow(signal: AbortSignal | undefined): { controller: AbortController; release: () => void } {
  const controller = new AbortController();
  if (signal === undefined) return { controller, release: () => {} };
  if (signal.aborted) {
    controller.abort(signal.reason);
    return { controller, release: () => {} };
  }
  return { controller, release: onAbort(signal, () => controller.abort(signal.reason)) };
}

/** Resolves when `signal` aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it aborts. Leaves no listener. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
