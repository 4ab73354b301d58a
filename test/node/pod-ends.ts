// Ends of whole pods in stories in which their last version alone misleads: restart policies and rules of containers, static pods that are
// removed while they crash, a pod that is deleted while no agent can look, and restarts of all containers.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ContainerEvent, type End, type PodInformer, PodsClient } from "../../src/index.js";
import { openJournal } from "../../src/journal/index.js";
import type { Stage } from "./stage.js";

interface Story {
  readonly name: string;
  readonly spec: object;
  /** A static pod, from a manifest. */
  readonly isStatic?: boolean;
  /** The object stays until the agent that joins late has looked. */
  readonly isKept?: boolean;
  /** True once the pod can be ended. */
  readonly isDue: (pod: Shown) => boolean;
  /** What is to be reported of the pod, as `reason exit code`. */
  readonly expected: string;
}

/** What is looked at of a pod until its story goes on. */
interface Shown {
  readonly phase: string;
  readonly isRunning: boolean;
  readonly restarts: number;
}

const IMAGE = "localhost/tool:1";
const FINALIZER = "kubelet-pods.test/kept";

function main(args: readonly (string | number)[], more: object = {}, name = "main"): object {
  return { name, image: IMAGE, args: args.map(String), ...more };
}

const onExit = (action: string, ...values: number[]) => ({
  restartPolicy: "Never",
  restartPolicyRules: [{ action, exitCodes: { operator: "In", values } }],
});

const isFailed = ({ phase }: Shown) => phase === "Failed";
/** A kubelet shows a container that waits for its restart as terminated, or as waiting with CrashLoopBackOff. */
const isBetweenRestarts = ({ restarts, isRunning }: Shown) => restarts >= 2 && !isRunning;

const STORIES: readonly Story[] = [
  {
    name: "own-never",
    spec: { containers: [main(["exit", 3, 3], { restartPolicy: "Never" })] },
    isKept: true,
    isDue: isFailed,
    expected: "exited 3",
  },
  {
    name: "own-always",
    spec: { restartPolicy: "Never", containers: [main(["exit", 1, 1], { restartPolicy: "Always" })] },
    isDue: isBetweenRestarts,
    expected: "deleted 1 or deleted 143", // it may run just then
  },
  {
    name: "rule",
    spec: { restartPolicy: "Never", containers: [main(["exit", 42, 1], onExit("Restart", 42))] },
    isDue: isBetweenRestarts,
    expected: "deleted 42 or deleted 143",
  },
  {
    name: "no-rule",
    spec: { containers: [main(["exit", 3, 3], onExit("Restart", 42))] },
    isKept: true,
    isDue: isFailed,
    expected: "exited 3",
  },
  ...[1, 2, 3, 4, 5].map((nth) => ({
    name: `static-crash-${nth}`,
    spec: { containers: [main(["exit", 7, 1])] },
    isStatic: true,
    isDue: isBetweenRestarts,
    expected: "exited 7 or signalled 143",
  })),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((nth) => ({
    name: `static-once-${nth}`,
    spec: { restartPolicy: "Never", containers: [main(["exit", 7, 2])] },
    isStatic: true,
    isDue: isFailed,
    expected: "exited 7",
  })),
];

/** Plays the stories, and compares the ends of the pods with what was done to them. */
export async function endPods(stage: Stage, version: string, round: string): Promise<void> {
  const { node } = stage;
  const client = new PodsClient({ socketPath: node.socketPath });
  const informer = client.informer({ retainMs: 3_600_000 });
  const ends: ContainerEvent[] = [];
  const reading = (async () => {
    for await (const event of client.watchContainers()) if (event.type === "ENDED") ends.push(event);
  })().catch(() => {}); // it ends with its client
  try {
    await informer.synced();
    for (const { name, spec, isStatic, isKept } of STORIES)
      await put(stage, `${round}-${name}`, spec, isStatic, isKept);
    for (const story of STORIES) await playOne(stage, informer, round, story);
    await crashBesideDeletion(stage, informer, version, round);
    await restartAll(stage, ends, round);
  } finally {
    await client.close();
    await reading;
    await node.kubectl("-n", "shop", "delete", "pod", "--wait=false", "-l", `round=${round}`);
  }
}

async function put(stage: Stage, name: string, spec: object, isStatic = false, isKept = false): Promise<void> {
  const finalizers = isKept ? { finalizers: [FINALIZER] } : {};
  const metadata = { name, namespace: "shop", labels: { round: name.split("-")[0] ?? "" }, ...finalizers };
  const pod = JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: { terminationGracePeriodSeconds: 3, ...spec },
  });
  await (isStatic ? stage.node.putManifest(name, pod) : stage.node.apply(pod));
}

async function playOne(stage: Stage, informer: PodInformer, round: string, story: Story): Promise<void> {
  const { node } = stage;
  const name = `${round}-${story.name}`;
  const key = { namespace: "shop", name: story.isStatic === true ? `${name}-${node.facts.nodeName}` : name };
  const shown = (): Shown | undefined => {
    const pod = informer.get(key);
    if (pod === undefined) return undefined;
    const [{ state, restartCount } = {}] = pod.status.containerStatuses;
    return { phase: pod.status.phase, isRunning: state?.running !== undefined, restarts: restartCount ?? 0 };
  };
  // A pod that failed is in no informer without its finished pods; then lookups know its end.
  const isDue = () => {
    const pod = shown();
    return pod === undefined ? informer.find(key).gone !== undefined : story.isDue(pod);
  };
  await stage.until(`${name} is due`, isDue);
  if (story.isStatic === true) await node.removeManifest(name);
  else await node.kubectl("-n", "shop", "delete", "pod", "--wait=false", name);
  await compare(stage, informer, key, story.expected);
  if (story.isKept !== true) return;
  const end = await lateEnd(stage, name);
  report(stage, `${name}, late`, story.expected, end);
  const patch = '[{"op":"remove","path":"/metadata/finalizers"}]';
  await node.kubectl("-n", "shop", "patch", "pod", name, "--type=json", "-p", patch);
}

async function compare(
  stage: Stage,
  informer: PodInformer,
  key: { readonly namespace: string; readonly name: string },
  expected: string,
): Promise<void> {
  const gone = await stage.until(`${key.name} is gone`, () => informer.find(key).gone);
  report(stage, key.name, expected, gone.end);
}

/** Returns the end of a pod for an agent that joins while its object is still there, with a deletion timestamp. */
async function lateEnd(stage: Stage, name: string): Promise<End | undefined> {
  const client = new PodsClient({ socketPath: stage.node.socketPath });
  const directory = mkdtempSync(join(tmpdir(), "pod-ends-"));
  try {
    const journal = await openJournal(client, { directory, signal: AbortSignal.timeout(60_000) });
    for await (const record of journal) if (record.name === name && record.container === undefined) return record.end;
    return undefined;
  } finally {
    await client.close();
    rmSync(directory, { recursive: true });
  }
}

function report(stage: Stage, what: string, expected: string, end: End | undefined): void {
  const reported = end === undefined ? "none" : `${end.reason} ${end.exitCode ?? "-"}`;
  stage.note(`POD END | ${what} | ${expected} | ${reported} |`);
  if (!expected.split(" or ").includes(reported)) stage.problems.push(`${what}: ${reported} instead of ${expected}`);
}

/** A pod is deleted by force while the kubelet is away. One container had crashed before, and nothing shows the end of the other. */
async function crashBesideDeletion(stage: Stage, informer: PodInformer, version: string, round: string): Promise<void> {
  const name = `${round}-beside`;
  const key = { namespace: "shop", name };
  await put(stage, name, { containers: [main(["sleep"]), main(["exit", 4, 1], {}, "side")] });
  const isDue = () =>
    informer.get(key)?.status.containerStatuses.some(({ name, restartCount }) => name === "side" && restartCount >= 2);
  await stage.until(`${name} is due`, isDue);
  await stage.stop("KILL");
  await stage.node.kubectl("-n", "shop", "delete", "pod", "--force", "--grace-period=0", name);
  await stage.start(version);
  await compare(stage, informer, key, "unknown -");
}

/** One container exits with a code whose rule restarts all containers. */
async function restartAll(stage: Stage, ends: readonly ContainerEvent[], round: string): Promise<void> {
  const name = `${round}-all`;
  const rule = onExit("RestartAllContainers", 42);
  await put(stage, name, {
    restartPolicy: "Never",
    containers: [main(["exit", 42, 8], rule), main(["sleep"], {}, "side")],
  });
  const ended = () =>
    ends.flatMap((event) => {
      if (event.type !== "ENDED" || event.pod.metadata.name !== name || event.container.name !== "side") return [];
      return [event.end];
    });
  await stage.until(`${name} has restarted`, () => ended().length >= 2);
  for (const { reason, exitCode, reported } of ended().slice(0, 2)) {
    const found = `${reason} ${exitCode ?? "-"} ${reported?.reason ?? "-"}`;
    stage.note(`POD END | ${name} | side | ${found} |`);
    if (found !== "restarted - RestartingAllContainers") stage.problems.push(`${name}: ${found}`);
  }
  await stage.node.kubectl("-n", "shop", "delete", "pod", "--wait=false", name);
  await sleep(5_000);
}
