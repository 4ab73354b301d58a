/** Callbacks of each signal. However many calls share a signal, it has only one listener of this package. */
const callbacks = new WeakMap<AbortSignal, { all: Set<() => void>; listener: () => void }>();

/**
 * Calls `callback` once when `signal` aborts. The signal must not be aborted yet. Returns a function that unregisters `callback`; unless it is
 * called, a listener stays on the signal.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let entry = callbacks.get(signal);
  if (entry === undefined) {
    const all = new Set<() => void>();
    entry = {
      all,
      listener: () => {
        for (const each of [...all]) each();
      },
    };
    callbacks.set(signal, entry);
    signal.addEventListener("abort", entry.listener, { once: true });
  }
  const { all, listener } = entry;
  const own = () => callback(); // the same function may be registered twice
  all.add(own);
  return () => {
    if (!all.delete(own) || all.size > 0) return;
    signal.removeEventListener("abort", listener);
    callbacks.delete(signal);
  };
}

/**
 * Returns a controller that also aborts when `signal` does, with the same reason. Call `release` when the work is done; otherwise a
 * listener stays on the signal.
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

/** Settles like `promise`, or rejects with the reason of `signal` as soon as that aborts. Leaves no listener. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
