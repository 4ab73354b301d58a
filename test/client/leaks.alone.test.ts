// A thousand operations on one signal and one client leave what was there before: no listener, timer, socket, inotify watch, nor an
// entry in any set or map.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { checkConformance } from "../../src/conformance/conformance.js";
import type { Pod, PodInformer, PodsClient } from "../../src/index.js";
import { type ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import type { AutoAdvanceClock } from "../helpers/auto-advance-clock.js";
import { heapByKind } from "../helpers/heap.js";
import { environmentOf, kubeletAndClient } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const [pod] = sampleNode();
const uid = pod?.metadata?.uid ?? "";

interface Place {
  kubelet: ReferenceKubelet;
  pods: PodsClient;
  clock: AutoAdvanceClock;
  signal: AbortSignal;
  /** It listens all the time, so that lookups have somebody to ask. */
  informer: PodInformer<Pod>;
}

type Operation = (place: Place, i: number) => Promise<unknown>;

/** Reads a watch until it is synced, and leaves it. */
async function watched(events: AsyncIterable<{ type: string }>): Promise<void> {
  for await (const { type } of events) if (type === "SYNCED") return;
}

const refused = (call: Promise<unknown>) => assert.rejects(call);

const OPERATIONS: [what: string, times: number, operate: Operation][] = [
  ["calls", 150, ({ pods, signal }) => pods.getPod(uid, { signal })],
  [
    "lists with a selector",
    100,
    ({ pods, signal }) => pods.listPods({ signal, labelSelector: "app", timeoutMs: 60_000 }),
  ],
  ["calls that fail", 50, ({ pods, signal }) => refused(pods.getPod("nobody", { signal }))],
  [
    "calls that are aborted",
    50,
    ({ pods }) => {
      const end = new AbortController();
      const call = refused(pods.listPods({ signal: end.signal }));
      end.abort();
      return call;
    },
  ],
  [
    "calls that are too late",
    50,
    async ({ kubelet, pods, signal }) => {
      kubelet.pause();
      await refused(pods.getPod(uid, { signal, timeoutMs: 20 }));
      kubelet.resume();
    },
  ],
  ["watches", 150, ({ pods, signal }) => watched(pods.watchPods({ signal, mask: ["metadata.uid"] }))],
  ["watches of containers", 50, ({ pods, signal }) => watched(pods.watchContainers({ signal }))],
  ["informers", 100, ({ pods, signal }) => using(pods.informer({ signal }), (informer) => informer.synced({ signal }))],
  ["waits that end well", 50, ({ informer, signal }) => informer.waitFor({ uid }, { signal })],
  [
    "waits that are too late",
    50,
    ({ informer, signal }, i) => refused(informer.waitFor({ ip: `10.9.9.${i}` }, { signal, timeoutMs: 5 })),
  ],
  [
    "waits that are aborted",
    50,
    ({ informer }, i) => {
      const end = new AbortController();
      const wait = refused(
        informer.waitFor({ containerID: String(i).padStart(64, "0") }, { signal: end.signal, timeoutMs: 60_000 }),
      );
      end.abort();
      return wait;
    },
  ],
  [
    "reconnects",
    80,
    async ({ kubelet, informer, signal }) => {
      kubelet.faults.dropConnection();
      while (informer.state.phase === "synced") await turn();
      await informer.synced({ signal });
    },
  ],
  [
    "calls that are made again",
    50,
    async ({ kubelet, pods, signal }) => {
      kubelet.faults.closeConnections();
      kubelet.faults.dropConnection();
      await turn(); // the connection is gone
      await pods.getPod(uid, { signal });
    },
  ],
  [
    "conformance runs",
    20,
    async ({ kubelet, clock }) => checkConformance({ socketPath: kubelet.socketPath, observeMs: 1 }, clock),
  ],
];

async function using<I extends AsyncDisposable>(informer: I, use: (informer: I) => Promise<unknown>): Promise<void> {
  await use(informer);
  await informer[Symbol.asyncDispose]();
}

/** What an operation may leave behind, counted. */
function left({ signal, clock }: Place): Record<string, number> {
  const links = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return [fd, readlinkSync(`/proc/self/fd/${fd}`)] as const;
    } catch {
      return [fd, ""] as const; // the directory's own
    }
  });
  const watches = links
    .filter(([, link]) => link === "anon_inode:inotify")
    .flatMap(([fd]) => readFileSync(`/proc/self/fdinfo/${fd}`, "utf8").match(/^inotify wd:/gm) ?? []);
  return {
    listeners: getEventListeners(signal, "abort").length,
    "timers of the clock": clock.timers,
    timers: process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length,
    sockets: links.filter(([, link]) => link.startsWith("socket:")).length,
    "inotify watches": watches.length,
  };
}

async function place(t: TestContext): Promise<Place> {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const informer = pods.informer();
  await informer.synced();
  const clock = environmentOf(t).clock as AutoAdvanceClock;
  return { kubelet, pods, clock, informer, signal: new AbortController().signal };
}

test("a thousand operations leak no listeners, timers, sockets, watches or heap objects", async (t) => {
  const here = await place(t);
  const total = OPERATIONS.reduce((sum, [, times]) => sum + times, 0);
  assert.equal(total, 1_000);
  // The first half makes what is made for good, such as caches of the schema.
  for (const [, times, operate] of OPERATIONS) for (let i = 0; i < times / 2; i++) await operate(here, i);
  let kinds = await heapByKind();
  const before = left(here);
  // What the engine makes of code that has become hot grows once. What leaks grows with each half.
  let grown: [kind: string, more: number][] = [];
  for (let half = 0; half === 0 || (half < 3 && grown.length > 0); half++) {
    for (const [what, times, operate] of OPERATIONS) {
      for (let i = times / 2; i < times; i++) await operate(here, i);
      await until(t, () => {
        const now = left(here);
        return Object.entries(before).every(([kind, number]) => (now[kind] ?? 0) <= number);
      }).catch(() => assert.deepEqual(left(here), before, what));
    }
    const now = await heapByKind();
    grown = [...now].flatMap(([kind, number]) => {
      const more = number - (kinds.get(kind) ?? 0);
      return more > FEW && (half === 0 || grown.some(([each]) => each === kind)) ? [[kind, more]] : [];
    });
    kinds = now;
  }
  assert.deepEqual(grown, []);
});

/** Fewer than half of the times of almost each operation; what leaks with one is more than one object. */
const FEW = 20;
