/** The listener of each signal of a user: one, however many calls share the signal. */
const followers = new WeakMap<AbortSignal, { controllers: Set<AbortController>; listener: () => void }>();

/**
 * Makes a controller that `signal` aborts too, with its reason. `release` must be called when the call is over: then the
 * signal is left as it was found, without a listener.
 */
export function follow(signal: AbortSignal | undefined): { controller: AbortController; release: () => void } {
  const controller = new AbortController();
  if (signal === undefined) return { controller, release: () => {} };
  if (signal.aborted) {
    controller.abort(signal.reason);
    return { controller, release: () => {} };
  }
  let entry = followers.get(signal);
  if (entry === undefined) {
    const controllers = new Set<AbortController>();
    entry = {
      controllers,
      listener: () => {
        for (const follower of [...controllers]) follower.abort(signal.reason);
      },
    };
    followers.set(signal, entry);
    signal.addEventListener("abort", entry.listener, { once: true });
  }
  const { controllers, listener } = entry;
  controllers.add(controller);
  return {
    controller,
    release: () => {
      if (!controllers.delete(controller) || controllers.size > 0) return;
      signal.removeEventListener("abort", listener);
      followers.delete(signal);
    },
  };
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it aborts. Leaves no listener. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
