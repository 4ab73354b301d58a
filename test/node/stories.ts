// The life of one pod, on a real node and by the reference kubelet: what the double tells is to be told by the kubelet too, in this
// order. A kubelet says more: it looks more often.

import { setTimeout as sleep } from "node:timers/promises";
import { type PodJson, ReferenceKubelet } from "../../src/testing/index.js";
import type { At, Brief, RawLine } from "./journal.js";
import { RawRecord } from "./raw-record.js";
import type { Stage } from "./stage.js";

export interface Story {
  name: string;
  /** The pod's spec, as YAML in flow style, and as the double is given it. */
  spec: string;
  pod: Pick<PodJson, "spec">;
  /** Whether the kubelet does not admit it. */
  isRejected?: true;
  /** What is done on the node once the pod is there. */
  act(stage: Stage, name: string): Promise<void>;
  /** The same by the double's verbs, from the beginning. */
  play(kubelet: ReferenceKubelet, uid: string): void;
  /** What a kubelet may say in the place of the double's words. */
  instead?: Readonly<Record<string, string>>;
  /** Whether the node has told everything. */
  isOver(lines: readonly string[]): boolean;
}

const run = (args: string, more = "") =>
  `{ terminationGracePeriodSeconds: 2, ${more}containers: [{ name: main, image: "localhost/tool:1", args: ${args} }] }`;
const container = { name: "main", image: "localhost/tool:1" };
const isDeleted = (lines: readonly string[]) => lines.at(-1)?.startsWith("DELETED") === true;
const nothing = async () => {};

export const STORIES: readonly Story[] = [
  {
    name: "it runs, and is deleted",
    spec: run("[sleep]"),
    pod: { spec: { containers: [container] } },
    act: async ({ node }, name) => void (await node.kubectl("-n", "shop", "delete", "pod", "--wait=false", name)),
    play(kubelet, uid) {
      kubelet.startPod(uid);
      kubelet.deletePod(uid);
      kubelet.finishPod(uid);
    },
    isOver: isDeleted,
  },
  {
    name: "it runs to its end",
    spec: run('[exit, "0", "3"]', "restartPolicy: Never, "),
    pod: { spec: { restartPolicy: "Never", containers: [container] } },
    act: nothing,
    play(kubelet, uid) {
      kubelet.startPod(uid);
      kubelet.finishPod(uid);
    },
    isOver: isDeleted,
  },
  {
    name: "it fails",
    spec: run('[exit, "4", "3"]', "restartPolicy: Never, "),
    pod: { spec: { restartPolicy: "Never", containers: [container] } },
    act: nothing,
    play(kubelet, uid) {
      kubelet.startPod(uid);
      kubelet.finishPod(uid, "Failed");
    },
    isOver: isDeleted,
  },
  {
    name: "its container ends, and is started again",
    spec: run('[exit, "3", "5"]'),
    pod: { spec: { containers: [container] } },
    act: nothing,
    play(kubelet, uid) {
      kubelet.startPod(uid);
      kubelet.endContainer(uid, "main", { exitCode: 3 });
      kubelet.startContainer(uid, "main");
    },
    isOver: (lines) => lines.some((line) => line.includes(" R1")),
  },
  {
    name: "it is not admitted",
    spec: run("[sleep]", "nodeName: __NODE__, nodeSelector: { no: such }, "),
    pod: { spec: { containers: [container] } },
    isRejected: true,
    act: nothing,
    play: () => {},
    isOver: (lines) => lines.length > 0,
  },
  {
    name: "it is evicted, and its container ends with 0",
    spec: `{ terminationGracePeriodSeconds: 2, restartPolicy: Never, containers: [{ name: main, image: "localhost/tool:1", args: [fill, /v/f, "3", "0"], volumeMounts: [{ name: v, mountPath: /v }] }], volumes: [{ name: v, emptyDir: { sizeLimit: 1Mi } }] }`,
    pod: { spec: { restartPolicy: "Never", containers: [container] } },
    act: nothing,
    play(kubelet, uid) {
      kubelet.startPod(uid);
      kubelet.evictPod(uid);
      kubelet.endContainer(uid, "main", { exitCode: 0 }); // Succeeded, and from 1.38 on still Failed
      kubelet.finishPod(uid);
    },
    // A kubelet removes the containers of an evicted pod at once, sometimes before it has read how they ended.
    instead: { "MODIFIED Failed(Evicted) T0:Completed": "MODIFIED Failed(Evicted) W1:ContainerCreating" },
    isOver: isDeleted,
  },
  {
    name: "it has an init container and a sidecar, and is evicted by the API while its program ignores SIGTERM",
    spec: `{ terminationGracePeriodSeconds: 2, initContainers: [{ name: init, image: "localhost/tool:1", args: [exit, "0", "2"] }, { name: side, image: "localhost/tool:1", args: [sleep], restartPolicy: Always }], containers: [{ name: main, image: "localhost/tool:1", args: [stubborn] }] }`,
    pod: {
      spec: {
        initContainers: [
          { name: "init", image: "localhost/tool:1" },
          { name: "side", image: "localhost/tool:1", restartPolicy: "Always" },
        ],
        containers: [container],
      },
    },
    act: async ({ node }, name) => {
      const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace: "shop" } };
      await node.create(`/api/v1/namespaces/shop/pods/${name}/eviction`, JSON.stringify(body));
    },
    play(kubelet, uid) {
      kubelet.startContainer(uid, "init");
      kubelet.endContainer(uid, "init");
      kubelet.startContainer(uid, "side");
      kubelet.startContainer(uid, "main");
      kubelet.deletePod(uid, { gracePeriodSeconds: 2, reason: "EvictionByEvictionAPI" });
      kubelet.endContainer(uid, "main", { exitCode: 137 });
      kubelet.finishPod(uid);
    },
    isOver: isDeleted,
  },
  {
    name: "it is deleted by force",
    spec: run("[sleep]"),
    pod: { spec: { containers: [container] } },
    act: async ({ node }, name) =>
      void (await node.kubectl("-n", "shop", "delete", "pod", "--force", "--grace-period=0", name)),
    play(kubelet, uid) {
      kubelet.startPod(uid);
      kubelet.removePod(uid);
      kubelet.finishPod(uid);
    },
    isOver: isDeleted,
  },
];

/** What was told of a pod, each line once where it comes again at once. */
export function wordsOf(lines: readonly At[], name: string): string[] {
  const words: string[] = [];
  for (const line of lines) {
    if (line.who !== "raw" || !("pod" in line) || line.pod.name !== name) continue;
    const word = wordOf(line.type, line.pod);
    if (word !== words.at(-1)) words.push(word);
  }
  return words;
}

function wordOf(type: RawLine["type"], { phase, reason, states }: Brief): string {
  return type === "DELETED" ? type : `${type} ${phase}${reason === "" ? "" : `(${reason})`} ${states}`;
}

/** Tells a story on the node, and returns what the kubelet said. */
export async function tellOnNode(stage: Stage, story: Story, name: string): Promise<string[]> {
  const spec = story.spec.replaceAll("__NODE__", stage.node.facts.nodeName);
  const full = `shop/${name}`;
  await stage.node.apply(`apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: shop }\nspec: ${spec}\n`);
  const words = () => wordsOf(stage.journal.lines, full);
  if (story.act !== nothing) {
    await stage.until(`${name} runs`, () => words().some((word) => / Running (?:\S*,)?R0$/.test(word)));
    await sleep(1_000);
  }
  await story.act(stage, name);
  await stage.until(`${name}: ${story.name}`, () => story.isOver(words()));
  await sleep(1_000);
  await stage.node.kubectl("-n", "shop", "delete", "pod", "--ignore-not-found", "--wait=false", name);
  return words();
}

/** Tells a story by the reference kubelet, and returns what it said to the recorder that the node has too. */
export async function tellByDouble(story: Story, profile: "1.36" | "1.37" | "1.38"): Promise<string[]> {
  const kubelet = await ReferenceKubelet.start({ profile });
  const lines: At[] = [];
  let heard = () => {};
  const recorder = new RawRecord(kubelet.socketPath, {
    write(line) {
      lines.push({ atMs: Date.now(), ...line } as At);
      heard();
    },
  });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
  };
  const uid = "7d3ab1c0-1c3b-4e6c-8f3e-0a1b2c3d4e5f";
  const pod = { metadata: { uid, namespace: "shop", name: "story" }, ...story.pod };
  try {
    await until(() => lines.some(({ type }) => type === "BURST"));
    if (story.isRejected === true) kubelet.rejectPod(pod, { reason: "NodeAffinity" });
    else kubelet.addPod(pod);
    story.play(kubelet, uid);
    kubelet.addPod({ metadata: { uid: "end", namespace: "shop", name: "end" }, spec: { containers: [container] } });
    await until(() => wordsOf(lines, "shop/end").length > 0);
    return wordsOf(lines, "shop/story");
  } finally {
    await recorder.close();
    await kubelet.close();
  }
}

/** Returns what is wrong with the double's words: such as the kubelet did not say in this order. */
export function compareStories(
  node: readonly string[],
  double: readonly string[],
  instead: Story["instead"] = {},
): string[] {
  const problems: string[] = [];
  let at = 0;
  for (const word of double) {
    const found = node.findIndex((each, i) => i >= at && (each === word || each === instead[word]));
    if (found < 0)
      problems.push(`the reference kubelet says "${word}", which the kubelet does not say there: ${node.join(", ")}`);
    else at = found + 1;
  }
  return problems;
}
