// Pods that ended in many ways, as kubelets sent them: what each reader says of their ends.

import assert from "node:assert/strict";
import { type ContainerEvent, fromKubernetesJson, PodsClient } from "../../../src/index.js";
import type { PodSource } from "../../../src/sources/pod-source.js";
import { encodePod } from "../../../src/testing/wire-pod.js";
import { type RecordedEnd, recordedEnds } from "../../helpers/fixtures.js";
import { scriptedSource } from "../../helpers/scripted-source.js";
import { describe, type TestContext, test } from "../../helpers/test.js";
import { VirtualClock } from "../../helpers/virtual-clock.js";

const ENDS = recordedEnds();
const skip = ENDS.length === 0 ? "no recorded pods lie beside this checkout" : false;

/** A client of a node on which nothing but this pod lives, and what plays the pod's events. */
async function nodeOf(t: TestContext) {
  const { source, say } = scriptedSource();
  const rest = {
    connect: () => Promise.resolve(),
    close: () => Promise.resolve(),
    list: () => Promise.reject(new Error("no list")),
    get: () => Promise.reject(new Error("no pod")),
  };
  const clock = new VirtualClock();
  clock.set(Date.UTC(2100, 0) - clock.wallMs()); // pods are played after they were recorded
  const sources = [Object.assign(source, rest) as PodSource];
  const pods = new PodsClient({ sources }, { clock, random: () => 0.5 });
  t.after(() => pods.close());
  const begin = () => say({ type: "CONNECTED", server: "1", connection: "1", lists: "complete" }, { type: "SYNCED" });
  const play = async ({ type, pod }: RecordedEnd["events"][number]) =>
    say({ type, pod: encodePod(fromKubernetesJson(pod)) });
  return { pods, begin, play };
}

/** Collects what a watch of containers says of their ends. */
function endsOf(pods: PodsClient, options: object = {}): string[] {
  const ends: string[] = [];
  const read = async () => {
    for await (const event of pods.watchContainers(options) as AsyncIterable<ContainerEvent<unknown>>) {
      if (event.type !== "ENDED") continue;
      const { reason, exitCode, oom } = event.end;
      ends.push(wordsOf(event.container.name, event.container.containerID, reason, exitCode, oom));
    }
  };
  read().catch(() => {}); // it ends with its client
  return ends;
}

function wordsOf(name: string, id: string, reason: string, exitCode: number | null | undefined, oom?: string): string {
  return `${name} ${id.slice(0, 8)} ${reason} ${exitCode ?? "-"} ${oom ?? "-"}`;
}

/** Returns whose end it is: the container's name and the start of its ID. */
function runOf(words: string): string {
  return words.split(" ", 2).join(" ");
}

function expectedOf({ expected }: RecordedEnd): string[] {
  return expected.containers
    .map(({ container, id, reason, exitCode, oom }) => wordsOf(container, id, reason, exitCode, oom))
    .sort();
}

describe("ends of recorded pods", { skip }, () => {
  for (const recorded of ENDS) {
    test(recorded.name, async (t) => {
      const { pods, begin, play } = await nodeOf(t);
      const readers = [endsOf(pods), endsOf(pods, { mask: ["metadata.name"] })];
      const informer = pods.informer({ mask: ["metadata.uid"], retainMs: 600_000 });
      await begin();
      for (const [i, event] of recorded.events.entries()) {
        await play(event);
        if (i < recorded.events.length - 1) readers.push(endsOf(pods, { includeFinished: true }));
      }
      const whole = expectedOf(recorded);
      for (const [i, ends] of readers.entries()) {
        const told = [...new Set(ends)].sort();
        // One that joins later is not told of runs that nobody shows any more.
        const expected = i < 2 ? whole : whole.filter((each) => told.some((other) => runOf(other) === runOf(each)));
        assert.deepEqual(told, expected, `reader ${i}`);
      }
      const uid = recorded.events[0]?.pod.metadata?.uid ?? "";
      const { gone } = informer.find({ uid });
      const { pod: stopped, containers } = recorded.expected;
      const possible = stopped === undefined ? containers.map(({ reason }) => reason) : [stopped];
      assert.ok(possible.includes(String(gone?.end?.reason)), `the pod: ${gone?.end?.reason}`);
    });
  }
});

test("reports the ends that the last version of a recorded pod shows", { skip }, async (t) => {
  for (const recorded of ENDS) {
    const last = recorded.events.findLast(({ type }) => type !== "DELETED") ?? assert.fail();
    const { pods, begin, play } = await nodeOf(t);
    const ends = endsOf(pods, { includeFinished: true });
    await begin();
    await play({ ...last, type: "ADDED" });
    const { status } = last.pod;
    const { pod: stop } = recorded.expected;
    const isStopShown = status?.phase === "Failed" || JSON.stringify(status?.conditions).includes("DisruptionTarget");
    const isOfKubelet = ["Evicted", "preempted", "shut-down", "deadline"].includes(stop ?? "");
    const latest = status?.containerStatuses?.map(({ containerID }) => containerID?.slice(-64, -56));
    const told = new Set(ends);
    const expected = expectedOf(recorded).map((end) => {
      // Nothing is left of the eviction of a pod for a limit of its own if its containers ended with 0.
      if (!isStopShown) return end.replace("Evicted 0", "exited 0");
      // Which containers had ended before the stop cannot be seen.
      return isOfKubelet && latest?.includes(end.split(" ")[1] ?? "") ? end.replace("exited", `${stop}`) : end;
    });
    const isKnown = (end: string) => [...told].some((other) => runOf(other) === runOf(end));
    assert.deepEqual([...told].sort(), expected.filter(isKnown), recorded.name);
    assert.ok(told.size > 0 || last.pod.status?.phase === "Pending", recorded.name);
  }
});
