import fs from "node:fs";
import { factsOf } from "../errors/error-code.js";
import { PodsError } from "../errors/pods-error.js";
import { resolveOptions } from "../options.js";
import { type PodMask, resolveMask } from "../pod/mask.js";
import { printable } from "../printable.js";
import type { PodSource } from "../sources/pod-source.js";
import { PodsApi } from "../sources/pods-api.js";
import { MAX_RECORDING, type RecordingLine, recordingText } from "../testing/recording.js";
import { follow } from "../timing/abort.js";
import type { Clock } from "../timing/clock.js";
import { pause } from "../timing/pause.js";
import { type Command, EXIT, textOf, UsageError, type Values } from "./command.js";
import { parseDuration } from "./duration.js";
import { withoutHint } from "./notice.js";
import { RECORDED_MASK, Recorder, secretPaths } from "./recorder.js";

const HELP = `Usage: kubelet-pods record FILE [options]

Records a kubelet until interrupted: lists, events, errors, lost connections and
restarts, with their times. kubelet-pods serve --replay FILE replays the
recording to any agent. Use it for bug reports and tests.

  --mask PATHS           fields to record (default: identity, labels, owners,
                         node, images, resources and status)
  --for DURATION         stop after this time: 30s, 5m, 2h
  --socket PATH          path of the kubelet's socket (default:
                         $KUBELET_PODS_SOCKET, or below the root directory)
  --root-dir DIRECTORY   root directory of the kubelet (default:
                         /var/lib/kubelet)
  -h, --help             print this help

Environment variables, arguments, commands and annotations are never recorded,
except the kubelet's own annotations. FILE must not exist. It ends at 256 MiB.

Exit codes: 0 after SIGINT or SIGTERM, or after the time of --for; 1 if the
kubelet refuses requests, or the file is full; 2 for wrong arguments, and if the
file cannot be created.`;

/** Interval of lists without events, and minimum interval with many events. */
const LIST_MS = 2_000;
const SPACING_MS = 250;

/** Delay before a lost stream is opened again, and time limit of a list. */
const RETRY_MS = 250;
const TIMEOUT_MS = 10_000;

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: {
    mask: { type: "string" },
    for: { type: "string" },
    socket: { type: "string" },
    "root-dir": { type: "string" },
  },
  async run(values, console, [file, ...more]) {
    if (file === undefined || more.length > 0) throw new UsageError("give one file");
    const mask = maskOf(values);
    const duration = textOf(values, "for");
    const forMs = duration === undefined ? undefined : parseDuration("for", duration);
    const { clock } = console.environment;
    const places = { socketPath: textOf(values, "socket"), rootDir: textOf(values, "root-dir") };
    const source = console.sources?.[0] ?? new PodsApi(resolveOptions(places, "record"), clock);
    const out = new RecordingFile(file, clock);
    const over = new AbortController();
    const cancel = forMs === undefined ? () => {} : clock.after(forMs, () => over.abort());
    const ended = console.ended();
    ended.addEventListener("abort", () => over.abort(), { once: true });
    if (ended.aborted) over.abort();
    const recorder = new Recorder(mask, (line) => {
      if (!out.write(line)) over.abort();
    });
    try {
      out.write({ recorded: new Date(clock.wallMs()).toISOString(), mask: mask.paths });
      const until = duration === undefined ? "until interrupted" : `for ${printable(duration, 50)}`;
      console.err(`recording ${printable(source.socketPath)} to ${printable(file, 200)} ${until}`);
      await record(source, mask, recorder, over.signal, clock);
      console.err(`${out.lines} lines, ${recorder.size} pods`);
      if (out.why === undefined) return EXIT.ok;
      console.err(`kubelet-pods record: the file ${out.why}; the recording is incomplete`);
      return EXIT.failed;
    } catch (error) {
      if (!PodsError.is(error)) throw error;
      console.err(`kubelet-pods record: ${withoutHint(error)}`);
      if (error.hint !== "") console.err(`hint: ${printable(error.hint, 500)}`);
      return EXIT.failed;
    } finally {
      cancel();
      out.close();
      await source.close();
    }
  },
};

/** @throws UsageError for a mask with fields that are never recorded. */
function maskOf(values: Values): PodMask {
  const text = textOf(values, "mask");
  if (text === undefined) return RECORDED_MASK;
  let mask: PodMask | undefined;
  try {
    mask = resolveMask(text.split(","), "record");
  } catch (error) {
    throw new UsageError(`--mask: ${PodsError.from(error).rawMessage}`);
  }
  const [secret] = mask === undefined ? [] : secretPaths(mask);
  if (secret !== undefined) throw new UsageError(`--mask: ${secret} is never recorded; select other fields`);
  return mask ?? RECORDED_MASK;
}

/** Records the kubelet until the command is ended. @throws PodsError if a retry would not help. */
async function record(
  source: PodSource,
  mask: PodMask,
  recorder: Recorder,
  ended: AbortSignal,
  clock: Clock,
): Promise<void> {
  const { controller, release } = follow(ended);
  const { signal } = controller;
  let want = () => {};
  const lists = async () => {
    while (!signal.aborted) {
      const wanted = new Promise<void>((resolve) => {
        want = resolve;
      });
      await pause(clock, LIST_MS, signal, () => wanted);
      if (signal.aborted) return;
      const pods = await source.list({ signal, timeoutMs: TIMEOUT_MS, mask }).catch(() => undefined);
      if (pods !== undefined && !signal.aborted) recorder.listed(pods);
      await pause(clock, SPACING_MS, signal);
    }
  };
  const listing = lists();
  try {
    while (!signal.aborted) {
      let server = source.server() ?? "";
      try {
        for await (const received of source.open(signal, mask)) {
          for (const event of [received].flat()) {
            if (event.type === "CONNECTED") server = event.server;
            if (recorder.take(event, server)) want();
          }
        }
      } catch (error) {
        if (signal.aborted) break;
        const why = PodsError.from(error);
        // An error at the start is final. A later one may be temporary, and becomes a part of the recording.
        if (factsOf(why.code).endsWatch === true || (!why.retryable && !recorder.hasHeard)) throw why;
        recorder.lost(why, server);
      }
      await pause(clock, RETRY_MS, signal);
    }
  } finally {
    controller.abort();
    release();
    await listing;
  }
}

/** A new file with mode 0600 and a maximum size. */
class RecordingFile {
  readonly #descriptor: number;
  readonly #clock: Clock;
  readonly #beganMs: number;
  #length = 0;
  lines = 0;
  /** Why writing has stopped. */
  why: string | undefined;

  /** @throws UsageError if the file exists already, or cannot be created. */
  constructor(path: string, clock: Clock) {
    this.#clock = clock;
    this.#beganMs = clock.now();
    try {
      this.#descriptor = fs.openSync(path, "wx", 0o600);
    } catch (error) {
      const { code = "unknown" } = error as NodeJS.ErrnoException;
      const why = code === "EEXIST" ? "already exists; pass the name of a new file" : `cannot be created (${code})`;
      throw new UsageError(`${printable(path, 200)} ${why}`);
    }
  }

  /** Writes a line. Returns false if it would exceed the maximum size. */
  write(line: object): boolean {
    const text = recordingText({ atMs: Math.round(this.#clock.now() - this.#beganMs), ...line } as RecordingLine);
    if (this.#length + text.length > MAX_RECORDING) this.why ??= "is full";
    if (this.why !== undefined) return false;
    try {
      fs.writeSync(this.#descriptor, text);
    } catch (error) {
      this.why = `cannot be written (${(error as NodeJS.ErrnoException).code})`;
      return false;
    }
    this.#length += text.length;
    this.lines++;
    return true;
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }
}
