import { existsSync, type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { type Clock, systemClock } from "../timing/clock.js";

/** Events in a directory within this time are one change: the kubelet creates a file, removes it, listens, and renames. */
const DEBOUNCE_MS = 20;

/** Watches a directory, like `watch` of `node:fs`. Tests pass their own function. */
export type WatchDirectory = (
  directory: string,
  onEvent: (name: string | null) => void,
) => Pick<FSWatcher, "close" | "on">;

const watchDirectory: WatchDirectory = (directory, onEvent) =>
  watch(directory, { persistent: false }, (_, name) => onEvent(name));

/**
 * Notices changes at socket paths: a rename into the directory, or the creation of the directory, for which it watches the nearest existing
 * ancestor. Each wait searches for that ancestor again, because directories come and go.
 */
export class SocketWatch {
  readonly #paths: readonly string[];
  readonly #watch: WatchDirectory;
  readonly #onUnavailable: () => void;
  readonly #clock: Clock;
  #isReported = false;

  /** @param onUnavailable called once if directories cannot be watched (inotify exhausted). */
  constructor(
    paths: readonly string[],
    onUnavailable: () => void,
    clock: Clock = systemClock,
    watch: WatchDirectory = watchDirectory,
  ) {
    this.#paths = paths;
    this.#onUnavailable = onUnavailable;
    this.#clock = clock;
    this.#watch = watch;
  }

  /**
   * Resolves after the next change, or when `signal` aborts. Never rejects. If directories cannot be watched, it resolves only when the
   * signal aborts.
   */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const watchers: Pick<FSWatcher, "close">[] = [];
      let cancelTimer: (() => void) | undefined;
      const end = () => {
        cancelTimer?.();
        signal.removeEventListener("abort", end);
        for (const watcher of watchers) watcher.close();
        resolve();
      };
      signal.addEventListener("abort", end, { once: true });
      for (const path of this.#paths) {
        const { directory, name } = nearest(path);
        try {
          const watcher = this.#watch(directory, (changed) => {
            // The event for the removal of the directory itself has the name of the directory.
            if (changed === null || changed === name || changed === basename(directory))
              cancelTimer ??= this.#clock.after(DEBOUNCE_MS, end);
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

/** Returns the nearest existing directory above the path, and the name of its entry that leads to the path. */
function nearest(path: string): { directory: string; name: string } {
  let below = path;
  let directory = dirname(path);
  while (!existsSync(directory) && directory !== dirname(directory)) {
    below = directory;
    directory = dirname(directory);
  }
  return { directory, name: basename(below) };
}
