// Kubelets in processes of their own: stopped, killed, restarted, faster than anybody reads. It alone finds what real time and
// another process bring to light: a deadline that is set too short for the real clock, a stall of our own that is taken for the
// kubelet's, a stream that is lost because reading it is too slow, a storm of dials.

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import type { ConnectionMessage, WatchMessage } from "../../src/diagnostics.js";
import { EventType, WatchPodsEventSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import type { Pod, PodEvent } from "../../src/index.js";
import { seededRandom } from "../../src/testing/index.js";
import { systemEnvironment } from "../../src/timing/clock.js";
import type { FirehoseOrder } from "../bench/firehose.js";
import { Process } from "../bench/processes.js";
import { envelope, serveHttp2 } from "../helpers/hostile.js";
import { clientOf, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { heard } from "../helpers/until.js";
import { encode } from "../schedules/model-pod.js";
import { ReferenceHost } from "../soak/hosts.js";
import { Reader } from "../soak/oracle.js";
import { World } from "../soak/world.js";

const isInitializing = (message: WatchMessage) => "error" in message && message.error.code === "initializing";

interface Node {
  world: World;
  host: ReferenceHost;
  /** So many things happen on the node. */
  change(times: number): Promise<void>;
}

async function node(t: TestContext, pods: number): Promise<Node> {
  const random = seededRandom(1);
  const world = new World(random, pods);
  const host = new ReferenceHost(world, () => 1);
  t.after(() => host[Symbol.asyncDispose]());
  await host.start();
  const change = async (times: number) => {
    for (let i = 0; i < times; i++) host.tell(world.next());
    await host.flush();
  };
  return { world, host, change };
}

async function until(
  watch: AsyncIterator<PodEvent<Pod>, undefined>,
  type: PodEvent<Pod>["type"],
): Promise<PodEvent<Pod>> {
  for (;;) {
    const { value } = await watch.next();
    assert.ok(value);
    if (value.type === type) return value;
  }
}

/** Resolves when the reader knows what is so; never, if it does not come to that. */
async function agreed(reader: Reader): Promise<void> {
  while (reader.differences().length > 0) await sleep(20);
}

/** Keeps the event loop busy, as a collection of garbage or a bad loop does. */
function block(ms: number): void {
  for (const startMs = performance.now(); performance.now() - startMs < ms; );
}

describe("a blocked or busy event loop", () => {
  test("recovers without a stall from an event loop blocked for two seconds [#40 #79]", async (t) => {
    const { world, host, change } = await node(t, 50);
    const reader = new Reader("blocked", world);
    const pods = clientOf(t, { socketPath: host.socketPath }, systemEnvironment);
    const reading = reader.read(pods.watchPods({ resyncIntervalMs: 1_000 }));
    await agreed(reader);
    const changed = change(2_000);
    await sleep(20);
    block(2_000);
    await changed;
    await agreed(reader);
    assert.ok(!reader.errors.includes("stalled"), reader.errors.join());
    await pods.close();
    await reading;
    assert.deepEqual(reader.violations, []);
  });

  test("keeps the stream and emits the newest state at ten thousand events per second [#65]", async (t) => {
    const socketPath = join(temporaryDirectory(t), "s.sock");
    const server = Process.fork("firehose");
    t.after(() => server[Symbol.asyncDispose]());
    await server.ask({ op: "listen", socketPath, pods: 500, podBytes: 2_000 } satisfies FirehoseOrder);
    // This server lists the same pods for ever, so a second list would take back what it has said: none is needed of a 1.37.
    const watch = clientOf(t, { socketPath, kubeletVersion: "1.37" }, systemEnvironment).watchPods();
    await until(watch, "SYNCED");
    server.send({ op: "trickle", events: 20_000, perSecond: 10_000 } satisfies FirehoseOrder);
    const states = new Map<string, bigint>();
    for (;;) {
      const { value } = await watch.next();
      assert.ok(value && value.type !== "DISCONNECTED");
      if (value.type === "ADDED") break; // the last one is about a pod that is new
      if (value.type !== "MODIFIED") continue;
      const { uid = "", labels = {} } = value.pod.metadata ?? {};
      const state = BigInt(labels["state"] ?? 0);
      assert.ok(state > (states.get(uid) ?? 0n), "an older state followed a newer one");
      states.set(uid, state);
    }
    assert.equal(states.size, 500);
    await watch.return?.();
  });
});

// They wait most of the time: side by side.
describe("kubelets", { concurrency: true }, () => {
  describe("a kubelet that hangs", { concurrency: true }, () => {
    test("reports a stopped kubelet as stalled at the next resync and recovers when it continues [#14]", async (t) => {
      const { host } = await node(t, 10);
      const watch = clientOf(t, { socketPath: host.socketPath }, systemEnvironment).watchPods({
        resyncIntervalMs: 1_000,
      });
      await until(watch, "SYNCED");
      host.signal("SIGSTOP");
      const lost = await until(watch, "DISCONNECTED");
      assert.ok(lost.type === "DISCONNECTED" && lost.error.code === "stalled");
      host.signal("SIGCONT");
      await until(watch, "SYNCED");
      await watch.return?.();
    });

    test("reports a kubelet that stops during its list as stalled [#15]", async (t) => {
      const directory = temporaryDirectory(t);
      const socketPath = join(directory, "s.sock");
      const server = Process.fork("firehose");
      t.after(() => server[Symbol.asyncDispose]());
      await server.ask({ op: "listen", socketPath, pods: 100, podBytes: 7_000, freeze: true } satisfies FirehoseOrder);
      const watch = clientOf(t, { socketPath }, systemEnvironment).watchPods();
      const first = watch.next();
      const { value: lost } = await first;
      assert.ok(lost?.type === "DISCONNECTED" && lost.error.code === "stalled");
      assert.match(lost.error.message, /no sync marker/);
      process.kill(server.pid, "SIGCONT");
      await until(watch, "SYNCED");
      await watch.return?.();
    });

    test("reports a stream with headers but no message as stalled [#39]", async (t) => {
      const socketPath = await serveHttp2(t, (stream) => {
        stream.respond({ ":status": 200, "content-type": "application/grpc" });
        stream.write("");
      });
      const lost = await until(clientOf(t, { socketPath }, systemEnvironment).watchPods(), "DISCONNECTED");
      assert.ok(lost.type === "DISCONNECTED" && lost.error.code === "stalled");
      assert.match(lost.error.message, /no first message/);
    });

    test("reports a list without its sync marker as stalled and ignores its pods [#60]", async (t) => {
      const bytes = encode({ uid: "a", version: 1, failed: false, finished: false, isStatic: false, created: 1 }, 1);
      const event = create(WatchPodsEventSchema, { type: EventType.ADDED, pod: Buffer.from(bytes) });
      const socketPath = await serveHttp2(t, (stream) => {
        stream.respond({ ":status": 200, "content-type": "application/grpc" });
        stream.write(envelope(toBinary(WatchPodsEventSchema, event)));
      });
      const informer = clientOf(t, { socketPath }, systemEnvironment).informer();
      const lost = await until(informer[Symbol.asyncIterator](), "DISCONNECTED");
      assert.ok(lost.type === "DISCONNECTED" && lost.error.code === "stalled");
      assert.match(lost.error.message, /no sync marker/);
      assert.deepEqual([informer.size, informer.state.phase], [0, "connecting"]);
    });
  });

  describe("a watch agrees with the kubelet after a restart [#64]", { concurrency: true }, () => {
    const ways: [how: string, restart: (host: ReferenceHost) => Promise<void>][] = [
      [
        "after SIGKILL",
        async (host) => {
          await host.kill();
          await host.start();
        },
      ],
      ["after an orderly restart", (host) => host.restart(100)],
      [
        "after a restart with an initializing phase",
        async (host) => {
          await host.kill();
          const refused = heard<WatchMessage>("kubelet-pods:watch", host.socketPath, isInitializing);
          await host.start({ initializing: true });
          await refused;
          await host.ready();
        },
      ],
    ];
    for (const [how, restart] of ways) {
      test(how, async (t) => {
        const { world, host, change } = await node(t, 30);
        const reader = new Reader(how, world);
        const pods = clientOf(t, { socketPath: host.socketPath }, systemEnvironment);
        const reading = reader.read(pods.watchPods({ resyncIntervalMs: 1_000 }));
        await agreed(reader);
        const changed = change(100);
        await restart(host);
        await changed;
        await change(10);
        await agreed(reader);
        await pods.close();
        await reading;
        assert.deepEqual(reader.violations, []);
      });
    }

    test("makes at most two attempts per second during a crash loop", async (t) => {
      const { world, host } = await node(t, 10);
      let attempts = 0;
      const count = (message: unknown) => {
        const { type, socketPath } = message as ConnectionMessage;
        if (socketPath === host.socketPath && (type === "failed" || type === "connected")) attempts++;
      };
      subscribe("kubelet-pods:connection", count);
      t.after(() => unsubscribe("kubelet-pods:connection", count));
      const reader = new Reader("crash loop", world);
      const pods = clientOf(t, { socketPath: host.socketPath }, systemEnvironment);
      const reading = reader.read(pods.watchPods());
      await agreed(reader);
      attempts = 0;
      const startMs = performance.now();
      for (let i = 0; i < 3; i++) {
        await host.kill();
        await sleep(1_000);
        await host.start();
        await sleep(500);
      }
      const seconds = (performance.now() - startMs) / 1_000;
      // A new outage starts with short pauses: a handful of attempts, then two per second.
      assert.ok(attempts <= 3 * 6 + 2.2 * seconds, `${attempts} attempts in ${seconds.toFixed(1)} s`);
      await pods.close();
      await reading;
      assert.deepEqual(reader.violations, []);
    });
  });
});
