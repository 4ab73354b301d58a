// Every kind of reader of one client at once. What it is told is noted, and not judged.

import { setTimeout as sleep } from "node:timers/promises";
import {
  type ContainerEvent,
  type Pod,
  type PodEvent,
  type PodInformer,
  PodsClient,
  podMask,
  podMasks,
} from "../../src/index.js";
import { RESYNC_MS } from "./bounds.js";
import { contentOf, MASKS } from "./content.js";
import type { Consumer, Journal } from "./journal.js";

/** Between two looks at the informer's list. */
const LOOK_MS = 1_000;

interface Named {
  readonly metadata: { readonly uid: string; readonly namespace: string; readonly name: string };
}

export class Agent {
  readonly client: PodsClient;
  readonly informer: PodInformer<Pod>;
  readonly #journal: Journal;
  readonly #stop = new AbortController();
  readonly #done: Promise<unknown>;
  /** A pod object is the same for as long as the pod has not changed, in all reads. */
  readonly #contents = new WeakMap<object, string>();

  constructor(socketPath: string, journal: Journal) {
    this.#journal = journal;
    this.client = new PodsClient({ socketPath });
    const { signal } = this.#stop;
    this.informer = this.client.informer({ resyncIntervalMs: RESYNC_MS, retainMs: 120_000, maxRetained: 1_000 });
    const readiness = podMask(...MASKS.readiness);
    this.#done = Promise.all([
      this.#follow("live", this.client.watchPods({ signal })),
      this.#follow("all", this.client.watchPods({ signal, includeFinished: true })),
      this.#follow("readiness", this.client.watchPods({ signal, mask: readiness })),
      this.#follow("selected", this.client.watchPods({ signal, labelSelector: "judge=one" })),
      this.#follow("informer", this.informer),
      this.#followSnapshots(),
      this.#followLists(),
      this.#followLives(),
    ]);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.informer.close();
    await this.client.close();
    await this.#done;
  }

  async #guard(who: Consumer | "lives", read: () => Promise<void>): Promise<void> {
    try {
      await read();
      if (!this.#stop.signal.aborted) this.#journal.write({ who, type: "BUG", what: "it ended" });
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#journal.write({ who, type: "BUG", what: `it threw ${error}` });
    }
  }

  #follow<P extends Named>(who: Consumer, events: AsyncIterable<PodEvent<P>>): Promise<void> {
    return this.#guard(who, async () => {
      for await (const event of events) {
        if (event.type === "DISCONNECTED") this.#journal.write({ who, type: event.type, code: event.error.code });
        else if (event.type === "SYNCED") {
          const { type, initial, count, unconfirmed } = event;
          this.#journal.write({ who, type, initial, count, unconfirmed: unconfirmed.count });
        } else this.#tell(who, event.type, event.pod, event.type === "DELETED" ? event.cause : undefined);
      }
    });
  }

  #tell(who: Consumer, type: "ADDED" | "MODIFIED" | "DELETED", pod: Named, cause?: string): void {
    const { uid, namespace, name } = pod.metadata;
    const content = this.#contentOf(pod);
    this.#journal.write({
      who,
      type,
      uid,
      name: `${namespace}/${name}`,
      content,
      ...(cause !== undefined && { cause }),
    });
  }

  #contentOf(pod: object): string {
    let content = this.#contents.get(pod);
    if (content === undefined) {
      content = contentOf(pod);
      this.#contents.set(pod, content);
    }
    return content;
  }

  /** Returns a function that notes what has changed in a list since it was last called. */
  #differ(who: Consumer): (pods: readonly Pod[]) => void {
    let before = new Map<string, Pod>();
    return (pods) => {
      const now = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
      for (const [uid, pod] of before) if (!now.has(uid)) this.#tell(who, "DELETED", pod);
      for (const [uid, pod] of now) {
        const known = before.get(uid);
        if (known === undefined) this.#tell(who, "ADDED", pod);
        else if (this.#contentOf(known) !== this.#contentOf(pod)) this.#tell(who, "MODIFIED", pod);
      }
      before = now;
    };
  }

  #followSnapshots(): Promise<void> {
    const take = this.#differ("snapshots");
    return this.#guard("snapshots", async () => {
      for await (const pods of this.informer.snapshots({ signal: this.#stop.signal })) take(pods);
    });
  }

  #followLists(): Promise<void> {
    const take = this.#differ("list");
    return this.#guard("list", async () => {
      while (!this.#stop.signal.aborted) {
        take(this.informer.list());
        await sleep(LOOK_MS);
      }
    });
  }

  #followLives(): Promise<void> {
    const options = { signal: this.#stop.signal, mask: podMasks.identity };
    return this.#guard("lives", async () => {
      for await (const event of this.client.watchContainers(options)) {
        if (event.type === "SYNCED" || event.type === "DISCONNECTED")
          this.#journal.write({ who: "lives", type: event.type });
        else this.#journal.write(lifeLine(event));
      }
    });
  }
}

type Told = Extract<ContainerEvent<Named>, { type: "STARTED" | "ENDED" | "MISSED" }>;

function lifeLine(event: Told) {
  const { container, pod } = event;
  return {
    who: "lives" as const,
    type: event.type,
    uid: pod.metadata.uid,
    pod: `${pod.metadata.namespace}/${pod.metadata.name}`,
    name: container.name,
    restartCount: "restartCount" in container ? container.restartCount : 0,
    ...("containerID" in container && { id: container.containerID }),
    ...(event.type !== "MISSED" && { initial: event.initial }),
    ...(event.type === "ENDED" && {
      cause: event.basis,
      exitCode: event.end.exitCode,
      reason: event.end.reported?.reason,
    }),
    ...(event.type === "MISSED" && { missed: event.restartCounts }),
  };
}
