import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { PodsError } from "../errors/pods-error.js";
import { parseLogPath } from "../identity/log-path.js";
import { fixedTime, type LogLine, LogTail } from "../logs/log-tail.js";
import { podMask } from "../pod/mask.js";
import { printable } from "../printable.js";
import { pause } from "../timing/pause.js";
import { type Command, type Console, EXIT, numberOf, textOf, UsageError, type Values } from "./command.js";
import { parseDuration } from "./duration.js";
import { isOtherKind } from "./instead.js";
import { clientOf, NODE_OPTIONS } from "./node.js";
import { plainText } from "./text.js";

const HELP = `Usage: kubelet-pods logs POD [options]

Shows what a container of this node wrote, by the files below /var/log/pods:
with rotated and compressed ones, while the kubelet or the API server is away,
and of pods that the API server has forgotten. Control characters are escaped.

  -n, --namespace NAME  the pod's namespace, where several have such a pod
  -c, --container NAME  which container; without it the one that kubectl takes,
                        as the kubelet says, or the only one
  -f, --follow          go on, also with the next life when the container has
                        restarted, until the pod has ended
  -p, --previous        the life before the last one
  --tail N              the last N lines alone, at most 100000
  --since DURATION      what is not older: 30s, 5m, 2h
  --timestamps          the time before each line
  --log-root DIRECTORY  the kubelet's podLogsDir; without it /var/log/pods
  --socket PATH         the kubelet's socket, which is asked where there are
                        several containers, and with -f
  --timeout DURATION    how long to wait for it; without it 2s
  --standalone          there is no API server: a list without its pods is all
  -h, --help

Exit codes: 0, 1 where there is no such log, 2 for options that it does not
take.`;

/** The time between two looks at a followed file. */
const LOOK_MS = 250;

/** The most lines that --tail keeps. */
const MAX_TAIL = 100_000;

/** The annotation that names kubectl's default container. */
const DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

const MASK = podMask("metadata.uid", "metadata.annotations", "spec.containers.name");

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: {
    ...NODE_OPTIONS,
    namespace: { type: "string", short: "n" },
    container: { type: "string", short: "c" },
    follow: { type: "boolean", short: "f" },
    previous: { type: "boolean", short: "p" },
    tail: { type: "string" },
    since: { type: "string" },
    timestamps: { type: "boolean" },
    "log-root": { type: "string" },
  },
  async run(values, console, words) {
    const [pod, container = textOf(values, "container"), ...more] = words;
    if (pod === undefined || more.length > 0) throw new UsageError("one pod is expected");
    if (values["follow"] === true && values["previous"] === true)
      throw new UsageError("-f and -p: a life that has ended is followed by nobody");
    const since = textOf(values, "since");
    const asked: Asked = {
      root: textOf(values, "log-root") ?? "/var/log/pods",
      tail: numberOf(values, "tail", { max: MAX_TAIL }),
      sinceMs: since === undefined ? undefined : console.environment.clock.wallMs() - parseDuration("since", since),
      hasTimes: values["timestamps"] === true,
    };
    const refuse = (words: string) => {
      console.err(`kubelet-pods logs: ${words}`);
      return EXIT.failed;
    };
    const found = await directoryOf(pod, textOf(values, "namespace"), asked.root);
    if (typeof found === "string") return refuse(found);
    await using kubelet = new Kubelet(values, console);
    const names = await namesIn(found.path);
    const name = container ?? (await kubelet.containerOf(found.uid, names));
    if (name === undefined) return refuse(`which container? -c ${names.join(", ")}`);
    if (!names.includes(name)) {
      return refuse(`there is no log of ${printable(name, 253)}; there are ${names.join(", ") || "none"}`);
    }
    const path = join(found.path, name);
    const lives = await livesIn(path);
    const life = values["previous"] === true ? lives.at(-2) : lives.at(-1);
    if (life === undefined) {
      return refuse(`there is no log of ${values["previous"] === true ? "a life before the last one of " : ""}${name}`);
    }
    const printer = new Printer(console, asked);
    if (values["follow"] !== true) await printer.rest(new LogTail(lifePath(path, life), { fromOldest: true }));
    else await follow(path, life, printer, console, kubelet.ended(found.uid));
    printer.end();
    return EXIT.ok;
  },
};

interface Asked {
  readonly root: string;
  readonly tail: number | undefined;
  /** Lines before this time of day are not shown. */
  readonly sinceMs: number | undefined;
  readonly hasTimes: boolean;
}

/** The directory of a pod's logs. */
interface PodDirectory {
  readonly path: string;
  readonly uid: string;
}

const lifePath = (path: string, life: number): string => join(path, `${life}.log`);

/** Returns the log directory of a pod, or why there is none. If several pods had the name, it is the directory that was written last. */
async function directoryOf(word: string, given: string | undefined, root: string): Promise<PodDirectory | string> {
  const [, ofWord, name = ""] = /^(?:(?:pods?|po)\/)?(?:([^/]+)\/)?([^/]+)$/.exec(word) ?? [];
  const shown = printable(word, 300);
  if (isOtherKind(word)) return `${shown} is no pod; a kubelet has pods alone, instead: kubectl logs`;
  let files: string[];
  try {
    files = await readdir(root);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `${printable(root, 300)} cannot be read (${code}); --log-root names the kubelet's podLogsDir`;
  }
  const namespace = ofWord ?? given;
  const all = files.flatMap((file) => {
    const key = parseLogPath(file);
    const isMeant = key?.uid !== undefined && (key.name === name || key.uid === name);
    return isMeant && (namespace === undefined || key.namespace === namespace)
      ? [{ ...key, path: join(root, file) }]
      : [];
  });
  const namespaces = [...new Set(all.map((key) => key.namespace))];
  if (namespaces.length > 1) return `${shown} is in several namespaces: -n ${namespaces.sort().join(", ")}`;
  const dated = await Promise.all(all.map(async (key) => ({ ...key, ms: await writtenMs(key.path) })));
  const last = dated.sort((a, b) => a.ms - b.ms).at(-1);
  return last === undefined
    ? `there is no log of a pod ${shown} below ${printable(root, 300)}`
    : { path: last.path, uid: last.uid ?? "" };
}

/** Returns when a log of a pod was last written. */
async function writtenMs(path: string): Promise<number> {
  const times = (await namesIn(path)).map(async (name) => {
    const lives = await livesIn(join(path, name));
    const of = await stat(lifePath(join(path, name), lives.at(-1) ?? 0)).catch(() => undefined);
    return of?.mtimeMs ?? 0;
  });
  return Math.max(0, ...(await Promise.all(times)));
}

async function namesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => printable(name, 253))
    .sort();
}

/** Returns the restart counts of the lives that have files, in order. */
async function livesIn(path: string): Promise<number[]> {
  const files = await readdir(path).catch(() => []);
  const counts = files.flatMap((file) => /^(\d{1,9})\.log$/.exec(file)?.[1] ?? []);
  return counts.map(Number).sort((a, b) => a - b);
}

/** The kubelet, which may be away. */
class Kubelet implements AsyncDisposable {
  readonly #client: ReturnType<typeof clientOf> | undefined;
  readonly #timeoutMs: number;

  constructor(values: Values, console: Console) {
    const timeout = textOf(values, "timeout");
    this.#timeoutMs = timeout === undefined ? 2_000 : parseDuration("timeout", timeout);
    try {
      this.#client = clientOf(values, console, this.#timeoutMs);
    } catch (error) {
      if (!PodsError.is(error) || error.code === "invalid-path") throw error;
    }
  }

  /** Returns the container if none is named: the only one, or kubectl's default. */
  async containerOf(uid: string, names: readonly string[]): Promise<string | undefined> {
    if (names.length < 2) return names[0];
    const pod = await this.#client?.getPod(uid, { mask: MASK }).catch(() => undefined);
    return pod?.metadata.annotations[DEFAULT_CONTAINER] ?? pod?.spec.containers[0]?.name;
  }

  /** Returns a function that returns true if the kubelet has told the end of the pod. */
  ended(uid: string): () => boolean {
    const informer = this.#client?.informer({ mask: ["metadata.uid"] });
    let isOver = false;
    const listen = async () => {
      for await (const event of informer ?? []) {
        if (event.type === "DELETED") isOver ||= event.pod.metadata.uid === uid;
        // All pods that have not ended have been listed.
        if (event.type !== "SYNCED" || informer?.get({ uid }) !== undefined) continue;
        isOver ||= !event.unreadable.has(uid);
      }
    };
    listen().catch(() => {}); // then only the files show it
    return () => isOver;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.close();
  }
}

/** Writes lines as the options ask for. */
class Printer {
  readonly #console: Console;
  readonly #asked: Asked;
  readonly #last: string[] = [];
  #isFollowing = false;

  constructor(console: Console, asked: Asked) {
    this.#console = console;
    this.#asked = asked;
  }

  /** Writes all existing lines, also an incomplete last one, and closes the file. */
  async rest(tail: LogTail): Promise<void> {
    try {
      for (let lines = await tail.read(); lines.length > 0; lines = await tail.read()) this.lines(lines);
      this.lines(tail.flush());
    } finally {
      await tail.close();
    }
  }

  lines(lines: readonly LogLine[]): void {
    const { sinceMs, hasTimes, tail } = this.#asked;
    for (const { time, text } of lines) {
      if (sinceMs !== undefined && Date.parse(time) < sinceMs) continue;
      const line = plainText(hasTimes ? `${fixedTime(time)} ${text}` : text);
      if (this.#isFollowing || tail === undefined) this.#console.out(line);
      else {
        this.#last.push(line);
        if (this.#last.length > 2 * tail) this.#last.splice(0, this.#last.length - tail);
      }
    }
  }

  /** Writes the last lines, and from then on each line as it comes. */
  end(): void {
    const { tail = 0 } = this.#asked;
    for (const line of this.#last.splice(0).slice(tail === 0 ? Number.POSITIVE_INFINITY : -tail))
      this.#console.out(line);
    this.#isFollowing = true;
  }
}

/** Writes existing and new lines, life after life, until the pod has ended, its directory is gone, or the process is asked to end. */
async function follow(
  path: string,
  life: number,
  printer: Printer,
  console: Console,
  isOver: () => boolean,
): Promise<void> {
  const signal = console.ended();
  let tail = new LogTail(lifePath(path, life), { fromOldest: true });
  try {
    while (!signal.aborted) {
      const [wasOver, next] = [isOver(), (await livesIn(path)).find((each) => each > life)];
      for (let lines = await tail.read(); lines.length > 0; lines = await tail.read()) printer.lines(lines);
      printer.end();
      const isGone = next === undefined && (wasOver || (await stat(path).catch(() => undefined)) === undefined);
      if (next === undefined && !isGone) {
        await pause(console.environment.clock, LOOK_MS, signal);
        continue;
      }
      await printer.rest(tail);
      if (next === undefined) return;
      life = next;
      tail = new LogTail(lifePath(path, life), { fromOldest: true });
    }
  } finally {
    await tail.close();
  }
}
