// An informer on a source that sends what the test says, with a virtual clock.

import type { Pod } from "../../src/index.js";
import { Lookups } from "../../src/lookup/lookups.js";
import type { WatchHost } from "../../src/readers/event-stream.js";
import { PodInformer, type PodInformerOptions } from "../../src/readers/informer.js";
import type { SourceEvent } from "../../src/sources/pod-source.js";
import { Upstream } from "../../src/stream/upstream.js";
import { seededRandom } from "../../src/testing/index.js";
import { type NodePod, versionOf } from "../lookup/node.js";
import { scriptedSource } from "./scripted-source.js";
import { VirtualClock } from "./virtual-clock.js";

type PodEventOf<T> = { readonly type: T; readonly pod: Uint8Array };

/** Makes a client's upstream on a source that sends what the test says, and informers on it. */
export function makeHost() {
  const { source, say } = scriptedSource();
  const clock = new VirtualClock();
  const upstream = new Upstream({ source, clock, random: seededRandom(1), index: (pods) => new Lookups(pods, clock) });
  const host: WatchHost = { clock, timeoutMs: undefined, upstream: () => upstream, enter: () => () => {} };
  const defaults = {
    includeFinished: false,
    signal: undefined,
    resyncIntervalMs: 3_600_000,
    retainMs: 0,
    maxRetained: 1_000,
  };
  const inform = (options: Partial<PodInformerOptions> = {}) => new PodInformer<Pod>(host, { ...defaults, ...options });
  return { inform, clock, upstream, host, say };
}

/** Makes an informer on a source that sends what the test says. */
export function make(options: Partial<PodInformerOptions> = {}) {
  const made = makeHost();
  return { ...made, informer: made.inform(options), another: () => made.inform() };
}

export const CONNECTED = {
  type: "CONNECTED",
  server: "1",
  connection: "1",
  lists: "complete",
} as const satisfies SourceEvent;
export const SYNCED: SourceEvent = { type: "SYNCED" };
export const put = (pod: NodePod): PodEventOf<"MODIFIED"> => ({
  type: "MODIFIED",
  pod: versionOf({ created: 1, ...pod }).bytes,
});
export const gone = (uid: string): PodEventOf<"DELETED"> => ({
  type: "DELETED",
  pod: versionOf({ uid, created: 1 }).bytes,
});
