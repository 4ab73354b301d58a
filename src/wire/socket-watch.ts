import { existsSync, type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** A burst of events in a directory is one change: the kubelet makes a file, removes it, listens, renames. */
const DEBOUNCE_MS = 20;

/** Starts to watch a directory; `node:fs` has it, tests have their own. */
export type WatchDirectory = (
  directory: string,
  onEvent: (name: string | null) => void,
) => Pick<FSWatcher, "close" | "on">;

const watchDirectory: WatchDirectory = (directory, onEvent) =>
  watch(directory, { persistent: false }, (_, name) => onEvent(name));

/**
 * Notices that something changes where a socket is or will be: a rename into its directory, or the directory's own
 * coming, for which the nearest ancestor that exists is watched. Each wait looks anew, so that directories may come and go.
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

  /** Resolves after the next change, or when `signal` aborts; rejects never. Where watching is impossible it just waits. */
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
            // Of its own end a directory tells under its own name.
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
