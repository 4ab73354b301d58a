import fs from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import type { PodJson } from "../pod/json-types.js";
import { printable } from "../printable.js";
import { churn } from "../testing/churn.js";
import { parsePods } from "../testing/pod-files.js";
import { type KubeletProfile, PROFILES } from "../testing/profile.js";
import { seededRandom } from "../testing/random.js";
import { ReferenceKubelet } from "../testing/reference-kubelet.js";
import { sampleNode } from "../testing/sample-node.js";
import { DEFAULT_ROOT_DIR } from "../wire/socket-path.js";
import { type Command, EXIT, numberOf, textOf, UsageError } from "./command.js";

const HELP = `Usage: kubelet-pods serve [options]

Serves the Pods API on a Unix socket from a file of pods, as a kubelet does,
until it is ended.

  --pods FILE        pods as kubectl writes them, JSON or, with the package
                     yaml, YAML; - for standard input; without it a small
                     sample node
  --profile NAME     the kubelet to play: 1.37 (without it), 1.36, v1beta1
                     or v1 (1.37 by later names), or documented
  --socket PATH      where to listen; without it in a new directory (0700) below
                     the temporary one
  --churn RATE       make so many believable changes per second: pods start,
                     end, restart, come
  --seed NUMBER      which changes those are, the same for the same number; 1
                     without it
  --initializing S   begin with S seconds in which the pod sources are not read
  --allow-unknown    leave out keys of pods that are not known here
  --force            listen below ${DEFAULT_ROOT_DIR} too, and where somebody
                     listens already
  -h, --help

Exit codes: 0 after SIGINT or SIGTERM, 1 where it cannot listen or a pod cannot
be served, 2 for options that it does not take and files that cannot be read.`;

/** How often changes are made, in milliseconds: those that are due by then, at once. */
const TICK_MS = 10;

export const command: Command = {
  help: HELP,
  options: {
    pods: { type: "string" },
    profile: { type: "string" },
    socket: { type: "string" },
    churn: { type: "string" },
    seed: { type: "string" },
    initializing: { type: "string" },
    "allow-unknown": { type: "boolean" },
    force: { type: "boolean" },
  },
  async run(values, console) {
    const profile = textOf(values, "profile") ?? "1.37";
    if (!Object.hasOwn(PROFILES, profile)) {
      throw new UsageError(`--profile: not one of ${Object.keys(PROFILES).join(", ")}`);
    }
    const rate = numberOf(values, "churn", { max: 10_000 }) ?? 0;
    const seed = numberOf(values, "seed") ?? 1;
    const initializing = numberOf(values, "initializing", { max: 86_400 }) ?? 0;
    const force = values["force"] === true;
    const socket = textOf(values, "socket");
    const socketPath = socket === undefined ? undefined : await placeOf(socket);
    if (socketPath !== undefined && !force && (await isKubeletsOwn(socketPath))) {
      throw new UsageError(`--socket: ${DEFAULT_ROOT_DIR} is the kubelet's own directory; --force writes there`);
    }
    const file = textOf(values, "pods");
    const pods = file === undefined ? sampleNode() : await podsIn(file);
    const ended = console.ended();
    await using kubelet = await ReferenceKubelet.start({
      profile: profile as KubeletProfile,
      pods,
      socketPath,
      force,
      initializing: initializing > 0,
      allowUnknownKeys: values["allow-unknown"] === true,
    });
    const many = `${pods.length} pod${pods.length === 1 ? "" : "s"}`;
    const changes = rate > 0 ? `, ${rate} ${rate === 1 ? "change" : "changes"} per second` : "";
    const reads = initializing > 0 ? `, which reads its sources for ${initializing} s` : "";
    console.out(`a kubelet (${profile}) with ${many}${changes}${reads}`);
    console.out(`export KUBELET_PODS_SOCKET=${shellQuoted(kubelet.socketPath)}`);
    await serveUntilEnded(kubelet, { rate, seed, initializing }, ended);
    return EXIT.ok;
  },
};

async function serveUntilEnded(
  kubelet: ReferenceKubelet,
  { rate, seed, initializing }: { rate: number; seed: number; initializing: number },
  signal: AbortSignal,
): Promise<void> {
  const timers: NodeJS.Timeout[] = [];
  if (initializing > 0) timers.push(setTimeout(() => kubelet.setInitializing(false), initializing * 1000));
  if (rate > 0) {
    const random = seededRandom(seed);
    const startMs = performance.now();
    let made = 0;
    const tick = () => {
      const due = Math.floor(((performance.now() - startMs) / 1000) * rate);
      for (const end = Math.min(due, made + rate); made < end; made++) churn(kubelet, random);
      made = due; // what a machine that slept has missed is not made up for
    };
    timers.push(setInterval(tick, TICK_MS));
  }
  await new Promise<void>((ended) => {
    if (signal.aborted) ended();
    signal.addEventListener("abort", () => ended(), { once: true });
  });
  for (const timer of timers) clearTimeout(timer);
}

/**
 * Returns the path without links and dots, as the kernel would go: what is checked is then what is used. Directories that are not
 * there yet are taken as they are.
 */
async function placeOf(path: string): Promise<string> {
  const file = basename(path);
  if (printable(path, path.length) !== path) throw new UsageError("--socket: a path with control characters");
  if (file === "" || file === "." || file === "..") throw new UsageError("--socket: not the path of a file");
  const rest: string[] = [];
  for (
    let directory = isAbsolute(path) ? dirname(path) : `${process.cwd()}/${dirname(path)}`;
    ;
    directory = dirname(directory)
  ) {
    const real = await realpath(directory);
    if (real !== undefined) return join(real, ...rest, file);
    if (basename(directory) === "..") throw new UsageError("--socket: .. in a directory that is not there");
    rest.unshift(basename(directory));
  }
}

/** Returns whether the place is below the kubelet's directory, wherever that really is. */
async function isKubeletsOwn(place: string): Promise<boolean> {
  const roots = [DEFAULT_ROOT_DIR, await realpath(DEFAULT_ROOT_DIR)];
  return roots.some((root) => root !== undefined && place.startsWith(`${root}/`));
}

/** Resolves a path as the kernel does, and not textually; undefined where there is nothing. */
async function realpath(path: string): Promise<string | undefined> {
  return promisify(fs.realpath.native)(path).catch(() => undefined);
}

async function podsIn(file: string): Promise<PodJson[]> {
  const content = await textIn(file);
  try {
    return await parsePods(content);
  } catch (error) {
    throw new UsageError(`--pods: ${error instanceof Error ? error.message : error}`);
  }
}

async function textIn(file: string): Promise<string> {
  try {
    if (file === "-") return await text(process.stdin);
    return await fs.promises.readFile(file, "utf8");
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new UsageError(`--pods: ${printable(file, 200)} cannot be read (${code})`);
  }
}

function shellQuoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
