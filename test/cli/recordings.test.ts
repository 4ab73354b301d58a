// What kubelets of a real node said, recorded by `kubelet-pods record`, and what agents are told when it is said again. The kubelet was
// 1.37.1 with containerd; the programs were those of test/node.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { podMask } from "../../src/index.js";
import { parseRecording, Replay } from "../../src/testing/index.js";
import { AutoAdvanceClock } from "../helpers/auto-advance-clock.js";
import { clientOf } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

/** A clock of the day on which it was recorded: what is concluded from the age of pods is what was concluded then. */
class ThatDay extends AutoAdvanceClock {
  readonly #beganMs: number;

  constructor(recorded: string) {
    super();
    this.#beganMs = Date.parse(recorded);
  }

  override wallMs(): number {
    return this.#beganMs + this.now();
  }
}

/** Says a recording again to an informer and a reader of lives, and returns what they were told. */
async function told(t: TestContext, name: string) {
  const lines = parseRecording(readFileSync(join(root, "test/recordings", `${name}.jsonl`), "utf8"));
  const [first] = lines;
  assert.ok(first !== undefined && "recorded" in first);
  const { environment } = new ThatDay(first.recorded);
  const replay = await Replay.start(lines, {}, environment.clock);
  t.after(() => replay.close());
  const pods = clientOf(t, { socketPath: replay.socketPath }, environment);
  const informer = pods.informer({ retainMs: 600_000 });
  const events: string[] = [];
  const lives: string[] = [];
  const reading = Promise.all([
    (async () => {
      for await (const event of informer)
        events.push("pod" in event ? `${event.type} ${event.pod.metadata.name}` : event.type);
    })(),
    (async () => {
      for await (const event of pods.watchContainers({ mask: podMask("metadata.name") })) {
        if (event.type === "STARTED") lives.push(`${event.pod.metadata.name} ${event.container.restartCount} starts`);
        if (event.type === "ENDED")
          lives.push(
            `${event.pod.metadata.name} ${event.container.restartCount} ${event.end.reason} ${event.end.exitCode}`,
          );
        if (event.type === "MISSED") lives.push(`${event.pod.metadata.name} missed`);
      }
    })(),
  ]);
  reading.catch(() => {}); // they end with the client
  await replay.finished;
  return { informer, events, lives, names: () => informer.list().map(({ metadata }) => metadata.name) };
}

test("restart: a pod that was removed during the outage gets one DELETED, and the others stay", async (t) => {
  const { events, lives, informer, names } = await told(t, "restart");
  await until(t, () => names().length === 1);
  assert.deepEqual(names(), ["api"]);
  assert.deepEqual(gone(events), ["web", "job"]);
  assert.ok(events.includes("DISCONNECTED"));
  assert.deepEqual(lives.sort(), [
    "api 0 starts",
    "job 0 deleted 0",
    "job 0 starts",
    "web 0 starts",
    "web 0 unknown undefined", // nobody saw how it ended
  ]);
  assert.equal(informer.list()[0]?.metadata.labels["tier"], "two", "the label changed during the outage");
});

test("crash: reports each run of a crash loop with its exit code, and the OOM kill", async (t) => {
  const { events, lives, names } = await told(t, "crash");
  await until(t, () => names().length === 1);
  assert.deepEqual(gone(events), ["hungry", "crash"]);
  assert.deepEqual(lives.sort(), [
    "api 0 starts",
    "crash 0 exited 3",
    "crash 0 starts",
    "crash 1 exited 3",
    "crash 1 starts",
    "crash 2 exited 3",
    "crash 2 starts",
    "hungry 0 OOMKilled 137",
    "hungry 0 starts",
  ]);
});

test("drain: pods are deleted when they end, the one that ignores SIGTERM last", async (t) => {
  const { events, lives, names } = await told(t, "drain");
  await until(t, () => names().length === 0);
  assert.deepEqual(gone(events), ["d1", "d2", "api", "d3"]);
  const ends = lives.filter((life) => !life.endsWith("starts"));
  assert.deepEqual(ends.sort(), [
    "api 0 api-evicted 0",
    "d1 0 api-evicted 0",
    "d2 0 api-evicted 0",
    "d3 0 api-evicted 137",
  ]);
});

/** Returns the names of pods that were told as gone, in their order. */
function gone(events: readonly string[]): string[] {
  return events.flatMap((event) => (event.startsWith("DELETED ") ? [event.slice("DELETED ".length)] : []));
}
