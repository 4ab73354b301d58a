// Pods that end in every way that can be had on a node, with programs that end well, fail, and ignore SIGTERM, and some of which have lost a
// child to the OOM killer before. What is to be reported follows from what is done to them, not from what the kubelet says.

import { setTimeout as sleep } from "node:timers/promises";
import { type ContainerEvent, type End, PodsClient } from "../../src/index.js";
import type { Stage } from "./stage.js";

/** What is done to a pod. */
type Cause =
  | "memory"
  | "ephemeral storage"
  | "emptyDir"
  | "preempted by the kubelet"
  | "preempted by the scheduler"
  | "evicted by the API"
  | "tainted"
  | "deleted"
  | "deadline"
  | "itself";

interface EndCase {
  readonly cause: Cause;
  /** The program in words, and its arguments; by container where there are several. */
  readonly program: string;
  readonly spec: object;
  /** What is to be reported of each container, as `reason exit code`, with what the OOM killer did. */
  readonly expected: Readonly<Record<string, string>>;
}

const IMAGE = "localhost/tool:1";
const LIMIT = { resources: { limits: { memory: "32Mi" } } };
const container = (args: readonly (string | number)[], more: object = {}, name = "main") => ({
  name,
  image: IMAGE,
  args: args.map(String),
  ...more,
});
const one = (args: readonly (string | number)[], more: object = {}, spec: object = {}) => ({
  containers: [container(args, more)],
  ...spec,
});

/** Programs, the exit code with which each ends when it is stopped, and whether a child of it was killed before. */
const PROGRAMS = {
  "ends with 0": { args: ["sleep"], code: 0, oom: "" },
  "ends with 7": { args: ["term", 7], code: 7, oom: "" },
  "ignores SIGTERM": { args: ["stubborn"], code: 137, oom: "" },
  "has lost a child, ends with 0": { args: ["lose", "sleep"], code: 0, oom: " process" },
} as const;
type Program = keyof typeof PROGRAMS;

/** One pod for each program, all stopped in one way. */
function stopped(cause: Cause, reason: string, programs: readonly Program[], more: object = {}): EndCase[] {
  return programs.map((program) => {
    const { args, code, oom } = PROGRAMS[program];
    const limits = oom === "" ? {} : LIMIT;
    return {
      cause,
      program,
      spec: one(args, { ...limits }, more),
      expected: { main: `${reason} ${code}${oom}` },
    };
  });
}

/** The same with a program that first fills a volume, or its own layer, so that the kubelet evicts its pod. */
function filled(cause: "ephemeral storage" | "emptyDir"): EndCase[] {
  const isVolume = cause === "emptyDir";
  const more = isVolume
    ? { volumeMounts: [{ name: "v", mountPath: "/v" }] }
    : { resources: { limits: { "ephemeral-storage": "2Mi" } } };
  const volumes = { volumes: [{ name: "v", emptyDir: isVolume ? { sizeLimit: "2Mi" } : {} }] };
  const file = isVolume ? "/v/f" : "/f";
  const cases: [Program | "ends with 143", (string | number)[], string][] = [
    ["ends with 0", ["fill", file, 5, 0], "Evicted 0"],
    ["ends with 7", ["fill", file, 5, 7], "Evicted 7"],
    ["ends with 143", ["fill", file, 5, 143], "Evicted 143"],
    ["ignores SIGTERM", ["fill", file, 5, -1], "Evicted 137"],
    ["has lost a child, ends with 0", ["lose", "fill", file, 5, 0], "Evicted 0 process"],
  ];
  return cases.map(([program, args, expected]) => {
    const hasLost = args[0] === "lose";
    const resources = {
      limits: { ...(more as { resources?: { limits: object } }).resources?.limits, ...(hasLost && { memory: "32Mi" }) },
    };
    return { cause, program, spec: one(args, { ...more, resources }, volumes), expected: { main: expected } };
  });
}

const never = { restartPolicy: "Never" };
const itself = (program: string, spec: object, expected: EndCase["expected"]): EndCase => ({
  cause: "itself",
  program,
  spec: { ...never, ...spec },
  expected,
});
const init = (args: readonly (string | number)[], more: object = {}) => ({
  initContainers: [container(args, { ...LIMIT, ...more }, "init")],
});

const ENDS: readonly EndCase[] = [
  ...filled("emptyDir"),
  ...filled("ephemeral storage"),
  ...stopped("evicted by the API", "api-evicted", Object.keys(PROGRAMS) as Program[]),
  ...stopped("deleted", "deleted", Object.keys(PROGRAMS) as Program[]),
  // On a busy node a start takes 12 s.
  ...stopped("deadline", "deadline", Object.keys(PROGRAMS) as Program[], { activeDeadlineSeconds: 30 }),
  itself("ends with 0", one(["exit", 0, 3]), { main: "exited 0" }),
  itself("ends with 7", one(["exit", 7, 3]), { main: "exited 7" }),
  itself("out of memory", one(["eat", 200], LIMIT), { main: "OOMKilled 137 container" }),
  itself("has lost a child, ends with 0", one(["lose", "exit", 0, 3], LIMIT), { main: "exited 0 process" }),
  itself("has lost a child, ends with 3", one(["lose", "exit", 3, 3], LIMIT), { main: "exited 3 process" }),
  itself("has lost a child, ends with 143", one(["lose", "exit", 143, 3], LIMIT), { main: "signalled 143 process" }),
  itself(
    "an init container out of memory",
    { ...init(["eat", 200]), ...one(["sleep"]) },
    { init: "OOMKilled 137 container" },
  ),
  itself(
    "an init container that has lost a child",
    // The sandbox of such a pod goes with the init container here, and its restart policy lets none follow: its container never runs.
    { ...init(["lose", "exit", 0, 1]), ...one(["exit", 0, 2]) },
    { init: "exited 0 process" },
  ),
  itself(
    "a sidecar out of memory",
    { ...init(["eat", 200], { restartPolicy: "Always" }), ...one(["exit", 0, 8]) },
    { init: "OOMKilled 137 container", main: "exited 0" },
  ),
  itself(
    "a sidecar that has lost a child",
    { ...init(["lose", "sleep"], { restartPolicy: "Always" }), ...one(["exit", 0, 8]) },
    { init: "exited 0 process", main: "exited 0" },
  ),
];

const TAINTED = stopped("tainted", "taint-evicted", Object.keys(PROGRAMS) as Program[]);

/** Names of pods, so that they can be told apart in the journal. */
const nameOf = (round: string, nth: number) => `${round}-end-${nth}`;

interface Ended {
  readonly id: string;
  readonly end: End;
}

/** Listens to the ends of the pods of a round, by the smallest mask that there is. */
class EndRecord {
  /** What was reported of each container, the last report of each at the end. */
  readonly ends = new Map<string, Ended[]>();
  readonly #client: PodsClient;
  readonly #done: Promise<void>;

  constructor(socketPath: string) {
    this.#client = new PodsClient({ socketPath });
    this.#done = this.#follow().catch(() => {}); // it ends with its client
  }

  async #follow(): Promise<void> {
    const events = this.#client.watchContainers({ mask: ["metadata.name"] });
    for await (const event of events as AsyncIterable<ContainerEvent<{ metadata: { name: string } }>>) {
      if (event.type !== "ENDED") continue;
      const key = `${event.pod.metadata.name} ${event.container.name}`;
      this.ends.set(key, [...(this.ends.get(key) ?? []), { id: event.container.containerID, end: event.end }]);
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#done;
  }
}

const wordsOf = ({ reason, exitCode, oom }: End) => `${reason} ${exitCode ?? "-"}${oom === undefined ? "" : ` ${oom}`}`;

/** One pod of a round, under its name. */
interface Played extends EndCase {
  readonly name: string;
}

/** Starts pods, and waits until each runs, or has run. */
async function begin(
  stage: Stage,
  round: string,
  from: number,
  cases: readonly EndCase[],
  hasEnded: (pod: Played) => boolean,
): Promise<Played[]> {
  const played = cases.map((each, i) => ({ ...each, name: nameOf(round, from + i) }));
  const pods = played.map(({ name, spec }) =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "shop", labels: { round } },
      spec: { terminationGracePeriodSeconds: 3, ...spec },
    }),
  );
  await stage.node.apply(pods.join("\n---\n"));
  const isThere = async (pod: Played) => hasEnded(pod) || (await phaseOf(stage, pod.name)) !== "Pending";
  for (const each of played) await stage.until(`${each.name} runs`, () => isThere(each));
  return played;
}

const phaseOf = (stage: Stage, name: string) =>
  stage.node.kubectl("-n", "shop", "get", "pod", name, "--ignore-not-found", "-o", "jsonpath={.status.phase}");

/** Ends pods in every way, and compares what is reported. */
export async function endInEveryWay(stage: Stage, version: string, round: string): Promise<void> {
  const { node } = stage;
  const record = new EndRecord(node.socketPath);
  const played: Played[] = [];
  const isOver = ({ name, expected }: Played) =>
    Object.keys(expected).every((container) => record.ends.has(`${name} ${container}`));
  const ended = async (pods: readonly Played[]) => {
    for (const each of pods)
      await stage.until(`${each.name} (${each.cause}, ${each.program}) ends`, () => isOver(each));
  };
  const play = async (cases: readonly EndCase[], act: (pods: readonly Played[]) => Promise<unknown>) => {
    const pods = await begin(stage, round, played.length, cases, isOver);
    played.push(...pods);
    await sleep(6_000); // until a child has been lost, and the kubelet knows that all run
    await act(pods);
    await ended(pods);
  };
  try {
    await play(ENDS, async (pods) => {
      for (const { cause, name } of pods) {
        if (cause === "evicted by the API") await evict(stage, name);
        if (cause === "deleted") await node.kubectl("-n", "shop", "delete", "pod", "--wait=false", name);
      }
    });
    for (const program of ["ends with 0", "ignores SIGTERM"] as const) {
      const most = { resources: { requests: { cpu: `${MOST}m` } } };
      const { args, code } = PROGRAMS[program];
      const victim = (cause: Cause): EndCase => ({
        cause,
        program,
        spec: one(args, most),
        expected: { main: `preempted ${code}` },
      });
      await play([victim("preempted by the kubelet")], async () => {
        const pod = { metadata: { name: `${round}-critical` }, spec: one(["sleep"], most) };
        await node.putManifest(`${round}-critical`, JSON.stringify({ apiVersion: "v1", kind: "Pod", ...pod }));
      });
      await node.removeManifest(`${round}-critical`);
      await sleep(8_000);
      await play([victim("preempted by the scheduler")], async () => {
        await node.apply(
          [
            { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "urgent" }, value: 1000 },
            {
              apiVersion: "v1",
              kind: "Pod",
              metadata: { name: `${round}-urgent`, namespace: "shop", labels: { round } },
              spec: { priorityClassName: "urgent", terminationGracePeriodSeconds: 1, ...one(["sleep"], most) },
            },
          ]
            .map((each) => JSON.stringify(each))
            .join("\n---\n"),
        );
      });
      await node.kubectl("-n", "shop", "delete", "pod", `${round}-urgent`);
    }
    await play(TAINTED, () => node.kubectl("taint", "node", node.facts.nodeName, "ends=now:NoExecute"));
    await node.kubectl("taint", "node", node.facts.nodeName, "ends-");
    for (const program of ["ends with 0", "ignores SIGTERM", "has lost a child, ends with 0"] as const) {
      // The kubelet takes the node for short of memory once the program has eaten, and not before: else it would reject the pod.
      const { node: stats } = JSON.parse(await node.drive("stats")) as Stats;
      await stage.stop();
      await stage.start(version, `eviction=${Math.floor(stats.memory.availableBytes / 2 ** 20) - SPARE}Mi`);
      await play([hungry(program)], () => Promise.resolve());
      await stage.stop();
      await stage.start(version);
    }
    for (const pod of played) await judge(stage, pod, record.ends);
  } finally {
    await node.kubectl("-n", "shop", "delete", "pod", "--wait=false", "-l", `round=${round}`);
    await record.close();
  }
}

/** Compares what was reported of a pod's containers with what was done to it. */
async function judge(stage: Stage, pod: Played, ends: ReadonlyMap<string, readonly Ended[]>): Promise<void> {
  const { name, cause, program, expected } = pod;
  for (const [container, what] of Object.entries(expected)) {
    const reported = ends.get(`${name} ${container}`) ?? [];
    const told = reported.map(({ end }) => wordsOf(end));
    // Now and then a container has gone before the kubelet has looked at how it ended. Then it makes that up. The object may be gone by now.
    const isUnseen = told.some((each) => each.endsWith(" -")) && shows(stage, `shop/${name}`, "ContainerStatusUnknown");
    // An eviction for memory leaves the program no time: it may be killed before it ends by itself. The runtime knows.
    const isKilled = reported.some(({ id }) => killedIn(stage, id)) && cause === "memory";
    // The runtime writes the reason when it has heard of the kill, and now and then it has not by the end.
    const isUntold = what.endsWith(" process") && !shows(stage, `shop/${name}`, "OOMKilled");
    const known = isUntold ? what.replace(/ process$/, "") : what;
    const right = isUnseen ? known.replace(/ .*/, " -") : isKilled ? known.replace(/ \d+/, " 137") : known;
    stage.note(`END | ${cause} | ${program} | ${container} | ${right} | ${told.join(", ")} |`);
    if (told.length === 0 || told.some((each) => each !== right))
      stage.problems.push(`${cause}, ${program}, ${container}: ${told.join(", ")} instead of ${right}`);
  }
}

/** Whether the runtime says that a container was killed. */
function killedIn(stage: Stage, id: string): boolean {
  return stage.journal.lines.some(
    (line) => line.who === "runtime" && line.type === "exit" && line.id === id && line.exitCode === 137,
  );
}

/** Whether the kubelet showed a reason of a container of a pod. */
function shows(stage: Stage, name: string, reason: string): boolean {
  return stage.journal.lines.some((line) => {
    const pods = line.who !== "raw" ? [] : "pod" in line ? [line.pod] : "set" in line ? line.set : [];
    return pods.some((pod) => pod.name === name && pod.states.includes(reason));
  });
}

/** What most of a node's processors are, in thousandths: two pods that request it do not fit. */
const MOST = 1_300;

/** What a program takes, and how much the node has to spare before that, in MiB. */
const EATEN = 2_200;
const SPARE = 800;

/** What the kubelet says of its node. */
interface Stats {
  readonly node: { readonly memory: { readonly availableBytes: number } };
}

function hungry(program: "ends with 0" | "ignores SIGTERM" | "has lost a child, ends with 0"): EndCase {
  const eat = program === "ignores SIGTERM" ? ["eat", EATEN, -1] : ["eat", EATEN];
  const hasLost = program.startsWith("has lost");
  // The kubelet evicts who uses more than it requests, and a limit alone is a request, too.
  const resources = { limits: { memory: `${EATEN + 200}Mi` }, requests: { memory: "16Mi" } };
  const limit = hasLost ? { resources } : {};
  const code = program === "ignores SIGTERM" ? 137 : 0;
  return {
    cause: "memory",
    program,
    spec: one(hasLost ? ["lose", ...eat] : eat, limit, never),
    expected: { main: `Evicted ${code}${hasLost ? " process" : ""}` },
  };
}

async function evict(stage: Stage, name: string): Promise<void> {
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace: "shop" } };
  await stage.node.create(`/api/v1/namespaces/shop/pods/${name}/eviction`, JSON.stringify(body));
}
