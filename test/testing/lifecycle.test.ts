// Whatever is done to a reference kubelet, in whatever order and at the same time: it answers when all is well again, and
// leaves nothing behind.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { RawClient } from "../../src/conformance/raw-client.js";
import { type ReferenceKubelet, sampleNode, seededRandom } from "../../src/testing/index.js";
import { pause } from "../../src/timing/pause.js";
import { environmentOf, kubeletOf } from "../helpers/kubelet.js";
import { runs } from "../helpers/property.js";
import { test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const SEEDS = runs(80).numRuns;
const FIRST = Number(process.env["PROPERTY_SEED"] ?? 1);

const acts: ((kubelet: ReferenceKubelet, random: () => number) => unknown)[] = [
  (kubelet, random) => kubelet.restart({ downtimeMs: random() * 20, kill: random() < 0.5, firstStatusMs: 0 }),
  (kubelet, random) => kubelet.restart({ initializingMs: random() * 20, firstStatusMs: random() * 20 }),
  (kubelet, random) => kubelet.restart({ profile: (["1.36", "1.37", "1.38"] as const)[Math.floor(3 * random())] }),
  (kubelet, random) => kubelet.restart({ gate: random() < 0.7 }),
  (kubelet) => kubelet.pause(),
  (kubelet) => kubelet.resume(),
  (kubelet) => kubelet.faults.refuse(),
  (kubelet) => kubelet.faults.clear(),
  (kubelet) => kubelet.faults.hang("handshake"),
  (kubelet) => kubelet.faults.hang("request"),
  (kubelet) => kubelet.faults.closeConnections(),
  (kubelet) => kubelet.faults.dropConnection({ afterEvents: 3 }),
  (kubelet) => kubelet.faults.truncate({ atEvent: 2 }),
  (kubelet) => kubelet.faults.goAway(),
  (kubelet) => kubelet.faults.resetStreams(),
  (kubelet) => kubelet.faults.delay(5),
  (kubelet) => kubelet.faults.swapEvents(),
  (kubelet) => {
    try {
      kubelet.setInitializing(true);
    } catch (error) {
      assert.match(String(error), /a running 1\.36 kubelet does not lose its pods/);
    }
  },
  (kubelet) => kubelet.setInitializing(false),
  (kubelet) => kubelet.drain(),
];

async function listWhenItCan(kubelet: ReferenceKubelet): Promise<Uint8Array[]> {
  await using client = new RawClient({ socketPath: kubelet.socketPath, timeoutMs: 2_000 });
  const answer = await client.list();
  if (!answer.ok) throw answer.error;
  return answer.value;
}

for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
  test(`answers after random actions and leaves nothing behind, seed ${seed}`, async (t) => {
    const { clock } = environmentOf(t);
    const random = seededRandom(seed);
    const kubelet = await kubeletOf(t, { pods: sampleNode() });
    const clients = [1, 2].map(() => new RawClient({ socketPath: kubelet.socketPath, timeoutMs: 200 }));
    const end = new AbortController();
    const asking = clients.flatMap((client) => {
      const watching = async () => {
        for await (const _ of client.watch({ signal: end.signal }));
      };
      return [client.list(), watching()];
    });
    const done: unknown[] = [];
    for (let i = 0; i < 12; i++) {
      const act = Promise.resolve(acts[Math.floor(random() * acts.length)]?.(kubelet, random));
      act.catch(() => {}); // looked at below, unless it is closed before
      done.push(act);
      if (random() < 0.3) await pause(clock, random() * 10);
    }
    const closesInBetween = random() < 0.3;
    if (!closesInBetween) {
      await Promise.all(done);
      kubelet.resume();
      await kubelet.faults.clear();
      kubelet.setInitializing(false);
      await kubelet.restart({ gate: true, firstStatusMs: 0 });
      assert.equal((await listWhenItCan(kubelet)).length, kubelet.pods.length);
    }
    await kubelet.close();
    await Promise.allSettled(done);
    end.abort();
    await Promise.all(asking);
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
    assert.equal(existsSync(dirname(kubelet.socketPath)), false);
  });
}

test("close() leaves no handle behind during faults and a restart", async (t) => {
  const left = () => process.getActiveResourcesInfo().filter((kind) => /Pipe|Timeout|HTTP2/.test(kind)).length;
  const before = left();
  const kubelet = await kubeletOf(t, { pods: sampleNode() });
  kubelet.faults.delay(60_000);
  for (const { metadata, status } of sampleNode())
    if (status?.phase === "Running") kubelet.evictPod(metadata?.uid ?? "");
  kubelet.faults.hang("handshake", 2);
  const client = new RawClient({ socketPath: kubelet.socketPath });
  const asked = client.list();
  void kubelet.restart({ downtimeMs: 60_000 });
  await kubelet.close();
  await asked;
  await client[Symbol.asyncDispose]();
  await until(t, () => left() <= before);
});
