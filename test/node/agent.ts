// Every kind of consumer of one client at once; events that contradict those before are bugs.

import {
  type ContainerEvent,
  type Pod,
  type PodEvent,
  type PodInformer,
  PodsClient,
  podMasks,
} from "../../src/index.js";
import type { Consumer, Journal } from "./journal.js";
import { type Briefable, briefOf } from "./raw-record.js";

/** Short, so that what the kubelet sends no event for is told while somebody waits for it. */
const RESYNC_MS = 30_000;

export class Agent {
  readonly client: PodsClient;
  /** What each watch has told of. */
  readonly views = new Map<Consumer, Map<string, unknown>>();
  readonly informer: PodInformer<Pod>;
  readonly #journal: Journal;
  readonly #stop = new AbortController();
  readonly #done: Promise<unknown>;

  constructor(socketPath: string, journal: Journal) {
    this.#journal = journal;
    this.client = new PodsClient({ socketPath });
    const { signal } = this.#stop;
    this.informer = this.client.informer({ resyncIntervalMs: RESYNC_MS });
    this.#done = Promise.all([
      this.#follow("live", this.client.watchPods({ signal })),
      this.#follow("all", this.client.watchPods({ signal, includeFinished: true })),
      this.#follow("readiness", this.client.watchPods({ signal, mask: podMasks.readiness })),
      this.#follow("selected", this.client.watchPods({ signal, labelSelector: "judge=one" })),
      this.#follow("informer", this.informer),
      this.#followLives(),
    ]);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.informer.close();
    await this.client.close();
    await this.#done;
  }

  #bug(who: Consumer, what: string): void {
    this.#journal.write({ who, type: "BUG", what });
  }

  async #follow<P extends Briefable>(who: Consumer, events: AsyncIterable<PodEvent<P>>): Promise<void> {
    const view = new Map<string, unknown>();
    this.views.set(who, view);
    try {
      for await (const event of events) this.#take(who, view, event);
      this.#bug(who, "the watch ended");
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#bug(who, `the watch threw ${error}`);
    }
  }

  #take<P extends Briefable>(who: Consumer, view: Map<string, unknown>, event: PodEvent<P>): void {
    if (event.type === "DISCONNECTED") {
      this.#journal.write({ who, type: "DISCONNECTED", code: event.error.code });
      return;
    }
    if (event.type === "SYNCED") {
      const { initial, count, unconfirmed } = event;
      if (count !== view.size) this.#bug(who, `SYNCED says ${count}, and ${view.size} have been told`);
      this.#journal.write({ who, type: "SYNCED", initial, view: [...view.keys()], unconfirmed: unconfirmed.count });
      return;
    }
    const pod = briefOf(event.pod);
    if ((event.type === "ADDED") === view.has(pod.uid))
      this.#bug(who, `${event.type} of ${pod.name} (${pod.uid}), which is ${view.has(pod.uid) ? "" : "not "}known`);
    if (event.type === "DELETED") view.delete(pod.uid);
    else view.set(pod.uid, event.pod);
    this.#journal.write({ who, type: event.type, pod, ...(event.type === "DELETED" && { cause: event.cause }) });
  }

  async #followLives(): Promise<void> {
    const options = { signal: this.#stop.signal, mask: podMasks.identity };
    try {
      for await (const event of this.client.watchContainers(options)) {
        if (event.type === "SYNCED" || event.type === "DISCONNECTED") continue;
        this.#journal.write(lifeLine(event));
      }
      this.#bug("lives", "watchContainers ended");
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#bug("lives", `watchContainers threw ${error}`);
    }
  }
}

type Told = Extract<
  ContainerEvent<{ metadata: { uid: string; name: string } }>,
  { type: "STARTED" | "ENDED" | "MISSED" }
>;

function lifeLine(event: Told) {
  const { container, pod } = event;
  return {
    who: "lives" as const,
    type: event.type,
    uid: pod.metadata.uid,
    pod: pod.metadata.name,
    name: container.name,
    kind: container.kind,
    restartCount: "restartCount" in container ? container.restartCount : 0,
    ...("containerID" in container && { id: container.containerID }),
    ...(event.type === "STARTED" && { initial: event.initial }),
    ...(event.type === "ENDED" && { cause: event.cause, exitCode: event.exit?.exitCode }),
    ...(event.type === "MISSED" && { missed: event.restartCounts }),
  };
}
