import fs from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { PodsError } from "../errors/pods-error.js";
import type { PodJson } from "../pod/json-types.js";
import { toKubernetesJson } from "../pod/to-json.js";
import { printable } from "../printable.js";
import { churn } from "../testing/churn.js";
import { parsePods } from "../testing/pod-files.js";
import { type KubeletProfile, PROFILES } from "../testing/profile.js";
import { seededRandom } from "../testing/random.js";
import { MAX_RECORDING, parseRecording, type RecordingLine } from "../testing/recording.js";
import { ReferenceKubelet } from "../testing/reference-kubelet.js";
import { Replay } from "../testing/replay.js";
import { sampleNode } from "../testing/sample-node.js";
import type { Clock } from "../timing/clock.js";
import { pause } from "../timing/pause.js";
import { DEFAULT_ROOT_DIR } from "../wire/socket-path.js";
import { type Command, type Console, EXIT, numberOf, textOf, UsageError, type Values } from "./command.js";
import { giveDevices } from "./serve-devices.js";
import { isKubeletsOwn, placeOf } from "./serve-place.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods serve [options]

Starts a fake kubelet that serves the Pods API on a Unix socket until
interrupted.

  --pods FILE        pods in JSON or YAML, as kubectl prints them; - for
                     standard input (default: 16 sample pods)
  --state FILE       read the pods from this file if it exists, and write them
                     to it at the end
  --replay FILE      replay a recording of kubelet-pods record; can be combined
                     only with --socket, --speed and --force
  --speed NUMBER     speed of the replay (default: 1)
  --profile NAME     API to serve: 1.37 (default), 1.38 (as of its beta), 1.36,
                     documented, or v1beta1 and v1 (1.37 with later names)
  --socket PATH      path to listen on (default: in a new directory, mode 0700,
                     below the temporary directory)
  --churn RATE       make this many realistic changes per second: pods start,
                     restart, end and are created
  --seed NUMBER      seed of these changes (default: 1)
  --pod-resources    serve podresources, too, with the devices that containers
                     request
  --initializing S   refuse calls for the first S seconds, as a kubelet that
                     starts
  --allow-unknown    ignore unknown keys of pods
  --force            allow a path below ${DEFAULT_ROOT_DIR}, and replace a
                     listener at the path
  -h, --help         print this help

Exit codes: 0 after SIGINT or SIGTERM, 1 if it cannot listen or a pod cannot be
served, 2 for wrong arguments and files that cannot be read.`;

/** Interval at which due changes are made, in milliseconds. */
const TICK_MS = 10;

export const command: Command = {
  help: HELP,
  options: {
    pods: { type: "string" },
    replay: { type: "string" },
    speed: { type: "string" },
    profile: { type: "string" },
    socket: { type: "string" },
    churn: { type: "string" },
    seed: { type: "string" },
    initializing: { type: "string" },
    state: { type: "string" },
    "pod-resources": { type: "boolean" },
    "allow-unknown": { type: "boolean" },
    force: { type: "boolean" },
  },
  async run(values, console) {
    const profile = textOf(values, "profile") ?? "1.37";
    if (!Object.hasOwn(PROFILES, profile)) {
      throw new UsageError(`--profile must be one of ${Object.keys(PROFILES).join(", ")}`);
    }
    const rate = numberOf(values, "churn", { max: 10_000 }) ?? 0;
    const seed = numberOf(values, "seed") ?? 1;
    const initializing = numberOf(values, "initializing", { max: 86_400 }) ?? 0;
    const force = values["force"] === true;
    const socket = textOf(values, "socket");
    const socketPath = socket === undefined ? undefined : await placeOf(socket);
    if (socketPath !== undefined && !force && (await isKubeletsOwn(socketPath))) {
      throw new UsageError(`--socket: ${DEFAULT_ROOT_DIR} is the kubelet's directory; use --force to listen there`);
    }
    if (values["replay"] !== undefined) return replayed(values, socketPath, console);
    if (values["speed"] !== undefined) throw new UsageError("--speed needs --replay");
    const state = stateOf(values);
    const pods = await podsOf(values);
    const ended = console.ended();
    const { clock } = console.environment;
    const started = {
      profile: profile as KubeletProfile,
      pods,
      socketPath,
      force,
      initializing: initializing > 0,
      allowUnknownKeys: values["allow-unknown"] === true,
      podResources: values["pod-resources"] === true,
    };
    await using kubelet = await ReferenceKubelet.start(started, clock);
    const kind = values["pods"] === undefined && state === undefined ? "sample " : "";
    const many = `${pods.length} ${kind}${pods.length === 1 ? "pod" : "pods"}`;
    const changes = rate > 0 ? `, ${rate} ${rate === 1 ? "change" : "changes"}/s` : "";
    const devices = values["pod-resources"] === true ? deviceText(giveDevices(kubelet)) : "";
    const reads = initializing > 0 ? `, initializing for ${initializing} s` : "";
    console.out(`fake kubelet ${profile}: ${many}${changes}${devices}${reads}`);
    const { podResourcesSocketPath } = kubelet;
    const environment = {
      KUBELET_PODS_SOCKET: kubelet.socketPath,
      ...(podResourcesSocketPath !== undefined && { KUBELET_PODRESOURCES_SOCKET: podResourcesSocketPath }),
    };
    for (const [name, value] of Object.entries(environment)) console.out(`export ${name}=${shellQuoted(value)}`);
    console.err("try it in another terminal: run the export above, then npx kubelet-pods get -w");
    await serveUntilEnded(kubelet, { rate, seed, initializing, clock }, ended);
    if (state !== undefined) {
      const items = kubelet.pods.map((pod) => toKubernetesJson(pod));
      writeState(state, items);
    }
    return EXIT.ok;
  },
};

/** Replays a recording until the command is ended. */
async function replayed(values: Values, socketPath: string | undefined, console: Console): Promise<number> {
  const other = Object.keys(values).find((name) => !["replay", "socket", "speed", "force"].includes(name));
  if (other !== undefined) throw new UsageError(`--${other} cannot be combined with --replay`);
  const file = textOf(values, "replay") ?? "";
  const speed = numberOf(values, "speed", { min: 0.001, max: 10_000 });
  let lines: RecordingLine[];
  if (file !== "-" && (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_RECORDING)
    throw new UsageError(`--replay: ${printable(file, 200)} is too large for a recording`);
  const content = await textIn("--replay", file);
  try {
    lines = parseRecording(content);
  } catch (error) {
    throw new UsageError(`--replay: ${PodsError.from(error).rawMessage}`);
  }
  const ended = console.ended();
  const options = { socketPath, speed, force: values["force"] === true };
  await using replay = await Replay.start(lines, options, console.environment.clock);
  console.out(`replaying a recording of ${lines.length} line${lines.length === 1 ? "" : "s"}`);
  console.out(`export KUBELET_PODS_SOCKET=${shellQuoted(replay.socketPath)}`);
  // A recording may end without a kubelet that listens.
  const alive = pause(console.environment.clock, Number.POSITIVE_INFINITY, ended);
  await Promise.race([
    replay.finished.then(() => console.err("end of the recording; the kubelet keeps answering with the last state")),
    alive,
  ]);
  await alive;
  return EXIT.ok;
}

const deviceText = (count: number) => `, ${count} device${count === 1 ? "" : "s"} assigned`;

/** Returns the first pods: from the state file if it exists, otherwise from --pods, otherwise the sample. */
async function podsOf(values: Values): Promise<PodJson[]> {
  const [file, state] = [textOf(values, "pods"), textOf(values, "state")];
  if (state !== undefined && fs.existsSync(state)) return podsIn("--state", state);
  return file === undefined ? sampleNode() : podsIn("--pods", file);
}

/** Writes the pods for the next run, atomically. */
function writeState(file: string, items: readonly PodJson[]): void {
  const aside = `${file}.${process.pid}`;
  try {
    // Another user may have created a link there, which must not be followed.
    fs.rmSync(aside, { force: true });
    fs.writeFileSync(aside, jsonText({ apiVersion: "v1", kind: "List", items }), { mode: 0o600, flag: "wx" });
    fs.renameSync(aside, file);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    throw unwritable(file, error);
  }
}

/** Returns the file for the pods at the end. It is checked before the server starts. @throws UsageError. */
function stateOf(values: Values): string | undefined {
  const given = textOf(values, "state");
  if (given === undefined) return undefined;
  if (given === "") throw new UsageError("--state must be the path of a file");
  try {
    const file = fs.existsSync(given) ? fs.realpathSync(given) : given;
    fs.accessSync(dirname(file), fs.constants.W_OK);
    if (fs.existsSync(file) && !fs.statSync(file).isFile()) throw Object.assign(new Error(), { code: "no file" });
    return file;
  } catch (error) {
    throw unwritable(given, error);
  }
}

function unwritable(file: string, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException;
  return new UsageError(`--state: ${printable(file, 200)} cannot be written (${code})`);
}

interface Played {
  /** Changes per second. */
  rate: number;
  seed: number;
  /** Time until the pod sources are read, in seconds. */
  initializing: number;
  clock: Clock;
}

async function serveUntilEnded(kubelet: ReferenceKubelet, played: Played, signal: AbortSignal): Promise<void> {
  const { rate, initializing, clock } = played;
  const begin = () => kubelet.setInitializing(false);
  const cancelBegin = initializing > 0 ? clock.after(initializing * 1000, begin) : () => {};
  const cancelChurn = rate > 0 ? churnAt(rate, kubelet, seededRandom(played.seed), clock) : () => {};
  await new Promise<void>((ended) => {
    if (signal.aborted) ended();
    signal.addEventListener("abort", () => ended(), { once: true });
  });
  cancelBegin();
  cancelChurn();
}

/** Makes this many changes per second, until the returned function is called. */
function churnAt(rate: number, kubelet: ReferenceKubelet, random: () => number, clock: Clock): () => void {
  const startMs = clock.now();
  let made = 0;
  const tick = () => {
    const due = Math.floor(((clock.now() - startMs) / 1000) * rate);
    for (const end = Math.min(due, made + rate); made < end; made++) churn(kubelet, random);
    made = due; // skips the changes that were due while the machine was suspended
    cancel = clock.after(TICK_MS, tick);
  };
  let cancel = clock.after(TICK_MS, tick);
  return () => cancel();
}

async function podsIn(option: string, file: string): Promise<PodJson[]> {
  const content = await textIn(option, file);
  if (content.trim() === "") {
    const where = file === "-" ? "standard input is empty" : `${printable(file, 200)} is empty`;
    throw new UsageError(`${option}: ${where}`);
  }
  try {
    return await parsePods(content);
  } catch (error) {
    throw new UsageError(`${option}: ${error instanceof Error ? error.message : error}`);
  }
}

async function textIn(option: string, file: string): Promise<string> {
  try {
    if (file === "-") return await text(process.stdin);
    return await fs.promises.readFile(file, "utf8");
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new UsageError(`${option}: ${printable(file, 200)} cannot be read (${code})`);
  }
}

function shellQuoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
