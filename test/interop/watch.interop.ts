// The watch on the kubelet's own pod manager and status manager: what it tells is what they have.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { WatchMessage } from "../../src/diagnostics.js";
import { PodsClient } from "../../src/index.js";
import { seededRandom } from "../../src/testing/index.js";
import { describe, test } from "../helpers/test.js";
import { heard } from "../helpers/until.js";
import { GoHost, type Host } from "../soak/hosts.js";
import { Reader } from "../soak/oracle.js";
import { World } from "../soak/world.js";
import { goVersions, noGo } from "./go-kubelet.js";

const isInitializing = (message: WatchMessage) => "error" in message && message.error.code === "initializing";
const hasUnconfirmed = (message: WatchMessage) => message.type === "synced" && message.unconfirmed > 0;

for (const version of goVersions) {
  const cases: [how: string, happens: (host: Host) => Promise<unknown>][] = [
    ["changes", async () => {}],
    [
      "a kill and changes during the outage",
      async (host) => {
        await host.kill();
        await host.start();
      },
    ],
    ["a graceful restart", (host) => host.restart(50)],
  ];
  if (version !== "1.36") {
    cases.push([
      "a start that first rejects lists as initializing",
      async (host) => {
        await host.kill();
        const refused = heard<WatchMessage>("kubelet-pods:watch", host.socketPath, isInitializing);
        await host.start({ initializing: true });
        await refused;
        await host.ready();
      },
    ]);
  } else {
    cases.push([
      "lists from before the kubelet has read its sources",
      async (host) => {
        await host.kill();
        const listed = heard<WatchMessage>("kubelet-pods:watch", host.socketPath, hasUnconfirmed);
        await host.start({ firstPods: 3 });
        await listed;
        await host.readRest();
      },
    ]);
  }

  describe(`a watch on the ${version} kubelet has its pods after`, { skip: noGo, concurrency: true }, () => {
    for (const [how, happens] of cases) {
      test(how, async (t) => {
        const world = new World(seededRandom(5), 40);
        const host = new GoHost(world, version);
        t.after(() => host[Symbol.asyncDispose]());
        await host.start();
        const pods = new PodsClient({ socketPath: host.socketPath });
        t.after(() => pods.close());
        const readers = [new Reader("active", world), new Reader("all", world, { includeFinished: true })];
        const reading = readers.map((reader) =>
          reader.read(pods.watchPods({ resyncIntervalMs: 1_000, includeFinished: reader.includeFinished })),
        );
        const agreed = async () => {
          while (readers.some((reader) => reader.differences().length > 0)) await sleep(20);
        };
        const change = async (times: number) => {
          for (let i = 0; i < times; i++) host.tell(world.next());
          await host.flush();
        };
        await agreed();
        await change(100);
        const happening = happens(host);
        for (let i = 0; i < 50; i++) host.tell(world.next());
        await happening;
        await change(50);
        await agreed();
        await pods.close();
        await Promise.all(reading);
        assert.deepEqual(
          readers.flatMap(({ violations }) => violations),
          [],
        );
      });
    }
  });
}
