import { existsSync, type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** A burst of events in a directory is one change: the kubelet makes a file, removes it, listens, renames. */
const DEBOUNCE_MS = 20;

/** Starts to watch a directory, as `node:fs` does. Tests pass their own. */
export type WatchDirectory = (
  directory: string,
  onEvent: (name: string | null) => void,
) => Pick<FSWatcher, "close" | "on">;

const watchDirectory: WatchDirectory = (directory, onEvent) =>
  watch(directory, { persistent: false }, (_, name) => onEvent(name));

/**
 * Notices changes at a socket's path: a rename into its directory, or the making of that directory, for which the nearest existing ancestor
 * is watched. Each wait looks again, so that directories may come and go.
 */
export class SocketWatch {
  readonly #paths: readonly string[];
  readonly #watch: WatchDirectory;
  readonly #onUnavailable: () => void;
  #isReported = false;

  /** @param onUnavailable is called once if directories cannot be watched here (inotify exhausted). */
  constructor(paths: readonly string[], onUnavailable: () => void, watch: WatchDirectory = watchDirectory) {
    this.#paths = paths;
    this.#onUnavailable = onUnavailable;
    this.#watch = watch;
  }

  /**
   * Resolves after the next change, or when `signal` aborts. Never rejects. If directories cannot be watched, it only waits for the signal.
   */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const watchers: Pick<FSWatcher, "close">[] = [];
      let timer: NodeJS.Timeout | undefined;
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        for (const watcher of watchers) watcher.close();
        resolve();
      };
      signal.addEventListener("abort", end, { once: true });
      for (const path of this.#paths) {
        const { directory, name } = nearest(path);
        try {
          const watcher = this.#watch(directory, (changed) => {
            // The removal of the directory itself comes under the directory's own name.
            if (changed === null || changed === name || changed === basename(directory))
              timer ??= setTimeout(end, DEBOUNCE_MS);
          });
          watcher.on("error", () => this.#unavailable());
          watchers.push(watcher);
        } catch {
          this.#unavailable();
        }
      }
      if (signal.aborted) end();
    });
  }

  #unavailable(): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#onUnavailable();
  }
}

/** Returns the nearest directory above the path that exists, and the name in it that leads to the path. */
function nearest(path: string): { directory: string; name: string } {
  let below = path;
  let directory = dirname(path);
  while (!existsSync(directory) && directory !== dirname(directory)) {
    below = directory;
    directory = dirname(directory);
  }
  return { directory, name: basename(below) };
}
