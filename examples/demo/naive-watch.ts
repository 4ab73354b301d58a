// A watch as it is often written by hand: it applies each event, and starts again after an error.

import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { decodePod } from "kubelet-pods";
import { EventType, kubeletTransport, Pods } from "kubelet-pods/connect";

/** Its pods, by UID. */
export type NaiveView = ReadonlyMap<string, string>;

/** Watches until the signal aborts. Events fill the result. */
export function watchNaively(socketPath: string, signal: AbortSignal): NaiveView {
  const names = new Map<string, string>();
  const transport = kubeletTransport({ socketPath });
  const client = createClient(Pods, transport);
  const watch = async () => {
    while (!signal.aborted) {
      try {
        for await (const { type, pod } of client.watchPods({}, { signal })) {
          if (pod.length === 0) continue; // the sync marker
          const { uid, namespace, name } = decodePod(pod).metadata;
          if (type === EventType.DELETED) names.delete(uid);
          else names.set(uid, `${namespace}/${name}`);
        }
      } catch {
        if (!signal.aborted) await sleep(200, undefined, { signal }).catch(() => {});
      }
    }
    await transport.close();
  };
  void watch();
  return names;
}
