// What is played on a node. Each scenario begins and ends with a kubelet that runs, of the version that it is given.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual, promisify } from "node:util";
import { PodsClient } from "../../src/index.js";
import { freeResources, PodResourcesClient } from "../../src/podresources/index.js";
import { Crowd } from "../helpers/crowd.js";
import { root } from "../helpers/programs.js";
import { RESYNC_MS } from "./bounds.js";
import { endInEveryWay } from "./ends.js";
import type { At } from "./journal.js";
import { recordEnds } from "./journals.js";
import type { Mode } from "./live-node.js";
import { endPods } from "./pod-ends.js";
import type { Stage } from "./stage.js";
import { compareStories, STORIES, tellByDouble, tellOnNode } from "./stories.js";
import { Truth } from "./truth.js";

export interface Scenario {
  name: string;
  mode: Mode;
  /** Whether it is played from the older kubelet alone: it changes versions by itself. */
  once?: true;
  /** Whether it takes long, and is played only where $NODE_SCENARIOS names it. */
  isLong?: true;
  /** Whether the lean form leaves it out: others show the same facts, or it takes minutes. */
  isWhole?: true;
  play(stage: Stage, version: string): Promise<void>;
}

const directory = join(root, "test/node");

/** How many agents begin on a node that has settled. */
const FRESH_AGENTS = 50;

/** When agents begin, after the start of a kubelet. */
const YOUNG_MS = [0, 1_000, 2_000, 5_000, 10_000, 20_000];
/** For how long the API server is away when a kubelet starts, and whether it is stopped or stands still. */
const AWAY: readonly Away[] = [4_000, 10_000, 45_000].map((ms) => ({ ms, how: "stop" }));
/** How soon an agent is synced once the kubelet answers, and how soon it is proved that a pod is absent on a healthy node. */
const SYNCED_MS = 1_000;
const PROVED_MS = 15_000;
/** How many agents return together, and how soon all of them are synced once the kubelet answers. */
const CROWD = 30;
const CROWDED_MS = 2_000;
const ABSENT = "00000000-0000-4000-8000-000000000000";

/** Agents and commands that begin beside a kubelet that has just started. */
async function besideYoung(stage: Stage, version: string): Promise<void> {
  for (const delayMs of YOUNG_MS) {
    await stage.stop();
    const startMs = Date.now();
    await stage.node.start(version);
    const answering = firstAnswer(stage);
    await sleep(startMs + delayMs - Date.now());
    await beginAgent(stage, answering);
    await sleep(10_000);
  }
}

/** Begins an agent, and runs commands: each has to be answered within a second of the kubelet's first answer. */
async function beginAgent(stage: Stage, answering: Promise<number>): Promise<void> {
  const fromMs = Date.now();
  await using client = new PodsClient({ socketPath: stage.node.socketPath, timeoutMs: PROVED_MS });
  const informer = client.informer();
  await informer.synced({ timeoutMs: 180_000 });
  const syncedMs = Date.now();
  const lateMs = syncedMs - Math.max(fromMs, await answering);
  stage.note(`YOUNG an agent with ${informer.size} pods was synced after ${syncedMs - fromMs} ms`);
  if (lateMs > SYNCED_MS) stage.problems.push(`an agent was synced ${lateMs} ms after the kubelet's first answer`);
  const [pod] = informer.list();
  const words =
    pod === undefined
      ? []
      : [
          ["get", pod.metadata.name],
          ["find", pod.metadata.uid],
        ];
  for (const args of [["get"], ["probe"], ["containers"], ...words]) {
    await stage.command(...args).catch(({ code, stderr }) => {
      stage.problems.push(`${args.join(" ")} exits with ${code} beside a young kubelet: ${stderr}`);
    });
  }
  const hasApiPods =
    informer.list(({ metadata }) => metadata.annotations["kubernetes.io/config.source"] === "api").length > 0;
  if (hasApiPods) await proveAbsence(stage, client);
}

interface Away {
  readonly ms: number;
  readonly how: "stop" | "freeze";
}

/** Agents of a kubelet that starts while the API server is away: what is taken as complete is, and no pod that runs is proved absent. */
async function besideUnread(stage: Stage, version: string, aways: readonly Away[]): Promise<void> {
  const { node } = stage;
  for (const { ms: awayMs, how } of aways) {
    await stage.stop();
    if (awayMs > 0) await (how === "stop" ? node.drive("apiserver", "stop") : node.drive("freeze", "apiserver"));
    const running = runningPods(stage);
    await node.start(version);
    const back = sleep(awayMs).then(() =>
      how === "stop" ? node.drive("apiserver", "start") : node.drive("thaw", "apiserver"),
    );
    const plain = new PodsClient({ socketPath: stage.node.socketPath, timeoutMs: PROVED_MS });
    const careful = new PodsClient({ socketPath: stage.node.socketPath, kubeletVersion: version });
    const informer = careful.informer({ includeFinished: true });
    const proving = proveAbsence(stage, plain, awayMs + 60_000);
    await informer.synced({ timeoutMs: 240_000 });
    const has = new Set(informer.list().map(({ metadata }) => metadata.uid));
    for (const uid of running) {
      if (!has.has(uid) && runningPods(stage).includes(uid))
        stage.problems.push(
          `with kubeletVersion ${version} SYNCED lacks ${uid}, which runs (API server away for ${awayMs} ms)`,
        );
    }
    stage.note(`UNREAD ${how} ${awayMs} ms: ${running.length} pods ran, and ${has.size} were listed`);
    await Promise.all([back, proving]);
    await Promise.all([plain.close(), careful.close()]);
    await sleep(20_000);
  }
}

/** Restarts the kubelet of thirty agents. A 1.38 kubelet counts the watches that they all open. */
async function crowded(stage: Stage, version: string): Promise<void> {
  const crowd = new Crowd(stage.node.socketPath, CROWD, CROWD);
  try {
    for (const signal of ["KILL", "TERM"] as const) {
      await stage.until("the agents are synced", () => crowd.of("synced").length >= CROWD);
      await stage.stop(signal);
      crowd.answers.length = 0;
      const answering = firstAnswer(stage);
      await stage.node.start(version);
      const backMs = await answering;
      await stage.until("the agents are synced again", () => crowd.of("synced").length >= CROWD);
      const lateMs = Math.max(...crowd.of("synced").map(({ atMs }) => atMs)) - backMs;
      const refused = crowd.of("rate-limited").length;
      stage.note(
        `CROWD ${CROWD} agents after ${signal}: synced ${lateMs} ms after the first answer, ${refused} refused`,
      );
      if (lateMs > CROWDED_MS) stage.problems.push(`${CROWD} agents were synced ${lateMs} ms after the first answer`);
      const dropped = crowd.of("dropped").filter(({ atMs }) => atMs > backMs);
      if (dropped.length > 0) stage.problems.push(`${dropped.length} refusals were reported as dropped`);
    }
  } finally {
    crowd.close();
  }
}

/** Runs the conformance checks of the command. A failed check is in its output. */
async function conform(stage: Stage): Promise<void> {
  const output = await stage.command("conformance").catch(({ stdout, stderr }) => {
    stage.problems.push(`conformance: ${stdout}${stderr}`);
  });
  stage.note(`CONFORMANCE ${output?.trim().split("\n").at(-1)}`);
}

/** Resolves with the time of the kubelet's first answer. */
function firstAnswer(stage: Stage): Promise<number> {
  return stage.until("the kubelet answers", async () => {
    await stage.raw.list();
    return Date.now();
  });
}

/** Asks for a proof of absence: of no pod, which has to come in time, and of all that run, of which none may be. */
async function proveAbsence(stage: Stage, client: PodsClient, timeoutMs = PROVED_MS): Promise<void> {
  const running = runningPods(stage);
  const informer = client.informer();
  try {
    const absent = await informer.confirmAbsent([ABSENT, ...running], { timeoutMs });
    if (!absent.includes(ABSENT)) stage.problems.push("a pod that never was is not proved absent");
    const wrong = absent.filter((uid) => uid !== ABSENT && runningPods(stage).includes(uid));
    if (wrong.length > 0) stage.problems.push(`proved absent, and running: ${wrong.join(" ")}`);
  } catch (error) {
    stage.problems.push(`no absence is proved within ${timeoutMs} ms: ${error}`);
  }
}

/** The UIDs of pods whose containers run, by the runtime, and that exist. */
function runningPods(stage: Stage): string[] {
  const truth = new Truth(stage.journal.lines);
  const nowMs = Date.now();
  return [...truth.pods.keys()].filter((uid) => truth.running(uid, nowMs).some(({ kind }) => kind === "container"));
}

/** Reads a file of objects and fills in its `__NAME__`s. */
function objects(stage: Stage, file: string, values: Record<string, string> = {}): string {
  const { sharedDir, nodeName } = stage.node.facts;
  const all: Record<string, string> = { SHARED: sharedDir, NODE: nodeName, ...values };
  return readFileSync(join(directory, file), "utf8").replace(
    /__([A-Z]+)__/g,
    (whole, key: string) => all[key] ?? whole,
  );
}

/** Makes what the scenarios change, and the first one of each mode makes in any case. */
export async function furnish(stage: Stage): Promise<void> {
  await putManifests(stage);
  if (stage.node.mode === "cluster") await stage.node.apply(objects(stage, "work/kinds.yaml"));
  await sleep(20_000);
}

async function putManifests(stage: Stage): Promise<void> {
  for (const file of readdirSync(join(directory, "manifests"))) {
    await stage.node.putManifest(file.replace(".yaml", ""), objects(stage, `manifests/${file}`));
  }
}

let rounds = 0;

/** Makes pods that something is about to happen to, and resolves when they run. */
async function pods(stage: Stage): Promise<string> {
  const name = `r${++rounds}`;
  await stage.node.apply(objects(stage, "work/churn.yaml", { NAME: name }));
  await stage.until("the pods run", async () => {
    const running = await stage.node.kubectl(
      "-n",
      "shop",
      "get",
      "pods",
      "-l",
      `round=${name}`,
      "--field-selector=status.phase=Running",
      "-o",
      "name",
    );
    return running.trim().split("\n").length >= 3;
  });
  return name;
}

/** Deletes, deletes by force, relabels, scales, and edits, removes and puts back manifests. */
async function churn(stage: Stage, name: string): Promise<void> {
  const { node } = stage;
  stage.note(`churn ${name}`);
  await node.kubectl("-n", "shop", "delete", "pod", "--wait=false", `${name}-victim`);
  await node.kubectl("-n", "shop", "delete", "pod", "--force", "--grace-period=0", `${name}-forced`);
  await node.kubectl("-n", "shop", "label", "pod", "--overwrite", `${name}-relabel`, "judge=two", "new=label");
  await node.kubectl("-n", "shop", "scale", "deployment", "web", `--replicas=${1 + (rounds % 3)}`);
  await node.kubectl("-n", "shop", "delete", "pod", "--wait=false", "--ignore-not-found", "db-0");
  await node.apply(objects(stage, "work/churn.yaml", { NAME: `${name}x` }));
  await node.putManifest(
    "static-net",
    objects(stage, "manifests/static-net.yaml").replace(
      "args: [sleep]",
      `args: [sleep], env: [{ name: ROUND, value: "${name}" }]`,
    ),
  );
  await node.removeManifest("static-slow");
}

async function tidy(stage: Stage, name: string): Promise<void> {
  const { node } = stage;
  await node.putManifest("static-slow", objects(stage, "manifests/static-slow.yaml"));
  for (const round of [name, `${name}x`]) {
    await node.kubectl("-n", "shop", "delete", "pod,job", "--wait=false", "-l", `round=${round}`);
  }
  await sleep(15_000);
}

/** Churns while the kubelet is away or stands still, and lets it come back. */
async function churnDuring(stage: Stage, away: () => Promise<void>, back: () => Promise<unknown>): Promise<void> {
  const name = await pods(stage);
  await away();
  await churn(stage, name);
  await sleep(8_000);
  await back();
  await sleep(20_000);
  await tidy(stage, name);
}

/** Kills a container of the Deployment web and its shim: nobody is left who knows how it ended. */
function killWithShim(stage: Stage): void {
  const containers = [...new Truth(stage.journal.lines).containers.values()];
  const web = containers.findLast(
    ({ name, startMs, exitMs }) => name === "web" && startMs !== undefined && exitMs === undefined,
  );
  const pid = web?.pid ?? 0;
  try {
    // Another PID namespace has other numbers, as kind's nodes do.
    if (web === undefined || !readFileSync(`/proc/${pid}/cgroup`, "utf8").includes(web.id)) throw new Error("not here");
    const [, shim] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    for (const each of [Number(shim), pid]) process.kill(each, "SIGKILL");
    stage.note(`killed ${web.pod} ${web.id} and its shim`);
  } catch (error) {
    stage.note(`killed no shim: ${error}`);
  }
}

/** Plays something while no other node of this machine plays such a thing: memory is the machine's. */
function alone(play: Scenario["play"]): Scenario["play"] {
  return async (stage, version) => {
    const lock = join(tmpdir(), "kubelet-pods-node.lock");
    const holder = spawn("flock", [lock, "sh", "-c", "echo held; exec cat"], { stdio: ["pipe", "pipe", "inherit"] });
    await once(holder.stdout, "data");
    try {
      await play(stage, version);
    } finally {
      holder.stdin.end();
    }
  };
}

/** How many resyncs pods are deleted around, how many each time, and how far apart: more than the span in which a resync begins. */
const RESYNCS = 4;
const DELETED_EACH_TIME = 30;
const DELETED_EVERY_MS = 450;

/** Deletes pods, each other one by force, from before the informer's next resync can begin until after it has ended. */
async function deleteAroundResyncs(stage: Stage): Promise<void> {
  const resyncs = () => stage.agent.informer.state.counters.resyncs;
  for (let i = 0; i < RESYNCS; i++) {
    const name = `r${++rounds}-resync`;
    await applyMany(stage, name, DELETED_EACH_TIME);
    await stage.until("the pods run", async () => (await runningOf(stage, name)) === DELETED_EACH_TIME);
    const before = resyncs();
    await stage.until("a resync", () => resyncs() > before);
    await sleep(RESYNC_MS * 0.8 - 1_500); // it is looked for each half second
    for (let k = 0; k < DELETED_EACH_TIME; k++) {
      const force = k % 2 === 0 ? ["--force", "--grace-period=0"] : [];
      const nextMs = Date.now() + DELETED_EVERY_MS;
      await stage.node.kubectl("-n", "shop", "delete", "pod", "--wait=false", ...force, `${name}-${k}`);
      await sleep(Math.max(0, nextMs - Date.now()));
    }
    const count = resyncs() - before - 1;
    stage.note(`RESYNC ${count} while ${DELETED_EACH_TIME} pods were deleted`);
    if (count <= 0) stage.problems.push("no resync came while pods were deleted");
  }
}

const cluster: Scenario[] = [
  {
    name: "Deployments, Jobs, DaemonSets, StatefulSets, static pods, probes, init, sidecar and ephemeral containers",
    mode: "cluster",
    async play(stage) {
      const { node } = stage;
      await putManifests(stage);
      await node.apply(objects(stage, "work/kinds.yaml"));
      await sleep(45_000);
      const web = (await node.kubectl("-n", "shop", "get", "pods", "-l", "app=web", "-o", "name")).split("\n")[0] ?? "";
      await node.kubectl(
        "-n",
        "shop",
        "debug",
        "-q",
        web,
        "--image=localhost/tool:1",
        "--image-pull-policy=IfNotPresent",
        "--profile=general",
        "-c",
        `debug${++rounds}`,
        "--",
        "/tool",
        "exit",
        "9",
        "3",
      );
      for (const file of ["web.unready", "static-web.unready"]) writeFileSync(join(node.facts.sharedDir, file), "");
      await sleep(8_000);
      for (const file of ["web.unready", "static-web.unready"]) rmSync(join(node.facts.sharedDir, file));
      await sleep(8_000);
    },
  },
  {
    name: "new agents on a settled node receive SYNCED at once",
    mode: "cluster",
    async play(stage) {
      await sleep(35_000); // a kubelet is young for thirty seconds
      const late: number[] = [];
      for (let i = 0; i < FRESH_AGENTS; i++) {
        const fromMs = Date.now();
        const client = new PodsClient({ socketPath: stage.node.socketPath });
        await client.informer().synced({ timeoutMs: 30_000 });
        if (Date.now() - fromMs > 2_000) late.push(Date.now() - fromMs);
        await client.close();
      }
      stage.note(`FRESH ${FRESH_AGENTS - late.length} of ${FRESH_AGENTS} agents were told SYNCED at once`);
      if (late.length > 0) stage.problems.push(`SYNCED was withheld from ${late.length} fresh agents, for ${late} ms`);
    },
  },
  { name: "new agents start right after the kubelet", mode: "cluster", play: besideYoung },
  { name: "thirty agents are synced soon after a restart of the kubelet", mode: "cluster", play: crowded },
  { name: "conformance finds nothing", mode: "cluster", play: conform },
  {
    name: "new agents and the kubelet start while the API server is away",
    mode: "cluster",
    isWhole: true,
    play: (stage, version) => besideUnread(stage, version, AWAY),
  },
  {
    name: "the kubelet's HTTP server agrees with the runtime and the API server",
    mode: "cluster",
    isWhole: true,
    async play(stage) {
      const { node } = stage;
      const { http, enter } = node.facts;
      if (http === undefined || enter === undefined) return stage.note("HTTP: nobody knows how to reach it");
      await sleep(12_000); // a container is measured each ten seconds
      const raw = async (path: string) =>
        node.kubectl("get", "--raw", `/api/v1/nodes/${node.facts.nodeName}/proxy${path}`);
      const live = [...new Truth(stage.journal.lines).containers.values()].filter(
        ({ kind, startMs, exitMs, uid }) =>
          kind === "container" && startMs !== undefined && exitMs === undefined && uid,
      );
      const logOf = (pod: string, container: string) => {
        const [namespace = "", name = ""] = pod.split("/");
        return node.kubectl("logs", "-n", namespace, name, "-c", container, "--tail=5", "--timestamps");
      };
      let of = live[0];
      for (const each of live) {
        of = each;
        if ((await logOf(each.pod, each.name)) !== "") break;
      }
      if (of === undefined) throw new Error("nothing runs");
      const [namespace = "", name = ""] = of.pod.split("/");
      const args = [join(directory, "http-agent.mjs"), JSON.stringify(http), namespace, name, of.name];
      const [program = "", ...rest] = [...enter, process.execPath, ...args];
      const told = JSON.parse((await promisify(execFile)(program, rest, { maxBuffer: 1 << 26 })).stdout);
      const { kubeletconfig } = JSON.parse(await raw("/configz"));
      const same = (what: string, ours: unknown, theirs: unknown) => {
        if (!isDeepStrictEqual(ours, theirs))
          stage.problems.push(
            `HTTP: ${what}: ${JSON.stringify(ours)}, and it is ${JSON.stringify(theirs)}`.slice(0, 600),
          );
      };
      const uids = [...new Set(live.map(({ uid }) => uid))].sort();
      const known = new Truth(stage.journal.lines).pods;
      const all = (what: string, told: readonly string[]) => {
        same(
          `${what} lacks`,
          uids.filter((uid) => !told.includes(uid)),
          [],
        );
        same(
          `${what} has of nobody`,
          told.filter((uid) => !known.has(uid)),
          [],
        );
      };
      same("the configuration", told.config, kubeletconfig);
      all(
        "what runs",
        told.running.map(({ uid }: { uid: string }) => uid),
      );
      all(
        "who is measured",
        told.measured.map(([uid]: [string]) => uid),
      );
      const cgroup = told.cgroup.replace(/^\/sys\/fs\/cgroup\/(?:memory|cpu,cpuacct|cpu|pids)?/, "");
      same(
        "whether the pods' cgroup is above a container's",
        readFileSync(`/proc/${of.pid}/cgroup`, "utf8").includes(`${cgroup}/`),
        true,
      );
      same(
        "who uses no memory",
        told.measured.filter(([, bytes]: [string, number]) => !(bytes > 0)),
        [],
      );
      const log = await logOf(of.pod, of.name);
      same("whether anything logs", log !== "", true);
      same("a log", told.log, log);
      same("the rest", [told.healthy, told.nodeName, told.missing], [true, node.facts.nodeName, "not-found"]);
      same(
        "which metrics are empty",
        Object.entries(told.metrics).filter(([, bytes]) => bytes === 0),
        [],
      );
      stage.note(`HTTP: ${uids.length} pods run and are measured, and all is as the API server has it`);
    },
  },
  {
    name: "static managers assign CPUs and memory, and freeResources() agrees with their state",
    mode: "cluster",
    isWhole: true,
    async play(stage, version) {
      const { node } = stage;
      if (node.facts.enter === undefined) return stage.note("MANAGERS: the driver has none");
      await stage.stop();
      await stage.start(version, "managers=static");
      for (const name of ["cpu", "memory"])
        await stage.until(`the ${name} manager has a state`, () =>
          existsSync(join(node.facts.rootDir, `${name}_manager_state`)),
        );
      const state = (name: string) =>
        JSON.parse(readFileSync(join(node.facts.rootDir, `${name}_manager_state`), "utf8"));
      const resources = new PodResourcesClient({ rootDir: node.facts.rootDir });
      try {
        const look = async (what: string, lastly?: object) => {
          const allocatable = await resources.getAllocatableResources();
          const free = freeResources(allocatable, await resources.list());
          const shared = cpusOf(state("cpu").defaultCpuSet).filter((cpu) => allocatable.cpuIds.includes(cpu));
          const table = state("memory").machineState["0"].memoryMap;
          const given = Object.fromEntries(free.memory.map(({ type, sizeBytes }) => [type, sizeBytes]));
          const left = Object.entries<{ free: number; allocatable: number }>(table).filter(([, each]) => each.free > 0);
          const told = [free.cpus.flatMap(({ cpuIds }) => cpuIds), given];
          // The memory manager takes back what a pod had when the next one is admitted: its state is behind until then.
          const memory = lastly ?? Object.fromEntries(left.map(([type, each]) => [type, each.free]));
          const truth = [shared, memory];
          if (!isDeepStrictEqual(told, truth))
            stage.problems.push(`MANAGERS ${what}: ${JSON.stringify(told)}, and it is ${JSON.stringify(truth)}`);
          stage.note(`MANAGERS ${what}: ${JSON.stringify(told)}`);
          return { shared: shared.length, given };
        };
        const before = await look("before");
        await node.apply(objects(stage, "work/pinned.yaml"));
        await stage.until("it is given", async () =>
          (await resources.list()).some(
            ({ name, containers }) => name === "pinned" && containers.some(({ cpuIds }) => cpuIds.length === 1),
          ),
        );
        const after = await look("with a pod");
        if (after.shared !== before.shared - 1)
          stage.problems.push(
            `MANAGERS: ${before.shared} CPUs were shared before, and ${after.shared} with a pod that has one`,
          );
        const sharedCpus = () => cpusOf(state("cpu").defaultCpuSet).length;
        const sharedBeside = sharedCpus();
        await node.kubectl("-n", "shop", "delete", "pod", "pinned", "--grace-period=1");
        // The CPU manager looks each ten seconds whether a pod has gone.
        await stage.until("its CPU is taken back", () => sharedCpus() > sharedBeside);
        await look("without it", before.given);
      } finally {
        await resources.close();
        await stage.stop();
        await stage.start(version);
        await sleep(35_000); // a kubelet is young for thirty seconds: what it lists proves nothing to a command
      }
    },
  },
  {
    name: "the kubelet sends the same events as the reference kubelet",
    mode: "cluster",
    isWhole: true,
    async play(stage, version) {
      const profile =
        (["1.36", "1.37", "1.38"] as const).find((release) => version.startsWith(`${release}.`)) ?? "1.38";
      for (const [i, story] of STORIES.entries()) {
        const told = await tellOnNode(stage, story, `story-${profile.replace(".", "")}-${i}`);
        const expected = await tellByDouble(story, profile);
        stage.note(`STORY ${story.name}: ${told.join(", ")} | ${expected.join(", ")}`);
        stage.problems.push(
          ...compareStories(told, expected, story.instead).map((problem) => `${story.name}: ${problem}`),
        );
      }
    },
  },
  {
    name: "containers crash, run out of memory, exceed limits and cannot pull images",
    mode: "cluster",
    async play(stage) {
      const name = `r${++rounds}`;
      await stage.node.apply(objects(stage, "work/failing.yaml", { NAME: name }));
      await sleep(70_000);
      await stage.node.kubectl("-n", "shop", "delete", "pod", "--wait=false", "-l", `round=${name}`);
      await sleep(15_000);
    },
  },
  {
    name: "a pod is preempted by one with a higher priority",
    mode: "cluster",
    isWhole: true,
    async play(stage) {
      const values = { NAME: `r${++rounds}`, MOST: `${availableParallelism() * 1000 - 700}m` };
      await stage.node.apply(objects(stage, "work/preemption.yaml", values));
      const runs = (pod: string) => async () =>
        (await stage.node.kubectl("-n", "shop", "get", "pod", pod, "-o", "jsonpath={.status.phase}")) === "Running";
      await stage.until("the first runs", runs(`${values.NAME}-cheap`));
      await stage.node.apply(objects(stage, "work/urgent.yaml", values));
      await stage.until("the second runs", runs(`${values.NAME}-urgent`));
      await stage.node.kubectl("-n", "shop", "delete", "pod", "--wait=false", "-l", `round=${values.NAME}`);
      await sleep(8_000);
    },
  },
  {
    name: "pods start, finish, are relabelled and deleted, and manifests change",
    mode: "cluster",
    play: (stage) =>
      churnDuring(
        stage,
        async () => {},
        async () => {},
      ),
  },
  {
    name: "pods are deleted around each resync",
    mode: "cluster",
    play: deleteAroundResyncs,
  },
  {
    name: "the kubelet is stopped while pods change",
    mode: "cluster",
    play: (stage, version) =>
      churnDuring(
        stage,
        () => stage.stop("TERM"),
        () => stage.start(version),
      ),
  },
  {
    name: "the kubelet is killed while pods change",
    mode: "cluster",
    play: (stage, version) =>
      churnDuring(
        stage,
        () => stage.stop("KILL"),
        () => stage.start(version),
      ),
  },
  {
    name: "the kubelet is frozen while pods change",
    mode: "cluster",
    play: (stage) =>
      churnDuring(
        stage,
        async () => void (await stage.node.drive("freeze")),
        () => stage.node.drive("thaw"),
      ),
  },
  {
    name: "the feature gate is turned off and on while pods change",
    mode: "cluster",
    play: (stage, version) =>
      churnDuring(
        stage,
        async () => {
          await stage.stop();
          await stage.node.start(version, "gate=off");
          await sleep(5_000);
        },
        async () => {
          await stage.stop();
          await stage.start(version);
        },
      ),
  },
  {
    name: "a container ends while the container runtime restarts",
    mode: "cluster",
    async play(stage) {
      for (const signal of ["TERM", "KILL"] as const) {
        await stage.node.drive("containerd", "stop", signal);
        if (signal === "KILL") killWithShim(stage);
        await sleep(3_000);
        await stage.node.drive("containerd", "start");
        await sleep(25_000);
      }
    },
  },
  {
    name: "a restarted kubelet rejects a running pod",
    mode: "cluster",
    async play(stage, version) {
      const { node } = stage;
      const name = `r${++rounds}-unfit`;
      const label = (value: string) =>
        node.kubectl("label", "node", node.facts.nodeName, "--overwrite", `node.test/fits=${value}`);
      await label("yes");
      const spec = `{ nodeSelector: { node.test/fits: "yes" }, containers: [{ name: main, image: "localhost/tool:1", args: [slow, "2"] }] }`;
      const manifest = (name: string) =>
        `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: shop }\nspec: ${spec}\n`;
      // A static pod's status is the kubelet's own, and a new process has none.
      await node.putManifest("static-unfit", manifest("static-unfit"));
      await node.apply(manifest(name));
      for (const each of [name, `static-unfit-${node.facts.nodeName}`]) {
        const runs = (line: At) =>
          line.who === "raw" && "pod" in line && line.pod.name === `shop/${each}` && line.pod.states === "R0";
        await stage.until("it runs", () => stage.journal.lines.some(runs));
      }
      await stage.stop("KILL");
      await label("no");
      await stage.start(version);
      await sleep(20_000);
      await node.removeManifest("static-unfit");
      await node.kubectl("-n", "shop", "delete", "pod", "--wait=false", name);
      await sleep(5_000);
    },
  },
  {
    name: "the kubelet restarts while the API server is away",
    mode: "cluster",
    async play(stage, version) {
      await stage.node.drive("apiserver", "stop");
      await sleep(10_000);
      await stage.stop("KILL");
      stage.note("start without API server");
      await stage.node.start(version);
      await sleep(90_000);
      stage.note("API server back");
      await stage.node.drive("apiserver", "start");
      await stage.until("the kubelet answers", () => stage.raw.list());
      await sleep(20_000);
    },
  },
  {
    name: "the node is drained",
    mode: "cluster",
    isWhole: true,
    async play(stage) {
      const { node } = stage;
      const name = await pods(stage);
      // A drain waits for each pod to go, and this one would stay.
      await node.kubectl(
        "-n",
        "shop",
        "patch",
        "pod",
        "sidecar",
        "--type=merge",
        "-p",
        '{"metadata":{"finalizers":null}}',
      );
      try {
        await node.kubectl(
          "drain",
          node.facts.nodeName,
          "--force",
          "--ignore-daemonsets",
          "--delete-emptydir-data",
          "--timeout=90s",
        );
        await sleep(5_000);
      } finally {
        await node.kubectl("uncordon", node.facts.nodeName);
      }
      await sleep(20_000);
      await tidy(stage, name);
      // What nobody makes again.
      await node.apply(objects(stage, "work/kinds.yaml"));
      await sleep(20_000);
    },
  },
  {
    name: "pods are evicted, preempted, drained, tainted, deleted, past deadline or out of memory",
    mode: "cluster",
    isWhole: true,
    play: alone(async (stage, version) => {
      await endInEveryWay(stage, version, `r${++rounds}`);
      await stage.node.apply(objects(stage, "work/kinds.yaml"));
      await sleep(20_000);
    }),
  },
  {
    name: "pods end in every way: own policies and rules, static pods, restarts of all containers",
    mode: "cluster",
    play: alone(async (stage, version) => endPods(stage, version, `r${++rounds}`)),
  },
  {
    name: "the kubelet evicts a pod under memory pressure",
    mode: "cluster",
    isWhole: true,
    play: alone(async (stage, version) => {
      const name = `r${++rounds}`;
      const { node } = JSON.parse(await stage.node.drive("stats")) as { node: { memory: { availableBytes: number } } };
      const wantedMiB = Math.floor(node.memory.availableBytes / 2 ** 20) - 1_500;
      await stage.stop();
      await stage.start(version, `eviction=${wantedMiB}Mi`);
      await stage.node.apply(objects(stage, "work/hungry.yaml", { NAME: name }));
      // Its container ends with 0, and so it is Failed, with the reason, for a moment only: what is sent is looked at.
      const isFailed = (line: At) =>
        line.who === "raw" && "pod" in line && line.pod.name === `shop/${name}-hungry` && line.pod.phase === "Failed";
      await stage.until("it is evicted", () => stage.journal.lines.some(isFailed));
      await sleep(5_000);
      await stage.stop();
      await stage.start(version);
      await stage.node.kubectl("-n", "shop", "delete", "pod", "--wait=false", "-l", `round=${name}`);
      await sleep(30_000);
      await stage.node.apply(objects(stage, "work/kinds.yaml"));
      await sleep(15_000);
    }),
  },
];

/** Starts so many pods of one name and a number, and does not wait for them. */
async function applyMany(stage: Stage, name: string, count: number): Promise<void> {
  const pod = (i: number) =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}-${i}, namespace: shop, labels: { round: "${name}" } }\n` +
    `spec: { terminationGracePeriodSeconds: 2, containers: [{ name: main, image: "localhost/tool:1", args: [sleep] }] }\n`;
  await stage.node.apply(Array.from({ length: count }, (_, i) => pod(i)).join("---\n"));
}

/** How many of these pods run, by the API server. */
async function runningOf(stage: Stage, name: string): Promise<number> {
  const running = ["-n", "shop", "get", "pods", "-l", `round=${name}`, "--field-selector=status.phase=Running"];
  return (await stage.node.kubectl(...running, "-o", "name")).trim().split("\n").length;
}

/** Asks about the times of the last 15 seconds each time a StatefulSet's pod has been made anew with the address of the one before. */
async function handOver(stage: Stage): Promise<void> {
  const { node } = stage;
  await using client = new PodsClient({ socketPath: node.socketPath });
  const informer = client.informer({ retainMs: 120_000 });
  await informer.synced();
  const present = () => {
    const pod = informer.get({ namespace: "shop", name: "db-0" });
    return pod?.status.podIP === "" || pod?.metadata.deletionTimestamp !== undefined ? undefined : pod;
  };
  const named = { before: 0, next: 0, nobody: 0, early: 0 };
  for (let round = 0; round < 20; round++) {
    const before = await stage.until("db-0 has an address", present);
    const ip = before.status.podIP;
    await node.kubectl("-n", "shop", "delete", "pod", "--wait=false", "db-0");
    // host-local gives the address after the one that it gave last.
    const last = ip.replace(/\d+$/, (number) => String(Number(number) - 1));
    writeFileSync(join(node.facts.leasesDir ?? "", "last_reserved_ip.0"), last);
    const isAnother = () => (present()?.metadata.uid === before.metadata.uid ? undefined : present());
    const next = await stage.until("db-0 has an address again", isAnother);
    if (next.status.podIP !== ip) stage.problems.push(`db-0 got ${next.status.podIP} and not ${ip}: nothing is shown`);
    const seenMs = Date.parse(next.metadata.annotations["kubernetes.io/config.seen"] ?? "");
    const nowMs = Date.now();
    for (let at = nowMs - 15_000; at <= nowMs; at += 100) {
      const { pod } = informer.find({ ip }, { at });
      if (pod === undefined) named.nobody++;
      else if (pod.metadata.uid === before.metadata.uid) named.before++;
      else named.next++;
      if (pod?.metadata.uid !== next.metadata.uid || at >= seenMs) continue;
      named.early++;
      stage.problems.push(`${ip} is said to be of the next db-0 ${seenMs - at} ms before the kubelet saw it`);
    }
    await sleep(10_000);
  }
  stage.note(`HANDOVER ${JSON.stringify(named)}`);
}

async function deleteMany(stage: Stage, name: string): Promise<void> {
  await stage.node.kubectl("-n", "shop", "delete", "pod", "--wait=false", "-l", `round=${name}`);
  await stage.until("they are gone", async () => {
    const left = await stage.node.kubectl("-n", "shop", "get", "pods", "-l", `round=${name}`, "-o", "name");
    return left.trim() === "";
  });
}

const long: Scenario[] = [
  {
    name: "long: the container runtime is killed while fifteen pods start, ten times",
    mode: "cluster",
    isLong: true,
    async play(stage) {
      for (let i = 0; i < 10; i++) {
        const name = `r${++rounds}-many`;
        await applyMany(stage, name, 15);
        await sleep(300 * i);
        await stage.node.drive("containerd", "stop", "KILL");
        await sleep(1_500);
        await stage.node.drive("containerd", "start");
        await sleep(20_000);
        await deleteMany(stage, name);
      }
      await sleep(30_000);
    },
  },
  {
    name: "long: the node reboots and loses processes, sandboxes, cgroups and the runtime's state",
    mode: "cluster",
    isLong: true,
    async play(stage, version) {
      for (let i = 0; i < 2; i++) {
        const name = await pods(stage);
        await stage.stop("KILL");
        await stage.node.drive("reboot");
        stage.note("the node has rebooted");
        await sleep(3_000);
        await stage.start(version);
        await sleep(60_000);
        await tidy(stage, name);
      }
      await sleep(15_000);
    },
  },
  {
    name: "long: the kubelet starts ten times with eighty pods and a fast or frozen API server",
    mode: "cluster",
    isLong: true,
    async play(stage, version) {
      const name = `r${++rounds}-crowd`;
      await applyMany(stage, name, 80);
      await stage.until("most run", async () => (await runningOf(stage, name)) >= 75, 300_000);
      const aways = [0, 0, 4_000, 0, 10_000, 4_000, 45_000, 10_000, 0, 45_000];
      await besideUnread(
        stage,
        version,
        aways.map((ms) => ({ ms, how: "freeze" })),
      );
      await deleteMany(stage, name);
      await sleep(30_000);
    },
  },
  {
    name: "long: a StatefulSet's pod is recreated with the same address, twenty times",
    mode: "cluster",
    isLong: true,
    play: handOver,
  },
  {
    name: "long: the first API pod appears after ten minutes",
    mode: "cluster",
    isLong: true,
    async play(stage, version) {
      const { node } = stage;
      await node.kubectl(
        "-n",
        "shop",
        "delete",
        "deployment,daemonset,statefulset,job,cronjob,pod",
        "--all",
        "--wait=false",
      );
      await sleep(60_000);
      await stage.stop();
      await stage.start(version);
      await sleep(600_000);
      await beginAgent(stage, firstAnswer(stage));
      await applyMany(stage, `r${++rounds}-first`, 1);
      const agents = Array.from({ length: 20 }, async (_, i) => {
        await sleep(i * 500);
        await beginAgent(stage, firstAnswer(stage));
      });
      await Promise.all(agents);
      await node.apply(objects(stage, "work/kinds.yaml"));
      await sleep(30_000);
    },
  },
  {
    name: "long: ninety pods are created and deleted at once, three times",
    mode: "cluster",
    isLong: true,
    async play(stage) {
      for (let i = 0; i < 3; i++) {
        const name = `r${++rounds}-crowd`;
        await applyMany(stage, name, 90); // with the others as many as a kubelet takes
        await stage.until("most run", async () => (await runningOf(stage, name)) >= 80);
        await sleep(10_000);
        await deleteMany(stage, name);
        await sleep(15_000);
      }
      await sleep(60_000);
    },
  },
  {
    name: "long: churn under both releases in turn, sometimes without the API server",
    mode: "cluster",
    once: true,
    isLong: true,
    async play(stage) {
      const { versions } = stage.node.facts;
      const minutes = Number(process.env["NODE_MINUTES"] ?? 60);
      const endMs = Date.now() + minutes * 60_000;
      const lists = () => stage.agent.informer.state.counters.resyncs;
      const before = lists();
      for (let i = 0; Date.now() < endMs; i++) {
        const to = versions[i % versions.length] ?? "";
        const name = await pods(stage);
        await churn(stage, name);
        await sleep(5_000);
        if (i % 3 === 2) await stage.node.drive("apiserver", "stop");
        await stage.stop(i % 2 === 0 ? "KILL" : "TERM");
        if (i % 3 === 2) {
          stage.note("start without API server");
          await stage.node.start(to);
          await sleep(45_000);
          stage.note("API server back");
          await stage.node.drive("apiserver", "start");
          await stage.until("the kubelet answers", () => stage.raw.list());
        } else await stage.start(to);
        await sleep(25_000);
        await tidy(stage, name);
      }
      stage.note(`LISTS ${lists() - before} asked for in ${minutes} minutes`);
      await sleep(60_000);
    },
  },
];

/** The older kubelet is upgraded and comes back, with pods that change while neither runs. */
function versions(
  mode: Mode,
  during: (stage: Stage, begin: (version: string) => Promise<void>) => Promise<void>,
): Scenario {
  return {
    name:
      mode === "cluster"
        ? "the kubelet is upgraded, rolled back, and upgraded again"
        : "a standalone kubelet is upgraded and rolled back",
    mode,
    once: true,
    isWhole: true,
    play: (stage) =>
      during(stage, async (version) => {
        await stage.start(version);
        await sleep(25_000);
      }),
  };
}

cluster.push({
  name: "the journal of agents that are killed has all 300 ends",
  mode: "cluster",
  isWhole: true,
  play: (stage) => recordEnds(stage, `r${++rounds}-journal`),
});

cluster.push(
  versions("cluster", async (stage, begin) => {
    const [newer = "", older = newer] = stage.node.facts.versions;
    for (const [to, signal] of [
      [newer, "TERM"],
      [older, "KILL"],
      [newer, "KILL"],
      [older, "TERM"],
    ] as const) {
      const name = await pods(stage);
      await stage.stop(signal);
      await churn(stage, name);
      await begin(to);
      await tidy(stage, name);
    }
  }),
);

/** Edits, removes and puts back manifests of a kubelet that has no API server. */
async function editManifests(stage: Stage): Promise<void> {
  const edited = `args: [sleep], env: [{ name: ROUND, value: "${++rounds}" }]`;
  await stage.node.putManifest(
    "static-net",
    objects(stage, "manifests/static-net.yaml").replace("args: [sleep]", edited),
  );
  await stage.node.removeManifest("static-slow");
  await stage.node.removeManifest("static-once");
  await sleep(8_000);
}

async function putBack(stage: Stage): Promise<void> {
  await sleep(15_000);
  await putManifests(stage);
  await sleep(25_000);
}

const standalone: Scenario[] = [
  {
    name: "static pods alone: start, crash, finish and change with their manifests",
    mode: "standalone",
    async play(stage) {
      await putManifests(stage);
      await sleep(30_000);
      await editManifests(stage);
      await putBack(stage);
    },
  },
  { name: "new agents start right after a standalone kubelet", mode: "standalone", play: besideYoung },
  {
    name: "new agents start beside a kubelet without pods",
    mode: "standalone",
    async play(stage, version) {
      const manifests = readdirSync(join(directory, "manifests")).map((file) => file.replace(".yaml", ""));
      for (const name of manifests) await stage.node.removeManifest(name);
      await stage.until("it has no pods", async () => (await stage.raw.list()).size === 0, 180_000);
      await besideYoung(stage, version);
      await putManifests(stage);
      await sleep(30_000);
    },
  },
  ...(["TERM", "KILL"] as const).map(
    (signal): Scenario => ({
      name: `a standalone kubelet is ${signal === "TERM" ? "stopped" : "killed"} while manifests change`,
      mode: "standalone",
      async play(stage, version) {
        await stage.stop(signal);
        await editManifests(stage);
        await stage.start(version);
        await putBack(stage);
      },
    }),
  ),
  {
    name: "a standalone kubelet is frozen while manifests change",
    mode: "standalone",
    isWhole: true,
    async play(stage) {
      await stage.node.drive("freeze");
      await editManifests(stage);
      await stage.node.drive("thaw");
      await putBack(stage);
    },
  },
  versions("standalone", async (stage, begin) => {
    const [newer = "", older = newer] = stage.node.facts.versions;
    await stage.stop();
    await begin(newer);
    await editManifests(stage);
    await stage.stop("KILL");
    await begin(older);
    await putBack(stage);
  }),
];

export const SCENARIOS: readonly Scenario[] = [...standalone, ...cluster, ...long];

/** Reads CPUs as the kubelet's state has them: `0-3,8`. */
function cpusOf(set: string): number[] {
  return set.split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return part === "" ? [] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
